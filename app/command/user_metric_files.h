// SPDX-License-Identifier: GPL-3.0-or-later
// Where the user's own metrics come from: metrics.yaml in the configuration folder, and each --metrics-file.
#pragma once
#include <span>
#include <string>

#include "core/metrics/catalogue.h"

namespace rankscope {

/// Read before the arguments are parsed, as --metrics and --gate may name them. Error: what is wrong in a file that was
/// asked for. The one in the configuration folder, when broken, is reported on stderr and left out.
Result<MetricList> load_user_metrics(std::span<const std::string> arguments);

} // namespace rankscope
