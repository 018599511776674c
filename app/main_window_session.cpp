// SPDX-License-Identifier: GPL-3.0-or-later
// Leaves a run as it stands, and takes it up again.
#include <filesystem>
#include <optional>

#include <QSettings>
#include <QStackedWidget>

#include "app/demo_runs.h"
#include "app/main_window.h"
#include "app/run_library.h"
#include "app/run_session.h"
#include "app/session_keeper.h"
#include "app/settings.h"
#include "widgets/panels/bookmarks_panel.h"
#include "widgets/panels/runs_model.h"
#include "widgets/screens/study_screen.h"
#include "widgets/timeline/lane_arrangement.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr auto kOpenRuns = "window/open_runs"_L1;
constexpr auto kRunOnScreen = "window/run_on_screen"_L1;
constexpr auto kStudyRuns = "study/runs"_L1;
constexpr auto kStudyKey = "study/order_by"_L1;
constexpr auto kStudyMetric = "study/metric"_L1;
constexpr auto kStudyAgainst = "study/against"_L1;
} // namespace

bool MainWindow::isGenerated(const QString& path) const {
    return demo_ && std::filesystem::path(captureOf(path).path.toStdString()).parent_path() ==
                        demo_->paths().front().parent_path();
}

/// Only of a run that was read wholly: a session of what was there so far would lose what the last one knew.
std::optional<RunSession> MainWindow::sessionNow() {
    if (!view_.run() || view_.run() != library_->at(current_).run)
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

void MainWindow::buildSessions() {
    sessions_ = new SessionKeeper([this] { return sessionNow(); },
                                  [this](const QString& path) { return !isGenerated(path); }, this);
    connect(sessions_, &SessionKeeper::failed, this,
            [this](const QString& reason) { fail(tr("What you left in this run cannot be kept: %1").arg(reason)); });
    connect(&view_, &ViewState::visibleRangeChanged, sessions_, &SessionKeeper::touch);
    connect(&view_, &ViewState::selectionChanged, sessions_, &SessionKeeper::touch);
    connect(&view_, &ViewState::overlaysChanged, sessions_, &SessionKeeper::touch);
    connect(timeline_, &TimelineView::arrangementChanged, sessions_, &SessionKeeper::touch);
    connect(bookmarks_->model(), &BookmarksModel::changed, sessions_, &SessionKeeper::touch);
    connect(pages_, &QStackedWidget::currentChanged, sessions_, &SessionKeeper::touch);
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

void MainWindow::keepStudy() const {
    const auto* study = qobject_cast<const StudyScreen*>(analysisScreen(u"study"_s));
    if (study == nullptr)
        return;
    StudyLeft left = study->left();
    left.runs.removeIf([this](const QString& path) { return isGenerated(path); });
    const auto settings = openSettings();
    settings->setValue(kStudyRuns, left.runs);
    settings->setValue(kStudyKey, left.key);
    settings->setValue(kStudyMetric, left.metric);
    settings->setValue(kStudyAgainst, left.against);
}

void MainWindow::resumeStudy() {
    const auto settings = openSettings();
    if (auto* study = qobject_cast<StudyScreen*>(analysisScreen(u"study"_s)))
        study->resume({settings->value(kStudyRuns).toStringList(), settings->value(kStudyKey).toString(),
                       settings->value(kStudyMetric).toString(), settings->value(kStudyAgainst).toString()});
}

void MainWindow::reopenRuns() {
    const auto settings = openSettings();
    addPaths(settings->value(kOpenRuns).toStringList(), Opening::first, settings->value(kRunOnScreen).toString(), true);
}

void MainWindow::resumeSession() {
    bookmarks_->model()->setBookmarks({});
    const Result<std::optional<RunSession>> session = sessions_->read(current_);
    if (!session)
        return fail(tr("What you left in this run is not restored: %1 (%2).")
                        .arg(QString::fromStdString(session.error().message), sessionFile(current_)));
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
