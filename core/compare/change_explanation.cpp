// SPDX-License-Identifier: GPL-3.0-or-later
// The change of an iteration's time, part by part and in words.
#include "core/compare/change_explanation.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/analysis/steps/step_windows.h"
#include "core/base/words.h"
#include "core/base/work_count.h"
#include "core/compare/change_causes.h"
#include "core/compare/compared_steps.h"
#include "core/compare/equal_batches.h"
#include "core/compare/metric_comparison.h"
#include "core/compare/moved_ranks.h"
#include "core/compare/paired_accounts.h"
#include "core/compare/serving_comparison.h"
#include "core/compare/step_split.h"
#include "core/metrics/catalogue.h"
#include "core/metrics/workload.h"
#include "core/trace/recorded.h"

namespace rankscope {
namespace {

constexpr double kWorthTelling = 0.01;   ///< of the change, or, where there is none to speak of, of the iteration
constexpr double kOfAnIteration = 0.001; ///< at least
constexpr double kToldFirst = 0.5;       ///< ranks that account for that much are told first
constexpr double kNamedRanks = 0.1;      ///< of the change: worth a sentence

Message unit_word(StepAccount::Unit unit) {
    return unit == StepAccount::Unit::profiler_steps ? "iteration"_text()
           : unit == StepAccount::Unit::inferred     ? "iteration (inferred)"_text()
                                                     : "recorded window"_text();
}

/// What the recordings of both runs hold, in words.
struct Wording {
    bool window = false;     ///< no iterations are known
    bool host = true;        ///< launches, or what the host does
    bool operations = false; ///< compute, not kernels
    Message idle;            ///< title of the time without any work
};

Wording wording_of(const RunAnalysis& baseline, const RunAnalysis& test) {
    Wording words{baseline.steps().unit == StepAccount::Unit::window, true, false,
                  "GPU idle until the host launches"_text()};
    for (const RunAnalysis* analysis : {&baseline, &test}) {
        if (!recorded(analysis->run()).gpu_work) {
            words.host = false;
            words.idle = "time between collectives, of which nothing is recorded"_text();
        } else if (analysis->run().source == TraceSource::operations) {
            words.host = false;
            words.operations = true;
            words.idle = "time between operations, of which nothing is recorded"_text();
        }
    }
    return words;
}

struct ComparedRuns {
    const RunAnalysis& baseline;
    const RunAnalysis& test;
    const ComparedSteps& before;
    const ComparedSteps& after;
    bool named = true; ///< ranks can be held against others
};

/// Iterations of the rank that has most.
double iterations_of(const StepAccount& account) {
    std::int64_t most = 0;
    for (const RankSteps& rank : account.ranks)
        most = std::max(most, rank.steps);
    return static_cast<double>(most);
}

/// By how much the others wait longer for these ranks in the test, ns: all iterations of the mean rank. At messages
/// nothing tells for whom: the waits of all count where they changed more.
double waits_for(const ComparedRuns& runs, const std::vector<int>& ranks) {
    const StepAccount& before = runs.before.steps();
    const StepAccount& after = runs.after.steps();
    double all = after.mean.bubble - before.mean.bubble; // an iteration
    for (std::size_t d = 0; d < kParallelDimensionCount; ++d)
        all += after.mean.wait[d] - before.mean.wait[d];
    const auto caused = [&](const StepAccount& account) {
        double sum = 0;
        for (const RankSteps& rank : account.ranks)
            sum += std::ranges::binary_search(ranks, rank.rank) ? rank.caused_wait : 0;
        return sum;
    };
    const double theirs = caused(after) - caused(before);
    const double longer = std::abs(theirs) > std::abs(all) ? theirs : all;
    return longer * iterations_of(longer > 0 ? after : before);
}

/// Explains the change between some iterations of two runs, or all of them.
class Explainer {
public:
    /// runs: all iterations that are compared; before, after: those of them that are explained.
    Explainer(const ComparedRuns& runs, const StepAccount& before, const StepAccount& after)
        : runs_(runs), baseline_(runs.baseline), test_(runs.test), before_(before), after_(after),
          words_(wording_of(runs.baseline, runs.test)),
          one_of_several_(iterations_of(after) == 1 && iterations_of(runs.after.steps()) > 1) {
        result_.iteration = unit_word(before_.unit);
        result_.baseline_us = before_.mean.wall / 1000;
        result_.test_us = after_.mean.wall / 1000;
        if (runs.named)
            moved_ =
                moved_ranks(before_, after_, similar() ? 0 : kNamedRanks * std::abs(result_.difference_us()) * 1000,
                            {own_deviation(runs.before.steps()), own_deviation(runs.after.steps())});
        add_parts();
        result_.slow_rank = slow_rank();
        std::ranges::stable_sort(result_.parts, std::greater<>(),
                                 [](const ChangePart& part) { return std::abs(part.difference_us()); });
        for (ChangePart& part : result_.parts)
            if (!worth_telling(part.difference_us()))
                part.cause = {};
        const ChangePart* leading = leading_part();
        for (ChangePart& part : result_.parts)
            if (&part == leading && part.id == "host" && part.cause.empty() && words_.host && !similar() &&
                result_.slow_rank.empty())
                part.cause = "why is not known"_text();
    }

