// SPDX-License-Identifier: GPL-3.0-or-later
// What every rank launches: the 1F1B schedule over stages, layers with tensor-parallel all-reduces, gradient buckets.
#include "tests/support/training_program.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace rankscope {

MeshPlace mesh_place(const SimulatorOptions& o, int rank) {
    return {rank / (o.dp * o.tp), rank / o.tp % o.dp, rank % o.tp};
}

int rank_at(const SimulatorOptions& o, MeshPlace place) {
    return (place.pp * o.dp + place.dp) * o.tp + place.tp;
}

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

TimeNs scaled(TimeNs time, double factor) {
    return std::llround(static_cast<double>(time) * factor);
}

/// Process groups of the run: the default one, then those of each dimension that has more than one member.
class Groups {
public:
    explicit Groups(const SimulatorOptions& o) : by_rank_(static_cast<std::size_t>(o.world_size()), {-1, -1, -1}) {
        std::vector<int> all;
        for (int rank = 0; rank < o.world_size(); ++rank) {
            all.push_back(rank);
        }
        groups_.push_back({"0", "default_pg", all, o.world_size()});
        for (const Dimension dimension : {Dimension::pipeline, Dimension::data, Dimension::tensor}) {
            for (const int rank : all) {
                add_if_first(o, dimension, rank);
            }
        }
    }
    [[nodiscard]] int of(int rank, Dimension dimension) const {
        return by_rank_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(dimension)];
    }
    [[nodiscard]] const std::vector<ProcessGroup>& all() const { return groups_; }

private:
    /// Adds the group of that dimension whose first member the rank is.
    void add_if_first(const SimulatorOptions& o, Dimension dimension, int rank) {
        MeshPlace place = mesh_place(o, rank);
        int& along = dimension == Dimension::pipeline ? place.pp : dimension == Dimension::data ? place.dp : place.tp;
        const int size = dimension == Dimension::pipeline ? o.pp : dimension == Dimension::data ? o.dp : o.tp;
        if (size == 1 || along != 0) {
            return;
        }
        const int index = static_cast<int>(groups_.size());
        ProcessGroup group{std::to_string(index), fmt::format("mesh_{}", dimension_word(dimension)), {}, size};
        for (along = 0; along < size; ++along) {
            group.ranks.push_back(rank_at(o, place));
            by_rank_[static_cast<std::size_t>(group.ranks.back())][static_cast<std::size_t>(dimension)] = index;
        }
        groups_.push_back(std::move(group));
    }

    std::vector<ProcessGroup> groups_;
    std::vector<std::array<int, kDimensionCount>> by_rank_;
};

/// The calls of the run: the n-th call of a group, or the n-th message of a sender to a receiver, is one for all
/// members.
class Calls {
public:
    Calls(const SimulatorOptions& options, TrainingProgram& program) : options_(options), program_(program) {}

    void join(std::uint32_t rank, std::uint32_t task_index) {
        RankProgram& program = program_.run.ranks[rank];
        GpuTask& task = program.tasks[task_index];
        const KernelSpec& spec = program.spec_of(task);
        const int own = program.rank;
        const bool message = spec.peer >= 0;
        const int sender = !message ? -1 : spec.collective == "send" ? own : spec.peer;
        const int receiver = !message ? -1 : spec.collective == "send" ? spec.peer : own;
        Channel& channel = channels_[{spec.group, sender, receiver}];
        const std::size_t number = channel.joined[own]++;
        if (number == channel.calls.size()) {
            channel.calls.push_back(open_call(spec, task.step, sender, receiver));
        }
        task.sequence = static_cast<std::int32_t>(number);
        task.call = channel.calls[number];
        const std::vector<int>& ranks = program_.run.truth.collectives[static_cast<std::size_t>(task.call)].ranks;
        const auto place = std::find(ranks.begin(), ranks.end(), own) - ranks.begin();
        program_.members[static_cast<std::size_t>(task.call)][static_cast<std::size_t>(place)] = {rank, task_index};
    }

private:
    struct Channel {
        std::vector<std::int32_t> calls;
        std::map<int, std::size_t> joined;
    };

