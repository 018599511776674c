// SPDX-License-Identifier: GPL-3.0-or-later
// Which ranks say too little to be judged, or to judge others by.
#include "core/run/judged_run.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/gpu/lost_work.h"
#include "core/base/words.h"
#include "core/trace/accounting.h"
#include "core/trace/step_ends.h"

namespace rankscope {
namespace {

using Why = UnjudgedRanks::Why;

/// Of each rank: lacks more than half of the steps that half of the ranks or more have. Engines that run side by side
/// number their own.
std::vector<bool> have_few_steps(const Run& run) {
    std::vector<std::set<std::int64_t>> numbers(run.ranks.size());
    std::map<std::int64_t, std::size_t> ranks_with; // by number of the step
    std::size_t with_steps = 0;
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        const RankTrace& rank = *run.ranks[r];
        if (rank.job != 0 || has_engine_steps(rank))
            return std::vector<bool>(run.ranks.size());
        for (const ProfilerStep& step : rank.steps)
            if (numbers[r].insert(step.number).second)
                ++ranks_with[step.number];
        with_steps += rank.steps.empty() ? 0 : 1;
    }
    std::erase_if(ranks_with, [&](const auto& step) { return 2 * step.second < with_steps; });
    std::vector<bool> few;
    for (const auto& own : numbers)
        few.push_back(
            2 * std::ranges::count_if(ranks_with, [&](const auto& step) { return own.contains(step.first); }) <
            std::ssize(ranks_with));
    return few;
}

/// Of each rank; nothing: it can be judged.
std::vector<std::optional<Why>> reasons_of(const Run& run) {
    const bool any_work = std::ranges::any_of(
        run.ranks, [](const auto& rank) { return rank->events.gpu_count > 0; });
    const auto without_steps = std::ranges::count_if(run.ranks, [](const auto& rank) { return rank->steps.empty(); });
    const bool few_without_steps = std::cmp_less(2 * without_steps, run.ranks.size());
    const std::vector<bool> few_steps = have_few_steps(run);
    std::vector<std::optional<Why>> reasons(run.ranks.size());
    for (const std::size_t r : ranks_that_lost_work(run))
        reasons[r] = Why::lost_work;
    for (const std::size_t r : ranks_without_communication(run))
        reasons[r] = Why::no_communication;
    for (const std::size_t r : ranks_without_launches(run))
        reasons[r] = Why::no_launches;
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        const RankTrace& rank = *run.ranks[r];
        if (std::ranges::find(rank.notices, NoticeCode("truncated_file"), &Notice::code) != rank.notices.end())
            reasons[r] = Why::cut;
        else if (any_work && rank.events.gpu_count == 0)
            reasons[r] = Why::no_gpu_work;
        else if (few_without_steps && rank.steps.empty())
            reasons[r] = Why::no_steps;
        else if (few_steps[r] && !rank.steps.empty())
            reasons[r] = Why::few_steps;
    }
    return reasons;
}

} // namespace

bool is_among(std::span<const UnjudgedRanks> unjudged, std::size_t rank) {
    return std::ranges::any_of(
        unjudged, [&](const UnjudgedRanks& some) { return std::ranges::find(some.ranks, rank) != some.ranks.end(); });
}

std::vector<int> numbers_of(const Run& run, const UnjudgedRanks& ranks) {
    std::vector<int> numbers;
    for (const std::size_t r : ranks.ranks)
        numbers.push_back(run.ranks[r]->rank);
    std::ranges::sort(numbers);
    return numbers;
}

bool all_end_early(const Run& run, std::span<const UnjudgedRanks> left_out) {
    return left_out.size() == 1 && left_out.front().why == Why::cut &&
           left_out.front().ranks.size() == run.ranks.size();
}

