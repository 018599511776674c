// SPDX-License-Identifier: GPL-3.0-or-later
// The graph of operations, from the order on one pipeline in one step.
#include "core/analysis/slowdown/operation_graph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "core/analysis/basics/tolerance.h"
#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"
#include "core/trace/operation_timeline.h"

namespace rankscope {
namespace {

constexpr std::string_view kParamsGather = "params-all-gather";
constexpr std::string_view kGradsScatter = "grads-reduce-scatter";
constexpr std::string_view kSeparateReduce = "separate-grads-all-reduce";
constexpr std::string_view kLayernormReduce = "layernorm-grads-all-reduce";
constexpr std::string_view kEmbeddingReduce = "embedding-grads-all-reduce";
constexpr std::string_view kClip = "optimizer-clip-main-grad";
constexpr std::string_view kOptimizer = "optimizer";
constexpr std::string_view kCollection = "gc";

constexpr std::array<std::string_view, 4> kMessages{"forward-send", "forward-recv", "backward-send", "backward-recv"};
constexpr std::array<std::string_view, 6> kCollectives{kParamsGather,    kGradsScatter,    kSeparateReduce,
                                                       kLayernormReduce, kEmbeddingReduce, kClip};

bool is_one_of(std::string_view type, std::span<const std::string_view> types) {
    return std::ranges::find(types, type) != types.end();
}
bool is_message(std::string_view type) { return is_one_of(type, kMessages); }
bool is_pass(std::string_view type) { return type == kForwardCompute || type == kBackwardCompute; }

/// One operation of one worker.
struct Recorded {
    std::uint32_t type = 0;
    std::int32_t sequence = 0;
    std::int32_t chunk = 0;
    bool on_compute_lane = false;
    TimeNs start = 0;
    TimeNs end = 0;
};

struct Worker {
    std::map<std::int64_t, std::vector<Recorded>> steps;
};

/// All that is recorded, by (data-parallel rank, stage).
struct Recording {
    std::vector<OperationType> types;
    std::map<std::pair<int, int>, Worker> workers;
    std::map<std::pair<int, int>, std::uint32_t> rank;
    int other = 1; ///< OperationMesh::other
    std::set<std::int64_t> steps;
};

/// Numbers by start where the recording has none, or the same twice.
void number_sequences(std::vector<Recorded>& operations) {
    std::map<std::uint32_t, std::vector<Recorded*>> by_type;
    for (Recorded& operation : operations)
        by_type[operation.type].push_back(&operation);
    for (auto& [type, list] : by_type) {
        std::set<std::int32_t> numbers;
        for (const Recorded* operation : list)
            numbers.insert(operation->sequence);
        if (numbers.size() == list.size() && *numbers.begin() == 0 && *numbers.rbegin() + 1 == std::ssize(list))
            continue;
        std::ranges::stable_sort(list, {}, &Recorded::start);
        for (std::size_t i = 0; i < list.size(); ++i)
            list[i]->sequence = static_cast<std::int32_t>(i);
    }
}

Recording recording_of(const Run& run, std::span<const std::vector<ProfilerStep>> steps) {
    Recording recording;
    PlaceMap<NameId, std::uint32_t> type_of;
    std::map<std::pair<int, int>, int> tensor_rank;
    for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
        const RankTrace& rank = *run.ranks[r];
        if (!rank.operations)
            continue;
        // Tensor-parallel ranks run in step: the first stands for them.
        const std::pair place{rank.operations->dp, rank.operations->stage};
        const auto [known, added] = tensor_rank.try_emplace(place, rank.operations->tp);
        if (!added && known->second <= rank.operations->tp)
            continue;
        known->second = rank.operations->tp;
        recording.rank[place] = r;
        recording.other = std::max(recording.other, rank.operations->mesh.other);
        std::set<std::int64_t> selected;
        for (const ProfilerStep& step : steps[r])
            selected.insert(step.number);
        Worker& worker = recording.workers[place];
        worker.steps.clear();
        for (const Lane& lane : rank.lanes) {
            if (lane.kind != LaneKind::gpu_stream)
                continue;
            for (EventIndex e = lane.begin; e < lane.end; ++e) {
                const Operation* operation = rank.operations->find(rank.events.ordinal[e]);
                if (operation == nullptr || !selected.contains(operation->step))
                    continue;
                const auto [type, is_new] =
                    type_of.try_emplace(rank.events.name[e], static_cast<std::uint32_t>(recording.types.size()));
                if (is_new) {
                    const std::string_view name = rank.event_name(e);
                    recording.types.push_back(
                        {std::string(name), is_message(name) || is_one_of(name, kCollectives), 0});
                }
                worker.steps[operation->step].push_back({type->second, operation->sequence,
                                                         std::max(0, operation->chunk), lane.thread == "compute",
                                                         rank.events.start[e], rank.events.end(e)});
                recording.steps.insert(operation->step);
            }
        }
        for (auto& [step, operations] : worker.steps)
            number_sequences(operations);
    }
    return recording;
}

/// What a worker ran in a step, as far as it must be alike: type and how many.
using Signature = std::vector<std::pair<std::uint32_t, std::size_t>>;

Signature signature_of(const std::vector<Recorded>& operations) {
    std::map<std::uint32_t, std::size_t> counts;
    for (const Recorded& operation : operations)
        ++counts[operation.type];
    return {counts.begin(), counts.end()};
}

/// Builds the structure of one pipeline in one step.
class StructureBuilder {
public:
    StructureBuilder(OperationGraph& graph, int last_pipeline, int other)
        : graph_(graph), data_parallel_((last_pipeline + 1) * other > 1) {}

