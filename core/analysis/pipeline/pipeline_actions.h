// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of a pipeline as a schedule names them: "3F4" is the forward pass of microbatch 4 through stage 3.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankscope {

/// backward: whole. backward_input and backward_weight: its two parts.
enum class PassKind : std::uint8_t { forward, backward, backward_input, backward_weight };

/// stage: of the model, of which a rank may hold several; -1 where nothing tells.
struct PipelineAction {
    int stage = -1;
    PassKind kind = PassKind::forward;
    std::int64_t microbatch = 0;
    bool with_next = false; ///< runs together with the action behind it
    friend bool operator==(const PipelineAction&, const PipelineAction&) = default;
};

/// "3F4"; F forward, B whole backward, I its input part, W its weight part.
std::string action_text(const PipelineAction& action);
/// What one cell of a schedule says, as PyTorch writes it: "3F4", or "(3F4;5B1)OVERLAP_F_B" for two that run together.
/// Empty where it is neither.
std::vector<PipelineAction> parse_actions(std::string_view cell);
/// The cells of a rank's actions, in order: pairs that run together in one cell.
std::vector<std::string> action_cells(const std::vector<PipelineAction>& actions);

/// Calls a backward pass the input part where its weight part is an action of its own.
void split_backward_passes(std::vector<PipelineAction>& actions);

/// What each rank of a schedule does, in order.
using PipelineProgram = std::vector<std::vector<PipelineAction>>;

/// All forward passes, then all backward passes.
PipelineProgram gpipe_program(int ranks, int microbatches);
/// As many forward passes ahead as there are ranks behind, then one backward pass for each forward one.
PipelineProgram one_f_one_b_program(int ranks, int microbatches);
/// 1F1B with several stages of the model on each rank (rank r holds r, r + ranks ...), which take turns in rounds of
/// microbatches: Narayanan et al., section 2.2. microbatches: a multiple of ranks.
PipelineProgram interleaved_program(int ranks, int chunks, int microbatches);
/// Zero-bubble schedule ZB1P for two and more stages of the model on each rank (interleaved, rank r holds r, r + ranks
/// ...), with backward passes in two parts.
PipelineProgram zero_bubble_program(int ranks, int chunks, int microbatches);
/// DualPipe (DeepSeek-V3 technical report, section 3.2): half of the microbatches go through the stages from rank 0 on,
/// the others from the last rank on, so that rank r holds stages r and ranks - 1 - r. ranks and microbatches: even, at
/// least 2 microbatches a rank.
PipelineProgram dualpipe_program(int ranks, int microbatches);
/// DualPipeV: rank r holds stages r and 2 * ranks - 1 - r of the model. microbatches: at least 2 * ranks.
PipelineProgram dualpipev_program(int ranks, int microbatches);

} // namespace rankscope
