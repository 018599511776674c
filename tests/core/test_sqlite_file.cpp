// SPDX-License-Identifier: GPL-3.0-or-later
// Databases whose pages are used again and again end after a small multiple of the file's size; all others are read
// whole.
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <memory>

#include <sqlite3.h>

#include "core/input/bytes/sqlite_file.h"
#include "tests/support/sqlite_pages.h"
#include "tests/support/test_program.h"

namespace rankscope::sqlite_file_test {

namespace fs = std::filesystem;
using test::SqlitePages;

class TestSqliteFile : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    fs::path path() const { return fs::path(folder_->path().toStdString()) / "file.sqlite"; }
    fs::path write(const std::string& bytes) const {
        std::ofstream(path(), std::ios::binary) << bytes;
        return path();
    }
    struct Read {
        std::size_t rows = 0;
        std::size_t text_bytes = 0;
        std::string damage;
    };
    static Read read(SqliteFile& file, const char* column) {
        Read result;
        const char* const columns[]{column};
        SqliteRows rows(file, *file.table("T"), columns);
        for (; rows.next(); ++result.rows)
            result.text_bytes += rows.text(0).size();
        result.damage = english(rows.damage());
        return result;
    }
    static SqliteFile opened(const fs::path& at) {
        auto file = SqliteFile::open(at);
        if (!file)
            qFatal("%s", english(file.error().message).c_str());
        return std::move(*file);
    }
    void execute(const std::string& sql) const {
        sqlite3* database = nullptr;
        sqlite3_open(path().c_str(), &database);
        char* error = nullptr;
        if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &error) != SQLITE_OK)
            qFatal("%s", error);
        sqlite3_close(database);
    }
    /// Rows whose text lies in the same pages: id, text.
    static std::string shared_texts(std::int64_t count, std::size_t text_bytes, const std::string& columns) {
        SqlitePages pages;
        // A number behind the text lies in the last of its pages: 8 bytes.
        const std::size_t size = 13 + 2 * text_bytes;
        std::string types;
        for (int shift = 14; shift >= 0; shift -= 7)
            types += static_cast<char>((size >> shift & 0x7F) | (shift > 0 ? 0x80U : 0U));
        const std::string start = std::string(1, '\x05') + types + '\x06';
        const std::size_t payload = start.size() + text_bytes + 8;
        const std::uint32_t text = pages.text_pages(payload - pages.own_bytes(payload));
        std::vector<std::string> cells;
        for (std::int64_t i = 1; i <= count; ++i)
            cells.push_back(pages.cell_in_pages(i, start, payload, text));
        return pages.file({{columns, pages.tree(cells)}});
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void aListOfTablesWithoutEndIsRefused() {
        SqlitePages pages;
        const std::uint32_t leaf = pages.leaf({SqlitePages::cell(
            1, SqlitePages::record({"view", "v", "v", std::int64_t{0}, "CREATE VIEW v AS SELECT 1"}))});
        const auto file = SqliteFile::open(
            write(pages.file_of_schema(std::vector<std::uint32_t>(40, pages.endless_tree(leaf, 10, 40)))));
        QVERIFY(!file);
        QCOMPARE(english(file.error().message),
                 path().string() + " is damaged: its list of tables has more entries than a file of its size can hold");
    }

    void aTableWithoutEndIsDamage() {
        SqlitePages pages;
        const std::uint32_t leaf = pages.leaf({SqlitePages::cell(1, SqlitePages::record({"x"}))});
        const std::string bytes = pages.file({{"T(a)", pages.endless_tree(leaf, 10, 40)}});
        SqliteFile file = opened(write(bytes));
        const Read all = read(file, "a");
        QCOMPARE(all.damage, std::string("more rows or text than the file can hold"));
        QVERIFY(all.rows < bytes.size());
        QVERIFY(read(file, "a").rows < 32); // nothing is left for another try
        auto other = file.again();
        QVERIFY(other.has_value());
        QVERIFY(read(*other, "a").rows < 32); // on whatever connection
    }

    void rowsThatShareTheirTextAreDamage() {
        const std::string bytes = shared_texts(2000, 60'000, "T(a,b)");
        SqliteFile file = opened(write(bytes));
        const Read texts = read(file, "a");
        QCOMPARE(texts.damage, std::string("more rows or text than the file can hold"));
        QVERIFY2(texts.text_bytes > 0 && texts.text_bytes < 5 * bytes.size() + (1 << 20),
                 std::to_string(texts.text_bytes).c_str());
    }

    void numbersBehindSharedTextAreDamage() {
        const std::string bytes = shared_texts(5000, 400'000, "T(a,b)");
        SqliteFile file = opened(write(bytes));
        const Read numbers = read(file, "b"); // for each row SQLite walks over all pages of the text
        QCOMPARE(numbers.damage, std::string("more rows or text than the file can hold"));
        // A walk looks up 780 pages of 3 300 or so, each 64 times at most.
        QVERIFY2(numbers.rows > 0 && numbers.rows < 1000, std::to_string(numbers.rows).c_str());
    }

    void aTextWithoutEndIsDamage() {
        SqlitePages pages;
        const std::uint32_t circle = pages.text_pages(1);
        std::string start("\x06\x83\xDC\xEB\x94\x0D", 6); // a text of 500 million bytes
        const std::uint32_t table = pages.tree({pages.cell_in_pages(1, start, 500'000'006, circle)});
        std::string bytes = pages.file({{"T(a)", table}});
        bytes[512 * (circle - 1) + 3] = static_cast<char>(circle); // goes on in itself
        SqliteFile file = opened(write(bytes));
        const Read all = read(file, "a");
        QCOMPARE(all.rows, std::size_t{0});
        QVERIFY(!all.damage.empty());
    }

    void longTextsAndWideRowsAreReadWhole() {
        std::string columns, values;
        for (int i = 0; i < 40; ++i) {
            columns += ", c" + std::to_string(i);
            values += ", printf('%.*c', 600, 'x')"; // each in pages of its own
        }
        execute("PRAGMA page_size=512; CREATE TABLE T(a" + columns +
                "); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
                "SELECT i + 1 FROM n WHERE i < 50) INSERT INTO T SELECT printf('%.*c', 60000, 'y')" +
                values + " FROM n");
        SqliteFile file = opened(path());
        for (int time = 0; time < 2; ++time) { // readers may read a table twice
            const Read all = read(file, "a");
            QCOMPARE(all.damage, std::string());
            QCOMPARE(all.text_bytes, std::size_t{50 * 60'000});
        }
        std::vector<const char*> all{"a", "c0", "c10", "c20", "c30", "c39"};
        SqliteRows rows(file, *file.table("T"), all);
        std::size_t count = 0;
        while (rows.next())
            ++count;
        QCOMPARE(count, std::size_t{50});
    }

    void smallRowsAreReadWhole() {
        execute("CREATE TABLE T(a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
                "INSERT INTO T SELECT NULL FROM n");
        SqliteFile file = opened(path());
        for (int time = 0; time < 2; ++time)
            QCOMPARE(read(file, "a").rows, std::size_t{20'000});
    }

    void manyTablesAreOpened() {
        std::string sql = "BEGIN;";
        for (int i = 0; i < 500; ++i)
            sql += "CREATE TABLE t" + std::to_string(i) + "(a, b, c, d); CREATE INDEX i" + std::to_string(i) + " ON t" +
                   std::to_string(i) + "(a);";
        execute(sql + "COMMIT");
        QCOMPARE(opened(path()).tables().size(), std::size_t{500});
    }

    void texts16BitsWideAreReadWhole() {
        execute(
            "PRAGMA encoding='UTF-16le'; CREATE TABLE T(a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
            "FROM n WHERE i < 1000) INSERT INTO T SELECT printf('%.*c', 500, char(8364)) FROM n");
        SqliteFile file = opened(path());
        const Read all = read(file, "a");
        QCOMPARE(all.damage, std::string());
        QCOMPARE(all.text_bytes, std::size_t{1000 * 500 * 3});
    }
};

RANKSCOPE_TEST(TestSqliteFile)

} // namespace rankscope::sqlite_file_test

#include "test_sqlite_file.moc"
