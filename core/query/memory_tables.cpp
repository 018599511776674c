// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/memory_tables.h"

#include "core/analysis/memory/snapshot_memory.h"
#include "core/query/row_table_parts.h"

namespace rankscope {
namespace {

using namespace query_rows;

/// A device of a rank's snapshot, and a row of one of its lists.
struct SnapshotRow {
    std::uint32_t run = 0;
    const DeviceSnapshot* of = nullptr;
    std::size_t index = 0;
};
using SnapshotColumn = RowColumn<SnapshotRow>;

const Run& run_of(const QueryModel& model, const SnapshotRow& row) { return model.run(row.run); }
const MemorySnapshot& snapshot_of(const QueryModel& model, const SnapshotRow& row) {
    return *run_of(model, row).ranks[row.of->rank]->memory_snapshot;
}

/// One row for each of what count() says.
template <typename Count>
std::vector<SnapshotRow> snapshot_rows(const QueryModel& model, Count count) {
    std::vector<SnapshotRow> rows;
    for (std::uint32_t run = 0; run < model.runs().size(); ++run)
        for (const DeviceSnapshot& of : model.runs()[run].analysis->snapshot_memory().devices) {
            const std::size_t size = count(*model.run(run).ranks[of.rank]->memory_snapshot, of);
            for (std::size_t i = 0; i < size; ++i)
                rows.push_back({run, &of, i});
        }
    return rows;
}

std::vector<SnapshotColumn> with_key(std::vector<SnapshotColumn> columns) {
    std::vector<SnapshotColumn> all{
        {kRun, [](const QueryModel&, const SnapshotRow& r) { return whole(r.run); }},
        {kRank, [](const QueryModel& m, const SnapshotRow& r) { return whole(run_of(m, r).ranks[r.of->rank]->rank); }},
        {{"device", integer, "", "GPU"}, [](const QueryModel&, const SnapshotRow& r) { return whole(r.of->device); }}};
    all.insert(all.end(), columns.begin(), columns.end());
    return all;
}

template <typename Value>
SnapshotColumn bytes_column(std::string_view name, std::string_view help, Value value) {
    return {{name, integer, "bytes", help},
            [value](const QueryModel&, const SnapshotRow& r) { return whole(value(*r.of)); }};
}

QueryValue frame_value(const QueryModel& model, const SnapshotRow& row, SnapshotStack stack) {
    std::string frame = innermost_user_frame(snapshot_of(model, row), *run_of(model, row).names, stack);
    return frame.empty() ? QueryValue() : QueryValue(std::move(frame));
}

QueryValue time_value(const QueryModel& model, const SnapshotRow& row, TimeNs time) {
    return whole(model.runs()[row.run].analysis->since_start(row.of->rank, time));
}

RowTable device_table() {
    using D = DeviceSnapshot;
    constexpr auto kActive = BlockState::active;
    constexpr auto kAwaiting = BlockState::awaiting_free;
    constexpr auto kInactive = BlockState::inactive;
    return row_table_of<SnapshotRow>(
        "memory_snapshot", "every device of every memory snapshot of PyTorch, when it was taken", 3,
        with_key(
            {{{"file", text, "", "file it was read from"},
              [](const QueryModel& m, const SnapshotRow& r) { return QueryValue(snapshot_of(m, r).file.string()); }},
             {{"segments", integer, "", "pieces of memory that the allocator got from the driver"},
              [](const QueryModel&, const SnapshotRow& r) { return whole(r.of->total.segments); }},
             bytes_column("reserved_bytes", "of the segments", [](const D& d) { return d.total.reserved; }),
             bytes_column("active_bytes", "of active blocks", [](const D& d) { return d.total.state(kActive).bytes; }),
             bytes_column("requested_bytes", "requested of active blocks",
                          [](const D& d) { return d.total.state(kActive).requested; }),
             bytes_column("awaiting_free_bytes", "of blocks that are freed and still in use by a stream",
                          [](const D& d) { return d.total.state(kAwaiting).bytes; }),
             bytes_column("inactive_bytes", "of free blocks",
                          [](const D& d) { return d.total.state(kInactive).bytes; }),
             bytes_column("fragmented_bytes", "of free blocks in segments that hold others",
                          [](const D& d) { return d.total.fragmented; }),
             bytes_column("active_peak_bytes", "most that was requested and not given back",
                          [](const D& d) { return d.active_peak; }),
             bytes_column("reserved_peak_bytes", "most that the segments had",
                          [](const D& d) { return d.reserved_peak; }),
             {{"peak_ns", integer, "ns", "time of the active peak; NULL: before all events, or no events"},
              [](const QueryModel& m, const SnapshotRow& r) {
                  return r.of->peak ? time_value(m, r, r.of->points[*r.of->peak].time) : QueryValue();
              }},
             {{"out_of_memory", integer, "", "how often memory ran out"},
              [](const QueryModel&, const SnapshotRow& r) { return whole(r.of->out_of_memory.size()); }},
             {{"unexplained_events", integer, "", "events that do not fit the segments"},
              [](const QueryModel&, const SnapshotRow& r) { return whole(r.of->unexplained); }}}),
        [](const QueryModel& model) {
            return snapshot_rows(model, [](const MemorySnapshot&, const DeviceSnapshot&) { return std::size_t{1}; });
        });
}

/// Index in MemorySnapshot::blocks: the blocks of a device's segments.
std::vector<SnapshotRow> rows_of_blocks(const QueryModel& model) {
    std::vector<SnapshotRow> rows;
    for (const SnapshotRow& device :
         snapshot_rows(model, [](const MemorySnapshot&, const DeviceSnapshot&) { return std::size_t{1}; }))
        for (const SnapshotSegment& segment : snapshot_of(model, device).segments)
            for (std::uint32_t i = 0; segment.device == device.of->device && i < segment.block_count; ++i)
                rows.push_back({device.run, device.of, segment.first_block + i});
    return rows;
}

RowTable block_table() {
    const auto block = [](const QueryModel& m, const SnapshotRow& r) -> const SnapshotBlock& {
        return snapshot_of(m, r).blocks[r.index];
    };
    const auto segment = [block](const QueryModel& m, const SnapshotRow& r) -> const SnapshotSegment& {
        return snapshot_of(m, r).segments[block(m, r).segment];
    };
    return row_table_of<SnapshotRow>(
        "memory_block", "every block of every memory snapshot, with its segment", 3,
        with_key({{{"segment", integer, "", "number of its segment in the snapshot"},
                   [=](const QueryModel& m, const SnapshotRow& r) { return whole(block(m, r).segment); }},
                  {{"segment_bytes", integer, "bytes", "of its segment"},
                   [=](const QueryModel& m, const SnapshotRow& r) { return whole(segment(m, r).bytes); }},
                  {{"pool", text, "", "segment_pool_id; 0,0: the default pool"},
                   [=](const QueryModel& m, const SnapshotRow& r) {
                       return QueryValue(std::to_string(segment(m, r).pool_first) + "," +
                                         std::to_string(segment(m, r).pool_second));
                   }},
                  {{"stream", integer, "", "of the segment, as recorded"},
                   [=](const QueryModel& m, const SnapshotRow& r) { return whole(segment(m, r).stream); }},
                  {{"address", integer, "", "of its first byte"},
                   [=](const QueryModel& m, const SnapshotRow& r) { return whole(block(m, r).address); }},
                  {{"state", text, "", "active_allocated, active_pending_free or inactive"},
                   [=](const QueryModel& m, const SnapshotRow& r) {
                       return QueryValue(block_state_word(block(m, r).state));
                   }},
                  {{"bytes", integer, "bytes", "of the block"},
                   [=](const QueryModel& m, const SnapshotRow& r) { return whole(block(m, r).bytes); }},
                  {{"requested_bytes", integer, "bytes", "that the program asked for"},
                   [=](const QueryModel& m, const SnapshotRow& r) { return whole(block(m, r).requested); }},
                  {{"frame", text, "", "innermost frame of the user's program; NULL: no stack"},
                   [=](const QueryModel& m, const SnapshotRow& r) { return frame_value(m, r, block(m, r).stack); }}}),
        rows_of_blocks);
}

RowTable event_table() {
    const auto event = [](const QueryModel& m, const SnapshotRow& r) -> const SnapshotEvent& {
        return events_of(snapshot_of(m, r), r.of->device)[r.index];
    };
    /// After the event; nullptr before all that change memory.
    const auto point = [](const SnapshotRow& r) -> const SnapshotPoint* {
        const auto after = std::ranges::upper_bound(r.of->points, r.index, {}, &SnapshotPoint::event);
        return after == r.of->points.begin() ? nullptr : &*std::prev(after);
    };
    const auto total = [point](std::string_view name, std::string_view help, std::int64_t SnapshotPoint::*part) {
        return SnapshotColumn{{name, integer, "bytes", help},
                              [=](const QueryModel&, const SnapshotRow& r) {
                                  const SnapshotPoint* at = point(r);
                                  return at == nullptr ? QueryValue() : whole(at->*part);
                              }};
    };
    return row_table_of<SnapshotRow>(
        "memory_event", "every event of the allocator in every memory snapshot, and what was held after it", 3,
        with_key({{{"start_ns", integer, "ns", "since the first event of the run, on the aligned clock"},
                   [=](const QueryModel& m, const SnapshotRow& r) { return time_value(m, r, event(m, r).time); }},
                  {{"action", text, "", "alloc, free_requested, free_completed, segment_alloc, segment_free, oom ..."},
                   [=](const QueryModel& m, const SnapshotRow& r) {
                       return QueryValue(memory_action_word(event(m, r).action));
                   }},
                  {{"address", integer, "", "of its first byte; of oom: NULL"},
                   [=](const QueryModel& m, const SnapshotRow& r) {
                       return event(m, r).action == MemoryAction::out_of_memory ? QueryValue()
                                                                                : whole(event(m, r).address);
                   }},
                  {{"bytes", integer, "bytes", "requested; of a segment its size"},
                   [=](const QueryModel& m, const SnapshotRow& r) { return whole(event(m, r).bytes); }},
                  {{"stream", integer, "", "as recorded"},
                   [=](const QueryModel& m, const SnapshotRow& r) { return whole(event(m, r).stream); }},
                  {{"category", text, "", "PARAMETER, ACTIVATION ...; NULL: not recorded"},
                   [=](const QueryModel& m, const SnapshotRow& r) {
                       return filled(run_of(m, r).names->view(event(m, r).category));
                   }},
                  {{"frame", text, "", "innermost frame of the user's program; NULL: no stack"},
                   [=](const QueryModel& m, const SnapshotRow& r) { return frame_value(m, r, event(m, r).stack); }},
                  total("active_bytes", "requested and not given back, after it", &SnapshotPoint::active),
                  total("reserved_bytes", "of the segments, after it", &SnapshotPoint::reserved),
                  total("fragmented_bytes", "not active, in segments that hold active bytes, after it",
                        &SnapshotPoint::fragmented)}),
        [](const QueryModel& model) {
            return snapshot_rows(model, [](const MemorySnapshot& snapshot, const DeviceSnapshot& of) {
                return events_of(snapshot, of.device).size();
            });
        });
}

RowTable live_table() {
    const auto live = [](const SnapshotRow& r) -> const LiveAtPeak& { return r.of->live_at_peak[r.index]; };
    const auto words = [live](std::string_view name, std::string_view help, std::string LiveAtPeak::*part) {
        return SnapshotColumn{{name, text, "", help},
                              [=](const QueryModel&, const SnapshotRow& r) { return filled(live(r).*part); }};
    };
    const auto number = [live](std::string_view name, std::string_view unit, std::string_view help,
                               std::int64_t LiveAtPeak::*part) {
        return SnapshotColumn{{name, integer, unit, help},
                              [=](const QueryModel&, const SnapshotRow& r) { return whole(live(r).*part); }};
    };
    return row_table_of<SnapshotRow>(
        "memory_live", "what was live at the active peak of every memory snapshot, by place in the program", 3,
        with_key({words("frame", "innermost frame of the user's program; NULL: no stack", &LiveAtPeak::frame),
                  words("caller", "the next frame of the user's program; NULL: none", &LiveAtPeak::caller),
                  words("category", "PARAMETER, ACTIVATION ...; NULL: not recorded", &LiveAtPeak::category),
                  number("bytes", "bytes", "requested", &LiveAtPeak::bytes),
                  number("blocks", "", "how many", &LiveAtPeak::blocks),
                  number("largest_bytes", "bytes", "the largest of them", &LiveAtPeak::largest),
                  number("before_bytes", "bytes", "of them allocated before the recording", &LiveAtPeak::before)}),
        [](const QueryModel& model) {
            return snapshot_rows(
                model, [](const MemorySnapshot&, const DeviceSnapshot& of) { return of.live_at_peak.size(); });
        });
}

} // namespace

std::vector<RowTable> memory_tables() { return {device_table(), block_table(), event_table(), live_table()}; }

} // namespace rankscope
