// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/operator_sheets.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>

#include <nlohmann/json.hpp>

#include "core/analysis/gpu/launches.h"
#include "core/analysis/operators/attention_work.h"
#include "core/analysis/operators/cache_work.h"
#include "core/analysis/operators/fused_norm_work.h"
#include "core/analysis/operators/fused_work.h"
#include "core/analysis/operators/matrix_work.h"
#include "core/analysis/operators/norm_work.h"
#include "core/analysis/operators/operator_models.h"
#include "core/analysis/operators/peak_flops.h"
#include "core/analysis/operators/quantize_work.h"
#include "core/analysis/operators/roofline.h"
#include "core/base/seeded_hash.h"
#include "core/metrics/workload.h"
#include "core/report/operator_parameters.h"
#include "core/report/rank_operators.h"

namespace rankscope {
namespace {

using enum NumberStyle;
using Texts = std::vector<std::string>;

enum class OperatorKind : std::uint8_t {
    gemm,
    grouped_gemm,
    moe_fused,
    moe_unfused,
    conv_forward,
    conv_backward,
    attention_forward,
    attention_backward,
    inference_attention,
    normalization,
    rms_norm,
    rotary,
    rotated_cache,
    cross_entropy,
    state_space,
    quantization,
    routing,
    token_exchange,
    collective,
    hyper_connection,
    reduce,
    unary,
    binary,
    none
};
struct KindSheet {
    const char* name;
    std::vector<const char*> parameters;
    std::vector<const char*> rare = {}; ///< of some operators: left out where no row has one
    [[nodiscard]] std::size_t parameter_count() const { return parameters.size() + rare.size(); }
};
/// By kind.
const std::vector<KindSheet>& kind_sheets() {
    static const std::vector<const char*> kMoe{"num_tokens", "hidden_dim", "inter_dim",   "num_experts",
                                               "topk",       "gated",      "input_dtype", "weight_dtype"};
    static const std::vector<const char*> kConv{"convNd",  "input_shape",  "filter_shape",    "dtype_input_weight",
                                                "bias",    "input_stride", "weight_stride",   "stride",
                                                "padding", "dilation",     "transposed_conv", "output_padding",
                                                "groups"};
    static const std::vector<const char*> kAttention{"B",        "N_Q",      "H_Q",      "N_KV",   "H_KV",
                                                     "d_h_qk",   "d_h_v",    "dropout",  "causal", "q_stride",
                                                     "k_stride", "v_stride", "dtype_A_B"};
    static const std::vector<KindSheet> kSheets{
        {"GEMM",
         {"M", "N", "K", "bias", "stride_A", "stride_B", "dtype_A_B", "B", "transpose"},
         {"dtype_scaleA", "dtype_scaleB", "block_k", "block_n", "scale_dtype"}},
        {"GroupedGEMM_fwd", {"M", "K", "G", "N", "bpe_in", "bpe_out"}},
        {"MoE_fused_fwd", kMoe},
        {"MoE_unfused_fwd", kMoe, {"m_work", "N", "K"}},
        {"CONV_fwd", kConv},
        {"CONV_bwd", kConv},
        {"SDPA_fwd", kAttention},
        {"SDPA_bwd", kAttention},
        {"InferenceAttention_fwd",
         {"N_Q", "H_Q", "N_KV", "H_KV", "d_h_qk", "d_h_v", "c_sq", "c_sk", "c_sqsq", "c_sqsk", "g_sq", "g_sk", "g_sqsk",
          "dtype_Q", "dtype_KV"},
         {"H_V", "prefill_pairs", "T", "op_shape", "nelems", "dtype", "d_ckv", "d_pe", "dtype_kv_c", "dtype_k_pe",
          "dtype_cache", "shape_nope", "shape_pe", "shape_out", "dtype_nope", "dtype_pe", "dtype_out"}},
        {"Normalization",
         {"op_shape", "dtype_in_out", "stride_input", "num_channels", "has_bias", "is_affine", "is_training",
          "output_mask"}},
        {"RMSNorm_fwd",
         {"op_shape", "dtype_in_out", "stride_input", "num_channels", "is_affine"},
         {"q_shape", "q_channels", "k_shape", "k_channels", "dtype_q", "dtype_k"}},
        {"RoPE_fwd", {"seq_len", "batch", "heads", "head_dim", "num_elements"}},
        {"FusedRoPE_fwd", {"T", "QH", "KH", "D_lora", "D_pe", "dtype_in", "dtype_kv"}, {"dtype_out"}},
        {"CrossEntropy_fwd", {"batch", "vocab_size", "logits_shape"}},
        {"SSM_fwd",
         {},
         {"batch", "channels", "seq_len", "kernel_size", "has_bias", "B", "T", "H", "P", "G", "N", "C", "d_inner",
          "d_conv", "conv_channels", "combined_dim"}},
        {"GroupQuant_fwd",
         {},
         {"shape_in1", "shape_in2", "shape_out", "dtype_in1_in2_out", "stride_input1", "stride_input2", "stride_output",
          "M", "N", "group_size", "num_groups", "shape_x", "dtype_x", "op_shape", "dtype_in_out", "stride_input"}},
        {"MoE_aux_fwd", {}, {"operands", "M", "E", "topk", "dtype_in"}},
        {"MoE_comm_fwd", {"num_tokens", "hidden_dim", "bpe"}, {}},
        {"CustomCollective_fwd", {"op_shape", "dtype_in", "stride_input"}, {"num_channels", "out_shape"}},
        {"mHC_fwd", {"M", "n", "C"}, {"hc3", "dtype_in"}},
        {"Reduce_fwd", {"num_input_elems", "num_output_elems", "dtype_in_out", "reduce_type"}},
        {"UnaryElementwise", {"op_shape", "dtype_in_out", "stride_input", "stride_output"}},
        {"BinaryElementwise", {"shape_in1", "shape_in2", "dtype_in1_in2_out", "stride_input1", "stride_input2"}}};
    return kSheets;
}

OperatorKind kind_of(std::string_view name) {
    using enum OperatorKind;
    switch (model_family(name)) {
    case ModelFamily::product: return has_performance_model(name) ? gemm : none;
    case ModelFamily::grouped_product: return grouped_gemm;
    case ModelFamily::experts: return is_fused_experts(name) ? moe_fused : moe_unfused;
    case ModelFamily::convolution: return is_convolution_backward(name) ? conv_backward : conv_forward;
    case ModelFamily::attention: return is_attention_backward(name) ? attention_backward : attention_forward;
    case ModelFamily::paged_attention:
    case ModelFamily::sparse_attention:
    case ModelFamily::delta_net:
    case ModelFamily::cache_write: return inference_attention;
    case ModelFamily::rotated_cache: return name.starts_with("aiter::") ? rotated_cache : inference_attention;
    case ModelFamily::norm: return normalization;
    case ModelFamily::rms_norm: return OperatorKind::rms_norm;
    case ModelFamily::rotary: return rotary;
    case ModelFamily::cross_entropy: return cross_entropy;
    case ModelFamily::state_space: return state_space;
    case ModelFamily::quantization: return is_elementwise_quantization(name) ? OperatorKind::unary : quantization;
    case ModelFamily::routing: return routing;
    case ModelFamily::token_exchange: return token_exchange;
    case ModelFamily::collective: return collective;
    case ModelFamily::hyper_connection: return hyper_connection;
    case ModelFamily::reduction: return reduce;
    case ModelFamily::unary: return is_gate_of_two_tensors(name) ? OperatorKind::binary : OperatorKind::unary;
    case ModelFamily::binary: return OperatorKind::binary;
    case ModelFamily::none: break;
    }
    return none;
}
bool on_matrix_units(OperatorKind kind, std::string_view name) {
    return kind <= OperatorKind::inference_attention && !is_cache_write(name);
}

/// Whether the factors are transposed, as the name of the kernel says it: Tensile's letters, or "_tn_" of cuBLAS and
/// CUTLASS.
std::string transposed_text(std::string_view kernel) {
    const bool a = contains(kernel, "_Alik_"), b = contains(kernel, "_Bjlk_");
    if ((a || contains(kernel, "_Ailk_")) && (b || contains(kernel, "_Bljk_")))
        return fmt::format("({}, {})", flag_text(a), flag_text(b));
    for (std::size_t at = kernel.rfind('_'); at != std::string_view::npos && at > 0; at = kernel.rfind('_', at - 1)) {
        const std::string_view word = kernel.substr(at + 1, 3);
        const bool letters =
            word.size() >= 2 && (word[0] == 'n' || word[0] == 't') && (word[1] == 'n' || word[1] == 't');
        if (letters && (word.size() == 2 || word[2] == '_' || word[2] == '>'))
            return fmt::format("({}, {})", flag_text(word[0] == 't'), flag_text(word[1] == 't'));
    }
    return {};
}

Texts experts_texts(const ExpertsShape& shape, const ModelInputs& in) {
    return {count_text(shape.tokens),          count_text(shape.hidden),           count_text(shape.inner),
            count_text(shape.experts),         count_text(shape.chosen),           flag_text(shape.gated),
            std::string(in.type(shape.input)), std::string(in.type(shape.weights))};
}

/// Of a backward operator, which has no bias: whether its mask asks for that gradient.
std::string gradient_asked(const nlohmann::json& mask, std::size_t of) {
    return mask.is_array() && of < mask.size() && mask[of].is_boolean() ? flag_text(mask[of].get<bool>())
                                                                        : std::string();
}

Texts convolution_texts(const ConvolutionShape& shape, const CallInputs& call, bool backward) {
    const std::size_t input = backward ? 1 : 0;
    return {fmt::format("conv{}d", shape.input.size() - 2),
            dims_text(shape.input),
            dims_text(shape.weight),
            call.types({input, input + 1}),
            backward ? gradient_asked(call.in.list(10), 2) : flag_text(shape.bias),
            call.stride(input),
            call.stride(input + 1),
            std::string(shape.stride),
            std::string(shape.padding),
            std::string(shape.dilation),
            std::string(shape.transposed),
            std::string(shape.output_padding),
            std::string(shape.groups)};
}

Texts norm_texts(std::string_view name, const CallInputs& call) {
    const ModelInputs& in = call.in;
    const bool backward = is_norm_backward(name);
    const bool batch_norm = contains(name, "batch_norm");
    const bool behind_shape = contains(name, "layer_norm") || contains(name, "rms_norm") || name == "aten::group_norm";
    const std::size_t input = norm_input(name);
    if (is_modulated_norm(name) && in.is_tensor(0))
        return {dims_text(in.dims(0)),
                call.types({0}),
                call.stride(0),
                count_text(norm_channels(name, in)),
                "True",
                "True",
                {},
                backward ? "[True, True, True]" : ""};
    const std::size_t weight = backward ? (name == "aten::native_layer_norm_backward" ? 5
                                           : batch_norm                               ? 2
                                                                                      : 4)
                                        : (behind_shape ? 2 : 1);
    if (!in.is_tensor(input))
        return {};
    const bool native = name == "aten::native_batch_norm_backward" || name == "aten::native_group_norm_backward" ||
                        name == "aten::batch_norm_backward";
    const std::size_t mask = native                                       ? 9
                             : name == "aten::native_layer_norm_backward" ? 7
                             : name == "aten::_fused_rms_norm_backward"   ? 5
                                                                          : 99;
    const double channels = norm_channels(name, in);
    return {dims_text(in.dims(input)),
            call.types({input}),
            call.stride(input),
            channels > 0 ? count_text(channels) : std::string(),
            contains(name, "rms_norm") ? "False"
            : backward                 ? gradient_asked(in.list(mask), 2)
                                       : flag_text(in.is_tensor(weight + 1)),
            flag_text(in.is_tensor(weight)),
            !batch_norm ? std::string()
                        : std::string(in.concrete(name == "aten::native_batch_norm_backward" ? 7
                                                  : backward                                 ? 99
                                                                                             : 5)),
            std::string(in.concrete(mask))};
}

Texts grouped_texts(const ModelInputs& in) {
    const auto& a = in.dims(0);
    const auto& b = in.dims(1);
    if (a.size() != 2 || b.size() != 3 || (b[1] != a[1] && b[2] != a[1]))
        return {};
    const double out = in.width(0) == 1 ? 2 : in.width(0);
    return {count_text(static_cast<double>(a[0])),
            count_text(static_cast<double>(a[1])),
            count_text(static_cast<double>(b[0])),
            count_text(static_cast<double>(b[1] == a[1] ? b[2] : b[1])),
            count_text(in.width(0)),
            count_text(out)};
}

Texts rotary_texts(std::string_view name, const ModelInputs& in) {
    const auto values = rotated_values(name, in);
    if (!values)
        return {};
    Texts texts(4);
    if (name == "FusedRoPEFunc" && in.dims(0).size() == 4)
        for (std::size_t i = 0; i < 4; ++i)
            texts[i] = count_text(static_cast<double>(in.dims(0)[i]));
    texts.push_back(count_text(*values));
    return texts;
}

Texts rms_norm_texts(std::string_view name, const CallInputs& call) {
    const ModelInputs& in = call.in;
    if (!in.is_tensor(0))
        return {};
    std::size_t alike = 0;
    bool weight = false;
    for (std::size_t i = 0; i < in.size(); ++i) {
        alike += in.dims(i) == in.dims(0) ? 1 : 0;
        weight = weight || (in.dims(i).size() == 1 && in.dims(i)[0] == in.dims(0).back());
    }
    // A call may get the place of its result too; that is the first argument then.
    const auto fused = fused_norm_places(name);
    const std::size_t input = fused ? fused->input : alike > 2 || (alike == 2 && !contains(name, "add")) ? 1 : 0;
    weight = weight || (fused && in.is_tensor(fused->weight));
    return {dims_text(in.dims(input)), call.types({input}), call.stride(input), fmt::format("{}", in.dims(0).back()),
            flag_text(weight)};
}

/// In the order of the kind's columns; fewer where they are not known.
Texts parameters_of(OperatorKind kind, std::string_view name, const CallInputs& call, std::string_view kernel,
                    const std::optional<AttendedTokens>& attended) {
    const ModelInputs& in = call.in;
    switch (kind) {
    case OperatorKind::gemm: {
        const auto shape = product_shape(name, in);
        if (!shape)
            return {};
        return {count_text(shape->m),
                count_text(shape->n),
                count_text(shape->k),
                flag_text(shape->bias),
                call.stride(shape->a),
                call.stride(shape->b),
                call.types({shape->a, shape->b}),
                count_text(shape->batch),
                transposed_text(kernel)};
    }
    case OperatorKind::moe_fused:
    case OperatorKind::moe_unfused: {
        const auto shape = experts_shape(name, in);
        return shape ? experts_texts(*shape, in) : Texts{};
    }
    case OperatorKind::conv_forward:
    case OperatorKind::conv_backward: {
        const auto shape = convolution_shape(name, in);
        return shape ? convolution_texts(*shape, call, kind == OperatorKind::conv_backward) : Texts{};
    }
    case OperatorKind::attention_forward:
    case OperatorKind::attention_backward: {
        const auto shape = attention_shape(name, in);
        if (!shape)
            return {};
        return {count_text(shape->batch),
                count_text(shape->queries),
                count_text(shape->query_heads),
                count_text(shape->keys),
                count_text(shape->key_heads),
                count_text(shape->head_qk),
                count_text(shape->head_v),
                shape->dropout ? count_text(*shape->dropout) : std::string(),
                flag_text(shape->causal),
                call.stride(shape->query),
                call.stride(shape->query + 1),
                call.stride(shape->query + 2),
                call.types({shape->query, shape->query + 1})};
    }
    case OperatorKind::inference_attention: {
        const auto shape = paged_attention_shape(name, in);
        if (!shape)
            return {};
        Texts texts{count_text(shape->queries),   count_text(shape->query_heads), count_text(shape->keys),
                    count_text(shape->key_heads), count_text(shape->head_qk),     count_text(shape->head_v)};
        const AttendedTokens a = attended.value_or(AttendedTokens{});
        for (const double sum :
             {a.context_q, a.context_k, a.context_qq, a.context_qk, a.generation_q, a.generation_k, a.generation_qk})
            texts.push_back(attended ? count_text(sum) : std::string());
        texts.emplace_back(in.type(shape->query));
        texts.emplace_back(in.type(shape->key));
        return texts;
    }
    case OperatorKind::normalization: return norm_texts(name, call);
    case OperatorKind::rms_norm: return rms_norm_texts(name, call);
    case OperatorKind::reduce: {
        const auto results = reduction_results(name, call.shapes);
        if (!results)
            return {};
        return {count_text(in.count(0)), count_text(*results), call.types({0}),
                std::string(name.substr(name.rfind(':') + 1))};
    }
    case OperatorKind::unary: {
        const bool turned = name == "aten::copy_" || contains(name, "_and_mul"); // (to, from)
        return {dims_text(in.dims(0)), turned ? call.types({1, 0}) : call.types({0}), call.stride(turned ? 1 : 0),
                turned ? call.stride(0) : std::string()};
    }
    case OperatorKind::binary:
        return {dims_text(in.dims(0)), dims_text(in.dims(1)), call.types({0, 1}), call.stride(0), call.stride(1)};
    case OperatorKind::grouped_gemm: return grouped_texts(in);
    case OperatorKind::rotary: return rotary_texts(name, in);
    case OperatorKind::cross_entropy:
        if (in.dims(0).size() < 2)
            return {};
        return {count_text(static_cast<double>(in.dims(0)[0])), count_text(static_cast<double>(in.dims(0).back())),
                dims_text(in.dims(0))};
    default: return {};
    }
}

/// Likewise with those that only some operators have.
Texts all_parameters_of(OperatorKind kind, std::string_view name, const CallInputs& call, std::string_view kernel,
                        const std::optional<AttendedTokens>& attended) {
    const KindSheet& sheet = kind_sheets()[static_cast<std::size_t>(kind)];
    Texts texts = parameters_of(kind, name, call, kernel, attended);
    texts.resize(sheet.parameter_count());
    for (auto& [title, text] : named_parameters(name, call, attended))
        for (std::size_t i = 0; i < texts.size(); ++i)
            if (title == (i < sheet.parameters.size() ? sheet.parameters[i] : sheet.rare[i - sheet.parameters.size()]))
                texts[i] = text;
    return texts;
}

/// A number where the whole text is one.
Cell cell_of(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? Cell(value) : Cell(text);
}

/// "matrix_bf16": the units and the precision that the work is held against.
std::string compute_spec(bool matrix, std::string_view type, bool tf32) {
    std::string_view precision;
    for (const auto& [word, name] : {std::pair<std::string_view, std::string_view>{"float", "fp32"},
                                     {"double", "fp64"},
                                     {"c10::Half", "fp16"},
                                     {"c10::BFloat16", "bf16"},
                                     {"c10::Float8", "fp8"},
                                     {"c10::Float4", "fp4"},
                                     {"signed char", "int8"}})
        if (type == word || (word.starts_with("c10::Float") && type.starts_with(word)))
            precision = name;
    if (precision.empty())
        return {};
    return fmt::format("{}_{}", matrix ? "matrix" : "vector",
                       matrix && tf32 && precision == "fp32" ? "tf32" : precision);
}

/// Calls of one row.
struct ModelledCalls {
    std::vector<double> kernel_us, tb_s, tflops_s;
    std::vector<EventIndex> work;
    std::size_t first = 0; ///< of the rank's calls
    std::optional<OperatorWork> of_call;
    std::string type; ///< that the work is done in
    bool tf32 = false;
};
using RowKey = std::tuple<OperatorKind, std::string, Texts, std::size_t>; ///< kind, operator, parameters, kernels

// Operators with a model lie a few deep inside each other; a trace that says otherwise must not cost hours.
constexpr int kDeepest = 64;

/// By call with a model: the work launched inside it.
std::map<std::size_t, std::vector<EventIndex>> work_of_models(const RankOperators& rank,
                                                              const std::vector<OperatorKind>& kinds) {
    // The nearest call with a model above each call, or itself. Calls lie in no order.
    const std::size_t none = OperatorCall::kNoCall;
    constexpr std::size_t kUnknownCall = OperatorCall::kNoCall - 1;
    std::vector<std::size_t> nearest(rank.calls.size(), kUnknownCall);
    const auto nearest_of = [&](std::size_t call) {
        std::vector<std::size_t> passed;
        while (call != none && nearest[call] == kUnknownCall && kinds[call] == OperatorKind::none) {
            passed.push_back(call);
            call = rank.calls[call].parent;
        }
        const std::size_t found = call == none || kinds[call] != OperatorKind::none ? call : nearest[call];
        for (const std::size_t p : passed)
            nearest[p] = found;
        return found;
    };
    std::map<std::size_t, std::vector<EventIndex>> work;
    for (std::size_t i = 0; i < rank.calls.size(); ++i) {
        if (rank.calls[i].work.empty() || rank.calls[i].category == OperatorCategory::communication)
            continue;
        int depth = 0;
        for (std::size_t p = nearest_of(i); p != none && depth < kDeepest; ++depth) {
            std::vector<EventIndex>& events = work[p];
            events.insert(events.end(), rank.calls[i].work.begin(), rank.calls[i].work.end());
            p = rank.calls[p].parent == none ? none : nearest_of(rank.calls[p].parent);
        }
    }
    return work;
}

/// aten::convolution calls aten::_convolution, and that a library's operator: TraceLens has a row of the first one.
void leave_outermost(const RankOperators& rank, OperatorKind kind, std::vector<OperatorKind>& kinds) {
    const std::vector<OperatorKind> all = kinds;
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::size_t above = rank.calls[i].parent;
        for (int depth = 0; all[i] == kind && above != OperatorCall::kNoCall && depth < kDeepest; ++depth) {
            if (all[above] == kind)
                kinds[i] = OperatorKind::none;
            above = rank.calls[above].parent;
        }
    }
}

/// What a call's inputs say.
struct CallFacts {
    bool read = false;
    Texts parameters;
    std::optional<OperatorWork> model;
    std::string type; ///< of the input that tells the precision
};
CallFacts facts_of(OperatorKind kind, std::string_view name, const InputTexts& texts, std::string_view kernel,
                   const std::optional<AttendedTokens>& attended) {
    CallFacts facts;
    facts.read = true;
    const auto shapes = OperatorShapes::parse(texts.dims, texts.types, texts.concrete);
    if (!shapes)
        return facts;
    const CallInputs inputs(*shapes, texts.strides);
    facts.parameters = all_parameters_of(kind, name, inputs, kernel, attended);
    facts.model = operator_work(name, *shapes);
    if (!facts.model && attended)
        facts.model = paged_attention_work(name, *shapes, *attended);
    facts.type = main_type(name, *shapes);
    return facts;
}

std::map<RowKey, ModelledCalls> modelled_rows(const RankOperators& rank) {
    std::vector<OperatorKind> kinds;
    for (const OperatorCall& call : rank.calls) {
        const std::string_view name = rank.trace.event_name(call.event);
        // relu calls clamp_min, which has the row then.
        const bool calls_it = calls_its_model(name) && call.work.empty();
        kinds.push_back(calls_it || call.category == OperatorCategory::communication ? OperatorKind::none
                                                                                     : kind_of(name));
    }
    leave_outermost(rank, OperatorKind::conv_forward, kinds);
    std::map<RowKey, ModelledCalls> rows;
    std::map<std::tuple<std::string_view, InputTexts, std::string_view>, CallFacts> known;
    for (auto& [i, work] : work_of_models(rank, kinds)) {
        const OperatorCall& call = rank.calls[i];
        const std::string_view name = rank.trace.event_name(call.event);
        const InputTexts texts = rank.input_texts(call);
        std::ranges::sort(work, {}, [&](EventIndex e) { return std::pair(rank.trace.events.start[e], e); });
        const std::string_view kernel = rank.trace.event_name(work.front());
        // What a step attends to differs from step to step; all else is the same for equal inputs.
        CallFacts& facts = known[{name, texts, kernel}];
        if (!facts.read || call.attended)
            facts = facts_of(kinds[i], name, texts, kernel, call.attended);
        ModelledCalls& row = rows[{kinds[i], std::string(name), facts.parameters, work.size()}];
        const std::optional<OperatorWork>& model = facts.model;
        if (row.kernel_us.empty()) {
            row.first = i;
            row.of_call = model;
            row.type = facts.type;
        }
        const double us = as_us(call.subtree);
        row.kernel_us.push_back(us);
        if (model && us > 0) {
            row.tb_s.push_back(model->bytes / us / 1e6);
            row.tflops_s.push_back(model->flops / us / 1e6);
        }
        for (const EventIndex event : work)
            row.tf32 = row.tf32 || is_tf32_kernel(rank.trace.event_name(event));
        row.work.insert(row.work.end(), work.begin(), work.end());
    }
    return rows;
}

Sheet empty_sheet(const KindSheet& kind) {
    std::vector<SheetColumn> columns{{"rank", whole}, {"name"}};
    for (const auto* titles : {&kind.parameters, &kind.rare})
        for (const char* parameter : *titles)
            columns.push_back({std::string("param: ") + parameter});
    columns.push_back({"num_kernels", whole});
    columns.push_back({"GFLOPS_first"});
    columns.push_back({"Data Moved (MB)_first"});
    columns.push_back({"FLOPS/Byte_first"});
    add_columns(columns, "TB/s");
    add_columns(columns, "TFLOPS/s");
    for (const char* title : {"thread_name_first", "Compute Spec", "kernel_details__summarize_kernel_stats",
                              "Input Dims_first", "Input type_first", "Input Strides_first", "Concrete Inputs_first"})
        columns.push_back({title});
    add_columns(columns, "Kernel Time (\u00b5s)");
    columns.push_back({"Kernel Time (\u00b5s)_sum", three_decimals});
    columns.push_back({"name_count", whole});
    columns.push_back({"roofline_us", three_decimals});
    columns.push_back({"bound"});
    columns.push_back({"source"});
    return {kind.name,
            std::move(columns),
            {},
            false,
            "FLOPs and bytes (MiB) that the recorded inputs need, over the time of all kernels inside a call."};
}

std::vector<Cell> row_cells(const RankOperators& rank, const RowKey& key, const ModelledCalls& calls,
                            std::size_t parameters, const std::string& device, std::span<const DevicePeak> own_peaks,
                            const std::string& label) {
    const auto& [kind, name, texts, kernels] = key;
    std::vector<Cell> row{number_cell(rank.trace.rank), name};
    for (std::size_t p = 0; p < parameters; ++p)
        row.push_back(p < texts.size() ? cell_of(texts[p]) : Cell());
    row.emplace_back(static_cast<double>(kernels));
    const OperatorWork work = calls.of_call.value_or(OperatorWork{});
    row.push_back(calls.of_call ? Cell(work.flops / 1e9) : Cell());
    row.push_back(calls.of_call ? Cell(work.bytes / kMiB) : Cell());
    row.push_back(work.bytes > 0 ? Cell(work.flops / work.bytes) : Cell());
    for (const auto* rates : {&calls.tb_s, &calls.tflops_s})
        if (rates->empty())
            row.insert(row.end(), 5, Cell());
        else
            add_cells(row, spread_over(*rates));
    const OperatorCall& first = rank.calls[calls.first];
    const InputTexts inputs = rank.input_texts(first);
    row.emplace_back(rank.thread_of(first));
    const bool matrix = on_matrix_units(kind, name);
    row.emplace_back(calls.of_call ? compute_spec(matrix, calls.type, calls.tf32) : std::string());
    row.emplace_back(rank.kernels_text(calls.work));
    for (const std::string_view text : {inputs.dims, inputs.types, inputs.strides, inputs.concrete})
        row.emplace_back(std::string(text));
    const Spread time = spread_over(calls.kernel_us);
    add_cells(row, time);
    row.emplace_back(time.sum);
    row.emplace_back(static_cast<double>(calls.kernel_us.size()));
    const DevicePeaks peaks = device_peaks(device, calls.type, matrix, calls.tf32 && calls.type == "float", own_peaks);
    if (calls.of_call && peaks.tflops && peaks.tb_s) {
        const double compute_us = work.flops / *peaks.tflops / 1e6;
        const double memory_us = work.bytes / *peaks.tb_s / 1e6;
        row.emplace_back(std::max(compute_us, memory_us));
        row.emplace_back(std::string(bound_word(compute_us > memory_us ? Bound::compute : Bound::memory)));
    } else {
        row.insert(row.end(), 2, Cell());
    }
    row.emplace_back(label);
    return row;
}

/// Of those columns the ones that say nothing in any row.
void drop_empty_columns(Sheet& sheet, std::size_t first, std::size_t count) {
    const auto says = [](const Cell& cell) {
        return std::holds_alternative<double>(cell) ||
               (std::holds_alternative<std::string>(cell) && !std::get<std::string>(cell).empty());
    };
    for (std::size_t column = first + count; column-- > first;) {
        const auto at = static_cast<std::ptrdiff_t>(column);
        if (std::ranges::any_of(sheet.rows, [&](const auto& row) { return says(row[column]); }))
            continue;
        sheet.columns.erase(sheet.columns.begin() + at);
        for (auto& row : sheet.rows)
            row.erase(row.begin() + at);
    }
}

bool is_short_kernel(const RankTrace& trace, const GpuSlice& slice) {
    return trace.events.kind[slice.event] == EventKind::kernel && slice.range.length() < kShortKernelLimits[0];
}

} // namespace

