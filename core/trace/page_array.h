// SPDX-License-Identifier: GPL-3.0-or-later
// Large arrays in pages straight from the system, and back to it. What the allocator gets back it keeps for later:
// memory used for a moment while a trace is read would count until the program ends.
#pragma once
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace rankscope {

/// Bytes in pages of their own; all zero at first, and none in memory before it is written.
class Pages {
public:
    Pages() = default;
    explicit Pages(std::size_t bytes); ///< throws std::bad_alloc
    ~Pages();
    Pages(Pages&& other) noexcept
        : begin_(std::exchange(other.begin_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    Pages& operator=(Pages&& other) noexcept {
        std::swap(begin_, other.begin_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }

    [[nodiscard]] std::byte* data() const { return begin_; }
    /// Gives back the pages that lie wholly in [begin, end); reading them gives zeros.
    void give_back(std::size_t begin, std::size_t end) const;

private:
    std::byte* begin_ = nullptr;
    std::size_t bytes_ = 0;
};

/// All zero at first.
template <typename T>
class PageArray {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    PageArray() = default;
    explicit PageArray(std::size_t size) : pages_(size * sizeof(T)), size_(size) {}
    PageArray(PageArray&& other) noexcept : pages_(std::move(other.pages_)), size_(std::exchange(other.size_, 0)) {}
    PageArray& operator=(PageArray&& other) noexcept {
        pages_ = Pages(std::move(other.pages_)); // what was here goes at once
        size_ = std::exchange(other.size_, 0);
        return *this;
    }

    [[nodiscard]] T* data() const { return reinterpret_cast<T*>(pages_.data()); }
    [[nodiscard]] T* begin() const { return data(); }
    [[nodiscard]] T* end() const { return data() + size_; }
    [[nodiscard]] T& operator[](std::size_t i) const { return data()[i]; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    /// The values of [begin, end) are not needed any more.
    void give_back(std::size_t begin, std::size_t end) const { pages_.give_back(begin * sizeof(T), end * sizeof(T)); }

private:
    Pages pages_;
    std::size_t size_ = 0;
};

} // namespace rankscope
