// SPDX-License-Identifier: GPL-3.0-or-later
// How a path becomes a run on screen: looked for, listed, read, analysed; or why it does not.
#include <filesystem>
#include <memory>
#include <optional>

#include <QAction>
#include <QDir>
#include <QFileInfo>

#include "app/demo_runs.h"
#include "app/load_job.h"
#include "app/main_window.h"
#include "app/recent_runs.h"
#include "app/run_header.h"
#include "widgets/compare/compare_page.h"
#include "widgets/panels/details_panel.h"
#include "widgets/panels/load_bar.h"
#include "widgets/panels/notices_bar.h"
#include "widgets/panels/overview.h"
#include "widgets/panels/overview_text.h"
#include "widgets/panels/runs_model.h"
#include "widgets/panels/runs_panel.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

std::filesystem::path filePath(const QString& path) { return std::filesystem::path(path.toStdString()); }

} // namespace

QString MainWindow::tidyPath(const QString& path) { return QDir::cleanPath(QFileInfo(path).absoluteFilePath()); }

std::shared_ptr<const AnalysedRun> MainWindow::analysedRun(const std::shared_ptr<const Run>& run,
                                                           const Selection& selection) {
    auto result = std::make_shared<AnalysedRun>();
    result->role = "run";
    result->label = run->name;
    result->analysis = std::make_shared<RunAnalysis>(run, selection);
    result->metrics = compute_metrics(
        *result->analysis); // and with them the findings and all that is shared: the window's thread finds them ready
    result->notices = run->notices;
    return result;
}

void MainWindow::addPaths(const QStringList& paths, Opening opening, const QString& shown) {
    notices_->clearErrors();
    QStringList present;
    for (const QString& path : paths) {
        if (QFileInfo::exists(path))
            present << tidyPath(path);
        else {
            recent_->remove(path);
            fail(tr("%1: no such file or folder. Open a folder of traces with %2.")
                     .arg(path, CommandTable::keysText(commands_.shortcuts(u"open-folder"_s))));
        }
    }
    if (present.isEmpty())
        return;
    // A folder may lie on a slow disk: its names are read in the background.
    ++lookups_;
    looking_.add([this, present, opening, shown] {
        std::vector<std::vector<FoundRun>> found;
        for (const QString& path : present)
            found.push_back(find_runs(filePath(path)));
        QMetaObject::invokeMethod(
            this,
            [this, present, opening, shown, found = std::move(found)] { listFound(present, found, opening, shown); },
            Qt::QueuedConnection);
    });
}

void MainWindow::listFound(const QStringList& paths, const std::vector<std::vector<FoundRun>>& found, Opening opening,
                           const QString& shown) {
    --lookups_;
    QString first;
    QStringList comparable; // paths that are one run each; a folder of many says nothing about which is meant
    for (qsizetype i = 0; i < paths.size(); ++i) {
        auto runs = found[static_cast<std::size_t>(i)];
        // Nothing looks like a trace by name: reading it says why, in one line.
        if (runs.empty())
            runs.push_back({filePath(paths[i]), 0, 0});
        const bool alone = runs.size() == 1;
        QString opened = QString::fromStdString(runs.front().path.string());
        // Of a run with several captures the one that was chosen last time comes to the screen.
        if (const QString chosen = rememberedCapture(opened); chosen != opened) {
            runs.insert(runs.begin() + 1, {filePath(chosen), runs.front().files, runs.front().bytes});
            opened = chosen;
        }
        runs_->addFolder(paths[i], runs);
        if (first.isEmpty())
            first = opened;
        if (alone)
            comparable << opened;
    }
    if (runs_->runPaths().contains(shown))
        first = shown;
    offerComparison();
    if (opening == Opening::compare && comparable.size() >= 2)
        compareRuns(comparable);
    else
        showOrLoad(first);
}

void MainWindow::openRun(const QString& path) {
    notices_->clearErrors();
    showOrLoad(path);
}

