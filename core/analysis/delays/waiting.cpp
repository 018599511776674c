// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the ways that ranks took to a call, and hands the blame on from the last call to the first.
#include "core/analysis/delays/waiting.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include <tbb/parallel_for.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/graph/graph_changes.h"
#include "core/analysis/graph/held_up.h"
#include "core/analysis/usual/usual_times.h"

namespace rankscope {
namespace {

constexpr std::size_t kMostWaits = 16; ///< of a rank between two calls: the longest ones stand for all
constexpr double kClearly = 0.1;       ///< of a wait: what another one must be longer by to explain some of it
constexpr double kStandsOut = 0.1;     ///< of the blame: what is longer than elsewhere; less is scatter
constexpr double kCounts = 0.02;       ///< of a delay: a smaller part of it is not followed further
constexpr TimeNs kEver = std::numeric_limits<TimeNs>::min();

struct OwnWait {
    std::uint32_t arrival = kNoNode; ///< node
    TimeNs time = 0;
};

/// What a rank did for a while without a break.
struct Stretch {
    enum class Kind : std::uint8_t { own, waits, unrecorded };
    TimeRange range;
    std::uint32_t node = kNoNode; ///< where it waits: its arrival
    Kind kind = Kind::own;
    WaitCause cause = WaitCause::host;
    TimeNs more = 0; ///< than others that do the same; all of it where none do
};

/// What a rank did on its way to a call, backwards.
struct Way {
    std::vector<Stretch> stretches;
    TimeNs cursor = 0;  ///< how far back it is known
    bool ended = false; ///< nothing before that is recorded
};

/// The same since a time.
struct Spent {
    std::array<TimeNs, kWaitCauseCount> own{};
    std::array<double, kWaitCauseCount> more{}; ///< of own, than others that do the same
    std::uint32_t rank = kNoNode;
    TimeNs unrecorded = 0;
    TimeNs waited = 0;
    std::vector<OwnWait> waits;
    std::vector<OwnWait> transfers; ///< in the open; node: the transfer
};

Spent spent_since(const Way& way, TimeNs since) {
    Spent spent;
    for (const Stretch& stretch : way.stretches) {
        const TimeNs time = stretch.range.end - std::max(stretch.range.begin, since);
        if (time <= 0)
            break;
        switch (stretch.kind) {
        case Stretch::Kind::own: {
            const auto c = static_cast<std::size_t>(stretch.cause);
            spent.own[c] += time;
            spent.more[c] += static_cast<double>(stretch.more) * static_cast<double>(time) /
                             static_cast<double>(stretch.range.length());
            if (stretch.cause == WaitCause::transfer)
                spent.transfers.push_back({stretch.node, time});
            break;
        }
        case Stretch::Kind::unrecorded: spent.unrecorded += time; break;
        case Stretch::Kind::waits:
            spent.waited += time;
            spent.waits.push_back({stretch.node, time});
            break;
        }
    }
    return spent;
}

/// Where a part of it started that one rank came later than another at the same place.
struct Difference {
    std::uint32_t rank = kNoNode;    ///< where
    std::uint32_t through = kNoNode; ///< else a transfer: where the waiting in that one started
    std::uint32_t before = kNoNode;  ///< transfer: the wait of the last rank through which it came; else its own doing
    WaitCause cause = WaitCause::host;
    std::uint32_t shown_by = kNoNode;
    TimeRange range{};
    double share = 1; ///< of the whole
};

/// The largest parts, or none: nothing tells.
using Differences = std::vector<Difference>;

/// Part of the blame for a wait.
struct Part {
    std::uint32_t arrival = kNoNode; ///< node: the last rank's own wait; kNoNode: what it did itself
    bool unrecorded = false;
    WaitCause cause = WaitCause::host;
    TimeNs weight = 0;
    /// Of the weight, for telling the origin: what the rank did as long as others that do the same started no delay.
    double unusual = 0;
    std::uint32_t peer = kNoNode; ///< node: the shorter wait of the one that waits here, at the same place
    Differences differences{};    ///< why this wait is longer than that
};

/// Of parts together.
struct Weights {
    double all = 0;
    double unusual = 0;

