// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/sqlite_report.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <sqlite3.h>

#include "core/base/whole_file.h"
#include "core/query/query.h"

namespace rankscope {
namespace {

struct CloseSqlite {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using SqliteStatement = std::unique_ptr<sqlite3_stmt, CloseSqlite>;

int bind_value(sqlite3_stmt* statement, int place, const QueryValue& value) {
    if (const auto* const whole = std::get_if<std::int64_t>(&value))
        return sqlite3_bind_int64(statement, place, *whole);
    if (const auto* const real = std::get_if<double>(&value))
        return sqlite3_bind_double(statement, place, *real);
    const auto* const own = std::get_if<std::string>(&value);
    if (own == nullptr && !std::holds_alternative<std::string_view>(value))
        return sqlite3_bind_null(statement, place);
    const std::string_view text = own != nullptr ? std::string_view(*own) : std::get<std::string_view>(value);
    return sqlite3_bind_text64(statement, place, text.empty() ? "" : text.data(), text.size(), SQLITE_STATIC,
                               SQLITE_UTF8);
}

/// Inserts the rows of a query into a table.
class InsertingSink : public QuerySink {
public:
    explicit InsertingSink(SqliteStatement insert) : insert_(std::move(insert)) {}
    void columns(std::span<const std::string>) override {}
    bool row(std::span<const QueryValue> values) override {
        for (std::size_t i = 0; i < values.size() && code_ == SQLITE_OK; ++i)
            code_ = bind_value(insert_.get(), static_cast<int>(i) + 1, values[i]);
        if (code_ == SQLITE_OK)
            sqlite3_step(insert_.get());
        if (code_ == SQLITE_OK)
            code_ = sqlite3_reset(insert_.get()); // says what went wrong in the step
        return code_ == SQLITE_OK;
    }
    [[nodiscard]] bool failed() const { return code_ != SQLITE_OK; }

private:
    SqliteStatement insert_;
    int code_ = SQLITE_OK;
};

/// Those that `select *` gives.
std::vector<QueryColumn> listed_columns(const QueryTable& table) {
    std::vector<QueryColumn> columns;
    std::ranges::copy_if(table.columns, std::back_inserter(columns), std::not_fn(&QueryColumn::old));
    return columns;
}

std::string create_statement(const QueryTable& table) {
    std::string columns;
    for (const QueryColumn& column : listed_columns(table))
        columns += fmt::format("{}\"{}\" {}", columns.empty() ? "" : ", ", column.name, column_type_word(column.type));
    return fmt::format("create table \"{}\" ({})", table.name, columns);
}

class SqliteCopy {
public:
    SqliteCopy(QueryDatabase& from, const std::filesystem::path& path, const std::stop_token& stop)
        : from_(from), path_(path), stop_(stop) {}

    Result<void> write(const std::filesystem::path& file) {
        sqlite3* opened = nullptr;
        const int code = sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
        to_.reset(opened);
        // A file that does not become whole is thrown away: no journal is needed.
        if (code != SQLITE_OK || !run("pragma journal_mode = off") || !run("pragma synchronous = off") || !run("begin"))
            return failed();
        for (const QueryTable* const table : query_tables())
            if (const auto copied = copy(*table); !copied)
                return copied;
        return run("commit") ? Result<void>() : failed();
    }

private:
    bool run(const std::string& sql) {
        return sqlite3_exec(to_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    }
    [[nodiscard]] Result<void> failed() const {
        return tl::unexpected<Error>(
            Error{Error::Code::output, "%1 cannot be written: %2"_text(path_.string(), sqlite3_errmsg(to_.get()))});
    }
    Result<void> copy(const QueryTable& table) {
        if (stop_.stop_requested())
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "interrupted"_text});
        std::string places;
        for (std::size_t i = 0; i < listed_columns(table).size(); ++i)
            places += i == 0 ? "?" : ",?";
        sqlite3_stmt* made = nullptr;
        if (!run(create_statement(table)) ||
            sqlite3_prepare_v2(to_.get(), fmt::format("insert into \"{}\" values ({})", table.name, places).c_str(), -1,
                               &made, nullptr) != SQLITE_OK)
            return failed();
        InsertingSink sink{SqliteStatement(made)};
        const auto read = from_.run(fmt::format("select * from \"{}\"", table.name), sink, stop_);
        return sink.failed() ? failed() : read;
    }

    QueryDatabase& from_;
    const std::filesystem::path& path_;
    const std::stop_token& stop_;
    std::unique_ptr<sqlite3, CloseSqlite> to_;
};

} // namespace

Result<void> write_sqlite_file(const std::shared_ptr<const QueryModel>& model, const std::filesystem::path& path,
                               const std::stop_token& stop) {
    auto database = QueryDatabase::open(model);
    if (!database)
        return tl::unexpected<Error>(database.error());
    return write_whole_file(
        path, [&](const std::filesystem::path& file) { return SqliteCopy(*database, path, stop).write(file); });
}

} // namespace rankscope
