// SPDX-License-Identifier: GPL-3.0-or-later
// The run on screen and the screens it is shown on, without the window: what is told in which state, and which run
// comes when another one goes.
#include <chrono>
#include <memory>

#include <QLabel>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/comparison_controller.h"
#include "app/window/run_header.h"
#include "app/window/run_on_screen.h"
#include "app/window/screen_controller.h"
#include "core/demo/run_simulator.h"
#include "tests/support/test_program.h"
#include "widgets/job_pool.h"
#include "widgets/screens/analysis_screen.h"

namespace rankscope::window_run_test {
using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

namespace {
constexpr int kPatience = 60'000;
}

class TestWindowRun : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 3;
        for (const char* name : {"a", "b"})
            QVERIFY(write_run(options, path(name).toStdString()).has_value());
    }
    void init() {
        parts_ = std::make_unique<Parts>();
        told_.clear();
        const auto note = [this](auto signal, const QString& word) {
            connect(&parts_->shown, signal, this, [this, word] { told_ << word; });
        };
        note(&RunOnScreen::leaving, u"leaving"_s);
        note(&RunOnScreen::pathChanged, u"path"_s);
        note(&RunOnScreen::waiting, u"waiting"_s);
        note(&RunOnScreen::aboutToShow, u"about to show"_s);
        note(&RunOnScreen::shown, u"shown"_s);
        note(&RunOnScreen::gone, u"gone"_s);
    }
    void cleanup() {
        parts_.reset();
        QVERIFY(JobPool::instance().waitUntilIdle(60s));
    }

    void aRunIsReadShownAndAnalysed() {
        parts_->shown.show(path("a"));
        QCOMPARE(parts_->shown.path(), path("a"));
        QCOMPARE(told_, (QStringList{u"leaving"_s, u"path"_s, u"waiting"_s}));
        QVERIFY(parts_->shown.words().startsWith(u"Reading"_s));
        QVERIFY(parts_->shown.analysis() == nullptr && !parts_->shown.isWholeInView());
        QVERIFY(isReady("a"));
        QCOMPARE(told_.mid(3), (QStringList{u"about to show"_s, u"shown"_s}));
        QVERIFY(parts_->shown.isWholeInView());
        QCOMPARE(parts_->view.run(), parts_->library.at(path("a")).run);
        QCOMPARE(parts_->shown.analysis(), parts_->library.at(path("a")).analysed);
    }

    void whatWasReadBeforeIsThereAtOnce() {
        open("a");
        open("b");
        told_.clear();
        parts_->shown.show(path("a"));
        QCOMPARE(told_, (QStringList{u"leaving"_s, u"path"_s, u"about to show"_s, u"shown"_s}));
        QVERIFY(parts_->shown.analysis() != nullptr);
        told_.clear();
        parts_->shown.show(path("a")); // asked for again: nothing of it is lost
        QCOMPARE(told_, QStringList());
    }

    void theRunBeforeComesBackWhenOneIsClosed() {
        open("a");
        open("b");
        parts_->shown.forget(path("b"));
        QCOMPARE(parts_->shown.path(), path("a"));
        told_.clear();
        parts_->shown.forget(path("a"));
        QCOMPARE(told_, (QStringList{u"leaving"_s, u"path"_s, u"path"_s, u"gone"_s}));
        QVERIFY(parts_->shown.path().isEmpty() && parts_->view.run() == nullptr);
        QVERIFY(parts_->shown.analysis() == nullptr);
    }

    void aClosedRunThatIsNotOnScreenChangesNothing() {
        open("a");
        open("b");
        told_.clear();
        parts_->shown.forget(path("a"));
        QCOMPARE(told_, QStringList());
        QCOMPARE(parts_->shown.path(), path("b"));
    }

    void aRangeHasAnAnalysisOfItsOwnUntilItIsLeft() {
        open("a");
        const auto whole = parts_->shown.analysis();
        const TimeRange full = parts_->view.fullRange();
        parts_->view.setRange(TimeRange{full.begin, full.begin + full.length() / 2});
        parts_->view.useRange();
        QVERIFY(parts_->shown.analysis() == nullptr && parts_->shown.isBusy());
        QTRY_VERIFY_WITH_TIMEOUT(parts_->shown.analysis() != nullptr, kPatience);
        const auto& time = parts_->shown.analysis()->analysis->selection().time;
        QVERIFY(time && time->begin == 0 && time->end == full.length() / 2);
        parts_->view.useWholeRun();
        QCOMPARE(parts_->shown.analysis(), whole);
    }

    void otherRulesLeaveNoNumberOfTheOldOnes() {
        open("a");
        const auto old = parts_->shown.analysis();
        told_.clear();
        parts_->shown.setRules({{}, {{"My Chip", 100, 50, 25, 1.5}}, {}});
        QVERIFY(parts_->shown.analysis() == nullptr);
        QCOMPARE(told_, (QStringList{u"leaving"_s, u"about to show"_s, u"shown"_s}));
        QTRY_VERIFY_WITH_TIMEOUT(parts_->shown.analysis() != nullptr, kPatience);
        QVERIFY(parts_->shown.analysis() != old);
    }

    void theStartPageStandsThereUntilARunIsOpen() {
        QLabel start, overview, timeline, compare;
        ScreenController screens(
            parts_->view, {{kOverviewScreen, &overview}, {kTimelineScreen, &timeline}, {kCompareScreen, &compare}},
            &start);
        const std::unique_ptr<QWidget> header(&screens.header()), pages(&screens.pages());
        QSignalSpy changed(&screens, &ScreenController::changed);
        screens.show(kTimelineScreen);
        QCOMPARE(screens.pages().currentWidget(), &start);
        QCOMPARE(screens.shown(), kTimelineScreen);
        screens.setRunOpen(true);
        screens.show(kTimelineScreen);
        QCOMPARE(screens.pages().currentWidget(), &timeline);
        screens.show(u"no such screen"_s);
        screens.show(u"hang"_s); // not there for a run of traces
        QCOMPARE(screens.shown(), kTimelineScreen);
        QCOMPARE(changed.count(), 2);
        QVERIFY(screens.at(u"kernels"_s) != nullptr);
        QVERIFY(screens.at(kTimelineScreen) == nullptr);
        for (QLabel* own : {&start, &overview, &timeline, &compare})
            own->setParent(nullptr); // they are this function's
    }

private:
    struct Parts {
        RunLibrary library;
        ComparisonController comparison{library};
        ViewState view;
        RunOnScreen shown{library, comparison, view};
    };
    [[nodiscard]] QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    bool isReady(const char* name) {
        return QTest::qWaitFor([&] { return parts_->library.at(path(name)).stage == RunStage::ready; }, kPatience);
    }
    void open(const char* name) {
        parts_->shown.show(path(name));
        QVERIFY(isReady(name));
    }

    QTemporaryDir folder_;
    std::unique_ptr<Parts> parts_;
    QStringList told_;
};

RANKSCOPE_GUI_TEST(TestWindowRun)

} // namespace rankscope::window_run_test

#include "test_window_run.moc"
