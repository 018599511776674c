// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a file whole or not at all: temporary file, fsync, rename.
#include "core/base/whole_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace rankscope {
namespace {

class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    [[nodiscard]] int get() const { return fd_; }
    /// Some file systems report a failed write only here.
    bool close() { return fd_ >= 0 && ::close(std::exchange(fd_, -1)) == 0; }

private:
    int fd_;
};

bool write_all(int fd, std::string_view content) {
    while (!content.empty()) {
        const ssize_t written = ::write(fd, content.data(), content.size());
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0)
            content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

tl::unexpected<Error> output_error(const std::filesystem::path& path, int error_number) {
    return tl::unexpected<Error>(
        Error{Error::Code::output, fmt::format("cannot write {}: {}", path.string(), std::strerror(error_number))});
}

/// Beside the target, so that a rename moves it there. Only a killed process of the same number can have left one.
std::filesystem::path unused_temporary(const std::filesystem::path& path) {
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    auto temporary = folder / fmt::format(".{}.{}.part", path.filename().string(), ::getpid());
    ::unlink(temporary.c_str());
    return temporary;
}

/// Moves what is on disk over the target. The rename itself reaches the disk with the folder; a file system that cannot
/// sync a folder is no error.
Result<void> move_into_place(const std::filesystem::path& temporary, const std::filesystem::path& path) {
    if (::rename(temporary.c_str(), path.c_str()) != 0)
        return output_error(path, errno);
    const Descriptor directory(::open(temporary.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0)
        ::fsync(directory.get());
    return {};
}

/// Nothing is left behind of what failed.
Result<void> or_removed(const std::filesystem::path& temporary, Result<void> done) {
    if (!done)
        ::unlink(temporary.c_str());
    return done;
}

} // namespace

Result<void> write_whole_file(const std::filesystem::path& path, std::string_view content) {
    const auto temporary = unused_temporary(path);
    Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.get() < 0)
        return output_error(path, errno);
    if (!write_all(file.get(), content) || ::fsync(file.get()) != 0 || !file.close())
        return or_removed(temporary, output_error(path, errno));
    return or_removed(temporary, move_into_place(temporary, path));
}

Result<void> write_whole_file(const std::filesystem::path& path,
                              const std::function<Result<void>(const std::filesystem::path&)>& writer) {
    const auto temporary = unused_temporary(path);
    // Whether a file can be made there is asked here: libraries print their own complaints.
    if (!Descriptor(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)).close())
        return output_error(path, errno);
    if (auto written = writer(temporary); !written)
        return or_removed(temporary, std::move(written));
    Descriptor file(::open(temporary.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0 || ::fsync(file.get()) != 0)
        return or_removed(temporary, output_error(path, errno));
    return or_removed(temporary, move_into_place(temporary, path));
}

} // namespace rankscope
