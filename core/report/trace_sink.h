// SPDX-License-Identifier: GPL-3.0-or-later
// What an exported trace consists of, and who writes it as bytes. All times are since the first event of all runs.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/output_file.h"
#include "core/base/time.h"

namespace rankscope {

struct Microseconds {
    TimeNs ns = 0;
};
struct TraceArgument {
    std::string_view name;
    std::variant<std::string, std::int64_t, Microseconds> value;
};

enum class TraceFlowKind : std::uint8_t { launch, backward, collective };
/// One end of an arrow between two slices. The other end has the same id.
struct TraceFlowEnd {
    std::uint64_t id = 0;
    bool starts = false;
    TraceFlowKind kind = TraceFlowKind::launch;
};

struct TraceSlice {
    std::int64_t process = 0;
    std::int64_t thread = 0;
    std::string_view category;
    std::string_view name;
    TimeRange range;
    std::span<const TraceArgument> arguments;
    std::span<const TraceFlowEnd> flows;
};

struct TraceSample {
    std::int64_t process = 0;
    std::string_view series;
    TimeNs time = 0;
    std::variant<std::int64_t, double> value;
};

/// Ids of processes and threads are above 0, and different.
class TraceSink {
public:
    TraceSink() = default;
    TraceSink(const TraceSink&) = delete;
    TraceSink& operator=(const TraceSink&) = delete;
    virtual ~TraceSink() = default;

    virtual void begin(std::size_t ranks) = 0;
    /// label: the device; may be empty.
    virtual void process(std::int64_t id, std::string_view name, std::size_t order, std::string_view label) = 0;
    virtual void thread(std::int64_t process, std::int64_t id, std::string_view name, std::size_t order) = 0;
    /// Slices of a thread come in order of start, and nest.
    virtual void slice(const TraceSlice& slice) = 0;
    /// No more slices of the threads so far.
    virtual void end_threads() = 0;
    virtual void sample(const TraceSample& sample) = 0;
    virtual void end() = 0;
};

/// Chrome's JSON ("Trace Event Format").
std::unique_ptr<TraceSink> chrome_trace_sink(OutputFile& file);
/// Perfetto's own format: a stream of TracePackets (protos/perfetto/trace/trace_packet.proto of Perfetto 55).
std::unique_ptr<TraceSink> perfetto_trace_sink(OutputFile& file);

} // namespace rankscope
