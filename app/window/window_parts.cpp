// SPDX-License-Identifier: GPL-3.0-or-later
// What the window is made of.
#include "app/window/window_parts.h"

#include <QCoreApplication>
#include <QDir>
#include <QMainWindow>
#include <QSplitter>

#include "app/window/comparison_controller.h"
#include "app/window/recent_runs.h"
#include "app/window/run_library.h"
#include "app/window/screens.h"
#include "widgets/compare/compare_page.h"
#include "widgets/folding_tabs.h"
#include "widgets/panels/bookmarks_panel.h"
#include "widgets/panels/load_bar.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/panels/start_page.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

WindowParts::WindowParts(QMainWindow* theWindow)
    : window(theWindow), commands(theWindow), library(new RunLibrary(theWindow)),
      comparison(new ComparisonController(*library, theWindow)), runs(new RunsModel(theWindow)),
      recent(new RecentRuns(theWindow)), runsPanel(new RunsPanel(runs, theWindow)),
      bookmarks(new BookmarksPanel(&view, theWindow)), loadBar(new LoadBar(theWindow)),
      notices(new NoticesBar(theWindow)), startPage(new StartPage(theWindow)), overview(new Overview(theWindow)),
      comparePage(new ComparePage(theWindow)), timelinePage(new QSplitter(Qt::Vertical, theWindow)),
      timeline(new TimelineView(&view, theWindow)), panels(new FoldingTabs(theWindow)) {}

void WindowParts::fail(const QString& message) const { notices->showError(message); }

void WindowParts::saved(const QString& file, const QString& part) const {
    const QString path = QDir::toNativeSeparators(file);
    notices->showDone(part.isEmpty()
                          ? QCoreApplication::translate("WindowParts", "Saved %1").arg(path)
                          : QCoreApplication::translate("WindowParts", "Saved %1 (only %2)").arg(path, part));
}

std::map<QString, QWidget*> WindowParts::pages() const {
    return {{kOverviewScreen, overview}, {kTimelineScreen, timelinePage}, {kCompareScreen, comparePage}};
}

} // namespace rankscope