    std::int32_t open_call(const KernelSpec& spec, std::uint16_t step, int sender, int receiver) {
        CollectiveTruth call;
        call.collective = sender >= 0 ? "send" : spec.collective;
        call.dimension = spec.dimension;
        call.group = spec.group;
        call.step = options_.first_step + step;
        call.elements = spec.elements;
        call.bytes = spec.elements * dtype_bytes(spec.dtype);
        call.ranks = sender >= 0 ? std::vector<int>{sender, receiver}
                                 : program_.run.truth.groups[static_cast<std::size_t>(spec.group)].ranks;
        call.starts.assign(call.ranks.size(), kUnresolved);
        const auto members = static_cast<double>(call.ranks.size());
        const double rounds = sender >= 0 ? 1 : 2 * (members - 1) / members;
        const double bandwidth =
            spec.dimension == Dimension::tensor ? options_.intra_node_gb_s : options_.inter_node_gb_s;
        call.transfer =
            options_.collective_latency + std::llround(static_cast<double>(call.bytes) * rounds / bandwidth);
        call.end = kUnresolved;
        program_.members.emplace_back(call.ranks.size());
        program_.run.truth.collectives.push_back(std::move(call));
        return static_cast<std::int32_t>(program_.members.size() - 1);
    }

    const SimulatorOptions& options_;
    TrainingProgram& program_;
    std::map<std::tuple<int, int, int>, Channel> channels_;
};

using SpecId = std::uint16_t;

