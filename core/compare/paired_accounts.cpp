// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/paired_accounts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rankscope {
namespace {

constexpr auto kUnnamed = static_cast<std::size_t>(ParallelDimension::unknown);

/// Of a rank's mean step, ns: what tells ranks apart.
std::array<double, 6> values_of_rank(const RankSteps& rank) {
    const StepTimes& mean = rank.mean;
    return {mean.wall,   mean.compute, std::accumulate(mean.transfer.begin(), mean.transfer.end(), 0.0),
            mean.copies, mean.launch,  mean.host};
}

/// The largest difference between values of two ranks, as a share of the first one's step.
double apart(const RankSteps& a, const RankSteps& b) {
    const auto left = values_of_rank(a);
    const auto right = values_of_rank(b);
    double most = 0;
    for (std::size_t i = 0; i < left.size(); ++i)
        most = std::max(most, std::abs(left[i] - right[i]));
    return left.front() > 0 ? most / left.front() : 0;
}

} // namespace

std::array<bool, kParallelDimensionCount> unpaired_dimensions(const StepAccount& baseline, const StepAccount& test) {
    std::array<bool, kParallelDimensionCount> unpaired{};
    for (std::size_t d = 0; d < kUnnamed; ++d) {
        const bool before = !baseline.calls[d].empty();
        const bool after = !test.calls[d].empty();
        unpaired[d] = before != after && !(before ? test : baseline).calls[kUnnamed].empty();
    }
    return unpaired;
}

StepAccount without_dimensions(StepAccount account, const std::array<bool, kParallelDimensionCount>& dimensions) {
    const auto move_times = [&](StepTimes& times) {
        for (std::size_t d = 0; d < kUnnamed; ++d)
            if (dimensions[d]) {
                times.transfer[kUnnamed] += std::exchange(times.transfer[d], 0);
                times.wait[kUnnamed] += std::exchange(times.wait[d], 0);
            }
    };
    move_times(account.mean);
    for (RankSteps& rank : account.ranks)
        move_times(rank.mean);
    for (std::size_t d = 0; d < kUnnamed; ++d) {
        if (!dimensions[d])
            continue;
        for (const auto& [kind, sum] : std::exchange(account.calls[d], {}))
            account.calls[kUnnamed][kind].add(sum);
        for (const auto& [members, sum] : std::exchange(account.groups[d], {}))
            account.groups[kUnnamed][members].add(sum);
        account.group_size[kUnnamed] = std::max(account.group_size[kUnnamed], std::exchange(account.group_size[d], 0));
        account.untraced[kUnnamed] = account.untraced[kUnnamed] || account.untraced[d];
    }
    return account;
}

std::vector<std::pair<int, int>> renumbered_ranks(const StepAccount& baseline, const StepAccount& test) {
    constexpr double kSame = 0.0005;
    constexpr double kOther = 4 * kSame; // less tells no rank from another
    const std::size_t count = baseline.ranks.size();
    if (test.ranks.size() != count || count < 2)
        return {};
    std::vector<std::size_t> place(count, count); // in the test
    std::vector<bool> taken(count);
    for (std::size_t r = 0; r < count; ++r) // those that stayed first
        if (apart(baseline.ranks[r], test.ranks[r]) <= kSame) {
            place[r] = r;
            taken[r] = true;
        }
    bool others = false;
    for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t other = 0; other < count && place[r] == count; ++other)
            if (!taken[other] && apart(baseline.ranks[r], test.ranks[other]) <= kSame) {
                place[r] = other;
                taken[other] = true;
                others = others || apart(baseline.ranks[r], test.ranks[r]) >= kOther;
            }
        if (place[r] == count)
            return {};
    }
    if (!others)
        return {};
    std::vector<std::pair<int, int>> places;
    for (std::size_t r = 0; r < count; ++r)
        places.emplace_back(baseline.ranks[r].rank, test.ranks[place[r]].rank);
    return places;
}

} // namespace rankscope
