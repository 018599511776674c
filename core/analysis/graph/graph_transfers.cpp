// SPDX-License-Identifier: GPL-3.0-or-later
// Which matched calls become transfers of the step graph.
#include "core/analysis/graph/graph_transfers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <tbb/parallel_for.h>

#include "core/analysis/collectives/collective_timing.h"

namespace rankscope {
namespace {

/// A send that ended this long before its receive started cannot have waited for it, whatever the clocks' error.
constexpr TimeNs kLeftWithout = 10'000;

/// Node of a GPU event; kNoNode when it is not in the graph.
std::vector<std::uint32_t> nodes_of_events(const Run& run, const StepGraph& graph, std::size_t rank) {
    std::vector<std::uint32_t> nodes(run.ranks[rank]->events.gpu_count, kNoNode);
    for (std::uint32_t n = graph.first_gpu_node[rank]; n < graph.first_node[rank + 1]; ++n)
        nodes[graph.event[n]] = n;
    return nodes;
}

/// Groups most of whose sends clearly waited for their receiver: they lasted until that came, longer than the
/// shortest ones.
std::set<std::uint32_t> groups_that_wait(const StepGraph& graph, const CollectiveMatching& matching,
                                         const std::vector<GraphTransfer>& transfers) {
    struct Sends {
        TimeNs shortest = std::numeric_limits<TimeNs>::max();
        std::size_t all = 0;
        std::size_t waited = 0;
    };
    std::map<std::uint32_t, Sends> sends; // by group
    const auto of = [&](const GraphTransfer& transfer) -> Sends& {
        return sends[matching.matched[transfer.matched].group];
    };
    for (const GraphTransfer& transfer : transfers)
        if (transfer.message != kNoNode) {
            of(transfer).shortest = std::min(of(transfer).shortest, graph.times.duration[transfer.message]);
            ++of(transfer).all;
        }
    for (const GraphTransfer& transfer : transfers)
        if (transfer.message != kNoNode &&
            transfer.start - graph.start[transfer.message] > 2 * of(transfer).shortest + kLeftWithout &&
            graph.end(transfer.message) >= transfer.start)
            ++of(transfer).waited;
    std::set<std::uint32_t> groups;
    for (const auto& [group, own] : sends)
        if (2 * own.waited > own.all)
            groups.insert(group);
    return groups;
}

/// The receive goes on when it has started and the message is there. False: it ends before the send starts, so the
/// clocks are wrong.
bool receive_message(const StepGraph& graph, GraphTransfer& transfer) {
    const bool first = transfer.arrivals.front() == transfer.message;
    const std::uint32_t receive = first ? transfer.arrivals.back() : transfer.arrivals.front();
    const TimeNs there = graph.end(transfer.message);
    transfer.end = graph.end(receive);
    transfer.start = std::max(graph.start[receive], std::min(there, transfer.end));
    transfer.message_lag = std::min<TimeNs>(0, transfer.start - there);
    return transfer.end >= graph.start[transfer.message];
}

/// Of a call, what all its members' nodes tell; none where some of them is not in the graph. nodes: by rank and event.
std::optional<GraphTransfer> whole_transfer(const StepGraph& graph, const CollectiveMatching& matching, std::uint32_t m,
                                            const std::vector<std::vector<std::uint32_t>>& nodes) {
    const MatchedCall& call = matching.matched[m];
    if (call.members.size() < 2)
        return std::nullopt;
    GraphTransfer transfer{.matched = m,
                           .start = std::numeric_limits<TimeNs>::min(),
                           .end = std::numeric_limits<TimeNs>::max(),
                           .arrivals = {}};
    for (const auto& member : call.members) {
        const CommCall& own = matching.call(member);
        const std::uint32_t node = nodes[member.first][own.event];
        if (node == kNoNode)
            return std::nullopt;
        if (call.members.size() == 2 && own.kind == CollectiveKind::send)
            transfer.message = node;
        transfer.arrivals.push_back(node);
        if (graph.start[node] > transfer.start) {
            transfer.start = graph.start[node];
            transfer.last_rank = member.first;
            transfer.last_event = own.event;
        }
        transfer.end = std::min(transfer.end, graph.end(node));
    }
    return transfer;
}

} // namespace

std::vector<GraphTransfer> graph_transfers(const Run& run, const StepGraph& graph, const CollectiveMatching& matching) {
    std::vector<std::vector<std::uint32_t>> nodes(run.ranks.size());
    tbb::parallel_for(std::size_t{0}, nodes.size(), [&](std::size_t r) { nodes[r] = nodes_of_events(run, graph, r); });
    std::vector<GraphTransfer> found;
    std::set<std::uint32_t> left_without; // groups of which a send was seen not to wait for its receiver
    std::set<std::int64_t> left_sizes;    // bytes of such sends
    const auto bytes_of = [&](const MatchedCall& call) {
        return message_bytes(run, matching.call(call.members.front()));
    };
    for (std::uint32_t m = 0; m < matching.matched.size(); ++m) {
        const MatchedCall& call = matching.matched[m];
        std::optional<GraphTransfer> transfer = whole_transfer(graph, matching, m, nodes);
        if (!transfer)
            continue;
        if (transfer->message != kNoNode && graph.end(transfer->message) + kLeftWithout < transfer->start) {
            left_without.insert(call.group);
            left_sizes.insert(bytes_of(call));
        }
        found.push_back(std::move(*transfer));
    }
    // Messages of one size leave in one way, also where no receiver was late enough to show it.
    const std::set<std::uint32_t> waited = groups_that_wait(graph, matching, found);
    std::vector<GraphTransfer> transfers;
    for (GraphTransfer& transfer : found) {
        const MatchedCall& call = matching.matched[transfer.matched];
        const std::int64_t bytes = bytes_of(call);
        const bool leaves = left_without.contains(call.group) ||
                            (bytes != kUnknown && left_sizes.contains(bytes) && !waited.contains(call.group));
        if (!leaves)
            transfer.message = kNoNode;
        if (transfer.message == kNoNode ? transfer.end < transfer.start : !receive_message(graph, transfer))
            continue;
        transfers.push_back(std::move(transfer));
    }
    return transfers;
}

} // namespace rankscope
