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
    return demo_ && std::filesystem::path(captureOf(path).path.toStdString()).parent_path() == demo_->paths().front().parent_path();
}

/// Only of a run that was read wholly: a session of what was there so far would lose what the last one knew.
std::optional<RunSession> MainWindow::sessionNow() {
    if (!open_.contains(current_) || isGenerated(current_) || view_.run() != open_.at(current_).run)
        return {};
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
    return session;
}

// A disk may take its time to have the file for sure: in the background. What is not written yet is kept here.
void MainWindow::keepSession() {
    const std::optional<RunSession> session = sessionNow();
    if (!session)
        return;
    unwritten_[current_] = *session;
    looking_.add([this, path = current_, session = *session] {
        const auto written = writeSession(path, session);
        QMetaObject::invokeMethod(
            this,
            [this, path, session, written] {
                const auto waiting = unwritten_.find(path);
                if (waiting != unwritten_.end() && waiting->second == session)
                    unwritten_.erase(waiting);
                if (!written)
                    fail(tr("What you left in this run cannot be kept: %1").arg(QString::fromStdString(written.error().message)));
            },
            Qt::QueuedConnection);
    });
}

void MainWindow::writeSessions() {
    if (const std::optional<RunSession> session = sessionNow())
        unwritten_[current_] = *session;
    looking_.dropWaiting(); // older ones
    for (const auto& [path, session] : unwritten_)
        static_cast<void>(writeSession(path, session)); // the window is closing: nobody is left to tell
    unwritten_.clear();
}

void MainWindow::resumeSession(const QString& path) {
    bookmarks_->model()->setBookmarks({});
    if (isGenerated(path))
        return;
    const auto waiting = unwritten_.find(path);
    const Result<std::optional<RunSession>> session =
        waiting == unwritten_.end() ? readSession(path) : Result<std::optional<RunSession>>(waiting->second);
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
    // The overview is where one starts, and runs that stand side by side stay on screen.
    if (left.screen != compareScreen && left.screen != overviewScreen && screenShown() != compareScreen)
        showScreen(left.screen);
}

} // namespace rankscope
