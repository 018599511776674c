// SPDX-License-Identifier: GPL-3.0-or-later
// The GPU rows of a rank as HTA sees them: its classes, its step filter, its rounding (rules-hta.md 2-5).
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "core/analysis/basics/intervals.h"
#include "core/trace/run.h"

namespace rankscope {

/// In the order in which HTA names overlapping classes.
enum class HtaClass : std::uint8_t { computation, communication, memory, other };
std::string_view hta_class_word(HtaClass c); ///< "COMPUTATION" ...

/// HTA's get_kernel_type: patterns on the raw name only, so hipMemcpy is communication and a kernel named
/// "...Sync..." is other.
HtaClass hta_class(std::string_view name);

/// A row with a stream: GPU work, and synchronisation records that carry one. HTA rounds when any start of the rank
/// has a fraction of a microsecond: start up, end down, in doubles; an event may then end before it starts.
struct HtaRow {
    TimeRange range;
    EventIndex event = kNoEvent;
    HtaClass hta_class = HtaClass::other;
};

/// What HTA keeps. by_step: with two or more profiler steps in the run only rows launched by a kept call stay, once for
/// each such call: calls before the last step's start, or, with include_last_step, all calls.
struct HtaFilter {
    bool by_step = false;
    bool include_last_step = false;
};
HtaFilter hta_filter(const Run& run, bool include_last_step);
class HtaClock;
/// On HTA's clock: rows of the CPU stay when they start before it.
TimeNs hta_kept_until(const RankTrace& rank, const HtaClock& clock, HtaFilter filter);

/// Rows in order of start, then of the file.
std::vector<HtaRow> hta_gpu_rows(const RankTrace& rank, HtaFilter filter);

/// HTA's merge_kernel_intervals: unlike merge() it keeps ranges that end before they start.
std::vector<TimeRange> hta_merge(const std::vector<HtaRow>& rows);
std::vector<TimeRange> hta_merge(const std::vector<HtaRow>& rows, HtaClass only);
TimeNs hta_measure(const std::vector<TimeRange>& merged); ///< sum of end - begin, negative ones too

} // namespace rankscope
