// SPDX-License-Identifier: GPL-3.0-or-later
// Replays side by side.
#include "core/analysis/replay/replays.h"

#include <algorithm>
#include <cmath>

#include <tbb/parallel_for.h>

#include "core/analysis/replay/step_ranges.h"
#include "core/analysis/replay/step_time.h"

namespace rankscope {
namespace {

/// start_of, end_of: node -> ns.
template <typename StartOf, typename EndOf>
bool host_runs_ahead(const StepGraph& graph, const StartOf& start_of, const EndOf& end_of) {
    const std::vector<TimeRange> ranges = step_ranges_by(graph, start_of, end_of);
    for (std::size_t i = 0; i < ranges.size(); ++i)
        if (static_cast<double>(ranges[i].begin - start_of(graph.steps[i].begin)) >
            kSameStart * static_cast<double>(ranges[i].length()))
            return true;
    return false;
}

/// start: node -> ns
template <typename StartOf>
std::vector<StepStarts> host_starts(const StepGraph& graph, const StartOf& start) {
    std::vector<TimeNs> starts;
    for (const GraphStep& step : graph.steps)
        starts.push_back(start(step.begin));
    return step_starts(graph, starts);
}

} // namespace

Replays::Replays(const StepGraph& graph, const BesideCommunication* beside, const SharedLinks* links)
    : graph_(graph), beside_(beside != nullptr && !beside->empty() ? beside : nullptr),
      links_(links != nullptr && !links->empty() ? links : nullptr) {
    const auto start = [&](std::uint32_t n) { return graph.start[n]; };
    if (!graph.profiler_steps || host_runs_ahead(graph, start, [&](std::uint32_t n) { return graph.end(n); }))
        return;
    recorded_starts_ = host_starts(graph, start);
    recorded_time_ = mean_step_time(graph, graph.start, graph.times);
}

std::vector<TimeNs> Replays::starts_to_correct(const ReplayedTimes& replayed) const {
    if (recorded_starts_.empty())
        return {};
    const auto start = [&](std::uint32_t n) { return replayed.start(n); };
    const std::vector<double> shifts =
        shifts_of_first_starts(recorded_starts_, host_starts(graph_, start), recorded_time_);
    if (shifts.empty() || host_runs_ahead(graph_, start, [&](std::uint32_t n) { return replayed.end(n); }))
        return {};
    const double earliest = std::ranges::min(shifts);
    std::vector<TimeNs> later;
    for (const double shift : shifts)
        later.push_back(std::llround(shift - earliest));
    return later;
}

const GraphTimes& Replays::replay_adapted(Memory& memory) const {
    const GraphTimes& times = replay_beside(memory);
    if (!memory.times.begin.empty())
        return times;
    memory.times.begin = starts_to_correct(memory.replayed);
    return memory.times.begin.empty() ? times : replay_beside(memory);
}

const GraphTimes& Replays::replay_beside(Memory& memory) const {
    replay(graph_, memory.times, memory.replayed);
    if (beside_ == nullptr && links_ == nullptr)
        return memory.times;
    memory.adapted = memory.times;
    // What is faster now ends earlier, and so has other communication beside it: little, the second time. Where links
    // are shared, transfers that met may miss each other now, which takes more rounds.
    constexpr int kRounds = 2;
    constexpr int kRoundsOfLinks = 4;
    for (int i = 0; i < (links_ != nullptr ? kRoundsOfLinks : kRounds); ++i) {
        if (beside_ != nullptr)
            beside_->adapt(graph_, memory.replayed, memory.times, memory.adapted);
        const bool moved = links_ != nullptr && links_->adapt(graph_, memory.replayed, memory.times, memory.adapted);
        if (i >= kRounds && !moved)
            break;
        replay(graph_, memory.adapted, memory.replayed);
    }
    return memory.adapted;
}

Replays::Replayed Replays::replayed(const GraphTimes& times) const {
    Memory memory{times, {}, {}};
    Replayed result;
    result.times = replay_adapted(memory);
    for (std::uint32_t n = 0; n < graph_.size(); ++n)
        result.start.push_back(memory.replayed.start(n));
    return result;
}

double Replays::step_time(const GraphTimes& base, const TimesChange& change) const {
    std::unique_ptr<Memory> memory;
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            memory = std::move(idle_.back());
            idle_.pop_back();
        }
    }
    if (!memory)
        memory = std::make_unique<Memory>();
    memory->times = base;
    change(memory->times);
    static_cast<void>(replay_adapted(*memory));
    const double time = mean_step_time(graph_, memory->replayed);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(memory));
    return time;
}

Replays::InBoth Replays::step_times(const GraphTimes& first, const GraphTimes& second,
                                    std::span<const TimesChange> changes) const {
    InBoth times{std::vector<double>(changes.size()), std::vector<double>(changes.size())};
    tbb::parallel_for(std::size_t{0}, 2 * changes.size(), [&](std::size_t i) {
        const std::size_t change = i / 2;
        (i % 2 == 0 ? times.first : times.second)[change] = step_time(i % 2 == 0 ? first : second, changes[change]);
    });
    return times;
}

std::vector<double> Replays::step_times(const GraphTimes& base, std::span<const TimesChange> changes) const {
    std::vector<double> times(changes.size());
    tbb::parallel_for(std::size_t{0}, changes.size(), [&](std::size_t i) { times[i] = step_time(base, changes[i]); });
    return times;
}

} // namespace rankscope
