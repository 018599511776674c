// SPDX-License-Identifier: GPL-3.0-or-later
// Two and three runs side by side, as a user puts them there.
#include <algorithm>
#include <cmath>
#include <memory>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include "app/window/main_window.h"
#include "app/window/run_header.h"
#include "core/demo/run_simulator.h"
#include "tests/support/test_program.h"
#include "tests/support/user_input.h"
#include "widgets/compare/change_waterfall.h"
#include "widgets/compare/compare_page.h"
#include "widgets/compare/config_change_model.h"
#include "widgets/compare/linked_timelines.h"
#include "widgets/compare/metric_change_model.h"
#include "widgets/compare/operator_change_model.h"
#include "widgets/message_page.h"
#include "widgets/module_tree.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/runs_panel.h"

namespace rankscope::compare_test {
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPatience = 60'000;

} // namespace

class TestCompare : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 3;
        options.jitter = 0.05; // iterations differ a little, as real ones do
        QVERIFY(write_run(options, path("before").toStdString()).has_value());
        options.slow = {1, 1.5, SlowCause::slower_kernels};
        QVERIFY(write_run(options, path("after").toStdString()).has_value());
        options.slow = {};
        options.microbatches *= 2;
        QVERIFY(write_run(options, path("doubled").toStdString()).has_value());
    }
    void init() {
        QSettings(QSettings::IniFormat, QSettings::UserScope, u"rankscope"_s, u"rankscope"_s).clear();
        window_ = std::make_unique<MainWindow>(GuiOptions{});
        window_->resize(1280, 800);
        window_->show();
    }
    void cleanup() { window_.reset(); }

    void emptyPagesLookAlikeAndSayWhatToDo() {
        window_->showScreen(MainWindow::compareScreen);
        window_->addPaths({path("before")});
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy() && !window_->openPath().isEmpty(), kPatience);
        window_->showScreen(MainWindow::compareScreen);
        QVERIFY2(window_->comparePage().message().startsWith(u"Two runs are needed\nDrop a second run"_s),
                 qPrintable(window_->comparePage().message()));
        for (const QString& screen : QStringList{MainWindow::compareScreen, u"serving"_s, u"study"_s}) {
            window_->showScreen(screen);
            const auto saysSomething = [this] {
                return std::ranges::any_of(window_->findChildren<MessagePage*>(), [](const MessagePage* page) {
                    return page->isVisible() && !page->title().isEmpty();
                });
            };
            QTRY_VERIFY2_WITH_TIMEOUT(saysSomething(), qPrintable(screen), kPatience);
        }
    }

    void twoFoldersDroppedOnTheWindowAreCompared() {
        QVERIFY(dropOn(*window_, {path("before"), path("after")}));
        QVERIFY(waitUntilCompared());
        QCOMPARE(window_->screenShown(), MainWindow::compareScreen);
        // The slow rank is the first thing said, its cost the first kernel.
        QVERIFY(page().words().text().contains(u"rank 1"_s, Qt::CaseInsensitive));
        QVERIFY2(page().words().text().contains(u" → "_s) && !page().words().text().contains(u" -> "_s),
                 qPrintable(page().words().text()));
        QVERIFY(page().operators().rowCount() > 0);
        QVERIFY(iterationChange() > 5);
        const auto* shown = page().operatorTable().model();
        QVERIFY(shown->index(0, OperatorChangeModel::costColumn).data().toString().startsWith(u'+'));
    }

    void noticesAreOfTheRunsThatAreCompared() {
        QVERIFY(QDir().mkpath(path("half")));
        QVERIFY(QFile::copy(path("after") + u"/rank1.json"_s, path("half") + u"/rank1.json"_s));
        QVERIFY(dropOn(*window_, {path("before"), path("half")}));
        QVERIFY(waitUntilCompared());
        const auto* notices = window_->findChild<NoticesBar*>();
        QVERIFY2(notices->line().startsWith(u"half: "_s), qPrintable(notices->line()));
        window_->showScreen(MainWindow::overviewScreen); // of "before"
        QVERIFY2(!notices->line().contains(u"half"_s), qPrintable(notices->line()));
    }

    void theTitleIsOfWhatIsShown() {
        QVERIFY(dropOn(*window_, {path("before"), path("after")}));
        QVERIFY(waitUntilCompared());
        QCOMPARE(window_->windowTitle(), u"before → after – Rankscope"_s);
        QCOMPARE(window_->findChild<RunHeader*>()->name(), u"before → after"_s);
        window_->showScreen(MainWindow::overviewScreen);
        QCOMPARE(window_->windowTitle(), u"before – Rankscope"_s);
        QCOMPARE(window_->findChild<RunHeader*>()->name(), u"before"_s);
        QVERIFY(window_->findChild<RunHeader*>()->summary().startsWith(u"2 of 2 ranks"_s));
    }

    /// Each bar starts where the one before it ends, and the last ends at the test's step.
    void theWayFromOneStepToTheOtherIsDrawn() {
        window_->addPaths({path("before"), path("after")}, MainWindow::Opening::compare);
        QVERIFY(waitUntilCompared());
        QVERIFY(page().waterfall().isVisible());
        const auto& rows = page().waterfall().rows();
        QVERIFY(rows.size() >= 3);
        QCOMPARE(rows.front().name, u"before"_s);
        QCOMPARE(rows.back().name, u"after"_s);
        for (std::size_t i = 1; i + 1 < rows.size(); ++i)
            QCOMPARE(rows[i].from_us, rows[i - 1].to_us);
        const double end = rows[rows.size() - 2].to_us;
        QVERIFY(std::abs(end - rows.back().to_us) < 1e-6 * end);
        page().swap();
        QVERIFY(waitUntilCompared());
        QCOMPARE(page().waterfall().rows().front().name, u"after"_s);
    }

    void oneRunDraggedOntoAnotherIsComparedWithIt() {
        window_->addPaths({path("before")});
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy() && !window_->openPath().isEmpty(), kPatience);
        window_->addPaths({path("after")});
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy() && window_->openPath() == path("after"), kPatience);
        RunsModel& runs = window_->runs();
        const auto data = urlsOf({path("after")});
        QVERIFY(runs.dropMimeData(data.get(), Qt::CopyAction, -1, -1, runs.indexOf(path("before"))));
        QVERIFY(waitUntilCompared());
        QVERIFY(iterationChange() > 5);
        // Swapped, what was worse is better.
        window_->commands().action(u"swap-comparison"_s)->trigger();
        QVERIFY(waitUntilCompared());
        QVERIFY(iterationChange() < -5);
    }

    void theSelectedRunsAreComparedByKeyboard() {
        window_->addPaths({path("before")});
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy() && !window_->openPath().isEmpty(), kPatience);
        window_->addPaths({path("after")});
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy(), kPatience);
        QAction* compare = window_->commands().action(u"compare-selected"_s);
        window_->runsPanel().tree().clearSelection();
        QVERIFY(!compare->isEnabled());
        window_->runsPanel().tree().selectAll();
        QVERIFY(compare->isEnabled());
        compare->trigger();
        QVERIFY(waitUntilCompared());
        QCOMPARE(window_->screenShown(), MainWindow::compareScreen);
        QStringList chosen;
        for (const auto* choice : page().findChildren<QComboBox*>())
            if (choice->isVisible() && choice->accessibleName().startsWith(u"Run that is"_s))
                chosen << choice->currentText();
        QCOMPARE(chosen, (QStringList{u"before"_s, u"after"_s})); // the upper one is the baseline
    }

    void whatMovedMostIsFirstAndWhatDidNotIsHidden() {
        window_->addPaths({path("before"), path("after")}, MainWindow::Opening::compare);
        QVERIFY(waitUntilCompared());
        const QAbstractItemModel& table = *page().metricTable().model();
        const MetricChangeModel& model = page().metrics();
        const int cost = MetricChangeModel::columnOf(0, MetricChangeModel::costColumn);
        const auto costOf = [&](int row) {
            return std::abs(model.index(row, cost).data(MetricChangeModel::sortRole).toDouble());
        };
        QVERIFY(!model.index(0, cost).data().toString().isEmpty());
        for (int row = 1; row < model.rowCount() && !model.index(row, cost).data().toString().isEmpty(); ++row)
            QVERIFY(costOf(row) <= costOf(row - 1));
        QCOMPARE(table.index(0, 0).data(), model.index(0, 0).data());
        QVERIFY(model.unchanged() > 0);
        QCOMPARE(table.rowCount(), model.rowCount() - model.unchanged());
        QVERIFY(page().showUnchanged().isVisible());
        QVERIFY(page().showUnchanged().text().contains(QString::number(model.unchanged())));
        page().showUnchanged().click();
        QCOMPARE(table.rowCount(), model.rowCount());
    }

    void equalRunsStillShowTheirIterationTime() {
        window_->addPaths({path("before")});
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy() && !window_->openPath().isEmpty(), kPatience);
        QVERIFY(QDir(runs_.path()).mkpath(u"same"_s));
        for (const QFileInfo& file : QDir(path("before")).entryInfoList(QDir::Files))
            QVERIFY(QFile::copy(file.filePath(), path("same") + u'/' + file.fileName()));
        window_->addPaths({path("before"), path("same")}, MainWindow::Opening::compare);
        QVERIFY(waitUntilCompared());
        const QAbstractItemModel& table = *page().metricTable().model();
        QVERIFY(!page().waterfall().isVisible()); // there is no way to go
        QCOMPARE(table.rowCount(), 2);
        QCOMPARE(table.index(0, 0).data(MetricChangeModel::metricRole).toString(), u"step_time"_s);
        QCOMPARE(table.index(1, 0).data(MetricChangeModel::metricRole).toString(), u"iter_time"_s);
    }

    void aThirdRunMakesAMatrix() {
        window_->addPaths({path("before"), path("after"), path("doubled")}, MainWindow::Opening::compare);
        QVERIFY(waitUntilCompared());
        QCOMPARE(page().metrics().columnCount(), MetricChangeModel::columnOf(2, MetricChangeModel::valueColumn));
        QCOMPARE(page().config().differences(), 0); // of "before" and "after", but for their names
        QVERIFY(page().config().rowCount() > 0);
        const QString words = page().words().text();
        QVERIFY2(words.contains(u"Against the best"_s) && words.contains(u"the best"_s), qPrintable(words));
        QVERIFY2(words.indexOf(u"Against the best"_s) < words.indexOf(u"An iteration takes"_s), qPrintable(words));
        QAbstractItemModelTester metrics(&page().metrics(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QAbstractItemModelTester config(&page().config(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QAbstractItemModelTester operators(&page().operators(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        // A run that is closed leaves the comparison, not the window.
        Q_EMIT window_->runsPanel().removeRequested(path("doubled"));
        QVERIFY(waitUntilCompared());
        QCOMPARE(page().metrics().columnCount(), MetricChangeModel::columnOf(1, MetricChangeModel::valueColumn));
    }

    /// Of a run with half of the steps: the sums of the recordings are not compared, what an iteration has of them is.
    void sumsAreShownPerIteration() {
        QVERIFY(QDir(runs_.path()).mkpath(u"half"_s));
        SimulatorOptions half;
        half.dp = 2;
        half.steps = 6;
        QVERIFY(write_run(half, path("half").toStdString()).has_value());
        window_->addPaths({path("half"), path("before")}, MainWindow::Opening::compare);
        QVERIFY(waitUntilCompared());
        const MetricChangeModel& model = page().metrics();
        int found = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.index(row, 0).data(MetricChangeModel::metricRole).toString() != u"coll_call_num"_s)
                continue;
            ++found;
            QCOMPARE(model.index(row, 0).data().toString(), u"Collective calls per iteration"_s);
            const QModelIndex test = model.index(row, MetricChangeModel::columnOf(0, MetricChangeModel::valueColumn));
            QCOMPARE(model.index(row, MetricChangeModel::baselineColumn).data().toString(), test.data().toString());
            QVERIFY2(test.data(Qt::ToolTipRole).toString().contains(u"interval"_s),
                     qPrintable(test.data(Qt::ToolTipRole).toString()));
        }
        QCOMPARE(found, 1);
    }

    void theTimelinesAreLinkedFromTheStart() {
        window_->addPaths({path("before"), path("after")}, MainWindow::Opening::compare);
        QVERIFY(waitUntilCompared());
        page().showTab(ComparePage::timelinesTab);
        const auto& alignment = page().timelines().link().alignment();
        QVERIFY(alignment != nullptr);
        QCOMPARE(alignment->pairs().size(), std::size_t{3});
        ViewState& baseline = *page().timelines().link().view(CompareSide::baseline);
        baseline.setVisibleRange(alignment->pairs()[1].baseline.range);
        const TimeRange test = page().timelines().link().view(CompareSide::test)->visibleRange();
        QCOMPARE(test.begin, alignment->pairs()[1].test.range.begin);
        QCOMPARE(test.length(), baseline.visibleRange().length());
    }

    void aMetricLeadsToThePlaceThatExplainsIt() {
        window_->addPaths({path("before"), path("after")}, MainWindow::Opening::compare);
        QVERIFY(waitUntilCompared());
        page().showMetric(u"kernel_breakdown"_s);
        QCOMPARE(page().shownTab(), ComparePage::operatorsTab);
        page().showTab(ComparePage::changesTab);
        const auto* table = page().metricTable().model();
        for (int row = 0; row < table->rowCount(); ++row)
            if (table->index(row, 0).data(MetricChangeModel::metricRole).toString() == u"straggler_lag"_s)
                Q_EMIT page().metricTable().clicked(table->index(row, MetricChangeModel::nameColumn));
        QCOMPARE(page().shownTab(), ComparePage::timelinesTab);
        // What is in view of the test is the call that ranks come latest to.
        const ViewState& test = *page().timelines().link().view(CompareSide::test);
        QVERIFY(test.visibleRange().length() < test.fullRange().length() / 4);
    }

    void ranksStandAsSmallMultiplesBesideTheirMetric() {
        window_->addPaths({path("before"), path("after")}, MainWindow::Opening::compare);
        QVERIFY(waitUntilCompared());
        const MetricChangeModel& model = page().metrics();
        int with = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            const QVariant value = model.index(row, MetricChangeModel::ranksColumn).data(MetricChangeModel::ranksRole);
            if (model.index(row, 0).data(MetricChangeModel::metricRole).toString() != u"iter_time"_s)
                continue;
            ++with;
            const auto bars = value.value<RankBarValues>();
            QCOMPARE(bars.ranks, (std::vector<int>{0, 1}));
            QCOMPARE(bars.values.front().size(), std::size_t{2});
            QVERIFY(bars.values[1][1] > bars.values[1][0]); // the test is slower
            QVERIFY(model.index(row, MetricChangeModel::baselineColumn).data().toString().contains(u" \u00b1 "_s));
            QVERIFY(model.index(row, MetricChangeModel::columnOf(0, MetricChangeModel::costColumn))
                        .data()
                        .toString()
                        .startsWith(u'+'));
        }
        QCOMPARE(with, 1);
    }

    void settingsStandBesideTheMetricsTheyMayExplain() {
        window_->addPaths({path("before"), path("doubled")}, MainWindow::Opening::compare);
        QVERIFY(waitUntilCompared());
        const ConfigChangeModel& config = page().config();
        QStringList explained;
        for (int row = 0; row < config.rowCount(); ++row)
            if (!config.index(row, ConfigChangeModel::influenceColumn).data().toString().isEmpty())
                explained << config.index(row, ConfigChangeModel::keyColumn).data().toString();
        QVERIFY2(!explained.isEmpty(), "no setting explains anything");
        for (const QString& key : explained)
            QVERIFY2(key.contains(u"pp_mb"_s) || key.contains(u"batch"_s) || key.contains(u"folder"_s) ||
                         key.contains(u"microbatch"_s),
                     qPrintable(key));
    }

    /// A module whose kernel takes 40 us instead of 20; no allocations are recorded, so no columns speak of them.
    void modulesStandSideBySide() {
        const auto trace = [&](const char* name, int duration) {
            QVERIFY(QDir(runs_.path()).mkpath(QString::fromLatin1(name)));
            QFile file(path(name) + u"/rank0_trace.json"_s);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(
                QByteArray(R"({"schemaVersion":1,"distributedInfo":{"rank":0,"world_size":1},"traceEvents":[)"
                           R"({"ph":"X","cat":"python_function","name":"nn.Module: Layer_0","pid":1,"tid":1,"ts":0,)"
                           R"("dur":50,"args":{"Python id":1}},{"ph":"X","cat":"cuda_runtime","name":)"
                           R"("cudaLaunchKernel","pid":1,"tid":1,"ts":5,"dur":2,"args":{"correlation":7}},)"
                           R"({"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":60,"dur":)") +
                QByteArray::number(duration) + R"(,"args":{"correlation":7,"device":0,"stream":7}}]})");
        };
        trace("short module", 20);
        trace("long module", 40);
        window_->addPaths({path("short module"), path("long module")}, MainWindow::Opening::compare);
        QVERIFY(waitUntilCompared());
        const ModuleTree& modules = page().modules();
        QCOMPARE(modules.topLevelItemCount(), 1);
        QCOMPARE(modules.topLevelItem(0)->text(0), u"Layer_0"_s);
        QCOMPARE(modules.topLevelItem(0)->text(4), u"+100.0"_s);
        QStringList titles;
        for (int column = 0; column < modules.columnCount(); ++column)
            titles << modules.headerItem()->text(column);
        QCOMPARE(titles.size(), 7);
        QVERIFY2(titles[5].startsWith(u"Own, baseline ("_s) && titles[6].startsWith(u"Own, test ("_s),
                 qPrintable(titles.join(u'|')));
    }

    void whatCannotBeReadIsSaidAndNothingWaits() {
        QTemporaryDir empty;
        QFile file(empty.filePath(u"trace_0.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("garbage");
        file.close();
        window_->addPaths({path("before"), empty.path()}, MainWindow::Opening::compare);
        QTRY_VERIFY_WITH_TIMEOUT(window_->notices().isVisible(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy(), kPatience);
        QVERIFY(!page().isReady());
        QCOMPARE(window_->openPath(), path("before"));
    }

private:
    ComparePage& page() { return window_->comparePage(); }
    bool waitUntilCompared() {
        return QTest::qWaitFor([this] { return page().isReady() && !window_->isBusy(); }, kPatience);
    }
    QString path(const char* name) const { return runs_.filePath(QString::fromLatin1(name)); }
    /// Per cent, as shown.
    double iterationChange() {
        const MetricChangeModel& model = page().metrics();
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.index(row, 0).data(MetricChangeModel::metricRole).toString() == u"iter_time"_s)
                return model.index(row, MetricChangeModel::columnOf(0, MetricChangeModel::changeColumn))
                    .data()
                    .toString()
                    .remove(u" %"_s)
                    .replace(u'\u2212', u'-')
                    .toDouble();
        return 0;
    }

    QTemporaryDir runs_;
    QTemporaryDir settings_;
    std::unique_ptr<MainWindow> window_;
};

RANKSCOPE_GUI_TEST(TestCompare)

} // namespace rankscope::compare_test

#include "test_compare.moc"
