// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/memory_report.h"

#include <algorithm>
#include <map>

#include "core/analysis/memory/snapshot_words.h"
#include "core/analysis/memory/would_fit.h"
#include "core/metrics/numbers.h"
#include "core/report/csv.h"

namespace rankscope {
namespace {

constexpr std::size_t kListedPlaces = 50;

Json segment_bytes_json(const SegmentBytes& bytes) {
    Json blocks = Json::object();
    for (std::size_t i = 0; i < kBlockStates; ++i)
        blocks[std::string(block_state_word(static_cast<BlockState>(i)))] = {
            {"blocks", bytes.states[i].blocks},
            {"bytes", bytes.states[i].bytes},
            {"requested_bytes", bytes.states[i].requested}};
    return {{"segments", bytes.segments},           {"reserved_bytes", bytes.reserved},
            {"by_state", std::move(blocks)},        {"rounding_bytes", bytes.rounding},
            {"fragmented_bytes", bytes.fragmented}, {"unused_segment_bytes", bytes.unused_segments}};
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json live_json(const DeviceSnapshot& of) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < std::min(kListedPlaces, of.live_at_peak.size()); ++i) {
        const LiveAtPeak& live = of.live_at_peak[i];
        rows.push_back({{"frame", text_or_null(live.frame)},
                        {"caller", text_or_null(live.caller)},
                        {"category", text_or_null(live.category)},
                        {"bytes", live.bytes},
                        {"blocks", live.blocks},
                        {"largest_bytes", live.largest},
                        {"before_bytes", live.before}});
    }
    return rows;
}

/// Empty where the snapshot has no categories.
Json categories_json(const DeviceSnapshot& of) {
    std::map<std::string, std::int64_t> bytes;
    for (const LiveAtPeak& live : of.live_at_peak)
        bytes[live.category.empty() ? "unknown" : live.category] += live.bytes;
    Json json = Json::object();
    if (bytes.size() > 1 || !bytes.contains("unknown"))
        for (const auto& [category, sum] : bytes)
            json[category] = sum;
    return json;
}

Json would_fit_json(const WouldFit& fit) {
    Json without = Json::array();
    for (std::size_t i = 0; i < std::min(kListedPlaces, fit.without.size()); ++i)
        without.push_back({{"kind", fit.without[i].is_category ? "category" : "place"},
                           {"name", text_or_null(fit.without[i].name)},
                           {"bytes", fit.without[i].bytes}});
    return {{"limit_bytes", fit.limit},
            {"needed_bytes", fit.needed},
            {"lacking_bytes", fit.lacking()},
            {"without", std::move(without)}};
}

Json out_of_memory_json(const RunAnalysis& analysis, const DeviceSnapshot& of) {
    const RankTrace& rank = *analysis.run().ranks[of.rank];
    Json events = Json::array();
    for (const SnapshotOutOfMemory& event : of.out_of_memory)
        events.push_back(
            {{"time_us", as_us(analysis.since_start(of.rank, event.time))},
             {"asked_bytes", event.asked},
             {"device_free_bytes", event.device_free},
             {"active_bytes", event.active},
             {"reserved_bytes", event.reserved},
             {"frame", text_or_null(innermost_user_frame(*rank.memory_snapshot, *rank.names, event.stack))},
             {"would_fit", would_fit_json(would_fit(*rank.memory_snapshot, *rank.names, of, event))}});
    return events;
}

Json device_snapshot_json(const RunAnalysis& analysis, const DeviceSnapshot& of) {
    const RankTrace& rank = *analysis.run().ranks[of.rank];
    Json pools = Json::array();
    for (const PoolBytes& pool : of.pools) {
        Json json = segment_bytes_json(pool.bytes);
        json["id"] = {pool.first, pool.second};
        json["size_class"] = pool.is_large ? "large" : "small";
        pools.push_back(std::move(json));
    }
    return {{"rank", rank.rank},
            {"device", of.device},
            {"file", rank.memory_snapshot->file.string()},
            {"moved_us", as_us(rank.memory_snapshot->moved)},
            {"events", events_of(*rank.memory_snapshot, of.device).size()},
            {"unexplained_events", of.unexplained},
            {"total", segment_bytes_json(of.total)},
            {"pools", std::move(pools)},
            {"active_at_start_bytes", of.active_at_start},
            {"active_peak_bytes", of.active_peak},
            {"reserved_peak_bytes", of.reserved_peak},
            {"fragmented_peak_bytes", of.fragmented_peak},
            {"peak_time_us",
             of.peak ? Json(as_us(analysis.since_start(of.rank, of.points[*of.peak].time))) : Json(nullptr)},
            {"live_at_peak", live_json(of)},
            {"live_at_peak_by_category", categories_json(of)},
            {"out_of_memory", out_of_memory_json(analysis, of)},
            {"settings", rank.memory_snapshot->settings}};
}

Json first_out_json(const RunAnalysis& analysis, const SnapshotMemory& memory) {
    const FirstOut& first = *memory.first_out;
    const DeviceSnapshot& of = memory.devices[first.device];
    Json differences = Json::array();
    for (const PeakDifference& difference : first.differences)
        differences.push_back({{"frame", text_or_null(difference.frame)},
                               {"bytes", difference.bytes},
                               {"peers_median_bytes", difference.peers_median}});
    Json json{{"rank", analysis.run().ranks[of.rank]->rank},
              {"device", of.device},
              {"out_of_memory", first.event.has_value()},
              {"peers", first.peers},
              {"differences", std::move(differences)}};
    if (first.peers > 0) {
        json["peers_active_peak_bytes"] = first.peers_active_peak;
        json["peers_reserved_peak_bytes"] = first.peers_reserved_peak;
    }
    return json;
}

Json peaks_json(const DeviceSnapshot& of) {
    return {{"active_peak_bytes", of.active_peak},
            {"reserved_peak_bytes", of.reserved_peak},
            {"fragmented_peak_bytes", of.fragmented_peak}};
}

Json memory_changes_json(const std::vector<MemoryChange>& changes, bool of_places) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < std::min(kListedPlaces, changes.size()); ++i) {
        const MemoryChange& change = changes[i];
        Json row = of_places ? Json{{"frame", text_or_null(change.name)}, {"caller", text_or_null(change.caller)}}
                             : Json{{"category", text_or_null(change.name)}};
        row["baseline_bytes"] = change.baseline;
        row["test_bytes"] = change.test;
        rows.push_back(std::move(row));
    }
    return rows;
}

