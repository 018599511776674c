// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the kernels of ranks, and the speed of stages.
#include "core/analysis/usual/peer_classes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include <tbb/parallel_for.h>

#include "core/analysis/basics/tolerance.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr double kSimilar = 0.5; ///< share of kernels that two ranks of one program have in common

using KernelCounts = std::map<NameId, std::int64_t>;

std::vector<KernelCounts> kernel_counts(const Run& run, const StepGraph& graph, const KernelsInPlace& in_place) {
    std::vector<KernelCounts> counts(run.ranks.size());
    tbb::parallel_for(std::size_t{0}, run.ranks.size(), [&](std::size_t r) {
        PlaceMap<NameId, std::int64_t> own;
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n)
            if (graph.kind[n] == NodeKind::compute)
                ++own[name_in_place(run, in_place, r, graph.event[n])];
        counts[r] = {own.begin(), own.end()};
    });
    return counts;
}

/// Kernels of two ranks.
struct InCommon {
    std::int64_t common = 0;
    std::int64_t of_a = 0;
    std::int64_t of_b = 0;

    [[nodiscard]] double of_all() const { return share(of_a + of_b - common); }
    [[nodiscard]] double of_the_fewer() const { return share(std::min(of_a, of_b)); }

private:
    [[nodiscard]] double share(std::int64_t whole) const {
        return whole == 0 ? 0 : static_cast<double>(common) / static_cast<double>(whole);
    }
};

InCommon in_common(const KernelCounts& a, const KernelCounts& b) {
    InCommon result;
    for (const auto& [name, count] : a) {
        const auto found = b.find(name);
        result.common += found == b.end() ? 0 : std::min(count, found->second);
        result.of_a += count;
    }
    for (const auto& [name, count] : b)
        result.of_b += count;
    return result;
}

/// What a rank exchanges with groups: operation, sizes and group. Empty where a size is not recorded, and where it
/// sends messages or splits a call unevenly.
using Exchanges = std::set<std::tuple<std::string_view, std::int64_t, std::int64_t, std::string_view>>;

Exchanges exchanges_of(const RankTrace& rank) {
    Exchanges exchanges;
    for (const CollectiveArgs& args : rank.collective_args) {
        if (args.in_elements < 0 || args.group < 0 || args.destination_rank >= 0 || args.source_rank >= 0)
            return {};
        exchanges.emplace(rank.names->view(args.collective), args.in_elements, args.out_elements,
                          rank.process_groups[static_cast<std::size_t>(args.group)].name);
    }
    return exchanges;
}

/// Of the calls of a kernel on a stage in a step.
struct KernelOfStage {
    TimeNs sum = 0;
    double median = std::numeric_limits<double>::max(); ///< ns, on the rank where that is least
};

