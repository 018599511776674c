// SPDX-License-Identifier: GPL-3.0-or-later
// Metric comm_bandwidth: how fast collectives move data, with the tables TraceLens's users know.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/metrics/evidence.h"
#include "core/metrics/iterations.h"
#include "core/metrics/numbers.h"

namespace rankscope {
namespace {

constexpr std::size_t kMostLongRows = 500;
constexpr double kGibPerGb = 1e9 / 1073741824.0;

/// Calls of known size and the time they took.
struct Moved {
    std::int64_t calls = 0;
    double bytes = 0;
    double bus_bytes = 0;
    double latency = 0; ///< ns

    void add(const CollectiveTiming& call) {
        ++calls;
        bytes += static_cast<double>(call.bytes);
        bus_bytes += call.busbw * static_cast<double>(call.latency);
        latency += static_cast<double>(call.latency);
    }
    [[nodiscard]] Json json() const {
        Json result{{"calls", calls}, {"bytes", std::round(bytes)}, {"latency_us", rounded_us(latency)}};
        put(result, "algbw_gb_s", rounded(bytes / latency));
        put(result, "busbw_gb_s", rounded(bus_bytes / latency));
        return result;
    }
};

/// scale: of ns to microseconds, or of GB/s to another unit.
Json spread_json(const Statistics& values, double scale, bool with_deviation = false) {
    Json json = Json::object();
    put(json, "mean", rounded(values.mean * scale));
    put(json, "median", rounded(values.median * scale));
    if (with_deviation)
        put(json, "std", rounded(values.deviation * scale));
    put(json, "min", rounded(values.min * scale));
    put(json, "max", rounded(values.max * scale));
    return json;
}

void put_known(Json& json, std::string_view key, std::int64_t value) {
    if (value != kUnknown)
        json[std::string(key)] = value;
}

Json implicit_sync_json(const RunAnalysis& analysis) {
    Json rows = Json::array();
    for (const ImplicitSyncRow& row : analysis.collective_summaries().implicit_sync) {
        const CommGroup& group = analysis.collectives().groups[row.group];
        Json json{{"collective", row.collective}, {"dtype", analysis.run().names->view(row.dtype)}};
        put_known(json, "in_elements", row.in_elements);
        json["group"] = group.name;
        json["group_size"] = row.group_size;
        put_known(json, "message_bytes", row.bytes);
        json["count"] = row.latency.count;
        if (row.alone > 0)
            json["seen_by_one_rank"] = row.alone;
        json["total_latency_us"] = rounded_us(row.latency.sum);
        json["latency_us"] = spread_json(row.latency, 1e-3);
        json["start_skew_us"] = spread_json(row.start_skew, 1e-3);
        json["end_skew_us"] = spread_json(row.end_skew, 1e-3);
        if (row.algbw.count > 0) {
            json["algbw_gb_s"] = spread_json(row.algbw, 1);
            json["busbw_gb_s"] = spread_json(row.busbw, 1);
            json["compat_tracelens"] = {{"algo_bw_gib_s", spread_json(row.algbw, kGibPerGb)},
                                        {"bus_bw_gib_s", spread_json(row.busbw, kGibPerGb)}};
        }
        rows.push_back(std::move(json));
    }
    return rows;
}

Json all_to_allv_json(const RunAnalysis& analysis) {
    Json rows = Json::array();
    for (const AllToAllVRow& row : analysis.collective_summaries().all_to_allv) {
        Json json{{"group", analysis.collectives().groups[row.group].name},
                  {"dtype", analysis.run().names->view(row.dtype)},
                  {"group_size", row.group_size},
                  {"count", row.wall.count},
                  {"sent_bytes", spread_json(row.bytes, 1)},
                  {"total_wall_us", rounded_us(row.wall.sum)},
                  {"wall_us", spread_json(row.wall, 1e-3)},
                  {"throughput_gb_s", spread_json(row.throughput, 1)},
                  {"size_imbalance", spread_json(row.imbalance, 1)},
                  {"longest_us", spread_json(row.longest, 1e-3)},
                  {"start_skew_us", spread_json(row.start_skew, 1e-3)},
                  {"end_skew_us", spread_json(row.end_skew, 1e-3)}};
        json["compat_tracelens"] = {{"throughput_gib_s", spread_json(row.throughput, kGibPerGb)}};
        rows.push_back(std::move(json));
    }
    return rows;
}

Json straggler_json(const RunAnalysis& analysis) {
    const CollectiveSummaries& summaries = analysis.collective_summaries();
    std::int64_t calls = 0;
    for (const ArrivalRow& row : summaries.arrivals)
        calls += row.times_last;
    Json rows = Json::array();
    for (const ArrivalRow& row : summaries.arrivals) {
        if (row.calls == 0)
            continue;
        rows.push_back(
            {{"rank", analysis.run().ranks[row.rank]->rank},
             {"total_wait_us", as_us(row.wait)},
             {"mean_wait_us", rounded_us(static_cast<double>(row.wait) / static_cast<double>(row.calls))},
             {"times_last", row.times_last},
             {"times_first", row.times_first},
             {"share_last", rounded(percent_of(static_cast<double>(row.times_last), static_cast<double>(calls)))},
             {"num_collectives", calls},
             {"total_comm_us", as_us(row.communication)}});
    }
    return rows;
}

Json long_json(const RunAnalysis& analysis) {
    const std::vector<LongRow>& all = analysis.collective_summaries().by_rank;
    Json rows = Json::array();
    for (const LongRow& row : std::span(all).first(std::min(all.size(), kMostLongRows))) {
        Json json{{"rank", analysis.run().ranks[row.rank]->rank},
                  {"group", analysis.collectives().groups[row.group].name},
                  {"collective", row.collective},
                  {"dtype", analysis.run().names->view(row.dtype)}};
        put_known(json, "group_size", row.group_size == 0 ? kUnknown : row.group_size);
        put_known(json, "in_elements", row.in_elements);
        put_known(json, "out_elements", row.out_elements);
        json["in_split"] = analysis.run().names->view(row.in_split);
        json["out_split"] = analysis.run().names->view(row.out_split);
        json["stream"] = row.stream;
        json["count"] = row.duration.count;
        json["sum_us"] = rounded_us(row.duration.sum);
        json["duration_us"] = spread_json(row.duration, 1e-3, true);
        rows.push_back(std::move(json));
    }
    return rows;
}

MetricResult compute_comm_bandwidth(const RunAnalysis& analysis) {
    const CallTable& table = analysis.call_table();
    Moved all;
    std::map<CollectiveKind, Moved> by_kind;
    std::map<std::uint32_t, Moved> by_group;
    std::int64_t alone = 0;
    for (const CollectiveTiming& call : table.whole_calls()) {
        if (!std::isfinite(call.busbw))
            continue;
        all.add(call);
        by_kind[call.kind].add(call);
        by_group[call.group].add(call);
        alone += call.alone ? 1 : 0;
    }
    Json details = all.json();
    details["calls_without_size"] = static_cast<std::int64_t>(table.whole.size()) - all.calls;
    details["partial_collectives"] = analysis.collectives().partial;
    details["seen_by_one_rank"] = alone;
    details["by_kind"] = Json::object();
    for (const auto& [kind, moved] : by_kind)
        details["by_kind"][std::string(collective_kind_word(kind))] = moved.json();
    details["by_group"] = Json::array();
    for (const auto& [index, moved] : by_group) {
        const CommGroup& group = analysis.collectives().groups[index];
        Json json{{"group", group.name}, {"description", group.description}, {"ranks", group.ranks}};
        json.update(moved.json());
        details["by_group"].push_back(std::move(json));
    }
    details["implicit_sync"] = implicit_sync_json(analysis);
    details["all_to_allv"] = all_to_allv_json(analysis);
    details["straggler_summary"] = straggler_json(analysis);
    details["long_rows"] = analysis.collective_summaries().by_rank.size();
    details["long"] = long_json(analysis);
    if (all.calls == 0) {
        const bool none = table.whole.empty() && analysis.collectives().partial == 0;
        return MetricResult::unavailable(
            none ? "needs collectives"_text : "needs collectives with recorded sizes that every traced member ran"_text,
            std::move(details));
    }
    return MetricResult::of(rounded(all.bus_bytes / all.latency), std::move(details));
}

/// Bytes on the bus over the time of the calls that start in an iteration.
StepValues bandwidth_by_iteration(const RunAnalysis& analysis) {
    std::map<std::int64_t, Moved> moved;
    for (const CollectiveTiming& call : analysis.call_table().whole_calls())
        if (const auto step = iteration_at(analysis, call.start); step && std::isfinite(call.busbw))
            moved[*step].add(call);
    StepValues values;
    for (const auto& [step, sums] : moved)
        if (sums.latency > 0)
            values[step] = {sums.bus_bytes / sums.latency};
    return values;
}

} // namespace

Metric comm_bandwidth_metric() {
    Metric metric{
        "comm_bandwidth",
        "Bus bandwidth",
        "GB/s",
        Better::higher,
        "Communication",
        "Bytes on the bus (message size times 2(n-1)/n for all-reduce, (n-1)/n for all-gather, reduce-scatter and "
        "all-to-all) divided by the shortest duration among the members, over all collectives of known size.",
        compute_comm_bandwidth};
    metric.moved_by = {SettingKind::transport, SettingKind::parallelism, SettingKind::device};
    metric.with_untraced_ranks = ValueBound::at_least;
    metric.by_iteration = bandwidth_by_iteration;
    metric.evidence = longest_call;
    return metric;
}

} // namespace rankscope
