// SPDX-License-Identifier: GPL-3.0-or-later
// Compares work in the same place on different ranks.
#include "core/analysis/usual/peer_times.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include <tbb/parallel_for.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/graph/beside.h"
#include "core/analysis/graph/graph_changes.h"
#include "core/analysis/graph/step_ranges.h"
#include "core/analysis/usual/aligned_kernels.h"
#include "core/analysis/usual/as_fast.h"
#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

constexpr double kOfSpread = 3;       ///< times how far the fast ones differ
constexpr double kSimilar = 0.5;      ///< share of kernels that two ranks of one program have in common
constexpr double kMostOfLater = 0.95; ///< of the kernels of later steps: what more is, is more than they scatter

bool is_compared(NodeKind kind) {
    switch (kind) {
    case NodeKind::launch:
    case NodeKind::wait_begin:
    case NodeKind::wait_end:
    case NodeKind::data_loading:
    case NodeKind::garbage_collection:
    case NodeKind::allocation:
    case NodeKind::compute:
    case NodeKind::memory_copy:
    case NodeKind::memory_set: return true;
    default: return false;
    }
}

/// The host's own time before these is compared apart from what they take themselves.
bool has_time_before(NodeKind kind) {
    return kind == NodeKind::step_begin || kind == NodeKind::step_end || kind == NodeKind::data_loading ||
           kind == NodeKind::garbage_collection || kind == NodeKind::allocation;
}

/// Launches are told apart by what they launch: inserted ones then shift no others.
TimeNs time_of(const StepGraph& graph, const GraphTimes& times, std::uint32_t n) {
    const NodeKind kind = graph.kind[n];
    return kind == NodeKind::launch || kind == NodeKind::wait_begin ? host_time(graph, times, n) : times.duration[n];
}

TimeNs time_of(const StepGraph& graph, std::uint32_t n) { return time_of(graph, graph.times, n); }

NameId name_of(const RankTrace& trace, NodeKind kind, EventIndex event) {
    return trace.events.name[kind == NodeKind::launch ? trace.events.link[event] : event];
}

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

void classify(const Run& run, const StepGraph& graph, const WorkOfSteps& work, const std::vector<int>& stages,
              const KernelsInPlace& in_place, std::span<const double> even, PeerTimes& result) {
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
}

struct Placed {
    std::uint32_t node = 0;
    std::uint32_t place = 0;
    TimeNs value = 0;
    bool before = false; ///< the time before the node
};

/// Gives each place of one step a number: a class of peers, a name and kind, the n-th of them on its rank.
class PlacesOfClasses {
public:
    explicit PlacesOfClasses(std::size_t classes) : of_class_(classes) {}

    /// Nodes of a rank one after the other. key: name and kind.
    std::uint32_t place_of(std::uint32_t peer_class, std::uint32_t rank, std::uint64_t key) {
        Same& same = of_class_[peer_class][key];
        if (same.rank != rank) {
            same.rank = rank;
            same.next = 0;
        }
        return place_at(peer_class, key, same.next++);
    }
    /// index: which of its places.
    std::uint32_t place_at(std::uint32_t peer_class, std::uint64_t key, std::size_t index) {
        std::vector<std::uint32_t>& places = of_class_[peer_class][key].places;
        while (places.size() <= index)
            places.push_back(count_++);
        return places[index];
    }
    [[nodiscard]] std::uint32_t count() const { return count_; }

private:
    struct Same {
        std::uint32_t rank = kNoNode; ///< the last that had it
        std::uint32_t next = 0;       ///< how many of them it had
        std::vector<std::uint32_t> places;
    };
    std::vector<NumberMap<std::uint64_t, Same>> of_class_;
    std::uint32_t count_ = 0;
};

/// A call that blocks the host, and what was launched before it.
struct Wait {
    std::uint32_t node = 0;
    NameId after = 0;             ///< the kernel that was launched last
    std::uint32_t occurrence = 0; ///< which of that name in the step
};

/// Which of the reference's waits each of a rank's own is: the longest common sequence, by what was launched before
/// each. Those that the reference does not have come after its own, in their order.
std::vector<std::size_t> align_waits(const std::vector<Wait>& own, const std::vector<Wait>& reference) {
    constexpr std::size_t kMost = 4'000'000; ///< pairs
    std::vector<std::size_t> aligned(own.size());
    std::iota(aligned.begin(), aligned.end(), std::size_t{0});
    if (own.size() * reference.size() > kMost)
        return aligned;
    // As many as possible, those after the same kernel first.
    const auto likeness = [&](std::size_t i, std::size_t j) {
        const bool same = own[i].after == reference[j].after;
        return same && own[i].occurrence == reference[j].occurrence ? 8 : same ? 6 : 1;
    };
    const std::size_t columns = reference.size() + 1;
    std::vector<int> best((own.size() + 1) * columns); // of what comes after both
    for (std::size_t i = own.size(); i-- > 0;)
        for (std::size_t j = reference.size(); j-- > 0;)
            best[i * columns + j] = std::max({best[(i + 1) * columns + j], best[i * columns + j + 1],
                                              best[(i + 1) * columns + j + 1] + likeness(i, j)});
    std::size_t additional = reference.size();
    std::size_t j = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
        while (j < reference.size() && best[i * columns + j] == best[i * columns + j + 1])
            ++j;
        const bool matched =
            j < reference.size() && best[i * columns + j] == best[(i + 1) * columns + j + 1] + likeness(i, j);
        aligned[i] = matched ? j++ : additional++;
    }
    return aligned;
}

