// SPDX-License-Identifier: GPL-3.0-or-later
// Applies changes to the step graph's times and replays it.
#include "core/analysis/whatif/what_if.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/facts/idle_bound.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/findings/operation_findings.h"
#include "core/analysis/graph/replays.h"
#include "core/analysis/graph/step_time.h"
#include "core/analysis/slowdown/graph_slowdown.h"
#include "core/analysis/whatif/operation_what_if.h"
#include "core/analysis/whatif/what_if_changes.h"
#include "core/analysis/whatif/what_if_schedule.h"
#include "core/base/words.h"

namespace rankscope {
namespace {

class Predictor {
public:
    Predictor(const FindingInputs& inputs, const Findings& findings)
        : inputs_(inputs), findings_(findings), graph_(inputs.step_graph), replays_(graph_, &inputs.beside) {}

    Prediction predict(std::span<const Change> changes) {
        Prediction result;
        for (const Change& change : changes)
            result.changes.push_back(change.text);
        if (graph_.size() == 0) {
            result.unavailable = "the selection holds no GPU work of a whole step"_text();
            return result;
        }
        const auto is_host = [](const Change& change) { return change.kind == ChangeKind::host; };
        if (std::ranges::any_of(changes, is_host) && !launches_recorded(graph_)) {
            result.unavailable = "no launches of GPU work are recorded, so nothing tells what the host does"_text();
            return result;
        }
        result.measured = mean_step_time(graph_, graph_.start, graph_.times);
        const Change* const microbatches = only_one(changes, ChangeKind::microbatches, result);
        const Change* const schedule = only_one(changes, ChangeKind::schedule, result);
        const GraphTimes times = changed_times(changes, result);
        if (!result.unavailable.empty()) {
            result.measured = 0;
            return result;
        }
        const Replays::Replayed now = replays_.replayed(times);
        result.predicted = mean_step_time(graph_, now.start, now.times);
        if (!inputs_.beside.empty())
            result.assumes.push_back("computation beside communication is as much slower than alone as the recording "
                                     "shows of the same kernels"_text());
        result.predicted = std::max(result.predicted, busiest_stream_ns(now.times));
        if (only_takes_away_)
            result.predicted = std::min(result.predicted, result.measured);
        hold_to_facts(changes, result);
        note_full_queues(result);
        if (schedule != nullptr || microbatches != nullptr)
            play_schedule(inputs_, schedule, microbatches, now, result);
        // Of a marked step, what lies before and after the work that the graph knows: no change shortens it.
        const double outside = told_step(inputs_, result.measured) - result.measured;
        result.measured += outside;
        result.predicted += outside;
        return result;
    }

private:
    /// The change of that kind; nullptr without. A run has one schedule and one number of microbatches.
    static const Change* only_one(std::span<const Change> changes, ChangeKind kind, Prediction& result) {
        const Change* found = nullptr;
        for (const Change& change : changes) {
            if (change.kind != kind)
                continue;
            if (found != nullptr && found->text != change.text)
                result.unavailable = kind == ChangeKind::schedule
                                         ? "a pipeline cannot run two schedules at once"_text()
                                         : "a step cannot have two numbers of microbatches at once"_text();
            found = &change;
        }
        return found;
    }

    /// Makes a time something: what is compared with it is the unchanged run.
    static bool sets_times(ChangeKind kind) {
        return kind == ChangeKind::straggler || kind == ChangeKind::overlap || kind == ChangeKind::rank ||
               kind == ChangeKind::operation || kind == ChangeKind::link;
    }

    static bool is_speed(ChangeKind kind) {
        return kind == ChangeKind::communication || kind == ChangeKind::host || kind == ChangeKind::kernel;
    }