    [[nodiscard]] ChangeExplanation& result() { return result_; }

    [[nodiscard]] bool similar() const {
        return std::abs(percent_change(result_.baseline_us, result_.test_us).value_or(0)) <= kSimilarPercent;
    }

    /// "18.144 ms -> 22.108 ms, +21.8 %"
    [[nodiscard]] Message change_text() const {
        const auto percent = percent_change(result_.baseline_us, result_.test_us);
        const std::string before = ms_text(result_.baseline_us);
        const std::string after = ms_text(result_.test_us);
        return percent ? Message(fmt::format("{} -> {}, {:+.1f} %", before, after, *percent))
                       : "%1 -> %2, from nothing"_text(before, after);
    }

    /// "An iteration takes 3.9 ms longer (...)". mixed: of several kinds of steps.
    [[nodiscard]] Message what_changed(bool mixed) const {
        const Message noun = words_.window ? (mixed ? "The recorded window, the mean of all kinds of steps,"_text()
                                                    : "The recorded window"_text())
                             : mixed       ? "An iteration, the mean of all kinds of steps,"_text()
                                           : "An iteration"_text();
        const std::string by = ms_text(std::abs(result_.difference_us()));
        return similar()                     ? "%1 takes as long as before (%2)"_text(noun, change_text())
               : result_.difference_us() > 0 ? "%1 takes %2 longer (%3)"_text(noun, by, change_text())
                                             : "%1 takes %2 less (%3)"_text(noun, by, change_text());
    }

    /// Whether ranks that why() names do so in other iterations than these.
    [[nodiscard]] bool told_elsewhere(const StepSplit& split) const {
        return std::ranges::any_of(
            headline_,
            [&](std::size_t i) {
                const auto& rare = moved_[i].rare;
                return rare && (rare->in_test != split.in_test || rare->steps != split.numbers);
            });
    }

    /// Whether why() names a rank that takes longer in few iterations.
    [[nodiscard]] bool tells_rare_work() const {
        return std::ranges::any_of(
            headline_, [&](std::size_t i) { return moved_[i].rare.has_value(); });
    }

    /// ": why", or empty.
    [[nodiscard]] Message why() const {
        if (!result_.slow_rank.empty())
            return with_colon(result_.slow_rank);
        return !similar() && leading_part() != nullptr ? with_colon(part_text(*leading_part())) : Message();
    }

