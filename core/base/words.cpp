// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/words.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/digits.h"

namespace rankscope {

namespace {

/// Ascending: "8 to 15", or "3"; of a few each by itself.
std::vector<Message> runs_of(const std::vector<int>& ranks, bool each) {
    std::vector<Message> runs;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t last = i;
        while (!each && last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
            ++last;
        runs.push_back(last > i + 1 ? "%1 to %2"_text(ranks[i], ranks[last]) : Message(ranks[i]));
        i = last > i + 1 ? last + 1 : i + 1;
    }
    return runs;
}

} // namespace

std::string time_words(double ns, int most_decimals) {
    const double size = std::abs(ns);
    const auto of = [=](double unit, const char* name) {
        return fmt::format("{:.{}f} {}", ns / unit, shown_decimals(ns / unit, most_decimals), name);
    };
    if (size >= 999.95e6)
        return of(1e9, "s");
    if (size >= 999.5e3)
        return of(1e6, "ms");
    return size == 0 || size >= 999.5 ? fmt::format("{:.0f} µs", ns / 1e3) : fmt::format("{:.0f} ns", ns);
}

Message enumerated(std::span<const Message> items, std::string_view separator) {
    Message list;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0)
            list += std::string(separator);
        list += items[i];
    }
    return list;
}

Message listed(std::span<const Message> items, Text<2> last) {
    if (items.size() < 2)
        return items.empty() ? Message() : items.front();
    return last(enumerated(items.first(items.size() - 1)), items.back());
}

Message rank_numbers(const std::vector<int>& ranks) {
    constexpr std::size_t kNamed = 6;
    const std::vector<Message> runs = runs_of(ranks, ranks.size() <= kNamed);
    if (runs.size() > kNamed)
        return "%1 and %2 more"_text(fmt::format("{}", fmt::join(std::span(ranks).first(kNamed), ", ")),
                                     ranks.size() - kNamed);
    return listed(runs, "%1 and %2"_text);
}

Message rank_runs(std::span<const int> ranks) {
    std::vector<Message> runs;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
            ++last;
        if (last - i >= 2)
            runs.push_back("%1 to %2"_text(ranks[i], ranks[last]));
        else
            runs.insert(runs.end(), ranks.begin() + static_cast<std::ptrdiff_t>(i),
                        ranks.begin() + static_cast<std::ptrdiff_t>(last + 1));
        i = last + 1;
    }
    return listed(runs, "%1 and %2"_text);
}

Message rank_words(const std::vector<int>& ranks) {
    return plural(ranks.size(), "rank %1"_one, "ranks %1"_many)(rank_numbers(ranks));
}

Message group_words(std::string_view name) {
    const bool number = !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    return number ? "group %1"_text(std::string(name)) : Message(std::string(name));
}

} // namespace rankscope