    /// stages: what each ran.
    void build(const std::vector<const std::vector<Recorded>*>& stages) {
        for (const auto* stage : stages)
            for (const Recorded& operation : *stage) {
                chunks_ = std::max(chunks_, std::int64_t{operation.chunk} + 1);
                overlapped_ = overlapped_ || name(operation.type) == kSeparateReduce;
            }
        for (int s = 0; s < graph_.stages; ++s)
            add_stage(s, *stages[static_cast<std::size_t>(s)]);
        join_messages();
        join_ends();
        finish();
    }

private:
    using Operations = std::vector<const Recorded*>;
    /// A pass or message of a stage with its node.
    struct Placed {
        const Recorded* operation = nullptr;
        std::uint32_t node = 0;
    };

    [[nodiscard]] std::string_view name(std::uint32_t type) const { return graph_.types[type].name; }

    std::uint32_t add_node(int stage, const Recorded& operation) {
        graph_.nodes.push_back({operation.type, stage, operation.sequence, OperationNode::kNoGroup});
        depends_on_.emplace_back();
        return static_cast<std::uint32_t>(graph_.nodes.size() - 1);
    }
    void depends(std::uint32_t node, std::uint32_t on) { depends_on_[node].push_back(on); }
    void chain(const std::vector<std::uint32_t>& nodes) {
        for (std::size_t i = 1; i < nodes.size(); ++i)
            depends(nodes[i], nodes[i - 1]);
    }
    void add_group(std::vector<std::uint32_t> members, bool all_pipelines) {
        for (const std::uint32_t node : members)
            graph_.nodes[node].group = static_cast<std::uint32_t>(graph_.groups.size());
        graph_.groups.push_back({std::move(members), all_pipelines});
    }

    static bool by_start(const Placed& a, const Placed& b) {
        return std::tuple(a.operation->start, a.operation->sequence, a.node) <
               std::tuple(b.operation->start, b.operation->sequence, b.node);
    }

    void add_stage(int stage, const std::vector<Recorded>& operations) {
        std::map<std::string_view, std::vector<Placed>> by_type;
        std::vector<Placed> computation;
        for (const Recorded& operation : operations) {
            const std::string_view type = name(operation.type);
            const bool last = type == kCollection || type == kOptimizer;
            const bool computes = is_pass(type) || (operation.on_compute_lane && !last);
            const bool known = computes || last || is_message(type) || is_one_of(type, kCollectives);
            if (!known || (last && operation.sequence > 0))
                continue;
            const Placed placed{&operation, add_node(stage, operation)};
            by_type[type].push_back(placed);
            if (computes)
                computation.push_back(placed);
        }
        for (auto& [type, list] : by_type)
            std::ranges::sort(list, by_start);
        std::ranges::sort(computation, by_start);
        std::vector<std::uint32_t> in_order;
        for (const Placed& placed : computation)
            in_order.push_back(placed.node);
        chain(in_order);
        for (const bool forward : {true, false})
            for (const bool send : {true, false})
                add_messages(stage, by_type, forward, send);
        delay_first_backward(by_type, computation);
        if (data_parallel_)
            add_data_parallel(by_type);
        add_end(stage, by_type, computation);
    }

