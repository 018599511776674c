// SPDX-License-Identifier: GPL-3.0-or-later
// What each change of a what-if does to the times of the step graph.
#include "core/analysis/whatif/what_if_changes.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/graph/graph_changes.h"
#include "core/analysis/slowdown/graph_slowdown.h"
#include "core/analysis/usual/stage_work.h"
#include "core/base/statistics.h"
#include "core/base/words.h"

namespace rankscope {
namespace {

void repair_stragglers(const FindingInputs& inputs, const Findings& findings, GraphTimes& times, Prediction& result) {
    const PeerTimes& peers = inputs.peers;
    bool any = false;
    std::set<int> unexplained; // nothing of these ranks alone explains why they come late: nothing can be taken out
    for (const Finding& finding : findings.list) {
        if (finding.code == FindingCode::straggler && finding.cause == FindingCause::unexplained) {
            unexplained.insert(finding.ranks.begin(), finding.ranks.end());
            continue;
        }
        const bool pauses = finding.code == FindingCode::host_pauses && !finding.ranks.empty();
        if (finding.code != FindingCode::straggler && !pauses)
            continue;
        std::vector<bool> ranks(inputs.run.ranks.size());
        for (std::size_t r = 0; r < ranks.size(); ++r)
            ranks[r] = std::ranges::find(finding.ranks, inputs.run.ranks[r]->rank) != finding.ranks.end();
        for (std::size_t cause = 0; cause < kOwnCauseCount; ++cause) {
            const auto own = static_cast<OwnCause>(cause);
            if (pauses ? own == OwnCause::host_bound : straggler_cause(own) == finding.cause) {
                remove_excess(inputs.step_graph, peers, own, ranks, times);
                any = true;
            }
        }
        if (std::ranges::find(finding.facts, FactName::replayed_cost_us_per_step, &FindingFact::name) !=
            finding.facts.end())
            result.notes.push_back(
                "the finding's %1 a step is measured against the steps without the fault; this prediction follows "
                "the recorded dependencies alone"_text(time_words(finding.cost)));
    }
    if (!unexplained.empty())
        result.notes.push_back(
            "nothing of %1 alone explains the lateness: what that costs is not in this prediction"_text(
                rank_words({unexplained.begin(), unexplained.end()})));
    else if (!any)
        result.notes.push_back("no rank is a straggler: nothing changes"_text());
}

void scale_communication(const FindingInputs& inputs, const Change& change, GraphTimes& times, Prediction& result) {
    std::vector<bool> chosen(inputs.step_graph.size());
    std::size_t lone = 0;
    std::size_t count = 0;
    for (const CommunicationNode& node : inputs.communication) {
        const CommGroup& group = inputs.collectives.groups[node.group];
        if (change.target.empty() || parallel_dimension_word(node.dimension) == change.target ||
            group.description == change.target || group.name == change.target ||
            (change.target == "dp" && parallel_dimension_word(node.dimension).starts_with("dp_"))) {
            chosen[node.node] = true;
            ++count;
            lone += node.lone ? 1 : 0;
        }
    }
    if (count == 0) {
        result.notes.push_back(change.target.empty() ? "there is no communication: nothing changes"_text()
                                                     : "no communication of %1: nothing changes"_text(change.target));
    }
    if (lone > 0) {
        result.notes.push_back(
            plural(lone, "of %1 call not all members are known: its wait is changed as well"_one,
                   "of %1 calls not all members are known: their waits are changed as well"_many)(lone));
    }
    scale_durations(
        inputs.step_graph, [&](std::uint32_t n) { return chosen[n]; }, change.factor, times);
}

void scale_kernels(const FindingInputs& inputs, const Change& change, GraphTimes& times, Prediction& result) {
    std::map<NameId, bool> matches;
    bool any = false;
    const auto is_chosen = [&](std::uint32_t n) {
        if (!is_local_gpu_work(inputs.step_graph.kind[n]))
            return false;
        const RankTrace& trace = *inputs.run.ranks[inputs.step_graph.rank[n]];
        const auto [at, added] = matches.try_emplace(trace.events.name[inputs.step_graph.event[n]]);
        const std::string_view name = trace.event_name(inputs.step_graph.event[n]);
        if (added)
            at->second = re2::RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), *change.pattern);
        any = any || at->second;
        return at->second;
    };
    scale_durations(inputs.step_graph, is_chosen, change.factor, times);
    if (!any) {
        result.notes.push_back(
            "no GPU work but communication has a name that matches %1: nothing changes"_text(change.target));
    }
}

void repair_rank(const FindingInputs& inputs, const Change& change, GraphTimes& times, Prediction& result) {
    const auto& ranks = inputs.run.ranks;
    const auto found = std::ranges::find(ranks, change.number, [](const auto& rank) { return rank->rank; });
    if (found == ranks.end()) {
        result.notes.push_back("rank %1 is not recorded: nothing changes"_text(change.number));
        return;
    }
    const auto index = static_cast<std::size_t>(found - ranks.begin());
    const PeerTimes& peers = inputs.peers;
    if (!peers.across_stages && peers.class_size[peers.peer_class[index]] < 2) {
        result.notes.push_back("no other rank does the same work as rank %1: nothing changes"_text(change.number));
        return;
    }
    std::vector<bool> chosen(ranks.size());
    chosen[index] = true;
    for (std::size_t cause = 0; cause < kOwnCauseCount; ++cause)
        remove_excess(inputs.step_graph, peers, static_cast<OwnCause>(cause), chosen, times);
    result.assumes.push_back(
        "rank %1 takes as long as the median of its peers; its links stay as they are"_text(change.number));
}

