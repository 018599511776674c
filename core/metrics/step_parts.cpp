// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics exposed_comm, wait_for_ranks, bubble and idle: parts of a step, as the bar of the Overview shows them. Of a
// step of 13.3 ms whose bar has 12 % exposed communication, exposed_comm is 1.6 ms.
#include <array>
#include <span>

#include "core/analysis/facts/fact_words.h"
#include "core/metrics/iterations.h"
#include "core/metrics/numbers.h"

namespace rankscope {
namespace {

constexpr std::array kExposed{StepShare::exposed_communication};
constexpr std::array kWaiting{StepShare::waiting};
constexpr std::array kBubble{StepShare::bubble};
constexpr std::array kIdle{StepShare::launching, StepShare::host, StepShare::unrecorded};

using Shares = std::span<const StepShare>;

double sum_ms(const StepFill& fill, Shares shares) {
    double sum_ns = 0;
    for (const StepShare share : shares)
        sum_ns += fill[share];
    return rounded(sum_ns / 1e6);
}

MetricResult compute_part(const RunAnalysis& analysis, Shares shares) {
    const Facts& facts = analysis.facts();
    if (facts.unit == StepAccount::Unit::window || facts.ranks.empty())
        return no_iteration_known(analysis.run());
    std::vector<RankValue> by_rank;
    for (const RankFacts& rank : facts.ranks)
        by_rank.push_back({rank.rank, sum_ms(rank.fill, shares)});
    Json details{{"percent", rounded(100 * sum_ms(facts.fill, shares) / (facts.fill.step_ns / 1e6))}};
    return MetricResult::of(sum_ms(facts.fill, shares), std::move(details), std::move(by_rank));
}

StepValues by_iteration(const RunAnalysis& analysis, Shares shares) {
    StepValues values;
    if (analysis.facts().unit != StepAccount::Unit::window)
        for (const StepFacts& step : analysis.facts().by_step)
            values[step.number].push_back(sum_ms(step.fill, shares));
    return values;
}

/// with_untraced_ranks: Metric::with_untraced_ranks.
Metric part_metric(std::string id, std::string title, std::string topic, std::string definition, Shares shares,
                   ValueBound with_untraced_ranks = ValueBound::none) {
    Metric metric{std::move(id),
                  std::move(title),
                  "ms",
                  Better::lower,
                  std::move(topic),
                  std::move(definition),
                  [shares](const RunAnalysis& analysis) { return compute_part(analysis, shares); },
                  Needs::gpu_work};
    metric.moved_by = all_setting_kinds();
    metric.of_iteration = OfIteration::part;
    metric.with_untraced_ranks = with_untraced_ranks;
    metric.of_judged = true;
    metric.by_iteration = [shares](const RunAnalysis& analysis) { return by_iteration(analysis, shares); };
    return metric;
}

} // namespace

Metric exposed_comm_metric() {
    return part_metric(
        "exposed_comm", "Exposed communication", "Communication",
        "Time of an iteration in which only communication runs and all members of the call have arrived, "
        "outside of pipeline bubbles; mean over steps and ranks.",
        kExposed, ValueBound::at_most);
}

Metric wait_for_ranks_metric() {
    Metric metric =
        part_metric("wait_for_ranks", "Waiting for other ranks", "Communication",
                    "Time of an iteration in which only communication runs and a member of the call has not arrived "
                    "yet, outside of pipeline bubbles; mean over steps and ranks.",
                    kWaiting, ValueBound::at_least);
    metric.compute = [](const RunAnalysis& analysis) {
        MetricResult result = compute_part(analysis, kWaiting);
        const UnseenMembers unseen = analysis.facts().unseen_members;
        return !result.available || !analysis.judged().collectives().matched.empty() || unseen == UnseenMembers::none
                   ? result
               : unseen == UnseenMembers::no_trace
                   ? MetricResult::unavailable("needs traces of two ranks that call the same collectives"_text)
                   : MetricResult::unavailable("not known: %1"_text(unseen_members_words(unseen)));
    };
    return metric;
}

Metric bubble_metric() {
    Metric metric = part_metric(
        "bubble", "Time in pipeline bubbles", "Iterations",
        "Time of an iteration in which a pipeline stage waits for its neighbours; mean over steps and ranks.", kBubble);
    metric.compute = [](const RunAnalysis& analysis) {
        return analysis.pipeline().unavailable.empty() ? compute_part(analysis, kBubble)
                                                       : MetricResult::unavailable(analysis.pipeline().unavailable);
    };
    return metric;
}

Metric idle_metric() {
    return part_metric(
        "idle", "GPU idle in a step", "Iterations",
        "Time of an iteration in which no GPU work runs, outside of pipeline bubbles; mean over steps and "
        "ranks.",
        kIdle);
}

} // namespace rankscope
