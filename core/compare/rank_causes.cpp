// SPDX-License-Identifier: GPL-3.0-or-later
//   Of 8 ranks, rank 1 makes the others wait 2.1 ms a step and then 3.4; for no other rank it changes:
//   "most for rank 1 (2.1 ms -> 3.4 ms)".
#include "core/compare/rank_causes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/statistics.h"
#include "core/base/words.h"
#include "core/compare/change_causes.h"

namespace rankscope {
namespace {

constexpr double kMoreThanOthers = 1.5; ///< times the median rank's change: worth naming
constexpr double kAlikeMost = 0.75;     ///< of the largest change of a rank: named with it
constexpr double kNamedShare = 0.5;     ///< of the change: ranks that are less of it do not explain it
constexpr double kByMovedRanks = 0.8;   ///< of a change: it is theirs

const RankSteps* find_rank(const StepAccount& account, int rank) {
    const auto found = std::ranges::find(account.ranks, rank, &RankSteps::rank);
    return found == account.ranks.end() ? nullptr : &*found;
}

/// ", whose host keeps the GPU waiting 1.2 ms -> 3.9 ms": which part of their own work changed the way the waiting for
/// them did, beyond what it did on the median rank, and by a third of that at least; else empty.
Message own_part_text(const StepAccount& before, const StepAccount& after, const ChangedRanks& changed, bool more) {
    struct Part {
        Text<2> text;
        double (*value)(const StepTimes&);
    };
    const std::array<Part, 4> parts{
        {{", whose host keeps the GPU waiting %1 -> %2"_text, [](const StepTimes& t) { return t.host; }},
         {", whose launched work starts after gaps of %1 -> %2"_text, [](const StepTimes& t) { return t.launch; }},
         {", whose kernels take %1 -> %2"_text, [](const StepTimes& t) { return t.compute; }},
         {", whose copies take %1 -> %2"_text, [](const StepTimes& t) { return t.copies; }}}};
    constexpr double kOfTheWaiting = 0.33;
    const double sign = more ? 1 : -1;
    double most = kOfTheWaiting * changed.gain;
    Message text;
    for (const Part& part : parts) {
        double was = 0;
        double is = 0;
        std::vector<double> others;
        for (const RankSteps& rank : after.ranks) {
            const RankSteps* same = find_rank(before, rank.rank);
            if (same == nullptr)
                return {};
            if (std::ranges::binary_search(changed.ranks, rank.rank)) {
                was += part.value(same->mean) / static_cast<double>(changed.ranks.size());
                is += part.value(rank.mean) / static_cast<double>(changed.ranks.size());
            } else {
                others.push_back(part.value(rank.mean) - part.value(same->mean));
            }
        }
        const double usual = others.empty() ? 0 : lower_median(std::move(others));
        // What became shorter makes nobody wait longer, though it did so less than others.
        if (const double gain = (is - was - usual) * sign; gain > most && (is - was) * sign > 0) {
            most = gain;
            text = part.text(ms_text(was / 1000), ms_text(is / 1000));
        }
    }
    return text;
}

/// "rank 2 (16.9 ms -> 19.5 ms), ranks 4 and 5 (...)": those with the same times together.
Message times_of_ranks(std::vector<MovedRanks> moved) {
    std::vector<Message> texts;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        for (std::size_t k = moved.size(); --k > i;)
            if (moved[k].was == moved[i].was && moved[k].is == moved[i].is) {
                moved[i].ranks.insert(moved[i].ranks.end(), moved[k].ranks.begin(), moved[k].ranks.end());
                moved.erase(moved.begin() + static_cast<std::ptrdiff_t>(k));
            }
        std::ranges::sort(moved[i].ranks);
        texts.push_back("%1 (%2 -> %3)"_text(ranks_text(moved[i].ranks), ms_text(moved[i].was / 1000),
                                             ms_text(moved[i].is / 1000)));
    }
    return enumerated(texts);
}

} // namespace

ChangedRanks ranks_changed_most(const StepAccount& before, const StepAccount& after, double change,
                                const std::function<double(const RankSteps&)>& value) {
    std::vector<std::pair<double, const RankSteps*>> gains;
    std::vector<double> sizes;
    for (const RankSteps& rank : after.ranks)
        if (const RankSteps* same = find_rank(before, rank.rank)) {
            gains.emplace_back((value(rank) - value(*same)) * (change > 0 ? 1 : -1), &rank);
            sizes.push_back(std::max(0.0, gains.back().first));
        }
    if (gains.size() != after.ranks.size() || gains.size() < 2)
        return {};
    const auto most = std::ranges::max_element(gains, std::less<>(), [](const auto& gain) { return gain.first; });
    if (most->first <= 0 || most->first < kMoreThanOthers * lower_median(std::move(sizes)))
        return {};
    std::vector<int> alike;
    double was = 0;
    double is = 0;
    double named = 0;
    for (const auto& [gain, rank] : gains)
        if (gain >= kAlikeMost * most->first) {
            named += gain;
            alike.push_back(rank->rank);
            was += value(*find_rank(before, rank->rank));
            is += value(*rank);
        }
    if (named < kNamedShare * std::abs(change))
        return {};
    std::ranges::sort(alike);
    const auto count = static_cast<double>(alike.size());
    Message text = plural(alike.size(), "rank %1 (%2 -> %3)"_one, "ranks %1 (%2 -> %3 on average)"_many)(
        rank_runs(alike), ms_text(was / count / 1000), ms_text(is / count / 1000));
    return {std::move(alike), named / count, std::move(text)};
}

Message by_moved_ranks(std::span<const MovedRanks> moved, MovedRanks::Part part, double sum) {
    double theirs = 0;
    std::vector<MovedRanks> by;
    std::vector<MovedRanks> against;
    for (const MovedRanks& ranks : moved) {
        const double own = ranks.is - ranks.was;
        if (ranks.part != part)
            continue;
        if ((own > 0) != (sum > 0)) {
            against.push_back(ranks);
            continue;
        }
        constexpr double kStill = 0.1;
        if (std::abs(ranks.others_is - ranks.others_was) > kStill * std::abs(own))
            return {};
        theirs += own * static_cast<double>(ranks.ranks.size());
        by.push_back(ranks);
    }
    if (sum == 0 || by.empty() || theirs / sum < kByMovedRanks)
        return {};
    constexpr double kAllOfIt = 0.02; // what is left of it is noise
    if (theirs / sum <= 2 - kByMovedRanks)
        return (std::abs(theirs / sum - 1) <= kAllOfIt ? "only on %1"_text
                                                       : "mostly on %1"_text)(times_of_ranks(std::move(by)));
    return against.empty()
               ? "on %1; the others changed the other way"_text(times_of_ranks(std::move(by)))
               : "on %1, the other way on %2"_text(times_of_ranks(std::move(by)), times_of_ranks(std::move(against)));
}

Message late_ranks_cause(const StepAccount& before, const StepAccount& after, double change) {
    const ChangedRanks most =
        ranks_changed_most(before, after, change, [](const RankSteps& rank) { return rank.caused_wait; });
    if (most.ranks.empty())
        return {};
    Message text = "most for %1"_text(most.text);
    return text += own_part_text(before, after, most, change > 0);
}

} // namespace rankscope
