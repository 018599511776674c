// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own metrics: YAML, expressions, patterns, and their evaluation on a run without events.
#include <string>

#include "core/metrics/user_metrics.h"

using namespace rankscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto metrics = parse_user_metrics(std::string(data, data + size), "metrics.yaml");
    if (!metrics)
        return 0;
    const RunAnalysis analysis(std::make_shared<Run>(), {});
    for (const MetricPointer& metric : *metrics)
        (void)metric->compute(analysis);
    return 0;
}
