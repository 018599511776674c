// SPDX-License-Identifier: GPL-3.0-or-later
// Metric modules: GPU time by module of the model.
#include "core/metrics/numbers.h"

#include <algorithm>
#include <string>

namespace rankscope {
namespace {

constexpr std::size_t kMostModules = 200;

MetricResult compute_modules(const RunAnalysis& analysis) {
    const ModuleAnalysis& modules = analysis.modules();
    if (!modules.unavailable.empty())
        return MetricResult::unavailable(modules.unavailable);
    Json details;
    details["attributed_us"] = as_us(modules.attributed);
    details["modules"] = Json::array();
    for (std::size_t i = 0; i < std::min(modules.modules.size(), kMostModules); ++i) {
        const ModuleRow& row = modules.modules[i];
        details["modules"].push_back({{"module", module_path(modules.modules, i)},
                                      {"calls", row.calls},
                                      {"kernels", row.kernels},
                                      {"self_us", as_us(row.self)},
                                      {"total_us", as_us(row.total)},
                                      {"allocated_bytes", row.allocated}});
    }
    details["all_modules"] = modules.modules.size();
    return MetricResult::of(modules.gpu_total > 0 ? 100.0 * static_cast<double>(modules.attributed) /
                                                        static_cast<double>(modules.gpu_total)
                                                  : 0,
                            std::move(details));
}

} // namespace

Metric modules_metric() {
    return {
        "modules",
        "GPU time in modules",
        "%",
        Better::none,
        "Kernels",
        "Summed time of the GPU work launched inside modules of the model that Python frames or the capture of a graph "
        "name, of that of all GPU work; beside it the modules with their kernels' time and what they allocated.",
        compute_modules};
}

} // namespace rankscope
