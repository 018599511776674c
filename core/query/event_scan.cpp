// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/event_scan.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/query/event_words.h"

namespace rankscope {
namespace {

constexpr std::size_t kMostPlaces = std::size_t{1} << 24; ///< of buckets: 64 MB

constexpr std::uint32_t kFetchedAhead = 12; ///< events: about as long as memory takes

bool is_rank_term(GroupTerm term) { return term == GroupTerm::run || term == GroupTerm::rank; }

/// Values a term can take, none among them.
std::size_t values_of(const QueryModel& model, GroupTerm term, std::size_t names) {
    switch (term) {
    case GroupTerm::kind: return kEventKindCount;
    case GroupTerm::event_class: return kKernelClassCount + 1;
    case GroupTerm::name: return names;
    case GroupTerm::step: return model.step_numbers().size() + 1;
    case GroupTerm::run:
    case GroupTerm::rank: break;
    }
    return 1;
}

/// Places of the words in order of their text.
template <std::size_t Count, typename Word>
std::array<std::uint32_t, Count> places_of_words(Word&& word) {
    std::array<std::uint32_t, Count> order{};
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, word);
    std::array<std::uint32_t, Count> places{};
    for (std::uint32_t place = 0; place < Count; ++place)
        places[order[place]] = place;
    return places;
}

/// A bound without wrapping around.
TimeNs minus(std::int64_t value, TimeNs shift) {
    TimeNs result = 0;
    if (__builtin_sub_overflow(value, shift, &result))
        return value > 0 ? std::numeric_limits<TimeNs>::max() : std::numeric_limits<TimeNs>::min();
    return result;
}

} // namespace

bool can_group(const QueryModel& model, const std::vector<GroupTerm>& terms) {
    std::size_t places = std::max<std::size_t>(1, model.ranks().size());
    bool key_seen = false;
    bool rank_behind_key = false;
    for (const GroupTerm term : terms) {
        if (rank_behind_key && !is_rank_term(term))
            return false;
        rank_behind_key |= key_seen && is_rank_term(term);
        key_seen |= !is_rank_term(term);
        places *= std::max<std::size_t>(1, values_of(model, term, model.most_names()));
        if (places > kMostPlaces)
            return false;
    }
    return true;
}

EventScan::EventScan(const QueryModel& model, const EventFilter& filter, EventOrder order, std::vector<GroupTerm> terms)
    : model_(model), filter_(filter), order_(order) {
    if (!filter_.names.empty()) {
        for (std::size_t run = 0; run < model.runs().size(); ++run) {
            const StringTable& names = *model.run(run).names;
            std::vector<std::uint8_t>& passing = name_passes_.emplace_back(names.size());
            for (NameId id = 0; id < passing.size(); ++id)
                passing[id] =
                    std::ranges::all_of(filter_.names, [&](const auto& test) { return test(names.view(id)); });
        }
    }
    by_event_ = filter_.kinds != kAllKinds || filter_.classes != kAllClasses || !filter_.names.empty() ||
                !filter_.duration.everything();
    plain_ = order_ == EventOrder::id && !by_event_;
    if (is_grouped(order_)) {
        make_groups(terms);
        next_bucketed();
        return;
    }
    const auto [first, last] = ranks_with_ids();
    for (std::size_t r = first; r < last; ++r)
        add_segments(r);
    if (order_ == EventOrder::id) {
        if (!segments_.empty()) {
            enter(segments_.front().rank);
            event_ = segments_.front().begin - 1; // of 0 the largest number, which next() makes 0 again
            end_ = segments_.front().end;
            next();
        }
    } else {
        start_heap();
    }
}

