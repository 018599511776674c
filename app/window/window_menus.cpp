// SPDX-License-Identifier: GPL-3.0-or-later
// The menus.
#include "app/window/window_menus.h"

#include <map>

#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenuBar>
#include <QMessageBox>
#include <QStandardPaths>
#include <QUrl>

#include "app/window/glossary_dialog.h"
#include "app/window/recent_runs.h"
#include "app/window/window_command.h"
#include "app/window/window_controllers.h"
#include "core/version.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

void showAbout(QWidget* window) {
    auto* const box = new QMessageBox(
        QMessageBox::NoIcon, WindowMenus::tr("About Rankscope"),
        WindowMenus::tr(
            "<h3>Rankscope %1</h3><p>Where the time of a multi-rank GPU job goes, and who holds up whom.</p>"
            "<p>Free software under the GNU General Public License, version 3 or later. No warranty.</p>")
            .arg(QString::fromUtf8(kVersion.data(), static_cast<qsizetype>(kVersion.size()))),
        QMessageBox::Ok, window);
    box->setTextFormat(Qt::RichText); // our own markup
    box->setIconPixmap(window->windowIcon().pixmap(64));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

/// The start of the documentation: beside the program, else where the system keeps it. Empty: it is not installed.
QString documentation() {
    const QString page = u"doc/rankscope/docs/README.md"_s;
    const QString beside = QCoreApplication::applicationDirPath() + u"/../share/"_s + page;
    return QFileInfo::exists(beside) ? QDir::cleanPath(beside)
                                     : QStandardPaths::locate(QStandardPaths::GenericDataLocation, page);
}

} // namespace

void addCommands(WindowParts& parts, WindowControllers& controllers) {
    CommandTable& table = parts.commands;
    WindowControllers& c = controllers;
    c.opening.addCommands();
    c.tour.addDemoCommand();
    c.reading.addCommands();
    c.exports.addCommands();
    c.settings.addCommands();
    table.add(separated(windowCommand(u"quit"_s, WindowMenus::tr("&File"), WindowMenus::tr("&Quit"), {u"Ctrl+Q"_s},
                                      WindowMenus::tr("Close the window"), [&parts] { parts.window->close(); })));
    c.screens.addCommands(table);
    QWidget* runs = parts.runsPanel->parentWidget();
    table.add(separated(checkedIf(windowCommand(u"runs-dock"_s, WindowMenus::tr("&View"), WindowMenus::tr("&Runs"),
                                                {u"Ctrl+B"_s}, WindowMenus::tr("Show or hide the list of runs"),
                                                [runs] { runs->setVisible(runs->isHidden()); }),
                                  [runs] { return !runs->isHidden(); })));
    c.panels.addCommands();
    NoticesBar* notices = parts.notices;
    table.add(enabledIf(windowCommand(u"hidden-notices"_s, WindowMenus::tr("&View"), WindowMenus::tr("Hidden &notices"),
                                      {}, WindowMenus::tr("Show the notices of this run that you hid"),
                                      [notices] { notices->setHiddenNotices({}); }),
                        [notices] { return !notices->hiddenNotices().empty(); }));
    c.settings.addThemeCommands();
    parts.overview->useCommands(table);
    parts.timeline->useCommands(table);
    c.comparing.addCommands();
    c.captures.addCommands();
    c.panels.usePlaces();
    c.navigation.addCommands();
    c.sessions.addCommands();
    table.add(windowCommand(u"shortcuts"_s, WindowMenus::tr("&Help"), WindowMenus::tr("&Shortcuts"), {u"?"_s, u"F1"_s},
                            WindowMenus::tr("Show all shortcuts"), [&c] { c.settings.showShortcuts(); }));
    c.tour.addTourCommand();
    table.add(windowCommand(u"glossary"_s, WindowMenus::tr("&Help"), WindowMenus::tr("&Glossary"), {},
                            WindowMenus::tr("What the words of the window mean"), [&parts] {
                                auto* const dialog = new GlossaryDialog(parts.window);
                                dialog->setAttribute(Qt::WA_DeleteOnClose);
                                dialog->show();
                            }));
    if (const QString page = documentation(); !page.isEmpty())
        table.add(windowCommand(
            u"documentation"_s, WindowMenus::tr("&Help"), WindowMenus::tr("&Documentation"), {},
            WindowMenus::tr("Open the installed pages, first steps first"),
            [page] { QDesktopServices::openUrl(QUrl::fromLocalFile(page)); }));
    table.add(windowCommand(u"about"_s, WindowMenus::tr("&Help"), WindowMenus::tr("&About Rankscope"), {},
                            WindowMenus::tr("Version and licence"), [&parts] { showAbout(parts.window); }));
    c.screens.usePlaces(table);
}

WindowMenus::WindowMenus(WindowParts& parts, QObject* parent) : QObject(parent), parts_(parts) {
    std::map<QString, QMenu*> menus;
    const auto menuOf = [&](const auto& self, const QString& path) -> QMenu* {
        if (const auto made = menus.find(path); made != menus.end())
            return made->second;
        const qsizetype slash = path.lastIndexOf(u'/');
        QMenu* menu = slash < 0 ? parts_.window->menuBar()->addMenu(path)
                                : self(self, path.left(slash))->addMenu(path.mid(slash + 1));
        connect(menu, &QMenu::aboutToShow, this, [this] { parts_.commands.refresh(); });
        return menus[path] = menu;
    };
    for (const Command& command : parts_.commands.commands()) {
        QMenu* menu = menuOf(menuOf, command.menu);
        if (command.separated)
            menu->addSeparator();
        menu->addAction(parts_.commands.action(command.id));
        if (command.id == "open-file"_L1)
            recent_ = menu->addMenu(tr("&Recent runs"));
    }
    connect(parts_.recent, &RecentRuns::changed, this, &WindowMenus::rebuildRecent);
    rebuildRecent();
}

void WindowMenus::rebuildRecent() {
    recent_->clear();
    for (const QString& path : parts_.recent->paths())
        connect(recent_->addAction(QString(path).replace(u'&', u"&&"_s)), &QAction::triggered, this,
                [this, path] { Q_EMIT runWanted({path}); });
    recent_->setEnabled(!recent_->isEmpty());
    recent_->addSeparator();
    connect(recent_->addAction(tr("Clear the list")), &QAction::triggered, parts_.recent, &RecentRuns::clear);
}

} // namespace rankscope
