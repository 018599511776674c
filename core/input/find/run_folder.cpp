// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/find/run_folder.h"
#include "core/input/find/run_choices.h"
#include "core/input/find/what_it_is.h"
#include "core/input/find/who_is_who.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include <fmt/format.h>
#include <sys/stat.h>
#include <tbb/parallel_for_each.h>

#include "core/base/text.h"
#include "core/base/text_match.h"
#include "core/input/bytes/byte_source.h"
#include "core/input/find/find_runs.h"
#include "core/input/kineto/graph_capture.h"
#include "core/input/kineto/kineto_reader.h"
#include "core/input/nsys/nsys_rep.h"
#include "core/trace/one_launch.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinkedEntries = 100'000; ///< a link may lead to all of a disk

struct Candidate {
    fs::path path;
    std::uint64_t bytes = 0;
    std::pair<dev_t, ino_t> identity;
    bool is_link = false;
    std::int64_t capture = -1;                      ///< iteration_<K>
    std::pair<std::int64_t, std::int64_t> modified; ///< s and ns
    const TraceFormat* format = nullptr;            ///< nullptr: no trace
    FilePeek peek;
    Message unreadable;
};

/// K of the last iteration_<K> among the folders.
std::int64_t capture_in(const fs::path& folder) {
    std::int64_t capture = -1;
    for (const fs::path& part : folder)
        if (const auto iteration = number_behind(lower_case(part.string()), "iteration"))
            capture = *iteration;
    return capture;
}

std::optional<Candidate> candidate_at(const fs::path& path, std::int64_t capture) {
    struct stat status {};
    bool known = ::lstat(path.c_str(), &status) == 0;
    const bool is_link = known && S_ISLNK(status.st_mode);
    if (is_link)
        known = ::stat(path.c_str(), &status) == 0;
    if (!known || !S_ISREG(status.st_mode))
        return {};
    Candidate candidate;
    candidate.path = path;
    candidate.bytes = static_cast<std::uint64_t>(status.st_size);
    candidate.identity = {status.st_dev, status.st_ino};
    candidate.is_link = is_link;
    candidate.modified = {status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
    candidate.capture = capture;
    return candidate;
}

std::optional<Candidate> candidate_at(const fs::path& path) {
    return candidate_at(path, capture_in(path.parent_path()));
}

/// The order of paths, which std::filesystem takes apart for each comparison: a separator comes before all letters.
bool in_order(const fs::path& a, const fs::path& b) {
    const std::string& left = a.native();
    const std::string& right = b.native();
    const auto [l, r] = std::ranges::mismatch(left, right);
    if (l == left.end() || r == right.end())
        return r != right.end();
    const auto rank = [](char c) { return c == fs::path::preferred_separator ? -1 : static_cast<unsigned char>(c); };
    return rank(*l) < rank(*r);
}

/// Those whose names may be traces; no link to a folder is followed. most: entries that are looked at.
void add_candidates(std::vector<fs::path> folders, int most, std::vector<Candidate>& candidates, Notices& notices) {
    while (!folders.empty() && most > 0) {
        const fs::path at = std::move(folders.back());
        folders.pop_back();
        const std::int64_t capture = capture_in(at);
        std::error_code error;
        for (fs::directory_iterator entry(at, error); !error && entry != fs::directory_iterator() && most > 0;
             entry.increment(error), --most) {
            std::error_code unknown;
            if (!entry->is_symlink(unknown) && entry->is_directory(unknown))
                folders.push_back(entry->path());
            else if (looks_like_trace(entry->path()))
                if (auto candidate = candidate_at(entry->path(), capture))
                    candidates.push_back(std::move(*candidate));
        }
        if (error)
            add_notice(notices, {"unreadable_folder",
                                 "%1 cannot be listed: %2; traces in it are missing"_text(at.string(), error.message()),
                                 at.string(), 1});
    }
}

/// Files under a folder whose names may be traces, each file once.
std::vector<Candidate> candidates_under(const fs::path& folder, Notices& notices) {
    std::vector<Candidate> candidates;
    add_candidates({folder}, std::numeric_limits<int>::max(), candidates, notices);
    add_candidates(linked_folders(folder), kMostLinkedEntries, candidates, notices);
    // Of a file and the links to it the file itself stays.
    std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
        if (a.identity != b.identity || a.is_link != b.is_link)
            return std::tie(a.identity, a.is_link) < std::tie(b.identity, b.is_link);
        return in_order(a.path, b.path);
    });
    const auto repeated = std::ranges::unique(candidates, {}, &Candidate::identity);
    candidates.erase(repeated.begin(), repeated.end());
    std::ranges::sort(candidates, in_order, &Candidate::path);
    return candidates;
}

