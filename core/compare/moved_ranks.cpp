// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/moved_ranks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/basics/robust_deviation.h"
#include "core/base/statistics.h"
#include "core/base/words.h"
#include "core/compare/change_causes.h"
#include "core/compare/step_split.h"

namespace rankscope {
namespace {

constexpr double kUnmoved = 0.005;    ///< of an iteration
constexpr double kLeastExcess = 0.01; ///< of an iteration
constexpr double kAlike = 0.75;       ///< of the largest excess: the same change
constexpr double kOfTheStage = 0.5;   ///< of the largest excess: its stage moved with it
constexpr double kHealthyApart =
    0.02;                           ///< of an iteration: by no more do ranks of a healthy run differ (tests/data/real)
constexpr double kNoiseOfRanks = 4; ///< standard deviations
constexpr double kNoiseOfSteps = 6; ///< standard errors, which are taken from few iterations

struct Growth {
    const RankSteps* was = nullptr; ///< nullptr: the baseline has other ranks
    const RankSteps* is = nullptr;
    double excess = 0;
};

const RankSteps* rank_of(const StepAccount& account, int rank) {
    const auto found = std::ranges::find(account.ranks, rank, &RankSteps::rank);
    return found == account.ranks.end() ? nullptr : &*found;
}

double part_of(const StepTimes& times, MovedRanks::Part part) {
    return part == MovedRanks::Part::kernels  ? times.compute
           : part == MovedRanks::Part::copies ? times.copies
           : part == MovedRanks::Part::host   ? times.host
                                              : times.launch;
}
constexpr std::array kParts{MovedRanks::Part::kernels, MovedRanks::Part::copies, MovedRanks::Part::host,
                            MovedRanks::Part::launch};

template <typename Value>
double median_of_ranks(const std::vector<const RankSteps*>& ranks, const Value& value) {
    std::vector<double> values;
    for (const RankSteps* rank : ranks)
        values.push_back(value(*rank));
    return values.empty() ? 0 : middle_median(std::move(values));
}

double own_time(const RankSteps& rank) { return rank.mean.own(); }

/// The middle of those that did not change, where they are enough, else the median of all: of two ranks the one that
/// changed less, so that the runs the other way round tell the same.
double usual_of(std::vector<double> values, double unmoved) {
    std::vector<double> still;
    std::ranges::copy_if(values, std::back_inserter(still), [&](double value) { return std::abs(value) <= unmoved; });
    return 4 * still.size() >= values.size() ? middle_median(std::move(still)) : median_nearer_zero(std::move(values));
}

/// Beside the communication in which ranks wait for a late one, their kernels take longer, and it seems to have changed
/// less than they did. Host and copies of a rank are no longer for that: what they took more than usual counts, as far
/// as its own work took more at all.
void count_what_waits_hide(double unmoved, std::vector<Growth>& growths) {
    for (const MovedRanks::Part part : {MovedRanks::Part::host, MovedRanks::Part::copies}) {
        std::vector<double> grown;
        for (const Growth& growth : growths) {
            if (growth.was == nullptr)
                return;
            grown.push_back(part_of(growth.is->mean, part) - part_of(growth.was->mean, part));
        }
        const double usual = usual_of(grown, unmoved);
        for (std::size_t i = 0; i < growths.size(); ++i) {
            const double own = own_time(*growths[i].is) - own_time(*growths[i].was);
            const double beyond = grown[i] - usual;
            if (beyond * own > 0)
                if (const double more = std::copysign(std::min(std::abs(beyond), std::abs(own)), own);
                    more * growths[i].excess >= 0 && std::abs(more) > std::abs(growths[i].excess))
                    growths[i].excess = more;
        }
    }
}

/// Empty where ranks cannot be compared.
std::vector<Growth> growths_of(const StepAccount& baseline, const StepAccount& test) {
    std::vector<Growth> growths;
    if (test.ranks.size() < 2 || baseline.ranks.empty())
        return growths;
    const bool same = baseline.ranks.size() == test.ranks.size() &&
                      std::ranges::all_of(
                          test.ranks, [&](const RankSteps& rank) { return rank_of(baseline, rank.rank) != nullptr; });
    const auto staged = [](const RankSteps& rank) { return rank.stage >= 0; };
    if (!same && (std::ranges::any_of(baseline.ranks, staged) || std::ranges::any_of(test.ranks, staged)))
        return growths;
    std::vector<const RankSteps*> before;
    for (const RankSteps& rank : baseline.ranks)
        before.push_back(&rank);
    const double median_before = median_of_ranks(before, own_time);
    // Other ranks: each is held against the median one, if that one stands for all.
    if (!same && std::ranges::any_of(before, [&](const RankSteps* rank) {
            return std::abs(own_time(*rank) - median_before) > kUnmoved * baseline.mean.wall;
        }))
        return growths;
    std::vector<double> grown;
    std::vector<double> factors; // of the run with the longer iterations: the other way round they tell the same
    const bool shorter = test.mean.wall < baseline.mean.wall;
    for (const RankSteps& rank : test.ranks) {
        const RankSteps* was = same ? rank_of(baseline, rank.rank) : nullptr;
        const double own_before = was != nullptr ? own_time(*was) : median_before;
        growths.push_back({was, &rank, own_time(rank) - own_before});
        grown.push_back(growths.back().excess);
        const auto [of, to] = shorter ? std::pair(own_time(rank), own_before) : std::pair(own_before, own_time(rank));
        factors.push_back(of > 0 ? to / of - 1 : 0);
    }
    const double usual = usual_of(grown, kUnmoved * baseline.mean.wall);
    const double factor = usual_of(factors, kUnmoved);
    for (std::size_t i = 0; i < growths.size(); ++i) {
        // Where all take longer, ranks with more work do so by more: the smaller of both ways to tell is sure.
        const double by_difference = grown[i] - usual;
        const double own_before = growths[i].was != nullptr ? own_time(*growths[i].was) : median_before;
        const double by_factor =
            shorter ? (factor - factors[i]) * own_time(*growths[i].is) : (factors[i] - factor) * own_before;
        growths[i].excess = by_difference * by_factor <= 0                  ? 0
                            : std::abs(by_difference) < std::abs(by_factor) ? by_difference
                                                                            : by_factor;
    }
    count_what_waits_hide(kUnmoved * std::max(baseline.mean.wall, test.mean.wall), growths);
    return growths;
}

/// Iterations of one rank, in the order of StepAccount::ranks.
std::vector<std::size_t> places_of_ranks(const StepAccount& account) {
    std::vector<std::size_t> places;
    for (std::size_t r = 0; r < account.parts.size(); ++r)
        if (!account.parts[r].empty())
            places.push_back(r);
    return places;
}

double own_work(const StepParts& step) { return static_cast<double>(step.compute + step.copies + step.idle); }

double part_of(const StepParts& step, OwnPart part) {
    return static_cast<double>(part == OwnPart::kernels  ? step.compute
                               : part == OwnPart::copies ? step.copies
                               : part == OwnPart::host   ? step.idle - step.launch
                                                         : step.launch);
}

/// By how much more than usual the rank's own work takes in each of its iterations, beyond what that is on the median
/// rank in that iteration.
std::vector<double> unusual_work(const StepAccount& account, const std::vector<std::size_t>& ranks, std::size_t rank) {
    std::map<std::int64_t, std::vector<double>> of_all; // by number of the iteration
    std::vector<double> own;
    for (const std::size_t r : ranks) {
        std::vector<double> work;
        for (const StepParts& step : account.parts[r])
            work.push_back(own_work(step));
        const double usual = middle_median(work);
        for (std::size_t k = 0; k < work.size(); ++k)
            of_all[account.numbers[r][k]].push_back(work[k] - usual);
        if (r == rank)
            for (const double value : work)
                own.push_back(value - usual);
    }
    for (std::size_t k = 0; k < own.size(); ++k)
        own[k] -= median_nearer_zero(of_all[account.numbers[rank][k]]);
    return own;
}

/// Where iterations in which the rank's own work stands apart from the usual are fewer than half, and account for
/// an excess: those. excess: ns an iteration of all. noise: ns, a standard deviation.
std::optional<RareWork> rare_work(const StepAccount& account, int number, double excess, double noise) {
    constexpr double kTimesNoise = 8;
    constexpr double kOfLargest = 0.25;
    constexpr double kOfTheExcess = 0.8;
    constexpr double kNamedPart = 0.2; // of what they take longer
    const std::vector<std::size_t> ranks = places_of_ranks(account);
    const auto at = std::ranges::find(account.ranks, number, &RankSteps::rank);
    if (ranks.size() != account.ranks.size() || at == account.ranks.end())
        return {};
    const std::size_t rank = ranks[static_cast<std::size_t>(at - account.ranks.begin())];
    const std::vector<double> unusual = unusual_work(account, ranks, rank);
    const double least =
        std::max({kTimesNoise * noise, kOfLargest * std::ranges::max(unusual), kLeastExcess * account.mean.wall});
    RareWork rare;
    rare.of = unusual.size();
    const auto stands_apart = [&](std::size_t k) { return unusual[k] > least; };
    double sum = 0;
    for (std::size_t k = 0; k < unusual.size(); ++k)
        if (stands_apart(k)) {
            rare.steps.push_back(account.numbers[rank][k]);
            sum += unusual[k];
        }
    if (rare.steps.empty() || 2 * rare.steps.size() >= rare.of ||
        sum < kOfTheExcess * std::abs(excess) * static_cast<double>(rare.of))
        return {};
    const auto count = static_cast<double>(rare.steps.size());
    const double beyond_peers = sum / count;
    for (const OwnPart part : kParts) {
        RareWork::Part share{part, 0, 0};
        for (std::size_t k = 0; k < unusual.size(); ++k) {
            const double value = part_of(account.parts[rank][k], part);
            (stands_apart(k) ? share.is : share.usual) +=
                value / (stands_apart(k) ? count : static_cast<double>(rare.of) - count);
        }
        rare.longer += share.is - share.usual;
        if (share.is - share.usual >= kNamedPart * beyond_peers)
            rare.parts.push_back(share);
    }
    std::ranges::stable_sort(rare.parts, std::greater<>(), [](const RareWork::Part& p) { return p.is - p.usual; });
    return rare.parts.empty() ? std::nullopt : std::optional(std::move(rare));
}

/// Ranks that did something in few iterations are told each for itself.
std::vector<MovedRanks> with_rare_work(std::vector<MovedRanks> moved, const StepAccount& baseline,
                                       const StepAccount& test, const std::array<double, 2>& deviation) {
    std::vector<MovedRanks> result;
    for (MovedRanks& ranks : moved) {
        const bool in_test = ranks.excess > 0;
        std::vector<MovedRanks> apart;
        for (const int rank : ranks.ranks)
            if (auto rare = rare_work(in_test ? test : baseline, rank, ranks.excess, deviation[in_test ? 1 : 0])) {
                rare->in_test = in_test;
                MovedRanks& one = apart.emplace_back(ranks);
                one.ranks = {rank};
                one.stage = -1;
                one.rare = std::move(rare);
                one.other_rare = rare_work(in_test ? baseline : test, rank, 0, deviation[in_test ? 0 : 1]);
                if (one.other_rare)
                    one.other_rare->in_test = !in_test;
            }
        if (apart.size() == ranks.ranks.size())
            std::ranges::move(apart, std::back_inserter(result));
        else
            result.push_back(std::move(ranks));
    }
    return result;
}

/// Neither the part of theirs that is told nor the same part of the others changed the way the excess has it: then it
/// shows nothing.
bool tells(const MovedRanks& moved) {
    constexpr double kTells = 0.1; // of the excess
    const double more = (moved.is - moved.was) - (moved.others_is - moved.others_was);
    return more / moved.excess >= kTells;
}

} // namespace

double own_deviation(const StepAccount& account) {
    constexpr std::size_t kLeastSteps = 3;
    std::vector<double> deviations; // of the ranks
    for (const auto& parts : account.parts) {
        std::vector<double> own;
        for (const StepParts& step : parts)
            own.push_back(static_cast<double>(step.compute + step.copies + step.idle));
        if (own.size() < kLeastSteps)
            continue;
        deviations.push_back(robust_deviation(std::move(own)));
    }
    return deviations.empty() ? 0 : lower_median(std::move(deviations));
}

Message ranks_text(const std::vector<int>& ranks) {
    return plural(ranks.size(), "rank %1"_one, "ranks %1"_many)(rank_runs(ranks));
}

std::vector<MovedRanks> moved_ranks(const StepAccount& baseline, const StepAccount& test, double least,
                                    const std::array<double, 2>& deviation) {
    std::vector<Growth> growths = growths_of(baseline, test);
    if (growths.empty())
        return {};
    const double wall = std::max(baseline.mean.wall, test.mean.wall);
    std::vector<double> sizes;
    for (const Growth& growth : growths)
        sizes.push_back(std::abs(growth.excess));
    // Of those that did not move, where they are enough to tell.
    std::ranges::sort(sizes);
    const auto unmoved = static_cast<std::size_t>(std::ranges::upper_bound(sizes, kUnmoved * wall) - sizes.begin());
    if (4 * unmoved >= sizes.size())
        sizes.resize(unmoved);
    const double noise = kNoiseOfRanks * kNormalDeviation * lower_median(std::move(sizes));
    const auto iterations = [](const StepAccount& account) { // of a rank
        std::int64_t most = 1;
        for (const RankSteps& rank : account.ranks)
            most = std::max(most, rank.steps);
        return static_cast<double>(most);
    };
    const double doubt = kNoiseOfSteps * std::hypot(deviation[0] / std::sqrt(iterations(baseline)),
                                                    deviation[1] / std::sqrt(iterations(test)));
    const double counts_from = std::max({kLeastExcess * wall, noise, doubt, least});
    std::ranges::stable_sort(growths, std::greater<>(), [](const Growth& g) { return std::abs(g.excess); });
    std::vector<MovedRanks> result;
    std::vector<bool> told(growths.size());
    std::vector<std::vector<const Growth*>> members_of;
    for (std::size_t i = 0; i < growths.size(); ++i) {
        const Growth& most = growths[i];
        if (told[i] || std::abs(most.excess) < counts_from)
            continue;
        const auto part_growth = [&](const Growth& g, MovedRanks::Part part) {
            return part_of(g.is->mean, part) - (g.was != nullptr ? part_of(g.was->mean, part) : 0);
        };
        const auto moved_most = [&](const Growth& g) {
            return *std::ranges::max_element(kParts, std::less<>(), [&](MovedRanks::Part part) {
                std::vector<double> of_all;
                for (const Growth& growth : growths)
                    of_all.push_back(part_growth(growth, part));
                const double beyond = part_growth(g, part) - usual_of(std::move(of_all), kUnmoved * wall);
                return g.excess > 0 ? beyond : -beyond;
            });
        };
        MovedRanks moved;
        if (most.was != nullptr)
            moved.part = moved_most(most);
        std::vector<const Growth*> members;
        // Its whole stage, where the others are ranks of other stages.
        std::vector<const Growth*> stage;
        for (const Growth& growth : growths)
            if (most.is->stage >= 0 && growth.is->stage == most.is->stage)
                stage.push_back(&growth);
        if (!stage.empty() && stage.size() < growths.size() &&
            std::ranges::all_of(stage, [&](const Growth* g) { return g->excess / most.excess >= kOfTheStage; })) {
            members = stage;
            moved.stage = most.is->stage;
        } else {
            for (std::size_t k = i; k < growths.size(); ++k)
                if (!told[k] && growths[k].excess / most.excess >= kAlike &&
                    std::abs(growths[k].excess) >= counts_from &&
                    (growths[k].was == nullptr || moved_most(growths[k]) == moved.part))
                    members.push_back(&growths[k]);
        }
        for (const Growth* member : members) {
            told[static_cast<std::size_t>(member - growths.data())] = true;
            moved.ranks.push_back(member->is->rank);
            moved.excess += member->excess / static_cast<double>(members.size());
        }
        std::ranges::sort(moved.ranks);
        members_of.push_back(std::move(members));
        result.push_back(std::move(moved));
    }
    std::vector<const RankSteps*> others_before;
    std::vector<const RankSteps*> others_after;
    for (std::size_t i = 0; i < growths.size(); ++i)
        if (!told[i]) {
            others_after.push_back(growths[i].is);
            if (growths[i].was != nullptr)
                others_before.push_back(growths[i].was);
        }
    const bool same_ranks = growths.front().was != nullptr;
    if (!same_ranks)
        for (const RankSteps& rank : baseline.ranks)
            others_before.push_back(&rank);
    if (others_after.empty() || others_before.empty())
        return {};
    for (std::size_t m = 0; m < result.size(); ++m) {
        MovedRanks& moved = result[m];
        const auto mean_of_members = [&](const auto& value) {
            double sum = 0;
            for (const Growth* member : members_of[m])
                sum += value(*member);
            return sum / static_cast<double>(members_of[m].size());
        };
        if (!same_ranks) // the part that is furthest from what it is on the others
            moved.part = *std::ranges::max_element(
                kParts, std::less<>(),
                [&](MovedRanks::Part part) {
                    const double off =
                        part_of(members_of[m].front()->is->mean, part) -
                        median_of_ranks(
                            others_after, [&](const RankSteps& rank) { return part_of(rank.mean, part); });
                    return moved.excess > 0 ? off : -off;
                });
        const auto part = [&](const RankSteps& rank) { return part_of(rank.mean, moved.part); };
        moved.others_was = median_of_ranks(others_before, part);
        moved.others_is = median_of_ranks(others_after, part);
        moved.others = others_after.size();
        moved.is = mean_of_members([&](const Growth& g) { return part(*g.is); });
        moved.was = same_ranks ? mean_of_members([&](const Growth& g) { return part(*g.was); }) : moved.others_was;
        for (const MovedRanks::Part other : same_ranks ? std::span(kParts) : std::span<const MovedRanks::Part>()) {
            const auto time = [&](const RankSteps& rank) { return part_of(rank.mean, other); };
            const PartOfWork own{other, mean_of_members([&](const Growth& g) { return time(*g.was); }),
                                 mean_of_members([&](const Growth& g) { return time(*g.is); }),
                                 median_of_ranks(others_before, time), median_of_ranks(others_after, time)};
            if ((own.is - own.was - (own.others_is - own.others_was)) / moved.excess <= -kOfTheStage)
                moved.against = own;
        }
        const double own_before = same_ranks ? mean_of_members([&](const Growth& g) { return own_time(*g.was); })
                                             : median_of_ranks(others_before, own_time);
        const double own_after = mean_of_members([&](const Growth& g) { return own_time(*g.is); });
        moved.apart_before = own_before - median_of_ranks(others_before, own_time) > kHealthyApart * baseline.mean.wall;
        moved.apart_after = own_after - median_of_ranks(others_after, own_time) > kHealthyApart * test.mean.wall;
    }
    std::erase_if(result, [](const MovedRanks& moved) { return !tells(moved); });
    return with_rare_work(std::move(result), baseline, test, deviation);
}

namespace {

/// "its kernels take 16.9 ms -> 18.7 ms an iteration (median of the others ...)".
Message own_work_text(const MovedRanks& moved, const MovedWords& words) {
    const auto ms = [](double ns) { return ms_text(ns / 1e3); };
    const Message times = words.window ? "%1 -> %2 in the recorded window"_text(ms(moved.was), ms(moved.is))
                                       : "%1 -> %2 an iteration"_text(ms(moved.was), ms(moved.is));
    const Message others =
        (moved.others == 1 ? "(the other rank %1 -> %2)"_text
                           : "(median of the others %1 -> %2)"_text)(ms(moved.others_was), ms(moved.others_is));
    const std::size_t count = moved.ranks.size();
    if (moved.part == MovedRanks::Part::kernels)
        return words.operations
                   ? plural(count, "its operations take %1 %2"_one, "their operations take %1 %2"_many)(times, others)
                   : plural(count, "its kernels take %1 %2"_one, "their kernels take %1 %2"_many)(times, others);
    if (moved.part == MovedRanks::Part::copies)
        return plural(count, "its copies take %1 %2"_one, "their copies take %1 %2"_many)(times, others);
    if (moved.part == MovedRanks::Part::launch)
        return plural(count, "gaps before its launched work starts take %1 %2"_one,
                      "gaps before their launched work starts take %1 %2"_many)(times, others);
    Message text = words.host         ? plural(count, "its host keeps the GPU waiting %1 %2"_one,
                                               "their hosts keep the GPU waiting %1 %2"_many)(times, others)
                   : words.operations ? plural(count, "%1 pass between its operations %2"_one,
                                               "%1 pass between their operations %2"_many)(times, others)
                                      : plural(count, "%1 pass between its calls %2"_one,
                                               "%1 pass between their calls %2"_many)(times, others);
    if (!words.cause.empty())
        text += ", ";
    return text += words.cause;
}

/// "rank 3 became a straggler: " and what.
Message became_text(const MovedRanks& moved, const Message& what, bool straggler) {
    const auto said = [&](auto text) { return text(rank_runs(moved.ranks), what); };
    const std::size_t count = moved.ranks.size();
    constexpr double kUnchanged = 0.1; // of the excess
    const double by_others = (moved.others_was - moved.others_is) / moved.excess;
    if (std::abs(moved.is - moved.was) < kUnchanged * std::abs(moved.excess) && by_others >= kUnchanged)
        return moved.excess > 0
                   ? said(plural(count, "rank %1 takes as long as before, where the others take less: %2"_one,
                                 "ranks %1 take as long as before, where the others take less: %2"_many))
                   : said(plural(count, "rank %1 takes as long as before, where the others take longer: %2"_one,
                                 "ranks %1 take as long as before, where the others take longer: %2"_many));
    // The others changed more.
    if (moved.excess < 0 && moved.is > moved.was)
        return said(plural(count, "rank %1 takes longer than before, but by less than the others: %2"_one,
                           "ranks %1 take longer than before, but by less than the others: %2"_many));
    if (moved.excess > 0 && moved.is < moved.was)
        return said(plural(count, "rank %1 takes less than before, but by less than the others: %2"_one,
                           "ranks %1 take less than before, but by less than the others: %2"_many));
    constexpr double kSameFactor = 0.05; // a real run of 8 ranks with all times doubled is exactly as uneven
    const bool as_others = std::abs(moved.is * moved.others_was - moved.was * moved.others_is) <
                           kSameFactor * std::abs(moved.was * moved.others_is);
    if (moved.excess > 0 && as_others)
        return said(plural(count, "rank %1 takes longer than before, by the same factor as the others: %2"_one,
                           "ranks %1 take longer than before, by the same factor as the others: %2"_many));
    if (moved.excess > 0)
        return moved.apart_before && straggler
                   ? said(plural(count, "rank %1 is more of a straggler than before: %2"_one,
                                 "ranks %1 are more of a straggler than before: %2"_many))
               : moved.apart_after && straggler
                   ? said(plural(count, "rank %1 became a straggler: %2"_one, "ranks %1 became stragglers: %2"_many))
                   : said(plural(count, "rank %1 takes longer than before: %2"_one,
                                 "ranks %1 take longer than before: %2"_many));
    return !moved.apart_before || !straggler ? said(plural(count, "rank %1 takes less than before: %2"_one,
                                                           "ranks %1 take less than before: %2"_many))
           : moved.apart_after               ? said(plural(count, "rank %1 is less of a straggler than before: %2"_one,
                                                           "ranks %1 are less of a straggler than before: %2"_many))
                                             : said(plural(count, "rank %1 is a straggler no more: %2"_one,
                                                           "ranks %1 are stragglers no more: %2"_many));
}

} // namespace

namespace {

Message rare_part_text(const RareWork::Part& part, const MovedWords& words) {
    const std::string is = ms_text(part.is / 1e3);
    const std::string usual = ms_text(part.usual / 1e3);
    switch (part.part) {
    case OwnPart::kernels:
        return words.operations ? "its operations take %1 instead of %2"_text(is, usual)
                                : "its kernels take %1 instead of %2"_text(is, usual);
    case OwnPart::copies: return "its copies take %1 instead of %2"_text(is, usual);
    case OwnPart::launch: return "gaps before its launched work starts take %1 instead of %2"_text(is, usual);
    case OwnPart::host: break;
    }
    return words.host         ? "its host keeps the GPU waiting %1 instead of %2"_text(is, usual)
           : words.operations ? "%1 instead of %2 pass between its operations"_text(is, usual)
                              : "%1 instead of %2 pass between its calls"_text(is, usual);
}

Message words_of_steps(const RareWork& rare) {
    StepSplit steps;
    steps.in_test = rare.in_test;
    steps.numbers = rare.steps;
    steps.of = rare.of;
    return split_words(steps);
}

/// "rank 0 takes 140.3 ms longer only in step 5: its copies take 100.4 ms instead of 0.1 ms". Where it did so in the
/// other run as well: "rank 0 takes 140.3 ms longer than in its other steps in step 5 (its copies ...), and 20.1 ms
/// longer in step 2 of the baseline".
Message rare_text(const MovedRanks& moved, const MovedWords& words) {
    const RareWork& rare = *moved.rare;
    const int rank = moved.ranks.front();
    std::vector<Message> parts;
    for (const RareWork::Part& part : rare.parts)
        parts.push_back(rare_part_text(part, words));
    const std::string longer = ms_text(rare.longer / 1e3);
    if (!moved.other_rare)
        return "rank %1 takes %2 longer only %3: %4"_text(rank, longer, words_of_steps(rare), enumerated(parts));
    return (moved.other_rare->in_test
                ? "rank %1 takes %2 longer than in its other steps %3 (%4), and in the test %5 longer %6"_text
                : "rank %1 takes %2 longer than in its other steps %3 (%4), and %5 longer %6"_text)(
        rank, longer, words_of_steps(rare), enumerated(parts), ms_text(moved.other_rare->longer / 1e3),
        words_of_steps(*moved.other_rare));
}

} // namespace

Message moved_text(const MovedRanks& moved, const MovedWords& words) {
    if (moved.rare) {
        Message text = rare_text(moved, words);
        if (words.waited_for && words.say_so)
            text +=
                moved.rare->in_test ? ", and the others wait for it"_text() : ", and the others waited for it"_text();
        return text;
    }
    Message what = own_work_text(moved, words);
    if (moved.against) {
        MovedRanks other = moved;
        static_cast<PartOfWork&>(other) = *moved.against;
        MovedWords plain = words;
        plain.cause = {};
        what += ", but "_text();
        what += own_work_text(other, plain);
    }
    if (moved.stage >= 0)
        return moved.excess > 0
                   ? (words.waited_for && words.say_so
                          ? "stage %1 of the pipeline (%2) takes longer for its own work: %3, and the other "
                            "stages wait for it"_text
                          : "stage %1 of the pipeline (%2) takes longer for its own work: %3"_text)(
                         moved.stage, ranks_text(moved.ranks), what)
                   : "stage %1 of the pipeline (%2) takes less for its own work: %3"_text(
                         moved.stage, ranks_text(moved.ranks), what);
    Message text = became_text(moved, what, words.waited_for && !words.once);
    if (moved.excess > 0 && moved.apart_after && words.waited_for && words.say_so)
        text += plural(moved.ranks.size(), ", and the others wait for it"_one, ", and the others wait for them"_many)();
    return text;
}

std::optional<RanksInTurn> ranks_in_turn(const StepAccount& baseline, const StepAccount& test) {
    constexpr double kOfTheStep = 0.5;
    const double change = test.mean.wall - baseline.mean.wall;
    if (change <= 0 || test.ranks.size() < 3)
        return {};
    std::vector<std::size_t> index; // of the ranks with iterations
    for (std::size_t r = 0; r < test.parts.size(); ++r)
        if (!test.parts[r].empty())
            index.push_back(r);
    if (index.size() != test.ranks.size())
        return {};
    RanksInTurn turns;
    const std::size_t steps = test.parts[index.front()].size();
    std::set<int> ranks;
    std::set<MovedRanks::Part> parts_of_turns;
    double excess = 0; // ns an iteration, beyond what the others changed by
    double least = 0;  // of an iteration
    for (std::size_t k = 0; k < steps; ++k) {
        std::vector<std::pair<double, std::size_t>> grown; // own work, place in `index`
        for (std::size_t i = 0; i < index.size(); ++i) {
            if (test.parts[index[i]].size() != steps)
                return {};
            const StepParts& parts = test.parts[index[i]][k];
            const RankSteps* was = rank_of(baseline, test.ranks[i].rank);
            if (was == nullptr)
                return {};
            grown.emplace_back(static_cast<double>(parts.compute + parts.copies + parts.idle) - own_time(*was), i);
        }
        std::ranges::sort(grown, std::greater<>());
        const double usual = grown[grown.size() / 2].first;
        if (grown[1].first - usual > kOfTheStep * (grown[0].first - usual))
            return {}; // several at a time
        const std::size_t most = grown[0].second;
        const StepParts& parts = test.parts[index[most]][k];
        const RankSteps& was = *rank_of(baseline, test.ranks[most].rank);
        excess += (grown[0].first - usual) / static_cast<double>(steps);
        least = k == 0 ? grown[0].first - usual : std::min(least, grown[0].first - usual);
        const double host = static_cast<double>(parts.idle) - was.mean.host - was.mean.launch;
        const double kernels = static_cast<double>(parts.compute) - was.mean.compute;
        turns.part = host > kernels ? MovedRanks::Part::host : MovedRanks::Part::kernels;
        turns.longer += std::max(host, kernels) / static_cast<double>(steps);
        parts_of_turns.insert(turns.part);
        turns.turns.emplace_back(test.numbers[index[most]][k], test.ranks[most].rank);
        ranks.insert(test.ranks[most].rank);
    }
    if (ranks.size() < 2 || parts_of_turns.size() > 1 || excess < kOfTheStep * change || least < kOfTheStep * excess)
        return {};
    return turns;
}

Message turns_text(const RanksInTurn& turns, const MovedWords& words, bool of_test) {
    constexpr std::size_t kListedTurns = 6;
    std::vector<Message> turn;
    for (std::size_t i = 0; i < turns.turns.size();) {
        std::size_t last = i;
        while (last + 1 < turns.turns.size() && turns.turns[last + 1].second == turns.turns[i].second)
            ++last;
        const auto& [step, rank] = turns.turns[i];
        turn.push_back(i == last ? "rank %1 in step %2"_text(rank, step)
                                 : "rank %1 in steps %2 to %3"_text(rank, step, turns.turns[last].first));
        i = last + 1;
    }
    Message list = enumerated(std::span(turn).first(std::min(kListedTurns, turn.size())));
    if (turn.size() > kListedTurns)
        list += " ...";
    const std::string longer = ms_text(turns.longer / 1e3);
    if (turns.part == MovedRanks::Part::kernels)
        return words.operations
                   ? (of_test ? "one rank at a time makes the others wait, its operations take %1 longer (%2)"_text
                              : "no rank makes the others wait any more: in the baseline one at a time did, its "
                                "operations took %1 longer (%2)"_text)(longer, list)
                   : (of_test
                          ? "one rank at a time makes the others wait, its kernels take %1 longer (%2)"_text
                          : "no rank makes the others wait any more: in the baseline one at a time did, its kernels "
                            "took %1 longer (%2)"_text)(longer, list);
    return words.host
               ? (of_test
                      ? "one rank at a time makes the others wait, its host keeps the GPU waiting %1 longer (%2)"_text
                      : "no rank makes the others wait any more: in the baseline one at a time did, its host kept "
                        "the GPU waiting %1 longer (%2)"_text)(longer, list)
               : (of_test ? "one rank at a time makes the others wait, %1 more pass between its calls (%2)"_text
                          : "no rank makes the others wait any more: in the baseline one at a time did, %1 more passed "
                            "between its calls (%2)"_text)(longer, list);
}

} // namespace rankscope