class PeerComparison {
public:
    PeerComparison(const Run& run, const StepGraph& graph, const KernelsInPlace& in_place, std::span<const double> even,
                   std::span<const float> beside, bool cut, PeerTimes& result)
        : run_(run), graph_(graph), in_place_(in_place), even_(even), beside_(beside), cut_(cut), result_(result) {}

    void run() {
        if (result_.across_stages)
            aligned_ = aligned_kernels(run_, graph_, in_place_, result_.peer_class);
        // Nodes by step number, each rank's in order of time.
        std::map<std::int64_t, std::vector<std::uint32_t>> by_step;
        std::vector<std::vector<std::int64_t>> number(run_.ranks.size());
        for (const GraphStep& step : graph_.steps) {
            number[step.rank].push_back(step.number);
            by_step[step.number];
            std::vector<std::uint32_t>& members = members_[step.number];
            members.resize(result_.class_size.size());
            ++members[result_.peer_class[step.rank]];
        }
        std::vector<std::pair<std::span<const std::uint32_t>, std::vector<std::uint32_t>*>> target;
        std::vector<std::uint32_t>* nodes_of_step = nullptr;
        std::uint32_t last_rank = kNoNode;
        std::uint32_t last_step = kNoNode;
        for (std::uint32_t n = 0; n + 1 <= graph_.first_node.back(); ++n) {
            if (!(is_compared(graph_.kind[n]) || has_time_before(graph_.kind[n])) || graph_.event[n] == kNoEvent)
                continue;
            const std::uint32_t rank = graph_.rank[n];
            const std::uint32_t step = graph_.profiler_steps ? graph_.step[n] : 0;
            if (step == kNoNode || step >= number[rank].size())
                continue;
            if (rank != last_rank || step != last_step) {
                last_rank = rank;
                last_step = step;
                nodes_of_step = &by_step[number[rank][step]];
            }
            nodes_of_step->push_back(n);
        }
        for (auto& [step, nodes] : by_step)
            target.emplace_back(members_[step], &nodes);
        sums_.resize(run_.ranks.size());
        const auto compare_all = [&] {
            surplus_.assign(graph_.size(), 0);
            estimated_.assign(beside_.size(), 0);
            tbb::parallel_for(std::size_t{0}, target.size(),
                              [&](std::size_t i) { compare(target[i].first, *target[i].second); });
        };
        compare_all();
        if (result_.across_stages ? find_slow_steps() : find_fast_ranks())
            compare_all();
        result_.surplus.assign(surplus_.begin(), surplus_.end());
        result_.estimated.assign(estimated_.begin(), estimated_.end());
        compare_by_ratio();
    }

private:
    static constexpr std::uint64_t kBefore = 0x80;                    ///< no NodeKind has this bit
    static constexpr std::uint64_t kAligned = std::uint64_t{1} << 63; ///< of no name

    /// members: ranks of each class that have the step.
    void compare(std::span<const std::uint32_t> members, std::vector<std::uint32_t>& nodes) {
        if (cut_ && !graph_.profiler_steps)
            drop_uneven(members, nodes);
        std::vector<Placed> placed;
        placed.reserve(nodes.size());
        PlacesOfClasses places(result_.class_size.size());
        const PlaceMap<std::uint32_t, std::size_t> waits = unequal_waits(members, nodes);
        for (const std::uint32_t n : nodes) {
            const std::uint32_t rank = graph_.rank[n];
            const NodeKind kind = graph_.kind[n];
            const std::uint64_t key = key_of(n);
            if (is_compared(kind)) {
                const auto wait = waits.find(n);
                const std::uint32_t place = wait == waits.end()
                                                ? places.place_of(result_.peer_class[rank], rank, key)
                                                : places.place_at(result_.peer_class[rank], key, wait->second);
                placed.push_back({n, place, if_even(time_of(graph_, n), n), false});
            }
            if (const std::uint32_t edge = has_time_before(kind) ? host_edge(graph_, n) : kNoNode; edge != kNoNode)
                placed.push_back(
                    {n, places.place_of(result_.peer_class[rank], rank, key | kBefore), graph_.times.lag[edge], true});
        }
        // By place, each in order of rank.
        std::vector<std::uint32_t> end(places.count() + 1);
        for (const Placed& one : placed)
            ++end[one.place + 1];
        std::partial_sum(end.begin(), end.end(), end.begin());
        std::vector<Placed> sorted(placed.size());
        std::vector<std::uint32_t> next(end.begin(), end.end() - 1);
        for (const Placed& one : placed)
            sorted[next[one.place]++] = one;
        std::vector<Computed> sums(sums_.size());
        for (std::uint32_t place = 0; place < places.count(); ++place)
            settle(members, std::span(sorted).subspan(end[place], end[place + 1] - end[place]), sums);
        {
            const std::scoped_lock lock(mutex_);
            for (std::size_t r = 0; r < sums.size(); ++r) {
                sums_[r].own += sums[r].own;
                sums_[r].of_all += sums[r].of_all;
            }
        }
        if (!graph_.profiler_steps)
            drop_cut_off(nodes);
    }

