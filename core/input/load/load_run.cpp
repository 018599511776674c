// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/load/load_run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <set>

#include <fmt/format.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include "core/base/memory_guard.h"
#include "core/base/words.h"
#include "core/base/worker_threads.h"
#include "core/input/bytes/file_stamp.h"
#include "core/input/bytes/load_shape.h"
#include "core/input/execution_trace/execution_trace.h"
#include "core/input/find/run_config.h"
#include "core/input/format/memory_limit.h"
#include "core/input/inspector/inspector_join.h"
#include "core/input/inspector/inspector_times.h"
#include "core/input/kineto/graph_capture.h"
#include "core/input/load/engine_step_numbers.h"
#include "core/input/load/full_trace.h"
#include "core/input/load/hardware_logs.h"
#include "core/input/load/memory_budget.h"
#include "core/input/load/memory_snapshots.h"
#include "core/input/load/nccl_tests_logs.h"
#include "core/input/load/one_recording.h"
#include "core/input/load/operation_ranks.h"
#include "core/input/load/run_notices.h"
#include "core/input/load/settle_ranks.h"
#include "core/input/load/trace_cache.h"
#include "core/trace/plausible.h"
#include "core/trace/replica_groups.h"
#include "core/trace/step_ends.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

/// The ranks of one file.
using FileResult = Result<RankTraces>;

/// Counts bytes and ranks of all readers and passes them on, some tens of times a second.
class ProgressMeter {
public:
    explicit ProgressMeter(const LoadOptions& options) : options_(options) {}
    /// Files that are read from now on.
    void expect(const std::vector<RankFile>& files) {
        const std::lock_guard lock(mutex_);
        progress_.ranks_total += static_cast<int>(files.size());
        for (const RankFile& file : files)
            progress_.bytes_total += file.bytes;
    }
    void add_bytes(std::uint64_t bytes) {
        bytes_ += bytes;
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (lock && Clock::now() - last_ >= std::chrono::milliseconds(30))
            report();
    }
    /// A rank is told as soon as it is read; those that share a file get their numbers when all are read.
    void file_done(const FileResult& result) {
        const std::lock_guard lock(mutex_);
        ++progress_.ranks_done;
        if (result && result->size() == 1 && options_.on_rank)
            options_.on_rank(result->front());
        report();
    }

private:
    using Clock = std::chrono::steady_clock;
    void report() {
        last_ = Clock::now();
        progress_.bytes_done = bytes_;
        if (options_.on_progress)
            options_.on_progress(progress_);
    }
    const LoadOptions& options_;
    LoadProgress progress_;
    std::atomic<std::uint64_t> bytes_ = 0;
    std::mutex mutex_;
    Clock::time_point last_ = Clock::now();
};

/// What a rank must know of its place in the run. world_size: 0 leaves it as it is.
std::shared_ptr<const RankTrace> numbered(const std::shared_ptr<const RankTrace>& rank, int number,
                                          int world_size = 0) {
    if (rank->rank == number && (world_size == 0 || rank->world_size == world_size))
        return rank;
    auto copy = std::make_shared<RankTrace>(*rank);
    copy->rank = number;
    if (world_size > 0)
        copy->world_size = world_size;
    if (copy->source == TraceSource::xplane)
        choose_replica_groups(*copy);
    return copy;
}

/// Adds what the execution trace of a rank knows, and says how well the two fit.
void complete_from(const fs::path& path, RankBuilder& builder, const ReadOptions& options) {
    const auto execution = read_execution_trace(path, options.cancel, options.memory_bytes);
    RankTrace& rank = builder.trace();
    if (!execution) {
        if (execution.error().code != Error::Code::cancelled)
            add_notice(rank.notices, {"execution_trace_unreadable", execution.error().message, path.string(), 1});
        return;
    }
    const JoinReport report = join_execution_trace(*execution, builder);
    rank.header["execution_trace"] = fmt::format("{} of {} operators joined", report.joined, report.events);
    rank.header["execution_trace.schema"] = execution->schema;
    if (report.events == 0 || execution->nodes.empty())
        return;
    if (report.joined == 0)
        add_notice(rank.notices, {"execution_trace_unrelated",
                                  "the execution trace beside it is of another program: nothing is taken from it"_text,
                                  path.string(), 1});
    else if (!report.by_id)
        add_notice(rank.notices, {"execution_trace_by_order",
                                  "the execution trace numbers its operators otherwise: %1 of %2 are joined by thread, "
                                  "order and name"_text(report.joined, report.events),
                                  path.string(), 1});
}

