// SPDX-License-Identifier: GPL-3.0-or-later
// A run recorded by the PyTorch profiler and by Nsight Systems: choosing the capture, remembering it, comparing the
// two.
#include <memory>

#include <QAction>
#include <QMenu>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/window/main_window.h"
#include "core/demo/run_simulator.h"
#include "tests/support/nsys_export.h"
#include "tests/support/test_program.h"
#include "widgets/compare/compare_page.h"
#include "widgets/compare/metric_change_model.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/runs_model.h"

namespace rankscope::captures_test {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kPatience = 60'000;
}

class TestCaptures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 2;
        QVERIFY(write_run(options, run().toStdString()).has_value());
        QVERIFY(write_run(options, runs_.filePath(u"other"_s).toStdString()).has_value());
        NsysExport report(runs_.filePath(u"run/report.sqlite"_s).toStdString());
        for (const int device : {0, 1}) {
            const NsysExport::Gpu gpu{.process = 100 + device, .device = device, .correlation = 3};
            report.kernel(1'000'000, 1'400'000, "gemm", gpu);
            report.kernel(2'000'000, 2'100'000, "ncclDevKernel_AllReduce_Sum", gpu);
        }
    }
    void init() {
        QSettings(QSettings::IniFormat, QSettings::UserScope, u"rankscope"_s, u"rankscope"_s).clear();
        open();
    }
    void cleanup() { window_.reset(); }

    void thePreferredCaptureOpensAndTheOthersAreOneClickAway() {
        QCOMPARE(shownSource(), TraceSource::kineto);
        QVERIFY(button().isVisible());
        QCOMPARE(button().text(), u"PyTorch profiler"_s);
        QStringList titles;
        for (const QAction* action : button().menu()->actions())
            titles << action->text();
        QCOMPARE(titles,
                 (QStringList{u"PyTorch profiler"_s, u"Nsight Systems"_s, QString(), u"Compare the two captures"_s}));
        // No option is typed in a window.
        QVERIFY(!window_->notices().line().contains(u"--profile-mode"_s));
    }

    void theChosenCaptureIsOpenedAndRememberedForThisRun() {
        choose(u"Nsight Systems"_s);
        QCOMPARE(shownSource(), TraceSource::nsys);
        QCOMPARE(button().text(), u"Nsight Systems"_s);
        QCOMPARE(window_->runs().runPaths(), (QStringList{run(), run() + u"/::nsys"_s}));
        QCOMPARE(window_->windowTitle(), u"run (Nsight Systems) – Rankscope"_s);
        open(); // another window, later
        QCOMPARE(shownSource(), TraceSource::nsys);
        open(runs_.filePath(u"other"_s)); // another run is not concerned
        QCOMPARE(shownSource(), TraceSource::kineto);
        QVERIFY(!button().isVisible());
        open();
        choose(u"PyTorch profiler"_s);
        QCOMPARE(shownSource(), TraceSource::kineto);
        open();
        QCOMPARE(shownSource(), TraceSource::kineto);
    }

    void theTwoCapturesAreComparedLikeTwoRuns() {
        QAction* compare = window_->commands().action(u"compare-captures"_s);
        QVERIFY(compare->isEnabled());
        compare->trigger();
        QVERIFY(QTest::qWaitFor([this] { return window_->comparePage().isReady() && !window_->isBusy(); }, kPatience));
        QCOMPARE(window_->screenShown(), MainWindow::compareScreen);
        // Both hold the kernels' time of two ranks; that of the report is 0.5 ms each of 1.1 ms.
        const MetricChangeModel& model = window_->comparePage().metrics();
        int seen = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.index(row, 0).data(MetricChangeModel::metricRole).toString() == u"coll_call_num"_s) {
                ++seen;
                QCOMPARE(
                    model.index(row, MetricChangeModel::columnOf(0, MetricChangeModel::valueColumn)).data().toString(),
                    u"2.00"_s);
            }
        QCOMPARE(seen, 1);
        QCOMPARE(model
                     .headerData(MetricChangeModel::columnOf(0, MetricChangeModel::valueColumn), Qt::Horizontal,
                                 Qt::ToolTipRole)
                     .toString(),
                 u"run (Nsight Systems)"_s);
    }

    void aCaptureThatIsGoneIsForgotten() {
        choose(u"Nsight Systems"_s);
        window_.reset();
        const QString report = run() + u"/report.sqlite"_s;
        QVERIFY(QFile::rename(report, report + u".kept"_s));
        window_ = std::make_unique<MainWindow>(GuiOptions{});
        window_->show();
        window_->addPaths({run()});
        QTRY_VERIFY_WITH_TIMEOUT(window_->notices().isVisible() && !window_->isBusy(), kPatience);
        QVERIFY(window_->notices().line().contains(u"holds no report of Nsight Systems"_s));
        QVERIFY(QFile::rename(report + u".kept"_s, report));
        open();
        QCOMPARE(shownSource(), TraceSource::kineto);
    }

private:
    QString run() const { return runs_.filePath(u"run"_s); }
    void open(QString path = {}) {
        window_ = std::make_unique<MainWindow>(GuiOptions{});
        window_->resize(1280, 800);
        window_->show();
        window_->addPaths({path.isEmpty() ? run() : path});
        QTRY_VERIFY_WITH_TIMEOUT(!window_->openPath().isEmpty() && !window_->isBusy() && window_->shownAnalysis(),
                                 kPatience);
    }
    TraceSource shownSource() const { return window_->viewState().run()->source; }
    QToolButton& button() const {
        for (QToolButton* button : window_->findChildren<QToolButton*>())
            if (button->toolTip().startsWith(u"This run was recorded by several tools"_s))
                return *button;
        qFatal("no button");
    }
    void choose(const QString& title) {
        for (QAction* action : button().menu()->actions())
            if (action->text() == title) {
                action->trigger();
                break;
            }
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy() && window_->shownAnalysis(), kPatience);
    }

    QTemporaryDir runs_;
    QTemporaryDir settings_;
    std::unique_ptr<MainWindow> window_;
};

RANKSCOPE_GUI_TEST(TestCaptures)

} // namespace rankscope::captures_test

#include "test_captures.moc"
