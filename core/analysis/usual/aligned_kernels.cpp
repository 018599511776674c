// SPDX-License-Identifier: GPL-3.0-or-later
// Aligns the kernels of a step on different ranks (E. W. Myers, An O(ND) Difference Algorithm and Its Variations,
// 1986).
#include "core/analysis/usual/aligned_kernels.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

#include <tbb/parallel_for.h>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr std::ptrdiff_t kMostDifferences = 1000; ///< kernels that only one of two sequences has; they take memory
constexpr std::size_t kMostThreads = 64;          ///< that a place can tell apart

struct LaunchedByThread {
    std::uint32_t node = 0;
    NameId name = 0;
    TimeNs at = 0; ///< of its rank's clock
};
using KernelSequence = std::vector<LaunchedByThread>;

/// visit(call, node) for the rank's computation in steps, in order of the nodes.
template <typename Visit>
void for_each_launch(const Run& run, const StepGraph& graph, std::size_t rank, const Visit& visit) {
    for (std::uint32_t n = graph.first_gpu_node[rank]; n < graph.first_node[rank + 1]; ++n)
        if (const EventIndex call = run.ranks[rank]->events.link[graph.event[n]];
            graph.kind[n] == NodeKind::compute && call != kNoEvent && graph.step_of(n) != nullptr)
            visit(call, n);
}

/// By how many kernels of each name the two differ, summed.
std::ptrdiff_t more_of_a_name(const KernelSequence& first, const KernelSequence& second) {
    std::map<NameId, std::ptrdiff_t> more;
    for (const LaunchedByThread& kernel : first)
        ++more[kernel.name];
    for (const LaunchedByThread& kernel : second)
        --more[kernel.name];
    std::ptrdiff_t sum = 0;
    for (const auto& [name, count] : more)
        sum += std::abs(count);
    return sum;
}

/// Names may leave open which kernels in a row have no partner: those, or as many a little before or after them. A
/// head's backward pass begins with them: the first that fit, or those before which the host takes clearly longer, as
/// it does before a pass. partner: per element, or kNoNode.
void put_extra_after_gaps(const KernelSequence& own, std::vector<std::uint32_t>& partner) {
    constexpr TimeNs kClearly = 2; ///< times as long
    std::vector<TimeNs> gaps;      // before each; before the first none is recorded
    for (std::size_t i = 1; i < own.size(); ++i)
        gaps.push_back(own[i].at - own[i - 1].at);
    gaps.insert(gaps.begin(), gaps.empty() ? 0 : lower_median(gaps));
    const auto hand_over = [&](std::size_t from, std::size_t to) {
        partner[to] = std::exchange(partner[from], kNoNode);
    };
    for (std::size_t begin = 0, end = 0; begin < own.size(); begin = std::max(end, begin + 1)) {
        end = begin;
        while (end < own.size() && partner[end] == kNoNode)
            ++end;
        if (end == begin)
            continue;
        const auto earlier = [&] {
            if (begin == 0 || partner[begin - 1] == kNoNode || own[begin - 1].name != own[end - 1].name)
                return false;
            hand_over(--begin, --end);
            return true;
        };
        const auto later = [&] {
            if (end == own.size() || partner[end] == kNoNode || own[end].name != own[begin].name)
                return false;
            hand_over(end++, begin++);
            return true;
        };
        while (earlier()) {
        }
        std::size_t best = begin;
        while (later())
            if (gaps[begin] > kClearly * gaps[best])
                best = begin;
        while (begin > best && earlier()) {
        }
    }
}