    explicit Weights(const std::vector<Part>& parts) {
        for (const Part& part : parts) {
            all += static_cast<double>(part.weight);
            unusual += part.unusual;
        }
    }
    /// Of one of them: of what is longer than elsewhere where that stands out, else of all.
    [[nodiscard]] double share(const Part& part) const {
        return unusual >= kStandsOut * all ? part.unusual / unusual : static_cast<double>(part.weight) / all;
    }
};

struct Waiter {
    std::uint32_t arrival = kNoNode;
    TimeNs waited = 0;
    TimeNs more = 0;         ///< than its peers at the same place; all of it where nobody tells
    std::vector<Part> parts; ///< empty: not looked into
    bool by_order = false;   ///< BlamedCall::order tells where the delay started, whatever the parts
};

struct BlamedCall {
    std::uint32_t last = kNoNode; ///< node
    std::vector<Waiter> waiters;
    std::array<Stretch, kWaitCauseCount> longest{}; ///< of the last one
    Differences order;                              ///< why the last one is later than its peer
};

/// The blame for each wait by itself.
class Comparer {
public:
    /// last_arrivals: of each transfer. launches: any is recorded.
    /// at_place: by UsualTimes::place, the arrivals there.
    Comparer(const HeldUp& held_up, const UsualTimes& usual, std::span<const std::uint32_t> last_arrivals,
             std::span<const std::vector<std::uint32_t>> at_place, bool launches)
        : held_up_(held_up), graph_(held_up.graph), start_(held_up.start), usual_(usual), last_arrivals_(last_arrivals),
          at_place_(at_place), launches_(launches) {}

    BlamedCall compare(std::uint32_t transfer) {
        BlamedCall call;
        call.last = last_arrival(transfer);
        if (call.last == kNoNode)
            return call;
        std::vector<std::size_t> to_compare;
        for (const GraphEdge& edge : graph_.edges_of(transfer)) {
            const TimeNs waited = start_[call.last] - start_[edge.from];
            if (!edge.from_start || waited <= 0) // a message waits for nobody
                continue;
            const TimeNs usual = std::max<TimeNs>(0, usual_.wait[edge.from]);
            call.waiters.push_back({edge.from, waited, std::max<TimeNs>(0, waited - usual), {}});
            if (waited < kShortestWait)
                blame_last_gap(call.last, call.waiters.back());
            else
                to_compare.push_back(call.waiters.size() - 1);
        }
        if (!to_compare.empty())
            compare_ways(call, to_compare);
        for (Waiter& waiter : call.waiters)
            for (Part& part : waiter.parts)
                part.differences = differences(part.arrival, part.peer, 0);
        blame_order(call);
        return call;
    }

private:
    static constexpr int kDeepest = 12;  ///< calls
    static constexpr int kMostAgain = 4; ///< ways that are looked at once more

    /// Of waits most of which peers do not have, although the last rank did nothing unusual since it came together with
    /// those that wait: why it is later than its own peer at the same place. A delay may leave ranks in an order in
    /// which they wait for each other's usual work.
    void blame_order(BlamedCall& call) {
        const auto unlike_peers = [&](const Waiter& waiter) {
            const auto more = static_cast<double>(waiter.more);
            return !waiter.parts.empty() && waiter.waited >= kShortestWait && usual_.wait[waiter.arrival] >= 0 &&
                   more >= kMostOf * static_cast<double>(waiter.waited) &&
                   Weights(waiter.parts).unusual < kMostOf * more;
        };
        if (std::ranges::none_of(call.waiters, unlike_peers))
            return;
        const std::uint32_t peer = middle_peer(call.last);
        if (peer == kNoNode || start_[call.last] < start_[peer] + kShortestWait)
            return;
        call.order = differences_of_ways(call.last, peer, 0);
        for (const Difference& found : call.order)
            if (found.before == kNoNode)
                call.longest[static_cast<std::size_t>(found.cause)] = {found.range, found.shown_by, Stretch::Kind::own,
                                                                       found.cause, 0};
        for (Waiter& waiter : call.waiters)
            waiter.by_order = !call.order.empty() && unlike_peers(waiter);
    }

