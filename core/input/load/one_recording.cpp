// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/load/one_recording.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "core/trace/digest_facts.h"
#include "core/trace/engine_steps.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

/// Files that were recorded together.
struct Recording {
    std::vector<const RankFile*> files;
    TimeRange span;
    std::set<int> ranks; ///< as the files are numbered
    std::set<std::int64_t> steps;
    std::set<std::string> communicators;
    std::set<int> worlds;
    bool numbered = true; ///< a number in the name, at least, says which rank each file is
    bool told = true;     ///< its content or a word in its name does
    int newest = 0;       ///< RankFile::age
};

/// Steps of engines are counted from 1 in every file, whatever was recorded.
bool are_counted(const RankTrace& trace) {
    const EventIndex first = trace.steps.front().event;
    return first != kNoEvent && tells_engine_steps(trace.events.kind[first], trace.event_name(first));
}

/// Nothing: no event has a time.
std::optional<Recording> recording_of(const RankFile& file, const RankTraces& ranks) {
    Recording recording;
    recording.files = {&file};
    recording.ranks = {file.rank};
    recording.newest = file.age;
    bool timed = false;
    for (const auto& trace : ranks) {
        if (trace->events.size() == 0)
            continue;
        recording.span = timed ? TimeRange{std::min(recording.span.begin, trace->span.begin),
                                           std::max(recording.span.end, trace->span.end)}
                               : trace->span;
        timed = true;
        if (!trace->steps.empty() && !are_counted(*trace))
            for (const ProfilerStep& step : trace->steps)
                recording.steps.insert(step.number);
        for (const ProcessGroup& group : trace->process_groups)
            if (trace->source == TraceSource::nsys && !group.name.empty()) // there it is unique in the world
                recording.communicators.insert(group.name);
        if (trace->world_size > 0)
            recording.worlds.insert(trace->world_size);
        const fs::path& named = trace->digest ? trace->digest->source.path : trace->file;
        recording.told =
            recording.told && (trace->header.contains("distributedInfo.rank") || rank_told_in_path(named).has_value());
        recording.numbered = recording.numbered && (recording.told || rank_in_path(named).has_value());
    }
    return timed ? std::optional(recording) : std::nullopt;
}

void join(Recording& into, const Recording& other) {
    into.files.insert(into.files.end(), other.files.begin(), other.files.end());
    into.span = {std::min(into.span.begin, other.span.begin), std::max(into.span.end, other.span.end)};
    into.ranks.insert(other.ranks.begin(), other.ranks.end());
    into.steps.insert(other.steps.begin(), other.steps.end());
    into.communicators.insert(other.communicators.begin(), other.communicators.end());
    into.worlds.insert(other.worlds.begin(), other.worlds.end());
    into.numbered = into.numbered && other.numbered;
    into.told = into.told && other.told;
    into.newest = std::min(into.newest, other.newest);
}

template <typename T>
bool share(const std::set<T>& a, const std::set<T>& b) {
    const auto& [few, many] = a.size() < b.size() ? std::tie(a, b) : std::tie(b, a);
    return std::ranges::any_of(few, [&many = many](const T& one) { return many.contains(one); });
}

/// Whether two that have not a moment in common are of one recording all the same.
bool belong_together(const Recording& a, const Recording& b) {
    if (share(a.ranks, b.ranks) || (!a.worlds.empty() && !b.worlds.empty() && a.worlds != b.worlds))
        return false;
    const bool same_steps = share(a.steps, b.steps);
    return (a.told && b.told && (a.steps.empty() || b.steps.empty() || same_steps)) ||
           (a.numbered && b.numbered && same_steps) || share(a.communicators, b.communicators);
}

/// Those whose times meet, directly or through others; in the order of their times.
std::vector<Recording> at_one_time(std::vector<Recording> files) {
    std::ranges::stable_sort(files, {}, [](const Recording& file) { return file.span.begin; });
    std::vector<Recording> parts;
    for (const Recording& file : files)
        if (!parts.empty() && file.span.begin <= parts.back().span.end)
            join(parts.back(), file);
        else
            parts.push_back(file);
    return parts;
}

std::vector<Recording> recordings_of(const std::vector<Recording>& parts) {
    std::vector<Recording> recordings;
    for (const Recording& part : parts) {
        const auto whole = std::ranges::find_if(
            recordings, [&](const Recording& recording) { return belong_together(recording, part); });
        if (whole != recordings.end())
            join(*whole, part);
        else
            recordings.push_back(part);
    }
    return recordings;
}

