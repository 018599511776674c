// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/bytes/inflate_points.h"

#include <algorithm>

#include <zstd.h>

namespace rankscope {
namespace {

const auto kOffset = [](const auto& saved) { return saved.point.text_offset; };

} // namespace

void InflatePoints::add(const Point& point, std::string_view state) const {
    std::string packed(ZSTD_compressBound(state.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), state.data(), state.size(), 1));
    packed.shrink_to_fit();
    const std::lock_guard lock(mutex_);
    const auto at = std::ranges::lower_bound(points_, point.text_offset, {}, kOffset);
    if (at == points_.end() || at->point.text_offset != point.text_offset)
        points_.insert(at, {point, std::move(packed)});
}

std::optional<InflatePoints::Point> InflatePoints::before(std::uint64_t text_offset) const {
    const std::lock_guard lock(mutex_);
    const auto after = std::ranges::upper_bound(points_, text_offset, {}, kOffset);
    return after == points_.begin() ? std::nullopt : std::optional(std::prev(after)->point);
}

bool InflatePoints::load(const Point& point, std::span<char> state) const {
    const std::lock_guard lock(mutex_);
    const auto at = std::ranges::lower_bound(points_, point.text_offset, {}, kOffset);
    return at != points_.end() && at->point.text_offset == point.text_offset &&
           ZSTD_decompress(state.data(), state.size(), at->state.data(), at->state.size()) == state.size();
}

std::size_t InflatePoints::memory_bytes() const {
    const std::lock_guard lock(mutex_);
    std::size_t bytes = 0;
    for (const Saved& saved : points_)
        bytes += sizeof saved + saved.state.capacity();
    return bytes;
}

} // namespace rankscope
