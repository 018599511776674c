// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/nsys_csv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "core/base/statistics.h"
#include "core/report/csv.h"
#include "core/trace/copy_memory.h"

namespace rankscope {
namespace {

bool from_nsys(const Run& run) { return run.source == TraceSource::nsys || run.source == TraceSource::nsys_stats; }

/// "Memcpy HtoD (Pinned -> Device)" under the name that nsys prints.
std::string nsys_name(EventKind kind, std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> directions{
        {{"HtoD", "Host-to-Device"},
         {"DtoH", "Device-to-Host"},
         {"DtoD", "Device-to-Device"},
         {"HtoH", "Host-to-Host"},
         {"PtoP", "Peer-to-Peer"}}};
    if (kind == EventKind::memset)
        return "[CUDA memset]";
    if (kind != EventKind::memcpy)
        return std::string(name);
    for (const auto& [letters, words] : directions)
        if (name.find(letters) != std::string_view::npos)
            return "[CUDA memcpy " + std::string(words) + "]";
    return "[CUDA memcpy]";
}

double megabytes(double bytes) { return bytes / 1e6; }

struct TableRow {
    TimeNs start = 0; ///< absolute
    const RankTrace* trace = nullptr;
    EventIndex event = kNoEvent;
};

std::vector<TableRow> rows_of(const AnalysedRun& run, const NameFilter& filter) {
    std::vector<TableRow> rows;
    for (const RankAnalysis& rank : run.analysis->ranks())
        for (const GpuSlice& slice : rank.gpu_work) {
            const EventTable& events = rank.trace->events;
            if (!filter || filter(nsys_name(events.kind[slice.event], rank.trace->event_name(slice.event))))
                rows.push_back({events.start[slice.event], rank.trace, slice.event});
        }
    std::ranges::stable_sort(rows, {},
                             [](const TableRow& row) { return std::tuple(row.start, row.trace->rank, row.event); });
    return rows;
}

std::string device_cell(const RankTrace& trace, std::int64_t device) {
    const auto known = std::ranges::find(trace.devices, device, &Device::id);
    const std::string name = known != trace.devices.end() && !known->name.empty() ? known->name : "GPU";
    return name + " (" + std::to_string(device) + ")";
}

void write_launch(CsvTable& csv, const LaunchShape& shape, bool kernel) {
    for (const auto& axes : {shape.grid, shape.block})
        for (const std::uint32_t count : axes)
            kernel&& count > 0 ? csv.integer(count) : csv.empty();
    if (kernel && shape.grid[0] > 0)
        csv.integer(shape.registers)
            .decimals(megabytes(shape.static_shared), 3)
            .decimals(megabytes(shape.dynamic_shared), 3);
    else
        csv.empty().empty().empty();
}

void write_event(CsvTable& csv, const TableRow& row, const AnalysedRun& run) {
    const RankTrace& trace = *row.trace;
    const EventIndex i = row.event;
    const EventKind kind = trace.events.kind[i];
    const bool recorded = !trace.gpu.launch_shape.empty();
    const LaunchShape shape = recorded ? trace.launch_shapes[trace.gpu.launch_shape[i]] : LaunchShape{};
    csv.integer(row.start - trace.clock_base).integer(trace.events.duration[i]);
    recorded&& trace.gpu.correlation[i] >= 0 ? csv.integer(trace.gpu.correlation[i]) : csv.empty();
    write_launch(csv, shape, kind == EventKind::kernel);
    const auto transfer = std::ranges::lower_bound(trace.memory_transfers, i, {}, &MemoryTransfer::event);
    if (transfer != trace.memory_transfers.end() && transfer->event == i && transfer->bytes >= 0)
        csv.decimals(megabytes(static_cast<double>(transfer->bytes)), 3)
            .decimals(trace.events.duration[i] > 0
                          ? static_cast<double>(transfer->bytes) * 1e3 / static_cast<double>(trace.events.duration[i])
                          : NAN,
                      3);
    else
        csv.empty().empty();
    const Lane& lane = trace.lane_of(i);
    csv.text(copy_memory_word(shape.source_memory))
        .text(copy_memory_word(shape.target_memory))
        .text(device_cell(trace, lane.device));
    shape.context >= 0 ? csv.integer(shape.context) : csv.empty();
    shape.green_context > 0 ? csv.integer(shape.green_context) : csv.empty(); // exports write 0 where there is none
    lane.stream >= 0 ? csv.integer(lane.stream) : csv.empty();
    csv.text(nsys_name(kind, trace.event_name(i))).integer(trace.rank).text(run.label);
    csv.end_row();
}

struct Sum {
    TimeNs total = 0;
    std::int64_t count = 0;
    TimeNs min = 0, max = 0;
    double mean = 0, median = 0, deviation = 0;
};
using Key = std::pair<std::string, bool>; ///< nsys's name, whether it is a kernel

Sum sum_of(std::vector<TimeNs>& durations) {
    std::ranges::sort(durations);
    Sum sum;
    sum.count = static_cast<std::int64_t>(durations.size());
    sum.min = durations.front();
    sum.max = durations.back();
    for (const TimeNs duration : durations)
        sum.total += duration;
    const auto n = static_cast<double>(sum.count);
    sum.mean = static_cast<double>(sum.total) / n;
    sum.median = middle_of_sorted(durations);
    double squares = 0;
    for (const TimeNs duration : durations)
        squares += (static_cast<double>(duration) - sum.mean) * (static_cast<double>(duration) - sum.mean);
    sum.deviation = sum.count > 1 ? std::sqrt(squares / (n - 1)) : 0;
    return sum;
}

std::vector<std::pair<Key, Sum>> sums_of(const AnalysedRun& run, const NameFilter& filter) {
    std::vector<std::pair<Key, Sum>> sums;
    std::map<Key, std::vector<TimeNs>> durations;
    for (const TableRow& row : rows_of(run, filter)) {
        const EventKind kind = row.trace->events.kind[row.event];
        durations[{nsys_name(kind, row.trace->event_name(row.event)), kind == EventKind::kernel}].push_back(
            row.trace->events.duration[row.event]);
    }
    for (auto& [key, values] : durations)
        sums.emplace_back(key, sum_of(values));
    for (const auto& rank : run.run().ranks)
        for (const KernelSum& sum : rank->kernel_sums) {
            const std::string name = nsys_name(sum.kind, rank->names->view(sum.name));
            if (!filter || filter(name))
                sums.push_back(
                    {{name, sum.kind == EventKind::kernel},
                     {sum.total, sum.count, sum.min, sum.max, sum.mean, sum.median, sum.standard_deviation}});
        }
    std::ranges::stable_sort(sums, [](const auto& a, const auto& b) { return a.second.total > b.second.total; });
    return sums;
}

} // namespace

bool has_nsys_tables(std::span<const AnalysedRun> runs) {
    return std::ranges::any_of(
        runs, [](const AnalysedRun& run) { return from_nsys(run.run()); });
}

std::string nsys_trace_csv(std::span<const AnalysedRun> runs, const NameFilter& filter) {
    CsvTable csv{"Start (ns)",   "Duration (ns)",
                 "CorrId",       "GrdX",
                 "GrdY",         "GrdZ",
                 "BlkX",         "BlkY",
                 "BlkZ",         "Reg/Trd",
                 "StcSMem (MB)", "DymSMem (MB)",
                 "Bytes (MB)",   "Throughput (MB/s)",
                 "SrcMemKd",     "DstMemKd",
                 "Device",       "Ctx",
                 "GreenCtx",     "Strm",
                 "Name",         "Rank",
                 "Run"};
    for (const AnalysedRun& run : runs)
        if (from_nsys(run.run()))
            for (const TableRow& row : rows_of(run, filter))
                write_event(csv, row, run);
    return csv.content();
}

std::string nsys_sum_csv(std::span<const AnalysedRun> runs, const NameFilter& filter) {
    CsvTable csv{"Time (%)", "Total Time (ns)", "Instances", "Avg (ns)",  "Med (ns)", "Min (ns)",
                 "Max (ns)", "StdDev (ns)",     "Category",  "Operation", "Run"};
    for (const AnalysedRun& run : runs) {
        if (!from_nsys(run.run()))
            continue;
        const auto sums = sums_of(run, filter);
        TimeNs total = 0;
        for (const auto& [key, sum] : sums)
            total += sum.total;
        for (const auto& [key, sum] : sums) {
            csv.decimals(total > 0 ? 100 * static_cast<double>(sum.total) / static_cast<double>(total) : NAN, 1);
            csv.integer(sum.total)
                .integer(sum.count)
                .decimals(sum.mean, 1)
                .decimals(sum.median, 1)
                .integer(sum.min)
                .integer(sum.max);
            csv.decimals(sum.deviation, 1)
                .text(key.second ? "CUDA_KERNEL" : "MEMORY_OPER")
                .text(key.first)
                .text(run.label);
            csv.end_row();
        }
    }
    return csv.content();
}

} // namespace rankscope
