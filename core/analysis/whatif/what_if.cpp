// SPDX-License-Identifier: GPL-3.0-or-later
// Applies changes to the step graph's times and replays it.
#include "core/analysis/whatif/what_if.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/findings/operation_findings.h"
#include "core/analysis/graph/graph_changes.h"
#include "core/analysis/graph/replays.h"
#include "core/analysis/graph/step_time.h"
#include "core/analysis/pipeline/marked_passes.h"
#include "core/analysis/slowdown/graph_slowdown.h"
#include "core/analysis/usual/stage_work.h"
#include "core/analysis/whatif/operation_what_if.h"
#include "core/analysis/whatif/pass_times.h"
#include "core/base/statistics.h"
#include "core/base/words.h"

namespace rankscope {
namespace {

tl::unexpected<Error> refused(std::string_view text, const Message& why) {
    return tl::unexpected<Error>(Error{Error::Code::usage, "what-if %1: %2"_text(std::string(text), why)});
}

/// "0" -> 0, "2x" -> 0.5.
std::optional<double> parse_factor(std::string_view text) {
    if (text == "0")
        return 0;
    double speed = 0;
    if (!text.ends_with('x'))
        return {};
    text.remove_suffix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), speed);
    const bool fits = error == std::errc() && end == text.data() + text.size() && speed >= 1e-3 && speed <= 1e6;
    return fits ? std::optional(1 / speed) : std::nullopt;
}

/// What one more microbatch takes: the time from one backward pass to the next of the rank that takes longest, ns. A
/// pipeline that is short of microbatches never gets into its rhythm: then at least what the slowest rank computes, and
/// waits for inside its stage, for one microbatch. 0 when annotations do not tell.
double microbatch_period(const FindingInputs& inputs, std::span<const TimeNs> start, const GraphTimes& times) {
    const StepGraph& graph = inputs.step_graph;
    std::vector<bool> inside_stage(graph.size());
    for (const CommunicationNode& node : inputs.communication) {
        inside_stage[node.node] = node.dimension == ParallelDimension::tp || node.dimension == ParallelDimension::cp ||
                                  node.dimension == ParallelDimension::ep;
    }
    double longest = 0;
    for (std::uint32_t r = 0; r + 1 < graph.first_node.size(); ++r) {
        std::vector<MarkedPass> passes = marked_passes(*inputs.run.ranks[r]);
        std::erase_if(passes, [](const MarkedPass& pass) { return pass.actions.size() > 1; });
        std::vector<std::optional<TimeNs>> first_work(passes.size()); // of each backward pass
        TimeNs work = 0;
        for (std::uint32_t n = graph.first_gpu_node[r]; n < graph.first_node[r + 1]; ++n) {
            for (const GraphEdge& edge : graph.edges_of(n)) {
                const MarkedPass* pass = edge.kind == EdgeKind::launch
                                             ? pass_at(passes, graph.clock.recorded(r, graph.start[edge.from]))
                                             : nullptr;
                if (pass == nullptr)
                    continue;
                const std::uint32_t transfer = graph.transfer_of[n];
                work +=
                    transfer != kNoNode ? (inside_stage[transfer] ? times.duration[transfer] : 0) : times.duration[n];
                if (pass->backward() && graph.kind[n] == NodeKind::compute) {
                    std::optional<TimeNs>& first = first_work[static_cast<std::size_t>(pass - passes.data())];
                    first = std::min(first.value_or(start[n]), start[n]);
                }
            }
        }
        const auto backward = std::ranges::count_if(passes, [](const MarkedPass& pass) { return pass.backward(); });
        std::vector<double> periods;
        std::optional<std::size_t> before; // of those with work
        for (std::size_t i = 0; i < passes.size(); ++i) {
            if (!first_work[i])
                continue;
            if (before && passes[i].actions.front().microbatch == passes[*before].actions.front().microbatch + 1)
                periods.push_back(static_cast<double>(*first_work[i] - *first_work[*before]));
            before = i;
        }
        if (!periods.empty()) {
            longest =
                std::max({longest, upper_median(periods), static_cast<double>(work) / static_cast<double>(backward)});
        }
    }
    return longest;
}

/// A program that is played through must take as long as it was recorded, to this share of it.
constexpr double kPlayedFits = 0.03;

class Predictor {
public:
    Predictor(const FindingInputs& inputs, const Findings& findings)
        : inputs_(inputs), findings_(findings), graph_(inputs.step_graph), replays_(graph_, &inputs.beside) {}