    /// Of two waits at the same place, why the first is longer: whom it waited for came later than whom the other one
    /// waited for, and those two are compared in their turn. None where the first only started to wait earlier.
    Differences differences(std::uint32_t arrival, std::uint32_t peer, int depth) {
        if (arrival == kNoNode || peer == kNoNode || depth >= kDeepest || walked_ >= kMostWalked)
            return {};
        const std::pair key(arrival, peer);
        if (const auto known = differences_.find(key); known != differences_.end())
            return known->second;
        const std::uint32_t last = last_arrival(graph_.transfer_of[arrival]);
        const std::uint32_t other = last_arrival(graph_.transfer_of[peer]);
        Differences found;
        if (last != kNoNode && other != kNoNode && graph_.rank[last] != graph_.rank[other] &&
            start_[last] >= start_[other] + kShortestWait)
            found = differences_of_ways(last, other, depth);
        return differences_[key] = found;
    }

    /// All that counts is followed, each for itself.
    Differences differences_of_ways(std::uint32_t last, std::uint32_t other, int depth) {
        BlamedCall call;
        call.last = last;
        call.waiters.push_back({other, start_[last] - start_[other], start_[last] - start_[other], {}});
        compare_ways(call, {0});
        const std::vector<Part>& parts = call.waiters.front().parts;
        const Weights weights(parts);
        Differences found;
        for (const Part& part : parts) {
            const double share = weights.share(part);
            if (part.unrecorded || !(share >= kCounts))
                continue;
            if (part.arrival == kNoNode) {
                const Stretch& longest = call.longest[static_cast<std::size_t>(part.cause)];
                add(found, {graph_.rank[last], kNoNode, kNoNode, part.cause, longest.node, longest.range, share});
                continue;
            }
            const std::uint32_t before = graph_.transfer_of[part.arrival];
            Differences of_wait = differences(part.arrival, part.peer, depth + 1);
            if (of_wait.empty())
                of_wait.push_back({kNoNode, before});
            for (Difference& each : of_wait) {
                each.before = before;
                each.share *= share;
                add(found, each);
            }
        }
        double told = 0;
        for (const Difference& each : found)
            told += each.share;
        std::erase_if(found, [&](const Difference& each) { return each.share < kCounts * told; });
        for (Difference& each : found)
            each.share /= told;
        return found;
    }

    /// Parts of the same rank and cause, or through the same transfer, are one; the largest shows it.
    static void add(Differences& all, const Difference& part) {
        const auto same = std::ranges::find_if(all, [&](const Difference& each) {
            return each.rank == part.rank && each.through == part.through && each.cause == part.cause;
        });
        if (same == all.end()) {
            all.push_back(part);
            return;
        }
        const double together = same->share + part.share;
        if (part.share > same->share)
            *same = part;
        same->share = together;
    }

    void blame_last_gap(std::uint32_t last, Waiter& waiter) const {
        const std::uint32_t edge = held_up_.binding_edge(last);
        const bool known = edge != kNoNode;
        waiter.parts.push_back(
            {kNoNode, !known, known ? cause_of_gap(graph_.edges[edge].kind) : WaitCause::host, 1, 1});
    }

    /// Of the time between what held a node up and the node. Where no launch is recorded, as in operation timelines,
    /// nothing tells why work started no earlier.
    [[nodiscard]] WaitCause cause_of_gap(EdgeKind kind) const {
        switch (kind) {
        case EdgeKind::host: return WaitCause::host;
        case EdgeKind::wait: return WaitCause::synchronisation;
        default: return launches_ ? WaitCause::launch : WaitCause::gap;
        }
    }

