// SPDX-License-Identifier: GPL-3.0-or-later
// Links are divided among the transfers that use them at one time.
#include "core/analysis/replay/shared_links.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <ranges>
#include <set>
#include <tuple>

#include "core/analysis/basics/robust_deviation.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/collectives/machines.h"
#include "core/base/statistics.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

constexpr double kOtherBandwidth = 1.3;  ///< times as much: the next groups of a dimension have another link
constexpr double kLeastBeside = 0.2;     ///< of its duration: what runs beside it for less hardly shows
constexpr double kLeastLost = 0.1;       ///< of the bandwidth
constexpr double kMostLost = 0.75;       ///< as where three others take as much as it does
constexpr double kMoved = 0.01;          ///< of a transfer's time
constexpr double kHalf = 0.4;            ///< of the bandwidth: half, but for noise
constexpr std::size_t kFewestShared = 3; ///< calls that show it
constexpr std::size_t kMostAtOnce =
    16; ///< transfers that count at a port: no GPU runs more, and made-up traces stay cheap

struct Call {
    std::uint32_t node = 0;
    std::uint32_t group = 0;
    CollectiveKind collective = CollectiveKind::other;
    std::int64_t bytes = 0;
    std::int64_t step = 0; ///< number
    std::uint32_t kind = 0;
    TimeRange range;
};

/// Of a message either end may stand for it.
CollectiveKind kind_of_transfer(CollectiveKind kind) {
    return kind == CollectiveKind::recv ? CollectiveKind::send : kind;
}

/// The links that calls use alike.
using LinksOfCall = std::tuple<ParallelDimension, CollectiveKind, Way>;

/// Transfers that reach about the same bandwidth on one way.
struct KindOfTransfer {
    LinksOfCall links;
    double bandwidth = 0; ///< GB/s, of its bytes by its time
};

/// Gives the calls their kinds. nodes: of the calls.
std::vector<KindOfTransfer> set_kinds(const Run& run, const CollectiveMatching& matching,
                                      std::span<const CommunicationNode* const> nodes, std::vector<Call>& calls) {
    using OfGroup = std::tuple<std::uint32_t, CollectiveKind, std::int64_t>; // group, kind of call, bytes
    struct Same {
        LinksOfCall links;
        std::vector<TimeNs> times;
    };
    const Machines machines(run);
    std::map<OfGroup, Same> same;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const Call& call = calls[i];
        Same& own = same[{call.group, call.collective, call.bytes}];
        if (own.times.empty())
            own.links = {nodes[i]->dimension, call.collective, machines.way(matching.groups[call.group].ranks)};
        own.times.push_back(call.range.length());
    }
    std::map<LinksOfCall, std::set<std::pair<double, OfGroup>>> bandwidths;
    for (auto& [of, own] : same) {
        const auto time = static_cast<double>(nth_value(own.times, own.times.size() / 4));
        bandwidths[own.links].emplace(static_cast<double>(std::get<2>(of)) / time, of);
    }
    std::map<OfGroup, std::uint32_t> kinds;
    std::vector<KindOfTransfer> result;
    for (const auto& [links, ascending] : bandwidths) {
        double before = 0;
        for (const auto& [bandwidth, of] : ascending) {
            if (bandwidth > kOtherBandwidth * before)
                result.push_back({links, bandwidth});
            kinds[of] = static_cast<std::uint32_t>(result.size() - 1);
            before = bandwidth;
        }
    }
    for (Call& call : calls)
        call.kind = kinds.at({call.group, call.collective, call.bytes});
    return result;
}

