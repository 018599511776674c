// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a file whole or not at all: temporary file, fsync, rename.
#include "core/base/whole_file.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <random>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankscope {
namespace {

/// How long a FIFO may be without a reader, and a reader without reading: Ctrl+C waits for what is being written.
constexpr auto kWaitForReader = std::chrono::seconds(5);
constexpr int kWaitForRoomMs = 30'000;
constexpr int kMostLinks = 40;
constexpr int kMostNames = 100;

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
        if (written < 0 && errno == EAGAIN) { // only what is written to in place is opened so
            pollfd room{fd, POLLOUT, 0};
            if (::poll(&room, 1, kWaitForRoomMs) == 0) {
                errno = ETIMEDOUT;
                return false;
            }
            continue;
        }
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0)
            content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

tl::unexpected<Error> cannot_write(const std::filesystem::path& path, const Message& why) {
    return tl::unexpected<Error>(Error{Error::Code::output, "cannot write %1: %2"_text(path.string(), why)});
}

tl::unexpected<Error> output_error(const std::filesystem::path& path, int error_number) {
    return cannot_write(path, std::string(std::strerror(error_number)));
}

/// Where the bytes go when a path is written to.
struct Target {
    std::filesystem::path path; ///< no link
    bool replaced = true;       ///< else written to as it is
    std::optional<mode_t> mode; ///< of the file that is there
};

Result<Target> target_of(const std::filesystem::path& path) {
    std::filesystem::path at = path;
    for (int links = 0; links < kMostLinks; ++links) {
        struct stat status {};
        if (::lstat(at.c_str(), &status) != 0) {
            if (errno == ENOENT)
                return Target{at, true, {}};
            return output_error(path, errno);
        }
        if (S_ISREG(status.st_mode))
            return Target{at, true, status.st_mode & 07777U};
        if (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode))
            return Target{at, false, {}};
        if (S_ISDIR(status.st_mode))
            return output_error(path, EISDIR);
        if (!S_ISLNK(status.st_mode))
            return cannot_write(path, S_ISSOCK(status.st_mode) ? "it is a socket"_text() : "it is a disk"_text());
        // /dev/stdout and shells' >(command): the link's text is no place, the file is one that is open already.
        if (at.string().starts_with("/proc/"))
            return Target{at, false, {}};
        std::error_code error;
        const std::filesystem::path leads_to = std::filesystem::read_symlink(at, error);
        if (error)
            return output_error(path, error.value());
        at = leads_to.is_absolute() ? leads_to : at.parent_path() / leads_to;
    }
    return output_error(path, ELOOP);
}