void EventScan::make_groups(const std::vector<GroupTerm>& terms) {
    std::ranges::copy_if(terms, std::back_inserter(key_terms_), [](GroupTerm term) { return !is_rank_term(term); });
    // Ranks that the terms before the key tell apart are walked one after the other; those behind it order the
    // rest.
    using Place = std::array<std::int64_t, 5>; // two terms before the key, two behind it, the rank's index
    std::vector<Place> places;
    for (std::size_t r = 0; r < model_.ranks().size(); ++r) {
        Place place{};
        std::array<std::size_t, 2> next{0, 2};
        bool key_seen = false;
        for (const GroupTerm term : terms) {
            key_seen |= !is_rank_term(term);
            std::size_t& at = next[key_seen ? 1 : 0];
            if (is_rank_term(term) && at < (key_seen ? 4U : 2U))
                place[at++] =
                    term == GroupTerm::run ? std::int64_t{model_.ranks()[r].run} : model_.ranks()[r].trace->rank;
        }
        place[4] = static_cast<std::int64_t>(r);
        places.push_back(place);
    }
    std::ranges::sort(places);
    if (order_ == EventOrder::grouped_descending)
        std::ranges::reverse(places);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (i == 0 || places[i][0] != places[i - 1][0] || places[i][1] != places[i - 1][1])
            groups_.emplace_back();
        groups_.back().push_back(static_cast<std::size_t>(places[i][4]));
    }
    for (const GroupTerm term : key_terms_)
        keys_ *= static_cast<std::uint32_t>(
            std::max<std::size_t>(1, values_of(model_, term, term == GroupTerm::name ? model_.name_codes().count : 0)));
    key_ = keys_;
}

std::pair<std::size_t, std::size_t> EventScan::ranks_with_ids() const {
    const std::int64_t first = std::max<std::int64_t>(filter_.id.first, 0);
    const std::int64_t last = std::min<std::int64_t>(filter_.id.last, model_.event_count() - 1);
    if (first > last)
        return {0, 0};
    return {*model_.rank_of_id(first), *model_.rank_of_id(last) + 1};
}

void EventScan::add_segments(std::size_t rank) {
    const QueryRank& place = model_.ranks()[rank];
    const EventTable& events = place.trace->events;
    if (!filter_.run.contains(place.run) || !filter_.rank.contains(place.trace->rank) || events.size() == 0 ||
        filter_.id.first > filter_.id.last)
        return;
    std::int64_t begin = std::clamp<std::int64_t>(filter_.id.first, place.first_id, place.first_id + events.size());
    std::int64_t end =
        std::clamp<std::int64_t>(filter_.id.last, place.first_id - 1, place.first_id + events.size() - 1);
    begin -= place.first_id;
    end -= place.first_id - 1;
    constexpr std::uint32_t kGpuKinds = 1U << static_cast<unsigned>(EventKind::kernel) |
                                        1U << static_cast<unsigned>(EventKind::memcpy) |
                                        1U << static_cast<unsigned>(EventKind::memset);
    if ((filter_.kinds & ~kGpuKinds) == 0 || (filter_.classes & kNoClass) == 0)
        end = std::min<std::int64_t>(end, events.gpu_count);
    if ((filter_.kinds & kGpuKinds) == 0 || filter_.classes == kNoClass)
        begin = std::max<std::int64_t>(begin, events.gpu_count);
    if (begin >= end)
        return;
    const bool rows = !filter_.start.everything() || !filter_.end.everything() || !filter_.lane.everything() ||
                      !filter_.depth.everything() || order_ == EventOrder::time ||
                      order_ == EventOrder::time_descending;
    if (rows)
        add_rows(rank, static_cast<EventIndex>(begin), static_cast<EventIndex>(end));
    else
        segments_.push_back({rank, static_cast<EventIndex>(begin), static_cast<EventIndex>(end)});
}

void EventScan::add_rows(std::size_t rank, EventIndex begin, EventIndex end) {
    const RankTrace& trace = *model_.ranks()[rank].trace;
    const EventTable& events = trace.events;
    const bool timed = !filter_.start.everything() || !filter_.end.everything();
    if (filter_.start.first > filter_.start.last || filter_.end.first > filter_.end.last)
        return;
    for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
        const Lane& lane = trace.lanes[l];
        if (!filter_.lane.contains(static_cast<std::int64_t>(l)) || lane.end <= begin || lane.begin >= end)
            continue;
        for (std::uint32_t depth = 0; depth < lane.row_count; ++depth) {
            const Row& row = trace.rows[lane.first_row + depth];
            EventIndex first = std::max(row.begin, begin);
            EventIndex last = std::min(row.end, end);
            if (!filter_.depth.contains(depth) || first >= last)
                continue;
            if (timed) {
                // Starts ascend along a row, and so do ends.
                const TimeNs shift = shift_of(rank);
                const TimeNs earliest = minus(filter_.start.first, shift);
                const TimeNs latest = minus(filter_.start.last, shift);
                const TimeNs first_end = minus(filter_.end.first, shift);
                const TimeNs last_end = minus(filter_.end.last, shift);
                const auto place = [&](auto&& before) { // the first event of [first, last) that is not before
                    EventIndex low = first;
                    EventIndex high = last;
                    while (low < high) {
                        const EventIndex middle = low + (high - low) / 2;
                        if (before(middle))
                            low = middle + 1;
                        else
                            high = middle;
                    }
                    return low;
                };
                first = place([&](EventIndex i) { return events.start[i] < earliest || events.end(i) < first_end; });
                last = place([&](EventIndex i) { return events.start[i] <= latest && events.end(i) <= last_end; });
            }
            if (first < last)
                segments_.push_back({rank, first, last});
        }
    }
}

