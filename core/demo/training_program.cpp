// SPDX-License-Identifier: GPL-3.0-or-later
// What every rank launches: the 1F1B schedule over stages, layers with tensor-parallel all-reduces, gradient buckets.
#include "core/demo/training_program.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/demo/rank_specs.h"
#include "core/demo/training_calls.h"

namespace rankscope {

namespace {

/// Numbers that depend on the seed alone, on every platform (SplitMix64).
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}
    /// Uniform in [-1, 1), in millionths.
    std::int64_t spread_ppm() {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        z ^= z >> 31;
        return static_cast<std::int64_t>(z % 2000000) - 1000000;
    }

private:
    std::uint64_t state_;
};

TimeNs scaled(TimeNs time, double factor) { return std::llround(static_cast<double>(time) * factor); }

/// Writes the program of one rank.
class RankPlan {
public:
    RankPlan(const SimulatorOptions& options, const Groups& groups, Calls& calls, RankProgram& program)
        : o_(options), calls_(calls), p_(program), place_(mesh_place(options, program.rank)),
          dice_(options.seed * 1000003 + static_cast<std::uint64_t>(program.rank)) {
        const bool slow = o_.slow.rank == p_.rank;
        const double host =
            (slow && o_.slow.cause == SlowCause::host_bound ? o_.slow.factor : 1) * factor_of(FaultCause::host_bound);
        p_.stage = place_.pp;
        p_.before_launch = scaled(o_.host.before_launch, host);
        p_.launch = scaled(o_.host.launch, host);
        p_.after_launch = scaled(o_.host.after_launch, host);
        p_.data_loading =
            scaled(o_.data_loading_time, slow && o_.slow.cause == SlowCause::late_data ? o_.slow.factor : 1) +
            time_of(FaultCause::late_data);
        kernel_factor_ = (slow && o_.slow.cause == SlowCause::slower_kernels ? o_.slow.factor : 1) *
                         factor_of(FaultCause::slower_kernels);
        specs_ = make_rank_specs(o_, groups, p_);
    }

    void plan() {
        for (int step = 0; step < o_.steps; ++step) {
            step_ = static_cast<std::uint16_t>(step);
            p_.first_task.push_back(static_cast<std::uint32_t>(p_.tasks.size()));
            plan_step();
            p_.sync_begins.push_back(host_);
        }
        p_.first_task.push_back(static_cast<std::uint32_t>(p_.tasks.size()));
    }

private:
    [[nodiscard]] bool has(const Fault& fault, FaultCause cause) const {
        return fault.cause == cause && (fault.rank == Fault::kAllRanks || fault.rank == p_.rank);
    }
    [[nodiscard]] double factor_of(FaultCause cause) const {
        double factor = 1;
        for (const Fault& fault : o_.faults)
            factor *= has(fault, cause) ? fault.factor : 1;
        return factor;
    }
    [[nodiscard]] TimeNs time_of(FaultCause cause) const {
        TimeNs time = 0;
        for (const Fault& fault : o_.faults)
            time += has(fault, cause) ? fault.time : 0;
        return time;
    }

    void pause(HostPause::Kind kind, TimeNs time) {
        if (time > 0) {
            p_.pauses.push_back({kind, step_, static_cast<std::uint32_t>(p_.tasks.size()), host_, host_ + time});
            host_ += time;
        }
    }

    [[nodiscard]] bool first_stage() const { return place_.pp == 0; }
    [[nodiscard]] bool last_stage() const { return place_.pp == o_.pp - 1; }

    std::uint32_t launch(SpecId spec, TimeNs duration, std::uint32_t after) {
        GpuTask task;
        task.host = host_;
        task.duration = duration;
        task.after = after;
        task.spec = spec;
        task.step = step_;
        task.microbatch = microbatch_;
        task.layer = layer_;
        task.phase = phase_;
        task.on_autograd_thread = phase_ == Phase::backward && p_.specs[spec].peer < 0;
        host_ += p_.before_launch + p_.launch + p_.after_launch;
        p_.tasks.push_back(task);
        return static_cast<std::uint32_t>(p_.tasks.size() - 1);
    }

    void compute(SpecId spec, TimeNs duration) {
        TimeNs time = scaled(duration, kernel_factor_);
        if (o_.jitter > 0) {
            time += static_cast<TimeNs>(static_cast<double>(time) * o_.jitter *
                                        static_cast<double>(dice_.spread_ppm()) / 1e6);
        }
        const std::uint32_t waits_for = std::exchange(wait_for_, kNoTask);
        output_ = launch(spec, time, o_.compute_waits ? waits_for : kNoTask);
    }

    std::uint32_t communicate(SpecId spec, std::uint32_t after) {
        const std::uint32_t task = launch(spec, 0, after);
        calls_.join(static_cast<std::uint32_t>(p_.rank), task);
        return task;
    }

    void run_kernels(const std::vector<LayerStep>& kernels) {
        for (const LayerStep& kernel : kernels) {
            compute(kernel.spec, kernel.duration);
            if (kernel.all_reduce_after && o_.tp > 1) {
                output_ = communicate(specs_.tensor_reduce, output_);
                wait_for_ = output_;
            }
        }
    }

