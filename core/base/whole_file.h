// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a file whole or not at all.
#pragma once
#include <filesystem>
#include <functional>
#include <string_view>

#include "core/base/notice.h"

namespace rankscope {

/// Writes beside the target, syncs to disk and renames over it: a reader sees the old file or the new one. On an error
/// the target is untouched and nothing is left behind.
Result<void> write_whole_file(const std::filesystem::path& path, std::string_view content);
/// The same for what only a library can write: writer fills the file it is given, which is empty.
Result<void> write_whole_file(const std::filesystem::path& path,
                              const std::function<Result<void>(const std::filesystem::path&)>& writer);

} // namespace rankscope
