// SPDX-License-Identifier: GPL-3.0-or-later
// The tour: what its steps say and show.
#include "widgets/folding_tabs.h"
#include <QAction>
#include <QMenuBar>
#include <QSettings>

#include "app/go_to.h"
#include "app/main_window.h"
#include "app/settings.h"
#include "app/tour.h"
#include "widgets/charts/rank_bars.h"
#include "widgets/panels/details_panel.h"
#include "widgets/panels/overview.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr auto kSeen = "tour/seen"_L1;
}

std::vector<TourStep> MainWindow::tourSteps() {
    const auto key = [this](const char* id) {
        return CommandTable::keysText(commands_.shortcuts(QString::fromLatin1(id)));
    };
    std::vector<TourStep> steps;
    steps.push_back({tr("Where did the time go?"),
                     tr("Each bar is a rank: compute, communication hidden behind it, communication that is waited "
                        "for, copies, idle. The headline says "
                        "which rank holds up the others, and what that costs."),
                     [this] { showScreen(overviewScreen); }, &overview_->bars()});
    steps.push_back({tr("Every kernel of every rank"),
                     tr("The timeline shows streams and threads of all ranks. A double-click on a rank's bar leads "
                        "here. Ctrl+wheel zooms at the pointer, "
                        "dragging moves; %1 / %2 and %3 / %4 do the same while held.")
                         .arg(key("zoom-in"), key("zoom-out"), key("pan-left"), key("pan-right")),
                     [this] {
                         showScreen(timelineScreen);
                         view_.jumpTo(view_.fullRange());
                     },
                     timeline_});
    steps.push_back({tr("One collective on all ranks"),
                     tr("A click on a slice shows its arguments, what launched it, how long all of its name take, and "
                        "for a collective who came when. "
                        "The last one makes the others wait. A click on a rank goes to its call."),
                     [this] {
                         showScreen(timelineScreen);
                         if (view_.run())
                             goTo(GoToCall{"allreduce", 3}, view_.run()->ranks.front()->rank);
                     },
                     panels_->findChild<DetailsPanel*>()});
    steps.push_back({tr("Go anywhere"),
                     tr("%1 goes to a time, a step or the n-th call of a kernel, %2 to a rank or lane. %3 marks a "
                        "place with a note, %4 takes the last "
                        "movement back.")
                         .arg(key("go-to"), key("find-lane"), key("add-bookmark"), key("zoom-back")),
                     [this] { showScreen(timelineScreen); }, timeline_});
    steps.push_back({tr("Everything by its name"),
                     tr("%1 finds any command, %2 lists all keys, which you can change. %3 writes any table or plot on "
                        "screen to a file.")
                         .arg(key("palette"), key("shortcuts"), key("export")),
                     {},
                     menuBar()});
    return steps;
}

void MainWindow::startTour() {
    if (current_.isEmpty())
        return openDemo(true);
    delete tour_;
    tour_ = new Tour(tourSteps(), this);
    connect(tour_, &Tour::finished, this, [this] {
        openSettings()->setValue(kSeen, true);
        tour_->deleteLater();
        tour_ = nullptr;
    });
    tour_->start();
}

bool MainWindow::tourIsNew() { return !openSettings()->value(kSeen).toBool(); }

} // namespace rankscope
