// SPDX-License-Identifier: GPL-3.0-or-later
// The report as aligned text: what --batch prints when it is not asked for JSON.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/compare/analysed_run.h"
#include "core/compare/gate.h"
#include "core/report/rank_csv.h"

namespace rankscope {

/// Cells in columns as wide as their widest cell. The first column, and those given to align_left(), are text.
class TextTable {
public:
    explicit TextTable(std::vector<std::string> header);
    void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    void align_left(std::size_t column) { left_.push_back(column); }
    [[nodiscard]] bool empty() const { return rows_.size() <= 1; }
    /// Every line starts with two blanks and ends without any.
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::vector<std::string>> rows_; ///< the header first
    std::vector<std::size_t> left_{0};
};

/// Every run (its metrics by topic, its ranks, its longest kernels), then the comparisons, then the gates. Names from
/// traces are made safe for a terminal.
std::string report_text(std::span<const AnalysedRun> runs, std::span<const GateResult> gates,
                        const NameFilter& kernel_filter);

/// What --list-metrics prints.
std::string metric_list_text(const MetricList& own);

} // namespace rankscope
