// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/kineto/graph_capture.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "core/base/seeded_hash.h"
#include "core/base/text_match.h"
#include "core/input/kineto/kineto_reader.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;
using LaunchedKernels = std::vector<std::pair<std::uint32_t, NameId>>;

/// The number behind the word: "capture_32_FULL", "bs_32_rank0.json.gz"; nothing where none follows.
std::optional<std::int64_t> number_after(std::string_view text, std::string_view word) {
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos)
        return {};
    std::int64_t number = 0;
    const char* const begin = text.data() + at + word.size();
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
    return error == std::errc{} && end != begin ? std::optional(number) : std::nullopt;
}

/// "capture_32_FULL", "capture_8_decode"
std::optional<std::int64_t> tokens_of_annotation(std::string_view name) {
    constexpr std::string_view kCapture = "capture_";
    return name.starts_with(kCapture) ? number_after(name, kCapture) : std::nullopt;
}

/// What becomes a node of the graph; nothing for other calls.
std::optional<EventKind> node_kind(std::string_view call) {
    if (contains(call, "GraphLaunch") || contains(call, "LaunchHostFunc"))
        return {};
    if (contains(call, "Memcpy"))
        return EventKind::memcpy;
    if (contains(call, "Memset"))
        return EventKind::memset;
    return contains(call, "Launch") ? std::optional(EventKind::kernel) : std::nullopt;
}

class CaptureReader {
public:
    CaptureReader(const RankTrace& trace, const LaunchedKernels& kernels) : trace_(trace), kernels_(kernels) {}

    std::vector<CapturedGraph> graphs() {
        std::vector<CapturedGraph> graphs;
        const std::vector<Window> windows = capture_windows();
        const std::vector<EventIndex> launches = launch_calls();
        for (const Window& window : windows) {
            CapturedGraph graph;
            graph.file = trace_.file.string();
            graph.tokens = window.tokens;
            graph.requests = number_after(trace_.file.filename().string(), "bs_").value_or(-1);
            graph.piece = static_cast<std::int32_t>(graphs.size());
            frame_of_.clear();
            const auto start = [&](EventIndex call) { return trace_.events.start[call]; };
            for (auto call = std::ranges::lower_bound(launches, window.range.begin, {}, start);
                 call != launches.end() && window.range.contains(start(*call)); ++call)
                add_node(graph, *call);
            // A capture without nodes has its place all the same: its launch runs nothing.
            graphs.push_back(std::move(graph));
        }
        std::erase_if(graphs, [](const CapturedGraph& graph) { return graph.nodes.empty(); });
        count_pieces(graphs);
        return graphs;
    }

private:
    struct Window {
        TimeRange range;
        std::int64_t tokens = -1;
    };

    std::vector<Window> capture_windows() const {
        const EventTable& events = trace_.events;
        std::vector<TimeNs> begins, ends;
        std::vector<Window> annotated;
        for (EventIndex i = events.gpu_count; i < events.size(); ++i) {
            const std::string_view name = trace_.event_name(i);
            if (is_launch_call(events.kind[i]) && contains(name, "StreamBeginCapture"))
                begins.push_back(events.end(i));
            else if (is_launch_call(events.kind[i]) && contains(name, "StreamEndCapture"))
                ends.push_back(events.start[i]);
            else if (events.kind[i] == EventKind::annotation)
                if (const auto tokens = tokens_of_annotation(name))
                    annotated.push_back({events.range(i), *tokens});
        }
        std::ranges::sort(begins);
        std::ranges::sort(ends);
        std::ranges::sort(annotated, {}, [](const Window& w) { return w.range.begin; });
        annotated = disjoint(std::move(annotated));
        const auto tokens_at = [&](TimeNs time) {
            const auto after =
                std::ranges::upper_bound(annotated, time, {}, [](const Window& w) { return w.range.begin; });
            return after != annotated.begin() && std::prev(after)->range.contains(time) ? std::prev(after)->tokens
                                                                                        : std::int64_t{-1};
        };
        std::vector<Window> windows;
        auto end = ends.begin();
        for (const TimeNs begin : begins) {
            end = std::lower_bound(end, ends.end(), begin);
            if (end == ends.end())
                break;
            windows.push_back({{begin, *end++}, tokens_at(begin)});
        }
        if (windows.empty())
            windows = annotated;
        if (windows.empty())
            windows.push_back({{trace_.span.begin, trace_.span.end + 1}, -1});
        return disjoint(std::move(windows));
    }

    /// Windows in order of start, each from the end of those before it on: no call is of two graphs.
    static std::vector<Window> disjoint(std::vector<Window> windows) {
        TimeNs done = std::numeric_limits<TimeNs>::min();
        for (Window& window : windows) {
            window.range.begin = std::max(window.range.begin, done);
            done = std::max(done, window.range.end);
        }
        std::erase_if(windows, [](const Window& window) { return window.range.empty(); });
        return windows;
    }