    Prediction predict(std::span<const Change> changes) {
        Prediction result;
        for (const Change& change : changes)
            result.changes.push_back(change.text);
        if (graph_.size() == 0) {
            result.unavailable = "there is no GPU work in the selection"_text();
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
        if (only_takes_away_)
            result.predicted = std::min(result.predicted, result.measured);
        note_full_queues(result);
        if (schedule != nullptr || microbatches != nullptr)
            play_schedule(schedule, microbatches, now, result);
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
                apply(change, own, result);
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
            apply(*change, times, result);
        return times;
    }

    /// As the call starts that launches the work, work of its stream is not through. Else no queue is full, and the
    /// call takes long by itself: it loads code.
    static bool finds_stream_busy(const RankTrace& trace, EventIndex work) {
        return work > trace.lane_of(work).begin &&
               trace.events.end(work - 1) > trace.events.start[trace.events.link[work]];
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

    /// From the first to the last host point of a rank.
    [[nodiscard]] TimeNs trace_length(std::uint32_t r) const {
        const std::uint32_t first = graph_.first_node[r];
        const std::uint32_t end = graph_.first_gpu_node[r];
        return first == end ? 1 : std::max<TimeNs>(1, graph_.end(end - 1) - graph_.start[first]);
    }

    void apply(const Change& change, GraphTimes& times, Prediction& result) {
        switch (change.kind) {
        case ChangeKind::straggler: return repair_stragglers(times, result);
        case ChangeKind::communication: return scale_communication(change, times, result);
        case ChangeKind::overlap:
            return unchain_compute(
                graph_, [](std::uint32_t) { return true; }, times);
        case ChangeKind::host: return scale_host(graph_, change.factor, true, times);
        case ChangeKind::kernel: return scale_kernels(change, times, result);
        case ChangeKind::rank: return repair_rank(change, times, result);
        case ChangeKind::stage: return even_stages(change, times, result);
        case ChangeKind::operation: return idealise_operation(change, times, result);
        case ChangeKind::link: return repair_link(change, times, result);
        case ChangeKind::schedule:
        case ChangeKind::microbatches: break;
        }
    }

    void repair_stragglers(GraphTimes& times, Prediction& result) {
        const PeerTimes& peers = inputs_.peers;
        bool any = false;
        std::set<int> unexplained; // nothing of these ranks alone explains why they come late: nothing can be taken out
        for (const Finding& finding : findings_.list) {
            if (finding.code == FindingCode::straggler && finding.cause == FindingCause::unexplained) {
                unexplained.insert(finding.ranks.begin(), finding.ranks.end());
                continue;
            }
            const bool pauses = finding.code == FindingCode::host_pauses && !finding.ranks.empty();
            if (finding.code != FindingCode::straggler && !pauses)
                continue;
            std::vector<bool> ranks(inputs_.run.ranks.size());
            for (std::size_t r = 0; r < ranks.size(); ++r)
                ranks[r] = std::ranges::find(finding.ranks, inputs_.run.ranks[r]->rank) != finding.ranks.end();
            for (std::size_t cause = 0; cause < kOwnCauseCount; ++cause) {
                const auto own = static_cast<OwnCause>(cause);
                if (pauses ? own == OwnCause::host_bound : straggler_cause(own) == finding.cause) {
                    remove_excess(graph_, peers, own, ranks, times);
                    any = true;
                }
            }
            if (std::ranges::find(finding.facts, FactName::replayed_cost_us_per_step, &FindingFact::name) !=
                finding.facts.end())
                result.notes.push_back(
                    "the finding's %1 a step is measured against the steps without the fault; this prediction follows "
                    "the recorded dependencies alone"_text(time_words(finding.cost)));
        }
        if (!unexplained.empty())
            result.notes.push_back(
                "nothing of %1 alone explains the lateness: what that costs is not in this prediction"_text(
                    rank_words({unexplained.begin(), unexplained.end()})));
        else if (!any)
            result.notes.push_back("no rank is a straggler: nothing changes"_text());
    }

    void scale_communication(const Change& change, GraphTimes& times, Prediction& result) {
        std::vector<bool> chosen(graph_.size());
        std::size_t lone = 0;
        std::size_t count = 0;
        for (const CommunicationNode& node : inputs_.communication) {
            const CommGroup& group = inputs_.collectives.groups[node.group];
            if (change.target.empty() || parallel_dimension_word(node.dimension) == change.target ||
                group.description == change.target || group.name == change.target ||
                (change.target == "dp" && parallel_dimension_word(node.dimension).starts_with("dp_"))) {
                chosen[node.node] = true;
                ++count;
                lone += node.lone ? 1 : 0;
            }
        }
        if (count == 0) {
            result.notes.push_back(change.target.empty()
                                       ? "there is no communication: nothing changes"_text()
                                       : "no communication of %1: nothing changes"_text(change.target));
        }
        if (lone > 0) {
            result.notes.push_back(
                plural(lone, "of %1 call not all members are known: its wait is changed as well"_one,
                       "of %1 calls not all members are known: their waits are changed as well"_many)(lone));
        }
        scale_durations(
            graph_, [&](std::uint32_t n) { return chosen[n]; }, change.factor, times);
    }

    void scale_kernels(const Change& change, GraphTimes& times, Prediction& result) {
        std::map<NameId, bool> matches;
        bool any = false;
        const auto is_chosen = [&](std::uint32_t n) {
            const NodeKind kind = graph_.kind[n];
            if (kind != NodeKind::compute && kind != NodeKind::memory_copy && kind != NodeKind::memory_set)
                return false;
            const RankTrace& trace = *inputs_.run.ranks[graph_.rank[n]];
            const auto [at, added] = matches.try_emplace(trace.events.name[graph_.event[n]]);
            const std::string_view name = trace.event_name(graph_.event[n]);
            if (added)
                at->second = re2::RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), *change.pattern);
            any = any || at->second;
            return at->second;
        };
        scale_durations(graph_, is_chosen, change.factor, times);
        if (!any) {
            result.notes.push_back(
                "no GPU work but communication has a name that matches %1: nothing changes"_text(change.target));
        }
    }

