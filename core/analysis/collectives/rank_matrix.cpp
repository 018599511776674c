// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/rank_matrix.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "core/analysis/collectives/machines.h"

namespace rankscope {
namespace {

struct MessageEnds {
    int source = 0;
    int destination = 0;
    const CommCall* call = nullptr; ///< of an end
};

/// Nothing: the message does not tell who sends.
std::optional<MessageEnds> ends_of(const Run& run, const CollectiveMatching& matching, const CollectiveTiming& timing) {
    const CommGroup& group = matching.groups[timing.group];
    for (const TimedMember& member : timing.members) {
        const CommCall& call = matching.call(member);
        const int own = run.ranks[member.rank]->rank;
        const int other = group.ranks[group.ranks[0] == own ? 1 : 0];
        if (call.kind == CollectiveKind::send)
            return MessageEnds{own, other, &call};
        if (call.kind == CollectiveKind::recv)
            return MessageEnds{other, own, &call};
    }
    return std::nullopt;
}

std::vector<MachineTraffic> by_machine(const Machines& machines, const std::vector<RankTraffic>& ranks) {
    const auto machine_of = [&](int rank) -> std::optional<std::int64_t> {
        const auto found = machines.of(std::array{rank});
        return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
    };
    std::map<std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>, MachineTraffic> cells;
    for (const RankTraffic& traffic : ranks) {
        const std::pair key{machine_of(traffic.source), machine_of(traffic.destination)};
        MachineTraffic& cell = cells[key];
        std::tie(cell.source, cell.destination) = key;
        cell.calls += traffic.calls;
        cell.bytes += traffic.bytes;
        cell.timed_bytes += traffic.timed_bytes;
        cell.time += traffic.time;
    }
    std::vector<MachineTraffic> result;
    for (const auto& [key, cell] : cells)
        result.push_back(cell);
    return result;
}

} // namespace

RankMatrix rank_matrix(const Run& run, const CollectiveMatching& matching, const CallTable& table,
                       const std::vector<AllToAllTraffic>& all_to_all, const Machines& machines) {
    RankMatrix matrix;
    std::map<std::tuple<int, int, CollectiveKind>, RankTraffic> cells;
    for (const CollectiveTiming& timing : table.all) {
        const CommGroup& group = matching.groups[timing.group];
        if (!group.point_to_point || group.ranks.size() != 2)
            continue;
        const auto ends = ends_of(run, matching, timing);
        if (!ends) {
            ++matrix.without_direction;
            continue;
        }
        RankTraffic& cell = cells[{ends->source, ends->destination, CollectiveKind::send_recv}];
        const std::int64_t bytes = message_bytes(run, *ends->call);
        ++cell.calls;
        cell.without_size += bytes == kUnknown ? 1 : 0;
        cell.bytes += bytes == kUnknown ? 0 : bytes;
        if (timing.members.size() == 2 && bytes != kUnknown) {
            ++cell.timed_calls;
            cell.timed_bytes += bytes;
            cell.time += timing.latency;
        }
    }
    for (const AllToAllTraffic& traffic : all_to_all) {
        RankTraffic& cell = cells[{traffic.source, traffic.destination, CollectiveKind::all_to_all}];
        cell.calls = traffic.calls;
        cell.bytes = traffic.bytes;
    }
    for (auto& [key, cell] : cells) {
        std::tie(cell.source, cell.destination, cell.kind) = key;
        matrix.ranks.push_back(cell);
    }
    matrix.machines = by_machine(machines, matrix.ranks);
    return matrix;
}

} // namespace rankscope
