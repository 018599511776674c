// SPDX-License-Identifier: GPL-3.0-or-later
// rankscope_screenshot: opens a run in the window, waits until it is drawn, and writes a picture. For looking at, not
// for checks.
//   rankscope_screenshot RUN PICTURE.png [start|shortcuts|a screen, see app/window/screens.cpp] [light|dark]
//   [WIDTHxHEIGHT] [RANK]
//                        [view=FROM-TO] [range=FROM-TO] [use=yes]      shares of the run, 0.2-0.3
//                        [search=QUERY] [select=NUMBER OF HIT]
//                        [call=ROW]    of the Collectives screen; from another screen, after it was shown: in the
//                        timeline [part=TAB OF THE KERNELS SCREEN] [filter=TEXT] [what-if=CHANGE] [do=COMMAND]
//                        [goto=TEXT] [type=TEXT] [study=FOLDER OF RUNS] [language=de]
// Dialogs that are open stand in the picture.
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QElapsedTimer>
#include <QIcon>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTextStream>

#include "app/settings/shortcuts_dialog.h"
#include "app/window/main_window.h"
#include "app/window/navigation.h"
#include "app/window/recent_runs.h"
#include "app/window/settings_controller.h"
#include "widgets/compare/compare_page.h"
#include "widgets/language.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/search_panel.h"
#include "widgets/panels/what_if_panel.h"
#include "widgets/screens/analysis_screen.h"
#include "widgets/screens/collective_call_model.h"
#include "widgets/screens/collectives_screen.h"
#include "widgets/screens/kernels_screen.h"
#include "widgets/screens/study_screen.h"
#include "widgets/timeline/timeline_view.h"

using namespace rankscope;
using namespace Qt::Literals::StringLiterals;

