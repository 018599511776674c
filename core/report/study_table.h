// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of a study as one table: a column for each of a few runs, else a row for each.
#pragma once
#include <string>
#include <vector>

#include "core/compare/study.h"

namespace rankscope {

struct StudyTable {
    struct Cell {
        std::string text;
        bool best = false; ///< of all runs
        std::string link;  ///< relative; empty: none
    };
    std::vector<std::string> titles; ///< of the columns
    std::vector<std::vector<Cell>> rows;
    bool run_per_column = false;
    std::size_t text_columns = 1; ///< the first ones are text, the others numbers
};

/// How many runs have a column each.
inline constexpr std::size_t kMostColumns = 6;

/// The metrics that a study shows before all others, of those that a run of it has.
MetricList main_metrics(const Study& study, bool few);
/// Key, GPU (always: also where all are the same), ranks, settings that differ, percent against the best, metrics with
/// units and spread, efficiencies. Texts are as recorded.
StudyTable study_table(const Study& study, const MetricList& metrics, bool run_per_column, bool always_gpu);

} // namespace rankscope
