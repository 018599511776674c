// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a training program: when each kernel and collective starts and ends, and what that means for every step.
#include "core/demo/run_simulator.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <span>

#include "core/demo/training_program.h"

namespace rankscope {

std::string_view slow_cause_word(SlowCause cause) {
    switch (cause) {
    case SlowCause::slower_kernels: return "slower_kernels";
    case SlowCause::host_bound: return "host_bound";
    case SlowCause::late_data: return "late_data";
    }
    return "";
}

std::string_view fault_cause_word(FaultCause cause) {
    constexpr std::string_view kWords[] = {"slower_kernels",     "more_kernels",     "host_bound", "late_data",
                                           "garbage_collection", "synchronisation",  "allocation", "slow_link",
                                           "first_iteration",    "expert_imbalance", "late_start"};
    return kWords[static_cast<std::size_t>(cause)];
}

namespace {

/// Resolves the times of all ranks. Each rank takes its tasks in launch order as far as it can; the last member to
/// arrive at a collective lets the others go on. Since every wait is for a task launched earlier, the order in which
/// ranks take turns does not change any time.
class Clockwork {
public:
    Clockwork(const SimulatorOptions& options, TrainingProgram& program)
        : o_(options), program_(program), cursors_(program.run.ranks.size()), arrived_(program.members.size(), 0) {}

    void run() {
        for (std::uint32_t rank = 0; rank < cursors_.size(); ++rank) {
            begin_step(rank, 0, o_.start_time + begins_later(rank));
            ready_.push_back(rank);
        }
        while (!ready_.empty()) {
            const std::uint32_t rank = ready_.front();
            ready_.pop_front();
            advance(rank);
        }
    }

    [[nodiscard]] bool finished() const {
        return std::ranges::all_of(
            cursors_, [&](const Cursor& cursor) { return cursor.step == static_cast<std::size_t>(o_.steps); });
    }

private:
    struct Cursor {
        std::uint32_t task = 0;
        std::size_t step = 0;
        std::size_t pause = 0; ///< next of RankProgram::pauses
        std::array<std::uint32_t, kStreamSlotCount> last_on_stream{kNoTask, kNoTask, kNoTask, kNoTask, kNoTask};
    };

    [[nodiscard]] TimeNs begins_later(std::uint32_t rank) const {
        TimeNs time = 0;
        for (const Fault& fault : o_.faults)
            time += fault.cause == FaultCause::late_start && fault.rank == static_cast<int>(rank) ? fault.time : 0;
        return time;
    }

    RankProgram& rank_program(std::uint32_t rank) { return program_.run.ranks[rank]; }

    void begin_step(std::uint32_t rank, std::size_t step, TimeNs begin) {
        RankProgram& p = rank_program(rank);
        p.steps.push_back({begin, kUnresolved});
        for (std::uint32_t t = p.first_task[step]; t < p.first_task[step + 1]; ++t)
            p.tasks[t].host += begin;
        p.sync_begins[step] += begin;
        for (HostPause& pause : p.pauses) {
            if (pause.step == step) {
                pause.begin += begin;
                pause.end += begin;
            }
        }
    }

    /// The host waits for the compute stream before it launches the task; all it does later in the step moves. False:
    /// what it waits for is still open.
    bool wait_before(std::uint32_t rank, std::uint32_t index) {
        RankProgram& p = rank_program(rank);
        Cursor& cursor = cursors_[rank];
        for (; cursor.pause < p.pauses.size() && p.pauses[cursor.pause].before_task <= index; ++cursor.pause) {
            HostPause& pause = p.pauses[cursor.pause];
            const std::uint32_t last = cursor.last_on_stream[static_cast<std::size_t>(StreamSlot::compute)];
            if (pause.kind != HostPause::Kind::synchronisation || last == kNoTask)
                continue;
            if (p.tasks[last].end == kUnresolved)
                return false;
            const TimeNs delay = std::max<TimeNs>(0, p.tasks[last].end - pause.begin);
            pause.end += delay;
            for (std::uint32_t t = index; t < p.first_task[cursor.step + 1]; ++t)
                p.tasks[t].host += delay;
            p.sync_begins[cursor.step] += delay;
            for (std::size_t later = cursor.pause + 1; later < p.pauses.size() && p.pauses[later].step == cursor.step;
                 ++later) {
                p.pauses[later].begin += delay;
                p.pauses[later].end += delay;
            }
        }
        return true;
    }

