// SPDX-License-Identifier: GPL-3.0-or-later
// What fills a range of time on a rank's GPU.
#include "widgets/timeline/gpu_shares.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <QCoreApplication>

#include "core/analysis/selection/selection.h"
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
    const EventTable& events = trace.events;
    const std::vector<TimeRange> pauses = unrecorded_times(trace);
    std::optional<WorkSteps> steps;
    if (!pauses.empty())
        steps.emplace(trace);
    std::vector<TimeRange> stretches(pauses.size() + 1, TimeRange{std::numeric_limits<TimeNs>::max(), 0});
    for (EventIndex e = 0; e < events.gpu_count; ++e) {
        const std::size_t stretch = steps ? unrecorded_before(pauses, steps->time_of(e)) : 0;
        stretches[stretch].begin = std::min(stretches[stretch].begin, events.start[e]);
        stretches[stretch].end = std::max(stretches[stretch].end, events.end(e));
    }
    std::erase_if(stretches, [](const TimeRange& stretch) { return stretch.end <= stretch.begin; });
    const IntervalSet recorded = merge(std::move(stretches));
    const std::optional<TimeNs> known_from = end_of_queued_work(trace);
    return known_from && !recorded.empty()
               ? intersect(recorded, merge({{std::min(*known_from, recorded.back().end), recorded.back().end}}))
               : recorded;
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
