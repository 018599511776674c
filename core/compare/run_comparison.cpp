// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/run_comparison.h"

#include <utility>

namespace rankscope {

RunComparison::RunComparison(std::shared_ptr<const RunAnalysis> baseline, const MetricReport& baseline_metrics,
                             std::shared_ptr<const RunAnalysis> test, const MetricReport& test_metrics)
    : baseline_(std::move(baseline)), test_(std::move(test)), metrics_(compare_metrics(baseline_metrics, test_metrics)),
      config_(compare_configs(baseline_->run().config, test_->run().config)) {}

const ChangeExplanation& RunComparison::explanation() const {
    return explanation_.get([this] { return explain_change(*baseline_, *test_, config_); });
}

const std::vector<OperatorChange>& RunComparison::operators() const {
    return operators_.get([this] { return compare_operators(name_totals(*baseline_), name_totals(*test_)); });
}

const std::vector<KernelChange>& RunComparison::kernels() const {
    return kernels_.get([this] { return compare_kernels(*baseline_, *test_); });
}

const std::vector<ModuleChange>& RunComparison::modules() const {
    return modules_.get([this] {
        return compare_modules(baseline_->modules(), baseline_->run().ranks.size(), test_->modules(),
                               test_->run().ranks.size());
    });
}

} // namespace rankscope
