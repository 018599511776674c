// SPDX-License-Identifier: GPL-3.0-or-later
// The change of an iteration's time, part by part and in words.
#include "core/compare/change_explanation.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/steps/step_windows.h"
#include "core/base/work_count.h"
#include "core/compare/change_causes.h"
#include "core/compare/metric_comparison.h"
#include "core/compare/moved_ranks.h"
#include "core/compare/serving_comparison.h"
#include "core/compare/step_split.h"
#include "core/metrics/catalogue.h"
#include "core/metrics/iteration_values.h"
#include "core/metrics/workload.h"
#include "core/trace/recorded.h"

namespace rankscope {
namespace {

constexpr double kWorthTelling = 0.01;   ///< of the change, or, where there is none to speak of, of the iteration
constexpr double kOfAnIteration = 0.001; ///< at least
constexpr double kOfTheChange = 0.5;     ///< ranks that account for that much are told first
constexpr double kNamedRanks = 0.1;      ///< of the change: worth a sentence

std::string unit_word(StepAccount::Unit unit) {
    return unit == StepAccount::Unit::profiler_steps ? "iteration"
           : unit == StepAccount::Unit::inferred     ? "iteration (inferred)"
                                                     : "recorded window";
}

/// What the recordings of both runs hold, in words.
struct Wording {
    bool window = false;          ///< no iterations are known
    bool host = true;             ///< launches, or what the host does
    std::string_view computation; ///< what computes
    std::string_view idle;        ///< title of the time without any work
};

Wording wording_of(const RunAnalysis& baseline, const RunAnalysis& test) {
    Wording words{baseline.steps().unit == StepAccount::Unit::window, true, "kernels",
                  "GPU idle until the host launches"};
    for (const RunAnalysis* analysis : {&baseline, &test}) {
        if (!recorded(analysis->run()).gpu_work) {
            words.host = false;
            words.idle = "time between collectives, of which nothing is recorded";
        } else if (analysis->run().source == TraceSource::operations) {
            words.host = false;
            words.computation = "operations";
            words.idle = "time between operations, of which nothing is recorded";
        }
    }
    return words;
}

/// Explains the change between some iterations of two runs, or all of them.
class Explainer {
public:
    Explainer(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before, const StepAccount& after)
        : baseline_(baseline), test_(test), before_(before), after_(after), words_(wording_of(baseline, test)) {
        result_.iteration = unit_word(before_.unit);
        result_.baseline_us = before_.mean.wall / 1000;
        result_.test_us = after_.mean.wall / 1000;
        moved_ = moved_ranks(before_, after_, similar() ? 0 : kNamedRanks * std::abs(result_.difference_us()) * 1000,
                             {own_deviation(baseline.steps()), own_deviation(test.steps())});
        add_parts();
        result_.slow_rank = slow_rank();
        std::ranges::stable_sort(result_.parts, std::greater<>(),
                                 [](const ChangePart& part) { return std::abs(part.difference_us()); });
        for (ChangePart& part : result_.parts)
            if (!worth_telling(part.difference_us()))
                part.cause.clear();
    }

    [[nodiscard]] ChangeExplanation& result() { return result_; }

    [[nodiscard]] bool similar() const {
        return std::abs(percent_change(result_.baseline_us, result_.test_us).value_or(0)) <= kSimilarPercent;
    }

    /// "18.144 ms -> 22.108 ms, +21.8 %"
    [[nodiscard]] std::string change_text() const {
        const auto percent = percent_change(result_.baseline_us, result_.test_us);
        return fmt::format("{} -> {}, {}", ms_text(result_.baseline_us), ms_text(result_.test_us),
                           percent ? fmt::format("{:+.1f} %", *percent) : "from nothing");
    }

    /// "An iteration takes 3.9 ms longer (...)".
    [[nodiscard]] std::string what_changed(std::string_view of_which) const {
        const std::string noun = fmt::format("{}{}", words_.window ? "The recorded window" : "An iteration", of_which);
        return similar() ? fmt::format("{} takes as long as before ({})", noun, change_text())
                         : fmt::format("{} takes {} {} ({})", noun, ms_text(std::abs(result_.difference_us())),
                                       result_.difference_us() > 0 ? "longer" : "less", change_text());
    }

