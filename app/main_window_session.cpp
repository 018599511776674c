// SPDX-License-Identifier: GPL-3.0-or-later
// Leaves a run as it stands, and takes it up again.
#include <filesystem>
#include <optional>

#include <QFileInfo>
#include <QSettings>

#include "app/demo_runs.h"
#include "app/main_window.h"
#include "app/run_session.h"
#include "app/settings.h"
#include "widgets/panels/bookmarks_panel.h"
#include "widgets/panels/runs_model.h"
#include "widgets/timeline/lane_arrangement.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr auto kOpenRuns = "window/open_runs"_L1;
constexpr auto kRunOnScreen = "window/run_on_screen"_L1;
} // namespace

bool MainWindow::isGenerated(const QString& path) const {
    return demo_ && std::filesystem::path(captureOf(path).path.toStdString()).parent_path() ==
                        demo_->paths().front().parent_path();
}

/// Only of a run that was read wholly: a session of what was there so far would lose what the last one knew.
std::optional<RunSession> MainWindow::sessionNow() {
    if (!open_.contains(current_) || isGenerated(current_) || view_.run() != open_.at(current_).run)
        return {};
    const Run& run = *view_.run();
    RunSession session;
    session.screen = screenShown();
    if (view_.visibleRange() != view_.fullRange())
        session.visible =
            TimeRange{view_.visibleRange().begin - run.span.begin, view_.visibleRange().end - run.span.begin};
    session.selection = view_.selection();
    if (session.selection)
        session.selectionStart =
            view_.trace(session.selection->rank)->events.start[session.selection->event] - run.span.begin;
    session.bookmarks = bookmarks_->model()->bookmarks();
    session.lanes = toJson(timeline_->arrangement());
    for (std::size_t i = 0; i < kOverlayCount; ++i)
        session.overlays[i] = view_.shows(static_cast<Overlay>(i));
    session.origin = timeline_->scene().origin;
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
                    fail(tr("What you left in this run cannot be kept: %1")
                             .arg(QString::fromStdString(written.error().message)));
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

void MainWindow::keepOpenRuns() const {
    QStringList folders;
    for (const QString& folder : runs_->folderPaths())
        if (!isGenerated(folder))
            folders << folder;
    const auto settings = openSettings();
    settings->setValue(kOpenRuns, folders);
    settings->setValue(kRunOnScreen, isGenerated(current_) ? QString() : current_);
}

void MainWindow::reopenRuns() {
    const auto settings = openSettings();
    QStringList present;
    for (const QString& path : settings->value(kOpenRuns).toStringList())
        if (QFileInfo::exists(path))
            present << path;
    if (!present.isEmpty())
        addPaths(present, Opening::first, settings->value(kRunOnScreen).toString());
}

void MainWindow::resumeSession(const QString& path) {
    bookmarks_->model()->setBookmarks({});
    if (isGenerated(path))
        return;
    const auto waiting = unwritten_.find(path);
    const Result<std::optional<RunSession>> session =
        waiting == unwritten_.end() ? readSession(path) : Result<std::optional<RunSession>>(waiting->second);
    if (!session)
        return fail(tr("What you left in this run is not restored: %1 (%2).")
                        .arg(QString::fromStdString(session.error().message), sessionFile(path)));
    if (!*session)
        return;
    const RunSession& left = **session;
    bookmarks_->model()->setBookmarks(left.bookmarks);
    for (std::size_t i = 0; i < kOverlayCount; ++i)
        view_.setShows(static_cast<Overlay>(i), left.overlays[i]);
    timeline_->setTimeOrigin(left.origin);
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