    static std::vector<Placed> in_sequence(std::vector<Placed> list) {
        std::ranges::sort(list, {}, [](const Placed& placed) { return placed.operation->sequence; });
        return list;
    }

    /// A recv comes behind the pass before the one that it is for; that pass comes behind it; a send behind its pass.
    void add_messages(int stage, const std::map<std::string_view, std::vector<Placed>>& by_type, bool forward,
                      bool send) {
        const std::string_view type = kMessages[(forward ? 0U : 2U) + (send ? 0U : 1U)];
        const auto messages = by_type.find(type);
        if (messages == by_type.end())
            return;
        std::vector<std::uint32_t> stream;
        for (const Placed& message : messages->second)
            stream.push_back(message.node);
        chain(stream);
        const auto found = by_type.find(forward ? kForwardCompute : kBackwardCompute);
        if (found == by_type.end()) {
            for (const Placed& message : messages->second)
                add_group({message.node}, false);
            return;
        }
        const std::vector<Placed> passes = in_sequence(found->second);
        TimeNs last_start = std::numeric_limits<TimeNs>::min();
        TimeNs first_end = std::numeric_limits<TimeNs>::max();
        for (const Placed& pass : passes) {
            last_start = std::max(last_start, pass.operation->start);
            first_end = std::min(first_end, pass.operation->end);
        }
        // Profilers record messages that are never sent: before the first pass, and behind the last.
        const auto is_for_a_pass = [&](const Placed& message) {
            return send ? message.operation->end >= first_end - kClockError
                        : message.operation->start <= last_start + kClockError;
        };
        const auto count = static_cast<std::size_t>(std::ranges::count_if(messages->second, is_for_a_pass));
        std::size_t pass = !send && count + 1 == passes.size() ? 1 : 0; // the first is not recorded
        std::uint32_t with_peer = 0;
        for (const Placed& message : messages->second) {
            if (!is_for_a_pass(message) || pass >= passes.size()) {
                add_group({message.node}, false);
                continue;
            }
            if (send) {
                depends(message.node, passes[pass].node);
            } else {
                depends(passes[pass].node, message.node);
                if (pass > 0)
                    depends(message.node, passes[pass - 1].node);
            }
            const int step = (forward == send) ? 1 : -1;
            const std::int64_t place = std::int64_t{passes[pass].operation->chunk} * graph_.stages + stage + step;
            ++pass;
            if (place < 0 || place >= chunks_ * graph_.stages) { // beyond the ends of the model
                add_group({message.node}, false);
                continue;
            }
            const int peer = (stage + step + graph_.stages) % graph_.stages;
            const int sender = send ? stage : peer;
            const int receiver = send ? peer : stage;
            boundaries_[{forward, sender, receiver, with_peer++}].push_back(message.node);
        }
    }

    /// The first messages of the backward pass start behind the forward pass before the last one.
    void delay_first_backward(const std::map<std::string_view, std::vector<Placed>>& by_type,
                              const std::vector<Placed>& computation) {
        const auto first = std::ranges::find_if(
            computation, [&](const Placed& placed) { return name(placed.operation->type) == kBackwardCompute; });
        if (first == computation.end() || first - computation.begin() < 2)
            return;
        for (const std::string_view type : {kMessages[2], kMessages[3]})
            if (const auto messages = by_type.find(type); messages != by_type.end())
                for (const Placed& message : messages->second)
                    if (message.operation->sequence == 0)
                        depends(message.node, (first - 2)->node);
    }