    /// A sentence for each thing that why() does not say; without capitals and full stops.
    [[nodiscard]] std::vector<Message> details() const {
        std::vector<Message> texts;
        for (std::size_t i = 0; i < moved_.size() && texts.size() < kMovedTold; ++i)
            if (!headline_.contains(i))
                texts.push_back("besides, %1"_text(text_of(moved_[i], false)));
        const ChangePart* leading = leading_part();
        for (const ChangePart& part : result_.parts)
            if (worth_telling(part.difference_us()) && (&part != leading || similar() || !result_.slow_rank.empty()))
                texts.push_back(part_text(part));
        const Message replaced = replaced_kernels(baseline_, test_, before_, after_, kWorthTelling * before_.mean.wall);
        const auto told = [other = english(replaced)](const Message& text) {
            return english(text).find(other) != std::string::npos;
        };
        if (!replaced.empty() && !told(why()) && std::ranges::none_of(texts, told))
            texts.push_back("other kernels: %1"_text(replaced));
        if (worth_telling(result_.residual_us()))
            texts.push_back("not explained: %1"_text(signed_ms_text(result_.residual_us())));
        return texts;
    }

private:
    static constexpr std::size_t kMovedTold = 3;

    static Message with_colon(const Message& text) {
        Message words(std::string(": "));
        return words += text;
    }

    [[nodiscard]] bool worth_telling(double difference_us) const {
        // Of an iteration that hardly changed only what cancels out.
        return std::abs(difference_us) > (similar() ? kWorthTelling * result_.baseline_us
                                                    : std::max(kWorthTelling * std::abs(result_.difference_us()),
                                                               kOfAnIteration * result_.baseline_us));
    }

    void add_part(std::string id, Message title, double before_ns, double after_ns, Message cause) {
        if (before_ns != 0 || after_ns != 0)
            result_.parts.push_back(
                {std::move(id), std::move(title), before_ns / 1000, after_ns / 1000, std::move(cause)});
    }

    void add_parts() {
        const StepTimes& a = before_.mean;
        const StepTimes& b = after_.mean;
        add_part("compute", "computation"_text, a.compute, b.compute,
                 compute_cause(baseline_, test_, before_, after_, moved_));
        double late_before = 0;
        double late_after = 0;
        for (std::size_t d = 0; d < kParallelDimensionCount; ++d) {
            const auto dimension = static_cast<ParallelDimension>(d);
            const std::string_view word = parallel_dimension_word(dimension);
            add_part(fmt::format("exposed_comm.{}", word),
                     dimension == ParallelDimension::unknown ? "exposed communication"_text()
                                                             : "exposed %1 communication"_text(std::string(word)),
                     a.transfer[d], b.transfer[d], communication_cause(before_, after_, dimension));
            late_before += a.wait[d];
            late_after += b.wait[d];
        }
        add_part("late_ranks", "waiting for ranks that come late"_text, late_before, late_after,
                 late_ranks_cause(before_, after_, late_after - late_before));
        add_part("bubble", "pipeline bubble"_text, a.bubble, b.bubble, bubble_cause(before_, after_));
        add_part("copies", "copies in the open"_text, a.copies, b.copies,
                 copies_cause(baseline_, test_, before_, after_, b.copies - a.copies));
        add_part("launch", "gaps before launched work starts"_text, a.launch, b.launch, {});
        add_part("host", words_.idle, a.host, b.host, host_cause(baseline_, test_, before_, after_, moved_));
    }

    [[nodiscard]] MovedWords moved_words() const {
        return {words_.host, words_.operations, words_.window, true, true, false, {}};
    }
    /// What a rank does at the end of a recording makes nobody wait.
    [[nodiscard]] bool waited_for(const MovedRanks& moved) const {
        constexpr double kOfTheExcess = 0.1;
        const double others = static_cast<double>(after_.ranks.size() - moved.ranks.size()) /
                              static_cast<double>(std::max<std::size_t>(1, after_.ranks.size()));
        const double excess = moved.excess * iterations_of(moved.excess > 0 ? after_ : before_);
        return others > 0 && waits_for(runs_, moved.ranks) / (excess * others) >= kOfTheExcess;
    }
    /// What is said of a change does not contradict what a run by itself is told.
    [[nodiscard]] static bool told_as_fault(const RunAnalysis& analysis, const std::vector<int>& ranks) {
        return std::ranges::any_of(
            analysis.findings().list,
            [&](const Finding& finding) {
                return finding.code == FindingCode::straggler && !finding.inherent && !finding.hidden &&
                       std::ranges::find_first_of(finding.ranks, ranks) != finding.ranks.end();
            });
    }
    [[nodiscard]] Message text_of(MovedRanks moved, bool headline = true) const {
        moved.apart_before = moved.apart_before || (moved.excess > 0 && told_as_fault(baseline_, moved.ranks));
        moved.apart_after = moved.apart_after || (moved.excess < 0 && told_as_fault(test_, moved.ranks));
        MovedWords words = moved_words();
        words.waited_for = waited_for(moved);
        words.say_so = headline;
        words.once = one_of_several_;
        if (moved.part == MovedRanks::Part::host)
            words.cause = loading_cause(baseline_, test_, before_, after_, moved.ranks, moved.excess);
        return moved_text(moved, words);
    }

