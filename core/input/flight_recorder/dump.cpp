// SPDX-License-Identifier: GPL-3.0-or-later
// From plain data to calls, groups and how far each got.
#include "core/input/flight_recorder/dump.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include <fmt/format.h>

#include "core/base/seeded_hash.h"
#include "core/base/text_match.h"
#include "core/input/flight_recorder/pickle.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

using Kind = PlainValue::Kind;

constexpr std::size_t kMostGroups = 1 << 16;
constexpr std::size_t kMostMembers = 1 << 20; ///< of one group
constexpr std::size_t kMostTensors = 256;     ///< of one call; of more the first are kept
constexpr std::size_t kMostFrames = 256;      ///< of one call
/// Steps and characters, beyond four for each value: 20 000 calls of 60 frames with the paths of usual packages take
/// less.
constexpr std::size_t kMostRecalled = std::size_t{256} << 20;

std::optional<int> small_number(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && number >= 0 && number <= kMostRanks
               ? std::optional(number)
               : std::nullopt;
}

/// "[0, 4, 8]" -> 0, 4, 8; empty when it is anything else.
std::vector<int> ranks_in_text(std::string_view text) {
    std::vector<int> ranks;
    while (!text.empty()) {
        const std::size_t begin = std::min(text.find_first_of("0123456789"), text.size());
        const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
        if (begin == text.size())
            break;
        const auto rank = small_number(text.substr(begin, end - begin));
        if (!rank || ranks.size() >= kMostMembers)
            return {};
        ranks.push_back(*rank);
        text.remove_prefix(end);
    }
    std::vector<int> sorted = ranks;
    std::ranges::sort(sorted);
    return std::ranges::adjacent_find(sorted) == sorted.end() ? ranks : std::vector<int>();
}

enum class Field {
    none,
    record,
    uid,
    group,
    group_name,
    collective_seq,
    p2p_seq,
    any_seq,
    name,
    created,
    input_sizes,
    input_types,
    output_sizes,
    output_types,
    state,
    started,
    completed,
    timeout,
    is_p2p,
    frames,
};

Field field_of(std::string_view key) {
    switch (key.size()) {
    case 5: return key == "pg_id" ? Field::uid : key == "state" ? Field::state : Field::none;
    case 6:
        return key == "seq_id"   ? Field::any_seq
               : key == "is_p2p" ? Field::is_p2p
               : key == "frames" ? Field::frames
                                 : Field::none;
    case 7: return key == "pg_name" ? Field::group_name : Field::none;
    case 9: return key == "record_id" ? Field::record : Field::none;
    case 10: return key == "p2p_seq_id" ? Field::p2p_seq : key == "timeout_ms" ? Field::timeout : Field::none;
    case 11: return key == "input_sizes" ? Field::input_sizes : Field::none;
    case 12:
        return key == "output_sizes" ? Field::output_sizes : key == "input_dtypes" ? Field::input_types : Field::none;
    case 13: return key == "process_group" ? Field::group : key == "output_dtypes" ? Field::output_types : Field::none;
    case 14: return key == "profiling_name" ? Field::name : Field::none;
    case 15: return key == "time_created_ns" ? Field::created : Field::none;
    case 17: return key == "collective_seq_id" ? Field::collective_seq : Field::none;
    case 26: return key == "time_discovered_started_ns" ? Field::started : Field::none;
    case 28: return key == "time_discovered_completed_ns" ? Field::completed : Field::none;
    default: return Field::none;
    }
}

class DumpReader {
public:
    explicit DumpReader(const PlainData& data) : data_(data), steps_left_(4 * data.value_count() + kMostRecalled) {
        dump_.stacks.emplace_back();
    }

