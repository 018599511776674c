// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/find/who_is_who.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

#include "core/base/text.h"
#include "core/base/text_match.h"
#include "core/trace/one_launch.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

using Members = std::vector<const RankFile*>;

constexpr TimeNs kSecond = 1'000'000'000;

bool is_of_one_process(const RankFile& a, const RankFile& b) {
    return !a.told.processes.empty() && a.told.processes == b.told.processes;
}

/// The process says that it is alone, which engines with a world for each GPU say as well.
bool is_alone(const RankFile& file) { return file.told.rank && file.told.world_size == 1; }

/// The number is one that a job of so many ranks has. A world of its own counts more than that of others.
std::optional<int> within_world(std::optional<int> rank, const RankFile& file, int world) {
    const int own = file.told.world_size.value_or(0);
    const int most = own > 1 ? own : world;
    return rank && most > 1 && *rank >= most ? std::nullopt : rank;
}

std::optional<int> rank_by_name(const RankFile& file, int world) {
    return within_world(file.told.by_order ? std::nullopt : rank_in_path(file.path, file.told.processes), file, world);
}

/// Each rank of a job of several says that it is one.
bool is_whole_job(const std::vector<RankFile>& all) {
    std::set<int> worlds;
    std::set<int> ranks;
    for (const RankFile& file : all)
        if (file.told.rank && file.told.world_size) {
            worlds.insert(*file.told.world_size);
            ranks.insert(*file.told.rank);
        }
    return worlds.size() == 1 && *worlds.begin() > 1 && static_cast<int>(ranks.size()) == *worlds.begin() &&
           *ranks.begin() == 0 && *ranks.rbegin() + 1 == *worlds.begin();
}

/// The newest first: by when they started, which copying does not change; where one does not tell, by their age.
void sort_newest_first(std::vector<const RankFile*>& files) {
    const bool all_tell = std::ranges::all_of(
        files, [](const RankFile* file) { return file->told.start.has_value(); });
    std::ranges::stable_sort(files, std::less<>(), [&](const RankFile* file) {
        return std::tuple(-file->capture, all_tell ? -*file->told.start : 0, file->age);
    });
}

/// Of "dp1_pp0_tp0_rank0": 1, as vLLM names its data-parallel engines.
std::optional<int> engine_in_name(const RankFile& file) {
    const std::string name = lower_case(file.path.filename().string());
    for (std::size_t at = name.find("dp"); at != std::string::npos; at = name.find("dp", at + 1))
        if (at == 0 || (std::isalnum(static_cast<unsigned char>(name[at - 1])) == 0))
            if (const auto number = number_behind(std::string_view(name).substr(at, name.find('_', at) - at), "dp"))
                return number;
    return {};
}

/// Whether names number engines, from 0 on: other numbers are degrees of parallelism.
bool names_number_engines(const std::vector<RankFile>& all) {
    std::set<int> numbers;
    for (const RankFile& file : all)
        if (const auto number = engine_in_name(file))
            numbers.insert(*number);
    return numbers.size() > 1 && *numbers.begin() == 0 && *numbers.rbegin() + 1 == static_cast<int>(numbers.size());
}

/// Of "decode/rank0.json": "decode"; empty where no folder names an instance of a service.
std::string instance_in_path(const RankFile& file) {
    std::string instance;
    for (const auto& part : file.path.parent_path())
        if (names_an_instance(part.string()))
            instance = part.string();
    return instance;
}

bool are_of_two_instances(const RankFile& a, const RankFile& b) {
    const std::string instance = instance_in_path(a);
    const std::string other = instance_in_path(b);
    return !instance.empty() && !other.empty() && instance != other;
}

Message job_words(std::size_t jobs, int first, int ranks) {
    if (ranks == 1)
        return "%1 jobs are side by side, and each counts its ranks from 0: that of this file's job is shown as %2, "
               "and no call of one job is matched with another's"_text(jobs, first);
    return "%1 jobs are side by side, and each counts its ranks from 0: those of this file's job are shown as %2 to "
           "%3, and no call of one job is matched with another's"_text(jobs, first, first + ranks - 1);
}

