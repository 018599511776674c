// SPDX-License-Identifier: GPL-3.0-or-later
// What an event is connected with.
#include "core/views/event_flows.h"

#include <algorithm>

#include "core/analysis/basics/per_rank.h"

namespace rankscope {
namespace {

bool launches_something(const EventTable& events, EventIndex e) {
    return is_launch_call(events.kind[e]) && events.link[e] != kNoEvent;
}

/// Calls visit(call) for the launching calls inside an event of a thread, row by row, each row in order of time, until
/// it returns false.
template <typename Visit>
void for_each_launch_inside(const RankTrace& trace, EventIndex outer, Visit visit) {
    const EventTable& events = trace.events;
    const Lane& lane = trace.lane_of(outer);
    for (std::uint32_t row = trace.row_of(outer) + 1; row < lane.first_row + lane.row_count; ++row) {
        const auto first = events.start.begin() + trace.rows[row].begin;
        const auto last = events.start.begin() + trace.rows[row].end;
        for (auto at = std::lower_bound(first, last, events.start[outer]); at != last && *at < events.end(outer);
             ++at) {
            const auto call = static_cast<EventIndex>(at - events.start.begin());
            if (launches_something(events, call) && !visit(call))
                break;
        }
    }
}

template <typename Pairs>
auto pairs_of(const Pairs& pairs, EventIndex key) {
    return std::ranges::equal_range(
        pairs, key, {}, [](const auto& pair) { return pair.first; });
}

} // namespace

FlowIndex::FlowIndex(std::shared_ptr<const RunAnalysis> analysis) : analysis_(std::move(analysis)) {
    const CollectiveMatching& matching = analysis_->collectives();
    ranks_ = per_rank<RankIndex>(run(), [](const RankTrace& trace, std::size_t) {
        RankIndex index;
        const EventTable& events = trace.events;
        for (EventIndex e = 0; e < events.gpu_count; ++e) {
            const EventIndex launch = events.link[e];
            if (launch != kNoEvent && events.link[launch] != e)
                index.further.emplace_back(launch, e);
            if (launch == kNoEvent && trace.gpu.operator_event[e] != kNoEvent)
                index.unlaunched.emplace_back(trace.gpu.operator_event[e], e);
        }
        std::ranges::sort(index.further);
        std::ranges::sort(index.unlaunched);
        index.by_source = index.by_target = trace.flows;
        std::ranges::stable_sort(index.by_source, {}, &Flow::from);
        std::ranges::stable_sort(index.by_target, {}, &Flow::to);
        return index;
    });
    for (std::uint32_t m = 0; m < matching.matched.size(); ++m)
        for (const auto& member : matching.matched[m].members)
            ranks_[member.first].matched.emplace_back(matching.call(member).event, m);
    for (RankIndex& rank : ranks_)
        std::ranges::sort(rank.matched);
}

EventIndex FlowIndex::operator_of(EventPlace place) const {
    const RankTrace& rank = trace(place.rank);
    if (place.event < rank.events.gpu_count && rank.gpu.operator_event[place.event] != kNoEvent)
        return rank.gpu.operator_event[place.event];
    EventIndex e = place.event < rank.events.gpu_count ? rank.events.link[place.event] : place.event;
    while (e != kNoEvent && !is_operator(rank.events.kind[e]))
        e = rank.parent_of(e);
    return e;
}

std::vector<EventIndex> FlowIndex::launched_by(EventPlace launch) const {
    std::vector<EventIndex> events{trace(launch.rank).events.link[launch.event]};
    for (const auto& [call, event] : pairs_of(ranks_[launch.rank].further, launch.event))
        events.push_back(event);
    return events;
}

EventFlows FlowIndex::of(EventPlace place) const {
    EventFlows flows;
    const EventTable& events = trace(place.rank).events;
    if (place.event < events.gpu_count)
        add_gpu_event(place, flows);
    else if (launches_something(events, place.event))
        add_launch(place, flows);
    else if (events.kind[place.event] == EventKind::cpu_op)
        add_operator(place, flows);
    return flows;
}

void FlowIndex::add_operator(EventPlace op, EventFlows& flows) const {
    for_each_launch_inside(trace(op.rank), op.event, [&](EventIndex call) {
        if (flows.links.size() >= 2 * kMostLaunches) {
            ++flows.left_out;
            return true;
        }
        flows.links.push_back({FlowKind::op, op, {op.rank, call}});
        for (const EventIndex event : launched_by({op.rank, call}))
            flows.links.push_back({FlowKind::launch, {op.rank, call}, {op.rank, event}});
        return true;
    });
    for (const auto& [own, event] : pairs_of(ranks_[op.rank].unlaunched, op.event))
        flows.links.push_back({FlowKind::launch, op, {op.rank, event}});
    add_passes(op, flows);
}

void FlowIndex::add_launch(EventPlace launch, EventFlows& flows) const {
    if (const EventIndex op = operator_of(launch); op != kNoEvent)
        flows.links.push_back({FlowKind::op, {launch.rank, op}, launch});
    for (const EventIndex event : launched_by(launch))
        flows.links.push_back({FlowKind::launch, launch, {launch.rank, event}});
}

void FlowIndex::add_gpu_event(EventPlace event, EventFlows& flows) const {
    const EventIndex launch = trace(event.rank).events.link[event.event];
    const EventIndex op = operator_of(event);
    if (launch != kNoEvent) {
        // An operator of a captured graph did not make the launch that replays it.
        if (op != kNoEvent)
            flows.links.push_back(
                {FlowKind::op,
                 {event.rank, op},
                 is_graph_slice(trace(event.rank).events.kind[op]) ? event : EventPlace{event.rank, launch}});
        flows.links.push_back({FlowKind::launch, {event.rank, launch}, event});
    } else if (op != kNoEvent) {
        flows.links.push_back({FlowKind::launch, {event.rank, op}, event});
    }
    if (op != kNoEvent)
        add_passes({event.rank, op}, flows);
    add_partners(event, flows);
}

/// The arrow may end at an operator around this one.
void FlowIndex::add_passes(EventPlace op, EventFlows& flows) const {
    const RankIndex& index = ranks_[op.rank];
    for (EventIndex e = op.event; e != kNoEvent; e = trace(op.rank).parent_of(e)) {
        const auto to = std::ranges::equal_range(index.by_source, e, {}, &Flow::from);
        const auto from = std::ranges::equal_range(index.by_target, e, {}, &Flow::to);
        for (const Flow& flow : to)
            flows.links.push_back({FlowKind::backward, {op.rank, flow.from}, {op.rank, flow.to}});
        for (const Flow& flow : from)
            flows.links.push_back({FlowKind::backward, {op.rank, flow.from}, {op.rank, flow.to}});
        if (!to.empty() || !from.empty())
            return;
    }
}

void FlowIndex::add_partners(EventPlace event, EventFlows& flows) const {
    const CollectiveMatching& matching = analysis_->collectives();
    for (const auto& [own, number] : pairs_of(ranks_[event.rank].matched, event.event)) {
        const MatchedCall& matched = matching.matched[number];
        const bool message = matching.groups[matched.group].point_to_point;
        std::vector<EventPlace> members;
        for (const auto& member : matched.members) {
            const EventPlace place{member.first, matching.call(member).event};
            // The receiver comes second.
            const bool sends = message && matching.call(member).kind == CollectiveKind::send;
            members.insert(sends ? members.begin() : members.end(), place);
        }
        if (!message)
            std::ranges::sort(members);
        for (std::size_t m = 1; m < members.size(); ++m)
            flows.links.push_back({message ? FlowKind::message : FlowKind::collective, members[m - 1], members[m]});
    }
}

std::optional<EventPlace> FlowIndex::next(EventPlace place) const {
    const EventTable& events = trace(place.rank).events;
    const auto there = [&](EventIndex e) { return EventPlace{place.rank, e}; };
    if (place.event < events.gpu_count) {
        const EventIndex launch = events.link[place.event];
        if (launch == kNoEvent)
            return std::nullopt;
        const std::vector<EventIndex> all = launched_by(there(launch));
        const auto own = std::ranges::find(all, place.event);
        return own == all.end() || own + 1 == all.end() ? std::nullopt : std::optional(there(*(own + 1)));
    }
    if (launches_something(events, place.event))
        return there(events.link[place.event]);
    EventIndex earliest = kNoEvent;
    for_each_launch_inside(trace(place.rank), place.event, [&](EventIndex call) {
        if (earliest == kNoEvent || events.start[call] < events.start[earliest])
            earliest = call;
        return false; // the first of each row is its earliest
    });
    if (earliest != kNoEvent)
        return there(earliest);
    const auto direct = pairs_of(ranks_[place.rank].unlaunched, place.event);
    return direct.empty() ? std::nullopt : std::optional(there(direct.begin()->second));
}

std::optional<EventPlace> FlowIndex::previous(EventPlace place) const {
    const EventTable& events = trace(place.rank).events;
    EventIndex before = kNoEvent;
    if (place.event < events.gpu_count && events.link[place.event] != kNoEvent)
        before = events.link[place.event];
    else if (place.event < events.gpu_count || is_launch_call(events.kind[place.event]))
        before = operator_of(place);
    else if (const EventIndex outer = trace(place.rank).parent_of(place.event); outer != kNoEvent)
        before = operator_of({place.rank, outer});
    return before == kNoEvent ? std::nullopt : std::optional(EventPlace{place.rank, before});
}

} // namespace rankscope
