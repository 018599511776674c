// SPDX-License-Identifier: GPL-3.0-or-later
// Gives each event of a lane its row: nested events below their container, overlapping ones beside.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// Where the last event of each row ends. Finds the nearest row above one whose event lasts long enough, in 64 steps
/// for each power of 64 of the rows: thousands of rows must not make it a walk.
class RowEnds {
public:
    static constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }
    [[nodiscard]] TimeNs operator[](std::uint32_t row) const { return ends_[row]; }
    void add_row() { ends_.push_back(std::numeric_limits<TimeNs>::min()); }
    /// end: not before the row's last one.
    void set(std::uint32_t row, TimeNs end) {
        ends_[row] = end;
        const std::vector<TimeNs>* finer = &ends_;
        for (std::size_t level = 0; finer->size() > kStep; finer = &latest_[level++]) {
            std::vector<TimeNs>& groups = latest_[level];
            const bool is_new = groups.empty();
            groups.resize((finer->size() + kStep - 1) / kStep, std::numeric_limits<TimeNs>::min());
            row /= kStep;
            groups[row] = std::max(groups[row], end);
            for (std::size_t i = 0; is_new && i < finer->size(); ++i)
                groups[i / kStep] = std::max(groups[i / kStep], (*finer)[i]);
        }
    }
    /// The last of the rows [0, below) whose event ends at that time or later; kNoRow without.
    [[nodiscard]] std::uint32_t nearest(std::uint32_t below, TimeNs end) const {
        for (std::uint32_t row = below; row > 0 && (row == below || row % kStep != 0); --row)
            if (ends_[row - 1] >= end)
                return row - 1;
        return below <= kStep ? kNoRow : nearest_group(below / kStep - (below % kStep == 0), end, 0);
    }

private:
    static constexpr std::uint32_t kStep = 64;

    /// The same among whole groups of rows, then inside the one that is found.
    [[nodiscard]] std::uint32_t nearest_group(std::uint32_t below, TimeNs end, std::size_t level) const {
        const auto row_in = [&](std::uint32_t group) {
            for (std::size_t at = level; at > 0; --at)
                group = last_of(latest_[at - 1], group, end);
            return last_of(ends_, group, end);
        };
        for (std::uint32_t group = below; group > 0 && (group == below || group % kStep != 0); --group)
            if (latest_[level][group - 1] >= end)
                return row_in(group - 1);
        return below <= kStep ? kNoRow : nearest_group(below / kStep - (below % kStep == 0), end, level + 1);
    }
    /// Of the group's entries the last that is late enough; one is.
    static std::uint32_t last_of(const std::vector<TimeNs>& entries, std::uint32_t group, TimeNs end) {
        std::uint32_t at = std::min(static_cast<std::uint32_t>(entries.size()), (group + 1) * kStep) - 1;
        while (entries[at] < end)
            --at;
        return at;
    }

    std::vector<TimeNs> ends_;
    std::array<std::vector<TimeNs>, 6>
        latest_; ///< of each 64 rows, of each 64 of those ...; empty where there are no more than 64
};

/// Feed it the events of one lane by ascending start, the longer of two with equal start first. Events of one row never
/// overlap. An event inside the innermost open one goes one row below it; one that overlaps without nesting goes to the
/// first free row (only the first kSearched rows are tried, so that thousands of overlapping events stay linear).
class RowPlacement {
public:
    std::uint32_t place(TimeRange event) {
        while (open_ > 0 && ends_[open_ - 1] <= event.begin)
            --open_;
        std::uint32_t row = open_;
        if (open_ > 0 && ends_[open_ - 1] < event.end)
            for (std::uint32_t free = 0; free < open_ && free < kSearched; ++free)
                if (ends_[free] <= event.begin) {
                    row = free;
                    break;
                }
        if (row == ends_.size()) {
            ends_.add_row();
            sizes_.push_back(0);
        }
        ends_.set(row, event.end);
        ++sizes_[row];
        if (row >= open_)
            open_ = row + 1;
        return row;
    }
    /// The row of the innermost event around the one placed last, in that row and ending then; kNoRow without. What
    /// RankTrace::parent_of finds later.
    [[nodiscard]] std::uint32_t container(std::uint32_t row, TimeNs end) const { return ends_.nearest(row, end); }
    /// Events placed in each row so far.
    [[nodiscard]] std::span<const std::uint32_t> sizes() const { return sizes_; }

private:
    static constexpr std::uint32_t kSearched = 64;
    RowEnds ends_;
    std::vector<std::uint32_t> sizes_;
    std::uint32_t open_ = 0; ///< rows below this one may be open; the deepest of them surely is
};

} // namespace rankscope
