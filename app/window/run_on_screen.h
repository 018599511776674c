// SPDX-License-Identifier: GPL-3.0-or-later
// The run on screen: which one it is, how much of it is read, and the analysis of the range in use. No widgets.
#pragma once
#include <memory>

#include <QObject>
#include <QStringList>

#include "app/window/run_library.h"
#include "core/analysis/selection/selection.h"
#include "widgets/jobs.h"
#include "widgets/view_state.h"

namespace rankscope {

class ComparisonController;

/// Follows the library and hands what it has of the run to the view. Whoever shows something of the run follows the
/// signals.
class RunOnScreen : public QObject {
    Q_OBJECT
public:
    /// comparison: its runs are wanted from the library, too.
    RunOnScreen(RunLibrary& library, const ComparisonController& comparison, ViewState& view,
                QObject* parent = nullptr);

    /// The part of the run that is analysed while no range is in use; for runs not analysed yet.
    void setSelection(const Selection& selection);

    [[nodiscard]] const QString& path() const { return path_; } ///< empty: none
    [[nodiscard]] const LibraryRun& entry() const { return library_.at(path_); }
    [[nodiscard]] bool isWholeInView() const { return view_.run() && view_.run() == entry().run; }
    /// Of the range in use, or of the whole run; nullptr while there is none.
    [[nodiscard]] std::shared_ptr<const AnalysedRun> analysis() const;
    [[nodiscard]] const QString& words() const { return words_; } ///< why there is no analysis
    [[nodiscard]] bool isBusy() const { return ranging_.isBusy(); }

    void show(const QString& path);  ///< asked for by the user: read where that is still to be done
    void bring(const QString& path); ///< shows what is read of it already; reads nothing
    void want();                     ///< this run, those compared and those opened before: the library reads them
    void showBefore();               ///< the run that was on screen before this one, which has gone
    void forget(const QString& path);
    void setRules(const AnalysisRules& rules); ///< analyses anew; what was measured by the old rules is no longer shown

Q_SIGNALS:
    void leaving();     ///< what the user did to this run is to be kept
    void pathChanged(); ///< nothing of the new run is in view yet
    void asked(const QString& path);
    void waiting();       ///< the view is empty until the first ranks are there
    void partRead();      ///< the view has the ranks read so far
    void aboutToShow();   ///< the whole run comes, while the view still has the part
    void shown();         ///< the whole run is in view
    void replaced();      ///< by the same run with another trace of one rank
    void gone();          ///< no run is on screen
    void wholeAnalysed(); ///< the analysis of the whole run is there, or no longer there: entry().analysed
    void analysisChanged();
    void failed(const QString& message);

private:
    void takePart(const QString& path, const std::shared_ptr<const Run>& run);
    void takeFullTrace(const QString& path, int rank);
    void takeUsedRange();
    void showRun();
    void showAnalysis();
    void wait(const QString& words); ///< for an analysis
    [[nodiscard]] Selection selectionInUse() const;

    RunLibrary& library_;
    const ComparisonController& comparison_;
    ViewState& view_;
    Selection selection_;
    QString path_;
    QStringList visited_; ///< runs that were on screen, the last one at the end
    QStringList unread_;  ///< runs that the user opened and that are not read yet, the newest first
    QString words_;
    std::shared_ptr<const AnalysedRun> ranged_; ///< of the range in use
    Jobs ranging_;
};

} // namespace rankscope
