// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings/waits_of_faults.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/graph/held_up.h"

namespace rankscope {
namespace {

/// What a fault makes longer at one place of one of its ranks.
struct Excess {
    TimeRange range;        ///< aligned
    std::int64_t step = -1; ///< number
    TimeNs time = 0;
    std::uint32_t node = kNoNode;
    WaitCause cause = WaitCause::host;
};

/// The excesses of one rank, in order of their begin.
struct ExcessesOfRank {
    std::vector<TimeNs> begin;
    std::vector<Excess> largest; ///< of those of the step up to this one
};

/// A fault that is told, and the run without it.
struct FaultWithout {
    std::vector<ExcessesOfRank> excesses; ///< by rank; only where the fault befalls it
    std::array<bool, kWaitCauseCount> causes{};
    std::vector<TimeNs> waiting;          ///< by transfer: of all members together, without the fault
    std::vector<std::uint32_t> waited_at; ///< by rank: the transfer at which it last waited for the fault, a node

    [[nodiscard]] bool befalls(std::uint32_t rank) const { return !excesses[rank].begin.empty(); }
    /// The largest excess of the rank in the step until then, or in an earlier step; nullptr without any.
    [[nodiscard]] const Excess* before(std::uint32_t rank, TimeNs time) const {
        const ExcessesOfRank& own = excesses[rank];
        const auto after = std::ranges::lower_bound(own.begin, time) - own.begin.begin();
        return after == 0 ? nullptr : &own.largest[static_cast<std::size_t>(after - 1)];
    }
};

class OriginsByFaults {
public:
    explicit OriginsByFaults(const FindingContext& c)
        : c_(c), graph_(c.graph), recorded_{graph_, graph_.start, graph_.times}, origins_(c.inputs.waiting.origins) {}

    std::vector<WaitOrigin> tell() {
        const std::size_t ranks = c_.inputs.run.ranks.size();
        for (const auto* told : {&c_.repaired.told(), &c_.repaired.told_of_hosts()})
            for (const auto& [befallen, remove] : *told)
                if (!befallen.empty() && 2 * befallen.size() <= ranks)
                    faults_.push_back(without(befallen, remove));
        for (const std::uint32_t node : graph_.order)
            if (!faults_.empty() && node >= graph_.first_node.back())
                tell_origin(node);
        return std::move(origins_);
    }

private:
    [[nodiscard]] FaultWithout without(const std::vector<int>& ranks, const TimesChange& remove) const {
        FaultWithout fault;
        GraphTimes times = graph_.times;
        remove(times);
        for (std::vector<Excess>& own : excesses_over(times)) {
            const int rank = c_.rank_number(static_cast<std::uint32_t>(fault.excesses.size()));
            ExcessesOfRank& kept = fault.excesses.emplace_back();
            if (std::ranges::find(ranks, rank) == ranks.end())
                continue;
            std::ranges::stable_sort(own, {}, [](const Excess& each) { return each.range.begin; });
            for (const Excess& each : own) {
                fault.causes[static_cast<std::size_t>(each.cause)] = true;
                const bool larger =
                    kept.begin.empty() || each.step != kept.largest.back().step || each.time > kept.largest.back().time;
                const Excess largest = larger ? each : kept.largest.back();
                kept.begin.push_back(each.range.begin);
                kept.largest.push_back(largest);
            }
        }
        const Replays::Replayed replayed = c_.replays.replayed(times);
        for (std::uint32_t t = graph_.first_node.back(); t < graph_.size(); ++t)
            fault.waiting.push_back(waiting_in(replayed, t));
        fault.waited_at.assign(fault.excesses.size(), kNoNode);
        return fault;
    }

