// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/load/settle_ranks.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/input/find/who_is_who.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

/// What the events of a file say of the process that wrote it.
struct Recorder {
    std::set<std::string> calling; ///< processes with calls of CUDA or HIP
    std::set<std::string> on_gpu;  ///< what events of GPUs have as their process; PyTorch writes the device there
    bool devices_as_processes = true;
    std::string on_host; ///< the first process of the host
};

Recorder recorder_of(const RankTrace& trace) {
    Recorder recorder;
    for (const Lane& lane : trace.lanes) {
        if (lane.begin == lane.end)
            continue;
        if (lane.kind == LaneKind::gpu_stream) {
            recorder.on_gpu.insert(lane.process);
            recorder.devices_as_processes =
                recorder.devices_as_processes && lane.process == std::to_string(lane.device);
        }
        if (lane.kind != LaneKind::cpu_thread)
            continue;
        if (recorder.on_host.empty())
            recorder.on_host = lane.process;
        for (EventIndex i = lane.begin; i < lane.end && !recorder.calling.contains(lane.process); ++i)
            if (is_launch_call(trace.events.kind[i]))
                recorder.calling.insert(lane.process);
    }
    return recorder;
}

/// A process records itself and no other: calls of two processes, or GPUs that are not numbered as devices, are of a
/// file that somebody put together.
bool holds_several_ranks(const Recorder& recorder) {
    return recorder.calling.size() > 1 || (recorder.on_gpu.size() > 1 && !recorder.devices_as_processes);
}

/// Neither work nor calls of a GPU, and no word of its rank: a front end, a router, a data loader.
bool is_no_rank(const RankTrace& trace, const Recorder& recorder, const RankFile& file) {
    return trace.events.gpu_count == 0 && recorder.calling.empty() && !file.told.rank &&
           !rank_told_in_path(file.path, file.told.processes);
}

int shifted(int rank, int by) {
    const std::int64_t sum = std::int64_t{rank} + by;
    return rank < 0 || sum < 0 || sum > kMostRanks ? rank : static_cast<int>(sum);
}

/// Numbers of a job become those of the run.
void shift_groups(RankTrace& trace, int by) {
    const std::vector<ProcessGroup> before = trace.process_groups;
    for (ProcessGroup& group : trace.process_groups)
        for (int& rank : group.ranks)
            rank = shifted(rank, by);
    for (CollectiveArgs& args : trace.collective_args) {
        if (args.group < 0 || static_cast<std::size_t>(args.group) >= before.size())
            continue;
        // What is no member is a place in the group.
        const std::vector<int>& members = before[static_cast<std::size_t>(args.group)].ranks;
        for (std::int32_t* peer : {&args.source_rank, &args.destination_rank})
            if (members.empty() || std::ranges::find(members, *peer) != members.end())
                *peer = shifted(*peer, by);
    }
}

/// Everything that a folder's files may turn out to be.
class Settling {
public:
    Settling(RunFiles& files, std::vector<Result<RankTraces>>& results, const ReadFiles& read)
        : files_(files), results_(results), read_(read) {}

    std::optional<Error> settle() {
        for (std::size_t i = 0; i < files_.ranks.size(); ++i)
            know(files_.ranks[i], std::move(results_[i]));
        // What was told by when files start, or by their names, is told anew by their times and devices.
        changed_ = changed_ || std::ranges::any_of(files_.notices, [](const Notice& notice) {
                       return notice.code == "jobs_side_by_side" || notice.code == "alone_each" ||
                              notice.code == "rank_by_order";
                   });
        read_those_that_may_be_shown();
        const bool others_compute = std::ranges::any_of(known_, [](const auto& entry) {
            return entry.second.result && entry.second.computes && !entry.second.several;
        });
        std::vector<RankFile> kept;
        for (const auto& [path, known] : known_)
            if (known.several)
                merged_.push_back(&known.file);
            else if (known.no_rank && others_compute)
                front_ends_.push_back(&known.file);
            else
                kept.push_back(known.file);
        if (kept.empty() && !merged_.empty())
            return Error{
                Error::Code::input,
                "%1 holds the events of several processes, each with its own GPU work, as if it were of one "
                "rank; open the files of the ranks that it was made from"_text(merged_.front()->path.string())};
        if (merged_.empty() && front_ends_.empty() && !changed_)
            return take_back();
        for (const RankFile& older : files_.older)
            if (!known_.contains(older.path))
                kept.push_back(older);
        give_anew(std::move(kept));
        return {};
    }

private:
    struct Known {
        RankFile file;
        Result<RankTraces> result;
        bool several = false;
        bool no_rank = false;
        bool computes = false;
    };

