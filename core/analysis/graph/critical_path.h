// SPDX-License-Identifier: GPL-3.0-or-later
// The longest path of a step across ranks: what, made shorter, would have made the step shorter.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/graph/step_graph.h"

namespace rankscope {

enum class PathClass : std::uint8_t {
    host_operator, ///< inside a framework operator or a runtime call
    host_other,    ///< between them: Python, mostly
    data_loading,
    garbage_collection,
    allocation,
    launch, ///< from the launch call to the start on the GPU
    compute,
    communication, ///< a transfer: from the last arrival on
    memory_copy,
    memory_set,
    gpu_gap,        ///< between GPU events
    synchronisation ///< from the end of GPU work until the host, or another stream, goes on
};
inline constexpr std::size_t kPathClassCount = static_cast<std::size_t>(PathClass::synchronisation) + 1;
std::string_view path_class_word(PathClass c);  ///< "host_operator" ...
std::string_view path_class_label(PathClass c); ///< "host operators" ...

/// A piece of the path. event: what ran then; kNoEvent for gaps. range: aligned time (the rank's own time -
/// StepGraph::clock).
struct PathSpan {
    std::uint32_t rank = 0; ///< index in Run::ranks
    EventIndex event = kNoEvent;
    TimeRange range;
    PathClass path_class = PathClass::host_other;
};

struct PathKernel {
    NameId name = 0;
    PathClass path_class = PathClass::compute;
    std::int64_t count = 0;
    TimeNs time = 0;
};

/// How much later an event could end without the step ending later, all else as recorded.
struct EventSlack {
    std::uint32_t rank = 0;
    EventIndex event = kNoEvent;
    TimeNs slack = 0;
};

/// The spans follow one another without gap or overlap and fill the window, so by_class, and by_rank, sum up to its
/// length.
struct CriticalPath {
    std::int64_t step = 0;       ///< number of the profiler step
    TimeRange window;            ///< aligned by StepGraph::clock: first start to last end of step_ranges()
    std::vector<PathSpan> spans; ///< in order of time
    std::array<TimeNs, kPathClassCount> by_class{};
    std::vector<TimeNs> by_rank;     ///< as Run::ranks
    std::vector<PathKernel> kernels; ///< GPU events on the path by name, longest first
};

class HostPieces;

/// The steps of a graph by number, worked out once for all that is asked of them. For one thread.
struct NumberedSteps {
    explicit NumberedSteps(const StepGraph& of);
    ~NumberedSteps();
    NumberedSteps(NumberedSteps&&) noexcept;
    NumberedSteps(const NumberedSteps&) = delete;
    NumberedSteps& operator=(const NumberedSteps&) = delete;
    NumberedSteps& operator=(NumberedSteps&&) = delete;

    const StepGraph& graph;
    std::vector<TimeRange> ranges;                            ///< step_ranges()
    std::vector<std::uint32_t> between_ranks;                 ///< nodes of no rank, by start
    std::map<std::int64_t, std::vector<std::size_t>> numbers; ///< number: indices in StepGraph::steps
    /// What the host of each rank does at any time, where it has so many rows that a look at all would cost too much.
    std::unique_ptr<HostPieces> host_pieces;
};

/// Step numbers that the graph holds, ascending.
std::vector<std::int64_t> graph_step_numbers(const StepGraph& graph);
/// Nothing when no rank has that step.
std::optional<CriticalPath> critical_path(const Run& run, const NumberedSteps& steps, std::int64_t step);
/// Of GPU events and launches of the step, by rank, then event.
std::vector<EventSlack> step_slack(const NumberedSteps& steps, std::int64_t step);

} // namespace rankscope
