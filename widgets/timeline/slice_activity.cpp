// SPDX-License-Identifier: GPL-3.0-or-later
// What a group of lanes does as a whole.
#include "widgets/timeline/slice_activity.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/analysis/basics/intervals.h"

namespace rankscope {
namespace {

constexpr std::array kOrder{SliceClass::compute,      SliceClass::memory_set,    SliceClass::communication,
                            SliceClass::memory_copy,  SliceClass::operator_call, SliceClass::runtime_call,
                            SliceClass::python_frame, SliceClass::other,         SliceClass::annotation};
static_assert(kOrder.size() == kSliceClassCount);

struct Slice {
    TimeRange range;
    SliceClass sliceClass = SliceClass::other;
};

bool covers(const IntervalSet& set, TimeNs time) {
    const auto after =
        std::partition_point(set.begin(), set.end(), [&](const TimeRange& r) { return r.begin <= time; });
    return after != set.begin() && std::prev(after)->end > time;
}

} // namespace

SliceActivity activityOf(std::span<const RowSlices> rows) {
    std::array<std::vector<TimeRange>, kSliceClassCount> ranges;
    for (const RowSlices& row : rows)
        for (EventIndex i = 0; i < row.size(); ++i)
            ranges[static_cast<std::size_t>(row.sliceClass[i])].push_back({row.start[i], row.end(i)});
    std::vector<Slice> slices;
    IntervalSet taken;
    for (const SliceClass sliceClass : kOrder) {
        std::vector<TimeRange>& all = ranges[static_cast<std::size_t>(sliceClass)];
        if (all.empty() || (sliceClass == SliceClass::annotation && !slices.empty()))
            continue;
        std::vector<TimeNs> instants;
        for (const TimeRange& range : all)
            if (range.empty())
                instants.push_back(range.begin);
        const IntervalSet set = merge(std::move(all));
        for (const TimeRange& range : subtract(set, taken))
            slices.push_back({range, sliceClass});
        taken = unite(taken, set);
        for (const TimeNs time : instants)
            if (!covers(taken, time))
                slices.push_back({{time, time}, sliceClass});
    }
    // Starts differ but for instants, which come before what starts with them.
    std::stable_sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
        return std::pair(a.range.begin, a.range.end) < std::pair(b.range.begin, b.range.end);
    });
    SliceActivity activity;
    for (const Slice& slice : slices) {
        activity.start.push_back(slice.range.begin);
        activity.duration.push_back(slice.range.length());
        activity.classes.push_back(slice.sliceClass);
    }
    activity.summary = summarise(activity.row());
    return activity;
}

} // namespace rankscope
