// SPDX-License-Identifier: GPL-3.0-or-later
// The values that options take: times, ranges, lists.
#include "app/command/options_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

namespace rankscope {
namespace {

constexpr TimeNs kLongest = std::numeric_limits<TimeNs>::max() / 2; // room to add it to a trace's own times

struct Unit {
    std::string_view word;
    TimeNs ns;
};
// "s" last: the others end in it.
constexpr std::array<Unit, 5> kUnits{
    {{"ns", 1}, {"us", 1'000}, {"µs", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}}};

std::string_view take_digits(std::string_view& text) {
    const std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string_view digits = text.substr(0, length);
    text.remove_prefix(length);
    return digits;
}

std::optional<std::int64_t> integer(std::string_view digits) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 0)
        return std::nullopt;
    return value;
}

/// whole.fraction units in ns; nothing when it overflows or has a part finer than 1 ns.
std::optional<TimeNs> exact(std::string_view whole, std::string_view fraction, TimeNs unit) {
    const auto count = whole.empty() ? std::optional<std::int64_t>(0) : integer(whole);
    if (!count || *count > kLongest / unit)
        return std::nullopt;
    TimeNs result = *count * unit;
    for (const char digit : fraction) {
        if (digit == '0') {
            unit = unit >= 10 ? unit / 10 : 0;
            continue;
        }
        if (unit < 10)
            return std::nullopt;
        unit /= 10;
        result += (digit - '0') * unit;
    }
    return result;
}

/// Takes one "12.5ms" off the front.
std::optional<TimeNs> take_part(std::string_view& text) {
    const std::string_view whole = take_digits(text);
    std::string_view fraction;
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        fraction = take_digits(text);
    }
    if (whole.empty() && fraction.empty())
        return std::nullopt;
    for (const Unit& unit : kUnits)
        if (text.starts_with(unit.word)) {
            text.remove_prefix(unit.word.size());
            return exact(whole, fraction, unit.ns);
        }
    return std::nullopt;
}

} // namespace

std::optional<TimeNs> parse_duration(std::string_view text) {
    if (text == "0")
        return 0;
    if (text.empty())
        return std::nullopt;
    TimeNs sum = 0;
    while (!text.empty()) {
        const auto part = take_part(text);
        if (!part || *part > kLongest - sum)
            return std::nullopt;
        sum += *part;
    }
    return sum;
}

std::optional<Options::Time> parse_time_range(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos || text.size() == 1)
        return std::nullopt;
    Options::Time range;
    std::string_view begin = text.substr(0, slash);
    std::string_view end = text.substr(slash + 1);
    // Both ends count from the same moment, or none does.
    range.from_session = begin.starts_with('@') || end.starts_with('@');
    for (std::string_view* const side : {&begin, &end})
        if (range.from_session && !side->empty()) {
            if (!side->starts_with('@') || side->size() == 1)
                return std::nullopt;
            side->remove_prefix(1);
        }
    if (!begin.empty() && !(range.begin = parse_duration(begin)))
        return std::nullopt;
    if (!end.empty() && !(range.end = parse_duration(end)))
        return std::nullopt;
    if (range.end && *range.end <= range.begin.value_or(0))
        return std::nullopt;
    return range;
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
    const auto whole = integer(take_digits(text));
    std::string_view fraction;
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        fraction = take_digits(text);
    }
    if (!whole || fraction.size() > 3 || text.empty())
        return std::nullopt;
    const std::size_t power = std::string_view("KMGT").find(text.front());
    text.remove_prefix(1);
    if (power == std::string_view::npos || (!text.empty() && text != "B" && text != "iB"))
        return std::nullopt;
    const std::uint64_t unit = std::uint64_t{1} << (10 * (power + 1));
    if (static_cast<std::uint64_t>(*whole) >= (std::uint64_t{1} << 62) / unit)
        return std::nullopt;
    std::uint64_t thousandths = 0;
    for (std::size_t i = 0; i < 3; ++i)
        thousandths = thousandths * 10 + (i < fraction.size() ? static_cast<std::uint64_t>(fraction[i] - '0') : 0);
    const std::uint64_t bytes = static_cast<std::uint64_t>(*whole) * unit + unit / 1000 * thousandths;
    constexpr std::uint64_t kLeast = 16u << 20;
    return bytes >= kLeast ? std::optional(bytes) : std::nullopt;
}

std::optional<std::vector<std::string>> parse_list(std::string_view text) {
    std::vector<std::string> items;
    for (;;) {
        const std::size_t comma = text.find(',');
        items.emplace_back(text.substr(0, comma));
        if (items.back().empty())
            return std::nullopt;
        if (comma == std::string_view::npos)
            return items;
        text.remove_prefix(comma + 1);
    }
}

std::optional<std::vector<std::pair<std::int64_t, std::int64_t>>> parse_iterations(std::string_view text) {
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    if (text == "all")
        return ranges;
    const auto items = parse_list(text);
    if (!items)
        return std::nullopt;
    for (const std::string_view item : *items) {
        const std::size_t dash = item.find('-');
        const auto first = integer(item.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : integer(item.substr(dash + 1));
        if (!first || !last || *last < *first)
            return std::nullopt;
        ranges.emplace_back(*first, *last);
    }
    return ranges;
}

std::optional<ProfileMode> parse_profile_mode(std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, ProfileMode>, 11> known{
        {{"auto", ProfileMode::automatic},
         {"torch", ProfileMode::torch},
         {"nsys", ProfileMode::nsys},
         {"nsys-stats", ProfileMode::nsys_stats},
         {"execution-trace", ProfileMode::execution_trace},
         {"flight-recorder", ProfileMode::flight_recorder},
         {"xplane", ProfileMode::xplane},
         {"rocpd", ProfileMode::rocpd},
         {"inspector", ProfileMode::inspector},
         {"operations", ProfileMode::operations},
         {"memory-snapshot", ProfileMode::memory_snapshot}}};
    const auto found = std::ranges::find(known, text, [](const auto& entry) { return entry.first; });
    return found == known.end() ? std::nullopt : std::optional(found->second);
}

} // namespace rankscope
