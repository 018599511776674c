// SPDX-License-Identifier: GPL-3.0-or-later
// Workbooks: what is inside the file, that no text becomes a formula, and that the file is whole or not there.
#include <filesystem>
#include <map>
#include <optional>

#include <QDir>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

#include <isa-l/igzip_lib.h>

#include "core/compare/rccl_comparison.h"
#include "core/report/rccl_sheets.h"
#include "core/report/run_sheets.h"
#include "core/report/xlsx.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::xlsx_test {

namespace {

std::uint32_t little(const QByteArray& bytes, qsizetype at, int size) {
    std::uint32_t value = 0;
    for (int i = size - 1; i >= 0; --i)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

/// The files of a zip archive by name, through its central directory.
std::map<std::string, std::string> unzipped(const QByteArray& zip) {
    std::map<std::string, std::string> files;
    const qsizetype end = zip.lastIndexOf("PK\x05\x06");
    qsizetype at = end < 0 ? -1 : static_cast<qsizetype>(little(zip, end + 16, 4));
    for (std::uint32_t n = end < 0 ? 0 : little(zip, end + 10, 2); n > 0; --n) {
        const auto name_length = little(zip, at + 28, 2);
        const std::string name = zip.mid(at + 46, name_length).toStdString();
        const qsizetype local = little(zip, at + 42, 4);
        QByteArray packed =
            zip.mid(local + 30 + little(zip, local + 26, 2) + little(zip, local + 28, 2), little(zip, at + 20, 4));
        std::string text(little(zip, at + 24, 4), '\0');
        inflate_state state;
        isal_inflate_init(&state);
        state.next_in = reinterpret_cast<std::uint8_t*>(packed.data());
        state.avail_in = static_cast<std::uint32_t>(packed.size());
        state.next_out = reinterpret_cast<std::uint8_t*>(text.data());
        state.avail_out = static_cast<std::uint32_t>(text.size());
        if (little(zip, at + 10, 2) == 0)
            text = packed.toStdString();
        else if (isal_inflate(&state) != ISAL_DECOMP_OK)
            qFatal("cannot read %s", name.c_str());
        files[name] = std::move(text);
        at += 46 + name_length + little(zip, at + 30, 2) + little(zip, at + 32, 2);
    }
    return files;
}

QByteArray bytes_of(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

AnalysedRun run_named(const std::string& name, double kernel_us, const std::string& kernel) {
    TraceBuilder rank(0);
    rank.step(1, 0, 100).launch(1, 1).kernel(kernel, 7, 10, kernel_us);
    const auto analysis = std::make_shared<RunAnalysis>(make_run({rank}, name), Selection{});
    return {"", "", analysis, compute_metrics(*analysis), {}};
}

std::optional<Sheet> sheet_of(const std::vector<Sheet>& sheets, const std::string& name) {
    for (const Sheet& sheet : sheets)
        if (sheet.name == name)
            return sheet;
    return std::nullopt;
}

} // namespace

class TestXlsx : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textIsNeverAFormulaAndNumbersAreNumbers() {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath(QStringLiteral("a.xlsx")).toStdString();
        const Sheet sheet{"Raw",
                          {{"=1+1"}, {"a", NumberStyle::two_decimals, true, "why"}, {"A"}},
                          {{"=cmd|' /C calc'!A0", -2.5, Cell()}, {"<&>\x01\xFF", std::nan(""), "x"}},
                          true,
                          "+remark"};
        QVERIFY(write_workbook(path, std::vector<Sheet>{{"First", {{"empty"}}, {}, false, {}}, sheet}));
        const auto files = unzipped(bytes_of(path));
        const std::string& page = files.at("xl/worksheets/sheet2.xml");
        QVERIFY(!has(page, "<f>") && !has(files.at("xl/tables/table2.xml"), "Formula"));
        QVERIFY(has(page, "<v>-2.5</v>"));
        QVERIFY(has(page, "ySplit=\"1\"") && has(page, "FFF8696B") && has(page, "FF63BE7B"));
        QVERIFY(has(files.at("xl/sharedStrings.xml"), "=cmd|' /C calc'!A0"));
        QVERIFY(has(files.at("xl/sharedStrings.xml"), "&lt;&amp;&gt;"));
        QVERIFY(has(files.at("xl/tables/table2.xml"), "name=\"A (2)\"")); // "a" and "A" are one name to a spreadsheet
        QVERIFY(has(files.at("xl/tables/table2.xml"), "TableStyleMedium2") &&
                has(files.at("xl/tables/table2.xml"), "<autoFilter"));
        QVERIFY(has(files.at("xl/workbook.xml"), "name=\"Raw\" sheetId=\"2\" state=\"hidden\""));
        const QByteArray first = bytes_of(path);
        QVERIFY(write_workbook(path, std::vector<Sheet>{{"First", {{"empty"}}, {}, false, {}}, sheet}));
        QCOMPARE(bytes_of(path), first);
    }

    /// Every part of the file is XML, whatever text there is.
    void isXmlWhateverTextsHold() {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath(QStringLiteral("a.xlsx")).toStdString();
        const std::string odd = "\xEF\xBF\xBE \xEF\xBF\xBF \x01\x1B\x7F \xED\xA0\x80 \xFF ]]> <&>\"' _x0007_ \t\r\n";
        const Sheet sheet{
            "odd \xEF\xBF\xBE", {{odd}, {odd + "2", NumberStyle::plain, false, odd}}, {{odd, odd}}, false, odd};
        QVERIFY(write_workbook(path, std::vector<Sheet>{sheet}));
        for (const auto& [name, text] : unzipped(bytes_of(path))) {
            QXmlStreamReader reader(QByteArray::fromStdString(text));
            while (!reader.atEnd())
                reader.readNext();
            QVERIFY2(!reader.hasError(), (name + ": " + reader.errorString().toStdString()).c_str());
        }
    }

    void whatDoesNotFitIsCutAndSaid() {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath(QStringLiteral("a.xlsx")).toStdString();
        Sheet tall{"tall", {{"x", NumberStyle::whole}}, {}, false, "the remark"};
        tall.rows.assign(1'048'600, std::vector<Cell>{1.0});
        Sheet wide{"wide", {}, {{}}, false, "the remark"};
        for (int i = 0; i < 16'400; ++i) {
            wide.columns.push_back({"c" + std::to_string(i)});
            wide.rows[0].emplace_back(2.0);
        }
        const auto written = write_workbook(path, std::vector<Sheet>{tall, wide});
        QVERIFY2(written, written ? "" : english(written.error().message).c_str());
        const auto files = unzipped(bytes_of(path));
        QVERIFY(has(files.at("xl/worksheets/sheet1.xml"), "r=\"A1048573\""));
        QVERIFY(has(files.at("xl/worksheets/sheet2.xml"), "r=\"XFD2\""));
        const std::string& texts = files.at("xl/sharedStrings.xml");
        QVERIFY(has(texts, "28 more rows do not fit into a sheet") &&
                has(texts, "16 more columns do not fit into a sheet"));
        QVERIFY(has(texts, "the remark"));
    }

    void isWholeOrNotThere() {
        QTemporaryDir folder;
        const std::filesystem::path target = folder.filePath(QStringLiteral("blocked.xlsx")).toStdString();
        std::filesystem::create_directories(target / "inside");
        const auto blocked = write_workbook(target, std::vector<Sheet>{{"A", {{"x"}}, {{1.0}}, false, {}}});
        QVERIFY(!blocked);
        QCOMPARE(blocked.error().code, Error::Code::output);
        const auto no_folder =
            write_workbook(target / "none" / "a.xlsx", std::vector<Sheet>{{"A", {{"x"}}, {{1.0}}, false, {}}});
        QVERIFY(!no_folder && !has(english(no_folder.error().message), "\n"));
        const auto bad_name = write_workbook(folder.filePath(QStringLiteral("b.xlsx")).toStdString(),
                                             std::vector<Sheet>{{"a/b", {{"x"}}, {}, false, {}}});
        QVERIFY(!bad_name);
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList{QStringLiteral("blocked.xlsx")});
    }

