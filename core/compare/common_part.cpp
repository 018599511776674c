// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/common_part.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/analysis/gpu/lost_work.h"
#include "core/base/words.h"
#include "core/compare/change_causes.h"
#include "core/compare/compared_steps.h"
#include "core/trace/step_ends.h"

namespace rankscope {
namespace {

using Numbers = std::set<std::int64_t>;

Numbers in_both(const Numbers& a, const Numbers& b) {
    Numbers both;
    std::ranges::set_intersection(a, b, std::inserter(both, both.end()));
    return both;
}

std::vector<int> only_in_first(const Numbers& first, const Numbers& second) {
    std::vector<int> only;
    for (const std::int64_t number : first)
        if (!second.contains(number))
            only.push_back(static_cast<int>(number));
    return only;
}

Numbers traced_ranks(const Run& run) {
    Numbers numbers;
    for (const auto& rank : run.ranks)
        numbers.insert(rank->rank);
    return numbers;
}

Numbers step_numbers(const RunAnalysis& analysis) {
    Numbers numbers;
    for (const RankAnalysis& rank : analysis.ranks())
        for (const ProfilerStep& step : rank.steps)
            numbers.insert(step.number);
    return numbers;
}

bool of_engine(const Run& run) {
    return std::ranges::any_of(
        run.ranks, [](const auto& rank) { return has_engine_steps(*rank); });
}

/// Numbers and names of the steps of each rank, by its number.
std::map<int, std::vector<std::pair<std::int64_t, std::string_view>>> named_steps(const RunAnalysis& analysis) {
    std::map<int, std::vector<std::pair<std::int64_t, std::string_view>>> steps;
    for (const RankAnalysis& rank : analysis.ranks())
        for (const ProfilerStep& step : rank.steps)
            steps[rank.trace->rank].emplace_back(
                step.number, step.event == kNoEvent ? std::string_view() : rank.trace->event_name(step.event));
    return steps;
}

/// Clocks that were not aligned in the whole are not aligned in the part.
Align align_of(const RunAnalysis& analysis) { return analysis.clock().applied ? Align::automatic : Align::none; }

/// The run with some of its ranks, as if the others had not been recorded.
std::shared_ptr<const RunAnalysis> with_ranks(const std::shared_ptr<const RunAnalysis>& analysis, const Numbers& kept) {
    const Run& whole = analysis->run();
    if (kept == traced_ranks(whole))
        return analysis;
    Run part = whole;
    part.ranks.clear();
    for (const auto& rank : whole.ranks)
        if (kept.contains(rank->rank))
            part.ranks.push_back(rank);
        else
            part.missing_ranks.push_back(rank->rank);
    std::ranges::sort(part.missing_ranks);
    return std::make_shared<const RunAnalysis>(std::make_shared<const Run>(std::move(part)), analysis->selection(),
                                               align_of(*analysis), analysis->rules());
}

std::shared_ptr<const RunAnalysis> with_steps(const std::shared_ptr<const RunAnalysis>& analysis, const Numbers& kept) {
    Selection selection = analysis->selection();
    selection.iterations.clear();
    for (const std::int64_t number : kept)
        selection.iterations.emplace_back(number, number);
    return std::make_shared<const RunAnalysis>(analysis->run_pointer(), std::move(selection), align_of(*analysis),
                                               analysis->rules());
}

Message ranks_sentence(const std::vector<int>& lacking, bool of_test, std::size_t compared) {
    const Message left = plural(compared, "%1 rank"_one, "%1 ranks"_many)(compared);
    return (of_test
                ? plural(lacking.size(), "the test has no trace of rank %1: what both runs have is compared, %2"_one,
                         "the test has no traces of ranks %1: what both runs have is compared, %2"_many)
                : plural(lacking.size(),
                         "the baseline has no trace of rank %1: what both runs have is compared, %2"_one,
                         "the baseline has no traces of ranks %1: what both runs have is compared, %2"_many))(
        rank_numbers(lacking), left);
}

Message steps_sentence(const std::vector<int>& lacking, bool of_test, std::size_t compared) {
    const Message left = plural(compared, "%1 step"_one, "%1 steps"_many)(compared);
    return (of_test ? plural(lacking.size(), "the test has no step %1: what both runs have is compared, %2"_one,
                             "the test has no steps %1: what both runs have is compared, %2"_many)
                    : plural(lacking.size(), "the baseline has no step %1: what both runs have is compared, %2"_one,
                             "the baseline has no steps %1: what both runs have is compared, %2"_many))(
        rank_numbers(lacking), left);
}

template <typename Sentence>
void tell_lacking(std::vector<Message>& sentences, const Numbers& baseline, const Numbers& test, std::size_t compared,
                  const Sentence& sentence) {
    if (const auto lacking = only_in_first(baseline, test); !lacking.empty())
        sentences.push_back(sentence(lacking, true, compared));
    if (const auto lacking = only_in_first(test, baseline); !lacking.empty())
        sentences.push_back(sentence(lacking, false, compared));
}

/// common: numbers of the ranks of which both runs have a trace.
void leave_out_incomplete(CommonPart& part, Numbers common) {
    LeftOut incomplete = left_out_ranks(*part.baseline, *part.test);
    Numbers complete = common;
    for (const auto* ranks : {&incomplete.of_baseline, &incomplete.of_test})
        for (const int rank : *ranks)
            complete.erase(rank);
    if (!incomplete.none_left && !complete.empty() && complete != common) {
        common = std::move(complete);
        std::ranges::move(incomplete.sentences, std::back_inserter(part.sentences));
    }
    for (auto* const analysis : {&part.baseline, &part.test}) {
        part.fewer_ranks |= common != traced_ranks((*analysis)->run());
        *analysis = with_ranks(*analysis, common);
    }
}

void leave_out_ranks(CommonPart& part) {
    if (part.baseline->run().world_size != part.test->run().world_size)
        return; // rank 3 of eight is not rank 3 of sixteen
    const Numbers before = traced_ranks(part.baseline->run());
    const Numbers after = traced_ranks(part.test->run());
    Numbers common = in_both(before, after);
    if (common.empty()) {
        part.sentences.push_back(
            "the runs have traces of other ranks, so that what differs may be a difference between "
            "ranks"_text());
        return;
    }
    tell_lacking(part.sentences, before, after, common.size(), ranks_sentence);
    leave_out_incomplete(part, std::move(common));
}

/// Of the steps of the run, those of which the recorder lost GPU work, in which GPUs seem to be idle.
Numbers lost_steps(const RunAnalysis& analysis, const Numbers& steps) {
    const std::vector<std::int64_t> lost = steps_that_lost_work(analysis.run());
    return in_both(steps, Numbers(lost.begin(), lost.end()));
}

void tell_lost(const Numbers& lost, bool of_test, std::vector<Message>& sentences) {
    if (lost.empty())
        return;
    const Message numbers = rank_numbers(std::vector<int>(lost.begin(), lost.end()));
    sentences.push_back(
        (of_test
             ? plural(lost.size(), "GPU work launched in step %1 of the test is not recorded: it is not compared"_one,
                      "GPU work launched in steps %1 of the test is not recorded: they are not compared"_many)
             : plural(lost.size(),
                      "GPU work launched in step %1 of the baseline is not recorded: it is not compared"_one,
                      "GPU work launched in steps %1 of the baseline is not recorded: they are not compared"_many))(
            numbers));
}

/// Elsewhere the mean of all steps of the run is shown.
void tell_other_mean(const RunAnalysis& all, const RunAnalysis& compared, bool of_test,
                     std::vector<Message>& sentences) {
    constexpr double kAsLong = 0.01;
    const double mean = all.judged().steps().mean.wall;
    const double of_compared = compared.judged().steps().mean.wall;
    if (std::abs(of_compared - mean) <= kAsLong * mean)
        return;
    const std::size_t steps = step_numbers(all).size();
    sentences.push_back((of_test ? "all %1 steps of the test take %2 on average, those compared %3"_text
                                 : "all %1 steps of the baseline take %2 on average, those compared %3"_text)(
        steps, ms_text(mean / 1000), ms_text(of_compared / 1000)));
}

void leave_out_steps(CommonPart& part) {
    if ((of_engine(part.baseline->run()) || of_engine(part.test->run())) &&
        named_steps(*part.baseline) != named_steps(*part.test))
        return;
    const Numbers before = step_numbers(*part.baseline);
    const Numbers after = step_numbers(*part.test);
    const Numbers lost_before = lost_steps(*part.baseline, before);
    const Numbers lost_after = lost_steps(*part.test, after);
    Numbers common = in_both(before, after);
    std::erase_if(common,
                  [&](std::int64_t number) { return lost_before.contains(number) || lost_after.contains(number); });
    if (common.empty() || 2 * common.size() < std::min(before.size(), after.size()))
        return; // other steps of the job: the means of all are compared
    if (before == after && lost_before.empty() && lost_after.empty())
        return;
    tell_lacking(part.sentences, before, after, common.size(), steps_sentence);
    tell_lost(lost_before, false, part.sentences);
    tell_lost(lost_after, true, part.sentences);
    // Of both runs the steps are chosen, also of one that has no others: work beside its steps would count in it alone.
    const std::shared_ptr<const RunAnalysis> all_of_baseline = part.baseline;
    const std::shared_ptr<const RunAnalysis> all_of_test = part.test;
    part.baseline = with_steps(part.baseline, common);
    part.test = with_steps(part.test, common);
    // A rank that counts its steps otherwise lacks some only now.
    if (const Numbers ranks = in_both(traced_ranks(part.baseline->run()), traced_ranks(part.test->run()));
        part.baseline->run().world_size == part.test->run().world_size && !ranks.empty())
        leave_out_incomplete(part, ranks);
    tell_other_mean(*all_of_baseline, *part.baseline, false, part.sentences);
    tell_other_mean(*all_of_test, *part.test, true, part.sentences);
}

} // namespace

CommonPart common_part(std::shared_ptr<const RunAnalysis> baseline, std::shared_ptr<const RunAnalysis> test) {
    CommonPart part{std::move(baseline), std::move(test), false, {}};
    leave_out_ranks(part);
    leave_out_steps(part);
    return part;
}

} // namespace rankscope
