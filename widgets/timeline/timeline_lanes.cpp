// SPDX-License-Identifier: GPL-3.0-or-later
// How the timeline's lanes are arranged: folded, pinned, hidden, moved, filtered; and their heights.
#include <algorithm>
#include <memory>
#include <optional>

#include <QMenu>
#include <QScrollBar>

#include "widgets/command_table.h"
#include "widgets/language.h"
#include "widgets/timeline/lane_corner.h"
#include "widgets/timeline/lane_headers.h"
#include "widgets/timeline/name_filter_bar.h"
#include "widgets/timeline/time_ruler.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

void TimelineView::connectLanes() {
    connect(headers_, &LaneHeaders::foldAsked, this, &TimelineView::toggleFold);
    connect(headers_, &LaneHeaders::hideAsked, this, &TimelineView::hideLane);
    connect(headers_, &LaneHeaders::moveAsked, this, &TimelineView::moveRankBy);
    connect(headers_, &LaneHeaders::menuAsked, this,
            [this](const LaneId& id, QPoint global) { laneMenu(id)->exec(global); });
    connect(headers_, &LaneHeaders::currentChanged, this, &TimelineView::scrollToLane);
    connect(corner_, &LaneCorner::filterChanged, this, &TimelineView::setLaneFilter);
    connect(corner_, &LaneCorner::showHiddenAsked, this, &TimelineView::showHidden);
    connect(corner_, &LaneCorner::left, this, [this] { setFocus(Qt::OtherFocusReason); });
    connect(names_, &NameFilterBar::showAllAsked, this, &TimelineView::showAllNames);
    connect(ruler_, &TimeRuler::originAsked, this, &TimelineView::setTimeOrigin);
    connect(&counterBuilder_, &CounterBuilder::built, this, &TimelineView::relayout);
}

void TimelineView::setArrangement(const LaneArrangement& arrangement) {
    const bool otherHeight = arrangement.height != scene_.arrangement.height;
    const bool otherColour = arrangement.colour != scene_.arrangement.colour;
    const bool otherNames = arrangement.names != scene_.arrangement.names;
    scene_.arrangement = arrangement;
    if (otherColour)
        takeColours();
    if (otherNames)
        takeNames();
    corner_->setFilter(QString::fromStdString(arrangement.filter));
    corner_->setHidden(static_cast<int>(arrangement.hidden.size()));
    if (otherHeight)
        takeSize();
    else
        relayout();
    hoverAt({-1, -1}); // what was there has moved
    Q_EMIT arrangementChanged();
}

template <typename Change>
void TimelineView::rearrange(Change change) {
    LaneArrangement arrangement = scene_.arrangement;
    change(arrangement);
    if (!(arrangement == scene_.arrangement))
        setArrangement(arrangement);
}

void TimelineView::toggleFold(const LaneId& id) {
    rearrange([&](LaneArrangement& a) { a.toggleFold(id); });
}

void TimelineView::foldAllRanks(bool folded) {
    if (!scene_.run)
        return;
    rearrange([&](LaneArrangement& a) {
        for (const auto& trace : scene_.run->ranks)
            folded ? static_cast<void>(a.folded.insert(LaneId::ofRank(trace->rank)))
                   : static_cast<void>(a.folded.erase(LaneId::ofRank(trace->rank)));
    });
}

void TimelineView::closeRanksToFit() {
    if (!closingDue_ || !scene_.run || !isVisible())
        return;
    closingDue_ = false;
    const int room = scene_.size.height();
    if (!(scene_.arrangement == LaneArrangement()) || state_->selection() || scene_.layout.height <= 2 * room)
        return;
    const auto fits = [&](const LaneArrangement& arrangement) {
        return layoutLanes(*scene_.run, arrangement, scene_.metrics, scene_.counterNames).height <= room;
    };
    LaneArrangement closed;
    for (const auto& trace : scene_.run->ranks)
        closed.folded.insert(LaneId::ofRank(trace->rank));
    if (!fits(closed))
        return;
    for (const auto& trace : scene_.run->ranks) {
        LaneArrangement wider = closed;
        wider.folded.erase(LaneId::ofRank(trace->rank));
        if (!fits(wider))
            break;
        closed = std::move(wider);
    }
    setArrangement(closed);
}