/// Of each group its ports, numbered; ports of the same groups count once. count: how many there are.
std::vector<std::vector<std::uint32_t>> ports_by_group(const CollectiveMatching& matching, std::size_t& count) {
    std::map<Port, std::vector<std::uint32_t>> groups;
    for (std::uint32_t g = 0; g < matching.groups.size(); ++g)
        for (const Port& port : ports_of(matching.groups[g]))
            if (std::vector<std::uint32_t>& same = groups[port]; same.empty() || same.back() != g)
                same.push_back(g);
    std::set<std::vector<std::uint32_t>> of_ports;
    for (auto& [port, same] : groups)
        of_ports.insert(std::move(same));
    std::vector<std::vector<std::uint32_t>> result(matching.groups.size());
    std::uint32_t port = 0;
    for (const std::vector<std::uint32_t>& same : of_ports) {
        for (const std::uint32_t g : same)
            result[g].push_back(port);
        ++port;
    }
    count = port;
    return result;
}

struct TransferBeside {
    std::uint32_t port = 0;
    std::size_t other = 0; ///< call
    TimeRange both;
};

/// Per call, those beside it, for each port that they share. calls: by start.
std::vector<std::vector<TransferBeside>> calls_beside(const std::vector<Call>& calls,
                                                      const std::vector<std::vector<std::uint32_t>>& ports_of_group,
                                                      std::size_t ports) {
    std::vector<std::vector<TransferBeside>> beside(calls.size());
    std::vector<std::vector<std::size_t>> running(ports);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const TimeRange& own = calls[i].range;
        for (const std::uint32_t port : ports_of_group[calls[i].group]) {
            std::erase_if(running[port], [&](std::size_t other) { return calls[other].range.end <= own.begin; });
            for (const std::size_t other : running[port]) {
                const TimeRange both{own.begin, std::min(own.end, calls[other].range.end)};
                beside[i].push_back({port, other, both});
                beside[other].push_back({port, i, both});
            }
            if (running[port].size() < kMostAtOnce)
                running[port].push_back(i);
        }
    }
    return beside;
}

/// Of its duration, what the call would take alone: the port where the others take most holds it up. added: what each
/// other one adds.
template <typename Added>
double share_alone(TimeRange range, const std::vector<TransferBeside>& beside, const Added& added) {
    struct Change {
        TimeNs time = 0;
        std::uint32_t port = 0;
        double more = 0;
    };
    std::vector<Change> changes;
    for (const TransferBeside& each : beside)
        if (const double more = added(each.other); more > 0) {
            changes.push_back({each.both.begin, each.port, more});
            changes.push_back({each.both.end, each.port, -more});
        }
    std::ranges::sort(changes, {}, &Change::time);
    std::map<std::uint32_t, double> more;
    double alone = 0;
    TimeNs since = range.begin;
    for (const Change& change : changes) {
        const double most = more.empty() ? 0 : std::ranges::max(more | std::views::values);
        alone += static_cast<double>(change.time - since) / (1 + most);
        since = change.time;
        more[change.port] += change.more;
    }
    alone += static_cast<double>(range.end - since);
    return alone / static_cast<double>(range.length());
}

/// Of a link that two transfers use at one time, the parts that each of them would use alone.
struct Uses {
    double own = 0;
    double other = 0;
};

/// A link is divided evenly, and what one cannot use goes to the other. One that loses beside one that does not fills
/// the link, and the other takes what it needs.
Uses uses_of(double lost, double other_lost) {
    if (lost > 0 && other_lost > 0)
        return {0.5 / (1 - lost), 0.5 / (1 - other_lost)};
    return lost > 0 ? Uses{1, lost} : other_lost > 0 ? Uses{other_lost, 1} : Uses{};
}

/// What the first of two loses.
double lost_of(Uses uses) {
    const double gets = uses.own <= 0.5 || uses.own + uses.other <= 1 ? uses.own : std::max(0.5, 1 - uses.other);
    return uses.own <= 0 ? 0 : 1 - gets / uses.own;
}

using Kinds = std::pair<std::uint32_t, std::uint32_t>; ///< of a call and of the one beside it

