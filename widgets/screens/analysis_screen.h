// SPDX-License-Identifier: GPL-3.0-or-later
// What the screens of analyses have in common: they compute off the window's thread, and only what is looked at.
#pragma once
#include <functional>
#include <memory>
#include <stop_token>

#include <QTimer>
#include <QWidget>

#include "core/compare/analysed_run.h"
#include "widgets/jobs.h"

class QStackedLayout;

namespace rankscope {

class MessagePage;

class CommandTable;

/// A screen makes its widgets in its constructor, gives their parent to setPage(), and says with setPreparation() how
/// the contents come from an analysis. Tables (QTableView, QTreeView) and plots (QCustomPlot, or markAsPlot()) made
/// there can be exported under their accessible names. It becomes a part of the window by a line in
/// app/window/screens.cpp.
class AnalysisScreen : public QWidget {
    Q_OBJECT
public:
    ~AnalysisScreen() override;
    /// The run on screen, and its analysis under the selection in force. No run: blank. No analysis: it is being
    /// computed. While the screen is hidden nothing is computed; what came last is taken up when it is shown.
    virtual void takeRun(std::shared_ptr<const Run> run, std::shared_ptr<const AnalysedRun> analysed);
    /// Adds the screen's place (CommandPlace), its keys and its gestures; once, before it is shown.
    virtual void useCommands(CommandTable& table);

    [[nodiscard]] const std::shared_ptr<const AnalysedRun>& analysed() const { return analysed_; }
    [[nodiscard]] virtual bool isReady() const { return ready_; } ///< what is to be seen of the run is on screen
    /// What stands there instead of the page; empty while the page is shown.
    [[nodiscard]] QString message() const;

Q_SIGNALS:
    void eventActivated(
        int rank, rankscope::EventIndex event); ///< to be shown in the timeline, as the call it is with all its members
    /// As FindingsTable::findingActivated: absolute time on the rank's own clock; event may be kNoEvent.
    void evidenceAsked(int rank, rankscope::EventIndex event, rankscope::TimeRange range);
    /// All events that a search finds (core/analysis/search/event_query.h) are to be marked in the timeline.
    void instancesAsked(const QString& query);
    void ready();

protected:
    /// Puts the prepared contents into the widgets, on the window's thread; ends in showPage() or showMessage().
    using Show = std::function<void()>;
    /// Runs in the background and touches no widget, not even the screen's own members; the screen may go meanwhile.
    /// Stopped: the result is dropped.
    using Preparation = std::function<Show(const std::shared_ptr<const AnalysedRun>&, const std::stop_token&)>;

    explicit AnalysisScreen(QWidget* parent = nullptr);
    void setPage(QWidget* page);
    void setPreparation(Preparation preparation) { preparation_ = std::move(preparation); }
    /// For what a control asks for, a filter, an order: computed in the background as a preparation is; a later one
    /// replaces it. The screen is ready again when it is shown. Also from within a Show, which leaves what is on screen
    /// until then.
    void compute(std::function<Show(const std::stop_token&)> job);
    /// The preparation has changed: what is on screen stays until the new contents are there.
    void prepareAgain();
    void showPage();
    /// In place of the page: there is nothing to show, and what would be needed.
    void showMessage(const QString& title, const QString& words = {});
    void showEvent(QShowEvent* event) override;

private:
    void prepare();

    Preparation preparation_;
    std::shared_ptr<const Run> run_;
    std::shared_ptr<const AnalysedRun> analysed_;
    bool prepared_ = false; ///< for analysed_, or on its way
    bool ready_ = false;
    QStackedLayout* stack_;
    MessagePage* messagePage_;
    QTimer patience_; ///< what is there at once needs no words before it
    Jobs preparing_;
};

} // namespace rankscope
