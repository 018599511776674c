// SPDX-License-Identifier: GPL-3.0-or-later
// Finds where the ends of the calls of one rank change against those of all others.
#include "core/analysis/collectives/clock_jump.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr TimeNs kLeastJump = 200'000;
constexpr double kSteady = 0.1;      ///< of the jump, how far the differences scatter before and after it
constexpr std::size_t kEachSide = 4; ///< calls

using CallsOfRank = std::vector<const CommCall*>;

using CallsByRank = std::map<std::uint32_t, CallsOfRank>;

/// Those that synchronise, by group.
std::vector<CallsByRank> synchronising_calls(const CollectiveMatching& matching) {
    std::vector<CallsByRank> groups(matching.groups.size());
    for (std::uint32_t r = 0; r < matching.calls.size(); ++r)
        for (const CommCall& call : matching.calls[r])
            if (synchronises(call.kind))
                groups[call.group][r].push_back(&call);
    return groups;
}

/// Of each rank that makes the same calls in the same order as most ranks of the group.
CallsByRank same_calls(CallsByRank calls) {
    std::map<std::size_t, std::size_t> counts;
    for (const auto& [rank, own] : calls)
        ++counts[own.size()];
    if (counts.empty())
        return calls;
    const std::size_t usual = std::ranges::max_element(
                                  counts, {}, [](const auto& count) { return count.second; })
                                  ->first;
    std::erase_if(calls, [&](const auto& own) { return own.second.size() != usual; });
    const CallsOfRank* first = calls.empty() ? nullptr : &calls.begin()->second;
    std::erase_if(calls, [&](const auto& own) {
        return !std::ranges::equal(
            own.second, *first, {}, [](const CommCall* call) { return call->kind; },
            [](const CommCall* call) { return call->kind; });
    });
    return calls;
}

/// The differences are at one level before a call and at another one from it on.
std::optional<std::pair<std::size_t, TimeNs>> step_in(const std::vector<TimeNs>& differences) {
    const std::size_t n = differences.size();
    if (n < 2 * kEachSide)
        return {};
    std::size_t place = kEachSide;
    for (std::size_t i = kEachSide; i + kEachSide <= n; ++i)
        if (std::abs(differences[i] - differences[i - 1]) > std::abs(differences[place] - differences[place - 1]))
            place = i;
    const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(place);
    const TimeNs before = lower_median(std::vector<TimeNs>(differences.begin(), middle));
    const TimeNs after = lower_median(std::vector<TimeNs>(middle, differences.end()));
    const TimeNs jump = after - before;
    const auto is_near = [&](TimeNs level) {
        return [=](TimeNs difference) {
            return static_cast<double>(std::abs(difference - level)) <= kSteady * static_cast<double>(std::abs(jump));
        };
    };
    const bool clear = std::abs(jump) >= kLeastJump && std::all_of(differences.begin(), middle, is_near(before)) &&
                       std::all_of(middle, differences.end(), is_near(after));
    return clear ? std::optional(std::pair(place, jump)) : std::nullopt;
}

} // namespace

std::optional<ClockJump> find_clock_jump(const CollectiveMatching& matching) {
    std::optional<ClockJump> largest;
    std::vector<CallsByRank> by_group = synchronising_calls(matching);
    for (std::uint32_t group = 0; group < matching.groups.size(); ++group) {
        if (matching.groups[group].point_to_point)
            continue;
        const CallsByRank calls = same_calls(std::move(by_group[group]));
        if (calls.size() < 2)
            continue;
        const std::size_t count = calls.begin()->second.size();
        std::vector<TimeNs> usual; // end of each call, the median of the ranks
        for (std::size_t i = 0; i < count; ++i) {
            std::vector<TimeNs> ends;
            for (const auto& [rank, own] : calls)
                ends.push_back(own[i]->range.end);
            usual.push_back(lower_median(std::move(ends)));
        }
        for (const auto& [rank, own] : calls) {
            std::vector<TimeNs> differences;
            for (std::size_t i = 0; i < count; ++i)
                differences.push_back(own[i]->range.end - usual[i]);
            const auto jump = step_in(differences);
            const bool larger = jump && (!largest || std::abs(jump->second) > std::abs(largest->by) ||
                                         (std::abs(jump->second) == std::abs(largest->by) && jump->second > 0));
            if (larger)
                largest = ClockJump{rank, jump->second, own[jump->first]->event};
        }
    }
    return largest;
}

} // namespace rankscope