    void add_data_parallel(const std::map<std::string_view, std::vector<Placed>>& by_type) {
        const auto of = [&](std::string_view type) {
            const auto found = by_type.find(type);
            return found == by_type.end() ? std::vector<Placed>{} : in_sequence(found->second);
        };
        std::vector<Placed> stream = of(kParamsGather);
        const std::vector<Placed> scatters = of(kGradsScatter);
        const std::vector<Placed> gathers = stream;
        stream.insert(stream.end(), scatters.begin(), scatters.end());
        std::ranges::sort(stream, by_start);
        std::vector<std::uint32_t> nodes;
        for (const Placed& placed : stream)
            nodes.push_back(placed.node);
        chain(nodes);
        for (const std::string_view type : {kParamsGather, kGradsScatter, kSeparateReduce})
            for (const Placed& placed : of(type))
                add_group({placed.node}, true);
        const std::vector<Placed> forward = of(kForwardCompute);
        const std::vector<Placed> backward = of(kBackwardCompute);
        std::map<std::int32_t, std::uint32_t> last_gather; // by chunk
        for (const Placed& gather : gathers)
            last_gather[gather.operation->chunk] = gather.node;
        for (const auto& [chunk, gather] : last_gather)
            if (const auto first = first_of_chunk(forward, chunk))
                depends(*first, gather);
        if (!overlapped_)
            return;
        std::set<std::int32_t> seen;
        for (const Placed& scatter : scatters)
            if (seen.insert(scatter.operation->chunk).second)
                if (const auto last = last_of_chunk(backward, scatter.operation->chunk))
                    depends(scatter.node, *last);
    }

    static std::optional<std::uint32_t> first_of_chunk(const std::vector<Placed>& passes, std::int32_t chunk) {
        const Placed* first = nullptr;
        for (const Placed& pass : passes)
            if (pass.operation->chunk == chunk && (first == nullptr || pass.operation->start < first->operation->start))
                first = &pass;
        return first == nullptr ? std::nullopt : std::optional(first->node);
    }
    static std::optional<std::uint32_t> last_of_chunk(const std::vector<Placed>& passes, std::int32_t chunk) {
        const Placed* last = nullptr;
        for (const Placed& pass : passes)
            if (pass.operation->chunk == chunk && (last == nullptr || pass.operation->end > last->operation->end))
                last = &pass;
        return last == nullptr ? std::nullopt : std::optional(last->node);
    }

    /// What follows the last pass, in this order.
    void add_end(int stage, const std::map<std::string_view, std::vector<Placed>>& by_type,
                 const std::vector<Placed>& computation) {
        std::vector<std::uint32_t> order;
        const auto append = [&](std::string_view type, bool first_alone) {
            const auto found = by_type.find(type);
            if (found == by_type.end())
                return;
            for (const Placed& placed : in_sequence(found->second))
                if (!first_alone || placed.operation->sequence == 0)
                    order.push_back(placed.node);
        };
        if (!computation.empty())
            order.push_back(std::ranges::max_element(computation, {}, [](const Placed& placed) {
                                return placed.operation->end;
                            })->node);
        append(kCollection, true);
        const std::size_t behind_collection = order.size();
        append(kLayernormReduce, true);
        if (stage == 0 || stage == graph_.stages - 1)
            append(kEmbeddingReduce, true);
        if (data_parallel_ && overlapped_)
            append(kSeparateReduce, true);
        else if (data_parallel_)
            append(kGradsScatter, false);
        append(kClip, true);
        append(kOptimizer, true);
        chain(order);
        const auto scatters = by_type.find(kGradsScatter);
        if (data_parallel_ && overlapped_ && scatters != by_type.end() && order.size() > behind_collection)
            depends(order[behind_collection], in_sequence(scatters->second).back().node);
        for (const auto& [type, ends] : {std::pair{kEmbeddingReduce, &embedding_}, std::pair{kClip, &clip_}})
            if (const auto found = by_type.find(type); found != by_type.end())
                for (const Placed& placed : found->second)
                    if (placed.operation->sequence == 0 && (type == kClip || stage == 0 || stage == graph_.stages - 1))
                        ends->push_back(placed.node);
    }

    void join_messages() {
        for (auto& [boundary, members] : boundaries_)
            add_group(members, false);
    }

    void join_ends() {
        if (!embedding_.empty())
            add_group(embedding_, false);
        if (!clip_.empty())
            add_group(clip_, true);
    }