/// Profiles of XLA are of one host each, and number its devices from 0: those of a host come behind those of the hosts
/// before it. A host that cannot be read has as many as the largest other one.
void number_ranks_of_hosts(const std::vector<RankFile>& files, std::vector<FileResult>& results, Notices& notices) {
    int most = 1;
    std::set<int> seen;
    bool clash = false; // else the files number the devices of the whole run
    for (const FileResult& result : results) {
        if (!result)
            continue;
        for (const auto& rank : *result) {
            most = std::max({most, rank->world_size, rank->rank + 1});
            clash |= !seen.insert(rank->rank).second;
        }
    }
    if (!clash)
        return;
    std::vector<int> first(results.size() + 1, 0);
    for (std::size_t i = 0; i < results.size(); ++i)
        first[i + 1] =
            std::min(first[i] + (results[i] ? std::max(1, results[i]->front()->world_size) : most), kMostRanks / 2);
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i])
            continue;
        for (auto& rank : *results[i])
            rank = numbered(rank, first[i] + std::max(0, rank->rank), first.back());
        add_notice(notices,
                   {"ranks_by_device",
                    "the profile is of a host with %1 devices; they are taken as ranks %2 to %3, "
                    "hosts in the order of their names"_text(first[i + 1] - first[i], first[i], first[i + 1] - 1),
                    files[i].path.string(), 1});
    }
}

/// Whether the traces themselves say which ranks they are.
bool is_placed(const RankTraces& ranks) { return !ranks.empty() && ranks.front()->operations != nullptr; }

/// Reports with several ranks: those of the first file first. Where all hold equally many, a file's number is that of
/// its machine, so that a report that is missing leaves a gap and moves nobody.
void number_ranks_of_reports(const std::vector<RankFile>& files, std::vector<FileResult>& results, Notices& notices) {
    std::set<std::size_t> sizes;
    for (const FileResult& result : results)
        if (result && !is_placed(*result))
            sizes.insert(result->size());
    if (sizes.empty() || *sizes.rbegin() <= 1)
        return;
    int next = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i] || is_placed(*results[i]))
            continue;
        if (sizes.size() == 1)
            next = files[i].rank * static_cast<int>(*sizes.begin());
        for (auto& rank : *results[i])
            rank = numbered(rank, next++);
        if (results[i]->size() > 1)
            add_notice(notices, {"ranks_by_device",
                                 "the report holds %1 processes and devices that compute; they are taken "
                                 "as ranks %2 to %3 in the order of their ranks, where recorded, and devices"_text(
                                     results[i]->size(), results[i]->front()->rank, results[i]->back()->rank),
                                 files[i].path.string(), 1});
    }
}

/// What lay beside the traces when their digests were made; what lies beside the digests is read later and counts more.
void collect_facts(Run& run) {
    std::int64_t digests = 0;
    for (const auto& rank : run.ranks) {
        if (!rank->digest)
            continue;
        if (++digests > 1)
            continue;
        run.config = rank->digest->config;
        run.serving = rank->digest->serving;
        run.expert_loads = rank->digest->expert_loads;
    }
    note_digests(run);
}

/// What the traces say of their GPUs; where some differ, as slices of a GPU do: "28; 18 on rank 2".
std::string of_all_ranks(const Run& run, const std::string& key, const std::string& of_first) {
    std::map<std::string, std::vector<int>> others;
    for (const auto& rank : run.ranks)
        if (const auto own = rank->header.find(key); own != rank->header.end() && own->second != of_first)
            others[own->second].push_back(rank->rank);
    std::string text = of_first;
    for (const auto& [value, ranks] : others)
        text += fmt::format("; {} on {} {}", value, ranks.size() == 1 ? "rank" : "ranks", english(rank_numbers(ranks)));
    return text;
}

void collect_config(Run& run) {
    run.config["run.folder"] = run.name;
    for (const auto& [key, value] : run.ranks.front()->header) {
        if (key == "distributedInfo.rank" || key == "traceName" || key == "trace_id" || key == "baseTimeNanoseconds" ||
            key == "nsys.gpu_bus")
            continue; // of one rank, or of one recording
        const bool of_gpu = key.starts_with("device.") && key != "device.id" && key != "device.name";
        run.config["trace." + key] = of_gpu ? of_all_ranks(run, key, value) : value;
    }
    // Other formats than PyTorch's name the GPU elsewhere than in a header.
    if (const auto& devices = run.ranks.front()->devices; !devices.empty() && !devices.front().name.empty())
        run.config.try_emplace("trace.device.name", devices.front().name);
}

