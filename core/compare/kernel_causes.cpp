// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernels make a difference of computation.
//   gemm takes 6.4 ms of a step and then 6.9, all others the same: "most in gemm (6.4 ms -> 6.9 ms)".
#include "core/compare/change_causes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/facts/fact_words.h"
#include "core/analysis/selection/kernel_class.h"
#include "core/base/words.h"
#include "core/compare/cause_words.h"
#include "core/compare/kernel_comparison.h"
#include "core/compare/new_work.h"
#include "core/compare/rank_causes.h"

namespace rankscope {

using namespace cause_words;

namespace {

/// Names of the largest, what they take together.
struct KernelsOfOneRun {
    std::vector<std::string> names;
    double us = 0;
    /// other: a name that may start alike.
    [[nodiscard]] Message text(const std::string& other) const {
        constexpr std::size_t kNamed = 2;
        std::vector<Message> named;
        for (std::size_t i = 0; i < std::min(kNamed, names.size()); ++i)
            named.emplace_back(name_apart(names[i], i == 0 ? other : names.front()));
        return "%1 (%2)"_text(names.size() > kNamed ? "%1 and %2 more"_text(enumerated(named), names.size() - kNamed)
                                                    : listed(named, "%1 and %2"_text),
                              ms_text(us));
    }
};

/// Kernels of one run only, by the time they take.
struct ReplacedKernels {
    KernelsOfOneRun added, gone;
    [[nodiscard]] double net_us() const { return added.us - gone.us; }
    /// They take similar times: the ones may do what the others did.
    [[nodiscard]] bool both() const {
        constexpr double kSimilarTimes = 0.2;
        return std::min(added.us, gone.us) > kSimilarTimes * std::max(added.us, gone.us);
    }
    [[nodiscard]] Message text() const {
        return "%1 in place of %2"_text(added.text(gone.names.front()), gone.text(added.names.front()));
    }
};

ReplacedKernels replaced_of(const std::vector<OperatorChange>& changes) {
    ReplacedKernels replaced;
    for (const OperatorChange& change : changes) { // largest first
        if (change.status == OperatorStatus::added) {
            replaced.added.names.push_back(change.test_name);
            replaced.added.us += change.test.time_us;
        } else if (change.status == OperatorStatus::removed) {
            replaced.gone.names.push_back(change.name);
            replaced.gone.us += change.baseline.time_us;
        }
    }
    return replaced;
}

std::vector<OperatorChange> kernel_changes(const RunAnalysis& baseline, const RunAnalysis& test,
                                           const StepAccount& before, const StepAccount& after) {
    return compare_operators(compute_totals_per_step(baseline, before), compute_totals_per_step(test, after));
}

/// Kernels of one kind, us an iteration.
struct KindTimes {
    double baseline = 0;
    double test = 0;
    bool renamed = false; ///< some names are of one run only
};

/// The kind whose kernels account for most of a change, where some of them have a name of one run only: names of both
/// runs do not tell of that kind.
Message leading_kind(const std::vector<OperatorChange>& changes, double sign, double least) {
    std::map<ComputeKind, KindTimes> kinds;
    for (const OperatorChange& change : changes) {
        const bool in_test = change.test.count > 0;
        KindTimes& kind = kinds[compute_kind(in_test ? change.test_name : change.name)];
        kind.baseline += change.baseline.time_us;
        kind.test += change.test.time_us;
        kind.renamed = kind.renamed || !in_test || change.baseline.count == 0;
    }
    const auto gain = [&](const auto& entry) { return sign * (entry.second.test - entry.second.baseline); };
    const auto most = std::ranges::max_element(kinds, {}, gain);
    if (most == kinds.end() || !most->second.renamed || gain(*most) <= least)
        return {};
    const auto& [kind, times] = *most;
    return "most in %1 kernels (%2 -> %3), some of which only one run has"_text(
        kernel_kind_words(compute_kind_word(kind)), ms_text(times.baseline), ms_text(times.test));
}

bool inputs_recorded(const RunAnalysis& analysis) {
    return std::ranges::any_of(
        analysis.run().ranks, [](const auto& rank) { return !rank->operator_inputs.empty(); });
}

} // namespace

Message leading_kernel(const std::vector<OperatorChange>& changes, bool more, bool of_both) {
    const double sign = more ? 1 : -1;
    const ReplacedKernels replaced = replaced_of(changes);
    const auto gain = [&](const OperatorChange& change) {
        const bool one_run = change.baseline.count == 0 || change.test.count == 0;
        return (of_both || replaced.both()) && one_run ? 0 : sign * (change.test.time_us - change.baseline.time_us);
    };
    const auto most = std::ranges::max_element(changes, std::less<>(), gain);
    const double largest = most == changes.end() ? 0 : gain(*most);
    if (replaced.both() && sign * replaced.net_us() > largest)
        return "most by %1"_text(replaced.text());
    if (of_both)
        if (Message kind = leading_kind(changes, sign, std::max(0.0, largest)); !kind.empty())
            return kind;
    if (largest <= 0)
        return {};
    const auto each = [](const NameTotal& total) {
        return total.count > 0 ? Message(ms_text(total.time_us)) : "none"_text();
    };
    return "most in %1 (%2 -> %3)"_text(shown_name(most->test.count > 0 ? most->test_name : most->name),
                                        each(most->baseline), each(most->test));
}

Message compute_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                      const StepAccount& after, std::span<const MovedRanks> moved) {
    if (before.compute_kernels == 0 || after.compute_kernels == 0)
        return before.compute_kernels == after.compute_kernels ? Message() : "only one run computes on the GPU"_text();
    const std::array<Factor, 2> factors{
        {{before.compute_kernels, after.compute_kernels},
         {before.mean.compute / before.compute_kernels, after.mean.compute / after.compute_kernels}}};
    const double change = after.mean.compute - before.mean.compute;
    const std::vector<OperatorChange> kernels = kernel_changes(baseline, test, before, after);
    if (Message fresh = another_gpu(before, after) ? Message() : new_work_cause(baseline, test, kernels, change / 1000);
        !fresh.empty())
        return fresh;
    const auto leading = leading_factor(factors, change);
    if (!leading)
        return {};
    if (*leading == 0)
        return "%1 times as many kernels (%2 -> %3 an iteration)"_text(ratio_text(factors[0].baseline, factors[0].test),
                                                                       count_text(factors[0].baseline),
                                                                       count_text(factors[0].test));
    if (Message own =
            by_moved_ranks(moved, MovedRanks::Part::kernels, change * static_cast<double>(after.ranks.size()));
        !own.empty())
        return own;
    if (std::abs(factors[1].test / factors[1].baseline - 1) < kSameRatio)
        return {};
    const std::string ratio = ratio_text(factors[1].baseline, factors[1].test);
    // Another GPU changes all kernels: one of them is no cause.
    return another_gpu(before, after)
               ? inputs_recorded(baseline) && inputs_recorded(test)
                     ? "kernels take %1 times as long on average on the other GPU"_text(ratio)
                     : "kernels take %1 times as long on average on the other GPU, or with other inputs: the sizes of "
                       "inputs are not recorded in both runs"_text(ratio)
               : joined("kernels take %1 times as long on average"_text(ratio),
                        leading_kernel(kernels, change > 0, true));
}

Message replaced_kernels(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                         const StepAccount& after, double least) {
    const ReplacedKernels replaced = replaced_of(kernel_changes(baseline, test, before, after));
    return replaced.both() && std::min(replaced.added.us, replaced.gone.us) * 1000 >= least ? replaced.text()
                                                                                            : Message();
}

} // namespace rankscope
