// SPDX-License-Identifier: GPL-3.0-or-later
// An open file, read forward.
#pragma once
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "core/base/message.h"

namespace rankscope {

/// Read with read(2), not mapped: a file that shrinks under us is then an early end, not SIGBUS. Of one that grows as
/// fast as it is read there would be no end: what is written after it was opened is not read.
class InputFile {
public:
    explicit InputFile(int descriptor) : descriptor_(descriptor) {
        struct stat status {};
        if (descriptor >= 0 && ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
            regular_ = true;
            end_ = static_cast<std::uint64_t>(status.st_size);
        }
    }
    InputFile(InputFile&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)), position_(other.position_), end_(other.end_),
          regular_(other.regular_) {}
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    InputFile& operator=(InputFile&&) = delete;
    ~InputFile() {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }

    std::size_t read(std::span<char> buffer, Message& damage) {
        buffer = buffer.first(std::min<std::uint64_t>(buffer.size(), end_ - std::min(end_, position_)));
        std::size_t filled = 0;
        while (filled < buffer.size()) {
            const ssize_t got = ::read(descriptor_, buffer.data() + filled, buffer.size() - filled);
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                damage = "reading failed: %1"_text(std::strerror(errno));
            if (got <= 0)
                break;
            filled += static_cast<std::size_t>(got);
        }
        position_ += filled;
        return filled;
    }
    void seek(std::uint64_t offset) {
        if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) >= 0)
            position_ = offset;
    }
    [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
    [[nodiscard]] int descriptor() const { return descriptor_; }
    [[nodiscard]] bool is_regular() const { return regular_; }
    [[nodiscard]] std::uint64_t size() const { return end_; } ///< when it was opened
    [[nodiscard]] std::uint64_t position() const { return position_; }

private:
    int descriptor_ = -1;
    std::uint64_t position_ = 0;
    std::uint64_t end_ = 0;
    bool regular_ = false;
};

} // namespace rankscope
