// SPDX-License-Identifier: GPL-3.0-or-later
// Gaps of computation, each put down to what the next kernel waited for.
#include "core/analysis/pipeline/pipeline_bubble.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/basics/per_rank.h"
#include "core/analysis/pipeline/marked_passes.h"
#include "core/base/seeded_hash.h"
#include "core/base/text_match.h"
#include "core/base/work_count.h"
#include "core/trace/operation_timeline.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

constexpr TimeNs kLongGap = 1'000'000; ///< method idle: gaps beyond this, or beyond 1 % of the step, are bubbles
/// Lanes of an operation timeline are timed apart: a pass may start that much before what it waited for ends.
constexpr TimeNs kApart = 50'000;

/// both: of two passes that run together.
enum class Pass : std::uint8_t { unknown, forward, backward, both };

/// Which pass a kernel belongs to: by the annotation its launch lies in, else by the operators around it.
class Passes {
public:
    explicit Passes(const RankTrace& rank) : rank_(rank), marked_(marked_passes(rank)) {}

    [[nodiscard]] bool annotated() const { return !marked_.empty() || rank_.operations; }

    [[nodiscard]] Pass of(EventIndex kernel) {
        if (rank_.operations)
            return by_type(rank_.event_name(kernel));
        const EventIndex launch = rank_.events.link[kernel];
        if (annotated())
            return launch == kNoEvent ? Pass::unknown : at(rank_.events.start[launch]);
        const EventIndex op = rank_.gpu.operator_event[kernel];
        return op == kNoEvent ? Pass::unknown : by_operators(op);
    }

private:
    static Pass by_type(std::string_view type) {
        return type == kForwardCompute                                      ? Pass::forward
               : type == kBackwardCompute || type == kWeightGradientCompute ? Pass::backward
                                                                            : Pass::unknown;
    }

    static bool is_backward(std::string_view name) {
        return name.starts_with("autograd::engine") || contains(name, "Backward") || contains(name, "_backward");
    }

    /// Backward inside of anything backward. Nothing is walked over twice, however deep it lies.
    [[nodiscard]] Pass by_operators(EventIndex op) {
        std::vector<EventIndex> walked;
        Pass pass = Pass::forward;
        for (EventIndex e = op; e != kNoEvent && pass == Pass::forward; e = rank_.parent_of(e)) {
            if (const auto known = of_event_.find(e); known != of_event_.end()) {
                pass = known->second;
                break;
            }
            walked.push_back(e);
            pass = is_backward(rank_.event_name(e)) ? Pass::backward : Pass::forward;
        }
        for (const EventIndex e : walked)
            of_event_[e] = pass;
        return pass;
    }

    [[nodiscard]] Pass at(TimeNs time) const {
        const MarkedPass* pass = pass_at(marked_, time);
        if (pass == nullptr)
            return Pass::unknown;
        return pass->forward() && pass->backward() ? Pass::both : pass->forward() ? Pass::forward : Pass::backward;
    }

    const RankTrace& rank_;
    std::vector<MarkedPass> marked_;
    PlaceMap<EventIndex, Pass> of_event_; ///< of operators, and what is around them
};

/// What a rank did in its first step, in order. Empty where passes are not named by stage.
std::vector<PipelineAction> actions_of(const RankTrace& rank) {
    std::vector<std::pair<TimeNs, std::vector<PipelineAction>>> marked;
    const auto in_first_step = [&](TimeNs start) {
        return rank.steps.empty() || rank.steps.front().range.contains(start);
    };
    if (rank.operations) {
        const OperationTimeline& timeline = *rank.operations;
        for (EventIndex e = 0; e < rank.events.gpu_count; ++e) {
            const Operation* operation = timeline.find(rank.events.ordinal[e]);
            const std::string_view type = rank.event_name(e);
            if (operation == nullptr || operation->microbatch < 0 || rank.steps.empty() ||
                operation->step != rank.steps.front().number)
                continue;
            const std::int64_t place = std::int64_t{std::max(0, operation->chunk)} * timeline.mesh.pp + timeline.stage;
            if (place > kMostRanks)
                return {};
            const int stage = static_cast<int>(place);
            if (type == kForwardCompute)
                marked.push_back({rank.events.start[e], {{stage, PassKind::forward, operation->microbatch, false}}});
            else if (type == kBackwardCompute)
                marked.push_back({rank.events.start[e], {{stage, PassKind::backward, operation->microbatch, false}}});
            else if (type == kWeightGradientCompute)
                marked.push_back(
                    {rank.events.start[e], {{stage, PassKind::backward_weight, operation->microbatch, false}}});
        }
    } else {
        for (MarkedPass& pass : marked_passes(rank))
            if (in_first_step(pass.range.begin) && pass.actions.front().stage >= 0)
                marked.emplace_back(pass.range.begin, std::move(pass.actions));
    }
    std::ranges::stable_sort(marked, {}, [](const auto& entry) { return entry.first; });
    std::vector<PipelineAction> actions;
    for (const auto& [start, cell] : marked)
        actions.insert(actions.end(), cell.begin(), cell.end());
    split_backward_passes(actions);
    return actions;
}

