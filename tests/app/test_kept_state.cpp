// SPDX-License-Identifier: GPL-3.0-or-later
// What the user has done stays, whatever else happens in the window: bookmarks, comparisons, the run on screen.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <stdexcept>

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include "app/settings/preferences.h"
#include "app/window/comparison_controller.h"
#include "app/window/main_window.h"
#include "app/window/run_library.h"
#include "app/window/run_session.h"
#include "app/window/settings_controller.h"
#include "core/demo/run_simulator.h"
#include "tests/support/test_program.h"
#include "widgets/compare/compare_page.h"
#include "widgets/panels/bookmarks_panel.h"
#include "widgets/panels/load_bar.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/panels/search_panel.h"
#include "widgets/screens/study_screen.h"

namespace rankscope::kept_state_test {
using namespace Qt::Literals::StringLiterals;
namespace fs = std::filesystem;

namespace {
constexpr int kPatience = 60'000;
}

class TestKeptState : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        for (const char* home : {"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
            qputenv(home, folder_.path().toUtf8());
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 2;
        for (const char* name : {"a", "b", "c"})
            QVERIFY(write_run(options, path(name).toStdString()).has_value());
        options.dp = 4;
        options.steps = 150;
        options.cpu_detail = 4;
        QVERIFY(write_run(options, path("large").toStdString()).has_value());
        QVERIFY(QDir().mkpath(path("bad")));
        std::ofstream(path("bad").toStdString() + "/rank0_trace.json") << "garbage";
    }
    void init() {
        QSettings(QSettings::IniFormat, QSettings::UserScope, u"rankscope"_s, u"rankscope"_s).clear();
        for (const char* name : {"a", "b", "c", "large"})
            QFile::remove(sessionFile(path(name)));
        window_ = std::make_unique<MainWindow>(GuiOptions{{}, false, {}, 1});
        window_->resize(1280, 800);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    }
    void cleanup() { window_.reset(); }

    void bookmarksOutliveAnotherOpeningOfTheRun() {
        open("a");
        window_->bookmarks().addHere();
        window_->openRun(path("a"));
        QCOMPARE(bookmarks(), 1);
        window_->addPaths({path("a")});
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy(), kPatience);
        QCOMPARE(bookmarks(), 1);
        window_->close();
        const auto kept = readSession(path("a"));
        QVERIFY(kept && *kept);
        QCOMPARE((*kept)->bookmarks.size(), std::size_t{1});
    }

    /// With those of the last time, and at the place they were made at.
    void bookmarksMadeWhileTheRunIsReadStay() {
        RunSession before;
        before.bookmarks = {{{5, 9}, {}, {}, u"of the last time"_s, {}}};
        QVERIFY(writeSession(path("large"), before).has_value());
        std::optional<TimeRange> marked; // absolute
        connect(&window_->viewState(), &ViewState::runChanged, window_.get(), [&] {
            ViewState& view = window_->viewState();
            if (marked || !view.run())
                return;
            const TimeRange all = view.fullRange();
            view.setVisibleRange({all.begin + all.length() / 4, all.begin + all.length() / 2});
            window_->bookmarks().addHere();
            marked = view.visibleRange();
        });
        open("large");
        QVERIFY(marked.has_value());
        QCOMPARE(bookmarks(), 2);
        const Bookmark& made = window_->bookmarks().model()->bookmarks().back();
        QCOMPARE(made.range.begin + window_->viewState().run()->span.begin, marked->begin);
        QCOMPARE(made.range.end + window_->viewState().run()->span.begin, marked->end);
    }