/// A stage with several ranks is slower as a whole where, in a quarter of the steps or more, nearly all of its
/// computation is in kernels that take longer than on the other stages, on each of its ranks: GPUs that share a machine
/// or a power supply. More work makes more of them, or a few longer.
bool a_stage_is_slower(const Run& run, const StepGraph& graph, const std::vector<int>& stages,
                       std::span<const double> even) {
    constexpr double kNearlyAll = 0.75; ///< of the stage's computation
    constexpr std::size_t kFewest = 2;  ///< steps, of as many or more
    using OfStage = PlaceMap<NameId, KernelOfStage>;
    std::map<std::int64_t, std::map<int, OfStage>> steps; // by number, 0 without steps
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        std::map<std::int64_t, PlaceMap<NameId, std::vector<double>>> times;
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n) {
            const GraphStep* const step = graph.profiler_steps ? graph.step_of(n) : nullptr;
            if (graph.kind[n] != NodeKind::compute || (graph.profiler_steps && step == nullptr))
                continue;
            const std::int64_t number = step == nullptr ? 0 : step->number;
            const NameId name = run.ranks[r]->events.name[graph.event[n]];
            const TimeNs time = graph.times.duration[n];
            times[number][name].push_back(static_cast<double>(time) * (even.empty() ? 1 : even[n]));
            steps[number][stages[r]][name].sum += time;
        }
        for (auto& [number, of_step] : times)
            for (auto& [name, own] : of_step) {
                double& median = steps[number][stages[r]][name].median;
                median = std::min(median, middle_median(std::move(own)));
            }
    }
    std::map<int, std::size_t> slower_in; // by stage: steps
    for (const auto& [number, kernels] : steps)
        for (const auto& [stage, of_stage] : kernels) {
            TimeNs all = 0;
            TimeNs slower = 0;
            for (const auto& [name, kernel] : of_stage) {
                std::vector<double> others;
                for (const auto& [other, its] : kernels)
                    if (const auto found = its.find(name); other != stage && found != its.end())
                        others.push_back(found->second.median);
                all += kernel.sum;
                if (!others.empty() && kernel.median > (1 + kSameKernel) * middle_median(std::move(others)))
                    slower += kernel.sum;
            }
            if (slower > 0 && static_cast<double>(slower) >= kNearlyAll * static_cast<double>(all))
                ++slower_in[stage];
        }
    const std::size_t needed = std::max(std::min(kFewest, steps.size()), (steps.size() + 3) / 4);
    return std::ranges::any_of(slower_in, [&](const auto& of_stage) { return of_stage.second >= needed; });
}

} // namespace

PeerClasses peer_classes(const Run& run, const StepGraph& graph, const WorkOfSteps& work,
                         const std::vector<int>& stages, const KernelsInPlace& in_place, std::span<const double> even) {
    PeerClasses result;
    const std::size_t ranks = run.ranks.size();
    std::map<int, int> stage_size;
    for (const int stage : stages)
        ++stage_size[stage];
    result.lone_in_stage = std::ranges::any_of(
        stage_size, [](const auto& s) { return s.second == 1; });
    const bool jobs = std::ranges::any_of(
        run.ranks, [](const auto& rank) { return rank->job > 0; }); // not stages
    const bool by_stage = stages.size() == ranks && !result.lone_in_stage &&
                          std::ranges::all_of(stage_size, [](const auto& s) { return s.first >= 0; }) &&
                          !(stage_size.size() > 1 && !jobs && a_stage_is_slower(run, graph, stages, even));
    result.across_stages = !by_stage && stage_size.size() > 1 && stage_size.begin()->first >= 0;
    const auto counts = by_stage ? std::vector<KernelCounts>{} : kernel_counts(run, graph, in_place);
    std::vector<Exchanges> exchanges; // likewise
    for (std::size_t r = 0; r < ranks && !by_stage; ++r)
        exchanges.push_back(exchanges_of(*run.ranks[r]));
    const std::vector<std::uint32_t> like = ranks_of_like_work(run, graph, work);
    std::vector<std::size_t> first; // of each class
    // A rank with the same model may compute it by many more kernels than its peers.
    const auto do_the_same = [&](std::size_t a, std::size_t b) {
        const InCommon kernels = in_common(counts[a], counts[b]);
        return kernels.of_all() >= kSimilar ||
               (!exchanges[a].empty() && exchanges[a] == exchanges[b] && kernels.of_the_fewer() >= kSimilar);
    };
    const auto are_peers = [&](std::size_t a, std::size_t b) {
        return like[a] == like[b] && (by_stage ? stages[a] == stages[b] : do_the_same(a, b));
    };
    for (std::size_t r = 0; r < ranks; ++r) {
        std::size_t c = 0;
        while (c < first.size() && !are_peers(r, first[c]))
            ++c;
        if (c == first.size()) {
            first.push_back(r);
            result.class_size.push_back(0);
        }
        result.peer_class.push_back(static_cast<std::uint32_t>(c));
        ++result.class_size[c];
    }
    return result;
}

} // namespace rankscope
