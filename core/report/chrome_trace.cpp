// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/chrome_trace.h"

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/output_file.h"
#include "core/base/safe_json.h"
#include "core/base/text.h"
#include "core/query/event_scan.h"
#include "core/query/event_words.h"
#include "core/version.h"
#include "core/views/marked_spans.h"

namespace rankscope {
namespace {

constexpr std::size_t kPieceOfTrace = std::size_t{1} << 20; ///< bytes written at once
constexpr int kTracksOfALane = 1'000;                       ///< numbers kept free for them in the order of threads

std::string json_quoted(std::string_view text) {
    return terminal_safe_json(
        nlohmann::json(valid_utf8(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

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
    std::string args; ///< JSON object
};

class TraceWriter {
public:
    TraceWriter(const QueryModel& model, const TraceExport& what, const std::filesystem::path& path,
                std::stop_token stop)
        : model_(model), what_(what), file_(path, path.extension() == ".gz"), stop_(std::move(stop)) {}

    Result<TraceExportCounts> write() {
        for (const QueryRank& rank : model_.ranks())
            next_thread_ = std::max(next_thread_, process_of(rank) + 1);
        for (std::size_t r = 0; r < model_.ranks().size();
             ++r) // a clock that is ahead may put a rank before the first event
            first_ = std::min(first_, model_.ranks()[r].trace->span.begin + model_.shift(r));
        const auto ranks = std::ranges::count_if(model_.ranks(), [this](const QueryRank& r) { return wanted_rank(r); });
        text_ = fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"producer\":\"rankscope {}\","
                            "\"merged_ranks\":{}}},\"traceEvents\":[",
                            kVersion, ranks);
        for (std::uint32_t run = 0; run < model_.runs().size(); ++run)
            write_run(run);
        text_ += "\n]}\n";
        file_.write(text_);
        if (stop_.stop_requested())
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "interrupted"_text});
        if (counts_.slices() == 0)
            return tl::unexpected<Error>(
                Error{Error::Code::usage, "nothing to write: no event lies in the chosen ranks, lanes and times"_text});
        if (const auto committed = file_.commit(); !committed)
            return tl::unexpected<Error>(committed.error());
        return counts_;
    }

private:
    struct FlowEnd {
        EventIndex event = kNoEvent;
        std::uint64_t id = 0;
        bool starts = false;
        bool backward = false; ///< forward to backward, else launch to GPU
        bool operator<(const FlowEnd& other) const { return std::pair(event, id) < std::pair(other.event, other.id); }
    };

    static std::int64_t process_of(const QueryRank& rank) {
        constexpr std::int64_t kRanksOfARun = 1'000'000; // 0 is Perfetto's idle process
        return rank.run * kRanksOfARun + rank.trace->rank + 1;
    }

    void add(std::string_view line) {
        text_ += first_line_ ? "\n" : ",\n";
        first_line_ = false;
        text_ += line;
        if (text_.size() > kPieceOfTrace) {
            file_.write(text_);
            text_.clear();
        }
    }

    std::string_view name_text(const QueryRank& rank, NameId id) {
        auto& texts = names_[rank.run];
        if (texts.size() <= id)
            texts.resize(std::max<std::size_t>(rank.trace->names->size(), id + 1));
        if (texts[id].empty())
            texts[id] = json_quoted(rank.trace->names->view(id));
        return texts[id];
    }

    void write_run(std::uint32_t run) {
        const auto& analysis = model_.runs()[run].analysis;
        const MarkedSpans marks = mark_spans(analysis);
        for (std::size_t r = 0; r < model_.ranks().size() && !stop_.stop_requested(); ++r)
            if (const QueryRank& rank = model_.ranks()[r]; rank.run == run && wanted_rank(rank))
                write_rank(r, marks.ranks[rank.index]);
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

    void write_rank(std::size_t r, const RankMarks& marks) {
        const QueryRank& rank = model_.ranks()[r];
        const RankTrace& trace = *rank.trace;
        process_ = process_of(rank);
        shift_ = model_.shift(r);
        const QueryRun& run = model_.runs()[rank.run];
        const std::string name = model_.runs().size() == 1 ? fmt::format("rank {}", trace.rank)
                                                           : fmt::format("{}: rank {}", run.label, trace.rank);
        meta(0, "process_name", fmt::format("\"name\":{}", json_quoted(name)));
        meta(0, "process_sort_index", fmt::format("\"sort_index\":{}", r));
        for (const Device& device : trace.devices)
            if (device.id == trace.device() && !device.name.empty())
                meta(0, "process_labels", fmt::format("\"labels\":{}", json_quoted(device.name)));
        write_marks("Steps", "rankscope.step", 0, steps_of(rank), counts_.steps);
        write_marks("Findings", "rankscope.finding", 1, findings_of(rank), counts_.findings);
        write_marks("Waits at collectives", "rankscope.wait", 2, waits_of(rank, marks), counts_.waits);
        const std::vector<FlowEnd> flows = flows_of(trace);
        for (std::size_t lane = 0; lane < trace.lanes.size() && !stop_.stop_requested(); ++lane)
            if (wanted_lane(trace.lanes[lane]))
                write_lane(r, lane, flows);
        write_counters(rank);
    }

    void meta(std::int64_t thread, std::string_view what, std::string_view args) {
        add(fmt::format("{{\"ph\":\"M\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{{}}}}}", what, process_,
                        thread, args));
    }

    /// The threads of one lane, made as they are needed.
    class Threads {
    public:
        Threads(TraceWriter& writer, std::string name, std::size_t order)
            : writer_(writer), name_(std::move(name)), order_(order) {}
        std::int64_t of(TimeNs start, TimeNs end) {
            const std::size_t place = nesting_.place(start, end);
            if (place == threads_.size()) {
                threads_.push_back(writer_.next_thread_++);
                const std::string name = place == 0 ? name_ : fmt::format("{} ({})", name_, place + 1);
                writer_.meta(threads_.back(), "thread_name", fmt::format("\"name\":{}", json_quoted(name)));
                writer_.meta(threads_.back(), "thread_sort_index",
                             fmt::format("\"sort_index\":{}",
                                         order_ * kTracksOfALane + std::min<std::size_t>(place, kTracksOfALane - 1)));
            }
            return threads_[place];
        }

    private:
        TraceWriter& writer_;
        std::string name_;
        std::size_t order_;
        Nesting nesting_;
        std::vector<std::int64_t> threads_;
    };

    [[nodiscard]] std::string stamp(TimeNs since_first) const { return microseconds_text(since_first - first_); }

    void write_marks(std::string_view title, std::string_view category, std::size_t order,
                     std::vector<MarkSlice> slices, std::uint64_t& count) {
        std::erase_if(
            slices, [&](const MarkSlice& slice) { return !wanted_time(slice.range); });
        std::ranges::stable_sort(slices, [](const MarkSlice& a, const MarkSlice& b) {
            return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end > b.range.end;
        });
        Threads threads(*this, std::string(title), order);
        for (const MarkSlice& slice : slices) {
            const std::int64_t thread = threads.of(slice.range.begin, slice.range.end);
            add(fmt::format(
                "{{\"ph\":\"X\",\"cat\":\"{}\",\"name\":{},\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"args\":{}}}",
                category, json_quoted(slice.name), process_, thread, stamp(slice.range.begin),
                microseconds_text(slice.range.length()), slice.args));
            ++count;
        }
    }

    [[nodiscard]] TimeRange shifted(TimeRange range) const { return {range.begin + shift_, range.end + shift_}; }

    [[nodiscard]] std::vector<MarkSlice> steps_of(const QueryRank& rank) const {
        std::vector<MarkSlice> slices;
        for (const ProfilerStep& step : rank.trace->steps)
            slices.push_back({shifted(step.range), fmt::format("step {}", step.number),
                              fmt::format("{{\"step\":{}}}", step.number)});
        if (slices.empty()) {
            std::size_t number = 0;
            for (const TimeRange& step : model_.runs()[rank.run].analysis->inferred_steps()[rank.index].steps)
                slices.push_back({shifted(step), fmt::format("step {} (by repetition)", number++), "{}"});
        }
        return slices;
    }

    [[nodiscard]] std::vector<MarkSlice> findings_of(const QueryRank& rank) const {
        std::vector<MarkSlice> slices;
        for (const Finding& finding : model_.runs()[rank.run].analysis->findings().list)
            for (const FindingEvent& event : finding.events)
                if (event.rank == rank.index)
                    slices.push_back(
                        {shifted(event.range), std::string(code_word(finding.code)),
                         fmt::format("{{\"finding\":{},\"cost_us_per_step\":{}}}", json_quoted(english(finding.title)),
                                     microseconds_text(static_cast<TimeNs>(finding.cost)))});
        return slices;
    }

    [[nodiscard]] std::vector<MarkSlice> waits_of(const QueryRank& rank, const RankMarks& marks) const {
        std::vector<MarkSlice> slices;
        const Run& run = model_.run(rank.run);
        for (const CollectiveWait& wait : marks.waits)
            slices.push_back({shifted(wait.range), fmt::format("waits for rank {}", run.ranks[wait.last_rank]->rank),
                              fmt::format("{{\"in\":{}}}", json_quoted(rank.trace->event_name(wait.event)))});
        return slices;
    }

    [[nodiscard]] bool written(const RankTrace& trace, EventIndex event) const {
        return wanted_time(shifted(trace.events.range(event))) && wanted_lane(trace.lane_of(event));
    }

    /// Only where both ends are written, have a length (else no slice encloses the end) and are in order.
    std::vector<FlowEnd> flows_of(const RankTrace& trace) {
        std::vector<FlowEnd> ends;
        const EventTable& events = trace.events;
        const auto connect = [&](EventIndex from, EventIndex to, bool backward) {
            const bool shown = events.duration[from] > 0 && events.duration[to] > 0 &&
                               events.start[from] <= events.start[to] && written(trace, from) && written(trace, to);
            if (!shown)
                return;
            ends.push_back({from, next_flow_, true, backward});
            ends.push_back({to, next_flow_++, false, backward});
            ++counts_.flows;
        };
        for (EventIndex i = 0; i < events.gpu_count; ++i)
            if (events.link[i] != kNoEvent)
                connect(events.link[i], i, false);
        for (const Flow& flow : trace.flows)
            if (flow.from != kNoEvent && flow.to != kNoEvent)
                connect(flow.from, flow.to, true);
        std::sort(ends.begin(), ends.end());
        return ends;
    }

    void write_lane(std::size_t r, std::size_t number, const std::vector<FlowEnd>& flows) {
        const QueryRank& rank = model_.ranks()[r];
        const RankTrace& trace = *rank.trace;
        EventFilter filter;
        filter.id = {rank.first_id + trace.lanes[number].begin, rank.first_id + trace.lanes[number].end - 1};
        if (what_.time) { // those that touch it
            filter.start.at_most(what_.time->end - 1);
            filter.end.at_least(what_.time->begin);
        }
        Threads threads(*this, trace.lanes[number].name, number + 3);
        constexpr unsigned kEventsBetweenStops = 1U << 14;
        unsigned count = 0;
        for (EventScan scan(model_, filter, EventOrder::time); !scan.at_end(); scan.next()) {
            if (++count % kEventsBetweenStops == 0 && stop_.stop_requested())
                return;
            const EventIndex event = scan.event();
            const TimeRange range = shifted(trace.events.range(event));
            if (!wanted_time(range))
                continue;
            const std::int64_t thread = threads.of(range.begin, range.end);
            line_.clear();
            fmt::format_to(std::back_inserter(line_),
                           "{{\"ph\":\"X\",\"cat\":\"{}\",\"name\":{},\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{}",
                           event_kind_word(trace.events.kind[event]), name_text(rank, trace.events.name[event]),
                           process_, thread, stamp(range.begin), microseconds_text(range.length()));
            if (const CollectiveArgs* const args = trace.collective_of(event))
                add_arguments(trace, *args);
            line_ += '}';
            add(line_);
            ++counts_.events;
            for (auto end = std::ranges::lower_bound(flows, event, {}, &FlowEnd::event);
                 end != flows.end() && end->event == event; ++end)
                add(fmt::format(
                    "{{\"ph\":\"{}\",{}\"cat\":\"{}\",\"name\":\"{}\",\"id\":{},\"pid\":{},\"tid\":{},\"ts\":{}}}",
                    end->starts ? "s" : "f", end->starts ? "" : "\"bp\":\"e\",", end->backward ? "fwdbwd" : "launch",
                    end->backward ? "forward to backward" : "launch", end->id, process_, thread, stamp(range.begin)));
        }
    }

    void add_arguments(const RankTrace& trace, const CollectiveArgs& args) {
        line_ += fmt::format(",\"args\":{{\"collective\":{}", json_quoted(trace.names->view(args.collective)));
        if (const auto dtype = trace.names->view(args.dtype); !dtype.empty())
            line_ += fmt::format(",\"dtype\":{}", json_quoted(dtype));
        if (args.in_elements != kUnknown)
            line_ += fmt::format(",\"in_elements\":{}", args.in_elements);
        if (args.group >= 0)
            line_ += fmt::format(",\"group\":{}",
                                 json_quoted(trace.process_groups[static_cast<std::size_t>(args.group)].name));
        line_ += '}';
    }

    void sample(std::string_view series, TimeNs time, std::string_view value) {
        const TimeNs at = time + shift_;
        if (what_.time && !what_.time->contains(at))
            return;
        add(fmt::format("{{\"ph\":\"C\",\"name\":{},\"pid\":{},\"ts\":{},\"args\":{{\"value\":{}}}}}",
                        json_quoted(series), process_, stamp(at), value));
        ++counts_.samples;
    }

    void write_counters(const QueryRank& rank) {
        for (const CounterSample& counter : rank.trace->counters)
            sample(rank.trace->names->view(counter.series), counter.time, number_text(counter.value));
        for (const MemorySample& memory : rank.trace->memory_samples) {
            const std::string where = memory.device_type == 0 ? "CPU" : fmt::format("GPU {}", memory.device);
            if (memory.allocated != kUnknown)
                sample(where + " memory allocated, bytes", memory.time, fmt::format("{}", memory.allocated));
            if (memory.reserved != kUnknown)
                sample(where + " memory reserved, bytes", memory.time, fmt::format("{}", memory.reserved));
        }
    }

    const QueryModel& model_;
    const TraceExport& what_;
    OutputFile file_;
    std::stop_token stop_;
    TraceExportCounts counts_;
    std::string text_;
    std::string line_;
    bool first_line_ = true;
    std::map<std::uint32_t, std::vector<std::string>> names_; ///< by run, NameId: as JSON
    std::int64_t next_thread_ = 1;
    std::uint64_t next_flow_ = 1;
    std::int64_t process_ = 0;
    TimeNs shift_ = 0;
    TimeNs first_ = 0; ///< at most 0
};

} // namespace

Result<TraceExportCounts> write_chrome_trace(const QueryModel& model, const TraceExport& what,
                                             const std::filesystem::path& path, const std::stop_token& stop) {
    return TraceWriter(model, what, path, stop).write();
}

} // namespace rankscope
