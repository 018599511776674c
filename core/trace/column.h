// SPDX-License-Identifier: GPL-3.0-or-later
// A column of the model: values that lie in memory of their own, or in a mapped file that the column keeps open.
#pragma once
#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/trace/page_array.h"

namespace rankscope {

/// Immutable; copies share the values.
template <typename T>
class Column {
public:
    Column() = default;
    Column(std::vector<T> values) { // NOLINT: a vector is a column
        values.shrink_to_fit();
        const auto owned = std::make_shared<const std::vector<T>>(std::move(values));
        values_ = *owned;
        heap_bytes_ = owned->capacity() * sizeof(T);
        owner_ = owned;
    }
    Column(PageArray<T> values) { // NOLINT: likewise
        const auto owned = std::make_shared<const PageArray<T>>(std::move(values));
        values_ = {owned->data(), owned->size()};
        heap_bytes_ = owned->size() * sizeof(T);
        owner_ = owned;
    }
    /// Values that lie elsewhere, for as long as owner lives.
    Column(std::span<const T> values, std::shared_ptr<const void> owner) : owner_(std::move(owner)), values_(values) {}

    [[nodiscard]] const T& operator[](std::size_t i) const { return values_[i]; }
    [[nodiscard]] const T* begin() const { return values_.data(); }
    [[nodiscard]] const T* end() const { return values_.data() + values_.size(); }
    [[nodiscard]] const T* data() const { return values_.data(); }
    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] bool empty() const { return values_.empty(); }
    [[nodiscard]] std::size_t heap_bytes() const { return heap_bytes_; } ///< 0 when mapped

    friend bool operator==(const Column& a, const Column& b) { return std::ranges::equal(a.values_, b.values_); }

private:
    std::shared_ptr<const void> owner_;
    std::span<const T> values_;
    std::size_t heap_bytes_ = 0;
};

} // namespace rankscope
