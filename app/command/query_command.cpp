// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command/query_command.h"

#include <fstream>
#include <iterator>

#include "app/command/batch.h"
#include "core/compare/change_explanation.h"
#include "core/report/query_output.h"

namespace rankscope {
namespace {

constexpr std::uintmax_t kMostOfAFile = std::uintmax_t{1} << 20; ///< bytes of SQL

Result<std::string> read_query(const Options::Query& query) {
    if (!query.file)
        return query.sql;
    const auto failed = [&](const Message& why) {
        return input_error("%1 cannot be read: %2"_text(query.file->string(), why));
    };
    std::error_code error;
    if (std::filesystem::is_directory(*query.file, error))
        return failed("it is a folder"_text);
    std::ifstream file(*query.file, std::ios::binary);
    if (!file)
        return failed("it is not there, or may not be read"_text);
    std::string sql;
    for (std::istreambuf_iterator<char> next(file), end; next != end && sql.size() <= kMostOfAFile; ++next)
        sql += *next;
    if (sql.size() > kMostOfAFile)
        return failed("it is larger than 1 MB"_text);
    return sql;
}

/// Against the first run.
std::vector<QueryChange> changes_of(std::span<const QueryRun> runs) {
    std::vector<QueryChange> changes;
    for (std::uint32_t run = 1; run < runs.size(); ++run)
        for (const ChangeRow& row : change_rows(explain_change(*runs.front().analysis, *runs[run].analysis)))
            changes.push_back({run, row.part, row.title, row.baseline_us * 1e3, row.test_us * 1e3,
                               row.difference_us * 1e3, row.cause});
    return changes;
}

} // namespace

Result<std::vector<std::string>> read_queries(const Options& options) {
    // A model without runs has all tables: what is wrong in a query is told before anything is read.
    auto empty = QueryDatabase::open(std::make_shared<const QueryModel>(std::vector<QueryRun>()));
    if (!empty)
        return tl::unexpected<Error>(empty.error());
    std::vector<std::string> statements;
    for (const Options::Query& query : options.queries) {
        const auto sql = read_query(query);
        if (!sql)
            return tl::unexpected<Error>(sql.error());
        const std::string where = query.file ? query.file->string() : "--sql";
        const auto own = statements_of(*sql);
        if (own.empty())
            return tl::unexpected<Error>(Error{Error::Code::usage, "%1: no query in it"_text(where)});
        for (const std::string& statement : own)
            if (const auto checked = empty->check(statement); !checked)
                return tl::unexpected<Error>(
                    Error{checked.error().code, "%1: %2"_text(where, checked.error().message)});
        statements.insert(statements.end(), own.begin(), own.end());
    }
    return statements;
}

std::shared_ptr<const QueryModel> query_model(std::span<const AnalysedRun> runs) {
    std::vector<QueryRun> read;
    for (const AnalysedRun& run : runs)
        read.push_back({run.label, run.role, run.analysis, run.notices});
    return std::make_shared<const QueryModel>(read, [read] { return changes_of(read); });
}

Result<void> print_queries(std::span<const std::string> statements, bool json, std::span<const AnalysedRun> runs,
                           const std::stop_token& stop) {
    auto database = QueryDatabase::open(query_model(runs));
    if (!database)
        return tl::unexpected<Error>(database.error());
    return (json ? write_query_json : write_query_csv)(*database, statements, print_data, stop);
}

} // namespace rankscope