    /// In the test ranks wait for each other for half of what they did in the baseline, or longer.
    [[nodiscard]] bool still_wait() const {
        const auto wait = [](const StepAccount& account) {
            return std::accumulate(account.mean.wait.begin(), account.mean.wait.end(), 0.0);
        };
        return wait(after_) >= kToldFirst * wait(before_);
    }
    /// Ranks by which the others' waiting changed: all that moved the way of the iteration by half of that at least,
    /// and those that moved the other way by half of what moved most; of an iteration that hardly changed those that
    /// took each other's place.
    Message slow_rank() {
        const double change = result_.difference_us() * 1000;
        if (similar()) {
            const auto up = std::ranges::find_if(
                moved_, [](const MovedRanks& m) { return m.excess > 0; });
            const auto down = std::ranges::find_if(moved_, [](const MovedRanks& m) { return m.excess < 0; });
            if (up != moved_.end() && down != moved_.end())
                headline_ = {static_cast<std::size_t>(up - moved_.begin()),
                             static_cast<std::size_t>(down - moved_.begin())};
        } else if (const auto turns = ranks_in_turn(before_, after_)) {
            moved_.clear(); // each of them is one of these
            return turns_text(*turns, moved_words(), true);
        } else if (const auto were = ranks_in_turn(after_, before_); were && !still_wait()) {
            moved_.clear();
            return turns_text(*were, moved_words(), false);
        } else {
            double most = 0;
            for (const MovedRanks& moved : moved_)
                most = std::max(most, std::abs(moved.excess));
            for (std::size_t i = 0; i < moved_.size(); ++i)
                if (moved_[i].excess / change >= kToldFirst)
                    headline_.insert(i);
            for (std::size_t i = 0; i < moved_.size() && !headline_.empty(); ++i)
                if (moved_[i].excess / change < 0 && std::abs(moved_[i].excess) >= kToldFirst * most)
                    headline_.insert(i);
        }
        std::vector<Message> texts;
        for (const std::size_t i : headline_)
            texts.push_back(text_of(moved_[i]));
        return enumerated(texts, "; ");
    }

    [[nodiscard]] static Message part_text(const ChangePart& part) {
        Message text = part.title;
        text += fmt::format(" {} ({} -> {})", signed_ms_text(part.difference_us()), ms_text(part.baseline_us),
                            ms_text(part.test_us));
        return text += part.cause.empty() ? Message() : with_colon(part.cause);
    }

    /// Of the parts that went the way the iteration went the largest.
    [[nodiscard]] const ChangePart* leading_part() const {
        const auto found = std::ranges::find_if(result_.parts, [&](const ChangePart& part) {
            return part.difference_us() != 0 && (part.difference_us() > 0) == (result_.difference_us() > 0);
        });
        return found == result_.parts.end() ? nullptr : &*found;
    }

