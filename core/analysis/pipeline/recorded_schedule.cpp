// SPDX-License-Identifier: GPL-3.0-or-later
// Which schedule a pipeline ran.
#include "core/analysis/pipeline/recorded_schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/analysis/pipeline/program_bubble.h"

namespace rankscope {
namespace {

constexpr double kPutOff = 0.25; ///< of a microbatch's backward computation: what a gradient's send may leave behind

/// When the rank's host launched the event, or when it started.
TimeNs launched_at(const RankTrace& rank, EventIndex event) {
    const EventIndex call = rank.events.link[event];
    return rank.events.start[call == kNoEvent ? event : call];
}

/// When computation was launched, ascending.
std::vector<TimeNs> launches_of_compute(const RankTrace& rank, std::span<const GpuSlice> work) {
    std::vector<TimeNs> launches;
    for (const GpuSlice& slice : work)
        if (slice.kernel_class == KernelClass::compute)
            launches.push_back(launched_at(rank, slice.event));
    std::ranges::sort(launches);
    return launches;
}

/// What stages send each other in one step, on average over ranks of the stage and steps. Messages without computation
/// launched between them are one: a microbatch may have several tensors.
std::map<std::pair<int, int>, double> messages_by_stage(const Run& run, const CollectiveMatching& matching,
                                                        std::span<const std::span<const GpuSlice>> work,
                                                        const std::vector<int>& stage) {
    std::map<int, int> stage_of; // by rank number
    std::map<int, int> ranks_of; // by stage
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        stage_of[run.ranks[r]->rank] = stage[r];
        ++ranks_of[stage[r]];
    }
    std::map<std::pair<int, int>, double> messages;
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        const RankTrace& rank = *run.ranks[r];
        const WorkSteps work_steps(rank);
        std::set<const ProfilerStep*> selected;            // with messages
        std::map<std::uint32_t, std::vector<TimeNs>> sent; // launches, by group
        for (const CommCall& call : matching.calls[r]) {
            const CommGroup& group = matching.groups[call.group];
            if (!group.point_to_point || group.ranks.size() != 2 || group.ranks.front() != rank.rank)
                continue;
            const auto to = stage_of.find(group.ranks.back());
            const ProfilerStep* const step = work_steps.of(call.event);
            if (to == stage_of.end() || (step == nullptr && !rank.steps.empty()))
                continue;
            selected.insert(step);
            sent[call.group].push_back(launched_at(rank, call.event));
        }
        if (sent.empty())
            continue;
        const auto steps = static_cast<double>(selected.size());
        const std::vector<TimeNs> computes = launches_of_compute(rank, work[r]);
        for (auto& [group, launches] : sent) {
            std::ranges::sort(launches);
            const auto computed_before = [&](TimeNs launch) {
                return std::ranges::lower_bound(computes, launch) - computes.begin();
            };
            std::ptrdiff_t before = -1;
            for (const TimeNs launch : launches)
                if (const std::ptrdiff_t now = computed_before(launch); now != std::exchange(before, now))
                    messages[{stage[r], stage_of.at(matching.groups[group].ranks.back())}] +=
                        1 / steps / ranks_of[stage[r]];
        }
    }
    return messages;
}

/// What the actions say by themselves, where each rank's are named by stage.
struct NamedSchedule {
    ScheduleKind kind = ScheduleKind::unknown;
    double chunks = 1; ///< stages of the model on each rank
    std::size_t ranks = 0;
    std::size_t microbatches = 0;
};