/// Asks the formats that may be meant by the name, or all of them, which of them it is.
void recognise(Candidate& candidate, bool by_any_name) {
    const std::string name = lower_case(candidate.path.filename().string());
    const FileStart file(candidate.path);
    for (const TraceFormat& format : trace_formats()) {
        if (!by_any_name && !format.named(name))
            continue;
        const auto peek = format.peek(file);
        if (!peek) {
            candidate.unreadable = peek.error().message;
            return;
        }
        if (*peek) {
            candidate.format = &format;
            candidate.peek = **peek;
            return;
        }
    }
    if (const Message odd = odd_content(file); !odd.empty())
        candidate.unreadable = "%1 is no trace: %2"_text(candidate.path.string(), odd);
}

/// Traces only: what is no trace is dropped and listed, what cannot be read is noticed.
std::vector<Candidate> traces_among(std::vector<Candidate> candidates, Notices& notices,
                                    std::vector<fs::path>& rejected) {
    tbb::parallel_for_each(candidates, [](Candidate& candidate) { recognise(candidate, false); });
    for (const Candidate& candidate : candidates)
        if (!candidate.unreadable.empty())
            add_notice(notices, {"unreadable_file", candidate.unreadable, candidate.path.string(), 1});
        else if (candidate.format == nullptr)
            rejected.push_back(candidate.path);
    std::erase_if(candidates, [](const Candidate& c) { return c.format == nullptr; });
    return candidates;
}

/// What to do with a file that holds several ranks.
Message merged_message(const fs::path& path, const std::string& by) {
    return "%1 holds the events of several ranks, merged by %2 for a trace viewer; open the files of the ranks, "
           "each by itself in one folder"_text(path.string(), by);
}

/// Files that were made of those of the ranks: beside these they are left out. Error: there is nothing else.
std::optional<Error> leave_out_merged(std::vector<Candidate>& traces, Notices& notices) {
    const auto is_merged = [](const Candidate& trace) { return !trace.peek.merged_by.empty(); };
    const auto merged = std::ranges::find_if(traces, is_merged);
    if (merged == traces.end())
        return {};
    if (std::ranges::all_of(traces, is_merged))
        return Error{Error::Code::input, merged_message(merged->path, merged->peek.merged_by)};
    for (const Candidate& trace : traces)
        if (is_merged(trace))
            add_notice(notices,
                       {"merged_file",
                        "the events of several ranks, merged by %1: left out beside the files of the ranks"_text(
                            trace.peek.merged_by),
                        trace.path.string(), 1});
    std::erase_if(traces, is_merged);
    return {};
}

/// Of a table that `nsys stats` wrote: the report it is of, and what of it.
struct StatsName {
    fs::path report;        ///< "run/rep" of run/rep_cuda_gpu_trace.csv
    bool has_times = false; ///< else it sums up
    bool has_copies = false;
};

StatsName stats_name(const fs::path& path) {
    const std::string name = lower_case(path.filename().string());
    for (const std::string_view table :
         {"cuda_gpu_kern_sum", "cuda_gpu_trace", "cuda_gpu_sum", "gpukernsum", "gputrace", "gpusum", "_trace", "_sum"})
        if (const std::size_t at = name.rfind(table); at != std::string::npos)
            return {path.parent_path() / name.substr(0, at), contains(table, "trace"), !contains(table, "kern")};
    return {path, true, true};
}

