// SPDX-License-Identifier: GPL-3.0-or-later
// Events of operation timelines, by simdjson On-Demand. Numbers are read from their text, so times stay exact.
#include "core/input/operations/operation_json.h"

#include <array>
#include <charconv>

#include <simdjson.h>

#include "core/input/kineto/event_block.h"
#include "core/input/kineto/json_text.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

namespace od = simdjson::ondemand;

constexpr std::uint32_t kUnplaced = ~std::uint32_t{0};

/// The number behind the words, and what follows it.
std::optional<int> number_behind_words(std::string_view& text, std::string_view words) {
    if (!text.starts_with(words))
        return std::nullopt;
    text.remove_prefix(words.size());
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || number < 0 || number > kMostRanks)
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// nothing: absent, or none that a rank, step or microbatch can have. null counts as absent.
std::optional<std::int64_t> small_number(std::string_view token) {
    const auto number = token.empty() ? std::nullopt : parse_integer(token);
    return number && *number >= -1 && *number <= kMostRanks ? number : std::nullopt;
}

struct OperationFields {
    std::string_view phase, category, name, process, thread, time, duration;
    std::string_view step, chunk, microbatch, sequence, dp, stage, tp, given_name;
};

using FieldKey = std::pair<std::string_view, std::string_view OperationFields::*>;
constexpr std::array<FieldKey, 7> kEventKeys{{{"ph", &OperationFields::phase},
                                              {"cat", &OperationFields::category},
                                              {"name", &OperationFields::name},
                                              {"pid", &OperationFields::process},
                                              {"tid", &OperationFields::thread},
                                              {"ts", &OperationFields::time},
                                              {"dur", &OperationFields::duration}}};
constexpr std::array<FieldKey, 12> kArgumentKeys{{{"step", &OperationFields::step},
                                                  {"model_chunk", &OperationFields::chunk},
                                                  {"mc", &OperationFields::chunk},
                                                  {"mb_id", &OperationFields::microbatch},
                                                  {"microbatch", &OperationFields::microbatch},
                                                  {"seq_id", &OperationFields::sequence},
                                                  {"dp_rank", &OperationFields::dp},
                                                  {"pp_rank", &OperationFields::stage},
                                                  {"stage", &OperationFields::stage},
                                                  {"tp_rank", &OperationFields::tp},
                                                  {"name", &OperationFields::given_name}}};

template <std::size_t N>
simdjson::error_code read_fields(od::object& object, const std::array<FieldKey, N>& keys, OperationFields& fields,
                                 bool with_arguments) {
    for (auto result : object) {
        od::field field;
        if (const auto error = std::move(result).get(field))
            return error;
        std::string_view key;
        if (const auto error = field.unescaped_key().get(key))
            return error;
        if (with_arguments && key == "args") {
            od::object arguments;
            if (field.value().get_object().get(arguments) != simdjson::SUCCESS)
                continue; // "args": null and the like
            if (const auto error = read_fields(arguments, kArgumentKeys, fields, false))
                return error;
            continue;
        }
        const auto known = std::ranges::find(keys, key, &FieldKey::first);
        if (known != keys.end() && !known->first.empty())
            fields.*(known->second) = trimmed(field.value().raw_json_token());
    }
    return simdjson::SUCCESS;
}

} // namespace

std::optional<OperationTrack> track_of_thread_name(std::string_view name) {
    const auto stage = number_behind_words(name, "PP rank ");
    const auto tp = stage ? number_behind_words(name, ", TP rank ") : std::nullopt;
    if (!tp || !name.starts_with(", ") || name.size() < 3)
        return std::nullopt;
    return OperationTrack{0, *stage, *tp, std::string(name.substr(2))};
}

std::optional<int> rank_of_process_name(std::string_view name) {
    auto rank = number_behind_words(name, "DP rank [");
    return rank && name == "]" ? rank : std::nullopt;
}

struct OperationEvents::State {
    /// Who ran an operation: the thread, or, where its arguments say more, that.
    struct Place {
        std::uint32_t thread = kUnplaced;
        std::int32_t dp = -1;
        std::int32_t stage = -1;
        std::int32_t tp = -1;
        friend auto operator<=>(const Place&, const Place&) = default;
    };
    struct Thread { ///< as written, still escaped
        std::string process;
        std::string thread;
        friend auto operator<=>(const Thread&, const Thread&) = default;
    };