void EventScan::enter(std::size_t rank) {
    rank_ = rank;
    const QueryRank& place = model_.ranks()[rank];
    trace_ = place.trace;
    names_ = name_passes_.empty() ? nullptr : name_passes_[place.run].data();
    classes_ = filter_.classes != kAllClasses ? model_.classes(rank).data() : nullptr;
}

bool EventScan::passes(EventIndex event) const {
    const EventTable& events = trace_->events;
    if ((filter_.kinds >> static_cast<unsigned>(events.kind[event]) & 1U) == 0)
        return false;
    if (classes_ != nullptr) {
        const std::uint32_t bit = event < events.gpu_count ? 1U << static_cast<unsigned>(classes_[event]) : kNoClass;
        if ((filter_.classes & bit) == 0)
            return false;
    }
    return filter_.duration.contains(events.duration[event]) && (names_ == nullptr || names_[events.name[event]] != 0);
}

void EventScan::next_of_any() {
    if (is_grouped(order_)) {
        next_bucketed();
        return;
    }
    if (order_ != EventOrder::id) {
        next_in_order_of_time();
        return;
    }
    do {
        if (++event_ >= end_) {
            if (++segment_ >= segments_.size()) {
                event_ = kNoEvent;
                return;
            }
            const Segment& segment = segments_[segment_];
            if (segment.rank != rank_)
                enter(segment.rank);
            event_ = segment.begin;
            end_ = segment.end;
        }
        ++visited_;
    } while (by_event_ && !passes(event_));
}

// In order of time: the next events of all segments in a heap; each segment is a row, so its starts ascend. A segment's
// begin, or end where time runs backward, is its next event.

void EventScan::pass_in_heap(std::size_t segment) {
    Segment& s = segments_[segment];
    enter(s.rank);
    const bool backward = order_ == EventOrder::time_descending;
    while (s.begin < s.end) {
        const EventIndex event = backward ? s.end - 1 : s.begin;
        ++visited_;
        if (!by_event_ || passes(event)) {
            const TimeNs start = trace_->events.start[event] + shift_of(s.rank);
            heap_.emplace_back(backward ? -start : start, segment);
            std::ranges::push_heap(heap_, std::greater<>());
            return;
        }
        backward ? --s.end : ++s.begin;
    }
}

void EventScan::start_heap() {
    for (std::size_t s = 0; s < segments_.size(); ++s)
        pass_in_heap(s);
    next_in_order_of_time();
}

void EventScan::next_in_order_of_time() {
    if (event_ != kNoEvent) { // the one handed out last
        Segment& s = segments_[segment_];
        order_ == EventOrder::time_descending ? --s.end : ++s.begin;
        pass_in_heap(segment_);
    }
    if (heap_.empty()) {
        event_ = kNoEvent;
        return;
    }
    std::ranges::pop_heap(heap_, std::greater<>());
    segment_ = heap_.back().second;
    heap_.pop_back();
    const Segment& s = segments_[segment_];
    enter(s.rank);
    event_ = order_ == EventOrder::time_descending ? s.end - 1 : s.begin;
}

// Grouped: the events of some ranks, counted and placed by their key; then key by key, rank by rank.