/// `nsys stats` writes sums of a report beside the times that they sum up. Of each report one table stays: its times,
/// else the sums that hold most.
void leave_out_sums(std::vector<Candidate>& traces) {
    std::map<fs::path, StatsName> best;
    const auto holds_more = [](const StatsName& name, const StatsName& other) {
        return std::tuple(name.has_times, name.has_copies) > std::tuple(other.has_times, other.has_copies);
    };
    for (const Candidate& trace : traces)
        if (trace.format->source == TraceSource::nsys_stats) {
            const StatsName name = stats_name(trace.path);
            const auto [known, added] = best.try_emplace(name.report, name);
            if (!added && holds_more(name, known->second))
                known->second = name;
        }
    std::erase_if(traces, [&](const Candidate& trace) {
        if (trace.format->source != TraceSource::nsys_stats)
            return false;
        const StatsName name = stats_name(trace.path);
        return !name.has_times && holds_more(best.at(name.report), name);
    });
}

/// A file that is named like the trace of a rank nobody else recorded, but is none (empty, overwritten): that rank is
/// lost, which must not pass unseen. Metadata beside a rank's trace is no loss, and no job lost a rank beyond its
/// number.
void notice_lost_ranks(RunFiles& files, const std::vector<fs::path>& rejected) {
    const int world = told_world(files.ranks);
    for (const fs::path& path : rejected) {
        const auto rank = rank_told_in_name(path);
        if (rank && (world == 0 || *rank < world) &&
            !std::ranges::binary_search(files.ranks, *rank, {}, &RankFile::rank))
            add_notice(files.notices,
                       {"not_a_trace", "named like the trace of rank %1, but it is no trace: not shown"_text(*rank),
                        path.string(), 1});
    }
}

std::optional<int> rank_of(const Candidate& candidate) {
    return candidate.peek.rank || candidate.peek.by_order ? candidate.peek.rank
                                                          : rank_in_path(candidate.path, candidate.peek.processes);
}

using FolderGroups = std::map<fs::path, std::vector<const Candidate*>>;

/// All of them tell when they start, and were started together. Two that start in the same nanosecond are copies.
bool are_of_one_launch(const FolderGroups& groups) {
    std::set<std::int64_t> starts;
    std::size_t count = 0;
    for (const auto& [folder, traces] : groups)
        for (const Candidate* const trace : traces) {
            if (!trace->peek.start)
                return false;
            starts.insert(*trace->peek.start);
            ++count;
        }
    return starts.size() == count && *starts.rbegin() - *starts.begin() <= kOfOneLaunch;
}

/// A folder for each worker, as Ray and launchers by hand make them: in each is one trace, and none tells of which rank
/// it is.
bool are_workers(const FolderGroups& groups) {
    std::set<std::string> processes;
    const auto is_new = [&](const std::string& process) { return process.empty() || processes.insert(process).second; };
    for (const auto& [folder, traces] : groups)
        if (traces.size() != 1 || rank_of(*traces.front()) ||
            traces.front()->format != groups.begin()->second.front()->format ||
            !std::ranges::all_of(traces.front()->peek.processes, is_new))
            return false;
    return true;
}

/// Each counts its ranks from 0.
bool are_instances_of_a_service(const FolderGroups& groups) {
    return std::ranges::all_of(
        groups, [](const auto& group) { return names_an_instance(group.first.filename().string()); });
}

