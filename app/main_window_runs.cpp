// SPDX-License-Identifier: GPL-3.0-or-later
// How a path becomes a run on screen: looked for, listed, read, analysed; or why it does not.
#include <filesystem>
#include <memory>
#include <optional>

#include <QAction>
#include <QFileInfo>

#include "app/comparison_controller.h"
#include "app/demo_runs.h"
#include "app/found_paths.h"
#include "app/main_window.h"
#include "app/recent_runs.h"
#include "app/run_header.h"
#include "app/run_library.h"
#include "app/session_keeper.h"
#include "core/input/find/run_choices.h"
#include "widgets/panels/bookmarks_panel.h"
#include "widgets/panels/load_bar.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/overview_text.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/screens/study_screen.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

void MainWindow::connectLibrary() {
    LoadOptions how;
    how.jobs = options_.jobs > 0 ? options_.jobs : preferences_.threads;
    how.use_cache = options_.use_cache;
    how.memory_bytes =
        options_.memory_bytes > 0 ? options_.memory_bytes : static_cast<std::uint64_t>(preferences_.memory) << 30U;
    library_->setReading(how);
    if (auto* study = qobject_cast<StudyScreen*>(analysisScreen(u"study"_s)))
        study->setReading(how);
    library_->setSelection(options_.selection);
    connect(library_, &RunLibrary::stageChanged, this, &MainWindow::showStage);
    connect(library_, &RunLibrary::progressed, this, [this](const QString& path, const LoadProgress& progress) {
        loadBar_->setProgress(progress);
        const auto total = static_cast<double>(std::max<std::uint64_t>(1, progress.bytes_total));
        runs_->setLoading(path, static_cast<double>(progress.bytes_done) / total);
    });
    connect(library_, &RunLibrary::partlyRead, this, &MainWindow::takePart);
    connect(library_, &RunLibrary::runRead, this, &MainWindow::takeRun);
    connect(library_, &RunLibrary::runAnalysed, this, &MainWindow::takeAnalysis);
    connect(library_, &RunLibrary::readingFailed, this, &MainWindow::takeFailure);
    connect(library_, &RunLibrary::analysisFailed, this, [this](const QString& path, const QString& reason) {
        fail(tr("%1 cannot be analysed. %2").arg(captureName(path), reason));
        if (path == current_)
            overview_->setWaiting(reason);
    });
    connect(library_, &RunLibrary::fetchingEnded, this, &MainWindow::showProgress);
    connect(library_, &RunLibrary::fullTraceRead, this, &MainWindow::takeFullTrace);
    connect(library_, &RunLibrary::fetchingFailed, this,
            [this](const QString&, const Error& error) { fail(QString::fromStdString(error.message)); });
}

void MainWindow::addPaths(const QStringList& paths, Opening opening, const QString& shown, bool quiet) {
    notices_->clearErrors();
    QStringList tidied;
    for (const QString& path : paths)
        tidied << tidyPath(path);
    if (tidied.isEmpty())
        return;
    // A folder may lie on a slow disk, or on one that does not answer.
    const int number = ++lookup_;
    lookups_.run(
        {number, nullptr}, [tidied](const std::stop_token& stop) { return findPaths(tidied, stop); },
        [this, number, opening, shown, quiet](const std::vector<FoundPath>& found) {
            std::vector<FoundPath> present;
            for (const FoundPath& path : found) {
                if (path.exists) {
                    present.push_back(path);
                    continue;
                }
                if (quiet)
                    continue;
                recent_->remove(path.path);
                fail(tr("%1: no such file or folder. Open a folder of traces with %2.")
                         .arg(path.path, CommandTable::keysText(commands_.shortcuts(u"open-folder"_s))));
            }
            // Of several that were asked for the last one is shown, whichever disk answered first.
            if (!present.empty())
                listFound(present, number == lookup_ ? std::optional(opening) : std::nullopt, shown);
        });
}

void MainWindow::listFound(const std::vector<FoundPath>& found, std::optional<Opening> opening, const QString& shown) {
    QString first;
    QStringList comparable; // paths that are one run each; a folder of many says nothing about which is meant
    for (const FoundPath& path : found) {
        auto runs = path.runs;
        const bool alone = runs.size() == 1;
        QString opened = QString::fromStdString(runs.front().path.string());
        // Of a run with several captures the one that was chosen last time comes to the screen.
        if (const QString chosen = rememberedCapture(opened); chosen != opened) {
            runs.insert(runs.begin() + 1, {chosen.toStdString(), runs.front().files, runs.front().bytes});
            opened = chosen;
        }
        runs_->addFolder(path.path, runs);
        if (first.isEmpty())
            first = opened;
        if (alone)
            comparable << opened;
    }
    if (runs_->runPaths().contains(shown))
        first = shown;
    offerComparison();
    if (!opening)
        return;
    if (*opening == Opening::compare && comparable.size() >= 2)
        compareRuns(comparable);
    else
        showPath(first);
}