Message machine_words(int first, int ranks) {
    if (ranks == 1)
        return "files of one time tell the same rank: that of this file is taken as %1"_text(first);
    return "files of one time tell the same ranks: those of this file's folder or name are taken as %1 to %2"_text(
        first, first + ranks - 1);
}

class RankGiver {
public:
    explicit RankGiver(RunFiles& files) : files_(files) {}

    void give(const std::vector<RankFile>& all, const EndTogether& end_together) {
        alone_is_no_rank_ = are_several_alone(all);
        engines_in_names_ = names_number_engines(all);
        world_ = told_world(all);
        if (alone_is_no_rank_)
            add_notice(files_.notices,
                       {"alone_each",
                        "several files of one time say that they are rank 0 of 1: the ranks are taken from their "
                        "names, else by device or order"_text,
                        {},
                        1});
        std::map<int, Members> of_rank;
        Members nameless;
        for (const RankFile& file : all)
            if (const auto rank = rank_of(file))
                of_rank[*rank].push_back(&file);
            else
                nameless.push_back(&file);
        if (is_whole_job(all))
            leave_out_strangers(nameless, all);
        place_told(of_rank, end_together);
        place_by_order(nameless);
        std::ranges::sort(files_.ranks, {}, &RankFile::rank);
        std::ranges::sort(files_.older, {}, &RankFile::age);
    }

private:
    static bool are_several_alone(const std::vector<RankFile>& all) {
        Members alone;
        for (const RankFile& file : all)
            if (is_alone(file))
                alone.push_back(&file);
        std::ranges::stable_sort(alone, {}, [](const RankFile* file) { return file->told.start; });
        // A prefill and a decode instance are jobs of their own, each rank 0 of 1.
        return std::ranges::adjacent_find(alone, [](const RankFile* a, const RankFile* b) {
                   return are_side_by_side(*a, *b) && !are_of_two_instances(*a, *b);
               }) != alone.end();
    }

    [[nodiscard]] bool says_its_rank(const RankFile& file) const {
        return file.told.rank && !(alone_is_no_rank_ && is_alone(file));
    }
    [[nodiscard]] std::optional<int> rank_of(const RankFile& file) const {
        return says_its_rank(file) ? file.told.rank : rank_by_name(file, world_);
    }

    void show(const RankFile& file, int rank, const JobRanks& job = {}) {
        RankFile& shown = files_.ranks.emplace_back(file);
        shown.rank = rank;
        shown.is_given = job.number > 0 || (file.told.rank && !says_its_rank(file));
        // A job of one that is shown as another rank: its groups follow.
        shown.job = job.number == 0 && shown.is_given ? JobRanks{0, rank, 0} : job;
        taken_.insert(rank);
    }
    void leave_out(const RankFile& file, int rank, const RankFile& shown) {
        RankFile& older = files_.older.emplace_back(file);
        older.rank = rank;
        older.is_given = file.told.rank && !says_its_rank(file);
        older.job = {};
        if (are_cycles(file, shown) && file.capture == shown.capture && file.told.start != shown.told.start)
            add_notice(files_.notices, {"other_cycle",
                                        "the process of rank %1 was recorded again: %2 is shown, this recording is "
                                        "not; open the file itself to see it"_text(rank, shown.path.string()),
                                        file.path.string(), 1});
        else
            add_notice(files_.notices, {"duplicate_rank",
                                        "rank %1 was recorded more than once: %2 is shown, this file is not"_text(
                                            rank, shown.path.string()),
                                        file.path.string(), 1});
    }