/// Traces by run folder. Folders whose ranks do not clash are one run recorded by several hosts.
FolderGroups group_by_run(const std::vector<Candidate>& traces, const fs::path& top) {
    FolderGroups groups;
    for (const Candidate& trace : traces) {
        fs::path folder = run_folder_of(trace.path);
        // Never above what the user pointed at.
        const auto [in_top, in_folder] = std::mismatch(top.begin(), top.end(), folder.begin(), folder.end());
        groups[in_top == top.end() ? folder : top].push_back(&trace);
    }
    std::set<int> seen;
    bool clash = false;
    for (const auto& [folder, members] : groups) {
        std::set<int> ranks;
        for (const Candidate* trace : members)
            ranks.insert(rank_of(*trace).value_or(0));
        for (const int rank : ranks)
            clash |= !seen.insert(rank).second;
    }
    const bool together = (are_workers(groups) || are_instances_of_a_service(groups)) && are_of_one_launch(groups);
    if (groups.size() > 1 && (!clash || together)) {
        std::vector<const Candidate*> all;
        for (const auto& [folder, members] : groups)
            all.insert(all.end(), members.begin(), members.end());
        return {{top, all}};
    }
    return groups;
}

fs::path without_slash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

bool belongs_to(TraceSource source, ProfileMode mode) {
    if (source == TraceSource::digest)
        return true;
    switch (mode) {
    case ProfileMode::automatic: return true;
    case ProfileMode::torch: return source == TraceSource::kineto || source == TraceSource::execution_trace;
    case ProfileMode::nsys: return source == TraceSource::nsys || source == TraceSource::nsys_stats;
    case ProfileMode::nsys_stats: return source == TraceSource::nsys_stats;
    case ProfileMode::execution_trace: return source == TraceSource::execution_trace;
    case ProfileMode::flight_recorder: return source == TraceSource::flight_recorder;
    case ProfileMode::xplane: return source == TraceSource::xplane;
    case ProfileMode::rocpd: return source == TraceSource::rocpd;
    case ProfileMode::inspector: return source == TraceSource::inspector;
    case ProfileMode::operations: return source == TraceSource::operations;
    case ProfileMode::memory_snapshot: return source == TraceSource::memory_snapshot;
    }
    return false;
}

std::string_view word_of(ProfileMode mode) {
    switch (mode) {
    case ProfileMode::automatic: return "auto";
    case ProfileMode::torch: return "torch";
    case ProfileMode::nsys: return "nsys";
    case ProfileMode::nsys_stats: return "nsys-stats";
    case ProfileMode::flight_recorder: return "flight-recorder";
    case ProfileMode::xplane: return "xplane";
    case ProfileMode::rocpd: return "rocpd";
    case ProfileMode::inspector: return "inspector";
    case ProfileMode::operations: return "operations";
    case ProfileMode::memory_snapshot: return "memory-snapshot";
    case ProfileMode::execution_trace: break;
    }
    return "execution-trace";
}

Text<0> what_opens(ProfileMode mode) {
    switch (mode) {
    case ProfileMode::automatic: return "trace"_text;
    case ProfileMode::torch: return "trace of the PyTorch profiler"_text;
    case ProfileMode::nsys: return "report of Nsight Systems"_text;
    case ProfileMode::nsys_stats: return "text of nsys stats"_text;
    case ProfileMode::flight_recorder: return "dump of the Flight Recorder"_text;
    case ProfileMode::xplane: return "profile of XLA"_text;
    case ProfileMode::rocpd: return "database of the ROCm profiler"_text;
    case ProfileMode::inspector: return "log of the NCCL Inspector"_text;
    case ProfileMode::operations: return "operation timeline"_text;
    case ProfileMode::memory_snapshot: return "memory snapshot of PyTorch"_text;
    case ProfileMode::execution_trace: break;
    }
    return "execution trace"_text;
}

/// The kinds that are there, the preferred one first.
std::vector<TraceSource> sources_of(const std::vector<Candidate>& traces) {
    std::vector<TraceSource> sources;
    for (const TraceFormat& format : trace_formats()) {
        const bool there =
            std::ranges::any_of(traces, [&](const Candidate& c) { return c.format->source == format.source; });
        const bool companion = (format.source == TraceSource::execution_trace && !sources.empty() &&
                                sources.front() == TraceSource::kineto) ||
                               (format.source == TraceSource::memory_snapshot && !sources.empty());
        if (there && !companion && std::ranges::find(sources, format.source) == sources.end())
            sources.push_back(format.source);
    }
    return sources;
}

