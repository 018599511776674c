// SPDX-License-Identifier: GPL-3.0-or-later
// Which ranks something joins, directly or through others.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace rankscope {

/// Sets of ranks, by index; each rank is alone at first.
class RankSets {
public:
    explicit RankSets(std::size_t ranks) : lowest_(ranks) { std::iota(lowest_.begin(), lowest_.end(), 0U); }

    /// The lowest rank of the set that the rank belongs to.
    [[nodiscard]] std::uint32_t of(std::size_t rank) const { return lowest_[rank]; }
    [[nodiscard]] bool joined(std::size_t a, std::size_t b) const { return lowest_[a] == lowest_[b]; }
    /// By rank: of().
    [[nodiscard]] const std::vector<std::uint32_t>& lowest() const { return lowest_; }

    void join(std::size_t a, std::size_t b) {
        // Copies: replace() would otherwise look for a value that it changes on the way.
        const auto [low, high] = std::minmax({lowest_[a], lowest_[b]});
        if (low != high)
            std::ranges::replace(lowest_, high, low);
    }

private:
    std::vector<std::uint32_t> lowest_;
};

} // namespace rankscope