    void repair_rank(const Change& change, GraphTimes& times, Prediction& result) {
        const auto& ranks = inputs_.run.ranks;
        const auto found = std::ranges::find(ranks, change.number, [](const auto& rank) { return rank->rank; });
        if (found == ranks.end()) {
            result.notes.push_back("rank %1 is not recorded: nothing changes"_text(change.number));
            return;
        }
        const auto index = static_cast<std::size_t>(found - ranks.begin());
        const PeerTimes& peers = inputs_.peers;
        if (!peers.across_stages && peers.class_size[peers.peer_class[index]] < 2) {
            result.notes.push_back("no other rank does the same work as rank %1: nothing changes"_text(change.number));
            return;
        }
        std::vector<bool> chosen(ranks.size());
        chosen[index] = true;
        for (std::size_t cause = 0; cause < kOwnCauseCount; ++cause)
            remove_excess(graph_, peers, static_cast<OwnCause>(cause), chosen, times);
        result.assumes.push_back(
            "rank %1 takes as long as the median of its peers; its links stay as they are"_text(change.number));
    }

    void even_stages(const Change& change, GraphTimes& times, Prediction& result) {
        const StageWork work = stage_work(inputs_.run, graph_, inputs_.pipeline, graph_.times);
        if (work.compute.size() < 2 || (change.number >= 0 && !work.compute.contains(change.number))) {
            result.notes.push_back(change.number >= 0 && work.compute.size() > 1
                                       ? "there is no stage %1: nothing changes"_text(change.number)
                                       : "the stages of a pipeline are not known: nothing changes"_text());
            return;
        }
        work.spread_evenly(graph_, inputs_.pipeline.stages, static_cast<int>(change.number), times);
        result.assumes.push_back(
            change.number >= 0
                ? "each kernel of stage %1 for a microbatch takes %2x as long, so that the stage computes as long for "
                  "them as the mean one"_text(change.number,
                                              fmt::format("{:.2f}", work.mean / work.compute.at(change.number)))
                : "the same computation for the microbatches is spread evenly over the stages"_text());
    }

    void idealise_operation(const Change& change, GraphTimes& times, Prediction& result) {
        const std::vector<std::string> types = operation_types(graph_, inputs_.communication);
        if (std::ranges::find(types, change.target) == types.end()) {
            result.notes.push_back("no operation is of type %1 (there are: %2): nothing changes"_text(
                change.target, fmt::format("{}", fmt::join(types, ", "))));
            return;
        }
        idealise_operations(inputs_.run, graph_, inputs_.communication, inputs_.pipeline.stages, change.target, times);
        result.assumes.push_back(
            "work of type %1 that is the same takes its mean on all ranks, in all steps and repetitions; of "
            "communication, transfers that are alike take their median"_text(change.target));
    }