    /// All changes read the unchanged run, so that their order says nothing. Where several set a time, the smallest
    /// holds; then all factors apply. Stages have nothing left to even where all computation takes the mean.
    GraphTimes changed_times(std::span<const Change> changes, Prediction& result) {
        GraphTimes times = graph_.times;
        only_takes_away_ = true;
        std::vector<const Change*> factors;
        bool computes_alike = false;
        for (const Change& change : changes) {
            if (sets_times(change.kind)) {
                GraphTimes own = graph_.times;
                apply_change(inputs_, findings_, change, own, result);
                take_smallest(graph_.times, own, times);
                only_takes_away_ = only_takes_away_ && takes_away(graph_.times, own);
            } else {
                factors.push_back(&change);
                only_takes_away_ = only_takes_away_ && is_speed(change.kind) && change.factor <= 1;
            }
            computes_alike = computes_alike || (change.kind == ChangeKind::operation && change.target == "compute");
        }
        const bool all_stages = std::ranges::any_of(
            changes, [](const Change& each) { return each.kind == ChangeKind::stage && each.number < 0; });
        std::erase_if(factors, [&](const Change* change) {
            return change->kind == ChangeKind::stage && (computes_alike || (all_stages && change->number >= 0));
        });
        // Rounded in one order, whatever the order given.
        std::ranges::stable_sort(
            factors, {}, [](const Change* change) { return change->text; });
        const auto repeated = std::ranges::unique(factors, {}, [](const Change* change) { return change->text; });
        factors.erase(repeated.begin(), repeated.end());
        for (const Change* change : factors)
            apply_change(inputs_, findings_, *change, times, result);
        return times;
    }

    /// As the call starts that launches the work, work of its stream is not through. Else no queue is full, and the
    /// call takes long by itself: it loads code.
    static bool finds_stream_busy(const RankTrace& trace, EventIndex work) {
        return work > trace.lane_of(work).begin &&
               trace.events.end(work - 1) > trace.events.start[trace.events.link[work]];
    }

    /// A change saves no more than the facts allow: faster hosts the time that the GPUs have nothing to do, as findings
    /// on hosts are bounded; computation that waits for no communication what is exposed of that, with the waits for
    /// other ranks and the bubbles.
    void hold_to_facts(std::span<const Change> changes, Prediction& result) const {
        const StepFill& fill = inputs_.facts.fill;
        const auto only = [&](ChangeKind kind) {
            return std::ranges::all_of(changes, [&](const Change& change) { return change.kind == kind; });
        };
        const bool hosts = only(ChangeKind::host);
        if (fill.step_ns <= 0 || !(hosts || only(ChangeKind::overlap)))
            return;
        const double most =
            hosts ? most_that_hosts_cost_ns(inputs_.facts, {}, result.measured)
                  : fill[StepShare::exposed_communication] + fill[StepShare::waiting] + fill[StepShare::bubble];
        const double replayed = result.measured - result.predicted;
        if (replayed <= most)
            return;
        result.predicted = result.measured - most;
        if (replayed > (1 + kReplayError) * most)
            result.notes.push_back(
                hosts ? "cut to the time that the GPUs have nothing to do: the replay alone saves %1"_text(
                            time_words(replayed))
                      : "cut to exposed communication and waits: the replay alone saves %1"_text(time_words(replayed)));
    }

    /// A launch into a queue that is full, though that is not seen (launch_queue.h), stays as long as recorded.
    void note_full_queues(Prediction& result) const {
        constexpr TimeNs kLongLaunch = 50'000; ///< a launch takes 3 to 20 us by itself
        constexpr double kMuch = 0.1;          ///< of the time of a rank
        for (std::uint32_t r = 0; r + 1 < graph_.first_node.size(); ++r) {
            const RankTrace& trace = *inputs_.run.ranks[r];
            TimeNs blocked = 0;
            for (std::uint32_t n = graph_.first_node[r]; n < graph_.first_gpu_node[r]; ++n)
                if (graph_.kind[n] == NodeKind::launch && graph_.times.duration[n] > kLongLaunch &&
                    finds_stream_busy(trace, graph_.event[n]))
                    blocked += graph_.times.duration[n];
            const double share = static_cast<double>(blocked) / static_cast<double>(trace_length(r));
            if (share >= kMuch)
                return result.assumes.push_back(
                    "launches take as long as recorded: on rank %1 they wait for %2 % of the time, as they do when the "
                    "GPU's queue is full; a faster GPU or network would then gain more"_text(
                        trace.rank, fmt::format("{:.0f}", 100 * share)));
        }
    }