/// Keeps one trace per rank: names may have promised other ranks than the files turned out to hold.
void keep_one_per_rank(Run& run) {
    std::ranges::stable_sort(run.ranks, {}, [](const auto& rank) { return rank->rank; });
    std::vector<std::shared_ptr<const RankTrace>> kept;
    for (auto& rank : run.ranks) {
        if (kept.empty() || kept.back()->rank != rank->rank) {
            kept.push_back(std::move(rank));
            continue;
        }
        add_notice(run.notices, {"duplicate_rank",
                                 "rank %1 was recorded more than once: %2 is shown, this file is not"_text(
                                     rank->rank, kept.back()->file.string()),
                                 rank->file.string(), 1});
    }
    run.ranks = std::move(kept);
}

tl::unexpected<Error> not_enough_memory(const fs::path& path) {
    if (const std::uint64_t limit = met_memory_limit(); limit > 0)
        return input_error(
            "reading %1 takes more than the memory budget of %2 (--memory)"_text(path.string(), memory_text(limit)));
    return input_error("not enough memory to read %1"_text(path.string()));
}

std::string name_of(const fs::path& path) {
    std::error_code error;
    const fs::path full = fs::absolute(path, error).lexically_normal();
    return (full.has_filename() ? full : full.parent_path()).filename().string();
}

/// Adds to collectives what the Inspector measured, and says how much of it found its call.
void join_inspector(const std::vector<fs::path>& paths, const ReadOptions& options, Run& run) {
    std::vector<InspectorLog> logs;
    for (const fs::path& path : paths) {
        auto log = read_inspector_log(path, options);
        if (log)
            logs.push_back(std::move(*log));
        else if (log.error().code != Error::Code::cancelled)
            add_notice(run.notices, {"unreadable_file", log.error().message, path.string(), 1});
    }
    if (logs.empty())
        return;
    const InspectorJoin join = join_inspector_logs(logs, run.ranks, *run.names);
    run.config["trace.inspector"] = fmt::format("{} of {} collectives joined", join.joined, join.calls);
    std::int64_t lost = 0;
    for (const InspectorLog& log : logs)
        lost += log.lost;
    if (lost > 0)
        add_notice(run.notices,
                   {"inspector_records_lost", "the Inspector overwrote records of calls before they were written"_text,
                    paths.front().string(), lost});
    if (join.joined < join.records)
        add_notice(run.notices,
                   {"inspector_unmatched",
                    join.ambiguous > 0 && join.joined == 0
                        ? "the calls of the traces fit the Inspector's %1 records by kind and size in several "
                          "places, and no times tell which: none is joined"_text(join.records)
                        : "%1 of %2 records of the Inspector match no collective of the traces by order, kind and "
                          "size"_text(join.records - join.joined, join.records),
                    paths.front().string(), join.records - join.joined});
}

/// Marks of steps on half of the ranks or fewer, as where rank 0 alone marks them, tell nothing of the others: the run
/// counts as one without marks. Steps of an engine are not marks.
void drop_steps_of_few(Run& run) {
    std::vector<int> with_steps;
    std::size_t working = 0;
    for (const auto& rank : run.ranks) {
        if (rank->job != 0 || has_engine_steps(*rank))
            return;
        working += rank->events.gpu_count > 0 ? 1 : 0;
        if (!rank->steps.empty() && rank->events.gpu_count > 0)
            with_steps.push_back(rank->rank);
    }
    if (with_steps.empty() || 2 * with_steps.size() > working || run.source == TraceSource::operations)
        return;
    for (auto& rank : run.ranks)
        if (!rank->steps.empty()) {
            auto without = std::make_shared<RankTrace>(*rank);
            without->steps.clear();
            rank = std::move(without);
        }
    add_notice(run.notices, {"steps_of_few_ranks",
                             "steps are marked on %1 only: these marks are not used"_text(rank_words(with_steps)),
                             {},
                             static_cast<std::int64_t>(with_steps.size())});
}

