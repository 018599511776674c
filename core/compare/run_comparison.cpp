// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/run_comparison.h"

#include <optional>
#include <utility>

#include "core/compare/compared_steps.h"
#include "core/compare/paired_calls.h"

namespace rankscope {

namespace {

/// What the report has, of a part of the run; nothing where that is the whole.
std::optional<MetricReport> of_part(const RunAnalysis& whole, const RunAnalysis& part, const MetricReport& of_whole) {
    std::vector<std::string> ids;
    for (const MetricReport::Entry& entry : of_whole.entries)
        ids.push_back(entry.metric->id);
    return &whole == &part || ids.empty() ? std::nullopt : std::optional(compute_metrics(part, ids));
}

std::vector<MetricChange> changes_of(const CommonPart& part, const Comparability& comparability,
                                     const RunAnalysis& whole_baseline, const MetricReport& baseline,
                                     const RunAnalysis& whole_test, const MetricReport& test) {
    const auto before = of_part(whole_baseline, *part.baseline, baseline);
    const auto after = of_part(whole_test, *part.test, test);
    return changes_of_part(part, comparability, before ? *before : baseline, after ? *after : test);
}

} // namespace

std::vector<MetricChange> changes_of_part(const CommonPart& part, const Comparability& comparability,
                                          const MetricReport& baseline, const MetricReport& test) {
    const auto split = compared_split(*part.baseline, *part.test);
    const auto interval = [&](const Metric& metric) -> tl::expected<double, Message> {
        if (!metric.by_iteration)
            return tl::unexpected("one value a run"_text());
        const bool of_calls = metric.id == "comm_bandwidth";
        const auto half = of_calls
                              ? bandwidth_interval(*part.baseline, *part.test)
                              : interval_of_steps(metric.by_iteration(*part.baseline), metric.by_iteration(*part.test),
                                                  split ? split->numbers : std::vector<std::int64_t>());
        if (half)
            return *half;
        return tl::unexpected(of_calls ? "no two calls of one size in both runs"_text() : "one step a run"_text());
    };
    const bool host_marks = part.baseline->steps().unit == StepAccount::Unit::profiler_steps;
    return compare_metrics(
        baseline, test,
        {comparability.comparable(), split.has_value(), comparability.other_iterations.empty(),
         comparability.inputs.differ.empty(), host_marks, part.fewer_ranks, interval,
         [&](const Metric& metric) { return compare_at_equal_batches(metric, *part.baseline, *part.test); }});
}

RunComparison::RunComparison(std::shared_ptr<const RunAnalysis> baseline, const MetricReport& baseline_metrics,
                             std::shared_ptr<const RunAnalysis> test, const MetricReport& test_metrics)
    : baseline_(std::move(baseline)), test_(std::move(test)), part_(common_part(baseline_, test_)),
      comparability_(rankscope::comparability(*part_.baseline, *part_.test)),
      metrics_(changes_of(part_, comparability_, *baseline_, baseline_metrics, *test_, test_metrics)),
      config_(compare_configs(baseline_->run().config, test_->run().config)) {}

const ChangeExplanation& RunComparison::explanation() const {
    return explanation_.get([this] { return explain_change(part_, comparability_, config_); });
}

const std::vector<OperatorChange>& RunComparison::operators() const {
    return operators_.get([this] { return compare_operators(name_totals(*part_.baseline), name_totals(*part_.test)); });
}

std::pair<double, double> RunComparison::summed_steps() const {
    const auto steps_of = [](const RunAnalysis& analysis) {
        const StepAccount& account = analysis.steps();
        double steps = 0;
        for (const RankSteps& rank : account.ranks)
            steps += static_cast<double>(rank.steps) / static_cast<double>(account.ranks.size());
        return account.unit == StepAccount::Unit::window ? 0 : steps;
    };
    return {steps_of(*part_.baseline), steps_of(*part_.test)};
}

const std::vector<KernelChange>& RunComparison::kernels() const {
    return kernels_.get([this] { return compare_kernels(*part_.baseline, *part_.test); });
}

const std::vector<ModuleChange>& RunComparison::modules() const {
    return modules_.get([this] {
        return compare_modules(part_.baseline->modules(), part_.baseline->run().ranks.size(), part_.test->modules(),
                               part_.test->run().ranks.size());
    });
}

const std::vector<DeviceMemoryComparison>& RunComparison::memory() const {
    return memory_.get([this] {
        return compare_memory(baseline_->run(), baseline_->snapshot_memory(), test_->run(), test_->snapshot_memory());
    });
}

} // namespace rankscope
