// SPDX-License-Identifier: GPL-3.0-or-later
// Results of queries for other programs: CSV, or JSON, written while the rows come.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/query/query.h"

namespace rankscope {

/// Takes the next piece of the output; an error ends the query.
using QueryWriter = std::function<Result<void>(std::string_view)>;

/// Runs the queries one after the other. CSV: a header and rows each, an empty line between two results. JSON: one
/// document, `rankscope.sql.v1` (docs/cli.md). Error: of a query (usage, with the query it is in), or of the writer.
Result<void> write_query_csv(QueryDatabase& database, std::span<const std::string> queries, const QueryWriter& write,
                             const std::stop_token& stop = {});
Result<void> write_query_json(QueryDatabase& database, std::span<const std::string> queries, const QueryWriter& write,
                              const std::stop_token& stop = {});

/// `--list-tables`: tables, columns, units and functions.
std::string table_list_text();
/// { "schema": "rankscope.tables.v1", "version", "tables": { name: { "rows", "columns": [ {name, type, unit, what} ] }
/// }, "functions": [ {form, what} ] }
std::string table_list_json();

/// A value as JSON; a real number that is not finite is null.
std::string query_value_json(const QueryValue& value);
/// Names of result columns, each once: the second "count(*)" is "count(*)_2".
std::vector<std::string> unique_names(std::span<const std::string> names);

} // namespace rankscope