    /// A rank that waits, its way, and since when it is compared with the last one.
    struct Compared {
        std::size_t waiter = 0;
        Way way;
        TimeNs since = kEver;
        bool met = false;
        std::uint32_t alone_at = kNoNode; ///< the transfer that only its own way has led to
    };

    void compare_ways(BlamedCall& call, const std::vector<std::size_t>& to_compare) {
        std::set<std::uint32_t> passed; // transfers
        Ways ways = walk(call, to_compare, true, passed);
        for (int again = 0; again < kMostAgain && pass_where_last_worked(call, ways, passed); ++again)
            ways = walk(call, to_compare, true, passed);
        // What a rank did beside an early receive may lead back to its host alone, past all calls.
        if (ways.last.ended &&
            std::ranges::any_of(ways.compared, [](const Compared& own) { return own.way.ended && !own.met; }))
            ways = walk(call, to_compare, false, passed);
        const auto& [compared, last] = ways;
        for (const Compared& own : compared)
            if (walked_ < kMostWalked)
                blame(call, last, own, call.waiters[own.waiter]);
        const auto earliest = std::ranges::min_element(compared, {}, &Compared::since);
        for (const Stretch& stretch : last.stretches) {
            Stretch& longest = call.longest[static_cast<std::size_t>(stretch.cause)];
            if (stretch.kind == Stretch::Kind::own && stretch.range.end > earliest->since &&
                stretch.range.length() > longest.range.length())
                longest = stretch;
        }
    }

    struct Ways {
        std::vector<Compared> compared;
        Way last; ///< of who came last
    };

    /// A transfer that was waited for by the one that waits here too, for the same last rank, while that worked on: its
    /// backlog is still there, so that they did not come together. True: some are new in passed.
    bool pass_where_last_worked(const BlamedCall& call, const Ways& ways, std::set<std::uint32_t>& passed) const {
        bool any = false;
        for (const Compared& own : ways.compared) {
            if (!own.met || own.alone_at == kNoNode ||
                graph_.rank[last_arrival(own.alone_at)] != graph_.rank[call.last])
                continue;
            const bool worked = std::ranges::any_of(ways.last.stretches, [&](const Stretch& stretch) {
                return stretch.kind == Stretch::Kind::own && stretch.cause == WaitCause::computation &&
                       stretch.range.begin <= own.since && own.since < stretch.range.end &&
                       start_[stretch.node] < own.since;
            });
            any = (worked && passed.insert(own.alone_at).second) || any;
        }
        return any;
    }

    /// beside_early: go_back(). passed: transfers at which they did not come together.
    Ways walk(const BlamedCall& call, const std::vector<std::size_t>& to_compare, bool beside_early,
              const std::set<std::uint32_t>& passed) {
        const TimeNs floor = step_before(call.last);
        const std::uint32_t last_rank = graph_.rank[call.last];
        Ways ways{std::vector<Compared>(to_compare.size()), {}};
        auto& [compared, last] = ways;
        // They last came together where either of them went on only once the other had come. The
        // transfer is no part of either way from there.
        for (std::size_t i = 0; i < compared.size(); ++i) {
            Compared& own = compared[i];
            own.waiter = to_compare[i];
            const auto meet = [&](std::uint32_t transfer) {
                if (arrival_of(transfer, last_rank) == kNoNode || passed.contains(transfer))
                    return true;
                own.since = held_up_.end(transfer);
                own.met = true;
                own.alone_at = transfer;
                return false;
            };
            go_back<true>(call.waiters[own.waiter].arrival, floor, beside_early, own.way, meet);
            if (!own.met)
                own.since = own.way.ended ? kEver : own.way.cursor;
        }
        const auto meet = [&](std::uint32_t transfer) {
            bool all = true;
            for (Compared& own : compared) {
                if (own.met && own.since >= last.cursor)
                    continue;
                // One that ends only once the other waits already is not on its way.
                const std::uint32_t arrival = call.waiters[own.waiter].arrival;
                if (arrival_of(transfer, graph_.rank[arrival]) == kNoNode || held_up_.end(transfer) > start_[arrival]) {
                    all = false;
                    continue;
                }
                own.since = std::max(own.since, held_up_.end(transfer));
                own.met = true;
                own.alone_at = kNoNode;
                all = all && own.since >= last.cursor;
            }
            return !all;
        };
        TimeNs until = std::numeric_limits<TimeNs>::max();
        for (const Compared& own : compared)
            until = std::min(until, own.since);
        go_back<false>(call.last, std::max(floor, until), beside_early, last, meet);
        return ways;
    }

