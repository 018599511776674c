// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/trace_export.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "core/query/event_scan.h"
#include "core/query/event_words.h"
#include "core/report/trace_sink.h"
#include "core/views/marked_spans.h"

namespace rankscope {
namespace {

constexpr std::size_t kTracksOfALane = 1'000; ///< numbers kept free for them in the order of threads

/// Which of several threads takes the next slice so that all nest. Slices come in order of start, longer ones first.
class Nesting {
public:
    std::size_t place(TimeNs start, TimeNs end) {
        for (std::size_t i = 0; i < open_.size(); ++i) {
            std::vector<TimeNs>& ends = open_[i];
            while (!ends.empty() && ends.back() <= start)
                ends.pop_back();
            if (ends.empty() || end <= ends.back()) {
                ends.push_back(end);
                return i;
            }
        }
        open_.push_back({end});
        return open_.size() - 1;
    }

private:
    std::vector<std::vector<TimeNs>> open_; ///< ends of the slices that are open, the innermost last
};

/// A slice that is no event of a lane.
struct MarkSlice {
    TimeRange range; ///< since the first event of the run
    std::string name;
    std::vector<TraceArgument> arguments;
};

struct EventFlowEnd {
    EventIndex event = kNoEvent;
    TraceFlowEnd end;
    bool operator<(const EventFlowEnd& other) const {
        return std::pair(event, end.id) < std::pair(other.event, other.end.id);
    }
};
/// By rank, as in QueryModel::ranks().
using RankFlows = std::vector<std::vector<EventFlowEnd>>;

/// Walks over what is exported and hands it to a sink.
class TraceWalk {
public:
    TraceWalk(const QueryModel& model, const TraceExport& what, TraceSink& sink, std::stop_token stop)
        : model_(model), what_(what), sink_(sink), stop_(std::move(stop)) {}

    TraceExportCounts walk() {
        for (const QueryRank& rank : model_.ranks())
            next_thread_ = std::max(next_thread_, process_of(rank) + 1);
        for (std::size_t r = 0; r < model_.ranks().size();
             ++r) // a clock that is ahead may put a rank before the first event
            first_ = std::min(first_, model_.ranks()[r].trace->span.begin + model_.shift(r));
        const auto ranks = std::ranges::count_if(model_.ranks(), [this](const QueryRank& r) { return wanted_rank(r); });
        sink_.begin(static_cast<std::size_t>(ranks));
        for (std::uint32_t run = 0; run < model_.runs().size(); ++run)
            walk_run(run);
        sink_.end();
        return counts_;
    }

private:
    static std::int64_t process_of(const QueryRank& rank) {
        constexpr std::int64_t kRanksOfARun = 1'000'000; // 0 is Perfetto's idle process
        return rank.run * kRanksOfARun + rank.trace->rank + 1;
    }

    void walk_run(std::uint32_t run) {
        const auto& analysis = model_.runs()[run].analysis;
        const MarkedSpans marks = mark_spans(analysis);
        const std::vector<RankPath> paths = mark_critical_paths(*analysis);
        RankFlows flows = flows_between_ranks(run);
        for (std::size_t r = 0; r < model_.ranks().size() && !stop_.stop_requested(); ++r)
            if (const QueryRank& rank = model_.ranks()[r]; rank.run == run && wanted_rank(rank))
                walk_rank(r, marks.ranks[rank.index], paths[rank.index], std::move(flows[r]));
    }

    [[nodiscard]] bool wanted_rank(const QueryRank& rank) const {
        return what_.ranks.empty() ||
               std::ranges::any_of(
                   what_.ranks,
                   [&](const auto& range) {
                       return rank.trace->rank >= range.first && rank.trace->rank <= range.second;
                   });
    }
    [[nodiscard]] bool wanted_lane(const Lane& lane) const { return !what_.lanes || what_.lanes(lane.name); }
    /// Touches the range of time. range: since the first event of the run.
    [[nodiscard]] bool wanted_time(TimeRange range) const {
        return !what_.time || (range.begin < what_.time->end && range.end > what_.time->begin) ||
               (range.empty() && what_.time->contains(range.begin));
    }
    /// On the clock that the ranks of a run share. range: as recorded on rank r.
    [[nodiscard]] TimeRange shifted(std::size_t r, TimeRange range) const {
        return {range.begin + model_.shift(r), range.end + model_.shift(r)};
    }
    [[nodiscard]] TimeRange event_range(std::size_t r, EventIndex event) const {
        return shifted(r, model_.ranks()[r].trace->events.range(event));
    }
    /// It is in the trace and has a length: else no slice encloses the end of a flow.
    [[nodiscard]] bool takes_flows(std::size_t r, EventIndex event) const {
        const QueryRank& rank = model_.ranks()[r];
        return wanted_rank(rank) && rank.trace->events.duration[event] > 0 && wanted_time(event_range(r, event)) &&
               wanted_lane(rank.trace->lane_of(event));
    }

