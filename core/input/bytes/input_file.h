// SPDX-License-Identifier: GPL-3.0-or-later
// An open file, read forward.
#pragma once
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace rankscope {

/// Read with read(2), not mapped: a file that shrinks under us is then an early end, not SIGBUS.
class InputFile {
public:
    explicit InputFile(int descriptor) : descriptor_(descriptor) {}
    InputFile(InputFile&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)), position_(other.position_) {}
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    InputFile& operator=(InputFile&&) = delete;
    ~InputFile() {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }

    std::size_t read(std::span<char> buffer, std::string& damage) {
        std::size_t filled = 0;
        while (filled < buffer.size()) {
            const ssize_t got = ::read(descriptor_, buffer.data() + filled, buffer.size() - filled);
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                damage = fmt::format("reading failed: {}", std::strerror(errno));
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
    [[nodiscard]] std::uint64_t position() const { return position_; }

private:
    int descriptor_ = -1;
    std::uint64_t position_ = 0;
};

} // namespace rankscope