void MainWindow::openRun(const QString& path) {
    notices_->clearErrors();
    ++lookup_; // what is still being looked for is listed, not shown
    showPath(path);
}

void MainWindow::openDemo(bool withTour) {
    tourWanted_ = withTour;
    if (demo_) {
        openRun(QString::fromStdString(demo_->paths().back().string()));
        return;
    }
    lookups_.run(
        {demoJob},
        [](const std::stop_token&) {
            auto made = DemoRuns::create();
            return made ? Result<std::shared_ptr<const DemoRuns>>(std::make_shared<const DemoRuns>(std::move(*made)))
                        : tl::unexpected<Error>(made.error());
        },
        [this](const Result<std::shared_ptr<const DemoRuns>>& made) {
            showProgress();
            if (!made)
                return fail(QString::fromStdString(made.error().message));
            demo_ = *made;
            QStringList paths;
            // The slow one first: it is the one with something to find.
            for (const auto& path : demo_->paths())
                paths.prepend(QString::fromStdString(path.string()));
            addPaths(paths);
        });
    showProgress();
}

void MainWindow::cancelReading() {
    library_->cancelReading();
    library_->cancelFetching();
}

/// Of what is on its way the one thing that takes longest.
void MainWindow::showProgress() {
    const QString reading = library_->reading();
    const QString words = !reading.isEmpty()           ? tr("Reading %1").arg(captureName(reading))
                          : lookups_.isBusy({demoJob}) ? tr("Generating two runs of 8 ranks")
                          : library_->isFetching()     ? fetchingWords_
                                                       : QString();
    if (words.isEmpty())
        loadBar_->stop();
    else if (words != loadBar_->what() || loadBar_->isHidden())
        loadBar_->start(words);
    commands_.refresh();
}

/// In the list of runs and the bar above the screens.
void MainWindow::showStage(const QString& path) {
    const LibraryRun& run = library_->at(path);
    switch (run.stage) {
    case RunStage::listed: runs_->setListed(path); break;
    case RunStage::reading: runs_->setLoading(path, 0); break;
    case RunStage::failed: runs_->setFailed(path, run.problem); break;
    case RunStage::read:
        runs_->setLoaded(path, *run.run);
        runs_->setIteration(path, {}); // it comes with the analysis by the rules in force
        break;
    case RunStage::analysing:
    case RunStage::ready: break;
    }
    showProgress();
}

void MainWindow::showPath(const QString& path) {
    library_->retry(path);
    if (path != current_ || !view_.run())
        bringToScreen(path);
    runsPanel_->showRun(path);
    showScreen(screenShown());
    library_->want(current_, comparison_->paths());
}

/// What is there of the run; nothing yet, where it is still to be read.
void MainWindow::bringToScreen(const QString& path) {
    if (path != current_)
        sessions_->keep();
    current_ = path;
    sessions_->setRun(path);
    runs_->setOpen(path);
    if (library_->at(path).run)
        return showRun();
    passToPanels(nullptr);
    view_.setRun(nullptr);
    bookmarks_->model()->setBookmarks({});
    notices_->setNotices({});
    overview_->setWaiting(tr("Reading… The timeline already shows the ranks that are there."));
    passAnalysis();
    const CaptureKey capture = captureOf(path);
    header_->setRun(captureName(path), tr("reading"), capture.path);
    header_->setCaptures({}, {});
    header_->show();
    offerScreens();
    setWindowTitle(tr("%1 – Rankscope").arg(captureName(path)));
}

void MainWindow::takePart(const QString& path, const std::shared_ptr<const Run>& run) {
    if (path != current_)
        return; // read to be compared
    view_.setRun(run);
    header_->setRun(captureName(path), tr("%1, reading").arg(runSummary(*run)), captureOf(path).path);
}

void MainWindow::takeRun(const QString& path) {
    // Generated runs are gone with the window.
    if (!isGenerated(path))
        recent_->add(captureOf(path).path);
    if (path == current_)
        showRun();
    Q_EMIT runOpened(path);
}