    /// Is the group meant: by its name or description, or as two ranks that it joins, "0-4"?
    static bool is_meant(const CommGroup& group, const std::string& target) {
        if (group.name == target || group.description == target)
            return true;
        int first = -1;
        int second = -1;
        const char* const end = target.data() + target.size();
        const auto one = std::from_chars(target.data(), end, first);
        if (one.ec != std::errc() || one.ptr == end || *one.ptr != '-' ||
            std::from_chars(one.ptr + 1, end, second).ptr != end)
            return false;
        const auto has = [&](int rank) { return std::ranges::find(group.ranks, rank) != group.ranks.end(); };
        return has(first) && has(second);
    }

    void repair_link(const Change& change, GraphTimes& times, Prediction& result) {
        std::map<SameCalls, std::vector<TimeNs>> others;
        std::vector<const CommunicationNode*> own;
        for (const CommunicationNode& node : inputs_.communication) {
            if (node.lone)
                continue;
            if (is_meant(inputs_.collectives.groups[node.group], change.target))
                own.push_back(&node);
            else
                others[node.same()].push_back(graph_.times.duration[node.node]);
        }
        std::map<SameCalls, TimeNs> medians;
        for (const auto& [same, times_of_others] : others)
            medians[same] = middle_median(times_of_others);
        std::size_t changed = 0;
        for (const CommunicationNode* node : own) {
            const auto median = medians.find(node->same());
            if (median == medians.end())
                continue;
            ++changed;
            times.duration[node->node] = std::min(times.duration[node->node], median->second);
        }
        if (changed == 0)
            result.notes.push_back(
                own.empty() ? "no group is called %1 or joins such ranks: nothing changes"_text(change.target)
                            : "no other group makes the calls of %1: nothing changes"_text(group_words(change.target)));
        else
            result.assumes.push_back(
                "%1 of %2 transfers of %3 take no longer than the median of other groups' of the same kind and "
                "size on the same way"_text(changed, own.size(), group_words(change.target)));
    }

    /// One microbatch more takes a stage one forward and one backward pass more.
    static bool runs_in_rhythm(ScheduleKind kind) {
        return kind == ScheduleKind::unknown || kind == ScheduleKind::gpipe || kind == ScheduleKind::one_f_one_b;
    }

    /// What comes before and after the passes stays; between them the new program is played through.
    void play_schedule(const Change* schedule, const Change* microbatches, const Replays::Replayed& now,
                       Prediction& result) {
        const PassTimes passes = pass_times(inputs_, now.start, now.times);
        const double before = passes.unavailable.empty() ? program_time(passes, passes.program).value_or(0) : 0;
        const double off = before > 0 && passes.span > 0 ? before / passes.span - 1 : 0;
        Message why = passes.unavailable;
        if (why.empty() && std::abs(off) > kPlayedFits) {
            const std::string percent = fmt::format("{:.0f}", 100 * std::abs(off));
            why = off < 0 ? "the recorded passes, played through, take %1 % less than they took: something else sets "
                            "their pace"_text(percent)
                          : "the recorded passes, played through, take %1 % more than they took: something else sets "
                            "their pace"_text(percent);
        }
        if (!why.empty()) {
            if (schedule == nullptr && runs_in_rhythm(inputs_.pipeline.schedule))
                return add_microbatches(*microbatches, now.start, now.times, result);
            result = {result.changes, 0, 0, {}, {}, std::move(why)};
            return;
        }
        const int ranks = static_cast<int>(passes.stages.size());
        const ScheduleKind kind = schedule == nullptr ? inputs_.pipeline.schedule : schedule->schedule;
        const int chunks = schedule == nullptr ? passes.chunks : schedule->chunks;
        const int count = microbatches == nullptr ? passes.microbatches : microbatches->microbatches;
        const auto program = scheduled_program(kind, ranks, chunks, count);
        const auto after = program ? program_time(passes, *program) : std::nullopt;
        if (before <= 0 || !after) {
            result = {result.changes,
                      0,
                      0,
                      {},
                      {},
                      chunks > 1 ? "%1 cannot run %2 microbatches on %3 stages with %4 parts of the model each"_text(
                                       Message::word(schedule_name(kind)), count, ranks, chunks)
                                 : "%1 cannot run %2 microbatches on %3 stages"_text(Message::word(schedule_name(kind)),
                                                                                     count, ranks)};
            return;
        }
        result.predicted += (*after - before) / (1 + off);
        result.work_ratio = static_cast<double>(count) / passes.microbatches;
        result.notes.push_back("%1 with %2 microbatches now"_text(
            Message::word(schedule_name(inputs_.pipeline.schedule)), passes.microbatches));
        result.assumes.push_back(
            "what comes before and after the passes stays as it is; messages take their median"_text());
        if (microbatches != nullptr)
            result.assumes.push_back(
                "each microbatch is as large as now, so that the batch is larger or smaller"_text());
        if (chunks != passes.chunks)
            result.assumes.push_back("the model can be cut into equal parts of what each stage holds now, but for what "
                                     "the first and the last stage have more to do"_text());
        const auto in_parts = [](ScheduleKind one) {
            return one == ScheduleKind::zero_bubble || one == ScheduleKind::dualpipe || one == ScheduleKind::dualpipev;
        };
        if (in_parts(kind) && !passes.weights_known)
            result.assumes.push_back("the weights' part is half of a backward pass"_text());
    }

