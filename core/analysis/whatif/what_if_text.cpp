// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the text of a what-if.
//   "comm.tp=2x": communication of tp with half of its durations. "schedule=interleaved:2": that schedule, with two
//   parts of the model on each rank.
#include "core/analysis/whatif/what_if.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <re2/re2.h>

namespace rankscope {
namespace {

tl::unexpected<Error> refused(std::string_view text, const Message& why) {
    return tl::unexpected<Error>(Error{Error::Code::usage, "what-if %1: %2"_text(std::string(text), why)});
}

/// False: the text, as a whole, is no number.
template <typename Number>
bool read_number(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

/// "0" -> 0, "2x" -> 0.5.
std::optional<double> parse_factor(std::string_view text) {
    if (text == "0")
        return 0;
    double speed = 0;
    if (!text.ends_with('x'))
        return {};
    text.remove_suffix(1);
    const bool fits = read_number(text, speed) && speed >= 1e-3 && speed <= 1e6;
    return fits ? std::optional(1 / speed) : std::nullopt;
}

/// As --what-if takes it.
std::optional<ScheduleKind> schedule_of_word(std::string_view word) {
    for (const auto& [name, kind] :
         {std::pair("gpipe", ScheduleKind::gpipe), std::pair("1f1b", ScheduleKind::one_f_one_b),
          std::pair("interleaved", ScheduleKind::interleaved), std::pair("zero_bubble", ScheduleKind::zero_bubble),
          std::pair("dualpipe", ScheduleKind::dualpipe), std::pair("dualpipev", ScheduleKind::dualpipev)})
        if (word == name)
            return kind;
    return std::nullopt;
}

bool read_schedule(std::string_view value, Change& change) {
    const std::size_t colon = value.find(':');
    const auto kind = schedule_of_word(value.substr(0, colon));
    if (colon == std::string_view::npos)
        change.chunks = kind == ScheduleKind::interleaved ? 2 : 1;
    else if (!read_number(value.substr(colon + 1), change.chunks))
        change.chunks = 0;
    const bool several = kind == ScheduleKind::interleaved || kind == ScheduleKind::zero_bubble;
    change.schedule = kind.value_or(ScheduleKind::unknown);
    return kind && change.chunks >= (kind == ScheduleKind::interleaved ? 2 : 1) && change.chunks <= (several ? 64 : 1);
}

/// A change whose value is a state and no speed. Returns what was expected, empty where the value is that; nullopt: the
/// name is of no such change.
std::optional<Message> read_state(std::string_view name, std::string_view value, Change& change) {
    const auto read = [&](ChangeKind kind, bool fits, Message expected) {
        change.kind = kind;
        return fits ? Message() : std::move(expected);
    };
    const auto is_index = [&](std::size_t from) {
        return read_number(name.substr(from), change.number) && change.number >= 0;
    };
    if (name == "straggler")
        return read(ChangeKind::straggler, value == "median", "expected straggler=median"_text);
    if (name == "overlap")
        return read(ChangeKind::overlap, value == "perfect", "expected overlap=perfect"_text);
    if (name.starts_with("rank."))
        return read(ChangeKind::rank, value == "peers" && is_index(5), "expected rank.N=peers"_text);
    if (name == "stages" || name.starts_with("stage."))
        return read(ChangeKind::stage, name == "stages" ? value == "even" : value == "mean" && is_index(6),
                    "expected stage.N=mean or stages=even"_text);
    if (name.starts_with("operation.") && name.size() > 10) {
        change.target = name.substr(10);
        return read(ChangeKind::operation, value == "ideal", "expected operation.TYPE=ideal"_text);
    }
    if (name.starts_with("link.") && name.size() > 5) {
        change.target = name.substr(5);
        return read(ChangeKind::link, value == "peers", "expected link.GROUP=peers"_text);
    }
    if (name == "schedule")
        return read(ChangeKind::schedule, read_schedule(value, change),
                    "expected schedule=gpipe, 1f1b, interleaved:CHUNKS, zero_bubble, dualpipe or "
                    "dualpipev"_text);
    if (name == "microbatches")
        return read(ChangeKind::microbatches,
                    read_number(value, change.microbatches) && change.microbatches >= 1 &&
                        change.microbatches <= 100'000,
                    "expected a number of microbatches"_text);
    return std::nullopt;
}

} // namespace

std::string link_target(std::span<const CommGroup> groups, std::uint32_t group) {
    const CommGroup& own = groups[group];
    const auto named = [&](const std::string& name) {
        return std::ranges::count_if(
            groups, [&](const CommGroup& other) { return other.name == name || other.description == name; });
    };
    for (const std::string& name : {own.name, own.description})
        if (!name.empty() && named(name) == 1)
            return name;
    return own.ranks.size() < 2 ? std::string() : fmt::format("{}-{}", own.ranks.front(), own.ranks.back());
}

Result<Change> parse_change(std::string_view text) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
        return refused(text, "expected CHANGE=VALUE: straggler=median, comm=0, comm.tp=2x, overlap=perfect, host=0, "
                             "kernel:REGEX=1.5x, rank.5=peers, stages=even, schedule=1f1b, microbatches=16"_text);
    }
    const std::string_view name = text.substr(0, equals);
    const std::string_view value = text.substr(equals + 1);
    Change change;
    change.text = text;
    if (const std::optional<Message> expected = read_state(name, value, change))
        return expected->empty() ? Result<Change>(change) : refused(text, *expected);
    const auto factor = parse_factor(value);
    if (name == "comm" || (name.starts_with("comm.") && name.size() > 5)) {
        change.kind = ChangeKind::communication;
        change.target = name.size() > 5 ? name.substr(5) : std::string_view{};
    } else if (name == "host") {
        change.kind = ChangeKind::host;
    } else if (name.starts_with("kernel:") && name.size() > 7) {
        change.kind = ChangeKind::kernel;
        change.target = name.substr(7);
        change.pattern = std::make_shared<const re2::RE2>(change.target, re2::RE2::Quiet);
        if (!change.pattern->ok())
            return refused(text, "not a regular expression: %1"_text(change.pattern->error()));
    } else {
        return refused(text, "unknown; expected straggler, comm, comm.GROUP, overlap, host, kernel:REGEX, rank.N, "
                             "stage.N, stages, operation.TYPE, link.GROUP, schedule or microbatches"_text);
    }
    if (!factor)
        return refused(text, "expected 0 (takes no time) or a speed like 2x"_text);
    change.factor = *factor;
    return change;
}

} // namespace rankscope