/// visit(run, analysis, device)
template <typename Visit>
void for_each_device(std::span<const AnalysedRun> runs, Visit visit) {
    for (const AnalysedRun& run : runs)
        for (const DeviceSnapshot& of : run.analysis->snapshot_memory().devices)
            visit(run, *run.analysis, of);
}

} // namespace

bool has_memory_snapshots(std::span<const AnalysedRun> runs) {
    return std::ranges::any_of(
        runs,
        [](const AnalysedRun& run) {
            return std::ranges::any_of(
                run.run().ranks, [](const auto& rank) { return rank->memory_snapshot != nullptr; });
        });
}

Json snapshot_memory_json(const RunAnalysis& analysis) {
    const SnapshotMemory& memory = analysis.snapshot_memory();
    Json snapshots = Json::array();
    for (const DeviceSnapshot& of : memory.devices)
        snapshots.push_back(device_snapshot_json(analysis, of));
    return {{"sentences", english(snapshot_sentences(analysis.run(), memory))},
            {"first_out", memory.first_out ? first_out_json(analysis, memory) : Json(nullptr)},
            {"snapshots", std::move(snapshots)}};
}

Json memory_comparison_json(const std::vector<DeviceMemoryComparison>& pairs) {
    if (pairs.empty())
        return nullptr;
    Json devices = Json::array();
    for (const DeviceMemoryComparison& pair : pairs)
        devices.push_back({{"rank", pair.rank},
                           {"device", pair.device},
                           {"baseline", peaks_json(*pair.baseline)},
                           {"test", peaks_json(*pair.test)},
                           {"by_category", memory_changes_json(pair.by_category, false)},
                           {"by_place", memory_changes_json(pair.by_place, true)}});
    return {{"sentences", english(memory_comparison_sentences(pairs))}, {"snapshots", std::move(devices)}};
}

std::string memory_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"rank",
                   "device",
                   "segments",
                   "reserved_bytes",
                   "active_bytes",
                   "requested_bytes",
                   "awaiting_free_bytes",
                   "inactive_bytes",
                   "rounding_bytes",
                   "fragmented_bytes",
                   "unused_segment_bytes",
                   "active_peak_bytes",
                   "reserved_peak_bytes",
                   "fragmented_peak_bytes",
                   "out_of_memory",
                   "file",
                   "run"};
    for_each_device(runs, [&](const AnalysedRun& run, const RunAnalysis& analysis, const DeviceSnapshot& of) {
        const RankTrace& rank = *analysis.run().ranks[of.rank];
        table.integer(rank.rank)
            .integer(of.device)
            .integer(of.total.segments)
            .integer(of.total.reserved)
            .integer(of.total.state(BlockState::active).bytes)
            .integer(of.total.state(BlockState::active).requested)
            .integer(of.total.state(BlockState::awaiting_free).bytes)
            .integer(of.total.state(BlockState::inactive).bytes)
            .integer(of.total.rounding)
            .integer(of.total.fragmented)
            .integer(of.total.unused_segments)
            .integer(of.active_peak)
            .integer(of.reserved_peak)
            .integer(of.fragmented_peak)
            .integer(static_cast<std::int64_t>(of.out_of_memory.size()))
            .text(rank.memory_snapshot->file.string())
            .text(run.label)
            .end_row();
    });
    return table.content();
}

std::string memory_live_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"rank",  "device", "frame",         "caller",       "category",
                   "bytes", "blocks", "largest_bytes", "before_bytes", "run"};
    for_each_device(runs, [&](const AnalysedRun& run, const RunAnalysis& analysis, const DeviceSnapshot& of) {
        for (const LiveAtPeak& live : of.live_at_peak)
            table.integer(analysis.run().ranks[of.rank]->rank)
                .integer(of.device)
                .text(live.frame)
                .text(live.caller)
                .text(live.category)
                .integer(live.bytes)
                .integer(live.blocks)
                .integer(live.largest)
                .integer(live.before)
                .text(run.label)
                .end_row();
    });
    return table.content();
}

std::string memory_history_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"rank", "device", "time_us", "active_bytes", "reserved_bytes", "fragmented_bytes", "run"};
    for_each_device(runs, [&](const AnalysedRun& run, const RunAnalysis& analysis, const DeviceSnapshot& of) {
        for (const SnapshotPoint& point : of.points)
            table.integer(analysis.run().ranks[of.rank]->rank)
                .integer(of.device)
                .microseconds(analysis.since_start(of.rank, point.time))
                .integer(point.active)
                .integer(point.reserved)
                .integer(point.fragmented)
                .text(run.label)
                .end_row();
    });
    return table.content();
}

} // namespace rankscope