    /// Of waits of a name that the ranks of a class have unequally many of: the place of each among them. The
    /// additional ones of a rank may come before those that its peers have as well.
    [[nodiscard]] PlaceMap<std::uint32_t, std::size_t> unequal_waits(std::span<const std::uint32_t> members,
                                                                     const std::vector<std::uint32_t>& nodes) const {
        using WaitsByRank = std::map<std::uint32_t, std::vector<Wait>>;
        std::map<std::pair<std::uint32_t, std::uint64_t>, WaitsByRank> waits; // by class, name and kind
        PlaceMap<NameId, std::uint32_t> launched;
        NameId after = 0;
        std::uint32_t last_rank = kNoNode;
        for (const std::uint32_t n : nodes) {
            const std::uint32_t rank = graph_.rank[n];
            if (std::exchange(last_rank, rank) != rank) {
                launched.clear();
                after = 0;
            }
            const EventTable& events = run_.ranks[rank]->events;
            const NodeKind kind = graph_.kind[n];
            if (kind == NodeKind::launch && events.kind[events.link[graph_.event[n]]] == EventKind::kernel) {
                after = events.name[events.link[graph_.event[n]]];
                ++launched[after];
            } else if (kind == NodeKind::wait_begin || kind == NodeKind::wait_end) {
                waits[{result_.peer_class[rank], key_of(n)}][rank].push_back({n, after, launched[after]});
            }
        }
        PlaceMap<std::uint32_t, std::size_t> result;
        for (const auto& [place, by_rank] : waits) {
            std::vector<std::pair<std::size_t, std::uint32_t>> counts; // of the ranks that have any
            for (const auto& [rank, own] : by_rank)
                counts.emplace_back(own.size(), rank);
            std::ranges::sort(counts);
            const std::size_t without = members[place.first] - counts.size();
            const std::size_t middle = (members[place.first] - 1) / 2;
            if (middle < without || (without == 0 && counts.front().first == counts.back().first))
                continue;
            const std::vector<Wait>& reference = by_rank.at(counts[middle - without].second);
            for (const auto& [rank, own] : by_rank) {
                const std::vector<std::size_t> aligned = align_waits(own, reference);
                for (std::size_t i = 0; i < own.size(); ++i)
                    result[own[i].node] = aligned[i];
            }
        }
        return result;
    }

    /// A rank's computation, and the median of its class in the same places.
    struct Computed {
        TimeNs own = 0;
        TimeNs of_all = 0;
    };

    /// Where no more than half of the ranks of a class, but a third, are clearly faster than the others, the median of
    /// all is one of the slow ones, or between both.
    bool find_fast_ranks() {
        fast_.assign(sums_.size(), false);
        for (std::uint32_t c = 0; c < result_.class_size.size(); ++c) {
            std::vector<std::pair<double, std::size_t>> speeds; // ascending: fast ones first
            for (std::size_t r = 0; r < sums_.size(); ++r)
                if (result_.peer_class[r] == c && sums_[r].of_all > 0)
                    speeds.emplace_back(static_cast<double>(sums_[r].own) / static_cast<double>(sums_[r].of_all), r);
            std::ranges::sort(speeds);
            for (std::size_t fast = 2; 2 * fast <= speeds.size(); ++fast) {
                const double gap = speeds[fast].first / speeds[fast - 1].first - 1;
                const double spread = speeds[fast - 1].first / speeds.front().first - 1;
                if (3 * fast < speeds.size() || gap < kSameKernel || gap < kOfSpread * spread)
                    continue;
                for (std::size_t i = 0; i < fast; ++i)
                    fast_[speeds[i].second] = true;
                result_.two_speeds = true;
                break;
            }
        }
        return result_.two_speeds;
    }

    /// Of stages that are compared with each other: the steps of a rank in which most of its kernels take longer than
    /// on the others. With two of four slow, the median of the others is the slower one of those that are not.
    bool find_slow_steps() {
        std::map<RankStep, std::vector<double>> ratios;
        for (std::uint32_t n = 0; n < graph_.first_node.back(); ++n)
            if (graph_.kind[n] == NodeKind::compute && result_.expected[n] > 0)
                ratios[rank_step(n)].push_back(static_cast<double>(graph_.times.duration[n]) /
                                               static_cast<double>(result_.expected[n]));
        for (auto& [of, own] : ratios)
            if (middle_median(std::move(own)) > 1 + kSameKernel)
                slow_.insert(of);
        return !slow_.empty();
    }

