// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the entries of a memory snapshot of the containers of its pickle, as they are filled.
#pragma once
#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/seeded_hash.h"
#include "core/input/flight_recorder/plain_data.h"
#include "core/trace/memory_snapshot.h"

namespace rankscope {

class SnapshotBuilder {
public:
    SnapshotBuilder(StringTable& names, const PlainLimits& limits) : names_(names), data_(limits) {}

    PlainData& data() { return data_; }
    PlainValue text(std::string_view characters) { return PlainData::view(names_.view(names_.intern(characters))); }
    /// Adds values to a container, which then may become an entry. False: problem() says why.
    bool append(const PlainValue& into, std::span<const PlainValue> values);
    [[nodiscard]] const Message& problem() const { return problem_; }

    /// When the pickle has ended. Error: it is no snapshot.
    Result<MemorySnapshot> take();

private:
    /// What became of a container: an entry, or the entries first, first + 1, ... of a list.
    enum class What : std::uint8_t {
        plain,
        frame,
        open_stack, ///< may still grow
        stack,
        block,
        segment,
        event,
        annotation,
        left_out,
        blocks,
        segments,
        events,
        annotations,
        traces,
    };
    struct Node {
        What what = What::plain;
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };
    Node& node(const PlainValue& container);
    bool append_to_list(const PlainValue& into, std::span<const PlainValue> values);
    bool append_entries(Node& list, What what, std::span<const PlainValue> values);
    bool append_traces(Node& list, std::span<const PlainValue> values);
    bool append_frames(Node& list, std::span<const PlainValue> values);
    void reduce_dict(const PlainValue& dict);
    [[nodiscard]] std::optional<std::int64_t> number(const PlainValue& dict, std::string_view key) const;
    /// Nothing: it is none, or impossible.
    std::optional<std::int64_t> bytes_of(const PlainValue& dict, std::string_view key);
    [[nodiscard]] NameId name(const PlainValue& dict, std::string_view key);
    SnapshotStack stack_of(const PlainValue& dict);
    Node make_frame(const PlainValue& dict);
    Node make_block(const PlainValue& dict);
    Node make_segment(const PlainValue& dict);
    Node make_event(const PlainValue& dict, const PlainValue& action);
    Node make_annotation(const PlainValue& dict);
    Node left_out();
    SnapshotStack stack_with(std::span<const std::uint32_t> frames);
    std::uint32_t take_blocks(const Node& list, SnapshotSegment& segment);
    void leave_out_loose_blocks();
    void take_settings(const PlainValue& dict);

    StringTable& names_;
    PlainData data_;
    Message problem_;
    MemorySnapshot snapshot_;
    std::int64_t in_all_ = 0; ///< all sizes so far
    std::deque<Node> nodes_;  ///< by number of the container; references to them stay valid as more are added
    std::vector<std::vector<std::uint32_t>> open_stacks_;         ///< frames
    std::vector<std::uint32_t> free_open_stacks_;                 ///< indices of those that are no longer needed
    std::vector<SnapshotEvent> events_;                           ///< of all devices
    std::vector<std::pair<std::uint32_t, std::uint32_t>> traces_; ///< first event and count, by device
    std::uint32_t traced_ = 0;                                    ///< events before this one are of a device
    NumberMap<std::uint64_t, std::vector<std::uint32_t>> frames_by_hash_;
    NumberMap<std::uint64_t, std::vector<SnapshotStack>> stacks_by_hash_;
};

} // namespace rankscope
