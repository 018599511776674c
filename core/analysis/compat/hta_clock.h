// SPDX-License-Identifier: GPL-3.0-or-later
// Times as HTA has them after reading a file (rules-hta.md 2.2).
#pragma once
#include <algorithm>
#include <cmath>

#include "core/trace/digest_facts.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// Times of a rank as its file has them. HTA rounds when any start of the rank has a fraction of a microsecond: start
/// up, end down, in doubles.
class HtaClock {
public:
    explicit HtaClock(const RankTrace& rank) : base_(rank.clock_base) {
        const auto fractional = [this](TimeNs ns) { return (ns - base_) % kMicrosecond != 0; };
        rounds_ = (rank.digest && rank.digest->fractional_times) ||
                  std::any_of(rank.events.start.begin(), rank.events.start.end(), fractional) ||
                  std::any_of(rank.instants.begin(), rank.instants.end(),
                              [&](const Instant& instant) { return fractional(instant.time); });
    }
    [[nodiscard]] bool rounds() const { return rounds_; }
    [[nodiscard]] TimeNs start(TimeNs ns) const {
        return rounds_ ? static_cast<TimeNs>(std::ceil(as_double(ns - base_))) * kMicrosecond : ns - base_;
    }
    [[nodiscard]] TimeRange range(TimeNs begin, TimeNs duration) const {
        if (!rounds_)
            return {begin - base_, begin - base_ + duration};
        return {start(begin),
                static_cast<TimeNs>(std::floor(as_double(begin - base_) + as_double(duration))) * kMicrosecond};
    }
    [[nodiscard]] TimeRange range(const EventTable& events, EventIndex i) const {
        return range(events.start[i], events.duration[i]);
    }

private:
    static constexpr TimeNs kMicrosecond = 1000;
    /// The microseconds HTA reads from the file's decimal text: the double nearest to it. Near the epoch doubles are a
    /// quarter of a microsecond apart, so this decides about the last microsecond.
    static double as_double(TimeNs ns) {
        const TimeNs whole = ns / kMicrosecond;
        return static_cast<double>(whole) + static_cast<double>(ns % kMicrosecond) / 1000.0;
    }

    TimeNs base_;
    bool rounds_ = false;
};

} // namespace rankscope
