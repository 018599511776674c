// SPDX-License-Identifier: GPL-3.0-or-later
// How a file is told from what it was before: place, size and time of its last change.
#pragma once
#include <optional>

#include "core/trace/digest_facts.h"

namespace rankscope {

/// Nothing where there is no regular file.
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);

} // namespace rankscope