    void know(const RankFile& file, Result<RankTraces> result) {
        Known known{file, std::move(result)};
        if (known.result && known.result->size() == 1) {
            const RankTrace& trace = *known.result->front();
            const Recorder recorder = recorder_of(trace);
            if (trace.events.size() > 0)
                known.file.span = trace.span;
            known.file.device = trace.device();
            if (known.file.told.processes.empty() && !recorder.on_host.empty())
                known.file.told.processes = {recorder.on_host};
            if (!known.file.told.rank && trace.header.contains("distributedInfo.rank")) {
                known.file.told.rank = trace.rank;
                if (trace.world_size > 0)
                    known.file.told.world_size = trace.world_size;
                changed_ = changed_ || trace.rank != file.rank || trace.world_size == 1;
            }
            known.several = holds_several_ranks(recorder);
            known.no_rank = is_no_rank(trace, recorder, known.file);
            known.computes = trace.events.gpu_count > 0;
        }
        known_.insert_or_assign(file.path, std::move(known));
    }

    /// Older files beside a shown one, and those of ranks whose shown file is none.
    void read_those_that_may_be_shown() {
        std::vector<RankFile> wanted;
        std::set<int> ranks; // whose next file is wanted
        for (const RankFile& older : files_.older) {
            const auto shown = std::ranges::find(files_.ranks, older.rank, &RankFile::rank);
            if (shown == files_.ranks.end() || !known_.contains(shown->path))
                continue;
            const Known& known = known_.at(shown->path);
            const bool replaces = (known.several || known.no_rank) && ranks.insert(older.rank).second;
            if (!replaces && !are_side_by_side(*shown, older))
                continue;
            RankFile& one = wanted.emplace_back(older);
            one.graph_captures = shown->graph_captures;
            if (replaces)
                one.execution_trace = shown->execution_trace;
        }
        if (!wanted.empty())
            read(wanted);
    }

    void read(const std::vector<RankFile>& wanted) {
        changed_ = true;
        std::vector<Result<RankTraces>> results = read_(wanted);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            know(wanted[i], std::move(results[i]));
    }

    std::optional<Error> take_back() {
        for (std::size_t i = 0; i < files_.ranks.size(); ++i) {
            Known& known = known_.at(files_.ranks[i].path);
            files_.ranks[i] = known.file;
            results_[i] = std::move(known.result);
        }
        return {};
    }

    void give_anew(std::vector<RankFile> kept) {
        std::ranges::stable_sort(kept, {}, &RankFile::age);
        files_.ranks.clear();
        files_.older.clear();
        std::erase_if(files_.notices, [](const Notice& notice) {
            return notice.code == "duplicate_rank" || notice.code == "other_cycle" || notice.code == "rank_by_order" ||
                   notice.code == "alone_each" || notice.code == "jobs_side_by_side";
        });
        for (const RankFile* file : merged_)
            add_notice(files_.notices, {"merged_file",
                                        "the events of several processes, each with its own GPU work: left out beside "
                                        "the files of the ranks"_text,
                                        file->path.string(), 1});
        for (const RankFile* file : front_ends_)
            add_notice(files_.notices,
                       {"not_a_rank",
                        "it has neither GPU work nor calls of a GPU, and nothing says that it is a rank: left out "
                        "beside the files of the ranks"_text,
                        file->path.string(), 1});
        give_ranks(std::move(kept), files_);
        std::vector<RankFile> unread;
        for (const RankFile& file : files_.ranks)
            if (!known_.contains(file.path))
                unread.push_back(file);
        if (!unread.empty())
            read(unread);
        results_.clear();
        for (RankFile& file : files_.ranks) {
            Known& known = known_.at(file.path);
            const JobRanks from = known.file.job; // as it was when it was read
            if (known.result && known.result->size() == 1)
                known.result->front() = placed(known.result->front(), file, from);
            results_.push_back(std::move(known.result));
        }
    }

    RunFiles& files_;
    std::vector<Result<RankTraces>>& results_;
    const ReadFiles& read_;
    std::map<std::filesystem::path, Known> known_;
    std::vector<const RankFile*> merged_;
    std::vector<const RankFile*> front_ends_;
    bool changed_ = false;
};

} // namespace

std::optional<Error> settle_ranks(RunFiles& files, std::vector<Result<RankTraces>>& results, const ReadFiles& read) {
    if (files.ranks.empty() || files.ranks.front().format->source != TraceSource::kineto)
        return {};
    return Settling(files, results, read).settle();
}

std::shared_ptr<const RankTrace> placed(const std::shared_ptr<const RankTrace>& rank, const RankFile& file,
                                        const JobRanks& from) {
    const bool told = rank->header.contains("distributedInfo.rank") && file.told.rank;
    const int number = !file.is_given && told ? *file.told.rank : file.rank;
    const int world = file.job.number > 0     ? file.job.all_ranks
                      : file.is_given && told ? 0
                      : from.number > 0       ? file.told.world_size.value_or(0) // it was that of all jobs
                                              : rank->world_size;
    if (rank->rank == number && rank->world_size == world && rank->job == file.job.number && file.job == from)
        return rank;
    auto copy = std::make_shared<RankTrace>(*rank);
    copy->rank = number;
    copy->world_size = world;
    copy->job = file.job.number;
    if (file.job.first_rank != from.first_rank)
        shift_groups(*copy, file.job.first_rank - from.first_rank);
    return copy;
}

} // namespace rankscope
