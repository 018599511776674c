// SPDX-License-Identifier: GPL-3.0-or-later
// What the window is made of. The parts do not know each other: controllers let them work together.
#pragma once
#include <map>

#include <QString>

#include "widgets/command_table.h"
#include "widgets/view_state.h"

class QMainWindow;
class QSplitter;
class QWidget;

namespace rankscope {

class BookmarksPanel;
class ComparePage;
class ComparisonController;
class FoldingTabs;
class LoadBar;
class NoticesBar;
class Overview;
class RecentRuns;
class RunLibrary;
class RunsModel;
class RunsPanel;
class StartPage;
class TimelineView;

/// All but the values are the window's children.
struct WindowParts {
    explicit WindowParts(QMainWindow* window);
    WindowParts(const WindowParts&) = delete;
    WindowParts& operator=(const WindowParts&) = delete;

    void fail(const QString& message) const; ///< a notice above the screens
    /// There as well, for some seconds. part: of the run, where the file has no more than that.
    void saved(const QString& file, const QString& part = {}) const;
    [[nodiscard]] std::map<QString, QWidget*> pages() const; ///< of screens that are no AnalysisScreen, by id

    QMainWindow* window;
    CommandTable commands;
    ViewState view;
    RunLibrary* library;
    ComparisonController* comparison; ///< the runs side by side
    RunsModel* runs;                  ///< the runs listed
    RecentRuns* recent;
    // At the left.
    RunsPanel* runsPanel;
    BookmarksPanel* bookmarks;
    // Above the screens.
    LoadBar* loadBar;
    NoticesBar* notices;
    // Pages of their own.
    StartPage* startPage;
    Overview* overview;
    ComparePage* comparePage;
    QSplitter* timelinePage; ///< timeline, and the panels below it
    TimelineView* timeline;
    FoldingTabs* panels;
};

} // namespace rankscope