std::vector<Sheet> operator_sheets(Runs runs) {
    std::vector<Sheet> sheets;
    for (const KindSheet& kind : kind_sheets())
        sheets.push_back(empty_sheet(kind));
    for_each_rank(runs, [&](RankOperators& rank, const AnalysedRun& run) {
        const std::string device = run_device_name(run.run());
        const std::map<RowKey, ModelledCalls> rows = modelled_rows(rank);
        const std::vector<DevicePeak> peaks = peaks_of(run.run(), run.analysis->rules().peaks);
        std::vector<std::pair<double, const std::pair<const RowKey, ModelledCalls>*>> sorted;
        for (const auto& row : rows)
            sorted.emplace_back(sum_of(row.second.kernel_us), &row);
        std::ranges::stable_sort(sorted, std::greater(), [](const auto& row) { return row.first; });
        for (const auto& [sum, row] : sorted) {
            const auto kind = static_cast<std::size_t>(std::get<0>(row->first));
            sheets[kind].rows.push_back(row_cells(rank, row->first, row->second, kind_sheets()[kind].parameter_count(),
                                                  device, peaks, run.label));
        }
    });
    for (std::size_t kind = 0; kind < sheets.size(); ++kind)
        drop_empty_columns(sheets[kind], 2 + kind_sheets()[kind].parameters.size(), kind_sheets()[kind].rare.size());
    std::erase_if(sheets, [](const Sheet& sheet) { return sheet.rows.empty(); });
    return sheets;
}