    using RankStep = std::pair<std::uint32_t, std::uint32_t>;
    [[nodiscard]] RankStep rank_step(std::uint32_t n) const { return {graph_.rank[n], graph_.step[n]}; }
    [[nodiscard]] bool is_fast(std::uint32_t n) const {
        return result_.across_stages ? !slow_.contains(rank_step(n)) : fast_[graph_.rank[n]];
    }

    /// Leaves work of which all ranks of a class have as much.
    void drop_uneven(std::span<const std::uint32_t> members, std::vector<std::uint32_t>& nodes) const {
        std::map<std::pair<std::uint32_t, std::uint64_t>, std::map<std::uint32_t, std::int64_t>> counts;
        const auto of_class = [&](std::uint32_t n) { return std::pair(result_.peer_class[graph_.rank[n]], key_of(n)); };
        for (const std::uint32_t n : nodes)
            ++counts[of_class(n)][graph_.rank[n]];
        std::erase_if(nodes, [&](std::uint32_t n) {
            const auto& by_rank = counts.at(of_class(n));
            return by_rank.size() < members[of_class(n).first] ||
                   std::ranges::any_of(by_rank, [&](const auto& own) { return own.second != by_rank.begin()->second; });
        });
    }

    /// The recording of the rank holds more repetitions than that of a peer.
    [[nodiscard]] bool is_recorded_longer(std::uint32_t rank) const {
        constexpr double kNoLonger = 0.1;
        for (std::uint32_t r = 0; r < graph_.repetitions_of.size(); ++r)
            if (result_.peer_class[r] == result_.peer_class[rank] &&
                graph_.repetitions_of[rank] > graph_.repetitions_of[r] + kNoLonger)
                return true;
        return false;
    }

    /// Without steps the recordings of ranks start and end at other points of a repetition: what a rank does not have
    /// more of in nearly each of them was cut off elsewhere, and so may be all that a longer recording has more.
    void drop_cut_off(const std::vector<std::uint32_t>& nodes) {
        std::vector<bool> longer;
        for (std::uint32_t r = 0; r < graph_.repetitions_of.size(); ++r)
            longer.push_back(is_recorded_longer(r));
        std::map<std::pair<std::uint32_t, std::uint64_t>, std::int64_t> more;
        for (const std::uint32_t n : nodes)
            if (surplus_[n] != 0)
                ++more[{graph_.rank[n], key_of(n)}];
        for (const std::uint32_t n : nodes) {
            const std::uint32_t rank = graph_.rank[n];
            if (surplus_[n] != 0 && (longer[rank] || more[{rank, key_of(n)}] + 1 < graph_.repetitions)) {
                surplus_[n] = 0;
                result_.expected[n] = -1;
            }
        }
    }

    /// Name and kind; of aligned kernels, where they belong.
    [[nodiscard]] std::uint64_t key_of(std::uint32_t n) const {
        const NodeKind kind = graph_.kind[n];
        if (!aligned_.empty() && aligned_[n] != kNotAligned)
            return kAligned | aligned_[n];
        const std::uint32_t rank = graph_.rank[n];
        const EventIndex event =
            kind == NodeKind::launch ? run_.ranks[rank]->events.link[graph_.event[n]] : graph_.event[n];
        return std::uint64_t{name_in_place(run_, in_place_, rank, event)} << 8 | static_cast<std::uint64_t>(kind);
    }

    [[nodiscard]] TimeNs if_even(TimeNs time, std::uint32_t node) const {
        return even_.empty() ? time : std::llround(static_cast<double>(time) * even_[node]);
    }

    /// Work in one place on the ranks of one class that have it.
    void settle(std::span<const std::uint32_t> of_classes, std::span<const Placed> same, std::vector<Computed>& sums) {
        const std::uint32_t members = of_classes[result_.peer_class[graph_.rank[same.front().node]]];
        if (members < 2)
            return;
        if (2 * (same.size() - 1) < members - 1) { // most peers have nothing in this place
            // Other stages run other kernels, and one of them may read the loss; allocations and collections are no
            // stage's own.
            const NodeKind kind = graph_.kind[same.front().node];
            const bool of_the_stage = kind != NodeKind::allocation && kind != NodeKind::garbage_collection;
            if (same.front().before || (result_.across_stages && of_the_stage))
                return;
            for (const Placed& one : same) {
                result_.expected[one.node] = 0;
                surplus_[one.node] = 1;
            }
            return;
        }
        if (same.size() < 2)
            return;
        std::vector<TimeNs> values;
        values.reserve(same.size());
        for (const Placed& one : same)
            values.push_back(one.value);
        std::sort(values.begin(), values.end());
        const bool computes = graph_.kind[same.front().node] == NodeKind::compute;
        const auto of_all = std::llround(middle_of_sorted(values));
        std::vector<TimeNs> fast; // values of fast ranks, ascending
        for (const Placed& one : same) {
            if (computes) {
                sums[graph_.rank[one.node]].own += one.value;
                sums[graph_.rank[one.node]].of_all += of_all;
            }
            if (computes && (result_.two_speeds || !slow_.empty()) && is_fast(one.node))
                fast.push_back(one.value);
        }
        std::sort(fast.begin(), fast.end());
        const bool states_differ =
            computes && std::ranges::any_of(same, [&](const Placed& one) {
                return state_of(one.node) == Beside::partly || state_of(one.node) != state_of(same.front().node);
            });
        const auto alone = states_differ ? values_of(Beside::nothing, same) : std::vector<TimeNs>{};
        const auto beside = states_differ ? values_of(Beside::wholly, same) : std::vector<TimeNs>{};
        for (const Placed& one : same) {
            const Beside state = state_of(one.node);
            const std::vector<TimeNs>& of_state = state == Beside::nothing ? alone : beside;
            // Of peers in another state it is an estimate what they would take in this one.
            const bool enough = state != Beside::partly && !of_state.empty() && 2 * of_state.size() > same.size();
            if (states_differ && !enough)
                estimated_[one.node] = 1;
            const std::vector<TimeNs>& alike = states_differ && enough ? of_state : values;
            const TimeNs expected = fast.size() < 2     ? middle_median_of_others(alike, one.value)
                                    : is_fast(one.node) ? middle_median_of_others(fast, one.value)
                                                        : std::llround(middle_of_sorted(fast));
            if (one.before) {
                result_.expected_before[one.node] = expected;
                continue;
            }
            result_.expected[one.node] =
                even_.empty() ? expected : std::llround(static_cast<double>(expected) / even_[one.node]);
        }
    }

