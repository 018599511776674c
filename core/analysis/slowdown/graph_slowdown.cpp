// SPDX-License-Identifier: GPL-3.0-or-later
// Slowdown by stragglers, of a step graph.
#include "core/analysis/slowdown/graph_slowdown.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/collectives/parallel_dimension.h"
#include "core/analysis/graph/graph_changes.h"
#include "core/analysis/graph/group_replays.h"
#include "core/analysis/graph/step_time.h"
#include "core/analysis/usual/same_work.h"
#include "core/base/text.h"
#include "core/base/text_match.h"
#include "core/base/work_count.h"
#include "core/trace/run_settings.h"

namespace rankscope {
namespace {

/// Nodes replayed, all replays together, that an answer is worth.
constexpr double kMostReplayed = 4e9;
constexpr double kMostSimulationError = 2; ///< of what is recorded, half at least is operations
/// Stragglers cannot make a run shorter. What is left are errors of the replay.
constexpr double kLeastSlowdown = 0.98;
constexpr std::uint32_t kNoType = ~std::uint32_t{0};

/// Where each rank stands: its pipeline, and its stage.
struct GraphPlaces {
    std::vector<int> pipeline; ///< per rank
    std::vector<int> stage;
    int pipelines = 0;
    int stages = 0;
};

/// By the mesh, where it is known: the dimensions that are neither of stages nor of tensors. Else the ranks of a stage
/// are pipelines in their order.
GraphPlaces places_of(const Run& run, const std::vector<int>& stages) {
    GraphPlaces places;
    const auto mesh = mesh_of(parallelism_of(run.config), run.world_size);
    std::map<int, int> next;      // by stage
    std::map<int, int> number_of; // pipelines in order of their places
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        places.stage.push_back(r < stages.size() ? std::max(0, stages[r]) : 0);
        int pipeline = next[places.stage.back()]++;
        if (!mesh.empty()) {
            int rest = run.ranks[r]->rank;
            int factor = 1;
            pipeline = 0;
            for (auto at = mesh.rbegin(); at != mesh.rend(); ++at) {
                if (at->first != ParallelDimension::pp && at->first != ParallelDimension::tp) {
                    pipeline += rest % at->second * factor;
                    factor *= at->second;
                }
                rest /= at->second;
            }
        }
        number_of.emplace(pipeline, 0);
        places.pipeline.push_back(pipeline);
        places.stages = std::max(places.stages, places.stage.back() + 1);
    }
    for (auto& [pipeline, number] : number_of)
        number = places.pipelines++;
    for (int& pipeline : places.pipeline)
        pipeline = number_of.at(pipeline);
    return places;
}

/// Types of nodes.
class OperationTypes {
public:
    OperationTypes(const StepGraph& graph, std::span<const CommunicationNode> communication)
        : type_(graph.size(), kNoType) {
        for (std::uint32_t node = 0; node < graph.size(); ++node)
            if (const char* word = word_of(graph.kind[node]); word != nullptr)
                type_[node] = type_number(word);
        for (const CommunicationNode& node : communication)
            if (!node.lone)
                type_[node.node] = type_number(lower_case(collective_kind_word(node.kind)));
    }

    [[nodiscard]] const std::vector<std::string>& types() const { return types_; }
    [[nodiscard]] std::uint32_t type(std::uint32_t node) const { return type_[node]; }

private:
    static const char* word_of(NodeKind kind) {
        switch (kind) {
        case NodeKind::compute: return "compute";
        case NodeKind::memory_copy: return "memory-copy";
        case NodeKind::memory_set: return "memory-set";
        case NodeKind::launch:
        case NodeKind::data_loading:
        case NodeKind::garbage_collection:
        case NodeKind::allocation:
        case NodeKind::wait_begin:
        case NodeKind::wait_end:
        case NodeKind::step_begin:
        case NodeKind::step_end:
        case NodeKind::lone_communication:
        case NodeKind::message:
        case NodeKind::arrival:
        case NodeKind::transfer: break;
        }
        return nullptr;
    }

