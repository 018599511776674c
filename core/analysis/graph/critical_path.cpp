// SPDX-License-Identifier: GPL-3.0-or-later
// Walks back from the end of a step along what each start waited for.
#include "core/analysis/graph/critical_path.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <queue>
#include <ranges>
#include <set>

#include "core/analysis/graph/held_up.h"
#include "core/analysis/graph/replay_order.h"
#include "core/analysis/graph/step_ranges.h"
#include "core/base/seeded_hash.h"

namespace rankscope {

/// From when on which event of the host is the innermost of any thread, until the next piece; kNoEvent: none.
struct HostPiece {
    TimeNs begin = 0;
    EventIndex event = kNoEvent;
};

namespace {

PathClass class_of(NodeKind kind) {
    switch (kind) {
    case NodeKind::data_loading: return PathClass::data_loading;
    case NodeKind::garbage_collection: return PathClass::garbage_collection;
    case NodeKind::allocation: return PathClass::allocation;
    case NodeKind::compute: return PathClass::compute;
    case NodeKind::memory_copy: return PathClass::memory_copy;
    case NodeKind::memory_set: return PathClass::memory_set;
    case NodeKind::lone_communication:
    case NodeKind::message:
    case NodeKind::arrival:
    case NodeKind::transfer: return PathClass::communication;
    default: return PathClass::host_operator;
    }
}

PathClass class_of(EdgeKind kind) {
    switch (kind) {
    case EdgeKind::host: return PathClass::host_other;
    case EdgeKind::launch: return PathClass::launch;
    case EdgeKind::stream: return PathClass::gpu_gap;
    case EdgeKind::dependency:
    case EdgeKind::wait: return PathClass::synchronisation;
    case EdgeKind::arrival: break;
    }
    return PathClass::communication;
}

/// Of the ranks' steps of that number on the GPU.
struct Window {
    TimeRange range{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
    TimeNs launched_from = std::numeric_limits<TimeNs>::max(); ///< the first host starts it
    std::uint32_t last = kNoNode;                              ///< the node that ends it

    void extend(const StepGraph& graph, std::uint32_t node) {
        if (node != kNoNode && (last == kNoNode || graph.end(node) > range.end)) {
            last = node;
            range.end = graph.end(node);
        }
    }
};

/// When the first GPU work of a rank starts, if over a millisecond passes between all that it waits for and that: the
/// GPU did something else first, which is not recorded and belongs to no step (7.8 ms in vllm_decode_full).
std::optional<TimeNs> start_behind_unrecorded_work(const StepGraph& graph, std::size_t rank) {
    constexpr TimeNs kTooLong = 1'000'000;
    const std::uint32_t first = graph.first_gpu_node[rank];
    if (first == graph.first_node[rank + 1])
        return {};
    std::optional<TimeNs> ready; // all that it waits for
    for (const GraphEdge& edge : graph.edges_of(first))
        ready = std::max(ready.value_or(std::numeric_limits<TimeNs>::min()), // a call may go on meanwhile
                         std::min(graph.end(edge.from), graph.start[first]));
    return ready && graph.start[first] - *ready > kTooLong ? std::optional(graph.start[first]) : std::nullopt;
}

Window window_of(const NumberedSteps& steps, std::int64_t number) {
    Window window;
    const StepGraph& graph = steps.graph;
    if (const auto found = steps.numbers.find(number); found != steps.numbers.end())
        for (const std::size_t s : found->second) {
            const GraphStep& step = graph.steps[s];
            const auto started = graph.profiler_steps ? std::nullopt : start_behind_unrecorded_work(graph, step.rank);
            window.range.begin = std::min(window.range.begin, started.value_or(steps.ranges[s].begin));
            window.launched_from = std::min(window.launched_from, step.range.begin);
            window.extend(graph, step.end);
            for (const std::uint32_t node : step.last_work)
                window.extend(graph, node);
        }
    for (std::uint32_t n = 0; !graph.profiler_steps && number == 0 && n < graph.size(); ++n)
        window.extend(graph, n);
    if (window.last != kNoNode) // a step may leave nothing on the GPU that still works on the one before
        window.range.begin = std::min(window.range.begin, window.range.end);
    return window;
}

bool counts_on_host(EventKind kind) { return kind == EventKind::cpu_op || is_launch_call(kind); }

/// events: all that overlap the range. Of two as long, the first is the innermost.
std::vector<HostPiece> innermost_pieces(const EventTable& table, std::vector<EventIndex> events, TimeRange range) {
    std::ranges::sort(
        events, {}, [&](EventIndex e) { return std::pair(table.start[e], e); });
    const auto longer = [&](EventIndex a, EventIndex b) {
        return std::pair(table.duration[a], a) > std::pair(table.duration[b], b);
    };
    std::priority_queue<EventIndex, std::vector<EventIndex>, decltype(longer)> open(longer);
    std::vector<HostPiece> pieces;
    auto next = events.begin();
    for (TimeNs time = range.begin; time < range.end;) {
        for (; next != events.end() && table.start[*next] <= time; ++next)
            open.push(*next);
        while (!open.empty() && table.end(open.top()) <= time)
            open.pop();
        pieces.push_back({time, open.empty() ? kNoEvent : open.top()});
        time = range.end;
        if (next != events.end())
            time = std::min(time, table.start[*next]);
        if (!open.empty())
            time = std::min(time, table.end(open.top()));
    }
    return pieces;
}

EventIndex first_ending_after(const RankTrace& trace, const Row& row, TimeNs time) {
    const auto begin = trace.events.start.begin();
    auto at = static_cast<EventIndex>(std::upper_bound(begin + row.begin, begin + row.end, time) - begin);
    return at > row.begin && trace.events.end(at - 1) > time ? at - 1 : at;
}

std::vector<EventIndex> host_events_in(const RankTrace& trace, TimeRange range) {
    std::vector<EventIndex> events;
    for (const Lane& lane : trace.lanes)
        for (std::uint32_t r = lane.first_row; lane.kind == LaneKind::cpu_thread && r < lane.first_row + lane.row_count;
             ++r) {
            const Row& row = trace.rows[r];
            for (EventIndex e = first_ending_after(trace, row, range.begin);
                 e < row.end && trace.events.start[e] < range.end; ++e)
                if (counts_on_host(trace.events.kind[e]))
                    events.push_back(e);
        }
    return events;
}

} // namespace

class HostPieces {
public:
    /// Of the whole rank. Empty where it has few rows: what is asked for is cheaper alone then.
    const std::vector<HostPiece>& of(const RankTrace& trace, std::uint32_t rank) {
        constexpr std::size_t kManyRows = 512;
        const auto [known, added] = by_rank_.try_emplace(rank);
        if (added && trace.rows.size() > kManyRows)
            known->second = innermost_pieces(trace.events, host_events_in(trace, trace.span), trace.span);
        return known->second;
    }

private:
    std::map<std::uint32_t, std::vector<HostPiece>> by_rank_;
};

namespace {

/// The host's time between two points in the operators and calls it was spent in: the innermost event of any thread,
/// host_other between them.
class HostTime {
public:
    HostTime(const RankTrace& trace, RankClock clock, const std::vector<HostPiece>& all)
        : trace_(trace), clock_(clock), all_(all) {}

