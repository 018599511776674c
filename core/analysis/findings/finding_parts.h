// SPDX-License-Identifier: GPL-3.0-or-later
// The parts find_findings() is made of, and what they share.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "core/analysis/collectives/clock_jump.h"
#include "core/analysis/findings/findings.h"
#include "core/analysis/findings/repaired_run.h"
#include "core/analysis/findings/step_places.h"
#include "core/analysis/graph/communication_nodes.h"
#include "core/analysis/graph/graph_changes.h"
#include "core/analysis/graph/replays.h"
#include "core/analysis/steps/step_work.h"
#include "core/analysis/usual/expert_rounds.h"
#include "core/analysis/usual/own_excess.h"
#include "core/analysis/usual/taking_turns.h"
#include "core/base/words.h"

namespace rankscope {

struct FindingContext {
    const FindingInputs& inputs;
    const StepGraph& graph;
    const Replays& replays;             ///< of graph
    const Replays& replays_as_computed; ///< of graph; computation takes what it took, whatever runs beside it
    const RepairedRun& repaired;        ///< find_faults(), find_host_faults() and explain_late_rank() take faults out
    const ExpertRounds& experts;
    const PeerTimes& peers;
    const std::vector<CommunicationNode>& communication;
    double step_time = 0;  ///< ns, as recorded: of the graph
    double told_step = 0;  ///< ns: told_step()
    std::size_t steps = 1; ///< distinct step numbers, or repetitions
    StepPlaces places{};
    std::optional<ClockJump> jump{};     ///< of a rank's clock: then calls of its groups are not matched rightly
    std::vector<std::uint32_t> joined{}; ///< per rank: of the ranks that calls join to it, directly or not, the lowest

