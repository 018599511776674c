// SPDX-License-Identifier: GPL-3.0-or-later
// The window: runs at the left; the run on screen as overview or timeline.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QMainWindow>
#include <QTimer>

#include "app/export.h"
#include "app/go_to.h"
#include "app/gui.h"
#include "app/preferences.h"
#include "app/run_session.h"
#include "app/screens.h"
#include "app/theme.h"
#include "core/compare/analysed_run.h"
#include "core/views/step_summary.h"
#include "widgets/command_table.h"
#include "widgets/jobs.h"
#include "widgets/panels/capture_key.h"
#include "widgets/view_state.h"

class QSplitter;
class QStackedWidget;

namespace rankscope {

class AnalysisScreen;
class BookmarksPanel;
class ComparePage;
class DemoRuns;
class FoldingTabs;
class ComparisonController;
class LoadBar;
class NoticesBar;
class Overview;
class RangePanel;
class SearchPanel;
class RecentRuns;
class RunLibrary;
class SessionKeeper;
class RunHeader;
class RunsModel;
class RunsPanel;
class StartPage;
class TimelineView;
class Tour;
struct FoundPath;
struct TourStep;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// Ids of the screens that the window arranges itself; all are in screenEntries().
    static constexpr QLatin1StringView overviewScreen{"overview"};
    static constexpr QLatin1StringView timelineScreen{"timeline"};
    static constexpr QLatin1StringView compareScreen{"compare"};
    /// What happens to the runs found under several paths: the first is opened, or all are put side by side.
    enum class Opening { first, compare };

