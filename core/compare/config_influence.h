// SPDX-License-Identifier: GPL-3.0-or-later
// Which metrics a change of configuration may move. A hint what to look at, not a proof: what a key is about is a table
// in the .cpp, and a metric tells what moves it (Metric::moved_by).
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/compare/config_comparison.h"
#include "core/compare/metric_comparison.h"

namespace rankscope {

/// What a key of this name is about; nothing: not known.
std::optional<SettingKind> setting_kind(std::string_view config_key);

/// Folders whose names are alike but for their numbers, and whose numbers have a unit behind them: run_7 names no
/// setting, 56cu_256threads does.
bool folder_names_settings(std::string_view baseline, std::string_view test);

/// Of the metrics that it may move, the ones that did (not "similar"), in catalogue order; empty for an entry that is
/// equal in both.
std::vector<const MetricChange*> may_explain(const ConfigEntry& entry, std::span<const MetricChange> changes);

} // namespace rankscope
