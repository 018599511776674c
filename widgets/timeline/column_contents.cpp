// SPDX-License-Identifier: GPL-3.0-or-later
// What lies under one column of a strip.
#include "widgets/timeline/column_contents.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace rankscope {
namespace {

constexpr std::int64_t kMostNamed = 50'000;
constexpr std::size_t kTop = 4;

} // namespace

ColumnContents columnContents(const TimelineScene& scene, const LaneStrip& strip, double x) {
    ColumnContents contents;
    const TimeAxis axis = scene.axis();
    const double column = std::floor(x);
    const TimeNs begin = std::min(axis.columnBegin(column), axis.timeAt(x));
    contents.range = {begin, std::max(axis.columnBegin(column + 1), begin + 1)};
    const auto& index = scene.indexes[static_cast<std::size_t>(strip.rankIndex)];
    if (!index)
        return contents;
    contents.busy = busyIn(scene.slicesOf(strip), contents.range);
    const std::vector<std::uint32_t> rows =
        strip.isCounter() ? summaryRows(*index->trace, LaneGroup::streams) : strip.rows;
    std::unordered_map<NameId, ColumnContents::Name> names;
    std::int64_t named = 0;
    for (const std::uint32_t number : rows) {
        const RowSlices row = index->row(number);
        const EventIndex first = row.firstReaching(contents.range.begin);
        const EventIndex end = row.firstStartingAt(contents.range.end, first);
        contents.count += end - first;
        for (EventIndex i = first; i < end && named < kMostNamed; ++i, ++named) {
            ColumnContents::Name& name = names[index->trace->events.name[row.first + i]];
            name.name = index->trace->events.name[row.first + i];
            name.time += TimeRange{row.start[i], row.end(i)}.clipped_to(contents.range).length();
            ++name.count;
        }
    }
    contents.counted = named == contents.count;
    for (const auto& [id, name] : names)
        contents.top.push_back(name);
    const auto kept = contents.top.begin() + static_cast<std::ptrdiff_t>(std::min(kTop, contents.top.size()));
    std::partial_sort(contents.top.begin(), kept, contents.top.end(),
                      [](const ColumnContents::Name& a, const ColumnContents::Name& b) {
                          return std::tuple(-a.time, -a.count, a.name) < std::tuple(-b.time, -b.count, b.name);
                      });
    contents.top.erase(kept, contents.top.end());
    return contents;
}

} // namespace rankscope