/// What calls lose to one other beside them, as a share of the bandwidth, each against the same calls of its group in
/// the step that have none beside them. harmless: others that take nothing.
std::map<Kinds, std::vector<double>> lost_to_one_other(const std::vector<Call>& calls,
                                                       const std::vector<std::vector<TransferBeside>>& beside,
                                                       const std::set<Kinds>& harmless) {
    using Same = std::tuple<std::uint32_t, CollectiveKind, std::int64_t, std::int64_t>; // group, kind, bytes, step
    std::map<Same, std::vector<double>> alone;
    std::vector<std::pair<std::size_t, TransferBeside>> with_one;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        std::map<std::size_t, TransferBeside> others;
        for (const TransferBeside& each : beside[i])
            if (!harmless.contains({calls[i].kind, calls[each.other].kind}))
                others.emplace(each.other, each);
        if (others.empty())
            alone[{calls[i].group, calls[i].collective, calls[i].bytes, calls[i].step}].push_back(
                static_cast<double>(calls[i].range.length()));
        else if (others.size() == 1)
            with_one.emplace_back(i, others.begin()->second);
    }
    std::map<Same, double> usual;
    for (auto& [same, times] : alone)
        usual[same] = middle_median(std::move(times));
    std::map<Kinds, std::vector<double>> lost;
    for (const auto& [i, other] : with_one) {
        const Call& call = calls[i];
        const auto same = usual.find({call.group, call.collective, call.bytes, call.step});
        const auto own = static_cast<double>(call.range.length());
        const double share = static_cast<double>(other.both.length()) / own;
        if (same != usual.end() && share >= kLeastBeside)
            lost[{call.kind, calls[other.other].kind}].push_back((1 - same->second / own) / share);
    }
    return lost;
}

/// The median; 0 where it does not stand out of their scatter.
double usual_loss(const std::vector<double>& lost) {
    if (lost.size() < kFewestShared)
        return 0;
    const double usual = middle_median(lost);
    const double error = robust_deviation(lost) / std::sqrt(static_cast<double>(lost.size()));
    return usual >= kLeastLost && usual <= kMostLost && usual >= kShownErrors * error ? usual : 0;
}

/// What a transfer of the first kind loses beside one of the second, as a share of its bandwidth.
std::map<Kinds, double> losses(const std::vector<Call>& calls, const std::vector<std::vector<TransferBeside>>& beside,
                               const std::vector<KindOfTransfer>& kinds) {
    std::map<Kinds, std::vector<double>> seen = lost_to_one_other(calls, beside, {});
    std::set<Kinds> harmless;
    for (const auto& [both, shares] : seen)
        if (shares.size() >= kFewestShared && middle_median(shares) < kLeastLost)
            harmless.insert(both);
    if (!harmless.empty())
        seen = lost_to_one_other(calls, beside, harmless);
    const auto measured = [&](std::uint32_t kind, std::uint32_t other) {
        const auto own = seen.find({kind, other});
        return harmless.contains({kind, other}) || (own != seen.end() && own->second.size() >= kFewestShared);
    };
    std::map<Kinds, double> lost;
    for (const auto& [both, own] : seen) {
        const auto [kind, other] = both;
        const double loss = usual_loss(own);
        if (loss <= 0)
            continue;
        lost[both] = loss;
        // One that takes half of the link is as fast as the other, which loses as much.
        if (loss >= kHalf && !measured(other, kind))
            lost.try_emplace({other, kind}, loss);
    }
    // What was not seen of a faster or slower transfer on the same way is known from the one that was.
    const std::map<Kinds, double> known = lost;
    for (const auto& [both, loss] : known) {
        const auto [like, other] = both;
        const auto reverse = known.find({other, like});
        const Uses seen_uses = uses_of(loss, reverse == known.end() ? 0 : reverse->second);
        for (const auto& [from, beside_it] : {std::pair(like, other), std::pair(other, like)})
            for (std::uint32_t kind = 0; kind < kinds.size(); ++kind) {
                if (kinds[kind].links != kinds[from].links || measured(kind, beside_it) || measured(beside_it, kind))
                    continue;
                Uses uses = from == like ? seen_uses : Uses{seen_uses.other, seen_uses.own};
                uses.own = std::min(1.0, uses.own * kinds[kind].bandwidth / kinds[from].bandwidth);
                lost.try_emplace({kind, beside_it}, lost_of(uses));
                lost.try_emplace({beside_it, kind}, lost_of({uses.other, uses.own}));
            }
    }
    return lost;
}

} // namespace