/// Per element of the first the index of the second that it is; kNoNode: none. Empty where the order of what both have
/// differs.
std::vector<std::uint32_t> common_sequence(const KernelSequence& first, const KernelSequence& second) {
    const auto rows = std::ssize(first);
    const auto columns = std::ssize(second);
    const std::ptrdiff_t most = more_of_a_name(first, second);
    if (most > kMostDifferences)
        return {};
    // reached[k + most]: the farthest row on the diagonal k (row minus column) with d differences.
    std::vector<std::ptrdiff_t> reached(static_cast<std::size_t>(2 * most + 3), 0);
    std::vector<std::vector<std::ptrdiff_t>> rounds;
    const auto at = [most](std::ptrdiff_t k) { return static_cast<std::size_t>(k + most + 1); };
    const auto from_above = [&](const std::vector<std::ptrdiff_t>& before, std::ptrdiff_t k, std::ptrdiff_t d) {
        return k == -d || (k != d && before[at(k - 1)] < before[at(k + 1)]);
    };
    const auto from_end = [](std::ptrdiff_t size, std::ptrdiff_t i) { return static_cast<std::size_t>(size - 1 - i); };
    bool found = false;
    for (std::ptrdiff_t d = 0; d <= most && !found; ++d) {
        rounds.push_back(reached);
        for (std::ptrdiff_t k = -d; k <= d && !found; k += 2) {
            std::ptrdiff_t row = from_above(reached, k, d) ? reached[at(k + 1)] : reached[at(k - 1)] + 1;
            while (row < rows && row - k < columns &&
                   first[from_end(rows, row)].name == second[from_end(columns, row - k)].name)
                ++row;
            reached[at(k)] = row;
            found = row >= rows && row - k >= columns;
        }
    }
    if (!found)
        return {};
    std::vector<std::uint32_t> result(first.size(), kNoNode);
    std::ptrdiff_t row = rows;
    std::ptrdiff_t column = columns;
    for (std::ptrdiff_t d = std::ssize(rounds) - 1; d >= 0; --d) {
        const std::vector<std::ptrdiff_t>& before = rounds[static_cast<std::size_t>(d)];
        const std::ptrdiff_t k = row - column;
        const bool above = d == 0 || from_above(before, k, d);
        const std::ptrdiff_t start = d == 0 ? 0 : above ? before[at(k + 1)] : before[at(k - 1)] + 1;
        while (row > start) {
            --row;
            --column;
            result[from_end(rows, row)] = static_cast<std::uint32_t>(from_end(columns, column));
        }
        row = above ? row : row - 1;
        column = row - (above ? k + 1 : k - 1);
    }
    put_extra_after_gaps(first, result);
    std::vector<std::uint32_t> of_second(second.size(), kNoNode);
    for (std::uint32_t i = 0; i < result.size(); ++i)
        if (result[i] != kNoNode)
            of_second[result[i]] = i;
    put_extra_after_gaps(second, of_second);
    std::ranges::fill(result, kNoNode);
    for (std::uint32_t i = 0; i < of_second.size(); ++i)
        if (of_second[i] != kNoNode)
            result[of_second[i]] = i;
    return result;
}

/// The threads of a rank that launch computation in steps, numbered by their first launch.
std::map<const Lane*, std::uint32_t> launching_threads(const Run& run, const StepGraph& graph, std::size_t rank) {
    const RankTrace& trace = *run.ranks[rank];
    std::map<const Lane*, TimeNs> first;
    for_each_launch(run, graph, rank, [&](EventIndex call, std::uint32_t) {
        TimeNs& start = first.try_emplace(&trace.lane_of(call), trace.events.start[call]).first->second;
        start = std::min(start, trace.events.start[call]);
    });
    std::vector<std::pair<TimeNs, const Lane*>> in_order;
    for (const auto& [lane, start] : first)
        in_order.emplace_back(start, lane);
    std::ranges::sort(in_order);
    std::map<const Lane*, std::uint32_t> threads;
    for (const auto& [start, lane] : in_order)
        threads.emplace(lane, static_cast<std::uint32_t>(threads.size()));
    return threads;
}

