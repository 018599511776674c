// SPDX-License-Identifier: GPL-3.0-or-later
// Values over time beside a rank's lanes: busy share, memory, queue lengths, the trace's own counters.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QString>

#include "core/trace/run.h"
#include "widgets/timeline/coordinates.h"

namespace rankscope {

/// busy: the share of each class, drawn from SliceIndex::activities. allocated, reserved: of the allocator, bytes.
/// queue: launches of a stream that wait to start (core/analysis/gpu/launches.h). recorded: RankTrace::counters.
enum class CounterKind : std::uint8_t { busy, allocated, reserved, queue, recorded };

/// A counter that a rank has; its values are another matter.
struct CounterSource {
    CounterKind kind = CounterKind::busy;
    std::string name;             ///< "busy", "memory allocated, GPU 0", "queue of stream 7": unique within the rank
    std::int32_t device_type = 0; ///< of memory
    std::int64_t device = -1;     ///< of memory and queues
    std::int64_t stream = -1;     ///< of queues
    NameId series = 0;            ///< of recorded ones
    friend bool operator==(const CounterSource&, const CounterSource&) = default;
};

/// In the order they are shown. Time grows with samples and GPU events, not to be spent in the window's thread.
std::vector<CounterSource> countersOf(const RankTrace& trace);

/// A value holds from its time until the next one; the last one until `end`.
struct CounterTrack {
    std::vector<TimeNs> time; ///< ascending
    std::vector<double> value;
    TimeNs end = 0;
    double low = 0; ///< of all values, and 0
    double high = 0;

    void add(TimeNs at, double now); ///< several values at one time: all count for low and high in a column
    void finish(TimeNs holdsUntil);

    struct Extent {
        double low = 0;
        double high = 0;
        double last = 0; ///< at the end of the range
    };
    /// Exact smallest and largest value in the range; nothing before the first sample and after the end.
    [[nodiscard]] std::optional<Extent> over(TimeRange range) const;

private:
    static constexpr std::size_t kBlock = 64;
    std::vector<std::pair<double, double>> blocks_; ///< extents of every kBlock values
};

/// Any kind but busy.
CounterTrack counterTrack(const Run& run, const RankTrace& trace, const CounterSource& source);
/// "1.25 GB" of memory; a plain number of others.
QString counterText(CounterKind kind, double value);

} // namespace rankscope
