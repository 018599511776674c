// SPDX-License-Identifier: GPL-3.0-or-later
// The tour: six steps after the demo has opened, skippable, and never again by itself.
#include <QAction>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/main_window.h"
#include "app/window/tour.h"
#include "tests/support/test_program.h"

namespace rankscope::tour_test {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kPatience = 60'000;
}

class TestTour : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path()); }
    void init() { QSettings(QSettings::IniFormat, QSettings::UserScope, u"rankscope"_s, u"rankscope"_s).clear(); }

    void theDemoStartsWithSixStepsThatShowWhatTheyTellOf() {
        MainWindow window(GuiOptions{});
        window.show();
        window.openDemo();
        QTRY_VERIFY_WITH_TIMEOUT(window.tour() != nullptr, kPatience);
        int steps = 1;
        QCOMPARE(window.screenShown(), MainWindow::overviewScreen);
        QVERIFY(window.tour()->isVisible());
        // The card leaves free what it explains; on another screen nothing is framed.
        window.resize(1280, 800);
        QTRY_VERIFY(window.tour()->frame().isVisible());
        QTRY_VERIFY(!window.tour()->geometry().intersects(window.tour()->frame().geometry()));
        window.showScreen(MainWindow::compareScreen);
        QTRY_VERIFY(!window.tour()->frame().isVisible());
        window.showScreen(MainWindow::overviewScreen);
        QTRY_VERIFY(window.tour()->frame().isVisible());
        for (; window.tour() != nullptr && steps < 20; ++steps) {
            window.tour()->next();
            if (steps == 1)
                QCOMPARE(window.screenShown(), MainWindow::timelineScreen);
            if (steps == 2)
                QTRY_VERIFY(window.viewState().selection().has_value());
        }
        QCOMPARE(steps, 7); // the sixth step's "next" was the end
        QCOMPARE(window.screenShown(), MainWindow::compareScreen);
    }
    void backReturnsAndTheFirstStepHasNoBack() {
        MainWindow window(GuiOptions{});
        window.show();
        window.openDemo();
        QTRY_VERIFY_WITH_TIMEOUT(window.tour() != nullptr, kPatience);
        window.tour()->back();
        QCOMPARE(window.tour()->step(), 0);
        window.tour()->next();
        window.tour()->back();
        QCOMPARE(window.tour()->step(), 0);
    }
    void onceSkippedItComesOnlyWhenAskedFor() {
        {
            MainWindow window(GuiOptions{});
            window.show();
            window.openDemo();
            QTRY_VERIFY_WITH_TIMEOUT(window.tour() != nullptr, kPatience);
            QTest::keyClick(window.tour(), Qt::Key_Escape);
            QVERIFY(window.tour() == nullptr);
        }
        MainWindow window(GuiOptions{});
        window.show();
        QSignalSpy analysed(&window, &MainWindow::runAnalysed);
        window.openDemo();
        QVERIFY(analysed.wait(kPatience));
        QVERIFY(window.tour() == nullptr);
        window.commands().action(u"tour"_s)->trigger();
        QVERIFY(window.tour() != nullptr);
    }
    void withoutARunTheCommandOpensTheDemo() {
        MainWindow window(GuiOptions{});
        window.show();
        window.commands().action(u"tour"_s)->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window.tour() != nullptr, kPatience);
        QVERIFY(!window.openPath().isEmpty());
    }

private:
    QTemporaryDir settings_;
};

RANKSCOPE_GUI_TEST(TestTour)

} // namespace rankscope::tour_test

#include "test_tour.moc"