std::vector<std::uint32_t> EventScan::keys_of(std::size_t rank, const std::vector<EventIndex>& events) const {
    static const auto kinds =
        places_of_words<kEventKindCount>([](std::uint32_t i) { return event_kind_word(static_cast<EventKind>(i)); });
    static const auto classes = places_of_words<kKernelClassCount>(
        [](std::uint32_t i) { return kernel_class_word(static_cast<KernelClass>(i)); });
    const QueryRank& place = model_.ranks()[rank];
    const EventTable& table = place.trace->events;
    std::vector<std::uint32_t> keys(events.size(), 0);
    for (const GroupTerm term : key_terms_) {
        const auto add = [&](std::size_t values, auto&& code) {
            const auto factor = static_cast<std::uint32_t>(std::max<std::size_t>(1, values));
            for (std::size_t i = 0; i < events.size(); ++i)
                keys[i] = keys[i] * factor + code(events[i]);
        };
        if (term == GroupTerm::kind) {
            add(
                kEventKindCount, [&](EventIndex i) { return kinds[static_cast<std::size_t>(table.kind[i])]; });
        } else if (term == GroupTerm::event_class) {
            const KernelClass* of_event = model_.classes(rank).data();
            add(kKernelClassCount + 1, [&](EventIndex i) { // NULL comes first
                return i < table.gpu_count ? 1 + classes[static_cast<std::size_t>(of_event[i])] : 0U;
            });
        } else if (term == GroupTerm::name) {
            const auto& codes = model_.name_codes().of_run[place.run];
            add(model_.name_codes().count, [&](EventIndex i) { return codes[table.name[i]]; });
        } else if (term == GroupTerm::step) {
            const auto& numbers = model_.step_numbers();
            add(numbers.size() + 1, [&](EventIndex i) {
                const ProfilerStep* step = model_.step_of(rank, i);
                return step == nullptr ? 0U
                                       : 1 + static_cast<std::uint32_t>(std::distance(
                                                 numbers.begin(), std::ranges::lower_bound(numbers, step->number)));
            });
        }
    }
    if (order_ == EventOrder::grouped_descending)
        for (std::uint32_t& key : keys)
            key = keys_ - 1 - key;
    return keys;
}

bool EventScan::open_group() {
    buckets_.clear();
    if (group_ >= groups_.size())
        return false;
    for (const std::size_t rank : groups_[group_]) {
        segments_.clear();
        add_segments(rank);
        enter(rank);
        Bucketed bucket;
        bucket.rank = rank;
        std::vector<EventIndex> events;
        for (const Segment& segment : segments_)
            for (EventIndex i = segment.begin; i < segment.end; ++i) {
                ++visited_;
                if (!by_event_ || passes(i))
                    events.push_back(i);
            }
        const std::vector<std::uint32_t> keys = keys_of(rank, events);
        bucket.first.assign(keys_ + 1, 0);
        for (const std::uint32_t key : keys)
            ++bucket.first[key + 1];
        std::partial_sum(bucket.first.begin(), bucket.first.end(), bucket.first.begin());
        std::vector<std::uint32_t> next(bucket.first.begin(), bucket.first.end() - 1);
        bucket.events.resize(events.size());
        for (std::size_t i = 0; i < events.size(); ++i)
            bucket.events[next[keys[i]]++] = events[i];
        if (!bucket.events.empty())
            buckets_.push_back(std::move(bucket));
    }
    ++group_;
    key_ = 0;
    bucket_ = 0;
    if (!buckets_.empty()) {
        enter(buckets_.front().rank);
        place_ = 0;
        end_ = buckets_.front().first[1];
    }
    return true;
}

void EventScan::next_bucketed() {
    while (true) {
        if (key_ < keys_ && bucket_ < buckets_.size() && place_ < end_) {
            const std::vector<EventIndex>& events = buckets_[bucket_].events;
            // The events of a group lie far apart: without this, each column waits for memory.
            if (const std::size_t ahead = place_ + kFetchedAhead; ahead < events.size()) {
                __builtin_prefetch(&trace_->events.duration[events[ahead]]);
                __builtin_prefetch(&trace_->events.name[events[ahead]]);
            }
            event_ = events[place_++];
            return;
        }
        if (key_ >= keys_ || buckets_.empty()) {
            if (!open_group()) {
                event_ = kNoEvent;
                return;
            }
            continue;
        }
        if (++bucket_ >= buckets_.size()) {
            bucket_ = 0;
            ++key_;
        }
        if (key_ < keys_) {
            const Bucketed& bucket = buckets_[bucket_];
            if (bucket.rank != rank_)
                enter(bucket.rank);
            place_ = bucket.first[key_];
            end_ = bucket.first[key_ + 1];
        }
    }
}

} // namespace rankscope
