// SPDX-License-Identifier: GPL-3.0-or-later
// Performance models of operators.
#include "core/analysis/operators/operator_work.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/analysis/operators/attention_work.h"
#include "core/analysis/operators/cache_work.h"
#include "core/analysis/operators/exchange_work.h"
#include "core/analysis/operators/fused_norm_work.h"
#include "core/analysis/operators/fused_work.h"
#include "core/analysis/operators/hyper_connection_work.h"
#include "core/analysis/operators/matrix_work.h"
#include "core/analysis/operators/norm_work.h"
#include "core/analysis/operators/operator_inputs.h"
#include "core/analysis/operators/operator_models.h"
#include "core/analysis/operators/quantize_work.h"
#include "core/analysis/operators/state_space_work.h"
#include "core/base/shallow_json.h"
#include "core/base/text_match.h"

namespace rankscope {
namespace {

using namespace std::string_view_literals;
using Inputs = ModelInputs;
using Dims = ModelInputs::Dims;
using Work = std::optional<OperatorWork>;

/// Products that only call others.
constexpr std::array kWrappersOfProducts{"aten::linear"sv, "aten::matmul"sv, "aten::addmv"sv};

struct Reduction {
    std::string_view name;
    double flops = 1;      ///< an element
    std::size_t along = 1; ///< list of the dimensions, or one
    bool scan = false;     ///< gives as many results
};
/// A norm squares and adds; a deviation takes the mean, subtracts, squares and adds; the logarithm of a sum finds the
/// largest, subtracts, raises and adds.
constexpr std::array kReductions{Reduction{"aten::sum"},
                                 Reduction{"aten::mean"},
                                 Reduction{"aten::amax"},
                                 Reduction{"aten::amin"},
                                 Reduction{"aten::max"},
                                 Reduction{"aten::min"},
                                 Reduction{"aten::norm", 2, 2},
                                 Reduction{"aten::linalg_norm", 2, 2},
                                 Reduction{"aten::std", 4},
                                 Reduction{"aten::var", 4},
                                 Reduction{"aten::logsumexp", 4},
                                 Reduction{"aten::cumsum", 1, 1, true},
                                 Reduction{"aten::cumprod", 1, 1, true}};
const Reduction* reduction_named(std::string_view name) {
    const auto* found = std::ranges::find(kReductions, name, &Reduction::name);
    return found == kReductions.end() ? nullptr : found;
}

/// max and min of two tensors are no reductions; over one dimension they give its places too, as 64-bit integers.
bool is_largest_or_least(std::string_view name) { return name == "aten::max" || name == "aten::min"; }

struct Reduced {
    double results = 0;
    bool places = false; ///< of the largest or least, in the tensor
};
std::optional<Reduced> reduced(std::string_view name, const Inputs& in) {
    if (!in.is_tensor(0) || in.width(0) == 0 || (is_largest_or_least(name) && in.is_tensor(1)))
        return {};
    const Reduction* kind = reduction_named(name);
    if (kind == nullptr)
        return {};
    const Dims& input = in.dims(0);
    std::vector<bool> gone(input.size(), !kind->scan);
    nlohmann::json along = kind->scan ? nlohmann::json() : in.list(kind->along);
    const bool places = is_largest_or_least(name) && along.is_number_integer();
    if (places)
        along = nlohmann::json::array({along});
    if (along.is_array() && !along.empty()) {
        gone.assign(input.size(), false);
        for (const nlohmann::json& d : along) {
            const std::int64_t at = d.is_number_integer() ? d.get<std::int64_t>() : 0;
            const std::int64_t place = at < 0 ? at + static_cast<std::int64_t>(input.size()) : at;
            if (place >= 0 && place < static_cast<std::int64_t>(input.size()))
                gone[static_cast<std::size_t>(place)] = true;
        }
    }
    Reduced result{1, places};
    for (std::size_t i = 0; i < input.size(); ++i)
        result.results *= gone[i] ? 1 : static_cast<double>(input[i]);
    return result;
}
Work reduction(std::string_view name, const Inputs& in) {
    const auto result = reduced(name, in);
    if (!result)
        return {};
    return OperatorWork{reduction_named(name)->flops * in.count(0),
                        (in.count(0) + result->results) * in.width(0) + (result->places ? 8 * result->results : 0)};
}

constexpr std::array kUnary{"copy_"sv, "copy"sv,    "clamp_min"sv, "clamp_max"sv, "clamp"sv,      "relu"sv, "gelu"sv,
                            "silu"sv,  "sigmoid"sv, "tanh"sv,      "exp"sv,       "log"sv,        "neg"sv,  "sqrt"sv,
                            "rsqrt"sv, "sin"sv,     "cos"sv,       "abs"sv,       "reciprocal"sv, "pow"sv};
constexpr std::array kBinary{"add"sv,
                             "sub"sv,
                             "mul"sv,
                             "div"sv,
                             "threshold_backward"sv,
                             "gelu_backward"sv,
                             "silu_backward"sv,
                             "sigmoid_backward"sv,
                             "tanh_backward"sv,
                             "maximum"sv,
                             "minimum"sv};

/// "aten::add_" -> "add"; copy_ keeps its underscore.
std::string_view short_name(std::string_view name) {
    if (name.starts_with("aten::"))
        name.remove_prefix(6);
    if (name.ends_with('_') && name != "copy_")
        name.remove_suffix(1);
    return name;
}

Work unary(const Inputs& in, bool copy) {
    // copy_(to, from): what is read is the second.
    const double read = in.width(copy ? 1 : 0);
    if (read == 0 || in.width(0) == 0)
        return {};
    return OperatorWork{in.count(0), in.count(0) * read + in.count(0) * in.width(0)};
}

/// Bytes of an element of the result of two: in place as the first; else a floating-point type wins over integers, the
/// wider one over the narrower, and a tensor over a number or a tensor without dimensions.
double result_width(std::string_view name, const Inputs& in) {
    const auto floats = [](std::string_view type) {
        return type.starts_with("c10::") || type == "float" || type == "double";
    };
    if (name.ends_with('_') || (in.is_tensor(0) && !in.is_tensor(1)))
        return in.width(0);
    if (floats(in.type(0)) != floats(in.type(1)))
        return in.width(floats(in.type(0)) ? 0 : 1);
    if (!in.is_tensor(0))
        return in.width(in.is_tensor(1) ? 1 : 0);
    const bool halves = in.width(0) == 2 && in.width(1) == 2 && floats(in.type(0)) && in.type(0) != in.type(1);
    return halves ? 4 : std::max(in.width(0), in.width(1));
}

Work binary(std::string_view name, const Inputs& in) {
    if (in.width(0) == 0 || in.width(1) == 0)
        return {};
    Dims out = in.dims(0).size() >= in.dims(1).size() ? in.dims(0) : in.dims(1);
    const Dims& other = in.dims(0).size() >= in.dims(1).size() ? in.dims(1) : in.dims(0);
    for (std::size_t i = 0; i < other.size(); ++i) {
        std::int64_t& d = out[out.size() - other.size() + i];
        d = d == 1 ? other[i] : d;
    }
    return OperatorWork{elements_of(out), in.count(0) * in.width(0) + in.count(1) * in.width(1) +
                                              elements_of(out) * result_width(name, in)};
}

/// Products of quantised matrices by libraries' own names, whose inputs have no model here.
bool is_quantized_product(std::string_view name) {
    return contains(name, "gemm_a8w8") || contains(name, "gemm_a4w4") || contains(name, "gemm_a16w16") ||
           contains(name, "gemm_fp8") || contains(name, "gemm_fp4") || contains(name, "fp4_gemm") ||
           contains(name, "fp8_gemm") || contains(name, "scaled_mm") || contains(name, "marlin_gemm") ||
           contains(name, "machete_mm") || contains(name, "awq_gemm");
}

/// What TraceLens calls kinds of work by the operator's name alone.
constexpr std::array kNamedCategories{
    std::pair{"FusedRoPEFunc"sv, OperatorCategory::rotary_forward},
    std::pair{"aiter::rope_cached_positions_2c_fwd_impl"sv, OperatorCategory::rotary_forward},
    std::pair{"sgl_kernel::rotary_embedding"sv, OperatorCategory::rotary_forward},
    std::pair{"FusedRoPEFuncBackward"sv, OperatorCategory::rotary_backward},
    std::pair{"CrossEntropyFunction"sv, OperatorCategory::cross_entropy_forward},
    std::pair{"CrossEntropyFunctionBackward"sv, OperatorCategory::cross_entropy_backward},
    std::pair{"DaoAILab::_causal_conv1d_bwd_cpp"sv, OperatorCategory::state_space_backward},
    std::pair{"MambaSplitConv1dScanCombinedFnBackward"sv, OperatorCategory::state_space_backward},
    std::pair{"_OperationFuserAutogradFunction"sv, OperatorCategory::moe_exchange_forward},
    std::pair{"_OperationFuserAutogradFunctionBackward"sv, OperatorCategory::moe_exchange_backward},
    std::pair{"TokenPermuteMaskMap"sv, OperatorCategory::moe_exchange_forward},
    std::pair{"MoEDispatchBackward"sv, OperatorCategory::moe_exchange_backward},
    std::pair{"MoECombineBackward"sv, OperatorCategory::moe_exchange_backward},
    std::pair{"TokenPermuteMaskMapBackward"sv, OperatorCategory::moe_exchange_backward},
    std::pair{"aiter::moe_sorting_opus_fwd"sv, OperatorCategory::moe_routing},
    std::pair{"aiter::moe_align_block_size"sv, OperatorCategory::moe_routing},
    std::pair{"_moe_C::moe_align_block_size"sv, OperatorCategory::moe_routing},
    std::pair{"aiter::moe_sum"sv, OperatorCategory::moe_routing},
    std::pair{"aiter::topk_softmax"sv, OperatorCategory::moe_routing},
    std::pair{"aiter::topk_softmax_asm"sv, OperatorCategory::moe_routing},
    std::pair{"aiter::topk_sigmoid"sv, OperatorCategory::moe_routing},
    std::pair{"aiter::grouped_topk"sv, OperatorCategory::moe_routing},
    std::pair{"aiter::moe_fused_gate"sv, OperatorCategory::moe_routing},
    std::pair{"aiter::fused_dynamic_mxfp4_quant_moe_sort_hip"sv, OperatorCategory::moe_routing},
    std::pair{"aiter::get_mla_metadata_v1"sv, OperatorCategory::inference_attention},
    std::pair{"vllm::rocm_aiter_sparse_attn_indexer"sv, OperatorCategory::inference_attention},
    std::pair{"aiter::indexer_score_topk"sv, OperatorCategory::inference_attention}};

/// Of operators with a model of their own, whose names say nothing else.
std::optional<OperatorCategory> category_of_model(std::string_view name) {
    if (state_space_kind(name) != StateSpaceKind::none)
        return OperatorCategory::state_space_forward;
    if (is_rotated_cache_write(name))
        return name.starts_with("aiter::") ? OperatorCategory::rotary_forward : OperatorCategory::inference_attention;
    if (is_cache_write(name) || is_delta_net(name) || is_sparse_attention(name))
        return OperatorCategory::inference_attention;
    if (is_hyper_connection(name))
        return OperatorCategory::hyper_connection;
    if (is_quantization(name))
        return is_elementwise_quantization(name) ? OperatorCategory::elementwise : OperatorCategory::quantization;
    switch (exchange_kind(name)) {
    case ExchangeKind::routing:
    case ExchangeKind::sorting: return OperatorCategory::moe_routing;
    case ExchangeKind::tokens: return OperatorCategory::moe_exchange_forward;
    case ExchangeKind::collective: return OperatorCategory::custom_collective;
    case ExchangeKind::none: break;
    }
    return {};
}

} // namespace

std::string_view operator_category_word(OperatorCategory category) {
    constexpr std::array<std::string_view, kOperatorCategories> kWords{"GEMM",
                                                                       "GroupedGEMM_fwd",
                                                                       "MoE_fused",
                                                                       "MoE_unfused",
                                                                       "CONV_fwd",
                                                                       "CONV_bwd",
                                                                       "InferenceAttention",
                                                                       "SDPA_fwd",
                                                                       "SDPA_bwd",
                                                                       "RMSNorm",
                                                                       "triton",
                                                                       "RoPE_fwd",
                                                                       "RoPE_bwd",
                                                                       "CrossEntropy_fwd",
                                                                       "CrossEntropy_bwd",
                                                                       "SSM_fwd",
                                                                       "SSM_bwd",
                                                                       "MoE_comm_fwd",
                                                                       "MoE_comm_bwd",
                                                                       "MoE_aux",
                                                                       "GroupQuant",
                                                                       "NORM_fwd",
                                                                       "NORM_bwd",
                                                                       "reduce",
                                                                       "elementwise",
                                                                       "multi_tensor_apply",
                                                                       "mHC",
                                                                       "CustomCollective",
                                                                       "communication",
                                                                       "other"};
    return kWords[static_cast<std::size_t>(category)];
}

bool is_matrix_work(OperatorCategory category) { return category <= OperatorCategory::attention_backward; }

bool is_tf32_kernel(std::string_view name) {
    return contains(name, "tf32") || contains(name, "TF32") || contains(name, "tensorop_s1688");
}

OperatorCategory operator_category(std::string_view name, std::string_view kernel_name) {
    if (const auto* named =
            std::ranges::find(kNamedCategories, name, &std::pair<std::string_view, OperatorCategory>::first);
        named != kNamedCategories.end())
        return named->second;
    if (const auto category = category_of_model(name))
        return *category;
    if (is_norm(name))
        return is_norm_backward(name) ? OperatorCategory::norm_backward : OperatorCategory::norm_forward;
    const bool backward = contains(name, "backward") || contains(name, "Backward");
    const bool grouped = contains(name, "grouped_gemm") || contains(name, "grouped_mm");
    if (is_product(name) || is_one_of(name, kWrappersOfProducts) || (!grouped && is_quantized_product(name)))
        return OperatorCategory::gemm;
    if (grouped)
        return OperatorCategory::grouped_gemm;
    if (is_fused_experts(name) || contains(name, "fused_marlin_moe"))
        return OperatorCategory::moe_fused;
    if (is_expert_stage(name))
        return OperatorCategory::moe_unfused;
    if (name.starts_with("triton"))
        return OperatorCategory::triton;
    if (is_paged_attention(name) || contains(name, "reshape_and_cache") || contains(name, "concat_and_cache_mla") ||
        contains(name, "mla_decode") || contains(name, "paged_attention"))
        return OperatorCategory::inference_attention;
    if (is_rms_norm(name) || contains(name, "rms_norm") || contains(name, "rmsnorm") || contains(name, "RMSNorm"))
        return OperatorCategory::rms_norm;
    if (contains(name, "convolution") || contains(name, "conv2d") || name.starts_with("ConvBias"))
        return backward ? OperatorCategory::conv_backward : OperatorCategory::conv_forward;
    if (contains(name, "attention") || contains(name, "flash_attn") || contains(name, "fmha") ||
        contains(name, "FlashAttnFunc") || contains(name, "FusedAttnFunc") || is_attention(name))
        return backward ? OperatorCategory::attention_backward : OperatorCategory::attention_forward;
    if (contains(name, "batch_norm") || contains(name, "layer_norm") || contains(name, "group_norm") ||
        contains(name, "instance_norm"))
        return backward ? OperatorCategory::norm_backward : OperatorCategory::norm_forward;
    if (reduction_named(name) != nullptr || name == "aten::prod")
        return OperatorCategory::reduce;
    if (fused_kind(name) == FusedKind::gated_activation || is_one_of(short_name(name), kUnary) ||
        is_one_of(short_name(name), kBinary) || contains(kernel_name, "elementwise"))
        return OperatorCategory::elementwise;
    if (contains(kernel_name, "multi_tensor_apply"))
        return OperatorCategory::multi_tensor_apply;
    return contains(kernel_name, "reduce_kernel") ? OperatorCategory::reduce : OperatorCategory::other;
}

std::optional<double> element_bytes(std::string_view type) {
    constexpr std::array<std::pair<std::string_view, double>, 21> kTypes{{{"c10::BFloat16", 2},
                                                                          {"c10::Half", 2},
                                                                          {"float", 4},
                                                                          {"double", 8},
                                                                          {"long int", 8},
                                                                          {"long", 8},
                                                                          {"int", 4},
                                                                          {"short int", 2},
                                                                          {"short", 2},
                                                                          {"unsigned int", 4},
                                                                          {"short unsigned int", 2},
                                                                          {"unsigned short", 2},
                                                                          {"long unsigned int", 8},
                                                                          {"unsigned long", 8},
                                                                          {"bool", 1},
                                                                          {"unsigned char", 1},
                                                                          {"signed char", 1},
                                                                          {"c10::complex<c10::Half>", 4},
                                                                          {"c10::complex<float>", 8},
                                                                          {"c10::complex<double>", 16},
                                                                          {"Scalar", 4}}};
    const auto found =
        std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& entry) { return entry.first == type; });
    if (found != kTypes.end())
        return found->second;
    // c10::Float4_e2m1fn_x2 holds two values in a byte.
    return type.starts_with("c10::Float8") || type == "c10::Float4_e2m1fn_x2" ? std::optional(1.0) : std::nullopt;
}

