// SPDX-License-Identifier: GPL-3.0-or-later
// What a rank does, instruction by instruction.
#include "tests/support/simulator/rank_program.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tests/support/simulator/network.h"

namespace rankscope::machine {
namespace {

constexpr const char* kQkvGemm =
    "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute"
    "_segment_k_off_kernel__5x_cublas";
constexpr const char* kWideGemm = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x256x64_warpgroupsize2x1x1_"
                                  "execute_segment_k_off_kernel__5x_cublas";
constexpr const char* kWeightGemm = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_nt_n_tilesize128x128x64_warpgroupsize1x1x1_"
                                    "execute_segment_k_off_kernel__5x_cublas";
constexpr const char* kFlash = "void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, "
                               "cutlass::bfloat16_t> >(Flash_fwd_params)";
constexpr const char* kFlashBackward = "void flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<128, "
                                       "64, 128, 8, 2, 4, 2, false> >(Flash_bwd_params)";
constexpr const char* kGelu = "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::"
                              "TensorIteratorBase&, at::native::GeluType)::{lambda(c10::BFloat16)#1} >";
constexpr const char* kGeluBackward =
    "void at::native::vectorized_elementwise_kernel<4, at::native::"
    "GeluBackwardCUDAKernelImpl(at::TensorIteratorBase&)::{lambda(c10::BFloat16)#1} >";
constexpr const char* kCopyOut = "void at::native::(anonymous namespace)::split_with_sizes_copy_out_contiguous_no_cast_"
                                 "kernel(char**, char**, long*, long*, long)";
constexpr const char* kEmbedding = "void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long, "
                                   "unsigned int, 2, 2, -2, true>()";
constexpr const char* kEmbeddingBackward = "void at::native::(anonymous namespace)::embedding_backward_feature_kernel<"
                                           "c10::BFloat16, float, long>()";
constexpr const char* kLoss = "void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, c10::BFloat16, float, "
                              "float, LogSoftMaxForwardEpilogue>()";
constexpr const char* kNorm = "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<LpNormFunctor<float, "
                              "2, 1, 1, 0> >()";
constexpr const char* kAdam = "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedAdamMathFunctor<"
                              "float, 4, ADAM_MODE::ADAMW, false> >()";

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

void RankProgram::launch(const KernelKind& kind, double duration, int stream) {
    Draw draw{job_.seed, 4, static_cast<std::uint64_t>(rank_), ++draws_};
    duration *= draw.lognormal(job_.kernel_noise);
    if (kind.work == GpuWork::compute) {
        duration *= speed_;
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
    const TransferText text = text_of(kind, false);
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

// -- the program ------------------------------------------------------------------------------------------------------

void RankProgram::faults_before_load() {
    for (const Fault& fault : job_.faults) {
        if (!fault.hits(rank_) || !fault.strikes(step_, job_.steps_before))
            continue;
        if (fault.kind == FaultKind::stall_before_load)
            pause(fault.time, {});
        if (fault.kind == FaultKind::allocation)
            for (int i = 0; i < 3; ++i) {
                synchronise(-1, "cudaFree");
                instructions.back().host = fault.time;
                instructions.back().inserted = true;
                pause(fault.time / 4, "cudaMalloc");
            }
    }
}

void RankProgram::write_step(int step) {
    step_ = step;
    microbatch_ = stage_ = -1;
    backwards_.clear();
    const std::string name = fmt::format("ProfilerStep#{}", job_.first_number + step - job_.steps_before);
    begin(name);
    faults_before_load();
    const std::string loader = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
    begin(loader);
    work(job_.load).host /= host_factor(); // its workers are other processes
    for (const Fault& fault : job_.faults)
        if ((fault.kind == FaultKind::stall_in_load || fault.kind == FaultKind::late_data) && fault.hits(rank_) &&
            fault.strikes(step_, job_.steps_before))
            pause(fault.time, {});
    end(loader);
    copy("aten::copy_", "Memcpy HtoD (Pinned -> Device)", job_.tokens * 16);
    const bool ddp = job_.pp == 1 && job_.data == DataParallel::ddp && job_.dp > 1;
    const auto passes = passes_of(job_.schedule, job_.pipeline_rank(rank_), job_.pp, job_.chunks, job_.microbatches);
    for (std::size_t i = 0; i < passes.size(); ++i) {
        if (i == passes.size() / 2)
            for (const Fault& fault : job_.faults)
                if (fault.kind == FaultKind::garbage_collection && fault.hits(rank_) &&
                    fault.strikes(step_, job_.steps_before))
                    pause(fault.time, "<built-in function gc.collect>");
        const bool whole = ddp && passes[i].kind == Pass::Kind::forward;
        if (whole)
            begin("DistributedDataParallel.forward");
        pass(passes[i]);
        if (whole)
            end("DistributedDataParallel.forward");
        for (const Fault& fault : job_.faults)
            if (fault.kind == FaultKind::synchronisation && fault.hits(rank_) &&
                fault.strikes(step_, job_.steps_before)) {
                synchronise(-1, "cudaDeviceSynchronize");
                instructions.back().inserted = true;
            }
    }
    end_of_step();
    end(name);
}

void RankProgram::pass(const Pass& pass) {
    microbatch_ = pass.microbatch;
    stage_ = pass.stage;
    const bool forwards = pass.kind == Pass::Kind::forward;
    receive_for(pass);
    const std::string name = fmt::format("{} {}", forwards ? "Forward" : "Backward", pass.microbatch);
    begin(name);
    if (forwards) {
        forward(pass.stage, pass.microbatch);
    } else {
        autograd_ = true;
        backward(pass.stage, pass.microbatch, pass.kind != Pass::Kind::backward_weight,
                 pass.kind != Pass::Kind::backward_input);
        autograd_ = false;
    }
    end(name);
    send_after(pass);
    microbatch_ = stage_ = -1;
}

void RankProgram::receive_for(const Pass& pass) {
    const bool forwards = pass.kind == Pass::Kind::forward;
    if (pass.kind == Pass::Kind::backward_weight || (forwards ? pass.stage == 0 : pass.stage == stages() - 1))
        return;
    const int p = job_.pipeline_rank(rank_);
    const int from = (forwards ? p + job_.pp - 1 : p + 1) % job_.pp;
    const int peer = job_.rank_of(from, job_.data_rank(rank_), job_.tensor_rank(rank_));
    const int stream = forwards ? kReceivePrevious : kReceiveNext;
    if (job_.receives_wait)
        follow(stream, kCompute);
    message(false, peer, stream, pass.stage, pass.microbatch, forwards);
    follow(kCompute, stream);
}

void RankProgram::send_after(const Pass& pass) {
    const bool forwards = pass.kind == Pass::Kind::forward;
    if (pass.kind == Pass::Kind::backward_weight || (forwards ? pass.stage == stages() - 1 : pass.stage == 0))
        return;
    const int p = job_.pipeline_rank(rank_);
    const int to = (forwards ? p + 1 : p + job_.pp - 1) % job_.pp;
    const int peer = job_.rank_of(to, job_.data_rank(rank_), job_.tensor_rank(rank_));
    const int stream = forwards ? kSendNext : kSendPrevious;
    follow(stream, kCompute);
    message(true, peer, stream, pass.stage + (forwards ? 1 : -1), pass.microbatch, forwards);
}

void RankProgram::forward(int stage, int) {
    if (stage == 0)
        compute("aten::embedding", kEmbedding, job_.embedding);
    gathered_event_ = -1;
    for (int layer = 0; layer < job_.layers; ++layer) {
        gather_parameters(layer, false);
        forward_layer(layer);
    }
    if (stage == stages() - 1) {
        compute("aten::linear", kWideGemm, 0.85 * job_.head);
        compute("aten::_log_softmax", kLoss, 0.15 * job_.head);
    }
}

void RankProgram::forward_layer(int layer) {
    const std::int64_t activations = job_.tokens * job_.hidden;
    compute("aten::mm", kQkvGemm, job_.gemm);
    compute("aten::_flash_attention_forward", kFlash, job_.attention);
    if (job_.tp > 1) {
        all_reduce(Dimension::tensor, kTensor, activations);
        follow(kCompute, kTensor);
    }
    if (job_.experts && job_.dp > 1) {
        expert_exchange(layer, false, false);
        compute("aten::_grouped_mm", kWideGemm, 1.6 * job_.gemm * expert_share(layer));
        expert_exchange(layer, false, true);
    } else {
        compute("aten::addmm", kWideGemm, 1.6 * job_.gemm);
    }
    compute("aten::gelu", kGelu, job_.element_wise);
    if (job_.tp > 1) {
        all_reduce(Dimension::tensor, kTensor, activations);
        follow(kCompute, kTensor);
    }
}

void RankProgram::backward(int stage, int, bool input, bool weight) {
    const bool last = ++backwards_[weight ? stage : -1 - stage] == job_.microbatches && weight;
    if (stage == stages() - 1 && input) {
        compute("aten::_log_softmax_backward_data", kLoss, 0.2 * job_.head, "LogSoftmaxBackward0");
        compute("aten::mm", kWideGemm, 0.9 * job_.head, "LinearBackward0");
    }
    if (stage == stages() - 1 && weight)
        compute("aten::mm", kWeightGemm, 0.9 * job_.head, "LinearBackward0");
    gathered_event_ = -1;
    if (uses_fsdp())
        gather_parameters(job_.layers - 1, true);
    for (int layer = job_.layers - 1; layer >= 0; --layer) {
        if (uses_fsdp()) {
            follow(kCompute, kData);
            compute("aten::split_with_sizes_copy", kCopyOut, 0.8 * job_.element_wise);
            gathered_event_ = record(kCompute);
            if (layer > 0)
                gather_parameters(layer - 1, true);
        }
        if (input)
            backward_layer_input(layer);
        if (weight)
            backward_layer_weight(layer);
        if (uses_fsdp())
            scatter_gradients();
        else if (last && job_.dp > 1)
            all_reduce(Dimension::data, kData, job_.gradients);
    }
    if (stage == 0 && weight)
        compute("aten::embedding_dense_backward", kEmbeddingBackward, 2 * job_.embedding, "EmbeddingBackward0");
}

void RankProgram::backward_layer_input(int layer) {
    const std::int64_t activations = job_.tokens * job_.hidden;
    compute("aten::gelu_backward", kGeluBackward, 1.3 * job_.element_wise, "GeluBackward0");
    if (job_.experts && job_.dp > 1) {
        expert_exchange(layer, true, true);
        compute("aten::_grouped_mm", kWideGemm, 1.6 * job_.gemm * expert_share(layer), "GroupedMmBackward0");
        expert_exchange(layer, true, false);
    } else {
        compute("aten::mm", kWideGemm, 1.6 * job_.gemm, "AddmmBackward0");
    }
    if (job_.tp > 1) {
        all_reduce(Dimension::tensor, kTensor, activations);
        follow(kCompute, kTensor);
    }
    compute("aten::_flash_attention_backward", kFlashBackward, 2.3 * job_.attention,
            "ScaledDotProductFlashAttentionBackward0");
    compute("aten::mm", kQkvGemm, job_.gemm, "MmBackward0");
    if (job_.tp > 1) {
        all_reduce(Dimension::tensor, kTensor, activations);
        follow(kCompute, kTensor);
    }
}

void RankProgram::backward_layer_weight(int layer) {
    const bool exchanged = job_.experts && job_.dp > 1;
    compute(exchanged ? "aten::_grouped_mm" : "aten::mm", kWeightGemm,
            1.6 * job_.gemm * (exchanged ? expert_share(layer) : 1),
            exchanged ? "GroupedMmBackward0" : "AddmmBackward0");
    compute("aten::mm", kWeightGemm, job_.gemm, "MmBackward0");
}

// -- experts ----------------------------------------------------------------------------------------------------------

/// Rows that member i of the expert group sends to member j in this layer of this microbatch.
std::vector<std::vector<int>> RankProgram::expert_rows(int layer) const {
    const std::vector<int> ranks = group_of(job_, Dimension::expert, rank_);
    const auto n = ranks.size();
    Draw draw{job_.seed,
              5,
              static_cast<std::uint64_t>(ranks.front()),
              static_cast<std::uint64_t>(step_),
              static_cast<std::uint64_t>(microbatch_),
              static_cast<std::uint64_t>(stage_ * 100 + layer)};
    std::vector<std::vector<int>> rows(n, std::vector<int>(n));
    for (auto& row : rows) {
        std::vector<double> weights(n, 1);
        double sum = 0;
        for (std::size_t j = 0; j < n; ++j) {
            weights[j] = draw.lognormal(job_.token_noise);
            for (const Fault& fault : job_.faults)
                if (fault.kind == FaultKind::uneven_experts && fault.hits(ranks[j]) &&
                    fault.strikes(step_, job_.steps_before))
                    weights[j] *= fault.factor;
            sum += weights[j];
        }
        for (std::size_t j = 0; j < n; ++j)
            row[j] = static_cast<int>(std::lround(static_cast<double>(job_.tokens) * weights[j] / sum));
    }
    return rows;
}

/// Tokens this rank's experts get, by those they would get if all got the same.
double RankProgram::expert_share(int layer) const {
    const std::vector<int> ranks = group_of(job_, Dimension::expert, rank_);
    const auto own = static_cast<std::size_t>(std::ranges::find(ranks, rank_) - ranks.begin());
    double tokens = 0;
    for (const auto& row : expert_rows(layer))
        tokens += row[own];
    return tokens / static_cast<double>(job_.tokens);
}

/// combine: from the experts back to the tokens' ranks. back: of the backward pass, the other way round.
void RankProgram::expert_exchange(int layer, bool back, bool combine) {
    const auto rows = expert_rows(layer);
    const std::vector<int> ranks = group_of(job_, Dimension::expert, rank_);
    const auto own = static_cast<std::size_t>(std::ranges::find(ranks, rank_) - ranks.begin());
    const bool to_experts = back == combine;
    std::int64_t in = 0;
    std::int64_t out = 0;
    for (std::size_t j = 0; j < ranks.size(); ++j) {
        in += job_.hidden * (to_experts ? rows[own][j] : rows[j][own]);
        out += job_.hidden * (to_experts ? rows[j][own] : rows[own][j]);
    }
    follow(kExpert, kCompute);
    Transfer& transfer = join(TransferKind::all_to_all, Dimension::expert, kExpert, in, out);
    transfer.splits = rows;
    if (!to_experts)
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t j = 0; j < rows.size(); ++j)
                transfer.splits[i][j] = rows[j][i];
    follow(kCompute, kExpert);
}

// -- FSDP -------------------------------------------------------------------------------------------------------------

/// The gather of a layer starts once the layer before it has taken its parameters out of the buffer.
void RankProgram::gather_parameters(int layer, bool for_backward) {
    if (!uses_fsdp())
        return;
    if (gathered_event_ >= 0)
        wait(kData, gathered_event_);
    else
        follow(kData, kCompute);
    join(TransferKind::all_gather, Dimension::data, kData, job_.gradients / job_.dp, job_.gradients);
    if (for_backward)
        return;
    follow(kCompute, kData);
    compute("aten::split_with_sizes_copy", kCopyOut, 0.8 * job_.element_wise);
    gathered_event_ = record(kCompute);
    static_cast<void>(layer);
}

/// Computation goes on once the scatter before this one has freed its input.
void RankProgram::scatter_gradients() {
    if (scattered_event_ >= 0)
        wait(kCompute, scattered_event_);
    follow(kScatter, kCompute);
    join(TransferKind::reduce_scatter, Dimension::data, kScatter, job_.gradients, job_.gradients / job_.dp);
    scattered_event_ = record(kScatter);
}

// -- the end ----------------------------------------------------------------------------------------------------------

void RankProgram::end_of_step() {
    if (uses_fsdp()) {
        wait(kCompute, scattered_event_);
        scattered_event_ = -1;
    } else if (job_.dp > 1) {
        follow(kCompute, kData);
    }
    if (job_.global_norm) {
        compute("aten::_foreach_norm", kNorm, 0.3 * job_.update);
        all_reduce(Dimension::world, kWorld, 1);
        follow(kCompute, kWorld);
        if (job_.norm_item) {
            copy("aten::item", "Memcpy DtoH (Device -> Pinned)", 4);
            synchronise(kCompute, "cudaStreamSynchronize");
        }
    }
    begin("Optimizer.step#AdamW.step");
    for (int i = 0; i < 3; ++i)
        compute("aten::_fused_adamw_", kAdam, job_.update / 3);
    end("Optimizer.step#AdamW.step");
    if (job_.step_end == StepEnd::item) {
        copy("aten::item", "Memcpy DtoH (Device -> Pinned)", 4);
        synchronise(kCompute, "cudaStreamSynchronize");
    } else if (job_.step_end == StepEnd::device) {
        synchronise(-1, "cudaDeviceSynchronize");
    }
    work(job_.step_python);
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
