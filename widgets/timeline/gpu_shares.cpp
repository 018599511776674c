// SPDX-License-Identifier: GPL-3.0-or-later
// What fills a range of time on a rank's GPU.
#include "widgets/timeline/gpu_shares.h"

#include <algorithm>

#include <QCoreApplication>

#include "core/analysis/steps/step_windows.h"
#include "core/trace/unrecorded.h"

namespace rankscope {
namespace {

struct ShareTexts {
    Q_DECLARE_TR_FUNCTIONS(ShareTexts)
};

} // namespace

std::array<GpuShares::Part, 4> GpuShares::parts(bool dark) const {
    return {{{ShareTexts::tr("computation"), computation, hueOf(SliceClass::compute, dark)},
             {ShareTexts::tr("exposed communication, waiting included"), exposed_communication,
              hueOf(SliceClass::communication, dark)},
             {ShareTexts::tr("copies that nothing hides"), exposed_copies, hueOf(SliceClass::memory_copy, dark)},
             {ShareTexts::tr("idle"), idle, {}}}};
}

IntervalSet recorded_gpu_time(const RankTrace& trace) {
    std::vector<TimeRange> work;
    for (const Row& row : trace.rows) // starts and ends of a row ascend together
        if (row.begin < std::min(row.end, trace.events.gpu_count))
            work.push_back({trace.events.start[row.begin], trace.events.end(row.end - 1)});
    if (work.empty())
        return {};
    TimeRange span = work.front();
    for (const TimeRange& range : work)
        span = {std::min(span.begin, range.begin), std::max(span.end, range.end)};
    span.begin = std::max(span.begin, std::min(span.end, end_of_queued_work(trace).value_or(span.begin)));
    return subtract(merge({span}), merge(unrecorded_times(trace)));
}

GpuShares gpuShares(const SliceIndex& index, TimeRange range) {
    GpuShares shares;
    for (const TimeRange& recorded : intersect(index.recorded, merge({range}))) {
        const ClassTimes busy = busyIn(index.group(LaneGroup::streams), recorded);
        const auto time = [&](SliceClass of) { return busy[static_cast<std::size_t>(of)]; };
        shares.total += recorded.length();
        shares.computation += time(SliceClass::compute) + time(SliceClass::memory_set);
        shares.exposed_communication += time(SliceClass::communication);
        shares.exposed_copies += time(SliceClass::memory_copy);
    }
    shares.idle = shares.total - shares.computation - shares.exposed_communication - shares.exposed_copies;
    return shares;
}

} // namespace rankscope
