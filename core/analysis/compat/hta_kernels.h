// SPDX-License-Identifier: GPL-3.0-or-later
// HTA's get_gpu_kernel_breakdown: time per combination of classes, and statistics per kernel name, its top ten too.
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/compat/hta_rows.h"

namespace rankscope {

/// "COMPUTATION overlapping COMMUNICATION": time in which exactly these classes run. Whole microseconds.
struct HtaKernelType {
    std::string name;
    std::int64_t sum_us = 0;
    double percent = 0; ///< of all types, one decimal
};

/// Entry k: time in which exactly the classes whose bits are set in k run (bit i: HtaClass i).
using HtaClassTimes = std::array<TimeNs, 8>;
HtaClassTimes
hta_class_times(const std::vector<HtaRow>& rows);         ///< with HTA's include_memory_kernels, which is its default
HtaClassTimes without_memory(const HtaClassTimes& times); ///< as if memory operations were not in the trace
/// Summed over ranks, largest first; without the combinations that never occur.
std::vector<HtaKernelType> hta_kernel_types(std::span<const HtaClassTimes> ranks);

/// Durations in microseconds after HTA's rounding; std is the sample's, 0 for one instance.
struct HtaKernel {
    std::string name;
    HtaClass type = HtaClass::other;
    double sum_us = 0;
    double max_us = 0;
    double min_us = 0;
    double std_us = 0;
    double mean_us = 0;
};

HtaKernel hta_kernel_statistics(std::string name, HtaClass type,
                                const std::vector<double>& values); ///< values: not empty

/// Every kernel name of a rank by class: communication, computation, memory; largest sum first, ties by name.
std::vector<HtaKernel> hta_kernels(const RankTrace& rank, const std::vector<HtaRow>& rows);

/// The same with each class cut to its `limit` largest names as HTA does it: from the first name whose cumulated sum
/// exceeds the 80 % quantile of the cumulated sums, names become "others". HTA then takes the statistics over the sums
/// of names instead of over kernels, so in a cut class max = min = mean = sum for each name that is kept.
std::vector<HtaKernel> hta_top_kernels(const std::vector<HtaKernel>& kernels, std::size_t limit = 10);

} // namespace rankscope
