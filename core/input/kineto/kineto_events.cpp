// SPDX-License-Identifier: GPL-3.0-or-later
// One block of Kineto events, by simdjson On-Demand: each event's fields once, in the order they are written, and of
// the arguments only what the analyses need. Numbers are read from their text, so times stay exact.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include <simdjson.h>

#include "core/input/bytes/text_numbers.h"
#include "core/input/kineto/event_block.h"
#include "core/input/kineto/json_text.h"
#include "core/input/kineto/kineto_words.h"
#include "core/input/kineto/torn_events.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

namespace od = simdjson::ondemand;

/// Marks are this many events apart: reading one event back parses at most so many.
constexpr std::uint32_t kMarkStride = 64;

/// True when the key, as written in the text behind its opening quote, is this word. The text's padding makes reading
/// a little beyond its end harmless.
template <std::size_t N>
bool is_key(const char* raw, const char (&word)[N]) {
    return std::memcmp(raw, word, N - 1) == 0 && raw[N - 1] == '"';
}
bool is_key(const char* raw, std::string_view word) {
    return raw[word.size()] == '"' && same_text({raw, word.size()}, word);
}

std::int64_t integer_or(std::string_view token, std::int64_t fallback) {
    return token.empty() ? fallback : parse_integer(token).value_or(fallback);
}

/// Nothing where it is no time, or none that a clock shows.
std::optional<TimeNs> time_of(std::string_view token) {
    const auto time = parse_microseconds(token);
    return time && is_plausible_time(*time) ? time : std::nullopt;
}

float float_or_nan(std::string_view token) {
    const auto value = token.empty() ? std::optional<double>{} : parse_number(token);
    return value ? static_cast<float>(*value) : std::numeric_limits<float>::quiet_NaN();
}

/// "ProfilerStep#12": a step by its name. PyTorch 1.8 and 1.9 wrote it as an operator.
bool is_step_name(std::string_view name) {
    constexpr std::string_view kPrefix = "ProfilerStep#";
    return name.starts_with(kPrefix) && parse_integer(name.substr(kPrefix.size())).value_or(-1) >= 0;
}