    /// When the step before that of the node starts: what lies before it explains no wait in this one. Of the first
    /// step when the GPU is done with steps before the recording: their work has no peers and their calls are not
    /// matched.
    [[nodiscard]] TimeNs step_before(std::uint32_t node) const {
        const std::uint32_t step = graph_.step[node];
        if (!graph_.profiler_steps || step == kNoNode)
            return kEver;
        const auto first = std::ranges::lower_bound(graph_.steps, graph_.rank[node], {}, &GraphStep::rank);
        if (step > 0)
            return (first + static_cast<std::ptrdiff_t>(step) - 1)->range.begin;
        TimeNs done = kEver;
        for (const std::uint32_t earlier : first->work_before)
            done = std::max(done, held_up_.end(earlier));
        return done;
    }

    /// What held the node up. own_work: of a communication kernel not that its stream was busy with an earlier call
    /// while what it sends was there: the rank itself was ready. Where the host waits for the GPU and its peers do not,
    /// it held itself up, whatever the GPU did meanwhile.
    template <bool kOwnWork>
    [[nodiscard]] std::uint32_t holding_edge(std::uint32_t node) const {
        const std::uint32_t binding = held_up_.binding_edge(node);
        if (usual_.own_wait[node])
            if (const std::uint32_t host = host_edge(graph_, node); host != kNoNode)
                return host;
        if (!kOwnWork || binding == kNoNode || graph_.kind[node] != NodeKind::arrival ||
            graph_.edges[binding].kind != EdgeKind::stream)
            return binding;
        std::uint32_t best = kNoNode;
        TimeNs latest = 0;
        for (std::uint32_t e = graph_.first_edge[node]; e < graph_.first_edge[node + 1]; ++e) {
            const GraphEdge& edge = graph_.edges[e];
            const TimeNs time = held_up_.source(edge) + held_up_.times.lag[e];
            if (edge.kind == EdgeKind::dependency && graph_.kind[edge.from] != NodeKind::transfer &&
                (best == kNoNode || time > latest)) {
                best = e;
                latest = time;
            }
        }
        return best == kNoNode ? binding : best;
    }

    /// Along what held the rank up, but not beyond it: where it waited for others the way goes on before the wait.
    /// meet: of each transfer on the way; false: it has come far enough. beside_early: who receives early waits only
    /// from when all other GPU work was there, and the way goes on along that.
    template <bool kOwnWork, typename Meet>
    void go_back(std::uint32_t node, TimeNs until, bool beside_early, Way& way, const Meet& meet) {
        const std::uint32_t rank = graph_.rank[node];
        way.cursor = start_[node];
        std::uint32_t binding = holding_edge<kOwnWork>(node);
        while (way.cursor > until && ++walked_ < kMostWalked) {
            if (binding == kNoNode) {
                way.ended = true;
                return;
            }
            const GraphEdge edge = graph_.edges[binding];
            pass(way, std::max(held_up_.source(edge), until), Stretch::Kind::own,
                 usual_.own_wait[node] ? WaitCause::synchronisation : cause_of_gap(edge.kind), node,
                 usual_gap(node, binding));
            const NodeKind kind = graph_.kind[edge.from];
            if (kind != NodeKind::transfer) {
                const bool unrecorded = kind == NodeKind::lone_communication && !edge.from_start;
                pass(way, std::max(start_[edge.from], until),
                     unrecorded ? Stretch::Kind::unrecorded : Stretch::Kind::own, cause_of_work(kind), edge.from,
                     usual_.node[edge.from]);
                node = edge.from;
                binding = holding_edge<kOwnWork>(node);
                continue;
            }
            if (!meet(edge.from))
                return;
            const std::uint32_t own = arrival_of(edge.from, rank);
            if (own == kNoNode) {
                way.ended = true;
                return;
            }
            const std::uint32_t other = beside_early ? held_up_.second_edge(node, binding) : kNoNode;
            const bool early = other != kNoNode && held_up_.ready(other) > start_[own];
            const TimeNs waits_from = early ? held_up_.ready(other) : start_[own];
            pass(way, std::max({start_[last_arrival(edge.from)], waits_from, until}), Stretch::Kind::own,
                 WaitCause::transfer, edge.from, usual_.node[edge.from]);
            pass(way, std::max(waits_from, until), Stretch::Kind::waits, WaitCause::transfer, own, -1);
            if (!early)
                node = own;
            binding = early ? other : holding_edge<kOwnWork>(node);
        }
    }

