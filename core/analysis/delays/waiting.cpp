// SPDX-License-Identifier: GPL-3.0-or-later
// Hands the blame on from the last call to the first.
#include "core/analysis/delays/waiting.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/analysis/delays/blamed_calls.h"

namespace rankscope::delays {
namespace {

/// Shares an amount out by weight, to the nanosecond.
template <typename Take>
void share_out(TimeNs amount, const std::vector<Part>& parts, const Take& take) {
    TimeNs left = amount;
    double all = 0;
    const Part* largest = &parts.front();
    for (const Part& part : parts) {
        all += static_cast<double>(part.weight);
        largest = part.weight > largest->weight ? &part : largest;
    }
    for (const Part& part : parts) {
        const double exact = static_cast<double>(amount) * (static_cast<double>(part.weight) / all);
        const TimeNs share = &part == largest ? 0 : std::min(left, static_cast<TimeNs>(exact));
        left -= share;
        take(part, share);
    }
    take(*largest, left);
}

class Propagation {
public:
    Propagation(const StepGraph& graph, const std::vector<BlamedCall>& calls)
        : graph_(graph), calls_(calls), first_(graph.first_node.back()) {
        result_.ranks.resize(graph.first_gpu_node.size());
        result_.origins.resize(calls.size());
        beyond_usual_.resize(calls.size());
    }

    Waiting propagate() {
        hand_back();
        for (const std::uint32_t node : graph_.order)
            if (node >= first_)
                find_origin(node - first_);
        return std::move(result_);
    }

private:
    /// From the last call to the first: each gets what later ones blame it for before it is looked at.
    void hand_back() {
        std::vector<TimeNs> handed(graph_.size()); // per arrival: waits elsewhere for which this one is to blame
        for (auto node = graph_.order.rbegin(); node != graph_.order.rend(); ++node) {
            if (*node < first_)
                continue;
            const BlamedCall& call = calls_[*node - first_];
            for (const Waiter& waiter : call.waiters) {
                result_.total += waiter.waited;
                result_.origins[*node - first_].waited += waiter.waited;
                const TimeNs passed_on = handed[waiter.arrival];
                if (waiter.parts.empty()) {
                    result_.unexplained += waiter.waited + passed_on;
                    continue;
                }
                ChargedWaits& charged = result_.ranks[graph_.rank[call.last]];
                const auto charge = [&](auto& times) {
                    return [&](const Part& part, TimeNs share) {
                        if (part.arrival != kNoNode)
                            handed[part.arrival] += share;
                        else if (part.unrecorded)
                            result_.unexplained += share;
                        else
                            times[static_cast<std::size_t>(part.cause)] += share;
                    };
                };
                share_out(waiter.waited, waiter.parts, charge(charged.direct));
                share_out(passed_on, waiter.parts, charge(charged.passed_on));
            }
        }
    }

    /// Blame for the waiting in an earlier transfer: where most of that started.
    [[nodiscard]] Difference of_origin(std::uint32_t transfer, double share) const {
        const WaitOrigin& origin = result_.origins[transfer - first_];
        return {origin.rank, kNoNode, transfer, origin.cause, origin.shown_by, origin.range, share};
    }

    /// Part of a delay with where it started. What came through an earlier transfer started where most of that started
    /// which is longer there than elsewhere.
    [[nodiscard]] Difference traced(const Difference& part, std::uint32_t before, double weight) const {
        Difference found = part.through == kNoNode ? part : beyond_usual_[part.through - first_];
        found.before = before;
        found.share = weight * part.share;
        return found;
    }

    /// Each rank that has part in the waits of a call, its own doing apart from what it passes on.
    void find_origin(std::uint32_t index) {
        const BlamedCall& call = calls_[index];
        WaitOrigin& origin = result_.origins[index];
        if (call.last == kNoNode)
            return;
        origin.last = graph_.rank[call.last];
        Differences all;
        Differences unusual;
        for (const Waiter& waiter : call.waiters)
            add_blamed(call, waiter, all, unusual);
        if (all.empty())
            return;
        const Difference found = most_of(all);
        origin.rank = found.rank;
        origin.before = found.before;
        origin.cause = found.cause;
        origin.shown_by = found.shown_by;
        origin.range = found.range;
        double more = 0;
        for (const Waiter& waiter : call.waiters)
            more += static_cast<double>(waiter.more);
        const bool stands_out = !unusual.empty() && share_of(unusual) >= kStandsOut * more;
        beyond_usual_[index] = stands_out ? most_of(unusual) : found;
    }

