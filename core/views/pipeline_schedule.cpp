// SPDX-License-Identifier: GPL-3.0-or-later
// Who did what when in a pipeline, and what the ideal schedule would have been.
#include "core/views/pipeline_schedule.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/collectives/message_partners.h"
#include "core/analysis/collectives/rank_sets.h"
#include "core/analysis/pipeline/marked_passes.h"
#include "core/analysis/pipeline/program_bubble.h"
#include "core/base/text_match.h"
#include "core/trace/operation_timeline.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

/// A pass as the lane shows it.
struct LanePass {
    PipelineWork work = PipelineWork::forward;
    std::int64_t microbatch = 0;
    int model_stage = -1;
    bool input_part = false;
    std::optional<PipelineAction> with = {};
};

PipelineWork work_of(PassKind kind) {
    return kind == PassKind::forward           ? PipelineWork::forward
           : kind == PassKind::backward_weight ? PipelineWork::weight_gradient
                                               : PipelineWork::backward;
}

LanePass lane_pass(const MarkedPass& pass) {
    const PipelineAction& action = pass.actions.front();
    return {work_of(action.kind), action.microbatch, action.stage, action.kind == PassKind::backward_input,
            pass.actions.size() > 1 ? std::optional(pass.actions[1]) : std::nullopt};
}

/// The pass that an operation of a timeline is.
std::optional<LanePass> pass_of_operation(const RankTrace& rank, EventIndex event) {
    const Operation* operation = rank.operations ? rank.operations->find(rank.events.ordinal[event]) : nullptr;
    if (operation == nullptr || operation->microbatch < 0)
        return std::nullopt;
    const std::string_view type = rank.event_name(event);
    const bool weights = type == kWeightGradientCompute;
    const std::int64_t stage =
        std::int64_t{std::max(0, operation->chunk)} * rank.operations->mesh.pp + rank.operations->stage;
    if (!weights && type != kForwardCompute && type != kBackwardCompute)
        return std::nullopt;
    return LanePass{weights                   ? PipelineWork::weight_gradient
                    : type == kForwardCompute ? PipelineWork::forward
                                              : PipelineWork::backward,
                    operation->microbatch, static_cast<int>(std::min<std::int64_t>(stage, kMostRanks))};
}

/// Kernels of one pass make one slice, from the first to the last of them; those of no pass stay as they touch.
void add_compute(std::vector<PipelineSlice>& slices, const LanePass* pass, const GpuSlice& kernel, TimeRange at) {
    const PipelineWork work = pass == nullptr ? PipelineWork::compute : pass->work;
    const std::int64_t microbatch = pass == nullptr ? PipelineSlice::kNoMicrobatch : pass->microbatch;
    constexpr TimeNs kTouching = 20'000; // between kernels that follow each other
    // A stray kernel of no pass does not cut a pass in two.
    const auto last = std::find_if(slices.rbegin(), slices.rend(), [&](const PipelineSlice& slice) {
        return pass == nullptr || slice.work != PipelineWork::compute;
    });
    if (last != slices.rend() && last->work == work && last->microbatch == microbatch &&
        last->model_stage == (pass == nullptr ? -1 : pass->model_stage) &&
        last->with == (pass == nullptr ? std::nullopt : pass->with) &&
        (pass != nullptr || at.begin - last->range.end <= kTouching)) {
        last->range.end = std::max(last->range.end, at.end);
        return;
    }
    slices.push_back({at, work, microbatch, kernel.event, pass == nullptr ? -1 : pass->model_stage,
                      pass != nullptr && pass->input_part, pass == nullptr ? std::nullopt : pass->with});
}

TimeNs length_of_step(const RunAnalysis& analysis, const StepBubble& bubble) {
    const StepAccount& steps = analysis.steps();
    const std::vector<std::int64_t>& numbers = steps.numbers[bubble.rank];
    const auto same = std::ranges::find(numbers, bubble.step);
    return same == numbers.end()
               ? bubble.window.length()
               : steps.windows[bubble.rank][static_cast<std::size_t>(same - numbers.begin())].length();
}