JudgedRun judged_run(const Run& run) {
    const std::vector<std::optional<Why>> reasons = reasons_of(run);
    JudgedRun judged;
    for (const Why why : {Why::cut, Why::no_gpu_work, Why::no_launches, Why::no_communication, Why::no_steps,
                          Why::few_steps, Why::lost_work}) {
        UnjudgedRanks some{why, {}};
        for (std::size_t r = 0; r < reasons.size(); ++r)
            if (reasons[r] == why)
                some.ranks.push_back(r);
        if (!some.ranks.empty())
            judged.left_out.push_back(std::move(some));
    }
    Run rest = run;
    rest.ranks.clear();
    for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
        if (reasons[r]) {
            rest.missing_ranks.push_back(run.ranks[r]->rank);
            continue;
        }
        rest.ranks.push_back(run.ranks[r]);
        judged.kept.push_back(r);
    }
    rest.left_out += run.ranks.size() - rest.ranks.size();
    std::ranges::sort(rest.missing_ranks);
    if (!rest.ranks.empty())
        judged.run = std::make_shared<const Run>(std::move(rest));
    return judged;
}

namespace {

/// ns, mean over the ranks that have it.
double length_of_step(const Run& run, std::int64_t number) {
    double sum = 0;
    double ranks = 0;
    for (const auto& rank : run.ranks)
        if (const auto step = std::ranges::find(rank->steps, number, &ProfilerStep::number);
            step != rank->steps.end()) {
            sum += static_cast<double>(step->range.length());
            ++ranks;
        }
    return ranks > 0 ? sum / ranks : 0;
}

/// A pause of 50 ms in a step that one rank lacks is judged by nobody: its length is told at least.
std::optional<UnjudgedSteps::Long> longest_lacking(const Run& run, const UnjudgedSteps& steps) {
    UnjudgedSteps::Long longest;
    for (const std::int64_t number : steps.lacking)
        if (const double ns = length_of_step(run, number); ns > longest.ns)
            longest = {number, ns};
    double kept = 0;
    for (const std::int64_t number : steps.kept)
        kept = std::max(kept, length_of_step(run, number));
    return longest.ns > (1 + kNearlyAlike) * kept ? std::optional(longest) : std::nullopt;
}

} // namespace

UnjudgedSteps unjudged_steps(const Run& run, const Selection& selection) {
    if (selection.time)
        return {};
    std::map<std::int64_t, std::size_t> ranks_with; // by number of the step
    std::size_t ranks = 0;
    for (const auto& rank : run.ranks) {
        if (rank->job != 0)
            return {};
        ranks += rank->steps.empty() ? 0 : 1;
        std::set<std::int64_t> numbers;
        for (const ProfilerStep& step : rank->steps)
            if (selection.iterations.empty() || selection.has_iteration(step.number))
                numbers.insert(step.number);
        for (const std::int64_t number : numbers)
            ++ranks_with[number];
    }
    UnjudgedSteps steps;
    const std::vector<std::int64_t> lost = steps_that_lost_work(run);
    for (const auto& [number, with] : ranks_with)
        (with != ranks                              ? steps.lacking
         : std::ranges::binary_search(lost, number) ? steps.lost_work
                                                    : steps.kept)
            .push_back(number);
    if (steps.kept.size() < steps.lacking.size() + steps.lost_work.size())
        return {};
    for (const auto& rank : run.ranks)
        if (!rank->steps.empty() && std::ranges::any_of(steps.lacking, [&](std::int64_t number) {
                return std::ranges::find(rank->steps, number, &ProfilerStep::number) == rank->steps.end();
            }))
            steps.lacked_by.push_back(rank->rank);
    std::ranges::sort(steps.lacked_by);
    steps.longest_lacking = longest_lacking(run, steps);
    return steps;
}

namespace {

Message step_runs(const std::vector<std::int64_t>& numbers) {
    return rank_runs(std::vector<int>(numbers.begin(), numbers.end()));
}

Message why_lacking(const UnjudgedSteps& steps) {
    const Message numbers = step_runs(steps.lacking);
    const Message ranks = rank_words(steps.lacked_by);
    // Each of several ranks may lack other ones of several steps.
    if (steps.lacking.size() > 1 && steps.lacked_by.size() > 1)
        return "Of steps %1 some or all are not recorded on %2: these steps are not judged."_text(numbers, ranks);
    return plural(steps.lacking.size(), "Step %1 is not recorded on %2: it is not judged."_one,
                  "Steps %1 are not recorded on %2: they are not judged."_many)(numbers, ranks);
}

} // namespace