    [[nodiscard]] Beside state_of(std::uint32_t n) const {
        return beside_.empty() ? Beside::nothing : beside_by_share(beside_[n]);
    }

    /// Of the values of a place those of one state, ascending.
    [[nodiscard]] std::vector<TimeNs> values_of(Beside state, std::span<const Placed> same) const {
        std::vector<TimeNs> values;
        for (const Placed& one : same)
            if (state_of(one.node) == state)
                values.push_back(one.value);
        std::ranges::sort(values);
        return values;
    }

    /// Computation that no peer ran in the same state differs from theirs as far as both tell: the estimate of what it
    /// would take in their state, and the rank's other kernels of that name in the step (on median), where these are
    /// enough.
    void compare_by_ratio() {
        if (std::ranges::find(estimated_, 1) == estimated_.end())
            return;
        tbb::parallel_for(std::size_t{0}, run_.ranks.size(), [&](std::size_t r) {
            PlaceMap<std::uint64_t, std::vector<double>> ratios; // to what is expected, by step and name
            const auto key = [&](std::uint32_t n) {
                return std::uint64_t{graph_.step[n]} << 32 | run_.ranks[r]->events.name[graph_.event[n]];
            };
            const auto has_expected = [&](std::uint32_t n) {
                return graph_.kind[n] == NodeKind::compute && result_.expected[n] > 0 && surplus_[n] == 0;
            };
            for (std::uint32_t n = graph_.first_gpu_node[r]; n < graph_.first_node[r + 1]; ++n)
                if (has_expected(n) && estimated_[n] == 0)
                    ratios[key(n)].push_back(static_cast<double>(graph_.times.duration[n]) /
                                             static_cast<double>(result_.expected[n]));
            PlaceMap<std::uint64_t, double> usual_ratio;
            for (auto& [of, values] : ratios)
                if (values.size() >= kFewestForRatio)
                    usual_ratio[of] = middle_median(std::move(values));
            for (std::uint32_t n = graph_.first_gpu_node[r]; n < graph_.first_node[r + 1]; ++n)
                if (has_expected(n) && estimated_[n] != 0)
                    if (const auto ratio = usual_ratio.find(key(n)); ratio != usual_ratio.end() && ratio->second > 0) {
                        const TimeNs duration = graph_.times.duration[n];
                        const TimeNs by_ratio = std::llround(static_cast<double>(duration) / ratio->second);
                        const auto [least, most] = std::minmax(result_.expected[n], by_ratio);
                        result_.expected[n] = std::clamp(duration, least, most);
                    }
        });
    }

    const Run& run_;
    const StepGraph& graph_;
    const KernelsInPlace& in_place_;
    std::span<const double> even_;
    std::span<const float> beside_;
    bool cut_;
    PeerTimes& result_;
    std::vector<std::uint64_t> aligned_; ///< of aligned_kernels(), where stages are compared
    std::mutex mutex_;
    std::vector<Computed> sums_;                                 ///< per rank
    std::vector<bool> fast_;                                     ///< per rank; where two_speeds
    std::set<RankStep> slow_;                                    ///< of find_slow_steps()
    std::map<std::int64_t, std::vector<std::uint32_t>> members_; ///< by step number: ranks of each class that have it
    std::vector<char> surplus_;                                  ///< written by several threads, so no bits
    std::vector<char> estimated_; ///< likewise: computation whose peers were not in its state
};

