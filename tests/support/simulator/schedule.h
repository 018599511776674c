// SPDX-License-Identifier: GPL-3.0-or-later
// In which order the ranks of a pipeline run forward and backward passes of which stage and microbatch.
#pragma once
#include <string_view>
#include <vector>

namespace rankscope::machine {

enum class PipelineSchedule { gpipe, one_forward_one_backward, interleaved, zero_bubble };

std::string_view schedule_word(PipelineSchedule schedule);

struct Pass {
    enum class Kind { forward, backward, backward_input, backward_weight };
    Kind kind = Kind::forward;
    int stage = 0; ///< of the whole pipeline: rank + chunk * number of ranks
    int microbatch = 0;

    bool operator==(const Pass&) const = default;
};

/// The passes of one of `ranks` ranks that hold `chunks` stages each. Interleaved and zero-bubble are those of PyTorch
/// (torch.distributed.pipelining); the others are the same in PyTorch and Megatron.
std::vector<Pass> passes_of(PipelineSchedule schedule, int rank, int ranks, int chunks, int microbatches);

/// As PyTorch writes a schedule: "2F1", and I and W for the parts of a backward pass.
std::vector<Pass> read_passes(std::string_view line);

} // namespace rankscope::machine
