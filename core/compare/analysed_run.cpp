// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/analysed_run.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace rankscope {

void label_runs(std::vector<AnalysedRun>& runs) {
    for (AnalysedRun& run : runs) {
        const auto same_name = [&](const AnalysedRun& other) { return other.run().name == run.run().name; };
        const auto other_capture = [&](const AnalysedRun& other) {
            return other.run().path == run.run().path && other.run().source != run.run().source;
        };
        run.label = std::ranges::count_if(runs, same_name) == 1 ? run.run().name
                    : std::ranges::any_of(runs, other_capture)
                        ? fmt::format("{} ({})", run.run().name, trace_source_word(run.run().source))
                        : run.run().path.string();
    }
    // The same path given twice still needs two labels.
    std::set<std::string> taken;
    for (AnalysedRun& run : runs) {
        const std::string wanted = run.label;
        for (int copy = 2; !taken.insert(run.label).second; ++copy)
            run.label = fmt::format("{} ({})", wanted, copy);
    }
}

void relate_runs(std::vector<AnalysedRun>& runs) {
    for (std::size_t i = 0; i < runs.size(); ++i)
        runs[i].role = runs.size() == 1 ? "run" : i == 0 ? "baseline" : "test";
    label_runs(runs);
    for (std::size_t i = 1; i < runs.size(); ++i)
        runs[i].comparison =
            std::make_shared<const RunComparison>(runs[0].analysis, runs[0].metrics, runs[i].analysis, runs[i].metrics);
}

std::vector<std::int64_t> iteration_numbers(const RunAnalysis& analysis) {
    std::set<std::int64_t> numbers;
    for (const RankAnalysis& rank : analysis.ranks())
        for (const ProfilerStep& step : rank.steps)
            numbers.insert(step.number);
    return {numbers.begin(), numbers.end()};
}

} // namespace rankscope
