// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/query_output.h"

#include <cmath>
#include <ranges>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/safe_json.h"
#include "core/base/text.h"
#include "core/query/sql_functions.h"
#include "core/report/csv.h"
#include "core/version.h"

namespace rankscope {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kPiece = 64 * 1024; ///< bytes handed to the writer at once

bool is_shown(const QueryColumn& column) { return !column.old; }

std::string json_text(std::string_view text) {
    return terminal_safe_json(
        OrderedJson(valid_utf8(text)).dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
}

/// Collects pieces; what a writer refused is kept for the caller.
class PieceSink : public QuerySink {
public:
    explicit PieceSink(const QueryWriter& write) : write_(write) {}
    Result<void> finish() {
        flush(0);
        return written_;
    }
    void add(std::string_view text) { piece_ += text; }
    [[nodiscard]] const Result<void>& written() const { return written_; }

protected:
    bool flush(std::size_t above) {
        if (piece_.size() > above && written_) {
            written_ = write_(piece_);
            piece_.clear();
        }
        return written_.has_value();
    }
    std::string piece_;

private:
    const QueryWriter& write_;
    Result<void> written_;
};

class CsvSink : public PieceSink {
public:
    using PieceSink::PieceSink;
    void columns(std::span<const std::string> names) override {
        add(first_ ? "" : "\r\n");
        first_ = false;
        table_ = CsvTable(names);
        add(table_.take());
    }
    bool row(std::span<const QueryValue> values) override {
        for (const QueryValue& value : values)
            if (const auto* integer = std::get_if<std::int64_t>(&value))
                table_.integer(*integer);
            else if (const auto* real = std::get_if<double>(&value))
                table_.number(*real);
            else if (const auto* view = std::get_if<std::string_view>(&value))
                table_.text(*view);
            else if (const auto* text = std::get_if<std::string>(&value))
                table_.text(*text);
            else
                table_.empty();
        table_.end_row();
        add(table_.take());
        return flush(kPiece);
    }

private:
    bool first_ = true;
    CsvTable table_{};
};

/// The body of a result: "columns": [...], "rows": [...].
class JsonSink : public PieceSink {
public:
    JsonSink(const QueryWriter& write, bool several) : PieceSink(write), several_(several) {}
    void set_query(const std::string& sql) { sql_ = sql; }
    void columns(std::span<const std::string> names) override {
        close();
        std::string list;
        keys_.clear();
        for (const std::string& name : unique_names(names)) {
            keys_.push_back(json_text(name));
            list += (list.empty() ? "" : ", ") + keys_.back();
        }
        if (several_)
            add(results_++ == 0 ? "{ " : ",\n{ ");
        add(fmt::format("\"sql\": {},\n  \"columns\": [{}],\n  \"rows\": [", json_text(sql_), list));
        open_ = true;
        rows_ = 0;
    }
    bool row(std::span<const QueryValue> values) override {
        add(rows_++ == 0 ? "\n    { " : ",\n    { ");
        for (std::size_t i = 0; i < values.size(); ++i)
            add(fmt::format("{}{}: {}", i == 0 ? "" : ", ", keys_[i], query_value_json(values[i])));
        add(" }");
        return flush(kPiece);
    }
    void close() {
        if (open_)
            add(several_ ? " ] }" : " ]");
        open_ = false;
    }

private:
    bool several_;
    bool open_ = false;
    std::size_t results_ = 0;
    std::size_t rows_ = 0;
    std::string sql_;
    std::vector<std::string> keys_;
};

std::string first_words(std::string_view sql) { return shortened(terminal_safe(sql), 60); }

template <typename Before>
Result<void> run_all(QueryDatabase& database, std::span<const std::string> queries, PieceSink& sink,
                     const std::stop_token& stop, Before&& before) {
    for (const std::string& query : queries) {
        before(query);
        const auto run = database.run(query, sink, stop);
        if (!sink.written())
            return sink.written();
        if (!run)
            return tl::unexpected<Error>(
                Error{run.error().code, run.error().code == Error::Code::cancelled
                                            ? run.error().message
                                            : "%1 (in: %2)"_text(run.error().message, first_words(query))});
    }
    return {};
}

std::string column_line(const QueryColumn& column) {
    return fmt::format("  {:<20} {:<8} {:<9} {}\n", column.name, column_type_word(column.type), column.unit,
                       column.help);
}

} // namespace

std::string query_value_json(const QueryValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return fmt::format("{}", *integer);
    if (const auto* real = std::get_if<double>(&value))
        return std::isfinite(*real) ? OrderedJson(*real).dump() : "null";
    if (const auto* view = std::get_if<std::string_view>(&value))
        return json_text(*view);
    if (const auto* text = std::get_if<std::string>(&value))
        return json_text(*text);
    return "null";
}

std::vector<std::string> unique_names(std::span<const std::string> names) {
    std::vector<std::string> unique;
    std::set<std::string> taken;
    for (const std::string& name : names) {
        std::string own = name;
        for (int copy = 2; !taken.insert(own).second; ++copy)
            own = fmt::format("{}_{}", name, copy);
        unique.push_back(std::move(own));
    }
    return unique;
}

Result<void> write_query_csv(QueryDatabase& database, std::span<const std::string> queries, const QueryWriter& write,
                             const std::stop_token& stop) {
    CsvSink sink(write);
    if (const auto run = run_all(database, queries, sink, stop, [](const std::string&) {}); !run)
        return run;
    return sink.finish();
}

Result<void> write_query_json(QueryDatabase& database, std::span<const std::string> queries, const QueryWriter& write,
                              const std::stop_token& stop) {
    const bool several = queries.size() > 1;
    JsonSink sink(write, several);
    sink.add(fmt::format("{{ \"schema\": \"rankscope.sql.v1\", \"version\": {},\n  ", json_text(kVersion)));
    sink.add(several ? "\"results\": [\n" : "");
    const auto run = run_all(database, queries, sink, stop, [&](const std::string& query) { sink.set_query(query); });
    if (!run)
        return run;
    sink.close();
    sink.add(several ? "\n] }\n" : " }\n");
    return sink.finish();
}

std::string table_list_text() {
    std::string text;
    for (const QueryTable* table : query_tables()) {
        text += fmt::format("{}: {}\n", table->name, table->help);
        for (const QueryColumn& column : table->columns | std::views::filter(is_shown))
            text += column_line(column);
        text += '\n';
    }
    text += "Functions beside SQLite's own:\n";
    for (const QueryFunction& function : query_functions())
        text += fmt::format("  {:<44} {}\n", function.form, function.help);
    return text;
}

std::string table_list_json() {
    OrderedJson tables = OrderedJson::object();
    for (const QueryTable* table : query_tables()) {
        OrderedJson columns = OrderedJson::array();
        for (const QueryColumn& column : table->columns | std::views::filter(is_shown))
            columns.push_back({{"name", column.name},
                               {"type", column_type_word(column.type)},
                               {"unit", column.unit},
                               {"what", column.help}});
        tables[std::string(table->name)] = {{"rows", table->help}, {"columns", std::move(columns)}};
    }
    OrderedJson functions = OrderedJson::array();
    for (const QueryFunction& function : query_functions())
        functions.push_back({{"form", function.form}, {"what", function.help}});
    return OrderedJson{{"schema", "rankscope.tables.v1"},
                       {"version", kVersion},
                       {"tables", std::move(tables)},
                       {"functions", std::move(functions)}}
               .dump(2) +
           '\n';
}

} // namespace rankscope