    /// Edges, and an order of replay. What a circle holds has none.
    void finish() {
        const std::size_t count = graph_.nodes.size();
        std::vector<std::vector<std::uint32_t>> next(count);
        std::vector<std::size_t> open(count);
        graph_.first_dependency.assign(1, 0);
        for (std::uint32_t node = 0; node < count; ++node) {
            std::vector<std::uint32_t>& on = depends_on_[node];
            std::ranges::sort(on);
            on.erase(std::unique(on.begin(), on.end()), on.end());
            graph_.dependencies.insert(graph_.dependencies.end(), on.begin(), on.end());
            graph_.first_dependency.push_back(static_cast<std::uint32_t>(graph_.dependencies.size()));
            open[node] = on.size();
            for (const std::uint32_t before : on)
                next[before].push_back(node);
        }
        std::vector<std::size_t> started(graph_.groups.size());
        std::vector<std::uint32_t> ready;
        for (std::uint32_t node = 0; node < count; ++node)
            if (open[node] == 0)
                ready.push_back(node);
        const auto ended = [&](std::uint32_t node) {
            for (const std::uint32_t follower : next[node])
                if (--open[follower] == 0)
                    ready.push_back(follower);
        };
        for (std::size_t at = 0; at < ready.size(); ++at) {
            const std::uint32_t node = ready[at];
            const std::uint32_t group = graph_.nodes[node].group;
            if (group == OperationNode::kNoGroup)
                ended(node);
            else if (++started[group] == graph_.groups[group].members.size())
                for (const std::uint32_t member : graph_.groups[group].members)
                    ended(member);
        }
        if (ready.size() < count)
            graph_.unavailable = "the operations of a step wait for each other in a circle: their order is not that of "
                                 "a pipeline"_text;
        graph_.order = std::move(ready);
    }

    OperationGraph& graph_;
    bool data_parallel_;
    bool overlapped_ = false; ///< reduce-scatters run beside the backward pass
    std::int64_t chunks_ = 1;
    std::vector<std::vector<std::uint32_t>> depends_on_; ///< by node
    /// (forward, sender, receiver, number among those with a peer): who takes part.
    std::map<std::tuple<bool, int, int, std::uint32_t>, std::vector<std::uint32_t>> boundaries_;
    std::vector<std::uint32_t> embedding_;
    std::vector<std::uint32_t> clip_;
};

/// The step that most pipelines and steps are like, the earliest of those.
std::optional<std::pair<int, std::int64_t>> typical_pipeline(const Recording& recording, int pipelines, int stages) {
    std::map<std::vector<Signature>, std::pair<std::size_t, std::pair<std::int64_t, int>>> seen;
    for (const std::int64_t step : recording.steps) {
        for (int dp = 0; dp < pipelines; ++dp) {
            std::vector<Signature> signature;
            for (int stage = 0; stage < stages; ++stage) {
                const auto worker = recording.workers.find({dp, stage});
                if (worker == recording.workers.end() || !worker->second.steps.contains(step))
                    break;
                signature.push_back(signature_of(worker->second.steps.at(step)));
            }
            if (std::ssize(signature) != stages)
                continue;
            auto& [count, first] = seen.try_emplace(signature, 0, std::pair{step, dp}).first->second;
            ++count;
        }
    }
    const auto most = std::ranges::max_element(seen, [](const auto& a, const auto& b) {
        return std::tuple(a.second.first, b.second.second) < std::tuple(b.second.first, a.second.second);
    });
    if (most == seen.end())
        return std::nullopt;
    return std::pair{most->second.second.second, most->second.second.first};
}

/// Start and end of every node in every instance of a step, or nothing where the step is not like the others.
class InstanceTimes {
public:
    explicit InstanceTimes(const OperationGraph& graph) : graph_(graph) {
        for (std::uint32_t node = 0; node < graph.nodes.size(); ++node)
            node_of_[{graph.nodes[node].type, graph.nodes[node].stage, graph.nodes[node].sequence}] = node;
    }

    /// By node, then pipeline.
    struct Step {
        std::vector<TimeNs> start;
        std::vector<TimeNs> end;
        double measured = 0;
    };