    /// What the busiest stream of a rank computes and copies in a step, ns, on average over the ranks: no step is
    /// shorter, because a stream does one thing after the other. Where communication lies between two kernels of its
    /// own stream, nothing else in the graph keeps these in order.
    [[nodiscard]] double busiest_stream_ns(const GraphTimes& times) const {
        double sum = 0;
        for (std::uint32_t r = 0; r + 1 < graph_.first_node.size(); ++r) {
            const RankTrace& trace = *inputs_.run.ranks[r];
            const StepGraph::RepetitionStarts* const repeats =
                graph_.profiler_steps || graph_.repetition_starts.empty() ? nullptr : &graph_.repetition_starts[r];
            const double steps =
                repeats != nullptr
                    ? repeats->between
                    : static_cast<double>(std::ranges::equal_range(graph_.steps, r, {}, &GraphStep::rank).size());
            if (steps <= 0 || (!graph_.profiler_steps && repeats == nullptr))
                continue;
            std::map<const Lane*, std::pair<double, TimeNs>> streams; // ns; end of the one before, as recorded
            for (std::uint32_t n = graph_.first_gpu_node[r]; n < graph_.first_node[r + 1]; ++n) {
                const TimeNs start = graph_.start[n];
                const bool counts = repeats != nullptr
                                        ? start >= graph_.start[repeats->first] && start < graph_.start[repeats->last]
                                        : graph_.step[n] != kNoNode;
                if (!counts || !is_local_gpu_work(graph_.kind[n]))
                    continue;
                auto& [busy, end] = streams[&trace.lane_of(graph_.event[n])];
                const TimeNs recorded = graph_.times.duration[n];
                const TimeNs alone =
                    std::max<TimeNs>(0, graph_.end(n) - std::max(start, end)); // a dependent launch overlaps
                busy += recorded == 0 ? 0
                                      : static_cast<double>(times.duration[n]) * static_cast<double>(alone) /
                                            static_cast<double>(recorded);
                end = std::max(end, graph_.end(n));
            }
            double busiest = 0;
            for (const auto& [lane, stream] : streams)
                busiest = std::max(busiest, stream.first);
            sum += busiest / steps;
        }
        return sum / static_cast<double>(std::max<std::size_t>(1, inputs_.run.ranks.size()));
    }

    /// From the first to the last host point of a rank.
    [[nodiscard]] TimeNs trace_length(std::uint32_t r) const {
        const std::uint32_t first = graph_.first_node[r];
        const std::uint32_t end = graph_.first_gpu_node[r];
        return first == end ? 1 : std::max<TimeNs>(1, graph_.end(end - 1) - graph_.start[first]);
    }

    const FindingInputs& inputs_;
    const Findings& findings_;
    const StepGraph& graph_;
    Replays replays_;
    bool only_takes_away_ = false; ///< of the last prediction
};

} // namespace

std::vector<Prediction> each_and_together(std::span<const Change> changes,
                                          const std::function<Prediction(std::span<const Change>)>& predict) {
    std::vector<Prediction> predictions;
    for (std::size_t i = 0; i < changes.size(); ++i)
        predictions.push_back(predict(changes.subspan(i, 1)));
    if (changes.size() > 1)
        predictions.push_back(predict(changes));
    return predictions;
}

std::vector<Prediction> predict(const FindingInputs& inputs, const Findings& findings,
                                std::span<const Change> changes) {
    if (changes.empty())
        return {};
    if (inputs.run.source == TraceSource::operations)
        return predict_operations(inputs.run, operation_graph_of(inputs), findings, changes);
    Predictor predictor(inputs, findings);
    auto predictions =
        each_and_together(changes, [&](std::span<const Change> together) { return predictor.predict(together); });
    // A step counts from the end of earlier work, and computation runs beside other communication when it is moved: so
    // less of anything could seem to make a step longer. Changes of which none does so alone save no less together than
    // some of them.
    Prediction& all = predictions.back();
    const bool each_saves = std::ranges::all_of(
        predictions | std::views::take(changes.size()),
        [](const auto& one) { return one.unavailable.empty() && one.predicted <= one.measured; });
    const bool plays_schedule = std::ranges::any_of(changes, [](const Change& change) {
        return change.kind == ChangeKind::schedule || change.kind == ChangeKind::microbatches;
    });
    if (changes.size() > 1 && each_saves && !plays_schedule && all.unavailable.empty()) {
        for (const Prediction& one : predictions)
            all.predicted = std::min(all.predicted, one.predicted);
        for (std::size_t left_out = 0; left_out < changes.size() && changes.size() > 2; ++left_out) {
            std::vector<Change> some(changes.begin(), changes.end());
            some.erase(some.begin() + static_cast<std::ptrdiff_t>(left_out));
            all.predicted = std::min(all.predicted, predictor.predict(some).predicted);
        }
    }
    return predictions;
}

} // namespace rankscope