/// Communication that may keep a kernel waiting, by end.
struct Ending {
    TimeNs begin = 0;
    TimeNs end = 0;
    bool pipeline = false;
};

std::vector<Ending> endings_of(const std::vector<CommCall>& calls, const TrafficAnalysis& traffic,
                               const Parallelism& parallelism) {
    std::vector<Ending> endings;
    for (const CommCall& call : calls) {
        const bool pipeline = dimension_of_call(traffic.groups[call.group], call, parallelism) == ParallelDimension::pp;
        endings.push_back({call.range.begin, call.range.end, pipeline});
    }
    // Among calls that end together a message comes last, and so decides.
    std::sort(endings.begin(), endings.end(), [](const Ending& a, const Ending& b) {
        return a.end != b.end ? a.end < b.end : !a.pipeline && b.pipeline;
    });
    return endings;
}

struct Wait {
    TimeRange range;
    bool pipeline = false;
};

/// A kernel that starts at gap.end, launched at launch, waited for the communication that ended last before it starts,
/// from when it could have started. None ended in the gap, or before its launch: it waited for the host. apart: by how
/// much the communication may end after the kernel starts.
Wait wait_before(TimeRange gap, TimeNs launch, const std::vector<Ending>& endings, TimeNs apart) {
    auto after = std::ranges::upper_bound(endings, gap.end + apart, {}, &Ending::end);
    if (after == endings.begin() || (--after)->end <= std::max(gap.begin, launch))
        return {};
    return {{std::max(gap.begin, launch), std::min(after->end, gap.end)}, after->pipeline};
}

struct StepWork {
    std::int64_t number = 0;
    std::vector<GpuSlice> compute; ///< by start
    TimeRange window;
};

std::vector<StepWork> work_by_step(const RankTrace& rank, std::span<const GpuSlice> work) {
    std::map<std::int64_t, StepWork> steps;
    const WorkSteps work_steps(rank);
    for (const GpuSlice& slice : work) {
        const ProfilerStep* step = work_steps.of(slice.event);
        if (step == nullptr && !rank.steps.empty())
            continue;
        const std::int64_t number = step == nullptr ? 0 : step->number;
        auto [entry, added] = steps.try_emplace(number, StepWork{number, {}, slice.range});
        StepWork& own = entry->second;
        own.window = {std::min(own.window.begin, slice.range.begin), std::max(own.window.end, slice.range.end)};
        if (slice.kernel_class == KernelClass::compute || slice.kernel_class == KernelClass::memory_set)
            own.compute.push_back(slice);
    }
    std::vector<StepWork> result;
    for (auto& [number, step] : steps)
        result.push_back(std::move(step));
    return result;
}

/// Position in compute of the first and the last backward kernel, and of the last forward kernel before the last
/// backward one.
struct Turns {
    std::size_t first_backward = 0;
    std::size_t last_forward = 0;
    std::size_t last_backward = 0;
    std::size_t count = 0; ///< from forward to backward
    bool known = false;    ///< both directions are seen
};

Turns turns_of(Passes& passes, const std::vector<GpuSlice>& compute) {
    Turns turns;
    std::size_t forward = 0;
    bool any_forward = false;
    bool any_backward = false;
    bool went_forward = false;
    for (std::size_t i = 0; i < compute.size(); ++i) {
        switch (passes.of(compute[i].event)) {
        case Pass::forward:
            forward = i;
            any_forward = went_forward = true;
            break;
        case Pass::both:
            forward = i;
            any_forward = true;
            [[fallthrough]];
        case Pass::backward:
            turns.count += std::exchange(went_forward, false) ? 1 : 0;
            turns.first_backward = any_backward ? turns.first_backward : i;
            turns.last_forward = forward;
            turns.last_backward = i;
            any_backward = true;
            break;
        case Pass::unknown: break;
        }
    }
    turns.known = any_forward && any_backward;
    return turns;
}

class BubbleAccount {
public:
    BubbleAccount(const RankTrace& rank, const StepWork& work, const Turns& turns, BubbleMethod method)
        : rank_(rank), work_(work), turns_(turns), method_(method) {}

