// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/path_known.h"

#include "core/analysis/findings/finding_parts.h"
#include "core/run/run_analysis.h"
#include "core/trace/recorded.h"

namespace rankscope {

Message why_no_critical_path(const RunAnalysis& analysis) {
    if (analysis.run().source == TraceSource::operations)
        return "an operation timeline does not record what an operation waited for"_text();
    if (!recorded(analysis.run()).gpu_work)
        return "no GPU work is recorded"_text();
    if (steps_are_marked(analysis.run()) && !analysis.step_graph().profiler_steps)
        return launches_recorded(analysis.step_graph())
                   ? "only the GPU's side of the steps is recorded, not how the host starts and ends them"_text()
                   : "no launches of GPU work are recorded, so nothing tells what the host does"_text();
    return {};
}

} // namespace rankscope
