// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's commands and gestures, as the command table knows them.
#include <functional>
#include <optional>

#include <QScrollBar>

#include "widgets/command_table.h"
#include "widgets/timeline/class_legend.h"
#include "widgets/timeline/lane_headers.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

QList<QKeySequence> keys(std::initializer_list<QKeyCombination> list) {
    QList<QKeySequence> sequences;
    for (const QKeyCombination key : list)
        sequences << QKeySequence(key);
    return sequences;
}

} // namespace

void TimelineView::useCommands(CommandTable& table) {
    if (commands_ != nullptr)
        commands_->releaseHeldKeys(commandPlace());
    ownCommands_.reset();
    commands_ = &table;
    table.addPlace({commandPlace(), tr("Timeline"), this});
    addMoves(table);
    addSteps(table);
    addRangeCommands(table);
    addMarkCommands(table);
    addErrorCommands(table);
    for (const auto& [keys, help] : {std::pair(tr("Wheel"), tr("Scroll the lanes")),
                                     {tr("Ctrl+wheel, pinch"), tr("Zoom at the pointer")},
                                     {tr("Ctrl+Alt+wheel"), tr("Make lanes higher or lower")},
                                     {tr("Right click or Menu, on a lane's name"), tr("Fold, pin, hide, move")},
                                     {tr("Right click on a slice, or Menu"), tr("What can be done with the slice")},
                                     {tr("Drag of a rank's name"), tr("Move the rank among the others")},
                                     {tr("Shift+wheel, two fingers sideways, drag"), tr("Move in time")},
                                     {tr("Click"), tr("Select the slice")},
                                     {tr("Double-click"), tr("Zoom to the slice")}})
        table.addGesture({commandPlace(), keys, help});
    connect(&table, &CommandTable::shortcutsChanged, this, &TimelineView::showKeys);
    showKeys();
}

QString TimelineView::keysOf(const char* command) const {
    return CommandTable::keysText(commands_->shortcuts(QString::fromLatin1(command)));
}

void TimelineView::showKeys() {
    // The first key of each is enough here; a command without one is left out.
    const auto first = [this](const char* command) {
        return CommandTable::keysText(commands_->shortcuts(QString::fromLatin1(command)).mid(0, 1));
    };
    const auto either = [](const QString& gesture, QStringList keys, const QString& what) {
        keys.removeAll(QString());
        const QString key = keys.join(u'/');
        const QString hands = gesture.isEmpty() ? key : key.isEmpty() ? gesture : tr("%1 or %2").arg(gesture, key);
        return hands.isEmpty() ? QString() : tr("%1 %2").arg(hands, what);
    };
    QStringList hints{either(tr("Ctrl+wheel"), {first("zoom-in"), first("zoom-out")}, tr("zoom")),
                      either(tr("drag"), {first("pan-left"), first("pan-right")}, tr("pan")),
                      either(tr("double-click"), {first("fit")}, tr("fit")),
                      either({}, {first("show-all")}, tr("all"))};
    hints.removeAll(QString());
    legend_->setHints(hints);
}

Command TimelineView::command(const char* id, const QString& title, QList<QKeySequence> shortcuts, const QString& help,
                              std::function<void()> run) {
    Command command{QString::fromLatin1(id), tr("&Timeline"), title, std::move(shortcuts), help, std::move(run)};
    command.place = commandPlace();
    command.enabled = [this] { return scene_.run != nullptr; };
    return command;
}