    Result<ReadFlightRecorder> read() {
        const PlainValue& root = data_.root();
        const PlainValue* entries = data_.find(root, "entries");
        const PlainValue* groups = data_.find(root, "pg_config");
        if (root.kind != Kind::dict || (entries == nullptr && groups == nullptr))
            return input_error("it is no dump of the Flight Recorder: neither entries nor pg_config"_text);
        dump_.version = text_at(root, "version");
        dump_.nccl_version = text_at(root, "nccl_version");
        if (dump_.nccl_version.empty())
            dump_.nccl_version = text_at(root, "comm_lib_version"); // its name since 2.10
        if (groups != nullptr)
            read_groups(*groups);
        if (const PlainValue* statuses = data_.find(root, "pg_status"))
            read_statuses(*statuses);
        if (entries != nullptr)
            read_calls(*entries);
        if (steps_left_ == 0)
            return input_error("its values refer to each other too often"_text);
        ReadFlightRecorder result;
        result.left_out = left_out_;
        result.rank = rank(root);
        result.dump = std::move(dump_);
        return result;
    }

private:
    /// Values may occur in themselves: whatever is walked over is paid for.
    bool pay(std::size_t steps) {
        steps_left_ -= std::min(steps_left_, steps);
        return steps_left_ > 0;
    }
    std::span<const PlainValue> items(const PlainValue& value) {
        const auto found = data_.items(value);
        return pay(found.size() + 1) ? found : std::span<const PlainValue>();
    }
    [[nodiscard]] std::string text_at(const PlainValue& dict, std::string_view key) const {
        const PlainValue* value = data_.find(dict, key);
        return value == nullptr ? std::string() : label(*value);
    }
    /// A number, or a text of one as dumps in JSON have it.
    [[nodiscard]] static std::optional<std::int64_t> whole_number(const PlainValue& value) {
        const std::string_view text = text_of(value);
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        return !text.empty() && error == std::errc{} && end == text.data() + text.size() ? std::optional(number)
                                                                                         : PlainData::integer(value);
    }
    /// A text, or a number where some versions write one.
    [[nodiscard]] static std::string label(const PlainValue& value) {
        return value.kind == Kind::integer ? std::to_string(value.integer) : std::string(text_of(value));
    }
    /// Its beginning: a text of megabytes may be that of each call.
    [[nodiscard]] static std::string_view text_of(const PlainValue& value) {
        constexpr std::size_t kLongest = 4096;
        return PlainData::text(value).substr(0, kLongest);
    }

    void read_groups(const PlainValue& groups) {
        const auto pairs = items(groups);
        for (std::size_t i = 0; i + 1 < pairs.size() && dump_.groups.size() < kMostGroups; i += 2) {
            const PlainValue& config = pairs[i + 1];
            if (config.kind != Kind::dict || !pay(data_.items(config).size()))
                continue;
            FlightRecorderGroup group;
            group.name = text_at(config, "name");
            if (group.name.empty())
                group.name = label(pairs[i]);
            group.description = text_at(config, "desc");
            if (!pay(group.name.size() + group.description.size()))
                return;
            if (const PlainValue* ranks = data_.find(config, "ranks")) {
                if (pay(PlainData::text(*ranks).size()))
                    group.ranks = ranks_in_text(PlainData::text(*ranks));
                for (const PlainValue& rank : items(*ranks))
                    if (const auto number = PlainData::integer(rank); number && *number >= 0 && *number <= kMostRanks)
                        group.ranks.push_back(static_cast<int>(*number));
                std::ranges::sort(group.ranks); // as PyTorch counts the ranks of a group
            }
            const auto number = static_cast<std::uint32_t>(dump_.groups.size());
            group_numbers_.emplace(group_key(group.name, group.description), number);
            if (const auto [known, added] = group_of_name_.emplace(group.name, number); !added)
                known->second = std::nullopt;
            dump_.groups.push_back(std::move(group));
        }
        // A default group without members is everybody.
        std::vector<int> all;
        for (const FlightRecorderGroup& group : dump_.groups)
            all.insert(all.end(), group.ranks.begin(), group.ranks.end());
        std::ranges::sort(all);
        const auto repeated = std::ranges::unique(all);
        all.erase(repeated.begin(), repeated.end());
        for (FlightRecorderGroup& group : dump_.groups)
            if (group.ranks.empty() && (group.description == "default_pg" || group.name == "0") && pay(all.size()))
                group.ranks = all;
    }