std::optional<OperatorShapes> OperatorShapes::parse(std::string_view dims, std::string_view types,
                                                    std::string_view concrete) {
    const nlohmann::json dims_json = parse_shallow_json<nlohmann::json>(dims);
    const nlohmann::json types_json = parse_shallow_json<nlohmann::json>(types);
    if (!dims_json.is_array() || !types_json.is_array())
        return {};
    OperatorShapes shapes;
    constexpr auto kMostOfASize = std::numeric_limits<std::int64_t>::max();
    const auto is_no_size = [](const nlohmann::json& d) {
        return d.is_number_integer() && (!d.is_number_unsigned() || d.get<std::uint64_t>() > kMostOfASize);
    };
    for (const nlohmann::json& tensor : dims_json) {
        if (tensor.is_array() && std::any_of(tensor.begin(), tensor.end(), is_no_size))
            return {};
        const bool plain = tensor.is_array() && std::all_of(tensor.begin(), tensor.end(),
                                                            [](const auto& d) { return d.is_number_integer(); });
        shapes.dims.push_back(plain ? tensor.get<Dims>() : Dims{});
    }
    const auto texts = [](const nlohmann::json& list) {
        std::vector<std::string> result;
        for (const nlohmann::json& text : list)
            result.push_back(text.is_string() ? text.get<std::string>() : std::string{});
        return result;
    };
    shapes.types = texts(types_json);
    const nlohmann::json concrete_json = parse_shallow_json<nlohmann::json>(concrete);
    if (concrete_json.is_array())
        shapes.concrete = texts(concrete_json);
    return shapes;
}

