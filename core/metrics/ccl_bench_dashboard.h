// SPDX-License-Identifier: GPL-3.0-or-later
// The metrics of CCL-Bench's dashboard of 2026 by their names and in their units. NAME is the right number with theirs
// in the details (compat_ccl_bench); ccl_bench_NAME is theirs, by their tool's rule. They are computed when somebody
// asks for them by name, and are not among all metrics.
#pragma once
#include <optional>
#include <string_view>

#include "core/metrics/catalogue.h"

namespace rankscope {

const MetricList& ccl_bench_dashboard();

/// Of a metric of CCL-Bench that is not measured here: that it is not, and what comes nearest. Nothing for other names.
std::optional<Message> not_measured_of_ccl_bench(std::string_view name);

} // namespace rankscope
