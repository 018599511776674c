// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/query.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "core/base/text.h"
#include "core/query/event_totals.h"
#include "core/query/event_values.h"
#include "core/query/row_tables.h"
#include "core/query/sql_functions.h"
#include "core/query/sql_module.h"

namespace rankscope {
namespace {

/// Bytes of a text, blob or row. A function of SQLite works through all of one before it can be interrupted, some of
/// them in time that grows with the square.
constexpr int kMostOfAText = 1 << 20;
constexpr std::int64_t kMostMemory = std::int64_t{2} << 30; ///< of SQLite, in this process

/// Reading is all that a query may do: no file, no setting, no table of its own.
int allow_queries(void*, int action, const char*, const char* name, const char*, const char*) {
    if (action == SQLITE_FUNCTION && name != nullptr &&
        (sqlite3_stricmp(name, "fts3_tokenizer") == 0 || sqlite3_stricmp(name, "load_extension") == 0))
        return SQLITE_DENY; // the first one shows and takes addresses
    const bool reads =
        action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION || action == SQLITE_RECURSIVE;
    return reads ? SQLITE_OK : SQLITE_DENY;
}

int query_stopped(void* token) { return static_cast<std::stop_token*>(token)->stop_requested() ? 1 : 0; }

void limit(sqlite3* database) {
    for (const auto& [what, most] : {std::pair{SQLITE_LIMIT_LENGTH, kMostOfAText},
                                     {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
                                     {SQLITE_LIMIT_COLUMN, 500},
                                     {SQLITE_LIMIT_EXPR_DEPTH, 200},
                                     {SQLITE_LIMIT_COMPOUND_SELECT, 100},
                                     {SQLITE_LIMIT_VDBE_OP, 250'000},
                                     {SQLITE_LIMIT_FUNCTION_ARG, 32},
                                     {SQLITE_LIMIT_ATTACHED, 0},
                                     {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1'000},
                                     {SQLITE_LIMIT_TRIGGER_DEPTH, 0},
                                     {SQLITE_LIMIT_WORKER_THREADS, 0}})
        sqlite3_limit(database, what, most);
    for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                        {SQLITE_DBCONFIG_DEFENSIVE, 1},
                                        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                                        {SQLITE_DBCONFIG_DQS_DML, 0},
                                        {SQLITE_DBCONFIG_DQS_DDL, 0}})
        sqlite3_db_config(database, option, value, nullptr);
    sqlite3_exec(database, "PRAGMA temp_store=MEMORY", nullptr, nullptr, nullptr);
    sqlite3_hard_heap_limit64(kMostMemory);
    sqlite3_set_authorizer(database, allow_queries, nullptr);
}

QueryValue value_of(sqlite3_stmt* statement, int column) {
    const auto bytes = [&](const void* data) {
        return std::string_view(static_cast<const char*>(data),
                                static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
    };
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_FLOAT: return sqlite3_column_double(statement, column);
    case SQLITE_TEXT: { // as a blob: otherwise SQLite copies it for a 0 at its end
        const void* const text = sqlite3_column_blob(statement, column);
        return text == nullptr ? std::string_view() : bytes(text);
    }
    case SQLITE_BLOB: { // as X'...' shows it: only a query that makes one has it
        const void* const blob = sqlite3_column_blob(statement, column);
        std::string hex;
        if (blob != nullptr)
            for (const char c : bytes(blob))
                hex += fmt::format("{:02X}", static_cast<unsigned char>(c));
        return hex;
    }
    default: return {};
    }
}

tl::unexpected<Error> query_error(Error::Code code, Message message) {
    return tl::unexpected<Error>(Error{code, std::move(message)});
}

/// Where the columns are in the table. Error: one is not there.
Result<std::vector<std::size_t>> places_of(const QueryTable& table, std::span<const std::string> columns) {
    std::vector<std::size_t> places;
    for (const std::string& name : columns) {
        const auto column = std::ranges::find(table.columns, name, &QueryColumn::name);
        if (column == table.columns.end())
            return query_error(Error::Code::usage, "the table %1 has no column %2"_text(std::string(table.name), name));
        places.push_back(static_cast<std::size_t>(column - table.columns.begin()));
    }
    return places;
}

} // namespace

std::vector<const QueryTable*> query_tables() {
    std::vector<const QueryTable*> tables;
    std::vector<const QueryTable*> of_events;
    for (const EventTableColumns& table : event_tables())
        of_events.push_back(&table.table);
    for (const RowTable& table : row_tables()) {
        tables.push_back(&table.table);
        if (table.table.name == "lane")
            tables.insert(tables.end(), of_events.begin(), of_events.end());
    }
    return tables;
}

std::vector<std::string> statements_of(std::string_view sql) {
    std::vector<std::string> statements;
    std::string own;
    bool blank = true;
    const auto end_statement = [&] {
        if (!blank)
            statements.push_back(own);
        own.clear();
        blank = true;
    };
    for (std::size_t i = 0; i < sql.size();) {
        // What has to be taken whole: a comment, a text or a quoted name. One without an end goes to the end.
        std::size_t end = i + 1;
        bool comment = false;
        const auto until = [&](std::string_view closing, std::size_t from) {
            const std::size_t found = sql.find(closing, from);
            end = found == std::string_view::npos ? sql.size() : found + closing.size();
        };
        const char c = sql[i];
        if (sql.substr(i, 2) == "--") {
            until("\n", i + 2);
            comment = true;
        } else if (sql.substr(i, 2) == "/*") {
            until("*/", i + 2);
            comment = true;
        } else if (c == '\'' || c == '"' || c == '`') { // a doubled quote opens the next text, which is as well
            until(sql.substr(i, 1), i + 1);
        } else if (c == '[') {
            until("]", i + 1);
        } else if (c == ';') {
            end_statement();
            ++i;
            continue;
        }
        own += sql.substr(i, end - i);
        blank &= comment || std::string_view(" \t\r\n\f").find(c) != std::string_view::npos;
        i = end;
    }
    end_statement();
    return statements;
}

Result<void> read_table(const QueryModel& model, std::string_view table, std::span<const std::string> columns,
                        const std::function<void(std::size_t, const QueryValue&)>& take, const std::stop_token& stop) {
    // next(): whether there is one more row. value(column): of that row.
    const auto read = [&](const QueryTable& known, auto&& next, auto&& value) -> Result<void> {
        constexpr std::size_t kRowsBetweenStops = 4096;
        const auto places = places_of(known, columns);
        if (!places)
            return tl::unexpected<Error>(places.error());
        for (std::size_t row = 0; next(row); ++row) {
            if (row % kRowsBetweenStops == 0 && stop.stop_requested())
                return query_error(Error::Code::cancelled, "interrupted"_text);
            for (std::size_t i = 0; i < places->size(); ++i)
                take(i, value(row, (*places)[i]));
        }
        return {};
    };
    for (const EventTableColumns& events : event_tables())
        if (events.table.name == table) {
            EventFilter filter;
            filter.kinds = events.kinds;
            EventScan scan(model, filter);
            EventValues values(model);
            return read(
                events.table,
                [&](std::size_t row) {
                    if (row > 0)
                        scan.next();
                    return !scan.at_end();
                },
                [&](std::size_t, std::size_t column) { return values.value(scan, events.columns[column]); });
        }
    for (const RowTable& of_rows : row_tables())
        if (of_rows.table.name == table) {
            const auto rows = of_rows.rows(model);
            return read(
                of_rows.table, [&](std::size_t row) { return row < rows->size(); },
                [&](std::size_t row, std::size_t column) {
                    QueryValue value = rows->value(row, column);
                    if (const auto* const real = std::get_if<double>(&value); real != nullptr && std::isnan(*real))
                        return QueryValue(); // as SQLite has it
                    return value;
                });
        }
    return query_error(Error::Code::usage, "there is no table %1"_text(std::string(table)));
}

struct QueryDatabase::State {
    sqlite3* database = nullptr;
    std::shared_ptr<const QueryModel> model;
    ScanCount count;
    std::stop_token stop;
    ~State() { sqlite3_close_v2(database); }
};

QueryDatabase::QueryDatabase(std::unique_ptr<State> state) : state_(std::move(state)) {}
QueryDatabase::QueryDatabase(QueryDatabase&&) noexcept = default;
QueryDatabase& QueryDatabase::operator=(QueryDatabase&&) noexcept = default;
QueryDatabase::~QueryDatabase() = default;

Result<QueryDatabase> QueryDatabase::open(std::shared_ptr<const QueryModel> model) {
    QueryDatabase made(std::make_unique<State>());
    State& state = *made.state_;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
    if (sqlite3_open_v2(":memory:", &state.database, flags, nullptr) != SQLITE_OK)
        return input_error("SQLite cannot be opened: not enough memory"_text);
    state.model = std::move(model);
    if (const auto added = add_tables(state.database, state.model, &state.count); !added)
        return tl::unexpected<Error>(added.error());
    if (const auto added = add_functions(state.database); !added)
        return tl::unexpected<Error>(added.error());
    // SQLite asks the authorizer about the declaration of a virtual table when it is first named: before there is one.
    for (const QueryTable* table : query_tables()) {
        const std::string sql = fmt::format("SELECT 1 FROM \"{}\" LIMIT 0", table->name);
        if (sqlite3_exec(state.database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
            return input_error(
                "the table %1 cannot be made: %2"_text(std::string(table->name), sqlite3_errmsg(state.database)));
    }
    limit(state.database);
    return made;
}

Result<void> QueryDatabase::check(const std::string& sql) { return go_through(sql, nullptr, {}); }

Result<void> QueryDatabase::run(const std::string& sql, QuerySink& sink, const std::stop_token& stop) {
    return go_through(sql, &sink, stop);
}

/// sink: nullptr where nothing shall be run.
Result<void> QueryDatabase::go_through(const std::string& sql, QuerySink* sink, const std::stop_token& stop) {
    State& state = *state_;
    state.stop = stop;
    constexpr int kSteps = 20'000; // of SQLite's virtual machine: a millisecond or two
    sqlite3_progress_handler(state.database, kSteps, query_stopped, &state.stop);
    const std::stop_callback interrupted(stop, [&state] { sqlite3_interrupt(state.database); });
    const auto failed = [&](int code) {
        if (code == SQLITE_INTERRUPT)
            return query_error(Error::Code::cancelled, "interrupted"_text);
        if (code == SQLITE_TOOBIG)
            return query_error(Error::Code::usage, "a text, blob or row of a query may have 1 MB"_text);
        if (code == SQLITE_NOMEM)
            return query_error(Error::Code::usage, "the query needs more than 2 GB of memory; select fewer rows, or "
                                                   "group them"_text);
        const std::string said = terminal_safe(sqlite3_errmsg(state.database));
        Message message = code == SQLITE_AUTH ? "a query may only read: %1"_text(said) : Message(said);
        if (said.starts_with("no such table") || said.starts_with("no such column"))
            message += "; --list-tables lists tables and columns"_text; // a clause, which the window replaces
        return query_error(Error::Code::usage, std::move(message));
    };
    const char* rest = sql.c_str();
    const char* const end = rest + sql.size();
    bool any = false;
    while (rest < end) {
        sqlite3_stmt* statement = nullptr;
        const char* const begin = rest;
        const int prepared = sqlite3_prepare_v2(state.database, rest, static_cast<int>(end - rest), &statement, &rest);
        const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> held(statement, sqlite3_finalize);
        if (prepared != SQLITE_OK)
            return failed(prepared);
        if (statement == nullptr) { // blanks or a comment; behind a character of code 0 is nothing
            if (*rest == '\0')
                break;
            continue;
        }
        if (sqlite3_stmt_readonly(statement) == 0)
            return query_error(Error::Code::usage, "a query may only read"_text);
        any = true;
        if (sink == nullptr)
            continue;
        const int count = sqlite3_column_count(statement);
        std::vector<std::string> names;
        for (int i = 0; i < count; ++i)
            names.emplace_back(sqlite3_column_name(statement, i));
        sink->columns(names);
        const std::string_view text(begin, static_cast<std::size_t>(rest - begin));
        if (const auto totals = event_totals(*state.model, text, state.count, stop)) {
            sink->row(*totals);
            continue;
        }
        std::vector<QueryValue> values(names.size());
        int code = SQLITE_ROW;
        while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
            for (int i = 0; i < count; ++i)
                values[static_cast<std::size_t>(i)] = value_of(statement, i);
            if (!sink->row(values))
                break;
        }
        if (code != SQLITE_DONE && code != SQLITE_ROW)
            return failed(code);
    }
    if (!any)
        return query_error(Error::Code::usage, "no query in it"_text);
    return {};
}

std::uint64_t QueryDatabase::events_visited() const { return state_->count.visited; }

namespace {

class KeptRows : public QuerySink {
public:
    explicit KeptRows(std::size_t most) : most_(most) {}
    void columns(std::span<const std::string> names) override {
        result = {};
        result.columns.assign(names.begin(), names.end());
    }
    bool row(std::span<const QueryValue> values) override {
        if (result.rows.size() >= most_) {
            result.cut = true;
            return false;
        }
        auto& kept = result.rows.emplace_back(values.begin(), values.end());
        for (QueryValue& value : kept)
            if (const auto* const view = std::get_if<std::string_view>(&value))
                value = std::string(*view);
        return true;
    }
    QueryResult result;

private:
    std::size_t most_;
};

} // namespace

Result<QueryResult> run_query(QueryDatabase& database, const std::string& sql, std::size_t most_rows,
                              const std::stop_token& stop) {
    KeptRows rows(most_rows);
    if (const auto run = database.run(sql, rows, stop); !run)
        return tl::unexpected<Error>(run.error());
    return std::move(rows.result);
}

} // namespace rankscope
