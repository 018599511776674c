// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/module_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <utility>

namespace rankscope {
namespace {

ModuleCost cost_of(const ModuleRow& row, std::size_t ranks) {
    const auto mean = [&](auto sum) {
        return static_cast<double>(sum) / static_cast<double>(std::max<std::size_t>(1, ranks));
    };
    return {mean(row.calls), mean(row.kernels), mean(row.self) / 1e3, mean(row.total) / 1e3, mean(row.allocated)};
}

/// The modules of both runs, one for each path.
class MergedModules {
public:
    void add(const std::vector<ModuleRow>& rows, std::size_t ranks, std::optional<ModuleCost> ModuleChange::*side) {
        std::vector<std::size_t> place(rows.size()); // parents come first
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::size_t parent = rows[i].parent == kNoModule ? kNoModule : place[rows[i].parent];
            const auto [known, added] = place_of_.try_emplace({parent, rows[i].name}, changes_.size());
            if (added)
                changes_.push_back({rows[i].name, parent, rows[i].depth, {}, {}});
            place[i] = known->second;
            changes_[place[i]].*side = cost_of(rows[i], ranks);
        }
    }

    std::vector<ModuleChange> sorted() const {
        std::map<std::size_t, std::vector<std::size_t>> inside; // by parent
        for (const auto& [key, place] : place_of_)              // by name
            inside[key.first].push_back(place);
        std::vector<ModuleChange> all;
        std::vector<std::pair<std::size_t, std::size_t>> stack; // with the parent's place in all
        const auto add_inside = [&](std::size_t parent, std::size_t place) {
            const auto found = inside.find(parent);
            if (found == inside.end())
                return;
            std::ranges::stable_sort(found->second, std::greater(),
                                     [&](std::size_t change) { return std::abs(changes_[change].difference_us()); });
            for (const std::size_t change : std::views::reverse(found->second))
                stack.emplace_back(change, place);
        };
        add_inside(kNoModule, kNoModule);
        while (!stack.empty()) {
            const auto [change, parent] = stack.back();
            stack.pop_back();
            all.push_back(changes_[change]);
            all.back().parent = parent;
            add_inside(change, all.size() - 1);
        }
        return all;
    }

private:
    std::vector<ModuleChange> changes_;
    std::map<std::pair<std::size_t, std::string>, std::size_t> place_of_; ///< by parent and name
};

} // namespace

double ModuleChange::difference_us() const { return (test ? test->total_us : 0) - (baseline ? baseline->total_us : 0); }

std::vector<ModuleChange> compare_modules(const ModuleAnalysis& baseline, std::size_t baseline_ranks,
                                          const ModuleAnalysis& test, std::size_t test_ranks) {
    MergedModules merged;
    merged.add(baseline.modules, baseline_ranks, &ModuleChange::baseline);
    merged.add(test.modules, test_ranks, &ModuleChange::test);
    return merged.sorted();
}

} // namespace rankscope