    void walk_rank(std::size_t r, const RankMarks& marks, const RankPath& path, std::vector<EventFlowEnd> flows) {
        const QueryRank& rank = model_.ranks()[r];
        const RankTrace& trace = *rank.trace;
        process_ = process_of(rank);
        const QueryRun& run = model_.runs()[rank.run];
        const auto device =
            std::ranges::find_if(trace.devices, [&](const Device& d) { return d.id == trace.device(); });
        sink_.process(process_,
                      model_.runs().size() == 1 ? fmt::format("rank {}", trace.rank)
                                                : fmt::format("{}: rank {}", run.label, trace.rank),
                      r, device == trace.devices.end() ? std::string_view() : device->name);
        walk_marks("Steps", "rankscope.step", 0, steps_of(r), counts_.steps);
        walk_marks("Findings", "rankscope.finding", 1, findings_of(r), counts_.findings);
        walk_marks("Waits at collectives", "rankscope.wait", 2, waits_of(r, marks), counts_.waits);
        walk_marks("Critical path", "rankscope.critical_path", 3, path_of(r, path), counts_.path);
        add_flows_of(r, flows);
        for (std::size_t lane = 0; lane < trace.lanes.size() && !stop_.stop_requested(); ++lane)
            if (wanted_lane(trace.lanes[lane]))
                walk_lane(r, lane, flows);
        walk_counters(r);
    }

    /// The threads of one lane, made as they are needed.
    class Threads {
    public:
        Threads(TraceWalk& walk, std::string name, std::size_t order)
            : walk_(walk), name_(std::move(name)), order_(order) {}
        std::int64_t of(TimeNs start, TimeNs end) {
            const std::size_t place = nesting_.place(start, end);
            if (place == threads_.size()) {
                threads_.push_back(walk_.next_thread_++);
                walk_.sink_.thread(walk_.process_, threads_.back(),
                                   place == 0 ? name_ : fmt::format("{} ({})", name_, place + 1),
                                   order_ * kTracksOfALane + std::min(place, kTracksOfALane - 1));
            }
            return threads_[place];
        }

    private:
        TraceWalk& walk_;
        std::string name_;
        std::size_t order_;
        Nesting nesting_;
        std::vector<std::int64_t> threads_;
    };

    void add_slice(Threads& threads, std::string_view category, std::string_view name, TimeRange range,
                   std::span<const TraceArgument> arguments, std::span<const TraceFlowEnd> flows) {
        sink_.slice({process_,
                     threads.of(range.begin, range.end),
                     category,
                     name,
                     {range.begin - first_, range.end - first_},
                     arguments,
                     flows});
    }

    void walk_marks(std::string_view title, std::string_view category, std::size_t order, std::vector<MarkSlice> slices,
                    std::uint64_t& count) {
        std::erase_if(
            slices, [&](const MarkSlice& slice) { return !wanted_time(slice.range); });
        std::ranges::stable_sort(slices, [](const MarkSlice& a, const MarkSlice& b) {
            return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end > b.range.end;
        });
        Threads threads(*this, std::string(title), order);
        for (const MarkSlice& slice : slices)
            add_slice(threads, category, slice.name, slice.range, slice.arguments, {});
        sink_.end_threads();
        count += slices.size();
    }

    [[nodiscard]] std::vector<MarkSlice> steps_of(std::size_t r) const {
        const QueryRank& rank = model_.ranks()[r];
        std::vector<MarkSlice> slices;
        for (const ProfilerStep& step : rank.trace->steps)
            slices.push_back({shifted(r, step.range), fmt::format("step {}", step.number), {{"step", step.number}}});
        if (slices.empty()) {
            std::size_t number = 0;
            for (const TimeRange& step : model_.runs()[rank.run].analysis->inferred_steps()[rank.index].steps)
                slices.push_back({shifted(r, step), fmt::format("step {} (by repetition)", number++), {}});
        }
        return slices;
    }

