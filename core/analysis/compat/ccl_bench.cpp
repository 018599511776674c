// SPDX-License-Identifier: GPL-3.0-or-later
// CCL-Bench's counting rules, from rules-ccl-bench.md.
#include "core/analysis/compat/ccl_bench.h"

#include <algorithm>
#include <array>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/compat/ccl_bench_names.h"
#include "core/base/text_match.h"
#include "core/trace/digest_facts.h"

namespace rankscope {
namespace {

using namespace std::string_view_literals;

constexpr std::array kKernelStarts{"AllReduce"sv, "ReduceScatter"sv, "AllGather"sv, "Broadcast"sv,
                                   "Reduce"sv,    "SendRecv"sv,      "AllToAll"sv};
constexpr std::array kComputeWords{"matmul"sv, "gemm"sv,  "cutlass"sv,   "sgemm"sv,   "dgemm"sv,
                                   "hgemm"sv,  "mma"sv,   "attention"sv, "softmax"sv, "layernorm"sv,
                                   "linear"sv, "conv"sv,  "relu"sv,      "gelu"sv,    "aten::"sv,
                                   "ampere"sv, "volta"sv, "sm80"sv,      "sm90"sv};

/// What a name means to these tools; kernels may mean more than others of the same name.
struct NameRules {
    bool known = false;
    bool kernel_call = false;
    bool operator_call = false;
    bool nccl = false;
    bool comm = false;
    bool comp = false;
    CclBenchType type = CclBenchType::other;
};

CclBenchType call_type(const std::string& lower) {
    const auto either = [&](std::string_view a, std::string_view b) {
        return contains(lower, a) || contains(lower, b);
    };
    if (either("allreduce", "all_reduce"))
        return CclBenchType::all_reduce;
    if (either("reducescatter", "reduce_scatter"))
        return CclBenchType::reduce_scatter;
    if (either("allgather", "all_gather"))
        return CclBenchType::all_gather;
    if (either("alltoall", "all_to_all"))
        return CclBenchType::all_to_all;
    if (contains(lower, "broadcast"))
        return CclBenchType::broadcast;
    if (either("send", "recv"))
        return CclBenchType::send_recv;
    return contains(lower, "reduce") ? CclBenchType::reduce : CclBenchType::other;
}

NameRules rules_for(std::string_view name) {
    NameRules rules;
    rules.known = true;
    for (const std::string_view prefix : {"ncclDevKernel_"sv, "ncclKernel_"sv})
        rules.kernel_call |= name.starts_with(prefix) && starts_with_any(name.substr(prefix.size()), kKernelStarts);
    rules.operator_call = starts_with_any(name, kCclBenchOperatorStarts);
    const std::string lower = lower_case(name);
    rules.type = call_type(lower);
    rules.nccl = contains(lower, "nccl");
    rules.comm = rules.nccl || contains(lower, "c10d::");
    rules.comp = contains_any(lower, kComputeWords) && !contains(lower, "memcpy") && !contains(lower, "memset");
    return rules;
}

} // namespace

std::string_view ccl_bench_type_word(CclBenchType type) {
    constexpr std::array<std::string_view, kCclBenchTypeCount> kWords{
        "AllReduce", "ReduceScatter", "AllGather", "AllToAll", "Broadcast", "SendRecv", "Reduce", "Other"};
    return kWords[static_cast<std::size_t>(type)];
}

CclBenchCounts ccl_bench_counts(const RankTrace& rank) {
    if (rank.digest)
        return rank.digest->ccl_bench_counts;
    const EventTable& events = rank.events;
    std::vector<NameRules> by_name(rank.names->size());
    CclBenchCounts counts;
    std::vector<TimeRange> comm;
    std::vector<TimeRange> comp;
    for (EventIndex i = 0; i < events.size(); ++i) {
        NameRules& rules = by_name[events.name[i]];
        if (!rules.known)
            rules = rules_for(rank.event_name(i));
        const bool is_kernel = events.kind[i] == EventKind::kernel;
        if (rules.operator_call || (is_kernel && rules.kernel_call)) {
            ++counts.calls;
            ++counts.calls_by_type[static_cast<std::size_t>(rules.type)];
        }
        if (events.start[i] <= 0 || events.duration[i] <= 0)
            continue;
        const bool is_call = events.kind[i] == EventKind::cpu_op || events.kind[i] == EventKind::annotation;
        if ((is_kernel && rules.nccl) || (is_call && rules.operator_call))
            counts.call_starts.push_back(events.start[i]);
        if (rules.comm) {
            ++counts.comm_events;
            counts.comm_time += events.duration[i];
            comm.push_back(events.range(i));
        } else if (is_kernel || rules.comp) {
            ++counts.comp_events;
            counts.comp_time += events.duration[i];
            comp.push_back(events.range(i));
        }
    }
    std::sort(counts.call_starts.begin(), counts.call_starts.end());
    counts.overlap_time = measure(intersect(merge(std::move(comm)), merge(std::move(comp))));
    return counts;
}

} // namespace rankscope