    /// Engines that start to record seconds apart, as requests to start reach them, are side by side all the same; in
    /// containers each may have the same process ids.
    [[nodiscard]] bool are_beside(const RankFile& a, const RankFile& b) const {
        if (are_side_by_side(a, b))
            return true;
        return a.capture == b.capture && ((engines_in_names_ && engine_in_name(a) != engine_in_name(b)) ||
                                          (!is_of_one_process(a, b) && are_of_two_instances(a, b)));
    }
    /// Two recordings of one process: it has one recorder, so they cannot overlap.
    [[nodiscard]] bool are_cycles(const RankFile& a, const RankFile& b) const {
        return is_of_one_process(a, b) && !are_beside(a, b);
    }

    /// Files that say nothing of a rank and were recorded beside all ranks of a job. Those that are not read yet may
    /// say it then.
    void leave_out_strangers(Members& nameless, const std::vector<RankFile>& all) {
        const auto is_stranger = [&](const RankFile* file) {
            return file->span && std::ranges::any_of(all, [&](const RankFile& other) {
                       return other.told.rank && are_side_by_side(*file, other);
                   });
        };
        for (const RankFile* file : nameless)
            if (is_stranger(file))
                add_notice(files_.notices,
                           {"not_a_rank",
                            "the files of all %1 ranks are there, and this one does not say that it is of their job: "
                            "left out"_text(world_),
                            file->path.string(), 1});
        std::erase_if(nameless, is_stranger);
    }

    /// The newest of each process. Those of other times are left out.
    [[nodiscard]] Members one_per_process(Members files,
                                          std::vector<std::pair<const RankFile*, const RankFile*>>& left_out) const {
        sort_newest_first(files);
        Members kept;
        for (const RankFile* file : files) {
            const bool beside = kept.empty() || are_beside(*kept.front(), *file);
            const auto same =
                std::ranges::find_if(kept, [&](const RankFile* other) { return are_cycles(*other, *file); });
            if (beside && same == kept.end())
                kept.push_back(file);
            else
                left_out.emplace_back(file, same != kept.end() ? *same : kept.front());
        }
        return kept;
    }

    void place_told(const std::map<int, Members>& of_rank, const EndTogether& end_together) {
        std::vector<std::pair<const RankFile*, const RankFile*>> left_out;
        std::map<int, Members> shown;
        std::size_t most = 0;
        for (const auto& [rank, members] : of_rank) {
            shown[rank] = one_per_process(members, left_out);
            most = std::max(most, shown[rank].size());
        }
        if (most < 2)
            for (const auto& [rank, members] : shown)
                show(*members.front(), rank);
        else
            place_side_by_side(shown, end_together);
        std::map<std::string, int> rank_at; // by path
        for (const RankFile& file : files_.ranks)
            rank_at.emplace(file.path.string(), file.rank);
        for (const auto& [file, newer] : left_out)
            if (const auto at = rank_at.find(newer->path.string()); at != rank_at.end())
                leave_out(*file, at->second, *newer);
    }

    void place_side_by_side(const std::map<int, Members>& of_rank, const EndTogether& end_together) {
        const std::vector<JobSide> sides = job_sides(of_rank, end_together);
        bool jobs = engines_in_names_; // else machines of one job whose files count from 0 on each
        int largest = 0;
        std::int64_t all = 0;
        for (const JobSide& side : sides) {
            largest = std::max(largest, side.ranks());
            all += side.ranks();
            for (const auto& [rank, file] : side.files)
                jobs = jobs || says_its_rank(*file);
        }
        if (all > kMostRanks || largest > kMostRanks / static_cast<int>(sides.size())) {
            for (const auto& [rank, members] : of_rank)
                show(*members.front(), rank);
            return;
        }
        int first = 0;
        for (std::size_t i = 0; i < sides.size(); ++i) {
            const JobSide& side = sides[i];
            const int size = jobs ? side.ranks() : largest;
            const JobRanks job{jobs ? static_cast<int>(i) + 1 : 0, first, static_cast<int>(all)};
            for (const auto& [rank, file] : side.files)
                show(*file, first + rank, jobs ? job : JobRanks{});
            const std::string example = side.files.begin()->second->path.string();
            add_notice(files_.notices,
                       jobs ? Notice{"jobs_side_by_side", job_words(sides.size(), first, size), example, 1}
                            : Notice{"rank_by_order", machine_words(first, size), example, 1});
            first += size;
        }
    }

