// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of the open calls that were matched.
#include <algorithm>
#include <array>

#include <tbb/parallel_for.h>

#include "core/analysis/hang/hang_waits.h"
#include "core/base/text_match.h"

namespace rankscope {
namespace {

/// A broadcast, a gather or a message ends for some before others come.
bool waits_for_all(const std::string& kind) {
    const std::string lower = lower_case(kind);
    return std::ranges::any_of(std::array{"all_reduce", "allreduce", "all_gather", "allgather", "reduce_scatter",
                                          "all_to_all", "alltoall", "barrier"},
                               [&](const char* word) { return contains(lower, word); });
}

/// Whether some member proves to have finished a call that waits for all.
bool all_made(const HangWaits& waits, const OpenCall& open) {
    return std::ranges::any_of(
               open.parts,
               [](const HangPart& part) { return part.state == HangPart::State::finished && part.proved; }) &&
           std::ranges::all_of(
               open.parts, [&](const HangPart& part) { return !part.has_call || waits_for_all(waits.kind_of(part)); });
}

} // namespace

void tell_what_all_made(HangWaits& waits) {
    std::vector<std::int64_t> last(waits.groups.size(), kNoCall); // of each group, that all have made
    for (const OpenCall& open : waits.calls)
        if (!open.message && waits.groups[open.group].members_told && all_made(waits, open))
            last[open.group] = std::max(last[open.group], open.seq);
    for (OpenCall& open : waits.calls) {
        if (open.message || open.seq > last[open.group])
            continue;
        for (HangPart& part : open.parts)
            if (part.state == HangPart::State::no_dump || (part.state == HangPart::State::absent && !part.proved)) {
                part.state = HangPart::State::made;
                part.proved = false;
            }
    }
}

std::size_t HangWaits::dump_of(int rank) const {
    const auto at = std::ranges::lower_bound(dumps, rank, {}, &RankDump::rank);
    return at == dumps.end() || at->rank != rank ? dumps.size() : static_cast<std::size_t>(at - dumps.begin());
}

const FlightRecorderCall& HangWaits::entry(const HangPart& part) const {
    return dumps[dump_of(part.rank)].dump->calls[part.call];
}

const FlightRecorderDump& HangWaits::dump(int rank) const { return *dumps[dump_of(rank)].dump; }

const std::string& HangWaits::kind_of(const HangPart& part) const { return dump(part.rank).kinds[entry(part).kind]; }

HangCall HangWaits::call_of(std::uint32_t call) const {
    const OpenCall& open = calls[call];
    const HangGroup& group = groups[open.group];
    HangCall named{group.name,
                   group.description,
                   "",
                   open.seq,
                   open.source,
                   open.destination,
                   static_cast<int>(group.members.size())};
    for (const HangPart& part : open.parts)
        if (part.has_call && named.kind.empty())
            named.kind = kind_of(part);
    return named;
}

std::vector<int> HangWaits::ranks_in(std::uint32_t call, std::initializer_list<HangPart::State> states) const {
    std::vector<int> ranks;
    for (const HangPart& part : calls[call].parts)
        if (std::ranges::find(states, part.state) != states.end())
            ranks.push_back(part.rank);
    std::ranges::sort(ranks);
    return ranks;
}

std::vector<int> HangWaits::waiting_in(std::uint32_t call) const {
    return ranks_in(call, {HangPart::State::waiting, HangPart::State::started});
}

bool HangWaits::others_went_on(std::uint32_t call, int rank) const {
    const auto part = std::ranges::find(calls[call].parts, rank, &HangPart::rank);
    const FlightRecorderCall& made = entry(*part);
    constexpr std::int64_t kMillisecond = 1'000'000;
    constexpr std::int64_t kMonth = std::int64_t{30} * 24 * 3600 * 1000;
    if (made.created == 0 || made.timeout_ms <= 0 || made.timeout_ms > kMonth)
        return false;
    const TimeNs end = made.created + made.timeout_ms * kMillisecond;
    return std::ranges::any_of(dumps, [&](const RankDump& dump) { return dump.dump->last_time > end; });
}

std::vector<char> dumps_with_starts(const HangWaits& waits) {
    std::vector<char> with_starts(waits.dumps.size());
    tbb::parallel_for(std::size_t{0}, waits.dumps.size(), [&](std::size_t i) {
        const FlightRecorderDump& dump = *waits.dumps[i].dump;
        with_starts[i] = std::ranges::any_of(dump.statuses, [](const auto& status) { return status.started >= 0; }) ||
                         std::ranges::any_of(dump.calls, [](const FlightRecorderCall& call) {
                             return call.started != 0 || call.state == CallState::started;
                         });
    });
    return with_starts;
}

} // namespace rankscope
