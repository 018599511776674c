// SPDX-License-Identifier: GPL-3.0-or-later
// Operation timelines of made-up training jobs: passes of a 1F1B or interleaved pipeline, their messages, and what
// follows the last backward pass.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace rankscope {

struct OperationJob {
    int dp = 2;
    int pp = 4;
    int microbatches = 4; ///< with several chunks a multiple of pp
    int chunks = 1;       ///< of the model on each stage
    int steps = 3;
    int first_step = 10;
    bool overlapped = false;     ///< reduce-scatters run beside the backward pass
    bool empty_messages = false; ///< also records messages that nobody sends, as profilers do
    double forward_us = 1000;
    double backward_us = 2000;
    double message_us = 20;
    double launch_us = 0; ///< between the end of what a pass depends on and its start
    /// What a pass takes times this.
    std::function<double(bool forward, int dp, int stage, int step, int microbatch)> factor;
};

/// Chrome JSON as the profiler of the paper's authors writes it.
std::string operation_timeline(const OperationJob& job);
/// The same operations as a table with a header.
std::string operation_table(const OperationJob& job);

} // namespace rankscope
