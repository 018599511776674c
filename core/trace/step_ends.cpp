// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/step_ends.h"

#include <algorithm>

#include "core/trace/engine_steps.h"

namespace rankscope {
namespace {

/// Of the time from one start to the next.
constexpr double kGap = 0.01;

bool is_of_engine(const RankTrace& rank, const ProfilerStep& step) {
    return step.event != kNoEvent &&
           engine_step_name(rank.events.kind[step.event], rank.event_name(step.event)).has_value();
}

} // namespace

void close_gaps_of_steps(const RankTrace& rank, std::vector<ProfilerStep>& steps) {
    const bool of_program = rank.source == TraceSource::nsys || rank.source == TraceSource::rocpd ||
                            rank.source == TraceSource::xplane; // the others mark steps themselves
    for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
        TimeRange& range = steps[k].range;
        const TimeNs next = steps[k + 1].range.begin;
        const bool apart = of_program && steps[k + 1].number == steps[k].number + 1 &&
                           static_cast<double>(next - range.end) > kGap * static_cast<double>(next - range.begin);
        if (apart || is_of_engine(rank, steps[k]))
            range.end = std::max(range.begin, next);
    }
}

bool has_engine_steps(const RankTrace& rank) { return !rank.steps.empty() && is_of_engine(rank, rank.steps.front()); }

bool has_known_end(const RankTrace& rank, std::int64_t number) {
    if (rank.steps.empty() || number != rank.steps.back().number)
        return true;
    if (has_engine_steps(rank))
        return false;
    if (rank.steps.size() < 2)
        return true;
    const ProfilerStep& before = rank.steps[rank.steps.size() - 2];
    return before.event == kNoEvent || before.range.end == rank.events.end(before.event);
}

} // namespace rankscope
