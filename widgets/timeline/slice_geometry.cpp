// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of slices: which columns of a row they cover.
#include "widgets/timeline/slice_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rankscope {
namespace {

/// Below this many events, looking at each is faster than the summary.
constexpr EventIndex kShort = 8;
/// Of a column, for events that take no time.
constexpr float kInstantShare = 1e-6F;

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

/// Durations of all events before one, per class; moves cheaply to a neighbour, and anywhere else by the summary.
struct RunningSums {
    EventIndex at = 0;
    ClassTimes busy{};

    void moveTo(const RowSlices& row, EventIndex next) {
        const bool summarised = row.summary != nullptr && !row.summary->starts.empty();
        constexpr EventIndex kNear = RowSummary::kBlock / 2;
        const bool far = next > at ? next - at > kNear : at - next > kNear;
        if (summarised && far) {
            // From the nearer end of its block: never more than half a block to go.
            const auto last = static_cast<EventIndex>(row.summary->starts.size()) - 1;
            const EventIndex block = std::min(last, (next + kNear) / RowSummary::kBlock);
            const std::size_t kinds = row.summary->classes.size();
            for (std::size_t k = 0; k < kinds; ++k)
                busy[static_cast<std::size_t>(row.summary->classes[k])] = row.summary->busy[block * kinds + k];
            at = block * RowSummary::kBlock;
        }
        for (; at < next; ++at)
            busy[static_cast<std::size_t>(row.sliceClass[at])] += row.duration[at];
        for (; at > next; --at)
            busy[static_cast<std::size_t>(row.sliceClass[at - 1])] -= row.duration[at - 1];
    }
};

/// Busy time per class in [from, to), whose first event (or the first after it) is `first`; `next` starts at `to` or
/// later.
ClassTimes columnTimes(const RowSlices& row, RunningSums& sums, EventIndex first, EventIndex next, TimeNs from,
                       TimeNs to) {
    sums.moveTo(row, first);
    ClassTimes times{};
    for (std::size_t c = 0; c < kSliceClassCount; ++c)
        times[c] = -sums.busy[c];
    sums.moveTo(row, next);
    for (std::size_t c = 0; c < kSliceClassCount; ++c)
        times[c] += sums.busy[c];
    const auto drop = [&](EventIndex i, TimeNs time) { times[static_cast<std::size_t>(row.sliceClass[i])] -= time; };
    if (first < next && row.start[first] < from)
        drop(first, std::min(from, row.end(first)) - row.start[first]);
    if (first < next && row.end(next - 1) > to)
        drop(next - 1, row.end(next - 1) - std::max({to, from, row.start[next - 1]}));
    return times;
}

/// An instant takes no time, and has to be seen.
void showInstants(const RowSlices& row, EventIndex begin, EventIndex end, ClassShares& shares) {
    const auto show = [&](EventIndex i) {
        float& share = shares[static_cast<std::size_t>(row.sliceClass[i])];
        share = std::max(share, kInstantShare);
    };
    if (row.summary == nullptr || row.summary->starts.empty()) {
        for (EventIndex i = begin; i < end; ++i)
            if (row.duration[i] == 0)
                show(i);
        return;
    }
    const std::vector<EventIndex>& instants = row.summary->instants;
    if (instants.empty())
        return;
    for (auto i = std::lower_bound(instants.begin(), instants.end(), begin); i != instants.end() && *i < end; ++i)
        show(*i);
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

/// Where columns hold many slices, each border lies in memory of its own: it is asked for some columns before it is
/// needed.
class BorderPrefetch {
public:
    BorderPrefetch(const RowSlices& row, const TimeAxis& axis, EventIndex first) : row_(row), axis_(axis) {
        if (row.summary == nullptr || row.summary->starts.empty())
            return;
        block_ = first / RowSummary::kBlock;
        const std::size_t end = firstBlockStartingAt(row.summary->starts, axis.visible.end, block_);
        worthwhile_ = static_cast<double>((end - block_) * RowSummary::kBlock) > kDense * axis.width;
    }

    void before(int column) {
        if (!worthwhile_)
            return;
        const RowSummary& summary = *row_.summary;
        block_ = firstBlockStartingAt(summary.starts, axis_.columnBegin(column + kAhead), block_);
        const std::size_t first =
            std::min<std::size_t>(block_ == 0 ? 0 : (block_ - 1) * RowSummary::kBlock, row_.size() - 1);
        const std::size_t last = std::min<std::size_t>(first + RowSummary::kBlock - 1, row_.size() - 1);
        fetch(&row_.start[first]);
        fetch(&row_.start[last]);
        fetch(&row_.duration[first]);
        fetch(&row_.duration[last]);
        fetch(&row_.sliceClass[first]);
        fetch(&summary.busy[std::min(block_, summary.starts.size() - 1) * summary.classes.size()]);
    }

private:
    static constexpr double kDense = 4; // slices a column
    static constexpr int kAhead = 12;
    template <typename Value>
    static void fetch(const Value* value) {
#ifdef __GNUC__
        __builtin_prefetch(value);
#else
        static_cast<void>(value);
#endif
    }

    const RowSlices& row_;
    const TimeAxis& axis_;
    std::size_t block_ = 0;
    bool worthwhile_ = false;
};

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
        if (i == row.size())
            break;
        sums[static_cast<std::size_t>(row.sliceClass[i])] += row.duration[i];
        if (row.duration[i] == 0)
            summary.instants.push_back(i);
    }
    return summary;
}

