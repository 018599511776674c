// SPDX-License-Identifier: GPL-3.0-or-later
// What a file is that cannot be opened, and what to open or record instead.
#pragma once
#include <filesystem>

#include "core/base/message.h"

namespace rankscope {

/// One sentence on a file that is of no known format.
Message what_it_is_instead(const std::filesystem::path& path);

} // namespace rankscope
