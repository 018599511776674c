// SPDX-License-Identifier: GPL-3.0-or-later
#include "hta_calls.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/analysis/compat/hta_clock.h"
#include "core/base/stopping.h"

namespace rankscope::python {
namespace {

/// Times in µs since the first event of the run, as HTA aligns ranks.
class Times {
public:
    explicit Times(const Run& run) : zero_(hta_first_start(run)) {}
    [[nodiscard]] double since_start(TimeNs hta_time) const { return length(hta_time - zero_); }
    static double length(TimeNs ns) { return static_cast<double>(ns) / 1000.0; }

private:
    TimeNs zero_;
};

bool is_gpu_lane(const Lane& lane) {
    return (lane.kind == LaneKind::gpu_stream || lane.kind == LaneKind::gpu_sync) && lane.stream >= 0;
}

/// What HTA calls the iteration of a row.
class Iterations {
public:
    Iterations(const RankTrace& rank, const HtaClock& clock) : rank_(rank), clock_(clock) {
        for (const ProfilerStep& step : rank.steps)
            steps_.emplace_back(clock.range(rank.events, step.event), step);
        std::ranges::sort(steps_, {}, [&](const auto& s) { return rank.events.ordinal[s.second.event]; });
    }
    /// Of the steps around that time the last in the file; nothing outside of steps.
    [[nodiscard]] std::optional<std::int64_t> at(TimeNs hta_time) const {
        const auto found = std::find_if(steps_.rbegin(), steps_.rend(), [&](const auto& s) {
            return hta_time >= s.first.begin && hta_time < s.first.end;
        });
        return found == steps_.rend() ? std::nullopt : std::optional<std::int64_t>(found->second.number);
    }
    /// Of a GPU row that of its launch; none on stream 0.
    [[nodiscard]] std::optional<std::int64_t> of(EventIndex gpu_row) const {
        const EventIndex call = rank_.events.link[gpu_row];
        return call == kNoEvent || rank_.lane_of(gpu_row).stream <= 0 ? std::nullopt
                                                                      : at(clock_.start(rank_.events.start[call]));
    }

private:
    const RankTrace& rank_;
    const HtaClock& clock_;
    std::vector<std::pair<TimeRange, ProfilerStep>> steps_;
};

/// Events of a rank that HTA counts as those of the CPU, with what it calls their stack.
struct CpuRow {
    TimeRange range;
    EventIndex event = kNoEvent;
    int depth = 0; ///< within its process
};

/// By process, whose threads are one stack to HTA: what the backward thread runs lies below "## backward ##" of the
/// main thread.
std::map<std::string, std::vector<CpuRow>> cpu_rows(const RankTrace& rank, const HtaClock& clock, HtaFilter filter) {
    const TimeNs until = hta_kept_until(rank, clock, filter);
    std::map<std::string, std::vector<CpuRow>> processes;
    for (const Lane& lane : rank.lanes) {
        if (is_gpu_lane(lane))
            continue;
        for (EventIndex i = lane.begin; i < lane.end; ++i) {
            const EventKind kind = rank.events.kind[i];
            const TimeRange range = clock.range(rank.events, i);
            if (kind != EventKind::span && !is_graph_slice(kind) && range.begin < until)
                processes[lane.process].push_back({range, i, 0});
        }
    }
    return processes;
}

/// Sorts the rows of a process by start, the longer first, and gives each the number of rows around it.
void nest(std::vector<CpuRow>& rows, const RankTrace& rank) {
    std::ranges::sort(rows, [&](const CpuRow& a, const CpuRow& b) {
        return std::tuple(a.range.begin, -a.range.end, rank.events.ordinal[a.event]) <
               std::tuple(b.range.begin, -b.range.end, rank.events.ordinal[b.event]);
    });
    std::vector<TimeNs> ends;
    for (CpuRow& row : rows) {
        while (!ends.empty() && ends.back() <= row.range.begin)
            ends.pop_back();
        row.depth = static_cast<int>(ends.size());
        ends.push_back(row.range.end);
    }
}

struct Sequence {
    std::int64_t count = 0;
    TimeNs of_kernels = 0;
    TimeNs of_operators = 0;
};

/// The sequences of one rank by pattern.
class Sequences {
public:
    Sequences(const RankTrace& rank, HtaFilter filter, const HtaQuestion& question)
        : rank_(rank), least_(std::max<std::int64_t>(question.limit, 1)) {
        const HtaClock clock(rank);
        auto processes = cpu_rows(rank, clock, filter);
        for (auto& [process, rows] : processes)
            nest(rows, rank);
        for (const HtaRow& row : hta_gpu_rows(rank, filter))
            if (rank.events.link[row.event] != kNoEvent)
                launched_[rank.events.link[row.event]].push_back(row);
        const auto is_wanted = [&](const CpuRow& row) {
            return rank.event_name(row.event).find(question.name) != std::string_view::npos;
        };
        int depth = std::numeric_limits<int>::max();
        for (const auto& [process, rows] : processes)
            for (const CpuRow& row : rows)
                if (row.depth < depth && is_wanted(row))
                    depth = row.depth;
        for (const auto& [process, rows] : processes)
            for (std::size_t i = 0; i < rows.size(); ++i)
                if (rows[i].depth == depth && is_wanted(rows[i]))
                    add(rows, i);
    }
    [[nodiscard]] const std::map<std::string, Sequence>& by_pattern() const { return by_pattern_; }

private:
    /// What the rows inside rows[root] launched, which follow it.
    void add(const std::vector<CpuRow>& rows, std::size_t root) {
        std::vector<HtaRow> kernels;
        for (std::size_t i = root; i < rows.size() && (i == root || rows[i].depth > rows[root].depth); ++i)
            if (const auto found = launched_.find(rows[i].event); found != launched_.end())
                kernels.insert(kernels.end(), found->second.begin(), found->second.end());
        if (std::cmp_less(kernels.size(), least_))
            return;
        std::ranges::stable_sort(kernels, {}, [](const HtaRow& row) { return row.range.begin; });
        std::string pattern(rank_.event_name(rows[root].event));
        TimeNs time = 0;
        for (const HtaRow& kernel : kernels) {
            pattern.append("|").append(rank_.event_name(kernel.event));
            time += kernel.range.end - kernel.range.begin;
        }
        Sequence& sequence = by_pattern_[pattern];
        ++sequence.count;
        sequence.of_kernels += time;
        sequence.of_operators += rows[root].range.end - rows[root].range.begin;
    }

