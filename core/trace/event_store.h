// SPDX-License-Identifier: GPL-3.0-or-later
// A sequence that grows without ever being copied: while millions of events arrive, a vector would need three times their memory.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace rankscope {

/// Append-only; elements keep their place.
template <typename T>
class EventStore {
public:
    void push_back(const T& value) {
        if (size_ % kChunk == 0)
            chunks_.push_back(std::make_unique_for_overwrite<T[]>(kChunk));
        chunks_.back()[size_++ % kChunk] = value;
    }
    /// Room for so many elements in order, to be written by whoever asked for it; pieces of it stay where they are.
    [[nodiscard]] std::vector<std::span<T>> add_room(std::size_t count) {
        std::vector<std::span<T>> pieces;
        while (count > 0) {
            const std::size_t at = size_ % kChunk;
            if (at == 0)
                chunks_.push_back(std::make_unique_for_overwrite<T[]>(kChunk));
            pieces.push_back({chunks_.back().get() + at, std::min(count, kChunk - at)});
            size_ += pieces.back().size();
            count -= pieces.back().size();
        }
        return pieces;
    }
    [[nodiscard]] T& operator[](std::size_t i) { return chunks_[i / kChunk][i % kChunk]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return chunks_[i / kChunk][i % kChunk]; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }

    /// Calls visit(T&) for each element in order.
    template <typename Visit>
    void for_each(Visit visit) {
        for (std::size_t i = 0; i < size_; ++i)
            visit((*this)[i]);
    }
    template <typename Visit>
    void for_each(Visit visit) const {
        for (std::size_t i = 0; i < size_; ++i)
            visit((*this)[i]);
    }

private:
    static constexpr std::size_t kChunk = std::size_t{1} << 14;
    std::vector<std::unique_ptr<T[]>> chunks_;
    std::size_t size_ = 0;
};

} // namespace rankscope
