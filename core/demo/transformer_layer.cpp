// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of a transformer layer as PyTorch launches them, forward and backward, and the options' checks.
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/demo/training_program.h"

namespace rankscope {

namespace {

constexpr const char* kLayerNorm =
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>(int, float, "
    "c10::BFloat16 const*, c10::BFloat16 const*, c10::BFloat16 const*, float*, float*, c10::BFloat16*)";
constexpr const char* kLayerNormBackward =
    "void at::native::(anonymous namespace)::layer_norm_grad_input_kernel_vectorized<c10::BFloat16, "
    "float>(c10::BFloat16 "
    "const*, c10::BFloat16 const*, float const*, float const*, c10::BFloat16 const*, c10::BFloat16*, int)";
constexpr const char* kAdd =
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, "
    "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>)";
constexpr const char* kGelu =
    "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, "
    "at::native::GeluType)::{lambda()#1}::operator()() const::{lambda()#4}::operator()() "
    "const::{lambda(c10::BFloat16)#1}, "
    "std::array<char*, 2ul> >(int, at::native::GeluCUDAKernelImpl)";
constexpr const char* kGeluBackward =
    "void at::native::vectorized_elementwise_kernel<4, at::native::GeluBackwardCUDAKernelImpl(at::TensorIteratorBase&, "
    "at::native::GeluType), std::array<char*, 3ul> >(int, at::native::GeluBackwardCUDAKernelImpl)";

std::string gemm(GpuVendor vendor, const char* layout) {
    return vendor == GpuVendor::nvidia
               ? fmt::format("ampere_bf16_s16816gemm_bf16_128x256_ldg8_f2f_stages_64x3_{}", layout)
               : fmt::format("Cijk_{}_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x256x64_MI16x16x1_SN_K1", layout);
}

std::string attention(GpuVendor vendor, bool backward) {
    if (vendor == GpuVendor::amd)
        return backward ? "_ZN5aiter22fmha_bwd_hd128_bf16_a32E" : "_ZN5aiter18fmha_fwd_hd128_bf16_causalE";
    return backward
               ? "void flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<128, 64, 128, 8, "
                 "cutlass::bfloat16_t>, false, true, false, false, true>(flash::Flash_bwd_params)"
               : "void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, "
                 "cutlass::bfloat16_t>, false, true, false, false, true>(flash::Flash_fwd_params)";
}

const char* forward_layout(GpuVendor vendor) { return vendor == GpuVendor::nvidia ? "tn" : "Alik_Bljk"; }
const char* input_layout(GpuVendor vendor) { return vendor == GpuVendor::nvidia ? "nn" : "Ailk_Bljk"; }
const char* weight_layout(GpuVendor vendor) { return vendor == GpuVendor::nvidia ? "nt" : "Ailk_Bjlk"; }

/// The two products of a linear layer's backward pass: gradient of the input, then of the weight.
void add_linear_backward(std::vector<LayerKernel>& layer, GpuVendor vendor, TimeNs each, bool all_reduce_after) {
    const std::vector<std::string> operators = {"autograd::engine::evaluate_function: MmBackward0", "MmBackward0",
                                                "aten::mm"};
    layer.push_back({operators, gemm(vendor, input_layout(vendor)), each, false, 512, 256});
    layer.push_back({operators, gemm(vendor, weight_layout(vendor)), each, all_reduce_after, 512, 256});
}

} // namespace

std::vector<LayerKernel> transformer_forward_layer(GpuVendor vendor) {
    const std::string product = gemm(vendor, forward_layout(vendor));
    return {
        {{"aten::layer_norm", "aten::native_layer_norm"}, kLayerNorm, 38000, false, 4096, 128},
        {{"aten::linear", "aten::matmul", "aten::mm"}, product, 310000, false, 768, 256},
        {{"aten::scaled_dot_product_attention", "aten::_flash_attention_forward"},
         attention(vendor, false),
         265000,
         false,
         1024,
         128},
        {{"aten::linear", "aten::matmul", "aten::mm"}, product, 108000, true, 256, 256},
        {{"aten::add"}, kAdd, 29000, false, 8192, 128},
        {{"aten::layer_norm", "aten::native_layer_norm"}, kLayerNorm, 38000, false, 4096, 128},
        {{"aten::linear", "aten::matmul", "aten::mm"}, product, 412000, false, 1024, 256},
        {{"aten::gelu"}, kGelu, 61000, false, 16384, 128},
        {{"aten::linear", "aten::matmul", "aten::mm"}, product, 405000, true, 256, 256},
        {{"aten::add"}, kAdd, 29000, false, 8192, 128},
    };
}

std::vector<LayerKernel> transformer_backward_layer(GpuVendor vendor) {
    const auto backward_of = [](const char* node, const char* op) {
        return std::vector<std::string>{fmt::format("autograd::engine::evaluate_function: {}", node), node, op};
    };
    std::vector<LayerKernel> layer;
    add_linear_backward(layer, vendor, 402000, false);
    layer.push_back({backward_of("GeluBackward0", "aten::gelu_backward"), kGeluBackward, 83000, false, 16384, 128});
    add_linear_backward(layer, vendor, 407000, true);
    layer.push_back({backward_of("NativeLayerNormBackward0", "aten::native_layer_norm_backward"), kLayerNormBackward,
                     71000, false, 4096, 128});
    layer.push_back({backward_of("AddBackward0", "aten::add_"), kAdd, 30000, false, 8192, 128});
    add_linear_backward(layer, vendor, 109000, false);
    layer.push_back({backward_of("ScaledDotProductFlashAttentionBackward0", "aten::_flash_attention_backward"),
                     attention(vendor, true), 590000, false, 1024, 256});
    add_linear_backward(layer, vendor, 305000, true);
    layer.push_back({backward_of("NativeLayerNormBackward0", "aten::native_layer_norm_backward"), kLayerNormBackward,
                     71000, false, 4096, 128});
    layer.push_back({backward_of("AddBackward0", "aten::add_"), kAdd, 30000, false, 8192, 128});
    return layer;
}

std::optional<Error> check_options(const SimulatorOptions& o) {
    const auto refuse = [](std::string why) { return Error{Error::Code::usage, "simulator: " + std::move(why)}; };
    const auto small_count = [](int value) { return value >= 1 && value <= 60000; };
    const std::pair<const char*, int> counts[] = {{"pp", o.pp},
                                                  {"dp", o.dp},
                                                  {"tp", o.tp},
                                                  {"microbatches", o.microbatches},
                                                  {"steps", o.steps},
                                                  {"layers", o.layers},
                                                  {"layers per bucket", o.layers_per_bucket}};
    for (const auto& [name, value] : counts)
        if (!small_count(value))
            return refuse(fmt::format("{} must be between 1 and 60000, not {}", name, value));
    if (o.layers > 30000 || std::int64_t{o.pp} * o.dp * o.tp > 65536)
        return refuse("at most 30000 layers and 65536 ranks");
    for (const Fault& fault : o.faults) {
        if (fault.cause == FaultCause::expert_imbalance && (!o.experts || o.dp < 2 || fault.rank < 0))
            return refuse("an imbalance of experts needs experts, two data-parallel ranks and a rank");
        if (fault.rank >= o.world_size() || !(fault.factor > 0) || fault.factor > 1e6 || fault.time < 0) {
            return refuse(
                fmt::format("fault {} of rank {}: needs a rank below {}, a positive factor and no negative time",
                            fault_cause_word(fault.cause), fault.rank, o.world_size()));
        }
    }
    if (o.slow.rank >= o.world_size() || !(o.slow.factor > 0) || o.slow.factor > 1e6) {
        return refuse(fmt::format("slow rank {} with factor {}: needs a rank below {} and a positive factor",
                                  o.slow.rank, o.slow.factor, o.world_size()));
    }
    if (dtype_bytes(o.activation_dtype) == 0 || dtype_bytes(o.gradient_dtype) == 0)
        return refuse(fmt::format("unknown dtype {} or {}", o.activation_dtype, o.gradient_dtype));
    if (!(o.intra_node_gb_s > 0) || !(o.inter_node_gb_s > 0) || !(o.jitter >= 0 && o.jitter < 1))
        return refuse("bandwidths must be positive and the jitter in [0, 1)");
    if (o.cpu_detail < 0 || o.host.before_launch < 2 * (TimeNs{o.cpu_detail} + 16)) {
        return refuse(fmt::format("host time before a launch ({} ns) is too short for {} operators in it",
                                  o.host.before_launch, o.cpu_detail));
    }
    if (o.file_name.find("{}") == std::string::npos || o.gpus_per_node < 1)
        return refuse("the file name needs {} for the rank, and a node at least one GPU");
    for (const TimeNs offset : o.clock_offsets)
        if (o.start_time < kKinetoBaseTime + 1000000000 || o.start_time + offset < kKinetoBaseTime + 1000000000)
            return refuse(fmt::format("times before {} ns cannot be written", kKinetoBaseTime));
    return std::nullopt;
}

} // namespace rankscope
