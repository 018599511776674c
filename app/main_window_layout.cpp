// SPDX-License-Identifier: GPL-3.0-or-later
// How the window's parts are arranged, and its commands.
#include <array>

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "app/main_window.h"
#include "app/recent_runs.h"
#include "app/run_header.h"
#include "app/settings.h"
#include "app/shortcuts_dialog.h"
#include "core/version.h"
#include "widgets/panels/details_panel.h"
#include "widgets/panels/load_bar.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/panels/start_page.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

void MainWindow::buildLayout() {
    auto* dock = new QDockWidget(tr("Runs"), this);
    dock->setObjectName("runs"_L1);
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    runsPanel_ = new RunsPanel(runs_, dock);
    dock->setWidget(runsPanel_);
    addDockWidget(Qt::LeftDockWidgetArea, dock);
    resizeDocks({dock}, {270}, Qt::Horizontal);

    startPage_ = new StartPage;
    overview_ = new Overview;
    timeline_ = new TimelineView(&view_);
    details_ = new DetailsPanel(&view_);
    auto* timelinePage = new QSplitter(Qt::Vertical);
    timelinePage->addWidget(timeline_);
    timelinePage->addWidget(details_);
    timelinePage->setStretchFactor(0, 3);
    timelinePage->setStretchFactor(1, 1);
    timelinePage->setChildrenCollapsible(true);
    timelinePage_ = timelinePage;
    pages_ = new QStackedWidget;
    for (QWidget* page : {static_cast<QWidget*>(startPage_), static_cast<QWidget*>(overview_), timelinePage_})
        pages_->addWidget(page);

    header_ = new RunHeader({tr("Overview"), tr("Timeline")});
    notices_ = new NoticesBar;
    loadBar_ = new LoadBar;
    auto* bars = new QVBoxLayout;
    bars->setContentsMargins(18, 6, 18, 4);
    bars->addWidget(loadBar_);
    bars->addWidget(notices_);
    auto* central = new QWidget;
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(header_);
    layout->addLayout(bars);
    layout->addWidget(pages_, 1);
    setCentralWidget(central);
    connect(header_, &RunHeader::screenChanged, this, [this](int screen) { showScreen(static_cast<Screen>(screen)); });
}

void MainWindow::addCommands() {
    const QString file = tr("&File");
    const QString view = tr("&View");
    const QString help = tr("&Help");
    const QString theme = view + u'/' + tr("&Theme");
    commands_.add({u"open-folder"_s,
                   file,
                   tr("Open &folder…"),
                   {QKeySequence(u"Ctrl+O"_s)},
                   tr("Open a folder of traces"),
                   [this] { chooseFolder(); }});
    commands_.add(
        {u"open-file"_s, file, tr("Open f&ile…"), {QKeySequence(u"Ctrl+Shift+O"_s)}, tr("Open one trace file"), [this] {
             chooseFile();
         }});
    commands_.add({u"open-demo"_s, file, tr("Open the &demo"), {}, tr("Generate and open two small runs"), [this] {
                       openDemo();
                   }});
    commands_.add({u"export-metrics"_s,
                   file,
                   tr("&Export metrics CSV…"),
                   {QKeySequence(u"Ctrl+E"_s)},
                   tr("Write all metrics of the open run to a CSV file"),
                   [this] { chooseExport(); },
                   {},
                   true});
    commands_.add({u"quit"_s,
                   file,
                   tr("&Quit"),
                   {QKeySequence(u"Ctrl+Q"_s)},
                   tr("Close the window"),
                   [this] { close(); },
                   {},
                   true});
    commands_.add(
        {u"screen-overview"_s, view, tr("&Overview"), {QKeySequence(u"Ctrl+1"_s)}, tr("Show the overview"), [this] {
             showScreen(overviewScreen);
         }});
    commands_.add(
        {u"screen-timeline"_s, view, tr("&Timeline"), {QKeySequence(u"Ctrl+2"_s)}, tr("Show the timeline"), [this] {
             showScreen(timelineScreen);
         }});
    commands_.add({u"runs-dock"_s,
                   view,
                   tr("&Runs"),
                   {QKeySequence(u"Ctrl+B"_s)},
                   tr("Show or hide the list of runs"),
                   [this] {
                       auto* dock = findChild<QDockWidget*>("runs"_L1);
                       dock->setVisible(!dock->isVisible());
                   },
                   {},
                   true});
    commands_.add({u"theme-system"_s,
                   theme,
                   tr("As the &system"),
                   {},
                   tr("Light or dark as the desktop is"),
                   [this] { setTheme(Theme::system); },
                   u"theme"_s});
    commands_.add({u"theme-light"_s,
                   theme,
                   tr("&Light"),
                   {},
                   tr("Light window"),
                   [this] { setTheme(Theme::light); },
                   u"theme"_s});
    commands_.add(
        {u"theme-dark"_s, theme, tr("&Dark"), {}, tr("Dark window"), [this] { setTheme(Theme::dark); }, u"theme"_s});
    commands_.add({u"shortcuts"_s,
                   help,
                   tr("&Shortcuts"),
                   {QKeySequence(u"?"_s), QKeySequence(u"F1"_s)},
                   tr("Show all shortcuts"),
                   [this] { showShortcuts(); }});
    commands_.add({u"about"_s, help, tr("&About Rankscope"), {}, tr("Version and licence"), [this] { showAbout(); }});
}

