// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/inspector/inspector_join.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/trace/collective_kind.h"

namespace rankscope {
namespace {

struct TraceCall {
    EventIndex event = kNoEvent;
    CollectiveKind kind = CollectiveKind::other;
    std::int64_t bytes = kUnknown; ///< as the Inspector counts them
    TimeNs start = 0;
};

/// Of a communicator, ascending by sequence.
using Records = std::vector<const InspectorCall*>;

/// The side that the Inspector gives: what a rank puts into an all-gather, gets from a reduce-scatter.
std::int64_t message_bytes(const RankTrace& rank, const CollectiveArgs& args, CollectiveKind kind) {
    const std::int64_t elements = kind == CollectiveKind::reduce_scatter ? args.out_elements : args.in_elements;
    const int width = dtype_bytes(rank.names->view(args.dtype));
    return elements < 0 || width == 0 ? kUnknown : elements * width;
}

std::map<std::int32_t, std::vector<TraceCall>> calls_by_group(const RankTrace& rank) {
    std::map<std::int32_t, std::vector<TraceCall>> groups;
    for (const CollectiveEntry& entry : rank.collectives) {
        const CollectiveArgs& args = rank.collective_args[entry.args];
        const CollectiveKind kind = collective_kind_of(rank, entry.event);
        if (entry.event < rank.events.gpu_count && args.group >= 0 && !is_message(kind))
            groups[args.group].push_back(
                {entry.event, kind, message_bytes(rank, args, kind), rank.events.start[entry.event]});
    }
    for (auto& [group, calls] : groups)
        std::ranges::stable_sort(calls, {}, &TraceCall::start);
    return groups;
}

enum class Fit { yes, no, unknown };

Fit fit(const TraceCall& call, const InspectorCall& record) {
    if (call.kind != collective_kind(record.call))
        return Fit::no;
    if (call.bytes < 0 || record.bytes < 0)
        return Fit::unknown;
    return call.bytes == record.bytes ? Fit::yes : Fit::no;
}

/// How the calls fit when the first of them has that sequence number.
struct Placement {
    std::int64_t first = 0;
    std::int64_t found = 0;
    std::int64_t certain = 0; ///< of these, with equal sizes
    TimeNs apart = 0;         ///< of the first call found and its record, where both have a time
    bool timed = false;
};

std::optional<Placement> place(const std::vector<TraceCall>& calls,
                               const std::map<std::int64_t, const InspectorCall*>& records, std::int64_t first) {
    // Messages below this size are not recorded unless asked for.
    constexpr std::int64_t kLeastBytes = 8192;
    Placement placement;
    placement.first = first;
    std::int64_t missing = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const auto record = records.find(first + static_cast<std::int64_t>(i));
        if (record == records.end()) {
            missing += calls[i].bytes < 0 || calls[i].bytes >= kLeastBytes;
            continue;
        }
        const Fit how = fit(calls[i], *record->second);
        if (how == Fit::no)
            return {};
        if (placement.found++ == 0 && record->second->start > 0) {
            placement.apart = std::abs(record->second->start - calls[i].start);
            placement.timed = true;
        }
        placement.certain += how == Fit::yes;
    }
    const bool most = missing * 10 <= static_cast<std::int64_t>(calls.size());
    return placement.found > 0 && most ? std::optional(placement) : std::nullopt;
}

/// The one place where the calls fit; nothing where there is none, or several that no time tells apart: then ambiguous
/// becomes true.
std::optional<Placement> only_place(const std::vector<TraceCall>& calls,
                                    const std::map<std::int64_t, const InspectorCall*>& records, bool& ambiguous) {
    constexpr TimeNs kNear = 500'000'000; // clocks of one machine; a step takes longer than they differ
    std::vector<Placement> found;
    if (records.empty())
        return {};
    const std::int64_t last = records.rbegin()->first;
    const auto count = static_cast<std::int64_t>(calls.size());
    for (std::int64_t first = records.begin()->first - std::min<std::int64_t>(count, 64); first <= last; ++first)
        if (const auto placement = place(calls, records, first))
            found.push_back(*placement);
    if (found.size() == 1)
        return found.front();
    const bool several = !found.empty();
    std::erase_if(found, [](const Placement& p) { return !p.timed || p.apart > kNear; });
    const auto nearest = std::ranges::min_element(found, {}, &Placement::apart);
    ambiguous |= several && nearest == found.end();
    return nearest == found.end() ? std::nullopt : std::optional(*nearest);
}

/// Communicators of a rank's process, in a log, that are its own.
struct RankLog {
    const InspectorLog* log = nullptr;
    std::vector<std::uint32_t> communicators;
};

std::map<int, RankLog> logs_by_rank(std::span<const InspectorLog> logs) {
    int world = 0;
    for (const InspectorLog& log : logs)
        for (const InspectorCommunicator& communicator : log.communicators)
            world = std::max(world, communicator.ranks);
    std::map<int, RankLog> result;
    for (const InspectorLog& log : logs) {
        std::vector<int> of_process;
        for (const InspectorCommunicator& communicator : log.communicators)
            if (communicator.ranks == world)
                of_process.push_back(communicator.rank);
        std::ranges::sort(of_process);
        of_process.erase(std::ranges::unique(of_process).begin(), of_process.end());
        for (std::uint32_t i = 0; i < log.communicators.size(); ++i) {
            const InspectorCommunicator& communicator = log.communicators[i];
            // Where several ranks share a process, smaller communicators do not tell whose they are.
            const bool own = communicator.ranks == world || of_process.size() == 1;
            const int rank = communicator.ranks == world ? communicator.rank : of_process.empty() ? -1 : of_process[0];
            if (!own || rank < 0)
                continue;
            result[rank].log = &log;
            result[rank].communicators.push_back(i);
        }
    }
    return result;
}

void join_rank(const RankLog& log, std::shared_ptr<const RankTrace>& rank, StringTable& names, InspectorJoin& result) {
    std::map<std::uint32_t, std::map<std::int64_t, const InspectorCall*>> records;
    for (const InspectorCall& call : log.log->calls)
        if (std::ranges::binary_search(log.communicators, call.communicator) && // ascending
            !is_message(collective_kind(call.call)) && call.sequence >= 0) {
            records[call.communicator].emplace(call.sequence, &call);
            ++result.records;
        }
    std::vector<CollectiveTransfer> transfers;
    for (const auto& [group, calls] : calls_by_group(*rank)) {
        const ProcessGroup& of_group = rank->process_groups[static_cast<std::size_t>(group)];
        const CollectiveArgs& args = *rank->collective_of(calls.front().event);
        const std::int64_t size = args.group_size > 0 ? args.group_size : of_group.size;
        const std::map<std::int64_t, const InspectorCall*>* best = nullptr;
        std::optional<Placement> where;
        bool several = false, any_of_size = false, ambiguous = false;
        for (const auto& [communicator, of] : records) {
            if (log.log->communicators[communicator].ranks != size)
                continue;
            any_of_size = true;
            if (const auto placement = only_place(calls, of, ambiguous)) {
                several |= where.has_value();
                where = placement;
                best = &of;
            }
        }
        result.calls += any_of_size ? static_cast<std::int64_t>(calls.size()) : 0;
        if (!where || several) {
            result.ambiguous += ambiguous || several ? static_cast<std::int64_t>(calls.size()) : 0;
            continue;
        }
        for (std::size_t i = 0; i < calls.size(); ++i)
            if (const auto record = best->find(where->first + static_cast<std::int64_t>(i)); record != best->end()) {
                transfers.push_back(collective_transfer(*record->second, calls[i].event, names));
                ++result.joined;
            }
    }
    if (transfers.empty())
        return;
    auto copy = std::make_shared<RankTrace>(*rank);
    std::ranges::sort(transfers, {}, &CollectiveTransfer::event);
    copy->collective_transfers = std::move(transfers);
    rank = std::move(copy);
}

} // namespace

InspectorJoin join_inspector_logs(std::span<const InspectorLog> logs,
                                  std::vector<std::shared_ptr<const RankTrace>>& ranks, StringTable& names) {
    InspectorJoin result;
    const std::map<int, RankLog> by_rank = logs_by_rank(logs);
    for (auto& rank : ranks)
        if (const auto log = by_rank.find(rank->rank); log != by_rank.end())
            join_rank(log->second, rank, names, result);
    return result;
}

} // namespace rankscope
