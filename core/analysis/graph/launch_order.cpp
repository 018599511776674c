// SPDX-License-Identifier: GPL-3.0-or-later
// In which order the host launched the GPU work of a rank.
#include "core/analysis/graph/launch_order.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <tbb/parallel_sort.h>

namespace rankscope {
namespace {

TimeNs launch_time(const RankGraph& graph, const GraphWork& work) {
    return work.earlier             ? std::numeric_limits<TimeNs>::min()
           : work.launch == kNoNode ? work.start
                                    : graph.host[work.launch].start;
}

/// What has no order of launches goes by stream, which is the same on all ranks and in all steps; times are not.
void order_by_stream(RankGraph& graph) {
    const auto work = [&](std::size_t i) -> const GraphWork& { return graph.work[graph.launched[i]]; };
    for (std::size_t i = 0, end = 0; i < graph.launched.size(); i = end) {
        for (end = i + 1; end < graph.launched.size() && launched_as_one(work(i), work(end));)
            ++end;
        const auto at = graph.launched.begin();
        std::sort(at + static_cast<std::ptrdiff_t>(i), at + static_cast<std::ptrdiff_t>(end),
                  [&](std::uint32_t a, std::uint32_t b) {
                      return std::pair(graph.work[a].lane, a) < std::pair(graph.work[b].lane, b);
                  });
    }
}

} // namespace

void order_launches(RankGraph& graph) {
    graph.launched.resize(graph.work.size());
    for (std::uint32_t w = 0; w < graph.launched.size(); ++w)
        graph.launched[w] = w;
    tbb::parallel_sort(graph.launched.begin(), graph.launched.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(launch_time(graph, graph.work[a]), a) < std::pair(launch_time(graph, graph.work[b]), b);
    });
    order_by_stream(graph);
}

} // namespace rankscope
