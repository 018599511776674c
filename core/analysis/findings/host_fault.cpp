// SPDX-License-Identifier: GPL-3.0-or-later
// The finding of a host fault. What single ranks take longer than the others is recorded and told, but not in the cost.
#include "core/analysis/findings/host_fault.h"

#include <algorithm>
#include <cstddef>

namespace rankscope {
namespace {

bool is_timed(NodeKind kind) {
    return kind == NodeKind::data_loading || kind == NodeKind::garbage_collection || kind == NodeKind::allocation;
}

} // namespace

Finding describe_host_fault(const FindingContext& c, const HostFault& fault, double cost) {
    const HostTimes& host = fault.host;
    // What it takes in the other steps is known of all ranks together, and a title that says so names no ranks.
    const bool of_all = host.usual > 0 && !fault.names_ranks;
    const std::set<std::uint32_t> few = of_all ? std::set<std::uint32_t>{} : few_ranks(c, host);
    const double count = rank_steps(c, host.onset.steps, few);
    double per_step = static_cast<double>(host.time) / count;
    const double calls = static_cast<double>(host.count) / count;
    Finding finding;
    finding.code = fault.code;
    TimeNs of_single_ranks = 0; // longer than the others: it is part of what is recorded, and of other findings
    for (std::size_t i = 0; i < host.nodes.size() && !fault.beside_first_use; ++i)
        if (is_timed(c.graph.kind[host.nodes[i]]))
            of_single_ranks += c.graph.times.duration[host.nodes[i]] - host.times[i];
    per_step += static_cast<double>(of_single_ranks) / count;
    finding.title = fault.title({per_step, calls, host.usual, host.onset.steps});
    if (of_single_ranks > 0)
        finding.title += " (the cost leaves out what single ranks take longer than the others)"_text();
    finding.facts = {{FactName::events, static_cast<double>(host.count), {}},
                     {FactName::mean_us_per_rank_and_step, per_step / 1000, {}}};
    for (const auto& [time, node] : host.largest)
        finding.events.push_back(c.event(node));
    for (const std::uint32_t rank : few)
        finding.ranks.push_back(c.rank_number(rank));
    std::ranges::sort(finding.ranks);
    if (!few.empty() && !fault.names_ranks)
        finding.title += "; only on %1"_text(rank_words(finding.ranks));
    set_onset(c, host.onset, finding);
    if (!fault.names_ranks)
        finding.title += since_words(c, host.onset.steps);
    finding.cost = cost;
    // Without marks of steps nobody knows in how many it was seen.
    finding.confidence = fault.no_fault || !finding.iterations.empty() ? kHappened
                         : c.graph.profiler_steps ? confidence_of(std::min(host.steps, c.steps), c.steps)
                                                  : std::max(0.5, confidence_of(host.steps, c.steps));
    return finding;
}

} // namespace rankscope
