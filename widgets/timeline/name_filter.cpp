// SPDX-License-Identifier: GPL-3.0-or-later
// Which slices the user's choice of names leaves.
#include "widgets/timeline/name_filter.h"

#include "core/analysis/basics/per_rank.h"

namespace rankscope {

std::shared_ptr<const KeptSlices> keptSlices(const Run& run, const SliceNameFilter& filter,
                                             const std::stop_token& cancel) {
    std::vector<bool> kept(run.names->size());
    for (NameId id = 0; id < kept.size(); ++id) {
        const std::string name(run.names->view(id));
        kept[id] = (filter.only.empty() || name == filter.only) && !filter.hidden.contains(name);
    }
    auto slices =
        std::make_shared<KeptSlices>(per_rank<std::vector<EventIndex>>(run, [&](const RankTrace& trace, auto) {
            std::vector<EventIndex> events;
            for (EventIndex e = 0; e < trace.events.size() && !cancel.stop_requested(); ++e)
                if (kept[trace.events.name[e]])
                    events.push_back(e);
            return events;
        }));
    return cancel.stop_requested() ? nullptr : slices;
}

} // namespace rankscope
