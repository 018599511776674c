// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/load/settle_ranks.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/base/text_match.h"
#include "core/input/find/who_is_who.h"
#include "core/trace/plausible.h"
#include "core/trace/step_ends.h"

namespace rankscope {
namespace {

/// What the events of a file say of the process that wrote it.
struct Recorder {
    std::set<std::string> launching; ///< processes that give a GPU work; a front end may ask for GPUs, or wait for one
    std::set<std::string> on_gpu;    ///< what events of GPUs have as their process; PyTorch writes the device there
    bool devices_as_processes = true;
    std::string on_host; ///< the first process of the host
};

/// Of a call of CUDA or HIP: "cudaLaunchKernelExC", "hipMemcpyAsync", "cuMemsetD32Async".
bool gives_work(std::string_view call) {
    static constexpr std::array<std::string_view, 3> kWords{"Launch", "Memcpy", "Memset"};
    return contains_any(call, kWords);
}

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
        for (EventIndex i = lane.begin; i < lane.end && !recorder.launching.contains(lane.process); ++i)
            if (is_launch_call(trace.events.kind[i]) && gives_work(trace.event_name(i)))
                recorder.launching.insert(lane.process);
    }
    return recorder;
}

/// A process records itself and no other: launches of two processes, or GPUs that are not numbered as devices, are of a
/// file that somebody put together.
bool holds_several_ranks(const Recorder& recorder) {
    return recorder.launching.size() > 1 || (recorder.on_gpu.size() > 1 && !recorder.devices_as_processes);
}

int shifted(int rank, int by) {
    const std::int64_t sum = std::int64_t{rank} + by;
    return rank < 0 || sum < 0 || sum > kMostRanks ? rank : static_cast<int>(sum);
}

/// The ends of a rank's calls on the GPU, by the members of their group as the rank's job numbers them; ascending.
using CallEnds = std::map<std::vector<int>, std::vector<TimeNs>>;

/// first_rank: by which the groups' numbers were shifted.
CallEnds call_ends(const RankTrace& trace, int first_rank) {
    std::vector<std::vector<TimeNs>*> of_group(trace.process_groups.size(), nullptr);
    CallEnds ends;
    for (std::size_t group = 0; group < of_group.size(); ++group) {
        std::vector<int> members = trace.process_groups[group].ranks;
        for (int& rank : members)
            rank = shifted(rank, -first_rank);
        if (members.size() > 1)
            of_group[group] = &ends[std::move(members)];
    }
    for (const CollectiveEntry& call : trace.collectives) {
        const int group = trace.collective_args[call.args].group;
        if (call.event >= trace.events.gpu_count || group < 0 || static_cast<std::size_t>(group) >= of_group.size())
            continue;
        if (std::vector<TimeNs>* const of = of_group[static_cast<std::size_t>(group)])
            of->push_back(trace.events.start[call.event] + trace.events.duration[call.event]);
    }
    for (auto& [members, of] : ends)
        std::ranges::sort(of);
    return ends;
}

/// How many of the first's ends lie close to one of the second's: within 50 us, as calls end on all their members, or a
/// tenth of the time from call to call, which calls of another job rarely meet.
std::size_t count_close(const std::vector<TimeNs>& ends, const std::vector<TimeNs>& others) {
    constexpr TimeNs kAlwaysClose = 50'000;
    const TimeNs apart = (others.back() - others.front()) / static_cast<TimeNs>(others.size());
    const TimeNs close = std::max(kAlwaysClose, apart / 10);
    return static_cast<std::size_t>(std::ranges::count_if(ends, [&](TimeNs end) {
        const auto next = std::ranges::lower_bound(others, end - close);
        return next != others.end() && *next <= end + close;
    }));
}

/// Whether most calls of the groups that both have end together; nothing: they have none.
std::optional<bool> end_together(const CallEnds& a, const CallEnds& b) {
    std::size_t close = 0;
    std::size_t calls = 0;
    for (const auto& [members, ends] : a) {
        const auto other = b.find(members);
        if (ends.empty() || other == b.end() || other->second.empty())
            continue;
        const auto& [few, many] =
            ends.size() < other->second.size() ? std::tie(ends, other->second) : std::tie(other->second, ends);
        close += count_close(few, many);
        calls += few.size();
    }
    return calls > 0 ? std::optional(2 * close > calls) : std::nullopt;
}