Result<std::shared_ptr<const Run>> assemble(const fs::path& path, RunFiles files, std::shared_ptr<StringTable> names,
                                            std::vector<FileResult> results, const ReadOptions& options) {
    auto run = std::make_shared<Run>();
    run->name = name_of(path);
    run->path = path;
    run->names = std::move(names);
    run->notices = std::move(files.notices);
    place_operation_ranks(files.ranks, results, run->notices);
    const TraceSource source = files.ranks.front().format->source;
    if (source == TraceSource::xplane)
        number_ranks_of_hosts(files.ranks, results, run->notices);
    else if (source != TraceSource::inspector) // whose logs tell
        number_ranks_of_reports(files.ranks, results, run->notices);
    Message first_error;
    Message why_empty;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i]) {
            if (results[i].error().code == Error::Code::cancelled)
                return tl::unexpected(results[i].error());
            if (first_error.empty())
                first_error = results[i].error().message;
            add_notice(run->notices, {"unreadable_file", results[i].error().message, files.ranks[i].path.string(), 1});
            continue;
        }
        for (const auto& rank : *results[i])
            if (rank->events.size() == 0 && rank->kernel_sums.empty() && !rank->flight_recorder &&
                !rank->memory_snapshot) {
                add_notice(run->notices,
                           {"no_events", "the trace holds no events"_text, files.ranks[i].path.string(), 1});
                if (why_empty.empty() && !rank->notices.empty())
                    why_empty = rank->notices.front().message;
            } else {
                run->ranks.push_back(rank);
            }
    }
    if (run->ranks.empty())
        return input_error(!first_error.empty()
                               ? first_error
                               : "%1 holds no events: %2"_text(
                                     path.string(), why_empty.empty() ? "nothing to analyse"_text() : why_empty));
    keep_one_per_rank(*run);
    number_engine_steps_together(run->ranks);
    run->source = run->ranks.front()->source;
    if (run->source == TraceSource::inspector && std::ranges::any_of(run->ranks, [](const auto& rank) {
            return std::ranges::find(rank->notices, "no_times", &Notice::code) != rank->notices.end();
        }))
        lay_out_calls(run->ranks);
    run->span = {std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
    for (const auto& rank : run->ranks) {
        if (rank->events.size() == 0 && (rank->flight_recorder || rank->memory_snapshot))
            continue; // nothing of it was open any more: it has no times
        run->span.begin = std::min(run->span.begin, rank->span.begin);
        run->span.end = std::max(run->span.end, rank->span.end);
    }
    if (run->span.begin > run->span.end)
        run->span = {};
    if (run->span.length() > kLongestRecording)
        add_notice(run->notices, {"clocks_apart",
                                  "the clocks of the ranks are days apart: times of different ranks can be compared "
                                  "only where collectives align them"_text,
                                  {},
                                  1});
    else
        note_launches(*run);
    note_missing_ranks(*run);
    drop_steps_of_few(*run);
    note_missing_steps(*run);
    note_several_devices(*run);
    note_cut_steps(*run);
    note_ranks(*run);
    collect_facts(*run);
    collect_config(*run);
    join_inspector(files.inspector_logs, options, *run);
    join_hardware(path, *run);
    join_memory_snapshots(path, options, *run);
    join_nccl_tests(path, *run);
    read_run_config(path, *run);
    note_other_settings(*run);
    return run;
}

Result<std::shared_ptr<const Run>> load_files(const fs::path& path, const LoadOptions& options) {
    const int most = worker_threads(options.jobs);
    auto files = tbb::task_arena(most).execute([&] { return find_run_files(path, options.mode); });
    if (!files)
        return tl::unexpected(files.error());
    std::uint64_t text_bytes = 0;
    for (const RankFile& file : files->ranks)
        text_bytes += likely_text_bytes(file.path, file.bytes);
    const int threads = threads_for_text(text_bytes, most);
    tbb::task_arena arena(threads);
    if (options.on_sources)
        options.on_sources(files->sources);
    auto names = options.names ? options.names : std::make_shared<StringTable>();
    ProgressMeter meter(options);
    MemoryBudget budget(options.memory_bytes, options.model_bytes, names);
    const TraceCache cache;
    GraphCaptures captures;
    ReadOptions read_options;
    read_options.cancel = options.cancel;
    read_options.on_bytes = [&](std::uint64_t bytes) { meter.add_bytes(bytes); };
    read_options.cache = options.use_cache ? &cache : nullptr;
    read_options.memory_bytes = budget.limit();
    const auto read_all = [&](const std::vector<RankFile>& wanted) {
        meter.expect(wanted);
        std::vector<FileResult> results(wanted.size(), input_error("not read"_text));
        std::size_t next = 0;
        const auto number = [&](tbb::flow_control& control) {
            if (next == results.size())
                control.stop();
            return next++;
        };
        const auto read = [&](std::size_t i) {
            // A rank that waits for its blocks must not start another rank in between.
            tbb::this_task_arena::isolate(
                [&] { results[i] = read_run_file(wanted[i], names, read_options, &captures); });
            if (results[i])
                budget.admit(*results[i]);
            meter.file_done(results[i]);
        };
        arena.execute([&] {
            tbb::parallel_pipeline(budget.files_at_once(*files, threads),
                                   tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, number) &
                                       tbb::make_filter<std::size_t, void>(tbb::filter_mode::parallel, read));
        });
        return results;
    };
    std::vector<FileResult> results = read_all(files->ranks);
    if (auto merged = settle_ranks(*files, results, read_all))
        return tl::unexpected(std::move(*merged));
    if (auto several = keep_one_recording(path, *files, results, read_all))
        return tl::unexpected(std::move(*several));
    budget.note(files->notices);
    read_options.on_bytes = {}; // the sizes of logs are not among those that are waited for
    return assemble(path, std::move(*files), std::move(names), std::move(results), read_options);
}

} // namespace

