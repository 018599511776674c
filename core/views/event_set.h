// SPDX-License-Identifier: GPL-3.0-or-later
// Events picked by what they are: what a user's own metric counts.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/run/run_analysis.h"

namespace re2 {
class RE2;
}

namespace rankscope {

/// An event belongs to the set when it meets every condition that is given.
struct EventSet {
    std::vector<KernelClass> classes;     ///< GPU work of these classes
    std::optional<EventKind> kind;        ///< any kind of event
    std::shared_ptr<const re2::RE2> name; ///< found anywhere in the name
    std::string group;                    ///< process group by name or description; needs collective arguments
    std::vector<std::pair<std::int64_t, std::int64_t>> ranks; ///< inclusive ranges
    std::vector<std::pair<std::int64_t, std::int64_t>> steps; ///< inclusive ranges of profiler steps
};

bool is_of_gpu_work(const EventSet& set); ///< else events of the CPU, or GPU records that are not work
bool in_ranges(const std::vector<std::pair<std::int64_t, std::int64_t>>& ranges, std::int64_t number);

struct SetMember {
    std::size_t rank = 0; ///< index in Run::ranks
    EventIndex event = kNoEvent;
    TimeRange range;                ///< clipped to the selection
    const GpuSlice* work = nullptr; ///< nullptr: no GPU work
    bool group_known = true;        ///< false: a call that meets all else, but whose process group is not recorded
};

/// Over all ranks, inside the analysis's selection. GPU work is clipped to it as in every other analysis; other events
/// count when they start in it.
void for_each_member(const RunAnalysis& analysis, const EventSet& set,
                     const std::function<void(const SetMember&)>& visit);

/// Of copies and sets as recorded, of collectives In msg nelems x size of dtype (Out for all-gather); NaN where it is
/// not recorded. nullopt: an event that has no size.
std::optional<double> member_bytes(const SetMember& member, const RankTrace& rank);

} // namespace rankscope
