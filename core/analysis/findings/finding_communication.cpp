// SPDX-License-Identifier: GPL-3.0-or-later
// Communication that nothing hides, bubbles, clocks that do not fit.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/usual/stage_work.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// Were the host to take no time, the step would be shorter by nearly all of it.
bool host_becomes_the_limit(const FindingContext& c, const std::vector<const CommunicationNode*>& nodes,
                            double exposed) {
    const auto no_host = [&](GraphTimes& times) { scale_host(c.graph, 0, false, times); };
    const double saved = c.repaired.saved_ns([&](GraphTimes& times) {
        no_host(times);
        for (const CommunicationNode* node : nodes)
            times.duration[node->node] = 0;
    });
    return saved - c.repaired.saved_ns(no_host) >= (1 - kNearlyAlike) * exposed;
}

/// What communication costs, ns a step.
struct CommunicationCost {
    double exposed = 0; ///< no computation runs beside it
    double all = 0;     ///< saved if it took no time
    double slowing = 0; ///< of all: computation beside it takes longer
};

/// Who waits in a bubble, or for a rank, may wait for a message: then it costs more than is exposed.
Message exposed_words(const FindingContext& c, ParallelDimension dimension, const CommunicationCost& cost) {
    const Message time = per_step_words(c, cost.exposed);
    const std::string word(parallel_dimension_word(dimension));
    const bool known = dimension != ParallelDimension::unknown;
    Message words;
    if (cost.all - cost.slowing > (1 + kNearlyAlike) * cost.exposed) {
        words =
            known ? "%1 communication holds the step up: %2 of it is exposed, and bubbles or waits follow from it"_text(
                        word, time)
                  : "Communication holds the step up: %1 of it is exposed, and bubbles or waits follow from it"_text(
                        time);
    } else {
        const double whole = c.inputs.facts.fill.step_ns;
        Message percent = "%1 %"_text(fmt::format("{:.0f}", 100 * cost.exposed / whole));
        if (c.recorded_once())
            percent = "%1 of %2"_text(percent, time_words(whole));
        words = known ? "Exposed %1 communication: %2 (%3)"_text(word, time, percent)
                      : "Exposed communication: %1 (%2)"_text(time, percent);
    }
    if (cost.slowing >= kNearlyAlike * cost.all)
        words += "; it slows the computation beside it, which costs %1"_text(time_words(cost.slowing));
    return words;
}

/// Of what is saved by the change, which takes communication out: computation is as fast as without communication
/// beside it. ns a step.
double cost_of_slowing(const FindingContext& c, const TimesChange& no_time, double saved) {
    if (c.inputs.beside.empty())
        return 0;
    const double waits_only = c.replays_as_computed.step_time(c.repaired.times(), [](GraphTimes&) {}) -
                              c.replays_as_computed.step_time(c.repaired.times(), no_time);
    return std::clamp(saved - waits_only, 0.0, saved);
}