PipelineLane read_lane(const RunAnalysis& analysis, std::uint32_t r, const StepBubble& account, RankClock clock,
                       bool& numbered) {
    const RankTrace& rank = *analysis.run().ranks[r];
    const std::vector<MarkedPass> passes = marked_passes(rank);
    const Parallelism parallelism = parallelism_of(analysis.run().config);
    PipelineLane lane{analysis.pipeline().stages[r], r, {}, {}, {}, account, length_of_step(analysis, account)};
    const auto shifted = [&](TimeRange range) { return clock.aligned(range); };
    const WorkSteps steps(rank);
    for (const GpuSlice& kernel : analysis.ranks()[r].gpu_work) {
        if (kernel.kernel_class != KernelClass::compute)
            continue;
        const ProfilerStep* step = steps.of(kernel.event);
        if ((step == nullptr ? 0 : step->number) != account.step || (step == nullptr && !rank.steps.empty()))
            continue;
        const EventIndex launch = rank.events.link[kernel.event];
        std::optional<LanePass> pass = pass_of_operation(rank, kernel.event);
        if (const MarkedPass* marked =
                pass || launch == kNoEvent ? nullptr : pass_at(passes, rank.events.start[launch]))
            pass = lane_pass(*marked);
        numbered = numbered || pass.has_value();
        add_compute(lane.passes, pass ? &*pass : nullptr, kernel, shifted(kernel.range));
    }
    for (const CommCall& call : analysis.collectives().calls[r])
        if (call.range.begin < account.window.end && call.range.end > account.window.begin &&
            dimension_of_call(analysis.traffic().groups[call.group], call, parallelism) == ParallelDimension::pp)
            lane.messages.push_back(
                {shifted(call.range), PipelineWork::message, PipelineSlice::kNoMicrobatch, call.event});
    for (const BubbleSpan& bubble : account.spans)
        lane.bubbles.push_back({shifted(bubble.range), bubble.kind});
    return lane;
}

void count_from(PipelineStep& step) {
    const auto shift = [&](TimeRange& range) { range = {range.begin - step.span.begin, range.end - step.span.begin}; };
    for (PipelineLane& lane : step.lanes) {
        for (auto* slices : {&lane.passes, &lane.messages})
            for (PipelineSlice& slice : *slices)
                shift(slice.range);
        for (BubbleSpan& bubble : lane.bubbles)
            shift(bubble.range);
    }
}

/// Passes of a stage in the order of the schedule.
using Order = std::vector<std::pair<PipelineWork, std::int64_t>>;

Order order_of(bool gpipe, std::int64_t stages, std::int64_t stage, std::int64_t microbatches) {
    const std::int64_t ahead = gpipe ? microbatches : std::min(microbatches, stages - stage);
    Order order;
    for (std::int64_t m = 0; m < ahead; ++m)
        order.emplace_back(PipelineWork::forward, m);
    for (std::int64_t m = 0; m < microbatches; ++m) {
        order.emplace_back(PipelineWork::backward, m);
        if (ahead + m < microbatches)
            order.emplace_back(PipelineWork::forward, ahead + m);
    }
    return order;
}

/// Every pass as soon as its stage is free and its neighbour has sent what it needs.
void fill_schedule(IdealPipeline& ideal, bool gpipe, std::int64_t microbatches, TimeNs forward, TimeNs backward) {
    const std::int64_t stages = std::ssize(ideal.stages);
    std::vector<Order> orders;
    for (std::int64_t s = 0; s < stages; ++s)
        orders.push_back(order_of(gpipe, stages, s, microbatches));
    std::map<std::tuple<PipelineWork, std::int64_t, std::int64_t>, TimeNs> done;
    std::vector<std::size_t> next(orders.size(), 0);
    std::vector<TimeNs> free(orders.size(), 0);
    for (bool moved = true; moved;) {
        moved = false;
        for (std::int64_t s = 0; s < stages; ++s) {
            const auto at = static_cast<std::size_t>(s);
            while (next[at] < orders[at].size()) {
                const auto [work, microbatch] = orders[at][next[at]];
                const bool is_forward = work == PipelineWork::forward;
                const std::int64_t from = is_forward ? s - 1 : s + 1;
                const auto sent = done.find({work, from, microbatch});
                if (from >= 0 && from < stages && sent == done.end())
                    break;
                const TimeNs begin = std::max(free[at], sent == done.end() ? 0 : sent->second);
                const TimeNs end = begin + (is_forward ? forward : backward);
                ideal.stages[at].push_back({{begin, end}, work, microbatch, kNoEvent});
                done[{work, s, microbatch}] = free[at] = end;
                ideal.length = std::max(ideal.length, end);
                ++next[at];
                moved = true;
            }
        }
    }
}

PassKind kind_of(const PipelineSlice& slice) {
    return slice.work == PipelineWork::forward           ? PassKind::forward
           : slice.work == PipelineWork::weight_gradient ? PassKind::backward_weight
           : slice.input_part                            ? PassKind::backward_input
                                                         : PassKind::backward;
}

/// What the lanes did in order; nothing where a pass does not name its part of the model.
std::optional<PipelineProgram> program_of(const PipelineStep& step) {
    PipelineProgram program;
    for (const PipelineLane& lane : step.lanes) {
        auto& actions = program.emplace_back();
        for (const PipelineSlice& slice : lane.passes) {
            if (slice.work == PipelineWork::compute)
                continue;
            if (slice.model_stage < 0)
                return std::nullopt;
            actions.push_back({slice.model_stage, kind_of(slice), slice.microbatch, slice.with.has_value()});
            if (slice.with)
                actions.push_back(*slice.with);
        }
    }
    return program;
}