/// Movements: held keys glide; scrolling repeats as the keyboard does.
void TimelineView::addMoves(CommandTable& table) {
    const QString menu = tr("&Timeline") + u'/' + tr("&Move");
    const auto glide = [&](const char* id, const QString& title, QList<QKeySequence> shortcuts, const QString& help,
                           Motion motion) {
        Command held = command(id, title, std::move(shortcuts), help, [this, motion] {
            glide_.press(motion);
            glide_.release(motion);
        });
        held.menu = menu;
        held.hold = [this, motion](bool down) { down ? glide_.press(motion) : glide_.release(motion); };
        table.add(std::move(held));
    };
    glide("zoom-in", tr("Zoom &in"), keys({Qt::Key_W}), tr("Zoom in, as long as the key is held"), Motion::zoomIn);
    glide("zoom-out", tr("Zoom &out"), keys({Qt::Key_S}), tr("Zoom out, as long as the key is held"), Motion::zoomOut);
    glide("pan-left", tr("Move &left"), keys({Qt::Key_A, Qt::Key_Left}),
          tr("Move to earlier times, as long as the key is held"), Motion::panLeft);
    glide("pan-right", tr("Move &right"), keys({Qt::Key_D, Qt::Key_Right}),
          tr("Move to later times, as long as the key is held"), Motion::panRight);
    const auto scroll = [&](const char* id, const QString& title, Qt::Key key, const QString& help,
                            std::function<int()> target) {
        Command step = command(
            id, title, keys({key}), help, [this, target] { scrollBar_->setValue(target()); });
        step.menu = menu;
        table.add(std::move(step));
    };
    const auto by = [this](int steps, int pages) {
        return [this, steps, pages] {
            return scrollBar_->value() + steps * scrollBar_->singleStep() + pages * scrollBar_->pageStep();
        };
    };
    scroll("scroll-up", tr("Scroll &up"), Qt::Key_Up, tr("Scroll to the lanes above"), by(-1, 0));
    scroll("scroll-down", tr("Scroll &down"), Qt::Key_Down, tr("Scroll to the lanes below"), by(1, 0));
    scroll("page-up", tr("&Page up"), Qt::Key_PageUp, tr("Scroll up by what is in view"), by(0, -1));
    scroll("page-down", tr("Page do&wn"), Qt::Key_PageDown, tr("Scroll down by what is in view"), by(0, 1));
    scroll(
        "first-lane", tr("&First lane"), Qt::Key_Home, tr("Scroll to the first lane"), [] { return 0; });
    scroll("last-lane", tr("L&ast lane"), Qt::Key_End, tr("Scroll to the last lane"),
           [this] { return scrollBar_->maximum(); });
}

void TimelineView::addSteps(CommandTable& table) {
    table.add(command(
        "fit", tr("&Fit selection, then all"), keys({Qt::Key_F}),
        tr("Zoom to the selected slice; again: to everything"), [this] { fitSelectionThenAll(); }));
    table.add(command(
        "show-all", tr("Show &everything"), keys({Qt::Key_0}), tr("Zoom out to the whole run"), [this] { showAll(); }));
    const auto when = [this, &table](bool (ViewState::*possible)() const, Command step) {
        step.enabled = [this, possible] { return (state_->*possible)(); };
        table.add(std::move(step));
    };
    when(&ViewState::canStepBack, command(
                                      "zoom-back", tr("Zoom &back"), keys({Qt::Key_Backspace, Qt::ALT | Qt::Key_Left}),
                                      tr("Return to the part seen before"), [this] { state_->stepBack(); }));
    when(&ViewState::canStepForward,
         command(
             "zoom-forward", tr("Zoom for&ward"), keys({Qt::SHIFT | Qt::Key_Backspace, Qt::ALT | Qt::Key_Right}),
             tr("Redo the last movement"), [this] { state_->stepForward(); }));
    Command previous = command("previous-slice", tr("&Previous slice"), keys({Qt::Key_Comma}),
                               tr("Select the previous slice of the lane"), [this] { selectNeighbour(-1); });
    previous.separated = true;
    table.add(std::move(previous));
    table.add(command(
        "next-slice", tr("&Next slice"), keys({Qt::Key_Period}), tr("Select the next slice of the lane"),
        [this] { selectNeighbour(+1); }));
    Command clear = command(
        "clear-selection", tr("&Clear selection"), keys({Qt::Key_Escape}),
        tr("Select nothing; then clear the range; then show all names"),
        [this] {
            if (state_->selection())
                state_->select({});
            else if (state_->range())
                state_->setRange({});
            else
                showAllNames();
        });
    clear.enabled = [this] { return state_->selection() || state_->range() || scene_.arrangement.names.isOn(); };
    table.add(std::move(clear));
    Command fold = command(
        "fold-rank", tr("Fold &rank"), keys({Qt::Key_R}),
        tr("Fold or unfold the rank under the pointer or of the selection; among the lane names, the line in focus"),
        [this] {
            if (headers_->hasFocus())
                headers_->foldCurrent();
            else if (const std::optional<int> rank = rankInFocus())
                toggleRank(*rank);
        });
    fold.separated = true;
    table.add(std::move(fold));
    addLaneCommands(table);
    addNameCommands(table);
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    if (!commands_->pressKey(commandPlace(), *event))
        QWidget::keyPressEvent(event);
}

void TimelineView::keyReleaseEvent(QKeyEvent* event) {
    if (!commands_->releaseKey(commandPlace(), *event))
        QWidget::keyReleaseEvent(event);
}

} // namespace rankscope