    /// Appends spans that fill the range.
    void fill(std::uint32_t rank, TimeRange range, std::vector<PathSpan>& spans) const {
        const TimeRange own = clock_.recorded(range);
        const std::vector<HostPiece> pieces = pieces_in(own);
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const bool last = i + 1 == pieces.size();
            add(spans, {rank,
                        pieces[i].event,
                        {i == 0 ? range.begin : clock_.aligned(pieces[i].begin),
                         last ? range.end : clock_.aligned(pieces[i + 1].begin)},
                        pieces[i].event == kNoEvent ? PathClass::host_other : PathClass::host_operator});
        }
    }

private:
    [[nodiscard]] std::vector<HostPiece> pieces_in(TimeRange own) const {
        if (all_.empty())
            return innermost_pieces(trace_.events, host_events_in(trace_, own), own);
        const auto after = std::ranges::upper_bound(all_, own.begin, {}, &HostPiece::begin);
        std::vector<HostPiece> pieces{{own.begin, after == all_.begin() ? kNoEvent : std::prev(after)->event}};
        pieces.insert(pieces.end(), after, std::ranges::lower_bound(after, all_.end(), own.end, {}, &HostPiece::begin));
        return pieces;
    }

    static void add(std::vector<PathSpan>& spans, PathSpan span) {
        if (!spans.empty() && spans.back().event == span.event && spans.back().rank == span.rank &&
            spans.back().path_class == span.path_class && spans.back().range.end == span.range.begin) {
            spans.back().range.end = span.range.end;
            return;
        }
        spans.push_back(span);
    }

    const RankTrace& trace_;
    RankClock clock_;
    const std::vector<HostPiece>& all_;
};

class Walk {
public:
    Walk(const Run& run, const NumberedSteps& steps, CriticalPath& path)
        : run_(run), graph_(steps.graph), host_(*steps.host_pieces), path_(path) {}

