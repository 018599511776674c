// SPDX-License-Identifier: GPL-3.0-or-later
// What the columns of an event table hold, event by event of a scan. For one thread.
#pragma once
#include <cstdint>
#include <string_view>

#include "core/analysis/selection/kernel_class.h"
#include "core/base/seeded_hash.h"
#include "core/query/event_columns.h"

namespace rankscope {

class EventValues {
public:
    explicit EventValues(const QueryModel& model) : model_(model) {}
    /// Of the event that the scan stands at. Its text lives as long as the run.
    [[nodiscard]] QueryValue value(const EventScan& scan, EventColumn column);

private:
    [[nodiscard]] QueryValue id(const EventScan& scan, EventIndex event) const;
    [[nodiscard]] QueryValue of_kernel(const EventScan& scan, EventColumn column);
    [[nodiscard]] QueryValue of_operator(const EventScan& scan, EventColumn column) const;
    ComputeKind kind_of_computation(std::string_view name);
    void find_row(const EventScan& scan);
    TimeNs start(const EventScan& scan);

    const QueryModel& model_;
    // Where the last event was, to know the next one of the same row without a search.
    const RankTrace* trace_ = nullptr;
    EventIndex row_begin_ = 1;
    EventIndex row_end_ = 0;
    std::int64_t lane_ = 0;
    std::int64_t depth_ = 0;
    const RankTrace* shifted_trace_ = nullptr;
    TimeNs shift_ = 0;
    NumberMap<std::uintptr_t, ComputeKind> compute_kinds_; ///< by where the name lies: telling it takes a search
};

} // namespace rankscope
