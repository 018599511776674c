// SPDX-License-Identifier: GPL-3.0-or-later
// How long GPU work of a name usually takes.
#include "core/views/name_medians.h"

#include <algorithm>

namespace rankscope {

std::vector<float> name_medians(const Run& run, const std::stop_token& stop) {
    constexpr std::size_t kFewest = 3;
    const auto each = [&](auto take) {
        for (const auto& rank : run.ranks)
            for (EventIndex event = 0; event < rank->events.gpu_count && !stop.stop_requested(); ++event)
                take(rank->events.name[event], rank->events.duration[event]);
    };
    std::vector<std::size_t> ends(run.names->size() + 1);
    each([&](NameId name, TimeNs) { ++ends[name + 1]; });
    for (std::size_t name = 1; name < ends.size(); ++name)
        ends[name] += ends[name - 1];
    std::vector<std::size_t> next(ends.begin(), ends.end() - 1);
    std::vector<float> durations(ends.back());
    each([&](NameId name, TimeNs duration) { durations[next[name]++] = static_cast<float>(duration); });
    std::vector<float> medians(next.size());
    for (std::size_t name = 0; name < medians.size() && !stop.stop_requested(); ++name) {
        const auto first = durations.begin() + static_cast<std::ptrdiff_t>(ends[name]);
        const auto last = durations.begin() + static_cast<std::ptrdiff_t>(ends[name + 1]);
        if (last - first < static_cast<std::ptrdiff_t>(kFewest))
            continue;
        const auto middle = first + (last - first - 1) / 2;
        std::nth_element(first, middle, last);
        medians[name] = *middle;
    }
    return stop.stop_requested() ? std::vector<float>() : medians;
}

} // namespace rankscope
