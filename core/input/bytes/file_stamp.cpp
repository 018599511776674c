// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/bytes/file_stamp.h"

#include <filesystem>

#include <sys/stat.h>

namespace rankscope {

std::optional<FileStamp> stamp_of(const std::filesystem::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
        return {};
    std::error_code error;
    FileStamp stamp;
    stamp.path = std::filesystem::absolute(path, error).lexically_normal();
    stamp.bytes = static_cast<std::uint64_t>(status.st_size);
    stamp.modified_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
    return stamp;
}

} // namespace rankscope
