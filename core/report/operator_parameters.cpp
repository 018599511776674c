// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/operator_parameters.h"

#include <cmath>

#include "core/analysis/operators/attention_work.h"
#include "core/analysis/operators/cache_work.h"
#include "core/analysis/operators/exchange_work.h"
#include "core/analysis/operators/experts_work.h"
#include "core/analysis/operators/fused_norm_work.h"
#include "core/analysis/operators/hyper_connection_work.h"
#include "core/analysis/operators/matrix_work.h"
#include "core/analysis/operators/operator_models.h"
#include "core/analysis/operators/quantize_work.h"
#include "core/analysis/operators/state_space_work.h"

namespace rankscope {
namespace {

std::string type_text(const ModelInputs& in, std::size_t i) { return std::string(in.type(i)); }
std::string size_text(const ModelInputs& in, std::size_t i, std::size_t dimension) {
    const auto& dims = in.dims(i);
    return dimension < dims.size() ? fmt::format("{}", dims[dimension]) : std::string();
}

/// Scales of quantised factors: blocks of the rows and columns that share one.
NamedParameters product_parameters(std::string_view name, const CallInputs& call) {
    const ModelInputs& in = call.in;
    const auto shape = product_shape(name, in);
    if (!shape)
        return {};
    // Scales follow both factors, or each its own.
    const bool beside = shape->b == shape->a + 2;
    const std::size_t of_a = shape->a + (beside ? 1 : 2), of_b = beside ? shape->b + 1 : of_a + 1;
    const bool mx = name.find("a4w4") != std::string_view::npos;
    if (beside || mx)
        return {{"dtype_scaleA", type_text(in, of_a)}, {"dtype_scaleB", type_text(in, of_b)}};
    const bool quantized = name.find("a8w8") != std::string_view::npos || name.find("w8a8") != std::string_view::npos;
    if (!quantized || in.dims(of_a).empty() || in.dims(of_b).empty())
        return {};
    NamedParameters parameters{{"scale_dtype", type_text(in, of_a)}};
    if (in.dims(of_a).back() > 0)
        parameters.emplace_back("block_k", count_text(std::ceil(shape->k / static_cast<double>(in.dims(of_a).back()))));
    if (in.dims(of_b)[0] > 0)
        parameters.emplace_back("block_n", count_text(std::ceil(shape->n / static_cast<double>(in.dims(of_b)[0]))));
    return parameters;
}

NamedParameters stage_parameters(std::string_view name, const CallInputs& call) {
    const auto shape = experts_shape(name, call.in);
    if (!shape || (shape->up && shape->down))
        return {};
    const double rows = shape->up ? shape->inner * (shape->gated ? 2 : 1) : shape->hidden;
    return {{"m_work", count_text(shape->tokens * shape->chosen)},
            {"N", count_text(rows)},
            {"K", count_text(shape->up ? shape->hidden : shape->inner)}};
}

NamedParameters quantization_parameters(std::string_view name, const CallInputs& call) {
    const ModelInputs& in = call.in;
    const std::size_t input = quantized_input(name);
    if (!in.is_tensor(input))
        return {};
    const std::string shape = dims_text(in.dims(input));
    const auto group = quantization_group(name, in);
    if (name == "vllm::triton_per_token_group_quant_fp8") {
        const auto row = static_cast<double>(in.dims(input).back());
        NamedParameters parameters{{"M", count_text(row > 0 ? in.count(input) / row : 0)},
                                   {"N", count_text(row)},
                                   {"shape_x", shape},
                                   {"dtype_x", type_text(in, input)}};
        if (group) {
            parameters.emplace_back("group_size", count_text(*group));
            parameters.emplace_back("num_groups", count_text(std::ceil(row / *group)));
        }
        return parameters;
    }
    if (name.find("mxfp4") != std::string_view::npos || name.find("mx_quant") != std::string_view::npos ||
        name.ends_with("_fp4"))
        return {{"op_shape", shape}, {"dtype_in_out", call.types({input})}, {"stride_input", call.stride(input)}};
    const std::size_t out = input == 0 ? 1 : 0;
    NamedParameters parameters{{"shape_in1", shape},
                               {"shape_in2", dims_text(in.dims(2))},
                               {"shape_out", dims_text(in.dims(out))},
                               {"dtype_in1_in2_out", call.types({input, 2, out})},
                               {"stride_input1", call.stride(input)},
                               {"stride_input2", call.stride(2)},
                               {"stride_output", call.stride(out)}};
    if (group)
        parameters.emplace_back("group_size", count_text(*group));
    return parameters;
}

NamedParameters cache_parameters(std::string_view name, const CallInputs& call) {
    const ModelInputs& in = call.in;
    const auto shape = cache_write_shape(name, in);
    if (!shape)
        return {};
    if (is_rotated_cache_write(name) && name.starts_with("aiter::")) {
        NamedParameters parameters{{"T", size_text(in, 0, 0)},
                                   {"QH", size_text(in, 0, 1)},
                                   {"KH", in.dims(2).size() == 3 ? size_text(in, 2, 1) : "1"},
                                   {"D_lora", size_text(in, 0, 2)},
                                   {"D_pe", size_text(in, 1, 2)},
                                   {"dtype_in", type_text(in, 0)},
                                   {"dtype_kv", type_text(in, 4)}};
        if (in.is_tensor(5) && in.dims(5).size() == 3)
            parameters.emplace_back("dtype_out", type_text(in, 5));
        return parameters;
    }
    if (name.ends_with("concat_mla_q"))
        return {{"shape_nope", dims_text(in.dims(0))}, {"shape_pe", dims_text(in.dims(1))},
                {"shape_out", dims_text(in.dims(2))},  {"dtype_nope", type_text(in, 0)},
                {"dtype_pe", type_text(in, 1)},        {"dtype_out", type_text(in, 2)}};
    if (name.find("_mla") != std::string_view::npos)
        return {{"T", count_text(shape->tokens)},
                {"d_ckv", fmt::format("{}", in.dims(shape->key).back())},
                {"d_pe", fmt::format("{}", in.dims(shape->value).back())},
                {"dtype_kv_c", type_text(in, shape->key)},
                {"dtype_k_pe", type_text(in, shape->value)},
                {"dtype_cache", type_text(in, shape->cache)}};
    return {{"T", count_text(shape->tokens)},
            {"op_shape", dims_text(in.dims(shape->key))},
            {"nelems", count_text(in.count(shape->key))},
            {"dtype", type_text(in, shape->key)},
            {"dtype_cache", type_text(in, shape->cache)}};
}

NamedParameters delta_net_parameters(std::string_view name, const CallInputs& call,
                                     const std::optional<AttendedTokens>& attended) {
    const auto shape = delta_net_shape(name, call.in);
    if (!shape)
        return {};
    NamedParameters parameters{
        {"N_Q", count_text(attended ? attended->context_q + attended->generation_q : shape->tokens)},
        {"H_Q", count_text(shape->key_heads)},
        {"H_KV", count_text(shape->key_heads)},
        {"H_V", count_text(shape->value_heads)},
        {"d_h_qk", count_text(shape->head)},
        {"d_h_v", count_text(shape->head)},
        {"dtype_Q", type_text(call.in, 0)}};
    if (attended) {
        parameters.emplace_back("c_sq", count_text(attended->context_q));
        parameters.emplace_back("g_sq", count_text(attended->generation_q));
    }
    return parameters;
}

NamedParameters sparse_parameters(std::string_view name, const CallInputs& call) {
    const auto shape = sparse_attention_shape(name, call.in);
    if (!shape)
        return {};
    return {{"N_Q", count_text(shape->queries)},         {"H_Q", count_text(shape->heads)},
            {"N_KV", count_text(shape->keys)},           {"H_KV", "1"},
            {"d_h_qk", count_text(shape->head_qk)},      {"d_h_v", count_text(shape->head_v)},
            {"prefill_pairs", count_text(shape->pairs)}, {"dtype_Q", type_text(call.in, 0)},
            {"dtype_KV", type_text(call.in, shape->key)}};
}

NamedParameters state_space_parameters(std::string_view name, const CallInputs& call) {
    const ModelInputs& in = call.in;
    if (const auto shape = chunk_scan_shape(name, in)) {
        NamedParameters parameters{{"B", count_text(shape->batch)},  {"T", count_text(shape->tokens)},
                                   {"H", count_text(shape->heads)},  {"P", count_text(shape->head)},
                                   {"G", count_text(shape->groups)}, {"N", count_text(shape->states)},
                                   {"C", count_text(shape->chunk)},  {"d_inner", count_text(shape->inner)}};
        if (shape->channels > 0) {
            parameters.emplace_back("d_conv", count_text(shape->kept));
            parameters.emplace_back("conv_channels", count_text(shape->channels));
            parameters.emplace_back("combined_dim", count_text(shape->width_in));
        }
        return parameters;
    }
    const auto& x = in.dims(0);
    switch (state_space_kind(name)) {
    case StateSpaceKind::convolution:
        if (x.size() == 3)
            return {{"batch", size_text(in, 0, 0)},
                    {"channels", size_text(in, 0, 1)},
                    {"seq_len", size_text(in, 0, 2)},
                    {"kernel_size", size_text(in, 1, 1)},
                    {"has_bias", flag_text(in.is_tensor(2))}};
        return {{"channels", size_text(in, 0, 0)},
                {"seq_len", size_text(in, 0, 1)},
                {"kernel_size", size_text(in, 1, 1)},
                {"has_bias", flag_text(in.is_tensor(2))}};
    case StateSpaceKind::update:
        return {{"batch", size_text(in, 0, 0)},
                {"channels", size_text(in, 0, 1)},
                {"seq_len", x.size() == 3 ? size_text(in, 0, 2) : "1"},
                {"kernel_size", size_text(in, 2, 1)},
                {"has_bias", flag_text(in.dims(3).size() == 1)}};
    case StateSpaceKind::selective_scan:
        return {{"batch", x.size() == 3 ? size_text(in, 0, 0) : std::string()},
                {"channels", size_text(in, 2, 0)},
                {"seq_len", x.empty() ? std::string() : fmt::format("{}", x.back())},
                {"N", size_text(in, 2, 1)}};
    default: return {};
    }
}

NamedParameters fused_norm_parameters(std::string_view name, const CallInputs& call) {
    const ModelInputs& in = call.in;
    if (name != "aiter::_fused_qk_rmsnorm_kernel")
        return {};
    return {{"q_shape", dims_text(in.dims(0))}, {"q_channels", size_text(in, 1, 0)},
            {"k_shape", dims_text(in.dims(3))}, {"k_channels", size_text(in, 4, 0)},
            {"dtype_q", type_text(in, 0)},      {"dtype_k", type_text(in, 3)}};
}

NamedParameters hyper_connection_parameters(std::string_view name, const CallInputs& call) {
    const auto shape = hyper_connection_shape(name, call.in);
    if (!shape)
        return {};
    NamedParameters parameters{{"M", count_text(shape->tokens)},
                               {"n", count_text(shape->streams)},
                               {"C", count_text(shape->channels)},
                               {"dtype_in", type_text(call.in, shape->input)}};
    if (shape->logits > 0)
        parameters.emplace_back("hc3", count_text(shape->logits));
    return parameters;
}

NamedParameters exchange_parameters(std::string_view name, const CallInputs& call) {
    const ModelInputs& in = call.in;
    const std::size_t input = exchanged_input(name);
    switch (exchange_kind(name)) {
    case ExchangeKind::routing:
    case ExchangeKind::sorting: {
        if (name == "aiter::topk_softplus")
            return {{"M", size_text(in, 2, 0)},
                    {"E", size_text(in, 2, 1)},
                    {"topk", size_text(in, 0, 1)},
                    {"dtype_in", type_text(in, 2)}};
        std::vector<std::string> operands;
        for (std::size_t i = 0; i < in.size(); ++i)
            if (in.is_tensor(i))
                operands.push_back(fmt::format("[{}, {}]", dims_text(in.dims(i)), in.type(i)));
        return {{"operands", fmt::format("[{}]", fmt::join(operands, ", "))}};
    }
    case ExchangeKind::tokens:
        return {
            {"num_tokens", size_text(in, 0, 0)}, {"hidden_dim", size_text(in, 0, 1)}, {"bpe", count_text(in.width(0))}};
    case ExchangeKind::collective: {
        NamedParameters parameters{{"op_shape", dims_text(in.dims(input))},
                                   {"dtype_in", type_text(in, input)},
                                   {"stride_input", call.stride(input)}};
        if (name.find("rmsnorm") != std::string_view::npos && !in.dims(input).empty())
            parameters.emplace_back("num_channels", fmt::format("{}", in.dims(input).back()));
        else if (const std::size_t out = input == 1 && name.starts_with("sglang::") ? 0 : input + 1; in.is_tensor(out))
            parameters.emplace_back("out_shape", dims_text(in.dims(out)));
        return parameters;
    }
    case ExchangeKind::none: break;
    }
    return {};
}

} // namespace

NamedParameters named_parameters(std::string_view name, const CallInputs& call,
                                 const std::optional<AttendedTokens>& attended) {
    switch (model_family(name)) {
    case ModelFamily::product: return product_parameters(name, call);
    case ModelFamily::experts: return stage_parameters(name, call);
    case ModelFamily::sparse_attention: return sparse_parameters(name, call);
    case ModelFamily::delta_net: return delta_net_parameters(name, call, attended);
    case ModelFamily::cache_write:
    case ModelFamily::rotated_cache: return cache_parameters(name, call);
    case ModelFamily::rms_norm: return fused_norm_parameters(name, call);
    case ModelFamily::state_space: return state_space_parameters(name, call);
    case ModelFamily::quantization: return quantization_parameters(name, call);
    case ModelFamily::hyper_connection: return hyper_connection_parameters(name, call);
    case ModelFamily::routing:
    case ModelFamily::token_exchange:
    case ModelFamily::collective: return exchange_parameters(name, call);
    default: return {};
    }
}

} // namespace rankscope