Result<std::shared_ptr<const Run>> load_run(const std::filesystem::path& path, const LoadOptions& options) {
    try {
        return load_files(path, options);
    } catch (const std::bad_alloc&) {
        return not_enough_memory(path);
    }
}

CapturedGraphs GraphCaptures::of(const std::vector<std::filesystem::path>& files, const ReadOptions& options,
                                 Notices& notices) {
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(files); known != known_.end())
        return known->second;
    auto graphs = std::make_shared<std::vector<CapturedGraph>>();
    for (const fs::path& file : files) {
        auto read = read_captured_graphs(file, options);
        if (read)
            std::ranges::move(*read, std::back_inserter(*graphs));
        else if (read.error().code != Error::Code::cancelled)
            add_notice(notices, {"graph_capture_unreadable", read.error().message, file.string(), 1});
    }
    return known_[files] = std::move(graphs);
}

Result<RankTraces> read_run_file(const RankFile& file, const std::shared_ptr<StringTable>& names,
                                 const ReadOptions& options, GraphCaptures* captures) {
    try {
        ReadOptions with_companion = options;
        GraphCaptures own;
        with_companion.complete = [&](RankBuilder& builder) {
            if (!file.execution_trace.empty())
                complete_from(file.execution_trace, builder, options);
            // Captures are large: they are read only where a graph was launched.
            if (!file.graph_captures.empty() && builder.launches_graphs())
                builder.set_captured_graphs(
                    (captures != nullptr ? *captures : own).of(file.graph_captures, options, builder.trace().notices));
        };
        // A copy would not hold what a dump or an operation timeline says beyond times.
        const bool copied = options.cache != nullptr && file.format->source != TraceSource::flight_recorder &&
                            file.format->source != TraceSource::operations &&
                            file.format->source != TraceSource::memory_snapshot;
        const std::string key = copied ? options.cache->key_of(file) : std::string();
        auto ranks = key.empty() ? std::nullopt : options.cache->find(key, file.path, names);
        if (ranks && options.on_bytes)
            options.on_bytes(file.bytes);
        if (!ranks) {
            auto read = file.format->read(file.path, names, with_companion);
            if (!read)
                return read;
            ranks = std::move(*read);
            if (!key.empty())
                options.cache->keep_later(key, *ranks);
        }
        // distributedInfo behind the events is known only now, and is right where the name was not.
        if (ranks->size() == 1 && !is_placed(*ranks)) {
            const int number = !file.is_given && ranks->front()->rank >= 0 ? ranks->front()->rank : file.rank;
            ranks->front() = file.is_given ? placed(ranks->front(), file) : numbered(ranks->front(), number);
        }
        return *ranks;
    } catch (const std::bad_alloc&) {
        return not_enough_memory(file.path);
    } catch (const std::exception& error) {
        return input_error("reading %1 failed: %2"_text(file.path.string(), error.what()));
    }
}

Result<std::shared_ptr<const RankTrace>>
read_full_trace(const RankTrace& digest, const std::shared_ptr<StringTable>& names, const ReadOptions& options) {
    const FileStamp& source = digest.digest->source;
    const auto now = stamp_of(source.path);
    if (!now)
        return input_error("the full trace %1 is not there"_text(source.path.string()));
    if (*now != source)
        return input_error("the full trace %1 has changed since its digest was made"_text(source.path.string()));
    return read_full_trace_of(digest, source.path, names, options);
}

Result<std::shared_ptr<const RankTrace>> read_full_trace_of(const RankTrace& digest, const std::filesystem::path& path,
                                                            const std::shared_ptr<StringTable>& names,
                                                            const ReadOptions& options) {
    const auto files = find_run_files(path);
    if (!files)
        return tl::unexpected(files.error());
    auto ranks = read_run_file(files->ranks.front(), names, options);
    if (!ranks)
        return tl::unexpected(ranks.error());
    for (const auto& rank : *ranks)
        if (ranks->size() == 1 ||
            (rank->device() == digest.device() && rank->events.gpu_count == digest.events.gpu_count))
            return numbered(rank, digest.rank);
    return input_error("the full trace %1 does not hold rank %2"_text(path.string(), digest.rank));
}

} // namespace rankscope
