// SPDX-License-Identifier: GPL-3.0-or-later
// Experts, FSDP, and the end of a step.
#include "tests/support/simulator/rank_program.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tests/support/simulator/kernel_names.h"

namespace rankscope::machine {

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

} // namespace rankscope::machine
