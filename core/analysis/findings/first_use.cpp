// SPDX-License-Identifier: GPL-3.0-or-later
// Finds long calls that no later operator of the name makes.
#include "core/analysis/findings/first_use.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/gpu/host_points.h"
#include "core/base/statistics.h"
#include "core/base/text_match.h"

namespace rankscope {
namespace {

constexpr TimeNs kLongFirstCall = 1'000'000; ///< a call of the running program takes microseconds
constexpr double kFarLonger = 10;            ///< times the operator's later calls

/// Calls that load code, make a context or ask for memory: none of them is work of the operator.
bool may_load(std::string_view name, bool launches) {
    static constexpr std::string_view kStarts[] = {"cudaMalloc",  "cudaFree",     "hipMalloc", "hipFree",
                                                   "cuModule",    "hipModule",    "cuLibrary", "cudaFunc",
                                                   "cudaLibrary", "cudaGetSymbol"};
    const bool launch = contains(name, "LaunchKernel");
    return launch ? launches : starts_with_any(name, kStarts);
}

/// The innermost operator around the call on its thread; kNoEvent without.
EventIndex operator_around(const RankTrace& rank, EventIndex call) {
    const EventTable& events = rank.events;
    const Lane& lane = rank.lane_of(call);
    EventIndex innermost = kNoEvent;
    for (std::uint32_t r = lane.first_row; r < lane.first_row + lane.row_count; ++r) {
        const Row& row = rank.rows[r];
        const auto begin = events.start.begin();
        auto at = std::upper_bound(begin + row.begin, begin + row.end, events.start[call]) - begin;
        if (at == row.begin)
            continue;
        const auto before = static_cast<EventIndex>(at - 1);
        if (events.kind[before] == EventKind::cpu_op && events.end(before) >= events.end(call) &&
            (innermost == kNoEvent || events.duration[before] < events.duration[innermost]))
            innermost = before;
    }
    return innermost;
}

/// Of each of these names, all operators.
std::map<NameId, std::vector<EventIndex>> operators_of(const RankTrace& rank, const std::set<NameId>& names) {
    std::map<NameId, std::vector<EventIndex>> operators;
    for (EventIndex e = rank.events.gpu_count; e < rank.events.size(); ++e)
        if (rank.events.kind[e] == EventKind::cpu_op && names.contains(rank.events.name[e]))
            operators[rank.events.name[e]].push_back(e);
    return operators;
}

} // namespace

std::vector<FirstUse> first_uses(const RankTrace& rank, const std::vector<TimeRange>& gpu_busy, bool launches) {
    const EventTable& events = rank.events;
    std::map<EventIndex, EventIndex> calls; // operator: its longest call
    std::set<NameId> names;
    for (EventIndex e = events.gpu_count; e < events.size(); ++e) {
        if (!is_launch_call(events.kind[e]) || events.duration[e] < kLongFirstCall ||
            !may_load(rank.event_name(e), launches))
            continue;
        if (2 * covered(gpu_busy, events.range(e)) > events.duration[e])
            continue; // it waits for the GPU, or for room in a queue
        const EventIndex around = operator_around(rank, e);
        if (around == kNoEvent)
            continue;
        EventIndex& longest = calls.try_emplace(around, e).first->second;
        longest = events.duration[e] > events.duration[longest] ? e : longest;
        names.insert(events.name[around]);
    }
    std::vector<FirstUse> uses;
    if (calls.empty())
        return uses;
    const auto operators = operators_of(rank, names);
    for (const auto& [operation, call] : calls) {
        std::vector<TimeNs> later;
        bool first = true;
        for (const EventIndex other : operators.at(events.name[operation]))
            if (other != operation) {
                first = first && events.start[other] >= events.start[operation];
                later.push_back(events.duration[other]);
            }
        const TimeNs usual = later.empty() ? 0 : upper_median(later);
        if (first && static_cast<double>(events.duration[operation]) >= kFarLonger * static_cast<double>(usual))
            uses.push_back({operation, call, usual});
    }
    std::ranges::sort(uses, {}, [&](const FirstUse& use) { return events.start[use.operation]; });
    // Of operators inside each other the outer one stands for both.
    TimeNs until = std::numeric_limits<TimeNs>::min();
    std::erase_if(uses, [&](const FirstUse& use) {
        const bool inside = events.end(use.operation) <= until;
        until = std::max(until, events.end(use.operation));
        return inside;
    });
    return uses;
}

std::string library_of(const RankTrace& rank, const FirstUse& use) {
    const std::string_view name = rank.event_name(use.operation);
    const bool amd = rank.event_name(use.call).starts_with("hip");
    if (contains(name, "conv") || contains(name, "cudnn") || contains(name, "miopen"))
        return amd ? "MIOpen" : "cuDNN";
    static constexpr std::string_view kProducts[] = {"::mm",     "::addmm",  "::bmm",       "::baddbmm",
                                                     "::matmul", "::linear", "::_scaled_mm"};
    if (std::ranges::any_of(kProducts, [&](std::string_view product) { return name.ends_with(product); }))
        return amd ? "hipBLAS" : "cuBLAS";
    return {};
}

} // namespace rankscope
