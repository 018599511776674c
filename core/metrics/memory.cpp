// SPDX-License-Identifier: GPL-3.0-or-later
// Metric memory: what the allocator held at most, and what copies moved.
#include "core/analysis/memory/memory_use.h"

#include "core/metrics/numbers.h"
#include <algorithm>

namespace rankscope {
namespace {

constexpr std::size_t kListedBlocks = 10;

Json device_json(const RunAnalysis& analysis, std::size_t rank, const DeviceMemory& memory) {
    Json json{{"device_type", memory.device_type == 0   ? "cpu"
                              : memory.device_type == 1 ? "gpu"
                                                        : "other"},
              {"device", memory.device},
              {"samples", memory.samples}};
    if (memory.allocated_peak != kUnknown) {
        json["allocated_first_bytes"] = memory.allocated_first;
        json["allocated_peak_bytes"] = memory.allocated_peak;
        json["peak_time_us"] = as_us(analysis.since_start(rank, memory.peak_time));
    }
    if (memory.reserved_peak != kUnknown)
        json["reserved_peak_bytes"] = memory.reserved_peak;
    if (!memory.live.empty()) {
        json["live_at_peak_bytes"] = memory.live_bytes;
        Json blocks = Json::array();
        for (std::size_t i = 0; i < std::min(kListedBlocks, memory.live.size()); ++i)
            blocks.push_back({{"block_bytes", memory.live[i].bytes}, {"count", memory.live[i].count}});
        json["largest_live_at_peak"] = std::move(blocks);
    }
    return json;
}

Json transfers_json(const MemoryUse& memory) {
    Json json = Json::object();
    for (const TransferTotal& total : memory.transfers) {
        Json row{{"count", total.count}, {"time_us", as_us(total.time)}, {"without_bytes", total.without_bytes}};
        if (total.without_bytes < total.count)
            row["moved_bytes"] = total.bytes;
        put(row, "bandwidth_gb_s", rounded(total.gb_s()));
        json[std::string(transfer_kind_word(total.kind))] = std::move(row);
    }
    return json;
}

Json hta_bandwidth_json(const RunAnalysis& analysis) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < analysis.hta().host.size(); ++i) {
        for (const HtaBandwidthSummary& summary : analysis.hta().host[i].bandwidths) {
            rows.push_back({{"rank", analysis.run().ranks[i]->rank},
                            {"name", summary.name},
                            {"points", summary.gb_s.count},
                            {"mean_gb_s", summary.gb_s.mean},
                            {"p50_gb_s", summary.gb_s.q50},
                            {"max_gb_s", summary.gb_s.max}});
        }
    }
    return rows;
}

MetricResult compute_memory(const RunAnalysis& analysis) {
    std::int64_t peak = kUnknown;
    Json ranks = Json::array();
    for (std::size_t i = 0; i < analysis.ranks().size(); ++i) {
        const MemoryUse& memory = analysis.memory()[i];
        Json devices = Json::array();
        for (const DeviceMemory& device : memory.devices) {
            devices.push_back(device_json(analysis, i, device));
            if (device.device_type != 0)
                peak = std::max(peak, device.allocated_peak);
        }
        Json rank{{"rank", analysis.ranks()[i].trace->rank}, {"transfers", transfers_json(memory)}};
        if (!devices.empty())
            rank["devices"] = std::move(devices);
        ranks.push_back(std::move(rank));
    }
    Json details{{"per_rank", std::move(ranks)}, {"compat_hta_memory_bandwidth", hta_bandwidth_json(analysis)}};
    if (peak == kUnknown) {
        return MetricResult::unavailable("needs [memory] instants of a GPU (record with profile_memory=True)"_text,
                                         std::move(details));
    }
    return MetricResult::of(static_cast<double>(peak) / (1024.0 * 1024.0), std::move(details));
}

} // namespace

Metric memory_metric() {
    Metric metric{
        "memory",
        "Peak memory allocated",
        "MiB",
        Better::lower,
        "Memory",
        "Largest total the allocator of a GPU recorded, over all ranks. Details: reserved memory, what was live at "
        "the peak, and "
        "bytes and bandwidth of copies by kind.",
        compute_memory};
    metric.moved_by = {SettingKind::parallelism, SettingKind::pipeline, SettingKind::work, SettingKind::dtype};
    metric.stands_for_itself = true;
    return metric;
}

} // namespace rankscope