    StepBubble count(const std::vector<Ending>& endings, const IntervalSet& communication) {
        result_.step = work_.number;
        result_.window = work_.window;
        result_.passes_end = turns_.known ? work_.compute[turns_.last_backward].range.end : work_.window.end;
        TimeNs done = work_.window.begin;
        for (std::size_t i = 0; i < work_.compute.size(); ++i) {
            const GpuSlice& kernel = work_.compute[i];
            if (kernel.range.begin > done)
                put_down({done, kernel.range.begin}, i, endings, communication);
            result_.compute += std::max<TimeNs>(0, kernel.range.end - std::max(done, kernel.range.begin));
            done = std::max(done, kernel.range.end);
        }
        const TimeRange tail{done, work_.window.end};
        put_down_rest(tail, communication);
        return result_;
    }

private:
    void put_down(TimeRange gap, std::size_t next, const std::vector<Ending>& endings,
                  const IntervalSet& communication) {
        if (method_ == BubbleMethod::idle) {
            const TimeNs exposed = covered(communication, gap);
            const TimeNs idle = gap.length() - exposed;
            if (idle <= kLongGap && idle * 100 <= work_.window.length()) {
                put_down_rest(gap, communication);
                return;
            }
            result_.exposed_comm += exposed;
            for (const TimeRange& range : subtract(merge({gap}), communication))
                add_bubble(next, range);
            return;
        }
        const EventIndex launch = rank_.events.link[work_.compute[next].event];
        const Wait wait = wait_before(gap, launch == kNoEvent ? gap.begin : rank_.events.start[launch], endings,
                                      rank_.operations ? kApart : 0);
        if (!wait.pipeline) {
            put_down_rest(gap, communication);
            return;
        }
        add_bubble(next, wait.range);
        put_down_rest({gap.begin, wait.range.begin}, communication);
        put_down_rest({wait.range.end, gap.end}, communication);
    }

    /// What is no bubble.
    void put_down_rest(TimeRange time, const IntervalSet& communication) {
        const TimeNs exposed = covered(communication, time);
        result_.exposed_comm += exposed;
        result_.other += time.length() - exposed;
    }

    void add_bubble(std::size_t next, TimeRange range) {
        const BubbleKind kind = kind_before(next);
        std::array<TimeNs*, 4> times{&result_.warmup, &result_.steady, &result_.cooldown, &result_.unplaced};
        *times[static_cast<std::size_t>(kind)] += range.length();
        result_.spans.push_back({range, kind});
    }

    [[nodiscard]] BubbleKind kind_before(std::size_t next) const {
        if (!turns_.known)
            return BubbleKind::unplaced;
        if (next <= turns_.first_backward)
            return BubbleKind::warmup;
        return next > turns_.last_forward ? BubbleKind::cooldown : BubbleKind::steady;
    }

    const RankTrace& rank_;
    const StepWork& work_;
    Turns turns_;
    BubbleMethod method_;
    StepBubble result_;
};

/// When the sends of a rank started, ascending.
std::vector<TimeNs> sends_of(const RankTrace& rank, const std::vector<CommCall>& calls,
                             const std::vector<CommGroup>& groups) {
    std::vector<TimeNs> starts;
    for (const CommCall& call : calls) {
        const CommGroup& group = groups[call.group];
        if (group.point_to_point && group.ranks.size() == 2 && group.ranks.front() == rank.rank)
            starts.push_back(call.range.begin);
    }
    std::ranges::sort(starts);
    return starts;
}

void add_passes(Passes& passes, const StepWork& step, const Turns& turns, const std::vector<TimeNs>& sent,
                RankPasses& result) {
    if (!turns.known)
        return;
    result.known = true;
    result.alternates = result.alternates || turns.last_forward > turns.first_backward;
    result.turns += static_cast<double>(turns.count);
    ++result.steps;
    const auto after = std::ranges::upper_bound(sent, step.window.end);
    const TimeNs last = after == sent.begin() ? step.window.end : *std::prev(after);
    for (const GpuSlice& kernel : step.compute) {
        if (passes.of(kernel.event) != Pass::backward)
            continue;
        const auto time = static_cast<double>(kernel.range.length());
        result.backward += time;
        result.after_sending += kernel.range.begin >= last ? time : 0;
    }
}