ModelFamily model_family(std::string_view name) {
    if (is_product(name))
        return ModelFamily::product;
    if (is_grouped_product(name))
        return ModelFamily::grouped_product;
    if (is_fused_experts(name) || is_expert_stage(name))
        return ModelFamily::experts;
    if (is_convolution(name) || is_convolution_backward(name))
        return ModelFamily::convolution;
    if (is_attention(name) || is_attention_backward(name))
        return ModelFamily::attention;
    if (is_paged_attention(name))
        return ModelFamily::paged_attention;
    if (is_sparse_attention(name))
        return ModelFamily::sparse_attention;
    if (is_delta_net(name))
        return ModelFamily::delta_net;
    if (is_cache_write(name))
        return ModelFamily::cache_write;
    if (is_rotated_cache_write(name))
        return ModelFamily::rotated_cache;
    if (state_space_kind(name) != StateSpaceKind::none)
        return ModelFamily::state_space;
    if (is_quantization(name))
        return ModelFamily::quantization;
    if (is_hyper_connection(name))
        return ModelFamily::hyper_connection;
    switch (exchange_kind(name)) {
    case ExchangeKind::routing:
    case ExchangeKind::sorting: return ModelFamily::routing;
    case ExchangeKind::tokens: return ModelFamily::token_exchange;
    case ExchangeKind::collective: return ModelFamily::collective;
    case ExchangeKind::none: break;
    }
    if (is_rms_norm(name))
        return ModelFamily::rms_norm;
    if (is_norm(name))
        return ModelFamily::norm;
    if (reduction_named(name) != nullptr)
        return ModelFamily::reduction;
    switch (fused_kind(name)) {
    case FusedKind::gated_activation: return ModelFamily::unary;
    case FusedKind::rotary_embedding: return ModelFamily::rotary;
    case FusedKind::cross_entropy: return ModelFamily::cross_entropy;
    case FusedKind::none: break;
    }
    if (is_one_of(short_name(name), kUnary))
        return ModelFamily::unary;
    return is_one_of(short_name(name), kBinary) ? ModelFamily::binary : ModelFamily::none;
}

