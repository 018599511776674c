// SPDX-License-Identifier: GPL-3.0-or-later
// traffic.csv: who moves how many bytes.
#include "core/report/traffic_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/report/csv.h"

namespace rankscope {

std::string traffic_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"dimension",  "method", "group", "group_description",  "ranks",
                   "collective", "steps",  "calls", "calls_without_size", "bytes",
                   "time_us",    "run"};
    for (const AnalysedRun& run : runs) {
        const TrafficAnalysis& traffic = run.analysis->traffic();
        for (const TrafficRow& row : traffic.rows) {
            const CommGroup& group = run.analysis->collectives().groups[row.group];
            table.text(parallel_dimension_word(row.dimension))
                .text(dimension_method_word(row.method))
                .text(group.name)
                .text(group.description)
                .text(fmt::format("{}", fmt::join(group.ranks, " ")))
                .text(collective_kind_word(row.kind))
                .integer(traffic.steps)
                .integer(row.calls)
                .integer(row.without_size)
                .integer(row.bytes)
                .microseconds(row.time)
                .text(run.label)
                .end_row();
        }
    }
    return table.content();
}

} // namespace rankscope
