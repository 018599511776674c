// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn of a run's analysis, found in the background: flows, waits, bubbles, idle gaps; critical paths when
// asked for.
#pragma once
#include <memory>

#include <QObject>

#include "core/views/event_flows.h"
#include "core/views/marked_spans.h"
#include "widgets/jobs.h"
#include "widgets/timeline/path_line.h"

namespace rankscope {

class AnalysisMarks : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    void setAnalysis(std::shared_ptr<const RunAnalysis> analysis);
    void askForPaths();
    [[nodiscard]] const std::shared_ptr<const RunAnalysis>& analysis() const { return analysis_; }
    [[nodiscard]] const std::shared_ptr<const FlowIndex>& flows() const { return flows_; }   ///< nullptr: not yet
    [[nodiscard]] const std::shared_ptr<const MarkedSpans>& spans() const { return spans_; } ///< likewise
    [[nodiscard]] const std::shared_ptr<const std::vector<RankPath>>& paths() const { return paths_; }
    [[nodiscard]] const std::shared_ptr<const PathLine>& pathLine() const { return pathLine_; } ///< with paths()

Q_SIGNALS:
    void changed();

private:
    enum Job { flowsJob, spansJob, pathsJob, pathLineJob };
    /// Runs find in the background and keeps its result in that member.
    template <typename Find, typename Found>
    void inBackground(Found AnalysisMarks::*member, int slot, Find find);

    std::shared_ptr<const RunAnalysis> analysis_;
    std::shared_ptr<const FlowIndex> flows_;
    std::shared_ptr<const MarkedSpans> spans_;
    std::shared_ptr<const std::vector<RankPath>> paths_;
    std::shared_ptr<const PathLine> pathLine_;
    bool pathsAsked_ = false;
    Jobs jobs_;
};

} // namespace rankscope
