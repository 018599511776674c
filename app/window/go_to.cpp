// SPDX-License-Identifier: GPL-3.0-or-later
// What "go to" understands.
#include "app/window/go_to.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <tuple>

#include "app/command/options_values.h"
#include "core/base/text_match.h"
#include "core/trace/collective_kind.h"

namespace rankscope {
namespace {

Error wrong(Message message) { return {Error::Code::usage, std::move(message)}; }

template <typename Value>
Result<Value> no(Message message) {
    return tl::unexpected<Error>(wrong(std::move(message)));
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string without_spaces(std::string_view text) {
    std::string result;
    std::ranges::copy_if(text, std::back_inserter(result), [](char c) { return c != ' ' && c != '\t'; });
    return result;
}

/// Letters and digits in lower case: "all_reduce", "AllReduce" and "all-reduce" are one.
std::string plain_name(std::string_view text) {
    std::string result;
    for (const char c : text)
        if (is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || static_cast<signed char>(c) < 0)
            result += lower(c);
    return result;
}

std::optional<std::int64_t> count(std::string_view digits) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || digits.empty())
        return {};
    return value;
}

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> found;
    while (!text.empty()) {
        const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
        text.remove_prefix(begin);
        const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
        if (end > 0)
            found.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return found;
}

/// "17", "#17", "17th"
std::optional<std::int64_t> ordinal(std::string_view word) {
    if (word.starts_with('#'))
        word.remove_prefix(1);
    for (const std::string_view ending : {"st", "nd", "rd", "th"})
        if (word.size() > ending.size() && word.ends_with(ending))
            return count(word.substr(0, word.size() - ending.size()));
    return count(word);
}

Result<GoTo> parse_call(std::string_view text) {
    std::vector<std::string_view> parts = words(text);
    std::optional<std::int64_t> number;
    if (parts.size() > 1 && (number = ordinal(parts.back())))
        parts.pop_back();
    else if (parts.size() > 1 && (number = ordinal(parts.front())))
        parts.erase(parts.begin());
    GoToCall call;
    for (const std::string_view part : parts)
        call.name += plain_name(part);
    call.number = number.value_or(1);
    if (call.name.empty() || call.number < 1)
        return no<GoTo>("Write a time (12.5 ms), a step (step 3), a time stamp of the trace, or a name and a number "
                        "(allreduce 17)."_text);
    return GoTo(call);
}

/// GPU events of collectives, by the name they were recorded with or the word for what they do: kernels of an
/// all-to-all may be called SendRecv.
std::vector<EventIndex> collectives_named(const RankTrace& trace, const std::string& name) {
    std::vector<EventIndex> found;
    for (EventIndex i = 0; i < trace.events.gpu_count; ++i) {
        const CollectiveArgs* args = trace.collective_of(i);
        if (args == nullptr)
            continue;
        const auto is = [&](std::string_view word) { return plain_name(word).find(name) != std::string::npos; };
        if (is(trace.names->view(args->collective)) || is(collective_kind_word(collective_kind_of(trace, i))))
            found.push_back(i);
    }
    return found;
}

/// Of calls inside each other, as the operators of one collective are, the outermost.
void drop_inner_calls(const RankTrace& trace, std::vector<EventIndex>& calls) {
    const auto lane = [&](EventIndex event) { return &trace.lane_of(event); };
    std::ranges::sort(calls, [&](EventIndex a, EventIndex b) {
        const TimeRange x = trace.events.range(a);
        const TimeRange y = trace.events.range(b);
        return std::tuple(lane(a), x.begin, -x.end, a) < std::tuple(lane(b), y.begin, -y.end, b);
    });
    std::vector<EventIndex> outer;
    for (const EventIndex call : calls)
        if (outer.empty() || lane(outer.back()) != lane(call) ||
            trace.events.range(call).end > trace.events.range(outer.back()).end)
            outer.push_back(call);
    calls = std::move(outer);
}

/// The rank's events whose name contains `name`, of GPU work or of the rest.
std::vector<EventIndex> calls_named(const RankTrace& trace, const std::string& name, EventIndex begin, EventIndex end) {
    enum class Match : std::uint8_t { unknown, no, yes };
    std::vector<Match> matches;
    std::vector<EventIndex> found;
    for (EventIndex i = begin; i < end; ++i) {
        const NameId id = trace.events.name[i];
        if (id >= matches.size())
            matches.resize(id + std::size_t{1}, Match::unknown);
        if (matches[id] == Match::unknown)
            matches[id] = plain_name(trace.names->view(id)).find(name) == std::string::npos ? Match::no : Match::yes;
        if (matches[id] == Match::yes)
            found.push_back(i);
    }
    return found;
}

Result<GoToPlace> find_call(const Run& run, const GoToCall& call, int rank) {
    const RankTrace* trace = run.rank(rank);
    if (trace == nullptr)
        return no<GoToPlace>("Rank %1 is not in this run."_text(rank));
    std::vector<EventIndex> calls = calls_named(*trace, call.name, 0, trace->events.gpu_count);
    if (calls.empty())
        calls = collectives_named(*trace, call.name);
    if (calls.empty()) {
        calls = calls_named(*trace, call.name, trace->events.gpu_count, trace->events.size());
        drop_inner_calls(*trace, calls);
    }
    const auto total = static_cast<std::int64_t>(calls.size());
    if (call.number > total)
        return no<GoToPlace>(total == 0 ? "No event of rank %1 has \"%2\" in its name."_text(rank, call.name)
                                        : "Rank %1 has %2 calls of \"%3\" only."_text(rank, total, call.name));
    const auto nth = calls.begin() + (call.number - 1);
    std::ranges::nth_element(calls, nth, [&](EventIndex a, EventIndex b) {
        return std::pair(trace->events.start[a], a) < std::pair(trace->events.start[b], b);
    });
    return GoToPlace{trace->events.range(*nth), EventRef{rank, *nth}};
}

Result<GoToPlace> find_step(const Run& run, const GoToStep& step) {
    std::optional<TimeRange> range;
    for (const auto& rank : run.ranks)
        for (const ProfilerStep& candidate : rank->steps)
            if (candidate.number == step.number)
                range = range ? TimeRange{std::min(range->begin, candidate.range.begin),
                                          std::max(range->end, candidate.range.end)}
                              : candidate.range;
    if (!range)
        return no<GoToPlace>("This run has no step %1."_text(step.number));
    return GoToPlace{*range, {}};
}

Result<GoToPlace> moment(const Run& run, const std::vector<TimeNs>& readings) {
    for (const TimeNs time : readings)
        if (time >= run.span.begin && time <= run.span.end)
            return GoToPlace{{time, time}, {}};
    return no<GoToPlace>("That time is not in this run."_text);
}

} // namespace