    /// By rank: what is recorded to take longer than in these times.
    [[nodiscard]] std::vector<std::vector<Excess>> excesses_over(const GraphTimes& times) const {
        std::vector<std::vector<Excess>> excesses(c_.inputs.run.ranks.size());
        const auto add = [&](std::uint32_t of_rank, std::uint32_t node, TimeRange range, TimeNs time, WaitCause cause) {
            if (time <= 0)
                return;
            const GraphStep* const step = graph_.step_of(of_rank);
            excesses[graph_.rank[of_rank]].push_back({range, step == nullptr ? -1 : step->number, time, node, cause});
        };
        const auto shorter = [&](std::uint32_t n) { return graph_.times.duration[n] - times.duration[n]; };
        for (std::uint32_t n = 0; n < graph_.first_node.back(); ++n) {
            add(n, n, {graph_.start[n], graph_.end(n)}, shorter(n), cause_of_work(graph_.kind[n]));
            for (std::uint32_t e = graph_.first_edge[n]; e < graph_.first_edge[n + 1]; ++e) {
                const EdgeKind kind = graph_.edges[e].kind;
                const TimeNs less = graph_.times.lag[e] - times.lag[e];
                const std::uint32_t host = less > 0 && kind == EdgeKind::wait ? host_edge(graph_, n) : kNoNode;
                if (kind == EdgeKind::host)
                    add(n, n, {recorded_.source(graph_.edges[e]), graph_.start[n]}, less, WaitCause::host);
                else if (host != kNoNode) // it does not wait any more
                    add(n, n, {recorded_.ready(host), graph_.start[n]}, graph_.start[n] - recorded_.ready(host),
                        WaitCause::synchronisation);
            }
        }
        for (const GraphStep& step : graph_.steps)
            if (step.rank < times.begin.size() && step.begin != kNoNode && graph_.step[step.begin] == 0)
                add(step.begin, step.begin, {step.range.begin + times.begin[step.rank], step.range.begin},
                    -times.begin[step.rank], WaitCause::host);
        for (std::uint32_t t = graph_.first_node.back(); t < graph_.size(); ++t)
            for (const GraphEdge& edge : graph_.edges_of(t))
                add(edge.from, t, {graph_.start[t], graph_.end(t)}, shorter(t), WaitCause::transfer);
        return excesses;
    }

    /// How long its members wait for the last one, together.
    [[nodiscard]] TimeNs waiting_in(const Replays::Replayed& replayed, std::uint32_t transfer) const {
        const std::uint32_t last = HeldUp{graph_, replayed.start, replayed.times}.last_arrival(transfer);
        TimeNs waited = 0;
        for (const GraphEdge& edge : graph_.edges_of(transfer))
            if (last != kNoNode && edge.from_start)
                waited += std::max<TimeNs>(0, replayed.start[last] - replayed.start[edge.from]);
        return waited;
    }

    void tell_origin(std::uint32_t transfer) {
        const std::uint32_t index = transfer - graph_.first_node.back();
        WaitOrigin& origin = origins_[index];
        const std::uint32_t last = recorded_.last_arrival(transfer);
        if (last == kNoNode || origin.waited < kShortestWait)
            return;
        FaultWithout* ends_most = nullptr;
        auto least = static_cast<TimeNs>((1 - kMostOf) * static_cast<double>(origin.waited)) + 1;
        for (FaultWithout& fault : faults_)
            if (const TimeNs left = fault.waiting[index]; left < least) {
                least = left;
                ends_most = &fault;
            }
        if (ends_most == nullptr)
            return;
        name(*ends_most, graph_.start[last], origin);
        for (const GraphEdge& edge : graph_.edges_of(transfer))
            if (edge.from_start && graph_.start[last] - graph_.start[edge.from] >= kShortestWait)
                ends_most->waited_at[graph_.rank[edge.from]] = transfer;
    }

    /// A rank of the fault, and what it makes longer there. What the comparison of ways says stays where it says the
    /// same. late: when the last rank came.
    void name(const FaultWithout& fault, TimeNs late, WaitOrigin& origin) const {
        const bool told = origin.rank != kNoNode && fault.befalls(origin.rank);
        if (told && fault.causes[static_cast<std::size_t>(origin.cause)])
            return;
        const std::uint32_t through = fault.befalls(origin.last) ? kNoNode : fault.waited_at[origin.last];
        std::uint32_t rank = kNoNode;
        if (fault.befalls(origin.last))
            rank = origin.last;
        else if (through != kNoNode)
            rank = origins_[through - graph_.first_node.back()].rank;
        else if (told)
            rank = origin.rank;
        if (rank == kNoNode || fault.before(rank, late) == nullptr)
            rank = most_before(fault, late);
        if (rank == kNoNode)
            return;
        const Excess& shown = *fault.before(rank, late);
        const std::uint32_t compared = rank == origin.rank ? origin.before : kNoNode;
        origin.before = rank == origin.last ? kNoNode : through != kNoNode ? through : compared;
        origin.rank = rank;
        origin.cause = shown.cause;
        origin.shown_by = shown.node;
        origin.range = shown.range;
    }

    /// The rank with the largest excess until then.
    [[nodiscard]] static std::uint32_t most_before(const FaultWithout& fault, TimeNs late) {
        std::uint32_t rank = kNoNode;
        TimeNs most = 0;
        for (std::uint32_t r = 0; r < fault.excesses.size(); ++r)
            if (const Excess* const own = fault.before(r, late); own != nullptr && own->time > most) {
                most = own->time;
                rank = r;
            }
        return rank;
    }

    const FindingContext& c_;
    const StepGraph& graph_;
    HeldUp recorded_;
    std::vector<WaitOrigin> origins_;
    std::vector<FaultWithout> faults_;
};

} // namespace

std::vector<WaitOrigin> origins_by_faults(const FindingContext& context) { return OriginsByFaults(context).tell(); }

} // namespace rankscope
