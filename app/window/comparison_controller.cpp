// SPDX-License-Identifier: GPL-3.0-or-later
// The runs put side by side.
#include "app/window/comparison_controller.h"

#include "app/window/run_library.h"
#include "widgets/language.h"
#include "widgets/panels/capture_key.h"

namespace rankscope {

ComparisonController::ComparisonController(const RunLibrary& library, QObject* parent)
    : QObject(parent), library_(library) {
    connect(
        &library, &RunLibrary::stageChanged, this,
        [this](const QString& path) {
            if (paths_.contains(path))
                refresh();
        });
}

void ComparisonController::setPaths(const QStringList& paths) {
    paths_ = paths.size() < 2 ? QStringList() : paths;
    told_.clear();
    words_.clear();
    Q_EMIT pathsChanged();
    refresh();
}

void ComparisonController::drop(const QString& path) {
    if (!paths_.contains(path))
        return;
    QStringList left = paths_;
    left.removeAll(path);
    setPaths(left);
}

void ComparisonController::refresh() {
    std::vector<std::shared_ptr<const AnalysedRun>> runs;
    for (const QString& path : paths_)
        if (const LibraryRun& run = library_.at(path); run.stage == RunStage::ready)
            runs.push_back(run.analysed);
    if (!paths_.isEmpty() && static_cast<qsizetype>(runs.size()) == paths_.size()) {
        if (runs == told_)
            return;
        told_ = std::move(runs);
        words_.clear();
        return Q_EMIT ready(told_);
    }
    const QString words = reasonToWait();
    if (told_.empty() && words == words_ && !words.isEmpty())
        return;
    told_.clear();
    words_ = words;
    Q_EMIT waiting(words_);
}

QString ComparisonController::reasonToWait() const {
    for (const QString& path : paths_)
        if (const LibraryRun& run = library_.at(path); !run.problem.empty())
            return run.stage == RunStage::failed
                       ? tr("%1 cannot be read: %2").arg(captureName(path), messageText(run.problem))
                       : tr("%1 cannot be analysed: %2").arg(captureName(path), messageText(run.problem));
    for (const QString& path : paths_)
        if (!library_.at(path).run)
            return tr("Reading %1…").arg(captureName(path));
    return paths_.isEmpty() ? QString() : tr("Adding up…");
}

} // namespace rankscope
