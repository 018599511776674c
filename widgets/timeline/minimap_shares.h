// SPDX-License-Identifier: GPL-3.0-or-later
// The whole run in a strip: what all ranks' GPUs did in each column of time.
#pragma once
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "widgets/timeline/slice_index.h"

namespace rankscope {

inline constexpr int kMinimapColumns = 4096;

struct MinimapShares {
    TimeRange range;
    int ranks = 0;                    ///< with GPU work, or, where none has any, with a thread
    std::vector<ClassShares> columns; ///< mean over these ranks; exact; kMinimapColumns, or fewer in a very short run

    [[nodiscard]] TimeAxis axis() const { return {range, static_cast<double>(columns.size())}; }
    /// Mean share over [from, to) columns of a strip `width` wide: the columns whose starts lie in it, at least one.
    [[nodiscard]] ClassShares over(int column, int width) const;
};

/// Entries may be nullptr: ranks not known yet. Stops early, with what it has, when asked to.
MinimapShares minimapShares(std::span<const std::shared_ptr<const SliceIndex>> indexes, TimeRange range,
                            const std::stop_token& stop);

} // namespace rankscope
