// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/serving/served_steps.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/gpu/launches.h"
#include "core/analysis/selection/selected_time.h"
#include "core/analysis/steps/step_windows.h"
#include "core/base/seeded_hash.h"
#include "core/base/statistics.h"
#include "core/trace/run_settings.h"

namespace rankscope {
namespace {

constexpr double kStallShare = 0.1; ///< of a cycle: less than that stalls nothing

/// ranges: engine_ranges().
void part_cycle(const std::vector<PieceOfWork>& work, std::span<const HostRange> ranges, ServedStep& step) {
    std::vector<TimeRange> compute, communication, copies, all;
    for (const PieceOfWork& w : work) {
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
    IntervalSet not_launched;
    auto next = work.begin();
    for (const TimeRange& gap : gaps(busy, step.cycle)) {
        while (next != work.end() && next->range.begin < gap.end)
            ++next;
        const TimeNs launched = next == work.end() ? gap.begin : std::clamp(next->launched, gap.begin, gap.end);
        if (launched > gap.begin)
            not_launched.push_back({gap.begin, launched});
        step.parts[static_cast<std::size_t>(StepPart::gaps)] += gap.end - launched;
    }
    step.parts[static_cast<std::size_t>(StepPart::host)] = measure(not_launched);
    step.host_waits = host_waits(ranges, not_launched);
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
std::int64_t ServedStep::prompt_tokens() const {
    return step.context.q == kUnknown && step.context.requests == 0 ? 0 : step.context.q;
}
bool ServedStep::is_speculative() const {
    const auto [requests, tokens] = std::pair(step.generation.requests, step.generation.q);
    return generates(step.phase) &&
           (step.phase == EnginePhase::verify || (requests != kUnknown && (tokens == kUnknown || tokens > requests)));
}
double ServedStep::generated() const {
    const auto [requests, tokens] = std::pair(step.generation.requests, step.generation.q);
    const auto known = [](std::int64_t n) { return n == kUnknown ? std::nan("") : static_cast<double>(n); };
    if (!is_speculative())
        return requests == kUnknown || tokens == kUnknown ? known(tokens)
                                                          : known(tokens <= requests ? requests : kUnknown);
    // Without a number of tokens only a step that is known to verify does so.
    if (requests == kUnknown || (tokens == kUnknown && step.phase != EnginePhase::verify))
        return std::nan("");
    const double accepted = known(requests) * acceptance_length;
    return tokens > requests ? std::min(accepted, known(tokens)) : accepted;
}

void TokenSums::add(const ServedStep& step) {
    if (step.gpu_events == 0)
        return;
    const EnginePhase phase = step.step.phase;
    time_ns += static_cast<double>(step.cycle.length());
    untold_prompt_tokens |= computes_prompts(phase) && step.prompt_tokens() == kUnknown;
    untold_generated |= generates(phase) && std::isnan(step.generated());
    prompt_tokens += static_cast<double>(std::max<std::int64_t>(0, step.prompt_tokens()));
    if (const double tokens = step.generated(); std::isfinite(tokens))
        generated += tokens;
}

namespace {

double rate_of(double tokens, bool untold, double time_ns) {
    return tokens > 0 && time_ns > 0 && !untold ? tokens / (time_ns / 1e9) : std::nan("");
}

} // namespace

double TokenSums::prompt_rate() const { return rate_of(prompt_tokens, untold_prompt_tokens, time_ns); }
double TokenSums::generated_rate() const { return rate_of(generated, untold_generated, time_ns); }

std::vector<TimeRange> engine_step_windows(std::span<const ServedStep> served, std::span<const ProfilerStep> steps,
                                           std::vector<TimeRange> host) {
    PlaceMap<EventIndex, TimeRange> cycles;
    for (const ServedStep& step : served)
        if (step.gpu_events > 0)
            cycles[step.step.event] = step.cycle;
    for (std::size_t s = 0; s < host.size(); ++s)
        if (const auto cycle = cycles.find(steps[s].event); cycle != cycles.end())
            host[s] = cycle->second;
    // A step without GPU work lies between those beside it.
    for (std::size_t s = 1; s < host.size(); ++s)
        if (!cycles.contains(steps[s].event))
            host[s].begin = std::min(std::max(host[s].begin, host[s - 1].end), host[s].end);
    for (std::size_t s = host.size(); s-- > 1;)
        if (!cycles.contains(steps[s - 1].event))
            host[s - 1].end = std::max(host[s - 1].begin, std::min(host[s - 1].end, host[s].begin));
    return host;
}

std::optional<std::size_t> step_of_launch(std::span<const ServedStep> served, TimeNs at) {
    const auto after = std::ranges::upper_bound(served, at, {}, [](const ServedStep& s) { return s.step.range.begin; });
    if (after == served.begin() || (after == served.end() && !std::prev(after)->step.range.contains(at)))
        return {};
    return static_cast<std::size_t>(after - served.begin()) - 1;
}

std::vector<std::vector<PieceOfWork>> work_of_served_steps(const RankTrace& rank, std::span<const ServedStep> served,
                                                           std::span<const KernelClass> classes,
                                                           const std::vector<bool>* wanted) {
    std::vector<std::vector<PieceOfWork>> work(served.size());
    PlaceMap<std::uint64_t, StepWork> kinds; // by name and class: telling one takes a search
    const TimeNs usual_call = usual_launch_call(rank);
    for (EventIndex i = 0; i < rank.events.gpu_count; ++i) {
        const EventIndex launch = rank.events.link[i];
        if (launch == kNoEvent)
            continue;
        const TimeNs at = rank.events.start[launch];
        const auto step = step_of_launch(served, at);
        if (!step || (wanted != nullptr && !(*wanted)[*step]))
            continue;
        const NameId name = rank.events.name[i];
        const auto [kind, is_new] =
            kinds.try_emplace(std::uint64_t{name} * kKernelClassCount + static_cast<std::size_t>(classes[i]));
        if (is_new)
            kind->second = step_work(classes[i], rank.names->view(name));
        work[*step].push_back(
            {rank.events.range(i), *launched_at(rank, i, usual_call), name, classes[i], kind->second});
    }
    for (std::vector<PieceOfWork>& pieces : work)
        std::ranges::sort(pieces, {}, [](const PieceOfWork& piece) { return piece.range.begin; });
    return work;
}

std::vector<ServedStep> served_steps(const Run& run, const RankTrace& rank, const Selection& selection,
                                     std::span<const KernelClass> classes) {
    std::vector<ServedStep> served;
    const std::optional<Setting> acceptance = acceptance_length_of(run.config);
    for (const EngineStep& step : engine_steps(rank)) {
        served.push_back({});
        served.back().step = step;
        if (acceptance)
            served.back().acceptance_length = acceptance->value;
        served.back().selected = is_selected(run, rank, selection, step.range.begin);
    }
    if (served.empty())
        return served;
    const std::vector<std::vector<PieceOfWork>> work = work_of_served_steps(rank, served, classes);
    const std::vector<HostRange> ranges = engine_ranges(rank);
    const std::optional<TimeNs> queued_until = end_of_queued_work(rank);
    const ServedStep* before = nullptr;
    for (std::size_t k = 0; k < served.size(); ++k) {
        ServedStep& step = served[k];
        step.gpu_events = static_cast<std::uint32_t>(work[k].size());
        step.begin = step.step.range.begin;
        if (work[k].empty()) {
            before = nullptr; // what the GPU did for the step before is not known
            continue;
        }
        step.gpu = {work[k].front().range.begin,
                    std::ranges::max(work[k], {}, [](const PieceOfWork& w) { return w.range.end; }).range.end};
        if (queued_until && *queued_until < step.gpu.end) {
            step.gpu.begin = std::max(step.gpu.begin, *queued_until);
            step.begin = std::max(step.begin, *queued_until);
        }
        // Without a step before nothing is known of the time before its own work.
        step.cycle = step.gpu;
        step.follows = before != nullptr;
        if (step.follows) {
            step.between = std::max<TimeNs>(0, step.gpu.begin - before->gpu.end);
            step.cycle.begin = std::min(before->gpu.end, step.gpu.end);
        }
        part_cycle(work[k], ranges, step);
        step.work = shares_of_work(work[k], step.cycle);
        before = &step;
    }
    return served;
}

namespace {

/// Sums over steps of one kind.
struct StepSums {
    std::int64_t steps = 0;
    std::vector<double> cycles_ms, between_us;
    std::vector<double> whole_ms; ///< of cycles_ms: a step before tells when they begin
    double busy = 0;
    double tokens = 0, requests = 0;
    std::int64_t fewest_requests = kUnknown, most_requests = kUnknown;
    TokenSums with_work;
    std::int64_t with_tokens = 0, with_requests = 0;
    std::array<double, kStepParts> parts{};
    std::array<double, kStepWorkCount> work_ns{}, work_kernels{};
    std::map<std::string_view, double> waits_ns;
    std::set<std::size_t> ranks; ///< with such steps

    void add(std::size_t rank, const ServedStep& step) {
        ++steps;
        ranks.insert(rank);
        if (const std::int64_t number = step.requests(); number != kUnknown) {
            requests += static_cast<double>(number);
            ++with_requests;
            fewest_requests = fewest_requests == kUnknown ? number : std::min(fewest_requests, number);
            most_requests = std::max(most_requests, number);
        }
        if (const std::int64_t number = step.tokens(); number != kUnknown) {
            tokens += static_cast<double>(number);
            ++with_tokens;
        }
        if (step.gpu_events == 0)
            return;
        with_work.add(step);
        cycles_ms.push_back(static_cast<double>(step.cycle.length()) / 1e6);
        if (step.follows)
            whole_ms.push_back(cycles_ms.back());
        between_us.push_back(static_cast<double>(step.between) / 1e3);
        busy += static_cast<double>(step.busy);
        for (std::size_t p = 0; p < kStepParts; ++p)
            parts[p] += static_cast<double>(step.parts[p]);
        for (const WorkShare& share : step.work) {
            work_ns[static_cast<std::size_t>(share.work)] += static_cast<double>(share.time);
            work_kernels[static_cast<std::size_t>(share.work)] += share.kernels;
        }
        for (const HostWait& wait : step.host_waits)
            waits_ns[wait.name] += static_cast<double>(wait.time);
    }

    [[nodiscard]] PhaseSummary summary(EnginePhase phase) const {
        const double nan = std::nan("");
        const auto ratio = [&](double a, double b) { return b > 0 ? a / b : nan; };
        const auto number = static_cast<double>(cycles_ms.size());
        const double cycle = with_work.time_ns;
        PhaseSummary result;
        result.phase = phase;
        result.steps = std::llround(static_cast<double>(steps) / static_cast<double>(ranks.size()));
        result.with_work = std::ssize(cycles_ms);
        result.requests = ratio(requests, static_cast<double>(with_requests));
        result.fewest_requests = fewest_requests;
        result.most_requests = most_requests;
        result.tokens = ratio(tokens, static_cast<double>(with_tokens));
        const bool timed = !cycles_ms.empty();
        const std::vector<double>& times = whole_ms.empty() ? cycles_ms : whole_ms;
        result.whole = std::ssize(whole_ms);
        result.mean_ms =
            timed ? std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size()) : nan;
        result.median_ms = timed ? middle_median(times) : nan;
        result.p95_ms = timed ? nearest_rank_percentile(times, 0.95) : nan;
        result.p99_ms = timed ? nearest_rank_percentile(times, 0.99) : nan;
        result.between_us = timed ? middle_median(between_us) : nan;
        result.busy_share = ratio(busy, cycle);
        result.prompt_tokens_per_second = with_work.prompt_rate();
        result.generated_tokens_per_second = with_work.generated_rate();
        for (std::size_t p = 0; p < kStepParts; ++p) {
            result.shares[p] = ratio(parts[p], cycle);
            result.mean_us[p] = ratio(parts[p] / 1e3, number);
        }
        for (std::size_t w = 0; w < kStepWorkCount; ++w)
            if (work_kernels[w] > 0)
                result.work.push_back({static_cast<StepWork>(w), ratio(work_ns[w] / 1e3, number),
                                       ratio(work_ns[w], cycle), ratio(work_kernels[w], number)});
        std::ranges::stable_sort(result.work, std::greater<>(), &PhaseWork::mean_us);
        for (const auto& [range, time] : waits_ns)
            result.waits.push_back({std::string(range), ratio(time / 1e3, number), ratio(time, cycle)});
        std::ranges::stable_sort(result.waits, std::greater<>(), &PhaseWait::mean_us);
        return result;
    }
};

/// The selected steps by what key() tells of them.
template <typename Key>
auto sums_by(std::span<const std::vector<ServedStep>> ranks, Key key) {
    std::map<decltype(key(ranks.front().front().step)), StepSums> sums;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (const ServedStep& step : ranks[rank])
            if (step.selected)
                sums[key(step.step)].add(rank, step);
    return sums;
}

} // namespace

bool PhaseSummary::host_is_named() const {
    return std::ranges::any_of(
        waits, [](const PhaseWait& wait) { return !wait.range.empty(); });
}

std::vector<PhaseSummary> summarise_phases(std::span<const std::vector<ServedStep>> ranks) {
    std::vector<PhaseSummary> phases;
    for (const auto& [phase, sums] : sums_by(ranks, [](const EngineStep& step) { return step.phase; }))
        phases.push_back(sums.summary(phase));
    return phases;
}

bool BatchSize::known() const {
    return (!computes_prompts(phase) || prompt_tokens != kUnknown) && (!generates(phase) || decoding != kUnknown) &&
           (computes_prompts(phase) || generates(phase));
}

BatchSize batch_size(const EngineStep& step) {
    return {step.phase, computes_prompts(step.phase) ? step.context.q : 0,
            generates(step.phase) ? step.generation.requests : 0};
}

std::vector<std::pair<BatchSize, PhaseSummary>> summarise_batches(std::span<const std::vector<ServedStep>> ranks) {
    std::vector<std::pair<BatchSize, PhaseSummary>> batches;
    for (const auto& [size, sums] : sums_by(ranks, batch_size))
        if (size.known())
            batches.emplace_back(size, sums.summary(size.phase));
    return batches;
}

} // namespace rankscope