std::optional<NamedSchedule> named_schedule(std::span<const RankPasses> passes) {
    std::map<int, const RankPasses*> by_first_stage; // of a replica one rank stands for all
    std::set<std::int64_t> microbatches;
    std::set<int> stages;
    for (const RankPasses& rank : passes) {
        if (rank.actions.empty())
            return std::nullopt;
        int first = rank.actions.front().stage;
        for (const PipelineAction& action : rank.actions) {
            first = std::min(first, action.stage);
            microbatches.insert(action.microbatch);
            stages.insert(action.stage);
        }
        by_first_stage.emplace(first, &rank);
    }
    if (stages.empty() || *stages.begin() != 0 || *stages.rbegin() + 1 != std::ssize(stages))
        return std::nullopt;
    const int all = static_cast<int>(stages.size());
    bool pairs = false;
    bool parts = false;
    bool alternates = false;
    bool folded = true;   // rank r holds stages r and all - 1 - r
    bool of_two = true;   // of each stage two ranks have a copy
    std::size_t most = 1; // stages on a rank
    for (const RankPasses& rank : passes) {
        std::set<int> own;
        bool backward = false;
        for (const PipelineAction& action : rank.actions) {
            own.insert(action.stage);
            pairs = pairs || action.with_next;
            parts = parts || action.kind == PassKind::backward_weight;
            alternates = alternates || (backward && action.kind == PassKind::forward);
            backward = backward || action.kind != PassKind::forward;
        }
        most = std::max(most, own.size());
        folded = folded && own.size() == 2 && *own.begin() + *own.rbegin() == all - 1;
    }
    // Two copies of the model pass the same ranks in both directions: the n-th rank from either end has the same two.
    const std::size_t ranks = by_first_stage.size();
    of_two = folded && std::ssize(stages) > 0 && passes.size() % (2 * ranks) == 0 && [&] {
        // A fold holds each of its stages once in a replica; two copies hold each twice. A microbatch tells: it passes
        // a rank at one of its stages only.
        const RankPasses& rank = *by_first_stage.begin()->second;
        std::map<std::int64_t, std::set<int>> stages_of;
        for (const PipelineAction& action : rank.actions)
            if (action.kind == PassKind::forward)
                stages_of[action.microbatch].insert(action.stage);
        return std::ranges::all_of(stages_of, [](const auto& entry) { return entry.second.size() == 1; });
    }();
    NamedSchedule schedule{ScheduleKind::unknown, static_cast<double>(most), ranks, microbatches.size()};
    if (folded && most == 2 && (pairs || of_two))
        schedule.kind = of_two ? ScheduleKind::dualpipe : ScheduleKind::dualpipev;
    else if (parts)
        schedule.kind = ScheduleKind::zero_bubble;
    else if (most > 1)
        schedule.kind = ScheduleKind::interleaved;
    else
        schedule.kind = alternates ? ScheduleKind::one_f_one_b : ScheduleKind::gpipe;
    return schedule;
}

/// In a step, where messages tell: an interleaved schedule sends each microbatch to the next stage once for each chunk,
/// and back to the first stage once less. Of two stages both ways look alike; there each microbatch must be seen to
/// turn from forward to backward on the last one.
std::optional<double> counted_microbatches(std::span<const RankPasses> passes, const std::vector<int>& stages,
                                           double to_second, double to_first) {
    const int last = *std::ranges::max_element(stages);
    const double count = last > 1 ? to_second - to_first : to_second;
    constexpr double kWhole = 0.01; // of a step more or less, from steps that are cut
    if (count < 1 || std::abs(count - std::round(count)) > kWhole * count)
        return std::nullopt;
    for (std::size_t r = 0; r < passes.size() && last == 1; ++r)
        if (stages[r] == last && passes[r].alternates &&
            passes[r].turns < (1 - kWhole) * count * static_cast<double>(passes[r].steps))
            return std::nullopt;
    return std::round(count);
}

/// The actions of one replica: ranks that do the same are one.
PipelineProgram program_of(std::span<const RankPasses> passes) {
    PipelineProgram program;
    for (const RankPasses& rank : passes)
        if (std::ranges::find(program, rank.actions) == program.end())
            program.push_back(rank.actions);
    return program;
}

} // namespace

std::string_view schedule_word(ScheduleKind kind) {
    // Documents have one word for both kinds of DualPipe.
    constexpr std::array<std::string_view, 7> kWords{"unknown",     "gpipe",    "1f1b",    "interleaved",
                                                     "zero_bubble", "dualpipe", "dualpipe"};
    return kWords[static_cast<std::size_t>(kind)];
}

