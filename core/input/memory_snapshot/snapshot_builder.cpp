// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/memory_snapshot/snapshot_builder.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "core/trace/plausible.h"

namespace rankscope {
namespace {

using Kind = PlainValue::Kind;

/// No GPU has as much.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;
/// Of all sizes together, so that sums of them fit 64 bits.
constexpr std::int64_t kMostBytesInAll = std::int64_t{1} << 61;
/// No host has as many.
constexpr std::int64_t kMostSnapshotDevices = 1024;
/// Keys and values of an entry: PyTorch writes fewer than 20 keys.
constexpr std::size_t kMostOfEntry = 256;
constexpr std::uint32_t kNoSegment = std::numeric_limits<std::uint32_t>::max();

std::optional<BlockState> block_state(std::string_view word) {
    if (word == "active_awaiting_free") // PyTorch before 2.1
        return BlockState::awaiting_free;
    for (std::size_t i = 0; i < kBlockStates; ++i)
        if (word == block_state_word(static_cast<BlockState>(i)))
            return static_cast<BlockState>(i);
    return std::nullopt;
}

MemoryAction memory_action(std::string_view word) {
    for (auto action = MemoryAction::alloc; action != MemoryAction::other;
         action = static_cast<MemoryAction>(static_cast<int>(action) + 1))
        if (word == memory_action_word(action))
            return action;
    return MemoryAction::other;
}

} // namespace

SnapshotBuilder::Node& SnapshotBuilder::node(const PlainValue& container) {
    if (container.container >= nodes_.size())
        nodes_.resize(container.container + 1);
    return nodes_[container.container];
}

bool SnapshotBuilder::append(const PlainValue& into, std::span<const PlainValue> values) {
    if (into.kind == Kind::list)
        return append_to_list(into, values);
    if (node(into).what != What::plain) {
        problem_ = "an entry is written in pieces"_text();
        return false;
    }
    if (!data_.append(into, values)) {
        problem_ = "too many values"_text();
        return false;
    }
    reduce_dict(into);
    return true;
}

bool SnapshotBuilder::append_to_list(const PlainValue& into, std::span<const PlainValue> values) {
    What element = What::plain;
    bool all_left_out = true;
    for (const PlainValue& value : values) {
        const bool container = value.kind == Kind::list || value.kind == Kind::dict;
        const What what = container ? node(value).what : What::plain;
        all_left_out = all_left_out && what == What::left_out;
        if (what != What::left_out && what != What::plain) {
            element = what;
            break;
        }
    }
    if (all_left_out)
        return true;
    // Entries stand in lists of their own.
    const auto is_container = [](const PlainValue& value) {
        return value.kind == Kind::list || value.kind == Kind::dict;
    };
    if (element != What::plain && !std::ranges::all_of(values, is_container)) {
        problem_ = "a list holds entries of several kinds"_text();
        return false;
    }
    Node& list = node(into);
    if (element == What::frame)
        return append_frames(list, values);
    if (element == What::block || element == What::segment || element == What::event || element == What::annotation)
        return append_entries(list, element, values);
    if (element == What::events)
        return append_traces(list, values);
    if (list.what == What::plain && data_.append(into, values))
        return true;
    problem_ = list.what == What::plain ? "too many values"_text() : "a list holds entries of several kinds"_text();
    return false;
}

bool SnapshotBuilder::append_entries(Node& list, What what, std::span<const PlainValue> values) {
    const What whole = what == What::block     ? What::blocks
                       : what == What::segment ? What::segments
                       : what == What::event   ? What::events
                                               : What::annotations;
    for (const PlainValue& value : values) {
        const Node& entry = node(value);
        if (entry.what == What::left_out)
            continue;
        if (list.what == What::plain)
            list = {whole, entry.first, 0};
        // Entries are numbered as they are written: a list of others was not written by PyTorch.
        if (entry.what != what || list.what != whole || entry.first != list.first + list.count) {
            problem_ = "a list does not hold the entries that stand in it"_text();
            return false;
        }
        ++list.count;
    }
    return true;
}

bool SnapshotBuilder::append_traces(Node& list, std::span<const PlainValue> values) {
    if (list.what == What::plain)
        list = {What::traces, static_cast<std::uint32_t>(traces_.size()), 0};
    for (const PlainValue& value : values) {
        const Node& of_device = node(value);
        if (list.what != What::traces || list.first + list.count != traces_.size() ||
            (of_device.what != What::events && of_device.what != What::plain)) {
            problem_ = "a list holds entries of several kinds"_text();
            return false;
        }
        if (of_device.count > 0 && of_device.first < traced_) {
            problem_ = "an event is of two devices"_text();
            return false;
        }
        traced_ = of_device.count > 0 ? of_device.first + of_device.count : traced_;
        traces_.emplace_back(of_device.first, of_device.count);
        ++list.count;
    }
    return true;
}

/// Frames that are none are left out. A stack that an entry has does not grow any more.
bool SnapshotBuilder::append_frames(Node& list, std::span<const PlainValue> values) {
    if (list.what == What::plain) {
        if (free_open_stacks_.empty()) {
            free_open_stacks_.push_back(static_cast<std::uint32_t>(open_stacks_.size()));
            open_stacks_.emplace_back();
        }
        list = {What::open_stack, free_open_stacks_.back(), 1};
        free_open_stacks_.pop_back();
    }
    if (list.what != What::open_stack) {
        problem_ = "an entry is written in pieces"_text();
        return false;
    }
    for (const PlainValue& value : values)
        if (const Node& frame = node(value); frame.what == What::frame)
            open_stacks_[list.first].push_back(frame.first);
    return true;
}

SnapshotStack SnapshotBuilder::stack_with(std::span<const std::uint32_t> frames) {
    std::uint64_t hash = seeded_hash(frames.size());
    for (const std::uint32_t frame : frames)
        hash = seeded_hash(hash, frame);
    std::vector<SnapshotStack>& alike = stacks_by_hash_[hash];
    for (const SnapshotStack stack : alike)
        if (std::ranges::equal(snapshot_.stack(stack), frames))
            return stack;
    snapshot_.stack_frames.insert(snapshot_.stack_frames.end(), frames.begin(), frames.end());
    snapshot_.stack_ends.push_back(snapshot_.stack_frames.size());
    alike.push_back(static_cast<SnapshotStack>(snapshot_.stack_ends.size() - 1));
    return alike.back();
}

std::optional<std::int64_t> SnapshotBuilder::number(const PlainValue& dict, std::string_view key) const {
    const PlainValue* value = data_.find(dict, key);
    return value == nullptr ? std::nullopt : PlainData::integer(*value);
}

NameId SnapshotBuilder::name(const PlainValue& dict, std::string_view key) {
    const PlainValue* value = data_.find(dict, key);
    return names_.intern(value == nullptr ? std::string_view() : PlainData::text(*value));
}

std::optional<std::int64_t> SnapshotBuilder::bytes_of(const PlainValue& dict, std::string_view key) {
    const auto size = number(dict, key);
    if (!size || *size < 0 || *size > kMostBytes || in_all_ + *size > kMostBytesInAll)
        return std::nullopt;
    in_all_ += *size;
    return size;
}

SnapshotStack SnapshotBuilder::stack_of(const PlainValue& dict) {
    const PlainValue* frames = data_.find(dict, "frames");
    if (frames == nullptr || frames->kind != Kind::list)
        return kNoStack;
    Node& list = node(*frames);
    if (list.what == What::open_stack) {
        std::vector<std::uint32_t> of = std::exchange(open_stacks_[list.first], {});
        free_open_stacks_.push_back(list.first);
        list = {What::stack, stack_with(of), 1};
    }
    return list.what == What::stack ? list.first : kNoStack;
}

void SnapshotBuilder::reduce_dict(const PlainValue& dict) {
    if (data_.items(dict).size() > kMostOfEntry)
        return; // looked at again with each key that is added
    Node made;
    if (const PlainValue* action = data_.find(dict, "action"))
        made = make_event(dict, *action);
    else if (data_.find(dict, "filename") != nullptr && data_.find(dict, "line") != nullptr)
        made = make_frame(dict);
    else if (data_.find(dict, "state") != nullptr && data_.find(dict, "size") != nullptr)
        made = make_block(dict);
    else if (data_.find(dict, "total_size") != nullptr)
        made = make_segment(dict);
    else if (data_.find(dict, "stage") != nullptr && data_.find(dict, "time_us") != nullptr)
        made = make_annotation(dict);
    else
        return;
    data_.release(dict);
    node(dict) = made;
}

SnapshotBuilder::Node SnapshotBuilder::left_out() {
    ++snapshot_.malformed;
    return {What::left_out, 0, 0};
}

SnapshotBuilder::Node SnapshotBuilder::make_frame(const PlainValue& dict) {
    SnapshotFrame frame{name(dict, "name"), name(dict, "filename"), 0};
    const std::int64_t line = number(dict, "line").value_or(0);
    frame.line = line >= 0 && line <= INT32_MAX ? static_cast<std::int32_t>(line) : 0;
    std::vector<std::uint32_t>& alike = frames_by_hash_[seeded_hash(frame.function, frame.file, frame.line)];
    for (const std::uint32_t known : alike)
        if (snapshot_.frames[known] == frame)
            return {What::frame, known, 1};
    alike.push_back(static_cast<std::uint32_t>(snapshot_.frames.size()));
    snapshot_.frames.push_back(frame);
    return {What::frame, alike.back(), 1};
}

SnapshotBuilder::Node SnapshotBuilder::make_block(const PlainValue& dict) {
    SnapshotBlock block;
    const auto bytes = bytes_of(dict, "size");
    const auto state = block_state(PlainData::text(*data_.find(dict, "state")));
    if (!bytes || !state)
        return left_out();
    block.bytes = *bytes;
    block.requested = bytes_of(dict, "requested_size").value_or(*bytes);
    block.state = *state;
    block.stack = stack_of(dict);
    block.segment = kNoSegment;
    snapshot_.blocks.push_back(block);
    return {What::block, static_cast<std::uint32_t>(snapshot_.blocks.size() - 1), 1};
}

/// Those that no segment has yet, up to the first that one has; they follow each other. How many they are.
std::uint32_t SnapshotBuilder::take_blocks(const Node& list, SnapshotSegment& segment) {
    segment.first_block = list.first;
    std::uint32_t count = 0;
    std::uint64_t at = segment.address;
    for (SnapshotBlock& block : std::span(snapshot_.blocks).subspan(list.first, list.count)) {
        if (block.segment != kNoSegment)
            break;
        block.segment = static_cast<std::uint32_t>(snapshot_.segments.size());
        block.address = at;
        at += static_cast<std::uint64_t>(block.bytes);
        ++count;
    }
    return count;
}

/// Blocks of no segment are nowhere.
void SnapshotBuilder::leave_out_loose_blocks() {
    std::vector<SnapshotBlock>& blocks = snapshot_.blocks;
    const auto is_loose = [](const SnapshotBlock& block) { return block.segment == kNoSegment; };
    if (std::ranges::none_of(blocks, is_loose))
        return;
    std::vector<std::uint32_t> place(blocks.size() + 1); // of each without the loose ones
    for (std::size_t i = 0; i < blocks.size(); ++i)
        place[i + 1] = place[i] + (is_loose(blocks[i]) ? 0 : 1);
    for (SnapshotSegment& segment : snapshot_.segments)
        segment.first_block = place[segment.first_block];
    snapshot_.malformed += static_cast<std::int64_t>(std::erase_if(blocks, is_loose));
}

SnapshotBuilder::Node SnapshotBuilder::make_segment(const PlainValue& dict) {
    SnapshotSegment segment;
    const auto bytes = bytes_of(dict, "total_size");
    const auto address = number(dict, "address");
    const std::int64_t device = number(dict, "device").value_or(0);
    if (!bytes || !address || device < 0 || device >= kMostSnapshotDevices)
        return left_out();
    segment.bytes = *bytes;
    segment.address = static_cast<std::uint64_t>(*address);
    segment.device = static_cast<std::int32_t>(device);
    segment.stream = number(dict, "stream").value_or(0);
    segment.stack = stack_of(dict);
    const PlainValue* type = data_.find(dict, "segment_type");
    segment.is_large = type != nullptr && PlainData::text(*type) == "large";
    const PlainValue* expandable = data_.find(dict, "is_expandable");
    segment.is_expandable = expandable != nullptr && expandable->kind == Kind::boolean && expandable->integer != 0;
    if (const PlainValue* pool = data_.find(dict, "segment_pool_id"); pool != nullptr)
        if (const auto ids = data_.items(*pool); pool->kind == Kind::list && ids.size() == 2) {
            segment.pool_first = PlainData::integer(ids[0]).value_or(0);
            segment.pool_second = PlainData::integer(ids[1]).value_or(0);
        }
    const auto index = static_cast<std::uint32_t>(snapshot_.segments.size());
    if (const PlainValue* blocks = data_.find(dict, "blocks"); blocks != nullptr && blocks->kind == Kind::list)
        if (const Node list = node(*blocks); list.what == What::blocks)
            segment.block_count = take_blocks(list, segment);
    snapshot_.segments.push_back(segment);
    return {What::segment, index, 1};
}

SnapshotBuilder::Node SnapshotBuilder::make_event(const PlainValue& dict, const PlainValue& action) {
    SnapshotEvent event;
    event.action = memory_action(PlainData::text(action));
    const bool oom = event.action == MemoryAction::out_of_memory;
    const auto bytes = bytes_of(dict, "size");
    const auto address = number(dict, oom ? "device_free" : "addr");
    const auto time_us = number(dict, "time_us");
    if (event.action == MemoryAction::other || !bytes || !address ||
        (time_us && (*time_us < 0 || *time_us > kLatestTime / 1000)))
        return left_out();
    // Older versions record no times: an event is then a microsecond after the one before it.
    event.time = time_us ? *time_us * 1000 : static_cast<TimeNs>(events_.size()) * 1000;
    event.bytes = *bytes;
    event.address = static_cast<std::uint64_t>(*address);
    event.stream = number(dict, "stream").value_or(0);
    event.stack = stack_of(dict);
    event.category = name(dict, "category");
    events_.push_back(event);
    return {What::event, static_cast<std::uint32_t>(events_.size() - 1), 1};
}

SnapshotBuilder::Node SnapshotBuilder::make_annotation(const PlainValue& dict) {
    const auto time_us = number(dict, "time_us");
    const std::string_view stage = PlainData::text(*data_.find(dict, "stage"));
    if (!time_us || *time_us < 0 || *time_us > kLatestTime / 1000 || (stage != "START" && stage != "END"))
        return left_out();
    snapshot_.annotations.push_back({*time_us * 1000, name(dict, "name"), stage == "START"});
    return {What::annotation, static_cast<std::uint32_t>(snapshot_.annotations.size() - 1), 1};
}

void SnapshotBuilder::take_settings(const PlainValue& dict) {
    const auto pairs = data_.items(dict);
    for (std::size_t i = 0; dict.kind == Kind::dict && i + 1 < pairs.size(); i += 2) {
        const std::string key(PlainData::text(pairs[i]));
        const PlainValue& value = pairs[i + 1];
        if (value.kind == Kind::text)
            snapshot_.settings[key] = PlainData::text(value);
        else if (value.kind == Kind::boolean)
            snapshot_.settings[key] = value.integer != 0 ? "true" : "false";
        else if (value.kind == Kind::integer)
            snapshot_.settings[key] = fmt::to_string(value.integer);
        else if (value.kind == Kind::real)
            snapshot_.settings[key] = fmt::to_string(value.real);
    }
}

Result<MemorySnapshot> SnapshotBuilder::take() {
    const PlainValue& root = data_.root();
    const PlainValue* segments = root.kind == Kind::list ? &root : data_.find(root, "segments");
    const auto is_list = [&](const PlainValue* value, What what) {
        return value != nullptr && value->kind == Kind::list &&
               (node(*value).what == what || (node(*value).what == What::plain && data_.items(*value).empty()));
    };
    if (!is_list(segments, What::segments))
        return input_error("it has no list of segments"_text);
    if (root.kind == Kind::dict) {
        if (const PlainValue* traces = data_.find(root, "device_traces");
            traces != nullptr && traces->kind == Kind::list && node(*traces).what == What::traces) {
            const Node list = node(*traces);
            for (std::uint32_t device = 0; device < list.count; ++device) {
                const auto [first, count] = traces_[list.first + device];
                if (count == 0)
                    continue;
                const auto from = events_.begin() + static_cast<std::ptrdiff_t>(first);
                if (device >= kMostSnapshotDevices) {
                    snapshot_.malformed += count;
                    continue;
                }
                const bool alone = count == events_.size();
                std::vector<SnapshotEvent> events = alone ? std::move(events_) : std::vector(from, from + count);
                std::ranges::stable_sort(events, {}, &SnapshotEvent::time);
                snapshot_.traces.emplace_back(static_cast<std::int32_t>(device), std::move(events));
            }
        }
        if (const PlainValue* settings = data_.find(root, "allocator_settings"))
            take_settings(*settings);
    }
    leave_out_loose_blocks();
    return std::move(snapshot_);
}

} // namespace rankscope
