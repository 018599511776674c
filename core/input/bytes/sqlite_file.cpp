// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/bytes/sqlite_file.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

namespace rankscope {
namespace {

/// A file: URI; SQLite reads % escapes in it.
std::string uri_of(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path full = std::filesystem::absolute(path, error);
    std::string uri = "file:";
    for (const char c : (error ? path : full).string()) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = byte > 0x20 && byte < 0x7F && c != '%' && c != '?' && c != '#';
        uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return uri + "?mode=ro&immutable=1";
}

std::string sql_name(std::string_view name) {
    std::string text = "\"";
    for (const char c : name)
        text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + '"';
}

std::string_view text_of(sqlite3_stmt* statement, int column) {
    const auto* text = sqlite3_column_text(statement, column);
    return text == nullptr ? std::string_view{}
                           : std::string_view(reinterpret_cast<const char*>(text), // NOLINT: as SQLite's API has it
                                              static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
}

/// Reading is all that a statement may do, and PRAGMA only where this file asks for it.
int allow_reading(void*, int action, const char*, const char*, const char*, const char*) {
    const bool harmless = action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_PRAGMA ||
                          action == SQLITE_FUNCTION; // min, max
    return harmless ? SQLITE_OK : SQLITE_DENY;
}

int stop_asked(void* token) { return static_cast<std::stop_token*>(token)->stop_requested() ? 1 : 0; }

class Statement {
public:
    Statement(sqlite3* database, const std::string& sql) {
        sqlite3_prepare_v2(database, sql.c_str(), static_cast<int>(sql.size()), &statement_, nullptr);
    }
    ~Statement() { sqlite3_finalize(statement_); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    [[nodiscard]] bool ready() const { return statement_ != nullptr; }
    bool next() { return statement_ != nullptr && (code_ = sqlite3_step(statement_)) == SQLITE_ROW; }
    [[nodiscard]] bool ended_well() const { return statement_ != nullptr && code_ == SQLITE_DONE; }
    [[nodiscard]] std::string_view text(int column) const { return text_of(statement_, column); }
    [[nodiscard]] sqlite3_stmt* get() const { return statement_; }

private:
    sqlite3_stmt* statement_ = nullptr;
    int code_ = SQLITE_OK;
};

bool is_one_of(std::span<const std::string> names, std::string_view name) {
    return std::ranges::any_of(
        names,
        [&](const std::string& known) { return sqlite3_stricmp(known.c_str(), std::string(name).c_str()) == 0; });
}

} // namespace

void note_unfinished(const std::filesystem::path& path, Notices& notices) {
    for (const char* ending : {"-wal", "-journal"}) {
        std::filesystem::path beside = path;
        beside += ending;
        std::error_code error;
        const auto bytes = std::filesystem::file_size(beside, error);
        if (!error && bytes > 0)
            add_notice(notices,
                       {"unfinished_file",
                        "%1 beside it holds changes that are not in it yet: it is being written, "
                        "or the writer was interrupted, and events may be missing"_text(beside.filename().string()),
                        path.string(), 1});
    }
}

bool SqliteTable::has(std::string_view column) const { return std::ranges::find(columns, column) != columns.end(); }

struct SqliteFile::State {
    sqlite3* database = nullptr;
    std::stop_token token;
    ~State() { sqlite3_close_v2(database); }
};

SqliteFile::SqliteFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
SqliteFile::SqliteFile(SqliteFile&&) noexcept = default;
SqliteFile& SqliteFile::operator=(SqliteFile&&) noexcept = default;
SqliteFile::~SqliteFile() = default;

Result<SqliteFile> SqliteFile::open(const std::filesystem::path& path) {
    SqliteFile file(std::make_unique<State>());
    sqlite3*& database = file.state_->database;
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
    if (sqlite3_open_v2(uri_of(path).c_str(), &database, flags, nullptr) != SQLITE_OK)
        return input_error("%1 cannot be opened: %2"_text(
            path.string(), database == nullptr ? "not enough memory"_text() : Message(sqlite3_errmsg(database))));
    for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                        {SQLITE_DBCONFIG_DEFENSIVE, 1},
                                        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0}})
        sqlite3_db_config(database, option, value, nullptr);
    for (const char* pragma : {"PRAGMA temp_store=MEMORY", "PRAGMA query_only=ON", "PRAGMA cell_size_check=ON",
                               "PRAGMA cache_size=-8192", "PRAGMA mmap_size=0"})
        sqlite3_exec(database, pragma, nullptr, nullptr, nullptr);
    sqlite3_set_authorizer(database, allow_reading, nullptr);

