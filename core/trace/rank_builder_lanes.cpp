// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts the events into lanes and rows, and makes columns of them: counted and dealt out in parts, lanes side by side.
// Everything has one order, whatever the number of threads.
#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>
#include <tbb/task.h>

#include "core/trace/rank_builder.h"
#include "core/trace/rank_builder_parts.h"
#include "core/trace/row_placement.h"

namespace rankscope {
namespace {

LaneKind lane_kind(EventKind kind) {
    switch (kind) {
    case EventKind::kernel:
    case EventKind::memcpy:
    case EventKind::memset: return LaneKind::gpu_stream;
    case EventKind::graph_launch:
    case EventKind::captured_op:
    case EventKind::captured_scope:
    case EventKind::gpu_annotation: return LaneKind::gpu_annotation;
    case EventKind::gpu_sync: return LaneKind::gpu_sync;
    case EventKind::span: return LaneKind::other;
    default: return LaneKind::cpu_thread;
    }
}
constexpr std::size_t kLaneKinds = 5;

std::size_t bucket_of(TrackId track, EventKind kind) {
    return track * kLaneKinds + static_cast<std::size_t>(lane_kind(kind));
}

/// What sorting looks at; by start, the longer first, then as in the file.
struct Key {
    TimeNs start;
    TimeNs duration;
    std::uint32_t event;
    std::uint32_t row; ///< once it has one
    friend bool operator<(const Key& a, const Key& b) {
        return std::tuple(a.start, b.duration, a.event) < std::tuple(b.start, a.duration, b.event);
    }
};

/// Joins the ascending sequences between consecutive borders.
void merge_sequences(std::span<Key* const> borders) {
    if (borders.size() <= 2)
        return;
    const std::size_t half = borders.size() / 2;
    tbb::parallel_invoke([&] { merge_sequences(borders.first(half + 1)); },
                         [&] { merge_sequences(borders.subspan(half)); });
    // What lies before all of the other sequence stays where it is, and so does what lies behind it.
    Key* const middle = borders[half];
    Key* const begin = std::upper_bound(borders.front(), middle, *middle);
    Key* const end = std::lower_bound(middle, borders.back(), *(middle - 1));
    std::inplace_merge(begin, middle, end);
}

/// Recorders write the events of a thread in order but for a few places, or one kind of them after the other.
void sort_lane(Key* begin, Key* end) {
    const std::size_t most = 16 + static_cast<std::size_t>(end - begin) / 1024;
    std::vector<Key*> borders{begin};
    for (Key* key = begin + 1; key < end; ++key) {
        if (!(*key < *(key - 1)))
            continue;
        if (borders.size() > most)
            return tbb::parallel_sort(begin, end);
        borders.push_back(key);
    }
    borders.push_back(end);
    merge_sequences(borders);
}

/// Work that goes on, by its recorded length, long after the next of its stream has started and ended.
struct Overlong {
    std::size_t work = 0;
    std::size_t next = 0; ///< the first that starts later
};

/// A stream runs one after the other, but for launches that start a little early on purpose, and for graphs.
std::vector<Overlong> running_across(std::span<const Key> keys) {
    constexpr TimeNs kEarlyStart = 20'000;
    std::vector<Overlong> found;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
        const TimeNs end = keys[i].start + keys[i].duration;
        if (end - keys[i + 1].start <= kEarlyStart)
            continue;
        std::size_t next = i + 1;
        while (next < keys.size() && keys[next].start == keys[i].start)
            ++next;
        if (next < keys.size() && end - keys[next].start > kEarlyStart && keys[next].start + keys[next].duration <= end)
            found.push_back({i, next});
    }
    return found;
}

/// Recorders for ROCm write lengths in which a counter ran over. Such work runs across what follows in its stream, and
/// is far longer than others of its name; it is cut where the next starts, as viewers do. Returns what was.
std::vector<std::uint32_t> cut_overlong(std::span<Key> keys, const RawEvents& events) {
    constexpr std::size_t kUsual = 4;         // one in so many: the stream does run work side by side
    constexpr TimeNs kNoKernel = 100'000'000; // nor is any kernel so long that lets others pass
    std::vector<Overlong> candidates = running_across(keys);
    if (candidates.empty() || candidates.size() * kUsual > keys.size() + kUsual)
        return {};
    std::map<NameId, std::vector<TimeNs>> lengths;
    for (const Overlong& one : candidates)
        lengths[events.name(keys[one.work].event)];
    for (const Key& key : keys)
        if (const auto known = lengths.find(events.name(key.event)); known != lengths.end())
            known->second.push_back(key.duration);
    std::map<NameId, std::optional<TimeNs>> usual;
    for (auto& [name, of_name] : lengths)
        usual[name] = usual_length(of_name);
    std::vector<std::uint32_t> cut;
    for (const Overlong& one : candidates) {
        Key& key = keys[one.work];
        const std::optional<TimeNs> length = usual[events.name(key.event)];
        if (length ? !far_longer(key.duration, *length) : key.duration < kNoKernel)
            continue;
        key.duration = keys[one.next].start - key.start;
        cut.push_back(key.event);
    }
    return cut;
}

/// Whether both have one name and the same ids, known or not.
bool same_event(const RawEvents& events, std::uint32_t a, std::uint32_t b) {
    return events.name(a) == events.name(b) && events.correlation(a) == events.correlation(b) &&
           events.external_id(a) == events.external_id(b);
}

/// A stream cannot run the work of one launch twice at one time: such a file was written twice, or is two that overlap.
bool holds_work_twice(std::span<const Key> stream, const RawEvents& events) {
    return std::ranges::adjacent_find(
               stream,
               [&](const Key& a, const Key& b) {
                   return a.start == b.start && a.duration == b.duration && a.duration > 0 &&
                          events.correlation(a.event) > 0 && same_event(events, a.event, b.event);
               }) != stream.end();
}

/// Moves the events of a sorted lane that repeat none before them to its front. Returns how many these are.
std::size_t keep_first_of_repeats(std::span<Key> keys, const RawEvents& events) {
    constexpr std::size_t kMostAtOnce = 64; // so many of one start and length are compared with each other
    std::size_t kept = 0;
    for (const Key& key : keys) {
        bool repeats = false;
        for (std::size_t k = kept; k > 0 && kept - k < kMostAtOnce && !repeats; --k) {
            const Key& before = keys[k - 1];
            if (before.start != key.start || before.duration != key.duration)
                break;
            repeats = same_event(events, before.event, key.event);
        }
        if (!repeats)
            keys[kept++] = key;
    }
    return kept;
}

/// Takes out what a file holds twice. Returns how many events were.
std::int64_t drop_repeats(RankTrace& trace, const PageArray<Key>& keys, const RawEvents& events) {
    std::vector<std::size_t> kept(trace.lanes.size());
    tbb::parallel_for(std::size_t{0}, kept.size(), [&](std::size_t l) {
        const Lane& lane = trace.lanes[l];
        kept[l] = keep_first_of_repeats({keys.begin() + lane.begin, keys.begin() + lane.end}, events);
    });
    EventIndex end = 0;
    std::int64_t dropped = 0;
    for (std::size_t l = 0; l < kept.size(); ++l) {
        Lane& lane = trace.lanes[l];
        dropped += static_cast<std::int64_t>(lane.end - lane.begin - kept[l]);
        std::copy_n(keys.begin() + lane.begin, kept[l], keys.begin() + end);
        lane.begin = std::exchange(end, end + static_cast<EventIndex>(kept[l]));
        lane.end = end;
        if (lane.kind == LaneKind::gpu_stream)
            trace.events.gpu_count = end;
    }
    return dropped;
}

/// Where a lane, sorted, falls into stretches whose events get their rows whatever stands before: all of that has ended
/// when they start. From its start to its end, some 2^16 events apart where there are such places.
std::vector<EventIndex> borders_of_stretches(const PageArray<Key>& keys, const Lane& lane) {
    constexpr EventIndex kPart = 1 << 16;
    const std::size_t parts = (lane.end - lane.begin + kPart - 1) / kPart;
    const auto begin_of = [&](std::size_t part) {
        return std::min(lane.end, static_cast<EventIndex>(lane.begin + part * kPart));
    };
    std::vector<TimeNs> ends(parts, std::numeric_limits<TimeNs>::min()); // the latest in each part, then before it
    tbb::parallel_for(
        std::size_t{0}, parts,
        [&](std::size_t part) {
            for (EventIndex k = begin_of(part); k < begin_of(part + 1); ++k)
                ends[part] = std::max(ends[part], keys[k].start + keys[k].duration);
        });
    std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), std::numeric_limits<TimeNs>::min(),
                        [](TimeNs a, TimeNs b) { return std::max(a, b); });
    std::vector<EventIndex> borders(parts + 1, lane.end);
    tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
        TimeNs end = ends[part];
        for (EventIndex k = begin_of(part); k < begin_of(part + 1); ++k) {
            if (end <= keys[k].start) {
                borders[part] = k;
                break;
            }
            end = std::max(end, keys[k].start + keys[k].duration);
        }
    });
    // A part without a place says the end of the lane, which stands last.
    std::erase(borders, lane.end);
    borders.push_back(lane.end);
    return borders;
}