/// Which stage computes most, and how much more than the mean one.
void compare_stages(PipelineAnalysis& pipeline) {
    std::map<int, std::pair<double, double>> compute; // by stage: sum, steps
    for (const StepBubble& step : pipeline.steps) {
        auto& [sum, steps] = compute[pipeline.stages[step.rank]];
        sum += static_cast<double>(step.compute);
        ++steps;
    }
    if (compute.size() < 2 || compute.begin()->first < 0)
        return;
    double all = 0;
    double most = 0;
    for (const auto& [stage, of_stage] : compute) {
        const double mean = of_stage.first / of_stage.second;
        all += mean;
        if (mean > most) {
            most = mean;
            pipeline.busiest_stage = stage;
        }
    }
    if (all > 0)
        pipeline.imbalance = most * static_cast<double>(compute.size()) / all;
}

} // namespace

std::string_view bubble_method_word(BubbleMethod method) {
    constexpr std::array<std::string_view, 3> kNames{"annotations", "p2p", "idle"};
    return kNames[static_cast<std::size_t>(method)];
}

IntervalSet bubbles_of(const PipelineAnalysis& pipeline, std::uint32_t rank) {
    std::vector<TimeRange> ranges;
    for (const StepBubble& step : pipeline.steps)
        if (step.rank == rank)
            for (const BubbleSpan& span : step.spans)
                ranges.push_back(span.range);
    return merge(std::move(ranges));
}

PipelineAnalysis analyse_pipeline(const Run& run, const CollectiveMatching& matching, const TrafficAnalysis& traffic,
                                  std::span<const std::span<const GpuSlice>> work) {
    count_work("analyse_pipeline");
    PipelineAnalysis result;
    const Parallelism parallelism = parallelism_of(run.config);
    if (parallelism.pp)
        result.stage_count = parallelism.pp->value;
    if (parallelism.microbatches)
        result.microbatches = parallelism.microbatches->value;
    if (run.world_size == 1 || result.stage_count == 1) {
        result.unavailable =
            run.world_size == 1 ? "one rank is no pipeline"_text : "no pipeline: %1 is 1"_text(parallelism.pp->key);
        return result;
    }
    const bool messages =
        std::any_of(matching.calls.begin(), matching.calls.end(), [&](const std::vector<CommCall>& calls) {
            return std::any_of(calls.begin(), calls.end(), [&](const CommCall& call) {
                return dimension_of_call(traffic.groups[call.group], call, parallelism) == ParallelDimension::pp;
            });
        });
    if (!messages && result.stage_count.value_or(0) <= 1) {
        result.unavailable = "no pipeline is recorded: no group of pipeline stages, no messages between ranks, and no "
                             "workload card that names stages"_text;
        return result;
    }
    struct RankBubbles {
        std::vector<StepBubble> steps;
        bool annotated = false;
        RankPasses passes;
    };
    const auto ranks = per_rank<RankBubbles>(run, [&](const RankTrace& rank, std::size_t r) {
        Passes passes(rank);
        const std::vector<Ending> endings = endings_of(matching.calls[r], traffic, parallelism);
        std::vector<TimeRange> ranges;
        for (const Ending& ending : endings)
            ranges.push_back({ending.begin, ending.end});
        const IntervalSet communication = merge(std::move(ranges));
        RankBubbles own{{}, passes.annotated(), {}};
        own.passes.actions = actions_of(rank);
        const std::vector<TimeNs> sent = sends_of(rank, matching.calls[r], matching.groups);
        for (const StepWork& step : work_by_step(rank, work[r])) {
            const Turns turns = turns_of(passes, step.compute);
            add_passes(passes, step, turns, sent, own.passes);
            BubbleAccount account(rank, step, turns, messages ? BubbleMethod::p2p : BubbleMethod::idle);
            own.steps.push_back(account.count(endings, communication));
            own.steps.back().rank = static_cast<std::uint32_t>(r);
        }
        return own;
    });
    bool annotated = messages;
    std::vector<RankPasses> passes;
    for (const RankBubbles& rank : ranks) {
        passes.push_back(rank.passes);
        annotated = annotated && rank.annotated;
        result.steps.insert(result.steps.end(), rank.steps.begin(), rank.steps.end());
    }
    result.method = annotated ? BubbleMethod::annotations : messages ? BubbleMethod::p2p : BubbleMethod::idle;
    PipelineStages stages = pipeline_stages(run, matching, static_cast<int>(result.stage_count.value_or(0)));
    const RecordedSchedule schedule =
        recorded_schedule(run, matching, work, stages, passes, result.stage_count, result.microbatches);
    result.stage_count = schedule.stages;
    result.microbatches = schedule.microbatches;
    for (RankPasses& rank : passes)
        result.actions.push_back(std::move(rank.actions));
    result.schedule = schedule.kind;
    result.chunks = schedule.chunks;
    result.ideal = schedule.ideal;
    result.stage_method = stages.method;
    result.stages = std::move(stages.stage);
    compare_stages(result);
    return result;
}

} // namespace rankscope
