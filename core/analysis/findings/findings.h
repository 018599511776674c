// SPDX-License-Identifier: GPL-3.0-or-later
// The few sentences that matter about a run: what costs time, who, why, how much, and the events that prove it.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/finding_facts.h"
#include "core/analysis/findings/finding_inputs.h"
#include "core/analysis/findings/finding_kinds.h"
#include "core/base/message.h"

namespace rankscope {

/// A named number, or a text, of the evidence.
struct FindingFact {
    FactName name;
    double number = 0;
    std::string text; ///< if not empty, the value
    std::string of{}; ///< what the name ends with, of cost_us_per_step_of: a type of operation
    [[nodiscard]] std::string word() const;
};

/// An event that shows it.
struct FindingEvent {
    std::uint32_t rank = 0; ///< index in Run::ranks
    EventIndex event = kNoEvent;
    TimeRange range; ///< the rank's own time
    TimeNs lead = 0; ///< time before it that is shown with it: what others waited for it
    [[nodiscard]] TimeRange shown() const { return {range.begin - lead, range.end}; }
};

struct Finding {
    /// A row of kFindingKinds (finding_kinds.h), as the cause.
    FindingCode code{};
    FindingCause cause = FindingCause::none;
    bool hidden = false; ///< others hide it: it costs that only once those before it in the list are gone, and nothing
                         ///< worth a sentence now
    bool inherent = false;    ///< what the program is made of costs it, no fault of a rank, a link or the host
    Message title;            ///< one sentence or two, the cost in them; holds names from the trace
    Message cost_words;       ///< "49.83 ms in step 4, 7.12 ms of a 57.83 ms step on average"; empty: no cost
    double cost = 0;          ///< ns per step: what a step would be shorter without it (by replay)
    bool once_mended = false; ///< the cost is of a step without the faults, which differs by a hundredth or more
    bool at_most = false;     ///< the cost is a bound that the facts set, and the replay's may be more
    bool at_least = false;    ///< ranks that are not traced, or not known, may wait for it as well
    double share = 0;         ///< of the step
    double confidence = 0;    ///< 0 to 1
    std::vector<int> ranks;   ///< whom it concerns; empty: all
    /// Of a straggler: ranks that come late to others' calls because they had waited for it.
    std::vector<int> victims;
    std::string group;        ///< process group or dimension; may be empty
    bool only_copies = false; ///< of more_kernels: it makes copies that its peers do not make, and runs no kernel
    /// Where it is not there in all steps: in which it is, by the numbers of profiler steps, ascending; the first and
    /// the last of them.
    std::vector<std::int64_t> iterations;
    std::optional<std::int64_t> first_iteration;
    std::optional<std::int64_t> last_iteration;
    /// ns: what each of these steps would be shorter; where all steps have it, the cost.
    double cost_of_affected = 0;
    Message when; ///< " in step 4", " from step 9 on"; empty: in all steps
    std::vector<FindingFact> facts;
    std::vector<FindingEvent> events; ///< the clearest first

    /// The cost of a step that has it is not that of the mean step.
    [[nodiscard]] bool is_of_some_steps() const { return !iterations.empty() && cost_of_affected > cost; }
    /// A fault that makes a run unhealthy.
    [[nodiscard]] bool is_costly_fault() const { return !inherent && share >= kUnhealthy; }
};

/// What the recording lets us judge: nothing is called healthy that was not.
struct Judged {
    bool ranks = false;              ///< there are ranks that do the same work, and calls they meet in
    bool links = false;              ///< groups that make the same calls, or a network whose speed is known
    bool network = true;             ///< of links between machines: also what all of them share
    bool host = false;               ///< launches are recorded, and whom a late one keeps waiting is known
    std::vector<Message> not_judged; ///< a sentence each: what not, and why
};

struct Findings {
    Judged judged;
    double step_time = 0;      ///< ns, of the mean step: told_step()
    bool of_steps = true;      ///< costs are of a step; else no step is known, and they are of all that is recorded
    std::vector<Finding> list; ///< by cost, whether fault or inherent; those that others hide last; before all of them
                               ///< that clocks do not fit
    bool healthy = true;       ///< of what was judged, no fault costs 1 % of a step or more
    Message summary;           ///< the largest cost of all; then what is healthy, and what could not be judged
    Message headline;          ///< the same, but for the largest cost its headline_words() (finding_brief.h)
    Message beside_head;       ///< the same without the largest cost; empty where there is none
    std::optional<std::size_t> head{}; ///< in list: the largest cost, as summary and headline tell it
    std::vector<WaitOrigin> origins{}; ///< origins_by_faults(); empty where no causes are looked for
};

Findings find_findings(const FindingInputs& inputs);
/// The finding that says why the others wait for the rank that late_rank() (rank_spread.h) names; there always is one
/// then. Its facts wait_caused_us_per_other_rank, arrives_last_at and of_calls are those of LateRank.
const Finding* why_late(const Findings& findings, int rank);

} // namespace rankscope