/// A report and its export are one capture: of the two the export is read, or, when it is older and nsys can make a new
/// one, the report. The candidates are sorted by path.
void pair_reports(std::vector<Candidate>& candidates, Notices& notices) {
    std::set<fs::path> doubles;
    for (const Candidate& report : candidates) {
        if (!report.path.native().ends_with(".nsys-rep") && !report.path.native().ends_with(".qdrep"))
            continue;
        fs::path sibling = report.path;
        sibling.replace_extension(".sqlite");
        if (!std::ranges::binary_search(candidates, sibling, {}, &Candidate::path))
            continue;
        const bool fresh = fresh_export_of(report.path).has_value();
        doubles.insert(fresh || find_nsys().empty() ? report.path : sibling);
        if (!fresh && find_nsys().empty())
            add_notice(notices,
                       {"stale_export",
                        "the export is older than its report, and nsys is not installed to make a new one: the old "
                        "one is shown"_text,
                        sibling.string(), 1});
    }
    std::erase_if(candidates, [&](const Candidate& c) { return doubles.contains(c.path); });
}

/// JAX and TensorFlow write what the profile of a host holds once more, shortened, as JSON for the trace viewer and for
/// Perfetto: the profile is read. The candidates are sorted by path.
void drop_copies_of_profiles(std::vector<Candidate>& candidates) {
    std::set<fs::path> copies;
    for (const Candidate& profile : candidates) {
        if (!contains(profile.path.native(), ".xplane.pb"))
            continue;
        const std::string name = profile.path.filename().string();
        const std::size_t ending = name.find(".xplane.pb");
        if (ending == std::string::npos)
            continue;
        const fs::path folder = profile.path.parent_path();
        for (const std::string& stem : {name.substr(0, ending) + ".trace", std::string("perfetto_trace")})
            for (const char* json : {".json", ".json.gz"})
                copies.insert(folder / (stem + json));
    }
    std::erase_if(candidates, [&](const Candidate& c) { return copies.contains(c.path); });
}

/// Execution traces among the candidates, and those of a folder beside this one that is named after it (run and
/// run_et).
std::vector<Candidate> execution_traces(const std::vector<Candidate>& traces, const fs::path& folder,
                                        Notices& notices) {
    const auto is_one = [](const Candidate& c) {
        return c.format != nullptr && c.format->source == TraceSource::execution_trace;
    };
    std::vector<Candidate> found;
    std::ranges::copy_if(traces, std::back_inserter(found), is_one);
    fs::path beside = folder;
    beside += "_et";
    std::error_code error;
    if (!found.empty() || !fs::is_directory(beside, error))
        return found;
    std::vector<Candidate> candidates = candidates_under(beside, notices);
    tbb::parallel_for_each(candidates, [](Candidate& candidate) { recognise(candidate, false); });
    std::ranges::copy_if(candidates, std::back_inserter(found), is_one);
    return found;
}

/// Logs of the Inspector beside traces of another kind.
std::vector<fs::path> inspector_logs(const std::vector<Candidate>& traces) {
    std::vector<fs::path> logs;
    for (const Candidate& trace : traces)
        if (trace.format->source == TraceSource::inspector)
            logs.push_back(trace.path);
    return logs.size() == traces.size() ? std::vector<fs::path>{} : logs;
}

/// Each to the trace of its rank; a single one to a single trace, whatever their names say.
void attach_execution_traces(RunFiles& files, const std::vector<Candidate>& companions) {
    std::map<int, const Candidate*> of_rank;
    for (const Candidate& companion : companions)
        if (const auto rank = rank_of(companion))
            of_rank[*rank] = &companion;
    for (RankFile& file : files.ranks) {
        if (file.format->source != TraceSource::kineto)
            return;
        if (const auto companion = of_rank.find(file.rank); companion != of_rank.end())
            file.execution_trace = companion->second->path;
        else if (companions.size() == 1 && files.ranks.size() == 1)
            file.execution_trace = companions.front().path;
    }
}

