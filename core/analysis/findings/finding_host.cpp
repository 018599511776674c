// SPDX-License-Identifier: GPL-3.0-or-later
// What the host costs on all ranks: data loading, collections, waits, allocations, pauses, and first uses of libraries.
//   Example: pauses are told already. Waits cost 5 ms of a step as recorded, and 4.5 ms once the pauses are gone: they
//   are told as well. If it were only 1 ms then, both would have one cause.
#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/basics/tolerance.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/findings/host_calls.h"
#include "core/analysis/findings/host_first_use.h"
#include "core/analysis/findings/host_habit.h"
#include "core/analysis/findings/host_pauses.h"
#include "core/analysis/findings/host_synchronisation.h"

namespace rankscope {
namespace {

std::vector<HostFault> host_fault_candidates(const FindingContext& c) {
    const std::vector<IntervalSet> busy = busy_times(c);
    const FirstUses first = first_uses_of_hosts(c, busy);
    std::vector<HostFault> faults;
    if (first.host.count > 0)
        faults.push_back(first_use_fault(c, first));
    std::ranges::move(faults_of_host_calls(c, first), std::back_inserter(faults));
    if (auto pauses = pauses_of_hosts(c))
        faults.push_back(*std::move(pauses));
    if (auto waits = synchronisation_of_hosts(c, busy))
        faults.push_back(*std::move(waits));
    return faults;
}

/// Hardly anything is left of it once what is told already is mended: a host that waits for its GPU before it pauses
/// could hide the pause, if it did not wait.
bool is_same_fault(const FindingContext& c, const GraphTimes& mended, const HostFault& fault, double alone) {
    const std::vector<double> time =
        c.replays.step_times(mended, std::vector<TimesChange>{[](GraphTimes&) {}, fault.remove});
    return time[0] - time[1] < kSameFault * alone;
}

/// Its ranks are told as slow already, and hardly anything is left of it once they are not: both have one cause, as a
/// checkpoint that copies, waits and writes.
bool is_told_of_its_ranks(const FindingContext& c, const HostFault& fault, double left, double alone) {
    if (!c.repaired.changed() || left >= kSameFault * alone)
        return false;
    const std::set<std::uint32_t> ranks = few_ranks(c, fault.host);
    return !ranks.empty() && std::ranges::all_of(ranks, [&](std::uint32_t rank) {
        return std::ranges::any_of(c.repaired.told(), [&](const ToldFault& told) {
            return std::ranges::find(told.ranks, c.rank_number(rank)) != told.ranks.end();
        });
    });
}

} // namespace

/// Each costs what it does in the recording, or, where stragglers hide it, once they are repaired; nothing below the
/// least.
void find_host_faults(const FindingContext& c, RepairedRun& repaired, std::vector<Finding>& found) {
    const std::vector<HostFault> faults = host_fault_candidates(c);
    std::vector<TimesChange> changes;
    for (const HostFault& fault : faults)
        changes.push_back(fault.remove);
    // All at once; again for those after one that is taken out.
    Replays::InBoth tries = c.repaired.changed() ? c.replays.step_times(c.graph.times, c.repaired.times(), changes)
                                                 : Replays::InBoth{c.replays.step_times(c.graph.times, changes), {}};
    const std::vector<double> alone = std::move(tries.first);
    std::vector<double> without = std::move(tries.second);
    std::optional<GraphTimes> mended; // those told so far
    for (std::size_t i = 0, tried = 0; i < faults.size(); ++i) {
        if (c.repaired.changed() && i >= tried + without.size()) {
            without = c.replays.step_times(c.repaired.times(), std::span(changes).subspan(i));
            tried = i;
        }
        const double time = c.repaired.changed() ? without[i - tried] : alone[i];
        const double in_recording = c.step_time - alone[i];
        const double cost = c.share(in_recording) >= kLeastFault ? in_recording : c.repaired.step_ns() - time;
        // What a host that does not wait would do once other faults are mended is guessed too boldly to be told.
        const bool guessed = !faults[i].repairs && c.share(in_recording) < kLeastFault;
        if (c.share(cost) < kLeastFault || guessed)
            continue;
        if (mended && is_same_fault(c, *mended, faults[i], in_recording))
            continue;
        if (is_told_of_its_ranks(c, faults[i], c.repaired.step_ns() - time, in_recording))
            continue;
        if (faults[i].repairs) {
            if (!mended)
                mended = c.graph.times;
            faults[i].remove(*mended);
            repaired.take_out(faults[i].remove);
            repaired.set_step_ns(time);
            without.clear();
        }
        found.push_back(describe_host_fault(c, faults[i], cost));
        if (!found.back().ranks.empty())
            repaired.tell_of_hosts(found.back().ranks, faults[i].remove);
        found.back().hidden = c.share(in_recording) < kLeastFault;
        found.back().inherent = c.share(cost) < kUnhealthy || is_habit(c, faults[i], cost);
    }
}

} // namespace rankscope