std::vector<Recording> at_one_time(const std::vector<RankFile>& files, const std::vector<Result<RankTraces>>& results) {
    std::vector<Recording> parts;
    for (std::size_t i = 0; i < files.size(); ++i)
        if (results[i])
            if (auto part = recording_of(files[i], *results[i]))
                parts.push_back(std::move(*part));
    return at_one_time(std::move(parts));
}

/// The name of a run whose files lie beside those of others.
std::string name_of_run(const Recording& run, const fs::path& folder) {
    const auto first = std::ranges::min(run.files, {}, [](const RankFile* file) { return file->path; });
    const std::string name = first->path.lexically_relative(folder).string();
    return run.files.size() == 1 ? name : fmt::format("{} and {} more", name, run.files.size() - 1);
}

bool is_one_run(const std::vector<Recording>& recordings) {
    std::set<int> worlds;
    for (const Recording& recording : recordings)
        worlds.insert(recording.worlds.begin(), recording.worlds.end());
    return worlds.size() < 2 && std::ranges::all_of(recordings, &Recording::told);
}

} // namespace

std::optional<Error> keep_one_recording(const fs::path& path, RunFiles& files, std::vector<Result<RankTraces>>& results,
                                        const ReadFiles& read) {
    const TraceSource source = files.ranks.front().format->source;
    if (files.ranks.size() < 2 ||
        (source != TraceSource::kineto && source != TraceSource::nsys && source != TraceSource::digest))
        return {};
    const std::vector<Recording> newest = at_one_time(files.ranks, results);
    if (newest.size() < 2 || (files.older.empty() && recordings_of(newest).size() < 2))
        return {};
    std::vector<RankFile> all = files.ranks;
    std::vector<Result<RankTraces>> read_all = results;
    for (RankFile& older : files.older) {
        const auto newer = std::ranges::lower_bound(files.ranks, older.rank, {}, &RankFile::rank);
        older.execution_trace = newer->execution_trace;
        older.graph_captures = newer->graph_captures;
        all.push_back(older);
    }
    std::ranges::move(read(files.older), std::back_inserter(read_all));
    const std::vector<Recording> recordings = recordings_of(at_one_time(all, read_all));
    if (recordings.size() < 2)
        return {};
    if (!is_one_run(recordings)) {
        std::vector<std::string> names;
        for (const Recording& run : recordings)
            names.push_back(name_of_run(run, path));
        std::ranges::sort(names);
        return several_runs(path, names);
    }
    const auto shown = std::ranges::max_element(recordings, {}, [](const Recording& recording) {
        return std::pair(recording.ranks.size(), -recording.newest);
    });
    std::map<int, std::size_t> file_of; // of each rank the newest file of the recording; else one that tells nothing
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool is_shown = std::ranges::find(shown->files, &all[i]) != shown->files.end();
        const bool is_elsewhere = std::ranges::any_of(recordings, [&](const Recording& recording) {
            return std::ranges::find(recording.files, &all[i]) != recording.files.end();
        });
        if (is_shown || (!is_elsewhere && !shown->ranks.contains(all[i].rank)))
            if (const auto [known, first] = file_of.try_emplace(all[i].rank, i); !first)
                if (all[i].age < all[known->second].age)
                    known->second = i;
    }
    std::set<int> ranks;
    for (const RankFile& file : all)
        ranks.insert(file.rank);
    std::erase_if(files.notices,
                  [](const Notice& notice) { return notice.code == "duplicate_rank" || notice.code == "other_cycle"; });
    for (const Recording& recording : recordings)
        for (const RankFile* file : recording.files) {
            const auto known = file_of.find(file->rank);
            if (known != file_of.end() && &all[known->second] == file)
                continue;
            if (&recording == &*shown)
                add_notice(files.notices, {"duplicate_rank",
                                           "rank %1 was recorded more than once: %2 is shown, this file is not"_text(
                                               file->rank, all[known->second].path.string()),
                                           file->path.string(), 1});
            else
                add_notice(files.notices,
                           {"other_recording",
                            "recorded at another time than the files shown, of %1 of %2 ranks instead of "
                            "%3: not shown"_text(recording.ranks.size(), ranks.size(), shown->ranks.size()),
                            file->path.string(), 1});
        }
    files.ranks.clear();
    results.clear();
    for (const auto& [rank, i] : file_of) {
        files.ranks.push_back(all[i]);
        results.push_back(read_all[i]);
    }
    return {};
}

} // namespace rankscope
