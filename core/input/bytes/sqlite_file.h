// SPDX-License-Identifier: GPL-3.0-or-later
// A database file read as plain data: read-only, as if it could not change, nothing in it executed, nothing written
// anywhere. Only real tables can be read; views, virtual tables, generated columns and triggers do not exist here.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/notice.h"

struct sqlite3;
struct sqlite3_stmt;

namespace rankscope {

struct SqliteTable {
    std::string name;
    std::vector<std::string> columns; ///< without generated ones
    std::string row_id; ///< "_rowid_", "rowid" or "oid", whichever no column is called; "" without row ids
    [[nodiscard]] bool has(std::string_view column) const;
};

/// Rows first to last by row id; nothing: all rows.
struct RowRange {
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// One connection: for one thread at a time.
class SqliteFile {
public:
    /// Error: cannot be opened, no SQLite, encrypted, or its schema cannot be read.
    static Result<SqliteFile> open(const std::filesystem::path& path);
    /// One more connection to the same file, for another thread. What both read together is bounded by the file's size.
    [[nodiscard]] Result<SqliteFile> again() const;
    SqliteFile(SqliteFile&&) noexcept;
    SqliteFile& operator=(SqliteFile&&) noexcept;
    ~SqliteFile();

    /// A real table by its exact name, or nullptr.
    [[nodiscard]] const SqliteTable* table(std::string_view name) const;
    /// All real tables, by name.
    [[nodiscard]] const std::map<std::string, SqliteTable, std::less<>>& tables() const { return tables_; }
    /// Whether something of that name is there that is no real table.
    [[nodiscard]] bool has_impostor(std::string_view name) const;
    /// Smallest and largest row id; nothing for an empty table, or one without row ids.
    std::optional<RowRange> row_range(const SqliteTable& table);
    [[nodiscard]] std::uint64_t file_bytes() const { return file_bytes_; }
    /// Interrupts the statements of this connection once asked to.
    void stop_with(std::stop_token token);

private:
    friend class SqliteRows;
    struct State;
    struct Taken;
    static Result<SqliteFile> open(const std::filesystem::path& path, std::shared_ptr<Taken> taken);
    explicit SqliteFile(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
    std::map<std::string, SqliteTable, std::less<>> tables_;
    std::vector<std::string> impostors_;
    std::uint64_t file_bytes_ = 0;
};

/// Says that a journal lies beside the database. What was written but is not in the file yet is not read: that would
/// mean writing.
void note_unfinished(const std::filesystem::path& path, Notices& notices);

/// Walks the rows of a table in the order of their ids. Columns by name; one the table lacks is NULL in every row.
class SqliteRows {
public:
    SqliteRows(SqliteFile& file, const SqliteTable& table, std::span<const char* const> columns,
               std::optional<RowRange> range = {});
    ~SqliteRows();
    SqliteRows(const SqliteRows&) = delete;
    SqliteRows& operator=(const SqliteRows&) = delete;

    /// False: no further row, cancelled, or damage.
    bool next();
    /// Empty, or why the rows ended early.
    [[nodiscard]] const Message& damage() const { return damage_; }

    [[nodiscard]] bool is_null(int column) const;
    /// Nothing when it is NULL or no integer.
    [[nodiscard]] std::optional<std::int64_t> integer(int column) const;
    [[nodiscard]] std::int64_t integer_or(int column, std::int64_t otherwise) const {
        return integer(column).value_or(otherwise);
    }
    /// An integer or a real number; nothing otherwise.
    [[nodiscard]] std::optional<double> number(int column) const;
    /// Valid until next(); empty when it is no text.
    [[nodiscard]] std::string_view text(int column) const;
    /// Valid until next(); empty when it is no blob.
    [[nodiscard]] std::string_view blob(int column) const;

private:
    bool fits_into_file();

    SqliteFile::State* state_;
    sqlite3_stmt* statement_ = nullptr;
    std::uint64_t rows_ = 0;       ///< since the last look at the bounds
    std::uint64_t text_bytes_ = 0; ///< likewise
    Message damage_;
};

} // namespace rankscope