    void advance(std::uint32_t rank) {
        Cursor& cursor = cursors_[rank];
        RankProgram& p = rank_program(rank);
        while (cursor.step < static_cast<std::size_t>(o_.steps)) {
            if (cursor.task == p.first_task[cursor.step + 1]) {
                if (!end_step(rank))
                    return;
                continue;
            }
            if (!wait_before(rank, cursor.task) || !start_task(rank, cursor.task))
                return;
            ++cursor.task;
        }
    }

    /// The host waits for all GPU work, then the next step starts. False: some of it is still open.
    bool end_step(std::uint32_t rank) {
        Cursor& cursor = cursors_[rank];
        RankProgram& p = rank_program(rank);
        TimeNs end = p.sync_begins[cursor.step];
        for (const std::uint32_t last : cursor.last_on_stream) {
            if (last != kNoTask) {
                if (p.tasks[last].end == kUnresolved)
                    return false;
                end = std::max(end, p.tasks[last].end);
            }
        }
        end += o_.step_return_time;
        p.steps.back().end = end;
        ++cursor.step;
        if (cursor.step < static_cast<std::size_t>(o_.steps))
            begin_step(rank, cursor.step, end);
        return true;
    }

    /// Sets the task's start, and its end unless it waits for other ranks. False: what it needs is still open.
    bool start_task(std::uint32_t rank, std::uint32_t index) {
        RankProgram& p = rank_program(rank);
        GpuTask& task = p.tasks[index];
        std::uint32_t& last = cursors_[rank].last_on_stream[static_cast<std::size_t>(p.spec_of(task).stream)];
        TimeNs start = p.launch_time(task) + o_.launch_latency;
        if (last != kNoTask) {
            if (p.tasks[last].end == kUnresolved)
                return false;
            start = std::max(start, p.tasks[last].end + o_.kernel_gap);
        }
        if (task.after != kNoTask) {
            if (p.tasks[task.after].end == kUnresolved)
                return false;
            start = std::max(start, p.tasks[task.after].end);
        }
        last = index;
        task.start = start;
        if (task.call < 0)
            task.end = start + task.duration;
        else
            arrive(static_cast<std::size_t>(task.call), rank, start);
        return true;
    }

    void arrive(std::size_t call_index, std::uint32_t rank, TimeNs time) {
        CollectiveTruth& call = program_.run.truth.collectives[call_index];
        const std::vector<CallMember>& members = program_.members[call_index];
        const auto place = std::find_if(members.begin(), members.end(), [&](CallMember m) { return m.rank == rank; });
        call.starts[static_cast<std::size_t>(place - members.begin())] = time;
        if (++arrived_[call_index] < members.size())
            return;
        call.end = *std::max_element(call.starts.begin(), call.starts.end()) + call.transfer;
        for (const CallMember member : members) {
            program_.run.ranks[member.rank].tasks[member.task].end = call.end;
            if (member.rank != rank)
                ready_.push_back(member.rank);
        }
    }