    od::parser parser;
    RecordedOperations read;
    std::map<std::string, std::uint32_t, std::less<>> type_numbers;
    std::map<std::string, std::uint32_t, std::less<>> thread_numbers; ///< by process and thread as written
    std::vector<Thread> threads;
    std::map<Place, std::uint32_t> place_numbers;
    std::vector<Place> places;
    std::map<std::string, int, std::less<>> rank_of_process;
    std::map<std::string, OperationTrack, std::less<>> track_of_thread;
    std::uint32_t next_ordinal = 0;
    std::int64_t negative_durations = 0;
    std::int64_t repaired = 0;
    std::string key; ///< memory for a key

    void count(NotShown reason) { read.accounting.add(reason, 1); }

    simdjson::error_code parse(std::string_view bracketed, std::size_t allocated, std::uint32_t& elements) {
        od::document document;
        if (const auto error = parser.iterate(bracketed.data(), bracketed.size(), allocated).get(document))
            return error;
        od::array array;
        if (const auto error = document.get_array().get(array))
            return error;
        for (auto element : array) {
            od::object object;
            if (const auto error = element.get_object().get(object))
                return error;
            OperationFields fields;
            if (const auto error = read_fields(object, kEventKeys, fields, true))
                return error;
            store(fields, next_ordinal + elements);
            ++elements;
        }
        return simdjson::SUCCESS;
    }

    std::string_view thread_key(const OperationFields& fields) {
        key = unquoted(fields.process);
        key += '\n';
        key += unquoted(fields.thread);
        return key;
    }

    void store_name(const OperationFields& fields) {
        const std::string name = unescaped(unquoted(fields.given_name));
        if (unquoted(fields.name) == "process_name") {
            if (const auto rank = rank_of_process_name(name))
                rank_of_process[std::string(unquoted(fields.process))] = *rank;
        } else if (unquoted(fields.name) == "thread_name") {
            if (const auto track = track_of_thread_name(name))
                track_of_thread[std::string(thread_key(fields))] = *track;
        }
        count(NotShown::metadata);
    }

    void store(const OperationFields& fields, std::uint32_t ordinal) {
        const std::string_view phase = unquoted(fields.phase);
        if (phase == "M")
            return store_name(fields);
        if (phase != "X") {
            const bool known = phase.size() == 1;
            return count(!known                                         ? NotShown::malformed
                         : phase == "C"                                 ? NotShown::counters
                         : phase == "i" || phase == "I"                 ? NotShown::instants
                         : phase == "s" || phase == "t" || phase == "f" ? NotShown::flows
                                                                        : NotShown::not_understood);
        }
        const std::string_view type = unquoted(fields.category.empty() ? fields.name : fields.category);
        const auto start = parse_microseconds(fields.time);
        const auto duration = parse_microseconds(fields.duration);
        const auto step = small_number(fields.step);
        const bool timed = start && duration && is_plausible_time(*start) && is_plausible_time(*duration) &&
                           is_plausible_time(*start + *duration);
        if (type.empty() || !timed || !step || *step < 0)
            return count(NotShown::malformed);
        negative_durations += *duration < 0;
        RecordedOperation operation;
        operation.start = *start;
        operation.duration = std::max<TimeNs>(0, *duration);
        operation.type = type_number(unescaped(type));
        operation.track = place_number(fields);
        const auto or_none = [](std::string_view token) {
            return static_cast<std::int32_t>(small_number(token).value_or(-1));
        };
        operation.operation = {ordinal, *step, or_none(fields.chunk), or_none(fields.microbatch),
                               or_none(fields.sequence)};
        read.operations.push_back(operation);
    }

    std::uint32_t type_number(const std::string& type) {
        const auto [known, added] = type_numbers.try_emplace(type, static_cast<std::uint32_t>(read.types.size()));
        if (added)
            read.types.push_back(type);
        return known->second;
    }

    std::uint32_t place_number(const OperationFields& fields) {
        const std::string_view text = thread_key(fields);
        auto known = thread_numbers.find(text);
        if (known == thread_numbers.end()) {
            known = thread_numbers.emplace(std::string(text), static_cast<std::uint32_t>(threads.size())).first;
            threads.push_back({std::string(unquoted(fields.process)), std::string(unquoted(fields.thread))});
        }
        const auto or_none = [](std::string_view token) {
            return static_cast<std::int32_t>(small_number(token).value_or(-1));
        };
        const Place place{known->second, or_none(fields.dp), or_none(fields.stage), or_none(fields.tp)};
        const auto [at, added] = place_numbers.try_emplace(place, static_cast<std::uint32_t>(places.size()));
        if (added)
            places.push_back(place);
        return at->second;
    }

