// SPDX-License-Identifier: GPL-3.0-or-later
// Which parts of what the ranks launched are the same program: each rank runs the same kernels in every step.
//   Ranks 0 and 1 launch a, b, c in steps 3 and 4: four passages of one program. What kernel c waited for in one of
//   them it waits for in all of them.
#pragma once
#include <cstdint>
#include <vector>

#include "core/analysis/graph/rank_graph.h"

namespace rankscope {

/// What a rank launched in one step, or between two steps: [first, first + length) of RankGraph::launched.
struct ProgramPassage {
    std::uint32_t first = 0;
    std::uint32_t length = 0;
    std::uint64_t program = 0; ///< hash of the names and streams
};
std::vector<ProgramPassage> passages_of(const RankGraph& graph, const RankTrace& trace);

/// A hash of both.
std::uint64_t mixed_hash(std::uint64_t hash, std::uint64_t value);

/// The work of a passage by its position in it.
struct PassageWork {
    const RankGraph& graph;
    const RankTrace& trace;
    std::uint32_t first; ///< of the passage
    [[nodiscard]] const GraphWork& work(std::uint32_t position) const {
        return graph.work[graph.launched[first + position]];
    }
    [[nodiscard]] std::int64_t stream(std::uint32_t position) const { return trace.lanes[work(position).lane].stream; }
    [[nodiscard]] NameId name(std::uint32_t position) const { return trace.events.name[work(position).event]; }
};

/// Whether nothing tells the place of the work at position p in the order of launches.
bool has_no_place(const RankGraph& graph, const ProgramPassage& passage, std::uint32_t p);

/// Stream with the most compute events: what collectives follow.
std::size_t main_stream(const RankGraph& graph);

} // namespace rankscope