    /// usual: how long others take for the same, -1 where nobody tells.
    static void pass(Way& way, TimeNs begin, Stretch::Kind kind, WaitCause cause, std::uint32_t node, TimeNs usual) {
        if (way.cursor <= begin)
            return;
        const TimeNs time = way.cursor - begin;
        way.stretches.push_back({{begin, way.cursor}, node, kind, cause, usual < 0 ? time : time - usual});
        way.cursor = begin;
    }

    /// What the host usually takes on its way to the node; -1 where nobody tells.
    [[nodiscard]] TimeNs usual_gap(std::uint32_t node, std::uint32_t edge) const {
        return graph_.edges[edge].kind == EdgeKind::host ? usual_.way[node] : -1;
    }

    [[nodiscard]] std::uint32_t last_arrival(std::uint32_t transfer) const {
        return last_arrivals_[transfer - graph_.first_node.back()];
    }

    [[nodiscard]] std::uint32_t arrival_of(std::uint32_t transfer, std::uint32_t rank) const {
        // Arrivals are in the order of ranks.
        const auto arrivals = graph_.edges_of(transfer);
        const auto own = std::ranges::lower_bound(arrivals, graph_.first_node[rank], {}, &GraphEdge::from);
        return own != arrivals.end() && own->from < graph_.first_node[rank + 1] ? own->from : kNoNode;
    }

    void blame(BlamedCall& call, const Way& last_way, const Compared& compared, Waiter& waiter) {
        Spent last = spent_since(last_way, compared.since);
        last.rank = graph_.rank[call.last];
        const Spent own = spent_since(compared.way, compared.since);
        constexpr auto kWait = static_cast<std::size_t>(WaitCause::synchronisation);
        constexpr auto kHost = static_cast<std::size_t>(WaitCause::host);
        for (std::size_t c = 0; c < kWaitCauseCount; ++c) {
            TimeNs longer = last.own[c] - own.own[c];
            // What the host takes on the others as well is in the open only because this one waited before it.
            if (c == kHost && last.own[kWait] > own.own[kWait])
                longer = std::min(longer, static_cast<TimeNs>(std::llround(last.more[c])));
            const double unusual = std::clamp(last.more[c], 0.0, static_cast<double>(std::max<TimeNs>(0, longer)));
            if (c == static_cast<std::size_t>(WaitCause::transfer))
                longer -= pass_late_transfers(last, longer - static_cast<TimeNs>(std::ceil(unusual)), call, waiter);
            if (longer > 0)
                waiter.parts.push_back({kNoNode, false, static_cast<WaitCause>(c), longer,
                                        std::min(unusual, static_cast<double>(longer))});
        }
        // Of a recording that starts later than the other's.
        const bool both = last_way.ended && compared.way.ended && !compared.met;
        const TimeNs unrecorded =
            last.unrecorded + (both ? std::max<TimeNs>(0, last_way.cursor - compared.way.cursor) : 0);
        if (unrecorded > own.unrecorded)
            waiter.parts.push_back({kNoNode, true, WaitCause::host, unrecorded - own.unrecorded,
                                    static_cast<double>(unrecorded - own.unrecorded)});
        add_waits(last, own, waiter);
    }

