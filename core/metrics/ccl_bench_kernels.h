// SPDX-License-Identifier: GPL-3.0-or-later
// What the tools of CCL-Bench's dashboard look at: the kernels of each rank, what their names say by the tools' own
// patterns, and the steps without the first and the last.
#pragma once
#include <cmath>
#include <vector>

#include "core/metrics/ccl_bench_numbers.h"
#include "core/metrics/numbers.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// What a kernel's name means to these tools, each of which has patterns of its own.
struct DashboardName {
    bool in_fraction = false; ///< communication to communication_fraction
    bool in_time = false;     ///< to communication_ratio and total_communication_time
    bool in_overlap = false;  ///< to compute_comm_overlap
    bool nccl = false;
    bool moe = false;
    bool own_moe = false; ///< of experts, without kernels that only share a word with those
    bool copy = false;
};
DashboardName dashboard_name(std::string_view name);

struct DashboardKernel {
    TimeRange range; ///< inside the selection
    EventIndex event = kNoEvent;
    bool communication = false; ///< by our classes
    const DashboardName* says = nullptr;
};

struct DashboardRank {
    const RankAnalysis* rank = nullptr;
    std::vector<DashboardKernel> kernels; ///< sorted by start
    std::vector<TimeRange> steps;         ///< on the host: profiler steps, else executions of vLLM, else of SGLang
    bool trimmed = false;                 ///< steps are without the first and the last of three or more

    /// Union of the kernels that a function chooses.
    template <typename Chosen>
    [[nodiscard]] IntervalSet united(Chosen chosen) const {
        std::vector<TimeRange> ranges;
        for (const DashboardKernel& kernel : kernels)
            if (chosen(kernel))
                ranges.push_back(kernel.range);
        return merge(std::move(ranges));
    }
};

struct DashboardRun {
    std::vector<DashboardName> names; ///< by NameId; of kernels only
    std::vector<DashboardRank> ranks; ///< those with kernels or steps
    bool nsys = false;                ///< the tools' rules for Nsight Systems hold
};
DashboardRun dashboard_run(const RunAnalysis& analysis);

inline bool is_communication(const DashboardKernel& kernel) { return kernel.communication; }
inline bool is_computation(const DashboardKernel& kernel) { return !kernel.communication; }
inline constexpr double kNsPerS = 1e9;
inline double length_ns(TimeRange range) { return static_cast<double>(range.length()); }

/// Share of a class of kernels in the time of all kernels, kernel times added.
struct KernelShare {
    double part = 0;
    double whole = 0;
    void add(bool in_part, double ns) {
        whole += ns;
        part += in_part ? ns : 0;
    }
    [[nodiscard]] double percent() const { return percent_of(part, whole); }
};

/// Of ours and theirs the mean over the ranks that have a number.
template <typename OfRank>
DashboardNumber mean_over_ranks(const DashboardRun& run, OfRank of_rank) {
    std::vector<double> ours, theirs;
    for (const DashboardRank& rank : run.ranks) {
        const DashboardNumber number = of_rank(rank);
        if (std::isfinite(number.ours))
            ours.push_back(number.ours);
        if (std::isfinite(number.theirs))
            theirs.push_back(number.theirs);
    }
    return {mean_of(ours), mean_of(theirs)};
}

template <typename InPart>
double share_of_all(const DashboardRun& run, InPart in_part) {
    KernelShare share;
    for (const DashboardRank& rank : run.ranks)
        for (const DashboardKernel& kernel : rank.kernels)
            share.add(in_part(kernel), length_ns(kernel.range));
    return share.percent();
}

} // namespace rankscope