    void from(std::uint32_t node) {
        TimeNs until = graph_.end(node);
        while (node != kNoNode && until > path_.window.begin) {
            until = own_time(node, until);
            node = before(node, until);
        }
        if (until > path_.window.begin)
            gap(path_.spans.empty() ? 0 : path_.spans.back().rank, {path_.window.begin, until}, PathClass::host_other);
        std::reverse(path_.spans.begin(), path_.spans.end());
    }

private:
    /// The node's part of the path before until; returns where it started.
    TimeNs own_time(std::uint32_t node, TimeNs until) {
        const TimeNs begin = std::max(graph_.start[node], path_.window.begin);
        if (begin < until) {
            const NodeKind kind = graph_.kind[node];
            // A launch call is an operator's work like that around it.
            if (kind == NodeKind::launch)
                gap(graph_.rank[node], {begin, until}, PathClass::host_other);
            else
                path_.spans.push_back({graph_.rank[node], graph_.event[node], {begin, until}, class_of(kind)});
            return begin;
        }
        return until;
    }

    /// What held the node up, and until then the time between; until becomes its end.
    std::uint32_t before(std::uint32_t node, TimeNs& until) {
        const HeldUp held_up{graph_, graph_.start, graph_.times};
        const std::uint32_t binding = held_up.binding_edge(node);
        if (binding == kNoNode)
            return kNoNode;
        const GraphEdge& edge = graph_.edges[binding];
        if (const TimeNs source = held_up.source(edge); source < until) {
            gap(graph_.rank[node], {std::max(source, path_.window.begin), until}, class_of(edge.kind));
            until = std::max(source, path_.window.begin);
        }
        return edge.from;
    }

    void gap(std::uint32_t rank, TimeRange range, PathClass path_class) {
        if (range.empty())
            return;
        if (path_class != PathClass::host_other) {
            path_.spans.push_back({rank, kNoEvent, range, path_class});
            return;
        }
        std::vector<PathSpan> host;
        const RankTrace& trace = *run_.ranks[rank];
        HostTime(trace, {graph_.clock, rank}, host_.of(trace, rank)).fill(rank, range, host);
        path_.spans.insert(path_.spans.end(), host.rbegin(), host.rend());
    }