    explicit MainWindow(GuiOptions options, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Lists the runs under the paths and opens the first one found.
    void addPaths(const QStringList& paths, Opening opening = Opening::first) { addPaths(paths, opening, {}); }
    /// Lists the runs of the last time again, as far as they are still there, and opens the one that was on screen.
    void reopenRuns();
    /// Reads what is not read yet and shows the Compare screen; the first is the baseline. Fewer than two: nothing.
    void compareRuns(const QStringList& paths);
    void openRun(const QString& path); ///< of a listed run
    /// Another capture of the run on screen; remembered for the next time this run is opened.
    void openCapture(TraceSource source);
    void compareCaptures(); ///< all those of the run on screen, the preferred one as baseline
    void openDemo(bool withTour = tourIsNew());
    void startTour();                   ///< of the run on screen; of the demo where there is none
    void showScreen(const QString& id); ///< one that is not there: nothing
    void showRank(int rank);            ///< in the timeline
    void showShare(StepShare share);    ///< what a step's part consists of
    void showEvidence(int rank, EventIndex event, TimeRange range); ///< of a finding, in the timeline
    void showInTimeline(int rank, EventIndex event); ///< in the timeline; of a collective call all its members
    void showInstances(const QString& query);        ///< in the timeline, all marked, the first one selected
    void goTo(const GoTo& wanted, int rank);         ///< calls are counted on this rank; in the background
    void setTheme(Theme theme);
    void takePreferences(const Preferences& preferences); ///< applied and stored
    void showSliceMenu(const EventRef& slice, QPoint at);
    void takeKernelClass(const KernelClassRule& rule, bool own); ///< not own: the rule is taken away
    /// Empty: written. Else why not.
    [[nodiscard]] QString exportMetrics(const QString& file) const;
    /// Writes the run on screen, and those beside it, as one trace for Perfetto, in the background; only the range in
    /// use, where there is one. A failure is told as a notice.
    void exportTrace(const QString& file);
    [[nodiscard]] bool isExporting() const { return exporting_.isBusy(); }

    [[nodiscard]] CommandTable& commands() { return commands_; }
    [[nodiscard]] RunLibrary& library() const { return *library_; }
    [[nodiscard]] ComparisonController& comparison() const { return *comparison_; }
    [[nodiscard]] RunsModel& runs() const { return *runs_; }
    [[nodiscard]] RunsPanel& runsPanel() const { return *runsPanel_; }
    [[nodiscard]] RecentRuns& recentRuns() const { return *recent_; }
    [[nodiscard]] NoticesBar& notices() const { return *notices_; }
    [[nodiscard]] Overview& overview() const { return *overview_; }
    [[nodiscard]] ComparePage& comparePage() const { return *comparePage_; }
    [[nodiscard]] TimelineView& timeline() const { return *timeline_; }
    [[nodiscard]] BookmarksPanel& bookmarks() const { return *bookmarks_; }
    [[nodiscard]] ViewState& viewState() { return view_; }
    [[nodiscard]] Tour* tour() const { return tour_; } ///< nullptr: none on screen
    [[nodiscard]] StartPage& startPage() const { return *startPage_; }
    [[nodiscard]] LoadBar& loadBar() const { return *loadBar_; }
    [[nodiscard]] QString openPath() const { return current_; }
    [[nodiscard]] QString screenShown() const;
    [[nodiscard]] AnalysisScreen* analysisScreen(const QString& id) const; ///< nullptr: no such screen
    [[nodiscard]] RangePanel& rangePanel() const;
    [[nodiscard]] SearchPanel& searchPanel() const;
    /// Of the range in force, or of the whole run; nullptr while it is computed.
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
    /// Slots of lookups_; those of paths that are looked for count up from 1.
    enum Lookup { demoJob = -3, choiceJob, goToJob };
    void buildLayout();
    // main_window_screens.cpp
    void buildScreens();
    [[nodiscard]] int screenIndex(const QString& id) const;       ///< -1: no such screen
    [[nodiscard]] bool hasScreen(const ScreenEntry& entry) const; ///< for the run on screen
    void offerScreens();
    void addScreenCommands();
    void passAnalysis(); ///< to the analysis screens
    // main_window_explore.cpp
    QWidget* buildTimelinePanels();
    void passToPanels(const std::shared_ptr<const RunAnalysis>& analysis);
    void showSlice(const EventRef& event, bool zoom);
    [[nodiscard]] Selection selectionInForce() const;
    void takeUsedRange();
    void addCommands();
    void addFileCommands();
    void addViewCommands();
    void addNavigationCommands();
    void addHelpCommands();
    void buildBookmarks();
    void buildMenus();
    void restoreSettings();
    void rebuildRecentMenu();

    // main_window_runs.cpp
    void connectLibrary();
    /// shown: the run to open, if it is found. quiet: what is not there is not told.
    void addPaths(const QStringList& paths, Opening opening, const QString& shown, bool quiet = false);
    /// No opening: the runs are listed only.
    void listFound(const std::vector<FoundPath>& found, std::optional<Opening> opening, const QString& shown);
    void showPath(const QString& path); ///< of a run, read or not
    void bringToScreen(const QString& path);
    void showRun();
    void showBefore();
    void showProgress();
    void cancelReading();
    void showStage(const QString& path);
    void showWaiting();
    void removeRun(const QString& path);
    void takePart(const QString& path, const std::shared_ptr<const Run>& run);
    void takeRun(const QString& path);
    void takeFailure(const QString& path, const Error& error);
    void explainFailure(const QString& path, const QString& message);
    void showHeader(const Run& run);
    void connectComparing();
    void addCompareCommands();
    // main_window_captures.cpp
    void addCaptureCommands();
    [[nodiscard]] static QString
    rememberedCapture(const QString& path); ///< its key; the path itself: the preferred one
    static void rememberCapture(const QString& key);
    [[nodiscard]] QString keyOfCapture(const QString& path, TraceSource source) const;
    [[nodiscard]] static std::vector<Notice> noticesOf(const Run& run);
    void offerComparison(); ///< the listed runs, to be chosen on the Compare screen
    void showStart();
    void takeAnalysis(const QString& path);
    void showAnalysis(); ///< of the run on screen, which has one
    void fail(const QString& message);
    void watchUnseenRanks();
    void releaseUnseenRanks(); ///< their events leave memory, of runs beyond the memory budget
    void fetchOpenedRanks();   ///< full traces of digests whose threads were opened
    void takeFullTrace(const QString& path, int rank);

    void chooseFolder();
    void chooseFile();
    void chooseExport();
    void chooseTraceExport();
    void showPalette();
    void showLanePick();
    void showLane(int rank, std::size_t lane); ///< lane: index in RankTrace::lanes
    void showGoTo();
    void showPlace(const GoToPlace& place,
                   std::optional<double> around = {}); ///< around a call: its range this many times on each side
    void addBookmark();
    void showExport();
    void chooseExportFile(const Exportable& item, const QString& filter);
    [[nodiscard]] static bool tourIsNew(); ///< never seen to its end or skipped
    [[nodiscard]] std::vector<TourStep> tourSteps();
    [[nodiscard]] std::optional<RunSession> sessionNow(); ///< nothing: the run on screen has none
    void buildSessions();
    void keepOpenRuns() const; ///< for the next start
    void keepStudy() const;    ///< likewise
    void resumeStudy();
    void resumeSession();                                      ///< of the run that has just come to the screen
    [[nodiscard]] bool isGenerated(const QString& path) const; ///< a demo's, gone with the window
    void addExportActions();                                   ///< to the context menus of tables and plots
    void showShortcuts();
    void showSettings();
    void analyseAgain();
    void showAbout();
    [[nodiscard]] QString lastFolder() const;

    GuiOptions options_;
    Preferences preferences_ = loadPreferences();
    CommandTable commands_;
    ViewState view_;
    RunsModel* runs_ = nullptr;
    RecentRuns* recent_ = nullptr;
    RunsPanel* runsPanel_ = nullptr;
    RunHeader* header_ = nullptr;
    NoticesBar* notices_ = nullptr;
    LoadBar* loadBar_ = nullptr;
    std::vector<ScreenEntry> screens_ = screenEntries();
    QStackedWidget* pages_ = nullptr; ///< the start page, then the screens in their order
    StartPage* startPage_ = nullptr;
    Overview* overview_ = nullptr;
    ComparePage* comparePage_ = nullptr;
    QWidget* timelinePage_ = nullptr;
    QSplitter* timelineSplit_ = nullptr; ///< timeline and what stands below it
    TimelineView* timeline_ = nullptr;
    FoldingTabs* panels_ = nullptr;             ///< below the timeline
    std::shared_ptr<const AnalysedRun> ranged_; ///< of the range used in all screens
    BookmarksPanel* bookmarks_ = nullptr;
    Tour* tour_ = nullptr;
    bool tourWanted_ = false; ///< as soon as the demo is on screen
    QMenu* recentMenu_ = nullptr;

    RunLibrary* library_ = nullptr;
    ComparisonController* comparison_ = nullptr;
    SessionKeeper* sessions_ = nullptr;
    QString current_;     ///< path of the run on screen; empty: none
    QStringList visited_; ///< runs that were on screen, the last one at the end
    std::shared_ptr<const DemoRuns> demo_;
    QString fetchingWords_;
    QTimer unseen_;  ///< until the ranks out of view leave memory, where they may
    int lookup_ = 0; ///< number of the paths looked for last, or of what the user asked for since
    Jobs lookups_{4};
    Jobs ranging_;
    Jobs exporting_;
};

} // namespace rankscope
