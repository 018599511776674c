// SPDX-License-Identifier: GPL-3.0-or-later
// Memory snapshots of two runs on the Compare screen and in files: sums worked out by hand.
#include <filesystem>
#include <memory>

#include <QComboBox>
#include <QLabel>
#include <QSettings>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/export.h"
#include "app/window/main_window.h"
#include "core/base/whole_file.h"
#include "tests/app/run_program.h"
#include "tests/support/made_snapshot.h"
#include "tests/support/test_program.h"
#include "widgets/compare/compare_page.h"
#include "widgets/compare/memory_changes.h"

namespace rankscope::compare_memory_test {
using namespace Qt::Literals::StringLiterals;
namespace fs = std::filesystem;

namespace {

constexpr int kPatience = 60'000;
const QString kMinus = u"\u2212"_s;

/// forward: bytes and line of its allocation. load() allocates in the baseline only.
std::string snapshot(std::int64_t forward, int line, bool baseline) {
    std::vector<MadeAllocation> made{{"model.py", line, "forward", forward, "ACTIVATION", "step"},
                                     {"optim.py", 7, "step", 600, "OPTIMIZER_STATE"}};
    if (baseline)
        made.push_back({"load.py", 5, "load", 400, "PARAMETER"});
    return made_snapshot(made);
}

} // namespace

class TestCompareMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
        const fs::path data = fs::path(RANKSCOPE_SOURCE_DIR) / "tests/data/two_ranks";
        for (const char* run : {"before", "after", "bare"}) {
            fs::create_directories(folder(run));
            for (const char* name : {"rank0.json", "rank1.json"})
                fs::copy_file(data / name, folder(run) / name);
        }
        for (const char* name : {"rank0_memory_snapshot.pickle", "rank1_memory_snapshot.pickle"})
            QVERIFY(write_whole_file(folder("before") / name, snapshot(4000, 20, true)));
        QVERIFY(write_whole_file(folder("after") / "rank0_memory_snapshot.pickle", snapshot(5000, 22, false)));
        QVERIFY(write_whole_file(folder("after") / "rank1_memory_snapshot.pickle", snapshot(14'000, 22, false)));
    }
    void init() {
        QSettings(QSettings::IniFormat, QSettings::UserScope, u"rankscope"_s, u"rankscope"_s).clear();
        window_ = std::make_unique<MainWindow>(GuiOptions{});
        window_->resize(1280, 800);
        window_->show();
    }
    void cleanup() { window_.reset(); }

    void whatGrewMostIsFirst() {
        compare({path("before"), path("after")});
        QVERIFY(isTabShown());
        page().showTab(ComparePage::memoryTab);
        // Rank 1 reserves 14 600 bytes instead of 5000, rank 0 5600.
        QCOMPARE(memory().rankChoice().currentText(), u"Rank 1, GPU 0"_s);
        QVERIFY2(
            memory().words().text().startsWith(u"Memory of rank 1 at its peak: 14.60 kB active instead of 5.00 kB"_s),
            qPrintable(memory().words().text()));
        QCOMPARE(rows(), (QList<QStringList>{{u"model.py:22 forward"_s, u"train.py:10 step"_s, u"4.0 kB"_s,
                                              u"14.0 kB"_s, u"+10.0 kB"_s, u"+250.0 %"_s},
                                             {u"load.py:5 load"_s, u"\u2013"_s, u"400 B"_s, u"0 B"_s,
                                              kMinus + u"400 B"_s, kMinus + u"100.0 %"_s}}));
        const QAbstractItemModel& model = *memory().table().model();
        for (int column = 2; column < model.columnCount(); ++column)
            QVERIFY(model.index(0, column).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
    }
    void anotherRankAndTheCategoriesAreChosenByKeyboard() {
        compare({path("before"), path("after")});
        page().showTab(ComparePage::memoryTab);
        QTest::keyClick(&memory().rankChoice(), Qt::Key_Up);
        QVERIFY2(memory().words().text().startsWith(u"Memory of rank 0 at its peak: 5.60 kB active"_s),
                 qPrintable(memory().words().text()));
        QCOMPARE(rows().value(0).value(4), u"+1.0 kB"_s);
        QTest::keyClick(&memory().kindChoice(), Qt::Key_Down);
        QCOMPARE(rows(), (QList<QStringList>{
                             {u"ACTIVATION"_s, u"4.0 kB"_s, u"5.0 kB"_s, u"+1.0 kB"_s, u"+25.0 %"_s},
                             {u"OPTIMIZER_STATE"_s, u"600 B"_s, u"600 B"_s, u"0 B"_s, u"0.0 %"_s},
                             {u"PARAMETER"_s, u"400 B"_s, u"0 B"_s, kMinus + u"400 B"_s, kMinus + u"100.0 %"_s}}));
    }
    void theTableIsExportedAsTheOthers() {
        compare({path("before"), path("after")});
        page().showTab(ComparePage::memoryTab);
        const std::vector<Exportable> items = exportables(*window_);
        const auto found = std::ranges::find(items, u"Memory at the peak of both runs"_s, &Exportable::title);
        QVERIFY(found != items.end());
        const QString file = runs_.filePath(u"table.csv"_s);
        QCOMPARE(exportTo(*found, file), QString());
        QVERIFY2(test::read_file(file).startsWith("Place in the program,Called by,Baseline,Test,Difference,Change\r\n"
                                                  "model.py:22 forward,train.py:10 step,4.0 kB,14.0 kB,"),
                 test::read_file(file).constData());
    }
    void withoutTwoSnapshotsOfARankThereIsNoTable() {
        compare({path("before"), path("after")});
        page().showTab(ComparePage::memoryTab);
        compare({path("before"), path("bare")});
        QVERIFY(!isTabShown());
        QVERIFY(page().shownTab() != ComparePage::memoryTab);
        QCOMPARE(memory().table().model()->rowCount(), 0);
        compare({path("before"), path("after")});
        QVERIFY(isTabShown());
    }
    void nothingThatChangedIsSaid() {
        fs::create_directories(folder("same"));
        for (const auto& file : fs::directory_iterator(folder("before")))
            fs::copy_file(file.path(), folder("same") / file.path().filename());
        compare({path("before"), path("same")});
        page().showTab(ComparePage::memoryTab);
        QVERIFY(!memory().table().isVisible());
        const auto labels = memory().findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->isVisible() && label->text().startsWith(u"No place in the program holds more or less"_s);
        }));
    }
    void twoPicklesAreComparedAlone() {
        compare(
            {path("before") + u"/rank0_memory_snapshot.pickle"_s, path("after") + u"/rank0_memory_snapshot.pickle"_s});
        QVERIFY(isTabShown());
        page().showTab(ComparePage::memoryTab);
        QVERIFY(!memory().rankChoice().isVisible());
        QCOMPARE(rows().value(0).value(4), u"+1.0 kB"_s);
    }

