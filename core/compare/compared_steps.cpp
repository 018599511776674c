// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/compared_steps.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "core/base/words.h"

namespace rankscope {
namespace {

/// Numbers of steps that are not on every rank with steps.
std::set<std::int64_t> steps_not_of_all(const StepAccount& account) {
    std::map<std::int64_t, std::size_t> ranks_with;
    std::size_t ranks = 0;
    for (const auto& numbers : account.numbers) {
        ranks += numbers.empty() ? 0 : 1;
        for (const std::int64_t number : numbers)
            ++ranks_with[number];
    }
    std::set<std::int64_t> lacking;
    for (const auto& [number, with] : ranks_with)
        if (with < ranks)
            lacking.insert(number);
    return lacking;
}

/// Places in Run::ranks of those that lack steps.
std::vector<std::size_t> ranks_that_lack_steps(const StepAccount& account) {
    std::vector<std::size_t> ranks;
    const std::set<std::int64_t> lacking = steps_not_of_all(account);
    for (std::size_t r = 0; r < account.numbers.size(); ++r)
        if (const auto& numbers = account.numbers[r];
            !numbers.empty() && std::ranges::any_of(lacking, [&](std::int64_t number) {
                return !std::ranges::binary_search(numbers, number);
            }))
            ranks.push_back(r);
    return ranks;
}

bool few_lack_steps(const StepAccount& account, const std::vector<std::size_t>& lacking) {
    return !lacking.empty() && 2 * lacking.size() < account.ranks.size();
}

std::set<int> all_of(const Run& run, const std::vector<UnjudgedRanks>& incomplete) {
    std::set<int> ranks;
    for (const UnjudgedRanks& some : incomplete)
        for (const int rank : numbers_of(run, some))
            ranks.insert(rank);
    return ranks;
}

Message why_left_out(const Run& run, const UnjudgedRanks& incomplete, bool of_test) {
    const std::size_t count = incomplete.ranks.size();
    return (of_test ? plural(count, "rank %1 is left out: %2 (in the test)"_one,
                             "ranks %1 are left out: %2 (in the test)"_many)
                    : plural(count, "rank %1 is left out: %2 (in the baseline)"_one,
                             "ranks %1 are left out: %2 (in the baseline)"_many))(
        rank_numbers(numbers_of(run, incomplete)), what_is_missing(run, incomplete));
}

std::vector<int> numbers_of(const Run& run) {
    std::vector<int> numbers;
    for (const auto& rank : run.ranks)
        numbers.push_back(rank->rank);
    return numbers;
}

} // namespace

std::vector<UnjudgedRanks> incomplete_ranks(const RunAnalysis& analysis) {
    std::vector<UnjudgedRanks> result = analysis.unjudged_ranks();
    const StepAccount& account = analysis.steps();
    if (account.unit != StepAccount::Unit::profiler_steps)
        return result;
    const auto lacking = ranks_that_lack_steps(account);
    if (!few_lack_steps(account, lacking))
        return result;
    UnjudgedRanks rest{UnjudgedRanks::Why::fewer_steps, {}};
    for (const std::size_t r : lacking)
        if (!is_among(analysis.unjudged_ranks(), r))
            rest.ranks.push_back(r);
    if (!rest.ranks.empty())
        result.push_back(std::move(rest));
    return result;
}

ComparedSteps::ComparedSteps(const RunAnalysis& analysis, const std::set<int>& left_out) : analysis_(analysis) {
    const StepAccount& all = analysis.steps();
    std::set<std::int64_t> not_of_all;
    if (all.unit == StepAccount::Unit::profiler_steps && !few_lack_steps(all, ranks_that_lack_steps(all)))
        not_of_all = steps_not_of_all(all);
    if (left_out.empty() && not_of_all.empty())
        return;
    std::size_t kept = 0;
    for (std::size_t r = 0; r < all.numbers.size(); ++r) {
        std::vector<std::size_t>& places = chosen_.emplace_back();
        for (std::size_t k = 0; k < all.numbers[r].size(); ++k)
            if (!left_out.contains(analysis.run().ranks[r]->rank) && !not_of_all.contains(all.numbers[r][k]))
                places.push_back(k);
        kept += places.size();
    }
    if (kept == 0)
        chosen_.clear();
    else
        account_ = analysis.steps_of(chosen_);
}

StepAccount ComparedSteps::steps_of(const std::vector<std::vector<std::size_t>>& places) const {
    if (chosen_.empty())
        return analysis_.steps_of(places);
    std::vector<std::vector<std::size_t>> of_run(places.size());
    for (std::size_t r = 0; r < places.size(); ++r)
        for (const std::size_t place : places[r])
            of_run[r].push_back(chosen_[r][place]);
    return analysis_.steps_of(of_run);
}

LeftOut left_out_ranks(const RunAnalysis& baseline, const RunAnalysis& test) {
    const auto before = incomplete_ranks(baseline);
    const auto after = incomplete_ranks(test);
    LeftOut result{all_of(baseline.run(), before), all_of(test.run(), after), false, {}};
    if (numbers_of(baseline.run()) == numbers_of(test.run())) { // the same ranks in both
        result.of_baseline.merge(std::set(result.of_test));
        result.of_test = result.of_baseline;
    }
    // Without them nothing would be left of a run: then all count, and none is named.
    for (const auto& [ranks, analysis] : {std::pair(&result.of_baseline, &baseline), std::pair(&result.of_test, &test)})
        if (!ranks->empty() && std::ranges::all_of(analysis->steps().ranks,
                                                   [&](const RankSteps& rank) { return ranks->contains(rank.rank); })) {
            ranks->clear();
            result.none_left = true;
        }
    if (result.none_left)
        return result;
    for (const UnjudgedRanks& incomplete : before)
        result.sentences.push_back(why_left_out(baseline.run(), incomplete, false));
    for (const UnjudgedRanks& incomplete : after)
        result.sentences.push_back(why_left_out(test.run(), incomplete, true));
    return result;
}

std::optional<StepSplit> compared_split(const ComparedSteps& baseline, const ComparedSteps& test) {
    for (const ComparedSteps* compared : {&baseline, &test})
        if (!compared->analysis().facts().alike_steps) // which step is another one's counterpart is not known
            return {};
    return split_steps(baseline.steps(), test.steps());
}

std::optional<StepSplit> compared_split(const RunAnalysis& baseline, const RunAnalysis& test) {
    const LeftOut left_out = left_out_ranks(baseline, test);
    return compared_split(ComparedSteps(baseline, left_out.of_baseline), ComparedSteps(test, left_out.of_test));
}

} // namespace rankscope