    /// ": why", or "".
    [[nodiscard]] std::string why() const {
        if (!result_.slow_rank.empty())
            return ": " + result_.slow_rank;
        return !similar() && leading_part() != nullptr ? ": " + part_text(*leading_part()) : std::string();
    }

    /// A sentence for each thing that why() does not say; without capitals and full stops.
    [[nodiscard]] std::vector<std::string> details() const {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < moved_.size() && texts.size() < kMovedTold; ++i)
            if (!headline_.contains(i))
                texts.push_back("besides, " + text_of(moved_[i], false));
        const ChangePart* leading = leading_part();
        for (const ChangePart& part : result_.parts)
            if (worth_telling(part.difference_us()) && (&part != leading || similar() || !result_.slow_rank.empty()))
                texts.push_back(part_text(part));
        const std::string replaced =
            replaced_kernels(baseline_, test_, before_, after_, kWorthTelling * before_.mean.wall);
        const auto told = [&](const std::string& text) { return text.find(replaced) != std::string::npos; };
        if (!replaced.empty() && !told(why()) && std::ranges::none_of(texts, told))
            texts.push_back("other kernels: " + replaced);
        if (worth_telling(result_.residual_us()))
            texts.push_back(fmt::format("not explained: {:+.3f} ms", result_.residual_us() / 1000));
        return texts;
    }

private:
    static constexpr std::size_t kMovedTold = 3;

    [[nodiscard]] bool worth_telling(double difference_us) const {
        // Of an iteration that hardly changed only what cancels out.
        return std::abs(difference_us) > (similar() ? kWorthTelling * result_.baseline_us
                                                    : std::max(kWorthTelling * std::abs(result_.difference_us()),
                                                               kOfAnIteration * result_.baseline_us));
    }

    void add_part(std::string id, std::string title, double before_ns, double after_ns, std::string cause) {
        if (before_ns != 0 || after_ns != 0)
            result_.parts.push_back(
                {std::move(id), std::move(title), before_ns / 1000, after_ns / 1000, std::move(cause)});
    }

    void add_parts() {
        const StepTimes& a = before_.mean;
        const StepTimes& b = after_.mean;
        add_part("compute", "computation", a.compute, b.compute,
                 compute_cause(baseline_, test_, before_, after_, moved_));
        double late_before = 0;
        double late_after = 0;
        for (std::size_t d = 0; d < kParallelDimensionCount; ++d) {
            const auto dimension = static_cast<ParallelDimension>(d);
            const std::string_view word = parallel_dimension_word(dimension);
            add_part(fmt::format("exposed_comm.{}", word),
                     dimension == ParallelDimension::unknown ? "exposed communication"
                                                             : fmt::format("exposed {} communication", word),
                     a.transfer[d], b.transfer[d], communication_cause(before_, after_, dimension));
            if (dimension != ParallelDimension::pp) {
                late_before += a.wait[d];
                late_after += b.wait[d];
            }
        }
        add_part("late_ranks", "waiting for ranks that come late to collectives", late_before, late_after,
                 late_ranks_cause(before_, after_, late_after - late_before));
        const auto pp = static_cast<std::size_t>(ParallelDimension::pp);
        add_part("bubble", "pipeline bubble", a.wait[pp], b.wait[pp], bubble_cause(before_, after_));
        add_part("copies", "copies in the open", a.copies, b.copies, {});
        add_part("launch", "gaps before launched work begins", a.launch, b.launch, {});
        add_part("host", std::string(words_.idle), a.host, b.host,
                 host_cause(baseline_, test_, before_, after_, moved_));
    }

    [[nodiscard]] MovedWords moved_words() const {
        return {words_.host, words_.computation, words_.window ? "in the recorded window" : "an iteration", true, {}};
    }
    [[nodiscard]] std::string text_of(const MovedRanks& moved, bool waited_for = true) const {
        MovedWords words = moved_words();
        words.waited_for = waited_for;
        if (moved.part == MovedRanks::Part::host)
            words.cause = loading_cause(baseline_, test_, before_, after_, moved.ranks, moved.excess);
        return moved_text(moved, words);
    }

    /// Ranks by which the others' waiting changed: all that moved the way of the iteration by half of that at least;
    /// of an iteration that hardly changed those that took each other's place.
    std::string slow_rank() {
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
            return turns_text(*turns, moved_words());
        } else {
            for (std::size_t i = 0; i < moved_.size(); ++i)
                if (moved_[i].excess / change >= kOfTheChange)
                    headline_.insert(i);
        }
        std::string text;
        for (const std::size_t i : headline_)
            text += (text.empty() ? "" : "; ") + text_of(moved_[i]);
        return text;
    }

