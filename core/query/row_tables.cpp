// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/row_tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/facts/facts.h"
#include "core/analysis/steps/parts_of_step.h"
#include "core/metrics/detail_numbers.h"
#include "core/query/engine_tables.h"
#include "core/query/event_words.h"
#include "core/query/gpu_error_table.h"
#include "core/query/link_tables.h"
#include "core/query/memory_tables.h"
#include "core/query/row_table_parts.h"
#include "core/query/told_tables.h"
#include "core/query/traffic_tables.h"
#include "core/trace/hardware_series.h"
#include "core/trace/step_ends.h"
#include "core/views/collective_calls.h"

namespace rankscope {
namespace {

using namespace query_rows;

// run

using RunRow = std::size_t;

std::vector<RunRow> run_rows(const QueryModel& model) {
    std::vector<RunRow> rows(model.runs().size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = i;
    return rows;
}

RowTable run_table() {
    using M = QueryModel;
    using R = RunRow;
    return row_table_of<R>(
        "run", "every run", 1,
        {{kRun, [](const M&, const R& r) { return whole(r); }},
         {{"label", text, "", "name, or path where two runs have the same name"},
          [](const M& m, const R& r) { return QueryValue(std::string_view(m.runs()[r].label)); }},
         {{"role", text, "", "run; baseline and test where several are read"},
          [](const M& m, const R& r) { return QueryValue(std::string_view(m.runs()[r].role)); }},
         {{"path", text, "", "path as given"},
          [](const M& m, const R& r) { return QueryValue(m.run(r).path.string()); }},
         {{"source", text, "",
           "kineto, nsys, nsys-stats, execution-trace, flight-recorder, xplane, rocpd, inspector, operations or "
           "memory-snapshot"},
          [](const M& m, const R& r) { return QueryValue(trace_source_word(m.run(r).source)); }},
         {{"world_size", integer, "ranks", "ranks of the job"},
          [](const M& m, const R& r) { return whole(m.run(r).world_size); }},
         {{"ranks", integer, "ranks", "ranks with a trace"},
          [](const M& m, const R& r) { return whole(m.run(r).ranks.size()); }},
         {{"events", integer, "events", "recorded events that are shown; table event has derived ones as well"},
          [](const M& m, const R& r) { return whole(m.run(r).event_count()); }},
         {{"first_ns", integer, "ns", "time of the first event, on the aligned clock, usually since 1970"},
          [](const M& m, const R& r) { return whole(m.runs()[r].analysis->first_event()); }},
         {{"span_ns", integer, "ns", "first start to last end, on the aligned clock"},
          [](const M& m, const R& r) { return whole(m.runs()[r].analysis->length()); }},
         {{"clock", text, "", "how the clocks of the ranks were aligned: none or collectives"},
          [](const M& m, const R& r) { return QueryValue(m.runs()[r].analysis->clock().method()); }},
         {{"step_time_ns", real, "ns", "mean time of a step on the GPU (metric step_time); NULL: not known"},
          [](const M& m, const R& r) {
              const StepAccount& steps = m.runs()[r].analysis->judged().steps(); // as metric step_time
              const bool known = steps.unit != StepAccount::Unit::window && !steps.ranks.empty();
              return known ? QueryValue(steps.mean.wall) : QueryValue();
          }}},
        run_rows);
}

// rank

using RankRow = std::size_t; ///< index in QueryModel::ranks()

std::vector<RankRow> rank_rows(const QueryModel& model) {
    std::vector<RankRow> rows(model.ranks().size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = i;
    return rows;
}

RowColumn<RankRow> timeline_column(std::string_view name, std::string_view help, TimeNs GpuTimeline::*part) {
    return {{name, integer, "ns", help},
            [part](const QueryModel& m, const RankRow& r) {
                return whole(analysis_of(m, r).ranks()[m.ranks()[r].index].timeline.*part);
            }};
}

const RankLag& lag_of(const QueryModel& m, const RankRow& r) {
    return analysis_of(m, r).stragglers().ranks[m.ranks()[r].index];
}

/// NULL where the rank shares no collective with another.
template <typename T>
RowColumn<RankRow> lag_column(std::string_view name, std::string_view unit, std::string_view help, T RankLag::*part) {
    return {{name, integer, unit, help},
            [part](const QueryModel& m, const RankRow& r) {
                const RankLag& lag = lag_of(m, r);
                return lag.calls == 0 ? QueryValue() : whole(lag.*part);
            }};
}

RowTable rank_table() {
    using M = QueryModel;
    using R = RankRow;
    return row_table_of<R>(
        "rank", "every rank with a trace, with its GPU's time", 2,
        {{kRun, [](const M& m, const R& r) { return whole(m.ranks()[r].run); }},
         {kRank, [](const M& m, const R& r) { return whole(trace_of(m, r).rank); }},
         {{"device", integer, "", "GPU; NULL: none"},
          [](const M& m, const R& r) { return known(trace_of(m, r).device()); }},
         {{"device_name", text, "", "name of the GPU; NULL: not recorded"},
          [](const M& m, const R& r) {
              const RankTrace& trace = trace_of(m, r);
              for (const Device& device : trace.devices)
                  if (device.id == trace.device())
                      return filled(device.name);
              return QueryValue();
          }},
         {{"file", text, "", "file it was read from"},
          [](const M& m, const R& r) { return QueryValue(trace_of(m, r).file.string()); }},
         {{"events", integer, "events", "rows of the rank in table event"},
          [](const M& m, const R& r) { return whole(trace_of(m, r).events.size()); }},
         {{"gpu_events", integer, "events", "of them kernels, copies and sets"},
          [](const M& m, const R& r) { return whole(trace_of(m, r).events.gpu_count); }},
         {{"clock_offset_ns", integer, "ns", "how far its clock is ahead; taken off in every start_ns"},
          [](const M& m, const R& r) {
              const auto& offsets = analysis_of(m, r).clock().offset;
              const std::size_t i = m.ranks()[r].index;
              return whole(i < offsets.size() ? offsets[i] : TimeNs{0});
          }},
         timeline_column("total_ns", "first start to last end of GPU work", &GpuTimeline::total),
         timeline_column("busy_ns", "time with GPU work", &GpuTimeline::busy),
         timeline_column("computation_ns", "time with computation", &GpuTimeline::computation),
         timeline_column("total_comm_ns", "time with communication", &GpuTimeline::total_comm),
         timeline_column("exposed_comm_with_waits_ns",
                         "communication without computation beside it, waits for other ranks among it",
                         &GpuTimeline::exposed_comm),
         timeline_column("overlap_ns", "computation and communication at once", &GpuTimeline::overlap),
         timeline_column("total_memcpy_ns", "time with copies", &GpuTimeline::total_memcpy),
         timeline_column("exposed_memcpy_ns", "copies with nothing beside them", &GpuTimeline::exposed_memcpy),
         timeline_column("idle_ns", "time without GPU work", &GpuTimeline::idle),
         {{"collectives", integer, "calls", "calls with other recorded ranks that every one of them ran"},
          [](const M& m, const R& r) { return whole(lag_of(m, r).calls); }},
         lag_column("lag_ns", "ns", "arrivals after the first arrival, summed", &RankLag::sum_lag),
         lag_column("times_last", "calls", "calls it came last to", &RankLag::times_last),
         lag_column("wait_ns", "ns", "collective_member.wait_ns of the calls that every traced member ran, summed",
                    &RankLag::sum_wait),
         lag_column("wait_caused_ns", "ns", "the same of the other ranks in calls it came last to",
                    &RankLag::wait_caused),
         old_name("exposed_comm_ns", timeline_column("", "", &GpuTimeline::exposed_comm))},
        rank_rows);
}

// lane

struct LaneRow {
    std::size_t rank = 0;
    std::size_t lane = 0;
    [[nodiscard]] const Lane& of(const QueryModel& model) const { return trace_of(model, rank).lanes[lane]; }
};

std::vector<LaneRow> lane_rows(const QueryModel& model) {
    std::vector<LaneRow> rows;
    for (std::size_t r = 0; r < model.ranks().size(); ++r)
        for (std::size_t lane = 0; lane < trace_of(model, r).lanes.size(); ++lane)
            rows.push_back({r, lane});
    return rows;
}

RowTable lane_table() {
    using M = QueryModel;
    using R = LaneRow;
    return row_table_of<R>(
        "lane", "every stream and thread", 3,
        {{kRun, [](const M& m, const R& r) { return whole(m.ranks()[r.rank].run); }},
         {kRank, [](const M& m, const R& r) { return whole(trace_of(m, r.rank).rank); }},
         {{"lane", integer, "", "number of the lane within its rank"},
          [](const M&, const R& r) { return whole(r.lane); }},
         {{"name", text, "", "stream 7, thread 1234 (pt_autograd_0)"},
          [](const M& m, const R& r) { return QueryValue(std::string_view(r.of(m).name)); }},
         {{"kind", text, "", "gpu_stream, gpu_annotation, gpu_sync, cpu_thread or other"},
          [](const M& m, const R& r) { return QueryValue(lane_kind_word(r.of(m).kind)); }},
         {{"process", text, "", "pid as recorded"},
          [](const M& m, const R& r) { return QueryValue(std::string_view(r.of(m).process)); }},
         {{"thread", text, "", "tid as recorded"},
          [](const M& m, const R& r) { return QueryValue(std::string_view(r.of(m).thread)); }},
         {{"device", integer, "", "GPU; NULL on the CPU"},
          [](const M& m, const R& r) { return known(r.of(m).device); }},
         {{"stream", integer, "", "stream; NULL on the CPU"},
          [](const M& m, const R& r) { return known(r.of(m).stream); }},
         {{"rows", integer, "", "depth of nesting"}, [](const M& m, const R& r) { return whole(r.of(m).row_count); }},
         {{"events", integer, "events", "events of the lane"},
          [](const M& m, const R& r) { return whole(r.of(m).end - r.of(m).begin); }}},
        lane_rows);
}

// counter

struct CounterRow {
    std::size_t rank = 0;   ///< index in QueryModel::ranks()
    std::size_t sample = 0; ///< index in RankTrace::counters
    [[nodiscard]] const CounterSample& of(const QueryModel& model) const {
        return trace_of(model, rank).counters[sample];
    }
};

std::vector<CounterRow> counter_rows(const QueryModel& model) {
    std::vector<CounterRow> rows;
    for (std::size_t r = 0; r < model.ranks().size(); ++r)
        for (std::size_t sample = 0; sample < trace_of(model, r).counters.size(); ++sample)
            rows.push_back({r, sample});
    return rows;
}

RowTable counter_table() {
    using M = QueryModel;
    using R = CounterRow;
    return row_table_of<R>(
        "counter", "every sample of a counter of the traces, and of logs of the GPUs beside them", 2,
        {{kRun, [](const M& m, const R& r) { return whole(m.ranks()[r.rank].run); }},
         {kRank, [](const M& m, const R& r) { return whole(trace_of(m, r.rank).rank); }},
         {{"name", text, "", "GPU SM clock (MHz); as the trace calls it"},
          [](const M& m, const R& r) { return QueryValue(trace_of(m, r.rank).names->view(r.of(m).series)); }},
         {{"start_ns", integer, "ns", "since the first event of the run, on the aligned clock; before it below 0"},
          [](const M& m, const R& r) {
              return whole(analysis_of(m, r.rank).since_start(m.ranks()[r.rank].index, r.of(m).time));
          }},
         {{"value", real, "", "holds until the next one of that name"},
          [](const M& m, const R& r) { return finite(r.of(m).value); }},
         {{"from_log", integer, "", "1: of a log of the GPU (nvidia-smi, DCGM ...); 0: of the trace itself"},
          [](const M& m, const R& r) {
              return whole(hardware_quantity(trace_of(m, r.rank).names->view(r.of(m).series)) ? 1 : 0);
          }}},
        counter_rows);
}

// collective, collective_member

/// A call that several traced ranks share, numbered as in collectives.csv; then calls of which one member is traced.
struct CallRow {
    std::uint32_t run = 0;
    std::uint32_t number = 0;
    const CollectiveTiming* timing = nullptr;
    const CallLag* lag = nullptr;
};

const RunAnalysis& analysis_of_call(const QueryModel& model, const CallRow& call) {
    return *model.runs()[call.run].analysis;
}
const CommCall& first_member(const QueryModel& model, const CallRow& call) {
    return analysis_of_call(model, call).collectives().call(call.timing->members.front());
}

/// Of messages that of the first end.
CollectiveKind kind_of(const QueryModel& model, const CallRow& call) {
    return call.timing->alone ? call.timing->kind
                              : analysis_of_call(model, call).collectives().matched[call.timing->matched].kind;
}

std::vector<CallRow> call_rows(const QueryModel& model) {
    std::vector<CallRow> rows;
    for (std::uint32_t r = 0; r < model.runs().size(); ++r) {
        const RunAnalysis& analysis = *model.runs()[r].analysis;
        const auto first = static_cast<std::ptrdiff_t>(rows.size());
        std::uint32_t number = 0;
        for (const CollectiveTiming& call : analysis.call_table().all)
            rows.push_back({r, number++, &call});
        for (const CallLag& lag : analysis.stragglers().calls)
            rows[static_cast<std::size_t>(first) + lag.call].lag = &lag;
    }
    return rows;
}

template <typename Value>
QueryValue argument(const QueryModel& model, const CallRow& call, Value&& value) {
    const CollectiveArgs* args = first_member(model, call).args;
    return args == nullptr ? QueryValue() : QueryValue(value(*args));
}

RowTable collective_table() {
    using M = QueryModel;
    using R = CallRow;
    return row_table_of<R>(
        "collective",
        "every collective call and message, once for all ranks that ran it; collectives.csv has those that several "
        "traced ranks share",
        2,
        {{kRun, [](const M&, const R& r) { return whole(r.run); }},
         {{"call", integer, "", "number of the call, as in collectives.csv; higher: of one traced rank alone"},
          [](const M&, const R& r) { return whole(r.number); }},
         {{"kind", text, "", "AllReduce, AllGather, ReduceScatter, SendRecv ..."},
          [](const M& m, const R& r) { return QueryValue(collective_kind_word(kind_of(m, r))); }},
         {{"name", text, "", "as recorded (allreduce), else the kind"},
          [](const M& m, const R& r) { return QueryValue(collective_word(m.run(r.run), first_member(m, r))); }},
         {{"group_name", text, "", "process group"},
          [](const M& m, const R& r) {
              return QueryValue(std::string_view(analysis_of_call(m, r).collectives().groups[r.timing->group].name));
          }},
         {{"group_description", text, "", "mesh_dp, default_pg ...; NULL: none"},
          [](const M& m, const R& r) {
              return filled(analysis_of_call(m, r).collectives().groups[r.timing->group].description);
          }},
         {{"members", integer, "ranks", "traced ranks that ran it"},
          [](const M&, const R& r) { return whole(r.timing->members.size()); }},
         {{"complete", integer, "", "1: every traced member of the group ran it"},
          [](const M&, const R& r) { return whole(r.timing->complete ? 1 : 0); }},
         {{"dtype", text, "", "type of the elements; NULL: not recorded"},
          [](const M& m, const R& r) {
              return argument(m, r,
                              [&](const CollectiveArgs& args) { return filled(m.run(r.run).names->view(args.dtype)); });
          }},
         {{"in_elements", integer, "elements", "sent by a rank; NULL: not recorded"},
          [](const M& m, const R& r) {
              return argument(m, r, [](const CollectiveArgs& args) { return known(args.in_elements); });
          }},
         {{"out_elements", integer, "elements", "received by a rank; NULL: not recorded"},
          [](const M& m, const R& r) {
              return argument(m, r, [](const CollectiveArgs& args) { return known(args.out_elements); });
          }},
         {{"start_ns", integer, "ns", "first arrival, on the aligned clock"},
          [](const M& m, const R& r) { return whole(r.timing->start - analysis_of_call(m, r).first_event()); }},
         {{"dur_ns", integer, "ns", "first arrival to last end"},
          [](const M&, const R& r) { return whole(r.timing->wall); }},
         {{"lag_ns", integer, "ns", "last arrival less first; NULL unless complete, and of messages"},
          [](const M&, const R& r) { return r.lag == nullptr ? QueryValue() : whole(r.lag->lag); }},
         {{"transfer_ns", integer, "ns", "shortest duration of a member; NULL as for lag_ns"},
          [](const M&, const R& r) { return r.lag == nullptr ? QueryValue() : whole(r.lag->transfer); }},
         {{"last_rank", integer, "", "rank that arrived last; NULL as for lag_ns"},
          [](const M& m, const R& r) {
              return r.lag == nullptr ? QueryValue() : whole(m.run(r.run).ranks[r.lag->last_rank]->rank);
          }},
         {{"bytes", integer, "bytes", "of the whole message; NULL: not recorded"},
          [](const M&, const R& r) { return known(r.timing->bytes); }},
         {{"algbw_gb_s", real, "GB/s", "bytes by transfer time; NULL: not known"},
          [](const M&, const R& r) { return finite(r.timing->algbw); }},
         {{"busbw_gb_s", real, "GB/s", "as nccl-tests counts it; NULL: not known"},
          [](const M&, const R& r) { return finite(r.timing->busbw); }}},
        call_rows);
}

struct MemberRow {
    std::uint32_t run = 0;
    std::uint32_t call = 0;
    std::uint32_t rank = 0; ///< index in Run::ranks
    EventIndex event = kNoEvent;
    TimeRange range; ///< aligned, since the first event of the run
    TimeNs first = 0;
    TimeNs last = 0; ///< arrivals at the call
};

std::vector<MemberRow> member_rows(const QueryModel& model) {
    std::vector<MemberRow> rows;
    for (const CallRow& call : call_rows(model)) {
        const RunAnalysis& analysis = analysis_of_call(model, call);
        const std::size_t first_row = rows.size();
        for (const TimedMember& member : call.timing->members)
            rows.push_back({call.run,
                            call.number,
                            member.rank,
                            analysis.collectives().call(member).event,
                            {member.range.begin - analysis.first_event(), member.range.end - analysis.first_event()},
                            call.timing->start - analysis.first_event(),
                            call.timing->last_arrival() - analysis.first_event()});
        std::sort(rows.begin() + static_cast<std::ptrdiff_t>(first_row), rows.end(),
                  [](const MemberRow& a, const MemberRow& b) {
                      return std::pair(a.rank, a.event) < std::pair(b.rank, b.event);
                  });
    }
    return rows;
}

RowTable collective_member_table() {
    using M = QueryModel;
    using R = MemberRow;
    return row_table_of<R>(
        "collective_member", "every rank of every collective call", 3,
        {{kRun, [](const M&, const R& r) { return whole(r.run); }},
         {{"call", integer, "", "collective.call of the same run"}, [](const M&, const R& r) { return whole(r.call); }},
         {kRank, [](const M& m, const R& r) { return whole(m.run(r.run).ranks[r.rank]->rank); }},
         {{"event_id", integer, "", "id of its kernel"},
          [](const M& m, const R& r) { return whole(m.ranks()[m.rank_at(r.run, r.rank)].first_id + r.event); }},
         {{"start_ns", integer, "ns", "arrival, on the aligned clock"},
          [](const M&, const R& r) { return whole(r.range.begin); }},
         {{"dur_ns", integer, "ns", "duration of its kernel"},
          [](const M&, const R& r) { return whole(r.range.length()); }},
         {{"lag_ns", integer, "ns", "arrival after the first arrival"},
          [](const M&, const R& r) { return whole(r.range.begin - r.first); }},
         {{"wait_ns", integer, "ns", "own arrival to the last arrival, at most dur_ns"},
          [](const M&, const R& r) { return whole(std::min(r.last - r.range.begin, r.range.length())); }}},
        member_rows);
}

// step

struct StepRow {
    std::size_t rank = 0;
    IterationRow row;
};

std::vector<StepRow> step_rows(const QueryModel& model) {
    std::vector<StepRow> rows;
    for (std::size_t r = 0; r < model.ranks().size(); ++r)
        for (const IterationRow& row : analysis_of(model, r).iteration_tables()[model.ranks()[r].index])
            rows.push_back({r, row});
    return rows;
}

RowColumn<StepRow> step_time(std::string_view name, std::string_view help, TimeNs GpuTimeline::*part) {
    return {{name, integer, "ns", help},
            [part](const QueryModel&, const StepRow& r) { return whole(r.row.gpu.*part); }};
}

/// As facts have it of all ranks (fact_step). NULL: not known of this step.
RowColumn<StepRow> step_part(std::string_view name, std::string_view help, TimeNs StepParts::*part) {
    return {{name, integer, "ns", help},
            [part](const QueryModel& m, const StepRow& r) {
                const StepParts* const parts =
                    parts_of_step(analysis_of(m, r.rank).steps(), m.ranks()[r.rank].index, r.row.step.number);
                return parts == nullptr ? QueryValue() : whole(parts->*part);
            }};
}

RowTable step_table() {
    using M = QueryModel;
    using R = StepRow;
    return row_table_of<R>(
        "step", "every profiler step of every rank, with the GPU work launched in it", 2,
        {{kRun, [](const M& m, const R& r) { return whole(m.ranks()[r.rank].run); }},
         {kRank, [](const M& m, const R& r) { return whole(trace_of(m, r.rank).rank); }},
         {{"step", integer, "", "number of the step"}, [](const M&, const R& r) { return whole(r.row.step.number); }},
         {{"start_ns", integer, "ns", "start since the first event of the run, on the aligned clock"},
          [](const M& m, const R& r) { return whole(r.row.step.range.begin + m.shift(r.rank)); }},
         {{"dur_ns", integer, "ns", "wall time; null of the last step of a serving engine, whose end is not recorded"},
          [](const M& m, const R& r) {
              return has_known_end(trace_of(m, r.rank), r.row.step.number) ? whole(r.row.step.range.length())
                                                                           : QueryValue();
          }},
         step_time("gpu_total_ns", "first start to last end of its GPU work", &GpuTimeline::total),
         step_time("computation_ns", "time with computation", &GpuTimeline::computation),
         step_time("exposed_comm_with_waits_ns",
                   "communication without computation of the same step beside it, waits for other ranks among it",
                   &GpuTimeline::exposed_comm),
         step_time("exposed_memcpy_ns", "copies with nothing of the same step beside them",
                   &GpuTimeline::exposed_memcpy),
         step_time("idle_ns", "time without GPU work from the first start to the last end; these spans may overlap",
                   &GpuTimeline::idle),
         step_part("exposed_communication_ns", "communication beside no computation, once its last member has come",
                   &StepParts::transfer),
         step_part("waiting_ns", "communication beside no computation, until its last member has come",
                   &StepParts::wait),
         old_name("exposed_comm_ns", step_time("", "", &GpuTimeline::exposed_comm))},
        step_rows);
}

// metric

struct MetricRow {
    std::uint32_t run = 0;
    MetricPointer metric;
    std::string field; ///< empty: the metric's value
    QueryValue value;
    std::string unit;
    std::string reason;
    ValueBound bound = ValueBound::none;
    std::string bound_reason = {};
};

std::vector<MetricRow> metric_rows(const QueryModel& model) {
    std::vector<MetricRow> rows;
    for (std::uint32_t run = 0; run < model.runs().size(); ++run)
        for (const auto& [metric, result] : model.metrics(run).entries) {
            rows.push_back({run, metric, "value", result.available ? QueryValue(result.value) : QueryValue(),
                            metric->unit, english(result.reason), result.bound, english(result.bound_reason)});
            if (result.available)
                for (const DetailNumber& number : detail_numbers(result.details))
                    rows.push_back(
                        {run, metric, number.field, number.value, std::string(unit_of_field(number.field)), {}});
        }
    return rows;
}

RowTable metric_table() {
    using M = QueryModel;
    using R = MetricRow;
    return row_table_of<R>("metric", "every number of every metric", 1,
                           {{kRun, [](const M&, const R& r) { return whole(r.run); }},
                            {{"metric", text, "", "id of the metric"},
                             [](const M&, const R& r) { return QueryValue(std::string_view(r.metric->id)); }},
                            {{"field", text, "", "value, or the dotted name of a number in its details"},
                             [](const M&, const R& r) { return QueryValue(std::string_view(r.field)); }},
                            {{"value", real, "", "in the unit of the row; NULL: not available"},
                             [](const M&, const R& r) { return r.value; }},
                            {{"unit", text, "", "unit of the value"},
                             [](const M&, const R& r) { return QueryValue(std::string_view(r.unit)); }},
                            {{"reason", text, "", "why the metric is not available; NULL: it is"},
                             [](const M&, const R& r) { return filled(r.reason); }},
                            {{"bound", text, "", "at_least or at_most; NULL: the value is not a bound"},
                             [](const M&, const R& r) { return filled(bound_word(r.bound)); }},
                            {{"bound_reason", text, "", "why the value is a bound"},
                             [](const M&, const R& r) { return filled(r.bound_reason); }}},
                           metric_rows);
}

// finding

struct FindingRow {
    std::uint32_t run = 0;
    std::uint32_t number = 0;
    const Finding* finding = nullptr;
    [[nodiscard]] const FindingEvent* event() const {
        const bool shown = !finding->events.empty() && finding->events.front().event != kNoEvent;
        return shown ? &finding->events.front() : nullptr;
    }
};

std::vector<FindingRow> finding_rows(const QueryModel& model) {
    std::vector<FindingRow> rows;
    for (std::uint32_t run = 0; run < model.runs().size(); ++run) {
        std::uint32_t number = 0;
        for (const Finding& finding : model.runs()[run].analysis->findings().list)
            rows.push_back({run, number++, &finding});
    }
    return rows;
}

template <typename Value>
QueryValue of_event(const FindingRow& row, Value&& value) {
    return row.event() == nullptr ? QueryValue() : value(*row.event());
}

RowTable finding_table() {
    using M = QueryModel;
    using R = FindingRow;
    return row_table_of<R>(
        "finding", "every finding", 2,
        {{kRun, [](const M&, const R& r) { return whole(r.run); }},
         {{"number", integer, "", "place in the list of findings, from 0"},
          [](const M&, const R& r) { return whole(r.number); }},
         {{"kind", text, "", "fault or inherent"},
          [](const M&, const R& r) {
              return QueryValue(std::string_view(r.finding->inherent ? "inherent" : "fault"));
          }},
         {{"code", text, "", "straggler, slow_link ..."},
          [](const M&, const R& r) { return QueryValue(code_word(r.finding->code)); }},
         {{"cause", text, "", "NULL: none named"},
          [](const M&, const R& r) { return filled(cause_word(r.finding->cause)); }},
         {{"title", text, "", "the finding in words"},
          [](const M&, const R& r) { return QueryValue(english(r.finding->title)); }},
         {{"cost_ns", real, "ns", "how much shorter a step would be without it"},
          [](const M&, const R& r) { return finite(r.finding->cost); }},
         {{"share", real, "", "of the step, 0 to 1"}, [](const M&, const R& r) { return finite(r.finding->share); }},
         {{"confidence", real, "", "0 to 1"}, [](const M&, const R& r) { return finite(r.finding->confidence); }},
         {{"ranks", text, "", "ranks concerned, separated by blanks; NULL: all"},
          [](const M&, const R& r) {
              return r.finding->ranks.empty() ? QueryValue()
                                              : QueryValue(fmt::format("{}", fmt::join(r.finding->ranks, " ")));
          }},
         {{"group_name", text, "", "process group or dimension; NULL: none"},
          [](const M&, const R& r) { return filled(r.finding->group); }},
         {{"hidden", integer, "", "1: other findings hide it"},
          [](const M&, const R& r) { return whole(r.finding->hidden ? 1 : 0); }},
         {{"first_step", integer, "", "first step it is seen in; NULL: all steps"},
          [](const M&, const R& r) {
              return r.finding->first_iteration ? whole(*r.finding->first_iteration) : QueryValue();
          }},
         {{"last_step", integer, "", "last step it is seen in; NULL: all steps"},
          [](const M&, const R& r) {
              return r.finding->last_iteration ? whole(*r.finding->last_iteration) : QueryValue();
          }},
         {{"rank", integer, "", "of the clearest event; NULL: none"},
          [](const M& m, const R& r) {
              return of_event(r, [&](const FindingEvent& e) { return whole(m.run(r.run).ranks[e.rank]->rank); });
          }},
         {{"start_ns", integer, "ns", "of the clearest event; NULL: none"},
          [](const M& m, const R& r) {
              return of_event(
                  r, [&](const FindingEvent& e) { return whole(e.range.begin + m.shift(m.rank_at(r.run, e.rank))); });
          }},
         {{"event_id", integer, "", "id of the clearest event; NULL: none"},
          [](const M& m, const R& r) {
              return of_event(r, [&](const FindingEvent& e) {
                  return whole(m.ranks()[m.rank_at(r.run, e.rank)].first_id + e.event);
              });
          }}},
        finding_rows);
}

// fact_rank, fact_step, fact_host

/// A fact of a run: Row is RankFacts, StepFacts or HostFact.
template <typename Row>
struct FactRow {
    std::uint32_t run = 0;
    const Row* fact = nullptr;
};

template <typename Row, std::vector<Row> Facts::*List>
std::vector<FactRow<Row>> fact_rows(const QueryModel& model) {
    std::vector<FactRow<Row>> rows;
    for (std::uint32_t run = 0; run < model.runs().size(); ++run)
        for (const Row& fact : model.runs()[run].analysis->facts().*List)
            rows.push_back({run, &fact});
    return rows;
}

/// step_ns and what fills it.
template <typename Row>
void add_fill_columns(std::vector<RowColumn<FactRow<Row>>>& columns) {
    using M = QueryModel;
    using R = FactRow<Row>;
    columns.push_back({{"step_ns", real, "ns", "a step on mean; the eight columns after it sum up to it"},
                       [](const M&, const R& r) { return finite(r.fact->fill.step_ns); }});
    constexpr std::array<std::pair<std::string_view, std::string_view>, kStepShareCount> kColumns{
        {{"computation_ns", "computation, whatever runs beside it"},
         {"exposed_communication_ns", "communication beside no computation, once its last member has come"},
         {"waiting_ns", "communication beside no computation, until its last member has come"},
         {"bubble_ns", "bubble of the pipeline"},
         {"copies_ns", "copies beside no computation or communication"},
         {"launching_ns", "no GPU work; the next was launched but had not started"},
         {"host_ns", "no GPU work; the next was not launched, and its host was in a recorded event"},
         {"unrecorded_ns", "no GPU work; the next was not launched, and nothing is recorded of its host"}}};
    for (std::size_t i = 0; i < kStepShareCount; ++i)
        columns.push_back({{kColumns[i].first, real, "ns", kColumns[i].second},
                           [i](const M&, const R& r) { return finite(r.fact->fill[static_cast<StepShare>(i)]); }});
}

RowTable fact_rank_table() {
    using M = QueryModel;
    using R = FactRow<RankFacts>;
    const auto known_ratio = [](const std::optional<double>& ratio) { return ratio ? finite(*ratio) : QueryValue(); };
    std::vector<RowColumn<R>> columns{
        {kRun, [](const M&, const R& r) { return whole(r.run); }},
        {kRank, [](const M&, const R& r) { return whole(r.fact->rank); }},
        {{"steps", integer, "", "steps of the rank"}, [](const M&, const R& r) { return whole(r.fact->steps); }}};
    add_fill_columns(columns);
    const RowColumn<R> wait_caused{{"wait_caused_per_step_ns", real, "ns",
                                    "what another rank waits for it beside no computation, in a step on mean"},
                                   [](const M&, const R& r) { return finite(r.fact->wait_caused_ns); }};
    columns.insert(
        columns.end(),
        {{{"computation_ratio_to_peers", real, "", "computation / median of its peers; NULL: it has none"},
          [=](const M&, const R& r) { return known_ratio(r.fact->computation_ratio_to_peers); }},
         {{"kernel_ratio_to_peers", real, "", "the same kernels' mean durations / its peers', median; NULL: none"},
          [=](const M&, const R& r) { return known_ratio(r.fact->kernel_ratio_to_peers); }},
         {{"calls", integer, "", "collective calls with another recorded rank"},
          [](const M&, const R& r) { return whole(r.fact->calls); }},
         {{"times_last", integer, "", "of these it comes last to"},
          [](const M&, const R& r) { return whole(r.fact->times_last); }},
         {{"median_lag_ns", real, "ns", "where it comes last: after the first one"},
          [](const M&, const R& r) { return finite(r.fact->median_lag_ns); }},
         wait_caused,
         {{"late_alone_ns", real, "ns",
           "by how much it is last, after the last but one, more than the median peer is, a step"},
          [](const M&, const R& r) { return finite(r.fact->late_alone_ns); }},
         {{"machine", integer, "", "a number for each; NULL: not known"},
          [](const M&, const R& r) { return r.fact->machine ? whole(*r.fact->machine) : QueryValue(); }},
         old_name("wait_caused_ns", wait_caused)});
    return row_table_of<R>("fact_rank",
                           "of every judged rank what was counted in the judged steps, per step; rank counts over all",
                           2, std::move(columns), fact_rows<RankFacts, &Facts::ranks>);
}

RowTable fact_step_table() {
    using M = QueryModel;
    using R = FactRow<StepFacts>;
    std::vector<RowColumn<R>> columns{
        {kRun, [](const M&, const R& r) { return whole(r.run); }},
        {{"step", integer, "", "number of the profiler step; without these, counted from 1"},
         [](const M&, const R& r) { return whole(r.fact->number); }},
        {{"ranks", integer, "ranks", "that have the step"}, [](const M&, const R& r) { return whole(r.fact->ranks); }}};
    add_fill_columns(columns);
    return row_table_of<R>("fact_step", "of every step what fills it, mean of its ranks", 2, std::move(columns),
                           fact_rows<StepFacts, &Facts::by_step>);
}

RowTable fact_host_table() {
    using M = QueryModel;
    using R = FactRow<HostFact>;
    return row_table_of<R>(
        "fact_host", "what hosts were in while their GPUs waited for them", 1,
        {{kRun, [](const M&, const R& r) { return whole(r.run); }},
         {{"kind", text, "", "call, operator, Python frame, annotation, data loading, garbage collection, profiler"},
          [](const M&, const R& r) { return QueryValue(host_activity_word(r.fact->kind)); }},
         {{"name", text, "", "innermost event"},
          [](const M&, const R& r) { return QueryValue(std::string_view(r.fact->name)); }},
         {{"inside", text, "", "of a call: the operator or frame around it; NULL: none"},
          [](const M&, const R& r) { return filled(r.fact->inside); }},
         {{"mean_ns", real, "ns", "in a step of a rank, on mean"},
          [](const M&, const R& r) { return finite(r.fact->mean_ns); }},
         {{"most_ns", real, "ns", "in a step of the rank with most of it, on mean"},
          [](const M&, const R& r) { return finite(r.fact->most_ns); }},
         {{"most_rank", integer, "", "that rank"}, [](const M&, const R& r) { return whole(r.fact->most_rank); }},
         {{"gaps", integer, "", "stretches of it"}, [](const M&, const R& r) { return whole(r.fact->gaps); }},
         {{"longest_ns", integer, "ns", "longest of these"},
          [](const M&, const R& r) { return whole(r.fact->longest.length()); }},
         {{"longest_start_ns", integer, "ns", "its start"},
          [](const M& m, const R& r) {
              return whole(r.fact->longest.begin + m.shift(m.rank_at(r.run, r.fact->longest_rank)));
          }}},
        fact_rows<HostFact, &Facts::host>);
}

// config, notice

struct ConfigRow {
    std::uint32_t run = 0;
    std::string_view key;
    std::string_view value;
};

std::vector<ConfigRow> config_rows(const QueryModel& model) {
    std::vector<ConfigRow> rows;
    for (std::uint32_t run = 0; run < model.runs().size(); ++run)
        for (const auto& [key, value] : model.run(run).config)
            rows.push_back({run, key, value});
    return rows;
}

RowTable config_table() {
    using M = QueryModel;
    using R = ConfigRow;
    return row_table_of<R>("config", "every setting of every run", 1,
                           {{kRun, [](const M&, const R& r) { return whole(r.run); }},
                            {{"key", text, "", "dotted name"}, [](const M&, const R& r) { return QueryValue(r.key); }},
                            {{"value", text, "", "as text"}, [](const M&, const R& r) { return QueryValue(r.value); }}},
                           config_rows);
}

struct NoticeRow {
    std::uint32_t run = 0;
    const Notice* notice = nullptr;
};

std::vector<NoticeRow> notice_rows(const QueryModel& model) {
    std::vector<NoticeRow> rows;
    for (std::uint32_t run = 0; run < model.runs().size(); ++run)
        for (const Notice& notice : model.runs()[run].notices)
            rows.push_back({run, &notice});
    return rows;
}

RowTable notice_table() {
    using M = QueryModel;
    using R = NoticeRow;
    return row_table_of<R>(
        "notice", "every notice about the data", 1,
        {{kRun, [](const M&, const R& r) { return whole(r.run); }},
         {{"code", text, "", "as in docs/notices.md"},
          [](const M&, const R& r) { return QueryValue(r.notice->code.word()); }},
         {{"message", text, "", "in words"},
          [](const M&, const R& r) { return QueryValue(english(r.notice->message)); }},
         {{"file", text, "", "file concerned; NULL: none"},
          [](const M&, const R& r) { return filled(r.notice->file); }},
         {{"count", integer, "", "how often"}, [](const M&, const R& r) { return whole(r.notice->count); }}},
        notice_rows);
}

} // namespace

const std::vector<RowTable>& row_tables() {
    static const std::vector<RowTable> tables = [] {
        std::vector<RowTable> all{run_table(),       rank_table(),       lane_table(),
                                  counter_table(),   collective_table(), collective_member_table(),
                                  step_table(),      metric_table(),     fact_table(),
                                  fact_rank_table(), fact_step_table(),  fact_host_table(),
                                  finding_table(),   waiting_table(),    critical_path_table(),
                                  change_table(),    gpu_error_table(),  config_table(),
                                  notice_table()};
        for (auto more : {engine_tables(), memory_tables(), link_tables(), traffic_tables()})
            for (RowTable& table : more)
                all.push_back(std::move(table));
        return all;
    }();
    return tables;
}

} // namespace rankscope
