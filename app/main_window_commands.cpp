// SPDX-License-Identifier: GPL-3.0-or-later
// The window's commands and the menus made of the table.
#include <functional>
#include <map>

#include "widgets/folding_tabs.h"
#include <QAction>
#include <QDockWidget>
#include <QMenuBar>
#include <QMessageBox>

#include "app/main_window.h"
#include "app/recent_runs.h"
#include "app/run_library.h"
#include "app/shortcuts_dialog.h"
#include "core/version.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/panel.h"
#include "widgets/screens/analysis_screen.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

/// A command of the window with its keys as text, "Ctrl+O".
Command windowCommand(const QString& id, const QString& menu, const QString& title, const QStringList& keys,
                      const QString& help, std::function<void()> run) {
    QList<QKeySequence> shortcuts;
    for (const QString& key : keys)
        shortcuts << QKeySequence(key);
    return {id, menu, title, shortcuts, help, std::move(run)};
}

Command separated(Command command) {
    command.separated = true;
    return command;
}

} // namespace

/// The order of the menus, and of the commands in each.
void MainWindow::addCommands() {
    addFileCommands();
    addViewCommands();
    timeline_->useCommands(commands_);
    addCompareCommands();
    addCaptureCommands();
    for (int tab = 0; tab < panels_->count(); ++tab)
        qobject_cast<Panel*>(panels_->widget(tab))->useCommands(commands_);
    addNavigationCommands();
    addHelpCommands();
    for (const ScreenEntry& screen : screens_)
        if (AnalysisScreen* page = analysisScreen(screen.id))
            page->useCommands(commands_);
    connect(
        &view_, &ViewState::runChanged, this, [this] { commands_.refresh(); });
    connect(&view_, &ViewState::selectionChanged, this, [this] { commands_.refresh(); });
}

void MainWindow::addFileCommands() {
    const QString file = tr("&File");
    commands_.add(windowCommand(
        u"open-folder"_s, file, tr("Open &folder…"), {u"Ctrl+O"_s}, tr("Open a folder of traces"),
        [this] { chooseFolder(); }));
    commands_.add(windowCommand(
        u"open-file"_s, file, tr("Open f&ile…"), {u"Ctrl+Shift+O"_s}, tr("Open one trace file"),
        [this] { chooseFile(); }));
    commands_.add(windowCommand(
        u"open-demo"_s, file, tr("Open the &demo"), {}, tr("Generate and open two small runs"),
        [this] { openDemo(); }));
    Command cancel = windowCommand(
        u"cancel-reading"_s, file, tr("&Cancel reading"), {u"Esc"_s}, tr("Stop reading the run that is being read"),
        [this] { cancelReading(); });
    cancel.enabled = [this] { return !library_->reading().isEmpty() || library_->isFetching(); };
    cancel.yields = true;
    commands_.add(std::move(cancel));
    commands_.add(separated(windowCommand(
        u"export"_s, file, tr("&Export…"), {u"Ctrl+E"_s},
        tr("Write a table or plot that is on screen, or all metrics, to a file"), [this] { showExport(); })));
    Command metrics = windowCommand(
        u"export-metrics"_s, file, tr("Export &metrics CSV…"), {},
        tr("Write all metrics of the open run to a CSV file"), [this] { chooseExport(); });
    metrics.enabled = [this] { return shownAnalysis() != nullptr; };
    commands_.add(std::move(metrics));
    Command trace = windowCommand(
        u"export-trace"_s, file, tr("Export &trace for Perfetto…"), {},
        tr("Write all ranks, with flows, counters, steps, waits and findings, as one trace"),
        [this] { chooseTraceExport(); });
    trace.enabled = [this] { return library_->at(current_).analysed != nullptr; };
    commands_.add(std::move(trace));
    commands_.add(separated(windowCommand(
        u"settings"_s, file, tr("&Settings…"), {u"Ctrl+,"_s},
        tr("Theme, colours, fonts, kernel classes, peaks, folders"), [this] { showSettings(); })));
    commands_.add(separated(
        windowCommand(u"quit"_s, file, tr("&Quit"), {u"Ctrl+Q"_s}, tr("Close the window"), [this] { close(); })));
}

void MainWindow::addViewCommands() {
    const QString view = tr("&View");
    addScreenCommands();
    auto* dock = findChild<QDockWidget*>("runs"_L1);
    Command runs = windowCommand(
        u"runs-dock"_s, view, tr("&Runs"), {u"Ctrl+B"_s}, tr("Show or hide the list of runs"),
        [dock] { dock->setVisible(dock->isHidden()); });
    runs.checked = [dock] { return !dock->isHidden(); };
    commands_.add(separated(std::move(runs)));
    Command panels = windowCommand(
        u"panels"_s, view, tr("&Panels below the timeline"), {u"Ctrl+J"_s}, tr("Open or fold them"),
        [this] { panels_->setFolded(!panels_->isFolded()); });
    panels.checked = [this] { return !panels_->isFolded(); };
    commands_.add(std::move(panels));
    const auto theme = [&](const QString& title, const QString& help, Theme which) {
        Command command = windowCommand(u"theme-"_s + themeWord(which), view + u'/' + tr("T&heme"), title, {}, help,
                                        [this, which] { setTheme(which); });
        command.choice = u"theme"_s;
        commands_.add(std::move(command));
    };
    theme(tr("As the &system"), tr("Light or dark as the desktop is"), Theme::system);
    theme(tr("&Light"), tr("Light window"), Theme::light);
    theme(tr("&Dark"), tr("Dark window"), Theme::dark);
    commands_.addPlace({u"overview"_s, tr("Overview"), overview_});
    commands_.addGesture({u"overview"_s, tr("Up / Down"), tr("Go through the ranks' bars")});
    commands_.addGesture({u"overview"_s, tr("Enter, double-click"), tr("Show the rank in the timeline")});
    commands_.addGesture(
        {u"overview"_s, tr("W on a finding"), tr("What if this were fixed: the predicted time of a step")});
    commands_.addGesture({u"overview"_s, tr("Ctrl+C"), tr("Copy the table's selected rows, tab-separated")});
}

void MainWindow::addHelpCommands() {
    const QString help = tr("&Help");
    commands_.add(windowCommand(
        u"shortcuts"_s, help, tr("&Shortcuts"), {u"?"_s, u"F1"_s}, tr("Show all shortcuts"),
        [this] { showShortcuts(); }));
    commands_.add(windowCommand(
        u"tour"_s, help, tr("&Tour"), {}, tr("Five steps through the window"), [this] { startTour(); }));
    commands_.add(windowCommand(u"about"_s, help, tr("&About Rankscope"), {}, tr("Version and licence"),
                                [this] { showAbout(); }));
}

void MainWindow::buildMenus() {
    std::map<QString, QMenu*> menus;
    const auto menuOf = [&](const auto& self, const QString& path) -> QMenu* {
        if (const auto made = menus.find(path); made != menus.end())
            return made->second;
        const qsizetype slash = path.lastIndexOf(u'/');
        QMenu* menu = slash < 0 ? menuBar()->addMenu(path) : self(self, path.left(slash))->addMenu(path.mid(slash + 1));
        connect(menu, &QMenu::aboutToShow, this, [this] { commands_.refresh(); });
        return menus[path] = menu;
    };
    for (const Command& command : commands_.commands()) {
        QMenu* menu = menuOf(menuOf, command.menu);
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
