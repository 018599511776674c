// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the ways that ranks took to a call.
#include "core/analysis/delays/blamed_calls.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <tbb/parallel_for.h>

#include "core/analysis/basics/tolerance.h"

namespace rankscope::delays {
namespace {

constexpr std::size_t kMostWaits = 16; ///< of a rank between two calls: the longest ones stand for all
constexpr double kClearly = 0.1;       ///< of a wait: what another one must be longer by to explain some of it
constexpr double kCounts = 0.02;       ///< of a delay: a smaller part of it is not followed further

/// The blame for each wait by itself.
class Comparer {
public:
    /// last_arrivals: of each transfer. launches: any is recorded.
    /// at_place: by UsualTimes::place, the arrivals there.
    Comparer(const HeldUp& held_up, const UsualTimes& usual, std::span<const std::uint32_t> last_arrivals,
             std::span<const std::vector<std::uint32_t>> at_place, bool launches)
        : held_up_(held_up), graph_(held_up.graph), start_(held_up.start), usual_(usual), at_place_(at_place),
          back_(held_up, usual, last_arrivals, launches) {}

    BlamedCall compare(std::uint32_t transfer) {
        BlamedCall call;
        call.last = back_.last_arrival(transfer);
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
        if (arrival == kNoNode || peer == kNoNode || depth >= kDeepest || back_.walked_too_far())
            return {};
        const std::pair key(arrival, peer);
        if (const auto known = differences_.find(key); known != differences_.end())
            return known->second;
        const std::uint32_t last = back_.last_arrival(graph_.transfer_of[arrival]);
        const std::uint32_t other = back_.last_arrival(graph_.transfer_of[peer]);
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
            {kNoNode, !known, known ? back_.cause_of_gap(graph_.edges[edge].kind) : WaitCause::host, 1, 1});
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
            if (!back_.walked_too_far())
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
                graph_.rank[back_.last_arrival(own.alone_at)] != graph_.rank[call.last])
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

    /// beside_early: of WayBack::Along. passed: transfers at which they did not come together.
    Ways walk(const BlamedCall& call, const std::vector<std::size_t>& to_compare, bool beside_early,
              const std::set<std::uint32_t>& passed) {
        const TimeNs floor = back_.step_before(call.last);
        const std::uint32_t last_rank = graph_.rank[call.last];
        Ways ways{std::vector<Compared>(to_compare.size()), {}};
        auto& [compared, last] = ways;
        // They last came together where either of them went on only once the other had come. The
        // transfer is no part of either way from there.
        for (std::size_t i = 0; i < compared.size(); ++i) {
            Compared& own = compared[i];
            own.waiter = to_compare[i];
            const auto meet = [&](std::uint32_t transfer) {
                if (back_.arrival_of(transfer, last_rank) == kNoNode || passed.contains(transfer))
                    return true;
                own.since = held_up_.end(transfer);
                own.met = true;
                own.alone_at = transfer;
                return false;
            };
            back_.go_back(call.waiters[own.waiter].arrival, floor, {true, beside_early}, own.way, meet);
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
                if (back_.arrival_of(transfer, graph_.rank[arrival]) == kNoNode ||
                    held_up_.end(transfer) > start_[arrival]) {
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
        back_.go_back(call.last, std::max(floor, until), {false, beside_early}, last, meet);
        return ways;
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
            const std::uint32_t own = back_.arrival_of(open.arrival, last.rank);
            std::uint32_t peer = own == kNoNode ? kNoNode : peer_of(own, graph_.rank[waiter.arrival]);
            if (peer == kNoNode && own != kNoNode)
                peer = middle_peer(own);
            if (peer == kNoNode || left <= 0)
                continue;
            const TimeNs start = start_[back_.last_arrival(open.arrival)];
            const TimeNs of_peer = start_[back_.last_arrival(graph_.transfer_of[peer])];
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
            return std::pair(start_[back_.last_arrival(graph_.transfer_of[n])], n);
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
    std::span<const std::vector<std::uint32_t>> at_place_;
    WayBack back_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Differences> differences_; ///< by the arrivals of two waits
};

} // namespace

std::vector<BlamedCall> blamed_calls(const StepGraph& graph, const UsualTimes& usual) {
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
    return calls;
}

} // namespace rankscope::delays
