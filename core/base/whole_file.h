// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a file whole or not at all. The one place where files are made and replaced.
#pragma once
#include <filesystem>
#include <functional>
#include <string_view>
#include <utility>

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

/// A file that is written in pieces under a fresh name, which nobody can have planted. commit() syncs it and moves it
/// to the target, by the rules above; without it nothing remains.
class NewFile {
public:
    static Result<NewFile> create(const std::filesystem::path& target);
    NewFile(NewFile&& other) noexcept;
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    NewFile& operator=(NewFile&&) = delete;
    ~NewFile();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    Result<void> write(std::string_view text);
    Result<void> commit();

private:
    NewFile(std::filesystem::path target, std::filesystem::path path, int descriptor)
        : target_(std::move(target)), path_(std::move(path)), descriptor_(descriptor) {}

    std::filesystem::path target_;
    std::filesystem::path path_; ///< empty once it has been moved
    int descriptor_;
};

/// The last step alone, for a file that is finished: on an error it is removed.
Result<void> replace_file(const std::filesystem::path& finished, const std::filesystem::path& path);

/// Descriptor of a regular file that is written to at its end, made where it is not there. Through no link. -1: errno
/// says why.
int open_to_append(const std::filesystem::path& path);

} // namespace rankscope
