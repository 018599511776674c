// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn of a run's analysis, found in the background.
#include "widgets/timeline/analysis_marks.h"

namespace rankscope {

template <typename Find, typename Take>
void AnalysisMarks::inBackground(Find find, Take take) {
    queue_.add([this, analysis = analysis_, find, take] {
        auto found = find(analysis);
        QMetaObject::invokeMethod(
            this,
            [this, analysis, found, take] {
                if (analysis != analysis_)
                    return;
                take(found);
                Q_EMIT changed();
            },
            Qt::QueuedConnection);
    });
}

void AnalysisMarks::setAnalysis(std::shared_ptr<const RunAnalysis> analysis) {
    if (analysis == analysis_)
        return;
    analysis_ = std::move(analysis);
    flows_.reset();
    spans_.reset();
    paths_.reset();
    queue_.dropWaiting();
    if (analysis_) {
        inBackground([](const auto& of) { return std::make_shared<const FlowIndex>(of); },
                     [this](const auto& found) { flows_ = found; });
        inBackground([](const auto& of) { return std::make_shared<const MarkedSpans>(mark_spans(of)); },
                     [this](const auto& found) { spans_ = found; });
    }
    if (std::exchange(pathsAsked_, false))
        askForPaths();
    Q_EMIT changed();
}

void AnalysisMarks::askForPaths() {
    if (std::exchange(pathsAsked_, true) || !analysis_)
        return;
    inBackground([](const auto& of) { return std::make_shared<const std::vector<RankPath>>(mark_critical_paths(*of)); },
                 [this](const auto& found) { paths_ = found; });
}

} // namespace rankscope