/// Takes the captures of graphs out of the files of a folder that holds traces as well.
std::vector<Candidate> graph_captures_among(std::vector<Candidate>& candidates) {
    std::vector<Candidate> captures;
    const auto is_capture = [](const Candidate& c) { return is_graph_capture(c.path); };
    if (std::ranges::all_of(candidates, is_capture))
        return captures;
    std::ranges::copy_if(candidates, std::back_inserter(captures), is_capture);
    std::erase_if(candidates, is_capture);
    return captures;
}

/// Engines capture on one rank only: the others run the same graphs on their shards.
void attach_graph_captures(RunFiles& files, std::vector<Candidate> captures) {
    tbb::parallel_for_each(captures, [](Candidate& candidate) { recognise(candidate, false); });
    std::map<int, std::vector<fs::path>> of_rank;
    for (const Candidate& capture : captures)
        if (capture.format != nullptr && capture.format->source == TraceSource::kineto)
            of_rank[rank_in_path(capture.path).value_or(0)].push_back(capture.path);
        else if (!capture.unreadable.empty())
            add_notice(files.notices, {"graph_capture_unreadable", capture.unreadable, capture.path.string(), 1});
    if (of_rank.empty())
        return;
    for (RankFile& file : files.ranks)
        if (file.format->source == TraceSource::kineto)
            file.graph_captures = of_rank.contains(file.rank) ? of_rank.at(file.rank) : of_rank.begin()->second;
}

/// Those beside a single file.
std::vector<Candidate> graph_captures_beside(const fs::path& file) {
    std::vector<Candidate> captures;
    if (is_graph_capture(file))
        return captures;
    const fs::path folder = fs::absolute(file).parent_path();
    for (const fs::path& at : {folder, folder / "capture_traces"}) {
        std::error_code error;
        for (fs::directory_iterator entry(at, error); !error && entry != fs::directory_iterator();
             entry.increment(error))
            if (looks_like_trace(entry->path()) && is_graph_capture(entry->path()))
                if (auto candidate = candidate_at(entry->path()))
                    captures.push_back(std::move(*candidate));
    }
    std::ranges::sort(captures, {}, &Candidate::path);
    return captures;
}

/// Of several kinds of captures of one run the preferred one; what the others are is said.
std::vector<Candidate> of_one_source(std::vector<Candidate> traces, ProfileMode mode, Notices& notices) {
    std::erase_if(traces, [&](const Candidate& c) { return !belongs_to(c.format->source, mode); });
    const TraceFormat* chosen = nullptr;
    for (const Candidate& trace : traces)
        if (chosen == nullptr || trace.format < chosen)
            chosen = trace.format;
    std::set<const TraceFormat*> others;
    for (const Candidate& trace : traces) {
        // Beside Kineto traces execution traces are no other capture: they complete them. So do logs of the Inspector
        // and memory snapshots.
        const bool companion =
            (chosen->source == TraceSource::kineto && trace.format->source == TraceSource::execution_trace) ||
            trace.format->source == TraceSource::inspector || trace.format->source == TraceSource::memory_snapshot;
        if (trace.format->source != chosen->source && !companion)
            others.insert(trace.format);
    }
    for (const TraceFormat* other : others) {
        Message message = "the folder also holds %1, which are not shown beside the %2"_text(
            Message::word(other->title), Message::word(chosen->title));
        message += "; --profile-mode %1 opens them"_text(std::string(word_of(mode_for(other->source))));
        add_notice(notices, {"several_sources", std::move(message), {}, 1});
    }
    std::erase_if(traces, [&](const Candidate& c) { return c.format->source != chosen->source; });
    return traces;
}

} // namespace