    void read_statuses(const PlainValue& statuses) {
        const auto pairs = items(statuses);
        for (std::size_t i = 0; i + 1 < pairs.size() && dump_.statuses.size() < kMostGroups; i += 2) {
            const PlainValue& status = pairs[i + 1];
            if (status.kind != Kind::dict || !pay(data_.items(status).size()))
                continue;
            const auto number = [&](std::string_view key) {
                const PlainValue* value = data_.find(status, key);
                return value == nullptr ? kNoCall : whole_number(*value).value_or(kNoCall);
            };
            dump_.statuses.push_back({label(pairs[i]), number("last_enqueued_collective"),
                                      number("last_started_collective"), number("last_completed_collective")});
            if (!pay(dump_.statuses.back().uid.size()))
                return;
        }
    }

    void read_calls(const PlainValue& entries) {
        const auto list = items(entries);
        dump_.calls.reserve(list.size());
        for (const PlainValue& entry : list)
            if (entry.kind != Kind::dict || !read_call(entry))
                ++left_out_;
        if (!std::ranges::is_sorted(dump_.calls, {}, &FlightRecorderCall::record))
            std::ranges::stable_sort(dump_.calls, {}, &FlightRecorderCall::record);
        settle_batches();
        for (const FlightRecorderCall& call : dump_.calls)
            dump_.last_time = std::max({dump_.last_time, call.created, call.started, call.completed});
    }

