// SPDX-License-Identifier: GPL-3.0-or-later
// The window: lays its parts out, and connects the controllers that let them work together.
#include "app/window/main_window.h"

#include <algorithm>

#include <QCloseEvent>
#include <QDockWidget>
#include <QMimeData>
#include <QScreen>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include "app/settings/settings.h"
#include "app/settings/shortcut_settings.h"
#include "app/window/run_header.h"
#include "app/window/window_controllers.h"
#include "app/window/window_menus.h"
#include "widgets/focus_frame.h"
#include "widgets/folding_tabs.h"
#include "widgets/panels/bookmarks_panel.h"
#include "widgets/panels/load_bar.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/range_panel.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/panels/search_panel.h"
#include "widgets/panels/used_range_bar.h"
#include "widgets/plain_texts.h"
#include "widgets/scrolled_page.h"
#include "widgets/timeline/timeline_view.h"

// The resources lie in a static library: without this the linker leaves them out.
static void initResources() { Q_INIT_RESOURCE(rankscope); }

/// Before the window has labels: some are polished while it is built.
static QWidget* withPlainTexts(QWidget* parent) {
    rankscope::showTextsAsTheyAre();
    return parent;
}

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

MainWindow::MainWindow(const GuiOptions& options, QWidget* parent)
    : QMainWindow(withPlainTexts(parent)), parts_(this), controllers_(new WindowControllers{parts_}) {
    initResources();
    setAcceptDrops(true);
    layOut();
    new FocusFrame(this);
    connectControllers();
    addCommands(parts_, *controllers_);
    keepShortcuts(parts_.commands);
    auto* menus = new WindowMenus(parts_, this);
    connect(menus, &WindowMenus::runWanted, this, [this](const QStringList& paths) { addPaths(paths); });
    controllers_->exports.addActions();
    restoreLayout();
    controllers_->settings.restoreTheme();
    controllers_->settings.start(options);
    controllers_->shown.setSelection(options.selection);
    controllers_->study.resume();
    controllers_->screens.focusPage();
}

// The controllers act on the views, and the views look at the view state, until they go.
MainWindow::~MainWindow() {
    controllers_.reset();
    delete takeCentralWidget();
}

void MainWindow::connectControllers() {
    WindowControllers& c = *controllers_;
    connect(&c.opening, &OpeningController::listChanged, &c.comparing, &CompareScreenController::offer);
    connect(&c.opening, &OpeningController::comparisonWanted, &c.comparing, &CompareScreenController::compare);
    connect(&c.opening, &OpeningController::generating, &c.reading, &ReadingController::setGenerating);
    connect(&c.comparing, &CompareScreenController::started, &c.opening, &OpeningController::showNoneFound);
    connect(&c.comparing, &CompareScreenController::listingWanted, &c.opening,
            [&c](const QStringList& paths) { c.opening.addPaths(paths, Opening::compare); });
    connect(&c.captures, &CaptureController::listChanged, &c.comparing, &CompareScreenController::offer);
    connect(&c.captures, &CaptureController::runWanted, &c.opening, &OpeningController::open);
    connect(&c.captures, &CaptureController::comparisonWanted, &c.comparing, &CompareScreenController::compare);
    connect(&c.panels, &PanelController::instancesAsked, &c.navigation,
            qOverload<const QString&>(&Navigation::showInstances));
    connect(&c.navigation, &Navigation::classChosen, &c.settings, &SettingsController::takeKernelClass);
    connect(&c.settings, &SettingsController::readingChanged, &c.study, &StudyController::setReading);
    connect(&c.settings, &SettingsController::rulesChanged, &c.study, &StudyController::setRules);
    connect(
        &c.study, &StudyController::runWanted, this, [this](const QStringList& paths) { addPaths(paths); });

    const auto refresh = [this] { parts_.commands.refresh(); };
    connect(&c.screens, &ScreenController::changed, this, refresh);
    connect(&c.screens, &ScreenController::offered, this, refresh);
    connect(&parts_.view, &ViewState::runChanged, this, refresh);
    connect(&parts_.view, &ViewState::selectionChanged, this, refresh);
    connect(&parts_.view, &ViewState::usedRangesChanged, this, refresh);
    connect(&c.shown, &RunOnScreen::analysisChanged, this, refresh);
    connect(&c.study, &StudyController::studyChanged, this, refresh);
    connect(&JobFailures::instance(), &JobFailures::failed, this, [this](const QString& why) { parts_.fail(why); });
    connect(parts_.library, &RunLibrary::runRead, this, &MainWindow::runOpened);
    connect(parts_.library, &RunLibrary::runAnalysed, this, &MainWindow::runAnalysed);
    connect(&c.opening, &OpeningController::openFailed, this, &MainWindow::openFailed);
}

