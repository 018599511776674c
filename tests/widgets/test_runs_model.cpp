// SPDX-License-Identifier: GPL-3.0-or-later
// The list of runs: its tree, the states of a run, drops, the filter.
#include <memory>

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>
#include <QUrl>

#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
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

private:
    std::unique_ptr<RunsModel> model_;
    std::unique_ptr<QAbstractItemModelTester> tester_;
};

RANKSCOPE_GUI_TEST(TestRunsModel)

} // namespace rankscope::runs_model_test

#include "test_runs_model.moc"
