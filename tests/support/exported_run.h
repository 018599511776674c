// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that tests export as one trace.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <QtGlobal>

#include "core/input/load/load_run.h"
#include "core/query/query_model.h"
#include "tests/support/trace_builder.h"

namespace rankscope {

inline std::shared_ptr<const QueryModel> model_of(const std::vector<std::shared_ptr<const Run>>& runs) {
    std::vector<QueryRun> list;
    for (std::size_t i = 0; i < runs.size(); ++i)
        list.push_back({runs[i]->name + std::to_string(i), runs.size() == 1 ? "run" : "test",
                        std::make_shared<const RunAnalysis>(runs[i], Selection())});
    return std::make_shared<const QueryModel>(std::move(list));
}

/// Without the cache; ends the program where it cannot be read.
inline std::shared_ptr<const Run> loaded(const std::filesystem::path& path) {
    LoadOptions options;
    options.use_cache = false;
    const auto run = load_run(path, options);
    if (!run)
        qFatal("%s", english(run.error().message).c_str());
    return *run;
}

/// A collective whose second rank comes late, overlapping kernels on one stream, launches, a backward flow, counters.
inline std::vector<TraceBuilder> two_ranks() {
    std::vector<TraceBuilder> ranks;
    for (int rank = 0; rank < 2; ++rank) {
        TraceBuilder builder(rank);
        builder.base(1'700'000'000'000'000'000)
            .step(1, 0, 1000)
            .cpu_op("aten::mm \"quoted\"\n", 5, 90)
            .launch(10, 5)
            .kernel("gemm", 7, 100, 200.001)
            .launch(20, 5)
            .kernel("overlaps", 7, 250, 100)
            .launch(30, 5)
            .collective("ncclDevKernel_AllReduce", 9, 150 + 50 * rank, 300 - 50 * rank,
                        {"allreduce", "Float", 256, 256, ProcessGroup{"0", "default_pg", {0, 1}, 2}})
            .cpu_op("backward", 400, 50, TraceBuilder::kAutogradThread)
            .forward_backward(6, TraceBuilder::kMainThread, 401, TraceBuilder::kAutogradThread)
            .kernel("nothing", 7, 500, 0)
            .counter("clock: MHz", 100, 1410);
        ranks.push_back(builder);
    }
    return ranks;
}

} // namespace rankscope