std::optional<OperatorWork> operator_work(std::string_view name, const OperatorShapes& shapes) {
    const Inputs in(shapes);
    switch (model_family(name)) {
    case ModelFamily::product:
    case ModelFamily::grouped_product:
    case ModelFamily::experts:
    case ModelFamily::convolution: return matrix_work(name, in);
    case ModelFamily::attention: return attention_work(name, in);
    case ModelFamily::sparse_attention: {
        const auto sparse = sparse_attention_shape(name, in);
        return sparse ? Work(sparse->work) : std::nullopt;
    }
    case ModelFamily::rms_norm:
    case ModelFamily::norm: return norm_work(name, in);
    case ModelFamily::rotary:
    case ModelFamily::cross_entropy: return fused_work(name, in);
    case ModelFamily::state_space: return state_space_work(name, in);
    case ModelFamily::quantization: return quantization_work(name, in);
    case ModelFamily::routing:
    case ModelFamily::token_exchange:
    case ModelFamily::collective: return exchange_work(name, in);
    case ModelFamily::hyper_connection: {
        const auto mix = hyper_connection_shape(name, in);
        return mix ? Work(mix->work) : std::nullopt;
    }
    case ModelFamily::cache_write:
    case ModelFamily::rotated_cache: {
        const auto write = cache_write_shape(name, in);
        return write ? Work(write->work) : std::nullopt;
    }
    case ModelFamily::reduction:
        return is_largest_or_least(name) && in.is_tensor(1) ? binary(name, in) : reduction(name, in);
    case ModelFamily::unary:
        if (fused_kind(name) == FusedKind::gated_activation)
            return fused_work(name, in);
        return unary(in, name == "aten::copy_" || name == "aten::copy");
    case ModelFamily::binary: return binary(name, in);
    case ModelFamily::delta_net:
    case ModelFamily::paged_attention:
    case ModelFamily::none: break;
    }
    return {};
}