    /// Who ran it by arguments, else by names, else (dp) by the number of the process.
    std::optional<OperationTrack> track_of(const Place& place) const {
        const Thread& thread = threads[place.thread];
        OperationTrack track;
        const auto named = track_of_thread.find(thread.process + '\n' + thread.thread);
        if (named != track_of_thread.end())
            track = named->second;
        else if (place.stage < 0)
            return std::nullopt;
        else
            track.lane = unescaped(thread.thread);
        if (place.stage >= 0)
            track.stage = place.stage;
        if (place.tp >= 0)
            track.tp = place.tp;
        const auto process = rank_of_process.find(thread.process);
        if (place.dp >= 0) {
            track.dp = place.dp;
        } else if (process != rank_of_process.end()) {
            track.dp = process->second;
        } else {
            const auto number = small_number(thread.process);
            if (!number || *number < 0)
                return std::nullopt;
            track.dp = static_cast<int>(*number);
        }
        return track;
    }
};

OperationEvents::OperationEvents() : state_(std::make_unique<State>()) {}
OperationEvents::~OperationEvents() = default;

std::uint64_t OperationEvents::memory_bytes() const {
    constexpr std::uint64_t kPerPlace = 512; // of maps and names
    return state_->read.operations.capacity() * sizeof(RecordedOperation) +
           (state_->places.size() + state_->threads.size() + state_->track_of_thread.size() +
            state_->type_numbers.size()) *
               kPerPlace;
}

Accounting& OperationEvents::accounting() { return state_->read.accounting; }

void OperationEvents::add(std::string_view bracketed, std::uint32_t elements) {
    State& state = *state_;
    state.read.accounting.events_in_file += elements;
    const std::size_t before = state.read.operations.size();
    const Accounting counted = state.read.accounting;
    const std::int64_t negative = state.negative_durations;
    std::uint32_t parsed = 0;
    if (state.parse(bracketed, bracketed.size() + simdjson::SIMDJSON_PADDING, parsed) == simdjson::SUCCESS &&
        parsed == elements) {
        state.next_ordinal += elements;
        return;
    }
    // One bad event is to cost only itself: once more, event by event.
    state.read.operations.resize(before);
    state.read.accounting = counted;
    state.negative_durations = negative;
    state.repaired = 1;
    const std::vector<std::string_view> objects = array_elements(bracketed);
    for (std::uint32_t i = 0; i < elements; ++i) {
        const std::size_t stored = state.read.operations.size();
        const Accounting until_then = state.read.accounting;
        std::uint32_t one = 0;
        const simdjson::padded_string text('[' + (i < objects.size() ? repaired_json(objects[i]) : std::string()) +
                                           ']');
        if (state.parse(std::string_view(text), text.size() + simdjson::SIMDJSON_PADDING, one) != simdjson::SUCCESS ||
            one != 1) {
            state.read.operations.resize(stored);
            state.read.accounting = until_then;
            state.count(NotShown::malformed);
        }
        ++state.next_ordinal;
    }
}

RecordedOperations OperationEvents::finish() {
    State& state = *state_;
    RecordedOperations& read = state.read;
    std::map<OperationTrack, std::uint32_t> numbers;
    std::vector<std::uint32_t> track_of_place;
    std::int64_t without_place = 0;
    for (const State::Place& place : state.places) {
        const auto track = state.track_of(place);
        if (!track) {
            track_of_place.push_back(kUnplaced);
            continue;
        }
        const auto [at, added] = numbers.try_emplace(*track, static_cast<std::uint32_t>(read.tracks.size()));
        if (added)
            read.tracks.push_back(*track);
        track_of_place.push_back(at->second);
    }
    std::erase_if(read.operations, [&](RecordedOperation& operation) {
        operation.track = track_of_place[operation.track];
        without_place += operation.track == kUnplaced;
        return operation.track == kUnplaced;
    });
    read.accounting.add(NotShown::not_understood, static_cast<std::uint64_t>(without_place));
    if (without_place > 0)
        add_notice(read.notices, {"operations_without_rank",
                                  "operations whose thread has no name that tells its rank were left out"_text,
                                  {},
                                  without_place});
    if (state.negative_durations > 0)
        add_notice(read.notices, {"negative_durations",
                                  "operations that end before they start count as instants"_text,
                                  {},
                                  state.negative_durations});
    if (state.repaired > 0)
        add_notice(read.notices,
                   {"repaired_text", "parts of the file are not valid JSON; they were repaired"_text, {}, 1});
    return std::move(read);
}

} // namespace rankscope
