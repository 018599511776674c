// SPDX-License-Identifier: GPL-3.0-or-later
// Metric traffic_distribution: which dimension of the parallel mesh moves how many bytes.
#include <map>

#include "core/analysis/compat/ccl_bench_pipeline.h"
#include "core/metrics/evidence.h"
#include "core/metrics/numbers.h"

namespace rankscope {
namespace {

struct Sums {
    std::int64_t bytes = 0;
    std::int64_t calls = 0;
    TimeNs time = 0;
    void add(const TrafficRow& row) {
        bytes += row.bytes;
        calls += row.calls;
        time += row.time;
    }
    /// Per step, summed over the ranks.
    [[nodiscard]] Json json(double steps, double all_bytes) const {
        Json json{{"bytes", rounded(static_cast<double>(bytes) / steps)},
                  {"calls", rounded(static_cast<double>(calls) / steps)},
                  {"time_us", rounded_us(static_cast<double>(time) / steps)}};
        put(json, "fraction", rounded(static_cast<double>(bytes) / all_bytes));
        return json;
    }
};

Json traffic_of_ccl_bench(const Run& run) {
    const CclBenchTraffic traffic = ccl_bench_traffic(run);
    TimeNs total = 0;
    for (const TimeNs time : traffic.time)
        total += time;
    Json json = Json::object();
    Json fractions = Json::object();
    constexpr std::string_view kSlots[] = {"dp", "tp", "pp", "ep", "unknown"};
    for (std::size_t slot = 0; slot < traffic.time.size(); ++slot) {
        json[std::string(kSlots[slot]) + "_bytes"] = as_us(traffic.time[slot]);
        put(fractions, kSlots[slot], static_cast<double>(traffic.time[slot]) / static_cast<double>(total));
    }
    json["total_bytes"] = as_us(total);
    json["fractions"] = std::move(fractions);
    json["total_comm_calls"] = traffic.calls;
    return json;
}

Json groups_json(const RunAnalysis& analysis, double steps) {
    const TrafficAnalysis& traffic = analysis.traffic();
    std::map<std::pair<std::uint32_t, ParallelDimension>, std::pair<Sums, DimensionMethod>> groups;
    Sums all;
    for (const TrafficRow& row : traffic.rows) {
        auto& [sums, method] = groups[{row.group, row.dimension}];
        sums.add(row);
        method = row.method;
        all.add(row);
    }
    Json result = Json::array();
    for (const auto& [key, entry] : groups) {
        const CommGroup& group = analysis.collectives().groups[key.first];
        Json json{{"group", group.name},
                  {"description", group.description},
                  {"ranks", group.ranks},
                  {"dimension", parallel_dimension_word(key.second)},
                  {"method", dimension_method_word(entry.second)}};
        json.update(entry.first.json(steps, static_cast<double>(all.bytes)));
        result.push_back(std::move(json));
    }
    return result;
}

MetricResult compute_traffic_distribution(const RunAnalysis& analysis) {
    const TrafficAnalysis& traffic = analysis.traffic();
    if (traffic.rows.empty()) {
        return MetricResult::unavailable(traffic.outside_steps > 0 ? "needs collectives inside the selected steps"_text
                                                                   : "needs collectives"_text);
    }
    std::map<ParallelDimension, Sums> dimensions;
    std::map<CollectiveKind, Sums> kinds;
    Sums all;
    std::int64_t without_size = 0;
    for (const TrafficRow& row : traffic.rows) {
        dimensions[row.dimension].add(row);
        kinds[row.kind].add(row);
        all.add(row);
        without_size += row.without_size;
    }
    const std::int64_t repetitions = analysis.repetitions();
    const std::int64_t counted = traffic.steps > 0 ? traffic.steps : repetitions > 1 ? repetitions : 0;
    const auto steps = static_cast<double>(std::max<std::int64_t>(1, counted));
    const auto all_bytes = static_cast<double>(all.bytes);
    Json details{{"steps", counted},
                 {"total_bytes", all.bytes},
                 {"calls", all.calls},
                 {"calls_without_size", without_size},
                 {"calls_outside_steps", traffic.outside_steps},
                 {"time_us", as_us(all.time)}};
    details["by_dimension"] = Json::object();
    for (const auto& [dimension, sums] : dimensions)
        details["by_dimension"][std::string(parallel_dimension_word(dimension))] = sums.json(steps, all_bytes);
    details["by_kind"] = Json::object();
    for (const auto& [kind, sums] : kinds)
        details["by_kind"][std::string(collective_kind_word(kind))] = sums.json(steps, all_bytes);
    details["groups"] = groups_json(analysis, steps);
    details["compat_ccl_bench"] = traffic_of_ccl_bench(analysis.run());
    if (without_size == all.calls)
        return MetricResult::unavailable("needs collective arguments in the traces (sizes)"_text, std::move(details));
    return MetricResult::of(rounded(all_bytes / steps), std::move(details));
}

} // namespace

Metric traffic_distribution_metric() {
    Metric metric{
        "traffic_distribution",
        "Traffic per step",
        "bytes",
        Better::none,
        "Communication",
        "Bytes of the messages of all collective calls of all ranks, per step or repetition (of the whole window where "
        "neither is known); details: by dimension of the parallel mesh, kind and process group.",
        compute_traffic_distribution};
    metric.moved_by = {SettingKind::parallelism, SettingKind::pipeline, SettingKind::work, SettingKind::dtype,
                       SettingKind::experts};
    metric.evidence = longest_call;
    metric.counts_calls = true;
    return metric;
}

} // namespace rankscope