void MainWindow::layOut() {
    QDockWidget* const runs = addDock(tr("Runs"), u"runs"_s, parts_.runsPanel);
    connect(runs, &QDockWidget::visibilityChanged, this, [this, runs] {
        const bool shown = !runs->isHidden();
        if (shown != listIsWorthShowing()) // by the user: it stays so
            runsListChosen_ = true;
    });
    connect(parts_.runs, &RunsModel::rowsInserted, this, &MainWindow::foldRuns);
    connect(parts_.runs, &RunsModel::rowsRemoved, this, &MainWindow::foldRuns);
    addDock(tr("Bookmarks"), u"bookmarks"_s, parts_.bookmarks)->hide();

    QSplitter* timeline = parts_.timelinePage;
    timeline->setFocusProxy(parts_.timeline);
    timeline->addWidget(parts_.timeline);
    timeline->addWidget(parts_.panels);
    timeline->setStretchFactor(0, 3);
    timeline->setStretchFactor(1, 1);
    timeline->setSizes({500, 190});

    auto* bars = new QVBoxLayout;
    bars->setContentsMargins(18, 6, 18, 4);
    bars->addWidget(parts_.loadBar);
    bars->addWidget(parts_.notices);
    bars->addWidget(new UsedRangeBar(&parts_.view));
    auto* central = new QWidget;
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(&controllers_->screens.header());
    layout->addLayout(bars);
    layout->addWidget(scrolled(&controllers_->screens.pages()), 1);
    setCentralWidget(central);
}

QDockWidget* MainWindow::addDock(const QString& title, const QString& name, QWidget* panel) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    dock->setWidget(panel);
    addDockWidget(Qt::LeftDockWidgetArea, dock);
    return dock;
}

void MainWindow::addPaths(const QStringList& paths, Opening opening) { controllers_->opening.addPaths(paths, opening); }
void MainWindow::reopenRuns() { controllers_->opening.reopen(); }
void MainWindow::compareRuns(const QStringList& paths) { controllers_->comparing.compare(paths); }
void MainWindow::openRun(const QString& path) { controllers_->opening.open(path); }
void MainWindow::openDemo() { controllers_->tour.openDemo(); }
void MainWindow::openDemo(bool withTour) { controllers_->tour.openDemo(withTour); }
void MainWindow::showScreen(const QString& id) { controllers_->screens.show(id); }
Navigation& MainWindow::navigation() const { return controllers_->navigation; }
ExportController& MainWindow::exports() const { return controllers_->exports; }
SettingsController& MainWindow::settings() const { return controllers_->settings; }
RangePanel& MainWindow::rangePanel() const { return *parts_.panels->findChild<RangePanel*>(); }
SearchPanel& MainWindow::searchPanel() const { return *parts_.panels->findChild<SearchPanel*>(); }
AnalysisScreen* MainWindow::analysisScreen(const QString& id) const { return controllers_->screens.at(id); }
QString MainWindow::screenShown() const { return controllers_->screens.shown(); }
Tour* MainWindow::tour() const { return controllers_->tour.tour(); }
QString MainWindow::openPath() const { return controllers_->shown.path(); }
std::shared_ptr<const AnalysedRun> MainWindow::shownAnalysis() const { return controllers_->shown.analysis(); }

int MainWindow::usualListWidth() const { return std::min(270, width() / 5); }
bool MainWindow::listIsWorthShowing() const { return parts_.runs->runPaths().size() != 1; }

/// A list of one run takes the room of the timeline.
void MainWindow::foldRuns() {
    if (runsListChosen_)
        return;
    auto* runs = findChild<QDockWidget*>(u"runs"_s);
    const bool comes = runs->isHidden() && listIsWorthShowing();
    const bool keys = runs->isAncestorOf(focusWidget());
    runs->setVisible(listIsWorthShowing());
    if (keys && runs->isHidden())
        controllers_->screens.focusPage();
    if (comes)
        resizeDocks({runs}, {usualListWidth()}, Qt::Horizontal);
}

bool MainWindow::isBusy() const {
    const WindowControllers& c = *controllers_;
    return parts_.library->isBusy() || c.opening.isBusy() || c.shown.isBusy() || c.navigation.isBusy();
}

void MainWindow::restoreLayout() {
    const auto settings = openSettings();
    if (!restoreGeometry(settings->value("window/geometry"_L1).toByteArray()))
        resize(QSize(1280, 800).boundedTo(screen()->availableSize() * 19 / 20)); // with room for its frame
    resizeDocks({findChild<QDockWidget*>(u"runs"_s)}, {usualListWidth()}, Qt::Horizontal);
    restoreState(settings->value("window/state"_L1).toByteArray());
    runsListChosen_ = settings->value("window/runs_list_chosen"_L1).toBool();
    foldRuns();
    parts_.timelinePage->restoreState(settings->value("window/timeline_split"_L1).toByteArray());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    WindowControllers& c = *controllers_;
    const auto settings = openSettings();
    settings->setValue("window/geometry"_L1, saveGeometry());
    settings->setValue("window/state"_L1, saveState());
    settings->setValue("window/runs_list_chosen"_L1, runsListChosen_);
    settings->setValue("window/timeline_split"_L1, parts_.timelinePage->saveState());
    c.opening.keepForReopening();
    c.study.keep([&c](const QString& path) { return c.opening.isGenerated(path); });
    c.sessions.finish();
    parts_.library->want({});
    event->accept();
}

bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::ThemeChange && controllers_)
        controllers_->settings.followDesktop();
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
