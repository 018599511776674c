// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/comparability.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/base/words.h"
#include "core/compare/change_causes.h"
#include "core/compare/engine_name.h"
#include "core/trace/recorded.h"
#include "core/trace/step_ends.h"

namespace rankscope {
namespace {

// Of 120 pairs of public traces, those of one job have 58 % or more in common, most of other jobs below 30 %, related
// ones (two recommenders) 40 to 80 %. To refuse is worse than to compare what tells little.
constexpr double kSameWorkPercent = 45;
constexpr std::size_t kLeastKernels = 5; ///< names, of either run: fewer tell nothing
constexpr std::size_t kManyKernels = 10; ///< of one run, where the other has fewer than kLeastKernels
constexpr std::size_t kLeastOperators = 20;

using Totals = std::map<std::string, NameTotal>;

Totals of_device(const NameTotals& names, DiffDevice device) {
    Totals totals;
    for (const auto& [key, total] : names)
        if (key.first == device) {
            totals[key.second].count += total.count;
            totals[key.second].time_us += total.time_us;
        }
    return totals;
}

double time_of(const Totals& totals) {
    double sum = 0;
    for (const auto& [name, total] : totals)
        sum += total.time_us;
    return sum;
}

/// How many calls of the test there are to one of the baseline, by the time they take: longer recordings have more.
double calls_ratio(const Totals& baseline, const Totals& test, double of_baseline, double of_test) {
    std::vector<std::pair<double, double>> ratios; // and their weight
    for (const auto& [name, before] : baseline)
        if (const auto after = test.find(name); after != test.end()) {
            const double weight = std::min(before.time_us / of_baseline, after->second.time_us / of_test);
            ratios.emplace_back(after->second.count / before.count, weight);
        }
    return ratios.empty() ? 1 : weighted_median(std::move(ratios));
}

/// Time of names that both have, and of these no more than as many calls as the other has, percent: the smaller of both
/// sides.
std::optional<double> in_common(const Totals& baseline, const Totals& test, std::size_t least) {
    const double of_baseline = time_of(baseline);
    const double of_test = time_of(test);
    if (baseline.size() < least || test.size() < least || of_baseline <= 0 || of_test <= 0)
        return {};
    const double ratio = calls_ratio(baseline, test, of_baseline, of_test);
    double before_us = 0;
    double after_us = 0;
    for (const auto& [name, before] : baseline)
        if (const auto after = test.find(name); after != test.end()) {
            const double more = after->second.count / before.count / ratio;
            before_us += before.time_us * std::min(1.0, more);
            after_us += after->second.time_us * std::min(1.0, 1 / more);
        }
    return 100 * std::min(before_us / of_baseline, after_us / of_test);
}

/// All ranks of the run lack GPU work that their hosts launched.
bool lost_all(const RunAnalysis& analysis) {
    std::size_t lost = 0;
    for (const UnjudgedRanks& some : analysis.unjudged_ranks())
        if (some.why == UnjudgedRanks::Why::lost_work)
            lost += some.ranks.size();
    return lost > 0 && lost == analysis.run().ranks.size();
}

std::string percent_text(double percent) { return fmt::format("{:.0f}", percent); }

/// One step of a serving engine is no series of steps.
Message steps_word(const RunAnalysis& analysis) {
    const StepAccount::Unit unit = analysis.steps().unit;
    const bool of_engine =
        std::ranges::any_of(analysis.served_steps(), [](const auto& steps) { return !steps.empty(); });
    return unit == StepAccount::Unit::profiler_steps ? "steps with names"_text()
           : unit == StepAccount::Unit::inferred     ? "steps that are told by what repeats"_text()
           : of_engine                               ? "one step of its engine"_text()
                                                     : "no steps"_text();
}

bool of_serving_engine(const RunAnalysis& analysis) {
    return std::ranges::any_of(
        analysis.run().ranks, [](const auto& rank) { return has_engine_steps(*rank); });
}

std::vector<const RankTrace*> traces_of(const RunAnalysis& analysis) {
    std::vector<const RankTrace*> traces;
    for (const RankAnalysis& rank : analysis.ranks())
        traces.push_back(rank.trace);
    return traces;
}

} // namespace

WorkProfile work_profile(const RunAnalysis& analysis) {
    const StringTable& names = *analysis.run().names;
    WorkProfile profile;
    const auto add = [&](DiffDevice device, std::string name, double count, TimeNs time) {
        NameTotal& total = profile.names[{device, std::move(name)}];
        total.count += count;
        total.time_us += static_cast<double>(time) / 1000;
    };
    for (const auto& table : analysis.kernel_tables())
        for (const KernelStatistics& kernel : table)
            if (kernel.kernel_class == KernelClass::compute)
                add(DiffDevice::gpu, shortened_name(names.view(kernel.name)), static_cast<double>(kernel.count),
                    kernel.total);
    std::vector<std::pair<std::int64_t, TimeNs>> operators(names.size());
    for (const RankAnalysis& rank : analysis.ranks()) {
        const EventTable& events = rank.trace->events;
        for (EventIndex i = events.gpu_count; i < events.size(); ++i)
            if (events.kind[i] == EventKind::cpu_op) {
                ++operators[events.name[i]].first;
                operators[events.name[i]].second += events.duration[i];
            }
    }
    for (NameId name = 0; name < operators.size(); ++name)
        if (const auto& [count, time] = operators[name]; count > 0)
            add(DiffDevice::cpu, std::string(names.view(name)), static_cast<double>(count), time);
    return profile;
}

Comparability compare_work(const WorkProfile& baseline, const WorkProfile& test) {
    const auto common = [&](DiffDevice device, std::size_t least) {
        return in_common(of_device(baseline.names, device), of_device(test.names, device), least);
    };
    Comparability result{common(DiffDevice::gpu, kLeastKernels), common(DiffDevice::cpu, kLeastOperators), {}};
    const auto& kernels = result.kernel_time_percent;
    const auto& operators = result.operator_time_percent;
    // Of few names a share tells nothing, but that none is the same does, where a run has many.
    const bool many_in_one = std::max(of_device(baseline.names, DiffDevice::gpu).size(),
                                      of_device(test.names, DiffDevice::gpu).size()) >= kManyKernels;
    if (!kernels && (operators ? operators == 0.0 : many_in_one) && common(DiffDevice::gpu, 1) == 0.0) {
        result.verdict = operators ? "not the same work: no kernel and no operator in common"_text()
                                   : "not the same work: no kernel in common"_text();
        return result;
    }
    if (!kernels || *kernels >= kSameWorkPercent || operators.value_or(0) >= kSameWorkPercent)
        return result;
    result.verdict = operators ? "not the same work: %1 % of kernel time and %2 % of operator time in common"_text(
                                     percent_text(*kernels), percent_text(*operators))
                               : "not the same work: %1 % of kernel time in common"_text(percent_text(*kernels));
    return result;
}

bool do_same_work(const WorkProfile& a, const WorkProfile& b) {
    const Comparability known = compare_work(a, b);
    if (known.kernel_time_percent || !known.comparable())
        return known.comparable();
    const auto of_few = in_common(of_device(a.names, DiffDevice::gpu), of_device(b.names, DiffDevice::gpu), 1);
    return !of_few || *of_few >= kSameWorkPercent; // a run may have no kernels, as an operation timeline
}

Comparability comparability(const RunAnalysis& baseline, const RunAnalysis& test) {
    Comparability result = compare_work(work_profile(baseline), work_profile(test));
    if (lost_all(test) && !lost_all(baseline))
        result.verdict = "the test lacks GPU work that its hosts launched: what it takes is not known"_text();
    else if (lost_all(baseline) && !lost_all(test))
        result.verdict = "the baseline lacks GPU work that its hosts launched: what it takes is not known"_text();
    if (test.ends_early())
        result.verdict = "what was recorded of the test ends early: what it takes is not known"_text();
    else if (baseline.ends_early())
        result.verdict = "what was recorded of the baseline ends early: what it takes is not known"_text();
    if (const auto before = baseline.steps().unit, after = test.steps().unit;
        before != after && !baseline.steps().ranks.empty() && !test.steps().ranks.empty())
        result.other_iterations =
            "an iteration of one run is not one of the other: the baseline has %1, the test %2; what depends on where "
            "an iteration ends is not to be compared"_text(steps_word(baseline), steps_word(test));
    result.inputs = compare_input_sizes(traces_of(baseline), traces_of(test));
    if (!result.comparable() || !split_alike(baseline, test) || of_serving_engine(baseline) || of_serving_engine(test))
        result.inputs.differ = {};
    return result;
}

namespace {

/// The mean step of each of several jobs side by side.
std::vector<double> job_steps_ms(const Run& run, const StepAccount& account) {
    std::map<int, std::vector<double>> by_job;
    for (const RankSteps& rank : account.ranks)
        if (const RankTrace* const trace = run.rank(rank.rank); trace != nullptr && trace->job > 0)
            by_job[trace->job].push_back(rank.mean.wall / 1e6);
    std::vector<double> steps;
    for (const auto& [job, of_ranks] : by_job)
        steps.push_back(std::accumulate(of_ranks.begin(), of_ranks.end(), 0.0) / static_cast<double>(of_ranks.size()));
    return steps;
}

} // namespace

RunOutline outline_of(const RunAnalysis& analysis) {
    const StepAccount& account = analysis.judged().steps();
    RunOutline outline;
    outline.ranks = analysis.run().ranks.size();
    outline.world_size = analysis.run().world_size;
    outline.recorded_ms = static_cast<double>(analysis.length()) / 1e6;
    outline.gpu = account.gpu;
    outline.marked = steps_are_marked(analysis.run());
    outline.repetitions = account.unit == StepAccount::Unit::inferred;
    for (const auto& steps : analysis.served_steps())
        outline.engine_steps = std::max(outline.engine_steps, steps.size());
    outline.engine = engine_name(analysis.run());
    if (account.unit == StepAccount::Unit::window)
        return outline;
    for (const RankSteps& rank : account.ranks)
        outline.steps = std::max(outline.steps, rank.steps);
    outline.ends_early = analysis.ends_early();
    outline.step_ms = account.mean.wall / 1e6;
    outline.job_steps_ms = job_steps_ms(analysis.run(), account);
    return outline;
}

Message outline_with_engine(const RunOutline& outline) {
    Message text = outline_words(outline);
    if (!outline.engine.empty())
        text += ", %1"_text(terminal_safe(outline.engine));
    return text;
}

Message outline_words(const RunOutline& outline) {
    Message text =
        outline.steps > 0 && outline.ends_early
            ? plural(outline.steps, "%1 step begun"_one, "%1 steps begun"_many)(outline.steps)
        : outline.steps > 0 && outline.repetitions
            ? plural(outline.steps, "%1 repetition of %2"_one,
                     "%1 repetitions, %2 each on mean,"_many)(outline.steps, ms_text(outline.step_ms * 1000))
        : outline.steps == 0 && outline.engine_steps > 0 ? plural(outline.engine_steps, "%1 step of the engine"_one,
                                                                  "%1 steps of the engine"_many)(outline.engine_steps)
        : outline.steps > 0                              ? plural(outline.steps, "%1 step of %2"_one,
                                                                  "%1 steps, %2 on average,"_many)(outline.steps, ms_text(outline.step_ms * 1000))
        : outline.marked                                 ? "no step that is whole"_text()
                                                         : "no steps known"_text();
    text += plural(outline.ranks, " on %1 rank"_one, " on %1 ranks"_many)(outline.ranks);
    if (outline.job_steps_ms.size() > 1) {
        std::vector<Message> steps;
        for (const double step_ms : outline.job_steps_ms)
            steps.push_back(ms_text(step_ms * 1000));
        text += " of %1 jobs side by side (a step takes %2)"_text(steps.size(), enumerated(steps));
    }
    if (!outline.gpu.empty())
        text += " of %1"_text(terminal_safe(outline.gpu));
    constexpr double kSeconds = 10'000; // ms; from there on they are easier to read
    text += ", %1 recorded"_text(outline.recorded_ms < kSeconds ? ms_text(outline.recorded_ms * 1000)
                                                                : time_words(outline.recorded_ms * 1e6));
    return text;
}

} // namespace rankscope
