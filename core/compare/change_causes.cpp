// SPDX-License-Identifier: GPL-3.0-or-later
// What the traces tell of why a part of an iteration changed.
#include "core/compare/change_causes.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/digits.h"
#include "core/compare/cause_words.h"
#include "core/compare/kernel_comparison.h"
#include "core/compare/launch_pace.h"
#include "core/compare/rank_causes.h"

namespace rankscope {

using namespace cause_words;

std::optional<std::size_t> leading_factor(std::span<const Factor> factors, double change) {
    std::optional<std::size_t> leading;
    double most = 0;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (!(factors[i].baseline > 0) || !(factors[i].test > 0))
            continue;
        const double contribution = std::log(factors[i].test / factors[i].baseline) * (change > 0 ? 1 : -1);
        if (contribution > most) {
            most = contribution;
            leading = i;
        }
    }
    return leading;
}

std::string ms_text(double us) { return fmt::format("{:.{}f} ms", us / 1000, shown_decimals(us / 1000, 3)); }
std::string signed_ms_text(double us) { return fmt::format("{:+.{}f} ms", us / 1000, shown_decimals(us / 1000, 3)); }

Message copies_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                     const StepAccount& after, double change) {
    const std::vector<OperatorChange> copies =
        compare_operators(copy_totals_per_step(baseline, before), copy_totals_per_step(test, after));
    const auto gain = [&](const OperatorChange& copy) {
        return (copy.test.time_us - copy.baseline.time_us) * (change > 0 ? 1 : -1);
    };
    const auto most = std::ranges::max_element(copies, {}, gain);
    if (most == copies.end() || gain(*most) <= 0)
        return {};
    return "%1: %2 -> %3 an iteration (%4 -> %5 in all)"_text(
        shown_name(most->name), count_text(most->baseline.count), count_text(most->test.count),
        ms_text(most->baseline.time_us), ms_text(most->test.time_us));
}

namespace {

/// What data loaders take in these iterations, mean of those of the ranks, ns; none without profiler steps. ranks:
/// empty: all.
std::optional<double> loading_time(const RunAnalysis& analysis, const StepAccount& account,
                                   const std::vector<int>& ranks) {
    const StepGraph& graph = analysis.step_graph();
    if (!graph.profiler_steps)
        return {};
    std::vector<std::vector<bool>> counts(analysis.run().ranks.size()); // by rank, then place of the step
    double steps = 0;
    for (const GraphStep& step : graph.steps) {
        const bool counted =
            std::ranges::binary_search(account.numbers[step.rank], step.number) &&
            (ranks.empty() || std::ranges::binary_search(ranks, analysis.run().ranks[step.rank]->rank));
        counts[step.rank].push_back(counted);
        steps += counted ? 1 : 0;
    }
    if (steps == 0)
        return {};
    double sum = 0;
    for (std::size_t r = 0; r < counts.size(); ++r)
        for (std::uint32_t n = graph.first_node[r]; n < graph.first_node[r + 1]; ++n)
            if (graph.kind[n] == NodeKind::data_loading && graph.step[n] < counts[r].size() && counts[r][graph.step[n]])
                sum += static_cast<double>(graph.times.duration[n]);
    return sum / steps;
}

} // namespace

Message loading_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                      const StepAccount& after, const std::vector<int>& ranks, double difference) {
    const std::optional<double> was = loading_time(baseline, before, ranks);
    const std::optional<double> is = loading_time(test, after, ranks);
    if (!was || !is || difference == 0 || (*is - *was) / difference < 0.5)
        return {};
    return ranks.size() > 1 ? "loading data takes the hosts %1 -> %2"_text(ms_text(*was / 1000), ms_text(*is / 1000))
                            : "loading data takes the host %1 -> %2"_text(ms_text(*was / 1000), ms_text(*is / 1000));
}

Message host_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                   const StepAccount& after, std::span<const MovedRanks> moved) {
    const double change = after.mean.host - before.mean.host;
    Message own = by_moved_ranks(moved, MovedRanks::Part::host, change * static_cast<double>(after.ranks.size()));
    if (own.empty())
        if (const ChangedRanks most =
                ranks_changed_most(before, after, change * static_cast<double>(after.ranks.size()),
                                   [](const RankSteps& rank) { return rank.mean.host; });
            !most.ranks.empty())
            own = "most on %1"_text(most.text);
    Message why = loading_cause(baseline, test, before, after, {}, change);
    if (why.empty() && own.empty()) // of all ranks: it does not explain what happened to some
        why = launch_pace_cause(baseline, test, before, after, change);
    return why.empty() ? own : joined(why, own);
}

} // namespace rankscope
