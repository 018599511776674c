// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a rank: faults of its host, forward and backward passes, messages of the pipeline.
#include "tests/support/simulator/rank_program.h"

#include <fmt/format.h>

#include "tests/support/simulator/kernel_names.h"

namespace rankscope::machine {

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
    if (has_experts()) {
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
        backward_layer(layer, input, weight);
        if (uses_fsdp())
            scatter_gradients();
        else if (last && job_.dp > 1)
            all_reduce(Dimension::data, kData, job_.gradients);
    }
    if (stage == 0 && weight)
        compute("aten::embedding_dense_backward", kEmbeddingBackward, 2 * job_.embedding, "EmbeddingBackward0");
}

/// A whole pass takes both gradients of a product one after the other, as autograd does; parts of it take one of them.
void RankProgram::backward_layer(int layer, bool input, bool weight) {
    if (input) {
        compute("aten::gelu_backward", kGeluBackward, 1.3 * job_.element_wise, "GeluBackward0");
        if (has_experts())
            expert_exchange(layer, true, true);
    }
    const double share = has_experts() ? expert_share(layer) : 1;
    const char* wide = has_experts() ? "aten::_grouped_mm" : "aten::mm";
    backward_product(wide, has_experts() ? "GroupedMmBackward0" : "AddmmBackward0", kWideGemm, 1.6 * job_.gemm * share,
                     input, weight);
    if (input) {
        if (has_experts())
            expert_exchange(layer, true, false);
        compute("aten::_flash_attention_backward", kFlashBackward, 2.3 * job_.attention,
                "ScaledDotProductFlashAttentionBackward0");
    }
    backward_product("aten::mm", "MmBackward0", kQkvGemm, job_.gemm, input, weight);
}

/// The gradient of the input is summed over the tensor group: beside the product for the weights, or before it.
void RankProgram::backward_product(const char* operation, const char* node, const char* kernel, double duration,
                                   bool input, bool weight) {
    const bool sums = input && job_.tp > 1;
    if (input)
        compute(operation, kernel, duration, node);
    if (sums)
        all_reduce(Dimension::tensor, kTensor, job_.tokens * job_.hidden);
    if (sums && !job_.overlap_tensor)
        follow(kCompute, kTensor);
    if (weight)
        compute(operation, kWeightGemm, duration, node);
    if (sums && job_.overlap_tensor)
        follow(kCompute, kTensor);
}

} // namespace rankscope::machine