    void bookmarksOfADemoStayWhileTheWindowDoes() {
        window_->openDemo(false);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy() && window_->shownAnalysis(), kPatience);
        const QString demo = window_->openPath();
        window_->bookmarks().addHere();
        open("a");
        QCOMPARE(bookmarks(), 0);
        window_->openRun(demo);
        QCOMPARE(bookmarks(), 1);
        changeRules();
        QCOMPARE(bookmarks(), 1);
    }

    void aSecondAfterAChangeItIsInTheFile() {
        open("a");
        window_->bookmarks().addHere();
        QTRY_VERIFY_WITH_TIMEOUT(([this] {
                                     const auto kept = readSession(path("a"));
                                     return kept && *kept && (*kept)->bookmarks.size() == 1;
                                 }()),
                                 5000);
        window_->viewState().select(EventRef{1, 5}); // and the next change
        QTRY_VERIFY_WITH_TIMEOUT(([this] {
                                     const auto kept = readSession(path("a"));
                                     return kept && *kept && (*kept)->selection.has_value();
                                 }()),
                                 5000);
    }

    /// A window that is killed has said by then which runs were open.
    void theOpenRunsAreKnownWithoutClosing() {
        open("a");
        open("b");
        MainWindow next(GuiOptions{});
        next.show();
        next.reopenRuns();
        QTRY_VERIFY_WITH_TIMEOUT(!next.isBusy() && next.openPath() == path("b"), kPatience);
        QCOMPARE(next.runs().runPaths(), (QStringList{path("a"), path("b")}));
    }

    void anErrorOfAJobIsANoticeAndNotTheEnd() {
        open("a");
        Jobs jobs;
        jobs.run(
            {}, [](const std::stop_token&) -> int { throw std::runtime_error("out of range"); }, [](int) {});
        QTRY_VERIFY_WITH_TIMEOUT(window_->notices().line().contains(u"out of range"_s), kPatience);
    }

    /// What the rules of before made of an iteration does not stay in the list of runs.
    void theListOfRunsShowsNoIterationOfOldRules() {
        open("a");
        open("b");
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy(), kPatience);
        const auto iteration = [this](const char* name) {
            return window_->runs().entry(window_->runs().indexOf(path(name)))->iterationMs;
        };
        QVERIFY(iteration("a") && iteration("b"));
        changeRules();
        QVERIFY(!iteration("a") && !iteration("b"));
        QTRY_VERIFY_WITH_TIMEOUT(iteration("a") && iteration("b"), kPatience);
    }

    void aComparisonComesBackAfterTheRulesHaveChanged() {
        compare("a", "b");
        const auto before = window_->library().at(path("b")).analysed;
        changeRules();
        QVERIFY(!page().isReady()); // numbers of the old rules have gone
        QVERIFY(waitUntilCompared());
        QVERIFY(window_->library().at(path("b")).analysed != before);
        QCOMPARE(window_->comparison().paths(), (QStringList{path("a"), path("b")}));
    }

    void aComparisonAfterTheRulesHaveChangedIsOfTheNewOnes() {
        open("a");
        open("b");
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy(), kPatience);
        const auto before = window_->library().at(path("a")).analysed;
        changeRules();
        window_->compareRuns({path("a"), path("b")});
        QVERIFY(waitUntilCompared());
        QVERIFY(window_->library().at(path("a")).analysed != before);
    }

    void aComparedRunThatCannotBeAnalysedIsNamed() {
        window_->library().setAnalyse([](const auto& analysis, const std::stop_token& stop) {
            if (analysis->run().name == "b")
                throw std::bad_alloc();
            return analysedRun(analysis, stop);
        });
        window_->compareRuns({path("a"), path("b")});
        const auto said = [this] {
            const auto labels = page().findChildren<QLabel*>();
            return std::ranges::any_of(labels, [](const QLabel* label) {
                return label->isVisible() && label->text().startsWith(u"b cannot be analysed"_s);
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(said(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy(), kPatience);
        QVERIFY(window_->notices().line().contains(u"b cannot be analysed"_s));
        window_->library().setAnalyse(&analysedRun);
        window_->compareRuns({path("a"), path("b")}); // asked for again it is tried again
        QVERIFY(waitUntilCompared());
    }

    void readingForAComparisonShowsNothing() {
        open("a");
        window_->compareRuns({path("a"), path("large")});
        QTRY_COMPARE_WITH_TIMEOUT(window_->library().reading(), path("large"), kPatience);
        window_->openRun(path("a"));
        QCOMPARE(window_->openPath(), path("a"));
        window_->addPaths({path("c")});
        QTRY_COMPARE_WITH_TIMEOUT(window_->openPath(), path("c"), kPatience);
        QStringList shown;
        connect(&window_->viewState(), &ViewState::runChanged, window_.get(), [&] {
            if (window_->viewState().run())
                shown << QString::fromStdString(window_->viewState().run()->name);
        });
        QVERIFY(waitUntilCompared());
        QCOMPARE(window_->openPath(), path("c"));
        for (const QString& name : shown)
            QCOMPARE(name, u"c"_s);
    }

    void escapeInATextFieldCancelsNothing() {
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        QSignalSpy failed(window_.get(), &MainWindow::openFailed);
        window_->addPaths({path("large")});
        QTRY_VERIFY_WITH_TIMEOUT(window_->loadBar().isVisible(), kPatience);
        auto* field = window_->runsPanel().findChild<QLineEdit*>();
        QVERIFY(field != nullptr);
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Escape);
        QTest::qWait(20);
        QCOMPARE(failed.size(), 0);
        QVERIFY(window_->library().reading() == path("large"));
        // Elsewhere it cancels.
        window_->runsPanel().tree().setFocus();
        QTest::keyClick(&window_->runsPanel().tree(), Qt::Key_Escape);
        QVERIFY(failed.wait(kPatience));
        QVERIFY(window_->openPath().isEmpty());
    }

    void afterAFailureTheRunBeforeIsShownAgain() {
        for (const char* name : {"a", "b", "c", "b"})
            open(name);
        window_->addPaths({path("bad")});
        QTRY_VERIFY_WITH_TIMEOUT(!window_->notices().line().isEmpty() && !window_->isBusy(), kPatience);
        QCOMPARE(window_->openPath(), path("b"));
        QCOMPARE(window_->viewState().run()->name, std::string("b"));
    }

    void afterACancelledOpeningTheRunBeforeIsShownAgain() {
        for (const char* name : {"a", "b"})
            open(name);
        QSignalSpy failed(window_.get(), &MainWindow::openFailed);
        window_->addPaths({path("large")});
        QTRY_COMPARE_WITH_TIMEOUT(window_->library().reading(), path("large"), kPatience);
        window_->commands().action(u"cancel-reading"_s)->trigger();
        QVERIFY(failed.wait(kPatience));
        QCOMPARE(window_->openPath(), path("b"));
    }

    void afterClosingARunTheOneBeforeIsShown() {
        for (const char* name : {"a", "b", "c"})
            open(name);
        Q_EMIT window_->runsPanel().removeRequested(path("c"));
        QCOMPARE(window_->openPath(), path("b"));
        Q_EMIT window_->runsPanel().removeRequested(path("a")); // in the background
        QCOMPARE(window_->openPath(), path("b"));
        Q_EMIT window_->runsPanel().removeRequested(path("b"));
        QVERIFY(window_->openPath().isEmpty());
    }

    /// A run in the folder itself and another one below it, which file names do not tell apart.
    void ofAFolderOfSeveralRunsTheFirstIsShown() {
        const fs::path folder = path("several").toStdString();
        fs::create_directories(folder / "second");
        fs::copy_file(rankFile("a"), folder / "graph.json");
        fs::copy_file(rankFile("b"), folder / "second" / "graph.json");
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        window_->addPaths({path("several")});
        QTRY_VERIFY_WITH_TIMEOUT(window_->openPath() == path("several/graph.json") && window_->shownAnalysis(),
                                 kPatience);
        QVERIFY(window_->runsPanel().isVisible());
        QTRY_VERIFY(window_->overview().isAncestorOf(QApplication::focusWidget())); // not the list that has come
        const QStringList listed = window_->runs().runPaths();
        QCOMPARE(listed, (QStringList{path("several/graph.json"), path("several/second")}));
        for (const QString& run : listed) {
            QTreeView& tree = window_->runsPanel().tree();
            QVERIFY(window_->runs().indexOf(run).isValid());
            Q_EMIT window_->runsPanel().openRequested(run);
            QTRY_VERIFY_WITH_TIMEOUT(window_->openPath() == run && window_->shownAnalysis(), kPatience);
            QVERIFY(tree.currentIndex().isValid());
        }
    }

    void aFolderOfSeveralRunsIsComparedAndStudiedByAClick() {
        fs::create_directories(path("both").toStdString());
        for (const char* name : {"a", "b"})
            fs::copy(path(name).toStdString(), fs::path(path("both").toStdString()) / name,
                     fs::copy_options::recursive);
        open("c");
        window_->addPaths({path("both")});
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy() && window_->shownAnalysis(), kPatience);
        const auto click = [this](const QString& words) {
            for (auto* button : window_->runsPanel().findChildren<QPushButton*>())
                if (button->text() == words && button->isVisible())
                    return QTest::mouseClick(button, Qt::LeftButton);
            QFAIL(qPrintable(words));
        };
        click(u"Compare"_s);
        QCOMPARE(window_->screenShown(), QString(MainWindow::compareScreen));
        QCOMPARE(window_->comparison().paths(), (QStringList{path("both/a"), path("both/b")}));
        QVERIFY(waitUntilCompared());
        click(u"Study"_s);
        QCOMPARE(window_->screenShown(), u"study"_s);
        auto* study = qobject_cast<StudyScreen*>(window_->analysisScreen(u"study"_s));
        QTRY_COMPARE_WITH_TIMEOUT(study->left().runs, (QStringList{path("both/a"), path("both/b")}), kPatience);
    }

    void aRunWithADamagedFileSaysSoInTheList() {
        fs::copy(path("a").toStdString(), path("damaged").toStdString(), fs::copy_options::recursive);
        const fs::path file = rankFile("damaged");
        fs::resize_file(file, fs::file_size(file) / 3);
        window_->addPaths({path("damaged")});
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy() && window_->shownAnalysis(), kPatience);
        const QModelIndex run = window_->runs().indexOf(path("damaged"));
        const QString tip = run.data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(u"Not whole: "_s) && tip.contains(QString::fromStdString(file.filename().string())),
                 qPrintable(tip));
        QVERIFY(run.data(Qt::AccessibleTextRole).toString().contains(u"read, but not whole"_s));
        open("b");
        QVERIFY(!window_->runs().indexOf(path("b")).data(Qt::ToolTipRole).toString().contains(u"Not whole"_s));
    }

    /// The disk is asked in the background: one that does not answer keeps nobody waiting.
    void noDiskIsAskedInTheWindowsThread() {
        window_->addPaths({u"/no/such/run"_s});
        QVERIFY(window_->isBusy());
        QVERIFY(window_->notices().line().isEmpty()); // nobody knows yet that it is not there
        QTRY_VERIFY_WITH_TIMEOUT(window_->notices().line().startsWith(u"/no/such/run"_s), kPatience);
    }

