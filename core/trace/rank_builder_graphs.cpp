// SPDX-License-Identifier: GPL-3.0-or-later
// Launches of CUDA and HIP graphs: a slice above the work of each, and, where a capture of the graph lies beside the
// trace, slices of its operators and modules above the kernels they stand for.
#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "core/base/seeded_hash.h"
#include "core/trace/engine_steps.h"
#include "core/trace/graph_match.h"
#include "core/trace/rank_builder.h"
#include "core/trace/rank_builder_parts.h"

namespace rankscope {
namespace {

/// Answers about names, each asked once.
class NameTest {
public:
    NameTest(const StringTable& names, bool (*test)(std::string_view)) : names_(names), test_(test) {}
    bool operator()(NameId id) {
        if (id >= known_.size())
            known_.resize(id + 1);
        signed char& known = known_[id];
        if (known == 0)
            known = test_(names_.view(id)) ? 1 : -1;
        return known > 0;
    }

private:
    const StringTable& names_;
    bool (*test_)(std::string_view);
    std::vector<signed char> known_;
};

/// cudaGraphLaunch, hipGraphLaunch, cuGraphLaunch and their spellings with "_ptsz".
bool launches_graph(std::string_view name) { return name.find("GraphLaunch") != std::string_view::npos; }

/// One launch with its work, by place among the events as added.
struct GraphRun {
    TimeNs launched = 0;
    std::vector<std::size_t> work; ///< in order of start
    std::int64_t tokens = -1;      ///< of the engine's step around the launch; -1: not said
    std::int64_t requests = -1;    ///< likewise
    std::uint32_t in_step = 0;     ///< its place among the launches of that step
    std::uint32_t step_launches = 0;
};

/// The step of a serving engine that surrounds a launch, by its annotation.
struct StepTokens {
    TimeRange range;
    std::int64_t tokens = -1;
    std::int64_t requests = -1;
};

} // namespace

bool RankBuilder::launches_graphs() const {
    bool found = false;
    NameTest is_launch(*names_, launches_graph);
    events_.for_each(0, events_.size(), [&](std::size_t, const RawEvents::Chunk& chunk, std::size_t k) {
        found = found || (is_launch_call(chunk.kind[k]) && is_launch(chunk.name[k]));
    });
    return found;
}

/// The captured graph that a launch replays. Where several captures fit and differ, what they differ in is not known.
struct FoundGraph {
    const CapturedGraph* graph = nullptr;
    GraphMatch match;
    bool with_inputs = true;
    bool with_scopes = true;
};

void RankBuilder::set_captured_graphs(CapturedGraphs graphs) { captured_graphs_ = std::move(graphs); }

namespace {

/// Which captured graph a launch replays, asked once for each sequence of kernels and number of tokens.
class GraphFinder {
public:
    explicit GraphFinder(const std::vector<CapturedGraph>& graphs) : graphs_(graphs) {}

