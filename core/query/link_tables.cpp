// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/link_tables.h"

#include "core/analysis/collectives/link_fits.h"
#include "core/query/row_table_parts.h"

namespace rankscope {
namespace {

using namespace query_rows;

struct FitRow {
    std::uint32_t run = 0;
    const LinkFit* fit = nullptr;
    const LinkSize* size = nullptr; ///< of link_size
};
using FitColumn = RowColumn<FitRow>;

const CommGroup& group_of(const QueryModel& model, const FitRow& row) {
    return model.runs()[row.run].analysis->collectives().groups[row.fit->group];
}

std::vector<FitColumn> with_fit_key(std::vector<FitColumn> columns) {
    using M = QueryModel;
    std::vector<FitColumn> all{
        {kRun, [](const M&, const FitRow& r) { return whole(r.run); }},
        {{"kind", text, "", "AllReduce, AllGather, ReduceScatter, SendRecv ..."},
         [](const M&, const FitRow& r) { return QueryValue(collective_kind_word(r.fit->kind)); }},
        {{"group_name", text, "", "process group"},
         [](const M& m, const FitRow& r) { return QueryValue(std::string_view(group_of(m, r).name)); }},
        {{"group_description", text, "", "mesh_dp, default_pg ...; NULL: none"},
         [](const M& m, const FitRow& r) { return filled(group_of(m, r).description); }},
        {{"dimension", text, "", "of the parallel mesh: dp, tp, pp ...; unknown"},
         [](const M&, const FitRow& r) { return QueryValue(parallel_dimension_word(r.fit->dimension)); }}};
    all.insert(all.end(), columns.begin(), columns.end());
    return all;
}

template <typename Value>
FitColumn model_column(std::string_view name, std::string_view unit, std::string_view help, Value value) {
    return {{name, real, unit, help},
            [value](const QueryModel&, const FitRow& r) { return r.fit->model ? finite(value(r)) : QueryValue(); }};
}

std::vector<FitRow> fit_rows(const QueryModel& model) {
    std::vector<FitRow> rows;
    for (std::uint32_t run = 0; run < model.runs().size(); ++run)
        for (const LinkFit& fit : model.runs()[run].analysis->link_fits().fits)
            rows.push_back({run, &fit, nullptr});
    return rows;
}

RowTable fit_table() {
    using M = QueryModel;
    return row_table_of<FitRow>(
        "link_fit",
        "latency and bandwidth of every communicator and kind of collective: time = latency + bytes / bandwidth", 1,
        with_fit_key({{{"group_size", integer, "ranks", "members of the communicator"},
                       [](const M&, const FitRow& r) { return whole(r.fit->group_size); }},
                      {{"calls", integer, "calls", "of known size, with all members traced"},
                       [](const M&, const FitRow& r) { return whole(r.fit->calls); }},
                      {{"sizes", integer, "", "how many sizes they have"},
                       [](const M&, const FitRow& r) { return whole(r.fit->sizes.size()); }},
                      model_column("latency_ns", "ns", "time of a message without bytes; NULL: not known",
                                   [](const FitRow& r) { return r.fit->model->latency; }),
                      model_column("bandwidth_gb_s", "GB/s", "bytes of the message by time; NULL: not known",
                                   [](const FitRow& r) { return r.fit->model->bandwidth; }),
                      model_column("bus_bandwidth_gb_s", "GB/s", "the same as nccl-tests counts it; NULL: not known",
                                   [](const FitRow& r) { return r.fit->model->bandwidth * r.fit->bus_factor; }),
                      model_column("residual_percent", "%",
                                   "root mean square of what the sizes' medians differ; NULL: not known",
                                   [](const FitRow& r) { return 100 * r.fit->model->residual; }),
                      {{"why_not", text, "", "why latency and bandwidth are not known; NULL: they are"},
                       [](const M&, const FitRow& r) {
                           return r.fit->why_not.empty() ? QueryValue() : QueryValue(english(r.fit->why_not));
                       }}}),
        fit_rows);
}

RowTable size_table() {
    using M = QueryModel;
    const auto busbw = [](const FitRow& r, double time) {
        return finite(r.fit->bus_factor * static_cast<double>(r.size->bytes) / time);
    };
    return row_table_of<FitRow>(
        "link_size", "every size of message of every communicator and kind of collective", 1,
        with_fit_key({{{"bytes", integer, "bytes", "of the whole message"},
                       [](const M&, const FitRow& r) { return whole(r.size->bytes); }},
                      {{"calls", integer, "calls", "of that size"},
                       [](const M&, const FitRow& r) { return whole(r.size->calls); }},
                      {{"transfer_ns", real, "ns", "median time from the last arrival to the last end"},
                       [](const M&, const FitRow& r) { return finite(r.size->median_transfer); }},
                      {{"best_transfer_ns", real, "ns", "shortest such time"},
                       [](const M&, const FitRow& r) { return finite(r.size->best_transfer); }},
                      model_column("fitted_ns", "ns", "by latency and bandwidth; NULL: not known",
                                   [](const FitRow& r) { return r.fit->model->transfer(r.size->bytes); }),
                      {{"busbw_gb_s", real, "GB/s", "bus bandwidth at the median time"},
                       [=](const M&, const FitRow& r) { return busbw(r, r.size->median_transfer); }},
                      {{"best_busbw_gb_s", real, "GB/s", "bus bandwidth at the shortest time"},
                       [=](const M&, const FitRow& r) { return busbw(r, r.size->best_transfer); }},
                      {{"nccl_tests_busbw_gb_s", real, "GB/s", "of nccl-tests beside the run at that size; NULL: none"},
                       [](const M& m, const FitRow& r) {
                           const NcclTestCurve* curve =
                               nccl_test_for(m.run(r.run).nccl_tests, r.fit->kind, r.fit->group_size);
                           return curve == nullptr ? QueryValue() : finite(bus_gb_s_of(*curve, r.size->bytes));
                       }}}),
        [](const QueryModel& model) {
            std::vector<FitRow> rows;
            for (const FitRow& fit : fit_rows(model))
                for (const LinkSize& size : fit.fit->sizes)
                    rows.push_back({fit.run, fit.fit, &size});
            return rows;
        });
}

struct SplitRow {
    std::uint32_t run = 0;
    const CallSplit* split = nullptr;
};

RowTable split_table() {
    using M = QueryModel;
    using R = SplitRow;
    const auto part = [](std::string_view name, std::string_view help, double CallSplit::*value) {
        return RowColumn<R>{{name, real, "ns", help},
                            [value](const M&, const R& r) { return finite(r.split->*value); }};
    };
    return row_table_of<SplitRow>(
        "collective_split", "what every call consists of: start to end = skew + latency + size + rest", 2,
        {{kRun, [](const M&, const R& r) { return whole(r.run); }},
         {{"call", integer, "", "collective.call of the same run"},
          [](const M&, const R& r) { return whole(r.split->call); }},
         {{"skew_ns", integer, "ns", "first to last arrival"},
          [](const M&, const R& r) { return whole(r.split->skew); }},
         {{"transfer_ns", integer, "ns", "last arrival to last end"},
          [](const M&, const R& r) { return whole(r.split->transfer); }},
         part("latency_ns", "of it latency by the fit of its communicator; NULL: not known", &CallSplit::latency),
         part("size_ns", "of it bytes by bandwidth; NULL: not known", &CallSplit::size),
         part("rest_ns", "of it what the fit does not tell, such as contention; below 0: it was faster",
              &CallSplit::rest)},
        [](const M& model) {
            std::vector<R> rows;
            for (std::uint32_t run = 0; run < model.runs().size(); ++run)
                for (const CallSplit& split : model.runs()[run].analysis->link_fits().splits)
                    rows.push_back({run, &split});
            return rows;
        });
}

struct TestRow {
    std::uint32_t run = 0;
    const NcclTestCurve* curve = nullptr;
    const NcclTestPoint* point = nullptr;
};

RowTable nccl_test_table() {
    using M = QueryModel;
    using R = TestRow;
    const auto measure = [](std::string_view name, std::string_view unit, std::string_view help,
                            double NcclTestPoint::*value, double factor = 1) {
        return RowColumn<R>{{name, real, unit, help},
                            [=](const M&, const R& r) { return finite(r.point->*value * factor); }};
    };
    return row_table_of<TestRow>(
        "nccl_test", "every size that nccl-tests measured, of logs beside the traces", 1,
        {{kRun, [](const M&, const R& r) { return whole(r.run); }},
         {{"file", text, "", "log"}, [](const M&, const R& r) { return QueryValue(r.curve->file.string()); }},
         {{"kind", text, "", "AllReduce, AllGather ..."},
          [](const M&, const R& r) { return QueryValue(collective_kind_word(r.curve->kind)); }},
         {{"ranks", integer, "ranks", "that the log lists; NULL: it lists none"},
          [](const M&, const R& r) { return r.curve->ranks > 0 ? whole(r.curve->ranks) : QueryValue(); }},
         {{"bytes", integer, "bytes", "of the message"}, [](const M&, const R& r) { return whole(r.point->bytes); }},
         measure("time_ns", "ns", "out of place", &NcclTestPoint::out_of_place_us, 1e3),
         measure("busbw_gb_s", "GB/s", "bus bandwidth out of place", &NcclTestPoint::out_of_place_busbw_gb_s),
         measure("in_place_time_ns", "ns", "in place", &NcclTestPoint::in_place_us, 1e3),
         measure("in_place_busbw_gb_s", "GB/s", "bus bandwidth in place", &NcclTestPoint::in_place_busbw_gb_s),
         old_name("time_us", measure("", "us", "", &NcclTestPoint::out_of_place_us)),
         old_name("in_place_time_us", measure("", "us", "", &NcclTestPoint::in_place_us))},
        [](const M& model) {
            std::vector<R> rows;
            for (std::uint32_t run = 0; run < model.runs().size(); ++run)
                for (const NcclTestCurve& curve : model.run(run).nccl_tests)
                    for (const NcclTestPoint& point : curve.points)
                        rows.push_back({run, &curve, &point});
            return rows;
        });
}

} // namespace

std::vector<RowTable> link_tables() { return {fit_table(), size_table(), split_table(), nccl_test_table()}; }

} // namespace rankscope