    const RankTrace& rank_;
    std::int64_t least_;
    std::map<EventIndex, std::vector<HtaRow>> launched_; ///< by call
    std::map<std::string, Sequence> by_pattern_;
};

using Thread = std::pair<std::string, std::string>; ///< pid, tid

struct Annotated {
    HtaRow row;
    EventIndex annotation = kNoEvent;
};

/// The rows of one stream in order of start. Of annotations that overlap a row the shortest has it, of equal ones the
/// last in the file.
void annotate(std::vector<Annotated*>& rows, std::vector<CpuRow> annotations, const RankTrace& rank) {
    std::ranges::sort(annotations, [&](const CpuRow& a, const CpuRow& b) {
        return std::tuple(-a.range.length(), rank.events.ordinal[a.event]) <
               std::tuple(-b.range.length(), rank.events.ordinal[b.event]);
    });
    std::vector<TimeNs> latest_end; // of the rows so far
    for (const Annotated* const row : rows)
        latest_end.push_back(std::max(row->row.range.end, latest_end.empty() ? row->row.range.end : latest_end.back()));
    for (const CpuRow& annotation : annotations) {
        const auto first = std::ranges::upper_bound(latest_end, annotation.range.begin);
        for (auto i = static_cast<std::size_t>(first - latest_end.begin());
             i < rows.size() && rows[i]->row.range.begin < annotation.range.end; ++i)
            if (rows[i]->row.range.end > annotation.range.begin)
                rows[i]->annotation = annotation.event;
    }
}

std::vector<Annotated> annotated_rows(const RankTrace& rank, HtaFilter filter) {
    const HtaClock clock(rank);
    const TimeNs until = hta_kept_until(rank, clock, filter);
    std::vector<Annotated> all;
    for (const HtaRow& row : hta_gpu_rows(rank, filter))
        all.push_back({row, kNoEvent});
    std::map<Thread, std::vector<Annotated*>> streams;
    for (Annotated& row : all)
        streams[{rank.lane_of(row.row.event).process, rank.lane_of(row.row.event).thread}].push_back(&row);
    std::map<Thread, std::vector<CpuRow>> annotations;
    for (const Lane& lane : rank.lanes)
        for (EventIndex i = lane.begin; i < lane.end; ++i)
            if (rank.events.kind[i] == EventKind::gpu_annotation && clock.start(rank.events.start[i]) < until)
                annotations[{lane.process, lane.thread}].push_back({clock.range(rank.events, i), i, 0});
    for (auto& [stream, rows] : streams)
        if (const auto found = annotations.find(stream); found != annotations.end())
            annotate(rows, std::move(found->second), rank);
    return all;
}

} // namespace

void hta_communication_rows(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    sink.columns(std::vector<std::string>{"rank", "stream", "iteration", "kernel", "ts", "dur", "index"});
    const HtaFilter filter = hta_filter(analysis.run(), question.include_last_step);
    const Times times(analysis.run());
    for (const auto& rank : analysis.run().ranks) {
        check_stop();
        const HtaClock clock(*rank);
        const Iterations iterations(*rank, clock);
        for (const HtaRow& row : hta_gpu_rows(*rank, filter))
            if (const std::string_view name = rank->event_name(row.event); name.starts_with("ncclKernel"))
                if (const auto iteration = iterations.of(row.event); iteration && *iteration > 0)
                    sink.row(std::vector<QueryValue>{std::int64_t{rank->rank}, rank->lane_of(row.event).stream,
                                                     *iteration, name, times.since_start(row.range.begin),
                                                     Times::length(row.range.end - row.range.begin),
                                                     std::int64_t{rank->events.ordinal[row.event]}});
    }
}

void hta_step_extents(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    sink.columns(std::vector<std::string>{"rank", "iteration", "start", "end"});
    const HtaFilter filter = hta_filter(analysis.run(), question.include_last_step);
    const Times times(analysis.run());
    for (const auto& rank : analysis.run().ranks) {
        check_stop();
        const HtaClock clock(*rank);
        const Iterations iterations(*rank, clock);
        std::map<std::int64_t, TimeRange> extents;
        const auto add = [&](std::optional<std::int64_t> iteration, TimeRange range) {
            if (!iteration)
                return;
            TimeRange& extent = extents.try_emplace(*iteration, range).first->second;
            extent = {std::min(extent.begin, range.begin), std::max(extent.end, range.end)};
        };
        for (const auto& [process, rows] : cpu_rows(*rank, clock, filter))
            for (const CpuRow& row : rows)
                add(iterations.at(row.range.begin), row.range);
        for (const HtaRow& row : hta_gpu_rows(*rank, filter))
            add(iterations.of(row.event), row.range);
        for (const auto& [iteration, extent] : extents)
            sink.row(std::vector<QueryValue>{std::int64_t{rank->rank}, iteration, times.since_start(extent.begin),
                                             times.since_start(extent.end)});
    }
}

void hta_annotated_kernels(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    sink.columns(
        std::vector<std::string>{"index", "s_name", "ts", "dur", "stream", "pid", "tid", "s_user_annotation", "rank"});
    const HtaFilter filter = hta_filter(analysis.run(), question.include_last_step);
    const Times times(analysis.run());
    for (const auto& rank : analysis.run().ranks) {
        check_stop();
        for (const Annotated& row : annotated_rows(*rank, filter)) {
            const Lane& lane = rank->lane_of(row.row.event);
            sink.row(std::vector<QueryValue>{
                std::int64_t{rank->events.ordinal[row.row.event]}, rank->event_name(row.row.event),
                times.since_start(row.row.range.begin), Times::length(row.row.range.end - row.row.range.begin),
                lane.stream, std::string_view(lane.process), std::string_view(lane.thread),
                row.annotation == kNoEvent ? QueryValue() : QueryValue(rank->event_name(row.annotation)),
                std::int64_t{rank->rank}});
        }
    }
}

void hta_kernel_sequences(const RunAnalysis& analysis, const HtaQuestion& question, QuerySink& sink) {
    sink.columns(
        std::vector<std::string>{"pattern", "count", "GPU kernel duration (us)", "CPU op duration (us)", "rank"});
    const HtaFilter filter = hta_filter(analysis.run(), question.include_last_step);
    for (const auto& rank : analysis.run().ranks) {
        check_stop();
        const Sequences sequences(*rank, filter, question);
        std::vector<std::pair<std::string_view, Sequence>> sorted(sequences.by_pattern().begin(),
                                                                  sequences.by_pattern().end());
        std::ranges::stable_sort(sorted, std::greater<>(), [](const auto& s) { return s.second.count; });
        for (const auto& [pattern, sequence] : sorted)
            sink.row(std::vector<QueryValue>{pattern, sequence.count, Times::length(sequence.of_kernels),
                                             Times::length(sequence.of_operators), std::int64_t{rank->rank}});
    }
}

} // namespace rankscope::python
