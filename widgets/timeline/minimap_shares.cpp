// SPDX-License-Identifier: GPL-3.0-or-later
// The whole run in a strip.
#include "widgets/timeline/minimap_shares.h"

#include <algorithm>

#include <tbb/parallel_for.h>

namespace rankscope {

ClassShares MinimapShares::over(int column, int width) const {
    ClassShares mean{};
    const auto count = static_cast<std::int64_t>(columns.size());
    if (count == 0)
        return mean;
    const std::int64_t begin = std::clamp<std::int64_t>(column * count / width, 0, count - 1);
    const std::int64_t end = std::clamp<std::int64_t>((column + 1) * count / width, begin + 1, count);
    for (std::int64_t i = begin; i < end; ++i)
        for (std::size_t c = 0; c < kSliceClassCount; ++c)
            mean[c] += columns[static_cast<std::size_t>(i)][c] / static_cast<float>(end - begin);
    return mean;
}

MinimapShares minimapShares(std::span<const std::shared_ptr<const SliceIndex>> indexes, TimeRange range,
                            const std::stop_token& stop) {
    MinimapShares shares{range, 0, {}};
    const bool gpu = std::any_of(indexes.begin(), indexes.end(), [](const auto& index) {
        return index && index->group(LaneGroup::streams).size() > 0;
    });
    const LaneGroup group = gpu ? LaneGroup::streams : LaneGroup::threads;
    const auto count = static_cast<std::size_t>(std::min<TimeNs>(kMinimapColumns, range.length()));
    std::vector<ClassTimes> sums(count, ClassTimes{});
    const TimeAxis axis{range, static_cast<double>(count)};
    std::vector<RowSlices> rows;
    for (const auto& index : indexes)
        if (index && index->group(group).size() > 0)
            rows.push_back(index->group(group));
    shares.ranks = static_cast<int>(rows.size());
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t column) {
        const auto x = static_cast<double>(column);
        const TimeRange part{axis.columnBegin(x), axis.columnBegin(x + 1)};
        for (const RowSlices& row : rows) {
            if (stop.stop_requested())
                return;
            const ClassTimes busy = busyIn(row, part);
            for (std::size_t c = 0; c < kSliceClassCount; ++c)
                sums[column][c] += busy[c];
        }
    });
    shares.columns.resize(count);
    for (std::size_t column = 0; column < count; ++column) {
        const auto x = static_cast<double>(column);
        const auto length = static_cast<float>(std::max<TimeNs>(1, axis.columnBegin(x + 1) - axis.columnBegin(x)));
        for (std::size_t c = 0; c < kSliceClassCount; ++c)
            shares.columns[column][c] =
                static_cast<float>(sums[column][c]) / length / static_cast<float>(std::max(1, shares.ranks));
    }
    return shares;
}

} // namespace rankscope