    /// A transfer of usual length is in the open because it started late: where the one at the same place of the rank
    /// that waits here, or else of the peers, started earlier, and ended behind other work. Then what it takes is no
    /// cause, but whom the last one waited for there, or why it came late itself. usual: ns of transfers in the open
    /// that are not longer than others. What of it is passed.
    TimeNs pass_late_transfers(const Spent& last, TimeNs usual, BlamedCall& call, Waiter& waiter) {
        const auto clear = std::max(kShortestWait, static_cast<TimeNs>(kClearly * static_cast<double>(waiter.waited)));
        TimeNs left = usual;
        for (const OwnWait& open : last.transfers) {
            const std::uint32_t own = arrival_of(open.arrival, last.rank);
            std::uint32_t peer = own == kNoNode ? kNoNode : peer_of(own, graph_.rank[waiter.arrival]);
            if (peer == kNoNode && own != kNoNode)
                peer = middle_peer(own);
            if (peer == kNoNode || left <= 0)
                continue;
            const TimeNs start = start_[last_arrival(open.arrival)];
            const TimeNs of_peer = start_[last_arrival(graph_.transfer_of[peer])];
            if (start < of_peer + clear)
                continue;
            const TimeNs passed = std::min(left, open.time);
            Part part{own, false, WaitCause::host, passed, static_cast<double>(passed)};
            part.peer = peer;
            if (start_[own] >= start) { // it came last itself
                const Differences all = differences(own, peer, 0);
                const auto most = std::ranges::max_element(all, {}, &Difference::share);
                if (most == all.end() || most->rank != last.rank || most->cause == WaitCause::transfer)
                    continue;
                const Difference& why = *most;
                part.arrival = part.peer = kNoNode;
                part.cause = why.cause;
                Stretch& longest = call.longest[static_cast<std::size_t>(why.cause)];
                if (why.range.length() > longest.range.length())
                    longest = {why.range, why.shown_by, Stretch::Kind::own, why.cause, 0};
            }
            waiter.parts.push_back(part);
            left -= passed;
        }
        return usual <= 0 ? 0 : usual - left;
    }

    /// The arrival of that rank at the same place; kNoNode where there is none.
    [[nodiscard]] std::uint32_t peer_of(std::uint32_t arrival, std::uint32_t rank) const {
        const std::uint32_t place = usual_.place[arrival];
        if (place == kNoNode)
            return kNoNode;
        const auto& same = at_place_[place];
        const auto found = std::ranges::find(same, rank, [&](std::uint32_t n) { return graph_.rank[n]; });
        return found == same.end() || *found == arrival ? kNoNode : *found;
    }

    /// Of the arrivals of the peers at the same place that of which the call started in the middle; kNoNode without.
    [[nodiscard]] std::uint32_t middle_peer(std::uint32_t arrival) const {
        const std::uint32_t place = usual_.place[arrival];
        if (place == kNoNode)
            return kNoNode;
        std::vector<std::uint32_t> peers;
        for (const std::uint32_t n : at_place_[place])
            if (graph_.rank[n] != graph_.rank[arrival])
                peers.push_back(n);
        if (peers.empty())
            return kNoNode;
        const auto middle = peers.begin() + (std::ssize(peers) - 1) / 2;
        std::ranges::nth_element(peers, middle, {}, [&](std::uint32_t n) {
            return std::pair(start_[last_arrival(graph_.transfer_of[n])], n);
        });
        return *middle;
    }

