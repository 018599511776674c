// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the rounds of expert-parallel layers and the work whose time follows their tokens.
#include "core/analysis/usual/expert_rounds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/analysis/collectives/collective_timing.h"
#include "core/base/statistics.h"
#include "core/base/straight_line.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

constexpr double kUnevenExperts = 1.02; ///< the busiest member's load from which times can tell
constexpr double kFollows = 0.5;        ///< of proportional growth
constexpr double kExplains = 0.5;       ///< of what transfers differ by, that tokens must explain
constexpr std::int64_t kSmall = 64'000; ///< bytes: such a call takes what any call takes

struct Sizes {
    std::uint32_t node = 0; ///< transfer
    const MatchedCall* call = nullptr;
    std::vector<double> in;
    std::vector<double> out;
};

/// All-to-all calls whose members all say what they send and get, by group, in order.
std::map<std::uint32_t, std::vector<Sizes>> sized_calls(const StepGraph& graph, const CollectiveMatching& matching) {
    std::map<std::uint32_t, std::vector<Sizes>> calls;
    for (std::uint32_t t = 0; t < graph.matched.size(); ++t) {
        const MatchedCall& call = matching.matched[graph.matched[t]];
        if (call.kind != CollectiveKind::all_to_all || !call.complete)
            continue;
        Sizes sizes{graph.first_node.back() + t, &call, {}, {}};
        bool known = true;
        for (const auto& member : call.members) {
            const CollectiveArgs* args = matching.call(member).args;
            known = known && args != nullptr && args->in_elements >= 0 && args->out_elements >= 0;
            if (known) {
                sizes.in.push_back(static_cast<double>(args->in_elements));
                sizes.out.push_back(static_cast<double>(args->out_elements));
            }
        }
        if (known)
            calls[call.group].push_back(std::move(sizes));
    }
    return calls;
}

/// Work of one place, by the kernel's name and its number among those of that name, on each member.
using Places =
    std::map<std::pair<NameId, std::uint32_t>, std::vector<std::pair<double, std::uint32_t>>>; ///< load, node

void collect_work(const Run& run, const StepGraph& graph, const KernelsInPlace& in_place, const ExpertRound& round,
                  Places& places) {
    std::map<std::uint32_t, TimeNs> combine_begin; // per rank
    for (const GraphEdge& edge : graph.edges_of(round.combine))
        combine_begin[graph.rank[edge.from]] = graph.start[edge.from];
    const TimeNs begin = graph.end(round.dispatch);
    for (std::size_t m = 0; m < round.ranks.size(); ++m) {
        const std::uint32_t rank = round.ranks[m];
        const auto first = graph.start.begin() + graph.first_gpu_node[rank];
        const auto last = graph.start.begin() + graph.first_node[rank + 1];
        std::map<NameId, std::uint32_t> seen;
        for (auto at = std::lower_bound(first, last, begin); at != last && *at < combine_begin[rank]; ++at) {
            const auto n = static_cast<std::uint32_t>(at - graph.start.begin());
            if (graph.kind[n] == NodeKind::compute && graph.end(n) <= combine_begin[rank]) {
                const NameId name = name_in_place(run, in_place, rank, graph.event[n]);
                places[{name, seen[name]++}].emplace_back(round.load[m], n);
            }
        }
    }
}

/// How far time follows load, 1 in proportion: slope of the least-squares line over its value at load 1.
double follows(const StepGraph& graph, const std::vector<std::pair<double, std::uint32_t>>& place) {
    std::vector<double> loads;
    std::vector<double> times;
    for (const auto& [load, node] : place) {
        loads.push_back(load);
        times.push_back(static_cast<double>(graph.times.duration[node]));
    }
    const StraightLine line = straight_line(loads, times);
    const double at_one = line.at_zero + line.slope;
    return at_one > 0 ? line.slope / at_one : 0;
}