/// only: there is no communication of another dimension.
std::optional<Finding> exposed_communication(const FindingContext& c, ParallelDimension dimension,
                                             const std::vector<const CommunicationNode*>& nodes, bool only) {
    std::vector<bool> chosen(c.graph.size());
    std::vector<std::pair<TimeNs, std::uint32_t>> longest;
    TimeNs total = 0;
    std::size_t lone = 0;
    for (const CommunicationNode* node : nodes) {
        chosen[node->node] = true;
        total += c.graph.times.duration[node->node];
        lone += node->lone ? 1 : 0;
        longest.emplace_back(c.graph.times.duration[node->node], node->node);
    }
    if (c.share(static_cast<double>(total) / static_cast<double>(c.steps)) < kLeastInherent)
        return {};
    const auto is_chosen = [&](std::uint32_t n) { return only || chosen[n]; };
    const TimesChange no_time = [&](GraphTimes& times) {
        for (const CommunicationNode* node : nodes)
            times.duration[node->node] = 0;
    };
    const double cost = c.repaired.saved_ns(no_time);
    if (c.share(cost) < kLeastInherent)
        return {};
    const auto unchain = [&](GraphTimes& times) { unchain_compute(c.graph, is_chosen, times); };
    // Of the run as it is: the same as --what-if overlap=perfect.
    const double hidden = std::max(0.0, c.step_time - c.replays.step_time(c.graph.times, unchain));
    const double exposed = c.inputs.steps.mean.transfer[static_cast<std::size_t>(dimension)]; // ns a step
    const double slowing = cost_of_slowing(c, no_time, cost);
    Finding finding;
    finding.code = FindingCode::exposed_communication;
    finding.inherent = true;
    finding.group = parallel_dimension_word(dimension);
    finding.title = exposed_words(c, dimension, {exposed, cost, slowing});
    if (cost < (1 - kNearlyAlike) * exposed && host_becomes_the_limit(c, nodes, exposed))
        finding.title += "; without it the host is the limit"_text();
    if (hidden < kNearlyAlike * cost)
        finding.title += "; computation waits for it, so that overlap alone saves next to nothing"_text();
    else if (hidden < (1 - kNearlyAlike) * cost)
        finding.title += "; overlap alone saves at most %1"_text(time_words(hidden));
    std::partial_sort(longest.begin(),
                      longest.begin() + static_cast<std::ptrdiff_t>(std::min(kEventsShown, longest.size())),
                      longest.end(), std::greater<>());
    if (nodes.size() > 1 && 2 * longest.front().first > total)
        finding.title +=
            "; one of its %1 calls lasts %2"_text(nodes.size(), time_words(static_cast<double>(longest.front().first)));
    if (lone > 0)
        finding.title += " (not all members of its calls are known, so waits for them count too)"_text();
    finding.facts = {
        {FactName::calls, static_cast<double>(nodes.size()), {}},
        {FactName::transfer_us_per_step, static_cast<double>(total) / 1000 / static_cast<double>(c.steps), {}},
        {FactName::exposed_us_per_step, exposed / 1000, {}},
        {FactName::could_overlap_us_per_step, hidden / 1000, {}}};
    if (slowing > 0)
        finding.facts.push_back({FactName::slowed_computation_us_per_step, slowing / 1000, {}});
    for (std::size_t i = 0; i < std::min(kEventsShown, longest.size()); ++i)
        finding.events.push_back(c.event(longest[i].second));
    finding.cost = cost;
    finding.confidence = lone > 0 ? 0.5 : 0.9;
    return finding;
}

} // namespace

void find_exposed_communication(const FindingContext& c, std::vector<Finding>& found) {
    std::map<ParallelDimension, std::vector<const CommunicationNode*>> dimensions;
    for (const CommunicationNode& node : c.communication)
        dimensions[node.dimension].push_back(&node);
    std::vector<std::optional<Finding>> findings(dimensions.size());
    tbb::parallel_for(std::size_t{0}, findings.size(), [&](std::size_t i) {
        const auto& [dimension, nodes] = *std::next(dimensions.begin(), static_cast<std::ptrdiff_t>(i));
        findings[i] = exposed_communication(c, dimension, nodes, dimensions.size() == 1);
    });
    for (std::optional<Finding>& finding : findings)
        if (finding)
            found.push_back(std::move(*finding));
}

