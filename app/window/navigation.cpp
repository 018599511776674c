// SPDX-License-Identifier: GPL-3.0-or-later
// Getting about.
#include "app/window/navigation.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include <QMainWindow>

#include "app/window/go_to_dialog.h"
#include "app/window/run_on_screen.h"
#include "app/window/screen_controller.h"
#include "app/window/slice_menu.h"
#include "app/window/window_command.h"
#include "app/window/window_parts.h"
#include "core/views/collective_peers.h"
#include "widgets/folding_tabs.h"
#include "widgets/language.h"
#include "widgets/panels/flame_panel.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/query_panel.h"
#include "widgets/panels/quick_pick.h"
#include "widgets/panels/search_panel.h"
#include "widgets/timeline/coordinates.h"
#include "widgets/timeline/overlays.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double kAroundCall = 4; // times its duration, on each side
constexpr double kAroundMembers = 0.5;
constexpr double kAroundStep = 0.02;
constexpr int kMomentShare = 20; // from the whole run, a moment is looked at in this part of it

/// "Timeline › Move" of "&Timeline/&Move".
QString menuTrail(const Command& command) { return QString(command.menu).remove(u'&').replace(u'/', u" › "_s); }

/// The event of the lane's outermost row nearest to a time.
EventIndex eventNear(const RankTrace& trace, const Lane& lane, TimeNs time) {
    const Row& row = trace.rows[lane.first_row];
    const auto begin = trace.events.start.begin();
    const auto after = std::upper_bound(begin + row.begin, begin + row.end, time);
    const auto index = static_cast<EventIndex>(after - begin);
    return index > row.begin ? index - 1 : row.begin;
}

} // namespace

Navigation::Navigation(WindowParts& parts, const RunOnScreen& shown, ScreenController& screens, QObject* parent)
    : QObject(parent), parts_(parts), shown_(shown), screens_(screens) {
    connect(parts.overview, &Overview::rankActivated, this, &Navigation::showRank);
    connect(parts.overview, &Overview::findingActivated, this, &Navigation::showEvidence);
    connect(parts.overview, &Overview::stepChosen, this, [this](TimeRange step) {
        screens_.show(kTimelineScreen);
        parts_.view.jumpTo(step);
    });
    connect(parts.overview, &Overview::shareChosen, this, &Navigation::showShare);
    connect(parts.timeline, &TimelineView::sliceMenuAsked, this, &Navigation::showSliceMenu);
    connect(parts.timeline, &TimelineView::flamesAsked, this,
            [this](int rank) { parts_.panels->findChild<FlamePanel*>()->showRank(rank); });
    connect(&screens, &ScreenController::eventActivated, this, &Navigation::showEvent);
    connect(&screens, &ScreenController::evidenceAsked, this, &Navigation::showEvidence);
    connect(&screens, &ScreenController::instancesAsked, this, qOverload<const QString&>(&Navigation::showInstances));
}

void Navigation::addCommands() {
    const QString menu = tr("&Go");
    const auto hasRun = [this] { return parts_.view.run() != nullptr; };
    parts_.commands.add(windowCommand(
        u"palette"_s, menu, tr("&Commands…"), {u"Ctrl+Shift+P"_s}, tr("Find a command by its name and run it"),
        [this] { showPalette(); }));
    parts_.commands.add(enabledIf(windowCommand(
                                      u"find-lane"_s, menu, tr("&Rank or lane…"), {u"Ctrl+P"_s},
                                      tr("Find a rank or lane by its name and show it"), [this] { showLanePick(); }),
                                  hasRun));
    parts_.commands.add(enabledIf(windowCommand(u"go-to"_s, menu, tr("&Time, step or call…"), {u"G"_s},
                                                tr("Go to a time, a step, or the n-th call of a kernel or collective"),
                                                [this] { showGoTo(); }),
                                  hasRun));
}

void Navigation::showRank(int rank) {
    screens_.show(kTimelineScreen);
    if (parts_.view.trace(rank) != nullptr)
        parts_.timeline->reveal({rank, 0});
    parts_.timeline->setFocus();
}

