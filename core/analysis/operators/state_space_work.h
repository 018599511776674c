// SPDX-License-Identifier: GPL-3.0-or-later
// State-space models (Mamba) and what serves in the place of attention: causal convolution, selective scan, the scan in
// chunks of Mamba 2, gated delta networks. The positions are those of causal-conv1d, mamba, vLLM, SGLang and
// TensorRT-LLM.
//
// Sources of the formulas, for B sequences of T tokens:
// - Causal convolution of C channels over k values: 2·B·C·T·k (TraceLens). An update moves the kept values too.
// - Selective scan (Mamba, arXiv 2312.00752, equation 2) of D channels with N states: for each state exp(Δ·A) 2, Δ·u·B
//   1, h·exp(Δ·A) + Δ·u·B 2, the sum of C·h 2; for each channel Δ·u 1, D·u 2, a gate 5, a bias of Δ 1, its softplus 3.
// - Scan in chunks (Mamba 2, arXiv 2405.21060, section 6) of H heads of P channels, N states, G groups: products of
//   C and B 2·G·N and of their result and x 2·H·P for each pair of tokens in a chunk of which one may see the other
//   (half of the chunk's square, as in causal attention), states 2·H·N·P and outputs from states 2·H·N·P a token.
//   TraceLens counts the whole square, also where the sequence is shorter than a chunk.
// - Gated delta network (arXiv 2412.06464) of H heads with a state dk × dv: 7·H·dk·dv a token: decay 1, what the state
//   holds for the key 2, its correction 2, the output 2 (TraceLens).
#pragma once
#include <optional>
#include <string_view>

#include "core/analysis/operators/operator_inputs.h"

namespace rankscope {

enum class StateSpaceKind : std::uint8_t { convolution, update, selective_scan, chunk_scan, split_scan, none };
StateSpaceKind state_space_kind(std::string_view operator_name);
/// Whether it may only call another operator here that has the inputs: a function of autograd around a kernel.
bool wraps_state_space(std::string_view operator_name);

/// The scan in chunks; split_scan has the convolution and, if recorded, the projection behind it too.
struct ChunkScanShape {
    double batch = 0, tokens = 0, heads = 0, head = 0, groups = 0, states = 0, chunk = 0;
    double inner = 0;                   ///< heads · head
    double channels = 0, kept = 0;      ///< of the convolution: channels, and values that it weighs
    double width_in = 0;                ///< last dimension of the joined input
    [[nodiscard]] double pairs() const; ///< of tokens in one chunk, of one sequence
};
std::optional<ChunkScanShape> chunk_scan_shape(std::string_view operator_name, const ModelInputs& in);

std::optional<OperatorWork> state_space_work(std::string_view operator_name, const ModelInputs& in);

/// (queries, keys and values in one tensor [T, 2·Hk·dk + Hv·dv], b [T, Hv], a [T, Hv], output [T, Hv, dv]). The number
/// of heads of keys is not recorded: a head of keys is taken to be as wide as one of values, as in every published
/// model.
struct DeltaNetShape {
    double tokens = 0, value_heads = 0, key_heads = 0, head = 0;
    double values_in = 0; ///< of one token
    double width = 0;
};
bool is_delta_net(std::string_view operator_name);
std::optional<DeltaNetShape> delta_net_shape(std::string_view operator_name, const ModelInputs& in);
/// Without the states that a step loads and stores: their type is not recorded.
std::optional<OperatorWork> delta_net_work(std::string_view operator_name, const ModelInputs& in, double tokens);

} // namespace rankscope
