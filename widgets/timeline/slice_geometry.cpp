// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of slices: which columns of a row they cover.
#include "widgets/timeline/slice_geometry.h"

#include <algorithm>

namespace rankscope {
namespace {

/// Below this many events, looking at each is faster than the summary.
constexpr EventIndex kShort = 16;

SliceClass dominating(const ClassTimes& times, SliceClass whenAllZero) {
    const auto most = std::max_element(times.begin(), times.end());
    return *most > 0 ? static_cast<SliceClass>(most - times.begin()) : whenAllZero;
}

TimeNs total(const ClassTimes& times) {
    TimeNs sum = 0;
    for (const TimeNs time : times)
        sum += time;
    return sum;
}

/// The events [begin, end) that start in one column, as one rectangle; what sticks out of [from, to) does not count.
SliceRect sharedColumn(const RowSlices& row, EventIndex begin, EventIndex end, int column, TimeNs from, TimeNs to) {
    ClassTimes times{};
    row.addBusy(begin, end, times);
    const auto drop = [&](EventIndex i, TimeNs time) { times[static_cast<std::size_t>(row.sliceClass[i])] -= time; };
    if (row.start[begin] < from)
        drop(begin, std::min(from, row.end(begin)) - row.start[begin]);
    if (row.end(end - 1) > to)
        drop(end - 1, row.end(end - 1) - std::max(to, row.start[end - 1]));
    const auto length = static_cast<float>(std::max<TimeNs>(1, to - from));
    return {column,
            column + 1,
            row.first + begin,
            dominating(times, row.sliceClass[begin]),
            std::clamp(static_cast<float>(total(times)) / length, 0.0F, 1.0F),
            end - begin};
}

/// First block from `from` on that starts at `time` or later; columns ask for neighbours, so it gallops.
std::size_t firstBlockStartingAt(const std::vector<TimeNs>& starts, TimeNs time, std::size_t from) {
    std::size_t stride = 1;
    while (from + stride < starts.size() && starts[from + stride] < time) {
        from += stride;
        stride *= 2;
    }
    const auto begin = starts.begin() + static_cast<std::ptrdiff_t>(from);
    const auto end = starts.begin() + static_cast<std::ptrdiff_t>(std::min(starts.size(), from + stride));
    return static_cast<std::size_t>(std::lower_bound(begin, end, time) - starts.begin());
}

/// Without touching the event itself where the summary knows.
TimeNs startOf(const RowSlices& row, EventIndex i) {
    const bool startsBlock = row.summary != nullptr && !row.summary->starts.empty() && i % RowSummary::kBlock == 0;
    return startsBlock ? row.summary->starts[i / RowSummary::kBlock] : row.start[i];
}

/// With this many blocks in a column, its borders move to those of blocks: by less than the width of one.
constexpr std::size_t kBlocksForSnapping = 2;

/// The events from i on that start in a crowded column, up to the end of a block: looks at the summary only (once i
/// starts a block), so that the cost of a column does not depend on its events. Nothing where the column is not crowded,
/// or where the next block starts so late that events of the last one could hide.
std::optional<SliceRect> crowdedColumn(const RowSlices& row, EventIndex i, int column, const TimeAxis& axis) {
    const std::vector<TimeNs>& starts = row.summary->starts;
    const std::size_t first = (i + RowSummary::kBlock - 1) / RowSummary::kBlock;
    const TimeNs to = axis.columnBegin(column + 1);
    if (first + kBlocksForSnapping >= starts.size() || starts[first + kBlocksForSnapping] >= to)
        return std::nullopt;
    const std::size_t next = firstBlockStartingAt(starts, to, first + kBlocksForSnapping);
    if (next * RowSummary::kBlock >= row.size() || starts[next] >= axis.columnBegin(column + 2))
        return std::nullopt;
    const auto end = static_cast<EventIndex>(next * RowSummary::kBlock);
    ClassTimes times{};
    row.addBusy(i, end, times);
    const auto share = static_cast<float>(total(times)) / static_cast<float>(std::max<TimeNs>(1, starts[next] - startOf(row, i)));
    return SliceRect{column, column + 1, row.first + i, dominating(times, row.summary->classes.front()), std::min(1.0F, share), end - i};
}

} // namespace

EventIndex RowSlices::firstStartingAt(TimeNs time, EventIndex from) const {
    const EventIndex near = std::min(size(), from + kShort);
    for (EventIndex i = from; i < near; ++i)
        if (start[i] >= time)
            return i;
    const auto begin = start.begin() + near;
    if (summary == nullptr || summary->starts.empty())
        return static_cast<EventIndex>(std::lower_bound(begin, start.end(), time) - start.begin());
    const auto number = static_cast<EventIndex>(firstBlockStartingAt(summary->starts, time, near / RowSummary::kBlock));
    const EventIndex last = std::min(size(), number * RowSummary::kBlock);
    const EventIndex first_candidate = std::max(near, number == 0 ? 0 : (number - 1) * RowSummary::kBlock);
    if (first_candidate >= last)
        return first_candidate;
    return static_cast<EventIndex>(std::lower_bound(start.begin() + first_candidate, start.begin() + last, time) -
                                   start.begin());
}

EventIndex RowSlices::firstReaching(TimeNs time) const {
    const EventIndex next = firstStartingAt(time);
    return next > 0 && end(next - 1) > time ? next - 1 : next;
}

void RowSlices::addBusy(EventIndex begin, EventIndex end, ClassTimes& times) const {
    constexpr EventIndex block = RowSummary::kBlock;
    const auto each = [&](EventIndex from, EventIndex to) {
        for (EventIndex i = from; i < to; ++i)
            times[static_cast<std::size_t>(sliceClass[i])] += duration[i];
    };
    const EventIndex first_block = (begin + block - 1) / block;
    const EventIndex last_block = end / block;
    if (summary == nullptr || summary->starts.empty() || last_block <= first_block)
        return each(begin, end);
    each(begin, first_block * block);
    const std::size_t kinds = summary->classes.size();
    for (std::size_t k = 0; k < kinds; ++k)
        times[static_cast<std::size_t>(summary->classes[k])] +=
            summary->busy[last_block * kinds + k] - summary->busy[first_block * kinds + k];
    each(last_block * block, end);
}

RowSummary summarise(const RowSlices& row) {
    RowSummary summary;
    if (row.size() < 2 * RowSummary::kBlock)
        return summary;
    std::array<bool, kSliceClassCount> seen{};
    for (const SliceClass c : row.sliceClass)
        seen[static_cast<std::size_t>(c)] = true;
    for (std::size_t c = 0; c < kSliceClassCount; ++c)
        if (seen[c])
            summary.classes.push_back(static_cast<SliceClass>(c));
    const std::size_t blocks = row.size() / RowSummary::kBlock + 1;
    summary.starts.reserve(blocks);
    summary.busy.reserve(blocks * summary.classes.size());
    ClassTimes sums{};
    for (EventIndex i = 0; i <= row.size(); ++i) {
        if (i % RowSummary::kBlock == 0) {
            // The block after the last event has no start of its own: nothing starts there.
            summary.starts.push_back(i < row.size() ? row.start[i] : std::numeric_limits<TimeNs>::max());
            for (const SliceClass c : summary.classes)
                summary.busy.push_back(sums[static_cast<std::size_t>(c)]);
        }
        if (i < row.size())
            sums[static_cast<std::size_t>(row.sliceClass[i])] += row.duration[i];
    }
    return summary;
}

void sliceRects(const RowSlices& row, const TimeAxis& axis, std::vector<SliceRect>& out) {
    out.clear();
    const int width = static_cast<int>(axis.width);
    int free = 0; // first column that nothing covers yet
    EventIndex i = row.firstReaching(axis.visible.begin);
    const bool summarised = row.summary != nullptr && !row.summary->starts.empty();
    while (i < row.size() && free < width) {
        const TimeNs start = startOf(row, i);
        if (start >= axis.visible.end)
            break;
        const int left = std::max(free, static_cast<int>(std::max(0.0, axis.columnOf(start))));
        if (left >= width)
            break;
        if (const auto crowded = summarised && start >= axis.visible.begin ? crowdedColumn(row, i, left, axis) : std::nullopt) {
            out.push_back(*crowded);
            free = left + 1;
            i += crowded->count;
            continue;
        }
        const int right = static_cast<int>(std::min(axis.width, axis.columnOf(row.end(i))));
        if (right - left >= 2) {
            out.push_back({left, right, row.first + i, row.sliceClass[i], 1.0F, 1});
            free = right;
            ++i;
            continue;
        }
        const TimeNs from = std::max(axis.visible.begin, axis.columnBegin(left));
        const TimeNs to = std::max(from, axis.columnBegin(left + 1));
        EventIndex next = std::max(i + 1, row.firstStartingAt(to, i + 1));
        SliceRect shared = sharedColumn(row, i, next, left, from, to);
        // A long slice that starts in this column takes it, unless the short ones before it last longer in it.
        const EventIndex last = next - 1;
        if (last > i && axis.columnOf(row.end(last)) >= left + 2) {
            const SliceRect before = sharedColumn(row, i, last, left, from, to);
            if (before.share < static_cast<float>(to - row.start[last]) / static_cast<float>(to - from)) {
                i = last;
                const int end = static_cast<int>(std::min(axis.width, axis.columnOf(row.end(i))));
                out.push_back({left, end, row.first + i, row.sliceClass[i], 1.0F, 1});
                free = end;
                ++i;
                continue;
            }
            shared = before;
            next = last;
        }
        out.push_back(shared);
        free = left + 1;
        i = next;
    }
}

void summaryRects(std::span<const RowSlices> rows, const TimeAxis& axis, std::vector<SliceRect>& out) {
    const auto width = static_cast<std::size_t>(axis.width);
    std::vector<std::array<float, kSliceClassCount>> shares(width);
    for (const RowSlices& row : rows) {
        sliceRects(row, axis, out);
        for (const SliceRect& rect : out)
            for (int x = rect.left; x < rect.right; ++x)
                shares[static_cast<std::size_t>(x)][static_cast<std::size_t>(rect.sliceClass)] +=
                    std::max(rect.share, 1e-6F); // an event without duration still shows
    }
    constexpr auto annotation = static_cast<std::size_t>(SliceClass::annotation);
    const auto hasMore = [](const auto& column) {
        for (std::size_t c = 0; c < kSliceClassCount; ++c)
            if (c != annotation && column[c] > 0)
                return true;
        return false;
    };
    if (std::any_of(shares.begin(), shares.end(), hasMore))
        for (auto& column : shares)
            column[annotation] = 0;
    out.clear();
    for (std::size_t x = 0; x < width; ++x) {
        const auto most = std::max_element(shares[x].begin(), shares[x].end());
        if (*most <= 0)
            continue;
        float sum = 0;
        for (const float share : shares[x])
            sum += share;
        const int column = static_cast<int>(x);
        const auto sliceClass = static_cast<SliceClass>(most - shares[x].begin());
        const float share = std::min(1.0F, sum);
        if (!out.empty() && out.back().right == column && out.back().sliceClass == sliceClass && out.back().share == share)
            ++out.back().right;
        else
            out.push_back({column, column + 1, kNoEvent, sliceClass, share, 0});
    }
}

std::optional<SliceHit> sliceAt(const RowSlices& row, const TimeAxis& axis, double x) {
    constexpr EventIndex kMostCompared = 4096;
    const double column = std::floor(x);
    const TimeNs from = std::min(axis.columnBegin(column), axis.timeAt(x));
    const TimeNs to = std::max(axis.columnBegin(column + 1), from + 1);
    EventIndex begin = row.firstReaching(from);
    const EventIndex end = row.firstStartingAt(to, begin);
    if (begin == end)
        return std::nullopt;
    // Painting gives a column to the slices that start in it rather than to the tail of an earlier one.
    if (end - begin > 1 && row.start[begin] < from)
        ++begin;
    EventIndex longest = begin;
    TimeNs most = -1;
    for (EventIndex i = begin; i < std::min(end, begin + kMostCompared); ++i) {
        const TimeNs inside = std::min(row.end(i), to) - std::max(row.start[i], from);
        if (inside > most) {
            most = inside;
            longest = i;
        }
    }
    return SliceHit{row.first + longest, end - begin};
}

} // namespace rankscope
