// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/would_fit.h"

#include <algorithm>
#include <functional>
#include <map>

namespace rankscope {
namespace {

void add_enough(const std::map<std::string, std::int64_t>& bytes_by_name, bool is_category, WouldFit& fit) {
    std::vector<WouldFitWithout> enough;
    for (const auto& [name, bytes] : bytes_by_name)
        if (bytes >= fit.lacking())
            enough.push_back({name, is_category, bytes});
    std::ranges::stable_sort(enough, std::greater<>(), &WouldFitWithout::bytes);
    std::ranges::move(enough, std::back_inserter(fit.without));
}

} // namespace

WouldFit would_fit(const MemorySnapshot& snapshot, const StringTable& names, const DeviceSnapshot& of,
                   const SnapshotOutOfMemory& event) {
    WouldFit fit{event.reserved + event.device_free, event.active + event.asked, {}};
    if (fit.lacking() <= 0)
        return fit;
    std::map<std::string, std::int64_t> categories, places;
    for (const LiveAtPeak& live : live_allocations(snapshot, names, of, event.after)) {
        if (!live.category.empty())
            categories[live.category] += live.bytes;
        places[live.frame] += live.bytes;
    }
    add_enough(categories, true, fit);
    add_enough(places, false, fit);
    return fit;
}

} // namespace rankscope