    void improvementIsPositiveWhenTheTestIsBetter() {
        // gemm 40 us against 30 us: 10 us less, 25 % better; a label with "diff" and "percent" changes nothing.
        std::vector<AnalysedRun> runs{run_named("diff", 40, "gemm"), run_named("percent", 30, "gemm")};
        relate_runs(runs);
        const auto sheets = comparison_sheets(runs);
        const auto summary = sheet_of(sheets, "GPU_Summary_Cmp");
        QVERIFY(summary);
        const auto& computation = summary->rows.at(1);
        QCOMPARE(std::get<std::string>(computation[0]), std::string("computation_time"));
        QCOMPARE(std::get<double>(computation[1]), 0.04);
        QCOMPARE(std::get<double>(computation[3]), 0.03 - 0.04);
        QCOMPARE(std::get<double>(computation[4]), 25.0);
        QCOMPARE(std::get<double>(computation[5]), 0.75);
        const auto dashboard = sheet_of(sheets, "Summary_Dashboard");
        QCOMPARE(std::get<double>(dashboard->rows.at(1)[3]), 25.0);
        QCOMPARE(std::get<std::string>(dashboard->rows.at(1)[4]),
                 std::string("Changed")); // no step is known to be shorter
        QVERIFY(dashboard->rows.size() > 8);
        for (const Sheet& sheet : sheets) {
            QCOMPARE(sheet.hidden, sheet.name.ends_with("_Raw"));
            for (const auto& row : sheet.rows)
                QCOMPARE(row.size(), sheet.columns.size());
        }
    }

    void everyTestRunHasItsSheets() {
        std::vector<AnalysedRun> runs{run_named("a", 40, "gemm"), run_named("b", 30, "gemm"),
                                      run_named("b", 20, "other")};
        relate_runs(runs);
        const auto sheets = comparison_sheets(runs);
        QVERIFY(sheet_of(sheets, "Ops_Diff") && sheet_of(sheets, "Ops_Diff_2") && !sheet_of(sheets, "Ops_Diff_3"));
        QTemporaryDir folder;
        QVERIFY(write_workbook(folder.filePath(QStringLiteral("f.xlsx")).toStdString(), sheets));
        QVERIFY(write_workbook(folder.filePath(QStringLiteral("r.xlsx")).toStdString(), run_sheets(runs)));
        for (const Sheet& sheet : run_sheets(runs))
            for (const auto& row : sheet.rows)
                QCOMPARE(row.size(), sheet.columns.size());
    }

    void aRankOfOneRunIsListed() {
        TraceBuilder second(1);
        second.launch(1, 1).kernel("gemm", 7, 10, 40);
        TraceBuilder first(0);
        first.launch(1, 1).kernel("gemm", 7, 10, 40);
        const auto changes =
            timeline_changes_by_rank(RunAnalysis(make_run({first}), {}), RunAnalysis(make_run({first, second}), {}));
        QCOMPARE(changes.size(), std::size_t{16});
        QCOMPARE(changes.back().rank, std::optional(1));
        QVERIFY(!changes.back().baseline && changes.back().test);
    }
};

RANKSCOPE_TEST(TestXlsx)

} // namespace rankscope::xlsx_test

#include "test_xlsx.moc"
