// SPDX-License-Identifier: GPL-3.0-or-later
// Walks the events of a model that a query asks for, in the order it asks for: ranges of ids, ranks, lanes and times
// are found by binary search, the rest is filtered event by event. Knows nothing of SQL.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/query/query_model.h"

namespace rankscope {

/// Both ends included; empty when first > last.
struct IntegerRange {
    std::int64_t first = std::numeric_limits<std::int64_t>::min();
    std::int64_t last = std::numeric_limits<std::int64_t>::max();
    [[nodiscard]] bool contains(std::int64_t value) const { return value >= first && value <= last; }
    [[nodiscard]] bool everything() const {
        return first == std::numeric_limits<std::int64_t>::min() && last == std::numeric_limits<std::int64_t>::max();
    }
    void at_least(std::int64_t value) { first = std::max(first, value); }
    void at_most(std::int64_t value) { last = std::min(last, value); }
};

inline constexpr std::uint32_t kAllKinds = (1U << kEventKindCount) - 1;
/// Bits of EventFilter::classes: one for each KernelClass, and one for events without a class, which are no GPU work.
inline constexpr std::uint32_t kNoClass = 1U << kKernelClassCount;
inline constexpr std::uint32_t kAllClasses = 2 * kNoClass - 1;

/// What an event has to meet; as it is, every event does. Times as in QueryModel::shift().
struct EventFilter {
    IntegerRange run;
    IntegerRange rank; ///< its number
    IntegerRange lane; ///< index in RankTrace::lanes
    IntegerRange depth;
    IntegerRange id;
    IntegerRange start;
    IntegerRange end;
    IntegerRange duration;
    std::uint32_t kinds = kAllKinds; ///< bit of each EventKind
    std::uint32_t classes = kAllClasses;
    std::vector<std::function<bool(std::string_view)>> names; ///< each asked once for each distinct name
};

/// id: by run, rank, lane, depth, start: as the model has them. time: by start. grouped: equal values of the terms side
/// by side, in ascending or descending order of all terms; in a group of one rank by id.
enum class EventOrder : std::uint8_t { id, time, time_descending, grouped, grouped_descending };
constexpr bool is_grouped(EventOrder order) {
    return order == EventOrder::grouped || order == EventOrder::grouped_descending;
}
enum class GroupTerm : std::uint8_t { run, rank, kind, event_class, name, step };

/// Whether the grouped orders can be had by these terms: run and rank may stand before or behind the others, not among
/// them, and the table of places must not get too large.
bool can_group(const QueryModel& model, const std::vector<GroupTerm>& terms);

class EventScan {
public:
    EventScan(const QueryModel& model, const EventFilter& filter, EventOrder order = EventOrder::id,
              std::vector<GroupTerm> terms = {});

    [[nodiscard]] bool at_end() const { return event_ == kNoEvent; }
    void next() {
        if (plain_ && event_ + 1 < end_) {
            ++event_;
            ++visited_;
        } else {
            next_of_any();
        }
    }

    [[nodiscard]] std::size_t rank() const { return rank_; } ///< index in QueryModel::ranks
    [[nodiscard]] EventIndex event() const { return event_; }
    [[nodiscard]] const RankTrace& trace() const { return *trace_; }
    [[nodiscard]] TimeNs shift() const { return shift_of(rank_); }
    /// Events looked at so far, met or not.
    [[nodiscard]] std::uint64_t visited() const { return visited_; }

private:
    struct Segment {
        std::size_t rank = 0;
        EventIndex begin = 0;
        EventIndex end = 0;
    };
    struct Bucketed { ///< a rank's events, those of key k at [first[k], first[k + 1])
        std::size_t rank = 0;
        std::vector<EventIndex> events;
        std::vector<std::uint32_t> first;
    };

    TimeNs shift_of(std::size_t rank) const { return model_.shift(rank); }
    [[nodiscard]] std::pair<std::size_t, std::size_t> ranks_with_ids() const; ///< first, and one after the last
    void add_segments(std::size_t rank);
    void add_rows(std::size_t rank, EventIndex begin, EventIndex end);
    void enter(std::size_t rank);
    bool passes(EventIndex event) const;
    void next_of_any();
    void next_in_order_of_time();
    void start_heap();
    void pass_in_heap(std::size_t segment);
    void next_bucketed();
    bool open_group();
    void make_groups(const std::vector<GroupTerm>& terms);
    [[nodiscard]] std::vector<std::uint32_t> keys_of(std::size_t rank, const std::vector<EventIndex>& events) const;

    const QueryModel& model_;
    EventFilter filter_;
    EventOrder order_;
    bool by_event_ = false;                              ///< an event has to be looked at
    bool plain_ = false;                                 ///< all events of a segment, as the model has them
    std::vector<std::vector<std::uint8_t>> name_passes_; ///< by run, NameId

    std::vector<Segment> segments_;
    std::size_t segment_ = 0;
    std::size_t rank_ = 0;
    const RankTrace* trace_ = nullptr;
    const KernelClass* classes_ = nullptr; ///< only when classes are filtered
    const std::uint8_t* names_ = nullptr;
    EventIndex event_ = kNoEvent;
    EventIndex end_ = 0;
    std::uint64_t visited_ = 0;

    std::vector<std::pair<TimeNs, std::size_t>> heap_; ///< next start of a segment

    std::vector<GroupTerm> key_terms_;
    std::vector<std::vector<std::size_t>> groups_; ///< ranks that are walked together
    std::size_t group_ = 0;
    std::vector<Bucketed> buckets_;
    std::uint32_t key_ = 0;
    std::uint32_t keys_ = 1;
    std::size_t bucket_ = 0;
    std::uint32_t place_ = 0;
};

} // namespace rankscope
