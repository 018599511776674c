// SPDX-License-Identifier: GPL-3.0-or-later
// Loading data, garbage collection and allocations: how long they take, and what is said of it.
#include "core/analysis/findings/host_calls.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace rankscope {
namespace {

/// first: what first uses take is left out. but_first_step: what is in the first of several steps as well.
HostTimes times_of_kind(const FindingContext& c, const FirstUses& first, NodeKind kind, bool but_first_step) {
    return host_times(
        c,
        [&](std::uint32_t n) {
            // What stragglers take more than their peers is told already.
            const bool counts = c.graph.kind[n] == kind && !(but_first_step && c.steps > 1 && c.graph.step[n] == 0);
            return counts ? c.repaired.times().duration[n] - first.of_node[n] : 0;
        });
}

Message on_average(const FindingContext& c, const HostAmounts& of) {
    const std::string time = time_words(of.per_step);
    return of.only_in.size() == 1          ? Message(time)
           : !c.recorded_once()            ? "%1 a step on average"_text(time)
           : c.inputs.run.ranks.size() > 1 ? "%1 on average"_text(time)
                                           : "%1 in all"_text(time);
}

void add_host_fault(const FindingContext& c, HostTimes all, FindingCode code,
                    const std::function<Message(const HostAmounts&)>& title, std::vector<HostFault>& faults) {
    if (all.count == 0)
        return;
    HostTimes host = of_affected_steps(c, std::move(all));
    // Where it is there in some steps only, what it takes in the others is no part of it.
    const double mean = static_cast<double>(host.time) / rank_steps(c, host.onset.steps);
    const double part = host.onset.steps.empty() || mean <= 0 ? 1 : std::max(0.0, 1 - host.usual / mean);
    std::vector<std::pair<std::uint32_t, TimeNs>> left;
    for (std::size_t i = 0; i < host.nodes.size(); ++i)
        left.emplace_back(host.nodes[i], std::llround(part * static_cast<double>(host.times[i])));
    const auto remove = [left = std::move(left)](GraphTimes& times) {
        for (const auto& [n, time] : left)
            times.duration[n] -= std::min(time, times.duration[n]);
    };
    faults.push_back({std::move(host), remove, code, title, true, false});
}

void add_allocation_fault(const FindingContext& c, const FirstUses& first, std::vector<HostFault>& faults) {
    // Allocations of the first step alone are warm-up.
    HostTimes allocations = times_of_kind(c, first, NodeKind::allocation,
                                          times_of_kind(c, first, NodeKind::allocation, true).steps * 2 < c.steps);
    const bool churn = allocations.steps * 2 >= c.steps && c.steps > 1;
    std::string longest_call;
    std::string longest;
    if (!allocations.largest.empty()) {
        const auto& [time, node] = allocations.largest.front();
        longest_call = c.inputs.run.ranks[c.graph.rank[node]]->event_name(c.graph.event[node]);
        longest = time_words(static_cast<double>(time));
    }
    const bool once = c.recorded_once();
    const bool beside_first_use = first.count > 0;
    const std::size_t told = faults.size();
    add_host_fault(
        c, std::move(allocations), FindingCode::allocation_churn,
        [&c, churn, once, beside_first_use, longest, longest_call](const HostAmounts& of) {
            if (churn)
                return "The host allocates or frees GPU memory in the steps: %1 calls a step, %2, the longest %3 of "
                       "%4; the caching allocator should keep the memory"_text(
                           fmt::format("{:.0f}", std::max(1.0, of.calls)), time_words(of.per_step), longest_call,
                           longest);
            if (once && beside_first_use)
                return "The host allocates or frees GPU memory: %1 beside the first uses, the longest %2 %3 of that"_text(
                    time_words(of.per_step), longest_call, longest);
            return once ? "The host allocates or frees GPU memory: %1, the longest %2 of %3"_text(on_average(c, of),
                                                                                                  longest_call, longest)
                        : "The host allocates or frees GPU memory, but not in every step: %1, the longest %2 of "
                          "%3"_text(on_average(c, of), longest_call, longest);
        },
        faults);
    // Who uses a library for the first time fills its memory for the first time as well.
    if (faults.size() > told) {
        faults.back().no_fault = once && beside_first_use;
        faults.back().beside_first_use = beside_first_use;
    }
}

} // namespace

std::vector<HostFault> faults_of_host_calls(const FindingContext& c, const FirstUses& first) {
    std::vector<HostFault> faults;
    add_host_fault(
        c, times_of_kind(c, first, NodeKind::data_loading, false), FindingCode::data_loading,
        [&c](const HostAmounts& of) {
            return "Loading data takes the host %1, and the GPU waits for it"_text(
                of.usual > 0 ? "%1 instead of %2"_text(per_step_words(c, of.per_step, of.only_in), time_words(of.usual))
                             : on_average(c, of));
        },
        faults);
    add_host_fault(
        c, times_of_kind(c, first, NodeKind::garbage_collection, false), FindingCode::garbage_collection,
        [&c](const HostAmounts& of) {
            return "Python's garbage collection stops the host for %1"_text(per_step_words(c, of.per_step, of.only_in));
        },
        faults);
    add_allocation_fault(c, first, faults);
    return faults;
}

} // namespace rankscope
