// SPDX-License-Identifier: GPL-3.0-or-later
// Holds what Rankscope says about a run against what is true. Only the public JSON document is read.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tests/support/simulator/truth.h"

namespace rankscope::machine {

struct SaidFinding {
    std::string code;
    std::string cause;
    std::string title;
    bool fault = false; ///< not inherent, and not hidden by others
    std::vector<int> ranks;
    double cost = 0; ///< ns a step
    double share = 0;
    int first_iteration = -1; ///< -1: it does not say since when
};

struct Said {
    std::vector<SaidFinding> findings;
    std::optional<int> late_rank;
    bool links_judged = true; ///< unless it says that it could not
    double step = 0;          ///< ns, as its costs and shares imply; 0 where nothing is found
    std::vector<std::string> notices;
};

/// Of the first run in a document of `rankscope --batch RUN --json`.
Said read_said(const std::string& json);

/// A finding marked as a fault is an accusation from this share of a step on.
inline constexpr double kAccusation = 0.01;

struct Verdict {
    bool found = false;             ///< a finding has the right cause and rank
    bool first = false;             ///< it is the first of those marked as faults (inherent costs: found is enough)
    bool headline = false;          ///< it is the first of all
    double error = 1;               ///< of its cost, relative; 1 where it is not found
    bool onset = false;             ///< it says in which step the fault started
    bool per_affected_step = false; ///< the cost that is right is the mean over affected steps
    const SaidFinding* finding = nullptr;
    std::vector<const SaidFinding*> accusations; ///< of what is well: not of the ranks that have the fault
    bool wrong_late_rank = false;
};

/// faults of the truth: one or none. The pointers are into said.
Verdict judge(const Truth& truth, const Said& said);

/// The truth of a run in ../shared/traces/faults: the text of NAME.truth.json. Throws where it has a fault of another
/// kind.
Truth read_foreign_truth(const std::string& json);

} // namespace rankscope::machine