void TimelineView::pinLane(const LaneId& id) {
    rearrange([&](LaneArrangement& a) { a.togglePin(id); });
}

void TimelineView::hideLane(const LaneId& id) {
    rearrange([&](LaneArrangement& a) { a.hidden.insert(id); });
}

void TimelineView::showHidden() {
    rearrange([](LaneArrangement& a) { a.hidden.clear(); });
}

void TimelineView::setLaneFilter(const QString& text) {
    rearrange([&](LaneArrangement& a) { a.filter = text.simplified().toStdString(); });
}

void TimelineView::takeNames() {
    const SliceNameFilter& names = scene_.arrangement.names;
    names_->setFilter(names);
    naming_.stop();
    scene_.kept.reset();
    if (!scene_.run || !names.isOn())
        return; // whoever calls draws anew
    naming_.run(
        {}, [run = scene_.run, names](const std::stop_token& stop) { return keptSlices(*run, names, stop); },
        [this](std::shared_ptr<const KeptSlices> kept) {
            scene_.kept = std::move(kept);
            refresh();
        });
}

void TimelineView::showOnlyName(const EventRef& slice) {
    const std::string name(state_->trace(slice.rank)->event_name(slice.event));
    rearrange([&](LaneArrangement& a) { a.names.toggleOnly(name); });
}

void TimelineView::hideName(const EventRef& slice) {
    const std::string name(state_->trace(slice.rank)->event_name(slice.event));
    rearrange([&](LaneArrangement& a) { a.names.toggleHidden(name); });
}

void TimelineView::showAllNames() {
    rearrange([](LaneArrangement& a) { a.names = {}; });
}

void TimelineView::setLaneHeight(LaneHeight height) {
    rearrange([&](LaneArrangement& a) { a.height = height; });
}

void TimelineView::changeLaneHeight(int steps) {
    // The fitting height is one of the others, or between them: from there it goes up or down.
    const LaneHeight now =
        scene_.arrangement.height == LaneHeight::fit ? LaneHeight::normal : scene_.arrangement.height;
    const int wanted = std::clamp(static_cast<int>(now) + steps, static_cast<int>(LaneHeight::compact),
                                  static_cast<int>(LaneHeight::tall));
    setLaneHeight(static_cast<LaneHeight>(wanted));
}

void TimelineView::setTimeOrigin(TimeOrigin origin) {
    scene_.origin = origin;
    refresh();
}

void TimelineView::moveRankBy(int rank, int places) {
    if (!scene_.run)
        return;
    rearrange([&](LaneArrangement& a) {
        // Past what is hidden or filtered out: one place is one that can be seen.
        std::vector<int> all = rankOrder(*scene_.run, a);
        std::vector<int> shown;
        for (const RankBlock& block : scene_.layout.ranks)
            if (block.top >= scene_.layout.pinnedHeight)
                shown.push_back(scene_.run->ranks[static_cast<std::size_t>(block.rankIndex)]->rank);
        const auto at = std::find(shown.begin(), shown.end(), rank);
        if (at == shown.end())
            return;
        const auto target = shown.begin() + std::clamp<std::ptrdiff_t>(at - shown.begin() + places, 0,
                                                                       static_cast<std::ptrdiff_t>(shown.size()) - 1);
        const auto place = [&](int number) {
            return static_cast<int>(std::find(all.begin(), all.end(), number) - all.begin());
        };
        moveRank(a, all, rank, place(*target) - place(rank));
    });
    scrollToLane(LaneId::ofRank(rank));
}

void TimelineView::scrollToLane(const LaneId& id) {
    if (!scene_.run)
        return;
    for (const HeaderItem& item : headerItems(*scene_.run, scene_.layout)) {
        if (item.id != id || item.top < scene_.pinnedHeight)
            continue;
        // Of a rank higher than the view, its first lines.
        const int room = scene_.size.height() - scene_.pinnedHeight;
        const int top = item.top - scene_.pinnedHeight;
        const int bottom = top + std::min(item.height, room);
        if (top < scene_.scroll)
            scrollBar_->setValue(top);
        else if (bottom > scene_.scroll + room)
            scrollBar_->setValue(bottom - room);
        return;
    }
}

