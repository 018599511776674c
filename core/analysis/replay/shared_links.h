// SPDX-License-Identifier: GPL-3.0-or-later
// Transfers take longer while others leave or reach the same rank over the same link. What keeps them apart gives the
// time back.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/replay/communication_nodes.h"
#include "core/analysis/replay/step_graph.h"

namespace rankscope {

/// Where a link may be shared: a rank's number, and whether the transfer leaves it or reaches it. What a link carries
/// one way takes nothing from what it carries the other way.
using Port = std::pair<int, bool>;

/// A message leaves its sender and reaches its receiver; other transfers leave and reach all their members.
std::vector<Port> ports_of(const CommGroup& group);

class SharedLinks {
public:
    SharedLinks() = default;
    /// Calls of one group, kind and size in one step are compared: with one other transfer beside them, and alone.
    /// Transfers of one dimension, kind and bandwidth are taken together. It counts where three calls or more show it,
    /// and their median stands out of their scatter by three standard errors. Of two that share a link, what was not
    /// seen follows from what was: a link is divided evenly, and what one cannot use goes to the other.
    SharedLinks(const Run& run, const StepGraph& graph, std::span<const CommunicationNode> communication,
                const CollectiveMatching& matching);

    [[nodiscard]] bool empty() const { return transfers_.empty(); }

    /// Per node, the share of its recorded duration that it would take with the links to itself: groups are compared by
    /// that. Empty where no link is shared.
    [[nodiscard]] std::vector<double> alone(const StepGraph& graph) const;

    /// Makes the durations of transfers fit the others that share their links in the replay. base: the times that are
    /// changed, with the sharing that was recorded; times: has them for that of an earlier replay, and gets them for
    /// that of this one. Returns whether any of them differs by more than 1 %.
    bool adapt(const StepGraph& graph, const ReplayedTimes& replayed, const GraphTimes& base, GraphTimes& times) const;

private:
    struct Transfer {
        std::uint32_t node = 0;
        std::uint32_t group = 0; ///< index in ports_of_group_
        std::uint32_t kind = 0;  ///< index in lost_
        double alone = 1;        ///< of its recorded duration, what it would take with the links to itself
    };
    class Play;
    /// How much longer a transfer of one kind takes beside one of another, of its time alone: twice as long is 1.
    /// faster: times as fast as recorded, of either.
    [[nodiscard]] double added(std::uint32_t kind, double faster, std::uint32_t other, double other_faster) const;

    std::vector<Transfer> transfers_;
    std::vector<std::vector<std::uint32_t>> ports_of_group_; ///< numbers
    std::size_t ports_ = 0;                                  ///< how many
    /// Of its bandwidth, what a transfer of the first kind loses beside one of the second.
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> lost_;
};

} // namespace rankscope
