// SPDX-License-Identifier: GPL-3.0-or-later
// Metric operators: which CPU operators the GPU's work belongs to.
#include "core/analysis/operators/operators.h"
#include "core/metrics/numbers.h"

#include <algorithm>
#include <map>

namespace rankscope {
namespace {

constexpr std::size_t kListed = 50;

Json row_json(const StringTable& names, const OperatorRow& row, TimeNs time, TimeNs total) {
    Json json{{"name", names.view(row.name)}, {"calls", row.calls}, {"gpu_time_us", as_us(time)}};
    put(json, "share_percent", rounded(percent_of(static_cast<double>(time), static_cast<double>(total))));
    json["cpu_time_us"] = as_us(row.cpu);
    return json;
}

Json leaves_json(const StringTable& names, const std::vector<OperatorRow>& rows, TimeNs total) {
    Json json = Json::array();
    for (std::size_t i = 0; i < std::min(kListed, rows.size()); ++i) {
        const OperatorRow& row = rows[i];
        Json entry = row_json(names, row, row.direct, total);
        entry["category"] = operator_category_word(row.category);
        entry["gpu_events"] = row.gpu_events;
        entry["subtree_us"] = as_us(row.subtree);
        entry["mean_us"] = rounded_us(static_cast<double>(row.direct) / static_cast<double>(row.calls));
        entry["min_us"] = as_us(row.direct_min);
        entry["max_us"] = as_us(row.direct_max);
        for (const auto& [key, id] :
             {std::pair{"input_dims", row.dims}, {"input_types", row.types}, {"concrete_inputs", row.concrete}})
            if (!names.view(id).empty())
                entry[key] = names.view(id);
        json.push_back(std::move(entry));
    }
    return json;
}

Json categories_json(const std::vector<OperatorRow>& rows, TimeNs total) {
    std::map<OperatorCategory, OperatorRow> categories;
    for (const OperatorRow& row : rows) {
        categories[row.category].calls += row.calls;
        categories[row.category].direct += row.direct;
    }
    Json json = Json::object();
    for (const auto& [category, row] : categories) {
        Json entry{{"calls", row.calls}, {"gpu_time_us", as_us(row.direct)}};
        put(entry, "share_percent", rounded(percent_of(static_cast<double>(row.direct), static_cast<double>(total))));
        json[std::string(operator_category_word(category))] = std::move(entry);
    }
    return json;
}

/// By name, over all ranks.
Json top_level_json(const RunAnalysis& analysis, TimeNs total) {
    const StringTable& names = *analysis.run().names;
    std::map<std::string_view, OperatorRow> by_name;
    for (const OperatorAnalysis& rank : analysis.operators()) {
        for (const OperatorRow& row : rank.top_level) {
            OperatorRow& sum = by_name[names.view(row.name)];
            sum.name = row.name;
            sum.calls += row.calls;
            sum.subtree += row.subtree;
            sum.cpu += row.cpu;
        }
    }
    std::vector<OperatorRow> rows;
    for (const auto& [name, row] : by_name)
        rows.push_back(row);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const OperatorRow& a, const OperatorRow& b) { return a.subtree > b.subtree; });
    Json json = Json::array();
    for (std::size_t i = 0; i < std::min(kListed, rows.size()); ++i)
        json.push_back(row_json(names, rows[i], rows[i].subtree, total));
    return json;
}

MetricResult compute_operators(const RunAnalysis& analysis) {
    TimeNs attributed = 0;
    TimeNs unattributed = 0;
    for (const OperatorAnalysis& rank : analysis.operators()) {
        attributed += rank.attributed;
        unattributed += rank.unattributed;
    }
    if (attributed == 0) {
        return MetricResult::unavailable(
            "needs CPU operators that GPU work links to (External id, or a launch inside an operator)"_text);
    }
    const std::vector<OperatorRow>& leaves = analysis.leaves();
    TimeNs direct = 0;
    for (const OperatorRow& row : leaves)
        direct += row.direct;
    Json details{{"attributed_us", as_us(attributed)},
                 {"unattributed_us", as_us(unattributed)},
                 {"by_category", categories_json(leaves, direct)},
                 {"distinct_leaves", leaves.size()},
                 {"leaves", leaves_json(*analysis.run().names, leaves, direct)},
                 {"top_level", top_level_json(analysis, direct)}};
    return MetricResult::of(percent_of(static_cast<double>(attributed), static_cast<double>(attributed + unattributed)),
                            std::move(details));
}

} // namespace

Metric operators_metric() {
    return {"operators",
            "GPU work with a known operator",
            "%",
            Better::none,
            "Operators",
            "Share of summed GPU work whose CPU operator is known. Details: the operators that launched it, by inputs "
            "where those are "
            "recorded, with the union of what each call launched, and the outermost operators around them.",
            compute_operators};
}

} // namespace rankscope