Message why_not_judged(const UnjudgedSteps& steps) {
    Message why = steps.lacking.empty() ? Message() : why_lacking(steps);
    if (steps.longest_lacking)
        why += " Where it is recorded, step %1 takes %2."_text(steps.longest_lacking->number,
                                                               time_words(steps.longest_lacking->ns));
    if (steps.lost_work.empty())
        return why;
    if (!why.empty())
        why += ' ';
    return why +=
           plural(steps.lost_work.size(), "GPU work launched in step %1 is not recorded: the step is not judged."_one,
                  "GPU work launched in steps %1 is not recorded: these steps are not judged."_many)(
               step_runs(steps.lost_work));
}

Message what_is_lost(const Run& run) {
    std::int64_t launches = 0;
    std::vector<int> numbers;
    for (const auto& rank : run.ranks)
        if (const std::int64_t lost = launches_without_work(*rank); lost > 0) {
            launches += lost;
            numbers.push_back(rank->rank);
        }
    return numbers.empty()
               ? Message()
               : "%1 launches of %2 have no GPU work: what seems to be idle time may be work that is not recorded."_text(
                     launches, rank_words(numbers));
}

Message what_is_unread(const Run& run) {
    constexpr std::uint64_t kOneInSoMany = 100;
    std::uint64_t unread = 0;
    std::uint64_t events = 0;
    std::vector<std::string> files;
    for (const FileAccounting& of_file : accounting_by_file(run)) {
        const Accounting& all = of_file.accounting;
        // Nobody knows how many events a cut file lacks. Its notice says that it ends early.
        const std::uint64_t own = all.of(NotShown::malformed) + all.of(NotShown::unpaired) + all.of(NotShown::stray);
        if (own * kOneInSoMany <= all.events_in_file)
            continue;
        unread += own;
        events += all.events_in_file;
        files.push_back(of_file.file.filename().string());
    }
    if (files.empty())
        return {};
    return files.size() == 1 ? "%1 of the %2 events of %3 could not be read: what is said is of the others."_text(
                                   unread, events, files.front())
                             : "%1 of the %2 events of %3 files could not be read: what is said is of the others."_text(
                                   unread, events, files.size());
}

Message what_is_missing(const Run& run, const UnjudgedRanks& ranks) {
    const std::size_t count = ranks.ranks.size();
    switch (ranks.why) {
    case Why::cut: return plural(count, "its file ends early"_one, "their files end early"_many)();
    case Why::no_gpu_work:
        return plural(count, "no GPU work is recorded of it"_one, "no GPU work is recorded of them"_many)();
    case Why::no_launches:
        return plural(count, "no launch of its GPU work is recorded"_one,
                      "no launch of their GPU work is recorded"_many)();
    case Why::no_communication:
        return plural(count, "no communication is recorded of it"_one, "no communication is recorded of them"_many)();
    case Why::no_steps: return plural(count, "no steps are recorded of it"_one, "no steps are recorded of them"_many)();
    case Why::few_steps:
        return plural(count, "most steps are not recorded of it"_one, "most steps are not recorded of them"_many)();
    case Why::fewer_steps:
        return plural(count, "it lacks steps that other ranks have"_one,
                      "they lack steps that other ranks have"_many)();
    case Why::lost_work: break;
    }
    std::int64_t launches = 0;
    for (const std::size_t r : ranks.ranks)
        launches += launches_without_work(*run.ranks[r]);
    if (launches > 0)
        return plural(count, "%1 of its launches have no GPU work"_one,
                      "%1 of their launches have no GPU work"_many)(launches);
    return plural(count, "GPU work that its host launched is not recorded"_one,
                  "GPU work that their hosts launched is not recorded"_many)();
}

Message why_not_judged(const Run& run, const UnjudgedRanks& ranks) {
    return plural(ranks.ranks.size(), "Rank %1 is not judged: %2."_one, "Ranks %1 are not judged: %2."_many)(
        rank_numbers(numbers_of(run, ranks)), what_is_missing(run, ranks));
}

} // namespace rankscope
