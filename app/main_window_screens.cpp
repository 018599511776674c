// SPDX-License-Identifier: GPL-3.0-or-later
// The screens: made of their table, switched, and given the analysis they show.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <QSignalBlocker>
#include <QStackedWidget>

#include "app/comparison_controller.h"
#include "app/main_window.h"
#include "app/run_header.h"
#include "app/run_library.h"
#include "core/views/collective_peers.h"
#include "widgets/compare/compare_page.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/start_page.h"
#include "widgets/screens/analysis_screen.h"
#include "widgets/screens/study_screen.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr double kAroundMembers = 0.5; // times the span of a call, on each side
}

void MainWindow::buildScreens() {
    const std::map<QString, QWidget*> own{
        {overviewScreen, overview_}, {timelineScreen, timelinePage_}, {compareScreen, comparePage_}};
    pages_ = new QStackedWidget;
    pages_->addWidget(startPage_);
    QStringList titles;
    for (const ScreenEntry& entry : screens_) {
        titles << QString(entry.title).remove(u'&');
        if (!entry.make) {
            pages_->addWidget(own.at(entry.id));
            continue;
        }
        AnalysisScreen* screen = entry.make();
        screen->setAccessibleName(titles.back());
        connect(screen, &AnalysisScreen::eventActivated, this, &MainWindow::showInTimeline);
        connect(screen, &AnalysisScreen::evidenceAsked, this, &MainWindow::showEvidence);
        connect(screen, &AnalysisScreen::instancesAsked, this, &MainWindow::showInstances);
        if (auto* study = qobject_cast<StudyScreen*>(screen)) {
            connect(
                study, &StudyScreen::listedRunsAsked, this, [this, study] { study->addPaths(runs_->runPaths()); });
            connect(study, &StudyScreen::runActivated, this, [this](const QString& path) { addPaths({path}); });
        }
        pages_->addWidget(screen);
    }
    header_ = new RunHeader(titles);
    connect(header_, &RunHeader::screenChanged, this,
            [this](int screen) { showScreen(screens_[static_cast<std::size_t>(screen)].id); });
    for (const ScreenEntry& entry : screens_)
        header_->setScreenThere(screenIndex(entry.id), !entry.only_for);
}

bool MainWindow::hasScreen(const ScreenEntry& entry) const {
    return !entry.only_for || (view_.run() && entry.only_for(*view_.run()));
}

/// A screen that is made for such runs comes first; one that is not for this run leads to the overview.
void MainWindow::offerScreens() {
    QString first;
    {
        const QSignalBlocker quiet(header_);
        for (const ScreenEntry& entry : screens_) {
            header_->setScreenThere(screenIndex(entry.id), hasScreen(entry));
            if (entry.only_for && hasScreen(entry))
                first = entry.id;
        }
    }
    const ScreenEntry& shown = screens_[static_cast<std::size_t>(header_->currentScreen())];
    if (!first.isEmpty() && shown.id != compareScreen)
        showScreen(first);
    else if (!hasScreen(shown))
        showScreen(overviewScreen);
    commands_.refresh();
}

void MainWindow::addScreenCommands() {
    for (const ScreenEntry& entry : screens_) {
        Command command{u"screen-"_s + entry.id,   tr("&View"), entry.title,
                        {QKeySequence(entry.key)}, entry.help,  [this, id = entry.id] { showScreen(id); }};
        command.choice = u"screen"_s;
        command.checked = [this, id = entry.id] { return screenShown() == id; };
        if (entry.only_for)
            command.enabled = [this, entry] { return hasScreen(entry); };
        commands_.add(std::move(command));
    }
}

int MainWindow::screenIndex(const QString& id) const {
    const auto found = std::ranges::find(screens_, id, &ScreenEntry::id);
    return found == screens_.end() ? -1 : static_cast<int>(found - screens_.begin());
}

AnalysisScreen* MainWindow::analysisScreen(const QString& id) const {
    return qobject_cast<AnalysisScreen*>(pages_->widget(1 + screenIndex(id)));
}

void MainWindow::showScreen(const QString& id) {
    const int screen = screenIndex(id);
    if (screen < 0 || !hasScreen(screens_[static_cast<std::size_t>(screen)]))
        return;
    const QSignalBlocker quiet(header_);
    header_->setCurrentScreen(screen);
    const bool shown = !current_.isEmpty() || screens_[static_cast<std::size_t>(screen)].without_run;
    pages_->setCurrentIndex(shown ? 1 + screen : 0);
    commands_.refresh();
    // Of two runs there is nothing to choose.
    if (const QStringList listed = runs_->runPaths();
        id == compareScreen && comparison_->paths().isEmpty() && listed.size() == 2)
        compareRuns(listed);
}

QString MainWindow::screenShown() const { return screens_[static_cast<std::size_t>(header_->currentScreen())].id; }

// Of a collective call all members: the span of their kernels, and, where they run on lanes of one name, these lanes
// alone, one rank below the other. The lanes' filter says so and takes it back.
void MainWindow::showInTimeline(int rank, EventIndex event) {
    const RankTrace* trace = view_.trace(rank);
    if (trace == nullptr || event >= trace->events.size())
        return;
    GoToPlace place{trace->events.range(event), EventRef{rank, event}};
    const std::shared_ptr<const AnalysedRun> shown = shownAnalysis();
    const auto peers = shown ? collective_peers(*shown->analysis, rank, event) : std::nullopt;
    std::set<std::string> lanes;
    for (const CollectivePeer& peer : peers ? peers->peers : std::vector<CollectivePeer>()) {
        const RankTrace* member = view_.trace(peer.rank);
        if (member == nullptr)
            continue;
        const TimeRange range = member->events.range(peer.event);
        place.range = {std::min(place.range.begin, range.begin), std::max(place.range.end, range.end)};
        lanes.insert(member->lane_of(peer.event).name);
    }
    if (lanes.size() == 1)
        timeline_->setLaneFilter(QString::fromStdString(*lanes.begin()));
    showPlace(place, kAroundMembers);
}

void MainWindow::passAnalysis() {
    for (const ScreenEntry& entry : screens_)
        if (AnalysisScreen* screen = analysisScreen(entry.id))
            screen->takeRun(view_.run(), shownAnalysis());
}

} // namespace rankscope