void MainWindow::showOrLoad(const QString& path) {
    stopLoad();
    if (!open_.contains(path))
        return startLoad(path);
    showRun(path);
    resumeComparison(); // it may have been the comparison's run that was being read
}

void MainWindow::openDemo(bool withTour) {
    tourWanted_ = withTour;
    if (demo_) {
        openRun(QString::fromStdString(demo_->paths().back().string()));
        return;
    }
    loadBar_->start(tr("Generating two runs of 8 ranks"));
    ++lookups_;
    looking_.add([this] {
        auto made = DemoRuns::create();
        auto demo = made ? std::make_shared<const DemoRuns>(std::move(*made)) : nullptr;
        const QString problem = made ? QString() : QString::fromStdString(made.error().message);
        QMetaObject::invokeMethod(
            this,
            [this, demo, problem] {
                --lookups_;
                if (!load_)
                    loadBar_->stop();
                if (!demo)
                    return fail(problem);
                demo_ = demo;
                QStringList paths;
                // The slow one first: it is the one with something to find.
                for (const auto& path : demo->paths())
                    paths.prepend(QString::fromStdString(path.string()));
                addPaths(paths);
            },
            Qt::QueuedConnection);
    });
}

void MainWindow::startLoad(const QString& path) {
    keepSession();
    current_ = path;
    details_->setAnalysis(nullptr);
    view_.setRun(nullptr);
    notices_->setNotices({});
    overview_->setWaiting(tr("Reading… The timeline already shows the ranks that are there."));
    passAnalysis();
    const CaptureKey capture = captureOf(path);
    header_->setRun(captureName(path), tr("reading"), capture.path);
    header_->setCaptures({}, {});
    header_->show();
    offerScreens();
    showScreen(screenShown());
    runs_->setOpen(path);
    runs_->setLoading(path, 0);
    runsPanel_->showRun(path);
    loadBar_->start(tr("Reading %1").arg(captureName(path)));
    setWindowTitle(tr("%1 – Rankscope").arg(captureName(path)));

    LoadOptions how;
    how.jobs = options_.jobs > 0 ? options_.jobs : preferences_.threads;
    how.use_cache = options_.use_cache;
    how.memory_bytes =
        options_.memory_bytes > 0 ? options_.memory_bytes : static_cast<std::uint64_t>(preferences_.memory) << 30U;
    how.mode = capture.source ? mode_for(*capture.source) : ProfileMode::automatic;
    load_ = std::make_unique<LoadJob>(filePath(capture.path), std::move(how));
    loading_ = path;
    connect(load_.get(), &LoadJob::progressed, this, [this, path](const LoadProgress& progress) {
        loadBar_->setProgress(progress);
        const auto total = static_cast<double>(std::max<std::uint64_t>(1, progress.bytes_total));
        runs_->setLoading(path, static_cast<double>(progress.bytes_done) / total);
    });
    connect(load_.get(), &LoadJob::partlyRead, this, &MainWindow::takePart);
    connect(
        load_.get(), &LoadJob::loaded, this, [this, path](const auto& run) { takeRun(path, run); });
    connect(load_.get(), &LoadJob::failed, this, [this, path](const Error& error) { takeFailure(path, error); });
    load_->start();
}

void MainWindow::stopLoad() {
    if (!load_)
        return;
    runs_->setListed(loading_);
    load_.reset();
    loadBar_->stop();
}

void MainWindow::takePart(const std::shared_ptr<const Run>& run) {
    view_.setRun(run);
    header_->setRun(captureName(current_), tr("%1, reading").arg(runSummary(*run)), captureOf(current_).path);
}

void MainWindow::endLoad() {
    load_.release()->deleteLater(); // it is the job that calls
    loadBar_->stop();
}

void MainWindow::takeRun(const QString& path, std::shared_ptr<const Run> run) {
    captures_[captureOf(path).path] = load_->sources();
    endLoad();
    if (captureOf(path).source) { // beside another capture of the same folder it needs a name of its own
        auto named = std::make_shared<Run>(*run);
        named->name = captureName(path).toStdString();
        run = std::move(named);
    }
    runs_->setLoaded(path, *run);
    open_[path] = {std::move(run), nullptr};
    // Generated runs are gone with the window.
    if (!isGenerated(path))
        recent_->add(captureOf(path).path);
    showRun(path);
    Q_EMIT runOpened(path);
}