    /// Each wait that was clearly longer than at the same place on the one that waits here, or else on other peers,
    /// explains that much; what it waited longer in all beyond that is shared among all its waits.
    void add_waits(const Spent& last, const Spent& own, Waiter& waiter) const {
        std::map<std::uint32_t, OwnWait> of_waiter; // by place
        for (const OwnWait& wait : own.waits)
            if (usual_.place[wait.arrival] != kNoNode) {
                OwnWait& same = of_waiter[usual_.place[wait.arrival]];
                same = {wait.arrival, same.time + wait.time};
            }
        const auto clear = std::max(kShortestWait, static_cast<TimeNs>(kClearly * static_cast<double>(waiter.waited)));
        std::vector<OwnWait> longer;
        std::map<std::uint32_t, std::uint32_t> peer; // of those of the last one
        TimeNs explained = 0;
        for (const OwnWait& wait : last.waits) {
            const auto same = of_waiter.find(usual_.place[wait.arrival]);
            const TimeNs usual = same != of_waiter.end() ? same->second.time : usual_.wait[wait.arrival];
            if (same != of_waiter.end())
                peer[wait.arrival] = same->second.arrival;
            if (usual >= 0 && wait.time >= usual + clear) {
                longer.push_back({wait.arrival, wait.time - usual});
                explained += wait.time - usual;
            }
        }
        share_among(std::move(longer), explained, waiter.parts);
        for (Part& part : waiter.parts)
            if (const auto found = part.arrival == kNoNode ? peer.end() : peer.find(part.arrival); found != peer.end())
                part.peer = found->second;
        share_among(last.waits, last.waited - own.waited - explained, waiter.parts);
    }

    /// By length, among the longest.
    static void share_among(std::vector<OwnWait> waits, TimeNs time, std::vector<Part>& parts) {
        if (time <= 0)
            return;
        const std::size_t kept = std::min(kMostWaits, waits.size());
        std::ranges::partial_sort(waits, waits.begin() + static_cast<std::ptrdiff_t>(kept), std::greater<>(),
                                  &OwnWait::time);
        waits.resize(kept);
        double all = 0;
        for (const OwnWait& wait : waits)
            all += static_cast<double>(wait.time);
        for (const OwnWait& wait : waits) {
            const double part = static_cast<double>(time) * static_cast<double>(wait.time) / all;
            if (part >= 1)
                parts.push_back({wait.arrival, false, WaitCause::host, static_cast<TimeNs>(part), part});
        }
    }

    const HeldUp& held_up_;
    const StepGraph& graph_;
    std::span<const TimeNs> start_;
    const UsualTimes& usual_;
    std::span<const std::uint32_t> last_arrivals_;
    std::span<const std::vector<std::uint32_t>> at_place_;
    bool launches_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Differences> differences_; ///< by the arrivals of two waits
    std::size_t walked_ = 0;                                                     ///< nodes, by all walks
};

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
    const HeldUp held_up{graph, graph.start, graph.times};
    std::vector<BlamedCall> calls(graph.matched.size());
    std::vector<std::uint32_t> last_arrivals(calls.size());
    tbb::parallel_for(std::size_t{0}, calls.size(), [&](std::size_t t) {
        last_arrivals[t] = held_up.last_arrival(graph.first_node.back() + static_cast<std::uint32_t>(t));
    });
    const bool launches = std::ranges::find(graph.kind, NodeKind::launch) != graph.kind.end();
    std::vector<std::vector<std::uint32_t>> at_place;
    for (std::uint32_t n = 0; n < usual.place.size(); ++n)
        if (const std::uint32_t place = usual.place[n]; place != kNoNode) {
            at_place.resize(std::max<std::size_t>(at_place.size(), place + std::size_t{1}));
            at_place[place].push_back(n);
        }
    constexpr std::size_t kPart = 4096; // of fixed size: the same result for every number of threads
    tbb::parallel_for(std::size_t{0}, (calls.size() + kPart - 1) / kPart, [&](std::size_t part) {
        Comparer comparer(held_up, usual, last_arrivals, at_place, launches);
        for (std::size_t t = part * kPart; t < std::min((part + 1) * kPart, calls.size()); ++t)
            calls[t] = comparer.compare(graph.first_node.back() + static_cast<std::uint32_t>(t));
    });
    return Propagation(graph, calls).propagate();
}

} // namespace rankscope
