// SPDX-License-Identifier: GPL-3.0-or-later
// The run on screen.
#include "app/window/run_on_screen.h"

#include "app/window/comparison_controller.h"

namespace rankscope {

RunOnScreen::RunOnScreen(RunLibrary& library, const ComparisonController& comparison, ViewState& view, QObject* parent)
    : QObject(parent), library_(library), comparison_(comparison), view_(view) {
    connect(&library, &RunLibrary::partlyRead, this, &RunOnScreen::takePart);
    connect(
        &library, &RunLibrary::runRead, this,
        [this](const QString& path) {
            unread_.removeAll(path);
            if (path == path_)
                showRun();
        });
    connect(
        &library, &RunLibrary::readingFailed, this, [this](const QString& path) { unread_.removeAll(path); });
    connect(
        &library, &RunLibrary::runAnalysed, this,
        [this](const QString& path) {
            if (path == path_)
                showAnalysis();
        });
    connect(&library, &RunLibrary::analysisFailed, this, [this](const QString& path, const QString& reason) {
        if (path == path_)
            wait(reason);
    });
    connect(&library, &RunLibrary::fullTraceRead, this, &RunOnScreen::takeFullTrace);
    connect(&view, &ViewState::usedRangesChanged, this, &RunOnScreen::takeUsedRange);
}

void RunOnScreen::setSelection(const Selection& selection) {
    selection_ = selection;
    library_.setSelection(selection);
}

std::shared_ptr<const AnalysedRun> RunOnScreen::analysis() const {
    return view_.usedRanges().empty() ? entry().analysed : ranged_;
}

void RunOnScreen::show(const QString& path) {
    library_.retry(path);
    if (path != path_ || !view_.run())
        bring(path);
    unread_.removeAll(path);
    if (!entry().run)
        unread_.prepend(path);
    Q_EMIT asked(path);
    want();
}

void RunOnScreen::want() { library_.want(path_, comparison_.paths() + unread_); }

void RunOnScreen::bring(const QString& path) {
    if (path != path_)
        Q_EMIT leaving();
    path_ = path;
    Q_EMIT pathChanged();
    if (entry().run)
        return showRun();
    Q_EMIT wholeAnalysed();
    view_.setRun(nullptr);
    words_ = tr("Reading… The timeline already shows the ranks that are there.");
    Q_EMIT analysisChanged();
    Q_EMIT waiting();
}

void RunOnScreen::takePart(const QString& path, const std::shared_ptr<const Run>& run) {
    if (path != path_)
        return; // read to be compared
    view_.setRun(run);
    Q_EMIT partRead();
}

void RunOnScreen::takeFullTrace(const QString& path, int rank) {
    if (path != path_)
        return;
    const std::shared_ptr<const Run>& run = entry().run;
    // Work on the GPU keeps its place among the events; the others move.
    const auto selected = view_.selection();
    if (selected && selected->rank == rank && selected->event >= run->rank(rank)->events.gpu_count)
        view_.select({});
    view_.setRun(run);
    Q_EMIT replaced();
    Q_EMIT wholeAnalysed();
    wait(tr("Adding up…"));
    if (!view_.usedRanges().empty())
        takeUsedRange(); // of the run as it is now
}

void RunOnScreen::showRun() {
    visited_.removeAll(path_);
    visited_ << path_;
    Q_EMIT aboutToShow();
    view_.setRun(entry().run);
    if (entry().analysed) {
        showAnalysis();
    } else {
        Q_EMIT wholeAnalysed();
        wait(tr("Adding up…"));
    }
    Q_EMIT shown();
}

void RunOnScreen::showAnalysis() {
    if (view_.usedRanges().empty())
        Q_EMIT analysisChanged();
    Q_EMIT wholeAnalysed();
}

void RunOnScreen::wait(const QString& words) {
    words_ = words;
    Q_EMIT analysisChanged();
}

void RunOnScreen::showBefore() {
    visited_.removeAll(path_);
    while (!visited_.isEmpty() && !library_.at(visited_.back()).run)
        visited_.removeLast();
    path_.clear();
    if (!visited_.isEmpty())
        return show(QString(visited_.back()));
    if (!unread_.isEmpty())
        return show(QString(unread_.front()));
    Q_EMIT pathChanged();
    Q_EMIT wholeAnalysed();
    view_.setRun(nullptr);
    Q_EMIT gone();
}

void RunOnScreen::forget(const QString& path) {
    const bool wasShown = path == path_;
    if (wasShown)
        Q_EMIT leaving();
    visited_.removeAll(path);
    unread_.removeAll(path);
    if (wasShown) {
        path_.clear();
        Q_EMIT pathChanged();
    }
    library_.forget(path);
    if (wasShown)
        showBefore();
}

void RunOnScreen::setRules(const AnalysisRules& rules) {
    if (rules == library_.rules())
        return;
    Q_EMIT leaving();
    library_.setRules(rules);
    view_.setRun(nullptr); // lanes are coloured by class
    view_.setClasses(rules.classes);
    if (entry().run)
        showRun();
}

Selection RunOnScreen::selectionInUse() const {
    Selection selection = selection_;
    if (!view_.usedRanges().empty()) {
        const TimeRange used = view_.usedRanges().back();
        // The timeline shows recorded times, and the clocks of the other ranks are aligned to that of the first.
        const auto& analysed = entry().analysed;
        const TimeNs origin = analysed ? analysed->analysis->first_event() : view_.run()->span.begin;
        const TimeRange relative{used.begin - origin, used.end - origin};
        selection.time = selection.time ? relative.clipped_to(*selection.time) : relative;
    }
    return selection;
}

void RunOnScreen::takeUsedRange() {
    ranged_.reset();
    ranging_.stop();
    if (!entry().run)
        return;
    wait(tr("Adding up…"));
    if (view_.usedRanges().empty())
        return;
    ranging_.run(
        {},
        [analysis =
             std::make_shared<const RunAnalysis>(entry().run, selectionInUse(), Align::automatic, library_.rules())](
            const std::stop_token& stop) { return analysedRun(analysis, stop); },
        [this](std::shared_ptr<const AnalysedRun> analysed) {
            ranged_ = std::move(analysed);
            Q_EMIT analysisChanged();
        },
        [this](const QString& reason) {
            Q_EMIT failed(tr("The range cannot be analysed. %1").arg(reason));
            wait(reason);
        });
}

} // namespace rankscope
