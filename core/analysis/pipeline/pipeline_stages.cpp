// SPDX-License-Identifier: GPL-3.0-or-later
// Stages by what is recorded, and by convention only where nothing is.
#include "core/analysis/pipeline/pipeline_stages.h"

#include <algorithm>
#include <map>

namespace rankscope {
namespace {

bool all_known(const std::vector<int>& stage) {
    return !stage.empty() && std::ranges::all_of(
                                 stage, [](int s) { return s >= 0; });
}

/// A rank's place among the members of its group of stages.
std::vector<int> stages_by_groups(const Run& run, int stage_count) {
    std::vector<int> stage;
    for (const auto& rank : run.ranks) {
        int place = -1;
        for (const ProcessGroup& group : rank->process_groups) {
            const auto at = std::ranges::find(group.ranks, rank->rank);
            const bool of_stages = dimension_in_words(group.description) == ParallelDimension::pp ||
                                   dimension_in_words(group.name) == ParallelDimension::pp;
            const bool fits = stage_count == 0 || group.ranks.size() == static_cast<std::size_t>(stage_count);
            if (of_stages && fits && group.ranks.size() > 1 && at != group.ranks.end() &&
                std::ranges::is_sorted(group.ranks))
                place = static_cast<int>(at - group.ranks.begin());
        }
        stage.push_back(place);
    }
    return stage;
}

struct FirstMessage {
    TimeNs begin = 0;
    int peer = -1;
};

/// Where some ranks are not traced, the way of a microbatch is known in parts. Collectives of groups smaller than the
/// run join ranks of one stage, so that those know the stage of the others. False: members of a group have several
/// stages.
bool share_stages(const Run& run, const CollectiveMatching& matching, std::map<int, int>& stage_of) {
    std::vector<const CommGroup*> groups;
    for (const CommGroup& group : matching.groups)
        if (!group.point_to_point && std::ssize(group.ranks) < run.world_size)
            groups.push_back(&group);
    for (bool any = true; any;) {
        any = false;
        for (const CommGroup* group : groups) {
            const auto known = std::ranges::find_if(group->ranks, [&](int rank) { return stage_of.contains(rank); });
            if (known == group->ranks.end())
                continue;
            for (const int rank : group->ranks) {
                const auto [at, added] = stage_of.try_emplace(rank, stage_of.at(*known));
                any = any || added;
                if (at->second != stage_of.at(*known))
                    return false;
            }
        }
    }
    return true;
}

/// The stages pass the first microbatch on: who sends before it got anything is first, and who gets that is second. All
/// on each rank's own clock, so clocks need not fit.
std::vector<int> stages_by_messages(const Run& run, const CollectiveMatching& matching, int stage_count) {
    std::map<int, FirstMessage> sent;
    std::map<int, FirstMessage> received;
    for (std::size_t r = 0; r < run.ranks.size(); ++r) {
        const int rank = run.ranks[r]->rank;
        for (const CommCall& call : matching.calls[r]) {
            const CommGroup& group = matching.groups[call.group];
            if (!group.point_to_point || group.ranks.size() != 2)
                continue;
            const bool sends = group.ranks.front() == rank;
            sends ? sent.try_emplace(rank, FirstMessage{call.range.end, group.ranks.back()})
                  : received.try_emplace(rank, FirstMessage{call.range.end, group.ranks.front()});
        }
    }
    std::map<int, int> stage_of;
    for (const auto& [rank, first] : sent) {
        const auto got = received.find(rank);
        if (got != received.end() && got->second.begin <= first.begin)
            continue; // it passes on what it got
        int at = rank;
        for (int stage = 0; at >= 0 && !stage_of.contains(at); ++stage) {
            stage_of[at] = stage;
            const auto next = sent.find(at);
            at = next == sent.end() ? -1 : next->second.peer;
        }
    }
    const bool whole = std::ssize(run.ranks) == run.world_size;
    if (!whole && !share_stages(run, matching, stage_of))
        return {};
    std::vector<int> stage;
    std::map<int, std::size_t> ranks_of; // by stage
    for (const auto& rank : run.ranks) {
        const auto known = stage_of.find(rank->rank);
        stage.push_back(known == stage_of.end() ? -1 : known->second);
        ++ranks_of[stage.back()];
    }
    // A capture that starts in the middle of a step shows other first messages: then chains differ in length.
    const bool even =
        std::ranges::all_of(ranks_of, [&](const auto& s) { return s.second == ranks_of.begin()->second; });
    const bool fits = stage_count == 0 || (whole ? ranks_of.size() == static_cast<std::size_t>(stage_count)
                                                 : ranks_of.rbegin()->first < stage_count);
    return (even || !whole) && fits ? stage : std::vector<int>{};
}

/// Not where ranks of one stage send each other messages.
std::vector<int> stages_by_mesh(const Run& run, const CollectiveMatching& matching, int stage_count) {
    if (stage_count <= 0 || run.world_size % stage_count != 0)
        return {};
    const auto stage_of = [&](int rank) { return rank / (run.world_size / stage_count); };
    const bool sent_inside = std::ranges::any_of(matching.groups, [&](const CommGroup& group) {
        return group.point_to_point && group.ranks.size() == 2 &&
               stage_of(group.ranks.front()) == stage_of(group.ranks.back());
    });
    std::vector<int> stage;
    for (const auto& rank : run.ranks)
        stage.push_back(sent_inside ? -1 : stage_of(rank->rank));
    return stage;
}

} // namespace

PipelineStages pipeline_stages(const Run& run, const CollectiveMatching& matching, int stage_count) {
    if (auto stage = stages_by_groups(run, stage_count); all_known(stage))
        return {StageMethod::groups, std::move(stage)};
    if (auto stage = stages_by_messages(run, matching, stage_count); all_known(stage))
        return {StageMethod::messages, std::move(stage)};
    if (auto stage = stages_by_mesh(run, matching, stage_count); all_known(stage))
        return {StageMethod::mesh, std::move(stage)};
    return {StageMethod::none, std::vector<int>(run.ranks.size(), -1)};
}

} // namespace rankscope