std::string_view main_type(std::string_view name, const OperatorShapes& shapes) {
    const Inputs in(shapes);
    std::size_t place = 0;
    if (const auto product = product_shape(name, in)) {
        if (product->packed)
            return "c10::Float4_e2m1fn_x2";
        place = product->type;
    } else if (const auto attention = attention_shape(name, in)) {
        place = attention->query;
    } else if (const auto paged = paged_attention_shape(name, in)) {
        place = paged->query;
    } else if (const auto experts = experts_shape(name, in)) {
        place = experts->input;
    } else if (const auto mix = hyper_connection_shape(name, in)) {
        place = mix->input;
    } else if (is_quantization(name)) {
        place = quantized_input(name);
    } else if (exchange_kind(name) != ExchangeKind::none) {
        place = exchanged_input(name);
    } else if (const auto norm = fused_norm_places(name)) {
        place = norm->input;
    }
    return place < shapes.types.size() ? std::string_view(shapes.types[place]) : std::string_view();
}

std::optional<double> reduction_results(std::string_view name, const OperatorShapes& shapes) {
    const auto result = reduced(name, Inputs(shapes));
    return result ? std::optional(result->results) : std::nullopt;
}

bool calls_its_model(std::string_view name) { return short_name(name) == "relu" || wraps_state_space(name); }

bool has_performance_model(std::string_view name) {
    return model_family(name) != ModelFamily::none && !is_one_of(name, kWrappersOfProducts);
}

Work paged_attention_work(std::string_view name, const OperatorShapes& shapes, const AttendedTokens& attended) {
    const Inputs in(shapes);
    if (is_delta_net(name))
        return delta_net_work(name, in, attended.context_q + attended.generation_q);
    const auto shape = paged_attention_shape(name, in);
    if (!shape)
        return {};
    const double prompts = shape->decodes ? 0 : 1;
    const double pairs = prompts * (attended.context_qk - attended.context_qq / 2) + attended.generation_qk;
    const double tokens = prompts * attended.context_q + attended.generation_q;
    const double cached = prompts * attended.context_k + attended.generation_k;
    const double both = shape->head_qk + shape->head_v;
    return OperatorWork{2 * shape->query_heads * both * pairs,
                        tokens * shape->query_heads * both * in.width(shape->query) +
                            cached * shape->key_heads * both * in.width(shape->key)};
}

} // namespace rankscope