    [[nodiscard]] static std::string part_text(const ChangePart& part) {
        return fmt::format("{} {:+.3f} ms ({} -> {}){}{}", part.title, part.difference_us() / 1000,
                           ms_text(part.baseline_us), ms_text(part.test_us), part.cause.empty() ? "" : ": ",
                           part.cause);
    }

    /// Of the parts that went the way the iteration went the largest.
    [[nodiscard]] const ChangePart* leading_part() const {
        const auto found = std::ranges::find_if(result_.parts, [&](const ChangePart& part) {
            return part.difference_us() != 0 && (part.difference_us() > 0) == (result_.difference_us() > 0);
        });
        return found == result_.parts.end() ? nullptr : &*found;
    }

    const RunAnalysis& baseline_;
    const RunAnalysis& test_;
    const StepAccount& before_;
    const StepAccount& after_;
    Wording words_;
    std::vector<MovedRanks> moved_;
    std::set<std::size_t> headline_; ///< indices of moved_
    ChangeExplanation result_;
};

/// A host that runs ahead of its GPU launches an iteration in another time than the GPU takes for it.
std::string host_ahead_text(const RunAnalysis& baseline, const RunAnalysis& test, const ChangeExplanation& change) {
    if (baseline.steps().unit == StepAccount::Unit::window)
        return {};
    const MetricResult before = find_metric("iter_time")->compute(baseline);
    const MetricResult after = find_metric("iter_time")->compute(test);
    if (!before.available || !after.available ||
        (!host_runs_ahead(before.value * 1000, change.baseline_us) &&
         !host_runs_ahead(after.value * 1000, change.test_us)))
        return {};
    return fmt::format("That is what the GPU takes; the host launches an iteration in {} -> {} (iter_time)",
                       ms_text(before.value * 1000), ms_text(after.value * 1000));
}

/// ", 5.9 % less for each token" where the iterations compute another number of them; else "".
std::string token_text(const RunAnalysis& baseline, const RunAnalysis& test, const ChangeExplanation& change) {
    const auto before = step_tokens(baseline.run().config);
    const auto after = step_tokens(test.run().config);
    if (!before || !after || before->tokens() == after->tokens())
        return {};
    const auto percent = percent_change(change.baseline_us / before->tokens(), change.test_us / after->tokens());
    if (!percent)
        return {};
    return std::abs(*percent) <= kSimilarPercent
               ? ", and as long as before for each token"
               : fmt::format(", and {:.1f} % {} for each token", std::abs(*percent), *percent > 0 ? "longer" : "less");
}

/// ", which is within what iterations of one run vary by (3.1 ms)", or "".
std::string spread_text(const RunAnalysis& baseline, const RunAnalysis& test, double difference_us) {
    const std::vector<double> before = iterations_of_all(baseline.steps());
    const std::vector<double> after = iterations_of_all(test.steps());
    if (before.empty() || after.empty())
        return {};
    double spread = std::max(deviation_around_levels(before), deviation_around_levels(after)) / 1000;
    if (before.size() == after.size()) { // what both runs do at the same place is no noise
        std::vector<double> differences;
        for (std::size_t i = 0; i < before.size(); ++i)
            differences.push_back(after[i] - before[i]);
        spread = std::min(spread, deviation_around_levels(differences) / 1000);
    }
    return std::abs(difference_us) <= spread
               ? fmt::format(", which is within what the iterations of one run vary by ({})", ms_text(spread))
               : std::string();
}

std::string why_unavailable(const RunAnalysis& baseline, const RunAnalysis& test) {
    const StepAccount& before = baseline.steps();
    const StepAccount& after = test.steps();
    for (const RunAnalysis* analysis : {&baseline, &test})
        if (!recorded(analysis->run()).times)
            return fmt::format(
                "the log of the {} does not say when its calls started, so that neither an iteration nor "
                "what a transfer took is known",
                analysis == &baseline ? "baseline" : "test");
    if (before.ranks.empty() || after.ranks.empty())
        return fmt::format("the {} has neither steps nor GPU work", before.ranks.empty() ? "baseline" : "test");
    if (before.unit != after.unit)
        return "iterations of one run are not those of the other: " + unit_word(before.unit) + ", " +
               unit_word(after.unit);
    return {};
}

