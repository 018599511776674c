// SPDX-License-Identifier: GPL-3.0-or-later
// What grew in the memory of two runs, as tables of files: sums worked out by hand.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <filesystem>

#include "core/base/whole_file.h"
#include "core/input/load/load_run.h"
#include "core/report/html_report.h"
#include "core/report/memory_diff.h"
#include "core/report/rccl_sheets.h"
#include "tests/support/made_snapshot.h"
#include "tests/support/test_program.h"

namespace rankscope::memory_diff_test {

namespace fs = std::filesystem;

namespace {

/// forward: bytes and line of its allocation. load() allocates in the baseline only.
std::string snapshot(std::int64_t forward, int line, bool baseline) {
    std::vector<MadeAllocation> made{{"model.py", line, "forward", forward, "ACTIVATION", "step"},
                                     {"optim.py", 7, "step", 600, "OPTIMIZER_STATE"}};
    if (baseline)
        made.push_back({"load.py", 5, "load", 400, "PARAMETER"});
    return made_snapshot(made);
}

AnalysedRun run_at(const fs::path& folder) {
    LoadOptions options;
    options.use_cache = false;
    const auto run = load_run(folder, options);
    if (!run)
        qFatal("%s", english(run.error().message).c_str());
    const auto analysis = std::make_shared<const RunAnalysis>(*run, Selection{});
    return {"", "", analysis, compute_metrics(*analysis), {}};
}

} // namespace

class TestMemoryDiff : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        const fs::path folder = folder_.path().toStdString();
        for (const char* run : {"before", "after"})
            fs::create_directories(folder / run);
        for (const char* name : {"rank0.pickle", "rank1.pickle"})
            QVERIFY(write_whole_file(folder / "before" / name, snapshot(4000, 20, true)));
        QVERIFY(write_whole_file(folder / "after" / "rank0.pickle", snapshot(5000, 22, false)));
        QVERIFY(write_whole_file(folder / "after" / "rank1.pickle", snapshot(14'000, 22, false)));
        runs_ = {run_at(folder / "before"), run_at(folder / "after")};
        relate_runs(runs_);
    }

    void everyCategoryAndPlaceIsARow() {
        QVERIFY(has_memory_changes(runs_));
        QCOMPARE(memory_diff_csv(runs_),
                 std::string("baseline,test,rank,device,kind,name,caller,baseline_bytes,test_bytes,difference_bytes,"
                             "percent_change\r\n"
                             "before,after,0,0,category,ACTIVATION,,4000,5000,1000,25\r\n"
                             "before,after,0,0,category,PARAMETER,,400,0,-400,-100\r\n"
                             "before,after,0,0,category,OPTIMIZER_STATE,,600,600,0,0\r\n"
                             "before,after,0,0,place,model.py:22 forward,train.py:10 step,4000,5000,1000,25\r\n"
                             "before,after,0,0,place,load.py:5 load,,400,0,-400,-100\r\n"
                             "before,after,1,0,category,ACTIVATION,,4000,14000,10000,250\r\n"
                             "before,after,1,0,category,PARAMETER,,400,0,-400,-100\r\n"
                             "before,after,1,0,category,OPTIMIZER_STATE,,600,600,0,0\r\n"
                             "before,after,1,0,place,model.py:22 forward,train.py:10 step,4000,14000,10000,250\r\n"
                             "before,after,1,0,place,load.py:5 load,,400,0,-400,-100\r\n"));
    }

    void theWorkbookHasASheetOfThem() {
        const auto sheets = comparison_sheets(runs_);
        const auto found = std::ranges::find(sheets, "Memory_Diff", &Sheet::name);
        QVERIFY(found != sheets.end());
        QCOMPARE(found->columns.at(5).title, std::string("before_bytes"));
        QCOMPARE(found->rows.size(), std::size_t{10});
        QCOMPARE(std::get<std::string>(found->rows[8].at(3)), std::string("model.py:22 forward"));
        QCOMPARE(std::get<double>(found->rows[8].at(7)), 10'000.0);
    }

    void thePageShowsTheRankThatChangedMost() {
        const QString html = QString::fromStdString(html_report(runs_, {}));
        QVERIFY(html.contains(QLatin1String("<h3>Memory at the peak</h3>")));
        QVERIFY(html.contains(QLatin1String("Memory of rank 1 at its peak: 14.60 kB active instead of 5.00 kB")));
        QVERIFY(html.contains(QLatin1String("<td>model.py:22 forward</td><td>train.py:10 step</td><td class=\"n\">4.00 "
                                            "kB</td><td class=\"n\">14.00 kB</td><td class=\"n\">+10.00 kB</td><td "
                                            "class=\"n\">+250.0 %</td>")));
        QVERIFY(html.contains(QLatin1String("place in the program, rank 1")));
        QVERIFY(!html.contains(QLatin1String("place in the program, rank 0")));
    }

    void namesAreNoMarkupAndNoFormulas() {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        for (const char* run : {"before", "after"})
            fs::create_directories(path / run);
        const auto evil = [](std::int64_t bytes) {
            return made_snapshot({{"a.py", 1, "f", bytes, "=cmd<b>\x1b[2J"}, {"<script>", 2, "g", 10, "B"}});
        };
        QVERIFY(write_whole_file(path / "before" / "rank0.pickle", evil(100)));
        QVERIFY(write_whole_file(path / "after" / "rank0.pickle", evil(200)));
        std::vector<AnalysedRun> runs{run_at(path / "before"), run_at(path / "after")};
        relate_runs(runs);
        QVERIFY(memory_diff_csv(runs).find(",category,'=cmd<b>\uFFFD[2J,") != std::string::npos);
        const std::string section = memory_diff_section(runs[1]);
        QVERIFY(section.find("=cmd&lt;b&gt;") != std::string::npos);
        QVERIFY(section.find("<b>") == std::string::npos && section.find('\x1b') == std::string::npos);
    }

    void withoutSnapshotsOfOneRankThereIsNothing() {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        for (const char* name : {"rank2.pickle", "rank3.pickle"})
            QVERIFY(write_whole_file(path / name, snapshot(4000, 20, true)));
        std::vector<AnalysedRun> runs{runs_[0], run_at(path)};
        relate_runs(runs);
        QVERIFY(!has_memory_changes(runs));
        QVERIFY(!has_memory_changes(std::span(runs).first(1)));
        const auto sheets = comparison_sheets(runs);
        QVERIFY(std::ranges::find(sheets, "Memory_Diff", &Sheet::name) == sheets.end());
        QVERIFY(memory_diff_section(runs[1]).empty());
    }

private:
    QTemporaryDir folder_;
    std::vector<AnalysedRun> runs_;
};

RANKSCOPE_TEST(TestMemoryDiff)

} // namespace rankscope::memory_diff_test

#include "test_memory_diff.moc"
