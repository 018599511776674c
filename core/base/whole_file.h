// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a file whole or not at all. The one place where files are replaced.
#pragma once
#include <filesystem>
#include <functional>
#include <string_view>

#include "core/base/notice.h"

namespace rankscope {

/// Writes beside the target, syncs to disk and renames over it: a reader sees the old file or the new one. On an error
/// the target is untouched and nothing is left behind. Only a regular file is replaced, and keeps its permissions; of a
/// link it is the file that the link leads to. A FIFO, a character device or an open file of /proc is written to. All
/// else (a folder, a socket, a disk) is an error.
Result<void> write_whole_file(const std::filesystem::path& path, std::string_view content);
/// The same for what only a library can write: writer fills the file it is given, which is empty.
Result<void> write_whole_file(const std::filesystem::path& path,
                              const std::function<Result<void>(const std::filesystem::path&)>& writer);
/// The last step alone, for a file that is finished: on an error it is removed.
Result<void> replace_file(const std::filesystem::path& finished, const std::filesystem::path& path);

} // namespace rankscope