    /// Of the steps or repetitions, ascending; empty where neither is known of all ranks.
    [[nodiscard]] const std::vector<std::int64_t>& numbers() const { return places.numbers; }
    /// The node is in one of the steps of these numbers; of no numbers, wherever it is.
    [[nodiscard]] bool is_in(const std::set<std::int64_t>& numbered, std::uint32_t node) const {
        const std::optional<std::int64_t> number = places.number_of(node);
        return numbered.empty() || (number && numbered.contains(*number));
    }
    [[nodiscard]] int rank_number(std::uint32_t rank) const { return inputs.run.ranks[rank]->rank; }
    /// The event as evidence, on its rank's clock.
    [[nodiscard]] FindingEvent event(std::uint32_t node) const;
    /// Neither steps nor repetitions are known: what is told is of the whole recording.
    [[nodiscard]] bool recorded_once() const {
        return graph.repetitions == 1 && inputs.facts.unit != StepAccount::Unit::profiler_steps;
    }
    [[nodiscard]] double share(double cost) const { return told_step > 0 ? cost / told_step : 0; }
    /// Indices of the ranks that calls join to any of these, directly or not; themselves among them.
    [[nodiscard]] std::vector<std::uint32_t> joined_to(const std::vector<int>& ranks) const;
    /// What a fault of these ranks saves on the mean of all ranks, on the mean of those that calls join to them: of
    /// ranks that never meet the others, only they themselves are slower. Empty: all ranks.
    [[nodiscard]] double cost_to_joined(const std::vector<int>& ranks, double saved) const;
};

/// Of its cost alone is left of a fault that another one includes.
inline constexpr double kSameFault = 0.25;
/// Times what a fault adds to a step, a rank may start its first recorded step later for it: the steps before it had it
/// too.
inline constexpr double kLateByAStep = 1.5;

/// "840 µs a step"; of a whole recording "840 µs in all"; of what is in one step only "840 µs".
Message per_step_words(const FindingContext& context, double ns, const std::set<std::int64_t>& only_in = {});
/// "62 % of the step", or of a whole recording "62 % of the time".
Message share_words(const FindingContext& context, double ns);
/// "11 times a step", "once a step", "2 times in 6 steps", "3 times in all"; of what is in one step only "3 times".
/// per_step: mean of all steps, or of those that it is in only.
Message times_words(const FindingContext& context, double per_step, const std::set<std::int64_t>& only_in = {});
/// How sure a thing is that is told of all of these steps and was seen in so many of them: grows with their share and
/// their number.
double confidence_of(std::size_t seen, std::size_t steps);
/// Confidence in what is told of no more than the steps that show it: it happened. Whether it comes again is not said.
inline constexpr double kHappened = 0.9;

/// In which steps something is there.
struct Onset {
    std::set<std::int64_t> steps; ///< their numbers
    std::optional<double> chance; ///< that a series without a change looks like this; where a change tells the steps
    bool grows = false;           ///< from step to step
};
/// by_step: what it costs in each of these steps; in the others nothing. By change point where the level changes once
/// or comes back (raised_level()); all where it grows by and by; else the steps with half of the most.
Onset onset_of(const FindingContext& context, const std::map<std::int64_t, double>& by_step);
/// ns that these steps are longer on average than the median of the others, by the facts.
double longer_than_others(const FindingContext& context, const std::set<std::int64_t>& steps);
/// Whether it is there in some of the steps only.
bool in_some_steps(const FindingContext& context, const Onset& onset);
/// " in steps 5 to 8", " in 3 of 12 steps, between 4 and 11"; empty where it is there in all of them.
Message onset_words(const FindingContext& context, const std::set<std::int64_t>& steps);
/// The same at the end of a sentence: "; since step 14", "; only in steps 5 to 8".
Message since_words(const FindingContext& context, const std::set<std::int64_t>& steps);
/// Says in the finding which steps it concerns, unless it is all of them.
void set_onset(const FindingContext& context, const Onset& onset, Finding& finding);

/// Without steps or repetitions, where no call joins any two ranks: the GPU work of one was recorded for more than a
/// tenth longer than that of another, so that what they do in all does not compare.
bool recorded_for_unlike_lengths(const FindingContext& context);
/// Whether any launch of GPU work is recorded.
bool launches_recorded(const StepGraph& graph);
/// Which questions the recording can answer. found: of links it answers what it found.
Judged judge(const FindingContext& context, std::span<const Finding> found);
/// Nothing recorded says which ranks a collective call joins, and those that stream and order say do not end together:
/// either clocks or groups are not what they seem.
bool guessed_calls_do_not_fit(const FindingContext& context);

/// Groups whose calls the run has, and those of which other groups make the same calls.
struct LinkComparison {
    std::set<std::uint32_t> groups;
    std::set<std::uint32_t> compared;
    std::set<std::uint32_t> large; ///< with messages that reach what the network carries
    std::set<std::uint32_t> between_machines;
    std::set<std::uint32_t> one_way; ///< compared, but only with groups between the same machines: they share a network
    std::set<std::uint32_t> near_network; ///< reach nearly what the network of such machines usually carries
};
LinkComparison compare_links(const FindingContext& context);

/// A fault that may explain something: how to take it out of the times, and what to say of it.
struct Candidate {
    double size = 0; ///< ns per step that it takes somewhere, whether anybody waits for it or not
    TimesChange remove;
    std::function<Finding()> describe;
    std::vector<std::uint32_t> late_for_it{}; ///< indices of ranks that start the first recorded step late for it
    std::vector<std::uint32_t> start_late{};  ///< of a late start: whose
    std::vector<int> ranks{};                 ///< of a straggler: whom it befalls
};
std::vector<Candidate> straggler_candidates(const FindingContext& context);
/// What a straggler of that cause is called.
FindingCause straggler_cause(OwnCause cause);
/// In which group a rank is most often last, and by how much.
struct Lateness {
    std::string group;
    std::uint32_t call = kNoNode; ///< index in StragglerAnalysis::calls: the largest lag
    std::int64_t calls = 0;
    std::int64_t last = 0;
    double median_lag = 0;   ///< ns, of the calls that it is last at
    std::size_t members = 0; ///< of the group
};
Lateness lateness_of(const FindingContext& context, std::uint32_t rank);
/// Per rank, ns: what the others wait in collectives for it while it comes last, were the nodes to start then.
std::vector<double> waits_caused(const FindingContext& context, std::span<const TimeNs> start,
                                 std::uint32_t but_group = kNoNode);
/// The others do not wait for the rank (index in Run::ranks), whatever makes it late. why: the last clause of the
/// sentence.
Candidate unexplained_lateness(const FindingContext& context, std::uint32_t rank, const Message& why);
std::vector<Candidate> slow_link_candidates(const FindingContext& context);
std::vector<Candidate> expert_candidates(const FindingContext& context);
/// ns: the host takes that much longer than usual at one place, or than its peers do, where it pauses.
TimeNs shortest_pause(const FindingContext& context);
/// Faults of ranks, links and experts. Each costs what a step would be shorter without it alone; one that others hide
/// (its rank would wait anyway) what it does once they are gone. They are told to, and taken out of, the repaired run.
void find_faults(const FindingContext& context, RepairedRun& repaired, std::vector<Finding>& found);
/// These cost what they do beyond the repaired run. Those that can be repaired are taken out of it.
void find_host_faults(const FindingContext& context, RepairedRun& repaired, std::vector<Finding>& found);
/// The rank that the window's headline and metric straggler_lag call late (rank_spread.h) is always told: by the faults
/// that explain at least half of the others' waiting for it, or else as one that nothing explains.
void explain_late_rank(const FindingContext& context, RepairedRun& repaired, std::vector<Finding>& found);
/// Who comes late to calls only because of a straggler is named apart from it.
void name_victims(const FindingContext& context, std::span<const WaitOrigin> origins, std::vector<Finding>& found);
/// A rank that saves a checkpoint, or the like, makes copies, waits for them and pauses in the same steps: one finding,
/// of the costlier kind, with the cost of both.
void join_pauses(std::vector<Finding>& found);
/// Exporters for communication keep its kernels only: nothing tells what lies between them.
bool calls_alone(const FindingContext& context);
/// What such a log of collectives tells: the speed of links. What the GPUs do between the calls is not in it, so that
/// nothing else is judged, and nothing has a cost.
Findings of_calls_alone(const FindingContext& context, RepairedRun& repaired);
/// Of a finding that says why the others wait for the late rank.
bool explains_late_rank(const Finding& finding);

/// "a 15.77 ms step"; without steps the time that mean_step_time() counts. By told_step.
Message what_is_looked_at(const FindingContext& context);
/// Of a finding whose cost is that of the ranks which calls join to it (cost_to_joined()), as of one of several jobs
/// side by side: what their step takes, ns, if it is not as long as the mean one.
std::optional<double> step_of_joined_ns(const FindingContext& context, const Finding& finding);
/// That step in words: step_ns is step_of_joined_ns().
Message step_of_joined(const FindingContext& context, const Finding& finding, double step_ns);
/// ns, in one of the steps that it is told of; of what is in all of them its cost.
double cost_of_each(const FindingContext& context, const Finding& finding);
/// "206 µs of a 15.77 ms step"; of what is in some steps only also what it costs each of these: "95.71 ms in step 5,
/// 11.96 ms of a 22.18 ms step on average", unless most of the cost is in other steps. step: what_is_looked_at().
Message cost_words(const FindingContext& context, const Finding& finding, const Message& step);
/// Whether any of them is a fault and not inherent.
bool has_fault(std::span<const Finding> list);
/// "Cost once the faults are fixed: 206 µs of a 15.77 ms step.", by Finding::cost_words. any_fault: has_fault().
Message cost_sentence(const Finding& finding, bool any_fault);
/// Why the rank that the others wait for costs less than they wait. Empty: it does not, or the finding is not about it.
Message wait_left_words(const FindingContext& context, const Finding& finding);
/// That the cost may be larger, where each rank has but a part of a GPU. Empty elsewhere.
Message shared_gpu_words(const FindingContext& context, const Finding& finding);
/// Of a run without profiler steps: that the first launch of a rank came before its first step. Empty: none did.
Message slow_first_launch_words(const Run& run, const StepGraph& graph);
/// Per rank: whether what it takes longer in each step (ns, by rank) is more than scatter that all ranks have: four
/// standard errors over all steps, or eight deviations in one, by the median change of ranks from step to step.
/// True where there are fewer than kStepsThatTell. Where each rank draws its work anew for each step, some rank is
/// always the last: that is nobody's fault.
/// own: what by_step is the difference of, where that is known. Of two ranks compared with each other, both differences
/// change where one of them does.
std::vector<bool> beyond_scatter(const FindingContext& context, const std::vector<std::vector<TimeNs>>& by_step,
                                 const std::vector<std::vector<double>>& own = {});
/// The ranks are stages of pipelines, of which a whole one has longer microbatches: one of two may nearly always.
bool of_pipelines(const FindingContext& context);
/// What it costs that computation of the same place takes unequally long on peers, now on one and now on another.
void find_uneven_work(const FindingContext& context, std::vector<Finding>& found);
/// Computation of the same place takes equally long on peers.
void even_out_work(const FindingContext& context, GraphTimes& times);
void find_first_iteration(const FindingContext& context, std::vector<Finding>& found);
void find_exposed_communication(const FindingContext& context, std::vector<Finding>& found);
void find_exposed_copies(const FindingContext& context, std::vector<Finding>& found);
void find_host_bound(const FindingContext& context, std::vector<Finding>& found);
void find_bubbles(const FindingContext& context, std::vector<Finding>& found);
/// The time of a step grows inside the run, and no fault found so far says why.
void find_slower_steps(const FindingContext& context, std::vector<Finding>& found);
/// Where the GPUs do nothing for long and no other finding says why.
void find_idle(const FindingContext& context, std::vector<Finding>& found);
void find_clock_misfit(const FindingContext& context, std::vector<Finding>& found);

} // namespace rankscope
