// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/run.h"

#include <algorithm>

#include "core/trace/digest_facts.h"

namespace rankscope {

const RankTrace* Run::rank(int number) const {
    const auto at = std::ranges::lower_bound(ranks, number, {}, [](const auto& rank) { return rank->rank; });
    return at != ranks.end() && (*at)->rank == number ? at->get() : nullptr;
}

std::size_t Run::untraced_ranks() const {
    const std::size_t known = ranks.size() + left_out;
    return std::max(static_cast<std::size_t>(std::max(world_size, 0)), known) - known;
}

std::uint64_t Run::event_count() const {
    std::uint64_t count = 0;
    for (const auto& rank : ranks) {
        const Accounting& accounting = rank->accounting;
        if (accounting.events_in_file > 0)
            count += accounting.on_timeline + accounting.of(NotShown::digest);
        else // made by a program, or a digest of an older version
            count += rank->digest ? rank->digest->recorded_events : rank->events.size();
    }
    return count;
}

std::uint64_t Run::file_bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& rank : ranks)
        bytes += rank->file_bytes;
    return bytes;
}

} // namespace rankscope
