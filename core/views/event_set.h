// SPDX-License-Identifier: GPL-3.0-or-later
// Events picked by what they are, and one number over them: what a user's own metric counts.
#pragma once
#include <cstdint>
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

/// count: events. sum: their durations, us. merged: time with at least one of them, us, added up over ranks.
/// bytes: of copies and sets as recorded, of collectives In msg nelems x size of dtype (Out for all-gather).
enum class Aggregate : std::uint8_t { count, sum, merged, bytes };

/// Over all ranks, inside the analysis's selection. GPU work is clipped to it as in every other analysis; other events
/// count when they start in it.
double aggregate(const RunAnalysis& analysis, const EventSet& set, Aggregate what);

} // namespace rankscope
