// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/facts/fact_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/selection/kernel_class.h"
#include "core/base/text.h"
#include "core/base/words.h"

namespace rankscope {
namespace {

constexpr std::size_t kRanksNamed = 3;
constexpr std::size_t kActivitiesNamed = 3;

/// "2.2", "1.08", "0.87".
std::string ratio_words(double ratio) {
    return ratio >= 2 ? fmt::format("{:.1f}", ratio) : fmt::format("{:.2f}", ratio);
}

std::string percent_words(double share) { return fmt::format("{:.0f}", 100 * share); }

/// The ratio that is told: of all computation, or of the same kernels where nobody else has the same work.
double told_ratio(const RankFacts& rank) {
    return rank.computation_ratio_to_peers.value_or(rank.kernel_ratio_to_peers.value_or(1));
}

/// By length; of an even number of steps the mean of the two in the middle.
StepFill median_step(std::span<const StepFacts> steps) {
    std::vector<const StepFill*> by_length;
    for (const StepFacts& step : steps)
        by_length.push_back(&step.fill);
    std::ranges::stable_sort(by_length, {}, &StepFill::step_ns);
    StepFill sum = *by_length[(by_length.size() - 1) / 2];
    sum.add(*by_length[by_length.size() / 2]);
    return sum.over(2);
}

Message activity_words(const HostFact& fact, double step_ns) {
    const std::string name = shortened(fact.name, kWidthOfName);
    const std::string time = time_words(fact.mean_ns);
    const std::string percent = percent_words(fact.mean_ns / step_ns);
    return fact.inside.empty() ? "%1 (%2, %3 %)"_text(name, time, percent)
                               : "%1 in %2 (%3, %4 %)"_text(name, shortened(fact.inside, kWidthOfName), time, percent);
}

} // namespace

std::vector<RankThatStandsOut> ranks_that_stand_out(const Facts& facts) {
    std::vector<RankThatStandsOut> ranks;
    for (const RankFacts& rank : facts.ranks) {
        const double least = kWaitsWorthTelling * facts.fill.step_ns;
        RankThatStandsOut out{&rank, std::abs(told_ratio(rank) - 1) >= kComputesOtherwise,
                              rank.late_alone_ns >= least && rank.wait_caused_ns >= least, 0};
        if (!out.computes_otherwise && !out.is_waited_for)
            continue;
        const double excess = rank.computation_ratio_to_peers
                                  ? rank.computation_excess_ns
                                  : rank.fill[StepShare::computation] * (1 - 1 / told_ratio(rank));
        out.most_ns = std::max({0.0, out.computes_otherwise ? excess : 0, out.is_waited_for ? rank.wait_caused_ns : 0});
        ranks.push_back(out);
    }
    std::ranges::stable_sort(ranks, std::greater<>(), &RankThatStandsOut::most_ns);
    // Where one rank computes longer, its peers need not be told to compute less.
    const auto computes_longer = [](const RankThatStandsOut& rank) {
        return rank.computes_otherwise && told_ratio(*rank.facts) > 1;
    };
    if (std::ranges::any_of(ranks, computes_longer))
        std::erase_if(ranks, [](const RankThatStandsOut& rank) { return rank.most_ns <= 0; });
    // Nor ranks that compute longer, and that nobody waits for, beside one that is waited for longer than that.
    const auto waited = std::ranges::find_if(ranks, &RankThatStandsOut::is_waited_for);
    if (waited != ranks.end()) {
        const double longest = waited->most_ns;
        std::erase_if(ranks, [&](const RankThatStandsOut& rank) {
            return !rank.is_waited_for && computes_longer(rank) && rank.most_ns <= longest;
        });
    }
    return ranks;
}

Message others_wait_words(const RankFacts& rank, StepAccount::Unit unit) {
    const std::string time = time_words(rank.wait_caused_ns);
    const Message wait = unit == StepAccount::Unit::window ? Message(time) : "%1 a step"_text(time);
    return rank.meets_all ? "the others wait %1 for it"_text(wait) : "the others wait %1 for it on average"_text(wait);
}

Message rank_fact_words(const RankThatStandsOut& rank, const Facts& all) {
    const RankFacts& facts = *rank.facts;
    const Message wait = others_wait_words(facts, all.unit);
    const Message last =
        all.unseen_members == UnseenMembers::no_trace
            ? "comes last of the recorded ranks at %1 of %2 collective calls; there %3"_text(facts.times_last,
                                                                                             facts.calls, wait)
        : all.unseen_members == UnseenMembers::not_judged
            ? "comes last of the judged ranks at %1 of %2 collective calls; there %3"_text(facts.times_last,
                                                                                           facts.calls, wait)
            : "comes last at %1 of %2 collective calls; there %3"_text(facts.times_last, facts.calls, wait);
    // Beside the communication in which they wait for it, its peers compute longer: that is no news of this rank.
    if (!rank.computes_otherwise || (rank.is_waited_for && told_ratio(facts) < 1))
        return "Rank %1 %2"_text(facts.rank, last);
    const std::string ratio = ratio_words(told_ratio(facts));
    const Message computes =
        facts.computation_ratio_to_peers
            ? "computes %1 times as long as its peers"_text(ratio)
            : "takes %1 times as long as its peers for kernels of the same name, on median"_text(ratio);
    return rank.is_waited_for ? "Rank %1 %2 and %3"_text(facts.rank, computes, last)
                              : "Rank %1 %2"_text(facts.rank, computes);
}

Message kernel_kind_words(std::string_view kind) {
    return kind == compute_kind_word(ComputeKind::other) ? "unclassified"_text() : Message::word(kind);
}

Message step_fact_words(const Facts& facts) {
    std::vector<Message> parts;
    for (std::size_t i = 0; i < kStepShareCount; ++i)
        if (const auto part = static_cast<StepShare>(i); facts.fill.shown(part))
            parts.push_back(
                "%1 % %2"_text(percent_words(facts.fill.share(part)), Message::word(step_share_word(part))));
    const std::string time = time_words(facts.fill.step_ns);
    if (facts.fill[StepShare::unrecorded] >= facts.fill.step_ns) // of the host it does not count without GPU work
        return "A step takes %1; no GPU work is recorded in it"_text(time);
    if (facts.behind_queued_work)
        return "From the end of earlier work to its last GPU work a rank takes %1: %2"_text(time, enumerated(parts));
    return facts.unit == StepAccount::Unit::window
               ? "From its first to its last GPU work a rank takes %1: %2"_text(time, enumerated(parts))
               : "A step takes %1: %2"_text(time, enumerated(parts));
}

namespace {

/// steps: that are asked to do the same.
Message long_steps_of(std::span<const StepFacts> steps, bool all_alike) {
    if (steps.size() < kStepsThatTell)
        return {};
    const StepFill median = median_step(steps);
    std::vector<int> numbers;
    StepFill longer; // the sum, then the mean
    for (const StepFacts& step : steps)
        if (step.fill.step_ns >= kLongStep * median.step_ns) {
            numbers.push_back(static_cast<int>(step.number));
            longer.add(step.fill);
        }
    if (numbers.empty() || 2 * numbers.size() >= steps.size())
        return {};
    longer = longer.over(static_cast<double>(numbers.size()));
    const Message time = time_words(longer.step_ns);
    Message words = all_alike ? plural(numbers.size(), "Step %1 takes %2, the median step %3"_one,
                                       "Steps %1 take %2 on average, the median step %3"_many)(
                                    rank_runs(numbers), time, time_words(median.step_ns))
                              : plural(numbers.size(), "Step %1 takes %2, the median step with the same work %3"_one,
                                       "Steps %1 take %2 on average, the median step with the same work %3"_many)(
                                    rank_runs(numbers), time, time_words(median.step_ns));
    StepShare most{};
    for (std::size_t i = 0; i < kStepShareCount; ++i)
        if (const auto part = static_cast<StepShare>(i); longer[part] - median[part] > longer[most] - median[most])
            most = part;
    const double difference = longer.step_ns - median.step_ns;
    const double more = std::min(longer[most] - median[most], difference); // where another part is shorter
    if (more < difference / 2)
        return words;
    return words += most == StepShare::unrecorded
                        ? "; in %1 of the difference nothing is recorded"_text(time_words(more))
                        : "; %1 of the difference is %2"_text(time_words(more), Message::word(step_share_word(most)));
}

} // namespace

Message long_steps_words(const Facts& facts) {
    std::map<std::size_t, std::vector<StepFacts>> by_work;
    for (const StepFacts& step : facts.by_step)
        by_work[step.work].push_back(step);
    Message words;
    std::size_t most = 0;
    for (const auto& [work, steps] : by_work) // of several kinds that with most steps
        if (Message own = long_steps_of(steps, facts.alike_steps); !own.empty() && steps.size() > most) {
            most = steps.size();
            words = std::move(own);
        }
    return words;
}

Message unseen_members_words(UnseenMembers unseen) {
    switch (unseen) {
    case UnseenMembers::no_trace: return "not all ranks of its calls have a trace"_text();
    case UnseenMembers::not_judged: return "not all ranks of its calls are judged"_text();
    case UnseenMembers::not_joined: return "not all of its calls are joined with those of the other ranks"_text();
    case UnseenMembers::none: break;
    }
    return {};
}

Message hidden_waits_words(const Facts& facts) {
    return facts.unseen_members != UnseenMembers::none && facts.fill.shown(StepShare::exposed_communication)
               ? "Exposed communication may be waiting, because %1"_text(unseen_members_words(facts.unseen_members))
               : Message();
}

Message between_steps_words(const Facts& facts) {
    if (facts.between_steps_ns < kWaitsWorthTelling * facts.fill.step_ns)
        return {};
    double all = 0;
    for (const StepFacts& step : facts.by_step)
        all += step.before_ns;
    const auto longest = std::ranges::max_element(facts.by_step, {}, &StepFacts::before_ns);
    if (facts.by_step.size() > 2 && longest->before_ns > kMostOf * all)
        return "%3 pass between the marks of steps %1 and %2, which no step counts"_text(
            longest->number - 1, longest->number, time_words(longest->before_ns));
    return "Between the marks of two steps %1 pass on average, which no step counts"_text(
        time_words(facts.between_steps_ns));
}

Message host_fact_words(const Facts& facts) {
    const double waited = facts.fill[StepShare::host];
    if (facts.host.empty() || waited < kWaitsWorthTelling * facts.fill.step_ns)
        return {};
    std::vector<Message> named;
    double time = 0;
    for (const HostFact& fact : facts.host)
        if (named.size() < kActivitiesNamed && fact.mean_ns >= kShownShare * facts.fill.step_ns) {
            named.push_back(activity_words(fact, facts.fill.step_ns));
            time += fact.mean_ns;
        }
    if (named.empty())
        return {};
    return 2 * time >= waited
               ? "While the GPU waited for it, the innermost event of the host was mostly %1"_text(enumerated(named))
               : "While the GPU waited for it, the longest innermost events of the host were %1"_text(
                     enumerated(named));
}

std::vector<Message> fact_sentences(const Facts& facts) {
    std::vector<Message> sentences;
    if (facts.ranks.empty() || facts.fill.step_ns <= 0)
        return sentences;
    sentences.push_back(step_fact_words(facts).as_sentence());
    for (const Message& words : {hidden_waits_words(facts), long_steps_words(facts), between_steps_words(facts)})
        if (!words.empty())
            sentences.push_back(words.as_sentence());
    const auto ranks = ranks_that_stand_out(facts);
    for (std::size_t i = 0; i < std::min(kRanksNamed, ranks.size()); ++i)
        sentences.push_back(rank_fact_words(ranks[i], facts).as_sentence());
    if (ranks.size() > kRanksNamed)
        sentences.push_back(plural(ranks.size() - kRanksNamed, "%1 more rank differs from its peers."_one,
                                   "%1 more ranks differ from their peers."_many)(ranks.size() - kRanksNamed));
    if (const Message host = host_fact_words(facts); !host.empty())
        sentences.push_back(host.as_sentence());
    if (facts.machines && *facts.machines > 1)
        sentences.push_back("The ranks are on %1 machines."_text(*facts.machines));
    return sentences;
}

} // namespace rankscope
