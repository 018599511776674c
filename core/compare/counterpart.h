// SPDX-License-Identifier: GPL-3.0-or-later
// The same event in another run: the n-th of its name, below the same operators, in the step that belongs to its own.
#pragma once
#include <optional>
#include <string>

#include "core/compare/step_alignment.h"

namespace rankscope {

/// How the counterpart was found, best first.
enum class CounterpartBy : std::uint8_t {
    path, ///< same operators above it, same name
    name  ///< same name only: the operators above it changed
};

/// step: index in StepAlignment::pairs(); absent when the runs have no steps in common and the whole runs were taken.
/// occurrence: which one of its kind inside the step, from 0; total: how many the other run has.
struct Counterpart {
    EventIndex event = kNoEvent;
    CounterpartBy by = CounterpartBy::path;
    std::optional<std::size_t> step;
    std::size_t occurrence = 0;
    std::size_t total = 0;
};

/// Names of the operators and annotations that contain the event or its launch, outermost first, then its own, joined
/// by '\n'. Kernel names are shortened (operator_diff.h), profiler steps lose their number.
std::string operator_path(const RankTrace& rank, EventIndex event);

/// The event of `other` that does what `event` does in `own`; nothing when the other run has none.
/// own_is_baseline: which side of the alignment `own` is. Cost: one pass over the names of both ranks.
std::optional<Counterpart> find_counterpart(const RankTrace& own, EventIndex event, const RankTrace& other,
                                            const StepAlignment& alignment, bool own_is_baseline);

} // namespace rankscope