Sheet short_kernels_summary_sheet(Runs runs) {
    Sheet sheet{"short_kernels_summary",
                {{"rank", whole},
                 {"Parent cpu_op"},
                 {"Input dims"},
                 {"Input strides"},
                 {"Concrete Inputs"},
                 {"Kernel name"},
                 {"Short Kernel duration (\u00b5s) sum", three_decimals},
                 {"Short Kernel count", whole},
                 {"Short Kernel duration (\u00b5s) mean", three_decimals},
                 {"Short Kernel duration (\u00b5s) percent of total time", three_decimals},
                 {"source"}},
                {},
                false,
                "Kernels shorter than 10 us; percent: of the span of all GPU work."};
    for_each_rank(runs, [&](RankOperators& rank, const AnalysedRun& run) {
        PlaceMap<EventIndex, const OperatorCall*> call_of;
        for (const OperatorCall& call : rank.calls)
            for (const EventIndex event : call.work)
                call_of[event] = &call;
        using Key = std::tuple<std::string_view, InputTexts, std::string_view>;
        std::map<Key, std::pair<double, std::int64_t>> groups; // microseconds, count
        TimeRange span;
        for (const GpuSlice& slice : rank.gpu_work) {
            span = span.empty()
                       ? slice.range
                       : TimeRange{std::min(span.begin, slice.range.begin), std::max(span.end, slice.range.end)};
            if (!is_short_kernel(rank.trace, slice))
                continue;
            const auto call = call_of.find(slice.event);
            const bool known = call != call_of.end();
            auto& [us, count] =
                groups[{known ? rank.trace.event_name(call->second->event) : std::string_view(),
                        known ? rank.input_texts(*call->second) : InputTexts{}, rank.trace.event_name(slice.event)}];
            us += as_us(slice.range.length());
            ++count;
        }
        std::vector<std::pair<Key, std::pair<double, std::int64_t>>> sorted(groups.begin(), groups.end());
        std::ranges::stable_sort(sorted, std::greater(), [](const auto& g) { return g.second.first; });
        for (const auto& [key, total] : sorted) {
            const auto& [us, count] = total;
            const InputTexts& inputs = std::get<1>(key);
            sheet.rows.push_back({number_cell(rank.trace.rank), std::string(std::get<0>(key)), std::string(inputs.dims),
                                  std::string(inputs.strides), std::string(inputs.concrete),
                                  std::string(std::get<2>(key)), us, number_cell(count),
                                  us / static_cast<double>(count), share(us, as_us(span.length())), run.label});
        }
    });
    return sheet;
}

