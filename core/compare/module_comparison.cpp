// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/module_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace rankscope {
namespace {

using ModulePath = std::vector<std::string>;

ModuleCost cost_of(const ModuleRow& row, std::size_t ranks) {
    const auto mean = [&](auto sum) {
        return static_cast<double>(sum) / static_cast<double>(std::max<std::size_t>(1, ranks));
    };
    return {mean(row.calls), mean(row.kernels), mean(row.self) / 1e3, mean(row.total) / 1e3, mean(row.allocated)};
}

struct ChangesByParent {
    std::map<ModulePath, std::vector<ModuleChange>> inside;

    void append_to(std::vector<ModuleChange>& all, const ModulePath& parent) {
        const auto found = inside.find(parent);
        if (found == inside.end())
            return;
        std::ranges::stable_sort(found->second, std::greater(),
                                 [](const ModuleChange& change) { return std::abs(change.difference_us()); });
        for (ModuleChange& change : found->second) {
            const ModulePath path = change.path;
            all.push_back(std::move(change));
            append_to(all, path);
        }
    }
};

} // namespace

double ModuleChange::difference_us() const { return (test ? test->total_us : 0) - (baseline ? baseline->total_us : 0); }

std::vector<ModuleChange> compare_modules(const ModuleAnalysis& baseline, std::size_t baseline_ranks,
                                          const ModuleAnalysis& test, std::size_t test_ranks) {
    std::map<ModulePath, ModuleChange> changes;
    for (const ModuleRow& row : baseline.modules)
        changes[row.path].baseline = cost_of(row, baseline_ranks);
    for (const ModuleRow& row : test.modules)
        changes[row.path].test = cost_of(row, test_ranks);
    ChangesByParent sorted;
    for (auto& [path, change] : changes) {
        change.path = path;
        sorted.inside[{path.begin(), path.end() - 1}].push_back(change);
    }
    std::vector<ModuleChange> all;
    all.reserve(changes.size());
    sorted.append_to(all, {});
    return all;
}

} // namespace rankscope
