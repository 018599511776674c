// SPDX-License-Identifier: GPL-3.0-or-later
// Leaves a run as it stands, and takes it up again.
#include <filesystem>

#include "app/demo_runs.h"
#include "app/main_window.h"
#include "app/run_session.h"
#include "widgets/panels/bookmarks_panel.h"
#include "widgets/timeline/lane_arrangement.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

bool MainWindow::isGenerated(const QString& path) const {
    return demo_ && std::filesystem::path(path.toStdString()).parent_path() == demo_->paths().front().parent_path();
}

/// Only of a run that was read wholly: a session of what was there so far would lose what the last one knew.
void MainWindow::keepSession() {
    if (!open_.contains(current_) || isGenerated(current_) || view_.run() != open_.at(current_).run)
        return;
    const Run& run = *view_.run();
    RunSession session;
    session.screen = screenShown();
    if (view_.visibleRange() != view_.fullRange())
        session.visible = TimeRange{view_.visibleRange().begin - run.span.begin, view_.visibleRange().end - run.span.begin};
    session.selection = view_.selection();
    if (session.selection)
        session.selectionStart = view_.trace(session.selection->rank)->events.start[session.selection->event] - run.span.begin;
    session.bookmarks = bookmarks_->model()->bookmarks();
    session.lanes = toJson(timeline_->arrangement());
    if (const auto written = writeSession(current_, session); !written)
        fail(tr("What you left in this run cannot be kept: %1").arg(QString::fromStdString(written.error().message)));
}

void MainWindow::resumeSession(const QString& path) {
    bookmarks_->model()->setBookmarks({});
    if (isGenerated(path))
        return;
    auto session = readSession(path);
    if (!session)
        return fail(tr("What you left in this run is not restored: %1 (%2).").arg(QString::fromStdString(session.error().message), sessionFile(path)));
    if (!*session)
        return;
    const RunSession& left = **session;
    bookmarks_->model()->setBookmarks(left.bookmarks);
    // Whoever folded lanes or moved about while the run was being read wants it to stay so.
    if (timeline_->arrangement() == LaneArrangement())
        timeline_->setArrangement(laneArrangementFrom(left.lanes));
    if (view_.selection() || view_.visibleRange() != view_.fullRange())
        return;
    const TimeNs origin = view_.run()->span.begin;
    if (left.visible)
        view_.setVisibleRange({left.visible->begin + origin, left.visible->end + origin});
    if (left.selection) {
        const RankTrace* trace = view_.trace(left.selection->rank);
        if (trace != nullptr && left.selection->event < trace->events.size() &&
            trace->events.start[left.selection->event] - origin == left.selectionStart)
            view_.select(left.selection);
    }
    if (left.screen == timelineScreen && screenShown() != compareScreen)
        showScreen(timelineScreen);
}

} // namespace rankscope