/// Gives the events of lanes, sorted, their rows and places.
class RowFiller {
public:
    RowFiller(const PageArray<Key>& keys, const RawEvents& events, EventIndex gpu_count, const SortedEvents& sorted)
        : keys_(keys), events_(events), gpu_count_(gpu_count), sorted_(sorted) {}

    /// Gives the keys back. Returns the sizes of the rows.
    std::vector<std::uint32_t> fill(const Lane& lane) const {
        const std::vector<EventIndex> borders = borders_of_stretches(keys_, lane);
        const std::size_t stretches = borders.size() - 1;
        // For each key of a CPU lane that of the innermost operator around its event, then that operator's place.
        const PageArray<EventIndex> innermost(lane.kind == LaneKind::cpu_thread ? lane.end - lane.begin : 0);
        std::vector<std::vector<std::uint32_t>> rows(stretches); // the size of each, then the place of its next event
        tbb::parallel_for(std::size_t{0}, stretches, [&](std::size_t s) {
            rows[s] = give_rows(lane.begin, innermost, borders[s], borders[s + 1]);
        });
        if (tbb::is_current_task_group_canceling()) // another lane has failed, and this loop may have ended early
            return {};
        std::vector<std::uint32_t> sizes;
        for (const auto& of_stretch : rows) {
            sizes.resize(std::max(sizes.size(), of_stretch.size()));
            std::ranges::transform(of_stretch, sizes, sizes.begin(), std::plus());
        }
        std::vector<std::uint32_t> next(sizes.size());
        std::exclusive_scan(sizes.begin(), sizes.end(), next.begin(), lane.begin);
        for (auto& of_stretch : rows)
            for (std::size_t row = 0; row < of_stretch.size(); ++row)
                next[row] += std::exchange(of_stretch[row], next[row]);
        tbb::parallel_for(std::size_t{0}, stretches, [&](std::size_t s) {
            give_places(lane.begin, innermost, borders[s], borders[s + 1], rows[s]);
        });
        return sizes;
    }

private:
    /// Of the keys [begin, end); the sizes of the rows.
    std::vector<std::uint32_t> give_rows(EventIndex lane_begin, const PageArray<EventIndex>& innermost,
                                         EventIndex begin, EventIndex end) const {
        RowPlacement placement;
        std::vector<EventIndex> innermost_of_row; // the key of the innermost operator around the row's last event
        for (EventIndex k = begin; k < end; ++k) {
            const TimeNs event_end = keys_[k].start + keys_[k].duration;
            const std::uint32_t row = keys_[k].row = placement.place({keys_[k].start, event_end});
            if (innermost.empty())
                continue;
            EventIndex& own = innermost[k - lane_begin];
            const std::uint32_t container =
                events_.kind(keys_[k].event) == EventKind::cpu_op ? row : placement.container(row, event_end);
            if (row == innermost_of_row.size())
                innermost_of_row.push_back(kNoEvent);
            own = container == row ? k : container == RowEnds::kNoRow ? kNoEvent : innermost_of_row[container];
            innermost_of_row[row] = own;
        }
        return {placement.sizes().begin(), placement.sizes().end()};
    }

