// SPDX-License-Identifier: GPL-3.0-or-later
// What a fault truly costs: the same job, with the same draws, is executed again without it.
#pragma once
#include <string>
#include <vector>

#include "tests/support/simulator/job.h"

namespace rankscope::machine {

struct FaultTruth {
    FaultKind kind = FaultKind::slow_gpu;
    std::vector<int> ranks;     ///< that have it; empty: all
    std::vector<int> concerned; ///< whom a finding may name beside them: the groups that a slow connection is in
    int first_step = 0;         ///< numbers as recorded
    int last_step = 0;
    int steps = 0;            ///< affected ones
    double cost = 0;          ///< ns a step, mean over all recorded steps
    double cost_affected = 0; ///< ns a step, mean over the affected ones: the same time over fewer steps
    double share = 0;         ///< cost, of the step as it is with the fault
    bool inherent = false;
};

struct Truth {
    int world = 0;   ///< ranks
    double step = 0; ///< ns: from the last end of GPU work of one step to that of the next, mean over recorded steps
    std::vector<double> steps; ///< each of them
    std::vector<FaultTruth> faults;
    double uneven_stages = 0; ///< ns a step that a pipeline would save with the same work spread evenly
    double bubble = 0;        ///< of the step: mean over ranks of the time without computation on the GPU
};

struct SimulatedJob {
    Program program;
    Execution execution;
};

SimulatedJob simulate(const Job& job);

/// Without one of its faults. Of host_bound: with hosts that take next to no time. Of uneven_stages: with the same work
/// spread evenly.
Job without(Job job, std::size_t fault);

/// An empty Execution::error is assumed.
Truth truth_of(const Job& job, const Execution& execution);
double mean_recorded_step(const Job& job, const Execution& execution);

std::string truth_json(const std::string& name, const Job& job, const Truth& truth);

} // namespace rankscope::machine