std::string_view schedule_name(ScheduleKind kind) {
    constexpr std::array<std::string_view, 7> kNames{
        "an unknown schedule",      "GPipe",    "1F1B",     "the interleaved schedule",
        "the zero-bubble schedule", "DualPipe", "DualPipeV"};
    return kNames[static_cast<std::size_t>(kind)];
}

RecordedSchedule recorded_schedule(const Run& run, const CollectiveMatching& matching,
                                   std::span<const std::span<const GpuSlice>> work, const PipelineStages& stages,
                                   std::span<const RankPasses> passes, std::optional<double> stage_count,
                                   std::optional<double> microbatches) {
    RecordedSchedule result;
    result.stages = stage_count;
    result.microbatches = microbatches;
    if (const auto named = named_schedule(passes)) {
        result.kind = named->kind;
        result.chunks = named->chunks;
        const auto ranks = static_cast<double>(named->ranks);
        result.stages = stage_count.value_or(ranks);
        result.microbatches = microbatches.value_or(static_cast<double>(named->microbatches));
        if (named->kind == ScheduleKind::zero_bubble || named->kind == ScheduleKind::dualpipe ||
            named->kind == ScheduleKind::dualpipev)
            result.ideal = program_bubble(program_of(passes));
        const bool formula = named->kind == ScheduleKind::gpipe || named->kind == ScheduleKind::one_f_one_b ||
                             named->kind == ScheduleKind::interleaved;
        if (formula)
            result.ideal = (ranks - 1) / (static_cast<double>(named->microbatches) * named->chunks + ranks - 1);
        return result;
    }
    if (stages.method == StageMethod::none)
        return result;
    const int last = *std::ranges::max_element(stages.stage);
    if (!stage_count && std::cmp_equal(run.ranks.size(), run.world_size))
        stage_count = result.stages = last + 1;
    const auto messages = messages_by_stage(run, matching, work, stages.stage);
    const auto count = [&](int from, int to) {
        const auto found = messages.find({from, to});
        return found == messages.end() ? 0 : found->second;
    };
    const double forward = count(0, 1);
    const bool wraps = last > 1 && count(last, 0) > 0;
    if (!microbatches)
        microbatches = result.microbatches = counted_microbatches(passes, stages.stage, forward, count(last, 0));
    // Of two stages each sends the other both activations and gradients: m v + m (v - 1).
    const double of_two = microbatches && last == 1 && *microbatches > 0 ? (forward / *microbatches + 1) / 2 : 1;
    double put_off = 0;
    std::size_t told = 0;
    bool alternates = false;
    for (std::size_t r = 0; r < passes.size(); ++r) {
        if (!passes[r].known)
            continue;
        alternates = alternates || (stages.stage[r] == last && passes[r].alternates);
        if (stages.stage[r] > 0 && passes[r].backward > 0 && forward > 0) {
            ++told;
            put_off += passes[r].after_sending / passes[r].backward;
        }
    }
    put_off = told == 0 ? 0 : put_off / static_cast<double>(told);
    if (wraps || of_two > 1.25) {
        result.kind = ScheduleKind::interleaved;
        if (microbatches && *microbatches > 0)
            result.chunks = std::round(wraps ? forward / *microbatches : of_two);
    } else if (told > 0) {
        const double microbatch = 1 / microbatches.value_or(std::max(1.0, forward));
        result.kind = put_off > kPutOff * microbatch ? ScheduleKind::zero_bubble
                      : alternates                   ? ScheduleKind::one_f_one_b
                                                     : ScheduleKind::gpipe;
        result.chunks = 1;
    }
    const bool formula = result.kind != ScheduleKind::zero_bubble &&
                         (result.kind != ScheduleKind::interleaved || result.chunks.value_or(0) >= 1);
    if (formula && stage_count && microbatches && *microbatches >= 1 && *stage_count >= 1)
        result.ideal = (*stage_count - 1) / (*microbatches * result.chunks.value_or(1) + *stage_count - 1);
    return result;
}

} // namespace rankscope
