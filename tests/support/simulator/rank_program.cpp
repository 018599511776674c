// SPDX-License-Identifier: GPL-3.0-or-later
// What a rank's host and GPU do, instruction by instruction, and the programs of all ranks.
#include "tests/support/simulator/rank_program.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tests/support/simulator/kernel_names.h"
#include "tests/support/simulator/network.h"

namespace rankscope::machine {
namespace {

struct TransferText {
    const char* operation;
    const char* kernel;
};

TransferText text_of(TransferKind kind, bool sends) {
    switch (kind) {
    case TransferKind::all_reduce:
        return {"c10d::allreduce_", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"};
    case TransferKind::all_gather:
        return {"c10d::_allgather_base_", "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)"};
    case TransferKind::reduce_scatter:
        return {"c10d::_reduce_scatter_base_",
                "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"};
    case TransferKind::all_to_all:
        return {"c10d::alltoall_base_", "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)"};
    case TransferKind::message: break;
    }
    return {sends ? "c10d::send" : "c10d::recv_", "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)"};
}

} // namespace

std::vector<std::string> layer_kernels() { return {kQkvGemm, kWideGemm, kWeightGemm, kFlash, kFlashBackward}; }

int SharedProgram::name(const std::string& text) {
    const auto [place, is_new] = names.try_emplace(text, static_cast<int>(program.names.size()));
    if (is_new)
        program.names.push_back(text);
    return place->second;
}

int SharedProgram::kernel(const KernelKind& kind) {
    for (std::size_t i = 0; i < program.kernels.size(); ++i)
        if (program.kernels[i].name == kind.name && program.kernels[i].operation == kind.operation &&
            program.kernels[i].outer == kind.outer)
            return static_cast<int>(i);
    program.kernels.push_back(kind);
    return static_cast<int>(program.kernels.size()) - 1;
}

RankProgram::RankProgram(SharedProgram& shared, int rank)
    : shared_(shared), job_(shared.job), rank_(rank),
      speed_(Draw{job_.seed, 1, static_cast<std::uint64_t>(rank)}.lognormal(job_.rank_noise)) {}

// -- the host ---------------------------------------------------------------------------------------------------------

Instruction& RankProgram::add(Instruction::Kind kind, int stream) {
    Instruction& added = instructions.emplace_back();
    added.kind = kind;
    added.stream = static_cast<std::int16_t>(stream);
    added.step = static_cast<std::int16_t>(step_);
    added.on_autograd_thread = autograd_;
    return added;
}

double RankProgram::host_factor() const {
    double factor = 1;
    for (const Fault& fault : job_.faults)
        if ((fault.kind == FaultKind::slow_host || fault.kind == FaultKind::host_bound) && fault.hits(rank_) &&
            fault.strikes(step_, job_.steps_before))
            factor *= fault.factor;
    return factor;
}

/// With jitter; now and then the system does something else.
double RankProgram::host_time(double time) {
    Draw draw{job_.seed, 2, static_cast<std::uint64_t>(rank_), ++draws_};
    const double jitter = draw.lognormal(job_.host_noise);
    const double hiccup = job_.host_noise > 0 && draw.chance(0.0005) ? draw.between(20e3, 80e3) : 0;
    return time * jitter * host_factor() + hiccup;
}

Instruction& RankProgram::work(double time, const std::string& name) {
    Instruction& added = add(Instruction::Kind::work);
    added.host = host_time(time);
    added.recorded = !name.empty();
    added.name = name.empty() ? -1 : shared_.name(name);
    return added;
}

void RankProgram::pause(double time, const std::string& name) {
    Instruction& added = add(Instruction::Kind::work);
    added.host = time;
    added.inserted = true;
    added.recorded = !name.empty();
    added.name = name.empty() ? -1 : shared_.name(name);
}

void RankProgram::synchronise(int stream, const std::string& call) {
    Instruction& added = add(Instruction::Kind::synchronise, stream);
    added.host = 2000;
    added.recorded = true;
    added.name = shared_.name(call);
}

// -- its GPU ----------------------------------------------------------------------------------------------------------

/// Sequences of unequal length: how much there is to compute, 1 on the mean.
double RankProgram::microbatch_work() const {
    if (microbatch_ < 0 || job_.microbatch_noise <= 0)
        return 1;
    return Draw{job_.seed, 9, static_cast<std::uint64_t>(job_.data_rank(rank_)),
                static_cast<std::uint64_t>(step_) << 32U | static_cast<std::uint64_t>(microbatch_)}
        .lognormal(job_.microbatch_noise);
}

void RankProgram::launch(const KernelKind& kind, double duration, int stream) {
    Draw draw{job_.seed, 4, static_cast<std::uint64_t>(rank_), ++draws_};
    duration *= draw.lognormal(job_.kernel_noise);
    if (kind.work == GpuWork::compute) {
        duration *= speed_ * microbatch_work();
        for (const Fault& fault : job_.faults) {
            const bool this_kernel = fault.kind == FaultKind::slow_gpu ||
                                     (fault.kind == FaultKind::slow_kernel && fault.kernel == kind.name);
            if (this_kernel && fault.hits(rank_) && fault.strikes(step_, job_.steps_before))
                duration *= fault.factor;
        }
    }
    const double gap = host_time(job_.python_gap);
    const double host = host_time(job_.operator_time);
    Instruction& added = add(Instruction::Kind::launch, stream);
    added.kernel = shared_.kernel(kind);
    added.microbatch = static_cast<std::int16_t>(microbatch_);
    added.stage = static_cast<std::int16_t>(stage_);
    added.gap = gap;
    added.host = host;
    added.duration = duration;
}

void RankProgram::compute(const char* operation, const char* name, double duration, const char* outer) {
    launch({name, operation, *outer == 0 ? "" : fmt::format("autograd::engine::evaluate_function: {}", outer),
            GpuWork::compute, 132, 256, 0},
           duration);
}

void RankProgram::copy(const char* operation, const char* name, std::int64_t bytes) {
    launch({name, operation, "", GpuWork::copy, 0, 0, bytes}, 1500 + static_cast<double>(bytes) / 22.0);
}

int RankProgram::record(int stream) {
    Instruction& added = add(Instruction::Kind::record, stream);
    added.event = events_++;
    added.host = 600;
    return added.event;
}

void RankProgram::wait(int stream, int event) {
    Instruction& added = add(Instruction::Kind::wait, stream);
    added.event = event;
    added.host = 600;
}

// -- communication ----------------------------------------------------------------------------------------------------

int RankProgram::group_index(Dimension dimension) const {
    const auto& groups = shared_.program.groups;
    const auto found = std::ranges::find_if(groups, [&](const Group& group) {
        return group.dimension == dimension && std::ranges::find(group.ranks, rank_) != group.ranks.end();
    });
    return static_cast<int>(found - groups.begin());
}

void RankProgram::launch_transfer(int index, int member, int stream, const KernelKind& kind) {
    launch(kind, 0, stream);
    instructions.back().transfer = index;
    instructions.back().member = member;
}

Transfer& RankProgram::join(TransferKind kind, Dimension dimension, int stream, std::int64_t in, std::int64_t out) {
    const int group = group_index(dimension);
    const std::vector<int>& ranks = shared_.program.groups[static_cast<std::size_t>(group)].ranks;
    const std::vector<std::uint64_t> key{static_cast<std::uint64_t>(group), static_cast<std::uint64_t>(stream),
                                         calls_[{group, stream}]++};
    const auto [place, is_new] = shared_.transfers.try_emplace(key, static_cast<int>(shared_.program.transfers.size()));
    if (is_new) {
        Transfer& made = shared_.program.transfers.emplace_back();
        made.kind = kind;
        made.group = group;
        made.step = step_;
        made.members = ranks;
        made.elements.resize(ranks.size());
        made.received.resize(ranks.size());
        made.element_bytes = dimension == Dimension::world ? 4 : 2;
        made.key = mixed({key[0], key[1], key[2]});
    }
    const auto member = static_cast<std::size_t>(std::ranges::find(ranks, rank_) - ranks.begin());
    Transfer& transfer = shared_.program.transfers[static_cast<std::size_t>(place->second)];
    transfer.elements[member] = in;
    transfer.received[member] = out;
    TransferText text = text_of(kind, false);
    if (dimension == Dimension::world)
        text.kernel = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
    launch_transfer(place->second, static_cast<int>(member), stream,
                    {text.kernel, text.operation, "", GpuWork::communication, 24, 512, 0});
    return transfer;
}

void RankProgram::all_reduce(Dimension dimension, int stream, std::int64_t elements) {
    follow(stream, kCompute);
    join(TransferKind::all_reduce, dimension, stream, elements, elements);
}

void RankProgram::message(bool send, int peer, int stream, int stage, int microbatch, bool forward) {
    const int from = send ? rank_ : peer;
    const int to = send ? peer : rank_;
    const std::vector<std::uint64_t> key{1000U + static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to),
                                         static_cast<std::uint64_t>(step_),        static_cast<std::uint64_t>(stage),
                                         static_cast<std::uint64_t>(microbatch),   forward ? 1U : 0U};
    const auto [place, is_new] = shared_.transfers.try_emplace(key, static_cast<int>(shared_.program.transfers.size()));
    if (is_new) {
        const std::int64_t elements = job_.tokens * job_.hidden;
        Transfer& made = shared_.program.transfers.emplace_back();
        made.kind = TransferKind::message;
        made.group = group_index(Dimension::pipeline);
        made.step = step_;
        made.eager = job_.eager_messages;
        made.members = {from, to};
        made.elements = made.received = {elements, elements};
        made.key = mixed({key[0], key[1], key[2], key[3], key[4], key[5]});
    }
    const TransferText text = text_of(TransferKind::message, send);
    launch_transfer(place->second, send ? 0 : 1, stream,
                    {text.kernel, text.operation, "", GpuWork::communication, 16, 640, 0});
}

// -- all ranks --------------------------------------------------------------------------------------------------------

namespace {

/// Gives each stage's computation the mean over the stages.
void spread_evenly(const Job& job, Program& program) {
    std::vector<double> work(static_cast<std::size_t>(job.pp));
    const auto sum_of = [&](std::size_t rank, auto&& visit) {
        for (Instruction& each : program.ranks[rank])
            if (each.kind == Instruction::Kind::launch && each.stage >= 0 && each.transfer < 0)
                visit(each);
    };
    for (std::size_t r = 0; r < program.ranks.size(); ++r)
        sum_of(r, [&](Instruction& each) {
            work[static_cast<std::size_t>(job.pipeline_rank(static_cast<int>(r)))] += each.duration;
        });
    double mean = 0;
    for (const double each : work)
        mean += each / job.pp;
    for (std::size_t r = 0; r < program.ranks.size(); ++r)
        sum_of(r, [&](Instruction& each) {
            each.duration *= mean / work[static_cast<std::size_t>(job.pipeline_rank(static_cast<int>(r)))];
        });
}

} // namespace

Program program_of(const Job& job) {
    SharedProgram shared{job, {}, {}, {}};
    Program& program = shared.program;
    program.groups = groups_of(job);
    program.streams = {7, 20, 24, 28, 32, 36, 40, 44, 48, 52};
    program.steps = job.steps_before + job.steps;
    for (int rank = 0; rank < job.world(); ++rank) {
        RankProgram writer(shared, rank);
        for (int step = 0; step < program.steps; ++step)
            writer.write_step(step);
        program.ranks.push_back(std::move(writer.instructions));
        program.events.push_back(writer.events());
    }
    if (job.even_stages && job.pp > 1)
        spread_evenly(job, program);
    time_transfers(job, program);
    return program;
}

} // namespace rankscope::machine
