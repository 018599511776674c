// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/serving/served_steps.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/selection/selected_time.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr double kStallShare = 0.1; ///< of a cycle: less than that stalls nothing

/// GPU work of one step.
struct Work {
    TimeRange range;
    TimeNs launched = 0;
    KernelClass kernel_class = KernelClass::compute;
};

/// Idle time of a gap before work: until the launch of that work, and after it.
void part_gap(TimeRange gap, TimeNs next_launch, ServedStep& step) {
    const TimeNs launched = std::clamp(next_launch, gap.begin, gap.end);
    step.parts[static_cast<std::size_t>(StepPart::host)] += launched - gap.begin;
    step.parts[static_cast<std::size_t>(StepPart::gaps)] += gap.end - launched;
}

void part_cycle(const std::vector<Work>& work, ServedStep& step) {
    std::vector<TimeRange> compute, communication, copies, all;
    for (const Work& w : work) {
        const TimeRange range = w.range.clipped_to(step.cycle);
        if (range.length() <= 0)
            continue;
        all.push_back(range);
        (w.kernel_class == KernelClass::communication ? communication
         : w.kernel_class == KernelClass::memory_copy ? copies
                                                      : compute)
            .push_back(range);
    }
    const IntervalSet computes = merge(std::move(compute));
    const IntervalSet exposed = subtract(merge(std::move(communication)), computes);
    const IntervalSet hidden_by = unite(computes, exposed);
    const IntervalSet busy = merge(std::move(all));
    step.busy = measure(busy);
    step.parts[static_cast<std::size_t>(StepPart::kernels)] = measure(computes);
    step.parts[static_cast<std::size_t>(StepPart::communication)] = measure(exposed);
    step.parts[static_cast<std::size_t>(StepPart::copies)] = measure(subtract(merge(std::move(copies)), hidden_by));
    auto next = work.begin();
    for (const TimeRange& gap : gaps(busy, step.cycle)) {
        while (next != work.end() && next->range.begin < gap.end)
            ++next;
        if (next != work.end())
            part_gap(gap, next->launched, step);
        else
            step.parts[static_cast<std::size_t>(StepPart::gaps)] += gap.length();
    }
}

} // namespace

std::string_view step_part_word(StepPart part) {
    constexpr std::array<std::string_view, kStepParts> kWords{"kernels", "communication", "copies", "host", "gaps"};
    return kWords[static_cast<std::size_t>(part)];
}

StepPart ServedStep::stall() const {
    const auto most = std::max_element(parts.begin() + 1, parts.end());
    return static_cast<double>(*most) < kStallShare * static_cast<double>(cycle.length()) || *most == 0
               ? StepPart::kernels
               : static_cast<StepPart>(most - parts.begin());
}

std::int64_t ServedStep::tokens() const {
    return EngineStepName{EngineMark::step, step.phase, step.context, step.generation}.tokens();
}
std::int64_t ServedStep::requests() const {
    return EngineStepName{EngineMark::step, step.phase, step.context, step.generation}.requests();
}
std::int64_t ServedStep::generated() const {
    const auto [requests, tokens] = std::pair(step.generation.requests, step.generation.q);
    return requests == kUnknown || tokens == kUnknown ? tokens : tokens <= requests ? requests : kUnknown;
}

std::optional<std::size_t> step_of_launch(std::span<const ServedStep> served, TimeNs at) {
    const auto after = std::ranges::upper_bound(served, at, {}, [](const ServedStep& s) { return s.step.range.begin; });
    if (after == served.begin() || (after == served.end() && !std::prev(after)->step.range.contains(at)))
        return {};
    return static_cast<std::size_t>(after - served.begin()) - 1;
}

