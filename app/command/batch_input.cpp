// SPDX-License-Identifier: GPL-3.0-or-later
// From the command line to analysed runs, with progress on the terminal.
#include "app/command/batch_input.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>

#include <fmt/format.h>
#include <unistd.h>

#include "app/command/process.h"
#include "core/analysis/collectives/machines.h"
#include "core/analysis/hang/hang.h"
#include "core/base/text.h"
#include "core/input/find/run_choices.h"
#include "core/input/load/load_run.h"
#include "core/remote/remote_run.h"

namespace rankscope {
namespace {

/// "reading dlrm: 3 of 8 ranks, 42 %" on one line that is gone afterwards; nothing where stderr is no terminal.
class ProgressLine {
public:
    ProgressLine(const Options& options, const std::filesystem::path& path)
        : shown_(!options.quiet && ::isatty(STDERR_FILENO) == 1), name_(terminal_safe(path.string())) {}
    ~ProgressLine() {
        if (shown_)
            tell("\r\033[K");
    }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(const LoadProgress& progress) const {
        if (!shown_)
            return;
        const bool here = stage_ == RemoteWishes::Stage::reading;
        tell("\r\033[K{} {}: {} of {} {}, {} %", here ? "reading" : "fetching", name_, progress.ranks_done,
             progress.ranks_total, here ? "ranks" : "traces",
             progress.bytes_total > 0 ? 100 * progress.bytes_done / progress.bytes_total : 0);
    }