    void experts(double times) {
        if (!o_.experts || o_.dp == 1)
            return;
        wait_for_ = communicate(specs_.dispatch, output_);
        compute(specs_.experts, scaled(o_.expert_time, times * specs_.expert_load));
        output_ = communicate(specs_.combine, output_);
        wait_for_ = output_;
    }

    void more_kernels() {
        if (const TimeNs time = time_of(FaultCause::more_kernels); time > 0)
            compute(specs_.surplus, time);
    }

    void enter(Phase phase, int microbatch) {
        phase_ = phase;
        microbatch_ = static_cast<std::uint16_t>(microbatch);
        layer_ = -1;
    }

    std::uint32_t receive_forward(int microbatch) {
        enter(Phase::forward, microbatch);
        return first_stage() ? kNoTask : communicate(specs_.receive_forward, kNoTask);
    }

    void forward(int microbatch, std::uint32_t received) {
        enter(Phase::forward, microbatch);
        pause(HostPause::Kind::allocation, time_of(FaultCause::allocation));
        wait_for_ = received;
        if (first_stage() && o_.embedding_time > 0)
            compute(specs_.embedding, o_.embedding_time);
        for (int layer = 0; layer < o_.layers; ++layer) {
            layer_ = static_cast<std::int16_t>(layer);
            run_kernels(specs_.forward);
            experts(1);
            more_kernels();
        }
        layer_ = -1;
        if (last_stage()) {
            if (o_.loss_time > 0)
                compute(specs_.loss, o_.loss_time);
        } else {
            communicate(specs_.send_forward, output_);
        }
    }

    void backward(int microbatch) {
        enter(Phase::backward, microbatch);
        pause(HostPause::Kind::garbage_collection, time_of(FaultCause::garbage_collection));
        for (const Fault& fault : o_.faults)
            if (has(fault, FaultCause::synchronisation))
                pause(HostPause::Kind::synchronisation, 1000); // and until the stream is done
        if (!last_stage())
            wait_for_ = communicate(specs_.receive_backward, kNoTask);
        for (int layer = o_.layers - 1; layer >= 0; --layer) {
            layer_ = static_cast<std::int16_t>(layer);
            experts(2);
            run_kernels(specs_.backward);
            more_kernels();
            const int done = o_.layers - layer;
            const bool bucket_full = done % o_.layers_per_bucket == 0 || layer == 0;
            if (o_.dp > 1 && microbatch == o_.microbatches - 1 && bucket_full)
                last_reduction_ = communicate(layer == 0 ? specs_.last_bucket : specs_.bucket, output_);
        }
        layer_ = -1;
        if (!first_stage())
            communicate(specs_.send_backward, output_);
    }

    /// 1F1B. A stage posts the receive of its next activations before the backward pass that comes first, so that both
    /// ends of a neighbour's stream see the messages in the same order.
    void schedule() {
        const int m = o_.microbatches;
        const int warmup = std::min(o_.pp - place_.pp - 1, m);
        for (int k = 0; k < warmup; ++k)
            forward(k, receive_forward(k));
        std::uint32_t received = warmup < m ? receive_forward(warmup) : kNoTask;
        for (int i = 0; i < m - warmup; ++i) {
            forward(warmup + i, received);
            const int next = warmup + i + 1;
            received = next < m ? receive_forward(next) : kNoTask;
            backward(i);
        }
        for (int i = m - warmup; i < m; ++i)
            backward(i);
    }

    void plan_step() {
        host_ = p_.data_loading + (step_ == 0 ? time_of(FaultCause::first_iteration) : 0);
        wait_for_ = kNoTask;
        last_reduction_ = kNoTask;
        enter(Phase::load, 0);
        if (o_.batch_bytes > 0) {
            launch(specs_.copy, 2000 + o_.batch_bytes / 20, kNoTask); // 20 GB/s
            launch(specs_.zero, 3000 + o_.gradient_elements_per_layer / 300, kNoTask);
        }
        schedule();
        enter(Phase::update, 0);
        wait_for_ = last_reduction_;
        for (int i = 0; i < o_.optimizer_kernels; ++i)
            compute(specs_.optimizer, o_.optimizer_kernel_time);
    }

    const SimulatorOptions& o_;
    Calls& calls_;
    RankProgram& p_;
    MeshPlace place_;
    Dice dice_;
    double kernel_factor_ = 1;
    RankSpecs specs_;

    TimeNs host_ = 0;
    std::uint16_t step_ = 0;
    std::uint16_t microbatch_ = 0;
    std::int16_t layer_ = -1;
    Phase phase_ = Phase::load;
    std::uint32_t wait_for_ = kNoTask; ///< what the next compute kernel waits for
    std::uint32_t output_ = kNoTask;   ///< the task that makes the activations or gradients at hand
    std::uint32_t last_reduction_ = kNoTask;
};

} // namespace

TrainingProgram plan_training(const SimulatorOptions& options) {
    TrainingProgram program;
    const Groups groups(options);
    program.run.truth.groups = groups.all();
    program.run.ranks.resize(static_cast<std::size_t>(options.world_size()));
    Calls calls(options, program);
    for (int rank = 0; rank < options.world_size(); ++rank) {
        RankProgram& own = program.run.ranks[static_cast<std::size_t>(rank)];
        own.rank = rank;
        RankPlan(options, groups, calls, own).plan();
    }
    return program;
}

} // namespace rankscope
