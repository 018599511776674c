// SPDX-License-Identifier: GPL-3.0-or-later
// Replays side by side.
#include "core/analysis/graph/replays.h"

#include <tbb/parallel_for.h>

namespace rankscope {

Replays::Replays(const StepGraph& graph, const BesideCommunication* beside)
    : graph_(graph), mean_(graph), beside_(beside != nullptr && !beside->empty() ? beside : nullptr) {}

const GraphTimes& Replays::replay_beside(Memory& memory) const {
    replay(graph_, memory.times, memory.replayed);
    if (beside_ == nullptr)
        return memory.times;
    memory.adapted = memory.times;
    // What is faster now ends earlier, and so has other communication beside it: little, the second time.
    constexpr int kRounds = 2;
    for (int i = 0; i < kRounds; ++i) {
        beside_->adapt(graph_, memory.replayed, memory.times, memory.adapted);
        replay(graph_, memory.adapted, memory.replayed);
    }
    return memory.adapted;
}

Replays::Replayed Replays::replayed(const GraphTimes& times) const {
    Memory memory{times, {}, {}};
    Replayed result;
    result.times = replay_beside(memory);
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
    static_cast<void>(replay_beside(*memory));
    const double time = mean_.of(node_times(memory->replayed));
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
