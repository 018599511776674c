// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/traffic_tables.h"

#include "core/analysis/collectives/rank_matrix.h"
#include "core/query/row_table_parts.h"

namespace rankscope {
namespace {

using namespace query_rows;

template <typename Traffic>
struct TrafficRowOf {
    std::uint32_t run = 0;
    Traffic traffic;
};

RankMatrix matrix_of(const QueryModel& model, std::uint32_t run) {
    const RunAnalysis& analysis = *model.runs()[run].analysis;
    return rank_matrix(analysis.run(), analysis.collectives(), analysis.call_table(),
                       analysis.collective_summaries().all_to_allv_traffic, analysis.machines());
}

template <typename Traffic>
std::vector<TrafficRowOf<Traffic>> traffic_rows(const QueryModel& model, std::vector<Traffic> RankMatrix::*list) {
    std::vector<TrafficRowOf<Traffic>> rows;
    for (std::uint32_t run = 0; run < model.runs().size(); ++run) {
        const RankMatrix matrix = matrix_of(model, run);
        for (const Traffic& traffic : matrix.*list)
            rows.push_back({run, traffic});
    }
    return rows;
}

template <typename Row>
QueryValue bandwidth_of(const Row& row) {
    return row.traffic.time > 0
               ? QueryValue(static_cast<double>(row.traffic.timed_bytes) / static_cast<double>(row.traffic.time))
               : QueryValue();
}

RowTable rank_traffic_table() {
    using M = QueryModel;
    using R = TrafficRowOf<RankTraffic>;
    return row_table_of<R>(
        "rank_traffic", "what every rank sends every other by messages and by all-to-alls with recorded splits", 1,
        {{kRun, [](const M&, const R& r) { return whole(r.run); }},
         {{"source", integer, "", "rank that sends"}, [](const M&, const R& r) { return whole(r.traffic.source); }},
         {{"destination", integer, "", "rank that receives"},
          [](const M&, const R& r) { return whole(r.traffic.destination); }},
         {{"kind", text, "", "SendRecv or AllToAll"},
          [](const M&, const R& r) { return QueryValue(collective_kind_word(r.traffic.kind)); }},
         {{"calls", integer, "calls", "how many"}, [](const M&, const R& r) { return whole(r.traffic.calls); }},
         {{"bytes", integer, "bytes", "of the calls whose size is recorded"},
          [](const M&, const R& r) { return whole(r.traffic.bytes); }},
         {{"without_size", integer, "calls", "of them without a recorded size"},
          [](const M&, const R& r) { return whole(r.traffic.without_size); }},
         {{"time_ns", integer, "ns", "of messages with both ends traced: the shorter end's, summed; NULL: none"},
          [](const M&, const R& r) { return r.traffic.timed_calls > 0 ? whole(r.traffic.time) : QueryValue(); }},
         {{"bandwidth_gb_s", real, "GB/s", "bytes of these messages by their time; NULL: none"},
          [](const M&, const R& r) { return bandwidth_of(r); }}},
        [](const M& model) { return traffic_rows(model, &RankMatrix::ranks); });
}

RowTable machine_traffic_table() {
    using M = QueryModel;
    using R = TrafficRowOf<MachineTraffic>;
    const auto machine = [](const std::optional<std::int64_t>& number) {
        return number ? QueryValue(*number) : QueryValue();
    };
    return row_table_of<R>(
        "machine_traffic", "the same between machines", 1,
        {{kRun, [](const M&, const R& r) { return whole(r.run); }},
         {{"source", integer, "", "number of the machine that sends; NULL: not known"},
          [=](const M&, const R& r) { return machine(r.traffic.source); }},
         {{"destination", integer, "", "number of the machine that receives; NULL: not known"},
          [=](const M&, const R& r) { return machine(r.traffic.destination); }},
         {{"calls", integer, "calls", "how many"}, [](const M&, const R& r) { return whole(r.traffic.calls); }},
         {{"bytes", integer, "bytes", "of the calls whose size is recorded"},
          [](const M&, const R& r) { return whole(r.traffic.bytes); }},
         {{"time_ns", integer, "ns", "of messages with both ends traced, summed; NULL: none"},
          [](const M&, const R& r) { return r.traffic.time > 0 ? whole(r.traffic.time) : QueryValue(); }},
         {{"bandwidth_gb_s", real, "GB/s", "bytes of these messages by their time; NULL: none"},
          [](const M&, const R& r) { return bandwidth_of(r); }}},
        [](const M& model) { return traffic_rows(model, &RankMatrix::machines); });
}

} // namespace

std::vector<RowTable> traffic_tables() { return {rank_traffic_table(), machine_traffic_table()}; }

} // namespace rankscope