    /// In order of start; a driver's call inside a runtime's is the same launch.
    std::vector<EventIndex> launch_calls() const {
        const EventTable& events = trace_.events;
        std::vector<EventIndex> calls;
        for (EventIndex i = events.gpu_count; i < events.size(); ++i) {
            if (!is_launch_call(events.kind[i]) || !node_kind(trace_.event_name(i)))
                continue;
            const EventIndex around = trace_.parent_of(i);
            if (around == kNoEvent || !is_launch_call(events.kind[around]))
                calls.push_back(i);
        }
        std::ranges::stable_sort(calls, {}, [&](EventIndex i) { return events.start[i]; });
        return calls;
    }

    void add_node(CapturedGraph& graph, EventIndex call) {
        CapturedNode node;
        node.kind = *node_kind(trace_.event_name(call));
        const auto kernel =
            std::ranges::lower_bound(kernels_, trace_.events.ordinal[call], {}, &LaunchedKernels::value_type::first);
        if (kernel != kernels_.end() && kernel->first == trace_.events.ordinal[call])
            node.name = trace_.names->view(kernel->second);
        node.frame = frame(graph, trace_.parent_of(call));
        graph.nodes.push_back(std::move(node));
    }

    /// Of Python's frames those of modules; all operators; annotations but that of the whole capture.
    [[nodiscard]] bool is_frame(EventIndex event) const {
        switch (trace_.events.kind[event]) {
        case EventKind::cpu_op: return true;
        case EventKind::python: return trace_.event_name(event).starts_with("nn.Module: ");
        case EventKind::annotation: return !tokens_of_annotation(trace_.event_name(event));
        default: return false;
        }
    }

    /// The frame at or around the event, and those around that, which come before it; -1 where there is none.
    std::int32_t frame(CapturedGraph& graph, EventIndex event) {
        std::vector<EventIndex> walked;
        std::int32_t around = -1;
        constexpr std::size_t kDeepest = 256; // each graph has the frames around it anew
        for (; event != kNoEvent && walked.size() < kDeepest; event = trace_.parent_of(event)) {
            if (const auto known = frame_of_.find(event); known != frame_of_.end()) {
                around = known->second;
                break;
            }
            walked.push_back(event);
        }
        for (; !walked.empty(); walked.pop_back()) {
            const EventIndex at = walked.back();
            if (is_frame(at)) {
                graph.frames.push_back(made_frame(at, around));
                around = static_cast<std::int32_t>(graph.frames.size()) - 1;
            }
            frame_of_[at] = around;
        }
        return around;
    }

    [[nodiscard]] CapturedFrame made_frame(EventIndex event, std::int32_t parent) const {
        CapturedFrame frame;
        frame.name = trace_.event_name(event);
        frame.is_operator = trace_.events.kind[event] == EventKind::cpu_op;
        frame.parent = parent;
        if (const auto inputs = trace_.inputs_of(event); inputs && frame.is_operator) {
            frame.dims = trace_.names->view(inputs->dims);
            frame.types = trace_.names->view(inputs->types);
            frame.concrete = trace_.names->view(inputs->concrete);
            frame.strides = trace_.names->view(inputs->strides);
        }
        return frame;
    }

    /// The graphs that one size was captured as.
    static void count_pieces(std::vector<CapturedGraph>& graphs) {
        for (auto first = graphs.begin(); first != graphs.end();) {
            const auto last =
                std::find_if(first, graphs.end(), [&](const CapturedGraph& g) { return g.tokens != first->tokens; });
            for (auto graph = first; graph != last; ++graph) {
                graph->piece = static_cast<std::int32_t>(graph - first);
                graph->pieces = static_cast<std::int32_t>(last - first);
            }
            first = last;
        }
    }

    const RankTrace& trace_;
    const LaunchedKernels& kernels_;
    PlaceMap<EventIndex, std::int32_t> frame_of_; ///< of the graph being read
};

} // namespace

bool is_graph_capture(const std::filesystem::path& path) {
    const std::string name = lower_case(path.filename().string());
    if (lower_case(path.parent_path().filename().string()) == "capture_traces")
        return true;
    if (name.starts_with("graph_capture_rank") || name.starts_with("capture_trace_rank") ||
        name.starts_with("capture_rank"))
        return true;
    // SGLang: "bs_32_rank0.json.gz", behind the runner's name in later releases
    const std::size_t at = name.find("bs_");
    return at != std::string::npos && (at == 0 || name[at - 1] == '_') && number_after(name, "bs_") &&
           contains(std::string_view(name).substr(at), "_rank");
}

Result<std::vector<CapturedGraph>> read_captured_graphs(const std::filesystem::path& path, const ReadOptions& options) {
    LaunchedKernels kernels;
    ReadOptions of_capture;
    of_capture.cancel = options.cancel;
    of_capture.memory_bytes = options.memory_bytes;
    of_capture.launched_kernels = &kernels;
    const auto trace = read_kineto(path, std::make_shared<StringTable>(), of_capture);
    if (!trace)
        return tl::unexpected(trace.error());
    return CaptureReader(**trace, kernels).graphs();
}

} // namespace rankscope
