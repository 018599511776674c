// SPDX-License-Identifier: GPL-3.0-or-later
// The window: lays its parts out, and connects the controllers that let them work together.
#pragma once
#include <memory>

#include <QMainWindow>

#include "app/window/gui.h"
#include "app/window/opening_controller.h"
#include "app/window/screens.h"
#include "app/window/window_parts.h"
#include "core/compare/analysed_run.h"

class QDockWidget;

namespace rankscope {

class AnalysisScreen;
class ExportController;
class Navigation;
class RangePanel;
class SearchPanel;
class SettingsController;
class Tour;
struct WindowControllers;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    static constexpr QLatin1StringView overviewScreen = kOverviewScreen;
    static constexpr QLatin1StringView timelineScreen = kTimelineScreen;
    static constexpr QLatin1StringView compareScreen = kCompareScreen;
    using Opening = rankscope::Opening;

    explicit MainWindow(const GuiOptions& options, QWidget* parent = nullptr);
    ~MainWindow() override;

    // What whoever starts the program asks for; see the controllers.
    void addPaths(const QStringList& paths, Opening opening = Opening::first);
    void reopenRuns();
    void compareRuns(const QStringList& paths);
    void openRun(const QString& path);
    void openDemo();
    void openDemo(bool withTour);
    void showScreen(const QString& id);

    [[nodiscard]] Navigation& navigation() const;
    [[nodiscard]] ExportController& exports() const;
    [[nodiscard]] SettingsController& settings() const;
    [[nodiscard]] CommandTable& commands() { return parts_.commands; }
    [[nodiscard]] ViewState& viewState() { return parts_.view; }
    [[nodiscard]] RunLibrary& library() const { return *parts_.library; }
    [[nodiscard]] ComparisonController& comparison() const { return *parts_.comparison; }
    [[nodiscard]] RunsModel& runs() const { return *parts_.runs; }
    [[nodiscard]] RunsPanel& runsPanel() const { return *parts_.runsPanel; }
    [[nodiscard]] RecentRuns& recentRuns() const { return *parts_.recent; }
    [[nodiscard]] NoticesBar& notices() const { return *parts_.notices; }
    [[nodiscard]] LoadBar& loadBar() const { return *parts_.loadBar; }
    [[nodiscard]] StartPage& startPage() const { return *parts_.startPage; }
    [[nodiscard]] Overview& overview() const { return *parts_.overview; }
    [[nodiscard]] ComparePage& comparePage() const { return *parts_.comparePage; }
    [[nodiscard]] TimelineView& timeline() const { return *parts_.timeline; }
    [[nodiscard]] BookmarksPanel& bookmarks() const { return *parts_.bookmarks; }
    [[nodiscard]] RangePanel& rangePanel() const;
    [[nodiscard]] SearchPanel& searchPanel() const;
    [[nodiscard]] AnalysisScreen* analysisScreen(const QString& id) const; ///< nullptr: no such screen
    [[nodiscard]] QString screenShown() const;
    [[nodiscard]] Tour* tour() const;       ///< nullptr: none on screen
    [[nodiscard]] QString openPath() const; ///< of the run on screen; empty: none
    /// Of the range in use, or of the whole run; nullptr while it is computed.
    [[nodiscard]] std::shared_ptr<const AnalysedRun> shownAnalysis() const;
    [[nodiscard]] bool isBusy() const; ///< looking for runs, reading or analysing

Q_SIGNALS:
    void runOpened(const QString& path);   ///< wholly read
    void runAnalysed(const QString& path); ///< overview filled
    void openFailed(const QString& path);

protected:
    bool event(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void layOut();
    QDockWidget* addDock(const QString& title, const QString& name, QWidget* panel);
    void connectControllers();
    void restoreLayout();
    [[nodiscard]] bool listIsWorthShowing() const;
    [[nodiscard]] int usualListWidth() const;
    void foldRuns();

    WindowParts parts_;
    std::unique_ptr<WindowControllers> controllers_;
    bool runsListChosen_ = false; ///< the user shows or hides the list of runs
};

} // namespace rankscope
