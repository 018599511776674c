// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/memory_diff.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/memory/snapshot_words.h"
#include "core/base/text.h"
#include "core/report/csv.h"
#include "core/report/html_table.h"
#include "core/report/markup.h"

namespace rankscope {
namespace {

constexpr std::size_t kMemoryRows = 25;
constexpr std::size_t kPlaceWidth = 110;

/// visit(pair, kind, change)
template <typename Visit>
void for_each_memory_change(const AnalysedRun& test, Visit visit) {
    for (const DeviceMemoryComparison& pair : test.comparison->memory()) {
        for (const MemoryChange& change : pair.by_category)
            visit(pair, "category", change);
        for (const MemoryChange& change : pair.by_place)
            visit(pair, "place", change);
    }
}

/// "+1.00 kB"
std::string signed_memory_words(std::int64_t bytes) {
    return (bytes > 0 ? "+" : bytes < 0 ? "-" : "") + memory_words(std::abs(bytes));
}

std::string changes_table(const std::vector<MemoryChange>& changes, std::string title, bool of_places) {
    std::vector<std::string> titles{std::move(title)};
    if (of_places)
        titles.emplace_back("called by");
    titles.insert(titles.end(), {"#baseline", "#test", "#difference", "#change"});
    HtmlTable table(std::move(titles));
    const auto cell = [](const std::string& name, const char* none) {
        return name.empty() ? std::string(none) : shortened(terminal_safe(name), kPlaceWidth);
    };
    const std::size_t rows = std::min(changes.size(), kMemoryRows);
    for (const MemoryChange& change : std::span(changes).first(rows)) {
        const auto percent = change.grown_percent();
        table.cell(cell(change.name, of_places ? "no stack recorded" : "no category recorded"));
        if (of_places)
            table.cell(cell(change.caller, "-"));
        table.cell(memory_words(change.baseline))
            .cell(memory_words(change.test))
            .cell(signed_memory_words(change.grown()))
            .cell(percent ? fmt::format("{:+.1f} %", *percent) : "-")
            .end_row();
    }
    return changes.empty() ? "" : table.html(changes.size() - rows);
}

} // namespace

bool has_memory_changes(std::span<const AnalysedRun> runs) {
    return std::ranges::any_of(
        runs.subspan(std::min<std::size_t>(1, runs.size())),
        [](const AnalysedRun& run) { return !run.comparison->memory().empty(); });
}

std::string memory_diff_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"baseline", "test",           "rank",       "device",           "kind",          "name",
                   "caller",   "baseline_bytes", "test_bytes", "difference_bytes", "percent_change"};
    for (std::size_t i = 1; i < runs.size(); ++i)
        for_each_memory_change(
            runs[i], [&](const DeviceMemoryComparison& pair, std::string_view kind, const MemoryChange& change) {
                table.text(runs[0].label)
                    .text(runs[i].label)
                    .integer(pair.rank)
                    .integer(pair.device)
                    .text(kind)
                    .text(change.name)
                    .text(change.caller)
                    .integer(change.baseline)
                    .integer(change.test)
                    .integer(change.grown())
                    .number(change.grown_percent().value_or(std::numeric_limits<double>::quiet_NaN()))
                    .end_row();
            });
    return table.content();
}

Sheet memory_diff_sheet(const AnalysedRun& baseline, const AnalysedRun& test) {
    using enum NumberStyle;
    Sheet sheet{"Memory_Diff",
                {{"rank", whole},
                 {"device", whole},
                 {"kind"},
                 {"name"},
                 {"caller"},
                 {fmt::format("{}_bytes", baseline.label), whole},
                 {fmt::format("{}_bytes", test.label), whole},
                 {"diff_bytes", whole},
                 {"percent_change", two_decimals}},
                {},
                false,
                "Live at the peak of active memory, by memory snapshots; the largest change first. + is more."};
    for_each_memory_change(
        test, [&](const DeviceMemoryComparison& pair, std::string_view kind, const MemoryChange& change) {
            const auto percent = change.grown_percent();
            sheet.rows.push_back({number_cell(pair.rank), number_cell(pair.device), std::string(kind), change.name,
                                  change.caller, number_cell(change.baseline), number_cell(change.test),
                                  number_cell(change.grown()), percent ? Cell(*percent) : Cell()});
        });
    return sheet;
}

std::string memory_diff_section(const AnalysedRun& test) {
    const std::vector<DeviceMemoryComparison>& pairs = test.comparison->memory();
    if (pairs.empty())
        return {};
    std::string html = "<h3>Memory at the peak</h3>\n";
    for (const Message& sentence : memory_comparison_sentences(pairs))
        html += fmt::format("<p class=\"words\">{}</p>\n", escaped_markup(english(sentence)));
    const DeviceMemoryComparison& most = most_changed(pairs);
    html += changes_table(most.by_category, fmt::format("category, rank {}", most.rank), false) +
            changes_table(most.by_place, fmt::format("place in the program, rank {}", most.rank), true);
    if (pairs.size() > 1)
        html += "<p class=\"dim\">The rank whose reserved memory changed most; all are in memory_diff.csv.</p>\n";
    return html;
}

} // namespace rankscope
