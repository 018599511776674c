// SPDX-License-Identifier: GPL-3.0-or-later
// --sql and --sql-file: queries over the runs, their results on stdout.
#pragma once
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "app/command/options.h"
#include "core/compare/analysed_run.h"
#include "core/query/query_model.h"

namespace rankscope {

/// The statements that the options ask for, none of them wrong. Error: of a query (usage), of its file (input).
Result<std::vector<std::string>> read_queries(const Options& options);

/// The runs as queries and exports read them.
std::shared_ptr<const QueryModel> query_model(std::span<const AnalysedRun> runs);

/// Error: of a query (usage), of stdout (output), or cancelled. Rows that were printed stay.
Result<void> print_queries(std::span<const std::string> statements, bool json, std::span<const AnalysedRun> runs,
                           const std::stop_token& stop);

} // namespace rankscope
