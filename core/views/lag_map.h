// SPDX-License-Identifier: GPL-3.0-or-later
// How late each rank came to each of its collective calls, laid out to be drawn: cost grows with pixels, not with
// calls.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/views/collective_calls.h"

namespace rankscope {

/// Rows are ranks, columns are calls. Calls without a rank in common stand in the same column, as far left as their
/// members' earlier calls allow: where all groups do the same, the n-th column holds the n-th call of every rank. Calls
/// of which one member is traced have no lag and are left out.
struct LagMap {
    static constexpr std::uint8_t kNoCall =
        0; ///< code of a rank without a call; 1 is up to kLeast, 255 the longest lag
    static constexpr TimeNs kLeast = 1000;

    struct Entry {
        std::uint32_t column = 0;
        std::uint32_t call = 0; ///< index in CollectiveCalls::calls
    };
    std::shared_ptr<const CollectiveCalls> calls;
    std::size_t columns = 0;
    std::size_t ranks = 0;
    std::vector<std::vector<Entry>> of_rank; ///< per index in Run::ranks; column and call ascend
    TimeNs longest = 0;                      ///< lag of a rank
    /// levels[k]: the largest code in 4^k << shift columns each, all ranks of a column together.
    std::vector<std::vector<std::uint8_t>> levels;
    unsigned shift = 0; ///< 0 up to 2^28 cells

    [[nodiscard]] std::optional<std::uint32_t> call_at(std::size_t rank, std::size_t column) const;
    [[nodiscard]] std::optional<std::size_t> column_of(std::uint32_t call) const;
    [[nodiscard]] std::uint8_t code(TimeNs lag) const; ///< logarithmic between kLeast and longest
    [[nodiscard]] TimeNs lag_of_code(double code) const;
};

/// shown: ascending, as from filter_calls(). Stopped: without levels.
LagMap build_lag_map(std::shared_ptr<const CollectiveCalls> calls, std::span<const std::uint32_t> shown,
                     const std::stop_token& stop = {});

/// After the first arrival; nothing when the rank (index in Run::ranks) is no member, or the only one traced.
std::optional<TimeNs> lag_at(const CollectiveCalls& calls, std::uint32_t call, std::size_t rank);

/// The picture of columns [first, last) in width × height pixels, row by row: the largest code below each pixel. Fewer
/// rows than pixels where there are fewer ranks: the picture's height is min(height, ranks).
std::vector<std::uint8_t> draw_lag_map(const LagMap& map, double first, double last, std::size_t width,
                                       std::size_t height);

} // namespace rankscope
