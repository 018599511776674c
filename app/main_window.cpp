// SPDX-License-Identifier: GPL-3.0-or-later
// The window: what it shows, exports and remembers.
#include "app/main_window.h"

#include <filesystem>

#include <QCloseEvent>
#include <QDir>
#include <QFileInfo>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QTreeView>

#include "app/comparison_controller.h"
#include "app/demo_runs.h"
#include "app/recent_runs.h"
#include "app/run_header.h"
#include "app/run_library.h"
#include "app/session_keeper.h"
#include "app/settings.h"
#include "app/shortcut_settings.h"
#include "core/base/whole_file.h"
#include "core/report/metrics_csv.h"
#include "widgets/panels/bookmarks_panel.h"
#include "widgets/panels/load_bar.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/overview_text.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/panels/start_page.h"
#include "widgets/timeline/timeline_view.h"

// The resources lie in a static library: without this the linker leaves them out.
static void initResources() { Q_INIT_RESOURCE(rankscope); }

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

std::filesystem::path filePath(const QString& path) { return std::filesystem::path(path.toStdString()); }

} // namespace

MainWindow::MainWindow(GuiOptions options, QWidget* parent)
    : QMainWindow(parent), options_(std::move(options)), commands_(this), runs_(new RunsModel(this)),
      recent_(new RecentRuns(this)), library_(new RunLibrary(this)),
      comparison_(new ComparisonController(*library_, this)) {
    initResources();
    setAcceptDrops(true);
    buildLayout();
    buildSessions();
    addCommands();
    keepShortcuts(commands_);
    buildMenus();
    addExportActions();
    restoreSettings();
    resumeStudy();
    connect(runs_, &RunsModel::pathsDropped, this,
            [this](const QStringList& paths) { addPaths(paths, Opening::compare); });
    connectLibrary();
    connectComparing();
    connect(&JobFailures::instance(), &JobFailures::failed, this, &MainWindow::fail);
    connect(runsPanel_, &RunsPanel::openRequested, this, &MainWindow::openRun);
    connect(runsPanel_, &RunsPanel::removeRequested, this, &MainWindow::removeRun);
    connect(runsPanel_, &RunsPanel::addFolderRequested, this, &MainWindow::chooseFolder);
    connect(loadBar_, &LoadBar::cancelled, this, &MainWindow::cancelReading);
    connect(overview_, &Overview::rankActivated, this, &MainWindow::showRank);
    connect(overview_, &Overview::findingActivated, this, &MainWindow::showEvidence);
    connect(overview_, &Overview::stepChosen, this, [this](TimeRange step) {
        showScreen(timelineScreen);
        view_.jumpTo(step);
    });
    connect(overview_, &Overview::shareChosen, this, &MainWindow::showShare);
    connect(startPage_, &StartPage::openFolderRequested, this, &MainWindow::chooseFolder);
    connect(startPage_, &StartPage::openFileRequested, this, &MainWindow::chooseFile);
    connect(
        startPage_, &StartPage::demoRequested, this, [this] { openDemo(); });
    connect(startPage_, &StartPage::recentRunRequested, this, [this](const QString& path) { addPaths({path}); });
    connect(recent_, &RecentRuns::changed, this, [this] {
        startPage_->setRecentRuns(recent_->paths());
        rebuildRecentMenu();
    });
    startPage_->setRecentRuns(recent_->paths());
    rebuildRecentMenu();
    showStart();
    runsPanel_->tree().setFocus();
}

// Views look at the view state until they go, so they go first.
MainWindow::~MainWindow() {
    library_->disconnect(this);
    delete takeCentralWidget();
}

void MainWindow::showHeader(const Run& run) {
    header_->setRun(QString::fromStdString(run.name), runSummary(run), captureOf(current_).path, accountingText(run));
    header_->setCaptures(library_->captures(current_), run.source);
    header_->show();
}

void MainWindow::showStart() {
    current_.clear();
    sessions_->setRun({});
    bookmarks_->model()->setBookmarks({});
    passToPanels(nullptr);
    view_.setRun(nullptr);
    notices_->setNotices({});
    header_->hide();
    runs_->setOpen({});
    setWindowTitle(tr("Rankscope"));
    passAnalysis();
    showScreen(overviewScreen);
}

void MainWindow::fail(const QString& message) { notices_->showError(message); }

void MainWindow::showRank(int rank) {
    showScreen(timelineScreen);
    if (view_.trace(rank) != nullptr)
        timeline_->reveal({rank, 0});
    timeline_->setFocus();
}

void MainWindow::showEvidence(int rank, EventIndex event, TimeRange range) {
    showScreen(timelineScreen);
    if (view_.trace(rank) == nullptr)
        return;
    const TimeNs margin = std::max<TimeNs>(range.length(), 10'000); // what lies around it belongs to the evidence
    view_.jumpTo({range.begin - margin, range.end + margin});
    if (event != kNoEvent) {
        view_.select(EventRef{rank, event});
        timeline_->reveal({rank, event});
    }
    timeline_->setFocus();
}

QString MainWindow::exportMetrics(const QString& file) const {
    const std::shared_ptr<const AnalysedRun> shown = shownAnalysis();
    if (!shown)
        return tr("Nothing to export yet: open a run first.");
    const auto written = write_whole_file(filePath(file), metrics_csv({shown.get(), 1}));
    return written ? QString() : QString::fromStdString(written.error().message);
}

bool MainWindow::isBusy() const { return library_->isBusy() || lookups_.isBusy() || ranging_.isBusy(); }

void MainWindow::closeEvent(QCloseEvent* event) {
    const auto settings = openSettings();
    settings->setValue("window/geometry"_L1, saveGeometry());
    settings->setValue("window/state"_L1, saveState());
    settings->setValue("window/timeline_split"_L1, timelineSplit_->saveState());
    keepOpenRuns();
    keepStudy();
    sessions_->finish();
    library_->want({});
    event->accept();
}

void MainWindow::restoreSettings() {
    const auto settings = openSettings();
    if (!restoreGeometry(settings->value("window/geometry"_L1).toByteArray()))
        resize(QSize(1280, 800).boundedTo(screen()->availableSize() * 19 / 20)); // with room for its frame
    restoreState(settings->value("window/state"_L1).toByteArray());
    timelineSplit_->restoreState(settings->value("window/timeline_split"_L1).toByteArray());
    setTheme(themeFromWord(settings->value("window/theme"_L1).toString()));
}

void MainWindow::setTheme(Theme theme) {
    applyTheme(theme);
    commands_.action(u"theme-"_s + themeWord(theme))->setChecked(true);
    openSettings()->setValue("window/theme"_L1, themeWord(theme));
}

/// The desktop has become light or dark, and the window with it, where it follows.
bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::ThemeChange) {
        const Theme chosen = themeFromWord(openSettings()->value("window/theme"_L1).toString());
        if (chosen == Theme::system)
            applyTheme(chosen);
    }
    return QMainWindow::event(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!localPaths(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QStringList paths = localPaths(*event->mimeData());
    if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    addPaths(paths, Opening::compare);
}

} // namespace rankscope
