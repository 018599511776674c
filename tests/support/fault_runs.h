// SPDX-License-Identifier: GPL-3.0-or-later
// Random simulated runs with injected faults, what each truly costs, and whether the findings say so.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/analysis/findings/findings.h"
#include "core/demo/run_simulator.h"

namespace rankscope {

/// Run number n, the same on every platform: every fifth healthy, every fifth with two faults, else one.
SimulatorOptions fault_run(int number);
std::string described(const SimulatorOptions& options);

/// Mean length of a step over ranks and steps, ns.
double mean_step(const RunTruth& truth);

/// A fault, what a step would be shorter without it (simulated for real), and the finding that names it.
struct FaultOutcome {
    Fault fault;
    double true_cost = 0;  ///< ns
    double true_share = 0; ///< of the step
    bool first = false;    ///< the first finding that is a fault names it
    bool found = false;    ///< some finding names it: cause, rank or group
    double found_cost = 0;
};

struct FaultRunResult {
    std::vector<FaultOutcome> faults;
    std::vector<Finding> wrong; ///< faults found, of 1 % of the step or more, that nobody injected
    Findings findings;
    std::string error; ///< why the run could not be made; then nothing else is set
};

FaultRunResult examine(const SimulatorOptions& options);

} // namespace rankscope
