// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the events of a run that meet a query.
#pragma once
#include <optional>
#include <stop_token>
#include <vector>

#include "core/analysis/search/event_query.h"
#include "core/analysis/search/range_statistics.h"

namespace rankscope {

struct SearchHits {
    std::vector<std::vector<EventIndex>> ranks; ///< per rank as in Run::ranks, ascending: by lane, row, start
    std::vector<std::size_t> before;            ///< before[r]: hits of all ranks before r; one entry more than ranks
    std::size_t count = 0;
    TimeNs time = 0; ///< sum of the hits' durations; nested events count each for itself

    /// The n-th hit, by rank, then position. n < count.
    [[nodiscard]] EventPlace at(std::size_t n) const;
    /// How many hits come before this place: its number if it is a hit itself.
    [[nodiscard]] std::size_t number_of(EventPlace place) const;
    [[nodiscard]] bool contains(EventPlace place) const;
};

/// Each distinct name is looked at once, then the columns are scanned on all cores. Recorded arguments beyond those in
/// the model (collectives', copies' bytes) are not searched. nullopt: cancelled.
std::optional<SearchHits> search_events(const RunClasses& classes, const EventQuery& query,
                                        const std::stop_token& cancel = {});

} // namespace rankscope