/// Of ranks that are compared with other stages, those whose kernels are not nearly all slower or faster than there
/// keep nothing to be compared with: an embedding or a head makes a few of their kernels longer, which is no fault.
/// Kernels of one name that are nearly all slower keep it: a head has that name in a few of its places only. They must
/// be many and much of the work, because an optimizer that has an embedding to update takes longer as well. All of that
/// in each step by itself. What keeps it and is many is slower by the same factor: a head shifts the places of a name,
/// and its last ones have no peer.
void drop_uneven_stages(const Run& run, const StepGraph& graph, PeerTimes& result) {
    constexpr std::size_t kMany = 8; ///< calls a step
    constexpr double kMuch = 0.1;    ///< of the rank's computation
    struct OfName {
        std::vector<double> ratios;
        TimeNs time = 0;
        double factor = 0; ///< times what others take; 0: not compared
        bool many = false;
    };
    struct OfStep {
        std::vector<double> ratios;
        TimeNs time = 0;
        bool all_slower = false;
        PlaceMap<NameId, OfName> names;
    };
    const auto repeated = static_cast<std::size_t>(graph.profiler_steps ? 1 : graph.repetitions);
    tbb::parallel_for(std::size_t{0}, result.peer_class.size(), [&](std::size_t r) {
        PlaceMap<std::uint32_t, OfStep> steps;
        const auto& names = run.ranks[r]->events.name;
        const auto step_of = [&](std::uint32_t n) { return graph.profiler_steps ? graph.step[n] : 0; };
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n) {
            if (graph.kind[n] != NodeKind::compute || result.expected[n] <= 0)
                continue;
            OfStep& step = steps[step_of(n)];
            OfName& same = step.names[names[graph.event[n]]];
            const double ratio = static_cast<double>(graph.times.duration[n]) / static_cast<double>(result.expected[n]);
            step.ratios.push_back(ratio);
            same.ratios.push_back(ratio);
            step.time += graph.times.duration[n];
            same.time += graph.times.duration[n];
        }
        for (auto& [number, step] : steps) {
            step.all_slower = middle_median(std::move(step.ratios)) > 1 + kSameKernel;
            for (auto& [name, same] : step.names) {
                const std::size_t count = same.ratios.size();
                same.many = count >= kMany * repeated;
                const bool much = static_cast<double>(same.time) >= kMuch * static_cast<double>(step.time);
                if (step.all_slower || (same.many && much && nth_value(same.ratios, count / 4) > 1 + kSameKernel))
                    same.factor = middle_median(std::move(same.ratios));
            }
        }
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n) {
            const auto step = steps.find(step_of(n));
            const OfName* same = nullptr;
            if (step != steps.end() && graph.kind[n] == NodeKind::compute)
                if (const auto found = step->second.names.find(names[graph.event[n]]);
                    found != step->second.names.end() && found->second.factor > 0)
                    same = &found->second;
            if (same != nullptr && same->many)
                result.expected[n] = std::llround(static_cast<double>(graph.times.duration[n]) / same->factor);
            else if (same == nullptr && (step == steps.end() || !step->second.all_slower))
                result.expected[n] = -1;
        }
    });
}

/// The first step of every rank, one after the other.
std::vector<const GraphStep*> first_steps(const StepGraph& graph) {
    std::vector<const GraphStep*> first;
    for (const GraphStep& step : graph.steps)
        if (graph.profiler_steps && step.begin != kNoNode && (first.empty() || first.back()->rank != step.rank))
            first.push_back(&step);
    return first;
}

TimeNs earliest_begin(const StepGraph& graph) {
    TimeNs earliest = std::numeric_limits<TimeNs>::max();
    for (const GraphStep* step : first_steps(graph))
        earliest = std::min(earliest, graph.start[step->begin]);
    return earliest;
}

/// Ranks whose recordings start with the same step.
void compare_begins(const StepGraph& graph, PeerTimes& result) {
    const TimeNs earliest = earliest_begin(graph);
    std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<TimeNs>> begins; // by class, step number
    const auto key = [&](const GraphStep& step) { return std::pair(result.peer_class[step.rank], step.number); };
    for (const GraphStep* step : first_steps(graph))
        begins[key(*step)].push_back(graph.start[step->begin] - earliest);
    for (auto& [same, times] : begins)
        std::sort(times.begin(), times.end());
    for (const GraphStep* step : first_steps(graph))
        if (const std::vector<TimeNs>& same = begins[key(*step)]; same.size() > 1)
            result.expected[step->begin] = middle_median_of_others(same, graph.start[step->begin] - earliest);
}

} // namespace

TimeNs host_time(const StepGraph& graph, const GraphTimes& times, std::uint32_t node) {
    const std::uint32_t edge = host_edge(graph, node);
    return (edge == kNoNode ? 0 : times.lag[edge]) + times.duration[node];
}

PeerTimes peer_times(const Run& run, const StepGraph& graph, const WorkOfSteps& work, const std::vector<int>& stages,
                     const KernelsInPlace& in_place, std::span<const double> even, std::span<const float> beside,
                     bool cut) {
    count_work("peer_times");
    PeerTimes result;
    result.expected.assign(graph.size(), -1);
    result.expected_before.assign(graph.first_node.back(), -1);
    classify(run, graph, work, stages, in_place, even, result);
    PeerComparison(run, graph, in_place, even, beside, cut, result).run();
    if (result.across_stages)
        drop_uneven_stages(run, graph, result);
    result.as_fast = times_as_fast(run, graph, result.expected);
    if (!result.across_stages) // stages start their steps at different times
        compare_begins(graph, result);
    result.earliest_begin = earliest_begin(graph);
    return result;
}