    const Run& run_;
    const StepGraph& graph_;
    HostPieces& host_;
    CriticalPath& path_;
};

void sum_up(const Run& run, CriticalPath& path) {
    path.by_rank.assign(run.ranks.size(), 0);
    std::map<std::pair<NameId, PathClass>, PathKernel> kernels;
    for (const PathSpan& span : path.spans) {
        path.by_class[static_cast<std::size_t>(span.path_class)] += span.range.length();
        path.by_rank[span.rank] += span.range.length();
        const EventTable& events = run.ranks[span.rank]->events;
        if (span.event < events.gpu_count) {
            PathKernel& kernel = kernels[{events.name[span.event], span.path_class}];
            kernel = {events.name[span.event], span.path_class, kernel.count + 1, kernel.time + span.range.length()};
        }
    }
    for (const auto& [key, kernel] : kernels)
        path.kernels.push_back(kernel);
    std::sort(path.kernels.begin(), path.kernels.end(), [&](const PathKernel& a, const PathKernel& b) {
        return std::tuple(-a.time, run.names->view(a.name), a.path_class) <
               std::tuple(-b.time, run.names->view(b.name), b.path_class);
    });
}

/// In order of time, so that every edge leads forward.
std::vector<std::uint32_t> nodes_beginning_in(const NumberedSteps& steps, TimeRange range) {
    const StepGraph& graph = steps.graph;
    std::vector<std::uint32_t> nodes;
    const auto add = [&](std::uint32_t first, std::uint32_t end) { // these lie by start
        const auto at = [&](TimeNs time) {
            return std::lower_bound(graph.start.begin() + first, graph.start.begin() + end, time) - graph.start.begin();
        };
        const auto after = static_cast<std::uint32_t>(at(range.end));
        for (auto n = static_cast<std::uint32_t>(at(range.begin)); n < after; ++n)
            nodes.push_back(n);
    };
    for (std::size_t r = 0; r + 1 < graph.first_node.size(); ++r) {
        add(graph.first_node[r], graph.first_gpu_node[r]);
        add(graph.first_gpu_node[r], graph.first_node[r + 1]);
    }
    const auto start_of = [&](std::uint32_t n) { return graph.start[n]; };
    for (auto n = std::ranges::lower_bound(steps.between_ranks, range.begin, {}, start_of);
         n != steps.between_ranks.end() && graph.start[*n] < range.end; ++n)
        nodes.push_back(*n);
    std::sort(nodes.begin(), nodes.end(), [&](std::uint32_t a, std::uint32_t b) { return is_before(graph, a, b); });
    return nodes;
}

} // namespace

std::string_view path_class_word(PathClass c) {
    constexpr std::array<std::string_view, kPathClassCount> kWords{
        "host_operator", "host_other",    "data_loading", "garbage_collection", "allocation", "launch",
        "compute",       "communication", "memory_copy",  "memory_set",         "gpu_gap",    "synchronisation"};
    return kWords[static_cast<std::size_t>(c)];
}

std::string_view path_class_label(PathClass c) {
    constexpr std::array<std::string_view, kPathClassCount> kLabels{"host operators",    "host, outside operators",
                                                                    "data loading",      "garbage collection",
                                                                    "memory allocation", "launches",
                                                                    "compute",           "communication",
                                                                    "memory copies",     "memory sets",
                                                                    "gaps on the GPU",   "synchronisation"};
    return kLabels[static_cast<std::size_t>(c)];
}

std::vector<std::int64_t> graph_step_numbers(const StepGraph& graph) {
    std::set<std::int64_t> numbers;
    for (const GraphStep& step : graph.steps)
        numbers.insert(step.number);
    return {numbers.begin(), numbers.end()};
}

NumberedSteps::~NumberedSteps() = default;
NumberedSteps::NumberedSteps(NumberedSteps&&) noexcept = default;

NumberedSteps::NumberedSteps(const StepGraph& of)
    : graph(of), ranges(step_ranges(of)), host_pieces(std::make_unique<HostPieces>()) {
    for (std::size_t s = 0; s < graph.steps.size(); ++s)
        numbers[graph.steps[s].number].push_back(s);
    for (std::uint32_t n = graph.first_node.empty() ? 0 : graph.first_node.back(); n < graph.size(); ++n)
        between_ranks.push_back(n);
    std::ranges::stable_sort(between_ranks, {}, [&](std::uint32_t n) { return graph.start[n]; });
}

std::optional<CriticalPath> critical_path(const Run& run, const NumberedSteps& steps, std::int64_t step) {
    CriticalPath path;
    path.step = step;
    const Window window = window_of(steps, step);
    if (window.last == kNoNode)
        return {};
    path.window = window.range;
    Walk(run, steps, path).from(window.last);
    sum_up(run, path);
    return path;
}

std::vector<EventSlack> step_slack(const NumberedSteps& steps, std::int64_t step) {
    const StepGraph& graph = steps.graph;
    const Window own = window_of(steps, step);
    const TimeRange window{own.launched_from, own.range.end};
    if (window.empty())
        return {};
    const auto inside = [&](std::uint32_t n) { return graph.start[n] >= window.begin && graph.end(n) <= window.end; };
    const std::vector<std::uint32_t> nodes = nodes_beginning_in(steps, {window.begin, window.end + 1});
    // The latest end of each node that leaves the window's end where it is; that end itself where there is none.
    PlaceMap<std::uint32_t, TimeNs> latest;
    const auto latest_of = [&](std::uint32_t n) -> TimeNs& { return latest.try_emplace(n, window.end).first->second; };
    for (const std::uint32_t n : std::views::reverse(nodes)) {
        if (!inside(n))
            continue;
        const TimeNs latest_start = latest_of(n) - graph.times.duration[n];
        for (std::uint32_t e = graph.first_edge[n]; e < graph.first_edge[n + 1]; ++e) {
            const GraphEdge& edge = graph.edges[e];
            const TimeNs end =
                latest_start - graph.times.lag[e] + (edge.from_start ? graph.times.duration[edge.from] : 0);
            latest_of(edge.from) = std::min(latest_of(edge.from), end);
        }
    }
    std::vector<EventSlack> slack;
    for (const std::uint32_t n : nodes) {
        const bool shown =
            graph.kind[n] == NodeKind::launch || (is_gpu_node(graph.kind[n]) && graph.kind[n] != NodeKind::transfer);
        if (shown && inside(n) && graph.event[n] != kNoEvent)
            slack.push_back({graph.rank[n], graph.event[n], latest_of(n) - graph.end(n)});
    }
    std::sort(slack.begin(), slack.end(), [](const EventSlack& a, const EventSlack& b) {
        return a.rank != b.rank ? a.rank < b.rank : a.event < b.event;
    });
    return slack;
}

} // namespace rankscope