void Navigation::showEvidence(int rank, EventIndex event, TimeRange range) {
    screens_.show(kTimelineScreen);
    if (parts_.view.trace(rank) == nullptr)
        return;
    const TimeNs margin = std::max<TimeNs>(range.length(), 10'000); // what lies around it belongs to the evidence
    parts_.view.jumpTo({range.begin - margin, range.end + margin});
    if (event != kNoEvent) {
        parts_.view.select(EventRef{rank, event});
        parts_.timeline->reveal({rank, event});
    }
    parts_.timeline->setFocus();
}

// Of a collective call all members: the span of their kernels, and, where they run on lanes of one name, these lanes
// alone, one rank below the other. The lanes' filter says so and takes it back.
void Navigation::showEvent(int rank, EventIndex event) {
    const RankTrace* trace = parts_.view.trace(rank);
    if (trace == nullptr || event >= trace->events.size())
        return;
    GoToPlace place{trace->events.range(event), EventRef{rank, event}};
    const std::shared_ptr<const AnalysedRun> shown = shown_.analysis();
    const auto peers = shown ? collective_peers(*shown->analysis, rank, event) : std::nullopt;
    std::set<std::string> lanes;
    for (const CollectivePeer& peer : peers ? peers->peers : std::vector<CollectivePeer>()) {
        const RankTrace* member = parts_.view.trace(peer.rank);
        if (member == nullptr)
            continue;
        const TimeRange range = member->events.range(peer.event);
        place.range = {std::min(place.range.begin, range.begin), std::max(place.range.end, range.end)};
        lanes.insert(member->lane_of(peer.event).name);
    }
    if (lanes.size() == 1)
        parts_.timeline->setLaneFilter(QString::fromStdString(*lanes.begin()));
    showPlace(place, kAroundMembers);
}

void Navigation::showInstances(const QString& query) {
    parts_.panels->findChild<SearchPanel*>()->startTyping();
    showInstances(query, +1);
}

void Navigation::showInstances(const QString& query, int step) {
    auto* search = parts_.panels->findChild<SearchPanel*>();
    search->setQuery(query);
    search->step(step);
    parts_.timeline->setFocus();
}

/// Where the evidence for a part of the step is.
void Navigation::showShare(StepShare share) {
    switch (share) {
    case StepShare::computation: return screens_.show(u"kernels"_s);
    case StepShare::exposed_communication:
    case StepShare::waiting: return screens_.show(u"collectives"_s);
    case StepShare::bubble: return screens_.show(u"pipeline"_s);
    case StepShare::copies:
    case StepShare::launching:
    case StepShare::host:
    case StepShare::unrecorded:
        parts_.view.setShows(kIdleOverlay, share != StepShare::copies);
        return screens_.show(kTimelineScreen);
    }
}

void Navigation::showSliceMenu(const EventRef& slice, QPoint at) {
    parts_.commands.refresh(); // some are marked, or possible, by what was done since
    const auto shown = shown_.analysis();
    auto* menu = new SliceMenu(parts_.commands, parts_.view, shown ? shown->analysis : nullptr, slice, parts_.window);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu, &SliceMenu::eventChosen, this, [this](const EventRef& event) {
        parts_.view.select(event);
        parts_.timeline->reveal(event);
    });
    connect(menu, &SliceMenu::instancesAsked, this, qOverload<const QString&, int>(&Navigation::showInstances));
    connect(menu, &SliceMenu::classChosen, this, &Navigation::classChosen);
    connect(menu, &SliceMenu::queryAsked, this,
            [this](const QString& sql) { parts_.panels->findChild<QueryPanel*>()->showQuery(sql); });
    menu->addSeparator();
    menu->addActions(parts_.timeline->actions());
    menu->popup(at);
}

