// SPDX-License-Identifier: GPL-3.0-or-later
// Many replays of one step graph, side by side.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/analysis/graph/beside_communication.h"
#include "core/analysis/graph/step_graph.h"
#include "core/analysis/graph/step_time.h"

namespace rankscope {

/// A change to the times of a graph. Called by several threads; it must not run parallel work of its own.
using TimesChange = std::function<void(GraphTimes&)>;

/// Keeps the memory of replays for the next ones: of a large graph, fresh pages cost as much as the replay itself. At
/// most as many are kept as there are threads. Every function may be called by several threads.
class Replays {
public:
    /// beside: computation is as fast as the communication beside it lets it; nullptr: as recorded.
    explicit Replays(const StepGraph& graph, const BesideCommunication* beside = nullptr);

    /// Start of every node, and the times that lead to it.
    struct Replayed {
        GraphTimes times;
        std::vector<TimeNs> start;
    };
    [[nodiscard]] Replayed replayed(const GraphTimes& times) const;

    /// predicted_step_time() under the base times with the change made to them.
    [[nodiscard]] double step_time(const GraphTimes& base, const TimesChange& change) const;
    /// Of each change by itself, to either of two.
    struct InBoth {
        std::vector<double> first;
        std::vector<double> second;
    };
    [[nodiscard]] InBoth step_times(const GraphTimes& first, const GraphTimes& second,
                                    std::span<const TimesChange> changes) const;
    /// Of each change by itself.
    [[nodiscard]] std::vector<double> step_times(const GraphTimes& base, std::span<const TimesChange> changes) const;

private:
    struct Memory {
        GraphTimes times;
        GraphTimes adapted;
        ReplayedTimes replayed;
    };
    /// Replays memory's times, again with what fits the communication beside it. Returns the times that hold in the
    /// end.
    const GraphTimes& replay_beside(Memory& memory) const;

    const StepGraph& graph_;
    MeanStepTime mean_;
    const BesideCommunication* beside_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<Memory>> idle_;
};

} // namespace rankscope