    std::optional<Step> read(const Recording& recording, std::int64_t step, std::vector<OperationType>& types) const {
        const std::size_t pipelines = graph_.pipelines.size();
        Step result;
        result.start.assign(graph_.nodes.size() * pipelines, kMissing);
        result.end.assign(graph_.nodes.size() * pipelines, kMissing);
        TimeNs first = std::numeric_limits<TimeNs>::max();
        TimeNs last = std::numeric_limits<TimeNs>::min();
        TimeNs last_optimizer = std::numeric_limits<TimeNs>::min();
        for (std::size_t p = 0; p < pipelines; ++p) {
            for (int stage = 0; stage < graph_.stages; ++stage) {
                const auto worker = recording.workers.find({graph_.pipelines[p], stage});
                if (worker == recording.workers.end() || !worker->second.steps.contains(step))
                    return std::nullopt;
                for (const Recorded& operation : worker->second.steps.at(step)) {
                    first = std::min(first, operation.start);
                    last = std::max(last, operation.end);
                    if (types[operation.type].name == kOptimizer)
                        last_optimizer = std::max(last_optimizer, operation.end);
                    const auto node = node_of_.find({operation.type, stage, operation.sequence});
                    if (node == node_of_.end()) {
                        ++types[operation.type].left_out;
                        continue;
                    }
                    result.start[node->second * pipelines + p] = operation.start;
                    result.end[node->second * pipelines + p] = operation.end;
                }
            }
        }
        if (std::ranges::find(result.start, kMissing) != result.start.end())
            return std::nullopt;
        result.measured = static_cast<double>((last_optimizer >= first ? last_optimizer : last) - first);
        return result;
    }

private:
    static constexpr TimeNs kMissing = std::numeric_limits<TimeNs>::min();
    const OperationGraph& graph_;
    std::map<std::tuple<std::uint32_t, int, std::int32_t>, std::uint32_t> node_of_;
};

/// Of a step: durations, and of communication the time since its last member started.
std::vector<double> durations_of(const OperationGraph& graph, const InstanceTimes::Step& step) {
    const std::size_t pipelines = graph.pipelines.size();
    std::vector<double> durations(step.start.size());
    for (std::size_t i = 0; i < durations.size(); ++i)
        durations[i] = static_cast<double>(step.end[i] - step.start[i]);
    for (const OperationSync& group : graph.groups) {
        std::vector<TimeNs> last(pipelines, std::numeric_limits<TimeNs>::min());
        for (const std::uint32_t node : group.members)
            for (std::size_t p = 0; p < pipelines; ++p)
                last[p] = std::max(last[p], step.start[node * pipelines + p]);
        if (group.all_pipelines)
            std::ranges::fill(last, *std::ranges::max_element(last));
        for (const std::uint32_t node : group.members)
            for (std::size_t p = 0; p < pipelines; ++p)
                durations[node * pipelines + p] =
                    static_cast<double>(std::max<TimeNs>(0, step.end[node * pipelines + p] - last[p]));
    }
    return durations;
}

} // namespace

OperationGraph operation_graph(const Run& run, std::span<const std::vector<ProfilerStep>> steps) {
    OperationGraph graph;
    Recording recording = recording_of(run, steps);
    if (recording.workers.empty()) {
        graph.unavailable = "no operation timeline"_text;
        return graph;
    }
    int pipelines = 0;
    for (const auto& [place, worker] : recording.workers) {
        pipelines = std::max(pipelines, place.first + 1);
        graph.stages = std::max(graph.stages, place.second + 1);
    }
    if (std::int64_t{pipelines} * graph.stages != std::ssize(recording.workers)) {
        graph.unavailable = "needs the operations of all %1 workers (%2 data-parallel ranks of %3 stages); "
                            "%4 are recorded"_text(std::int64_t{pipelines} * graph.stages, pipelines, graph.stages,
                                                   recording.workers.size());
        return graph;
    }
    const auto typical = typical_pipeline(recording, pipelines, graph.stages);
    if (!typical) {
        graph.unavailable = "no step has operations of all stages"_text;
        return graph;
    }
    for (int dp = 0; dp < pipelines; ++dp) {
        graph.pipelines.push_back(dp);
        for (int stage = 0; stage < graph.stages; ++stage)
            graph.rank.push_back(recording.rank.at({dp, stage}));
    }
    graph.types = recording.types;
    std::vector<const std::vector<Recorded>*> of_stages;
    for (int stage = 0; stage < graph.stages; ++stage)
        of_stages.push_back(&recording.workers.at({typical->first, stage}).steps.at(typical->second));
    StructureBuilder(graph, pipelines - 1, recording.other).build(of_stages);
    if (!graph.unavailable.empty())
        return graph;
    const InstanceTimes times(graph);
    std::vector<std::vector<double>> durations;
    for (const std::int64_t step : recording.steps) {
        if (const auto read = times.read(recording, step, graph.types)) {
            graph.steps.push_back(step);
            graph.measured.push_back(read->measured);
            durations.push_back(durations_of(graph, *read));
        } else {
            ++graph.left_out_steps;
        }
    }
    if (graph.steps.empty()) {
        graph.unavailable = "no step has the same operations on all ranks"_text;
        return graph;
    }
    const std::size_t count = graph.pipelines.size();
    graph.duration.resize(graph.nodes.size() * graph.instances());
    for (std::size_t s = 0; s < durations.size(); ++s)
        for (std::size_t node = 0; node < graph.nodes.size(); ++node)
            std::copy_n(durations[s].begin() + static_cast<std::ptrdiff_t>(node * count), count,
                        graph.duration.begin() + static_cast<std::ptrdiff_t>(node * graph.instances() + s * count));
    return graph;
}