void MainWindow::takeFailure(const QString& path, const Error& error) {
    const bool cancelled = error.code == Error::Code::cancelled;
    if (captureOf(path).source && !cancelled)
        rememberCapture(captureOf(path).path); // it is gone, or damaged: the next time the preferred one is opened
    if (cancelled && comparison_->paths().contains(path))
        comparison_->setPaths({}); // nobody waits for it any more
    const RunEntry* entry = runs_->entry(runs_->indexOf(path));
    if (!cancelled && entry != nullptr && entry->ranks == 0) {
        runs_->removeRow(runs_->indexOf(path));
        comparison_->drop(path);
        library_->forget(path);
    }
    if (path == current_)
        showBefore();
    offerComparison();
    if (!cancelled)
        explainFailure(path, QString::fromStdString(error.message));
    Q_EMIT openFailed(path);
}

/// A folder may hold several runs though the names of its files do not say so: they are listed, to be chosen from.
void MainWindow::explainFailure(const QString& path, const QString& message) {
    lookups_.run(
        {choiceJob},
        [path](const std::stop_token& stop) {
            std::vector<FoundRun> choices;
            if (captureOf(path).source)
                return choices;
            for (const auto& run : runs_to_choose_from(path.toStdString()))
                for (const FoundRun& found : find_runs(run, stop))
                    choices.push_back(found);
            return choices;
        },
        [this, path, message](const std::vector<FoundRun>& choices) {
            if (choices.size() < 2)
                return fail(tr("%1 – open another run with Ctrl+O").arg(message));
            library_->forget(path);
            runs_->addFolder(path, choices);
            offerComparison();
            findChild<QWidget*>("runs"_L1)->show();
            fail(tr("%1 holds %n runs. Choose one in the list of runs.", nullptr, static_cast<int>(choices.size()))
                     .arg(captureName(path)));
        });
}

/// The run that was on screen before the one that has gone.
void MainWindow::showBefore() {
    visited_.removeAll(current_);
    while (!visited_.isEmpty() && !library_->at(visited_.back()).run)
        visited_.removeLast();
    if (visited_.isEmpty())
        return showStart();
    current_.clear();
    showPath(QString(visited_.back()));
}

/// The current run, which was read.
void MainWindow::showRun() {
    const Run& run = *library_->at(current_).run;
    visited_.removeAll(current_);
    visited_ << current_;
    // While it was read, bookmarks may have been made; times count from the first event that was there by then.
    std::vector<Bookmark> made;
    if (const auto part = view_.run(); part && part->names == run.names && part != library_->at(current_).run)
        for (Bookmark bookmark : bookmarks_->model()->bookmarks()) {
            const TimeNs later = part->span.begin - run.span.begin;
            bookmark.range = {bookmark.range.begin + later, bookmark.range.end + later};
            made.push_back(std::move(bookmark));
        }
    view_.setRun(library_->at(current_).run);
    notices_->setNotices(noticesOf(run));
    showHeader(run);
    setWindowTitle(tr("%1 – Rankscope").arg(QString::fromStdString(run.name)));
    if (library_->at(current_).analysed)
        showAnalysis();
    else
        showWaiting();
    showScreen(screenShown());
    offerScreens();
    resumeSession();
    for (Bookmark& bookmark : made)
        bookmarks_->model()->add(std::move(bookmark));
    keepOpenRuns();
}

void MainWindow::showWaiting() {
    passToPanels(nullptr);
    overview_->setWaiting(tr("Adding up…"));
    passAnalysis();
}

void MainWindow::takeAnalysis(const QString& path) {
    const MetricResult* iteration = library_->at(path).analysed->metrics.find("iter_time");
    runs_->setIteration(path,
                        iteration != nullptr && iteration->available ? std::optional(iteration->value) : std::nullopt);
    if (path == current_)
        showAnalysis();
    Q_EMIT runAnalysed(path);
}

void MainWindow::showAnalysis() {
    const std::shared_ptr<const AnalysedRun> analysed = library_->at(current_).analysed;
    passToPanels(analysed->analysis);
    timeline_->setAnalysis(analysed->analysis);
    if (view_.usedRanges().empty()) {
        overview_->setRun(analysed);
        passAnalysis();
        commands_.refresh();
    }
    if (isGenerated(current_) && std::exchange(tourWanted_, false))
        startTour();
}

void MainWindow::removeRun(const QString& path) {
    if (path == current_)
        sessions_->keep();
    runs_->removeRow(runs_->indexOf(path));
    visited_.removeAll(path);
    comparison_->drop(path);
    offerComparison();
    const bool wasShown = path == current_;
    if (wasShown) {
        current_.clear();
        sessions_->setRun({});
    }
    library_->forget(path);
    if (wasShown)
        showBefore();
    keepOpenRuns();
}

} // namespace rankscope
