// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command/gate_check.h"

#include <algorithm>
#include <string>
#include <utility>

#include "app/command/process.h"
#include "app/command/study_command.h"
#include "core/base/text.h"
#include "core/compare/gate_history.h"

namespace rankscope {
namespace {

/// What both runs have is compared (RunComparison::part()), by the rules of the table. of_baseline, of_test: of the
/// whole runs.
Result<GateResult> against_baseline(const Gate& gate, const RunComparison& comparison, const MetricReport& of_baseline,
                                    const MetricReport& of_test) {
    const Comparability& common = comparison.comparability();
    if (!common.comparable())
        return not_comparable(gate, common.verdict);
    if (!common.other_iterations.empty() && !gate.metric->stands_for_itself)
        return not_comparable(gate, common.other_iterations);
    const auto judged = [&](const MetricReport& baseline, const MetricReport& test,
                            const std::vector<MetricChange>& changes) {
        auto result = check_gate(gate, test, &baseline);
        const auto change = std::ranges::find(changes, gate.metric->id, [](const auto& c) { return c.metric->id; });
        return result && change != changes.end() ? as_compared(std::move(*result), *change) : result;
    };
    const CommonPart& part = comparison.part();
    if (part.baseline.get() == &comparison.baseline() && part.test.get() == &comparison.test())
        return judged(of_baseline, of_test, changes_of_part(part, common, of_baseline, of_test));
    const std::vector<std::string> ids{gate.metric->id, "step_time"};
    const MetricReport baseline = compute_metrics(*part.baseline, ids);
    const MetricReport test = compute_metrics(*part.test, ids);
    auto result = judged(baseline, test, changes_of_part(part, common, baseline, test));
    if (result)
        result->of_common_part = true;
    return result;
}

void tell_history(const FittingHistory& history, const std::string& run) {
    for (const std::string& why : history.left_out)
        tell("rankscope: left out of the history of {}: {}\n", terminal_safe(run), terminal_safe(why));
    if (history.reports.size() < kEnoughHistory)
        tell("rankscope: runs in the history of {}: {}; with fewer than {} a percentile is little more than an "
             "extreme\n",
             terminal_safe(run), history.reports.size(), kEnoughHistory);
}

} // namespace

Result<std::vector<GateResult>> check_gates(const Options& options, std::span<const AnalysedRun> runs,
                                            const std::stop_token& stop) {
    std::vector<std::string> ids;
    for (const Gate& gate : options.gates)
        ids.push_back(gate.metric->id);
    if (std::ranges::any_of(options.gates, &Gate::against_baseline))
        ids.emplace_back("step_time"); // a comparison judges by it
    std::vector<MetricReport> reports; // --metrics need not name what the gates ask for
    for (const AnalysedRun& run : runs)
        reports.push_back(ids.empty() ? MetricReport() : compute_metrics(*run.analysis, ids));
    std::vector<HistoryRun> history;
    if (options.history) {
        auto read = read_history(options, ids, stop);
        if (!read)
            return tl::unexpected<Error>(read.error());
        history = std::move(*read);
    }
    std::vector<GateResult> results;
    for (std::size_t i = runs.size() > 1 ? 1 : 0; i < runs.size(); ++i) {
        const FittingHistory fitting = fitting_history(history, *runs[i].analysis);
        if (options.history && !options.quiet)
            tell_history(fitting, runs[i].label);
        for (const Gate& gate : options.gates) {
            auto result = gate.against_baseline
                              ? against_baseline(gate, *runs[i].comparison, reports.front(), reports[i])
                              : check_gate(gate, reports[i], nullptr, fitting.reports);
            if (!result)
                return tl::unexpected<Error>(result.error());
            result->run = runs[i].label;
            results.push_back(std::move(*result));
        }
    }
    return results;
}

} // namespace rankscope
