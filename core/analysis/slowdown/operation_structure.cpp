// SPDX-License-Identifier: GPL-3.0-or-later
// What must end before each operation of a step can start.
#include "core/analysis/slowdown/operation_structure.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/slowdown/operation_types.h"
#include "core/trace/operation_timeline.h"

namespace rankscope {
namespace {

/// Builds the structure of one pipeline in one step.
class StructureBuilder {
public:
    StructureBuilder(OperationGraph& graph, bool data_parallel) : graph_(graph), data_parallel_(data_parallel) {}

    /// stages: what each ran.
    void build(const std::vector<const std::vector<WorkerOperation>*>& stages) {
        for (const auto* stage : stages)
            for (const WorkerOperation& operation : *stage) {
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
    /// A pass or message of a stage with its node.
    struct Placed {
        const WorkerOperation* operation = nullptr;
        std::uint32_t node = 0;
    };

    [[nodiscard]] std::string_view name(std::uint32_t type) const { return graph_.types[type].name; }

    std::uint32_t add_node(int stage, const WorkerOperation& operation) {
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

    void add_stage(int stage, const std::vector<WorkerOperation>& operations) {
        std::map<std::string_view, std::vector<Placed>> by_type;
        std::vector<Placed> computation;
        for (const WorkerOperation& operation : operations) {
            const std::string_view type = name(operation.type);
            const bool last = type == kCollection || type == kOptimizer;
            const bool computes =
                type == kForwardCompute || type == kBackwardCompute || (operation.on_compute_lane && !last);
            const bool known = computes || last || is_communication_type(type);
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
        const std::string_view type = kMessageTypes[(forward ? 0U : 2U) + (send ? 0U : 1U)];
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
        for (const std::string_view type : {kMessageTypes[2], kMessageTypes[3]})
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
        for (std::size_t at = 0; at < ready.size(); ++at) { // NOLINT(modernize-loop-convert): it grows meanwhile
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

} // namespace

void build_structure(OperationGraph& graph, bool data_parallel,
                     const std::vector<const std::vector<WorkerOperation>*>& stages) {
    StructureBuilder(graph, data_parallel).build(stages);
}

} // namespace rankscope
