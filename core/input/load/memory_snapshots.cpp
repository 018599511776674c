// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/load/memory_snapshots.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "core/base/text_match.h"
#include "core/base/words.h"
#include "core/input/find/config_files.h"
#include "core/input/find/rank_in_name.h"
#include "core/input/memory_snapshot/snapshot_reader.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

bool may_be_snapshot(const fs::path& path) { return is_snapshot_name(lower_case(path.filename().string())); }

/// Which snapshot each rank gets.
struct SnapshotChoice {
    std::map<int, fs::path> of_rank;
    bool by_order = false;
    std::vector<fs::path> unmatched;
    std::vector<std::pair<fs::path, int>> replaced; ///< by another one of the rank
};

SnapshotChoice choose_snapshots(const std::vector<fs::path>& files, const Run& run) {
    SnapshotChoice choice;
    std::vector<fs::path> unnamed;
    for (const fs::path& file : files) {
        const auto rank = rank_in_path(file);
        if (!rank) {
            unnamed.push_back(file);
        } else if (run.rank(*rank) == nullptr) {
            choice.unmatched.push_back(file);
        } else {
            const auto [place, is_new] = choice.of_rank.try_emplace(*rank, file);
            if (!is_new) {
                choice.replaced.emplace_back(place->second, *rank);
                place->second = file;
            }
        }
    }
    if (choice.of_rank.empty() && unnamed.size() == run.ranks.size()) {
        choice.by_order = unnamed.size() > 1;
        for (std::size_t i = 0; i < unnamed.size(); ++i)
            choice.of_rank.emplace(run.ranks[i]->rank, unnamed[i]);
    } else {
        choice.unmatched.insert(choice.unmatched.end(), unnamed.begin(), unnamed.end());
    }
    return choice;
}

/// Times of another recording, or of a trace whose times do not count from 1970, are moved to the rank's first event.
void place_in_time(MemorySnapshot& snapshot, const RankTrace& rank) {
    constexpr TimeNs kFar = 86'400'000'000'000;
    const auto span = snapshot.span();
    if (!span || (span->begin < rank.span.end + kFar && span->end > rank.span.begin - kFar))
        return;
    snapshot.moved = rank.span.begin - span->begin;
    for (auto& [device, events] : snapshot.traces)
        for (SnapshotEvent& event : events)
            event.time += snapshot.moved;
    for (SnapshotAnnotation& annotation : snapshot.annotations)
        annotation.time += snapshot.moved;
}

/// Whether it was read.
bool join_snapshot(const fs::path& file, const ReadOptions& options, std::size_t index, Run& run, bool& moved) {
    auto snapshot = read_memory_snapshot(file, *run.names, options);
    if (!snapshot) {
        if (snapshot.error().code != Error::Code::cancelled)
            add_notice(run.notices, {"memory_snapshot_broken", snapshot.error().message, file.string(), 1});
        return false;
    }
    if (snapshot->malformed > 0)
        add_notice(run.notices,
                   {"memory_snapshot_broken", "entries of the snapshot that could not be read were left out"_text,
                    file.string(), snapshot->malformed});
    place_in_time(*snapshot, *run.ranks[index]);
    moved = moved || snapshot->moved != 0;
    auto copy = std::make_shared<RankTrace>(*run.ranks[index]);
    copy->memory_snapshot = std::make_shared<const MemorySnapshot>(std::move(*snapshot));
    run.ranks[index] = std::move(copy);
    return true;
}

void tell_of_snapshots(const std::vector<int>& joined, const SnapshotChoice& choice, bool moved, Run& run) {
    Message told =
        choice.by_order
            ? "memory snapshots: joined to %1, in the order of their names, which tell no rank"_text(rank_words(joined))
            : "memory snapshots: joined to %1"_text(rank_words(joined));
    if (moved)
        told = "%1; their times lie more than a day from the traces': they are shown from the start of the rank"_text(
            told);
    add_notice(run.notices, {"memory_snapshot", std::move(told), choice.of_rank.begin()->second.string(),
                             static_cast<std::int64_t>(joined.size())});
    run.config["trace.memory_snapshot"] = english(rank_words(joined));
}

} // namespace

std::vector<fs::path> memory_snapshots(const fs::path& run) {
    constexpr std::size_t kMostFiles = 10'000;
    std::vector<fs::path> files = files_beside(run, may_be_snapshot);
    files.resize(std::min(files.size(), kMostFiles));
    std::erase_if(files, [](const fs::path& path) { return !is_memory_snapshot(path); });
    return files;
}

void join_memory_snapshots(const fs::path& path, const ReadOptions& options, Run& run) {
    if (run.source == TraceSource::memory_snapshot)
        return;
    const std::vector<fs::path> files = memory_snapshots(path);
    if (files.empty())
        return;
    SnapshotChoice choice = choose_snapshots(files, run);
    std::error_code error;
    if (!fs::is_directory(path, error)) // the others are of ranks that were not asked for
        choice.unmatched.clear();
    std::vector<int> joined;
    bool moved = false;
    for (const auto& [rank, file] : choice.of_rank) {
        const auto at = std::ranges::find(run.ranks, rank, [](const auto& trace) { return trace->rank; });
        if (join_snapshot(file, options, static_cast<std::size_t>(at - run.ranks.begin()), run, moved))
            joined.push_back(rank);
    }
    if (!joined.empty())
        tell_of_snapshots(joined, choice, moved, run);
    for (const fs::path& file : choice.unmatched)
        add_notice(run.notices, {"memory_snapshot_unmatched", "its name tells no rank of the run: it is not shown"_text,
                                 file.string(), 1});
    for (const auto& [file, rank] : choice.replaced)
        add_notice(run.notices,
                   {"memory_snapshot_unmatched",
                    "another snapshot of rank %1, whose name comes last, is shown"_text(rank), file.string(), 1});
}

} // namespace rankscope