namespace {

/// Lays out a row from left to right. What the next rectangle is depends on the next slice and on its left column
/// alone.
class RowLayout {
public:
    RowLayout(const RowSlices& row, const TimeAxis& axis, RowPicture& out)
        : row_(row), axis_(axis), out_(out), width_(static_cast<int>(axis.width)), end_(axis.columnBegin(axis.width)),
          next_(row.firstReaching(axis.columnBegin(0))), borders_(row, axis, next_) {
        findLeft();
    }
    [[nodiscard]] bool atEnd() const { return left_ >= width_; }
    [[nodiscard]] int left() const { return left_; }                      ///< of the next rectangle
    [[nodiscard]] EventIndex event() const { return row_.first + next_; } ///< of the next rectangle
    void goOnAt(EventIndex event, int free) {
        next_ = event - row_.first;
        free_ = free;
        findLeft();
    }
    void add();

private:
    void findLeft() {
        const bool more = next_ < row_.size() && row_.start[next_] < end_;
        left_ = more ? std::max(free_, static_cast<int>(std::max(0.0, axis_.columnOf(row_.start[next_])))) : width_;
    }

    const RowSlices& row_;
    const TimeAxis& axis_;
    RowPicture& out_;
    int width_ = 0;
    TimeNs end_ = 0;
    EventIndex next_ = 0; ///< in the row
    int free_ = 0;        ///< columns before have their rectangle
    int left_ = 0;
    RunningSums sums_;
    BorderPrefetch borders_;
};

void RowLayout::add() {
    const EventIndex i = next_;
    const int right = static_cast<int>(std::min(axis_.width, axis_.columnOf(row_.end(i))));
    if (right - left_ >= 2) {
        out_.rects.push_back({left_, right, row_.first + i, row_.sliceClass[i], 1.0F, 1, -1});
        return goOnAt(row_.first + i + 1, right);
    }
    borders_.before(left_);
    const TimeNs from = axis_.columnBegin(left_);
    const TimeNs to = std::max(from, axis_.columnBegin(left_ + 1));
    const EventIndex next = std::max(i + 1, row_.firstStartingAt(to, i + 1));
    // The tail of an earlier slice counts as well, though that has its columns already.
    const EventIndex first = i > 0 && row_.end(i - 1) > from ? i - 1 : i;
    const ClassTimes times = columnTimes(row_, sums_, first, next, from, to);
    const auto length = static_cast<float>(std::max<TimeNs>(1, to - from));
    ClassShares shares{};
    for (std::size_t c = 0; c < kSliceClassCount; ++c)
        if (times[c] != 0) // most classes do not occur in a column
            shares[c] = static_cast<float>(times[c]) / length;
    showInstants(row_, i, next, shares);
    const float busy = std::min(1.0F, static_cast<float>(total(times)) / length);
    out_.rects.push_back({left_, left_ + 1, row_.first + i, dominating(times, row_.sliceClass[i]), busy, next - first,
                          static_cast<std::int32_t>(out_.shares.size())});
    out_.shares.push_back(shares);
    // What reaches into the next column goes on there: with a rectangle of its own, or with its share.
    goOnAt(row_.first + (row_.end(next - 1) > to ? next - 1 : next), left_ + 1);
}

} // namespace

