// SPDX-License-Identifier: GPL-3.0-or-later
// SQL over runs: one connection, read-only, in memory, with limits.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/notice.h"
#include "core/query/query_model.h"
#include "core/query/query_table.h"

namespace rankscope {

/// All tables, in the order of the help.
std::vector<const QueryTable*> query_tables();

/// The statements of a text, split at its semicolons, without blank ones.
std::vector<std::string> statements_of(std::string_view sql);

/// Receives the results of the statements, one after the other. A value's text is valid during row() only.
class QuerySink {
public:
    virtual ~QuerySink() = default;
    virtual void columns(std::span<const std::string> names) = 0;
    /// False: the rest of the rows is not wanted.
    virtual bool row(std::span<const QueryValue> values) = 0;
};

/// The values of columns of a whole table, row by row in the order of the model: as `select COLUMNS from TABLE` has
/// them, several times faster. take(i, value): of columns[i]; its text is valid during the call only. Error: usage
/// (there is no such table or column), or cancelled.
[[nodiscard]] Result<void> read_table(const QueryModel& model, std::string_view table,
                                      std::span<const std::string> columns,
                                      const std::function<void(std::size_t, const QueryValue&)>& take,
                                      const std::stop_token& stop = {});

/// For one thread at a time.
class QueryDatabase {
public:
    static Result<QueryDatabase> open(std::shared_ptr<const QueryModel> model);
    QueryDatabase(QueryDatabase&&) noexcept;
    QueryDatabase& operator=(QueryDatabase&&) noexcept;
    ~QueryDatabase();

    /// Whether the statements of the text can be run, without running them. Error: usage.
    Result<void> check(const std::string& sql);
    /// Runs the statements of the text. Error: usage (one line: what is wrong in it), or cancelled.
    Result<void> run(const std::string& sql, QuerySink& sink, const std::stop_token& stop = {});
    /// Events that run() looked at since the connection was opened.
    [[nodiscard]] std::uint64_t events_visited() const;

private:
    struct State;
    Result<void> go_through(const std::string& sql, QuerySink* sink, const std::stop_token& stop);
    explicit QueryDatabase(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// A result in memory, texts copied.
struct QueryResult {
    std::vector<std::string> columns;
    std::vector<std::vector<QueryValue>> rows; ///< no string_view among them
    bool cut = false;                          ///< there are more rows
};
/// The result of the last statement, at most so many rows of it.
Result<QueryResult> run_query(QueryDatabase& database, const std::string& sql, std::size_t most_rows,
                              const std::stop_token& stop = {});

} // namespace rankscope
