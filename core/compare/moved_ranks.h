// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks whose own work changed in another way than that of the others: who makes the others wait, or no longer does.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/steps/step_account.h"
#include "core/base/message.h"

namespace rankscope {

/// "rank 3", "ranks 0, 3 and 6", "ranks 8 to 15": all of them.
Message ranks_text(const std::vector<int>& ranks);

enum class OwnPart : std::uint8_t { kernels, copies, host, launch }; ///< of StepTimes::own

/// Work that a rank does in few of its iterations, as a checkpoint. Times are ns an iteration of those.
struct RareWork {
    struct Part {
        OwnPart part = OwnPart::kernels;
        double usual = 0; ///< in the other iterations
        double is = 0;
    };
    bool in_test = true;             ///< else it is the baseline's
    std::vector<std::int64_t> steps; ///< their numbers, ascending
    std::size_t of = 0;              ///< how many iterations the rank has
    double longer = 0;               ///< its own work takes that much longer there than else
    std::vector<Part> parts;         ///< that account for it, largest first
};

/// A part of the own work of ranks, ns an iteration.
struct PartOfWork {
    OwnPart part = OwnPart::kernels;
    double was = 0; ///< mean of the ranks
    double is = 0;
    double others_was = 0; ///< median of the others
    double others_is = 0;
};

/// Ranks that moved alike, and the part of their own work (StepTimes::own) that moved most. Times are ns an iteration.
struct MovedRanks : PartOfWork {
    using Part = OwnPart;
    std::vector<int> ranks;            ///< ascending
    double excess = 0;                 ///< their own work changed by that much more than the others', mean
    std::optional<PartOfWork> against; ///< moved the other way, by half of the excess or more
    std::size_t others = 0;            ///< how many those are
    bool apart_before = false; ///< they took longer than the others, where excess > 0; or did, where it is below 0
    bool apart_after = false;
    int stage = -1;                     ///< they are all ranks of this pipeline stage; -1: of none
    std::optional<RareWork> rare;       ///< of one rank: nearly all of the excess is in few iterations
    std::optional<RareWork> other_rare; ///< what the rank did in few iterations of the other run
};

/// Largest excess first. The others are those that did not change, where that is a quarter of the ranks or more, else
/// the median rank. An excess counts from 1 % of an iteration on, above the noise among the ranks and among iterations,
/// and from least on. least: ns. deviation: own_deviation() of both runs, whole.
std::vector<MovedRanks> moved_ranks(const StepAccount& baseline, const StepAccount& test, double least,
                                    const std::array<double, 2>& deviation);
/// How much the own work of the usual rank differs from iteration to iteration, ns: a standard deviation, told by the
/// median, so that a few iterations do not make it. 0 where there are too few.
double own_deviation(const StepAccount& account);

/// What is recorded of a run decides how it is told.
struct MovedWords {
    bool host = true;        ///< launches or other host work are recorded
    bool operations = false; ///< they compute, not kernels
    bool window = false;     ///< times are of the recorded window, not of an iteration
    bool waited_for = true;  ///< the others wait for them: else they are no stragglers
    bool say_so = true;      ///< tell that they wait
    bool once = false;       ///< of one iteration: nobody is a straggler for that
    Message cause;           ///< of MovedRanks::Part::host: "loading data takes ...", or empty
};
/// "rank 3 became a straggler: its kernels take 16.9 ms -> 18.7 ms an iteration (median of the others ...)".
Message moved_text(const MovedRanks& moved, const MovedWords& words);

/// One rank at a time takes longer, not always the same.
struct RanksInTurn {
    std::vector<std::pair<std::int64_t, int>> turns; ///< number of the iteration, rank
    MovedRanks::Part part = MovedRanks::Part::host;  ///< that takes longer, in all turns the same
    double longer = 0;                               ///< the part of the rank whose turn it is: ns an iteration
};
/// Where that accounts for at least half of what the iterations take longer, and two ranks or more have a turn.
std::optional<RanksInTurn> ranks_in_turn(const StepAccount& baseline, const StepAccount& test);
/// of_test: else they are turns of the baseline.
Message turns_text(const RanksInTurn& turns, const MovedWords& words, bool of_test);

} // namespace rankscope
