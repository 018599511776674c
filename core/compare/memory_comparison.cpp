// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/memory_comparison.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <utility>

#include "core/analysis/memory/snapshot_words.h"
#include "core/base/text.h"
#include "core/base/text_match.h"
#include "core/compare/metric_comparison.h"

namespace rankscope {
namespace {

using Place = std::pair<std::string, std::string>; ///< frame and caller

/// "train.py:12 step" -> "train.py step": the same place in a program that was edited.
std::string without_line(const std::string& frame) {
    const std::size_t colon = frame.rfind(':', frame.find(' '));
    if (colon == std::string::npos)
        return frame;
    std::size_t end = colon + 1;
    while (end < frame.size() && is_digit(frame[end]))
        ++end;
    return frame.substr(0, colon) + frame.substr(end);
}

void largest_change_first(std::vector<MemoryChange>& changes) {
    std::ranges::stable_sort(
        changes, std::greater<>(), [](const MemoryChange& change) { return std::abs(change.grown()); });
}

std::vector<MemoryChange> changes_by_category(const DeviceSnapshot& baseline, const DeviceSnapshot& test) {
    std::map<std::string, MemoryChange> sums;
    for (const LiveAtPeak& live : baseline.live_at_peak)
        sums[live.category].baseline += live.bytes;
    for (const LiveAtPeak& live : test.live_at_peak)
        sums[live.category].test += live.bytes;
    std::vector<MemoryChange> changes;
    if (sums.size() == 1 && sums.begin()->first.empty())
        return changes;
    for (auto& [category, change] : sums) {
        change.name = category;
        changes.push_back(std::move(change));
    }
    largest_change_first(changes);
    return changes;
}

/// A place that only one run has is the same as one that only the other has if they differ in line numbers alone, and
/// no third place does.
void join_moved_lines(std::map<Place, MemoryChange>& places) {
    struct Alike {
        std::vector<Place> baseline, test;
    };
    std::map<Place, Alike> groups;
    for (const auto& [place, change] : places)
        if (change.baseline == 0 || change.test == 0) {
            Alike& group = groups[{without_line(place.first), without_line(place.second)}];
            (change.test == 0 ? group.baseline : group.test).push_back(place);
        }
    for (const auto& [name, group] : groups)
        if (group.baseline.size() == 1 && group.test.size() == 1) {
            places[group.test.front()].baseline = places[group.baseline.front()].baseline;
            places.erase(group.baseline.front());
        }
}

std::vector<MemoryChange> changes_by_place(const DeviceSnapshot& baseline, const DeviceSnapshot& test) {
    std::map<Place, MemoryChange> places;
    for (const LiveAtPeak& live : baseline.live_at_peak)
        places[{live.frame, live.caller}].baseline += live.bytes;
    for (const LiveAtPeak& live : test.live_at_peak)
        places[{live.frame, live.caller}].test += live.bytes;
    join_moved_lines(places);
    std::vector<MemoryChange> changes;
    for (auto& [place, change] : places) {
        if (change.grown() == 0)
            continue;
        change.name = place.first;
        change.caller = place.second;
        changes.push_back(std::move(change));
    }
    largest_change_first(changes);
    return changes;
}

DeviceMemoryComparison compare_devices(int rank, const DeviceSnapshot& baseline, const DeviceSnapshot& test) {
    return {rank, test.device, &baseline, &test, changes_by_category(baseline, test), changes_by_place(baseline, test)};
}

/// The first change if memory grew by it, else nothing.
const MemoryChange* most_grown(const std::vector<MemoryChange>& changes) {
    const auto most = std::ranges::max_element(changes, {}, &MemoryChange::grown);
    return most == changes.end() || most->grown() <= 0 ? nullptr : &*most;
}

std::int64_t reserved_change(const DeviceMemoryComparison& pair) {
    return std::abs(pair.test->reserved_peak - pair.baseline->reserved_peak);
}

} // namespace

std::optional<double> MemoryChange::grown_percent() const {
    return percent_change(static_cast<double>(baseline), static_cast<double>(test));
}

std::vector<DeviceMemoryComparison> compare_memory(const Run& baseline, const SnapshotMemory& of_baseline,
                                                   const Run& test, const SnapshotMemory& of_test) {
    std::vector<DeviceMemoryComparison> pairs;
    const auto rank_of = [](const Run& run, const DeviceSnapshot& of) { return run.ranks[of.rank]->rank; };
    if (of_baseline.devices.size() == 1 && of_test.devices.size() == 1) {
        const DeviceSnapshot& only = of_test.devices.front();
        pairs.push_back(compare_devices(rank_of(test, only), of_baseline.devices.front(), only));
        return pairs;
    }
    std::map<std::pair<int, std::int32_t>, const DeviceSnapshot*> known;
    for (const DeviceSnapshot& of : of_baseline.devices)
        known.try_emplace({rank_of(baseline, of), of.device}, &of);
    for (const DeviceSnapshot& of : of_test.devices)
        if (const auto same = known.find({rank_of(test, of), of.device}); same != known.end())
            pairs.push_back(compare_devices(rank_of(test, of), *same->second, of));
    return pairs;
}

const DeviceMemoryComparison& most_changed(std::span<const DeviceMemoryComparison> pairs) {
    return *std::ranges::max_element(pairs, {}, reserved_change);
}

std::vector<Message> memory_comparison_sentences(std::span<const DeviceMemoryComparison> pairs) {
    if (pairs.empty())
        return {};
    std::vector<Message> sentences;
    const auto other_end = std::ranges::find_if(pairs, [](const DeviceMemoryComparison& each) {
        return each.test->out_of_memory.empty() != each.baseline->out_of_memory.empty();
    });
    if (other_end != pairs.end())
        sentences.push_back(other_end->baseline->out_of_memory.empty()
                                ? "Rank %1 ran out of memory in the test only."_text(other_end->rank)
                                : "Rank %1 ran out of memory in the baseline only."_text(other_end->rank));
    const DeviceMemoryComparison& pair = most_changed(pairs);
    sentences.push_back(
        "Memory of rank %1 at its peak: %2 active instead of %3; at most %4 reserved instead of %5."_text(
            pair.rank, memory_words(pair.test->active_peak), memory_words(pair.baseline->active_peak),
            memory_words(pair.test->reserved_peak), memory_words(pair.baseline->reserved_peak)));
    if (const MemoryChange* category = most_grown(pair.by_category); category != nullptr && !category->name.empty())
        sentences.push_back("Of the categories %1 grew most: %2 instead of %3."_text(
            shortened(terminal_safe(category->name), 80), memory_words(category->test),
            memory_words(category->baseline)));
    const MemoryChange* place = most_grown(pair.by_place);
    if (place != nullptr && place->name.empty())
        sentences.push_back("What has no recorded stack grew most: %1 instead of %2."_text(
            memory_words(place->test), memory_words(place->baseline)));
    else if (place != nullptr)
        sentences.push_back("Of the places in the program %1 grew most: %2 instead of %3."_text(
            shortened(terminal_safe(place->name), 80), memory_words(place->test), memory_words(place->baseline)));
    return sentences;
}

} // namespace rankscope
