// SPDX-License-Identifier: GPL-3.0-or-later
// HTA's statistics of user annotations.
#include "core/analysis/compat/hta_annotations.h"

#include <algorithm>
#include <map>

#include "core/analysis/compat/hta_clock.h"

namespace rankscope {

std::vector<HtaKernel> hta_annotations(const RankTrace& rank, HtaFilter filter, EventKind kind) {
    const HtaClock clock(rank);
    const TimeNs until = hta_kept_until(rank, clock, filter);
    std::map<std::string_view, std::vector<double>> durations;
    for (EventIndex i = rank.events.gpu_count; i < rank.events.size(); ++i) {
        if (rank.events.kind[i] != kind)
            continue;
        const TimeRange range = clock.range(rank.events, i);
        if (range.begin < until)
            durations[rank.event_name(i)].push_back(static_cast<double>(range.end - range.begin) / 1000.0);
    }
    std::vector<HtaKernel> annotations;
    for (const auto& [name, values] : durations)
        annotations.push_back(hta_kernel_statistics(std::string(name), HtaClass::other, values));
    std::stable_sort(annotations.begin(), annotations.end(),
                     [](const HtaKernel& a, const HtaKernel& b) { return a.sum_us > b.sum_us; });
    return annotations;
}

} // namespace rankscope
