// SPDX-License-Identifier: GPL-3.0-or-later
// How late each rank came to each of its collective calls, laid out to be drawn.
#include "core/views/lag_map.h"

#include <algorithm>
#include <cmath>

namespace rankscope {
namespace {

constexpr std::size_t kMostCells = std::size_t{1} << 28;
constexpr std::size_t kFactor = 4; // columns of a level in one of the next

TimeNs arrival_lag(const CollectiveTiming& timing, const TimedMember& member) {
    return member.range.begin - timing.start;
}

void take_largest(std::span<std::uint8_t> into, std::span<const std::uint8_t> from) {
    for (std::size_t i = 0; i < into.size(); ++i)
        into[i] = std::max(into[i], from[i]);
}

/// The columns of all calls, in their order.
std::vector<LagMap::Entry> place_calls(LagMap& map, std::span<const std::uint32_t> shown, const std::stop_token& stop) {
    std::vector<LagMap::Entry> placed;
    std::vector<std::uint32_t> next(map.ranks, 0);
    std::size_t done = 0;
    for (const std::uint32_t call : shown) {
        if (done++ % kCallsBetweenStops == 0 && stop.stop_requested())
            return {};
        const CollectiveTiming& timing = map.calls->timing(call);
        if (timing.alone)
            continue;
        std::uint32_t column = 0;
        for (const TimedMember& member : timing.members)
            column = std::max(column, next[member.rank]);
        for (const TimedMember& member : timing.members) {
            next[member.rank] = column + 1;
            map.of_rank[member.rank].push_back({column, call});
            map.longest = std::max(map.longest, arrival_lag(timing, member));
        }
        map.columns = std::max<std::size_t>(map.columns, column + 1);
        placed.push_back({column, call});
    }
    return placed;
}

void fill_first_level(LagMap& map, std::span<const LagMap::Entry> placed) {
    while ((map.columns >> map.shift) * map.ranks > kMostCells)
        ++map.shift;
    auto& cells = map.levels.emplace_back(((map.columns >> map.shift) + 1) * map.ranks, LagMap::kNoCall);
    for (const LagMap::Entry& entry : placed) {
        const CollectiveTiming& timing = map.calls->timing(entry.call);
        for (const TimedMember& member : timing.members) {
            std::uint8_t& cell = cells[(entry.column >> map.shift) * map.ranks + member.rank];
            cell = std::max(cell, map.code(arrival_lag(timing, member)));
        }
    }
}

void add_levels(LagMap& map) {
    while (map.levels.back().size() > map.ranks) {
        const auto& below = map.levels.back();
        const std::size_t columns = below.size() / map.ranks;
        std::vector<std::uint8_t> level((columns + kFactor - 1) / kFactor * map.ranks, LagMap::kNoCall);
        for (std::size_t column = 0; column < columns; ++column)
            take_largest(std::span(level).subspan(column / kFactor * map.ranks, map.ranks),
                         std::span(below).subspan(column * map.ranks, map.ranks));
        map.levels.push_back(std::move(level));
    }
}

/// The largest codes of columns [begin, end) of the first level, from the coarsest blocks that fit.
void take_columns(const LagMap& map, std::size_t begin, std::size_t end, std::span<std::uint8_t> into) {
    while (begin < end) {
        std::size_t level = 0;
        std::size_t width = 1;
        while (level + 1 < map.levels.size() && begin % (width * kFactor) == 0 && begin + width * kFactor <= end) {
            width *= kFactor;
            ++level;
        }
        take_largest(into, std::span(map.levels[level]).subspan(begin / width * map.ranks, map.ranks));
        begin += width;
    }
}

} // namespace

std::optional<std::uint32_t> LagMap::call_at(std::size_t rank, std::size_t column) const {
    if (rank >= of_rank.size())
        return {};
    const auto found = std::ranges::lower_bound(of_rank[rank], column, {}, &Entry::column);
    return found == of_rank[rank].end() || found->column != column ? std::nullopt : std::optional(found->call);
}

std::optional<std::size_t> LagMap::column_of(std::uint32_t call) const {
    const auto& entries = of_rank[calls->timing(call).members.front().rank];
    const auto found = std::ranges::lower_bound(entries, call, {}, &Entry::call);
    return found == entries.end() || found->call != call ? std::nullopt : std::optional<std::size_t>(found->column);
}

std::uint8_t LagMap::code(TimeNs lag) const {
    if (lag <= kLeast || longest <= kLeast)
        return 1;
    const double share = std::log(static_cast<double>(lag) / kLeast) / std::log(static_cast<double>(longest) / kLeast);
    return static_cast<std::uint8_t>(1 + std::lround(254 * std::clamp(share, 0.0, 1.0)));
}

TimeNs LagMap::lag_of_code(double code) const {
    if (longest <= kLeast)
        return longest;
    return std::llround(kLeast * std::pow(static_cast<double>(longest) / kLeast, (code - 1) / 254));
}

LagMap build_lag_map(std::shared_ptr<const CollectiveCalls> calls, std::span<const std::uint32_t> shown,
                     const std::stop_token& stop) {
    LagMap map;
    map.calls = std::move(calls);
    map.ranks = map.calls->analysis->run().ranks.size();
    map.of_rank.resize(map.ranks);
    const std::vector<LagMap::Entry> placed = place_calls(map, shown, stop);
    if (placed.empty() || stop.stop_requested())
        return map;
    fill_first_level(map, placed);
    add_levels(map);
    return map;
}

std::optional<TimeNs> lag_at(const CollectiveCalls& calls, std::uint32_t call, std::size_t rank) {
    const CollectiveTiming& timing = calls.timing(call);
    const auto member = std::ranges::find(timing.members, rank, &TimedMember::rank);
    if (timing.alone || member == timing.members.end())
        return {};
    return arrival_lag(timing, *member);
}

std::vector<std::uint8_t> draw_lag_map(const LagMap& map, double first, double last, std::size_t width,
                                       std::size_t height) {
    const std::size_t rows = std::min(height, map.ranks);
    std::vector<std::uint8_t> picture(width * rows, LagMap::kNoCall);
    if (map.levels.empty() || !(last > first))
        return picture;
    const auto columns = map.columns;
    std::vector<std::uint8_t> codes(map.ranks);
    for (std::size_t x = 0; x < width; ++x) {
        const double left = first + (last - first) * static_cast<double>(x) / static_cast<double>(width);
        const double right = first + (last - first) * static_cast<double>(x + 1) / static_cast<double>(width);
        if (right <= 0 || left >= static_cast<double>(columns))
            continue;
        const auto begin = static_cast<std::size_t>(std::max(0.0, std::floor(left)));
        // A column belongs to the pixels its left edge and its inside lie in, so that thin ones do not double.
        const auto end = std::min(columns, std::max(begin + 1, static_cast<std::size_t>(std::ceil(right - 1e-9))));
        std::ranges::fill(codes, LagMap::kNoCall);
        take_columns(map, begin >> map.shift, ((end - 1) >> map.shift) + 1, codes);
        for (std::size_t rank = 0; rank < map.ranks; ++rank) {
            std::uint8_t& pixel = picture[rank * rows / map.ranks * width + x];
            pixel = std::max(pixel, codes[rank]);
        }
    }
    return picture;
}

} // namespace rankscope