std::vector<ServedStep> served_steps(const Run& run, const RankTrace& rank, const Selection& selection,
                                     std::span<const KernelClass> classes) {
    std::vector<ServedStep> served;
    for (const EngineStep& step : engine_steps(rank)) {
        served.push_back({});
        served.back().step = step;
        served.back().selected = is_selected(run, rank, selection, step.range.begin);
    }
    if (served.empty())
        return served;
    std::vector<std::vector<Work>> work(served.size());
    for (EventIndex i = 0; i < rank.events.gpu_count; ++i) {
        const EventIndex launch = rank.events.link[i];
        if (launch == kNoEvent)
            continue;
        const TimeNs at = rank.events.start[launch];
        if (const auto step = step_of_launch(served, at))
            work[*step].push_back({rank.events.range(i), at, classes[i]});
    }
    const ServedStep* before = nullptr;
    for (std::size_t k = 0; k < served.size(); ++k) {
        ServedStep& step = served[k];
        step.gpu_events = static_cast<std::uint32_t>(work[k].size());
        if (work[k].empty()) {
            before = nullptr; // what the GPU did for the step before is not known
            continue;
        }
        std::ranges::sort(
            work[k], {}, [](const Work& w) { return w.range.begin; });
        step.gpu = {work[k].front().range.begin,
                    std::ranges::max(work[k], {}, [](const Work& w) { return w.range.end; }).range.end};
        // Without a step before nothing is known of the time before its own work.
        step.cycle = step.gpu;
        if (before != nullptr) {
            step.between = std::max<TimeNs>(0, step.gpu.begin - before->gpu.end);
            step.cycle.begin = std::min(before->gpu.end, step.gpu.end);
        }
        part_cycle(work[k], step);
        before = &step;
    }
    return served;
}

std::vector<PhaseSummary> summarise_phases(std::span<const std::vector<ServedStep>> ranks) {
    struct Values {
        std::int64_t steps = 0;
        std::vector<double> cycles_ms, between_us;
        double cycle = 0, busy = 0, tokens = 0, requests = 0;
        double counted_cycle = 0, counted_tokens = 0; // of steps that follow another
        std::int64_t with_tokens = 0, with_requests = 0, with_work = 0;
        std::array<double, kStepParts> parts{};
    };
    std::map<EnginePhase, Values> of_phase;
    for (const auto& steps : ranks)
        for (std::size_t k = 0; k < steps.size(); ++k) {
            const ServedStep& step = steps[k];
            if (!step.selected)
                continue;
            Values& values = of_phase[step.step.phase];
            ++values.steps;
            if (const std::int64_t requests = step.requests(); requests != kUnknown) {
                values.requests += static_cast<double>(requests);
                ++values.with_requests;
            }
            const std::int64_t tokens = step.tokens();
            if (tokens != kUnknown) {
                values.tokens += static_cast<double>(tokens);
                ++values.with_tokens;
            }
            if (step.gpu_events == 0)
                continue;
            ++values.with_work;
            const auto cycle = static_cast<double>(step.cycle.length());
            values.cycles_ms.push_back(cycle / 1e6);
            values.between_us.push_back(static_cast<double>(step.between) / 1e3);
            values.cycle += cycle;
            values.busy += static_cast<double>(step.busy);
            if (tokens != kUnknown && k > 0 && steps[k - 1].gpu_events > 0) {
                values.counted_cycle += cycle;
                values.counted_tokens += static_cast<double>(tokens);
            }
            for (std::size_t p = 0; p < kStepParts; ++p)
                values.parts[p] += static_cast<double>(step.parts[p]);
        }
    std::vector<PhaseSummary> phases;
    const double nan = std::nan("");
    const auto ratio = [&](double a, double b) { return b > 0 ? a / b : nan; };
    for (auto& [phase, values] : of_phase) {
        PhaseSummary summary;
        summary.phase = phase;
        summary.steps = std::llround(static_cast<double>(values.steps) / static_cast<double>(ranks.size()));
        summary.with_work = values.with_work;
        summary.requests = ratio(values.requests, static_cast<double>(values.with_requests));
        summary.tokens = ratio(values.tokens, static_cast<double>(values.with_tokens));
        const bool timed = !values.cycles_ms.empty();
        summary.median_ms = timed ? middle_median(values.cycles_ms) : nan;
        summary.p95_ms = timed ? nearest_rank_percentile(values.cycles_ms, 0.95) : nan;
        summary.p99_ms = timed ? nearest_rank_percentile(values.cycles_ms, 0.99) : nan;
        summary.between_us = timed ? middle_median(values.between_us) : nan;
        summary.busy_share = ratio(values.busy, values.cycle);
        summary.tokens_per_second = ratio(values.counted_tokens, values.counted_cycle / 1e9);
        for (std::size_t p = 0; p < kStepParts; ++p) {
            summary.shares[p] = ratio(values.parts[p], values.cycle);
            summary.mean_us[p] = ratio(values.parts[p] / 1e3, static_cast<double>(values.with_work));
        }
        phases.push_back(summary);
    }
    return phases;
}

} // namespace rankscope
