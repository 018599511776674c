// SPDX-License-Identifier: GPL-3.0-or-later
// The demo, and the tour.
#include "app/window/tour_controller.h"

#include <utility>

#include <QMainWindow>
#include <QMenuBar>
#include <QSettings>

#include "app/settings/settings.h"
#include "app/window/navigation.h"
#include "app/window/opening_controller.h"
#include "app/window/run_on_screen.h"
#include "app/window/screen_controller.h"
#include "app/window/window_command.h"
#include "app/window/window_parts.h"
#include "widgets/charts/rank_bars.h"
#include "widgets/compare/compare_page.h"
#include "widgets/folding_tabs.h"
#include "widgets/panels/details_panel.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/start_page.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr auto kTourSeen = "tour/seen"_L1;
}

TourController::TourController(WindowParts& parts, const RunOnScreen& shown, ScreenController& screens,
                               Navigation& navigation, OpeningController& opening, QObject* parent)
    : QObject(parent), parts_(parts), shown_(shown), screens_(screens), navigation_(navigation), opening_(opening) {
    connect(
        parts.startPage, &StartPage::demoRequested, this, [this] { openDemo(); });
    connect(&shown, &RunOnScreen::wholeAnalysed, this, [this] {
        if (shown_.entry().analysed && opening_.isGenerated(shown_.path()) && std::exchange(wanted_, false))
            start();
    });
}

void TourController::addDemoCommand() {
    parts_.commands.add(windowCommand(
        u"open-demo"_s, tr("&File"), tr("Open the &demo"), {}, tr("Generate and open two small runs"),
        [this] { openDemo(); }));
}

void TourController::addTourCommand() {
    parts_.commands.add(windowCommand(
        u"tour"_s, tr("&Help"), tr("&Tour"), {}, tr("Six steps through the window"), [this] { start(); }));
}

void TourController::openDemo(bool withTour) {
    wanted_ = withTour;
    opening_.openDemo();
}

bool TourController::isNew() { return !openSettings()->value(kTourSeen).toBool(); }

void TourController::start() {
    if (shown_.path().isEmpty())
        return openDemo(true);
    delete tour_;
    tour_ = new Tour(steps(), parts_.window);
    connect(tour_, &Tour::finished, this, [this] {
        openSettings()->setValue(kTourSeen, true);
        tour_->deleteLater();
        tour_ = nullptr;
        screens_.focusPage();
    });
    tour_->start();
}

std::vector<TourStep> TourController::steps() {
    const auto key = [this](const char* id) {
        return CommandTable::keysText(parts_.commands.shortcuts(QString::fromLatin1(id)));
    };
    std::vector<TourStep> steps;
    steps.push_back({tr("Where did the time go?"),
                     tr("Each bar is a rank: compute, communication hidden behind it, communication that is waited "
                        "for, copies, idle. The headline says "
                        "which rank holds up the others, and what that costs."),
                     [this] { screens_.show(kOverviewScreen); }, &parts_.overview->bars()});
    steps.push_back({tr("Every kernel of every rank"),
                     tr("The timeline shows streams and threads of all ranks. A double-click on a rank's bar leads "
                        "here. Ctrl+wheel zooms at the pointer, "
                        "dragging moves; %1 / %2 and %3 / %4 do the same while held.")
                         .arg(key("zoom-in"), key("zoom-out"), key("pan-left"), key("pan-right")),
                     [this] {
                         screens_.show(kTimelineScreen);
                         parts_.view.jumpTo(parts_.view.fullRange());
                     },
                     parts_.timeline});
    steps.push_back({tr("One collective on all ranks"),
                     tr("A click on a slice shows its arguments, what launched it, how long all of its name take, and "
                        "for a collective who came when. "
                        "The last one makes the others wait. A click on a rank goes to its call."),
                     [this] {
                         screens_.show(kTimelineScreen);
                         if (parts_.view.run())
                             navigation_.goTo(GoToCall{"allreduce", 3}, parts_.view.run()->ranks.front()->rank);
                     },
                     parts_.panels->findChild<DetailsPanel*>()});
    steps.push_back({tr("Go anywhere"),
                     tr("%1 goes to a time, a step or the n-th call of a kernel, %2 to a rank or lane. %3 marks a "
                        "place with a note, %4 takes the last "
                        "movement back.")
                         .arg(key("go-to"), key("find-lane"), key("add-bookmark"), key("zoom-back")),
                     [this] { screens_.show(kTimelineScreen); }, parts_.timeline});
    steps.push_back({tr("Everything by its name"),
                     tr("%1 finds any command, %2 lists all keys, which you can change. %3 writes any table or plot on "
                        "screen to a file.")
                         .arg(key("palette"), key("shortcuts"), key("export")),
                     {},
                     parts_.window->menuBar()});
    steps.push_back({tr("What changed?"),
                     tr("Compare puts two runs side by side: what a step takes longer for, and which metric, setting "
                        "or kernel changed. Where two runs are listed, they are chosen."),
                     [this] { screens_.show(kCompareScreen); }, parts_.comparePage});
    return steps;
}

} // namespace rankscope
