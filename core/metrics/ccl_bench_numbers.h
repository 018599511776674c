// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of CCL-Bench's dashboard (ccl_bench_dashboard.h).
#pragma once
#include <limits>

#include "core/metrics/metric.h"
#include "core/run/run_analysis.h"

namespace rankscope {

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// The right number, and the one that the dashboard's tool prints; NaN where there is none.
struct DashboardNumber {
    double ours = kNoNumber;
    double theirs = kNoNumber;
};

namespace dashboard {

DashboardNumber avg_step_time(const RunAnalysis& analysis);
DashboardNumber communication_fraction(const RunAnalysis& analysis);
DashboardNumber communication_ratio(const RunAnalysis& analysis);
DashboardNumber moe_fraction(const RunAnalysis& analysis);
DashboardNumber total_communication_time(const RunAnalysis& analysis);
DashboardNumber compute_comm_overlap(const RunAnalysis& analysis);
DashboardNumber mean_sm_coverage(const RunAnalysis& analysis);
DashboardNumber dominant_kernel_concentration(const RunAnalysis& analysis);
DashboardNumber total_kernel_time(const RunAnalysis& analysis);
DashboardNumber average_memory_bandwidth(const RunAnalysis& analysis);
DashboardNumber memory_transfer_overhead(const RunAnalysis& analysis);
DashboardNumber load_imbalance_ratio(const RunAnalysis& analysis);
DashboardNumber straggler(const RunAnalysis& analysis);
DashboardNumber aggregate_gpu_utilization(const RunAnalysis& analysis);
DashboardNumber gpu_step_score(const RunAnalysis& analysis);
DashboardNumber traffic_time(const RunAnalysis& analysis);
DashboardNumber all_gather_bandwidth(const RunAnalysis& analysis);
DashboardNumber all_reduce_bandwidth(const RunAnalysis& analysis);
DashboardNumber reduce_scatter_bandwidth(const RunAnalysis& analysis);
DashboardNumber all_to_all_bandwidth(const RunAnalysis& analysis);
DashboardNumber message_bandwidth(const RunAnalysis& analysis);
DashboardNumber network_utilization(const RunAnalysis& analysis);
DashboardNumber hockney_alpha(const RunAnalysis& analysis);
DashboardNumber hockney_beta(const RunAnalysis& analysis);
DashboardNumber hockney_inverse_beta(const RunAnalysis& analysis);
/// Latency and bandwidth of a whole message by our fits (link_fits.h) of all-reduces: details of the three.
Json own_link_fits(const RunAnalysis& analysis);

} // namespace dashboard
} // namespace rankscope