namespace {

template <typename Condition>
void waitUntil(Condition&& done, int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    while (!done() && clock.elapsed() < milliseconds)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

QSize sizeFrom(const QString& text) {
    const QStringList parts = text.split(u'x');
    return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize(1280, 800);
}

TimeRange shareOf(TimeRange full, const QString& text) {
    const auto at = [&](int part) {
        return full.begin +
               static_cast<TimeNs>(text.section(u'-', part, part).toDouble() * static_cast<double>(full.length()));
    };
    return {at(0), at(1)};
}

/// What the hands would have done.
void act(MainWindow& window, const QString& what, const QString& value) {
    if (what == "compare"_L1) { // with the run that is open: paths, commas between them
        window.compareRuns(QStringList{window.openPath()} + value.split(u','));
        waitUntil([&] { return window.comparePage().isReady() && !window.isBusy(); }, 60'000);
        return;
    }
    if (what == "tab"_L1)
        return window.comparePage().showTab(static_cast<ComparePage::Tab>(value.toInt()));
    ViewState& view = window.viewState();
    auto* kernels = qobject_cast<KernelsScreen*>(window.analysisScreen(u"kernels"_s));
    if (what == "part"_L1)
        kernels->showTab(static_cast<KernelsScreen::Tab>(value.toInt()));
    else if (what == "filter"_L1)
        kernels->filter().setText(value);
    else if (what == "what-if"_L1) {
        WhatIfPanel& panel = window.overview().whatIf();
        panel.apply(value);
        waitUntil([&] { return !panel.isBusy(); }, 10'000);
        window.overview().reveal(panel);
    } else if (what == "view"_L1)
        view.setVisibleRange(shareOf(view.fullRange(), value));
    else if (what == "range"_L1)
        view.setRange(shareOf(view.fullRange(), value));
    else if (what == "use"_L1)
        view.useRange();
    else if (what == "threads"_L1) // of a rank, opened or closed
        window.timeline().toggleFold(LaneId::ofGroup(value.toInt(), LaneGroup::threads));
    else if (what == "search"_L1) {
        window.commands().action(u"find"_s)->trigger();
        window.searchPanel().setQuery(value);
        waitUntil([&] { return !window.searchPanel().isBusy(); }, 10'000);
    } else if (what == "select"_L1) {
        for (int i = 0; i < value.toInt(); ++i)
            window.searchPanel().step(+1);
    } else if (what == "do"_L1) {
        window.commands().action(value)->trigger();
    } else if (what == "study"_L1) { // the runs below a folder, on the Study screen
        auto* screen = qobject_cast<StudyScreen*>(window.analysisScreen(u"study"_s));
        screen->addPaths({value});
        waitUntil([&] { return screen->isReady(); }, 120'000);
    } else if (what == "goto"_L1) {
        window.navigation().goTo(*parseGoTo(value.toStdString()), view.run()->ranks.front()->rank);
    } else if (what == "call"_L1) { // a number of the Collectives screen's table, shown in the timeline
        auto* screen = qobject_cast<CollectivesScreen*>(window.analysisScreen(u"collectives"_s));
        screen->table().setCurrentIndex(screen->model().index(value.toInt(), 0));
        if (window.screenShown() != "collectives"_L1)
            Q_EMIT screen->table().activated(screen->table().currentIndex());
    } else if (what == "type"_L1 && QApplication::focusWidget() != nullptr) {
        for (const QChar letter : value) {
            QKeyEvent press(QEvent::KeyPress, 0, Qt::NoModifier, letter);
            QApplication::sendEvent(QApplication::focusWidget(), &press);
        }
    }
    waitUntil([&] { return !window.isBusy(); }, 60'000);
}

/// The window, and the dialogs over it where they stand.
QPixmap picture(MainWindow& window) {
    QPixmap all = window.grab();
    QPainter painter(&all);
    for (QDialog* dialog : window.findChildren<QDialog*>())
        if (dialog->isVisible()) {
            const QPoint at = window.mapFromGlobal(dialog->mapToGlobal(QPoint()));
            painter.drawPixmap(at, dialog->grab());
            painter.setPen(Qt::gray);
            painter.drawRect(QRect(at, dialog->size()).adjusted(-1, -1, 0, 0));
        }
    return all;
}

} // namespace

int main(int argc, char** argv) {
    QTemporaryDir settings; // never the user's own
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    QApplication application(argc, argv);
    QStringList arguments = QApplication::arguments();
    QStringList actions;
    while (arguments.size() > 3 && arguments.back().contains(u'='))
        actions.prepend(arguments.takeLast());
    if (arguments.size() < 3) {
        QTextStream(stderr) << "rankscope_screenshot RUN PICTURE.png [SCREEN] [THEME] [WIDTHxHEIGHT] [RANK]\n";
        return 2;
    }
    for (const QString& action : actions)
        if (action.startsWith("language="_L1))
            installLanguage(languageFromWord(action.section(u'=', 1)));
    const QString screen = arguments.value(3, u"overview"_s);
    MainWindow window(GuiOptions{});
    window.settings().setTheme(themeFromWord(arguments.value(4, u"light"_s)));
    window.resize(sizeFrom(arguments.value(5, u"1280x800"_s)));
    window.show();
    window.activateWindow();
    if (screen == "start"_L1)
        window.recentRuns().add(arguments[1]);
    else
        window.addPaths({arguments[1]});
    waitUntil([&] { return !window.isBusy(); }, 60'000);
    window.showScreen(screen); // start and shortcuts are none
    if (arguments.size() > 6)
        window.overview().setCurrentRank(arguments[6].toInt());
    ShortcutsDialog shortcuts(window.commands(), &window);
    if (screen == "shortcuts"_L1)
        shortcuts.show();
    const auto isDrawn = [&] {
        const AnalysisScreen* shown = window.analysisScreen(window.screenShown());
        return (window.screenShown() != MainWindow::timelineScreen || window.timeline().isReady()) &&
               (shown == nullptr || shown->isReady());
    };
    waitUntil(isDrawn, 30'000);
    for (const QString& action : actions)
        act(window, action.section(u'=', 0, 0), action.section(u'=', 1));
    waitUntil([&] { return !window.isBusy() && isDrawn(); }, 60'000);
    waitUntil([] { return false; }, 300); // queued repaints
    return picture(window).toImage().convertToFormat(QImage::Format_RGB32).save(arguments[2], "PNG", 0)
               ? 0
               : 4; // 0: smallest file
}