std::vector<Port> ports_of(const CommGroup& group) {
    if (group.point_to_point && group.ranks.size() == 2)
        return {{group.ranks.front(), true}, {group.ranks.back(), false}};
    std::vector<Port> ports;
    for (const int rank : group.ranks)
        for (const bool leaves : {false, true})
            ports.emplace_back(rank, leaves);
    return ports;
}

SharedLinks::SharedLinks(const Run& run, const StepGraph& graph, std::span<const CommunicationNode> communication,
                         const CollectiveMatching& matching) {
    count_work("shared_links");
    std::vector<const CommunicationNode*> nodes;
    for (const CommunicationNode& node : communication)
        if (!node.lone && node.bytes != kUnknown && node.bytes > 0 && graph.times.duration[node.node] > 0)
            nodes.push_back(&node);
    std::ranges::sort(nodes, {}, [&](const CommunicationNode* node) { return graph.start[node->node]; });
    std::vector<Call> calls;
    for (const CommunicationNode* const node : nodes)
        calls.push_back({node->node,
                         node->group,
                         kind_of_transfer(node->kind),
                         node->bytes,
                         step_number(graph, node->node),
                         0,
                         {graph.start[node->node], graph.end(node->node)}});
    const std::vector<KindOfTransfer> kinds = set_kinds(run, matching, nodes, calls);
    ports_of_group_ = ports_by_group(matching, ports_);
    const std::vector<std::vector<TransferBeside>> beside = calls_beside(calls, ports_of_group_, ports_);
    lost_ = losses(calls, beside, kinds);
    std::vector<bool> shares(kinds.size());
    for (const auto& [both, loss] : lost_)
        if (loss > 0)
            shares[both.first] = shares[both.second] = true;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const std::uint32_t kind = calls[i].kind;
        if (shares[kind])
            transfers_.push_back(
                {calls[i].node, calls[i].group, kind, share_alone(calls[i].range, beside[i], [&](std::size_t other) {
                     return added(kind, 1, calls[other].kind, 1);
                 })});
    }
}

double SharedLinks::added(std::uint32_t kind, double faster, std::uint32_t other, double other_faster) const {
    const auto lost_beside = [&](std::uint32_t own, std::uint32_t another) {
        const auto found = lost_.find({own, another});
        return found == lost_.end() ? 0 : found->second;
    };
    double lost = lost_beside(kind, other);
    if (faster != 1 || other_faster != 1) {
        const Uses uses = uses_of(lost, lost_beside(other, kind));
        lost = lost_of({std::min(1.0, uses.own * faster), std::min(1.0, uses.other * other_faster)});
    }
    return lost / (1 - lost);
}

std::vector<double> SharedLinks::alone(const StepGraph& graph) const {
    std::vector<double> share(empty() ? 0 : graph.size(), 1);
    for (const Transfer& transfer : transfers_)
        share[transfer.node] = transfer.alone;
    return share;
}

/// Plays the transfers: each is as fast as those beside it let it be.
class SharedLinks::Play {
public:
    /// alone: what each takes by itself, ns; faster: times as fast as recorded.
    Play(const SharedLinks& links, std::span<const double> alone, std::span<const double> faster)
        : links_(links), faster_(faster), states_(alone.size()), running_(links.ports_), ends_(alone.size()) {
        for (std::size_t i = 0; i < alone.size(); ++i)
            states_[i].left = alone[i];
    }

    /// starts, and the ends that are returned: ns.
    std::vector<double> ends(std::span<const double> starts) {
        std::vector<std::uint32_t> order(starts.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(starts[i], i); });
        for (const std::uint32_t next : order) {
            end_until(starts[next]);
            start(next, starts[next]);
        }
        end_until(std::numeric_limits<double>::infinity());
        return std::move(ends_);
    }

