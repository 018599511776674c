// SPDX-License-Identifier: GPL-3.0-or-later
// Which parts of what the ranks launched are the same program.
#include "core/analysis/graph/passages.h"

#include <algorithm>

#include "core/analysis/graph/launch_order.h"

namespace rankscope {

std::uint64_t mixed_hash(std::uint64_t hash, std::uint64_t value) {
    hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
    return hash * 0xff51afd7ed558ccdULL;
}

std::vector<ProgramPassage> passages_of(const RankGraph& graph, const RankTrace& trace) {
    std::vector<ProgramPassage> passages;
    for (std::uint32_t i = 0; i < graph.launched.size(); ++i) {
        const GraphWork& work = graph.work[graph.launched[i]];
        if (i == 0 || work.step != graph.work[graph.launched[i - 1]].step)
            passages.push_back({i, 0, 0});
        ProgramPassage& passage = passages.back();
        ++passage.length;
        passage.program = mixed_hash(mixed_hash(passage.program, trace.events.name[work.event]),
                                     static_cast<std::uint64_t>(trace.lanes[work.lane].stream));
    }
    return passages;
}

bool has_no_place(const RankGraph& graph, const ProgramPassage& passage, std::uint32_t p) {
    const auto work = [&](std::uint32_t i) -> const GraphWork& {
        return graph.work[graph.launched[passage.first + i]];
    };
    return work(p).launch == kNoNode || (p > 0 && launched_as_one(work(p), work(p - 1))) ||
           (p + 1 < passage.length && launched_as_one(work(p), work(p + 1)));
}

std::size_t main_stream(const RankGraph& graph) {
    std::vector<std::size_t> count(graph.streams.size());
    for (const GraphWork& work : graph.work)
        count[work.lane] += work.kernel_class == KernelClass::communication ? 0 : 1;
    return static_cast<std::size_t>(std::max_element(count.begin(), count.end()) - count.begin());
}

} // namespace rankscope
