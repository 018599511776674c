// SPDX-License-Identifier: GPL-3.0-or-later
// Gives each event of a lane its row: nested events below their container, overlapping ones beside.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/time.h"

namespace rankscope {

/// Feed it the events of one lane by ascending start, the longer of two with equal start first. Events of one row never
/// overlap. An event inside the innermost open one goes one row below it; one that overlaps without nesting goes to the
/// first free row (only the first kSearched rows are tried, so that thousands of overlapping events stay linear).
class RowPlacement {
public:
    std::uint32_t place(TimeRange event) {
        while (open_ > 0 && row_end_[open_ - 1] <= event.begin)
            --open_;
        std::uint32_t row = open_;
        if (open_ > 0 && row_end_[open_ - 1] < event.end)
            for (std::uint32_t free = 0; free < open_ && free < kSearched; ++free)
                if (row_end_[free] <= event.begin) {
                    row = free;
                    break;
                }
        if (row == row_end_.size()) {
            row_end_.push_back(0);
            sizes_.push_back(0);
        }
        row_end_[row] = event.end;
        ++sizes_[row];
        if (row >= open_)
            open_ = row + 1;
        return row;
    }
    /// Events placed in each row so far.
    [[nodiscard]] std::span<const std::uint32_t> sizes() const { return sizes_; }

private:
    static constexpr std::uint32_t kSearched = 64;
    std::vector<TimeNs> row_end_;
    std::vector<std::uint32_t> sizes_;
    std::uint32_t open_ = 0; ///< rows below this one may be open; the deepest of them surely is
};

} // namespace rankscope
