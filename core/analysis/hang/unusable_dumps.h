// SPDX-License-Identifier: GPL-3.0-or-later
// Dumps that say nothing of their rank in the launch that hangs: those that cannot be read, those of an earlier launch,
// and those of another rank.
#pragma once
#include <set>
#include <span>
#include <vector>

#include "core/analysis/hang/hang_waits.h"

namespace rankscope {

struct UnusableDumps {
    std::set<int> unreadable; ///< ranks whose dump is there
    std::set<int> old;        ///< ranks whose dump is of an earlier launch
    std::set<int> misnamed;   ///< ranks whose dump is of another rank

    [[nodiscard]] std::set<int> ranks() const;
    /// Why a rank has no dump of this launch, in a sentence.
    [[nodiscard]] Message why_none(int rank) const;
    /// Of ranks without a dump of this launch: "rank 1 left no dump, and the dump of rank 5 cannot be read".
    [[nodiscard]] Message missing_words(std::span<const int> of) const;
};

/// Without those of another rank: one rank alone is in all their groups, and it is not theirs.
std::vector<RankDump> of_own_rank(std::span<const RankDump> dumps);

/// Those of the dumps that are of one launch, the newest. A dump without times stays.
std::vector<RankDump> of_last_launch(std::span<const RankDump> dumps);

/// dumps: all of them; waits: of those of their own rank and of the last launch.
UnusableDumps unusable_dumps(std::span<const RankDump> dumps, const HangEvidence& evidence, const HangWaits& waits);

/// What could not be judged. hang: finished but for its notes.
std::vector<Message> hang_notes(const Hang& hang, const HangWaits& waits, const HangEvidence& evidence,
                                const UnusableDumps& unusable, bool starts_recorded);

} // namespace rankscope
