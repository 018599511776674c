// SPDX-License-Identifier: GPL-3.0-or-later
// What the library is doing.
#include "app/window/reading_controller.h"

#include <algorithm>
#include <optional>

#include <QMainWindow>
#include <QMessageBox>

#include "app/window/run_library.h"
#include "app/window/run_on_screen.h"
#include "app/window/window_command.h"
#include "app/window/window_parts.h"
#include "widgets/language.h"
#include "widgets/panels/capture_key.h"
#include "widgets/panels/load_bar.h"
#include "widgets/panels/runs_model.h"
#include "widgets/timeline/timeline_view.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

ReadingController::ReadingController(WindowParts& parts, const RunOnScreen& shown, QObject* parent)
    : QObject(parent), parts_(parts), shown_(shown) {
    RunLibrary* library = parts.library;
    connect(library, &RunLibrary::stageChanged, this, &ReadingController::showStage);
    connect(library, &RunLibrary::progressed, this, [this](const QString& path, const LoadProgress& progress) {
        parts_.loadBar->setProgress(progress);
        const auto total = static_cast<double>(std::max<std::uint64_t>(1, progress.bytes_total));
        parts_.runs->setLoading(path, static_cast<double>(progress.bytes_done) / total);
    });
    connect(
        library, &RunLibrary::runAnalysed, this,
        [this](const QString& path) {
            const MetricResult* iteration = parts_.library->at(path).analysed->metrics.find("iter_time");
            parts_.runs->setIteration(
                path, iteration != nullptr && iteration->available ? std::optional(iteration->value) : std::nullopt);
        });
    connect(library, &RunLibrary::analysisFailed, this, [this](const QString& path, const QString& reason) {
        parts_.fail(tr("%1 cannot be analysed. %2").arg(captureName(path), reason));
    });
    connect(library, &RunLibrary::stageEntered, this, &ReadingController::showProgress);
    constexpr int kPatienceMs = 700;
    patience_.setSingleShot(true);
    patience_.setInterval(kPatienceMs);
    connect(&patience_, &QTimer::timeout, this, &ReadingController::showProgress);
    connect(library, &RunLibrary::analysisPartEntered, this, &ReadingController::showProgress);
    connect(library, &RunLibrary::connectionTold, this,
            [this](const QString&, const QString& line) { parts_.fail(line); });
    connect(library, &RunLibrary::installAsked, this, &ReadingController::askToInstall);
    connect(library, &RunLibrary::fetchingEnded, this, &ReadingController::showProgress);
    connect(library, &RunLibrary::fetchingFailed, this,
            [this](const QString&, const Error& error) { parts_.fail(messageText(error.message)); });
    connect(parts.loadBar, &LoadBar::cancelled, this, &ReadingController::cancel);
    connect(parts.timeline, &TimelineView::arrangementChanged, this, &ReadingController::fetchOpenedRanks);
}

void ReadingController::addCommands() {
    Command command = windowCommand(
        u"cancel-reading"_s, tr("&File"), tr("&Cancel reading"), {u"Esc"_s},
        tr("Stop reading the run that is being read"), [this] { cancel(); });
    command.enabled = [this] { return !parts_.library->reading().isEmpty() || parts_.library->isFetching(); };
    command.yields = true;
    parts_.commands.add(std::move(command));
}

void ReadingController::cancel() {
    parts_.library->cancelReading();
    parts_.library->cancelFetching();
}

void ReadingController::askToInstall(const QString& question, const std::function<void(bool)>& answer) {
    auto* box = new QMessageBox(QMessageBox::Question, tr("Copy Rankscope to another machine?"), question,
                                QMessageBox::Yes | QMessageBox::No, parts_.window);
    box->setTextFormat(Qt::PlainText);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(box, &QMessageBox::finished, this, [answer](int button) { answer(button == QMessageBox::Yes); });
    box->open();
}

void ReadingController::setGenerating(bool generating) {
    generating_ = generating;
    showProgress();
}

/// Of what is on its way the one thing that takes longest.
void ReadingController::showProgress() {
    const QString reading = parts_.library->reading();
    const auto stage = parts_.library->readingStage();
    const QString words = !reading.isEmpty() && stage == RemoteWishes::Stage::connecting
                              ? tr("Connecting to fetch %1").arg(captureName(reading))
                          : !reading.isEmpty() && stage == RemoteWishes::Stage::fetching
                              ? tr("Fetching %1").arg(captureName(reading))
                          : !reading.isEmpty()           ? tr("Reading %1").arg(captureName(reading))
                          : generating_                  ? tr("Generating two runs of 8 ranks")
                          : parts_.library->isFetching() ? fetching_
                                                         : QString();
    if (words.isEmpty() && !parts_.library->analysing().isEmpty() && !patience_.isActive())
        showAnalysis();
    else if (words.isEmpty())
        parts_.loadBar->stop();
    else if (words != parts_.loadBar->what() || parts_.loadBar->isHidden())
        parts_.loadBar->start(words);
    parts_.commands.refresh();
}

void ReadingController::showAnalysis() {
    const auto part = parts_.library->analysisPart();
    const QString words = part == AnalysisPart::timelines     ? tr("timelines of the ranks")
                          : part == AnalysisPart::collectives ? tr("matching collectives")
                          : part == AnalysisPart::stragglers  ? tr("clocks and stragglers")
                                                              : tr("findings and metrics");
    if (const QString what = tr("Analysing %1").arg(captureName(parts_.library->analysing()));
        what != parts_.loadBar->what() || parts_.loadBar->isHidden())
        parts_.loadBar->start(what);
    parts_.loadBar->setCancellable(false);
    parts_.loadBar->setPart(words, static_cast<int>(part) + 1, kAnalysisParts);
}

void ReadingController::showStage(const QString& path) {
    const LibraryRun& run = parts_.library->at(path);
    switch (run.stage) {
    case RunStage::listed: parts_.runs->setListed(path); break;
    case RunStage::reading: parts_.runs->setLoading(path, 0); break;
    case RunStage::failed: parts_.runs->setFailed(path, messageText(run.problem)); break;
    case RunStage::read:
        parts_.runs->setLoaded(path, *run.run);
        parts_.runs->setIteration(path, {}); // it comes with the analysis by the rules in force
        break;
    case RunStage::analysing: patience_.start(); break;
    case RunStage::ready: break;
    }
    showProgress();
}

/// Of a digest the streams are whole. What the user opens beyond them is what it leaves out.
void ReadingController::fetchOpenedRanks() {
    if (!shown_.isWholeInView())
        return;
    const auto& run = parts_.view.run();
    for (const LaneHeader& header : parts_.timeline->scene().layout.headers) {
        const bool threads = header.group == LaneGroup::threads && header.lane < 0 && header.foldable && header.open;
        const auto& trace = run->ranks[static_cast<std::size_t>(header.rankIndex)];
        if (!threads || !trace->digest || !parts_.library->fetchFullTrace(shown_.path(), trace->rank))
            continue;
        fetching_ = tr("Reading the full trace of rank %1").arg(trace->rank);
        showProgress();
    }
}

} // namespace rankscope