    const ComparedRuns& runs_;
    const RunAnalysis& baseline_;
    const RunAnalysis& test_;
    const StepAccount& before_;
    const StepAccount& after_;
    Wording words_;
    bool one_of_several_ = false; ///< only one iteration is explained
    std::vector<MovedRanks> moved_;
    std::set<std::size_t> headline_; ///< indices of moved_
    ChangeExplanation result_;
};

/// A host that runs ahead of its GPU launches an iteration in another time than the GPU takes for it.
Message host_ahead_text(const RunAnalysis& baseline, const RunAnalysis& test, const ChangeExplanation& change) {
    if (baseline.steps().unit == StepAccount::Unit::window)
        return {};
    const MetricResult before = find_metric("iter_time")->compute(baseline);
    const MetricResult after = find_metric("iter_time")->compute(test);
    if (!before.available || !after.available ||
        (!host_runs_ahead(before.value * 1000, change.baseline_us) &&
         !host_runs_ahead(after.value * 1000, change.test_us)))
        return {};
    return "These are times of the GPU; the host launches an iteration in %1 -> %2 (iter_time)"_text(
        ms_text(before.value * 1000), ms_text(after.value * 1000));
}

/// "the same values are on other ranks: what rank 0 did rank 3 does", or empty.
Message renumbered_text(const std::vector<std::pair<int, int>>& places) {
    constexpr std::size_t kNamed = 4;
    std::vector<Message> named;
    std::size_t moved = 0;
    for (const auto& [before, after] : places)
        if (before != after && ++moved <= kNamed)
            named.push_back("%1 -> %2"_text(before, after));
    if (moved == 0)
        return {};
    return moved > kNamed ? "the same values are on other ranks: %1 ..."_text(enumerated(named))
                          : "the same values are on other ranks: %1"_text(enumerated(named));
}

/// ", 5.9 % less for each token" where the iterations compute another number of them; else empty.
Message token_text(const RunAnalysis& baseline, const RunAnalysis& test, const ChangeExplanation& change) {
    const auto before = step_tokens(baseline.run().config);
    const auto after = step_tokens(test.run().config);
    if (!before || !after || before->tokens() == after->tokens())
        return {};
    const auto percent = percent_change(change.baseline_us / before->tokens(), change.test_us / after->tokens());
    if (!percent)
        return {};
    const std::string by = fmt::format("{:.1f}", std::abs(*percent));
    return std::abs(*percent) <= kSimilarPercent ? ", and as long as before for each token"_text()
           : *percent > 0                        ? ", and %1 % longer for each token"_text(by)
                                                 : ", and %1 % less for each token"_text(by);
}

/// ", which may be chance: …", or empty: by the rule that the metrics are judged by.
Message spread_text(const ComparedRuns& runs, double difference_us) {
    const auto by_number = [](const RunAnalysis& analysis) { return find_metric("step_time")->by_iteration(analysis); };
    const auto interval_ms = paired_interval(by_number(runs.baseline), by_number(runs.test));
    return interval_ms && std::abs(difference_us) <= *interval_ms * 1000
               ? ", which may be chance: the 95 % interval of the change is \u00b1 %1"_text(
                     ms_text(*interval_ms * 1000))
               : Message();
}

/// Of a mean over other batches: "; ... at equal batch size it takes ...".
Message batch_text(const EqualBatches& equal) {
    const auto percent = percent_change(equal.baseline, equal.test);
    const Message change =
        percent ? Message(fmt::format("{} -> {}, {:+.1f} %", ms_text(equal.baseline * 1000), ms_text(equal.test * 1000),
                                      *percent))
                : "%1 -> %2, from nothing"_text(ms_text(equal.baseline * 1000), ms_text(equal.test * 1000));
    if (std::abs(percent.value_or(100)) <= kSimilarPercent ||
        std::abs(equal.test - equal.baseline) <= equal.interval.value_or(0))
        return "; the batches differ, and at equal batch size it takes as long as before (%1)"_text(change);
    return equal.test > equal.baseline
               ? "; the batches differ, and at equal batch size it takes longer (%1)"_text(change)
               : "; the batches differ, and at equal batch size it takes less (%1)"_text(change);
}

/// What passes between the marks of steps, where it changed by what would be told of a step: no step counts it.
Message between_steps_text(const RunAnalysis& baseline, const RunAnalysis& test) {
    const auto is_known = [](const RunAnalysis& analysis) { // two steps that follow each other are recorded
        const auto& steps = analysis.facts().by_step;
        return std::ranges::adjacent_find(steps, [](const StepFacts& a, const StepFacts& b) {
                   return b.number == a.number + 1;
               }) != steps.end();
    };
    if (!is_known(baseline) || !is_known(test))
        return {};
    const double before = baseline.facts().between_steps_ns;
    const double after = test.facts().between_steps_ns;
    if (std::abs(after - before) * 100 <= kSimilarPercent * baseline.facts().fill.step_ns)
        return {};
    return "between the marks of two steps %1 -> %2 pass, which no step counts"_text(ms_text(before / 1000),
                                                                                     ms_text(after / 1000));
}

Message why_unavailable(const RunAnalysis& baseline, const RunAnalysis& test) {
    const StepAccount& before = baseline.steps();
    const StepAccount& after = test.steps();
    for (const RunAnalysis* analysis : {&baseline, &test})
        if (!recorded(analysis->run()).times)
            return analysis == &baseline
                       ? "the log of the baseline does not say when its calls started, so that neither an iteration "
                         "nor what a transfer took is known"_text()
                       : "the log of the test does not say when its calls started, so that neither an iteration nor "
                         "what a transfer took is known"_text();
    if (before.ranks.empty())
        return "the baseline has neither steps nor GPU work"_text;
    if (after.ranks.empty())
        return "the test has neither steps nor GPU work"_text;
    return {};
}

} // namespace

double ChangeExplanation::residual_us() const {
    return std::accumulate(
        parts.begin(), parts.end(), difference_us(),
        [](double rest, const ChangePart& part) { return rest - part.difference_us(); });
}

namespace {

/// Costly faults of ranks that the findings of one run name and those of the other do not, where they go the way that
/// the iteration went: what a run by itself tells is a cause here as well.
std::vector<Message> findings_of_one_run(const CommonPart& part, const ChangeExplanation& change,
                                         const std::vector<std::pair<int, int>>& renumbered) {
    constexpr double kOfTheCost = 0.2;
    std::vector<Message> texts;
    const bool longer = change.difference_us() > 0;
    if (change.steps || !change.slow_rank.empty())
        return texts;
    const std::vector<Finding>& here = (longer ? part.test : part.baseline)->findings().list;
    const std::vector<Finding>& there = (longer ? part.baseline : part.test)->findings().list;
    for (const Finding& finding : here) {
        std::vector<int> ranks = finding.ranks; // by the numbers of the other run
        for (int& rank : ranks)
            if (const auto own = std::ranges::find(renumbered, rank,
                                                   longer ? &std::pair<int, int>::second : &std::pair<int, int>::first);
                own != renumbered.end())
                rank = longer ? own->first : own->second;
        std::ranges::sort(ranks);
        const bool known = std::ranges::any_of(there, [&](const Finding& other) {
            return other.code == finding.code && other.cause == finding.cause && other.ranks == ranks;
        });
        if (finding.hidden || finding.ranks.empty() || !finding.is_costly_fault() || known ||
            finding.cost / 1000 < kOfTheCost * std::abs(change.difference_us()))
            continue;
        texts.push_back(longer ? "found in the test only: %1"_text(finding.title.first_clause())
                               : "found in the baseline only: %1"_text(finding.title.first_clause()));
        break;
    }
    return texts;
}

/// Both runs side by side, and nothing that follows from it.
ChangeExplanation side_by_side(const CommonPart& part, const Message& why, ChangeExplanation change,
                               std::vector<Message> setup) {
    for (ChangePart& each : change.parts)
        each.cause = {};
    change.slow_rank = {};
    std::vector<Message> sentences{why, "baseline: %1"_text(outline_with_engine(outline_of(*part.baseline))),
                                   "test: %1"_text(outline_with_engine(outline_of(*part.test)))};
    if (!setup.empty())
        sentences.push_back("what else differs: %1"_text(enumerated(setup)));
    std::ranges::copy(part.sentences, std::back_inserter(sentences));
    for (const Message& sentence : sentences)
        change.sentences.push_back(sentence.as_sentence());
    change.setup = std::move(setup);
    return change;
}

} // namespace

std::vector<ChangeStep> change_steps(const ChangeExplanation& change) {
    constexpr double kLeastShown = 0.002; // of the baseline's iteration
    std::vector<ChangeStep> steps;
    if (!change.unavailable.empty())
        return steps;
    double rest = change.difference_us();
    for (const ChangePart& part : change.parts)
        if (std::abs(part.difference_us()) > kLeastShown * std::abs(change.baseline_us)) {
            steps.push_back({part.title, part.difference_us()});
            rest -= part.difference_us();
        }
    if (std::abs(rest) > 1e-9 * change.baseline_us)
        steps.push_back({"all the rest"_text(), rest});
    return steps;
}

std::vector<ChangeRow> change_rows(const ChangeExplanation& change) {
    if (!change.unavailable.empty())
        return {};
    std::vector<ChangeRow> rows{{"total", english(change.iteration), change.baseline_us, change.test_us,
                                 change.difference_us(), english(change.sentences.front())}};
    for (const ChangePart& part : change.parts)
        rows.push_back(
            {part.id, english(part.title), part.baseline_us, part.test_us, part.difference_us(), english(part.cause)});
    rows.push_back({"residual", "not explained", 0, change.residual_us(), change.residual_us(), {}});
    return rows;
}

ChangeExplanation explain_change(const RunAnalysis& baseline, const RunAnalysis& test) {
    const auto borrowed = [](const RunAnalysis& analysis) {
        return std::shared_ptr<const RunAnalysis>(std::shared_ptr<const RunAnalysis>(), &analysis);
    };
    const CommonPart part = common_part(borrowed(baseline), borrowed(test));
    return explain_change(part, comparability(*part.baseline, *part.test),
                          compare_configs(baseline.run().config, test.run().config));
}

ChangeExplanation explain_change(const CommonPart& part, const Comparability& comparability,
                                 std::span<const ConfigEntry> config) {
    count_work("explain_change");
    const RunAnalysis& baseline = *part.baseline;
    const RunAnalysis& test = *part.test;
    ChangeExplanation result;
    result.unavailable = why_unavailable(baseline, test);
    if (result.unavailable.empty())
        result.unavailable = comparability.other_iterations;
    if (!result.unavailable.empty()) {
        if (!comparability.comparable())
            result.unavailable = comparability.verdict;
        const Message why = result.unavailable;
        return side_by_side(part, why, std::move(result), setup_changes(baseline, test, comparability.inputs, config));
    }
    LeftOut left_out = left_out_ranks(baseline, test);
    const ComparedSteps compared_before(baseline, left_out.of_baseline);
    const ComparedSteps compared_after(test, left_out.of_test);
    const auto unpaired = unpaired_dimensions(compared_before.steps(), compared_after.steps());
    const StepAccount whole_before = without_dimensions(compared_before.steps(), unpaired);
    const StepAccount whole_after = without_dimensions(compared_after.steps(), unpaired);
    const auto renumbered = renumbered_ranks(whole_before, whole_after);
    const ComparedRuns runs{baseline, test, compared_before, compared_after,
                            !left_out.none_left && renumbered.empty() && comparability.comparable()};
    Explainer whole(runs, whole_before, whole_after);
    std::vector<Message> setup = setup_changes(baseline, test, comparability.inputs, config);
    if (!comparability.comparable())
        return side_by_side(part, comparability.verdict, whole.result(), std::move(setup));
    std::vector<Message> served = serving_changes(baseline, test);
    Message first = whole.what_changed(!served.empty());
    if (!setup.empty())
        first += " with %1"_text(enumerated(setup));
    first += token_text(baseline, test, whole.result());
    std::vector<Message> sentences;
    // The steps of a serving engine are of several kinds: a mean over them mixes what they compute.
    const BatchComparison batches = compare_at_equal_batches(*find_metric("step_time"), baseline, test);
    std::optional<StepSplit> split;
    if (!batches.equal)
        split = compared_split(compared_before, compared_after);
    if (split && whole.told_elsewhere(*split)) // others wait in the iterations after those in which a rank takes longer
        split.reset();
    result = whole.result();
    const auto add_common = [&] {
        // iter_time is of all ranks
        if (Message host = left_out.sentences.empty() ? host_ahead_text(baseline, test, result) : Message();
            !host.empty())
            sentences.push_back(std::move(host));
        if (Message between = between_steps_text(baseline, test); !between.empty())
            sentences.push_back(std::move(between));
        std::ranges::copy(part.sentences, std::back_inserter(sentences));
        std::ranges::move(left_out.sentences, std::back_inserter(sentences));
        if (Message places = renumbered_text(renumbered); !places.empty())
            sentences.push_back(std::move(places));
        std::ranges::move(findings_of_one_run(part, result, renumbered), std::back_inserter(sentences));
        std::ranges::move(served, std::back_inserter(sentences));
        if (!batches.not_known.empty())
            sentences.push_back(batches.not_known);
    };
    Message chance;
    if (!split && served.empty() && !whole.similar() && !whole.tells_rare_work())
        chance = spread_text(runs, result.difference_us());
    first += chance;
    if (batches.equal) { // the parts of the mean are of the other mix: the sentences of each kind tell why
        first += batch_text(*batches.equal);
        result.slow_rank = {};
        for (ChangePart& each : result.parts)
            each.cause = {};
        add_common();
        sentences.push_back(first);
    } else if (!split && !served.empty() && result.slow_rank.empty()) {
        add_common();
        sentences.push_back(first += whole.why());
        std::ranges::move(whole.details(), std::back_inserter(sentences));
    } else if (!split) {
        // Nobody is to blame for chance.
        sentences.push_back(chance.empty() ? first += whole.why() : first);
        add_common();
        std::ranges::move(whole.details(), std::back_inserter(sentences));
    } else {
        const StepAccount before = without_dimensions(compared_before.steps_of(split->differing.baseline), unpaired);
        const StepAccount after = without_dimensions(compared_after.steps_of(split->differing.test), unpaired);
        Explainer differing(runs, before, after);
        const StepAccount others_before =
            without_dimensions(compared_before.steps_of(split->others.baseline), unpaired);
        const StepAccount others_after = without_dimensions(compared_after.steps_of(split->others.test), unpaired);
        Explainer others(runs, others_before, others_after);
        result.steps = ChangedSteps{split->in_test,
                                    split->numbers,
                                    split_words(*split),
                                    differing.result().baseline_us,
                                    differing.result().test_us,
                                    others.result().baseline_us,
                                    others.result().test_us};
        const Message& words = result.steps->words;
        first += others.similar() ? ", but only %1 (%2)"_text(words, differing.change_text())
                                  : ", above all %1 (%2)"_text(words, differing.change_text());
        sentences.push_back(first += differing.why());
        if (others.similar())
            sentences.push_back("in the other steps it takes as long as before (%1)"_text(others.change_text()));
        else
            sentences.push_back((others.result().difference_us() > 0 ? "in the other steps it takes longer (%1)%2"_text
                                                                     : "in the other steps it takes less (%1)%2"_text)(
                others.change_text(), others.why()));
        add_common();
        for (const Message& text : differing.details())
            sentences.push_back("%1: %2"_text(words, text));
        result.slow_rank = differing.result().slow_rank;
        for (ChangePart& each : result.parts) {
            const auto& own = differing.result().parts;
            const auto same = std::ranges::find(own, each.id, &ChangePart::id);
            each.cause = same == own.end() || same->cause.empty() ? Message() : "%1: %2"_text(words, same->cause);
        }
    }
    result.setup = std::move(setup);
    for (const Message& sentence : sentences)
        result.sentences.push_back(sentence.as_sentence());
    return result;
}

} // namespace rankscope
