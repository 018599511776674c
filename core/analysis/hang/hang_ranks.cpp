// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/hang/hang_ranks.h"

#include <algorithm>
#include <optional>

namespace rankscope {
namespace {

/// As the rank itself numbers it.
HangCall own_call(const FlightRecorderDump& dump, const FlightRecorderCall& call) {
    const FlightRecorderGroup& group = dump.groups[call.group];
    HangCall found{
        group.name, group.description, dump.kinds[call.kind], call.seq(), -1, -1, static_cast<int>(group.ranks.size())};
    const auto place = [&](int in_group) {
        return static_cast<std::size_t>(in_group) < group.ranks.size() ? group.ranks[static_cast<std::size_t>(in_group)]
                                                                       : in_group;
    };
    if (call.is_message()) {
        found.source = place(call.source);
        found.destination = place(call.destination);
    }
    return found;
}

/// Without finished calls in the dump: how far it got in a group in which others wait.
std::optional<HangCall> completed_by_status(const HangWaits& waits, std::size_t i) {
    const OpenCall* oldest = nullptr;
    std::int64_t seq = kNoCall;
    for (const OpenCall& open : waits.calls) {
        if (open.message || (oldest != nullptr && open.since >= oldest->since))
            continue;
        const auto part = std::ranges::find(open.parts, waits.dumps[i].rank, &HangPart::rank);
        const auto status =
            std::ranges::find(waits.completed[i], open.group, [](const auto& pair) { return pair.first; });
        if (part == open.parts.end() || part->state == HangPart::State::finished ||
            status == waits.completed[i].end() || status->second >= open.seq)
            continue;
        oldest = &open;
        seq = status->second;
    }
    if (oldest == nullptr)
        return std::nullopt;
    const HangGroup& group = waits.groups[oldest->group];
    return HangCall{group.name, group.description, "", seq, -1, -1, static_cast<int>(group.members.size())};
}

class CallsOfRanks {
public:
    CallsOfRanks(const HangWaits& waits, const WaitGraph& graph)
        : waits_(waits), graph_(graph), holders_(waits.calls.size()) {}

    /// i: index in HangWaits::dumps.
    void describe(std::size_t i, HangRank& described) {
        const FlightRecorderDump& dump = *waits_.dumps[i].dump;
        const FlightRecorderCall* completed = nullptr;
        for (const FlightRecorderCall& call : dump.calls)
            if (call.state == CallState::completed && (completed == nullptr || call.completed >= completed->completed))
                completed = &call;
        if (completed != nullptr) {
            described.last_completed = own_call(dump, *completed);
            described.last_completed_at = completed->completed;
        } else {
            described.last_completed = completed_by_status(waits_, i);
        }
        if (!dump.calls.empty()) {
            described.last_called = own_call(dump, dump.calls.back());
            described.last_called_at = dump.calls.back().created;
            described.frames = dump.stacks[dump.calls.back().frames];
        }
        described.open_calls = waits_.queues[i].size();
        for (const auto& queued : waits_.queues[i]) {
            if (described.waits.size() == kListedWaits)
                break;
            const FlightRecorderCall& entry = dump.calls[queued.entry];
            described.waits.push_back(
                {own_call(dump, entry), entry.created, holders(queued.call, waits_.dumps[i].rank), entry.frames});
        }
    }

private:
    /// Who holds up a rank in a call: those that did not come; else those that have something open before it.
    std::vector<int> holders(std::uint32_t c, int waiter) {
        if (!holders_[c]) {
            std::vector<int> ranks = waits_.ranks_in(c, {HangPart::State::absent, HangPart::State::no_dump});
            if (ranks.empty())
                for (const WaitEdge& edge : graph_.edges[c])
                    ranks.push_back(edge.rank);
            std::ranges::sort(ranks);
            const auto repeated = std::ranges::unique(ranks);
            ranks.erase(repeated.begin(), repeated.end());
            holders_[c] = std::move(ranks);
        }
        std::vector<int> others = *holders_[c];
        std::erase(others, waiter);
        return others;
    }

    const HangWaits& waits_;
    const WaitGraph& graph_;
    std::vector<std::optional<std::vector<int>>> holders_; ///< of each call, where they were asked for
};

} // namespace

std::vector<HangRank> describe_ranks(const HangVerdicts& verdicts, const HangWaits& waits, const WaitGraph& graph) {
    CallsOfRanks calls(waits, graph);
    std::vector<HangRank> ranks;
    for (const auto& [rank, verdict] : verdicts.by_rank()) {
        HangRank& described = ranks.emplace_back();
        described.rank = rank;
        described.verdict = verdict.first;
        described.why = verdict.second;
        if (waits.has_dump(rank))
            calls.describe(waits.dump_of(rank), described);
    }
    std::ranges::stable_sort(ranks, {}, &HangRank::verdict);
    return ranks;
}

} // namespace rankscope
