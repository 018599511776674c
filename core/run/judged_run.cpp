// SPDX-License-Identifier: GPL-3.0-or-later
// Which ranks say too little to be judged, or to judge others by.
#include "core/run/judged_run.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "core/analysis/gpu/lost_work.h"
#include "core/base/words.h"

namespace rankscope {
namespace {

using Why = UnjudgedRanks::Why;

/// Of each rank; nothing: it can be judged.
std::vector<std::optional<Why>> reasons_of(const Run& run) {
    const bool any_work = std::ranges::any_of(
        run.ranks, [](const auto& rank) { return rank->events.gpu_count > 0; });
    const auto without_steps = std::ranges::count_if(run.ranks, [](const auto& rank) { return rank->steps.empty(); });
    const bool few_without_steps = std::cmp_less(2 * without_steps, run.ranks.size());
    std::vector<std::optional<Why>> reasons(run.ranks.size());
    for (const std::size_t r : ranks_that_lost_work(run))
        reasons[r] = Why::lost_work;
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        const RankTrace& rank = *run.ranks[r];
        if (std::ranges::find(rank.notices, NoticeCode("truncated_file"), &Notice::code) != rank.notices.end())
            reasons[r] = Why::cut;
        else if (any_work && rank.events.gpu_count == 0)
            reasons[r] = Why::no_gpu_work;
        else if (few_without_steps && rank.steps.empty())
            reasons[r] = Why::no_steps;
    }
    return reasons;
}

} // namespace

JudgedRun judged_run(const Run& run) {
    const std::vector<std::optional<Why>> reasons = reasons_of(run);
    JudgedRun judged;
    for (const Why why : {Why::cut, Why::no_gpu_work, Why::no_steps, Why::lost_work}) {
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

Message why_not_judged(const Run& run, const UnjudgedRanks& ranks) {
    std::vector<int> numbers;
    for (const std::size_t r : ranks.ranks)
        numbers.push_back(run.ranks[r]->rank);
    const Message named = rank_numbers(numbers);
    switch (ranks.why) {
    case Why::cut:
        return plural(numbers.size(), "The file of rank %1 ends early: what it does is not judged."_one,
                      "The files of ranks %1 end early: what they do is not judged."_many)(named);
    case Why::no_gpu_work:
        return plural(numbers.size(), "No GPU work is recorded of rank %1: what it does is not judged."_one,
                      "No GPU work is recorded of ranks %1: what they do is not judged."_many)(named);
    case Why::no_steps:
        return plural(numbers.size(), "No steps are recorded of rank %1: what it does is not judged."_one,
                      "No steps are recorded of ranks %1: what they do is not judged."_many)(named);
    case Why::lost_work: break;
    }
    return plural(numbers.size(),
                  "GPU work that the host of rank %1 launched is not recorded: what the rank does is not judged."_one,
                  "GPU work that the hosts of ranks %1 launched is not recorded: what these ranks do is not "
                  "judged."_many)(named);
}

} // namespace rankscope