    FoundGraph find(std::span<const ReplayedNode> nodes, const GraphRun& run) const {
        const bool by_requests =
            run.requests > 0 && std::ranges::any_of(graphs_, [](const CapturedGraph& g) { return g.requests > 0; });
        const auto size_of = by_requests ? &CapturedGraph::requests : &CapturedGraph::tokens;
        const std::int64_t size = by_requests ? run.requests : run.tokens;
        const std::int64_t padded = padded_to(size, size_of);
        std::vector<const CapturedGraph*> candidates;
        for (const CapturedGraph& graph : graphs_)
            if (padded < 0 || graph.*size_of < 0 || graph.*size_of == padded)
                candidates.push_back(&graph);
        // A capture of as many pieces as the step launches: each launch is the piece of its place.
        const auto fits_place = [&](const CapturedGraph* graph) {
            return run.step_launches > 0 && static_cast<std::uint32_t>(graph->pieces) == run.step_launches &&
                   static_cast<std::uint32_t>(graph->piece) == run.in_step;
        };
        std::ranges::stable_partition(candidates, fits_place);
        FoundGraph best;
        for (const CapturedGraph* graph : candidates) {
            if (best.graph != nullptr && best.match.complete) {
                if ((fits_place(best.graph) && !fits_place(graph)) || graph->nodes.size() != nodes.size())
                    continue;
                if (graph->frames != best.graph->frames && match_replay(*graph, nodes).complete &&
                    !keep_what_is_common(*graph, best))
                    return {};
                continue;
            }
            // Lengths that differ by more than a tenth cannot match.
            const auto longer = static_cast<double>(std::max(graph->nodes.size(), nodes.size()));
            if (static_cast<double>(std::min(graph->nodes.size(), nodes.size())) < 0.5 * longer)
                continue;
            GraphMatch match = match_replay(*graph, nodes);
            if (match.complete || match.matched > best.match.matched)
                best = {graph, std::move(match), true, true};
        }
        // A graph of another size may run the same kernels: then its shapes are not known. So it is for a batch that is
        // larger than every capture, or so much smaller that the engine will have captured a size between (engines pad
        // to less than twice the size), and where neither the size is known nor the kernels match to the end.
        if (best.graph != nullptr) {
            const bool sized = size > 0 && best.graph->*size_of > 0;
            const bool fits = padded == size || (padded > size && padded < 2 * size);
            best.with_inputs = best.with_inputs && (sized ? fits : best.match.complete);
        }
        return best;
    }

private:
    /// False: not even the operators are the same.
    static bool keep_what_is_common(const CapturedGraph& other, FoundGraph& found) {
        const auto split = [](const CapturedGraph& graph) {
            std::vector<std::string_view> operators, scopes, inputs;
            for (const CapturedFrame& frame : graph.frames) {
                (frame.is_operator ? operators : scopes).push_back(frame.name);
                for (const std::string* text : {&frame.dims, &frame.types, &frame.concrete, &frame.strides})
                    inputs.push_back(*text);
            }
            return std::tuple(operators, scopes, inputs);
        };
        const auto [operators, scopes, inputs] = split(*found.graph);
        const auto [other_operators, other_scopes, other_inputs] = split(other);
        found.with_inputs = found.with_inputs && inputs == other_inputs;
        found.with_scopes = found.with_scopes && scopes == other_scopes;
        return operators == other_operators;
    }

    /// Engines pad a batch to the next size that they captured.
    [[nodiscard]] std::int64_t padded_to(std::int64_t size, std::int64_t CapturedGraph::*size_of) const {
        std::int64_t padded = -1;
        for (const CapturedGraph& graph : graphs_)
            if (size > 0 && graph.*size_of >= size && (padded < 0 || graph.*size_of < padded))
                padded = graph.*size_of;
        return padded;
    }

    const std::vector<CapturedGraph>& graphs_;
};

/// Slices of one stream, emitted in order of their starts, the outer ones first.
class SliceWriter {
public:
    SliceWriter(std::function<void(const RawEvent&, std::int32_t frame)> emit, TrackId track, std::uint32_t& ordinal)
        : emit_(std::move(emit)), track_(track), ordinal_(ordinal) {}