/// "[0, 4]" -> {0, 4}; with an ellipsis, or anything else that is not a whole list: empty.
std::vector<int> ranks_of(std::string_view text) {
    std::vector<int> ranks;
    if (!text.starts_with('[') || !text.ends_with(']'))
        return {};
    text = text.substr(1, text.size() - 2);
    while (!trimmed(text).empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const auto rank = parse_integer(text.substr(0, comma));
        if (!rank || *rank < 0 || *rank > kMostRanks)
            return {};
        ranks.push_back(static_cast<int>(*rank));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return ranks;
}

/// Parses the events of one block into an EventBlock.
class BlockParser {
public:
    BlockParser(EventBlock& block, bool of_capture, std::uint32_t mark_stride = kMarkStride)
        : block_(block), of_capture_(of_capture), mark_stride_(mark_stride) {}

    /// Behind the text there is memory for simdjson's padding. Error: where the text stopped being JSON; events before
    /// that are in.
    simdjson::error_code parse(std::string_view bracketed, od::parser& parser) {
        // Texts differ by some bytes: as much as a little larger one needs, or each would have memory of its own.
        if (parser.capacity() < bracketed.size())
            if (const auto error = parser.allocate(std::bit_ceil(bracketed.size())))
                return error;
        od::document document;
        if (const auto error =
                parser.iterate(bracketed.data(), bracketed.size(), bracketed.size() + simdjson::SIMDJSON_PADDING)
                    .get(document))
            return error;
        od::array elements;
        if (const auto error = document.get_array().get(elements))
            return error;
        for (auto element : elements) {
            od::value value;
            if (const auto error = element.get(value))
                return error;
            const std::string_view token = value.raw_json_token();
            if (!token.starts_with('{'))
                return simdjson::INCORRECT_TYPE;
            if (block_.element_count % mark_stride_ == 0)
                block_.marks.push_back(
                    {block_.element_count, static_cast<std::uint64_t>(token.data() - bracketed.data())});
            od::object object;
            if (const auto error = value.get_object().get(object))
                return error;
            if (const auto error = parse_event(object))
                return error;
            ++block_.element_count;
        }
        return simdjson::SUCCESS;
    }

private:
    struct Fields {
        char phase = 0; ///< 0: none, or longer than one character
        EventKind kind = EventKind::other;
        std::string_view category, name, process, thread, time, duration, id; ///< category and name without quotes
    };

    simdjson::error_code parse_event(od::object& object) {
        Fields fields;
        forget_args();
        bool args_read = false;
        bool args_seen = false;
        for (auto field_result : object) {
            od::field field;
            if (const auto error = std::move(field_result).get(field))
                return error;
            const char* key = field.key().raw();
            const auto token = [&] { return trimmed(field.value().raw_json_token()); };
            switch (key[0]) {
            case 'p':
                if (is_key(key, "ph")) {
                    const std::string_view phase = unquoted(token());
                    fields.phase = phase.size() == 1 ? phase[0] : '\0';
                } else if (is_key(key, "pid")) {
                    fields.process = token();
                }
                break;
            case 't':
                if (is_key(key, "ts"))
                    fields.time = token();
                else if (is_key(key, "tid"))
                    fields.thread = token();
                break;
            case 'c':
                if (is_key(key, "cat")) {
                    fields.category = unquoted(token());
                    fields.kind = kind_of_category(fields.category);
                }
                break;
            case 'n':
                if (is_key(key, "name"))
                    fields.name = unquoted(token());
                break;
            case 'd':
                if (is_key(key, "dur"))
                    fields.duration = token();
                break;
            case 'i':
                if (is_key(key, "id"))
                    fields.id = token();
                break;
            case 'a':
                if (is_key(key, "args")) {
                    args_seen = true;
                    if (fields.phase != 0 && !fields.category.empty() && !fields.name.empty()) {
                        if (const auto error = read_args(field.value(), fields))
                            return error;
                        args_read = true;
                    }
                }
                break;
            default: break;
            }
        }
        if (args_seen && !args_read) {
            // The arguments came before what tells whether they matter: read them now.
            if (const auto error = object.reset().error())
                return error;
            od::value value;
            if (const auto error = object["args"].get(value))
                return error;
            if (const auto error = read_args(value, fields))
                return error;
        }
        store(fields);
        return simdjson::SUCCESS;
    }

    using Arg = std::string_view KinetoArgs::*;
    void set_arg(Arg arg, std::string_view value) {
        args_.*arg = value;
        given_args_.push_back(arg);
    }
    void forget_args() {
        for (const Arg arg : given_args_)
            args_.*arg = {};
        given_args_.clear();
    }

    /// Which arguments an event is read for.
    enum class Need { none, external_id, ids, place, all };
    [[nodiscard]] Need need_of(const Fields& fields) const {
        if (fields.phase == 's' || fields.phase == 't' || fields.phase == 'f')
            return Need::none;
        if (fields.phase != 'X' && fields.phase != 'B' && fields.phase != 'b')
            return Need::all;
        switch (fields.kind) {
        case EventKind::kernel:
        case EventKind::memcpy:
        case EventKind::memset:
        case EventKind::gpu_sync:
        case EventKind::cpu_op: return Need::all;
        case EventKind::annotation:
            // Of annotations only those around collectives carry more than an id.
            return fields.name.starts_with("nccl:") ? Need::all : Need::external_id;
        case EventKind::runtime:
        case EventKind::driver: return of_capture_ || may_be_device_work(fields.category) ? Need::all : Need::ids;
        case EventKind::other: return Need::place;
        default: return Need::none;
        }
    }

    simdjson::error_code read_args(od::value value, const Fields& fields) {
        const Need need = need_of(fields);
        if (need == Need::none)
            return simdjson::SUCCESS;
        od::object object;
        if (value.get_object().get(object) != simdjson::SUCCESS)
            return simdjson::SUCCESS; // "args": null and the like
        if (fields.phase == 'C')
            return read_counter_values(object);
        for (auto field_result : object) {
            od::field field;
            if (const auto error = std::move(field_result).get(field))
                return error;
            const char* key = field.key().raw();
            if (need == Need::all) {
                for (const ArgKey& known : arg_keys_with(key[0]))
                    if (is_key(key, known.key)) {
                        set_arg(known.field, raw_value(field));
                        break;
                    }
                continue;
            }
            if (need == Need::place) {
                if (is_key(key, "device"))
                    set_arg(&KinetoArgs::device, trimmed(field.value().raw_json_token()));
                else if (is_key(key, "stream"))
                    set_arg(&KinetoArgs::stream, trimmed(field.value().raw_json_token()));
                continue;
            }
            if (is_key(key, "External id") || is_key(key, "External Id"))
                set_arg(&KinetoArgs::external_id, trimmed(field.value().raw_json_token()));
            else if (is_key(key, "correlation"))
                set_arg(&KinetoArgs::correlation, trimmed(field.value().raw_json_token()));
            if (!args_.external_id.empty() && (need == Need::external_id || !args_.correlation.empty()))
                break;
        }
        return simdjson::SUCCESS;
    }

    simdjson::error_code read_counter_values(od::object& object) {
        counter_values_.clear();
        for (auto field_result : object) {
            od::field field;
            if (const auto error = std::move(field_result).get(field))
                return error;
            std::string_view key;
            if (const auto error = field.unescaped_key().get(key))
                return error;
            block_.storage.emplace_back(key);
            counter_values_.push_back({block_.storage.back(), field.value().raw_json_token()});
        }
        return simdjson::SUCCESS;
    }

    /// Text of a value; of lists the whole text.
    static std::string_view raw_value(od::field& field) {
        const std::string_view token = field.value().raw_json_token();
        if (token.starts_with('[')) {
            od::array list;
            std::string_view text;
            if (field.value().get_array().get(list) == simdjson::SUCCESS &&
                list.raw_json().get(text) == simdjson::SUCCESS)
                return trimmed(text);
        }
        return trimmed(token);
    }

    void store(const Fields& fields) {
        switch (fields.phase) {
        case 'X': store_complete(fields); break;
        case 's':
        case 'f':
            if (fields.category.starts_with("fwdbwd"))
                store_flow(fields);
            else
                block_.add(NotShown::flows);
            break;
        case 't': block_.add(NotShown::flows); break;
        case 'i':
        case 'I':
        case 'R': store_instant(fields); break;
        case 'M':
            if (fields.name == "thread_name" && !args_.name.empty())
                block_.thread_names.push_back(
                    {unquoted(fields.process), unquoted(fields.thread), unescaped(unquoted(args_.name))});
            block_.add(NotShown::metadata);
            break;
        case 'C': store_counter(fields); break;
        case 'B':
        case 'E':
        case 'b':
        case 'e': store_edge(fields); break;
        case '\0': block_.add(NotShown::malformed); break;
        // Phases that no tool of this field writes: samples, objects, marks of nested async events.
        default: block_.add(NotShown::not_understood); break;
        }
    }

    /// Of an event that carries a device and a stream.
    EventKind kind_on_stream(const Fields& fields) {
        if (is_launch_call(fields.kind) && may_be_device_work(fields.category))
            return EventKind::kernel;
        if (fields.kind == EventKind::other && !fields.category.empty() && !is_other_on_purpose(fields.category))
            note_unknown(fields.category);
        return fields.kind;
    }

    void note_unknown(std::string_view category) {
        constexpr std::size_t kMost = 16; // of a block; what comes after is counted with the last
        auto& known = block_.unknown_categories;
        auto at = std::ranges::find(known, category, &std::pair<std::string_view, std::uint32_t>::first);
        if (at == known.end() && known.size() == kMost)
            --at;
        if (at == known.end())
            at = known.insert(known.end(), {category, 0});
        ++at->second;
    }

    std::optional<RawEvent> event_of(const Fields& fields) {
        const auto start = time_of(fields.time);
        if (!start) {
            block_.add(NotShown::malformed);
            return {};
        }
        RawEvent event;
        event.start = *start;
        event.ordinal = block_.element_count;
        event.kind = fields.kind;
        if (integer_or(args_.device, kUnknown) >= 0 && integer_or(args_.stream, kUnknown) >= 0)
            event.kind = kind_on_stream(fields);
        if ((event.kind == EventKind::cpu_op || event.kind == EventKind::other) && is_step_name(fields.name))
            event.kind = EventKind::annotation;
        // MTIA's copies are events of the same category.
        if (event.kind == EventKind::kernel && fields.name.starts_with("dma") && fields.category == "mtia_ccp_events")
            event.kind = EventKind::memcpy;
        event.name = local_name(fields.name);
        event.correlation = integer_or(args_.correlation, kUnknown);
        event.external_id = integer_or(args_.external_id, kUnknown);
        const bool on_gpu = is_gpu_work(event.kind) || event.kind == EventKind::gpu_sync;
        event.track = local_track(unquoted(fields.process), unquoted(fields.thread),
                                  on_gpu ? integer_or(args_.device, kUnknown) : kUnknown,
                                  on_gpu ? integer_or(args_.stream, kUnknown) : kUnknown);
        return event;
    }

    void store_complete(const Fields& fields) {
        auto event = event_of(fields);
        if (!event)
            return;
        // Without a duration the event is an instant that only claims to be complete.
        const auto duration = fields.duration.empty() ? std::optional<TimeNs>{} : parse_microseconds(fields.duration);
        if (!duration) {
            block_.add(NotShown::malformed);
            return;
        }
        if (*duration < 0)
            ++block_.negative_durations;
        event->duration = std::max<TimeNs>(0, *duration);
        if (event->duration >= kLatestTime - event->start) {
            block_.add(NotShown::malformed);
            return;
        }
        block_.events.push_back(*event);
        store_side_tables(*event);
    }

    void store_side_tables(const RawEvent& event) {
        if (!args_.collective.empty())
            store_collective(event.ordinal);
        if (event.kind == EventKind::cpu_op && !(args_.dims.empty() && args_.flops.empty()))
            store_inputs(event.ordinal);
        if (of_capture_ && is_launch_call(event.kind) && !args_.kernel.empty())
            block_.launched_kernels.emplace_back(event.ordinal, local_name(unquoted(args_.kernel)));
        if (event.kind == EventKind::memcpy || event.kind == EventKind::memset) {
            if (!args_.bytes.empty() || !args_.bandwidth.empty())
                block_.transfers.push_back(
                    {event.ordinal, integer_or(args_.bytes, kUnknown), parse_number(args_.bandwidth).value_or(0)});
        }
        if (event.kind == EventKind::kernel && !(args_.blocks_per_sm.empty() && args_.occupancy.empty()))
            block_.occupancy.push_back(
                {event.ordinal, float_or_nan(args_.blocks_per_sm), float_or_nan(args_.occupancy)});
    }

    void store_inputs(std::uint32_t ordinal) {
        OperatorInputs inputs;
        inputs.dims = local_name(args_.dims);
        inputs.types = local_name(args_.types);
        inputs.concrete = local_name(args_.concrete);
        inputs.strides = local_name(args_.strides);
        inputs.flops = integer_or(args_.flops, kUnknown);
        inputs.sequence = integer_or(args_.sequence_number, kUnknown);
        block_.operator_inputs.push_back({ordinal, inputs});
    }

    void store_collective(std::uint32_t ordinal) {
        CollectiveArgs args;
        args.collective = local_name(unquoted(args_.collective));
        args.dtype = local_name(unquoted(args_.dtype));
        args.in_elements = integer_or(args_.in_elements, kUnknown);
        args.out_elements = integer_or(args_.out_elements, kUnknown);
        args.group_size = integer_or(args_.group_size, kUnknown);
        args.source_rank = static_cast<std::int32_t>(integer_or(args_.source_rank, -1));
        args.destination_rank = static_cast<std::int32_t>(integer_or(args_.destination_rank, -1));
        args.in_split = local_name(unquoted(args_.in_split));
        args.out_split = local_name(unquoted(args_.out_split));
        if (!args_.group_name.empty() || !args_.group_ranks.empty())
            args.group = local_group(args.group_size);
        block_.collectives.push_back({ordinal, args, integer_or(args_.sequence, kUnknown)});
    }

    std::int32_t local_group(std::int64_t size) {
        const std::string key = std::string(args_.group_name) + '\n' + std::string(args_.group_description) + '\n' +
                                std::string(args_.group_ranks);
        for (std::size_t i = 0; i < group_keys_.size(); ++i)
            if (group_keys_[i] == key)
                return static_cast<std::int32_t>(i);
        ProcessGroup group;
        group.name = unescaped(unquoted(args_.group_name));
        group.description = unescaped(unquoted(args_.group_description));
        group.ranks = ranks_of(unquoted(args_.group_ranks));
        group.size = !group.ranks.empty() ? static_cast<int>(group.ranks.size())
                                          : static_cast<int>(std::clamp<std::int64_t>(size, 0, 1 << 30));
        group_keys_.push_back(key);
        block_.groups.push_back(std::move(group));
        return static_cast<std::int32_t>(group_keys_.size() - 1);
    }

    void store_instant(const Fields& fields) {
        const auto time = time_of(fields.time);
        if (!time) {
            block_.add(NotShown::malformed);
            return;
        }
        if (fields.name != "[memory]") {
            block_.instants.push_back({*time, local_name(fields.name)});
            block_.add(NotShown::instants);
            return;
        }
        MemorySample sample;
        sample.time = *time;
        sample.bytes = integer_or(args_.memory_bytes, kUnknown);
        sample.allocated = integer_or(args_.allocated, kUnknown);
        sample.reserved = integer_or(args_.reserved, kUnknown);
        sample.address = static_cast<std::uint64_t>(integer_or(args_.address, 0));
        sample.device_type = static_cast<std::int32_t>(integer_or(args_.device_type, 0));
        sample.device = static_cast<std::int32_t>(integer_or(args_.device_id, -1));
        block_.memory_samples.push_back(
            {sample, local_track(unquoted(fields.process), unquoted(fields.thread), kUnknown, kUnknown)});
        block_.add(NotShown::memory_samples);
    }

    void store_flow(const Fields& fields) {
        const auto time = time_of(fields.time);
        const auto id = parse_integer(fields.id);
        if (!time || !id) {
            block_.add(NotShown::malformed);
            return;
        }
        block_.flow_points.push_back(
            {*id, *time, local_track(unquoted(fields.process), unquoted(fields.thread), kUnknown, kUnknown),
             fields.phase == 's'});
        block_.add(NotShown::flows);
    }

    void store_counter(const Fields& fields) {
        const auto time = time_of(fields.time);
        if (!time) {
            block_.add(NotShown::malformed);
            return;
        }
        block_.add(NotShown::counters);
        for (const auto& [key, token] : counter_values_) {
            const auto value = parse_number(token);
            if (!value)
                continue;
            block_.storage.push_back(unescaped(fields.name) + ": " + std::string(key));
            block_.counters.push_back({local_name(block_.storage.back()), *time, *value});
        }
    }

    void store_edge(const Fields& fields) {
        auto event = event_of(fields);
        if (!event)
            return;
        EventBlock::Edge edge;
        edge.event = *event;
        edge.thread = local_track(unquoted(fields.process), unquoted(fields.thread), kUnknown, kUnknown);
        edge.begins = fields.phase == 'B' || fields.phase == 'b';
        if (fields.phase == 'b' || fields.phase == 'e') {
            block_.storage.push_back(std::string(fields.category) + '\n' + std::string(unquoted(fields.id)));
            edge.match = block_.storage.back();
        }
        block_.edges.push_back(edge);
        if (edge.begins)
            store_side_tables(*event);
    }

    NameId local_name(std::string_view raw) {
        bool is_new = false;
        const std::uint32_t number = names_.number(raw, is_new);
        if (is_new) {
            if (raw.find('\\') != std::string_view::npos) {
                block_.storage.push_back(unescaped(raw));
                raw = block_.storage.back();
            }
            block_.names.push_back(raw);
        }
        return number;
    }

    TrackId local_track(std::string_view process, std::string_view thread, std::int64_t device, std::int64_t stream) {
        if (last_track_ < block_.tracks.size()) {
            const EventBlock::LocalTrack& t = block_.tracks[last_track_];
            if (t.device == device && t.stream == stream && same_text(t.thread, thread) &&
                same_text(t.process, process))
                return last_track_;
        }
        bool is_new = false;
        const auto threads = std::pair(words_.number(process, is_new), words_.number(thread, is_new));
        const auto [known, added] =
            track_numbers_.try_emplace(std::tuple(threads, device, stream), static_cast<TrackId>(block_.tracks.size()));
        if (added)
            block_.tracks.push_back({process, thread, device, stream});
        return last_track_ = known->second;
    }

    EventBlock& block_;
    bool of_capture_;
    std::uint32_t mark_stride_;
    KinetoArgs args_;
    std::vector<std::string_view KinetoArgs::*> given_args_; ///< those that are not empty
    TextNumbers names_;
    TextNumbers words_;
    std::map<std::tuple<std::pair<std::uint32_t, std::uint32_t>, std::int64_t, std::int64_t>, TrackId> track_numbers_;
    std::vector<std::string> group_keys_;
    std::vector<std::pair<std::string_view, std::string_view>> counter_values_;
    TrackId last_track_ = 0;
};

/// Keeps a text for as long as the block, with memory behind it for simdjson's padding.
std::string_view kept_padded(EventBlock& block, std::string text) {
    text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
    return block.storage.emplace_back(std::move(text));
}

/// Reads what strict parsing refuses: repaired characters first, and if that does not help element by element, so that
/// one bad event costs only itself.
EventBlock parse_repaired(std::string_view bracketed, od::parser& parser, bool of_capture) {
    {
        EventBlock block;
        block.repaired = 1;
        if (BlockParser(block, of_capture).parse(kept_padded(block, repaired_json(bracketed)), parser) ==
            simdjson::SUCCESS) {
            block.marks.clear(); // their offsets are not those of the file
            return block;
        }
    }
    EventBlock block;
    block.repaired = 1;
    BlockParser one_by_one(block, of_capture);
    // Two events whose quotes do not match hide what stands between them.
    std::string text(bracketed);
    const std::size_t first = text.find('[') + 1;
    if (const auto left = salvage({text.data() + first, text.size() - first - 1}))
        block.scalars += left->lost;
    const std::vector<std::string_view> elements = array_elements(text);
    for (std::uint32_t i = 0; i < elements.size(); ++i) {
        block.element_count = i;
        // One that was stored before the error counts as it was stored.
        if (one_by_one.parse(kept_padded(block, '[' + repaired_json(elements[i]) + ']'), parser) != simdjson::SUCCESS &&
            block.element_count == i)
            block.add(NotShown::malformed);
        // What stands between two objects and is none itself.
        const char* const from = i == 0 ? text.data() + first : elements[i - 1].data() + elements[i - 1].size();
        block.scalars +=
            static_cast<std::uint32_t>(scalars_in({from, static_cast<std::size_t>(elements[i].data() - from)}));
    }
    block.element_count = static_cast<std::uint32_t>(elements.size());
    block.marks.clear();
    for (std::uint32_t i = 0; i < elements.size(); ++i) // what stands between them may not be told so again
        block.marks.push_back({i, static_cast<std::uint64_t>(elements[i].data() - text.data())});
    return block;
}

} // namespace

