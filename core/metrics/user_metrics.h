// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own metrics: a YAML file of expressions over other metrics and over sets of events (docs/user-metrics.md).
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/metrics/catalogue.h"

namespace rankscope {

/// own: of other files; the file's expressions may use them. The result: these, then those of the file. Error:
/// "FILE:LINE: what is wrong" — nothing of a broken file is used.
Result<MetricList> read_user_metrics(const std::filesystem::path& file, MetricList own = {});
Result<MetricList> parse_user_metrics(const std::string& text, const std::string& file, MetricList own = {});

} // namespace rankscope
