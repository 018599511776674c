// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/find/job_sides.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/base/text.h"
#include "core/input/find/rank_in_name.h"

namespace rankscope {
namespace {

using FilesOfRanks = std::map<int, std::vector<const RankFile*>>;
using Sides = std::vector<JobSide>;

std::size_t most_of_one_rank(const FilesOfRanks& of_rank) {
    std::size_t most = 0;
    for (const auto& [rank, files] : of_rank)
        most = std::max(most, files.size());
    return most;
}

bool is_of_one_world(const JobSide& side) {
    std::set<int> worlds;
    for (const auto& [rank, file] : side.files)
        if (file->told.world_size)
            worlds.insert(*file->told.world_size);
    return worlds.size() < 2;
}

/// Each way to part them by one part of their names that tells apart all files of each rank, and no more than these.
std::vector<Sides> by_names(const FilesOfRanks& of_rank) {
    std::vector<std::pair<std::vector<std::string>, std::pair<int, const RankFile*>>> named;
    for (const auto& [rank, files] : of_rank)
        for (const RankFile* file : files)
            named.push_back({name_parts(file->path.string()), {rank, file}});
    const std::size_t parts = named.front().first.size();
    if (!std::ranges::all_of(named, [&](const auto& one) { return one.first.size() == parts; }))
        return {};
    const std::size_t count = most_of_one_rank(of_rank);
    const auto before = [](const std::string& a, const std::string& b) { return by_numbers_inside(a, b); };
    std::vector<Sides> ways;
    for (std::size_t part = 0; part < parts; ++part) {
        std::map<std::string, JobSide, decltype(before)> sides(before);
        const bool fits = std::ranges::all_of(named, [&](const auto& one) {
            return sides[one.first[part]].files.insert(one.second).second && sides.size() <= count;
        });
        if (!fits || sides.size() != count)
            continue;
        Sides& way = ways.emplace_back();
        for (auto& [text, side] : sides)
            way.push_back(std::move(side));
        if (!std::ranges::all_of(way, is_of_one_world))
            ways.pop_back();
    }
    return ways;
}

bool is_before(const RankFile* a, const RankFile* b) {
    return a->device != b->device ? a->device < b->device : by_numbers_inside(a->path.string(), b->path.string());
}

std::vector<const RankFile*> by_device_and_name(std::vector<const RankFile*> files) {
    std::ranges::sort(files, is_before);
    return files;
}

Sides by_devices(const FilesOfRanks& of_rank) {
    Sides sides(most_of_one_rank(of_rank));
    for (const auto& [rank, files] : of_rank) {
        const std::vector<const RankFile*> sorted = by_device_and_name(files);
        for (std::size_t i = 0; i < sorted.size(); ++i)
            sides[i].files.emplace(rank, sorted[i]);
    }
    return sides;
}

/// Of the first file of the side that has calls in common with this one.
std::optional<bool> fits(const RankFile& file, const JobSide& side, const EndTogether& end_together) {
    for (const auto& [rank, other] : side.files)
        if (other != &file)
            if (const auto together = end_together(file, *other))
                return together;
    return {};
}

/// A file without calls in common goes to a part without files first.
Sides by_calls(const FilesOfRanks& of_rank, const EndTogether& end_together) {
    Sides sides(most_of_one_rank(of_rank));
    for (const auto& [rank, files] : of_rank) {
        std::vector<const RankFile*> others;
        for (const RankFile* file : by_device_and_name(files)) {
            const auto own = std::ranges::find_if(sides, [&, rank = rank](const JobSide& side) {
                return !side.files.contains(rank) && fits(*file, side, end_together) == true;
            });
            if (own != sides.end())
                own->files.emplace(rank, file);
            else
                others.push_back(file);
        }
        for (const RankFile* file : others) {
            const auto own = std::ranges::min_element(sides, {}, [&, rank = rank](const JobSide& side) {
                return std::tuple(side.files.contains(rank), !side.files.empty(),
                                  fits(*file, side, end_together) == false);
            });
            own->files.emplace(rank, file);
        }
    }
    return sides;
}

bool is_contradicted(const Sides& sides, const EndTogether& end_together) {
    return std::ranges::any_of(
        sides,
        [&](const JobSide& side) {
            return std::ranges::any_of(
                side.files, [&](const auto& entry) { return fits(*entry.second, side, end_together) == false; });
        });
}

/// Files that tell no number of ranks go with the first job that lacks their rank.
void add_untold(const FilesOfRanks& untold, Sides& sides) {
    for (const auto& [rank, files] : untold)
        for (const RankFile* file : by_device_and_name(files)) {
            const auto own = std::ranges::find_if(sides, [rank = rank](const JobSide& side) {
                return rank < side.ranks() && !side.files.contains(rank);
            });
            if (own != sides.end())
                own->files.emplace(rank, file);
            else
                sides.push_back({{{rank, file}}});
        }
}

/// The first of the ways that no calls contradict, else the first of all.
Sides best_of(std::vector<Sides> ways, const EndTogether& end_together) {
    if (!end_together)
        return ways.front();
    const auto best = std::ranges::find_if(ways, [&](const Sides& way) { return !is_contradicted(way, end_together); });
    return best == ways.end() ? ways.front() : *best;
}

/// Jobs of as many ranks.
Sides sides_of_one_world(const FilesOfRanks& of_rank, const EndTogether& end_together) {
    std::vector<Sides> ways = by_names(of_rank);
    ways.push_back(by_devices(of_rank));
    if (end_together)
        ways.push_back(by_calls(of_rank, end_together));
    return best_of(std::move(ways), end_together);
}

Sides sides_by_world(const FilesOfRanks& of_rank, const EndTogether& end_together) {
    std::map<int, FilesOfRanks> of_world;
    FilesOfRanks untold;
    for (const auto& [rank, files] : of_rank)
        for (const RankFile* file : files)
            (file->told.world_size ? of_world[*file->told.world_size] : untold)[rank].push_back(file);
    if (of_world.empty())
        return sides_of_one_world(untold, end_together);
    Sides sides;
    for (const auto& [world, files] : of_world)
        std::ranges::move(sides_of_one_world(files, end_together), std::back_inserter(sides));
    add_untold(untold, sides);
    std::ranges::stable_sort(sides, is_before, [](const JobSide& side) {
        return std::ranges::min(side.files | std::views::values, is_before);
    });
    return sides;
}

} // namespace

int JobSide::ranks() const {
    int ranks = files.rbegin()->first + 1;
    for (const auto& [rank, file] : files)
        ranks = std::max(ranks, file->told.world_size.value_or(0));
    return ranks;
}

std::vector<JobSide> job_sides(const FilesOfRanks& of_rank, const EndTogether& end_together) {
    std::vector<Sides> ways = by_names(of_rank);
    ways.push_back(sides_by_world(of_rank, end_together));
    return best_of(std::move(ways), end_together);
}

} // namespace rankscope
