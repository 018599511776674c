// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs, name by name: how often operators, calls and kernels ran and how long (metrics.md, "Comparing runs").
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/run_analysis.h"

namespace rankscope {

enum class DiffDevice { cpu, gpu };
std::string_view diff_device_word(DiffDevice device); ///< "cpu", "gpu"

struct NameTotal {
    double count = 0;
    double time_us = 0; ///< summed durations
};
/// By device and name.
using NameTotals = std::map<std::pair<DiffDevice, std::string>, NameTotal>;

/// Of the iterations of RunAnalysis::steps(), all together, or of the whole selection where none are known
/// (in_iterations.h); mean over the traced ranks, so that runs of different sizes compare. CPU: operators, annotations
/// without profiler steps, runtime and driver calls. GPU: kernels, copies and sets.
NameTotals name_totals(const RunAnalysis& analysis);

enum class OperatorStatus { added, removed, increased, decreased, unchanged }; ///< by count
std::string_view operator_status_word(OperatorStatus status);

struct OperatorChange {
    DiffDevice device = DiffDevice::cpu;
    std::string name;       ///< the baseline's, or that of the test when the baseline has none
    std::string test_name;  ///< differs from name only where shortened is set
    bool shortened = false; ///< matched without template arguments, parameters and addresses
    NameTotal baseline;
    NameTotal test;
    OperatorStatus status = OperatorStatus::unchanged;
};

/// Largest change of time first. Kernels of one run only are matched again by their shortened names, when each of these
/// stands for one kernel in either run.
std::vector<OperatorChange> compare_operators(const NameTotals& baseline, const NameTotals& test);

/// What they would be of one step each, for runs that recorded so many steps (above 0); largest change of time first.
/// Counts that differ by less than a fiftieth are unchanged: a recording may start or end inside a step.
std::vector<OperatorChange> per_step(std::vector<OperatorChange> changes, double baseline_steps, double test_steps);

/// Without template arguments, parameters, return type and hexadecimal addresses; the whole name when nothing else is
/// left.
std::string shortened_name(std::string_view name);

/// HTA's TraceDiff of one rank, as run: rows of the steps (empty: the lowest), on HTA's clock, every CPU row that is
/// not the recording itself; GPU rows by the step of their call, those of stream 0 never.
NameTotals hta_name_totals(const RankTrace& rank, std::span<const std::int64_t> steps = {});

} // namespace rankscope