std::vector<double> replay_steps(const OperationGraph& graph, std::span<const double> duration) {
    const std::size_t instances = graph.instances();
    const std::size_t pipelines = graph.pipelines.size();
    std::vector<double> start(graph.nodes.size() * instances); // and, once it has ended, the end
    std::vector<std::size_t> started(graph.groups.size());
    std::vector<double> last(instances);
    for (const std::uint32_t node : graph.order) {
        double* const own = start.data() + node * instances;
        for (std::uint32_t d = graph.first_dependency[node]; d < graph.first_dependency[node + 1]; ++d) {
            const double* const before = start.data() + graph.dependencies[d] * instances;
            for (std::size_t i = 0; i < instances; ++i)
                own[i] = std::max(own[i], before[i]);
        }
        const std::uint32_t group = graph.nodes[node].group;
        if (group == OperationNode::kNoGroup) {
            const double* const time = duration.data() + node * instances;
            for (std::size_t i = 0; i < instances; ++i)
                own[i] += time[i];
            continue;
        }
        const OperationSync& sync = graph.groups[group];
        if (++started[group] < sync.members.size())
            continue;
        std::ranges::fill(last, 0.0);
        for (const std::uint32_t member : sync.members) {
            const double* const of_member = start.data() + member * instances;
            for (std::size_t i = 0; i < instances; ++i)
                last[i] = std::max(last[i], of_member[i]);
        }
        if (sync.all_pipelines)
            for (auto step = last.begin(); step != last.end(); step += static_cast<std::ptrdiff_t>(pipelines))
                std::fill_n(step, pipelines, *std::max_element(step, step + static_cast<std::ptrdiff_t>(pipelines)));
        for (const std::uint32_t member : sync.members) {
            double* const end = start.data() + member * instances;
            const double* const time = duration.data() + member * instances;
            for (std::size_t i = 0; i < instances; ++i)
                end[i] = last[i] + time[i];
        }
    }
    // A step ends with its last optimizer; where none is recorded, with its last operation.
    const bool optimizer = std::ranges::any_of(
        graph.nodes, [&](const OperationNode& node) { return graph.types[node.type].name == kOptimizer; });
    std::vector<double> length(graph.steps.size());
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        if (optimizer && graph.types[graph.nodes[node].type].name != kOptimizer)
            continue;
        for (std::size_t i = 0; i < instances; ++i)
            length[i / pipelines] = std::max(length[i / pipelines], start[node * instances + i]);
    }
    return length;
}

double mean_replayed_step(const OperationGraph& graph, std::span<const double> duration) {
    const std::vector<double> steps = replay_steps(graph, duration);
    return std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size());
}

std::vector<double> ideal_durations(const OperationGraph& graph) {
    const std::size_t instances = graph.instances();
    std::vector<std::vector<double>> by_type(graph.types.size());
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        const auto from = graph.duration.begin() + static_cast<std::ptrdiff_t>(node * instances);
        std::vector<double>& times = by_type[graph.nodes[node].type];
        times.insert(times.end(), from, from + static_cast<std::ptrdiff_t>(instances));
    }
    std::vector<double> of_type;
    for (std::size_t type = 0; type < by_type.size(); ++type) {
        const std::vector<double>& times = by_type[type];
        if (times.empty())
            of_type.push_back(0);
        else if (graph.types[type].communication)
            of_type.push_back(middle_median(times));
        else
            of_type.push_back(std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size()));
    }
    std::vector<double> ideal;
    for (const OperationNode& node : graph.nodes)
        ideal.push_back(of_type[node.type]);
    return ideal;
}

} // namespace rankscope
