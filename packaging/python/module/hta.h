// SPDX-License-Identifier: GPL-3.0-or-later
// HTA's analyses as tables with HTA's columns. Knows nothing of Python.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/query/query.h"
#include "core/run/run_analysis.h"

namespace rankscope::python {

struct HtaQuestion {
    std::string table; ///< "temporal_breakdown" ..., as in hta.cpp
    bool include_last_step = false;
    bool memory = true;           ///< copies and sets among launches and types
    std::int64_t limit = 1024;    ///< kernels of each type; length of a full queue
    bool gpu_annotations = false; ///< those of the GPU, not of the CPU
    std::string name;             ///< of an operator
};
/// Of all ranks, whose number is in the column rank. Throws Failure: usage if there is no such table, input if it needs
/// GPU work and no rank has any.
void hta_table(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink);

struct HtaSide {
    const RankTrace* rank = nullptr;
    std::vector<std::int64_t> steps; ///< empty: the lowest
};
/// TraceDiff.compare_traces(). device: "ALL", "CPU" or "GPU". Throws Failure: usage if a rank lacks one of its steps,
/// input if it has none.
void hta_trace_diff(const HtaSide& control, const HtaSide& test, const std::string& device, bool short_names,
                    QuerySink& sink);

} // namespace rankscope::python