void MainWindow::buildMenus() {
    std::map<QString, QMenu*> menus;
    const auto menuOf = [&](const QString& path) {
        QMenu*& menu = menus[path];
        if (menu == nullptr) {
            const qsizetype slash = path.indexOf(u'/');
            menu = slash < 0 ? menuBar()->addMenu(path) : menus.at(path.left(slash))->addMenu(path.mid(slash + 1));
        }
        return menu;
    };
    for (const Command& command : commands_.commands()) {
        QMenu* menu = menuOf(command.menu);
        if (command.separated)
            menu->addSeparator();
        menu->addAction(commands_.action(command.id));
        if (command.id == "open-file"_L1)
            recentMenu_ = menu->addMenu(tr("&Recent runs"));
    }
}

void MainWindow::rebuildRecentMenu() {
    recentMenu_->clear();
    for (const QString& path : recent_->paths())
        connect(recentMenu_->addAction(QString(path).replace(u'&', u"&&"_s)), &QAction::triggered, this,
                [this, path] { addPaths({path}); });
    recentMenu_->setEnabled(!recentMenu_->isEmpty());
    recentMenu_->addSeparator();
    connect(recentMenu_->addAction(tr("Clear the list")), &QAction::triggered, recent_, &RecentRuns::clear);
}

void MainWindow::showScreen(Screen screen) {
    const QSignalBlocker quiet(header_);
    header_->setCurrentScreen(screen);
    if (current_.isEmpty())
        pages_->setCurrentWidget(startPage_);
    else
        pages_->setCurrentWidget(screen == timelineScreen ? timelinePage_ : overview_);
}

MainWindow::Screen MainWindow::screenShown() const {
    return static_cast<Screen>(header_->currentScreen());
}

QString MainWindow::lastFolder() const {
    return openSettings()->value("open/folder"_L1).toString();
}

void MainWindow::chooseFolder() {
    const QString path = QFileDialog::getExistingDirectory(this, tr("Open a folder of traces"), lastFolder());
    if (path.isEmpty())
        return;
    openSettings()->setValue("open/folder"_L1, QFileInfo(path).absolutePath());
    addPaths({path});
}

void MainWindow::chooseFile() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a trace file"), lastFolder(),
                                                      tr("Traces (*.json *.gz *.zst);;All files (*)"));
    if (path.isEmpty())
        return;
    openSettings()->setValue("open/folder"_L1, QFileInfo(path).absolutePath());
    addPaths({path});
}

void MainWindow::chooseExport() {
    const QString suggested = lastFolder() + u'/' + QFileInfo(current_).fileName() + u"-metrics.csv"_s;
    const QString file = QFileDialog::getSaveFileName(this, tr("Export metrics"), suggested, tr("CSV (*.csv)"));
    if (file.isEmpty())
        return;
    if (const QString problem = exportMetrics(file); !problem.isEmpty())
        fail(problem);
}

void MainWindow::showShortcuts() {
    ShortcutsDialog dialog(commands_, this);
    dialog.exec();
}

void MainWindow::showAbout() {
    QMessageBox::about(
        this, tr("About Rankscope"),
        tr("<h3>Rankscope %1</h3><p>Where the time of a multi-rank GPU job goes, and who holds up whom.</p>"
           "<p>Free software under the GNU General Public License, version 3 or later. No warranty.</p>")
            .arg(QString::fromUtf8(kVersion.data(), static_cast<qsizetype>(kVersion.size()))));
}

} // namespace rankscope