void finish(std::vector<std::string>& sentences) {
    for (std::string& sentence : sentences) {
        if (sentence[0] >= 'a' && sentence[0] <= 'z')
            sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
        if (!sentence.ends_with('.'))
            sentence += '.';
    }
}

} // namespace

double ChangeExplanation::residual_us() const {
    return std::accumulate(
        parts.begin(), parts.end(), difference_us(),
        [](double rest, const ChangePart& part) { return rest - part.difference_us(); });
}

ChangeExplanation explain_change(const RunAnalysis& baseline, const RunAnalysis& test) {
    return explain_change(baseline, test, compare_configs(baseline.run().config, test.run().config));
}

ChangeExplanation explain_change(const RunAnalysis& baseline, const RunAnalysis& test,
                                 std::span<const ConfigEntry> config) {
    count_work("explain_change");
    ChangeExplanation result;
    result.unavailable = why_unavailable(baseline, test);
    if (!result.unavailable.empty())
        return result;
    Explainer whole(baseline, test, baseline.steps(), test.steps());
    std::vector<std::string> setup = setup_changes(baseline.steps(), test.steps(), config);
    std::vector<std::string> served = serving_changes(baseline, test);
    std::string first = whole.what_changed(served.empty() ? "" : ", the mean of all kinds of steps,");
    if (!setup.empty())
        first += fmt::format(" with {}", fmt::join(setup, ", "));
    first += token_text(baseline, test, whole.result());
    std::vector<std::string> sentences;
    // The steps of a serving engine are of several kinds: a mean over them mixes what they compute.
    const auto split = served.empty() ? split_steps(baseline.steps(), test.steps()) : std::nullopt;
    result = whole.result();
    const auto add_common = [&] {
        if (std::string host = host_ahead_text(baseline, test, result); !host.empty())
            sentences.push_back(std::move(host));
        std::ranges::move(served, std::back_inserter(sentences));
    };
    if (!split && served.empty() && !whole.similar())
        first += spread_text(baseline, test, result.difference_us());
    if (!split && !served.empty() && result.slow_rank.empty()) {
        add_common();
        sentences.push_back(first + whole.why());
        std::ranges::move(whole.details(), std::back_inserter(sentences));
    } else if (!split) {
        sentences.push_back(first + whole.why());
        add_common();
        std::ranges::move(whole.details(), std::back_inserter(sentences));
    } else {
        const StepAccount before = baseline.steps_of(split->differing.baseline);
        const StepAccount after = test.steps_of(split->differing.test);
        Explainer differing(baseline, test, before, after);
        const StepAccount others_before = baseline.steps_of(split->others.baseline);
        const StepAccount others_after = test.steps_of(split->others.test);
        Explainer others(baseline, test, others_before, others_after);
        result.steps = ChangedSteps{split->in_test,
                                    split->numbers,
                                    split_words(*split),
                                    differing.result().baseline_us,
                                    differing.result().test_us,
                                    others.result().baseline_us,
                                    others.result().test_us};
        sentences.push_back(fmt::format("{}, {} {} ({}){}", first, others.similar() ? "but only" : "above all",
                                        result.steps->words, differing.change_text(), differing.why()));
        sentences.push_back(
            others.similar() ? fmt::format("in the other steps it takes as long as before ({})", others.change_text())
                             : fmt::format("in the other steps it takes {} ({}){}",
                                           others.result().difference_us() > 0 ? "longer" : "less",
                                           others.change_text(), others.why()));
        add_common();
        for (const std::string& text : differing.details())
            sentences.push_back(fmt::format("{}: {}", result.steps->words, text));
        result.slow_rank = differing.result().slow_rank;
        for (ChangePart& part : result.parts) {
            const auto& own = differing.result().parts;
            const auto same = std::ranges::find(own, part.id, &ChangePart::id);
            part.cause = same == own.end() || same->cause.empty()
                             ? std::string()
                             : fmt::format("{}: {}", result.steps->words, same->cause);
        }
    }
    finish(sentences);
    result.setup = std::move(setup);
    result.sentences = std::move(sentences);
    return result;
}

} // namespace rankscope