    std::uint32_t type_number(const std::string& word) {
        const auto known = std::ranges::find(types_, word);
        if (known == types_.end())
            types_.push_back(word);
        return static_cast<std::uint32_t>(std::ranges::find(types_, word) - types_.begin());
    }

    std::vector<std::string> types_;
    std::vector<std::uint32_t> type_;
};

/// Ideal times of operations.
class IdealTimes : public OperationTypes {
public:
    /// stages: as of slowdown_of_graph().
    IdealTimes(const Run& run, const StepGraph& graph, std::span<const CommunicationNode> communication,
               std::span<const int> stages)
        : OperationTypes(graph, communication), graph_(graph), duration_(graph.times.duration) {
        set_rank_times(even_times(run, graph, graph.times.duration, stages));
        const std::vector<TimeNs> transfers = usual_transfers(run, graph, communication);
        for (std::size_t i = 0; i < communication.size(); ++i)
            if (transfers[i] >= 0)
                duration_[communication[i].node] = transfers[i];
    }

    void idealise(std::uint32_t node, GraphTimes& times) const { times.duration[node] = duration_[node]; }

private:
    /// Work that is the same takes its mean, and what a rank then takes for a type in a step the mean over all ranks
    /// and steps.
    void set_rank_times(const std::vector<double>& even) {
        using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>; // type, rank, step
        struct Sum {
            double own = 0;
            double even = 0;
        };
        std::map<Key, Sum> sums;
        const auto key_of = [&](std::uint32_t node) { return Key{type(node), graph_.rank[node], graph_.step[node]}; };
        const auto even_time = [&](std::uint32_t node) {
            return even[node] >= 0 ? even[node] : static_cast<double>(graph_.times.duration[node]);
        };
        for (std::uint32_t node = 0; node < graph_.first_node.back(); ++node) {
            if (!of_ranks(node) || (graph_.profiler_steps && graph_.step[node] == kNoNode))
                continue;
            Sum& sum = sums[key_of(node)];
            sum.own += static_cast<double>(graph_.times.duration[node]);
            sum.even += even_time(node);
        }
        std::map<std::uint32_t, std::pair<double, double>> of_type; // sum, count
        for (const auto& [key, sum] : sums) {
            of_type[std::get<0>(key)].first += sum.own;
            ++of_type[std::get<0>(key)].second;
        }
        for (std::uint32_t node = 0; node < graph_.first_node.back(); ++node) {
            const auto sum = of_ranks(node) ? sums.find(key_of(node)) : sums.end();
            if (sum == sums.end() || sum->second.even <= 0)
                continue;
            const auto& [all, count] = of_type.at(type(node));
            const double factor = all / count / sum->second.even;
            duration_[node] = std::llround(even_time(node) * factor);
        }
    }

    /// What a rank does, not a message that it sends.
    [[nodiscard]] bool of_ranks(std::uint32_t node) const {
        return type(node) != kNoType && graph_.kind[node] != NodeKind::message;
    }

    const StepGraph& graph_;
    std::vector<TimeNs> duration_;
};

/// No launch delays: the host takes no time, and GPU work starts when what it waits for has ended.
GraphTimes without_delays(const StepGraph& graph) {
    GraphTimes times = graph.times;
    for (std::uint32_t node = 0; node < graph.size(); ++node) {
        if (graph.kind[node] == NodeKind::transfer)
            continue;
        if (!is_gpu_node(graph.kind[node]))
            times.duration[node] = 0;
        for (std::uint32_t e = graph.first_edge[node]; e < graph.first_edge[node + 1]; ++e)
            times.lag[e] = std::min<TimeNs>(times.lag[e], 0);
    }
    return times;
}

} // namespace

std::vector<std::string> operation_types(const StepGraph& graph, std::span<const CommunicationNode> communication) {
    return OperationTypes(graph, communication).types();
}