/// Writes the program of one rank.
class RankPlan {
public:
    RankPlan(const SimulatorOptions& options, const Groups& groups, Calls& calls, RankProgram& program)
        : o_(options), groups_(groups), calls_(calls), p_(program), place_(mesh_place(options, program.rank)),
          dice_(options.seed * 1000003 + static_cast<std::uint64_t>(program.rank)) {
        const bool slow = o_.slow.rank == p_.rank;
        const double host = slow && o_.slow.cause == SlowCause::host_bound ? o_.slow.factor : 1;
        p_.stage = place_.pp;
        p_.before_launch = scaled(o_.host.before_launch, host);
        p_.launch = scaled(o_.host.launch, host);
        p_.after_launch = scaled(o_.host.after_launch, host);
        p_.data_loading =
            scaled(o_.data_loading_time, slow && o_.slow.cause == SlowCause::late_data ? o_.slow.factor : 1);
        kernel_factor_ = slow && o_.slow.cause == SlowCause::slower_kernels ? o_.slow.factor : 1;
        make_specs();
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
    [[nodiscard]] bool first_stage() const { return place_.pp == 0; }
    [[nodiscard]] bool last_stage() const { return place_.pp == o_.pp - 1; }

    SpecId add_spec(KernelSpec spec) {
        p_.specs.push_back(std::move(spec));
        return static_cast<SpecId>(p_.specs.size() - 1);
    }

    SpecId compute_spec(const LayerKernel& kernel) {
        KernelSpec spec;
        spec.name = kernel.kernel;
        spec.operators = kernel.operators;
        spec.blocks = kernel.blocks;
        spec.threads = kernel.threads;
        return add_spec(std::move(spec));
    }

    SpecId transfer_spec(std::string name, GpuWork work, std::vector<std::string> operators, std::int64_t bytes) {
        KernelSpec spec;
        spec.name = std::move(name);
        spec.work = work;
        spec.operators = std::move(operators);
        spec.bytes = bytes;
        return add_spec(std::move(spec));
    }

    SpecId all_reduce_spec(Dimension dimension, StreamSlot stream, const std::string& dtype, std::int64_t elements,
                           std::vector<std::string> operators) {
        KernelSpec spec;
        const std::string short_dtype = dtype == "BFloat16" ? "bf16"
                                        : dtype == "Half"   ? "f16"
                                        : dtype == "Double" ? "f64"
                                                            : "f32";
        spec.name =
            o_.vendor == GpuVendor::amd
                ? "ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)"
                : fmt::format("ncclDevKernel_AllReduce_Sum_{}_RING_LL(ncclDevKernelArgsStorage<4096ul>)", short_dtype);
        spec.operators = std::move(operators);
        spec.stream = stream;
        spec.blocks = 24;
        spec.threads = 544;
        spec.collective = "allreduce";
        spec.annotation = "nccl:all_reduce";
        spec.dimension = dimension;
        spec.dtype = dtype;
        spec.elements = elements;
        spec.group = groups_.of(p_.rank, dimension);
        spec.group_rank = dimension == Dimension::tensor ? place_.tp : place_.dp;
        return add_spec(std::move(spec));
    }

    SpecId message_spec(bool send, int direction) {
        const int peer_stage = place_.pp + direction;
        KernelSpec spec;
        spec.name = o_.vendor == GpuVendor::amd ? "ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)"
                                                : "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)";
        spec.operators = {send ? "c10d::send" : "c10d::recv_", "record_param_comms"};
        spec.stream = direction > 0 ? StreamSlot::next_stage : StreamSlot::previous_stage;
        spec.blocks = 4;
        spec.threads = 640;
        spec.collective = send ? "send" : "recv";
        spec.annotation = send ? fmt::format("nccl:send {}->{}", place_.pp, peer_stage)
                               : fmt::format("nccl:recv {}<-{}", place_.pp, peer_stage);
        spec.dimension = Dimension::pipeline;
        spec.dtype = o_.activation_dtype;
        spec.elements = o_.activation_elements;
        spec.group = groups_.of(p_.rank, Dimension::pipeline);
        spec.group_rank = peer_stage;
        spec.peer = rank_at(o_, {peer_stage, place_.dp, place_.tp});
        return add_spec(std::move(spec));
    }

    void make_specs() {
        forward_ = o_.forward_layer.empty() ? transformer_forward_layer(o_.vendor) : o_.forward_layer;
        backward_ = o_.backward_layer.empty() ? transformer_backward_layer(o_.vendor) : o_.backward_layer;
        copy_ = transfer_spec("Memcpy HtoD (Pinned -> Device)", GpuWork::memory_copy,
                              {"aten::to", "aten::_to_copy", "aten::copy_"}, o_.batch_bytes);
        zero_ =
            transfer_spec("Memset (Device)", GpuWork::memory_set, {"aten::zero_"}, 4 * o_.gradient_elements_per_layer);
        for (const LayerKernel& kernel : forward_) {
            forward_specs_.push_back(compute_spec(kernel));
        }
        for (const LayerKernel& kernel : backward_) {
            backward_specs_.push_back(compute_spec(kernel));
        }
        embedding_ =
            compute_spec({{"aten::embedding", "aten::index_select"},
                          "void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long, "
                          "unsigned int, 2, 2, -2, true>(at::cuda::detail::TensorInfo<c10::BFloat16, unsigned int>)",
                          o_.embedding_time});
        loss_ = compute_spec(
            {{"aten::cross_entropy_loss", "aten::log_softmax", "aten::_log_softmax"},
             "void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, c10::BFloat16, float, "
             "c10::BFloat16, at::native::(anonymous namespace)::LogSoftMaxForwardEpilogue>(c10::BFloat16*, "
             "c10::BFloat16 const*, int)",
             o_.loss_time});
        optimizer_ =
            compute_spec({{"aten::_fused_adamw_"},
                          "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
                          "namespace)::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous "
                          "namespace)::FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)1, false> >(int)",
                          o_.optimizer_kernel_time,
                          false,
                          320,
                          512});
        make_collective_specs();
    }

    void make_collective_specs() {
        const std::vector<std::string> ddp = {"torch::distributed::reducer::finalize_bucket", "c10d::allreduce_",
                                              "record_param_comms"};
        if (o_.tp > 1) {
            tensor_reduce_ = all_reduce_spec(Dimension::tensor, StreamSlot::tensor, o_.activation_dtype,
                                             o_.activation_elements, {"c10d::allreduce_", "record_param_comms"});
        }
        if (o_.dp > 1) {
            const int rest = o_.layers % o_.layers_per_bucket;
            bucket_ = all_reduce_spec(Dimension::data, StreamSlot::data, o_.gradient_dtype,
                                      o_.gradient_elements_per_layer * o_.layers_per_bucket, ddp);
            last_bucket_ = rest == 0 ? bucket_
                                     : all_reduce_spec(Dimension::data, StreamSlot::data, o_.gradient_dtype,
                                                       o_.gradient_elements_per_layer * rest, ddp);
        }
        if (!first_stage()) {
            receive_forward_ = message_spec(false, -1);
            send_backward_ = message_spec(true, -1);
        }
        if (!last_stage()) {
            send_forward_ = message_spec(true, +1);
            receive_backward_ = message_spec(false, +1);
        }
    }

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
        output_ = launch(spec, time, std::exchange(wait_for_, kNoTask));
    }

    std::uint32_t communicate(SpecId spec, std::uint32_t after) {
        const std::uint32_t task = launch(spec, 0, after);
        calls_.join(static_cast<std::uint32_t>(p_.rank), task);
        return task;
    }

