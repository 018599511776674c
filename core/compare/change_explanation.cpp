// SPDX-License-Identifier: GPL-3.0-or-later
// The change of an iteration's time, part by part and in words.
#include "core/compare/change_explanation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/serving/serving_words.h"
#include "core/analysis/steps/step_windows.h"
#include "core/base/work_count.h"
#include "core/compare/change_causes.h"
#include "core/compare/metric_comparison.h"
#include "core/metrics/catalogue.h"

namespace rankscope {
namespace {

constexpr double kWorthTelling = 0.01; ///< of the change, or, where there is none to speak of, of the iteration

class Explainer {
public:
    Explainer(const RunAnalysis& baseline, const RunAnalysis& test)
        : baseline_(baseline), test_(test), before_(baseline.steps()), after_(test.steps()) {}

    ChangeExplanation explain() {
        if (before_.ranks.empty() || after_.ranks.empty()) {
            result_.unavailable =
                fmt::format("the {} has neither steps nor GPU work", before_.ranks.empty() ? "baseline" : "test");
            return result_;
        }
        if (before_.unit != after_.unit) {
            result_.unavailable = "iterations of one run are not those of the other: " + unit_word(before_.unit) +
                                  ", " + unit_word(after_.unit);
            return result_;
        }
        result_.iteration = unit_word(before_.unit);
        result_.baseline_us = before_.mean.wall / 1000;
        result_.test_us = after_.mean.wall / 1000;
        add_parts();
        result_.setup = setup_changes(before_, after_);
        result_.slow_rank = similar() ? "" : slow_rank_cause(before_, after_);
        std::ranges::stable_sort(result_.parts, std::greater<>(),
                                 [](const ChangePart& part) { return std::abs(part.difference_us()); });
        for (ChangePart& part : result_.parts)
            if (!worth_telling(part.difference_us()))
                part.cause.clear();
        say();
        return std::move(result_);
    }

private:
    static std::string unit_word(StepAccount::Unit unit) {
        return unit == StepAccount::Unit::profiler_steps ? "iteration"
               : unit == StepAccount::Unit::inferred     ? "iteration (inferred)"
                                                         : "recorded window";
    }

    /// A host that runs ahead of its GPU launches an iteration in another time than the GPU takes for it.
    [[nodiscard]] std::string host_ahead_text() const {
        if (before_.unit == StepAccount::Unit::window)
            return {};
        const MetricResult before = find_metric("iter_time")->compute(baseline_);
        const MetricResult after = find_metric("iter_time")->compute(test_);
        if (!before.available || !after.available ||
            (!host_runs_ahead(before.value * 1000, result_.baseline_us) &&
             !host_runs_ahead(after.value * 1000, result_.test_us)))
            return {};
        return fmt::format("That is what the GPU takes; the host launches an iteration in {} -> {} (iter_time).",
                           ms_text(before.value * 1000), ms_text(after.value * 1000));
    }

    [[nodiscard]] bool similar() const {
        return std::abs(percent_change(result_.baseline_us, result_.test_us).value_or(0)) <= kSimilarPercent;
    }
    [[nodiscard]] bool worth_telling(double difference_us) const {
        // Of an iteration that hardly changed only what cancels out.
        return std::abs(difference_us) >
               kWorthTelling * (similar() ? result_.baseline_us : std::abs(result_.difference_us()));
    }

    void add_part(std::string id, std::string title, double before_ns, double after_ns, std::string cause) {
        if (before_ns != 0 || after_ns != 0)
            result_.parts.push_back(
                {std::move(id), std::move(title), before_ns / 1000, after_ns / 1000, std::move(cause)});
    }

    void add_parts() {
        const StepTimes& a = before_.mean;
        const StepTimes& b = after_.mean;
        add_part("compute", "computation", a.compute, b.compute, compute_cause(baseline_, test_, before_, after_));
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
                 late_ranks_cause(before_, after_));
        const auto pp = static_cast<std::size_t>(ParallelDimension::pp);
        add_part("bubble", "pipeline bubble", a.wait[pp], b.wait[pp], bubble_cause(before_, after_));
        add_part("copies", "copies in the open", a.copies, b.copies, {});
        add_part("launch", "gaps before launched work begins", a.launch, b.launch, {});
        add_part("host", "GPU idle until the host launches", a.host, b.host,
                 host_cause(baseline_, test_, before_, after_));
    }

    [[nodiscard]] std::string change_text() const {
        const auto percent = percent_change(result_.baseline_us, result_.test_us);
        return fmt::format("{} -> {}, {}", ms_text(result_.baseline_us), ms_text(result_.test_us),
                           percent ? fmt::format("{:+.1f} %", *percent) : "from nothing");
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

    void say() {
        const std::string noun = before_.unit == StepAccount::Unit::window ? "The recorded window" : "An iteration";
        std::string first = similar()
                                ? fmt::format("{} takes as long as before ({})", noun, change_text())
                                : fmt::format("{} takes {} {} ({})", noun, ms_text(std::abs(result_.difference_us())),
                                              result_.difference_us() > 0 ? "longer" : "less", change_text());
        if (!result_.setup.empty())
            first += fmt::format(" with {}", fmt::join(result_.setup, ", "));
        const ChangePart* leading = leading_part();
        if (!result_.slow_rank.empty())
            first += ": " + result_.slow_rank;
        else if (!similar() && leading != nullptr)
            first += ": " + part_text(*leading);
        result_.sentences.push_back(first + ".");
        if (std::string host = host_ahead_text(); !host.empty())
            result_.sentences.push_back(std::move(host));
        // The steps of a serving engine are of several kinds: a mean over them mixes what they compute.
        for (std::string& sentence : serving_changes(baseline_.served_steps(), test_.served_steps()))
            result_.sentences.push_back(std::move(sentence));
        for (const ChangePart& part : result_.parts)
            if (worth_telling(part.difference_us()) && (&part != leading || similar() || !result_.slow_rank.empty()))
                result_.sentences.push_back(part_text(part) + ".");
        for (std::string& sentence : result_.sentences)
            if (sentence[0] >= 'a' && sentence[0] <= 'z')
                sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
        if (worth_telling(result_.residual_us()))
            result_.sentences.push_back(fmt::format("Not explained: {:+.3f} ms.", result_.residual_us() / 1000));
    }

    const RunAnalysis& baseline_;
    const RunAnalysis& test_;
    const StepAccount& before_;
    const StepAccount& after_;
    ChangeExplanation result_;
};

} // namespace

double ChangeExplanation::residual_us() const {
    return std::accumulate(
        parts.begin(), parts.end(), difference_us(),
        [](double rest, const ChangePart& part) { return rest - part.difference_us(); });
}

ChangeExplanation explain_change(const RunAnalysis& baseline, const RunAnalysis& test) {
    count_work("explain_change");
    return Explainer(baseline, test).explain();
}

} // namespace rankscope
