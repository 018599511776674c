// SPDX-License-Identifier: GPL-3.0-or-later
// Leaves a run as it stands, and takes it up again.
#include "app/window/session_controller.h"

#include <utility>

#include <QSplitter>
#include <QStackedWidget>
#include <QTreeView>

#include "app/window/panel_controller.h"
#include "app/window/run_on_screen.h"
#include "app/window/screen_controller.h"
#include "app/window/window_command.h"
#include "app/window/window_parts.h"
#include "widgets/folding_tabs.h"
#include "widgets/language.h"
#include "widgets/panels/bookmarks_panel.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/timeline/lane_arrangement.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

SessionController::SessionController(WindowParts& parts, const RunOnScreen& shown, ScreenController& screens,
                                     PanelController& panels, std::function<bool(const QString&)> isGenerated,
                                     QObject* parent)
    : QObject(parent), parts_(parts), shown_(shown), screens_(screens), panels_(panels),
      keeper_([this] { return now(); },
              [isGenerated = std::move(isGenerated)](const QString& path) { return !isGenerated(path); }) {
    connect(&keeper_, &SessionKeeper::failed, this, [this](const QString& reason) {
        parts_.fail(tr("What you left in this run cannot be kept: %1").arg(reason));
    });
    connect(&parts.view, &ViewState::visibleRangeChanged, &keeper_, &SessionKeeper::touch);
    connect(&parts.view, &ViewState::selectionChanged, &keeper_, &SessionKeeper::touch);
    connect(&parts.view, &ViewState::rangeChanged, &keeper_, &SessionKeeper::touch);
    connect(&parts.view, &ViewState::overlaysChanged, &keeper_, &SessionKeeper::touch);
    connect(parts.timeline, &TimelineView::arrangementChanged, &keeper_, &SessionKeeper::touch);
    connect(parts.timeline, &TimelineView::scrolled, &keeper_, &SessionKeeper::touch);
    connect(parts.timelinePage, &QSplitter::splitterMoved, &keeper_, &SessionKeeper::touch);
    connect(parts.bookmarks->model(), &BookmarksModel::changed, &keeper_, &SessionKeeper::touch);
    connect(parts.notices, &NoticesBar::hiddenNoticesChanged, &keeper_, &SessionKeeper::touch);
    connect(&screens.pages(), &QStackedWidget::currentChanged, &keeper_, &SessionKeeper::touch);

    connect(&panels, &PanelController::changed, &keeper_, &SessionKeeper::touch);

    connect(&shown, &RunOnScreen::leaving, &keeper_, &SessionKeeper::keep);
    connect(&shown, &RunOnScreen::pathChanged, this, [this] { keeper_.setRun(shown_.path()); });
    const auto clear = [this] {
        parts_.bookmarks->model()->setBookmarks({});
        parts_.notices->setHiddenNotices({});
    };
    connect(&shown, &RunOnScreen::waiting, this, clear);
    connect(&shown, &RunOnScreen::gone, this, clear);
    connect(&shown, &RunOnScreen::aboutToShow, this, &SessionController::keepBookmarksMade);
    connect(&shown, &RunOnScreen::shown, this, &SessionController::resume);

    connect(parts.bookmarks, &BookmarksPanel::goToRequested, this, [this](const Bookmark& bookmark) {
        screens_.show(kTimelineScreen);
        if (bookmark.event && parts_.view.selection() == bookmark.event)
            parts_.timeline->reveal(*bookmark.event);
        parts_.timeline->setFocus();
    });
    connect(parts.bookmarks, &BookmarksPanel::noteDone, parts.timeline, qOverload<>(&QWidget::setFocus));
}

void SessionController::addCommands() {
    const QString menu = tr("&Go");
    parts_.commands.add(
        separated(enabledIf(windowCommand(u"add-bookmark"_s, menu, tr("&Bookmark this view"), {u"M"_s},
                                          tr("Remember what is in view, with a note"), [this] { addBookmark(); }),
                            [this] { return parts_.view.run() != nullptr; })));
    QWidget* dock = parts_.bookmarks->parentWidget();
    parts_.commands.add(checkedIf(windowCommand(u"bookmarks-dock"_s, menu, tr("&List of bookmarks"),
                                                {u"Ctrl+Shift+B"_s}, tr("Show or hide the list of bookmarks"),
                                                [this, dock] {
                                                    dock->setVisible(dock->isHidden());
                                                    if (dock->isVisible())
                                                        parts_.bookmarks->list().setFocus();
                                                }),
                                  [dock] { return !dock->isHidden(); }));
}