OwnExcess own_excess(const StepGraph& graph, const PeerTimes& peers, std::uint32_t node) {
    const TimeNs expected = peers.expected[node];
    if (expected < 0)
        return {};
    const TimeNs more = graph.times.duration[node] - expected;
    const bool surplus = peers.surplus[node];
    switch (graph.kind[node]) {
    case NodeKind::compute: return {surplus ? OwnCause::more_kernels : OwnCause::slower_kernels, more};
    case NodeKind::memory_copy:
    case NodeKind::memory_set: return {surplus ? OwnCause::more_kernels : OwnCause::slower_copies, more};
    case NodeKind::launch:
        return {surplus ? OwnCause::more_kernels : OwnCause::host_bound, host_time(graph, node) - expected};
    case NodeKind::wait_begin: return {OwnCause::host_bound, surplus ? 0 : host_time(graph, node) - expected};
    case NodeKind::data_loading: return {OwnCause::data_loading, more};
    case NodeKind::garbage_collection: return {OwnCause::garbage_collection, more};
    case NodeKind::allocation: return {OwnCause::allocation, more};
    case NodeKind::step_begin: return {OwnCause::late_start, graph.start[node] - peers.earliest_begin - expected};
    case NodeKind::wait_end: { // what the host lost: the time it was held
        const std::uint32_t edge = host_edge(graph, node);
        return {OwnCause::synchronisation,
                surplus && edge != kNoNode ? graph.start[node] - graph.start[graph.edges[edge].from] : 0};
    }
    default: return {};
    }
}

TimeNs excess_before(const StepGraph& graph, const PeerTimes& peers, std::uint32_t node) {
    const std::uint32_t edge = peers.expected_before[node] < 0 ? kNoNode : host_edge(graph, node);
    return edge == kNoNode ? 0 : graph.times.lag[edge] - peers.expected_before[node];
}

std::vector<TimeNs> times_of_later_steps(const Run& run, const StepGraph& graph, const GraphTimes& times,
                                         const std::vector<char>& alike) {
    std::vector<TimeNs> usual(graph.size(), -1);
    tbb::parallel_for(std::size_t{0}, run.ranks.size(), [&](std::size_t r) {
        struct Place {
            std::uint32_t first = kNoNode; ///< its node in the first step
            std::vector<TimeNs> later;
        };
        NumberMap<std::uint64_t, std::vector<Place>> places; // by name and kind, then occurrence
        NumberMap<std::uint64_t, std::size_t> occurrence;
        std::uint32_t step = kNoNode;
        const auto first_step = static_cast<std::size_t>(
            std::ranges::lower_bound(graph.steps, static_cast<std::uint32_t>(r), {}, &GraphStep::rank) -
            graph.steps.begin());
        const auto counts = [&](std::uint32_t later) {
            const std::size_t at = first_step + later;
            return alike.empty() || (at < alike.size() && alike[at] != 0);
        };
        for (std::uint32_t n = graph.first_node[r]; n < graph.first_node[r + 1]; ++n) {
            const NodeKind kind = graph.kind[n];
            if (!is_compared(kind) || kind == NodeKind::wait_end || graph.event[n] == kNoEvent ||
                graph.step[n] == kNoNode)
                continue;
            if (graph.step[n] != step) {
                step = graph.step[n];
                occurrence.clear();
            }
            const std::uint64_t key =
                std::uint64_t{name_of(*run.ranks[r], kind, graph.event[n])} << 8 | static_cast<std::uint64_t>(kind);
            const std::size_t place = occurrence[key]++;
            std::vector<Place>& of_key = places[key];
            of_key.resize(std::max(of_key.size(), place + 1));
            if (step == 0)
                of_key[place].first = n;
            else if (of_key[place].first != kNoNode && counts(step))
                of_key[place].later.push_back(time_of(graph, times, n));
        }
        for (auto& [key, of_key] : places) {
            std::vector<double> ratios; // of computation in later steps, to what is usual at its place
            TimeNs longest = 0;         // of all places
            for (const Place& place : of_key) {
                if (place.first == kNoNode || place.later.size() < 2)
                    continue;
                const TimeNs median = usual[place.first] = upper_median(place.later);
                if (graph.kind[place.first] == NodeKind::compute && median > 0)
                    for (const TimeNs time : place.later) {
                        ratios.push_back(static_cast<double>(time) / static_cast<double>(median));
                        longest = std::max(longest, time);
                    }
            }
            if (ratios.empty())
                continue;
            const double most = nearest_rank_percentile(std::move(ratios), kMostOfLater);
            for (const Place& place : of_key)
                if (place.first != kNoNode && usual[place.first] > 0) {
                    const TimeNs own = times.duration[place.first];
                    const bool scatters =
                        static_cast<double>(own) <= most * static_cast<double>(usual[place.first]) ||
                        (place.later.size() < kStepsOfScatter && own <= longest); // few steps show little of a place
                    if (scatters)
                        usual[place.first] = own;
                }
        }
    });
    return usual;
}