    void give_places(EventIndex lane_begin, const PageArray<EventIndex>& innermost, EventIndex begin, EventIndex end,
                     std::vector<std::uint32_t>& next) const {
        constexpr EventIndex kGiveBack = 1 << 18;
        EventIndex given_back = begin;
        for (EventIndex k = begin; k < end; ++k) {
            const EventIndex place = next[keys_[k].row]++;
            sorted_.order[place] = keys_[k].event;
            sorted_.start[place] = keys_[k].start;
            sorted_.duration[place] = keys_[k].duration;
            if (!innermost.empty()) {
                EventIndex& own = innermost[k - lane_begin];
                if (own != kNoEvent)
                    own = own == k ? place : innermost[own - lane_begin]; // it stands before this one and has its place
                sorted_.innermost_operator[place - gpu_count_] = own;
            }
            if (k + 1 - given_back == kGiveBack || k + 1 == end)
                keys_.give_back(std::exchange(given_back, k + 1), k + 1);
        }
    }

    const PageArray<Key>& keys_;
    const RawEvents& events_;
    EventIndex gpu_count_;
    const SortedEvents& sorted_;
};

} // namespace

std::optional<TimeNs> usual_length(std::vector<TimeNs>& lengths) {
    constexpr std::size_t kFewOfAName = 3;
    if (lengths.size() < kFewOfAName)
        return {};
    const auto quarter = lengths.begin() + std::ssize(lengths) / 4;
    std::ranges::nth_element(lengths, quarter);
    return *quarter;
}