/// Median time of the small calls that a set of ranks makes, by that set.
std::map<std::vector<std::uint32_t>, TimeNs> small_calls(const Run& run, const StepGraph& graph,
                                                         const CollectiveMatching& matching) {
    std::map<std::vector<std::uint32_t>, std::vector<TimeNs>> times;
    for (std::uint32_t t = 0; t < graph.matched.size(); ++t) {
        const MatchedCall& call = matching.matched[graph.matched[t]];
        const std::int64_t bytes = message_bytes(run, matching.call(call.members.front()));
        if (matching.groups[call.group].point_to_point || bytes == kUnknown || bytes > kSmall)
            continue;
        std::vector<std::uint32_t> ranks;
        for (const auto& member : call.members)
            ranks.push_back(member.first);
        std::ranges::sort(ranks);
        times[std::move(ranks)].push_back(graph.times.duration[graph.first_node.back() + t]);
    }
    std::map<std::vector<std::uint32_t>, TimeNs> medians;
    for (auto& [ranks, of_calls] : times)
        medians[ranks] = middle_median(std::move(of_calls));
    return medians;
}

/// By group: what a transfer takes whatever it moves, where its time follows the tokens of the busiest member: the
/// least-squares line at none.
std::map<std::uint32_t, TimeNs> time_of_no_tokens(const StepGraph& graph, const std::vector<ExpertRound>& rounds) {
    struct Transfers {
        std::vector<double> load;
        std::vector<double> time;
    };
    std::map<std::uint32_t, Transfers> groups;
    for (const ExpertRound& round : rounds)
        for (const std::uint32_t n : {round.dispatch, round.combine}) {
            groups[round.group].load.push_back(round.busiest());
            groups[round.group].time.push_back(static_cast<double>(graph.times.duration[n]));
        }
    std::map<std::uint32_t, TimeNs> result;
    for (const auto& [group, transfers] : groups) {
        const StraightLine line = straight_line(transfers.load, transfers.time);
        if (line.explains >= kExplains && line.at_zero > 0)
            result[group] = std::llround(line.at_zero);
    }
    return result;
}

void even_out(const Run& run, const StepGraph& graph, const KernelsInPlace& in_place, ExpertRound& round,
              std::vector<double>& even) {
    if (round.busiest() < kUnevenExperts)
        return;
    for (const std::uint32_t n : {round.dispatch, round.combine})
        if (const TimeNs duration = graph.times.duration[n]; duration > 0)
            even[n] = static_cast<double>(round.transfer_time(duration, 1)) / static_cast<double>(duration);
    Places places;
    collect_work(run, graph, in_place, round, places);
    for (const auto& [key, place] : places) {
        if (place.size() < 2 || follows(graph, place) < kFollows)
            continue;
        for (const auto& [load, node] : place) {
            even[node] = load > 0 ? 1 / load : 1;
            round.work.push_back(node);
        }
    }
}

} // namespace

TimeNs ExpertRound::transfer_time(TimeNs duration, double most) const {
    const TimeNs any = std::min(fixed, duration);
    return any + std::llround(static_cast<double>(duration - any) * most / busiest());
}

ExpertRounds expert_rounds(const Run& run, const StepGraph& graph, const CollectiveMatching& matching,
                           const KernelsInPlace& in_place) {
    count_work("expert_rounds");
    ExpertRounds result;
    for (const auto& [group, calls] : sized_calls(graph, matching)) {
        for (std::size_t i = 0; i + 1 < calls.size(); ++i) {
            const double total = std::accumulate(calls[i].out.begin(), calls[i].out.end(), 0.0);
            if (calls[i + 1].in != calls[i].out || total <= 0)
                continue;
            ExpertRound round{group, calls[i].node, calls[i + 1].node, {}, {}, {}, 0};
            for (std::size_t m = 0; m < calls[i].call->members.size(); ++m) {
                round.ranks.push_back(calls[i].call->members[m].first);
                round.load.push_back(calls[i].out[m] * static_cast<double>(calls[i].out.size()) / total);
            }
            result.rounds.push_back(std::move(round));
            ++i; // a call ends one round only
        }
    }
    if (!result.rounds.empty())
        result.even.assign(graph.size(), 1.0);
    const auto small =
        result.rounds.empty() ? std::map<std::vector<std::uint32_t>, TimeNs>() : small_calls(run, graph, matching);
    const auto no_tokens = time_of_no_tokens(graph, result.rounds);
    for (ExpertRound& round : result.rounds) {
        std::vector<std::uint32_t> ranks = round.ranks;
        std::ranges::sort(ranks);
        if (const auto known = small.find(ranks); known != small.end())
            round.fixed = known->second;
        else if (const auto told = no_tokens.find(round.group); told != no_tokens.end())
            round.fixed = told->second;
        even_out(run, graph, in_place, round, result.even);
    }
    return result;
}

} // namespace rankscope
