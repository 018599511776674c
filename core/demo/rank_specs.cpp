// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels, copies and messages a simulated rank uses, named as PyTorch, NCCL and RCCL name them.
#include "core/demo/rank_specs.h"

#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rankscope {

namespace {

class SpecMaker {
public:
    SpecMaker(const SimulatorOptions& options, const Groups& groups, RankProgram& program)
        : o_(options), groups_(groups), rank_(program.rank), place_(mesh_place(options, program.rank)),
          specs_(program.specs) {}

    RankSpecs make() {
        make_compute_specs();
        make_collective_specs();
        return made_;
    }

private:
    SpecId add_spec(KernelSpec spec) {
        specs_.push_back(std::move(spec));
        return static_cast<SpecId>(specs_.size() - 1);
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
        spec.group = groups_.of(rank_, dimension);
        spec.group_rank = dimension == Dimension::tensor ? place_.tp : place_.dp;
        return add_spec(std::move(spec));
    }

    SpecId tokens_spec(bool to_experts) {
        KernelSpec spec;
        spec.name = o_.vendor == GpuVendor::amd ? "ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)"
                                                : "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)";
        spec.operators = {"c10d::alltoall_base_", "record_param_comms"};
        spec.stream = StreamSlot::data;
        spec.blocks = 16;
        spec.threads = 640;
        spec.collective = "all_to_allv";
        spec.annotation = "nccl:all_to_all";
        spec.dimension = Dimension::expert;
        spec.dtype = o_.activation_dtype;
        spec.group = groups_.of(rank_, Dimension::expert);
        spec.group_rank = place_.dp;
        std::vector<std::int64_t> theirs; // what this rank sends to each member's experts
        std::vector<std::int64_t> own;    // what each member sends to this rank's
        for (int dp = 0; dp < o_.dp; ++dp) {
            theirs.push_back(tokens(rank_at(o_, {place_.pp, dp, place_.tp})));
            own.push_back(tokens(rank_));
        }
        const auto sum = [](const std::vector<std::int64_t>& sizes) {
            return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
        };
        spec.elements = sum(to_experts ? theirs : own);
        spec.out_elements = sum(to_experts ? own : theirs);
        spec.in_split = fmt::format("[{}]", fmt::join(to_experts ? theirs : own, ", "));
        spec.out_split = fmt::format("[{}]", fmt::join(to_experts ? own : theirs, ", "));
        return add_spec(std::move(spec));
    }

    /// Elements that one member sends to the rank's experts.
    [[nodiscard]] std::int64_t tokens(int rank) const {
        return std::llround(static_cast<double>(o_.expert_elements) / o_.dp * expert_load(o_, rank));
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
        spec.group = groups_.of(rank_, Dimension::pipeline);
        spec.group_rank = peer_stage;
        spec.peer = rank_at(o_, {peer_stage, place_.dp, place_.tp});
        return add_spec(std::move(spec));
    }

    std::vector<LayerStep> layer_steps(const std::vector<LayerKernel>& kernels) {
        std::vector<LayerStep> steps;
        for (const LayerKernel& kernel : kernels)
            steps.push_back({compute_spec(kernel), kernel.duration, kernel.all_reduce_after});
        return steps;
    }

    void make_compute_specs() {
        made_.copy = transfer_spec("Memcpy HtoD (Pinned -> Device)", GpuWork::memory_copy,
                                   {"aten::to", "aten::_to_copy", "aten::copy_"}, o_.batch_bytes);
        made_.zero =
            transfer_spec("Memset (Device)", GpuWork::memory_set, {"aten::zero_"}, 4 * o_.gradient_elements_per_layer);
        made_.forward = layer_steps(o_.forward_layer.empty() ? transformer_forward_layer(o_.vendor) : o_.forward_layer);
        made_.backward =
            layer_steps(o_.backward_layer.empty() ? transformer_backward_layer(o_.vendor) : o_.backward_layer);
        made_.embedding =
            compute_spec({{"aten::embedding", "aten::index_select"},
                          "void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long, "
                          "unsigned int, 2, 2, -2, true>(at::cuda::detail::TensorInfo<c10::BFloat16, unsigned int>)",
                          o_.embedding_time});
        made_.loss = compute_spec(
            {{"aten::cross_entropy_loss", "aten::log_softmax", "aten::_log_softmax"},
             "void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, c10::BFloat16, float, "
             "c10::BFloat16, at::native::(anonymous namespace)::LogSoftMaxForwardEpilogue>(c10::BFloat16*, "
             "c10::BFloat16 const*, int)",
             o_.loss_time});
        made_.surplus = compute_spec(
            {{"aten::fill_"},
             "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<c10::BFloat16>, "
             "std::array<char*, 1ul> >(int, at::native::FillFunctor<c10::BFloat16>, std::array<char*, 1ul>)"});
        made_.optimizer =
            compute_spec({{"aten::_fused_adamw_"},
                          "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
                          "namespace)::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous "
                          "namespace)::FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)1, false> >(int)",
                          o_.optimizer_kernel_time,
                          false,
                          320,
                          512});
    }

    void make_collective_specs() {
        const std::vector<std::string> ddp = {"torch::distributed::reducer::finalize_bucket", "c10d::allreduce_",
                                              "record_param_comms"};
        if (o_.tp > 1) {
            made_.tensor_reduce = all_reduce_spec(Dimension::tensor, StreamSlot::tensor, o_.activation_dtype,
                                                  o_.activation_elements, {"c10d::allreduce_", "record_param_comms"});
        }
        if (o_.dp > 1) {
            const int rest = o_.layers % o_.layers_per_bucket;
            made_.bucket = all_reduce_spec(Dimension::data, StreamSlot::data, o_.gradient_dtype,
                                           o_.gradient_elements_per_layer * o_.layers_per_bucket, ddp);
            made_.last_bucket = rest == 0 ? made_.bucket
                                          : all_reduce_spec(Dimension::data, StreamSlot::data, o_.gradient_dtype,
                                                            o_.gradient_elements_per_layer * rest, ddp);
        }
        if (o_.experts && o_.dp > 1) {
            made_.dispatch = tokens_spec(true);
            made_.combine = tokens_spec(false);
            made_.expert_load = expert_load(o_, rank_);
            made_.experts =
                compute_spec({{"aten::_grouped_mm"},
                              "void "
                              "cutlass::device_kernel<at::cuda::detail::enable_3x_kernel_for_sm9x<cutlass::gemm::"
                              "kernel::GemmUniversal<"
                              "cutlass::gemm::GroupProblemShape<cute::tuple<int, int, int> > > > >(Params)"});
        }
        if (place_.pp > 0) {
            made_.receive_forward = message_spec(false, -1);
            made_.send_backward = message_spec(true, -1);
        }
        if (place_.pp < o_.pp - 1) {
            made_.send_forward = message_spec(true, +1);
            made_.receive_backward = message_spec(false, +1);
        }
    }

    const SimulatorOptions& o_;
    const Groups& groups_;
    int rank_;
    MeshPlace place_;
    std::vector<KernelSpec>& specs_;
    RankSpecs made_;
};

} // namespace

RankSpecs make_rank_specs(const SimulatorOptions& options, const Groups& groups, RankProgram& program) {
    return SpecMaker(options, groups, program).make();
}

} // namespace rankscope