/// Counts the events of each track and kind of lane in each part of them; which ids there are.
EventCensus RankBuilder::count_events() const {
    constexpr std::size_t kPartEvents = 1 << 16;
    constexpr std::size_t kMostParts = 64;
    const std::size_t buckets = tracks_.size() * kLaneKinds;
    EventCensus census;
    // Thousands of tracks would make the counts larger than what is counted. A part's columns are whole pages.
    const std::size_t most = std::clamp(events_.size() / std::max(kPartEvents, buckets), std::size_t{1}, kMostParts);
    census.part_events = (events_.size() / most / kPartEvents + 1) * kPartEvents;
    const std::size_t parts = events_.size() / census.part_events + 1;
    census.of_parts.resize(parts);
    std::vector<std::pair<IdRange, IdRange>> ids(parts);
    tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
        std::vector<std::uint32_t> counts(buckets);
        IdRange calls, operators;
        const auto count = [&](std::size_t, const RawEvents::Chunk& chunk, std::size_t k) {
            const EventKind kind = chunk.kind[k];
            ++counts[bucket_of(chunk.track[k], kind)];
            if (is_launch_call(kind))
                calls.add(chunk.correlation[k]);
            else if (kind == EventKind::cpu_op)
                operators.add(chunk.external_id[k]);
        };
        events_.for_each(part * census.part_events, std::min(events_.size(), (part + 1) * census.part_events), count);
        census.of_parts[part] = std::move(counts);
        ids[part] = {calls, operators};
    });
    for (const auto& [calls, operators] : ids) {
        census.calls.add(calls);
        census.operators.add(operators);
    }
    return census;
}

