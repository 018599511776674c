// SPDX-License-Identifier: GPL-3.0-or-later
// rankscope_bench_collectives: what the Collectives screen costs with many ranks and calls.
//   rankscope_bench_collectives [RANKS] [CALLS A RANK]      groups of 8 and of all ranks, in turn
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "core/views/collective_charts.h"
#include "core/views/lag_map.h"
#include "tests/bench/stopwatch.h"
#include "tests/support/trace_builder.h"

using namespace rankscope;

namespace {

std::shared_ptr<const Run> many_ranks(int ranks, int calls) {
    std::vector<int> all;
    for (int r = 0; r < ranks; ++r)
        all.push_back(r);
    std::vector<TraceBuilder> builders;
    for (int r = 0; r < ranks; ++r) {
        std::vector<int> own;
        for (int m = r / 8 * 8; m < std::min(ranks, r / 8 * 8 + 8); ++m)
            own.push_back(m);
        TraceBuilder rank(r);
        rank.base(1'000'000'000).world_size(ranks);
        for (int n = 0; n < calls; ++n) {
            const bool wide = n % 16 == 15;
            CollectiveCall call;
            call.collective = "allreduce";
            call.in_elements = call.out_elements = 1 << (10 + n % 10);
            call.sequence = n;
            call.group = {wide ? "0" : std::to_string(1 + r / 8), wide ? "mesh_dp" : "mesh_tp", wide ? all : own, 0};
            const double late = (r * 7 + n * 13) % 60;
            rank.collective("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 3, n * 200.0 + late, 100 - late, call);
        }
        builders.push_back(std::move(rank));
    }
    return make_run(builders);
}

template <typename Work>
void report(const char* what, Work&& work) {
    std::printf("%-44s %8.2f ms\n", what, best_seconds(Clock::wall, work) * 1e3);
}

} // namespace

int main(int argc, char** argv) {
    const int ranks = argc > 1 ? std::atoi(argv[1]) : 1000;
    const int calls_of_rank = argc > 2 ? std::atoi(argv[2]) : 500;
    const auto analysis = std::make_shared<RunAnalysis>(many_ranks(ranks, calls_of_rank), Selection{});
    const auto calls = std::make_shared<const CollectiveCalls>(list_collective_calls(analysis));
    static_cast<void>(analysis->stragglers());
    const auto shown = filter_calls(*calls, {});
    const auto map = build_lag_map(calls, shown);
    std::printf("%d ranks, %zu calls in %zu columns; best of 7\n", ranks, shown.size(), map.columns);
    report("filter by text", [&] { static_cast<void>(filter_calls(*calls, {{}, {}, {}, true, "dp"})); });
    report(
        "sort by lag",
        [&] {
            auto order = shown;
            sort_calls(*calls, order, CallColumn::lag, true);
        });
    report(
        "build the map", [&] { static_cast<void>(build_lag_map(calls, shown)); });
    report(
        "delays", [&] { static_cast<void>(chart_delays(*calls, shown)); });
    report("bandwidth", [&] { static_cast<void>(chart_bandwidth(*calls, shown)); });
    const auto all = static_cast<double>(map.columns);
    report(
        "draw all, 1000 x 400 pixels", [&] { static_cast<void>(draw_lag_map(map, 0, all, 1000, 400)); });
    report("draw a tenth, 1000 x 400 pixels",
           [&] { static_cast<void>(draw_lag_map(map, all / 3, all / 3 + all / 10, 1000, 400)); });
    return 0;
}