    void aComparisonWritesItAsAFile() {
        const QString out = runs_.filePath(u"out"_s);
        const auto ran = test::run_program(
            {u"compare"_s, path("before"), path("after"), u"--output"_s, out, u"--format"_s, u"csv"_s});
        QVERIFY2(ran.exit_code == 0, ran.err.constData());
        const QByteArray csv = test::read_file(out + u"/memory_diff.csv"_s);
        QVERIFY2(csv.contains("before,after,0,0,place,model.py:22 forward,train.py:10 step,4000,5000,1000,25\r\n"),
                 csv.constData());
        QCOMPARE(csv.count('\n'), 11);
        const QString bare = runs_.filePath(u"out_bare"_s);
        QCOMPARE(test::run_program({u"compare"_s, path("before"), path("bare"), u"--output"_s, bare}).exit_code, 0);
        QVERIFY(!QFile::exists(bare + u"/memory_diff.csv"_s));
    }

private:
    [[nodiscard]] fs::path folder(const char* run) const { return fs::path(runs_.path().toStdString()) / run; }
    [[nodiscard]] QString path(const char* run) const { return runs_.filePath(QString::fromLatin1(run)); }
    ComparePage& page() { return window_->comparePage(); }
    MemoryChanges& memory() { return page().memory(); }
    bool isTabShown() { return page().findChild<QTabWidget*>()->isTabVisible(ComparePage::memoryTab); }
    void compare(const QStringList& paths) {
        window_->addPaths(paths, MainWindow::Opening::compare);
        QTRY_VERIFY_WITH_TIMEOUT(page().isReady() && !window_->isBusy(), kPatience);
    }
    /// As displayed.
    QList<QStringList> rows() {
        const QAbstractItemModel& model = *memory().table().model();
        QList<QStringList> all;
        for (int row = 0; row < model.rowCount(); ++row) {
            all << QStringList();
            for (int column = 0; column < model.columnCount(); ++column)
                all.back() << model.index(row, column).data().toString();
        }
        return all;
    }

    QTemporaryDir runs_;
    QTemporaryDir settings_;
    std::unique_ptr<MainWindow> window_;
};

RANKSCOPE_GUI_TEST(TestCompareMemory)

} // namespace rankscope::compare_memory_test

#include "test_compare_memory.moc"