/// Of all events; nothing: there are none, or no clock, as in reports that do not say when their session started.
std::optional<TimeRange> span_of(const RankTraces& ranks) {
    std::optional<TimeRange> span;
    for (const auto& trace : ranks) {
        if (trace->events.size() == 0)
            continue;
        if (std::ranges::find(trace->notices, NoticeCode("no_session_start"), &Notice::code) != trace->notices.end())
            return {};
        span = span ? TimeRange{std::min(span->begin, trace->span.begin), std::max(span->end, trace->span.end)}
                    : trace->span;
    }
    return span;
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
        learn_who_is_no_rank();
        // What was told by when files start, or by their names, is told anew by their times and devices.
        changed_ = changed_ || std::ranges::any_of(files_.notices, [](const Notice& notice) {
                       return notice.code == "jobs_side_by_side" || notice.code == "alone_each" ||
                              notice.code == "rank_by_order";
                   });
        read_those_that_may_be_shown();
        std::vector<RankFile> kept;
        for (const auto& [path, known] : known_)
            if (known.several)
                merged_.push_back(&known.file);
            else if (known.no_rank && others_compute())
                front_ends_.push_back(&known.file);
            else
                kept.push_back(known.file);
        if (const std::string merged = merged_without_ranks(); !merged.empty())
            return Error{Error::Code::input,
                         "%1 holds the events of several processes, each with its own GPU work, as if it were of one "
                         "rank; open the files of the ranks that it was made from"_text(merged)};
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
        bool launches = false; ///< work on a GPU
        bool computes = false;
        std::optional<CallEnds> call_ends = {}; ///< once they are asked for
    };

    void know(const RankFile& file, Result<RankTraces> result) {
        Known known{file, std::move(result)};
        if (known.result)
            known.file.span = span_of(*known.result);
        if (known.result && known.result->size() == 1) {
            const RankTrace& trace = *known.result->front();
            const Recorder recorder = recorder_of(trace);
            known.file.device = trace.device();
            if (!trace.steps.empty() && !has_engine_steps(trace)) { // which count from 1 in each file
                const auto [first, last] = std::ranges::minmax(trace.steps, {}, &ProfilerStep::number);
                known.file.steps = std::pair(first.number, last.number);
            }
            if (known.file.told.processes.empty() && !recorder.on_host.empty())
                known.file.told.processes = {recorder.on_host};
            if (!known.file.told.rank && trace.header.contains("distributedInfo.rank")) {
                known.file.told.rank = trace.rank;
                if (trace.world_size > 0)
                    known.file.told.world_size = trace.world_size;
                changed_ = changed_ || trace.rank != file.rank || trace.world_size == 1;
            }
            // A report may hold several processes of one rank.
            known.several = trace.source == TraceSource::kineto && holds_several_ranks(recorder);
            known.launches = !recorder.launching.empty();
            known.computes = trace.events.gpu_count > 0;
        }
        known_.insert_or_assign(file.path, std::move(known));
    }

    [[nodiscard]] bool others_compute() const {
        return std::ranges::any_of(
            known_,
            [](const auto& entry) { return entry.second.result && entry.second.computes && !entry.second.several; });
    }

    /// Neither work nor launches of a GPU, and no word of its rank that another one beside it does not say as well: a
    /// front end, a router, a data loader. A world of its own tells no rank of those that compute.
    void learn_who_is_no_rank() {
        std::vector<RankFile> files;
        for (const auto& [path, known] : known_)
            files.push_back(known.file);
        const int world = told_world(files);
        for (auto& [path, known] : known_) {
            const bool says_rank = known.file.told.rank && known.file.told.world_size != 1;
            if (!known.result || known.computes || known.launches || says_rank ||
                known.file.format->source != TraceSource::kineto)
                continue;
            const auto rank = rank_word(known.file, world);
            known.no_rank = !rank || std::ranges::any_of(known_, [&, file = &known.file](const auto& entry) {
                const RankFile& other = entry.second.file;
                return entry.second.computes && are_side_by_side(*file, other) &&
                       (other.told.rank ? other.told.rank : rank_word(other, world)) == rank;
            });
        }
    }

    /// A merged file beside nothing that is of a rank; empty: there is none. Those that tell who made them were left
    /// out before.
    [[nodiscard]] std::string merged_without_ranks() const {
        const bool none =
            std::ranges::all_of(known_, [](const auto& entry) { return entry.second.several || entry.second.no_rank; });
        if (!none)
            return {};
        if (!merged_.empty())
            return merged_.front()->path.string();
        const auto left_out = std::ranges::find(files_.notices, NoticeCode("merged_file"), &Notice::code);
        return left_out == files_.notices.end() ? std::string() : left_out->file;
    }

    [[nodiscard]] std::optional<bool> are_ended_together(const RankFile& a, const RankFile& b) {
        const auto ends_of = [&](const RankFile& file) -> const CallEnds* {
            const auto at = known_.find(file.path);
            if (at == known_.end() || !at->second.result || at->second.result->size() != 1)
                return nullptr;
            Known& known = at->second;
            if (!known.call_ends)
                known.call_ends = call_ends(*known.result->front(), known.file.job.first_rank);
            return &*known.call_ends;
        };
        const CallEnds* const ends = ends_of(a);
        const CallEnds* const others = ends_of(b);
        return ends != nullptr && others != nullptr ? end_together(*ends, *others) : std::nullopt;
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
        if (wanted.empty())
            return;
        read(wanted);
        learn_who_is_no_rank();
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
                        "it has neither GPU work nor launches, and nothing says that it is a rank of its own: left out "
                        "beside the files of the ranks"_text,
                        file->path.string(), 1});
        give_ranks(std::move(kept), files_,
                   [&](const RankFile& a, const RankFile& b) { return are_ended_together(a, b); });
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
    if (files.ranks.empty() || (files.ranks.front().format->source != TraceSource::kineto &&
                                files.ranks.front().format->source != TraceSource::nsys))
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