/// A FIFO cannot be opened before somebody reads from it.
int open_in_place(const std::filesystem::path& path) {
    const auto until = std::chrono::steady_clock::now() + kWaitForReader;
    while (true) {
        const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (fd >= 0 || errno != ENXIO || std::chrono::steady_clock::now() > until)
            return fd;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

Result<void> write_in_place(const std::filesystem::path& path, const Target& target, std::string_view content) {
    Descriptor file(open_in_place(target.path));
    if (file.get() < 0)
        return errno == ENXIO ? Result<void>(cannot_write(path, "no program reads from it"_text))
                              : Result<void>(output_error(path, errno));
    if (!write_all(file.get(), content) || !file.close())
        return output_error(path, errno);
    return {};
}

Result<void> copy_in_place(const std::filesystem::path& finished, const std::filesystem::path& path,
                           const Target& target) {
    Descriptor from(::open(finished.c_str(), O_RDONLY | O_CLOEXEC));
    Descriptor to(open_in_place(target.path));
    if (from.get() < 0 || to.get() < 0)
        return output_error(path, errno);
    std::array<char, 1 << 16> block{};
    ssize_t got = 0;
    while ((got = ::read(from.get(), block.data(), block.size())) > 0)
        if (!write_all(to.get(), {block.data(), static_cast<std::size_t>(got)}))
            return output_error(path, errno);
    if (got < 0 || !to.close())
        return output_error(path, errno);
    return {};
}

struct Created {
    std::filesystem::path path;
    int descriptor = -1; ///< open for writing
};

/// A new file beside the target, so that a rename moves it there; in the system's folder for what is not replaced.
/// O_EXCL follows no link, and no other writer has a name that is drawn by chance.
Result<Created> created_for(const Target& target, const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path folder = !target.replaced                ? std::filesystem::temp_directory_path(error)
                                         : target.path.has_parent_path() ? target.path.parent_path()
                                                                         : ".";
    // A name that is as long as names may be has no room for more.
    const std::string start = target.path.filename().string().substr(0, 200);
    std::random_device chance;
    for (int tries = 0; tries < kMostNames; ++tries) {
        Created made{folder / fmt::format(".{}.{:08x}{:08x}.part", start, chance(), chance())};
        made.descriptor = ::open(made.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                 target.replaced ? 0666 : 0600);
        if (made.descriptor >= 0)
            return made;
        if (errno != EEXIST)
            break;
    }
    return output_error(path, errno);
}

/// Moves what is on disk over the target. The rename itself reaches the disk with the folder; a file system that cannot
/// sync a folder is no error.
Result<void> move_into_place(const std::filesystem::path& temporary, const std::filesystem::path& path,
                             const Target& target) {
    if (target.mode)
        ::chmod(temporary.c_str(), *target.mode);
    if (::rename(temporary.c_str(), target.path.c_str()) != 0)
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

Result<void> put_into_place(const std::filesystem::path& temporary, const std::filesystem::path& path,
                            const Target& target) {
    if (target.replaced)
        return or_removed(temporary, move_into_place(temporary, path, target));
    auto copied = copy_in_place(temporary, path, target);
    ::unlink(temporary.c_str());
    return copied;
}

} // namespace

Result<NewFile> NewFile::create(const std::filesystem::path& path) {
    const auto target = target_of(path);
    if (!target)
        return tl::unexpected<Error>(target.error());
    const auto made = created_for(*target, path);
    if (!made)
        return tl::unexpected<Error>(made.error());
    return NewFile(path, made->path, made->descriptor);
}

NewFile::NewFile(NewFile&& other) noexcept
    : target_(std::move(other.target_)), path_(std::exchange(other.path_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

NewFile::~NewFile() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
    if (!path_.empty())
        ::unlink(path_.c_str());
}

Result<void> NewFile::write(std::string_view text) {
    return write_all(descriptor_, text) ? Result<void>() : output_error(target_, errno);
}

Result<void> NewFile::commit() {
    const bool synced = ::fsync(descriptor_) == 0;
    const int why = errno;
    const bool closed = ::close(std::exchange(descriptor_, -1)) == 0;
    if (!synced || !closed)
        return output_error(target_, synced ? errno : why);
    return replace_file(std::exchange(path_, {}), target_);
}

Result<void> write_whole_file(const std::filesystem::path& path, std::string_view content) {
    const auto target = target_of(path);
    if (!target)
        return tl::unexpected<Error>(target.error());
    if (!target->replaced)
        return write_in_place(path, *target, content);
    auto file = NewFile::create(path);
    if (!file)
        return tl::unexpected<Error>(file.error());
    if (auto written = file->write(content); !written)
        return written;
    return file->commit();
}

Result<void> write_whole_file(const std::filesystem::path& path,
                              const std::function<Result<void>(const std::filesystem::path&)>& writer) {
    // Whether a file can be made there is asked here: libraries print their own complaints.
    auto file = NewFile::create(path);
    if (!file)
        return tl::unexpected<Error>(file.error());
    if (auto written = writer(file->path()); !written)
        return written;
    return file->commit();
}

Result<void> replace_file(const std::filesystem::path& finished, const std::filesystem::path& path) {
    const auto target = target_of(path);
    if (!target)
        return or_removed(finished, tl::unexpected<Error>(target.error()));
    return put_into_place(finished, path, *target);
}

int open_to_append(const std::filesystem::path& path) {
    const int file =
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
    struct stat status {};
    if (file < 0 || (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)))
        return file;
    ::close(file);
    errno = EINVAL;
    return -1;
}

} // namespace rankscope