/// The sequences of a rank by number of the step and thread.
std::map<std::pair<std::int64_t, std::uint32_t>, KernelSequence>
sequences_of(const Run& run, const StepGraph& graph, const KernelsInPlace& in_place, std::size_t rank) {
    const RankTrace& trace = *run.ranks[rank];
    std::vector<std::pair<EventIndex, std::uint32_t>> launches;
    for_each_launch(
        run, graph, rank, [&](EventIndex call, std::uint32_t node) { launches.emplace_back(call, node); });
    std::ranges::sort(launches, {}, [&](const auto& launch) {
        return std::tuple(trace.events.start[launch.first], launch.first, launch.second);
    });
    const std::map<const Lane*, std::uint32_t> threads = launching_threads(run, graph, rank);
    std::map<std::pair<std::int64_t, std::uint32_t>, KernelSequence> result;
    for (const auto& [call, node] : launches) {
        const std::uint32_t thread = threads.at(&trace.lane_of(call));
        if (thread >= kMostThreads)
            continue;
        result[{graph.step_of(node)->number, thread}].push_back(
            {node, name_in_place(run, in_place, rank, graph.event[node]), trace.events.start[call]});
    }
    return result;
}

/// What ranks of a class launched by the same thread in the same step.
struct SameThread {
    std::uint32_t thread = 0;
    std::vector<KernelSequence> sequences; ///< of each rank that has any
};

std::vector<SameThread> same_threads(const Run& run, const StepGraph& graph, const KernelsInPlace& in_place,
                                     std::span<const std::uint32_t> peer_class) {
    std::vector<std::map<std::pair<std::int64_t, std::uint32_t>, KernelSequence>> of_rank(run.ranks.size());
    tbb::parallel_for(std::size_t{0}, of_rank.size(),
                      [&](std::size_t r) { of_rank[r] = sequences_of(run, graph, in_place, r); });
    std::map<std::tuple<std::uint32_t, std::int64_t, std::uint32_t>, SameThread> by_class; // and step and thread
    for (std::size_t r = 0; r < of_rank.size(); ++r)
        for (auto& [place, sequence] : of_rank[r]) {
            SameThread& same = by_class[{peer_class[r], place.first, place.second}];
            same.thread = place.second;
            same.sequences.push_back(std::move(sequence));
        }
    std::vector<SameThread> result;
    for (auto& [place, same] : by_class)
        result.push_back(std::move(same));
    return result;
}

/// Gives the kernels their places, unless some rank has them in another order than the middle one.
bool align(const SameThread& same, std::vector<std::uint64_t>& places) {
    std::vector<const KernelSequence*> by_size;
    for (const KernelSequence& own : same.sequences)
        by_size.push_back(&own);
    std::ranges::stable_sort(by_size, {}, [](const KernelSequence* own) { return own->size(); });
    const KernelSequence& reference = *by_size[(by_size.size() - 1) / 2];
    std::vector<std::vector<std::uint32_t>> aligned;
    for (const KernelSequence& own : same.sequences)
        if (aligned.emplace_back(common_sequence(own, reference)).size() != own.size())
            return false;
    for (std::size_t r = 0; r < aligned.size(); ++r)
        for (std::size_t k = 0; k < aligned[r].size(); ++k)
            if (aligned[r][k] != kNoNode)
                places[same.sequences[r][k].node] = std::uint64_t{same.thread} << 32 | aligned[r][k];
    return true;
}

} // namespace

std::vector<std::uint64_t> aligned_kernels(const Run& run, const StepGraph& graph, const KernelsInPlace& in_place,
                                           std::span<const std::uint32_t> peer_class) {
    std::vector<std::uint64_t> places(graph.size(), kNotAligned);
    if (graph.profiler_steps) {
        const std::vector<SameThread> all = same_threads(run, graph, in_place, peer_class);
        tbb::parallel_for(std::size_t{0}, all.size(), [&](std::size_t i) { align(all[i], places); });
    }
    return places;
}

} // namespace rankscope