void sliceRects(const RowSlices& row, const TimeAxis& axis, RowPicture& out) {
    out.clear();
    for (RowLayout layout(row, axis, out); !layout.atEnd();)
        layout.add();
}

void moveSliceRects(const RowSlices& row, const TimeAxis& axis, int columns, RowPicture& out) {
    thread_local RowPicture before; // lends its memory to the next row
    std::swap(before, out);
    const int width = static_cast<int>(axis.width);
    // From the first rectangle on that touches the right border of either view, and from the last on, all is laid out
    // anew.
    const auto whole = [&](const SliceRect& rect) { return std::max(rect.right, rect.right - columns) < width; };
    const auto end = std::find_if_not(before.rects.begin(), before.rects.end() - (before.rects.empty() ? 0 : 1), whole);
    auto known = before.rects.begin();
    out.clear();
    RowLayout layout(row, axis, out);
    while (!layout.atEnd()) {
        const auto behind = [&](const SliceRect& rect) {
            return rect.left - columns < layout.left() || rect.event < layout.event();
        };
        while (known < end && behind(*known))
            ++known;
        if (known == end || known->left - columns != layout.left() || known->event != layout.event()) {
            layout.add();
            continue;
        }
        for (; known != end; ++known) {
            SliceRect rect = *known;
            rect.left -= columns;
            rect.right -= columns;
            if (rect.shares >= 0) {
                rect.shares = static_cast<std::int32_t>(out.shares.size());
                out.shares.push_back(before.shares[static_cast<std::size_t>(known->shares)]);
            }
            out.rects.push_back(rect);
        }
        layout.goOnAt(end->event, std::prev(end)->right - columns);
    }
}

ClassTimes busyIn(const RowSlices& row, TimeRange range) {
    if (range.empty())
        return {};
    RunningSums sums;
    const EventIndex first = row.firstReaching(range.begin);
    return columnTimes(row, sums, first, std::max(first, row.firstStartingAt(range.end, first)), range.begin,
                       range.end);
}

ClassHeights stackedHeights(const ClassShares& shares, SliceClass dominating, int height) {
    ClassHeights heights{};
    float busy = 0;
    for (const float share : shares)
        busy += share;
    int used = 0;
    float sum = 0;
    // Rounding the border of each class, not its height, keeps the sum right.
    for (std::size_t c = 0; c < kSliceClassCount; ++c) {
        if (shares[c] <= 0)
            continue;
        sum += shares[c];
        const float whole = sum / std::max(1.0F, busy) * static_cast<float>(height);
        const int border = std::min(height, static_cast<int>(whole + 0.5F)); // NOLINT: of a class of each pixel column
        heights[c] = border - used;
        used = border;
    }
    const auto take = [&](std::size_t c, int least) {
        if (used < height) {
            ++used;
        } else {
            const auto most = std::max_element(heights.begin(), heights.end());
            if (*most <= least)
                return;
            --*most;
        }
        heights[c] = 1;
    };
    const auto first = static_cast<std::size_t>(dominating);
    if (heights[first] == 0 && height > 0)
        take(first, 0);
    for (std::size_t c = 0; c < kSliceClassCount; ++c)
        if (shares[c] > 0 && heights[c] == 0)
            take(c, 1);
    return heights;
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
