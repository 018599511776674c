// SPDX-License-Identifier: GPL-3.0-or-later
// Interval algebra on sorted, disjoint ranges; every function is at most one linear pass.
#include "core/analysis/basics/intervals.h"

#include <algorithm>

namespace rankscope {
namespace {

/// Adds a range that starts no earlier than the last one of the set.
void append(IntervalSet& set, TimeRange range) {
    if (range.empty())
        return;
    if (!set.empty() && range.begin <= set.back().end)
        set.back().end = std::max(set.back().end, range.end);
    else
        set.push_back(range);
}

bool begins_earlier(const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; }

/// The first range that ends after the time.
IntervalSet::const_iterator first_ending_after(const IntervalSet& ranges, TimeNs time) {
    return std::ranges::upper_bound(ranges, time, {}, &TimeRange::end);
}

} // namespace

IntervalSet merge(std::vector<TimeRange> ranges) {
    // Events come row by row, each row sorted: far fewer ascending runs than ranges, and each shrinks when merged.
    std::size_t runs = 1;
    for (std::size_t i = 1; i < ranges.size(); ++i)
        runs += begins_earlier(ranges[i], ranges[i - 1]);
    constexpr std::size_t kWorthwhileRun = 16;
    if (runs > 1 && runs * kWorthwhileRun > ranges.size())
        std::sort(ranges.begin(), ranges.end(), begins_earlier);
    std::vector<IntervalSet> sets(1);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (i > 0 && begins_earlier(ranges[i], ranges[i - 1]))
            sets.emplace_back();
        append(sets.back(), ranges[i]);
    }
    for (; sets.size() > 1; sets.resize((sets.size() + 1) / 2)) {
        for (std::size_t i = 0; i + 1 < sets.size(); i += 2)
            sets[i / 2] = unite(sets[i], sets[i + 1]);
        if (sets.size() % 2 == 1)
            sets[sets.size() / 2] = std::move(sets.back());
    }
    return std::move(sets.front());
}

IntervalSet unite(const IntervalSet& a, const IntervalSet& b) {
    IntervalSet result;
    result.reserve(std::max(a.size(), b.size()));
    auto left = a.begin();
    auto right = b.begin();
    while (left != a.end() || right != b.end()) {
        const bool take_left = right == b.end() || (left != a.end() && left->begin <= right->begin);
        append(result, take_left ? *left++ : *right++);
    }
    return result;
}

IntervalSet intersect(const IntervalSet& a, const IntervalSet& b) {
    IntervalSet result;
    if (a.empty() || b.empty())
        return result;
    // Few ranges may be looked for in many, and that often.
    auto left = first_ending_after(a, b.front().begin);
    auto right = first_ending_after(b, a.front().begin);
    while (left != a.end() && right != b.end()) {
        append(result, left->clipped_to(*right));
        (left->end < right->end) ? static_cast<void>(++left) : static_cast<void>(++right);
    }
    return result;
}

IntervalSet subtract(const IntervalSet& a, const IntervalSet& b) {
    IntervalSet result;
    auto hole = a.empty() ? b.end() : first_ending_after(b, a.front().begin);
    for (const TimeRange& range : a) {
        TimeNs begin = range.begin;
        while (hole != b.end() && hole->end <= begin)
            ++hole;
        for (auto inside = hole; inside != b.end() && inside->begin < range.end; ++inside) {
            append(result, {begin, inside->begin});
            begin = std::max(begin, inside->end);
            hole = inside;
        }
        append(result, {begin, range.end});
    }
    return result;
}

IntervalSet gaps(const IntervalSet& a, TimeRange window) {
    return window.empty() ? IntervalSet{} : subtract({window}, a);
}

TimeNs measure(const IntervalSet& a) {
    TimeNs total = 0;
    for (const TimeRange& range : a)
        total += range.length();
    return total;
}

TimeNs covered(const IntervalSet& a, TimeRange range) {
    TimeNs total = 0;
    for (auto at = std::ranges::upper_bound(a, range.begin, {}, &TimeRange::end);
         at != a.end() && at->begin < range.end; ++at)
        total += at->clipped_to(range).length();
    return total;
}

} // namespace rankscope
