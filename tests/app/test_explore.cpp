// SPDX-License-Identifier: GPL-3.0-or-later
// Exploring in the whole window: what is marked on the timeline changes what the other screens say.
#include <memory>
#include <optional>

#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QtTest>

#include "app/window/export_controller.h"
#include "app/window/main_window.h"
#include "core/demo/run_simulator.h"
#include "tests/support/opened_window.h"
#include "tests/support/test_program.h"
#include "widgets/folding_tabs.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/range_panel.h"
#include "widgets/panels/search_panel.h"
#include "widgets/panels/used_range_bar.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::explore_test {
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPatience = 60'000;

} // namespace

class TestExplore : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        SimulatorOptions options;
        options.dp = 2;
        options.pp = 2;
        QVERIFY(write_run(options, folder_.filePath(u"run"_s).toStdString()).has_value());
    }
    void init() {
        QSettings(QSettings::IniFormat, QSettings::UserScope, u"rankscope"_s, u"rankscope"_s).clear();
        window_ = openedWindow(folder_.filePath(u"run"_s));
        QVERIFY(window_);
        window_->showScreen(MainWindow::timelineScreen);
        QTRY_VERIFY(window_->timeline().isReady());
        window_->timeline().setFocus();
    }
    void cleanup() { window_.reset(); }

    void aRangeUsedInAllScreensChangesTheNumbersUntilOneStepsOut() {
        const auto whole = window_->shownAnalysis();
        const QString all = exported();
        markQuarter();
        QTRY_VERIFY(!window_->rangePanel().isBusy());
        QVERIFY(window_->rangePanel().isVisible()); // what was marked is read about
        QTest::keyClick(window_->focusWidget(), Qt::Key_U, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy(), kPatience);
        const auto part = window_->shownAnalysis();
        QVERIFY(part && part != whole);
        const TimeRange marked = *window_->viewState().range();
        const TimeNs origin = window_->viewState().run()->span.begin;
        QCOMPARE(part->analysis->selection().time,
                 std::optional(TimeRange{marked.begin - origin, marked.end - origin}));
        QVERIFY(exported() != all);
        auto* bar = window_->findChild<UsedRangeBar*>();
        QVERIFY(bar->isVisible());
        QVERIFY2(bar->line().startsWith(u"Range "_s), qPrintable(bar->line()));
        QTest::keyClick(window_->focusWidget(), Qt::Key_U, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(window_->shownAnalysis(), whole);
        QCOMPARE(exported(), all);
        QVERIFY(!bar->isVisible());
    }

    void slashSearchesEnterWalksAndEscapeEnds() {
        QTest::keyClick(window_->focusWidget(), Qt::Key_Slash);
        QCOMPARE(window_->focusWidget(), &window_->searchPanel().box());
        QTest::keyClicks(window_->focusWidget(), u"class:comm /AllReduce/"_s);
        QTest::keyClick(window_->focusWidget(), Qt::Key_Return); // before the answer is there
        QTRY_VERIFY(window_->viewState().selection());
        const EventRef first = *window_->viewState().selection();
        QVERIFY(window_->viewState().searchHits()->count > 1);
        QVERIFY(!window_->timeline().scene().rectOf(first).isEmpty()); // brought into view
        QTest::keyClick(window_->focusWidget(), Qt::Key_F3);
        QVERIFY(window_->viewState().selection() != first);
        QTest::keyClick(window_->focusWidget(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(*window_->viewState().selection(), first);
        QTest::keyClick(window_->focusWidget(), Qt::Key_Escape);
        QVERIFY(!window_->viewState().searchHits());
        QCOMPARE(window_->focusWidget(), &window_->timeline());
    }

    void aClickOnATabWithAFieldIsForTheField() {
        auto* tabs = window_->findChild<FoldingTabs*>();
        const auto click = [&](int tab) {
            QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(tab).center());
        };
        const auto tabOf = [&](QWidget* inside) {
            for (int tab = 0; tab < tabs->count(); ++tab)
                if (tabs->widget(tab)->isAncestorOf(inside))
                    return tab;
            return -1;
        };
        const int search = tabOf(&window_->searchPanel().box());
        QVERIFY(search >= 0);
        click(search == 0 ? 1 : 0); // without a field
        QVERIFY(!tabs->isFolded());
        click(search);
        QTRY_COMPARE(window_->focusWidget(), &window_->searchPanel().box());
        QTest::keyClicks(window_->focusWidget(), u"wasd"_s); // all of them run commands elsewhere
        QCOMPARE(window_->searchPanel().box().text(), u"wasd"_s);
        QTest::keyClick(window_->focusWidget(), Qt::Key_Escape);
    }

private:
    void markQuarter() {
        TimelineView& timeline = window_->timeline();
        const QPoint corner = timeline.lanesRect().topLeft();
        const int width = timeline.lanesRect().width();
        QTest::mousePress(&timeline, Qt::LeftButton, {}, corner + QPoint(width / 4, -8));
        QTest::mouseMove(&timeline, corner + QPoint(width / 3, -8));
        QTest::mouseMove(&timeline, corner + QPoint(width / 2, -8));
        QTest::mouseRelease(&timeline, Qt::LeftButton, {}, corner + QPoint(width / 2, -8));
        QVERIFY(window_->viewState().range());
    }
    QString exported() {
        const QString file = folder_.filePath(u"metrics.csv"_s);
        if (!window_->exports().exportMetrics(file).isEmpty())
            return {};
        QFile read(file);
        return read.open(QIODevice::ReadOnly) ? QString::fromUtf8(read.readAll()) : QString();
    }

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;
};

RANKSCOPE_GUI_TEST(TestExplore)

} // namespace rankscope::explore_test

#include "test_explore.moc"