Result<GoTo> parseGoTo(std::string_view text) {
    const std::string compact = without_spaces(text);
    if (const auto time = parse_duration(compact))
        return GoTo(GoToTime{*time});
    const auto as_us = parse_duration(compact + "us");
    const auto as_ns = parse_duration(compact + "ns");
    if (as_us || as_ns || count(compact))
        return GoTo(GoToStamp{as_us, as_ns});
    const std::vector<std::string_view> parts = words(text);
    const std::string first = parts.empty() ? std::string() : plain_name(parts.front());
    if (parts.size() == 2 && (first == "step" || first == "iteration"))
        if (const auto number = ordinal(parts.back()))
            return GoTo(GoToStep{*number});
    return parse_call(text);
}

Result<GoToPlace> findPlace(const Run& run, const GoTo& wanted, int rank) {
    if (const auto* time = std::get_if<GoToTime>(&wanted))
        return moment(run, {run.span.begin + time->time});
    if (const auto* stamp = std::get_if<GoToStamp>(&wanted)) { // parse_duration leaves room to add the base
        const RankTrace* trace = run.rank(rank);
        const TimeNs base = trace == nullptr ? 0 : trace->clock_base;
        std::vector<TimeNs> readings;
        for (const std::optional<TimeNs>& reading : {stamp->as_us, stamp->as_ns})
            if (reading)
                readings.insert(readings.end(), {*reading + base, *reading});
        return moment(run, readings);
    }
    if (const auto* step = std::get_if<GoToStep>(&wanted))
        return find_step(run, *step);
    return find_call(run, std::get<GoToCall>(wanted), rank);
}

} // namespace rankscope
