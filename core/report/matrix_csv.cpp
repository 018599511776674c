// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/matrix_csv.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/collectives/rank_matrix.h"
#include "core/report/csv.h"

namespace rankscope {
namespace {

RankMatrix matrix_of_run(const AnalysedRun& run) {
    const RunAnalysis& analysis = *run.analysis;
    return rank_matrix(analysis.run(), analysis.collectives(), analysis.call_table(),
                       analysis.collective_summaries().all_to_allv_traffic, analysis.machines());
}

/// Time and bandwidth; empty where no message has both ends.
template <typename Traffic>
void put_time(CsvTable& table, const Traffic& traffic) {
    if (traffic.time <= 0) {
        table.empty().empty();
        return;
    }
    const double bandwidth = static_cast<double>(traffic.timed_bytes) / static_cast<double>(traffic.time);
    table.microseconds(traffic.time).number(std::round(bandwidth * 1e6) / 1e6);
}

} // namespace

bool has_rank_traffic(std::span<const AnalysedRun> runs) {
    return std::ranges::any_of(
        runs, [](const AnalysedRun& run) { return !matrix_of_run(run).ranks.empty(); });
}

std::string rank_matrix_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"source", "destination", "kind",           "calls", "without_size",
                   "bytes",  "time_us",     "bandwidth_gb_s", "run"};
    for (const AnalysedRun& run : runs) {
        const RankMatrix matrix = matrix_of_run(run);
        for (const RankTraffic& traffic : matrix.ranks) {
            table.integer(traffic.source)
                .integer(traffic.destination)
                .text(collective_kind_word(traffic.kind))
                .integer(traffic.calls)
                .integer(traffic.without_size)
                .integer(traffic.bytes);
            put_time(table, traffic);
            table.text(run.label).end_row();
        }
    }
    return table.content();
}

std::string machine_matrix_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"source", "destination", "calls", "bytes", "time_us", "bandwidth_gb_s", "run"};
    for (const AnalysedRun& run : runs) {
        const RankMatrix matrix = matrix_of_run(run);
        for (const MachineTraffic& traffic : matrix.machines) {
            for (const auto& machine : {traffic.source, traffic.destination})
                if (machine)
                    table.integer(*machine);
                else
                    table.text("not known");
            table.integer(traffic.calls).integer(traffic.bytes);
            put_time(table, traffic);
            table.text(run.label).end_row();
        }
    }
    return table.content();
}

} // namespace rankscope