    static double share_of(const Differences& blamed) {
        double sum = 0;
        for (const Difference& each : blamed)
            sum += each.share;
        return sum;
    }

    /// Of the rank that is blamed most what weighs most: its own doing, or what came through one wait, by cause.
    static Difference most_of(const Differences& blamed) {
        std::map<std::uint32_t, double> by_rank;
        for (const Difference& each : blamed)
            by_rank[each.rank] += each.share;
        const std::uint32_t rank =
            std::ranges::max_element(by_rank, {}, [](const auto& each) { return each.second; })->first;
        std::map<std::pair<std::uint32_t, WaitCause>, Difference> ways;
        for (const Difference& each : blamed)
            if (each.rank == rank)
                if (const auto way = ways.try_emplace({each.before, each.cause}, each); !way.second)
                    way.first->second.share += each.share;
        return std::ranges::max_element(ways, {}, [](const auto& each) { return each.second.share; })->second;
    }

    /// What is to blame for one wait, and of that what is longer than elsewhere. share: ns.
    void add_blamed(const BlamedCall& call, const Waiter& waiter, Differences& all, Differences& unusual) const {
        const auto waited = static_cast<double>(waiter.waited);
        if (waiter.by_order) {
            for (const Difference& each : call.order) {
                all.push_back(traced(each, each.before, waited));
                unusual.push_back(all.back());
            }
            return;
        }
        const Weights weights(waiter.parts);
        for (const Part& part : waiter.parts) {
            const double beyond = waited * part.unusual / weights.all;
            const double share = waited * weights.share(part);
            if (part.unrecorded) {
                all.push_back({.share = share});
                unusual.push_back({.share = beyond});
            } else if (part.arrival == kNoNode) {
                const Stretch& longest = call.longest[static_cast<std::size_t>(part.cause)];
                all.push_back(
                    {graph_.rank[call.last], kNoNode, kNoNode, part.cause, longest.node, longest.range, share});
                unusual.push_back(all.back());
                unusual.back().share = beyond;
            } else {
                const std::uint32_t before = graph_.transfer_of[part.arrival];
                if (part.differences.empty())
                    all.push_back(of_origin(before, share));
                for (const Difference& each : part.differences) {
                    all.push_back(traced(each, before, share));
                    unusual.push_back(traced(each, before, beyond));
                }
            }
        }
        std::erase_if(unusual, [](const Difference& each) { return each.share <= 0; });
    }

    const StepGraph& graph_;
    const std::vector<BlamedCall>& calls_;
    std::uint32_t first_; ///< transfer
    Waiting result_;
    Differences beyond_usual_; ///< per transfer: where most of that waiting started which peers do not have
};

} // namespace

} // namespace rankscope::delays

namespace rankscope {

WaitCause cause_of_work(NodeKind kind) {
    switch (kind) {
    case NodeKind::memory_copy:
    case NodeKind::memory_set: return WaitCause::memory_copy;
    case NodeKind::data_loading: return WaitCause::data_loading;
    case NodeKind::garbage_collection: return WaitCause::garbage_collection;
    case NodeKind::allocation: return WaitCause::allocation;
    case NodeKind::message:
    case NodeKind::transfer: return WaitCause::transfer;
    case NodeKind::compute: return WaitCause::computation;
    default: return WaitCause::host;
    }
}

std::string_view wait_cause_word(WaitCause cause) {
    constexpr std::array<std::string_view, kWaitCauseCount> kWords{
        "computation", "memory_copy",     "host",     "data_loading", "garbage_collection", "allocation",
        "launch",      "synchronisation", "transfer", "gap"};
    return kWords[static_cast<std::size_t>(cause)];
}

std::vector<std::uint32_t> Waiting::victims(const StepGraph& graph, std::size_t transfer) const {
    std::vector<std::uint32_t> found;
    const std::uint32_t first = graph.first_node.back();
    const std::uint32_t origin = origins[transfer].rank;
    while (origins[transfer].before != kNoNode) {
        const std::uint32_t rank = origins[transfer].last;
        if (rank == origin)
            break;
        if (std::ranges::find(found, rank) == found.end())
            found.push_back(rank);
        transfer = origins[transfer].before - first;
    }
    return found;
}

Waiting blame_waiting(const StepGraph& graph, const UsualTimes& usual) {
    return delays::Propagation(graph, delays::blamed_calls(graph, usual)).propagate();
}

} // namespace rankscope