bool tells_of_dumps(const Notice& notice) {
    return notice.code == "several_sources" && contains(english(notice.message), "holds dumps of the Flight Recorder");
}

namespace {

Result<RunFiles> assign_ranks(std::vector<Candidate> traces, RunFiles files) {
    // Newest capture first, so that the first of a rank is the one to take.
    std::ranges::stable_sort(traces, [](const Candidate& a, const Candidate& b) {
        return std::tuple(a.capture, a.modified) > std::tuple(b.capture, b.modified);
    });
    std::vector<RankFile> all;
    for (const Candidate& trace : traces) {
        RankFile& file = all.emplace_back();
        file.path = trace.path;
        file.format = trace.format;
        file.world_size = trace.peek.world_size.value_or(0);
        file.bytes = trace.bytes;
        file.age = static_cast<int>(&trace - traces.data());
        file.told = trace.peek;
        file.capture = trace.capture;
    }
    give_ranks(std::move(all), files);
    return files;
}

} // namespace

ProfileMode mode_for(TraceSource source) {
    switch (source) {
    case TraceSource::kineto: return ProfileMode::torch;
    case TraceSource::nsys: return ProfileMode::nsys;
    case TraceSource::nsys_stats: return ProfileMode::nsys_stats;
    case TraceSource::digest: return ProfileMode::automatic;
    case TraceSource::flight_recorder: return ProfileMode::flight_recorder;
    case TraceSource::xplane: return ProfileMode::xplane;
    case TraceSource::rocpd: return ProfileMode::rocpd;
    case TraceSource::inspector: return ProfileMode::inspector;
    case TraceSource::operations: return ProfileMode::operations;
    case TraceSource::memory_snapshot: return ProfileMode::memory_snapshot;
    case TraceSource::execution_trace: break;
    }
    return ProfileMode::execution_trace;
}

Error several_runs(const std::filesystem::path& path, const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 12; // a line that can be read
    const auto first = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMost));
    const std::string some =
        fmt::format("{}{}", fmt::join(names.begin(), first, ", "), first == names.end() ? "" : ", …");
    return {Error::Code::input, "%1 holds %2 runs (%3); open one of them"_text(path.string(), names.size(), some)};
}

bool tells_of_several_runs(const Message& message) { return english(message).ends_with("; open one of them"); }

std::filesystem::path run_folder_of(const std::filesystem::path& trace) {
    fs::path folder = trace.parent_path();
    while (folder.has_filename() && sorts_one_run(folder.filename().string()))
        folder = folder.parent_path();
    return folder;
}