    void place_by_order(Members nameless) {
        std::ranges::sort(nameless, by_numbers_inside, [](const RankFile* file) { return file->path.string(); });
        std::vector<Members> recorders; // the recordings of each
        std::map<std::string, std::size_t> recorder_named;
        for (const RankFile* file : nameless) {
            const std::string recorder = recorder_in_name(file->path);
            const auto same = recorder_named.find(recorder);
            if (!recorder.empty() && same != recorder_named.end() &&
                are_cycles(*recorders[same->second].front(), *file)) {
                recorders[same->second].push_back(file);
                continue;
            }
            recorder_named.emplace(recorder, recorders.size());
            recorders.push_back({file});
        }
        std::set<std::int64_t> devices;
        for (const Members& recorder : recorders)
            devices.insert(recorder.front()->device);
        if (alone_is_no_rank_ && devices.size() == recorders.size())
            std::ranges::stable_sort(recorders, {}, [](const Members& recorder) { return recorder.front()->device; });
        const bool only = recorders.size() == 1 && taken_.empty();
        int next = 0;
        for (Members& recorder : recorders) {
            while (taken_.contains(next))
                ++next;
            sort_newest_first(recorder);
            show(*recorder.front(), next);
            if (!only && !recorder.front()->told.by_order)
                add_notice(
                    files_.notices,
                    {"rank_by_order",
                     "neither file nor name tells the rank; taken as rank %1 by its place in the folder"_text(next),
                     recorder.front()->path.string(), 1});
            for (std::size_t i = 1; i < recorder.size(); ++i)
                leave_out(*recorder[i], next, *recorder.front());
        }
    }

    RunFiles& files_;
    std::set<int> taken_;
    int world_ = 0;
    bool alone_is_no_rank_ = false;
    bool engines_in_names_ = false;
};

/// Of one launch, though they have no moment in common: the clocks of machines differ, or requests to record come one
/// after the other.
bool are_of_one_launch(const RankFile& a, const RankFile& b) {
    const bool other_processes =
        !a.told.processes.empty() && !b.told.processes.empty() && a.told.processes != b.told.processes;
    return other_processes && a.steps && b.steps && a.steps->first <= b.steps->second &&
           b.steps->first <= a.steps->second && std::abs(a.span->begin - b.span->begin) <= kOfOneLaunch;
}

} // namespace

bool are_side_by_side(const RankFile& a, const RankFile& b) {
    if (a.capture != b.capture)
        return false;
    if (a.span && b.span) {
        const bool copies = a.span->begin == b.span->begin && a.told.processes == b.told.processes;
        const bool overlap = a.span->begin <= b.span->end && b.span->begin <= a.span->end;
        return overlap ? !copies : are_of_one_launch(a, b);
    }
    if (!a.told.start || !b.told.start)
        return false;
    const bool one_process = is_of_one_process(a, b) || a.told.processes.empty() || b.told.processes.empty();
    const TimeNs apart = std::abs(*a.told.start - *b.told.start);
    return one_process ? apart > 0 && apart < 2 * kSecond : apart < 60 * kSecond;
}

int told_world(const std::vector<RankFile>& files) {
    int world = 0;
    for (const RankFile& file : files)
        world = std::max(world, file.told.world_size.value_or(0));
    return world > 1 ? world : 0;
}

std::optional<int> rank_word(const RankFile& file, int world) {
    return within_world(rank_told_in_path(file.path, file.told.processes), file, world);
}

void give_ranks(std::vector<RankFile> all, RunFiles& files, const EndTogether& end_together) {
    RankGiver(files).give(all, end_together);
}

} // namespace rankscope