private:
    ComparePage& page() { return window_->comparePage(); }
    [[nodiscard]] int bookmarks() const { return window_->bookmarks().model()->rowCount(); }
    bool waitUntilCompared() {
        return QTest::qWaitFor([this] { return page().isReady() && !window_->isBusy(); }, kPatience);
    }
    void compare(const char* first, const char* second) {
        window_->addPaths({path(first), path(second)}, MainWindow::Opening::compare);
        QVERIFY(waitUntilCompared());
    }
    void changeRules() {
        Preferences preferences;
        preferences.kernelClasses = {{"gemm", KernelClass::communication}};
        window_->settings().take(preferences);
    }
    void open(const char* name) {
        window_->addPaths({path(name)});
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isBusy() && window_->openPath() == path(name) && window_->shownAnalysis(),
                                 kPatience);
    }
    [[nodiscard]] QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    [[nodiscard]] fs::path rankFile(const char* name) const {
        for (const auto& entry : fs::recursive_directory_iterator(path(name).toStdString()))
            if (entry.is_regular_file() && entry.path().extension() == ".json")
                return entry.path();
        return {};
    }

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;
};

RANKSCOPE_GUI_TEST(TestKeptState)

} // namespace rankscope::kept_state_test

#include "test_kept_state.moc"
