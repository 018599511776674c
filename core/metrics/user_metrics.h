// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own metrics: a YAML file of expressions over other metrics and over sets of events (docs/user-metrics.md).
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/metrics/metric.h"

namespace rankscope {

/// Reads the metrics of a file. Error: "FILE:LINE: what is wrong" — nothing of a broken file is used.
Result<std::vector<Metric>> read_user_metrics(const std::filesystem::path& file);
Result<std::vector<Metric>> parse_user_metrics(const std::string& text, const std::string& file);

} // namespace rankscope
