// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as one trace for Perfetto and chrome://tracing: every rank a process on the aligned clock, every lane a thread,
// with flows, counters, steps, findings, waits and the critical path.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>
#include <utility>
#include <vector>

#include "core/query/query_model.h"

namespace rankscope {

/// Which part of the runs; as it is, all of them.
struct TraceExport {
    std::optional<TimeRange> time; ///< since the first event of each run; events that touch it are written whole
    std::vector<std::pair<std::int64_t, std::int64_t>> ranks; ///< inclusive ranges; empty: all
    std::function<bool(std::string_view)> lanes;              ///< by the lane's name; empty: all
};

struct TraceExportCounts {
    std::uint64_t events = 0; ///< of the lanes: as many as the timeline shows of this part
    std::uint64_t flows = 0;
    std::uint64_t samples = 0; ///< of counters
    std::uint64_t steps = 0;
    std::uint64_t findings = 0;
    std::uint64_t waits = 0;
    std::uint64_t path = 0; ///< pieces of the critical path
    [[nodiscard]] std::uint64_t slices() const { return events + steps + findings + waits + path; }
};

/// The endings of names that write_trace() knows: .json, .pftrace, and both with .gz.
bool is_trace_file_name(std::string_view name);

/// Streams into the file, gzip'd where its name ends in .gz; whole or not at all. A name in .pftrace is Perfetto's own
/// format, all others are Chrome's JSON; both have the same slices, flows and samples. Slices of a thread nest: where
/// those of a lane overlap, the later one goes to a second thread of the lane. Error: output, cancelled, or usage
/// (nothing in it).
Result<TraceExportCounts> write_trace(const QueryModel& model, const TraceExport& what,
                                      const std::filesystem::path& path, const std::stop_token& stop = {});

} // namespace rankscope