void find_exposed_copies(const FindingContext& c, std::vector<Finding>& found) {
    std::map<std::string_view, TimeNs> names;
    std::vector<std::pair<TimeNs, std::uint32_t>> longest;
    TimeNs total = 0;
    for (std::uint32_t r = 0; r < c.inputs.run.ranks.size(); ++r)
        for (std::uint32_t n = c.graph.first_gpu_node[r]; n < c.graph.first_node[r + 1]; ++n) {
            const NodeKind kind = c.graph.kind[n];
            if ((kind != NodeKind::memory_copy && kind != NodeKind::memory_set) ||
                (c.graph.profiler_steps && c.graph.step[n] == kNoNode))
                continue;
            const TimeNs time = c.graph.times.duration[n];
            names[c.inputs.run.ranks[r]->event_name(c.graph.event[n])] += time;
            longest.emplace_back(time, n);
            total += time;
        }
    const double each = static_cast<double>(total) / static_cast<double>(c.steps * c.inputs.run.ranks.size());
    if (c.share(each) < kLeastInherent)
        return; // a step waits for no more than that
    const double cost = c.repaired.saved_ns([&](GraphTimes& times) {
        for (const auto& [time, node] : longest)
            times.duration[node] = 0;
    });
    if (c.share(cost) < kLeastInherent)
        return;
    const auto most = std::ranges::max_element(names, {}, [](const auto& name) { return name.second; });
    Finding finding;
    finding.code = FindingCode::exposed_copies;
    finding.inherent = true;
    finding.title = "Copies are exposed: %1 would be saved if they took no time; most of their time is %2"_text(
        share_words(c, cost), std::string(most->first));
    finding.facts = {{FactName::copies, static_cast<double>(longest.size()), {}},
                     {FactName::copy_us_per_rank_and_step, each / 1000, {}}};
    const auto shown = static_cast<std::ptrdiff_t>(std::min(kEventsShown, longest.size()));
    std::partial_sort(longest.begin(), longest.begin() + shown, longest.end(), std::greater<>());
    for (const auto& [time, node] : std::span(longest).first(static_cast<std::size_t>(shown)))
        finding.events.push_back(c.event(node));
    finding.cost = cost;
    finding.confidence = 0.9;
    found.push_back(std::move(finding));
}

namespace {

/// What a step would be shorter if each stage computed as long for its microbatches as the mean one; 0 where that is
/// next to nothing.
double uneven_stages(const FindingContext& c, std::vector<Finding>& found) {
    const StageWork work = stage_work(c.inputs.run, c.graph, c.inputs.pipeline, c.repaired.times());
    if (work.compute.size() < 2)
        return 0;
    const auto busiest = std::ranges::max_element(work.compute, {}, [](const auto& stage) { return stage.second; });
    if (work.mean <= 0 || busiest->second < kUnevenStages * work.mean)
        return 0;
    const double cost = c.repaired.saved_ns(
        [&](GraphTimes& times) { work.spread_evenly(c.graph, c.inputs.pipeline.stages, -1, times); });
    if (c.share(cost) < kLeastInherent)
        return 0;
    Finding finding;
    finding.code = FindingCode::uneven_stages;
    finding.inherent = true;
    finding.group = "pp";
    for (std::size_t r = 0; r < c.inputs.run.ranks.size(); ++r)
        if (c.inputs.pipeline.stages[r] == busiest->first)
            finding.ranks.push_back(c.inputs.run.ranks[r]->rank);
    finding.title = "The stages of the pipeline are uneven: stage %1 (%2) computes %3× as long for its microbatches as "
                    "the mean stage, and the others wait for it"_text(
                        busiest->first, rank_words(finding.ranks), fmt::format("{:.2f}", busiest->second / work.mean));
    finding.facts = {{FactName::ratio, busiest->second / work.mean, {}},
                     {FactName::stage, static_cast<double>(busiest->first), {}}};
    finding.cost = cost;
    finding.confidence = 0.8;
    found.push_back(std::move(finding));
    return cost;
}

/// share: of the step, as facts have it.
Message bubble_words(const PipelineAnalysis& pipeline, double share, double cost, bool of_the_rest) {
    Message words = "Pipeline bubbles take %1 % of the step"_text(fmt::format("{:.1f}", 100 * share));
    words += pipeline.ideal
                 ? (of_the_rest ? "; %1 leaves %2 % if all stages take equally long, so %3 a step could be saved "
                                  "beside what uneven stages cost"_text
                                : "; %1 leaves %2 % if all stages take equally long, so %3 a step could be saved"_text)(
                       Message::word(schedule_name(
                           pipeline.schedule == ScheduleKind::unknown ? ScheduleKind::one_f_one_b : pipeline.schedule)),
                       fmt::format("{:.1f}", 100 * *pipeline.ideal), time_words(cost))
                 : "; how many its schedule needs is not known"_text();
    return words;
}

} // namespace