std::optional<LanePlace> TimelineView::topPlace() const {
    std::optional<LanePlace> place;
    if (scene_.run)
        for (const HeaderItem& item : headerItems(*scene_.run, scene_.layout))
            if (item.top >= scene_.pinnedHeight && item.top - scene_.pinnedHeight <= scene_.scroll)
                place = {item.id, scene_.scroll - (item.top - scene_.pinnedHeight)};
    return place;
}

void TimelineView::showAtTop(const LanePlace& place) {
    if (!scene_.run)
        return;
    for (const HeaderItem& item : headerItems(*scene_.run, scene_.layout))
        if (item.id == place.id && item.top >= scene_.pinnedHeight)
            scrollBar_->setValue(item.top - scene_.pinnedHeight + std::min(place.offset, item.height));
}

void TimelineView::keepAtTop(const LanePlace& place) {
    keptTop_ = place;
    relayout();
}

std::optional<LanePlace> TimelineView::scrolledTo() const {
    return keptTop_ || scene_.scroll == 0 ? keptTop_ : topPlace();
}

std::optional<LaneId> TimelineView::laneInFocus() const {
    if (!scene_.run)
        return {};
    if (headers_->hasFocus() && headers_->current())
        return headers_->current();
    const LaneStrip* strip = nullptr;
    if (QRect(QPoint(), scene_.size).contains(scene_.pointer))
        strip = scene_.layout.stripAt(scene_.layoutY(scene_.pointer.y()));
    const std::optional<EventRef> selected = state_->selection();
    if (strip == nullptr && selected)
        strip = scene_.layout.stripOf(scene_.indexOfRank(selected->rank),
                                      state_->trace(selected->rank)->row_of(selected->event));
    if (strip == nullptr)
        return headers_->current();
    const int rank = scene_.run->ranks[static_cast<std::size_t>(strip->rankIndex)]->rank;
    if (!strip->isSummary())
        return LaneId::ofLane(rank, strip->group, strip->lane);
    const auto blocks = scene_.layout.ranksBetween(strip->top, strip->top + 1);
    return blocks.empty() || blocks.front().open ? LaneId::ofGroup(rank, strip->group) : LaneId::ofRank(rank);
}

void TimelineView::pinLaneInFocus() {
    if (const std::optional<LaneId> id = laneInFocus())
        pinLane(*id);
}

void TimelineView::hideLaneInFocus() {
    if (headers_->hasFocus())
        headers_->hideCurrent();
    else if (const std::optional<LaneId> id = laneInFocus())
        hideLane(*id);
}

void TimelineView::moveRankInFocus(int places) {
    if (const std::optional<LaneId> id = laneInFocus())
        moveRankBy(id->rank, places);
}

void TimelineView::focusLanes() {
    headers_->setFocus(Qt::ShortcutFocusReason);
    headers_->needCurrent(); // it may have had the focus before there was a run
}

void TimelineView::focusLaneFilter() { corner_->focusFilter(); }

