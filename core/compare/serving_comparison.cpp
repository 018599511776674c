// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/serving_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>

#include <fmt/format.h>

#include "core/analysis/basics/robust_deviation.h"
#include "core/analysis/serving/serving_words.h"
#include "core/base/statistics.h"
#include "core/base/words.h"
#include "core/compare/change_causes.h"
#include "core/compare/equal_batches.h"
#include "core/compare/operator_diff.h"

namespace rankscope {
namespace {

constexpr double kSimilarStep = 0.01; ///< of a step's time

/// Pairs of a computed token and one that it attends to; kUnknown where the step does not say.
std::int64_t attended_by(const EngineStep& step) {
    std::int64_t pairs = kUnknown;
    for (const EngineBatch* batch : {&step.context, &step.generation})
        if (batch->qk != kUnknown)
            pairs = batch->qk + (pairs == kUnknown ? 0 : pairs);
    return pairs;
}

/// Selected steps of one kind with GPU work, of all ranks.
struct StepSample {
    std::vector<double> ms;
    std::vector<double> between_ms; ///< before the first work of the step
    std::array<std::vector<double>, kStepParts> parts_ms;
    double tokens = 0, with_tokens = 0;
    double attended = 0, with_attended = 0; ///< tokens that those tokens attend to

    void add(const ServedStep& step) {
        ms.push_back(static_cast<double>(step.cycle.length()) / 1e6);
        for (std::size_t p = 0; p < kStepParts; ++p)
            parts_ms[p].push_back(static_cast<double>(step.parts[p]) / 1e6);
        between_ms.push_back(static_cast<double>(step.between) / 1e6);
        if (const std::int64_t computed = step.tokens(); computed != kUnknown) {
            tokens += static_cast<double>(computed);
            ++with_tokens;
        }
        if (const std::int64_t pairs = attended_by(step.step); pairs != kUnknown) {
            attended += static_cast<double>(pairs);
            ++with_attended;
        }
    }
};

/// What one kind of step takes. The first of a capture has no step before it, so its time is of its own work alone and
/// no measure of the others.
struct StepsOfKind {
    StepSample following, first;
    StepsByBatch<BatchSize, const ServedStep*> by_batch; ///< following ones of which it is known
    [[nodiscard]] std::size_t size() const { return following.ms.size() + first.ms.size(); }
};

std::map<EnginePhase, StepsOfKind> steps_by_kind(std::span<const std::vector<ServedStep>> ranks) {
    std::map<EnginePhase, StepsOfKind> by_phase;
    for (const auto& steps : ranks)
        for (const ServedStep& step : steps) {
            if (!step.selected || step.gpu_events == 0)
                continue;
            StepsOfKind& kind = by_phase[step.step.phase];
            (step.follows ? kind.following : kind.first).add(step);
            if (const BatchSize size = batch_size(step.step); step.follows && size.known())
                kind.by_batch[size].push_back(&step);
        }
    return by_phase;
}

/// As many steps of each run at each size of the batch.
struct EqualSteps {
    StepSample before, after;
    bool several_sizes = false;
};

std::array<std::vector<double>*, kStepParts + 2> times_of(StepSample& sample) {
    std::array<std::vector<double>*, kStepParts + 2> times{&sample.ms, &sample.between_ms};
    for (std::size_t p = 0; p < kStepParts; ++p)
        times[p + 2] = &sample.parts_ms[p];
    return times;
}

double mean_time(const std::vector<double>& times) {
    return std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
}

/// Joins the sizes. How far sizes are from each other is no scatter of the steps: all times of a size are shifted by
/// what its mean in the first run is off the mean of all sizes there.
EqualSteps joined_sizes(std::vector<EqualSteps>& sizes) {
    EqualSteps all;
    all.several_sizes = sizes.size() > 1;
    for (EqualSteps& size : sizes)
        for (const auto& [own, joined] : {std::pair(&size.before, &all.before), std::pair(&size.after, &all.after)}) {
            for (std::size_t t = 0; t < times_of(*own).size(); ++t)
                times_of(*joined)[t]->insert(times_of(*joined)[t]->end(), times_of(*own)[t]->begin(),
                                             times_of(*own)[t]->end());
            joined->tokens += own->tokens;
            joined->with_tokens += own->with_tokens;
            joined->attended += own->attended;
            joined->with_attended += own->with_attended;
        }
    for (std::size_t t = 0; t < times_of(all.before).size(); ++t) {
        const double mean = mean_time(*times_of(all.before)[t]);
        std::size_t at = 0;
        for (EqualSteps& size : sizes) {
            const double shift = mean - mean_time(*times_of(size.before)[t]);
            for (std::size_t i = 0; i < size.before.ms.size(); ++i, ++at) {
                (*times_of(all.before)[t])[at] += shift;
                (*times_of(all.after)[t])[at] += shift;
            }
        }
    }
    return all;
}

/// Nothing where the runs have the same sizes equally often, or hardly one in common.
std::optional<EqualSteps> equal_steps(const StepsOfKind& a, const StepsOfKind& b) {
    constexpr std::size_t kEnough = 3; // steps
    if (!batches_differ(a.by_batch, a.following.ms.size(), b.by_batch, b.following.ms.size()))
        return {};
    std::vector<EqualSteps> sizes;
    std::size_t in_common = 0;
    for (const auto& pairs : pairs_of_equal_batches(a.by_batch, b.by_batch)) {
        in_common += pairs.size();
        EqualSteps& equal = sizes.emplace_back();
        for (const auto& [first, second] : pairs) {
            equal.before.add(*first);
            equal.after.add(*second);
        }
    }
    return in_common >= kEnough ? std::optional(joined_sizes(sizes)) : std::nullopt;
}

/// A value that stands for many, and how far chance moves it: two of its standard errors.
struct Level {
    double value = 0, doubt = 0;
};
Level mean_level(const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    double sum = 0, squares = 0;
    for (const double value : values)
        sum += value;
    for (const double value : values)
        squares += (value - sum / n) * (value - sum / n);
    return {sum / n, 2 * std::sqrt(squares / n / n)};
}
/// A pause without requests, or one step that waits, does not move it. The standard error of a median is 1.2533 of that
/// of a mean for a normal distribution.
Level median_level(const std::vector<double>& values) {
    return {middle_median(values),
            2 * 1.2533 * robust_deviation(values) / std::sqrt(static_cast<double>(values.size()))};
}
bool differ(const Level& before, const Level& after) {
    const double change = std::abs(after.value - before.value);
    return change > kSimilarStep * before.value && change > std::hypot(before.doubt, after.doubt);
}
using LevelOf = Level (*)(const std::vector<double>&);

Message steps_of(EnginePhase phase) {
    switch (phase) {
    case EnginePhase::prefill: return "Prefill steps"_text;
    case EnginePhase::decode: return "Decode steps"_text;
    case EnginePhase::mixed: return "Mixed steps"_text;
    case EnginePhase::draft: return "Draft steps"_text;
    case EnginePhase::verify: return "Verify steps"_text;
    case EnginePhase::diffusion: return "Diffusion steps"_text;
    case EnginePhase::unknown: break;
    }
    return "Steps"_text;
}

/// ", with 32 instead of 24 tokens a step" where the size of the batch changed; else what the tokens attend to, where
/// that did; else nothing.
Message batch_change(const StepSample& before, const StepSample& after) {
    const auto changed = [](double a, double b) { return a > 0 && b > 0 && std::abs(b - a) > kSimilarStep * a; };
    const auto mean = [](double sum, double count) { return count > 0 ? sum / count : 0; };
    const double a = mean(before.tokens, before.with_tokens);
    const double b = mean(after.tokens, after.with_tokens);
    if (changed(a, b))
        return ", with %1 instead of %2 tokens a step"_text(fmt::format("{:.0f}", b), fmt::format("{:.0f}", a));
    const double attended_before = mean(before.attended, before.with_attended);
    const double attended_after = mean(after.attended, after.with_attended);
    constexpr double kLonger = 5; ///< times what is similar: contexts grow with every token
    return changed(attended_before, attended_after) &&
                   std::abs(attended_after - attended_before) > kLonger * kSimilarStep * attended_before
               ? ", whose tokens attend to %1 times as many"_text(
                     fmt::format("{:.3g}", attended_after / attended_before))
               : Message();
}

/// Fewer than three steps say nothing of how much they differ among themselves.
Message few_steps(const StepSample& before, const StepSample& after) {
    if (before.ms.size() > 2 && after.ms.size() > 2)
        return {};
    return plural(after.ms.size(), ", from %1 and %2 step"_one, ", from %1 and %2 steps"_many)(before.ms.size(),
                                                                                               after.ms.size());
}

/// What the GPU does in the steps of one kind, and how it is launched: means of a step.
struct WorkOfKind {
    NameTotals kernels; ///< that compute
    double launches = 0;
    double graphs = 0; ///< launches of graphs, of those
};

std::map<EnginePhase, WorkOfKind> work_by_kind(const RunAnalysis& analysis) {
    std::map<EnginePhase, WorkOfKind> by_phase;
    std::map<EnginePhase, double> steps;
    for (std::size_t r = 0; r < analysis.ranks().size(); ++r) {
        const RankTrace& trace = *analysis.ranks()[r].trace;
        const std::vector<ServedStep>& served = analysis.served_steps()[r];
        for (const ServedStep& step : served)
            steps[step.step.phase] += step.selected && step.gpu_events > 0 ? 1 : 0;
        std::set<EventIndex> launches;
        for (const GpuSlice& slice : analysis.ranks()[r].gpu_work) {
            const EventIndex launch = trace.events.link[slice.event];
            const std::optional<std::size_t> at =
                launch == kNoEvent ? std::nullopt : step_of_launch(served, trace.events.start[launch]);
            if (!at || !served[*at].selected)
                continue;
            WorkOfKind& work = by_phase[served[*at].step.phase];
            if (launches.insert(launch).second) {
                ++work.launches;
                work.graphs += trace.event_name(launch).find("GraphLaunch") != std::string_view::npos ? 1 : 0;
            }
            if (slice.kernel_class != KernelClass::compute)
                continue;
            NameTotal& total = work.kernels[{DiffDevice::gpu, std::string(trace.event_name(slice.event))}];
            ++total.count;
            total.time_us += static_cast<double>(slice.range.length()) / 1000;
        }
    }
    for (auto& [phase, work] : by_phase) {
        const double count = std::max(1.0, steps[phase]);
        work.launches /= count;
        work.graphs /= count;
        for (auto& [name, total] : work.kernels) {
            total.count /= count;
            total.time_us /= count;
        }
    }
    return by_phase;
}

/// How the host came to be waited for: other launches, or a pause between the steps; empty where neither changed.
Message host_words(const StepSample& a, const StepSample& b, const WorkOfKind& before, const WorkOfKind& after,
                   LevelOf level_of, double moved_ms) {
    constexpr double kManyMore = 1.5;
    constexpr double kMostly = 0.7;
    const auto launches = [](const WorkOfKind& work) {
        return work.graphs >= work.launches / 2
                   ? plural(work.launches > 1 ? 2 : 1, "%1 launch of graphs"_one,
                            "%1 launches of graphs"_many)(fmt::format("{:.3g}", work.launches))
                   : "%1 launches"_text(fmt::format("{:.0f}", work.launches));
    };
    if (after.launches > kManyMore * before.launches || before.launches > kManyMore * after.launches)
        return ", with %1 a step instead of %2"_text(launches(after), launches(before));
    const double between = level_of(b.between_ms).value - level_of(a.between_ms).value;
    return between / moved_ms >= kMostly ? ", between the steps"_text() : Message();
}

/// The parts that moved the way the step did, largest first, as far as they matter, each with its cause.
Message why(const StepSample& a, const StepSample& b, const WorkOfKind& before, const WorkOfKind& after,
            LevelOf level_of, double change_ms) {
    std::vector<std::pair<double, StepPart>> parts;
    for (std::size_t p = 0; p < kStepParts; ++p) {
        const double moved = level_of(b.parts_ms[p]).value - level_of(a.parts_ms[p]).value;
        if ((moved > 0) == (change_ms > 0) && std::abs(moved) > 0.1 * std::abs(change_ms))
            parts.emplace_back(moved, static_cast<StepPart>(p));
    }
    std::ranges::sort(parts, std::greater(), [](const auto& part) { return std::abs(part.first); });
    Message words;
    for (const auto& [moved, part] : parts) {
        words += words.empty() ? ": " : "; ";
        words += Message::word(step_part_words(part));
        words += " " + signed_ms_text(moved * 1000);
        if (part == StepPart::host)
            words += host_words(a, b, before, after, level_of, moved);
        if (part == StepPart::kernels)
            if (const Message kernel = leading_kernel(compare_operators(before.kernels, after.kernels), moved > 0);
                !kernel.empty()) {
                words += ", ";
                words += kernel;
            }
    }
    return words;
}

struct StepChange {
    double cost_ms = 0; ///< over all steps of the test
    Message text;
};

/// How one kind of step changed; empty where it did not. of_several: steps of several sizes, of which one may change
/// and another not: a median tells of one of them.
std::optional<StepChange> change_of_kind(const Message& name, const StepSample& a, const StepSample& b,
                                         const WorkOfKind& work_before, const WorkOfKind& work_after,
                                         bool of_several = false) {
    for (const LevelOf level_of : {of_several ? &mean_level : &median_level, &mean_level}) {
        const Level before = level_of(a.ms);
        const Level after = level_of(b.ms);
        if (!differ(before, after))
            continue;
        const double change = after.value - before.value;
        const auto said = [&](Text<7> text) {
            return text(name, fmt::format("{:.0f}", 100 * std::abs(change) / before.value),
                        time_words(1e6 * before.value), time_words(1e6 * after.value), batch_change(a, b),
                        few_steps(a, b), why(a, b, work_before, work_after, level_of, change));
        };
        const bool mean = level_of == &mean_level;
        return StepChange{change * static_cast<double>(b.ms.size()),
                          change > 0 ? said(mean ? "%1 became %2 % slower on average (%3 -> %4%5%6)%7."_text
                                                 : "%1 became %2 % slower (%3 -> %4%5%6)%7."_text)
                                     : said(mean ? "%1 became %2 % faster on average (%3 -> %4%5%6)%7."_text
                                                 : "%1 became %2 % faster (%3 -> %4%5%6)%7."_text)};
    }
    // Something else may hide it, as a host that the GPU waits for.
    constexpr double kChangedPart = 0.05;
    for (const StepPart part : {StepPart::kernels, StepPart::communication, StepPart::copies}) {
        const Level before = median_level(a.parts_ms[static_cast<std::size_t>(part)]);
        const Level after = median_level(b.parts_ms[static_cast<std::size_t>(part)]);
        const double step = median_level(b.ms).value;
        const double change = after.value - before.value;
        if (differ(before, after) && std::abs(change) > kChangedPart * before.value &&
            std::max(before.value, after.value) > kSimilarStep * step)
            return StepChange{
                change * static_cast<double>(b.ms.size()),
                (change > 0 ? "%1 take as long as before (%2), though %3 takes longer (%4 -> %5 of it%6%7)."_text
                            : "%1 take as long as before (%2), though %3 takes less (%4 -> %5 of it%6%7)."_text)(
                    name, time_words(1e6 * step), Message::word(step_part_words(part)), time_words(1e6 * before.value),
                    time_words(1e6 * after.value), batch_change(a, b), few_steps(a, b))};
    }
    return {};
}

/// The same of runs whose batches differ: what changed at equal sizes, or that only the sizes did.
std::optional<StepChange> change_at_equal_batches(const Message& name, const EqualSteps& equal, const StepSample& a,
                                                  const StepSample& b, const WorkOfKind& work_before,
                                                  const WorkOfKind& work_after) {
    if (auto change = change_of_kind("%1 of equal batch size"_text(name), equal.before, equal.after, work_before,
                                     work_after, equal.several_sizes))
        return change;
    const Level before = mean_level(a.ms);
    const Level after = mean_level(b.ms);
    if (!differ(before, after))
        return {};
    return StepChange{
        (after.value - before.value) * static_cast<double>(b.ms.size()),
        "%1 take %2 instead of %3 on average, because their batches differ%4. At equal batch size they take as long as before%5."_text(
            name, time_words(1e6 * after.value), time_words(1e6 * before.value), batch_change(a, b),
            few_steps(equal.before, equal.after))};
}

} // namespace

std::vector<Message> serving_changes(const RunAnalysis& baseline, const RunAnalysis& test) {
    const auto before = steps_by_kind(baseline.served_steps());
    const auto after = steps_by_kind(test.served_steps());
    std::vector<Message> sentences;
    if (before.empty() || after.empty())
        return sentences;
    std::map<EnginePhase, WorkOfKind> work_before = work_by_kind(baseline);
    std::map<EnginePhase, WorkOfKind> work_after = work_by_kind(test);
    std::vector<StepChange> changes;
    double steps_before = 0, steps_after = 0;
    for (const auto& [phase, steps] : before)
        steps_before += static_cast<double>(steps.size());
    for (const auto& [phase, steps] : after)
        steps_after += static_cast<double>(steps.size());
    for (const auto& [phase, b] : after) {
        const Message name = steps_of(phase);
        const auto known = before.find(phase);
        if (known == before.end()) {
            const StepSample& steps = b.following.ms.empty() ? b.first : b.following;
            const Level typical = median_level(steps.ms);
            changes.push_back({typical.value * static_cast<double>(b.size()),
                               "%1 occur in the test only (%2 of %3, %4 each)."_text(name, b.size(),
                                                                                     fmt::format("{:.0f}", steps_after),
                                                                                     time_words(1e6 * typical.value))});
            continue;
        }
        const StepsOfKind& a = known->second;
        const bool follow = !a.following.ms.empty() && !b.following.ms.empty();
        if (!follow && (a.first.ms.empty() || b.first.ms.empty()))
            continue; // of one run only the first step of its capture is of this kind
        const auto equal = follow ? equal_steps(a, b) : std::nullopt;
        if (equal) {
            if (auto change = change_at_equal_batches(name, *equal, a.following, b.following, work_before[phase],
                                                      work_after[phase]))
                changes.push_back(std::move(*change));
        } else if (auto change = change_of_kind(name, follow ? a.following : a.first, follow ? b.following : b.first,
                                                work_before[phase], work_after[phase]))
            changes.push_back(std::move(*change));
    }
    std::ranges::stable_sort(changes, std::greater(), [](const StepChange& c) { return std::abs(c.cost_ms); });
    for (StepChange& change : changes)
        sentences.push_back(std::move(change.text));
    for (const auto& [phase, a] : before) {
        const double share_before = static_cast<double>(a.size()) / steps_before;
        const auto known = after.find(phase);
        const double share_after = known == after.end() ? 0 : static_cast<double>(known->second.size()) / steps_after;
        if (std::abs(share_after - share_before) > 0.05)
            sentences.push_back("%1 are %2 % of the steps instead of %3 %."_text(
                phase == EnginePhase::unknown ? "Unnamed steps"_text() : steps_of(phase),
                fmt::format("{:.0f}", 100 * share_after), fmt::format("{:.0f}", 100 * share_before)));
    }
    if (sentences.empty())
        sentences.push_back(
            "No kind of step of the serving engine became slower or faster by more than 1 % and its own "
            "spread."_text());
    return sentences;
}

} // namespace rankscope