/// Makes the lanes that have events, and turns the counts into the place of each part's next event of a bucket.
void RankBuilder::make_lanes(EventCensus& census) {
    std::vector<std::uint32_t> bucket_size(tracks_.size() * kLaneKinds);
    for (const auto& counts : census.of_parts)
        for (std::size_t b = 0; b < counts.size(); ++b)
            bucket_size[b] += counts[b];
    std::vector<std::uint32_t> buckets;
    for (std::uint32_t b = 0; b < bucket_size.size(); ++b)
        if (bucket_size[b] > 0)
            buckets.push_back(b);
    const auto device_of = [](const Track& t) { return t.device >= 0 ? t.device : number_or_unknown(t.process); };
    const auto stream_of = [](const Track& t) { return t.stream >= 0 ? t.stream : number_or_unknown(t.thread); };
    std::ranges::stable_sort(buckets, {}, [&](std::uint32_t b) {
        const Track& t = tracks_[b / kLaneKinds];
        const bool gpu = b % kLaneKinds < static_cast<std::size_t>(LaneKind::cpu_thread);
        // Threads: those of one process together, its main thread (tid = pid) first, others by number.
        return std::tuple(b % kLaneKinds, gpu ? device_of(t) : 0, gpu ? stream_of(t) : 0, number_or_unknown(t.process),
                          std::string_view(t.process), t.thread != t.process, number_or_unknown(t.thread),
                          std::string_view(t.thread));
    });
    std::uint32_t begin = 0;
    for (const std::uint32_t b : buckets) {
        const Track& t = tracks_[b / kLaneKinds];
        Lane lane;
        lane.kind = static_cast<LaneKind>(b % kLaneKinds);
        lane.process = t.process;
        lane.thread = t.thread;
        if (lane.kind < LaneKind::cpu_thread) {
            lane.device = device_of(t);
            lane.stream = stream_of(t);
        }
        lane.begin = begin;
        for (auto& counts : census.of_parts)
            begin += std::exchange(counts[b], begin); // the place of its first one
        lane.end = begin;
        if (lane.kind == LaneKind::gpu_stream)
            trace_.events.gpu_count = lane.end;
        trace_.lanes.push_back(std::move(lane));
        lane_tracks_.push_back(static_cast<TrackId>(b / kLaneKinds));
    }
}

