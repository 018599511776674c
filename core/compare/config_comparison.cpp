// SPDX-License-Identifier: GPL-3.0-or-later
// Two configurations, key by key.
#include "core/compare/config_comparison.h"

#include <map>

#include "core/base/work_count.h"

namespace rankscope {

std::vector<ConfigEntry> compare_configs(const RunConfig& baseline, const RunConfig& test) {
    count_work("compare_configs");
    std::map<std::string, ConfigEntry> entries;
    for (const auto& [key, value] : baseline)
        entries[key].baseline = value;
    for (const auto& [key, value] : test)
        entries[key].test = value;
    std::vector<ConfigEntry> sorted;
    for (auto& [key, entry] : entries) {
        entry.key = key;
        sorted.push_back(std::move(entry));
    }
    return sorted;
}

std::string_view config_status_word(const ConfigEntry& entry) {
    if (!entry.test)
        return "only_baseline";
    if (!entry.baseline)
        return "only_test";
    return entry.equal() ? "equal" : "changed";
}

} // namespace rankscope
