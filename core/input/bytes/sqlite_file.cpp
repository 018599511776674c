// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/bytes/sqlite_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
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

std::uint64_t page_bytes_of(const std::filesystem::path& path) {
    std::array<char, 18> start{};
    std::ifstream(path, std::ios::binary).read(start.data(), start.size());
    const auto byte = [&](std::size_t at) { return std::uint64_t{static_cast<unsigned char>(start[at])}; };
    const std::uint64_t bytes = byte(16) << 8 | byte(17);
    return bytes == 1 ? 65'536 : std::max<std::uint64_t>(bytes, 512);
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

/// What all connections to a file have taken out of it. No page belongs to two rows or tables, and readers read a table
/// once or twice: whoever takes several times what the file has goes in circles.
struct SqliteFile::Taken {
    std::filesystem::path path;
    std::uint64_t file_bytes = 0;
    std::uint64_t file_pages = 0;
    std::atomic<std::uint64_t> rows = 0;
    std::atomic<std::uint64_t> text_bytes = 0;
    std::atomic<std::uint64_t> pages = 0;

    [[nodiscard]] bool pages_fit(std::uint64_t looked_up) const {
        constexpr std::uint64_t kMostTimes = 64; // each column of a long row may be in a page of its own
        return looked_up <= kMostTimes * (file_pages + 16);
    }
    [[nodiscard]] bool fits() const {
        constexpr std::uint64_t kMostTimes = 4;
        constexpr std::uint64_t kLeastRowBytes = 6; // of an empty one: its place, its id and three lengths
        return rows * kLeastRowBytes <= kMostTimes * file_bytes && text_bytes <= kMostTimes * file_bytes &&
               pages_fit(pages);
    }
};

struct SqliteFile::State {
    /// Steps of SQLite's virtual machine between two looks: well under a millisecond, if each is a small one.
    static constexpr int kSteps = 20'000;
    static constexpr int kSchemaSteps = 100;
    static constexpr std::uint64_t kMostSchemaLooks = 20'000; // some 200 000 tables, views and indexes

    sqlite3* database = nullptr;
    std::stop_token token;
    std::shared_ptr<Taken> taken;
    bool reads_schema = true;
    std::uint64_t schema_looks = 0;
    std::uint64_t schema_pages = 0;

    ~State() { sqlite3_close_v2(database); }

    /// Pages that were looked up since the last call.
    std::uint64_t new_pages() const {
        std::uint64_t pages = 0;
        for (const int kind : {SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS}) {
            int count = 0, highest = 0;
            sqlite3_db_status(database, kind, &count, &highest, 1); // 1: counts from 0 again, before it overflows
            pages += static_cast<std::uint64_t>(std::max(count, 0));
        }
        return pages;
    }
    [[nodiscard]] bool schema_fits() const {
        return schema_looks <= std::min(kMostSchemaLooks, kSchemaSteps + taken->file_bytes / kSchemaSteps) &&
               taken->pages_fit(schema_pages);
    }
    static int stop_asked(void* self) {
        auto& state = *static_cast<State*>(self);
        if (!state.reads_schema)
            return state.token.stop_requested() ? 1 : 0;
        ++state.schema_looks;
        state.schema_pages += state.new_pages();
        return state.schema_fits() ? 0 : 1;
    }
};

SqliteFile::SqliteFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
SqliteFile::SqliteFile(SqliteFile&&) noexcept = default;
SqliteFile& SqliteFile::operator=(SqliteFile&&) noexcept = default;
SqliteFile::~SqliteFile() = default;

Result<SqliteFile> SqliteFile::open(const std::filesystem::path& path) {
    auto taken = std::make_shared<Taken>();
    std::error_code error;
    taken->path = path;
    const auto bytes = std::filesystem::file_size(path, error);
    taken->file_bytes = error ? 0 : bytes;
    taken->file_pages = taken->file_bytes / page_bytes_of(path);
    return open(path, std::move(taken));
}

Result<SqliteFile> SqliteFile::again() const { return open(state_->taken->path, state_->taken); }

Result<SqliteFile> SqliteFile::open(const std::filesystem::path& path, std::shared_ptr<Taken> taken) {
    SqliteFile file(std::make_unique<State>());
    file.file_bytes_ = taken->file_bytes;
    file.state_->taken = std::move(taken);
    sqlite3*& database = file.state_->database;
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
    if (sqlite3_open_v2(uri_of(path).c_str(), &database, flags, nullptr) != SQLITE_OK)
        return input_error("%1 cannot be opened: %2"_text(
            path.string(), database == nullptr ? "not enough memory"_text() : Message(sqlite3_errmsg(database))));
    // SQLite holds a text whole: none is longer than the file, and of the schema none is long. Before all else, as some
    // of the settings below make SQLite read the schema.
    constexpr std::uint64_t kMostSchemaText = 1 << 20, kMostText = 1'000'000'000;
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, static_cast<int>(kMostSchemaText));
    sqlite3_progress_handler(database, State::kSchemaSteps, State::stop_asked, file.state_.get());
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
    const Message endless =
        "%1 is damaged: its list of tables has more entries than a file of its size can hold"_text(path.string());
    if (!file.state_->schema_fits())
        return input_error(endless);
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
    if (!file.state_->schema_fits())
        return input_error(endless);
    file.state_->reads_schema = false;
    file.state_->new_pages(); // those of the schema do not count
    sqlite3_progress_handler(database, State::kSteps, State::stop_asked, file.state_.get());
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH,
                  static_cast<int>(std::clamp(file.file_bytes_, kMostSchemaText, kMostText)));
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

void SqliteFile::stop_with(std::stop_token token) { state_->token = std::move(token); }

SqliteRows::SqliteRows(SqliteFile& file, const SqliteTable& table, std::span<const char* const> columns,
                       std::optional<RowRange> range)
    : state_(file.state_.get()) {
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

SqliteRows::~SqliteRows() {
    sqlite3_finalize(statement_);
    fits_into_file();
}

bool SqliteRows::fits_into_file() {
    state_->taken->pages += state_->new_pages();
    state_->taken->rows += std::exchange(rows_, 0);
    state_->taken->text_bytes += std::exchange(text_bytes_, 0);
    return state_->taken->fits();
}

bool SqliteRows::next() {
    if (!damage_.empty())
        return false;
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) {
        for (int column = 0; column < sqlite3_data_count(statement_); ++column) {
            const int type = sqlite3_column_type(statement_, column);
            if (type == SQLITE_TEXT || type == SQLITE_BLOB)
                text_bytes_ += static_cast<std::uint64_t>(sqlite3_column_bytes(statement_, column));
        }
        constexpr std::uint64_t kRowsAtOnce = 16, kTextAtOnce = 1 << 20;
        if ((++rows_ < kRowsAtOnce && text_bytes_ < kTextAtOnce) || fits_into_file())
            return true;
        damage_ = "more rows or text than the file can hold"_text;
        return false;
    }
    if (code != SQLITE_DONE && code != SQLITE_INTERRUPT)
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