/// Several parts of the model on a rank, backward passes in parts, or pairs: no formula draws these.
bool needs_program(const PipelineProgram& program) {
    return std::ranges::any_of(
        program,
        [](const auto& actions) {
            return std::ranges::any_of(
                actions,
                [&](const PipelineAction& action) {
                    return action.with_next || action.kind == PassKind::backward_weight ||
                           action.stage != actions.front().stage;
                });
        });
}

std::string_view schedule_title(ScheduleKind kind) {
    switch (kind) {
    case ScheduleKind::interleaved: return "interleaved";
    case ScheduleKind::zero_bubble: return "zero-bubble";
    case ScheduleKind::dualpipe: return "DualPipe";
    case ScheduleKind::dualpipev: return "DualPipeV";
    default: return "same order";
    }
}

/// The recorded order with passes that are all as long as the mean of their kind; of a pair the mean pair.
void play_recorded(const PipelineStep& step, const PipelineProgram& program, ScheduleKind kind, IdealPipeline& ideal) {
    std::map<std::pair<PassKind, bool>, std::pair<double, double>> sums; // kind, in a pair: ns, count
    for (const PipelineLane& lane : step.lanes)
        for (const PipelineSlice& slice : lane.passes)
            if (slice.work != PipelineWork::compute) {
                auto& [time, count] = sums[{kind_of(slice), slice.with.has_value()}];
                time += static_cast<double>(slice.range.length());
                ++count;
            }
    const auto mean = [&](PassKind of, bool pair) {
        const auto found = sums.find({of, pair});
        return found == sums.end() ? 0 : found->second.first / found->second.second;
    };
    std::set<const PipelineAction*> seconds; // of pairs: the first one's time is that of both
    for (const auto& actions : program)
        for (std::size_t i = 0; i + 1 < actions.size(); ++i)
            if (actions[i].with_next)
                seconds.insert(&actions[i + 1]);
    const PassDuration duration = [&](const PipelineAction& action) {
        return seconds.contains(&action) ? 0 : mean(action.kind, action.with_next);
    };
    const auto played = play_program(program, duration, 0);
    if (!played) {
        ideal.why_not = "its passes wait for each other in a circle, or for one that is not recorded"_text();
        return;
    }
    ideal.schedule = schedule_title(kind);
    ideal.length = std::llround(played->length);
    ideal.bubble_share = 1 - played->busy / played->length;
    ideal.wait = ideal.length - std::llround(played->busy);
    for (std::size_t lane = 0; lane < program.size(); ++lane) {
        auto& slices = ideal.stages.emplace_back();
        for (std::size_t i = 0; i < program[lane].size(); ++i) {
            const PipelineAction& action = program[lane][i];
            const TimeNs begin = std::llround(played->begin[lane][i]);
            PipelineSlice slice{{begin, begin + std::llround(duration(action))},
                                work_of(action.kind),
                                action.microbatch,
                                kNoEvent,
                                action.stage,
                                action.kind == PassKind::backward_input,
                                std::nullopt};
            if (action.with_next && i + 1 < program[lane].size())
                slice.with = program[lane][++i];
            slices.push_back(slice);
        }
    }
}

using RankOfStage = std::map<int, std::uint32_t>;

/// The ranks that send each other messages, by the lowest of them. Empty where that is not one of each stage.
std::map<int, RankOfStage> pipelines_by_messages(const RunAnalysis& analysis) {
    const std::vector<int>& stages = analysis.pipeline().stages;
    const RankSets sets = pipelines_of(analysis.collectives(), stages.size());
    std::map<int, RankOfStage> pipelines;
    for (std::uint32_t r = 0; r < stages.size(); ++r)
        if (stages[r] >= 0 && !pipelines[static_cast<int>(sets.of(r))].emplace(stages[r], r).second)
            return {};
    const bool alone = std::ranges::any_of(pipelines, [](const auto& pipeline) { return pipeline.second.size() < 2; });
    return alone ? std::map<int, RankOfStage>() : pipelines;
}

/// As the usual mesh has them: pp is its outermost dimension. Without a number of stages, ranks of a stage in order.
std::map<int, RankOfStage> by_place_in_stage(const RunAnalysis& analysis) {
    const PipelineAnalysis& pipeline = analysis.pipeline();
    const Run& run = analysis.run();
    std::map<int, RankOfStage> by_place;
    const int stages = pipeline.stage_count ? static_cast<int>(*pipeline.stage_count) : 0;
    for (std::uint32_t r = 0; r < pipeline.stages.size(); ++r) {
        if (pipeline.stages[r] < 0)
            continue;
        int place = 0;
        if (stages > 0 && run.world_size % stages == 0)
            place = run.ranks[r]->rank % (run.world_size / stages);
        while (by_place[place].contains(pipeline.stages[r]))
            ++place;
        by_place[place][pipeline.stages[r]] = r;
    }
    return by_place;
}

} // namespace

