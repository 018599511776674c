// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/hta_csv.h"

#include "core/report/csv.h"

namespace rankscope {

std::string hta_idle_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"rank", "stream", "idle_category", "idle_time", "idle_time_ratio", "run"};
    for (const AnalysedRun& run : runs)
        for (std::size_t r = 0; r < run.run().ranks.size(); ++r)
            for (const HtaIdle& idle : run.analysis->hta().host[r].idle)
                table.integer(run.run().ranks[r]->rank)
                    .integer(idle.stream)
                    .text(idle_cause_word(idle.cause))
                    .number(idle.time_us)
                    .number(idle.ratio)
                    .text(run.label)
                    .end_row();
    return table.content();
}

std::string hta_queue_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"rank", "stream", "count", "mean", "std", "min", "25%", "50%", "75%", "max", "run"};
    for (const AnalysedRun& run : runs)
        for (std::size_t r = 0; r < run.run().ranks.size(); ++r)
            for (const HtaQueueSummary& queue : run.analysis->hta().host[r].queues) {
                const HtaDescription& length = queue.length;
                table.integer(run.run().ranks[r]->rank).integer(queue.stream).integer(length.count);
                for (const double value :
                     {length.mean, length.std, length.min, length.q25, length.q50, length.q75, length.max})
                    table.number(value);
                table.text(run.label).end_row();
            }
    return table.content();
}

std::string hta_kernel_types_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"kernel_type", "sum", "percentage", "run"};
    for (const AnalysedRun& run : runs)
        for (const HtaKernelType& type : run.analysis->hta().types)
            table.text(type.name).integer(type.sum_us).number(type.percent).text(run.label).end_row();
    return table.content();
}

} // namespace rankscope