    bool read_call(const PlainValue& entry) {
        FlightRecorderCall call;
        call.record = static_cast<std::int64_t>(dump_.calls.size());
        std::string_view name, state;
        const PlainValue *group = nullptr, *group_name = nullptr, *uid_value = nullptr, *frames = nullptr;
        std::optional<std::int64_t> collective, message, either;
        std::array<const PlainValue*, 4> tensors{};
        const auto pairs = items(entry);
        for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
            const PlainValue& value = pairs[i + 1];
            switch (field_of_key(pairs[i])) {
            case Field::record: call.record = PlainData::integer(value).value_or(call.record); break;
            case Field::uid: uid_value = &value; break;
            case Field::group: group = &value; break;
            case Field::group_name: group_name = &value; break; // of old versions
            case Field::collective_seq: collective = sequence(value); break;
            case Field::p2p_seq: message = sequence(value); break;
            case Field::any_seq: either = sequence(value); break; // of old versions
            case Field::name: name = text_of(value); break;
            case Field::created: call.created = time(value); break;
            case Field::started: call.started = time(value); break;
            case Field::completed: call.completed = time(value); break;
            case Field::input_sizes: tensors[0] = &value; break;
            case Field::output_sizes: tensors[1] = &value; break;
            case Field::input_types: tensors[2] = &value; break;
            case Field::output_types: tensors[3] = &value; break;
            case Field::state: state = PlainData::text(value); break;
            case Field::timeout: call.timeout_ms = std::max<std::int64_t>(0, sequence(value)); break;
            case Field::is_p2p: call.is_p2p = value.kind == Kind::boolean && value.integer != 0; break;
            case Field::frames: frames = &value; break;
            case Field::none: break;
            }
        }
        call.collective_seq = collective.value_or(either.value_or(0));
        call.p2p_seq = message.value_or(either.value_or(0));
        const PlainValue* const named = group != nullptr ? group : group_name;
        if (name.empty() || (named == nullptr && uid_value == nullptr) || call.collective_seq < 0 || call.p2p_seq < 0)
            return false;
        const auto known = named == nullptr ? group_number(*uid_value, nullptr) : group_of(*named);
        if (!known)
            return false;
        call.group = *known;
        if (uid_value != nullptr && dump_.groups[call.group].uid.empty())
            dump_.groups[call.group].uid = label(*uid_value);
        call.state = state == "completed" || call.completed != 0 ? CallState::completed
                     : state == "started" || call.started != 0   ? CallState::started
                                                                 : CallState::scheduled;
        read_name(name, call);
        call.tensors = tensor_number(tensors);
        call.frames = frames == nullptr ? 0 : stack_number(*frames);
        dump_.calls.push_back(call);
        return true;
    }

    /// Pickles recall their keys: the same characters in the same place are the same field.
    Field field_of_key(const PlainValue& key) {
        const std::string_view text = PlainData::text(key);
        constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15;
        const auto place = reinterpret_cast<std::uintptr_t>(text.data()) * kSpread >> 57;
        KnownKey& known = known_keys_[place];
        if (known.text.data() != text.data() || known.text.size() != text.size())
            known = {text, field_of(text)};
        return known.field;
    }

    static std::int64_t sequence(const PlainValue& value) {
        const auto number = PlainData::integer(value);
        return number && *number >= 0 && *number < (std::int64_t{1} << 53) ? *number : kNoCall;
    }
    static TimeNs time(const PlainValue& value) {
        const auto number = PlainData::integer(value);
        return number && *number > 0 && is_plausible_time(*number) ? *number : 0;
    }

    /// Of name and description, with no doubt where the one ends.
    static std::string group_key(std::string_view name, std::string_view description) {
        return fmt::format("{} {}{}", name.size(), name, description);
    }
    /// A name and a description, or the name alone: then the only group that is called so.
    std::optional<std::uint32_t> group_of(const PlainValue& value) {
        const auto parts = items(value);
        if (parts.size() > 1)
            return group_number(parts[0], &parts[1]);
        const PlainValue& name = parts.empty() ? value : parts[0];
        const auto known = group_of_name_.find(label(name));
        return known != group_of_name_.end() && known->second ? known->second : group_number(name, nullptr);
    }
    std::optional<std::uint32_t> group_number(const PlainValue& name, const PlainValue* description) {
        const std::string_view name_text = text_of(name);
        const std::string_view description_text = description == nullptr ? std::string_view() : text_of(*description);
        if (last_number_ && !name_text.empty() && name_text == last_group_.first &&
            description_text == last_group_.second)
            return last_number_;
        std::string of_name = label(name),
                    of_description = description == nullptr ? std::string() : label(*description);
        const auto [known, added] = group_numbers_.try_emplace(group_key(of_name, of_description),
                                                               static_cast<std::uint32_t>(dump_.groups.size()));
        if (added) {
            if (dump_.groups.size() >= kMostGroups || !pay(of_name.size() + of_description.size())) {
                group_numbers_.erase(known);
                return std::nullopt;
            }
            dump_.groups.push_back({std::move(of_name), std::move(of_description), {}, {}});
        }
        last_group_ = {name_text, description_text};
        last_number_ = known->second;
        return last_number_;
    }

    /// "nccl:send 0->3": the kind, and between which ranks of the group.
    void read_name(std::string_view name, FlightRecorderCall& call) {
        if (const std::size_t colon = name.find(':'); colon != std::string_view::npos)
            name.remove_prefix(colon + 1);
        const std::size_t space = std::min(name.find(' '), name.size());
        std::string_view word = name.substr(0, space);
        const std::string_view rest = name.substr(std::min(space + 1, name.size()));
        if (word == "send" || word == "recv") {
            const bool sends = word == "send";
            const std::size_t arrow = rest.find(sends ? "->" : "<-");
            if (arrow != std::string_view::npos) {
                const int own = small_number(rest.substr(0, arrow)).value_or(-1);
                const int other = small_number(rest.substr(arrow + 2)).value_or(-1);
                if (own >= 0 && other >= 0) {
                    call.source = sends ? own : other;
                    call.destination = sends ? other : own;
                    call.is_p2p = true;
                }
            }
        }
        constexpr std::size_t kLongest = 256;
        word = word.substr(0, kLongest);
        const auto known = kind_numbers_.find(word);
        if (known != kind_numbers_.end()) {
            call.kind = known->second;
            return;
        }
        call.kind = static_cast<std::uint32_t>(dump_.kinds.size());
        dump_.kinds.emplace_back(word);
        kind_numbers_.emplace(std::string(word), call.kind);
    }

    /// Lists of sizes and of types, once for all calls that have the same.
    std::uint32_t tensor_number(const std::array<const PlainValue*, 4>& lists) {
        key_.clear();
        const auto add = [&](std::int64_t number) {
            key_.append(reinterpret_cast<const char*>(&number), sizeof number);
        };
        for (const PlainValue* list : lists) {
            const auto all = list == nullptr ? std::span<const PlainValue>() : items(*list);
            const auto kept = all.first(std::min(all.size(), kMostTensors));
            add(static_cast<std::int64_t>(kept.size()));
            for (const PlainValue& tensor : kept) {
                const auto sizes = items(tensor);
                const auto text = PlainData::text(tensor).substr(0, 64);
                add(static_cast<std::int64_t>(std::min(sizes.size(), kMostTensors)));
                for (const PlainValue& size : sizes.first(std::min(sizes.size(), kMostTensors)))
                    add(PlainData::integer(size).value_or(kNoCall));
                add(static_cast<std::int64_t>(text.size()));
                key_.append(text);
            }
        }
        if (key_ == last_tensors_.first)
            return last_tensors_.second;
        const auto [known, added] = tensor_numbers_.try_emplace(key_, static_cast<std::uint32_t>(dump_.tensors.size()));
        if (added)
            dump_.tensors.push_back(tensors_of(lists));
        last_tensors_ = {key_, known->second};
        return known->second;
    }
    FlightRecorderTensors tensors_of(const std::array<const PlainValue*, 4>& lists) {
        FlightRecorderTensors tensors;
        const auto each = [&](const PlainValue* list, auto&& use) {
            const auto all = list == nullptr ? std::span<const PlainValue>() : items(*list);
            for (const PlainValue& tensor : all.first(std::min(all.size(), kMostTensors)))
                use(tensor);
        };
        const auto sizes = [&](std::vector<std::vector<std::int64_t>>& into) {
            return [&](const PlainValue& tensor) {
                const auto all = items(tensor);
                std::vector<std::int64_t>& shape = into.emplace_back();
                for (const PlainValue& size : all.first(std::min(all.size(), kMostTensors)))
                    shape.push_back(PlainData::integer(size).value_or(kNoCall));
            };
        };
        const auto types = [](std::vector<std::string>& into) {
            return [&](const PlainValue& tensor) { into.emplace_back(PlainData::text(tensor).substr(0, 64)); };
        };
        each(lists[0], sizes(tensors.inputs));
        each(lists[1], sizes(tensors.outputs));
        each(lists[2], types(tensors.input_types));
        each(lists[3], types(tensors.output_types));
        return tensors;
    }

    /// Stacks share their frames, and calls their stacks: each is looked at once.
    std::uint32_t stack_number(const PlainValue& frames) {
        std::vector<std::uint32_t> numbers;
        const auto all = items(frames);
        for (const PlainValue& frame : all.first(std::min(all.size(), kMostFrames)))
            if (frame.kind == Kind::dict)
                numbers.push_back(frame_number(frame));
        if (numbers.empty() || !pay(numbers.size()))
            return 0;
        key_.assign(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof numbers.front());
        const auto [known, added] = stack_numbers_.try_emplace(key_, static_cast<std::uint32_t>(dump_.stacks.size()));
        if (added) {
            auto& stack = dump_.stacks.emplace_back();
            for (const std::uint32_t number : numbers)
                if (const FlightRecorderFrame& frame = frames_[number]; pay(frame.name.size() + frame.file.size()))
                    stack.push_back(frame);
        }
        return known->second;
    }
    std::uint32_t frame_number(const PlainValue& frame) {
        const auto [seen, first] = frame_of_container_.try_emplace(frame.container, 0);
        if (!first || !pay(data_.items(frame).size()))
            return seen->second;
        FlightRecorderFrame read;
        read.name = text_at(frame, "name");
        read.file = text_at(frame, "filename");
        if (const PlainValue* line = data_.find(frame, "line"))
            read.line = PlainData::integer(*line).value_or(0);
        pay(read.name.size() + read.file.size());
        const auto [known, added] = frame_numbers_.try_emplace(
            fmt::format("{}\n{}\n{}", read.name, read.file, read.line), static_cast<std::uint32_t>(frames_.size()));
        if (added)
            frames_.push_back(std::move(read));
        return seen->second = known->second;
    }

    /// Calls made together have no state of their own: it is that of the entry "coalesced" which ends the batch.
    void settle_batches() {
        const auto coalesced = kind_numbers_.find(std::string_view("coalesced"));
        if (coalesced == kind_numbers_.end())
            return;
        for (std::size_t i = 0; i < dump_.calls.size(); ++i) {
            const FlightRecorderCall& batch = dump_.calls[i];
            if (batch.kind != coalesced->second)
                continue;
            constexpr std::size_t kLongestBatch = 4096;
            for (std::size_t k = i; k > 0 && i - k < kLongestBatch;) {
                FlightRecorderCall& call = dump_.calls[--k];
                if (call.group != batch.group || call.is_p2p != batch.is_p2p || call.p2p_seq != batch.p2p_seq ||
                    call.collective_seq != batch.collective_seq)
                    break;
                call.state = std::max(call.state, batch.state);
                call.started = std::max(call.started, batch.started);
                call.completed = std::max(call.completed, batch.completed);
            }
        }
    }

    /// The only rank that belongs to all groups.
    [[nodiscard]] std::optional<int> rank(const PlainValue& root) const {
        if (const PlainValue* said = data_.find(root, "rank"))
            if (const auto number = PlainData::integer(*said); number && *number >= 0 && *number <= kMostRanks)
                return static_cast<int>(*number);
        std::optional<std::vector<int>> common;
        for (const FlightRecorderGroup& group : dump_.groups) {
            if (group.ranks.empty())
                continue;
            std::vector<int> members = group.ranks;
            std::ranges::sort(members);
            if (!common) {
                common = std::move(members);
                continue;
            }
            std::erase_if(*common, [&](int rank) { return !std::ranges::binary_search(members, rank); });
        }
        return common && common->size() == 1 ? std::optional(common->front()) : std::nullopt;
    }

    struct KnownKey {
        std::string_view text;
        Field field = Field::none;
    };
    std::array<KnownKey, 128> known_keys_;

    const PlainData& data_;
    std::size_t steps_left_;
    std::int64_t left_out_ = 0;
    FlightRecorderDump dump_;
    TextMap<std::string, std::uint32_t> group_numbers_;
    TextMap<std::string, std::optional<std::uint32_t>> group_of_name_; ///< nothing: several are called so
    std::pair<std::string_view, std::string_view> last_group_;
    std::optional<std::uint32_t> last_number_; ///< of last_group_
    TextMap<std::string, std::uint32_t> kind_numbers_;
    TextMap<std::string, std::uint32_t> tensor_numbers_;
    std::pair<std::string, std::uint32_t> last_tensors_;
    TextMap<std::string, std::uint32_t> stack_numbers_;
    std::vector<FlightRecorderFrame> frames_;
    NumberMap<std::uint64_t, std::uint32_t> frame_of_container_;
    TextMap<std::string, std::uint32_t> frame_numbers_;
    std::string key_;
};

} // namespace

Result<ReadFlightRecorder> FlightRecorderReader::read(std::string_view bytes, const PlainLimits& limits) {
    if (begins_as_pickle(bytes)) {
        const auto data = pickles_.read(bytes, limits);
        if (!data)
            return tl::unexpected(data.error());
        return DumpReader(**data).read();
    }
    const auto data = parse_plain_json(bytes, limits);
    if (!data)
        return tl::unexpected(data.error());
    return DumpReader(*data).read();
}

Result<ReadFlightRecorder> read_flight_recorder(std::string_view bytes) { return FlightRecorderReader().read(bytes); }

bool begins_as_dump(std::string_view beginning) {
    if (begins_as_pickle(beginning))
        return contains(beginning, "pg_config") || contains(beginning, "entries") ||
               (contains(beginning, "version") && contains(beginning, "nccl"));
    const std::size_t first = beginning.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && beginning[first] == '{' && !contains(beginning, "\"traceEvents\"") &&
           (contains(beginning, "\"pg_config\"") || contains(beginning, "\"record_id\"") ||
            contains(beginning, "\"collective_seq_id\""));
}

} // namespace rankscope