void SessionController::addBookmark() {
    const int row = parts_.bookmarks->addHere();
    parts_.bookmarks->parentWidget()->show();
    parts_.bookmarks->editNote(row);
}

/// Only of a run that was read wholly: a session of what was there so far would lose what the last one knew.
std::optional<RunSession> SessionController::now() const {
    if (!shown_.isWholeInView())
        return {};
    const ViewState& view = parts_.view;
    const TimeNs origin = view.run()->span.begin;
    RunSession session;
    session.screen = screens_.shown();
    if (view.visibleRange() != view.fullRange())
        session.visible = TimeRange{view.visibleRange().begin - origin, view.visibleRange().end - origin};
    session.selection = view.selection();
    if (session.selection)
        session.selectionStart = view.trace(session.selection->rank)->events.start[session.selection->event] - origin;
    session.bookmarks = parts_.bookmarks->model()->bookmarks();
    session.lanes = toJson(parts_.timeline->arrangement());
    session.overlays = view.overlays();
    session.hiddenNotices = parts_.notices->hiddenNotices();
    session.panel = panels_.open();
    session.panelHeight = parts_.panels->openHeight();
    session.top = parts_.timeline->scrolledTo();
    if (const auto marked = view.range())
        session.marked = TimeRange{marked->begin - origin, marked->end - origin};
    session.origin = parts_.timeline->scene().origin;
    return session;
}

/// Times of a bookmark count from the first event that was there by then.
void SessionController::keepBookmarksMade() {
    made_.clear();
    const auto& part = parts_.view.run();
    const auto& run = shown_.entry().run;
    if (!part || part->names != run->names || part == run)
        return;
    for (Bookmark bookmark : parts_.bookmarks->model()->bookmarks()) {
        const TimeNs later = part->span.begin - run->span.begin;
        bookmark.range = {bookmark.range.begin + later, bookmark.range.end + later};
        made_.push_back(std::move(bookmark));
    }
}

void SessionController::resume() {
    parts_.bookmarks->model()->setBookmarks({});
    parts_.notices->setHiddenNotices({});
    const Result<std::optional<RunSession>> session = keeper_.read(shown_.path());
    if (!session)
        parts_.fail(tr("What you left in this run is not restored: %1 (%2).")
                        .arg(messageText(session.error().message), sessionFile(shown_.path())));
    else if (*session)
        restore(**session);
    for (Bookmark& bookmark : std::exchange(made_, {}))
        parts_.bookmarks->model()->add(std::move(bookmark));
}

void SessionController::restore(const RunSession& left) {
    ViewState& view = parts_.view;
    parts_.bookmarks->model()->setBookmarks(left.bookmarks);
    parts_.notices->setHiddenNotices(left.hiddenNotices);
    view.setOverlays(left.overlays);
    parts_.timeline->setTimeOrigin(left.origin);
    // Whoever folded lanes or moved about while the run was being read wants it to stay so.
    if (parts_.timeline->arrangement() == LaneArrangement())
        parts_.timeline->setArrangement(laneArrangementFrom(left.lanes));
    if (view.selection() || view.visibleRange() != view.fullRange())
        return;
    const TimeNs origin = view.run()->span.begin;
    if (left.visible)
        view.setVisibleRange({left.visible->begin + origin, left.visible->end + origin});
    if (left.selection) {
        const RankTrace* trace = view.trace(left.selection->rank);
        if (trace != nullptr && left.selection->event < trace->events.size() &&
            trace->events.start[left.selection->event] - origin == left.selectionStart)
            view.select(left.selection);
    }
    if (left.marked)
        view.setRange(TimeRange{left.marked->begin + origin, left.marked->end + origin});
    if (left.top)
        parts_.timeline->keepAtTop(*left.top);
    if (left.panel) // after the range, which opens its panel
        panels_.setOpen(*left.panel);
    if (left.panelHeight > 0)
        parts_.panels->setOpenHeight(left.panelHeight);
    // The overview is where one starts, and runs that stand side by side stay on screen.
    if (left.screen != kCompareScreen && left.screen != kOverviewScreen && screens_.shown() != kCompareScreen)
        screens_.bring(left.screen);
}

} // namespace rankscope