Result<RunFiles> find_run_files(const std::filesystem::path& path, ProfileMode mode) {
    RunFiles files;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status))
        return input_error("%1 does not exist"_text(path.string()));
    if (!fs::is_directory(status)) {
        auto candidate = candidate_at(path);
        if (!candidate)
            return input_error("%1 is neither a folder nor a regular file"_text(path.string()));
        recognise(*candidate, true);
        if (!candidate->unreadable.empty())
            return input_error(candidate->unreadable);
        if (candidate->format == nullptr)
            return input_error(what_it_is_instead(path));
        if (!candidate->peek.merged_by.empty())
            return input_error(merged_message(path, candidate->peek.merged_by));
        files.sources = {candidate->format->source};
        auto assigned = assign_ranks({*candidate}, std::move(files));
        if (assigned)
            attach_graph_captures(*assigned, graph_captures_beside(path));
        return assigned;
    }

    std::vector<Candidate> candidates = candidates_under(path, files.notices);
    const std::size_t considered = candidates.size();
    std::vector<Candidate> captures = graph_captures_among(candidates);
    pair_reports(candidates, files.notices);
    drop_copies_of_profiles(candidates);
    std::vector<fs::path> rejected;
    std::vector<Candidate> traces = traces_among(std::move(candidates), files.notices, rejected);
    files.sources = sources_of(traces);
    const std::vector<Candidate> companions = execution_traces(traces, without_slash(path), files.notices);
    files.inspector_logs = inspector_logs(traces);
    traces = of_one_source(std::move(traces), mode, files.notices);
    if (!files.sources.empty() && traces.empty())
        return input_error("%1 holds no %2; --profile-mode %3 opens what is there"_text(
            path.string(), what_opens(mode), std::string(word_of(mode_for(files.sources.front())))));
    if (traces.empty()) {
        if (const Message recording = unread_recordings(path); !recording.empty())
            return input_error(recording);
        if (!files.notices.empty())
            return input_error("no trace in %1 could be read: %2"_text(path.string(), files.notices.front().message));
        if (const Message instead = what_is_there_instead(path); !instead.empty())
            return input_error(instead);
        return input_error(
            "no trace found in %1 (%2); expected Kineto files such as rank0_trace.json or *.pt.trace.json.gz, reports "
            "of Nsight Systems (*.sqlite, *.nsys-rep), *.xplane.pb, or ROCm's databases (*.db, *.rpd)"_text(
                path.string(), considered == 0 ? "no file with the name of one"_text()
                                               : plural(considered, "%1 file looked at, which is none"_one,
                                                        "%1 files looked at, none is one"_many)(considered)));
    }
    leave_out_sums(traces);
    if (auto only_merged = leave_out_merged(traces, files.notices))
        return tl::unexpected(std::move(*only_merged));
    const auto groups = group_by_run(traces, without_slash(path));
    if (groups.size() > 1) {
        std::vector<std::string> names;
        for (const auto& [folder, members] : groups)
            names.push_back(folder.lexically_relative(without_slash(path)).string());
        return tl::unexpected(several_runs(path, names));
    }
    auto assigned = assign_ranks(std::move(traces), std::move(files));
    if (assigned) {
        notice_lost_ranks(*assigned, rejected);
        attach_execution_traces(*assigned, companions);
        attach_graph_captures(*assigned, std::move(captures));
    }
    return assigned;
}

std::vector<fs::path> runs_to_choose_from(const fs::path& path) {
    Notices notices;
    std::vector<Candidate> candidates = candidates_under(path, notices);
    graph_captures_among(candidates);
    pair_reports(candidates, notices);
    drop_copies_of_profiles(candidates);
    std::vector<fs::path> rejected;
    const fs::path top = without_slash(path);
    std::vector<Candidate> traces =
        of_one_source(traces_among(std::move(candidates), notices, rejected), ProfileMode::automatic, notices);
    leave_out_sums(traces);
    leave_out_merged(traces, notices);
    const auto groups = group_by_run(traces, top);
    std::vector<fs::path> choices;
    for (const auto& [folder, members] : groups) {
        if (folder != top && groups.size() > 1) {
            choices.push_back(folder);
            continue;
        }
        for (const Candidate* trace : members)
            choices.push_back(trace->path);
    }
    std::ranges::sort(choices);
    return choices;
}

std::vector<std::filesystem::path> paths_of_runs(const std::filesystem::path& path, const std::stop_token& stop) {
    std::vector<std::filesystem::path> paths;
    for (const FoundRun& run : find_runs(path, stop))
        paths.push_back(run.path);
    std::error_code error;
    if (paths.size() > 1)
        return paths;
    if (!std::filesystem::is_directory(path, error) || find_run_files(path))
        return {path};
    // Names alone took it for one run, and its files are not: the folders in it, each by itself.
    paths.clear();
    std::vector<std::filesystem::path> folders = linked_folders(path);
    for (std::filesystem::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
        if (!entry->is_symlink(error) && entry->is_directory(error))
            folders.push_back(entry->path());
    std::ranges::sort(folders);
    for (const auto& folder : folders)
        for (const FoundRun& run : find_runs(folder, stop))
            paths.push_back(run.path);
    return paths.empty() ? std::vector{path} : paths;
}

} // namespace rankscope