    void add_microbatches(const Change& change, std::span<const TimeNs> start, const GraphTimes& times,
                          Prediction& result) {
        const auto now = inputs_.pipeline.microbatches ? inputs_.pipeline.microbatches : annotated_microbatches();
        const double period = now ? microbatch_period(inputs_, start, times) : 0;
        if (period <= 0) {
            result = {result.changes,
                      0,
                      0,
                      {},
                      {},
                      "needs annotations of two microbatches at least (\"Forward 0\", \"Backward 0\", ...)"_text()};
            return;
        }
        result.predicted += (change.microbatches - *now) * period;
        result.work_ratio = change.microbatches / *now;
        result.notes.push_back("%1 microbatches now, one more takes %2 ms"_text(fmt::format("{:.0f}", *now),
                                                                                fmt::format("{:.3f}", period / 1e6)));
        if (inputs_.pipeline.stage_count && *now < 2 * *inputs_.pipeline.stage_count) {
            result.notes.push_back("fewer than two microbatches a stage do not show the pipeline's rhythm: one may "
                                   "take some per cent more"_text());
        }
    }

    [[nodiscard]] std::optional<double> annotated_microbatches() const {
        std::optional<double> most;
        for (const MarkedPass& pass : marked_passes(*inputs_.run.ranks.front()))
            for (const PipelineAction& action : pass.actions)
                most = std::max(most.value_or(0), static_cast<double>(action.microbatch + 1));
        return most;
    }

    const FindingInputs& inputs_;
    const Findings& findings_;
    const StepGraph& graph_;
    Replays replays_;
    bool only_takes_away_ = false; ///< of the last prediction
};

/// As --what-if takes it.
std::optional<ScheduleKind> parse_schedule(std::string_view word) {
    for (const auto& [name, kind] :
         {std::pair("gpipe", ScheduleKind::gpipe), std::pair("1f1b", ScheduleKind::one_f_one_b),
          std::pair("interleaved", ScheduleKind::interleaved), std::pair("zero_bubble", ScheduleKind::zero_bubble),
          std::pair("dualpipe", ScheduleKind::dualpipe), std::pair("dualpipev", ScheduleKind::dualpipev)})
        if (word == name)
            return kind;
    return std::nullopt;
}

} // namespace

std::string link_target(std::span<const CommGroup> groups, std::uint32_t group) {
    const CommGroup& own = groups[group];
    const auto named = [&](const std::string& name) {
        return std::ranges::count_if(
            groups, [&](const CommGroup& other) { return other.name == name || other.description == name; });
    };
    for (const std::string& name : {own.name, own.description})
        if (!name.empty() && named(name) == 1)
            return name;
    return own.ranks.size() < 2 ? std::string() : fmt::format("{}-{}", own.ranks.front(), own.ranks.back());
}

std::vector<Prediction> each_and_together(std::span<const Change> changes,
                                          const std::function<Prediction(std::span<const Change>)>& predict) {
    std::vector<Prediction> predictions;
    for (std::size_t i = 0; i < changes.size(); ++i)
        predictions.push_back(predict(changes.subspan(i, 1)));
    if (changes.size() > 1)
        predictions.push_back(predict(changes));
    return predictions;
}