Sheet short_kernel_histogram_sheet(Runs runs) {
    Sheet sheet{
        "short_kernel_histogram",
        {{"rank", whole}, {"bin_start", three_decimals}, {"bin_end", three_decimals}, {"count", whole}, {"source"}},
        {},
        false,
        "Microseconds; a step holds what is not shorter than its start and shorter than its end, the last its "
        "end too."};
    constexpr std::size_t kSteps = 100;
    for_each_rank(runs, [&](RankOperators& rank, const AnalysedRun& run) {
        std::vector<double> durations; // us
        for (const GpuSlice& slice : rank.gpu_work)
            if (is_short_kernel(rank.trace, slice))
                durations.push_back(as_us(slice.range.length()));
        if (durations.empty())
            return;
        const auto [least, most] = std::ranges::minmax(durations);
        const double width = (most - least) / kSteps;
        std::array<double, kSteps + 1> bounds{};
        for (std::size_t i = 0; i <= kSteps; ++i)
            bounds[i] = static_cast<double>(i) * width + least;
        std::array<std::int64_t, kSteps> counts{};
        for (const double duration : durations) {
            const auto step = std::upper_bound(bounds.begin(), bounds.end(), duration) - bounds.begin() - 1;
            ++counts[width > 0 ? std::min(kSteps - 1, static_cast<std::size_t>(step)) : 0];
        }
        for (std::size_t i = 0; i < kSteps && (i == 0 || width > 0); ++i)
            sheet.rows.push_back(
                {number_cell(rank.trace.rank), bounds[i], bounds[i + 1], number_cell(counts[i]), run.label});
    });
    return sheet;
}

} // namespace rankscope
