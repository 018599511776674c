// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn of a run's analysis, found in the background.
#include "widgets/timeline/analysis_marks.h"

namespace rankscope {

template <typename Find, typename Found>
void AnalysisMarks::inBackground(Found AnalysisMarks::*member, int slot, Find find) {
    jobs_.run(
        {slot}, [analysis = analysis_, find](const std::stop_token&) -> Found { return find(analysis); },
        [this, member](Found found) {
            this->*member = std::move(found);
            Q_EMIT changed();
        });
}

void AnalysisMarks::setAnalysis(std::shared_ptr<const RunAnalysis> analysis) {
    if (analysis == analysis_)
        return;
    analysis_ = std::move(analysis);
    flows_.reset();
    spans_.reset();
    paths_.reset();
    pathLine_.reset();
    jobs_.stop();
    if (analysis_) {
        inBackground(
            &AnalysisMarks::flows_, flowsJob, [](const auto& of) { return std::make_shared<const FlowIndex>(of); });
        inBackground(&AnalysisMarks::spans_, spansJob,
                     [](const auto& of) { return std::make_shared<const MarkedSpans>(mark_spans(of)); });
    }
    if (std::exchange(pathsAsked_, false))
        askForPaths();
    Q_EMIT changed();
}

void AnalysisMarks::askForPaths() {
    if (std::exchange(pathsAsked_, true) || !analysis_)
        return;
    inBackground(
        &AnalysisMarks::paths_, pathsJob,
        [](const auto& of) { return std::make_shared<const std::vector<RankPath>>(mark_critical_paths(*of)); });
    inBackground(&AnalysisMarks::pathLine_, pathLineJob,
                 [](const auto& of) { return std::make_shared<const PathLine>(rankscope::pathLine(*of)); });
}

} // namespace rankscope