void find_bubbles(const FindingContext& c, std::vector<Finding>& found) {
    const PipelineAnalysis& pipeline = c.inputs.pipeline;
    if (!pipeline.unavailable.empty() || pipeline.method == BubbleMethod::idle)
        return;
    TimeNs bubble = 0;
    TimeNs window = 0;
    const StepBubble* worst = nullptr;
    for (const StepBubble& step : pipeline.steps) {
        bubble += step.bubble();
        window += step.window.length();
        worst = worst == nullptr || step.bubble() > worst->bubble() ? &step : worst;
    }
    if (window == 0)
        return;
    const double share = static_cast<double>(bubble) / static_cast<double>(window);
    // With the same work and no more bubbles than the schedule needs, a step is that much shorter: (1 - share) / (1 -
    // ideal) of what it is. What stragglers, links and uneven stages cost shows as bubbles too, and is told apart.
    const double ideal = std::min(pipeline.ideal.value_or(0), share);
    const double of_uneven = uneven_stages(c, found);
    const double cost = (share - ideal) / (1 - ideal) * c.step_time - (c.step_time - c.repaired.step_ns()) - of_uneven;
    if (c.share(cost) < kLeastInherent)
        return;
    Finding finding;
    finding.code = FindingCode::pipeline_bubble;
    finding.inherent = true;
    finding.group = "pp";
    const double share_of_step = c.inputs.facts.fill.share(StepShare::bubble);
    finding.title = bubble_words(pipeline, share_of_step > 0 ? share_of_step : share, cost, of_uneven > 0);
    finding.facts = {{FactName::bubble_share, share, {}}, {FactName::stage_imbalance, pipeline.imbalance, {}}};
    if (pipeline.ideal)
        finding.facts.push_back({FactName::ideal_share, *pipeline.ideal, {}});
    finding.facts.push_back({FactName::schedule, 0, std::string(schedule_word(pipeline.schedule))});
    finding.events.push_back({worst->rank, kNoEvent, worst->window});
    finding.cost = cost;
    finding.confidence = 0.7;
    found.push_back(std::move(finding));
}

namespace {

/// How far a rank's ends of synchronising calls are from the median of the other members', aligned: median, and the
/// call farthest off.
struct ClockError {
    std::vector<TimeNs> errors;
    TimeNs farthest = -1;
    FindingEvent event;
};

std::vector<ClockError> clock_errors(const FindingContext& c) {
    std::vector<ClockError> ranks(c.inputs.run.ranks.size());
    const CollectiveMatching& matching = c.inputs.collectives;
    for (const MatchedCall& call : matching.matched) {
        if (!call.complete || !synchronises(call.kind) || call.members.size() < 2)
            continue;
        const auto end = [&](const auto& member) {
            return c.inputs.clock.aligned(member.first, matching.call(member).range.end);
        };
        for (const auto& member : call.members) {
            std::vector<double> others;
            for (const auto& other : call.members)
                if (other != member)
                    others.push_back(static_cast<double>(end(other)));
            ClockError& rank = ranks[member.first];
            const TimeNs error = std::abs(end(member) - std::llround(middle_median(std::move(others))));
            rank.errors.push_back(error);
            if (error > rank.farthest) {
                rank.farthest = error;
                rank.event = {member.first, matching.call(member).event, matching.call(member).range};
            }
        }
    }
    return ranks;
}

void add_clock_evidence(const FindingContext& c, TimeNs misfit, Finding& finding) {
    std::vector<std::pair<TimeNs, FindingEvent>> worst; // median error of each rank that does not fit
    for (ClockError& rank : clock_errors(c)) {
        if (rank.errors.empty())
            continue;
        const TimeNs error = upper_median(std::move(rank.errors));
        if (error > misfit)
            worst.emplace_back(error, rank.event);
    }
    std::ranges::stable_sort(worst, std::greater<>(), [](const auto& one) { return one.first; });
    for (const auto& [error, event] : std::span(worst).first(std::min(kEventsShown, worst.size()))) {
        finding.ranks.push_back(c.rank_number(event.rank));
        finding.events.push_back(event);
    }
    if (!worst.empty()) {
        std::sort(finding.ranks.begin(), finding.ranks.end());
        finding.facts.push_back(
            {FactName::median_end_difference_us, static_cast<double>(worst.front().first) / 1000, {}});
        finding.title += ". Farthest off: rank %1, whose collectives end %2 from the others' on median"_text(
            c.rank_number(worst.front().second.rank), time_words(static_cast<double>(worst.front().first)));
    }
}

} // namespace