/// Orders each lane by start (the longer of two first) and gives every event its row.
SortedEvents RankBuilder::sort_into_lanes(EventCensus& census) {
    make_lanes(census);
    const PageArray<Key> keys(events_.size());
    tbb::parallel_for(std::size_t{0}, census.of_parts.size(), [&](std::size_t part) {
        std::vector<std::uint32_t>& next = census.of_parts[part];
        const std::size_t begin = part * census.part_events, end = std::min(events_.size(), begin + census.part_events);
        events_.for_each(begin, end, [&](std::size_t i, const RawEvents::Chunk& chunk, std::size_t k) {
            keys[next[bucket_of(chunk.track[k], chunk.kind[k])]++] = {chunk.start[k], chunk.duration[k],
                                                                      static_cast<std::uint32_t>(i), 0};
        });
        events_.drop_times_and_tracks(begin, end);
    });
    const bool streams = trace_.source == TraceSource::kineto || trace_.source == TraceSource::nsys ||
                         trace_.source == TraceSource::rocpd;
    std::atomic<bool> twice = false;
    tbb::parallel_for(std::size_t{0}, trace_.lanes.size(), [&](std::size_t l) {
        const Lane& lane = trace_.lanes[l];
        sort_lane(keys.begin() + lane.begin, keys.begin() + lane.end);
        if (lane.kind == LaneKind::gpu_stream &&
            holds_work_twice({keys.begin() + lane.begin, keys.begin() + lane.end}, events_))
            twice = true;
    });
    SortedEvents sorted;
    sorted.repeated = twice ? drop_repeats(trace_, keys, events_) : 0;
    const EventIndex gpu_count = trace_.events.gpu_count;
    const EventIndex count = trace_.lanes.empty() ? 0 : trace_.lanes.back().end;
    sorted.order = PageArray<std::uint32_t>(count);
    sorted.start = PageArray<TimeNs>(count);
    sorted.duration = PageArray<TimeNs>(count);
    sorted.innermost_operator = PageArray<EventIndex>(count - gpu_count);
    const RowFiller rows(keys, events_, gpu_count, sorted);
    std::vector<std::vector<std::uint32_t>> row_sizes(trace_.lanes.size());
    std::vector<std::vector<std::uint32_t>> cut(trace_.lanes.size());
    tbb::parallel_for(std::size_t{0}, trace_.lanes.size(), [&](std::size_t l) {
        const Lane& lane = trace_.lanes[l];
        if (streams && lane.kind == LaneKind::gpu_stream)
            cut[l] = cut_overlong({keys.begin() + lane.begin, keys.begin() + lane.end}, events_);
        row_sizes[l] = rows.fill(lane);
    });
    for (const std::vector<std::uint32_t>& of_lane : cut)
        sorted.cut.insert(sorted.cut.end(), of_lane.begin(), of_lane.end());
    for (std::size_t l = 0; l < row_sizes.size(); ++l) {
        Lane& lane = trace_.lanes[l];
        lane.first_row = static_cast<std::uint32_t>(trace_.rows.size());
        lane.row_count = static_cast<std::uint32_t>(row_sizes[l].size());
        EventIndex begin = lane.begin;
        for (const std::uint32_t size : row_sizes[l]) {
            trace_.rows.push_back({begin, begin + size});
            begin += size;
        }
    }
    return sorted;
}

/// One column after the other; each of the events as read goes when it was used.
void RankBuilder::fill_columns(SortedEvents& sorted) {
    using Block = RawEvents::Block;
    using Chunk = RawEvents::Chunk;
    const auto gathered = [&]<typename T>(T* Chunk::*column, PageArray<T> Block::*whole) {
        PageArray<T> values(sorted.order.size());
        for_each_index(std::size_t{0}, values.size(),
                       [&](std::size_t i) { values[i] = events_.value(column, sorted.order[i]); });
        events_.drop(whole);
        return values;
    };
    EventTable& table = trace_.events;
    table.name = gathered(&Chunk::name, &Block::name);
    table.kind = gathered(&Chunk::kind, &Block::kind);
    table.ordinal = gathered(&Chunk::ordinal, &Block::ordinal);
    table.start = std::move(sorted.start);
    table.duration = std::move(sorted.duration);
}

void RankBuilder::find_spans() {
    struct Ends {
        TimeNs first = std::numeric_limits<TimeNs>::max();
        TimeNs last = std::numeric_limits<TimeNs>::min();
        [[nodiscard]] Ends with(const Ends& other) const {
            return {std::min(first, other.first), std::max(last, other.last)};
        }
        [[nodiscard]] TimeRange range() const { return first <= last ? TimeRange{first, last} : TimeRange{}; }
    };
    const EventTable& table = trace_.events;
    const auto ends_of = [&](EventIndex begin, EventIndex end) {
        const auto look_at = [&](const tbb::blocked_range<EventIndex>& part, Ends ends) {
            for (EventIndex i = part.begin(); i < part.end(); ++i)
                ends = ends.with({table.start[i], table.start[i] + table.duration[i]});
            return ends;
        };
        return tbb::parallel_reduce(tbb::blocked_range<EventIndex>(begin, end, kGrain), Ends(), look_at,
                                    [](const Ends& a, const Ends& b) { return a.with(b); });
    };
    const Ends gpu = ends_of(0, table.gpu_count);
    trace_.gpu_span = gpu.range();
    trace_.span = gpu.with(ends_of(table.gpu_count, table.size())).range();
}

} // namespace rankscope