void idealise_operations(const Run& run, const StepGraph& graph, std::span<const CommunicationNode> communication,
                         const std::vector<int>& stages, std::string_view type, GraphTimes& times) {
    const IdealTimes ideal(run, graph, communication, stages);
    for (std::uint32_t node = 0; node < graph.size(); ++node)
        if (ideal.type(node) != kNoType && ideal.types()[ideal.type(node)] == type)
            ideal.idealise(node, times);
}

StragglerSlowdown slowdown_of_graph(const Run& run, const StepGraph& graph, bool threads_in_parallel,
                                    const CollectiveMatching& matching,
                                    std::span<const CommunicationNode> communication, const std::vector<int>& stages) {
    count_work("slowdown_of_graph");
    StragglerSlowdown result;
    if (graph.size() == 0 || graph.matched.empty()) {
        result.unavailable = graph.size() == 0 ? "needs a step graph: GPU work inside the selected steps"_text
                                               : "needs collectives or messages that join two ranks at least"_text;
        return result;
    }
    if (!graph.partners_known()) {
        result.unavailable = "of %1 % of the time of communication it is not known which ranks it joins"_text(
            fmt::format("{:.0f}", 100 * graph.without_partners));
        return result;
    }
    if (threads_in_parallel) {
        result.unavailable =
            "threads of a rank call the GPU side by side, which a replay of the run cannot tell apart"_text;
        return result;
    }
    const GraphPlaces places = places_of(run, stages);
    const IdealTimes ideal(run, graph, communication, stages);
    const std::size_t replays =
        4 + ideal.types().size() + static_cast<std::size_t>(places.pipelines) + static_cast<std::size_t>(places.stages);
    if (static_cast<double>(replays) * graph.size() > kMostReplayed) {
        result.unavailable = "the run is too large to be replayed once for each of its data-parallel ranks; choose "
                             "fewer steps"_text;
        return result;
    }
    const GraphTimes own = without_delays(graph);
    GraphTimes all_ideal = own;
    for (std::uint32_t node = 0; node < graph.size(); ++node)
        if (ideal.type(node) != kNoType)
            ideal.idealise(node, all_ideal);
    // Which ranks a node's time is the own one of: those of a transfer are its members.
    const auto members_of = [&](std::uint32_t node) -> const MatchedCall& {
        return matching.matched[graph.matched[node - graph.first_node.back()]];
    };
    const auto all_members = [&](std::uint32_t node, const auto& is_one) -> bool {
        if (graph.kind[node] != NodeKind::transfer)
            return is_one(graph.rank[node]);
        return std::ranges::all_of(members_of(node).members, [&](const auto& member) { return is_one(member.first); });
    };
    using Chosen = std::function<bool(std::uint32_t node)>;
    const MeanStepTime mean(graph);
    // Step times where the nodes of one group take their own time, all others the ideal one.
    const auto own_of_groups = [&](std::size_t groups, auto&& group) {
        std::vector<std::int32_t> group_of(graph.size(), kNoGroupOfNodes);
        for (std::uint32_t node = 0; node < graph.size(); ++node)
            if (ideal.type(node) != kNoType)
                group_of[node] = group(node);
        return step_times_by_group(graph, mean, all_ideal, own.duration, group_of, groups);
    };
    const auto place_of = [&](const std::vector<int>& place) {
        return [&](std::uint32_t node) -> std::int32_t {
            const bool is_transfer = graph.kind[node] == NodeKind::transfer;
            const int of_first = place[is_transfer ? members_of(node).members.front().first : graph.rank[node]];
            return all_members(node, [&](std::uint32_t r) { return place[r] == of_first; }) ? of_first
                                                                                            : kNoGroupOfNodes;
        };
    };
    const auto pipelines = static_cast<std::size_t>(places.pipelines);
    const auto stage_count = static_cast<std::size_t>(places.stages);
    const std::vector<double> of_types = own_of_groups(
        ideal.types().size(), [&](std::uint32_t node) { return static_cast<std::int32_t>(ideal.type(node)); });
    const std::vector<double> of_pipelines = own_of_groups(pipelines, place_of(places.pipeline));
    const auto stage_of = place_of(places.stage);
    const std::vector<double> of_stages = own_of_groups(stage_count, stage_of);
    result.measured = mean_step_time(graph, graph.start, graph.times);
    result.no_delay = mean.predicted(own);
    result.ideal = mean.predicted(all_ideal);
    if (!(result.ideal > 0) || !(result.no_delay > 0)) {
        result.unavailable = "the steps take no time"_text;
        return result;
    }
    if (const double error = result.simulation_error(); error > kMostSimulationError) {
        result = {};
        result.unavailable = "delays between operations are %1 % of a step; the operations alone say "
                             "little of it"_text(fmt::format("{:.0f}", 100 * (1 - 1 / error)));
        return result;
    }
    if (const double slowdown = result.slowdown(); slowdown < kLeastSlowdown) {
        result = {};
        result.unavailable = "a replay without stragglers takes %1 % longer than the run, so it does not describe the "
                             "run"_text(fmt::format("{:.0f}", 100 * (1 / slowdown - 1)));
        return result;
    }
    for (std::size_t type = 0; type < of_types.size(); ++type)
        result.by_operation.push_back({ideal.types()[type], -1, of_types[type] / result.ideal});
    for (std::size_t p = 0; p < pipelines; ++p)
        result.by_dp_rank.push_back({{}, static_cast<int>(p), of_pipelines[p] / result.ideal});
    for (std::size_t s = 0; s < stage_count; ++s)
        result.by_stage.push_back({{}, static_cast<int>(s), of_stages[s] / result.ideal});
    std::ranges::stable_sort(result.by_operation, std::ranges::greater{}, &GroupSlowdown::slowdown);
    std::map<std::pair<int, int>, std::uint32_t> first_rank; // of a worker
    for (std::uint32_t r = 0; r < run.ranks.size(); ++r)
        first_rank.emplace(std::pair{places.pipeline[r], places.stage[r]}, r);
    for (const auto& [place, rank] : first_rank)
        result.by_worker.push_back({place.first, place.second, rank,
                                    std::min(result.by_dp_rank[static_cast<std::size_t>(place.first)].slowdown,
                                             result.by_stage[static_cast<std::size_t>(place.second)].slowdown)});
    std::vector<std::uint32_t> order(result.by_worker.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t w) {
        return std::tuple(-result.by_worker[w].slowdown, run.ranks[result.by_worker[w].rank]->rank);
    });
    order.resize((order.size() * kSlowestPercent + 99) / 100);
    result.slowest_workers = order;
    const double lost = result.no_delay - result.ideal;
    if (!(result.slowdown() >= kLeastExplained))
        return result;
    const auto without = [&](Chosen chosen) {
        GraphTimes changed = own;
        for (std::uint32_t node = 0; node < graph.size(); ++node)
            if (ideal.type(node) != kNoType && chosen(node))
                ideal.idealise(node, changed);
        return mean.predicted(changed);
    };
    std::vector<bool> slow(run.ranks.size());
    for (std::uint32_t r = 0; r < run.ranks.size(); ++r)
        slow[r] = std::ranges::any_of(
            result.slowest_workers,
            [&](std::uint32_t w) {
                return result.by_worker[w].dp_rank == places.pipeline[r] &&
                       result.by_worker[w].stage == places.stage[r];
            });
    result.m_w = (result.no_delay - without([&](std::uint32_t node) {
                      return all_members(
                          node, [&](std::uint32_t r) -> bool { return slow[r]; });
                  })) /
                 lost;
    result.m_s =
        (result.no_delay - without([&](std::uint32_t node) { return stage_of(node) == places.stages - 1; })) / lost;
    return result;
}

} // namespace rankscope