std::vector<PipelineReplica> pipeline_replicas(const RunAnalysis& analysis) {
    std::map<int, RankOfStage> pipelines = pipelines_by_messages(analysis);
    if (pipelines.empty())
        pipelines = by_place_in_stage(analysis);
    std::vector<PipelineReplica> replicas;
    for (const auto& [place, ranks] : pipelines) {
        PipelineReplica& replica = replicas.emplace_back();
        for (const auto& [stage, rank] : ranks)
            replica.ranks.push_back(rank);
    }
    return replicas;
}

std::vector<std::int64_t> pipeline_steps(const RunAnalysis& analysis, const PipelineReplica& replica) {
    std::set<std::int64_t> numbers;
    for (const StepBubble& step : analysis.pipeline().steps)
        if (std::ranges::find(replica.ranks, step.rank) != replica.ranks.end())
            numbers.insert(step.step);
    return {numbers.begin(), numbers.end()};
}

PipelineStep read_pipeline_step(const RunAnalysis& analysis, const PipelineReplica& replica, std::int64_t number,
                                const std::stop_token& stop) {
    const ClockAlignment clock = joined_by_messages(analysis.collectives(), analysis.clock());
    PipelineStep step;
    step.number = number;
    for (const StepBubble& account : analysis.pipeline().steps) {
        if (stop.stop_requested())
            return step;
        if (account.step != number || std::ranges::find(replica.ranks, account.rank) == replica.ranks.end())
            continue;
        const TimeRange window = clock.aligned(account.rank, account.window);
        step.span = step.lanes.empty()
                        ? window
                        : TimeRange{std::min(step.span.begin, window.begin), std::max(step.span.end, window.end)};
        step.lanes.push_back(read_lane(analysis, account.rank, account, {clock, account.rank}, step.numbered));
    }
    std::ranges::sort(step.lanes, {}, &PipelineLane::stage);
    count_from(step);
    return step;
}

IdealPipeline ideal_pipeline(const PipelineStep& step, const std::string& schedule, ScheduleKind recorded) {
    IdealPipeline ideal;
    if (!step.numbered) {
        ideal.why_not =
            "no annotations name the microbatches (\"Forward 3\", \"Backward 3\"), so it cannot be drawn"_text();
        return ideal;
    }
    if (const auto program = program_of(step); program && needs_program(*program)) {
        play_recorded(step, *program, recorded, ideal);
        return ideal;
    }
    TimeNs forward = 0;
    TimeNs backward = 0;
    std::int64_t forwards = 0;
    std::set<std::int64_t> microbatches;
    for (const PipelineLane& lane : step.lanes) {
        std::set<std::int64_t> own;
        for (const PipelineSlice& slice : lane.passes) {
            if (slice.work == PipelineWork::forward && !own.insert(slice.microbatch).second) {
                ideal.why_not =
                    "a stage runs a microbatch's forward pass twice (an interleaved schedule), which is not drawn"_text();
                return ideal;
            }
            if (slice.work == PipelineWork::forward)
                forward += slice.range.length();
            else if (slice.work == PipelineWork::backward || slice.work == PipelineWork::weight_gradient)
                backward += slice.range.length();
        }
        forwards += std::ssize(own);
        microbatches.merge(own);
    }
    if (forwards == 0 || backward == 0) {
        ideal.why_not = "the step has no forward or no backward passes"_text();
        return ideal;
    }
    const auto& first = step.lanes.front().passes;
    const auto is_backward = [](const PipelineSlice& slice) { return slice.work == PipelineWork::backward; };
    const auto turn = std::ranges::find_if(first, is_backward);
    const bool all_before =
        std::none_of(turn, first.end(), [](const PipelineSlice& slice) { return slice.work == PipelineWork::forward; });
    const bool gpipe = schedule.empty() ? all_before && std::ssize(microbatches) > std::ssize(step.lanes)
                                        : contains(lower_case(schedule), "gpipe");
    const auto stages = std::ssize(step.lanes);
    const auto count = std::ssize(microbatches);
    ideal.schedule = gpipe ? "GPipe" : "1F1B";
    ideal.bubble_share = static_cast<double>(stages - 1) / static_cast<double>(count + stages - 1);
    ideal.stages.resize(step.lanes.size());
    fill_schedule(ideal, gpipe, count, forward / forwards, backward / forwards);
    for (const auto& stage : ideal.stages)
        ideal.wait += (stage.back().range.end - count * (forward / forwards + backward / forwards)) / stages;
    return ideal;
}

} // namespace rankscope
