// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/ccl_bench_kernels.h"

#include <algorithm>
#include <array>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/selection/kernel_class.h"
#include "core/base/text_match.h"

namespace rankscope {
namespace {

using namespace std::string_view_literals;

constexpr std::array kDashboardCollectives{"allreduce"sv,    "allgather"sv,      "reducescatter"sv, "broadcast"sv,
                                           "cross_device"sv, "cross-device"sv,   "crossdevice"sv,   "all_reduce"sv,
                                           "all_gather"sv,   "reduce_scatter"sv, "sendrecv"sv};
constexpr std::array kDashboardFractionOnly{"nccl"sv, "send"sv, "recv"sv, "p2p"sv, "communicate"sv};
constexpr std::array kDashboardOverlapOnly{"nccl"sv,     "all-reduce"sv, "all-gather"sv, "reduce-scatter"sv,
                                           "alltoall"sv, "all-to-all"sv, "all_to_all"sv, "collective"sv};
constexpr std::array kDashboardMoe{"moe"sv,  "expert"sv,       "routing"sv,  "gating"sv, "gate_"sv,
                                   "topk"sv, "grouped_gemm"sv, "dispatch"sv, "combine"sv};
constexpr std::array kDashboardCopies{"memcpy"sv, "memset"sv,     "copy_kernel"sv,
                                      "copy."sv,  "copy-start"sv, "copy-done"sv};
// The same of Nsight Systems.
constexpr std::array kNsysFraction{"nccl"sv,         "allreduce"sv,   "allgather"sv,  "reducescatter"sv,
                                   "broadcast"sv,    "send"sv,        "recv"sv,       "p2p"sv,
                                   "cross_device"sv, "communicate"sv, "all_reduce"sv, "all_gather"sv};
constexpr std::array kNsysTime{"sendrecv"sv,  "cross_device"sv,  "cross-device"sv, "crossdevice"sv,
                               "allgather"sv, "reducescatter"sv, "allreduce"sv,    "broadcast"sv};
constexpr std::array kNsysMoe{"moe"sv, "expert"sv, "routing"sv, "gating"sv, "dispatchkernel"sv, "combinekernel"sv};
/// Attention that is split over its keys combines the parts, PyTorch sorts and aggregates, NCCL sends: no experts.
constexpr std::array kDashboardNoExperts{"splitkv"sv, "split_kv"sv, "flash"sv, "fmha"sv, "at::native"sv, "nccl"sv};

constexpr std::string_view kRunBatch = ": run_batch";

/// Without the first and the last of three or more.
std::vector<TimeRange> inner_steps(std::vector<TimeRange> steps) {
    return steps.size() > 2 ? std::vector<TimeRange>(steps.begin() + 1, steps.end() - 1) : steps;
}

std::vector<TimeRange> ranges_named(const RankTrace& trace, EventKind kind, bool (*named)(std::string_view)) {
    std::vector<TimeRange> ranges;
    for (EventIndex i = trace.events.gpu_count; i < trace.events.size(); ++i)
        if (trace.events.kind[i] == kind && named(trace.event_name(i)))
            ranges.push_back(trace.events.range(i));
    std::ranges::sort(ranges, {}, &TimeRange::begin);
    return ranges;
}

bool is_profiler_step(std::string_view name) {
    constexpr std::string_view kStep = "ProfilerStep#";
    return name.starts_with(kStep) && name.size() > kStep.size() &&
           std::ranges::all_of(name.substr(kStep.size()), is_digit);
}

void find_dashboard_steps(DashboardRank& rank) {
    const RankTrace& trace = *rank.rank->trace;
    std::vector<TimeRange> steps, profiler;
    for (const ProfilerStep& step : rank.rank->steps) {
        steps.push_back(step.range);
        if (step.event != kNoEvent && is_profiler_step(trace.event_name(step.event)))
            profiler.push_back(trace.events.range(step.event));
    }
    std::vector<TimeRange> engine = ranges_named(
        trace, EventKind::annotation, [](std::string_view name) { return name.starts_with(kVllmExecution); });
    if (engine.empty())
        engine =
            ranges_named(trace, EventKind::python, [](std::string_view name) { return name.ends_with(kRunBatch); });
    if (!steps.empty()) // those of a selection
        std::erase_if(engine, [&](const TimeRange& range) {
            return range.begin < steps.front().begin || range.begin >= steps.back().end;
        });
    rank.steps = inner_steps(steps.empty() ? engine : std::move(steps));
    rank.trimmed = profiler.size() > 2;
    rank.profiler_steps = inner_steps(std::move(profiler));
    rank.engine_steps = inner_steps(std::move(engine));
}

bool is_of_word(char c) { return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z'); }

bool contains_whole(std::string_view lower, std::string_view word) {
    for (std::size_t at = lower.find(word); at != std::string_view::npos; at = lower.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_of_word(lower[at - 1])) && (end == lower.size() || !is_of_word(lower[end])))
            return true;
    }
    return false;
}

/// Behind the bracket that closes the one at a place; the end where none does.
std::size_t behind_brackets(std::string_view name, std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; at < name.size(); ++at)
        if (name[at] == '<' || name[at] == '(')
            ++depth;
        else if ((name[at] == '>' || name[at] == ')') && --depth == 0)
            return at + 1;
    return name.size();
}

} // namespace

