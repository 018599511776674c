// SPDX-License-Identifier: GPL-3.0-or-later
// Discrete-event simulation of hosts that launch asynchronously, GPU streams, and transfers between ranks. It knows
// nothing of Rankscope: it is what findings are measured against.
#pragma once
#include <string>
#include <vector>

#include "tests/support/simulator/program.h"

namespace rankscope::machine {

/// What GPUs and drivers add. All in nanoseconds.
struct Traits {
    double launch_latency = 4000; ///< start of the launching call to the earliest start on an idle stream
    double kernel_gap = 1000;     ///< between queued work of one stream
    double event_latency = 1500;  ///< by which a stream goes on after the event it waited for
    double host_wake = 5000;      ///< by which the host goes on after the stream it waited for
    double sm_share = 0;          ///< computation takes 1 + this as long beside a resident communication kernel
    double late_copy = 3000;      ///< of a receiver that starts after an eager message has arrived
    int queue_depth = 1024;       ///< launched and not ended, of one stream; the host then waits in its launch
    bool shared_links = false;    ///< transfers over one link at one time divide it
};

struct Timing {
    double host_begin = 0; ///< of the operator, range mark or wait
    double call_begin = 0; ///< of the runtime call in it
    double call_end = 0;
    double host_end = 0;
    double gpu_begin = -1; ///< of a launch
    double gpu_end = -1;
};

struct Execution {
    std::vector<std::vector<Timing>> ranks; ///< as Program::ranks
    std::string error;                      ///< why it stopped; empty: everything ended

    /// Of each rank, the latest end of GPU work of each step.
    std::vector<std::vector<double>> rank_step_ends;
    /// Latest end of GPU work of each step over all ranks.
    std::vector<double> step_ends;
    /// Mean over the ranks, each from the end of step first - 1 to that of the last, divided by the number of steps.
    /// first > 0.
    [[nodiscard]] double mean_step(int first, int last) const;
};

Execution execute(const Program& program, const Traits& traits);

} // namespace rankscope::machine