    [[nodiscard]] std::vector<MarkSlice> findings_of(std::size_t r) const {
        const QueryRank& rank = model_.ranks()[r];
        std::vector<MarkSlice> slices;
        for (const Finding& finding : model_.runs()[rank.run].analysis->findings().list)
            for (const FindingEvent& event : finding.events)
                if (event.rank == rank.index)
                    slices.push_back({shifted(r, event.range),
                                      std::string(code_word(finding.code)),
                                      {{"finding", english(finding.title)},
                                       {"cost_us_per_step", Microseconds{static_cast<TimeNs>(finding.cost)}}}});
        return slices;
    }

    [[nodiscard]] std::vector<MarkSlice> waits_of(std::size_t r, const RankMarks& marks) const {
        const QueryRank& rank = model_.ranks()[r];
        const Run& run = model_.run(rank.run);
        std::vector<MarkSlice> slices;
        for (const CollectiveWait& wait : marks.waits)
            slices.push_back({shifted(r, wait.range),
                              fmt::format("waits for rank {}", run.ranks[wait.last_rank]->rank),
                              {{"in", std::string(rank.trace->event_name(wait.event))}}});
        return slices;
    }

    /// Named as the event, or as the class where the path is between events.
    [[nodiscard]] std::vector<MarkSlice> path_of(std::size_t r, const RankPath& path) const {
        std::vector<MarkSlice> slices;
        for (const PathMark& mark : path.by_begin)
            slices.push_back({shifted(r, mark.range),
                              std::string(mark.event == kNoEvent ? path_class_word(mark.path_class)
                                                                 : model_.ranks()[r].trace->event_name(mark.event)),
                              {}});
        return slices;
    }

    void connect(std::vector<EventFlowEnd>& from_ends, EventIndex from, std::vector<EventFlowEnd>& to_ends,
                 EventIndex to, TraceFlowKind kind) {
        from_ends.push_back({from, {next_flow_, true, kind}});
        to_ends.push_back({to, {next_flow_++, false, kind}});
        ++counts_.flows;
    }

    /// Of each matched call the ranks in the order in which they arrive, each to the next one.
    RankFlows flows_between_ranks(std::uint32_t run) {
        RankFlows flows(model_.ranks().size());
        std::vector<std::size_t> places; // in the model, by index in the run
        for (std::size_t r = 0; r < model_.ranks().size(); ++r)
            if (model_.ranks()[r].run == run)
                places.push_back(r);
        const CollectiveMatching& matching = model_.runs()[run].analysis->collectives();
        std::vector<std::tuple<TimeNs, std::size_t, EventIndex>> arrivals;
        for (const MatchedCall& matched : matching.matched) {
            arrivals.clear();
            for (const auto& member : matched.members) {
                const std::size_t r = places[member.first];
                const EventIndex event = matching.call(member).event;
                if (event != kNoEvent && takes_flows(r, event))
                    arrivals.emplace_back(event_range(r, event).begin, r, event);
            }
            std::ranges::sort(arrivals);
            for (std::size_t i = 1; i < arrivals.size(); ++i) {
                const auto [start, from_rank, from] = arrivals[i - 1];
                const auto [end, to_rank, to] = arrivals[i];
                connect(flows[from_rank], from, flows[to_rank], to, TraceFlowKind::collective);
            }
        }
        return flows;
    }

    /// Only where both ends are in the trace and in order.
    void add_flows_of(std::size_t r, std::vector<EventFlowEnd>& flows) {
        const RankTrace& trace = *model_.ranks()[r].trace;
        const EventTable& events = trace.events;
        const auto connect_shown = [&](EventIndex from, EventIndex to, TraceFlowKind kind) {
            if (events.start[from] <= events.start[to] && takes_flows(r, from) && takes_flows(r, to))
                connect(flows, from, flows, to, kind);
        };
        for (EventIndex i = 0; i < events.gpu_count; ++i)
            if (events.link[i] != kNoEvent)
                connect_shown(events.link[i], i, TraceFlowKind::launch);
        for (const Flow& flow : trace.flows)
            if (flow.from != kNoEvent && flow.to != kNoEvent)
                connect_shown(flow.from, flow.to, TraceFlowKind::backward);
        std::sort(flows.begin(), flows.end());
    }

