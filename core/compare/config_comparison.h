// SPDX-License-Identifier: GPL-3.0-or-later
// Two configurations, key by key.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/run.h"

namespace rankscope {

/// A key of either configuration; a side that lacks it has no value.
struct ConfigEntry {
    std::string key;
    std::optional<std::string> baseline;
    std::optional<std::string> test;

    [[nodiscard]] bool equal() const { return baseline == test; }
};

/// Every key of both, ascending.
std::vector<ConfigEntry> compare_configs(const RunConfig& baseline, const RunConfig& test);
/// "equal", "changed", "only_baseline", "only_test".
std::string_view config_status_word(const ConfigEntry& entry);

} // namespace rankscope
