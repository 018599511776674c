// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/xplane/trace_viewer_json.h"

#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include <simdjson.h>

#include "core/base/seeded_hash.h"
#include "core/base/wire_writer.h"

namespace rankscope {
namespace {

namespace dom = simdjson::dom;

std::optional<std::int64_t> integer_of(dom::element value) {
    std::int64_t number = 0;
    if (!value.get(number))
        return number;
    std::string_view text;
    if (value.get(text) || text.empty())
        return {};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// us -> ps; nothing: no number, or none that a clock shows.
std::optional<std::int64_t> picoseconds_of(dom::object event, const char* key) {
    constexpr double kPsPerUs = 1e6;
    double us = 0;
    if (event[key].get(us) || !(std::abs(us) < 1e12))
        return {};
    return std::llround(us * kPsPerUs);
}

std::optional<std::int64_t> integer_of(dom::object from, const char* key) {
    dom::element value;
    return from[key].get(value) ? std::nullopt : integer_of(value);
}

std::string_view text_of(dom::object from, const char* key) {
    std::string_view text;
    return from[key].get(text) ? std::string_view() : text;
}

class PlaneOfJson {
public:
    std::string_view name;

    void name_line(std::int64_t thread, std::string_view line) { lines_[thread].name = line; }

    void add(std::int64_t thread, dom::object event, std::int64_t start_ps, std::int64_t duration_ps) {
        WireWriter written;
        written.number(1, id_in(kinds_, text_of(event, "name"))).number(2, start_ps).number(3, duration_ps);
        dom::object arguments;
        if (!event["args"].get(arguments))
            for (const auto [key, value] : arguments)
                add_stat(written, key, value);
        lines_[thread].events.message(4, written);
    }

    /// Fields of the message XPlane.
    [[nodiscard]] WireWriter written() const {
        WireWriter plane;
        plane.bytes(2, name);
        for (const auto& [thread, line] : lines_) {
            WireWriter message;
            message.number(1, thread).bytes(2, line.name).append(line.events);
            plane.message(3, message);
        }
        add_names(plane, 4, kinds_);
        add_names(plane, 5, stats_);
        return plane;
    }

private:
    struct Line {
        std::string_view name;
        WireWriter events;
    };
    using Ids = TextMap<std::string_view, std::int64_t>;

    static std::int64_t id_in(Ids& ids, std::string_view of) {
        return ids.try_emplace(of, static_cast<std::int64_t>(ids.size()) + 1).first->second;
    }
    static void add_names(WireWriter& plane, std::uint32_t field, const Ids& ids) {
        for (const auto& [text, id] : ids)
            plane.message(field, WireWriter().number(1, id).message(2, WireWriter().number(1, id).bytes(2, text)));
    }
    /// The viewer's file has all values as texts.
    void add_stat(WireWriter& event, std::string_view key, dom::element value) {
        WireWriter stat;
        stat.number(1, id_in(stats_, key));
        std::string_view text;
        if (const auto number = integer_of(value))
            stat.number(4, *number);
        else if (!value.get(text))
            stat.bytes(5, text);
        else
            return;
        event.message(4, stat);
    }

    std::map<std::int64_t, Line> lines_;
    Ids kinds_;
    Ids stats_;
};

/// Names of processes and threads stand anywhere in the file.
void add_name(dom::object event, std::map<std::int64_t, PlaneOfJson>& planes) {
    dom::object arguments;
    const auto process = integer_of(event, "pid");
    if (!process || event["args"].get(arguments))
        return;
    const std::string_view what = text_of(event, "name");
    const std::string_view name = text_of(arguments, "name");
    if (what == "process_name")
        planes[*process].name = name;
    const auto thread = integer_of(event, "tid");
    if (what == "thread_name" && thread)
        planes[*process].name_line(*thread, name);
}

} // namespace

Result<XSpaceOfJson> xspace_of_json(std::string_view text) {
    dom::parser parser;
    dom::element document;
    dom::array events;
    if (const auto error = parser.parse(text.data(), text.size()).get(document))
        return input_error("it is no whole JSON: %1"_text(std::string(simdjson::error_message(error))));
    if (document["traceEvents"].get(events))
        return input_error("it has no traceEvents"_text());
    std::map<std::int64_t, PlaneOfJson> planes;         // by process
    const auto for_each = [&](bool names, auto visit) { // the last element is empty
        for (const dom::element element : events) {
            dom::object event;
            if (element.get(event))
                continue;
            if (const std::string_view phase = text_of(event, "ph"); !phase.empty() && names == (phase == "M"))
                visit(event, phase);
        }
    };
    for_each(true, [&](dom::object event, std::string_view) { add_name(event, planes); });
    XSpaceOfJson result;
    for_each(false, [&](dom::object event, std::string_view phase) {
        const auto process = integer_of(event, "pid");
        const auto line = integer_of(event, "tid");
        const auto start = picoseconds_of(event, "ts");
        const auto plane = process ? planes.find(*process) : planes.end();
        if (phase != "X" || !line || !start || plane == planes.end()) {
            ++result.skipped;
            return;
        }
        ++result.events;
        plane->second.add(*line, event, *start, picoseconds_of(event, "dur").value_or(0));
    });
    WireWriter space;
    for (const auto& [process, plane] : planes)
        space.message(1, plane.written());
    result.bytes = space.text();
    return result;
}

} // namespace rankscope