    void walk_lane(std::size_t r, std::size_t number, const std::vector<EventFlowEnd>& flows) {
        const QueryRank& rank = model_.ranks()[r];
        const RankTrace& trace = *rank.trace;
        EventFilter filter;
        filter.id = {rank.first_id + trace.lanes[number].begin, rank.first_id + trace.lanes[number].end - 1};
        if (what_.time) { // those that touch it
            filter.start.at_most(what_.time->end - 1);
            filter.end.at_least(what_.time->begin);
        }
        Threads threads(*this, trace.lanes[number].name, number + 4);
        std::vector<TraceArgument> arguments;
        std::vector<TraceFlowEnd> ends;
        constexpr unsigned kEventsBetweenStops = 1U << 14;
        unsigned count = 0;
        for (EventScan scan(model_, filter, EventOrder::time); !scan.at_end(); scan.next()) {
            if (++count % kEventsBetweenStops == 0 && stop_.stop_requested())
                return;
            const EventIndex event = scan.event();
            const TimeRange range = event_range(r, event);
            if (!wanted_time(range))
                continue;
            arguments.clear();
            if (const CollectiveArgs* const args = trace.collective_of(event))
                add_arguments(trace, *args, arguments);
            ends.clear();
            for (auto end = std::ranges::lower_bound(flows, event, {}, &EventFlowEnd::event);
                 end != flows.end() && end->event == event; ++end)
                ends.push_back(end->end);
            add_slice(threads, event_kind_word(trace.events.kind[event]), trace.event_name(event), range, arguments,
                      ends);
            ++counts_.events;
        }
        sink_.end_threads();
    }

    static void add_arguments(const RankTrace& trace, const CollectiveArgs& args, std::vector<TraceArgument>& list) {
        list.push_back({"collective", std::string(trace.names->view(args.collective))});
        if (const auto dtype = trace.names->view(args.dtype); !dtype.empty())
            list.push_back({"dtype", std::string(dtype)});
        if (args.in_elements != kUnknown)
            list.push_back({"in_elements", args.in_elements});
        if (args.group >= 0)
            list.push_back({"group", trace.process_groups[static_cast<std::size_t>(args.group)].name});
    }

    void add_sample(std::size_t r, std::string_view series, TimeNs time, std::variant<std::int64_t, double> value) {
        const TimeNs at = time + model_.shift(r);
        if (what_.time && !what_.time->contains(at))
            return;
        sink_.sample({process_, series, at - first_, value});
        ++counts_.samples;
    }

    void walk_counters(std::size_t r) {
        const RankTrace& trace = *model_.ranks()[r].trace;
        for (const CounterSample& counter : trace.counters)
            add_sample(r, trace.names->view(counter.series), counter.time, counter.value);
        for (const MemorySample& memory : trace.memory_samples) {
            const std::string where = memory.device_type == 0 ? "CPU" : fmt::format("GPU {}", memory.device);
            if (memory.allocated != kUnknown)
                add_sample(r, where + " memory allocated, bytes", memory.time, memory.allocated);
            if (memory.reserved != kUnknown)
                add_sample(r, where + " memory reserved, bytes", memory.time, memory.reserved);
        }
    }

    const QueryModel& model_;
    const TraceExport& what_;
    TraceSink& sink_;
    std::stop_token stop_;
    TraceExportCounts counts_;
    std::int64_t next_thread_ = 1;
    std::uint64_t next_flow_ = 1;
    std::int64_t process_ = 0;
    TimeNs first_ = 0; ///< at most 0
};

} // namespace

bool is_trace_file_name(std::string_view name) {
    if (name.ends_with(".gz"))
        name.remove_suffix(3);
    return name.ends_with(".json") || name.ends_with(".pftrace");
}

Result<TraceExportCounts> write_trace(const QueryModel& model, const TraceExport& what,
                                      const std::filesystem::path& path, const std::stop_token& stop) {
    if (const auto& ranks = model.ranks(); what.lanes && std::ranges::none_of(ranks, [&](const QueryRank& rank) {
                                               return std::ranges::any_of(rank.trace->lanes, what.lanes, &Lane::name);
                                           }))
        return tl::unexpected<Error>(
            Error{Error::Code::usage,
                  "no lane has such a name; a query of lane tells the names: select distinct name from lane"_text});
    const bool gzip = path.extension() == ".gz";
    OutputFile file(path, gzip);
    const bool perfetto = (gzip ? path.stem() : path).extension() == ".pftrace";
    const auto sink = perfetto ? perfetto_trace_sink(file) : chrome_trace_sink(file);
    const TraceExportCounts counts = TraceWalk(model, what, *sink, stop).walk();
    if (stop.stop_requested())
        return tl::unexpected<Error>(Error{Error::Code::cancelled, "interrupted"_text});
    if (counts.slices() == 0)
        return tl::unexpected<Error>(
            Error{Error::Code::usage, "nothing to write: no event lies in the chosen ranks, lanes and times"_text});
    if (const auto committed = file.commit(); !committed)
        return tl::unexpected<Error>(committed.error());
    return counts;
}

} // namespace rankscope