    void run_kernels(const std::vector<LayerKernel>& kernels, const std::vector<SpecId>& specs) {
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            compute(specs[i], kernels[i].duration);
            if (kernels[i].all_reduce_after && o_.tp > 1) {
                output_ = communicate(tensor_reduce_, output_);
                wait_for_ = output_;
            }
        }
    }

    void enter(Phase phase, int microbatch) {
        phase_ = phase;
        microbatch_ = static_cast<std::uint16_t>(microbatch);
        layer_ = -1;
    }

    std::uint32_t receive_forward(int microbatch) {
        enter(Phase::forward, microbatch);
        return first_stage() ? kNoTask : communicate(receive_forward_, kNoTask);
    }

    void forward(int microbatch, std::uint32_t received) {
        enter(Phase::forward, microbatch);
        wait_for_ = received;
        if (first_stage() && o_.embedding_time > 0) {
            compute(embedding_, o_.embedding_time);
        }
        for (int layer = 0; layer < o_.layers; ++layer) {
            layer_ = static_cast<std::int16_t>(layer);
            run_kernels(forward_, forward_specs_);
        }
        layer_ = -1;
        if (last_stage()) {
            if (o_.loss_time > 0) {
                compute(loss_, o_.loss_time);
            }
        } else {
            communicate(send_forward_, output_);
        }
    }

    void backward(int microbatch) {
        enter(Phase::backward, microbatch);
        if (!last_stage()) {
            wait_for_ = communicate(receive_backward_, kNoTask);
        }
        for (int layer = o_.layers - 1; layer >= 0; --layer) {
            layer_ = static_cast<std::int16_t>(layer);
            run_kernels(backward_, backward_specs_);
            const int done = o_.layers - layer;
            const bool bucket_full = done % o_.layers_per_bucket == 0 || layer == 0;
            if (o_.dp > 1 && microbatch == o_.microbatches - 1 && bucket_full) {
                last_reduction_ = communicate(layer == 0 ? last_bucket_ : bucket_, output_);
            }
        }
        layer_ = -1;
        if (!first_stage()) {
            communicate(send_backward_, output_);
        }
    }

    /// 1F1B. A stage posts the receive of its next activations before the backward pass that comes first, so that both
    /// ends of a neighbour's stream see the messages in the same order.
    void schedule() {
        const int m = o_.microbatches;
        const int warmup = std::min(o_.pp - place_.pp - 1, m);
        for (int k = 0; k < warmup; ++k) {
            forward(k, receive_forward(k));
        }
        std::uint32_t received = warmup < m ? receive_forward(warmup) : kNoTask;
        for (int i = 0; i < m - warmup; ++i) {
            forward(warmup + i, received);
            const int next = warmup + i + 1;
            received = next < m ? receive_forward(next) : kNoTask;
            backward(i);
        }
        for (int i = m - warmup; i < m; ++i) {
            backward(i);
        }
    }

    void plan_step() {
        host_ = p_.data_loading;
        wait_for_ = kNoTask;
        last_reduction_ = kNoTask;
        enter(Phase::load, 0);
        if (o_.batch_bytes > 0) {
            launch(copy_, 2000 + o_.batch_bytes / 20, kNoTask); // 20 GB/s
            launch(zero_, 3000 + o_.gradient_elements_per_layer / 300, kNoTask);
        }
        schedule();
        enter(Phase::update, 0);
        wait_for_ = last_reduction_;
        for (int i = 0; i < o_.optimizer_kernels; ++i) {
            compute(optimizer_, o_.optimizer_kernel_time);
        }
    }

    const SimulatorOptions& o_;
    const Groups& groups_;
    Calls& calls_;
    RankProgram& p_;
    MeshPlace place_;
    Dice dice_;
    double kernel_factor_ = 1;
    std::vector<LayerKernel> forward_;
    std::vector<LayerKernel> backward_;
    std::vector<SpecId> forward_specs_;
    std::vector<SpecId> backward_specs_;
    SpecId copy_ = 0, zero_ = 0, embedding_ = 0, loss_ = 0, optimizer_ = 0;
    SpecId tensor_reduce_ = 0, bucket_ = 0, last_bucket_ = 0;
    SpecId send_forward_ = 0, receive_forward_ = 0, send_backward_ = 0, receive_backward_ = 0;

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
