// SPDX-License-Identifier: GPL-3.0-or-later
// Metric graph_replay: GPU time inside replayed CUDA and HIP graphs, and how much of it a capture attributes to
// operators.
#include "core/metrics/numbers.h"

#include <string>

namespace rankscope {
namespace {

constexpr std::size_t kMostGraphs = 50;

double share_of(TimeNs part, TimeNs whole) {
    return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

Json graph_json(const RunAnalysis& analysis, const GraphStatistics& graph) {
    const StringTable& names = *analysis.run().names;
    Json json;
    json["graph"] = std::string(names.view(graph.name));
    json["nodes"] = graph.nodes.size();
    json["replays"] = graph.replays.size();
    json["total_us"] = as_us(graph.total);
    json["attributed_percent"] = share_of(graph.attributed, graph.total);
    json["median_us"] = as_us(graph.median);
    json["min_us"] = as_us(graph.min);
    json["max_us"] = as_us(graph.max);
    json["median_busy_us"] = as_us(graph.median_busy);
    const GraphReplay& slowest = graph.replays[graph.slowest];
    json["slowest"] = {{"rank", analysis.run().ranks[slowest.rank]->rank},
                       {"start_us", as_us(analysis.since_start(slowest.rank, slowest.range.begin))}};
    return json;
}

MetricResult compute_graph_replay(const RunAnalysis& analysis) {
    const GraphAnalysis& graphs = analysis.graphs();
    if (graphs.launches == 0)
        return MetricResult::unavailable("no CUDA or HIP graph was launched in what is looked at"_text);
    Json details;
    details["launches"] = graphs.launches;
    details["in_graphs_us"] = as_us(graphs.in_graphs);
    details["attributed_us"] = as_us(graphs.attributed);
    details["attributed_percent"] = share_of(graphs.attributed, graphs.in_graphs);
    details["graphs"] = Json::array();
    for (std::size_t g = 0; g < std::min(kMostGraphs, graphs.graphs.size()); ++g)
        details["graphs"].push_back(graph_json(analysis, graphs.graphs[g]));
    details["different_graphs"] = graphs.graphs.size();
    return MetricResult::of(share_of(graphs.in_graphs, graphs.gpu_total), std::move(details));
}

} // namespace

Metric graph_replay_metric() {
    return {
        "graph_replay",
        "GPU time in graphs",
        "%",
        Better::none,
        "Kernels",
        "Summed time of the kernels, copies and sets that launches of CUDA or HIP graphs ran, of that of all GPU work; "
        "beside it how much of it the capture of the graphs attributes to operators.",
        compute_graph_replay};
}

} // namespace rankscope