void even_stages(const FindingInputs& inputs, const Change& change, GraphTimes& times, Prediction& result) {
    const StageWork work = stage_work(inputs.run, inputs.step_graph, inputs.pipeline, inputs.step_graph.times);
    if (work.compute.size() < 2 || (change.number >= 0 && !work.compute.contains(change.number))) {
        result.notes.push_back(change.number >= 0 && work.compute.size() > 1
                                   ? "there is no stage %1: nothing changes"_text(change.number)
                                   : "the stages of a pipeline are not known: nothing changes"_text());
        return;
    }
    work.spread_evenly(inputs.step_graph, inputs.pipeline.stages, static_cast<int>(change.number), times);
    result.assumes.push_back(
        change.number >= 0
            ? "each kernel of stage %1 for a microbatch takes %2x as long, so that the stage computes as long for "
              "them as the mean one"_text(change.number,
                                          fmt::format("{:.2f}", work.mean / work.compute.at(change.number)))
            : "the same computation for the microbatches is spread evenly over the stages"_text());
}

void idealise_operation(const FindingInputs& inputs, const Change& change, GraphTimes& times, Prediction& result) {
    const std::vector<std::string> types = operation_types(inputs.step_graph, inputs.communication);
    if (std::ranges::find(types, change.target) == types.end()) {
        result.notes.push_back("no operation is of type %1 (there are: %2): nothing changes"_text(
            change.target, fmt::format("{}", fmt::join(types, ", "))));
        return;
    }
    idealise_operations(inputs.run, inputs.step_graph, inputs.communication, inputs.pipeline.stages, change.target,
                        times);
    result.assumes.push_back(
        "work of type %1 that is the same takes its mean on all ranks, in all steps and repetitions; of "
        "communication, transfers that are alike take their median"_text(change.target));
}

/// Is the group meant: by its name or description, or as two ranks that it joins, "0-4"?
bool is_meant(const CommGroup& group, const std::string& target) {
    if (group.name == target || group.description == target)
        return true;
    int first = -1;
    int second = -1;
    const char* const end = target.data() + target.size();
    const auto one = std::from_chars(target.data(), end, first);
    if (one.ec != std::errc() || one.ptr == end || *one.ptr != '-' ||
        std::from_chars(one.ptr + 1, end, second).ptr != end)
        return false;
    const auto has = [&](int rank) { return std::ranges::find(group.ranks, rank) != group.ranks.end(); };
    return has(first) && has(second);
}

void repair_link(const FindingInputs& inputs, const Change& change, GraphTimes& times, Prediction& result) {
    std::map<SameCalls, std::vector<TimeNs>> others;
    std::vector<const CommunicationNode*> own;
    for (const CommunicationNode& node : inputs.communication) {
        if (node.lone)
            continue;
        if (is_meant(inputs.collectives.groups[node.group], change.target))
            own.push_back(&node);
        else
            others[node.same()].push_back(inputs.step_graph.times.duration[node.node]);
    }
    std::map<SameCalls, TimeNs> medians;
    for (const auto& [same, times_of_others] : others)
        medians[same] = middle_median(times_of_others);
    std::size_t changed = 0;
    for (const CommunicationNode* node : own) {
        const auto median = medians.find(node->same());
        if (median == medians.end())
            continue;
        ++changed;
        times.duration[node->node] = std::min(times.duration[node->node], median->second);
    }
    if (changed == 0)
        result.notes.push_back(
            own.empty() ? "no group is called %1 or joins such ranks: nothing changes"_text(change.target)
                        : "no other group makes the calls of %1: nothing changes"_text(group_words(change.target)));
    else
        result.assumes.push_back(
            "%1 of %2 transfers of %3 take no longer than the median of other groups' of the same kind and "
            "size on the same way"_text(changed, own.size(), group_words(change.target)));
}

} // namespace

void apply_change(const FindingInputs& inputs, const Findings& findings, const Change& change, GraphTimes& times,
                  Prediction& result) {
    switch (change.kind) {
    case ChangeKind::straggler: return repair_stragglers(inputs, findings, times, result);
    case ChangeKind::communication: return scale_communication(inputs, change, times, result);
    case ChangeKind::overlap:
        return unchain_compute(
            inputs.step_graph, [](std::uint32_t) { return true; }, times);
    case ChangeKind::host: return scale_host(inputs.step_graph, change.factor, true, times);
    case ChangeKind::kernel: return scale_kernels(inputs, change, times, result);
    case ChangeKind::rank: return repair_rank(inputs, change, times, result);
    case ChangeKind::stage: return even_stages(inputs, change, times, result);
    case ChangeKind::operation: return idealise_operation(inputs, change, times, result);
    case ChangeKind::link: return repair_link(inputs, change, times, result);
    case ChangeKind::schedule:
    case ChangeKind::microbatches: break;
    }
}

} // namespace rankscope