    void open(std::int32_t frame, NameId name, EventKind kind, TimeNs at) {
        open_.push_back({frame, name, kind, at, at, slices_.size()});
        slices_.push_back({});
        slices_.back().first.ordinal = ordinal_++;
    }
    [[nodiscard]] std::size_t depth() const { return open_.size(); }
    [[nodiscard]] std::int32_t frame(std::size_t depth) const { return open_[depth].frame; }
    [[nodiscard]] std::uint32_t ordinal(std::size_t depth) const { return slices_[open_[depth].slice].first.ordinal; }
    /// Work of all that are open.
    void extend(TimeNs end) {
        for (Open& o : open_)
            o.end = std::max(o.end, end);
    }
    /// Work of one stream may overlap a little; slices do not, since they nest.
    void close_to(std::size_t depth, TimeNs next) {
        for (; open_.size() > depth; open_.pop_back()) {
            const Open& o = open_.back();
            RawEvent& event = slices_[o.slice].first;
            event.start = o.start;
            event.duration = std::max(o.start, std::min(o.end, next)) - o.start;
            event.name = o.name;
            event.track = track_;
            event.kind = o.kind;
            slices_[o.slice].second = o.frame;
        }
        if (depth == 0) {
            for (const auto& [event, frame] : slices_)
                emit_(event, frame);
            slices_.clear();
        }
    }

private:
    struct Open {
        std::int32_t frame;
        NameId name;
        EventKind kind;
        TimeNs start;
        TimeNs end;
        std::size_t slice;
    };
    std::function<void(const RawEvent&, std::int32_t)> emit_;
    TrackId track_;
    std::uint32_t& ordinal_;
    std::vector<Open> open_;
    std::vector<std::pair<RawEvent, std::int32_t>> slices_;
};

std::vector<StepTokens> steps_with_tokens(const RawEvents& events, const StringTable& names) {
    std::vector<StepTokens> steps;
    NameTest is_step(
        names,
        [](std::string_view name) {
            const auto step = engine_step_name(EventKind::annotation, name);
            return step && (step->tokens() > 0 || step->requests() > 0);
        });
    events.for_each(
        0, events.size(),
        [&](std::size_t, const RawEvents::Chunk& chunk, std::size_t k) {
            if (chunk.kind[k] == EventKind::annotation && is_step(chunk.name[k]))
                if (const auto step = engine_step_name(EventKind::annotation, names.view(chunk.name[k])))
                    steps.push_back(
                        {{chunk.start[k], chunk.start[k] + chunk.duration[k]}, step->tokens(), step->requests()});
        });
    std::ranges::sort(steps, {}, [](const StepTokens& s) { return s.range.begin; });
    return steps;
}

} // namespace

void RankBuilder::add_graph_slices() {
    NumberMap<std::int64_t, std::size_t> run_of;
    std::vector<GraphRun> runs;
    NameTest is_launch(*names_, launches_graph);
    events_.for_each(0, events_.size(), [&](std::size_t, const RawEvents::Chunk& chunk, std::size_t k) {
        if (!is_launch_call(chunk.kind[k]) || !is_launch(chunk.name[k]))
            return;
        if (const std::int64_t id = chunk.correlation[k]; id >= 0 && run_of.try_emplace(id, runs.size()).second)
            runs.push_back({chunk.start[k], {}, -1, -1, 0, 0});
    });
    if (runs.empty())
        return;
    std::uint32_t ordinal = 0;
    const std::size_t recorded = events_.size();
    events_.for_each(
        0, recorded,
        [&](std::size_t i, const RawEvents::Chunk& chunk, std::size_t k) {
            ordinal = std::max(ordinal, chunk.ordinal[k] + 1);
            if (!is_gpu_work(chunk.kind[k]))
                return;
            if (const auto run = run_of.find(chunk.correlation[k]); run != run_of.end())
                runs[run->second].work.push_back(i);
        });
    std::erase_if(runs, [](const GraphRun& run) { return run.work.empty(); });
    std::ranges::stable_sort(runs, {}, &GraphRun::launched);
    for (GraphRun& run : runs)
        std::ranges::sort(run.work, {},
                          [&](std::size_t i) { return std::tuple(events_.start(i), events_.ordinal(i)); });

    const std::vector<StepTokens> steps = steps_with_tokens(events_, *names_);
    for (std::size_t r = 0; r < runs.size();) {
        const auto step_of = [&](const GraphRun& run) {
            const auto after =
                std::ranges::upper_bound(steps, run.launched, {}, [](const StepTokens& s) { return s.range.begin; });
            return after != steps.begin() && std::prev(after)->range.contains(run.launched)
                       ? static_cast<std::ptrdiff_t>(after - steps.begin()) - 1
                       : std::ptrdiff_t{-1};
        };
        const std::ptrdiff_t step = step_of(runs[r]);
        std::size_t end = r + 1;
        while (step >= 0 && end < runs.size() && step_of(runs[end]) == step)
            ++end;
        for (std::size_t k = r; step >= 0 && k < end; ++k) {
            runs[k].tokens = steps[static_cast<std::size_t>(step)].tokens;
            runs[k].requests = steps[static_cast<std::size_t>(step)].requests;
            runs[k].in_step = static_cast<std::uint32_t>(k - r);
            runs[k].step_launches = static_cast<std::uint32_t>(end - r);
        }
        r = end;
    }

    // Launches of one graph: each stream runs the same work in the same order. How the streams' work interleaves, and
    // with it what of the capture each place is, differs from replay to replay.
    using Sequence = std::vector<std::pair<EventKind, NameId>>;
    std::map<std::vector<Sequence>, std::size_t> number_of_graph;
    std::map<std::vector<std::tuple<EventKind, NameId, std::uint32_t>>, std::size_t> number_of_order;
    std::map<std::tuple<std::size_t, std::int64_t, std::int64_t, std::uint32_t, std::uint32_t>, FoundGraph> found_of;
    static const std::vector<CapturedGraph> kNone;
    const GraphFinder finder(captured_graphs_ == nullptr ? kNone : *captured_graphs_);
    std::map<TrackId, TrackId> lane_of_stream;
    const auto lane_of = [&](TrackId stream) {
        if (const auto known = lane_of_stream.find(stream); known != lane_of_stream.end())
            return known->second;
        const Track of = tracks_[stream];
        // Streams may be told by the thread alone.
        return lane_of_stream[stream] = track(of.process, of.thread + " graphs", of.device,
                                              of.stream >= 0 ? of.stream : number_or_unknown(of.thread));
    };
    for (const GraphRun& run : runs) {
        std::vector<std::tuple<EventKind, NameId, std::uint32_t>> order;
        std::vector<ReplayedNode> nodes;
        std::map<TrackId, std::uint32_t> stream_of;
        std::vector<Sequence> sequences;
        for (const std::size_t i : run.work) {
            const std::uint32_t stream = stream_of
                                             .try_emplace(events_.value(&RawEvents::Chunk::track, i),
                                                          static_cast<std::uint32_t>(stream_of.size()))
                                             .first->second;
            sequences.resize(stream_of.size());
            sequences[stream].emplace_back(events_.kind(i), events_.name(i));
            order.emplace_back(events_.kind(i), events_.name(i), stream);
            nodes.push_back({events_.kind(i), names_->view(events_.name(i)), stream});
        }
        std::ranges::sort(sequences);
        const std::size_t graph =
            number_of_graph.try_emplace(std::move(sequences), number_of_graph.size() + 1).first->second;
        const std::size_t in_order =
            number_of_order.try_emplace(std::move(order), number_of_order.size() + 1).first->second;
        const auto key = std::tuple(in_order, run.tokens, run.requests, run.in_step, run.step_launches);
        auto found = found_of.find(key);
        if (found == found_of.end())
            found = found_of.emplace(key, captured_graphs_ ? finder.find(nodes, run) : FoundGraph{}).first;
        const NameId name = names_->intern(
            fmt::format("graph {} of {} node{}", graph, run.work.size(), run.work.size() == 1 ? "" : "s"));
        graph_launches_.push_back({run.work.size(), found->second.match.matched, found->second.match.named});
        add_graph_run(run.work, name, found->second, lane_of, ordinal);
    }
    note_captured_graphs();
}

void RankBuilder::add_graph_run(const std::vector<std::size_t>& work, NameId name, const FoundGraph& found,
                                const std::function<TrackId(TrackId)>& lane_of, std::uint32_t& ordinal) {
    const CapturedGraph* const graph = found.graph;
    const std::vector<std::int32_t>& node_of = found.match.node_of;
    std::map<TrackId, std::vector<std::size_t>> by_stream; // places in work
    for (std::size_t k = 0; k < work.size(); ++k)
        by_stream[events_.value(&RawEvents::Chunk::track, work[k])].push_back(k);
    std::vector<std::int32_t> chain;
    for (const auto& [stream, places] : by_stream) {
        const auto emit = [&](const RawEvent& event, std::int32_t frame) {
            add(event);
            if (frame < 0 || !found.with_inputs)
                return;
            const CapturedFrame& captured = graph->frames[static_cast<std::size_t>(frame)];
            if (!captured.is_operator || (captured.dims.empty() && captured.types.empty()))
                return;
            add_inputs(event.ordinal,
                       {kNoEvent, names_->intern(captured.dims), names_->intern(captured.types),
                        names_->intern(captured.concrete), names_->intern(captured.strides), kUnknown, kUnknown});
        };
        SliceWriter writer(emit, lane_of(stream), ordinal);
        writer.open(-1, name, EventKind::graph_launch, events_.start(work[places.front()]));
        for (const std::size_t k : places) {
            const TimeNs start = events_.start(work[k]);
            const TimeNs end = start + events_.duration(work[k]);
            const std::int32_t node = k < node_of.size() ? node_of[k] : -1;
            if (node >= 0) {
                chain.clear();
                for (std::int32_t f = graph->nodes[static_cast<std::size_t>(node)].frame; f >= 0;
                     f = graph->frames[static_cast<std::size_t>(f)].parent)
                    if (found.with_scopes || graph->frames[static_cast<std::size_t>(f)].is_operator)
                        chain.push_back(f);
                std::size_t depth = 1;
                while (depth < writer.depth() && depth <= chain.size() &&
                       writer.frame(depth) == chain[chain.size() - depth])
                    ++depth;
                writer.close_to(depth, start);
                for (; depth <= chain.size(); ++depth) {
                    const std::int32_t f = chain[chain.size() - depth];
                    const CapturedFrame& frame = graph->frames[static_cast<std::size_t>(f)];
                    writer.open(f, names_->intern(frame.name),
                                frame.is_operator ? EventKind::captured_op : EventKind::captured_scope, start);
                }
                for (std::size_t at = writer.depth(); at-- > 1;)
                    if (graph->frames[static_cast<std::size_t>(writer.frame(at))].is_operator) {
                        captured_operators_.emplace_back(events_.ordinal(work[k]), writer.ordinal(at));
                        break;
                    }
            }
            writer.extend(end);
        }
        writer.close_to(0, std::numeric_limits<TimeNs>::max());
    }
}

/// Kernels of replayed graphs belong to the operators of the capture.
void RankBuilder::link_captured_operators() {
    if (captured_operators_.empty())
        return;
    PlaceMap<std::uint32_t, std::uint32_t> operator_of(captured_operators_.begin(), captured_operators_.end());
    PlaceMap<std::uint32_t, EventIndex> event_of;
    for (EventIndex i = trace_.events.gpu_count; i < trace_.events.size(); ++i)
        if (trace_.events.kind[i] == EventKind::captured_op)
            event_of[trace_.events.ordinal[i]] = i;
    for (EventIndex i = 0; i < trace_.events.gpu_count; ++i)
        if (const auto op = operator_of.find(trace_.events.ordinal[i]); op != operator_of.end())
            trace_.gpu.operator_event[i] = event_of.at(op->second);
    captured_operators_ = {};
}

/// Says how much of what graphs ran was found in their captures.
void RankBuilder::note_captured_graphs() {
    if (!captured_graphs_)
        return;
    std::size_t nodes = 0;
    std::int64_t matched = 0, launches = 0, by_order = 0;
    for (const GraphLaunch& launch : graph_launches_) {
        nodes += launch.nodes;
        matched += launch.matched;
        launches += launch.matched > 0;
        by_order += launch.matched > 0 && !launch.named;
    }
    trace_.header["graph_capture"] =
        fmt::format("{} of {} nodes in {} of {} launches matched", matched, nodes, launches, graph_launches_.size());
    if (launches < static_cast<std::int64_t>(graph_launches_.size()))
        add_notice(trace_.notices,
                   {"graphs_without_capture",
                    "launches of graphs whose kernels are in no capture beside the trace: their kernels have no "
                    "operators"_text,
                    trace_.file.string(), static_cast<std::int64_t>(graph_launches_.size()) - launches});
    if (by_order > 0)
        add_notice(trace_.notices,
                   {"graphs_by_order",
                    "launches of graphs whose capture does not name its kernels: operators are assigned by order and "
                    "number alone"_text,
                    trace_.file.string(), by_order});
}

} // namespace rankscope