TimeNs own_host_time(const StepGraph& graph, const GraphTimes& times, std::uint32_t node) {
    const NodeKind kind = graph.kind[node];
    if (!is_host_node(kind) || kind == NodeKind::wait_end)
        return -1;
    const std::uint32_t edge = host_edge(graph, node);
    const bool with_call = kind == NodeKind::launch || kind == NodeKind::wait_begin;
    return (edge == kNoNode ? 0 : times.lag[edge]) + (with_call ? times.duration[node] : 0);
}

UsualHostTimes usual_host_times(const Run& run, const StepGraph& graph, const GraphTimes& times) {
    UsualHostTimes usual{std::vector<TimeNs>(graph.size(), -1), std::vector<TimeNs>(graph.size())};
    std::vector<std::size_t> steps(run.ranks.size());
    for (const GraphStep& step : graph.steps)
        ++steps[step.rank];
    tbb::parallel_for(std::size_t{0}, run.ranks.size(), [&](std::size_t r) {
        if (!graph.profiler_steps || steps[r] < kStepsThatTell)
            return;
        std::map<std::pair<std::uint64_t, std::size_t>, std::vector<std::uint32_t>> places; // key, n-th of a step
        NumberMap<std::uint64_t, std::size_t> occurrence;
        std::uint32_t last = kNoNode;
        for (std::uint32_t n = graph.first_node[r]; n < graph.first_gpu_node[r]; ++n) {
            if (graph.step[n] == kNoNode || own_host_time(graph, times, n) < 0)
                continue;
            if (std::exchange(last, graph.step[n]) != graph.step[n])
                occurrence.clear();
            // Steps have numbers in their names.
            const bool border = graph.kind[n] == NodeKind::step_begin || graph.kind[n] == NodeKind::step_end;
            const std::uint64_t name =
                border || graph.event[n] == kNoEvent ? 0 : name_of(*run.ranks[r], graph.kind[n], graph.event[n]);
            const std::uint64_t key = name << 8 | static_cast<std::uint64_t>(graph.kind[n]);
            places[{key, occurrence[key]++}].push_back(n);
        }
        for (const auto& [place, nodes] : places) {
            std::vector<TimeNs> own;
            for (const std::uint32_t n : nodes)
                own.push_back(own_host_time(graph, times, n));
            const bool rare = 2 * nodes.size() <= steps[r];
            const TimeNs median = rare ? 0 : lower_median(own);
            for (TimeNs& time : own)
                time = std::abs(time - median);
            const TimeNs scatter = rare ? 0 : lower_median(std::move(own));
            for (const std::uint32_t n : nodes) {
                usual.median[n] = median;
                usual.scatter[n] = scatter;
            }
        }
    });
    return usual;
}

void set_time(const StepGraph& graph, std::uint32_t node, TimeNs time, GraphTimes& times) {
    if (graph.kind[node] != NodeKind::launch && graph.kind[node] != NodeKind::wait_begin) {
        times.duration[node] = time;
        return;
    }
    // The call keeps what it takes as far as possible; the rest is before it.
    const std::uint32_t edge = host_edge(graph, node);
    times.duration[node] = std::min(times.duration[node], time);
    if (edge != kNoNode)
        times.lag[edge] = time - times.duration[node];
}

void remove_excess(const StepGraph& graph, const PeerTimes& peers, OwnCause cause, const std::vector<bool>& ranks,
                   GraphTimes& times) {
    for (std::uint32_t n = 0; n < graph.first_node.back(); ++n) {
        if (!ranks[graph.rank[n]])
            continue;
        if (const TimeNs before = cause == OwnCause::host_bound ? excess_before(graph, peers, n) : 0; before != 0)
            times.lag[host_edge(graph, n)] -= before;
        auto [own_cause, more] = own_excess(graph, peers, n);
        if (own_cause == OwnCause::slower_kernels && peers.as_fast[n] >= 0)
            more = graph.times.duration[n] - peers.as_fast[n];
        if (more == 0 || own_cause != cause)
            continue;
        if (cause == OwnCause::late_start) {
            times.begin.resize(ranks.size());
            times.begin[graph.rank[n]] = -more;
        } else if (graph.kind[n] == NodeKind::wait_end) {
            for (std::uint32_t e = graph.first_edge[n]; e < graph.first_edge[n + 1]; ++e)
                times.lag[e] = graph.edges[e].kind == EdgeKind::wait ? kNever : 0;
        } else if (is_gpu_node(graph.kind[n]) && graph.times.duration[n] > 0) { // what else changes it remains
            const double part =
                static_cast<double>(graph.times.duration[n] - more) / static_cast<double>(graph.times.duration[n]);
            times.duration[n] = std::llround(static_cast<double>(times.duration[n]) * part);
        } else {
            set_time(graph, n, time_of(graph, n) - more, times);
        }
    }
}

} // namespace rankscope
