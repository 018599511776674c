// SPDX-License-Identifier: GPL-3.0-or-later
// A run beyond the memory budget in the window: ranks that are not on screen leave memory, the one that is stays.
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <memory>

#include "core/demo/run_simulator.h"
#include "core/input/load/load_run.h"
#include "tests/support/opened_window.h"
#include "tests/support/resident_share.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope::unseen_ranks_test {
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kPatience = 20'000;

double resident(const RankTrace& rank) { return resident_share(rank.events.start, rank.events.gpu_count); }

void look_at(const RankTrace& rank) {
    QVERIFY(std::ranges::max(rank.events.start) > 0);
    QVERIFY(resident(rank) > 0.9);
}

} // namespace

class TestUnseenRanks : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;
    std::vector<std::shared_ptr<const RankTrace>> onDisk_;

private Q_SLOTS:
    void initTestCase() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.filePath(u"settings"_s));
        SimulatorOptions options;
        options.dp = 4;
        options.layers = 8;
        options.steps = 30;
        options.cpu_detail = 3;
        const QString run = folder_.filePath(u"run"_s);
        QVERIFY(write_run(options, run.toStdString()));
        GuiOptions gui;
        {
            const auto whole = load_run(run.toStdString());
            QVERIFY(whole);
            gui.memory_bytes = (*whole)->ranks.front()->memory_bytes() * 22 / 10; // room to read one, not to keep three
        }
        window_ = openedWindow(run, gui);
        QVERIFY(window_);
        for (const auto& rank : window_->viewState().run()->ranks)
            if (rank->events.start.heap_bytes() == 0)
                onDisk_.push_back(rank);
        QVERIFY(onDisk_.size() >= 2);
    }

    void afterTheAnalysisNoneStays() {
        for (const auto& rank : onDisk_)
            QTRY_VERIFY_WITH_TIMEOUT(resident(*rank) < 0.1, kPatience);
    }

    void theOneOnScreenStays() {
        window_->showScreen(MainWindow::timelineScreen);
        QTRY_VERIFY(window_->timeline().isReady());
        const RankTrace& shown = *onDisk_.front();
        for (const auto& rank : window_->viewState().run()->ranks)
            if (rank.get() != &shown)
                window_->timeline().hideLane(LaneId::ofRank(rank->rank));
        QCOMPARE(window_->timeline().scene().ranksInView().size(), std::size_t{1});
        for (const auto& rank : onDisk_)
            look_at(*rank);
        window_->timeline().showAll(); // a gesture, so that there is something to wait for the end of
        window_->timeline().changeLaneHeight(1);
        for (std::size_t i = 1; i < onDisk_.size(); ++i)
            QTRY_VERIFY_WITH_TIMEOUT(resident(*onDisk_[i]) < 0.1, kPatience);
        QVERIFY(resident(shown) > 0.9);
    }

    void whatComesIntoViewIsDrawnAndWhatLeavesGoes() {
        const RankTrace& shown = *onDisk_.front();
        window_->timeline().showHidden();
        QTRY_VERIFY(window_->timeline().isReady());
        window_->showScreen(MainWindow::overviewScreen);
        QTRY_VERIFY_WITH_TIMEOUT(resident(shown) < 0.1, kPatience);
        window_->showScreen(MainWindow::timelineScreen);
        window_->timeline().drawNow();
        QVERIFY(window_->timeline().drawnRectCount() > 0);
    }
};

RANKSCOPE_GUI_TEST(TestUnseenRanks)

} // namespace rankscope::unseen_ranks_test

#include "test_unseen_ranks.moc"
