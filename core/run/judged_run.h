// SPDX-License-Identifier: GPL-3.0-or-later
// Which ranks say too little to be judged, or to judge others by.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/selection/selection.h"
#include "core/base/message.h"
#include "core/trace/run.h"

namespace rankscope {

/// Ranks of which something is missing that would look like another way to work.
struct UnjudgedRanks {
    enum class Why : std::uint8_t {
        cut,         ///< their files end early
        no_gpu_work, ///< here and in the next three: where others have some
        no_launches, ///< of their GPU work: what their hosts did is not known
        no_communication,
        no_steps,
        few_steps,   ///< less than half of those that others have
        fewer_steps, ///< some of those that others have; of a comparison only
        lost_work    ///< GPU work that their hosts launched is missing
    } why = Why::cut;
    std::vector<std::size_t> ranks; ///< indices in Run::ranks, ascending
};

/// Whether a rank, by its index in Run::ranks, is one of them.
bool is_among(std::span<const UnjudgedRanks> unjudged, std::size_t rank);
/// Their numbers, ascending. run: the whole one.
std::vector<int> numbers_of(const Run& run, const UnjudgedRanks& ranks);

/// The files of all ranks do: how long a step takes is not known. left_out: of judged_run().
bool all_end_early(const Run& run, std::span<const UnjudgedRanks> left_out);

/// A run without the ranks that are not judged.
struct JudgedRun {
    std::shared_ptr<const Run> run;      ///< nullptr: no rank is left
    std::vector<std::uint32_t> kept;     ///< of each of its ranks: index in the whole run
    std::vector<UnjudgedRanks> left_out; ///< one a reason; empty: the run is judged as it is
};
JudgedRun judged_run(const Run& run);

/// Steps that some ranks have and others lack, as a rank that was recorded later: who waits for whom in them is not
/// known, and a mean over them all would hold steps in which a late rank seems to cost nothing. And steps of which the
/// recorder lost GPU work, in which GPUs seem to be idle.
struct UnjudgedSteps {
    std::vector<std::int64_t> lacking;   ///< numbers of steps that some rank lacks, ascending
    std::vector<std::int64_t> lost_work; ///< of the others, ascending: steps_that_lost_work()
    std::vector<std::int64_t> kept;      ///< the rest, ascending
    std::vector<int> lacked_by;          ///< numbers of the ranks, ascending
    /// Of lacking, where it takes clearly longer than a kept one: the step, mean of the ranks that have it.
    struct Long {
        std::int64_t number = 0;
        double ns = 0;
    };
    std::optional<Long> longest_lacking;
    [[nodiscard]] bool empty() const { return lacking.empty() && lost_work.empty(); }
};
/// Of the selected steps. Empty where all ranks have all of the same ones, where less than half would be left, and
/// where several jobs are shown side by side.
UnjudgedSteps unjudged_steps(const Run& run, const Selection& selection);
Message why_not_judged(const UnjudgedSteps& steps); ///< a sentence or two

/// What of the files could not be read, if it is more than one event in a hundred of a file: nothing that is said
/// holds for it. Empty otherwise.
Message what_is_unread(const Run& run);

/// How many launches have no GPU work: their time seems to be idle. Empty: none lacks more than a reader's notice lets
/// pass.
Message what_is_lost(const Run& run);

/// "its file ends early", as a sentence goes on that names the ranks. run: the whole one.
Message what_is_missing(const Run& run, const UnjudgedRanks& ranks);
/// "Rank 2 is not judged: its file ends early."
Message why_not_judged(const Run& run, const UnjudgedRanks& ranks);

} // namespace rankscope
