// SPDX-License-Identifier: GPL-3.0-or-later
// What the parser makes of one block of events, before it joins the rank's model. Blocks are parsed in parallel and
// appended in file order, so names, tracks and groups are numbered within the block first.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/input/bytes/text_buffer.h"
#include "core/trace/rank_builder.h"

namespace rankscope {

struct EventBlock {
    struct LocalTrack {
        std::string_view process;
        std::string_view thread;
        std::int64_t device = kUnknown;
        std::int64_t stream = kUnknown;
    };
    struct LocalCollective {
        std::uint32_t ordinal = 0;
        CollectiveArgs args; ///< names and group: local
        std::int64_t sequence = kUnknown;
    };
    struct LocalInputs {
        std::uint32_t ordinal = 0;
        OperatorInputs inputs; ///< texts: local
    };
    struct LocalMemorySample {
        MemorySample sample;
        TrackId track = 0; ///< local
    };
    struct Transfer {
        std::uint32_t ordinal = 0;
        std::int64_t bytes = kUnknown;
        double bandwidth_gb_s = 0;
    };
    struct ThreadName {
        std::string_view process;
        std::string_view thread;
        std::string name;
    };
    /// Half of an event told in two parts: B/E by thread, b/e by id.
    struct Edge {
        RawEvent event;         ///< start: the time of the edge
        TrackId thread = 0;     ///< local; of its process and thread alone
        std::string_view match; ///< b/e: category and id; B/E: empty
        bool begins = false;
    };

    TextBuffer text;                 ///< what the views point into
    std::deque<std::string> storage; ///< likewise, what is not written so in the text

    std::vector<std::string_view> names;
    std::vector<LocalTrack> tracks;
    std::vector<ProcessGroup> groups;

    std::vector<RawEvent> events; ///< name, track: local; ordinal: within the block
    std::vector<LocalCollective> collectives;
    std::vector<Transfer> transfers;
    std::vector<LocalInputs> operator_inputs;
    std::vector<std::pair<std::uint32_t, NameId>> launched_kernels; ///< ordinals and names, of captures
    std::vector<KernelOccupancy> occupancy;
    std::vector<FlowPoint> flow_points;
    std::vector<LocalMemorySample> memory_samples;
    std::vector<Instant> instants;
    std::vector<CounterSample> counters;
    std::vector<Edge> edges;
    std::vector<ThreadName> thread_names;
    std::vector<EventLocator::Mark> marks; ///< offset: within the bracketed text

    std::uint32_t element_count = 0; ///< objects in the array, whole or malformed
    std::uint32_t scalars = 0;       ///< elements that are neither objects nor arrays; malformed, without an ordinal
    /// Elements that are no event on the timeline, by reason; halves of events are counted when they are joined.
    std::array<std::uint32_t, kNotShownCount> not_shown{};
    void add(NotShown reason) { ++not_shown[static_cast<std::size_t>(reason)]; }
    /// Categories that the reader does not know, of events that say on which device and stream they ran; how many.
    std::vector<std::pair<std::string_view, std::uint32_t>> unknown_categories;
    std::int64_t negative_durations = 0;
    std::int64_t repaired =
        0; ///< 1 when the text was not strict JSON: bytes that are not UTF-8, raw control characters ...

    /// As new, but with the memory it has.
    void clear();
};

/// Parses consecutive elements of traceEvents, on one thread at a time. Keeps, as long as it lives, the memory that
/// parsing takes beside the text: six times the largest text, most of it never touched.
class EventParser {
public:
    /// of_capture: as ReadOptions has it.
    explicit EventParser(bool of_capture = false);
    ~EventParser();
    EventParser(const EventParser&) = delete;
    EventParser& operator=(const EventParser&) = delete;

    /// bracketed is "[element, element ...]". Never fails: what cannot be read is counted as malformed. memory: a block
    /// that is not needed any more. mark_each: each event is found again by a mark of its own.
    EventBlock parse(TextBuffer bracketed, EventBlock memory = {}, bool mark_each = false);

private:
    struct Memory;
    bool of_capture_;
    std::unique_ptr<Memory> memory_;
};

/// The objects in the bracketed text of an array, told apart by brackets and strings alone.
std::vector<std::string_view> array_elements(std::string_view bracketed);

} // namespace rankscope