private:
    struct State {
        double left = 0;   ///< ns, alone
        double since = 0;  ///< when left was so
        double slower = 1; ///< times
        std::uint32_t version = 0;
    };
    using Moment = std::tuple<double, std::uint32_t, std::uint32_t>; ///< end, transfer, version of its state

    void start(std::uint32_t i, double now) {
        states_[i].since = now;
        for (const std::uint32_t port : ports(i))
            if (running_[port].size() < kMostAtOnce)
                running_[port].push_back(i);
        set_speed(i, now);
        set_speed_of_others(i, now);
    }

    void end_until(double time) {
        while (!moments_.empty() && std::get<0>(moments_.top()) <= time) {
            const auto [now, i, version] = moments_.top();
            moments_.pop();
            if (states_[i].version != version)
                continue;
            ends_[i] = now;
            for (const std::uint32_t port : ports(i))
                std::erase(running_[port], i);
            set_speed_of_others(i, now);
        }
    }

    [[nodiscard]] const std::vector<std::uint32_t>& ports(std::uint32_t i) const {
        return links_.ports_of_group_[links_.transfers_[i].group];
    }

    [[nodiscard]] double added(std::uint32_t i, std::uint32_t other) const {
        return i == other
                   ? 0
                   : links_.added(links_.transfers_[i].kind, faster_[i], links_.transfers_[other].kind, faster_[other]);
    }

    void set_speed_of_others(std::uint32_t i, double now) {
        std::set<std::uint32_t> others;
        for (const std::uint32_t port : ports(i))
            for (const std::uint32_t other : running_[port])
                if (added(other, i) > 0)
                    others.insert(other);
        for (const std::uint32_t other : others)
            set_speed(other, now);
    }

    void set_speed(std::uint32_t i, double now) {
        State& state = states_[i];
        state.left = std::max(0.0, state.left - (now - state.since) / state.slower);
        state.since = now;
        state.slower = 1;
        for (const std::uint32_t port : ports(i)) {
            double slower = 1;
            for (const std::uint32_t other : running_[port])
                slower += added(i, other);
            state.slower = std::max(state.slower, slower);
        }
        moments_.emplace(now + state.left * state.slower, i, ++state.version);
    }

    const SharedLinks& links_;
    std::span<const double> faster_;
    std::vector<State> states_;
    std::vector<std::vector<std::uint32_t>> running_; ///< at each port
    std::priority_queue<Moment, std::vector<Moment>, std::greater<>> moments_;
    std::vector<double> ends_;
};

bool SharedLinks::adapt(const StepGraph& graph, const ReplayedTimes& replayed, const GraphTimes& base,
                        GraphTimes& times) const {
    if (empty())
        return false;
    TimeNs first = std::numeric_limits<TimeNs>::max(); // doubles tell nanoseconds apart near 0 only
    for (const Transfer& transfer : transfers_)
        first = std::min(first, replayed.start(transfer.node));
    std::vector<double> starts;
    std::vector<double> alone;
    std::vector<double> faster;
    for (const Transfer& transfer : transfers_) {
        const auto time = static_cast<double>(base.duration[transfer.node]);
        starts.push_back(static_cast<double>(replayed.start(transfer.node) - first));
        alone.push_back(time * transfer.alone);
        faster.push_back(time > 0 ? static_cast<double>(graph.times.duration[transfer.node]) / time : 1);
    }
    const std::vector<double> ends = Play(*this, alone, faster).ends(starts);
    bool moved = false;
    for (std::size_t i = 0; i < transfers_.size(); ++i) {
        const TimeNs recorded = base.duration[transfers_[i].node];
        const TimeNs played = std::llround(ends[i] - starts[i]);
        const TimeNs now = std::abs(played - recorded) <= 1 ? recorded : played; // not its rounding
        TimeNs& time = times.duration[transfers_[i].node];
        moved = moved || static_cast<double>(std::abs(now - time)) > kMoved * static_cast<double>(time);
        time = now;
    }
    return moved;
}

} // namespace rankscope
