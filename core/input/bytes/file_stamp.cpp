// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/bytes/file_stamp.h"

#include <filesystem>

#include <fmt/format.h>
#include <sys/stat.h>

#include "core/input/bytes/state_text.h"

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

std::string hashed(std::string_view text) {
    std::uint64_t a = 0xcbf29ce484222325;
    std::uint64_t b = 0x9e3779b97f4a7c15;
    for (const char c : text) {
        a = (a ^ static_cast<unsigned char>(c)) * 0x100000001b3;
        b = (b + static_cast<unsigned char>(c)) * 0xff51afd7ed558ccd;
        b ^= b >> 29;
    }
    return fmt::format("{:016x}{:016x}", a, b);
}

std::string described(const FileStamp& stamp) {
    return fmt::format("{}\n{}\n{}\n", stamp.path.string(), stamp.bytes, stamp.modified_ns);
}

} // namespace rankscope
