// SPDX-License-Identifier: GPL-3.0-or-later
// Bandwidths of CCL-Bench's dashboard.
#include "core/metrics/ccl_bench_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/statistics.h"
#include "core/metrics/ccl_bench_kernels.h"
#include "core/metrics/numbers.h"
#include "core/trace/collective_kind.h"

namespace rankscope {
namespace {

struct DashboardCollective {
    CollectiveKind kind = CollectiveKind::other;
    std::string_view kernel;               ///< begins with this behind ncclDevKernel_ or ncclKernel_; empty: never
    std::array<std::string_view, 3> names; ///< or is one of these
    bool needs_send_recv = false;          ///< of a kernel of messages only
    double passes = 1;                     ///< times (n-1)/n
};

bool counts_as(const DashboardCollective& wanted, std::string_view kernel, std::string_view collective) {
    const auto begins = [&](std::string_view word) {
        return !word.empty() && (kernel.starts_with("ncclDevKernel_" + std::string(word)) ||
                                 kernel.starts_with("ncclKernel_" + std::string(word)));
    };
    const bool named = !collective.empty() && std::ranges::find(wanted.names, collective) != wanted.names.end();
    return wanted.needs_send_recv ? begins("SendRecv") && named : begins(wanted.kernel) || named;
}

/// By the tool's rule: of the first rank that has such kernels the median of its own input, in GiB, over its own time.
double their_bandwidth(const RunAnalysis& analysis, const DashboardCollective& wanted) {
    constexpr double kGib = 1024.0 * 1024 * 1024;
    for (const RankAnalysis& rank : analysis.ranks()) {
        const RankTrace& trace = *rank.trace;
        std::vector<double> rates;
        for (const CollectiveEntry& entry : trace.collectives) {
            const CollectiveArgs& args = trace.collective_args[entry.args];
            const int width = dtype_bytes(trace.names->view(args.dtype));
            const TimeNs duration = trace.events.duration[entry.event];
            if (trace.events.kind[entry.event] != EventKind::kernel || args.in_elements <= 0 || width == 0 ||
                args.group_size <= 0 || duration <= 0 ||
                !counts_as(wanted, trace.event_name(entry.event), trace.names->view(args.collective)))
                continue;
            const auto n = static_cast<double>(args.group_size);
            rates.push_back(static_cast<double>(args.in_elements) * width / kGib * wanted.passes * (n - 1) / n *
                            kNsPerS / static_cast<double>(duration));
        }
        if (!rates.empty())
            return middle_median(std::move(rates));
    }
    return kNoNumber;
}

constexpr DashboardCollective kAllGather{CollectiveKind::all_gather, "AllGather", {"all_gather", "allgather"}};
constexpr DashboardCollective kAllReduce{
    CollectiveKind::all_reduce, "AllReduce", {"all_reduce", "allreduce"}, false, 2};
constexpr DashboardCollective kReduceScatter{
    CollectiveKind::reduce_scatter, "ReduceScatter", {"reduce_scatter", "reducescatter"}};
constexpr DashboardCollective kAllToAll{
    CollectiveKind::all_to_all, {}, {"all_to_allv", "all_to_all", "alltoall"}, true};

/// Median over whole calls of the bytes on the bus over the shortest time of a member, which holds no wait.
double bus_bandwidth(const RunAnalysis& analysis, CollectiveKind kind) {
    std::vector<double> rates;
    for (const CollectiveTiming& call : analysis.call_table().whole_calls())
        if ((call.kind == kind || (kind == CollectiveKind::send_recv && is_message(call.kind))) &&
            std::isfinite(call.busbw))
            rates.push_back(call.busbw);
    return rates.empty() ? kNoNumber : middle_median(std::move(rates));
}

DashboardNumber bandwidth_of(const RunAnalysis& analysis, const DashboardCollective& wanted) {
    return {bus_bandwidth(analysis, wanted.kind), their_bandwidth(analysis, wanted)};
}

double input_bytes(const RankTrace& trace, auto counts) {
    double bytes = 0;
    for (const CollectiveEntry& entry : trace.collectives) {
        const CollectiveArgs& args = trace.collective_args[entry.args];
        if (trace.events.kind[entry.event] == EventKind::kernel && args.in_elements > 0 &&
            counts(args, trace.event_name(entry.event)))
            bytes += static_cast<double>(args.in_elements) * dtype_bytes(trace.names->view(args.dtype));
    }
    return bytes;
}

} // namespace

namespace dashboard {

DashboardNumber all_gather_bandwidth(const RunAnalysis& analysis) { return bandwidth_of(analysis, kAllGather); }
DashboardNumber all_reduce_bandwidth(const RunAnalysis& analysis) { return bandwidth_of(analysis, kAllReduce); }
DashboardNumber reduce_scatter_bandwidth(const RunAnalysis& analysis) { return bandwidth_of(analysis, kReduceScatter); }
DashboardNumber all_to_all_bandwidth(const RunAnalysis& analysis) { return bandwidth_of(analysis, kAllToAll); }

/// Theirs is the load of NVLink in percent, which only Nsight Systems samples.
DashboardNumber message_bandwidth(const RunAnalysis& analysis) {
    return {bus_bandwidth(analysis, CollectiveKind::send_recv)};
}

/// What ranks put into collectives over the recorded time. Theirs lists both for its first rank, of four kinds.
DashboardNumber network_utilization(const RunAnalysis& analysis) {
    std::vector<double> rates;
    for (const RankAnalysis& rank : analysis.ranks()) {
        const double bytes = input_bytes(*rank.trace, [](const CollectiveArgs&, std::string_view) { return true; });
        if (bytes > 0 && !rank.trace->span.empty())
            rates.push_back(bytes / length_ns(rank.trace->span));
    }
    if (rates.empty())
        return {};
    const RankTrace& first = *analysis.ranks().front().trace;
    const double theirs = input_bytes(first, [&](const CollectiveArgs& args, std::string_view kernel) {
        if (args.group_size <= 0) // sizes of the operator around it, not of the kernel
            return false;
        return std::ranges::any_of(std::array{kAllGather, kAllReduce, kReduceScatter, kAllToAll},
                                   [&](const DashboardCollective& kind) {
                                       return counts_as(kind, kernel, first.names->view(args.collective));
                                   });
    });
    return {mean_of(rates), theirs / length_ns(first.span)};
}

} // namespace dashboard
} // namespace rankscope