Result<Change> parse_change(std::string_view text) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
        return refused(text, "expected CHANGE=VALUE: straggler=median, comm=0, comm.tp=2x, overlap=perfect, host=0, "
                             "kernel:REGEX=1.5x, rank.5=peers, stages=even, schedule=1f1b, microbatches=16"_text);
    }
    const std::string_view name = text.substr(0, equals);
    const std::string_view value = text.substr(equals + 1);
    Change change;
    change.text = text;
    if (name == "straggler")
        return value == "median" ? Result<Change>(change) : refused(text, "expected straggler=median"_text);
    if (name == "overlap") {
        change.kind = ChangeKind::overlap;
        return value == "perfect" ? Result<Change>(change) : refused(text, "expected overlap=perfect"_text);
    }
    const auto is_number = [](std::string_view word, int& number) {
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        return error == std::errc() && end == word.data() + word.size() && number >= 0;
    };
    if (name.starts_with("rank.")) {
        change.kind = ChangeKind::rank;
        const bool fits = value == "peers" && is_number(name.substr(5), change.number);
        return fits ? Result<Change>(change) : refused(text, "expected rank.N=peers"_text);
    }
    if (name == "stages" || name.starts_with("stage.")) {
        change.kind = ChangeKind::stage;
        const bool all = name == "stages";
        const bool fits = all ? value == "even" : value == "mean" && is_number(name.substr(6), change.number);
        return fits ? Result<Change>(change) : refused(text, "expected stage.N=mean or stages=even"_text);
    }
    if (name.starts_with("operation.") && name.size() > 10) {
        change.kind = ChangeKind::operation;
        change.target = name.substr(10);
        return value == "ideal" ? Result<Change>(change) : refused(text, "expected operation.TYPE=ideal"_text);
    }
    if (name.starts_with("link.") && name.size() > 5) {
        change.kind = ChangeKind::link;
        change.target = name.substr(5);
        return value == "peers" ? Result<Change>(change) : refused(text, "expected link.GROUP=peers"_text);
    }
    if (name == "schedule") {
        change.kind = ChangeKind::schedule;
        const std::size_t colon = value.find(':');
        const auto kind = parse_schedule(value.substr(0, colon));
        if (colon != std::string_view::npos && !is_number(value.substr(colon + 1), change.chunks))
            change.chunks = 0;
        else if (colon == std::string_view::npos)
            change.chunks = kind == ScheduleKind::interleaved ? 2 : 1;
        const bool several = kind == ScheduleKind::interleaved || kind == ScheduleKind::zero_bubble;
        const bool fits =
            kind && change.chunks >= (kind == ScheduleKind::interleaved ? 2 : 1) && change.chunks <= (several ? 64 : 1);
        change.schedule = kind.value_or(ScheduleKind::unknown);
        return fits ? Result<Change>(change)
                    : refused(text, "expected schedule=gpipe, 1f1b, interleaved:CHUNKS, zero_bubble, dualpipe or "
                                    "dualpipev"_text);
    }
    if (name == "microbatches") {
        change.kind = ChangeKind::microbatches;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), change.microbatches);
        const bool fits = error == std::errc() && end == value.data() + value.size() && change.microbatches >= 1 &&
                          change.microbatches <= 100'000;
        return fits ? Result<Change>(change) : refused(text, "expected a number of microbatches"_text);
    }
    const auto factor = parse_factor(value);
    if (name == "comm" || (name.starts_with("comm.") && name.size() > 5)) {
        change.kind = ChangeKind::communication;
        change.target = name.size() > 5 ? name.substr(5) : std::string_view{};
    } else if (name == "host") {
        change.kind = ChangeKind::host;
    } else if (name.starts_with("kernel:") && name.size() > 7) {
        change.kind = ChangeKind::kernel;
        change.target = name.substr(7);
        change.pattern = std::make_shared<const re2::RE2>(change.target, re2::RE2::Quiet);
        if (!change.pattern->ok())
            return refused(text, "not a regular expression: %1"_text(change.pattern->error()));
    } else {
        return refused(text, "unknown; expected straggler, comm, comm.GROUP, overlap, host, kernel:REGEX, rank.N, "
                             "stage.N, stages, operation.TYPE, link.GROUP, schedule or microbatches"_text);
    }
    if (!factor)
        return refused(text, "expected 0 (takes no time) or a speed like 2x"_text);
    change.factor = *factor;
    return change;
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
