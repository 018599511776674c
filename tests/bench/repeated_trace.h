// SPDX-License-Identifier: GPL-3.0-or-later
// Real traces are small. This writes one again and again into one file, as one long recording: times, ids and numbers
// of steps go on from repetition to repetition.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/input/bytes/byte_source.h"
#include "core/input/kineto/event_block.h"

namespace rankscope {

/// Whole numbers in the text of a trace that grow from one repetition to the next.
struct GrowingNumber {
    std::string_view key; ///< what stands before it
    std::int64_t stretch = 1;
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    std::int64_t highest = std::numeric_limits<std::int64_t>::min();

    [[nodiscard]] std::int64_t in_repetition(std::int64_t value, std::int64_t repetition) const {
        return lowest + stretch * (value - lowest + repetition * (highest - lowest + 1));
    }
};

inline std::string whole_text(const std::filesystem::path& file) {
    auto source = open_byte_source(file);
    if (!source) {
        fmt::print(stderr, "{}\n", english(source.error().message));
        std::exit(1);
    }
    std::string text;
    constexpr std::size_t kPart = 1 << 20;
    std::size_t got = kPart;
    while (got == kPart) {
        text.resize(text.size() + kPart);
        got = (*source)->read({text.data() + text.size() - kPart, kPart});
        text.resize(text.size() - kPart + got);
    }
    return text;
}

/// Writes a file of at least so many bytes. id_stretch: how much wider than recorded the gaps between correlation ids
/// are.
inline void write_repeated(const std::filesystem::path& trace, double bytes, std::int64_t id_stretch,
                           const std::filesystem::path& to) {
    std::vector<GrowingNumber> numbers{{"\"ts\":"},          {"\"correlation\":", id_stretch},
                                       {"\"External id\":"}, {"\"id\":", 1},
                                       {"\"ProfilerStep#"},  {"\"Ev Idx\":"}};
    struct Place {
        std::size_t begin, end; ///< of the digits, in the text
        std::int64_t value;
        GrowingNumber* number;
    };
    const std::string text = whole_text(trace);
    const std::size_t list = text.find('[', text.find("\"traceEvents\""));
    const std::vector<std::string_view> events = array_elements(std::string_view(text).substr(list));
    const auto offset_of = [&](const char* at) { return static_cast<std::size_t>(at - text.data()); };
    std::vector<Place> places;
    for (const std::string_view event : events)
        for (GrowingNumber& number : numbers) {
            const std::size_t key = event.find(number.key);
            if (key == std::string_view::npos || event.find("\"ph\": \"M\"") != std::string_view::npos)
                continue;
            const std::size_t first = event.find_first_not_of(' ', key + number.key.size());
            Place place{offset_of(event.data() + first), 0, 0, &number};
            const auto [end, error] =
                std::from_chars(event.data() + first, event.data() + event.size(), place.value); // not the fraction
            if (error != std::errc{} || place.value < 0)
                continue;
            place.end = offset_of(end);
            number.lowest = std::min(number.lowest, place.value);
            number.highest = std::max(number.highest, place.value);
            places.push_back(place);
        }
    std::ranges::sort(places, {}, &Place::begin);

    const std::size_t from = offset_of(events.front().data());
    const std::size_t end = offset_of(events.back().data() + events.back().size());
    std::ofstream out(to, std::ios::binary);
    out << std::string_view(text).substr(0, from);
    for (std::int64_t repetition = 0; static_cast<double>(out.tellp()) < bytes; ++repetition) {
        std::size_t at = from;
        out << (repetition > 0 ? ",\n" : "");
        for (const Place& place : places) {
            out << std::string_view(text).substr(at, place.begin - at)
                << place.number->in_repetition(place.value, repetition);
            at = place.end;
        }
        out << std::string_view(text).substr(at, end - at);
    }
    out << std::string_view(text).substr(end);
}

} // namespace rankscope