std::string_view function_name(std::string_view demangled) {
    std::size_t end = demangled.find_first_of("<(");
    while (end != std::string_view::npos) { // "<unnamed>::f", "A<int>::f"
        const std::size_t behind = behind_brackets(demangled, end);
        if (!demangled.substr(behind).starts_with("::"))
            break;
        end = demangled.find_first_of("<(", behind);
    }
    std::string_view name = demangled.substr(0, end);
    if (const std::size_t before = name.find_last_of(": "); before != std::string_view::npos)
        name.remove_prefix(before + 1);
    return name;
}

DashboardName dashboard_name(std::string_view name, bool nsys) {
    const std::string lower = lower_case(name);
    const bool collective = contains_any(lower, kDashboardCollectives);
    DashboardName says;
    says.key = name;
    says.nccl = contains(lower, "nccl");
    says.nccl_device = lower.starts_with("nccldevkernel_");
    says.in_fraction = collective || contains_any(lower, kDashboardFractionOnly);
    says.in_time =
        collective || lower.starts_with("nccl") || contains(lower, "nccldevkernel") || contains(lower, "ncclkernel");
    says.in_overlap = collective || contains_any(lower, kDashboardOverlapOnly);
    says.in_copies = collective || says.nccl;
    says.moe = contains_any(lower, kDashboardMoe);
    says.own_moe = says.moe && !contains_any(lower, kDashboardNoExperts) && !contains(lower, "aggregate_");
    says.copy = contains_any(lower, kDashboardCopies) || contains_whole(lower, "dma");
    if (!nsys)
        return says;
    says.key = function_name(name);
    const std::string function = lower_case(says.key);
    says.whole_graph = name.starts_with("CUDA graph ");
    says.in_fraction = contains_any(function, kNsysFraction);
    says.in_time = lower.starts_with("nccl") || contains_any(lower, kNsysTime);
    says.in_overlap = contains_any(function, kDashboardCollectives) || contains_any(function, kDashboardOverlapOnly);
    says.moe = contains_any(function, kNsysMoe) || contains_whole(function, "gate") || contains_whole(function, "topk");
    return says;
}

DashboardRun dashboard_run(const RunAnalysis& analysis) {
    DashboardRun result;
    const Run& run = analysis.run();
    result.nsys = run.source == TraceSource::nsys || run.source == TraceSource::nsys_stats;
    result.names.resize(run.names->size());
    std::vector<char> known(result.names.size(), 0);
    for (const RankAnalysis& rank : analysis.ranks()) {
        DashboardRank entry;
        entry.rank = &rank;
        for (const GpuSlice& slice : rank.gpu_work) {
            if (rank.trace->events.kind[slice.event] != EventKind::kernel)
                continue;
            const NameId name = rank.trace->events.name[slice.event];
            if (known[name] == 0) {
                known[name] = 1;
                result.names[name] = dashboard_name(run.names->view(name), result.nsys);
            }
            entry.kernels.push_back(
                {slice.range, slice.event, slice.kernel_class == KernelClass::communication, &result.names[name]});
        }
        find_dashboard_steps(entry);
        if (!entry.kernels.empty() || !entry.steps.empty())
            result.ranks.push_back(std::move(entry));
    }
    return result;
}

} // namespace rankscope
