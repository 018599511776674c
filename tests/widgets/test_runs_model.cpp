// SPDX-License-Identifier: GPL-3.0-or-later
// The list of runs: its tree, the states of a run, drops, the filter.
#include <algorithm>
#include <memory>

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>
#include <QUrl>

#include "tests/support/pixel_at.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/palette.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/runs_panel.h"

namespace rankscope::runs_model_test {
using namespace Qt::Literals::StringLiterals;

namespace {
const std::vector<FoundRun> kTwoRuns = {{"/data/sweep/a", 8, 4'000'000}, {"/data/sweep/b", 8, 5'000'000}};
const std::vector<FoundRun> kOneRun = {{"/data/alone", 4, 1'500'000}};
} // namespace

class TestRunsModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        model_ = std::make_unique<RunsModel>();
        tester_ = std::make_unique<QAbstractItemModelTester>(model_.get(),
                                                             QAbstractItemModelTester::FailureReportingMode::QtTest);
    }
    void cleanup() {
        tester_.reset();
        model_.reset();
    }

    void aFolderThatIsARunIsOneRowAndAFolderOfRunsATree() {
        model_->addFolder(u"/data/alone"_s, kOneRun);
        model_->addFolder(u"/data/sweep"_s, kTwoRuns);
        QCOMPARE(model_->rowCount(), 2);
        QCOMPARE(model_->rowCount(model_->index(0, 0)), 0);
        QCOMPARE(model_->rowCount(model_->index(1, 0)), 2);
        QCOMPARE(model_->indexOf(u"/data/sweep/b"_s).data().toString(), u"b"_s);
        QCOMPARE(model_->indexOf(u"/data/sweep/b"_s).parent(), model_->index(1, 0));
        QVERIFY(!model_->indexOf(u"/data/sweep"_s).isValid());
        QCOMPARE(model_->runPaths(), (QStringList{u"/data/alone"_s, u"/data/sweep/a"_s, u"/data/sweep/b"_s}));
        QCOMPARE(model_->pathsUnder(model_->index(1, 0)), (QStringList{u"/data/sweep/a"_s, u"/data/sweep/b"_s}));
    }

    void aRunSaysWhatIsKnownOfItAtEachStage() {
        model_->addFolder(u"/data/alone"_s, kOneRun);
        const auto summary = [&] { return model_->indexOf(u"/data/alone"_s).data(RunsModel::summaryRole).toString(); };
        QCOMPARE(summary(), u"4 files · 1.5 MB"_s);
        model_->setLoading(u"/data/alone"_s, 0.25);
        QCOMPARE(summary(), u"reading, 25 %"_s);
        model_->setLoaded(u"/data/alone"_s, *make_run({TraceBuilder(0).world_size(4).kernel("k", 7, 0, 5),
                                                       TraceBuilder(2).world_size(4)}));
        QCOMPARE(model_->indexOf(u"/data/alone"_s).siblingAtColumn(RunsModel::ranksColumn).data().toString(),
                 u"2 of 4 ranks"_s);
        QCOMPARE(model_->indexOf(u"/data/alone"_s).siblingAtColumn(RunsModel::sourceColumn).data().toString(),
                 u"kineto"_s);
        model_->setIteration(u"/data/alone"_s, 9.876);
        QVERIFY(summary().contains(u"9.88 ms"_s));
        model_->setFailed(u"/data/alone"_s, u"truncated"_s);
        QCOMPARE(summary(), u"truncated"_s);
    }

    void addingAFolderAgainKeepsWhatWasRead() {
        model_->addFolder(u"/data/sweep"_s, kTwoRuns);
        model_->setLoading(u"/data/sweep/a"_s, 0.5);
        model_->addFolder(u"/data/sweep"_s, kTwoRuns);
        QCOMPARE(model_->rowCount(), 1);
        QCOMPARE(model_->indexOf(u"/data/sweep/a"_s).data(RunsModel::stateRole).toInt(),
                 static_cast<int>(RunState::loading));
    }

    void removingARunLeavesItsSiblings() {
        model_->addFolder(u"/data/sweep"_s, kTwoRuns);
        model_->removeRow(model_->indexOf(u"/data/sweep/a"_s));
        QCOMPARE(model_->runPaths(), QStringList{u"/data/sweep/b"_s});
        model_->removeRow(model_->indexOf(u"/data/sweep/b"_s));
        QCOMPARE(model_->rowCount(), 0);
    }

    void droppedFoldersAreHandedOver() {
        QSignalSpy dropped(model_.get(), &RunsModel::pathsDropped);
        QMimeData data;
        data.setUrls(
            {QUrl::fromLocalFile(u"/data/a"_s), QUrl(u"https://example.org/x"_s), QUrl::fromLocalFile(u"/data/b/"_s)});
        QVERIFY(model_->canDropMimeData(&data, Qt::CopyAction, -1, -1, {}));
        QVERIFY(model_->dropMimeData(&data, Qt::CopyAction, -1, -1, {}));
        QCOMPARE(dropped.size(), 1);
        QCOMPARE(dropped[0][0].toStringList(), (QStringList{u"/data/a"_s, u"/data/b"_s}));
        QMimeData text;
        text.setText(u"/data/a"_s);
        QVERIFY(!model_->canDropMimeData(&text, Qt::CopyAction, -1, -1, {}));
    }

    void aDraggedRunIsItsPath() {
        model_->addFolder(u"/data/sweep"_s, kTwoRuns);
        const std::unique_ptr<QMimeData> data(model_->mimeData({model_->indexOf(u"/data/sweep/b"_s)}));
        QCOMPARE(localPaths(*data), QStringList{u"/data/sweep/b"_s});
    }

    void theFilterKeepsMatchingRunsAndTheirFolder() {
        model_->addFolder(u"/data/alone"_s, kOneRun);
        model_->addFolder(u"/data/sweep"_s, {{{"/data/sweep/slow", 8, 1}, {"/data/sweep/fast", 8, 1}}});
        RunsPanel panel(model_.get());
        const QAbstractItemModel* shown = panel.tree().model();
        QCOMPARE(shown->rowCount(), 2);
        panel.filter().setText(u"FAST"_s);
        QCOMPARE(shown->rowCount(), 1);
        QCOMPARE(shown->rowCount(shown->index(0, 0)), 1);
        QCOMPARE(shown->index(0, 0, shown->index(0, 0)).data().toString(), u"fast"_s);
        QVERIFY(panel.hint().isEmpty());
        panel.filter().setText(u"nothing of the kind"_s);
        QCOMPARE(panel.hint(), u"No run matches the filter."_s);
        QVERIFY(RunsPanel(std::make_unique<RunsModel>().get()).hint().startsWith(u"Drop folders"_s));
    }

    void doubleClickOpensARunAndNotAFolder() {
        model_->addFolder(u"/data/sweep"_s, kTwoRuns);
        RunsPanel panel(model_.get());
        panel.resize(300, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QSignalSpy opened(&panel, &RunsPanel::openRequested);
        const QAbstractItemModel* shown = panel.tree().model();
        const auto doubleClick = [&](const QModelIndex& index) {
            const QPoint point = panel.tree().visualRect(index).center();
            QTest::mouseClick(panel.tree().viewport(), Qt::LeftButton, {}, point);
            QTest::mouseDClick(panel.tree().viewport(), Qt::LeftButton, {}, point);
        };
        doubleClick(shown->index(0, 0));
        QCOMPARE(opened.size(), 0);
        doubleClick(shown->index(1, 0, shown->index(0, 0)));
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].toString(), u"/data/sweep/b"_s);
    }

    void aRunThatIsNotWholeHasAWarningInPlaceOfTheDisc() {
        model_->addFolder(u"/data/sweep"_s, kTwoRuns);
        Run run = *make_run({TraceBuilder(0).kernel("k", 7, 0, 5)});
        model_->setLoaded(u"/data/sweep/a"_s, run);
        run.notices = {{"several_sources", "a folder of two tools"_text, "", 1}};
        for (const char* file : {"0", "1", "2", "3", "4"})
            run.notices.push_back(
                {"truncated_file", "the file ends early"_text, std::string("/data/sweep/b/") + file + ".json", 1});
        model_->setLoaded(u"/data/sweep/b"_s, run);
        const auto tip = [this](const QString& path) { return model_->indexOf(path).data(Qt::ToolTipRole).toString(); };
        QVERIFY(!tip(u"/data/sweep/a"_s).contains(u"Not whole"_s));
        QVERIFY2(tip(u"/data/sweep/b"_s).contains(u"\nNot whole: 0.json: the file ends early\n"_s),
                 qPrintable(tip(u"/data/sweep/b"_s)));
        QCOMPARE(tip(u"/data/sweep/b"_s).count(u"Not whole"_s), 3);
        QVERIFY(tip(u"/data/sweep/b"_s).contains(u"\nand 2 more\n"_s));

        RunsPanel panel(model_.get());
        panel.resize(300, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const QImage image = panel.tree().viewport()->grab().toImage();
        const auto greens = [&](const QString& path) {
            const QAbstractItemModel* shown = panel.tree().model();
            const QRect row = panel.tree().visualRect(shown->index(model_->indexOf(path).row(), 0, shown->index(0, 0)));
            int count = 0;
            for (int y = row.top(); y < row.bottom(); ++y)
                for (int x = row.left(); x < row.right(); ++x)
                    count += pixelAt(image, QPointF(x, y)) == hue(Hue::good, false) ? 1 : 0;
            return count;
        };
        QVERIFY(greens(u"/data/sweep/a"_s) > 20);
        QCOMPARE(greens(u"/data/sweep/b"_s), 0);
    }

    void severalRunsAreComparedOrStudiedByAClick() {
        RunsPanel panel(model_.get());
        panel.resize(300, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const auto button = [&](const QString& words) {
            const auto all = panel.findChildren<QPushButton*>();
            return *std::ranges::find(all, words, &QPushButton::text);
        };
        QPushButton* const compare = button(u"Compare"_s);
        QPushButton* const study = button(u"Study"_s);
        QSignalSpy compared(&panel, &RunsPanel::compareRequested);
        QSignalSpy studied(&panel, &RunsPanel::studyRequested);
        model_->addFolder(u"/data/alone"_s, kOneRun);
        QVERIFY(!compare->isVisible() && !study->isVisible());
        model_->addFolder(u"/data/sweep"_s, kTwoRuns);
        QVERIFY(compare->isVisible() && study->isVisible());
        const QStringList sweep{u"/data/sweep/a"_s, u"/data/sweep/b"_s};
        panel.showRun(sweep[1]);
        QTest::mouseClick(compare, Qt::LeftButton);
        QTest::mouseClick(study, Qt::LeftButton);
        QCOMPARE(compared[0][0].toStringList(), sweep);
        QCOMPARE(studied[0][0].toStringList(), sweep);
        panel.showRun(u"/data/alone"_s); // belongs to no folder: all
        QTest::mouseClick(study, Qt::LeftButton);
        QCOMPARE(studied[1][0].toStringList(), QStringList{u"/data/alone"_s} + sweep);
        const QAbstractItemModel* shown = panel.tree().model();
        QTest::mouseClick(panel.tree().viewport(), Qt::LeftButton, Qt::ControlModifier,
                          panel.tree().visualRect(shown->index(0, 0, shown->index(1, 0))).center());
        QTest::mouseClick(compare, Qt::LeftButton);
        QCOMPARE(compared[1][0].toStringList(), (QStringList{u"/data/alone"_s, sweep[0]}));
        model_->removeRow(model_->indexOf(sweep[0]));
        model_->removeRow(model_->indexOf(sweep[1]));
        QVERIFY(!compare->isVisible() && !study->isVisible());
    }

private:
    std::unique_ptr<RunsModel> model_;
    std::unique_ptr<QAbstractItemModelTester> tester_;
};

RANKSCOPE_GUI_TEST(TestRunsModel)

} // namespace rankscope::runs_model_test

#include "test_runs_model.moc"