bool guessed_calls_do_not_fit(const FindingContext& c) {
    const CollectiveMatching& matching = c.inputs.collectives;
    const bool recorded = std::ranges::any_of(
        matching.matched,
        [&](const MatchedCall& call) {
            return call.complete && synchronises(call.kind) && matching.groups[call.group].recorded;
        });
    return !recorded && std::ranges::any_of(clock_errors(c), [](ClockError& rank) {
        return !rank.errors.empty() && upper_median(std::move(rank.errors)) > kClockError;
    });
}

void find_clock_misfit(const FindingContext& c, std::vector<Finding>& found) {
    const ClockAlignment& clock = c.inputs.clock;
    if (const auto& jump = c.jump) {
        Finding finding;
        finding.code = FindingCode::clock_misfit;
        finding.cause = FindingCause::jump;
        finding.ranks = {c.rank_number(jump->rank)};
        const std::string by = time_words(static_cast<double>(std::abs(jump->by)));
        finding.title =
            jump->by > 0
                ? "The clock of rank %1 jumps ahead by %2 inside the recording: from there on, its calls "
                  "end that much later than the same calls of the other ranks"_text(c.rank_number(jump->rank), by)
                : "The clock of rank %1 jumps back by %2 inside the recording: from there on, its calls end "
                  "that much earlier than the same calls of the other ranks"_text(c.rank_number(jump->rank), by);
        finding.facts = {{FactName::jump_us, static_cast<double>(jump->by) / 1000, {}}};
        finding.events = {{jump->rank, jump->event, c.inputs.run.ranks[jump->rank]->events.range(jump->event)}};
        finding.confidence = 0.9;
        found.push_back(std::move(finding));
        return;
    }
    if (guessed_calls_do_not_fit(c))
        return;
    if (clock.contradiction <= kClockError)
        return;
    Finding finding;
    finding.code = FindingCode::clock_misfit;
    const std::string by = time_words(static_cast<double>(clock.contradiction));
    finding.title = clock.applied
                        ? "The clocks of the ranks still disagree after alignment: at a tenth of the collective calls "
                          "or more, a rank ends %1 or more before another one starts; lags shorter than that mean "
                          "nothing"_text(by)
                        : "The clocks of the ranks disagree and are not aligned: at a tenth of the collective calls or "
                          "more, a rank ends %1 or more before another one starts; lags between ranks are not to be "
                          "trusted"_text(by);
    finding.facts = {{FactName::contradiction_us, static_cast<double>(clock.contradiction) / 1000, {}},
                     {FactName::largest_difference_us, static_cast<double>(clock.largest_difference) / 1000, {}},
                     {FactName::residual_us, static_cast<double>(clock.residual) / 1000, {}}};
    finding.confidence = 0.9;
    add_clock_evidence(c, kClockError, finding);
    found.push_back(std::move(finding));
}

} // namespace rankscope