    std::error_code error;
    file.file_bytes_ = std::filesystem::file_size(path, error);
    std::vector<std::string> real;
    Statement schema(database, "SELECT name, type, sql, rootpage FROM sqlite_master");
    while (schema.next()) {
        std::string name(schema.text(0));
        // A virtual table has no page of its own: what it delivers is computed.
        if (schema.text(1) == "table" && sqlite3_column_int64(schema.get(), 3) > 0)
            real.push_back(std::move(name));
        else if (schema.text(1) == "table" || schema.text(1) == "view")
            file.impostors_.push_back(std::move(name));
    }
    if (!schema.ended_well())
        return input_error("%1 is damaged or no SQLite file: %2"_text(path.string(), sqlite3_errmsg(database)));
    for (const std::string& name : real) {
        SqliteTable table;
        table.name = name;
        // table_info leaves generated columns out.
        Statement columns(database, "PRAGMA table_info(" + sql_name(name) + ")");
        while (columns.next())
            table.columns.emplace_back(columns.text(1));
        for (const char* row_id : {"_rowid_", "rowid", "oid"})
            if (table.row_id.empty() && !is_one_of(table.columns, row_id))
                table.row_id = row_id;
        if (!Statement(database, "SELECT " + table.row_id + " FROM " + sql_name(name)).ready())
            table.row_id.clear();
        file.tables_.emplace(name, std::move(table));
    }
    return file;
}

const SqliteTable* SqliteFile::table(std::string_view name) const {
    const auto found = tables_.find(name);
    return found == tables_.end() ? nullptr : &found->second;
}

bool SqliteFile::has_impostor(std::string_view name) const { return is_one_of(impostors_, name); }

std::optional<RowRange> SqliteFile::row_range(const SqliteTable& table) {
    if (table.row_id.empty())
        return {};
    const std::string from = " FROM " + sql_name(table.name) + " NOT INDEXED";
    // One at a time, so that each is a walk down one side of the tree and not over all rows.
    Statement first(state_->database, "SELECT min(" + table.row_id + ")" + from);
    Statement last(state_->database, "SELECT max(" + table.row_id + ")" + from);
    if (!first.next() || !last.next() || sqlite3_column_type(first.get(), 0) == SQLITE_NULL)
        return {};
    return RowRange{sqlite3_column_int64(first.get(), 0), sqlite3_column_int64(last.get(), 0)};
}

void SqliteFile::stop_with(std::stop_token token) {
    state_->token = std::move(token);
    constexpr int kSteps = 20'000; // of SQLite's virtual machine: well under a millisecond
    sqlite3_progress_handler(state_->database, kSteps, stop_asked, &state_->token);
}

SqliteRows::SqliteRows(SqliteFile& file, const SqliteTable& table, std::span<const char* const> columns,
                       std::optional<RowRange> range)
    : most_rows_(file.file_bytes() / 2) {
    std::string sql = "SELECT ";
    for (const char* column : columns)
        sql += (table.has(column) ? sql_name(column) : "NULL") + ',';
    sql.back() = ' ';
    sql += "FROM " + sql_name(table.name) + " NOT INDEXED";
    if (range && !table.row_id.empty())
        sql += " WHERE " + table.row_id + " BETWEEN " + std::to_string(range->first) + " AND " +
               std::to_string(range->last);
    sqlite3* database = file.state_->database;
    if (sqlite3_prepare_v2(database, sql.c_str(), static_cast<int>(sql.size()), &statement_, nullptr) != SQLITE_OK)
        damage_ = std::string(sqlite3_errmsg(database));
}

SqliteRows::~SqliteRows() { sqlite3_finalize(statement_); }

bool SqliteRows::next() {
    if (!damage_.empty())
        return false;
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW && ++rows_ <= most_rows_)
        return true;
    if (code == SQLITE_ROW)
        damage_ = "more rows than the file can hold"_text;
    else if (code != SQLITE_DONE && code != SQLITE_INTERRUPT)
        damage_ = std::string(sqlite3_errmsg(sqlite3_db_handle(statement_)));
    return false;
}

bool SqliteRows::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

std::optional<std::int64_t> SqliteRows::integer(int column) const {
    if (sqlite3_column_type(statement_, column) != SQLITE_INTEGER)
        return {};
    return sqlite3_column_int64(statement_, column);
}

std::optional<double> SqliteRows::number(int column) const {
    const int type = sqlite3_column_type(statement_, column);
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
        return {};
    return sqlite3_column_double(statement_, column);
}

std::string_view SqliteRows::text(int column) const {
    if (sqlite3_column_type(statement_, column) != SQLITE_TEXT)
        return {};
    // Names are not kept longer; a longer text would be copied several times before.
    constexpr std::size_t kMostText = 65 * 1024;
    return text_of(statement_, column).substr(0, kMostText);
}

std::string_view SqliteRows::blob(int column) const {
    if (sqlite3_column_type(statement_, column) != SQLITE_BLOB)
        return {};
    const void* bytes = sqlite3_column_blob(statement_, column);
    return bytes == nullptr ? std::string_view{}
                            : std::string_view(static_cast<const char*>(bytes),
                                               static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

} // namespace rankscope
