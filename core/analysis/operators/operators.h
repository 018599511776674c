// SPDX-License-Identifier: GPL-3.0-or-later
// Which CPU operators the GPU's time belongs to (metrics.md, "operators").
#pragma once
#include <cstddef>
#include <optional>
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
    TimeNs over_links = 0; ///< of direct: copies between host and device, or between devices
    TimeNs subtree = 0;
    TimeNs direct_min = 0;
    TimeNs direct_max = 0;
    double inverse_sum = 0;       ///< sum of 1 / direct time over calls that took any, 1/ns: for means of rates
    std::int64_t timed_calls = 0; ///< those calls
    TimeNs cpu = 0;               ///< sum of the calls' own durations
    double recorded_flops = 0;    ///< sum of "flops" over calls that record it
    std::int64_t calls_with_flops = 0;
    std::int64_t tf32_calls = 0; ///< with a kernel that is_tf32_kernel() tells
    AttendedTokens attended;     ///< summed over calls inside an engine's step that tells it
    std::int64_t calls_with_attended = 0;
};

struct OperatorAnalysis {
    std::vector<OperatorRow> leaves;    ///< operators that launched GPU work themselves; largest direct time first
    std::vector<OperatorRow> top_level; ///< the outermost operators around those, by name; largest subtree time first
    /// The outermost operators with a performance model around what launched GPU work, with the time of all that was
    /// launched inside them as direct time: a convolution with the kernel that adds its bias. Largest first.
    std::vector<OperatorRow> modelled;
    TimeNs attributed = 0;   ///< summed duration of GPU events of a known operator
    TimeNs unattributed = 0; ///< of all others
};

/// Rows of all ranks, equal ones as one, largest direct time first. rows: OperatorAnalysis::leaves or modelled.
std::vector<OperatorRow> pooled_rows(const Run& run, std::span<const OperatorAnalysis> ranks,
                                     std::vector<OperatorRow> OperatorAnalysis::*rows);

/// One call of an operator around GPU work.
struct OperatorCall {
    EventIndex event = kNoEvent;
    std::size_t parent = kNoCall; ///< index of the call around it
    std::size_t model = kNoCall;  ///< of the outermost call with a performance model around it, or itself
    TimeNs direct = 0;
    TimeNs subtree = 0;
    OperatorCategory category = OperatorCategory::other;
    std::vector<EventIndex> work;           ///< that it launched itself, in order of start; empty: others inside it did
    std::optional<AttendedTokens> attended; ///< of attention inside an engine's step that tells it
    static constexpr std::size_t kNoCall = ~std::size_t{0};
};
/// work: sorted by start.
std::vector<OperatorCall> operator_calls(const RankTrace& rank, std::span<const GpuSlice> work);

/// work: sorted by start.
OperatorAnalysis analyse_operators(const RankTrace& rank, std::span<const GpuSlice> work);

} // namespace rankscope