void Navigation::showPalette() {
    CommandTable& commands = parts_.commands;
    commands.refresh();
    std::vector<QuickPickItem> items;
    QStringList ids;
    for (const Command& command : commands.commands()) {
        if (command.id == "palette"_L1)
            continue;
        items.push_back({CommandTable::plainTitle(command), menuTrail(command),
                         CommandTable::keysText(commands.shortcuts(command.id)),
                         commands.action(command.id)->isEnabled()});
        ids << command.id;
    }
    auto* pick = new QuickPick(tr("Commands"), tr("Type a command's name"), std::move(items), parts_.window);
    pick->setAttribute(Qt::WA_DeleteOnClose);
    connect(pick, &QuickPick::picked, this,
            [this, ids](std::size_t item) { parts_.commands.action(ids[static_cast<qsizetype>(item)])->trigger(); });
    pick->open();
}

void Navigation::showLanePick() {
    struct Target {
        int rank;
        std::size_t lane;
    };
    std::vector<QuickPickItem> items;
    std::vector<Target> targets;
    const std::shared_ptr<const Run> run = parts_.view.run();
    for (const auto& rank : run->ranks) {
        const QString title = tr("Rank %1").arg(rank->rank);
        items.push_back({title, QString::fromStdString(rank->file.filename().string()), {}});
        targets.push_back({rank->rank, 0});
        for (std::size_t lane = 0; lane < rank->lanes.size(); ++lane) {
            items.push_back({title + u' ' + QString::fromStdString(rank->lanes[lane].name), {}, {}});
            targets.push_back({rank->rank, lane});
        }
    }
    auto* pick = new QuickPick(tr("Ranks and lanes"), tr("Type a rank or lane: 12, or 12 stream 7"), std::move(items),
                               parts_.window);
    pick->setAttribute(Qt::WA_DeleteOnClose);
    connect(pick, &QuickPick::picked, this,
            [this, targets](std::size_t item) { showLane(targets[item].rank, targets[item].lane); });
    pick->open();
}

void Navigation::showLane(int rank, std::size_t laneNumber) {
    screens_.show(kTimelineScreen);
    parts_.timeline->setFocus();
    const RankTrace* trace = parts_.view.trace(rank);
    if (trace == nullptr || laneNumber >= trace->lanes.size() || trace->lanes[laneNumber].row_count == 0)
        return;
    const TimeRange visible = parts_.view.visibleRange();
    parts_.timeline->reveal({rank, eventNear(*trace, trace->lanes[laneNumber], visible.begin + visible.length() / 2)});
}

void Navigation::showGoTo() {
    const ViewState& view = parts_.view;
    const int rank = view.selection() ? view.selection()->rank : view.run()->ranks.front()->rank;
    auto* dialog = new GoToDialog(rank, parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &GoToDialog::wanted, this, [this, rank](const GoTo& wanted) { goTo(wanted, rank); });
    dialog->open();
}

// Counting calls walks the rank's events: in the background.
void Navigation::goTo(const GoTo& wanted, int rank) {
    parts_.notices->clearErrors();
    if (!parts_.view.run())
        return; // closed while the dialog was open
    lookup_.run(
        {}, [wanted, rank, run = parts_.view.run()](const std::stop_token&) { return findPlace(*run, wanted, rank); },
        [this, names = parts_.view.run()->names](const Result<GoToPlace>& place) {
            if (!parts_.view.run() || parts_.view.run()->names != names)
                return; // another run meanwhile
            if (!place)
                return parts_.fail(messageText(place.error().message));
            showPlace(*place);
        });
}

void Navigation::showPlace(const GoToPlace& place, std::optional<double> around) {
    ViewState& view = parts_.view;
    screens_.show(kTimelineScreen);
    parts_.timeline->setFocus();
    if (place.event) {
        view.select(place.event);
        view.jumpTo(withMargin(place.range, around.value_or(kAroundCall)));
        parts_.timeline->reveal(*place.event);
    } else if (place.range.empty()) {
        const TimeNs full = view.fullRange().length();
        const TimeNs length = view.visibleRange().length() < full ? view.visibleRange().length() : full / kMomentShare;
        view.jumpTo({place.range.begin - length / 2, place.range.begin + length - length / 2});
    } else {
        view.jumpTo(withMargin(place.range, kAroundStep));
    }
}

} // namespace rankscope