    void enter(RemoteWishes::Stage stage) {
        stage_ = stage;
        if (shown_ && stage == RemoteWishes::Stage::connecting)
            tell("\r\033[Kconnecting: {}", name_);
    }

private:
    bool shown_;
    std::string name_;
    RemoteWishes::Stage stage_ = RemoteWishes::Stage::reading;
};

std::set<std::int64_t> recorded_steps(const Run& run) {
    std::set<std::int64_t> numbers;
    for (const auto& rank : run.ranks)
        for (const ProfilerStep& step : rank->steps)
            numbers.insert(step.number);
    return numbers;
}

Message described_steps(const std::set<std::int64_t>& steps) {
    return steps.empty() ? "it has no profiler steps"_text()
                         : "its profiler steps are %1 to %2"_text(*steps.begin(), *steps.rbegin());
}

std::string range_text(std::pair<std::int64_t, std::int64_t> range) {
    return range.first == range.second ? fmt::format("{}", range.first)
                                       : fmt::format("{}-{}", range.first, range.second);
}

/// The run under a path that is the same every time: the demo's lie in a temporary folder.
std::shared_ptr<const Run> as_demo(const std::shared_ptr<const Run>& run) {
    const auto renamed = std::make_shared<Run>(*run);
    renamed->path = std::filesystem::path("demo") / run->name;
    return renamed;
}

tl::unexpected<Error> cancelled() { return tl::unexpected<Error>(Error{Error::Code::cancelled, "interrupted"_text}); }

/// A folder may hold a profile of a job and the dumps of how it ended.
void add_dumps_beside(const std::filesystem::path& path, LoadOptions load, const RemoteWishes& wishes,
                      AnalysedRun& analysed) {
    load.mode = ProfileMode::flight_recorder;
    const auto dumps = open_run(path, load, wishes);
    if (!dumps) {
        add_notice(analysed.notices, {"unreadable_file", dumps.error().message, path.string(), 1});
        return;
    }
    analysed.beside = find_hang(**dumps);
    for (Notice& notice : analysed.notices)
        if (tells_of_dumps(notice))
            notice.message =
                std::string("the folder also has dumps of the Flight Recorder. What they tell is shown with the "
                            "profile; --profile-mode flight-recorder opens them alone");
    for (const Notice& notice : (*dumps)->notices)
        if (notice.code == "unreadable_file" || notice.code == "malformed_events")
            add_notice(analysed.notices, notice);
}

Result<AnalysedRun> analyse_run(const Options& options, const std::filesystem::path& path, ProfileMode mode,
                                const std::stop_token& cancel, Timing& timing) {
    timing.enter(Timing::Stage::reading);
    ProgressLine line(options, path);
    LoadOptions load;
    load.mode = mode;
    load.cancel = cancel;
    load.on_progress = [&](const LoadProgress& progress) { line.show(progress); };
    RemoteWishes wishes = remote_wishes(options);
    wishes.on_stage = [&](RemoteWishes::Stage stage) { line.enter(stage); };
    auto read = read_run(options, path, std::move(load), std::move(wishes));
    if (!read) {
        Error error = read.error();
        if (tells_of_several_runs(error.message))
            error.message = "%1, or all: rankscope study %2"_text(error.message, path.string());
        return tl::unexpected<Error>(std::move(error));
    }
    if (cancel.stop_requested())
        return cancelled();
    if (!options.queries.empty() || options.export_trace) // what they ask for is computed when they ask
        return std::move(read->analysed);
    timing.enter(Timing::Stage::aligning);
    std::ignore = read->analysed.analysis->clock();
    timing.enter(Timing::Stage::analysing);
    compute(options, *read);
    if (cancel.stop_requested())
        return cancelled();
    return std::move(read->analysed);
}

/// Where `nsys stats --filter-time` counts from: of several reports the start of the one that started first.
std::optional<TimeNs> session_start(const Run& run) {
    if (run.source != TraceSource::nsys && run.source != TraceSource::nsys_stats)
        return {};
    std::optional<TimeNs> first;
    for (const auto& rank : run.ranks) // the text's times count from there already
        first = std::min(first.value_or(rank->clock_base), rank->clock_base);
    return first;
}

} // namespace

RemoteWishes remote_wishes(const Options& options) {
    RemoteWishes wishes;
    if (options.install_remote)
        wishes.may_install = [](const Message&) { return true; };
    if (!options.quiet)
        wishes.on_message = [](const Message& line) { tell("rankscope: {}\n", terminal_safe(english(line))); };
    return wishes;
}

Result<Selection> select_part(const Options& options, const Run& run, Notices& notices) {
    Selection selection;
    selection.iterations = options.iterations;
    if ((options.time || !options.iterations.empty()) && run.event_count() == 0)
        return input_error("%1 holds sums without times: %2 cannot be applied to it"_text(
            run.path.string(), options.time ? "--time-range" : "--iterations"));
    if (options.time) {
        const TimeNs length = run.span.length();
        selection.time = TimeRange{options.time->begin.value_or(0), options.time->end.value_or(kOpenEnd)};
        TimeNs before = 0; // of the session's start; below zero: it began before the run's first event
        if (options.time->from_session) {
            const auto start = session_start(run);
            if (!start)
                return input_error(
                    "%1: only runs of Nsight Systems have the start of a session that --time-range @ "
                    "counts from; without @ it counts from the run's first event"_text(run.path.string()));
            before = *start - run.span.begin;
            selection.time->begin = std::max<TimeNs>(0, options.time->begin ? *options.time->begin + before : 0);
            selection.time->end = options.time->end ? std::max<TimeNs>(0, *options.time->end + before) : kOpenEnd;
        }
        if (selection.time->begin >= length || selection.time->empty()) {
            const Message what_there_is = options.time->from_session
                                              ? "the run is from @%1 ms to @%2 ms of the session"_text(
                                                    number_text(as_ms(-before)), number_text(as_ms(length - before)))
                                              : "the run ends after %1 ms"_text(number_text(as_ms(length)));
            return input_error("%1: nothing inside --time-range: %2"_text(run.path.string(), what_there_is));
        }
    }
    if (selection.iterations.empty())
        return selection;
    const auto steps = recorded_steps(run);
    std::size_t found = 0;
    for (const auto& range : selection.iterations) {
        const auto first = steps.lower_bound(range.first);
        if (first != steps.end() && *first <= range.second)
            ++found;
        else
            add_notice(notices,
                       {"iteration_not_found",
                        "--iterations %1: not in the trace; %2"_text(range_text(range), described_steps(steps)),
                        run.path.string(), 1});
    }
    if (found == 0)
        return input_error(
            "%1: none of --iterations is in the trace; %2"_text(run.path.string(), described_steps(steps)));
    return selection;
}

Result<ReadRun> read_run(const Options& options, const std::filesystem::path& path, LoadOptions load,
                         RemoteWishes wishes) {
    load.jobs = options.jobs;
    load.use_cache = options.use_cache && !options.demo;
    load.memory_bytes = options.memory_bytes;
    load.model_bytes = options.memory_bytes / 2; // the analysis needs some as well
    bool has_dumps = false;
    load.on_sources = [&](const std::vector<TraceSource>& sources) {
        has_dumps = std::ranges::find(sources, TraceSource::flight_recorder) != sources.end();
    };
    const auto run = open_run(path, load, wishes);
    if (!run)
        return tl::unexpected<Error>(run.error());
    load.on_sources = {};
    const auto shown = with_gpus_per_machine(options.demo ? as_demo(*run) : *run, options.gpus_per_machine);
    ReadRun read{{}, path, std::move(load), std::move(wishes)};
    read.dumps_beside =
        has_dumps && read.load.mode == ProfileMode::automatic && shown->source != TraceSource::flight_recorder;
    read.analysed.notices = shown->notices;
    const auto selection = select_part(options, *shown, read.analysed.notices);
    if (!selection)
        return tl::unexpected<Error>(selection.error());
    read.analysed.analysis = std::make_shared<RunAnalysis>(shown, *selection, options.align, options.rules);
    return read;
}

void compute(const Options& options, ReadRun& read) {
    if (options.action != Options::Action::serve_stdio)
        read.analysed.metrics = compute_metrics(*read.analysed.analysis, options.metrics);
    read.analysed.predictions = read.analysed.analysis->predict(options.what_if);
    if (read.dumps_beside)
        add_dumps_beside(read.path, read.load, read.wishes, read.analysed);
}

Result<std::vector<AnalysedRun>> analyse_runs(const Options& options, std::span<const std::filesystem::path> paths,
                                              const std::stop_token& cancel, Timing& timing) {
    std::vector<AnalysedRun> runs;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const ProfileMode mode =
            options.modes.empty() ? ProfileMode::automatic : options.modes[std::min(i, options.modes.size() - 1)];
        auto run = analyse_run(options, paths[i], mode, cancel, timing);
        if (!run)
            return tl::unexpected<Error>(run.error());
        runs.push_back(std::move(*run));
    }
    relate_runs(runs);
    return runs;
}

} // namespace rankscope