void TimelineView::addLaneCommands(CommandTable& table) {
    const auto add = [&](const char* id, const QString& title, QList<QKeySequence> keys, const QString& help,
                         auto run) {
        Command lanes = command(id, title, std::move(keys), help, run);
        lanes.menu = tr("&Timeline") + QLatin1Char('/') + tr("&Lanes");
        table.add(std::move(lanes));
    };
    add(
        "lane-names", tr("To the lane &names"), {QKeySequence(Qt::Key_L)},
        tr("Give the keyboard to the names of ranks and lanes: arrows walk and fold"), [this] { focusLanes(); });
    add(
        "filter-lanes", tr("&Filter lanes"), {QKeySequence(Qt::SHIFT | Qt::Key_L)},
        tr("Show only ranks and lanes with some text in their name"), [this] { focusLaneFilter(); });
    add(
        "pin-lane", tr("&Pin lane"), {QKeySequence(Qt::Key_P)},
        tr("Keep the lane in focus at the top of the view, or let it go again"), [this] { pinLaneInFocus(); });
    add(
        "hide-lane", tr("&Hide lane"), {QKeySequence(Qt::Key_H)}, tr("Leave the lane in focus out"),
        [this] { hideLaneInFocus(); });
    add(
        "rank-up", tr("Move rank &up"), {QKeySequence(Qt::ALT | Qt::Key_Up)},
        tr("Put the rank in focus above the one before it"), [this] { moveRankInFocus(-1); });
    add(
        "rank-down", tr("Move rank &down"), {QKeySequence(Qt::ALT | Qt::Key_Down)},
        tr("Put the rank in focus below the one after it"), [this] { moveRankInFocus(+1); });
    add(
        "show-hidden-lanes", tr("&Show hidden lanes"), {QKeySequence(Qt::SHIFT | Qt::Key_H)},
        tr("Show all ranks and lanes that were hidden"), [this] { showHidden(); });
    add(
        "fold-all-ranks", tr("Fold &all ranks"), {QKeySequence(Qt::SHIFT | Qt::Key_R)},
        tr("Show each rank as one line"), [this] { foldAllRanks(true); });
    add(
        "unfold-all-ranks", tr("&Unfold all ranks"), {}, tr("Show the lanes of every rank"),
        [this] { foldAllRanks(false); });
    add(
        "higher-lanes", tr("H&igher lanes"), {QKeySequence(Qt::Key_Plus)}, tr("Make all lanes higher"),
        [this] { changeLaneHeight(+1); });
    add("lower-lanes", tr("L&ower lanes"), {QKeySequence(Qt::Key_Minus)}, tr("Make all lanes lower"),
        [this] { changeLaneHeight(-1); });
    for (const auto& [id, origin, text, help] :
         {std::tuple("time-from-run", TimeOrigin::run, tr("Times since the start of the &run"),
                     tr("Show times since the start of the run")),
          {"time-from-step", TimeOrigin::step, tr("Times since the start of the &step"),
           tr("Show times since the start of each step")},
          {"wall-clock", TimeOrigin::wallClock, tr("&Wall clock (UTC)"),
           tr("Show the time of day, if the trace has it")}}) {
        Command choice = command(id, text, {}, help, [this, wanted = origin] { setTimeOrigin(wanted); });
        choice.menu = tr("&Timeline") + QLatin1Char('/') + tr("&Ruler");
        choice.choice = QStringLiteral("time-origin");
        choice.checked = [this, wanted = origin] { return scene_.origin == wanted; };
        table.add(std::move(choice));
    }
    for (const auto& [id, by, text, help] :
         {std::tuple("colour-class", ColourBy::sliceClass, tr("By &class"), tr("Colour slices by what they are for")),
          {"colour-name", ColourBy::name, tr("By &name"), tr("Give slices of one name one colour")},
          {"colour-operator", ColourBy::op, tr("By &operator"),
           tr("Give GPU work the colour of the operator that launched it")},
          {"colour-deviation", ColourBy::deviation, tr("By &deviation"),
           tr("Show which slices take longer or shorter than others of their name on all ranks")}}) {
        Command choice = command(id, text, {}, help,
                                 [this, wanted = by] { rearrange([&](LaneArrangement& a) { a.colour = wanted; }); });
        choice.menu = tr("&Timeline") + QLatin1Char('/') + tr("C&olour");
        choice.choice = QStringLiteral("colour");
        choice.checked = [this, wanted = by] { return scene_.arrangement.colour == wanted; };
        table.add(std::move(choice));
    }
    add("fit-lanes", tr("Lanes that fi&t"), {}, tr("Fit all lanes into the view"),
        [this] { setLaneHeight(LaneHeight::fit); });
}

