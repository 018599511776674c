// SPDX-License-Identifier: GPL-3.0-or-later
// Which CPU operators the GPU's time belongs to (metrics.md, "operators").
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/operators/operator_work.h"
#include "core/analysis/selection/selection.h"

namespace rankscope {

/// Calls of one operator with the same recorded inputs. GPU time of a call is the union of what it launched itself
/// (direct), or what it and the operators inside it launched (subtree).
struct OperatorRow {
    NameId name = 0;
    NameId dims = 0; ///< as in OperatorInputs; all ids of "" where nothing is recorded
    NameId types = 0;
    NameId strides = 0;
    NameId concrete = 0;
    OperatorCategory category = OperatorCategory::other;
    std::int64_t calls = 0;
    std::int64_t gpu_events = 0; ///< direct ones
    TimeNs direct = 0;
    TimeNs subtree = 0;
    TimeNs direct_min = 0;
    TimeNs direct_max = 0;
    double inverse_sum = 0;       ///< sum of 1 / direct time over calls that took any, 1/ns: for means of rates
    std::int64_t timed_calls = 0; ///< those calls
    TimeNs cpu = 0;               ///< sum of the calls' own durations
    double recorded_flops = 0;    ///< sum of "flops" over calls that record it
    std::int64_t calls_with_flops = 0;
    std::int64_t tf32_calls = 0; ///< with a kernel that is_tf32_kernel() tells
};

struct OperatorAnalysis {
    std::vector<OperatorRow> leaves;    ///< operators that launched GPU work themselves; largest direct time first
    std::vector<OperatorRow> top_level; ///< the outermost operators around those, by name; largest subtree time first
    TimeNs attributed = 0;              ///< summed duration of GPU events of a known operator
    TimeNs unattributed = 0;            ///< of all others
};

/// Leaves of all ranks, equal ones as one, largest direct time first.
std::vector<OperatorRow> pooled_leaves(const Run& run, std::span<const OperatorAnalysis> ranks);

/// work: sorted by start.
OperatorAnalysis analyse_operators(const RankTrace& rank, std::span<const GpuSlice> work);

} // namespace rankscope
