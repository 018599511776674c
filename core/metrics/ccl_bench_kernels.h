// SPDX-License-Identifier: GPL-3.0-or-later
// What the tools of CCL-Bench's dashboard look at: the kernels of each rank, what their names say by the tools' own
// patterns, and the steps without the first and the last.
#pragma once
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/basics/intervals.h"
#include "core/metrics/ccl_bench_numbers.h"
#include "core/metrics/numbers.h"
#include "core/run/run_analysis.h"

namespace rankscope {

/// What a kernel's name means to these tools, each of which has patterns of its own, and others for Nsight Systems.
struct DashboardName {
    bool in_fraction = false; ///< communication to communication_fraction
    bool in_time = false;     ///< to communication_ratio and total_communication_time
    bool in_overlap = false;  ///< to compute_comm_overlap
    bool in_copies = false;   ///< to memory_transfer_overhead
    bool nccl = false;
    bool nccl_device = false; ///< "ncclDevKernel_..."
    bool moe = false;
    bool own_moe = false; ///< of experts, without kernels that only share a word with those
    bool copy = false;
    bool whole_graph = false; ///< of Nsight Systems
    std::string key;          ///< what dominant_kernel_concentration groups by
};
DashboardName dashboard_name(std::string_view name, bool nsys);
/// The tools read the names of vLLM's steps.
inline constexpr std::string_view kVllmExecution = "execute_context_";
/// Nsight Systems' shortName of a demangled name: "kernel" of "void a::<unnamed>::kernel<(int)2>(float *)".
std::string_view function_name(std::string_view demangled);

struct DashboardKernel {
    TimeRange range; ///< inside the selection
    EventIndex event = kNoEvent;
    bool communication = false; ///< by our classes
    const DashboardName* says = nullptr;
};
inline bool is_theirs(const DashboardKernel& kernel) { return !kernel.says->whole_graph; } ///< the tools look at it

struct DashboardRank {
    const RankAnalysis* rank = nullptr;
    std::vector<DashboardKernel> kernels; ///< sorted by start
    std::vector<TimeRange> steps;         ///< inner ones on the host: profiler's, else of vLLM, else of SGLang
    /// As the tools see them: from start to end of the event, "ProfilerStep#N" only, else of an engine.
    std::vector<TimeRange> profiler_steps, engine_steps;
    bool trimmed = false; ///< profiler_steps are without the first and the last of three or more

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

    /// Of the kernels of all ranks that the tools look at, what a function says of each.
    template <typename Use>
    void each_of_theirs(Use use) const {
        for (const DashboardRank& rank : ranks)
            for (const DashboardKernel& kernel : rank.kernels)
                if (is_theirs(kernel))
                    use(kernel);
    }
};
DashboardRun dashboard_run(const RunAnalysis& analysis);

inline bool is_communication(const DashboardKernel& kernel) { return kernel.communication; }
inline bool is_computation(const DashboardKernel& kernel) { return !kernel.communication; }
inline constexpr double kNsPerS = 1e9;
inline double length_ns(const IntervalSet& set) { return static_cast<double>(measure(set)); }
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

template <typename InPart>
double their_share(const DashboardRun& run, InPart in_part) {
    KernelShare share;
    run.each_of_theirs([&](const DashboardKernel& kernel) { share.add(in_part(kernel), length_ns(kernel.range)); });
    return share.percent();
}

} // namespace rankscope