    const SimulatorOptions& o_;
    TrainingProgram& program_;
    std::vector<Cursor> cursors_;
    std::vector<std::size_t> arrived_;
    std::deque<std::uint32_t> ready_;
};

/// Where the wait for a pipeline message belongs: before any backward pass, after the last forward pass, or between.
TimeNs& bubble_of(StepTruth& truth, bool any_backward, bool last_forward_done) {
    if (!any_backward)
        return truth.bubble_warmup;
    return last_forward_done ? truth.bubble_cooldown : truth.bubble_steady;
}

TimeNs& wait_of(StepTruth& truth, Dimension dimension, bool any_backward, bool last_forward_done) {
    switch (dimension) {
    case Dimension::tensor: return truth.exposed_tensor;
    case Dimension::data:
    case Dimension::expert: return truth.exposed_data;
    case Dimension::pipeline: break;
    }
    return bubble_of(truth, any_backward, last_forward_done);
}

StepTruth step_truth(const SimulatorOptions& o, const RankProgram& p, std::size_t step) {
    StepTruth truth;
    truth.rank = p.rank;
    truth.step = o.first_step + static_cast<std::int64_t>(step);
    truth.annotation = p.steps[step];
    const std::span<const GpuTask> tasks =
        std::span(p.tasks).subspan(p.first_task[step], p.first_task[step + 1] - p.first_task[step]);
    truth.window = {tasks.front().start, tasks.front().end};
    for (const GpuTask& task : tasks)
        truth.window = {std::min(truth.window.begin, task.start), std::max(truth.window.end, task.end)};
    TimeNs done = truth.window.begin;
    bool any_backward = false;
    bool last_forward_done = false;
    for (const GpuTask& task : tasks) {
        if (p.spec_of(task).stream != StreamSlot::compute)
            continue;
        const TimeNs launched = std::max(p.launch_time(task) + o.launch_latency, done + o.kernel_gap);
        const TimeNs ready = std::clamp(launched, done, std::max(done, task.start));
        truth.host += ready - done;
        if (task.start > ready) {
            const Dimension waited_for = p.spec_of(p.tasks[task.after]).dimension;
            wait_of(truth, waited_for, any_backward, last_forward_done) += task.start - ready;
        }
        truth.busy += task.end - task.start;
        done = task.end;
        any_backward = any_backward || task.phase == Phase::backward;
        last_forward_done =
            last_forward_done || (task.phase == Phase::forward && task.microbatch == o.microbatches - 1);
    }
    truth.tail = truth.window.end - done;
    return truth;
}

std::vector<TrafficTruth> traffic_per_step(const SimulatorOptions& o, const RunTruth& truth) {
    std::vector<TrafficTruth> traffic(kDimensionCount);
    for (const CollectiveTruth& call : truth.collectives) {
        if (call.step == o.first_step) {
            TrafficTruth& dimension = traffic[static_cast<std::size_t>(call.dimension)];
            dimension.calls += static_cast<std::int64_t>(call.ranks.size());
            dimension.bytes += call.bytes * static_cast<std::int64_t>(call.ranks.size());
        }
    }
    return traffic;
}

void complete_truth(const SimulatorOptions& o, SimulatedRun& run) {
    RunTruth& truth = run.truth;
    for (const RankProgram& program : run.ranks)
        for (std::size_t step = 0; step < program.steps.size(); ++step)
            truth.steps.push_back(step_truth(o, program, step));
    truth.traffic = traffic_per_step(o, truth);
    truth.ideal_bubble = static_cast<double>(o.pp - 1) / static_cast<double>(o.microbatches + o.pp - 1);
    truth.slow_rank = o.slow.rank;
    truth.slow_cause = o.slow.rank >= 0 ? slow_cause_word(o.slow.cause) : "";
    truth.slow_factor = o.slow.rank >= 0 ? o.slow.factor : 1;
    truth.clock_offsets = o.clock_offsets;
    truth.clock_offsets.resize(static_cast<std::size_t>(o.world_size()), 0);
}

} // namespace

Result<SimulatedRun> simulate(const SimulatorOptions& options) {
    if (const std::optional<Error> wrong = check_options(options))
        return tl::unexpected<Error>(*wrong);
    TrainingProgram program = plan_training(options);
    Clockwork clockwork(options, program);
    clockwork.run();
    if (!clockwork.finished())
        return input_error("simulator: the ranks wait for each other forever"_text);
    complete_truth(options, program.run);
    return std::move(program.run);
}

} // namespace rankscope
