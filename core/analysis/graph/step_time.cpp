// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/graph/step_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "core/analysis/graph/step_ranges.h"

namespace rankscope {
namespace {

/// From step to step on the host, ns: of all steps, or of the later half where that is less and long enough to tell.
/// What the GPU has to do before the recording holds up the host's first steps, whatever the change. end: of the last
/// step, which is the whole period of a single one.
double host_period(const std::vector<TimeNs>& starts, TimeNs end) {
    constexpr std::size_t kTells = 3; // periods
    const std::size_t periods = starts.size() - 1;
    if (periods == 0)
        return static_cast<double>(end - starts.front());
    const auto last = [&](std::size_t count) {
        return count == 0 ? 0
                          : static_cast<double>(starts.back() - starts[periods - count]) / static_cast<double>(count);
    };
    return periods / 2 < kTells ? last(periods) : std::min(last(periods), last(periods / 2));
}

std::vector<RankSpan> rank_spans(const StepGraph& graph, const NodeTimes& times) {
    const auto start_of = [&](std::uint32_t node) { return times.start_of(node); };
    const auto end_of = [&](std::uint32_t node) { return times.end_of(node); };
    std::vector<RankSpan> spans(graph.first_gpu_node.size());
    if (!graph.profiler_steps) {
        for (std::size_t r = 0; r < spans.size(); ++r) {
            if (const auto& starts = graph.repetition_starts[r]; starts.between > 0) {
                const TimeNs begin = start_of(starts.first);
                const TimeNs end = start_of(starts.last);
                spans[r] = {begin, 0, end, end, begin, starts.between};
                continue;
            }
            TimeNs begin = std::numeric_limits<TimeNs>::max();
            TimeNs end = std::numeric_limits<TimeNs>::min();
            // A host of which no launch is known goes its own way.
            const auto host =
                std::span(graph.kind).subspan(graph.first_node[r], graph.first_gpu_node[r] - graph.first_node[r]);
            const bool launches = std::ranges::find(host, NodeKind::launch) != host.end();
            const bool alone = graph.first_gpu_node[r] == graph.first_node[r + 1];
            const auto step = std::ranges::find(graph.steps, r, &GraphStep::rank);
            std::uint32_t first = graph.first_node[r]; // of what counts: the step may start behind a slow first launch
            while (step != graph.steps.end() && first < graph.first_gpu_node[r] &&
                   graph.start[first] < step->range.begin)
                ++first;
            for (std::uint32_t n = launches || alone ? first : graph.first_gpu_node[r]; n < graph.first_node[r + 1];
                 ++n) {
                if (step != graph.steps.end() && graph.start[n] < step->range.begin)
                    continue;
                begin = std::min(begin, start_of(n));
                const std::uint32_t transfer = graph.transfer_of[n];
                end = std::max(end, end_of(transfer == kNoNode ? n : transfer));
            }
            if (begin <= end)
                spans[r] = {begin, 0, end, end, begin, graph.repetitions_of[r]};
        }
        return spans;
    }
    for (std::size_t s = 0; s < graph.steps.size();) {
        const std::uint32_t rank = graph.steps[s].rank;
        // The GPU may still be busy with what was launched before the first step: that is none of its time.
        const TimeNs begun = start_of(graph.steps[s].begin);
        const TimeNs ready = gpu_is_ready(graph.steps[s], begun, end_of);
        TimeNs first_end = std::numeric_limits<TimeNs>::min();
        for (const std::uint32_t n : graph.steps[s].last_work)
            first_end = std::max(first_end, end_of(n));
        TimeNs between = 0; // steps need not follow each other at once; a GPU that works meanwhile does so for a step
        std::int64_t count = 0;
        TimeNs last_end = begun;
        TimeNs done = begun; // host and GPU with the steps so far
        std::vector<TimeNs> host_starts;
        for (; s < graph.steps.size() && graph.steps[s].rank == rank; ++s, ++count) {
            between += std::max<TimeNs>(0, start_of(graph.steps[s].begin) - done);
            last_end = start_of(graph.steps[s].end);
            done = std::max(done, last_end);
            for (const std::uint32_t n : graph.steps[s].last_work)
                done = std::max(done, end_of(n));
            host_starts.push_back(start_of(graph.steps[s].begin));
        }
        const GraphStep& last = graph.steps[s - 1];
        TimeNs gpu_end = last.last_work.empty() ? last_end : std::numeric_limits<TimeNs>::min();
        for (const std::uint32_t n : last.last_work)
            gpu_end = std::max(gpu_end, end_of(n));
        spans[rank] = {ready + between, between,   std::max(last_end, gpu_end),
                       gpu_end,         begun,     static_cast<double>(count),
                       ready,           first_end, host_period(host_starts, last_end)};
    }
    return spans;
}

double mean_of(const std::vector<RankSpan>& spans) {
    double sum = 0;
    double ranks = 0;
    for (const RankSpan& span : spans) {
        if (span.count <= 0)
            continue;
        sum += static_cast<double>(span.end - span.begin) / span.count;
        ++ranks;
    }
    return ranks > 0 ? sum / ranks : 0;
}

/// A rank whose host starts earlier than recorded counts from the first of the others on: before that nobody works for
/// the first step.
void start_with_others(const std::vector<std::uint32_t>& meets, const std::vector<RankSpan>& recorded,
                       std::vector<RankSpan>& replayed) {
    const auto start = [](const RankSpan& span) { return span.begin - span.between; };
    constexpr TimeNs kNone = std::numeric_limits<TimeNs>::max();
    std::vector<std::array<TimeNs, 2>> first(recorded.size(), {kNone, kNone}); // the two earliest of those that meet
    for (std::size_t r = 0; r < recorded.size(); ++r) {
        if (recorded[r].count <= 0)
            continue;
        auto& [earliest, next] = first[meets[r]];
        next = std::min(next, std::max(earliest, start(recorded[r])));
        earliest = std::min(earliest, start(recorded[r]));
    }
    for (std::size_t r = 0; r < replayed.size(); ++r) {
        const TimeNs own = start(recorded[r]);
        if (replayed[r].count <= 0 || replayed[r].host_start >= recorded[r].host_start || start(replayed[r]) >= own)
            continue;
        const auto& [earliest, next] = first[meets[r]];
        const TimeNs others = earliest == own ? next : earliest;
        if (others != kNone)
            replayed[r].begin += std::max<TimeNs>(0, std::min(others, own) - start(replayed[r]));
    }
}

/// The change also makes the GPU come to the first step earlier or later: what is in flight as the recording starts is
/// cut off from what came before it, so that nothing tells when the changed run would start.
bool starts_otherwise(const std::vector<RankSpan>& recorded, const std::vector<RankSpan>& replayed) {
    constexpr double kSameStart = 0.01; // of a step: a start that differs by less is no other one
    double longest = 0;
    for (const RankSpan& rank : recorded)
        if (rank.count > 0)
            longest = std::max(longest, static_cast<double>(rank.end - rank.begin) / rank.count);
    for (std::size_t r = 0; r < recorded.size(); ++r)
        if (recorded[r].ready > recorded[r].host_start &&
            static_cast<double>(std::abs(replayed[r].ready - recorded[r].ready)) > kSameStart * longest)
            return true;
    return false;
}

/// From the end of the first step's GPU work to that of the last one's, a step, and no less than the host takes: a GPU
/// that works off what the host launched ahead is faster only until it has caught up. Mean over the ranks.
double mean_period(const std::vector<RankSpan>& spans) {
    double sum = 0;
    double ranks = 0;
    for (const RankSpan& span : spans) {
        if (span.count < 3 || span.first_end == std::numeric_limits<TimeNs>::min())
            continue;
        sum += std::max(span.host_period, static_cast<double>(span.gpu_end - span.first_end) / (span.count - 1));
        ++ranks;
    }
    return ranks > 0 ? sum / ranks : 0;
}

/// The GPU of a rank is still busy as its first step starts, with work that is not selected: no change shortens that.
bool follows_unselected_work(const StepGraph& graph) {
    return std::ranges::any_of(
        graph.steps, [](const GraphStep& step) { return step.busy_for > 0; });
}

/// In none of its steps does the host of the rank wait for its GPU.
bool host_runs_free(const StepGraph& graph, std::uint32_t rank) {
    return std::ranges::none_of(
        graph.steps,
        [&](const GraphStep& step) {
            const auto kinds = std::span(graph.kind).subspan(step.begin, step.rank == rank ? step.end - step.begin : 0);
            return std::ranges::find(kinds, NodeKind::wait_end) != kinds.end();
        });
}

/// Of a GPU that works off what its host launched ahead, before work that is selected or in a recording too short for
/// mean_period(). That is no measure of what steps would take without end: a free host launches no faster than that,
/// unless it did as recorded. beyond: of the recorded step, what is no period.
double mean_in_flight(const StepGraph& graph, const std::vector<RankSpan>& recorded,
                      const std::vector<RankSpan>& replayed, double beyond) {
    double host = 0;
    double ranks = 0;
    for (std::uint32_t r = 0; r < replayed.size(); ++r)
        if (replayed[r].count > 0) {
            host += host_runs_free(graph, r) ? replayed[r].host_period : 0;
            ++ranks;
        }
    const double least = ranks > 0 && host > 0 ? std::min(mean_of(recorded), beyond + host / ranks) : 0;
    return std::max(mean_of(replayed), least);
}

/// Ends of nodes that start so.
std::vector<TimeNs> ends_of(const StepGraph& graph, std::span<const TimeNs> start, const GraphTimes& times) {
    std::vector<TimeNs> ends(graph.size());
    for (std::uint32_t n = 0; n < graph.size(); ++n)
        ends[n] = start[n] + times.duration[n];
    return ends;
}

std::vector<RankSpan> recorded_spans(const StepGraph& graph) {
    const std::vector<TimeNs> ends = ends_of(graph, graph.start, graph.times);
    return rank_spans(graph, {graph.start.data(), ends.data()});
}

} // namespace

NodeTimes node_times(const ReplayedTimes& replayed) {
    return {replayed.starts_and_ends.data(), replayed.starts_and_ends.data() + 1, 2};
}

MeanStepTime::MeanStepTime(const StepGraph& graph) : graph_(graph) {
    if (graph.profiler_steps && graph.size() > 0) {
        recorded_ = recorded_spans(graph);
        meets_ = who_meets(graph);
    }
}

/// Each rank counts from its own start to its own end: from when it would start its first step, where the replay holds
/// that. Where the change makes the GPU come to the first step earlier or later, the steps after it count.
double MeanStepTime::of(const NodeTimes& times) const {
    if (graph_.size() == 0)
        return 0;
    std::vector<RankSpan> replayed = rank_spans(graph_, times);
    if (!graph_.profiler_steps)
        return mean_of(replayed);
    start_with_others(meets_, recorded_, replayed);
    const double period = mean_period(recorded_);
    const bool in_flight =
        std::ranges::any_of(recorded_, [](const RankSpan& span) { return span.ready > span.host_start; });
    if (period <= 0)
        return in_flight ? mean_in_flight(graph_, recorded_, replayed, 0) : mean_of(replayed);
    if (in_flight && follows_unselected_work(graph_))
        return mean_in_flight(graph_, recorded_, replayed, mean_of(recorded_) - period);
    if (starts_otherwise(recorded_, replayed))
        return mean_of(recorded_) - period + mean_period(replayed);
    return mean_of(replayed);
}

double MeanStepTime::predicted(const GraphTimes& times) const {
    ReplayedTimes replayed;
    replay(graph_, times, replayed);
    return of(node_times(replayed));
}

void count_repetitions(StepGraph& graph, std::span<const Repetitions> known) {
    for (const Repetitions& of_rank : known)
        graph.repetitions = std::max(graph.repetitions, of_rank.count);
    graph.repetitions_of.assign(known.size(), static_cast<double>(graph.repetitions));
    graph.repetition_starts.assign(known.size(), {});
    if (graph.profiler_steps || graph.repetitions == 1)
        return;
    const std::vector<RankSpan> spans = recorded_spans(graph);
    for (std::size_t r = 0; r < known.size(); ++r) {
        const auto count = static_cast<double>(known[r].count);
        graph.repetitions_of[r] = known[r].count > 1 ? count : 0;
        if (known[r].period <= 0)
            continue;
        const TimeNs recorded = spans[r].end - spans[r].begin;
        const double periods = static_cast<double>(recorded) / static_cast<double>(known[r].period);
        if (!known[r].last_is_whole && std::abs(periods - count) < 1)
            graph.repetitions_of[r] = periods;
        const auto node_of = [&](EventIndex event) {
            const auto own = std::span(graph.event)
                                 .subspan(graph.first_gpu_node[r], graph.first_node[r + 1] - graph.first_gpu_node[r]);
            return graph.first_gpu_node[r] + static_cast<std::uint32_t>(std::ranges::find(own, event) - own.begin());
        };
        const StepGraph::RepetitionStarts starts{node_of(known[r].first_event), node_of(known[r].last_event),
                                                 count - 1};
        if (std::max(starts.first, starts.last) < graph.first_node[r + 1])
            graph.repetition_starts[r] = starts;
    }
}

double mean_step_time(const StepGraph& graph, std::span<const TimeNs> start, const GraphTimes& times) {
    const std::vector<TimeNs> ends = ends_of(graph, start, times);
    return MeanStepTime(graph).of({start.data(), ends.data()});
}

double predicted_step_time(const StepGraph& graph, const GraphTimes& times) {
    return MeanStepTime(graph).predicted(times);
}

} // namespace rankscope