std::vector<std::string_view> array_elements(std::string_view bracketed) {
    std::vector<std::string_view> elements;
    int depth = 0;
    std::size_t begin = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < bracketed.size(); ++i) {
        const char c = bracketed[i];
        if (c == '\\') { // outside of strings too, as the scanner has it that cut the blocks
            i += i + 1 < bracketed.size() && (bracketed[i + 1] == '"' || bracketed[i + 1] == '\\');
        } else if (in_string) {
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth == 2)
                begin = i;
        } else if ((c == '}' || c == ']') && --depth == 1) {
            elements.push_back(bracketed.substr(begin, i + 1 - begin));
        }
    }
    return elements;
}

struct EventParser::Memory {
    od::parser parser;
};

EventParser::EventParser(bool of_capture) : of_capture_(of_capture), memory_(std::make_unique<Memory>()) {}

EventParser::~EventParser() = default;

void EventBlock::clear() {
    const auto forget = [](auto&... tables) { (tables.clear(), ...); };
    forget(storage, names, tracks, groups, events, collectives, transfers, operator_inputs, launched_kernels, occupancy,
           flow_points, memory_samples, instants, counters, edges, thread_names, marks, unknown_categories);
    element_count = scalars = 0;
    not_shown = {};
    negative_durations = repaired = 0;
}

EventBlock EventParser::parse(TextBuffer bracketed, EventBlock memory, bool mark_each) {
    static_assert(TextBuffer::kRoomBehind >= simdjson::SIMDJSON_PADDING);
    EventBlock block = std::move(memory);
    block.clear();
    block.text = std::move(bracketed);
    if (BlockParser(block, of_capture_, mark_each ? 1 : kMarkStride).parse(block.text.view(), memory_->parser) ==
        simdjson::SUCCESS)
        return block;
    return parse_repaired(block.text.view(), memory_->parser, of_capture_);
}

} // namespace rankscope