void TimelineView::addNameCommands(CommandTable& table) {
    const auto add = [&](const char* id, const QString& title, Qt::Key key, const QString& help,
                         void (TimelineView::*run)(const EventRef&), auto isChosen) {
        Command choice = command(
            id, title, {QKeySequence(key)}, help, [this, run] { (this->*run)(*state_->selection()); });
        choice.menu = tr("&Timeline") + QLatin1Char('/') + tr("&Names");
        choice.enabled = [this] { return state_->selection().has_value(); };
        choice.checked = [this, isChosen] {
            const std::optional<EventRef> selected = state_->selection();
            return selected && isChosen(scene_.arrangement.names,
                                        std::string(state_->trace(selected->rank)->event_name(selected->event)));
        };
        table.add(std::move(choice));
    };
    add(
        "only-name", tr("Show &only this name"), Qt::Key_O,
        tr("Hide all slices but those of the selected one's name; again: show all"), &TimelineView::showOnlyName,
        [](const SliceNameFilter& names, const std::string& name) { return names.only == name; });
    add(
        "hide-name", tr("&Hide this name"), Qt::Key_X,
        tr("Hide all slices of the selected one's name; again: show them"), &TimelineView::hideName,
        [](const SliceNameFilter& names, const std::string& name) { return names.hidden.contains(name); });
    Command all = command("show-names", tr("&Show all names"), {QKeySequence(Qt::SHIFT | Qt::Key_X)},
                          tr("Show the slices that were hidden by their names"), [this] { showAllNames(); });
    all.menu = tr("&Timeline") + QLatin1Char('/') + tr("&Names");
    all.enabled = [this] { return scene_.arrangement.names.isOn(); };
    table.add(std::move(all));
}

std::unique_ptr<QMenu> TimelineView::laneMenu(const LaneId& id) {
    auto menu = std::make_unique<QMenu>(this);
    const auto add = [&](const QString& text, auto run) { return menu->addAction(text, this, run); };
    const auto withKeys = [this](const QString& text, const char* command) {
        const QString keys = keysOf(command);
        return keys.isEmpty() ? text : text + u'\t' + keys;
    };
    const QString name = headers_->nameOf(id).replace(QLatin1Char('&'), QStringLiteral("&&"));
    menu->addSection(name);
    const std::vector<HeaderItem> items =
        scene_.run ? headerItems(*scene_.run, scene_.layout) : std::vector<HeaderItem>();
    for (const HeaderItem& item : items)
        if (item.id == id && item.foldable)
            add(
                item.open ? withKeys(tr("&Fold"), "fold-rank") : withKeys(tr("Un&fold"), "fold-rank"),
                [this, id] { toggleFold(id); });
    add(
        scene_.arrangement.isPinned(id) ? withKeys(tr("Un&pin"), "pin-lane")
                                        : withKeys(tr("&Pin to the top"), "pin-lane"),
        [this, id] { pinLane(id); });
    add(withKeys(tr("&Hide"), "hide-lane"), [this, id] { hideLane(id); });
    if (id.level != LaneLevel::rank) {
        const LaneId rank = LaneId::ofRank(id.rank);
        add(tr("Hide all of rank %1").arg(id.rank), [this, rank] { hideLane(rank); });
    }
    add(tr("Flame &graph of rank %1").arg(id.rank), [this, rank = id.rank] { Q_EMIT flamesAsked(rank); });
    const auto hidden = static_cast<int>(scene_.arrangement.hidden.size());
    add(withKeys(tr("&Show all (%1 hidden)", nullptr, plural(hidden)).arg(hidden), "show-hidden-lanes"), [this] {
        showHidden();
    })->setEnabled(hidden > 0);
    menu->addSeparator();
    add(
        withKeys(tr("Move rank %1 &up").arg(id.rank), "rank-up"), [this, id] { moveRankBy(id.rank, -1); });
    add(withKeys(tr("Move rank %1 &down").arg(id.rank), "rank-down"), [this, id] { moveRankBy(id.rank, +1); });
    menu->addSeparator();
    add(
        withKeys(tr("Fold &all ranks"), "fold-all-ranks"), [this] { foldAllRanks(true); });
    add(withKeys(tr("&Unfold all ranks"), "unfold-all-ranks"), [this] { foldAllRanks(false); });
    QMenu* heights = menu->addMenu(tr("Lane h&eight"));
    for (const auto& [height, text] : {std::pair(LaneHeight::fit, tr("&Fit the window")),
                                       {LaneHeight::compact, tr("&Compact")},
                                       {LaneHeight::normal, tr("&Normal")},
                                       {LaneHeight::tall, tr("&Tall")}}) {
        QAction* action = heights->addAction(text, this, [this, wanted = height] { setLaneHeight(wanted); });
        action->setCheckable(true);
        action->setChecked(scene_.arrangement.height == height);
    }
    return menu;
}

} // namespace rankscope
