// SPDX-License-Identifier: GPL-3.0-or-later
// In what a rank is unlike its peers.
#include "core/analysis/findings/unlike_peers.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "core/analysis/operators/input_sizes.h"
#include "core/base/statistics.h"
#include "core/base/text.h"

namespace rankscope {

double bytes_of_peers(const FindingContext& c, std::uint32_t rank, const std::set<std::int64_t>& only_in) {
    std::vector<double> of_peers;
    double own = 0;
    for (std::uint32_t r = 0; r < c.peers.peer_class.size(); ++r) {
        if (c.peers.peer_class[r] != c.peers.peer_class[rank])
            continue;
        double bytes = 0;
        const auto& transfers = c.inputs.run.ranks[r]->memory_transfers;
        for (std::uint32_t n = c.graph.first_gpu_node[r]; n < c.graph.first_node[r + 1]; ++n) {
            if (c.graph.kind[n] != NodeKind::memory_copy || c.peers.surplus[n] || c.peers.expected[n] < 0 ||
                !c.is_in(only_in, n))
                continue;
            const auto transfer = std::ranges::lower_bound(transfers, c.graph.event[n], {}, &MemoryTransfer::event);
            if (transfer == transfers.end() || transfer->event != c.graph.event[n] || transfer->bytes < 0)
                return 0;
            bytes += static_cast<double>(transfer->bytes);
        }
        if (r == rank)
            own = bytes;
        else
            of_peers.push_back(bytes);
    }
    const double usual = of_peers.empty() ? 0 : middle_median(std::move(of_peers));
    return usual > 0 ? own / usual : 0;
}

bool is_more_of_the_same(const FindingContext& c, std::uint32_t rank, const std::set<std::int64_t>& only_in) {
    std::set<NameId> names_of_peers;
    for (std::uint32_t r = 0; r < c.peers.peer_class.size(); ++r)
        if (r != rank && c.peers.peer_class[r] == c.peers.peer_class[rank])
            for (std::uint32_t n = c.graph.first_gpu_node[r]; n < c.graph.first_node[r + 1]; ++n)
                names_of_peers.insert(c.inputs.run.ranks[r]->events.name[c.graph.event[n]]);
    TimeNs all = 0;
    TimeNs same = 0;
    for (std::uint32_t n = c.graph.first_gpu_node[rank]; n < c.graph.first_node[rank + 1]; ++n) {
        if (!c.peers.surplus[n] || !c.is_in(only_in, n))
            continue;
        all += c.graph.times.duration[n];
        if (names_of_peers.contains(c.inputs.run.ranks[rank]->events.name[c.graph.event[n]]))
            same += c.graph.times.duration[n];
    }
    return 2 * same > all;
}

Message other_inputs(const FindingContext& c, std::uint32_t rank, Finding& finding) {
    std::vector<const RankTrace*> peers;
    for (std::uint32_t r = 0; r < c.inputs.run.ranks.size(); ++r)
        if (r != rank && c.peers.peer_class[r] == c.peers.peer_class[rank])
            peers.push_back(c.inputs.run.ranks[r].get());
    const RankTrace* const own = c.inputs.run.ranks[rank].get();
    const InputSizes sizes = compare_input_sizes(peers, std::span(&own, 1), true);
    if (sizes.operation.empty())
        return {};
    finding.facts.push_back({FactName::inputs_of, 0, sizes.operation});
    finding.facts.push_back({FactName::input_shape, 0, sizes.test_shape});
    finding.facts.push_back({FactName::input_shape_of_peers, 0, sizes.baseline_shape});
    return "; its inputs have other sizes: %1 has %2, on its peers %3"_text(sizes.operation, sizes.test_shape,
                                                                            sizes.baseline_shape);
}

namespace {

/// Name and multiprocessors of the GPU that the rank ran on; "" and 0 where the trace has none.
std::pair<std::string, std::int64_t> gpu_of(const RankTrace& rank) {
    const auto device = std::ranges::find(rank.devices, rank.device(), &Device::id);
    return device == rank.devices.end() ? std::pair(std::string(), std::int64_t{0})
                                        : std::pair(device->name, device->multiprocessors);
}

} // namespace

Message other_gpu(const FindingContext& c, std::uint32_t rank, const std::vector<std::uint32_t>& slow,
                  Finding& finding) {
    constexpr std::size_t kNameWidth = 40;
    const auto& ranks = c.inputs.run.ranks;
    const auto own = gpu_of(*ranks[rank]);
    std::set<std::pair<std::string, std::int64_t>> of_peers;
    for (std::uint32_t r = 0; r < ranks.size(); ++r)
        if (std::ranges::find(slow, r) == slow.end() && c.peers.peer_class[r] == c.peers.peer_class[rank])
            of_peers.insert(gpu_of(*ranks[r]));
    const auto unnamed = [](const auto& gpu) { return gpu.first.empty(); };
    if (unnamed(own) || of_peers.empty() || std::ranges::any_of(of_peers, unnamed) || of_peers.contains(own))
        return {};
    const bool same_name = std::ranges::any_of(of_peers, [&](const auto& gpu) { return gpu.first == own.first; });
    const auto shown = [&](const auto& gpu) {
        const std::string name = shortened(terminal_safe(gpu.first), kNameWidth);
        return same_name ? "%1 with %2 multiprocessors"_text(name, gpu.second) : Message(name);
    };
    std::vector<Message> gpus;
    for (const auto& gpu : of_peers)
        gpus.push_back(shown(gpu));
    finding.facts.push_back({FactName::gpu, 0, own.first});
    finding.facts.push_back({FactName::gpu_of_peers, 0, of_peers.begin()->first});
    return " (it runs on %1, they on %2)"_text(shown(own), enumerated(gpus));
}

} // namespace rankscope