void MainWindow::takeFailure(const QString& path, const Error& error) {
    endLoad();
    const RunEntry* entry = runs_->entry(runs_->indexOf(path));
    const QString message = QString::fromStdString(error.message);
    if (captureOf(path).source && error.code != Error::Code::cancelled)
        rememberCapture(captureOf(path).path); // it is gone, or damaged: the next time the preferred one is opened
    comparison_.clear();                       // what it waited for does not come
    if (error.code == Error::Code::cancelled)
        runs_->setListed(path);
    else if (entry != nullptr && entry->ranks == 0)
        runs_->removeRow(runs_->indexOf(path));
    else
        runs_->setFailed(path, message);
    if (open_.empty())
        showStart();
    else
        showRun(open_.begin()->first);
    offerComparison();
    if (error.code != Error::Code::cancelled)
        fail(tr("%1 – open another run with Ctrl+O").arg(message));
    Q_EMIT openFailed(path);
}

void MainWindow::showRun(const QString& path) {
    if (path != current_)
        keepSession();
    const OpenRun& open = open_.at(path);
    current_ = path;
    view_.setRun(open.run);
    notices_->setNotices(noticesOf(*open.run));
    showHeader(*open.run);
    runs_->setOpen(path);
    runsPanel_->showRun(path);
    setWindowTitle(tr("%1 – Rankscope").arg(QString::fromStdString(open.run->name)));
    if (open.analysed)
        showAnalysis();
    else
        analyseShown();
    showScreen(screenShown());
    offerScreens();
    resumeSession(path);
}

void MainWindow::analyseShown() {
    overview_->setWaiting(tr("Adding up…"));
    passAnalysis();
    analyse(current_, open_.at(current_).run, options_.selection,
            [this, path = current_](auto analysed) { takeAnalysis(path, std::move(analysed)); });
}

void MainWindow::analyse(const QString& path, std::shared_ptr<const Run> run, const Selection& selection,
                         TakeAnalysed take) {
    ++analyses_;
    analysing_.add([this, path, run = std::move(run), selection, take = std::move(take)] {
        std::shared_ptr<const AnalysedRun> analysed;
        try {
            analysed = analysedRun(run, selection);
        } catch (const std::bad_alloc&) { // told below
        }
        QMetaObject::invokeMethod(
            this,
            [this, path, analysed, take] {
                --analyses_;
                if (analysed)
                    take(analysed);
                else
                    fail(tr("There is not enough memory to analyse %1.").arg(captureName(path)));
            },
            Qt::QueuedConnection);
    });
}

void MainWindow::takeAnalysis(const QString& path, std::shared_ptr<const AnalysedRun> analysed) {
    const auto found = open_.find(path);
    if (found == open_.end() || found->second.run != analysed->analysis->run_pointer())
        return; // closed meanwhile
    const MetricResult* iteration = analysed->metrics.find("iter_time");
    runs_->setIteration(path,
                        iteration != nullptr && iteration->available ? std::optional(iteration->value) : std::nullopt);
    found->second.analysed = std::move(analysed);
    if (path == current_)
        showAnalysis();
    resumeComparison();
    Q_EMIT runAnalysed(path);
}

void MainWindow::showAnalysis() {
    const std::shared_ptr<const AnalysedRun>& analysed = open_.at(current_).analysed;
    details_->setAnalysis(analysed->analysis);
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
    if (load_ && loading_ == path)
        stopLoad();
    if (path == current_)
        keepSession();
    runs_->removeRow(runs_->indexOf(path));
    open_.erase(path);
    dropFromComparison(path);
    if (path != current_)
        return;
    if (open_.empty())
        showStart();
    else
        showRun(open_.begin()->first);
}

} // namespace rankscope
