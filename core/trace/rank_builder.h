// SPDX-License-Identifier: GPL-3.0-or-later
// Turns a rank's events, in file order, into a RankTrace: lanes, rows, launch and operator links, side tables.
// Readers feed it; so do tests that want a trace without a file.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/seeded_hash.h"
#include "core/trace/captured_graph.h"
#include "core/trace/collective_args_numbers.h"
#include "core/trace/rank_trace.h"
#include "core/trace/raw_events.h"

namespace rankscope {

struct FoundGraph;   // core/trace/rank_builder_graphs.cpp
struct IdRange;      // core/trace/event_of_id.h
struct EventCensus;  // core/trace/rank_builder_parts.h
struct SortedEvents; // the same

/// Point of a forward-backward flow: binds to the innermost event of the track at that time.
struct FlowPoint {
    std::int64_t id = 0;
    TimeNs time = 0;
    TrackId track = 0;
    bool starts = false;
};

struct KernelOccupancy {
    std::uint32_t ordinal = 0;
    float blocks_per_sm = 0;     ///< NaN when absent
    float occupancy_percent = 0; ///< NaN when absent
};

class RankBuilder {
public:
    explicit RankBuilder(std::shared_ptr<StringTable> names);
    ~RankBuilder();

    /// The track of (process, thread); GPU events of different streams must use different tracks. device and stream
    /// of GPU events; kUnknown for the CPU.
    TrackId track(std::string_view process, std::string_view thread, std::int64_t device, std::int64_t stream);
    void set_thread_name(std::string_view process, std::string_view thread, std::string_view name);

    void add(const RawEvent& event) { events_.push_back(event); }
    /// Room for so many events in order, to be written, on any thread, before anything is asked of the builder.
    std::vector<RawEvents::Room> add_room(std::size_t count) { return events_.add_room(count); }
    void add_collective(std::uint32_t ordinal, CollectiveArgs args, std::int64_t sequence = kUnknown);
    std::int32_t process_group(ProcessGroup group); ///< index of an equal group, added if new
    void add_transfer(std::uint32_t ordinal, std::int64_t bytes, double bandwidth_gb_s);
    void add_inputs(std::uint32_t ordinal, OperatorInputs inputs); ///< kept only for operators that launch GPU work
    /// Fills in shapes and types of operators that have none; how many. Sequence numbers only where nothing was
    /// recorded.
    std::int64_t complete_inputs(PlaceMap<std::uint32_t, OperatorInputs> by_ordinal);
    [[nodiscard]] std::vector<std::uint32_t> ordinals_with_collective() const;
    [[nodiscard]] bool launches_graphs() const; ///< CUDA or HIP graphs
    /// What the kernels of replayed graphs are given their operators and modules from.
    void set_captured_graphs(CapturedGraphs graphs);
    /// Inputs of all operators are kept, for a capture of graphs: nothing that it launches has run.
    void keep_all_inputs() { keep_all_inputs_ = true; }
    void add_occupancy(KernelOccupancy occupancy) { occupancy_.push_back(occupancy); }
    std::uint32_t launch_shape(const LaunchShape& shape); ///< index of an equal one, added if new
    void add_launch_shape(std::uint32_t ordinal, std::uint32_t shape) { launch_shapes_.push_back({ordinal, shape}); }
    void add_memory_sample(const MemorySample& sample, TrackId track);
    void add_flow(FlowPoint point) { flow_points_.push_back(point); }

    StringTable& names() { return *names_; }
    /// The parts a reader fills directly: rank, file, header, devices, counters, notices, locator ...
    RankTrace& trace() { return trace_; }
    /// What was added so far, for joins with what lies beside the trace.
    [[nodiscard]] const RawEvents& events() const { return events_; }
    [[nodiscard]] std::size_t event_count() const { return events_.size(); }
    [[nodiscard]] std::size_t memory_bytes() const; ///< of what was added so far, in the main
    /// Leaves out, with a notice, what lies more than kLongestRecording away from most events, as a broken clock writes
    /// it: one such event, and every sum over the rank would be wrong. Times must be plausible
    /// (core/trace/plausible.h). Returns from when to when the other events are.
    TimeRange drop_strays();

