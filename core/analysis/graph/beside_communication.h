// SPDX-License-Identifier: GPL-3.0-or-later
// Computation takes longer while a communication kernel holds some of its GPU's multiprocessors, also one that only
// waits for a late member. What takes that wait away gives the time back.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/analysis/graph/step_graph.h"

namespace rankscope {

/// A kernel that was seen to take longer beside communication than alone, on the same rank in the same step.
struct SlowedKernel {
    NameId name = 0;
    double factor = 1;      ///< of its duration wholly beside communication, by that with none beside it
    std::size_t beside = 0; ///< samples of either kind
    std::size_t alone = 0;
};

/// Per node of the graph, of computation: which part of it ran beside communication of its rank, as recorded. 0 of
/// other nodes.
std::vector<float> overlap_with_communication(const StepGraph& graph);

class BesideCommunication {
public:
    BesideCommunication() = default;
    /// The same work (name, launch, the kernels before and after it) of one rank in one step is compared with itself:
    /// the median duration of those that ran wholly beside communication, by that of those that ran wholly without.
    /// The logarithms of all kernels are drawn together, the more the less sure they are. One counts where it is three
    /// standard errors or more, there are five samples of either kind, and places seen in both states confirm it.
    BesideCommunication(const Run& run, const StepGraph& graph);

    [[nodiscard]] bool empty() const { return kernels_.empty(); }
    [[nodiscard]] const std::vector<SlowedKernel>& kernels() const { return kernels_; }

    /// Per node, what its recorded duration times even would be alone: ranks are compared by that. Of a
    /// kernel that ran beside communication in part, that part loses in proportion. even: likewise, or empty; the
    /// result is even where nothing is slowed.
    [[nodiscard]] std::vector<double> comparable(const StepGraph& graph, const std::vector<double>& even) const;

    /// Per node, of such kernels: which part of it ran beside communication. What it would take alone is an estimate,
    /// and of one that ran partly beside it nearly a guess.
    [[nodiscard]] std::vector<float> shares(const StepGraph& graph) const;

    /// Makes the durations of these kernels fit the communication that runs beside them in the replay. base: the times
    /// that are changed, with the overlap that was recorded; times: gets them for that of the replay.
    void adapt(const StepGraph& graph, const ReplayedTimes& replayed, const GraphTimes& base, GraphTimes& times) const;

private:
    struct Node {
        std::uint32_t node = 0;
        float lost = 0;     ///< of a time wholly beside communication: 1 - 1 / factor
        float recorded = 0; ///< share of its duration beside communication
    };
    struct Rank {
        std::vector<std::uint32_t> communication; ///< nodes
        std::vector<Node> nodes;
    };
    struct Times;
    struct Place;
    struct OfName;
    /// Fills what is kept of the rank.
    std::map<NameId, OfName> sample(const Run& run, const StepGraph& graph, std::size_t r);

    std::vector<SlowedKernel> kernels_;
    std::vector<Rank> ranks_;
};

} // namespace rankscope
