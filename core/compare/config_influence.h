// SPDX-License-Identifier: GPL-3.0-or-later
// Which metrics a change of configuration may move. A hint what to look at, not a proof: the table is in the .cpp, one
// line each.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare/config_comparison.h"
#include "core/compare/metric_comparison.h"

namespace rankscope {

/// Ids of metrics that a key of this name can have to do with; empty: none is known.
std::span<const std::string_view> metrics_moved_by(std::string_view config_key);

/// Of those, the ones that did move (not "similar"), in catalogue order; empty for an entry that is equal in both.
std::vector<const MetricChange*> may_explain(const ConfigEntry& entry, std::span<const MetricChange> changes);

} // namespace rankscope