    /// Moves every time by a constant, for traces whose header holds the epoch of their clock.
    void shift_times(TimeNs offset);

    /// Sorts and links; call it once. nullptr when cancelled.
    std::shared_ptr<const RankTrace> finish(std::stop_token cancel = {});

private:
    struct Track {
        std::string process;
        std::string thread;
        std::int64_t device = kUnknown;
        std::int64_t stream = kUnknown;
        friend bool operator==(const Track&, const Track&) = default;
    };
    template <typename T>
    struct ByOrdinal {
        std::uint32_t ordinal = 0;
        T value;
    };

    [[nodiscard]] TimeRange span() const; ///< from the first start to the last end; empty without events
    [[nodiscard]] EventCensus count_events() const;
    void make_lanes(EventCensus& census);
    SortedEvents sort_into_lanes(EventCensus& census);
    void fill_columns(SortedEvents& sorted);
    void find_spans();
    void link_launches(const SortedEvents& sorted, const IdRange& calls);
    void hold_to_waits();
    void link_operators(const SortedEvents& sorted, const IdRange& operators);
    void add_graph_slices();
    void add_graph_run(const std::vector<std::size_t>& work, NameId name, const FoundGraph& found,
                       const std::function<TrackId(TrackId)>& lane_of, std::uint32_t& ordinal);
    void link_captured_operators();
    void note_captured_graphs();
    void attach_side_tables();
    void bind_flows();
    void bind_memory_samples(const SortedEvents& sorted);
    void find_steps();
    void name_lanes();
    std::uint32_t input_shapes(const OperatorInputs& inputs);
    void attach_inputs(const std::vector<EventIndex>& event_of);
    void attach_occupancy(const std::vector<EventIndex>& event_of);
    struct Moment {
        TrackId track = 0;
        TimeNs time = 0;
    };
    [[nodiscard]] std::vector<EventIndex> innermost_at(const std::vector<Moment>& moments) const;

    std::shared_ptr<StringTable> names_;
    RankTrace trace_;
    RawEvents events_;
    std::vector<Track> tracks_;
    TextMap<std::string, TrackId> track_of_;
    TextMap<std::string, std::int32_t> group_of_; ///< by all that a group has
    std::size_t known_groups_ = 0;                ///< of trace_.process_groups
    std::vector<ByOrdinal<CollectiveEntry>> collectives_;
    CollectiveArgsNumbers collective_args_;
    std::vector<ByOrdinal<MemoryTransfer>> transfers_;
    struct Inputs {
        std::uint32_t ordinal = 0;
        std::uint32_t shapes = 0;
        std::int64_t sequence = kUnknown;
    };
    struct ShapesHash {
        std::size_t operator()(const InputShapes& shapes) const;
    };
    std::vector<Inputs> inputs_;
    std::unordered_map<InputShapes, std::uint32_t, ShapesHash> input_shapes_; ///< to their index
    std::vector<KernelOccupancy> occupancy_;
    std::vector<ByOrdinal<std::uint32_t>> launch_shapes_;
    std::map<LaunchShape, std::uint32_t> shape_numbers_;
    std::vector<FlowPoint> flow_points_;
    std::vector<TrackId> memory_tracks_; ///< of each of RankTrace::memory_samples, until they are sorted
    std::map<std::pair<std::string, std::string>, std::string> thread_names_;
    std::vector<TrackId> lane_tracks_; ///< track of each lane, while finishing
    CapturedGraphs captured_graphs_;
    bool keep_all_inputs_ = false;
    struct GraphLaunch {
        std::size_t nodes = 0;
        std::int64_t matched = 0;
        bool named = true;
    };
    std::vector<GraphLaunch> graph_launches_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> captured_operators_; ///< ordinals: of work, of its operator
};

} // namespace rankscope
