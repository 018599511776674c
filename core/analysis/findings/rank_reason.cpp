// SPDX-License-Identifier: GPL-3.0-or-later
// Why a rank is slower than its peers.
#include "core/analysis/findings/rank_reason.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>

#include <fmt/format.h>

#include "core/analysis/facts/fact_words.h"
#include "core/analysis/findings/host_named.h"
#include "core/analysis/findings/unlike_peers.h"
#include "core/base/text.h"

namespace rankscope {
namespace {

constexpr double kMoreBytes = 1.05; ///< times the peers': copies of more

Message kernels_reason(const KernelRatio& ratio, Finding& finding) {
    finding.facts.push_back({FactName::kernel_ratio, ratio.ratio, {}});
    finding.facts.push_back({FactName::kernel_kind, 0, ratio.kind});
    finding.facts.push_back({FactName::kernel, 0, ratio.name});
    finding.facts.push_back({FactName::kernels, static_cast<double>(ratio.kernels), {}});
    const Message kind = kernel_kind_words(ratio.kind);
    const std::string times = fmt::format("{:.2f}", ratio.ratio);
    const Message longer =
        ratio.alone ? "its %1 kernels take %2× its peers' where no communication runs beside them"_text(kind, times)
                    : "its %1 kernels take %2× its peers'"_text(kind, times);
    return ratio.alike ? "%1, and its other kernels too"_text(longer) : longer;
}

/// time: longer than its peers'.
Message copies_reason(const FindingContext& c, const RankReason& own, const Message& time, Finding& finding) {
    const bool sets = std::ranges::any_of(
        own.excess.largest, [&](const auto& each) { return c.graph.kind[each.second] == NodeKind::memory_set; });
    const std::uint32_t longest = own.excess.largest.front().second;
    finding.facts.push_back(
        {FactName::copy, 0, std::string(c.inputs.run.ranks[own.rank]->event_name(c.graph.event[longest]))});
    const double bytes = bytes_of_peers(c, own.rank, own.only_in);
    if (bytes > 0)
        finding.facts.push_back({FactName::bytes_ratio, bytes, {}});
    if (sets)
        return "its memory copies and sets take %1 longer than its peers'"_text(time);
    return bytes > kMoreBytes ? "its memory copies move %1× the bytes of its peers' and take %2 longer"_text(
                                    fmt::format("{:.2f}", bytes), time)
                              : "its memory copies take %1 longer than its peers'"_text(time);
}

/// "840 µs a step", of the steps in which it is there.
Message excess_words(const FindingContext& c, double per_step, const RankReason& own) {
    return c.recorded_once() ? Message(time_words(per_step)) : per_step_words(c, per_step, own.only_in);
}

/// per_step: ns. nodes: pieces of work, of a step.
Message more_kernels_reason(const FindingContext& c, const RankReason& own, double per_step, double nodes,
                            Finding& finding) {
    const auto any = [&](NodeKind kind) {
        return std::ranges::any_of(own.excess.largest,
                                   [&](const auto& one) { return c.graph.kind[one.second] == kind; });
    };
    const bool copies = any(NodeKind::memory_copy) && !any(NodeKind::compute);
    finding.only_copies = copies;
    finding.facts.push_back({FactName::surplus_events_per_step, nodes, {}});
    finding.facts.push_back({FactName::surplus, 0, copies ? "copies" : "kernels"});
    // Not the host's time for their launches.
    const double on_gpu = per_step * static_cast<double>(own.excess.on_gpu) / static_cast<double>(own.excess.total);
    const Message gpu_time = excess_words(c, on_gpu, own);
    if (is_more_of_the_same(c, own.rank, own.only_in))
        return copies ? "it makes more copies than its peers: %1"_text(gpu_time)
                      : "it runs more kernels than its peers: %1"_text(gpu_time);
    return copies ? "it makes copies that its peers do not make: %1"_text(gpu_time)
                  : "it runs kernels that its peers do not have: %1"_text(gpu_time);
}

Message host_reason(const FindingContext& c, const RankReason& own, const Message& time, Finding& finding) {
    const Message longer = "its host takes %1 longer between launches than its peers'"_text(time);
    const HostNamed host = name_host_time(c, std::span(&own.rank, 1), own.only_in); // while its GPU waits
    if (host.longest.event == kNoEvent || 2 * host.named < host.launching + host.other)
        return longer;
    finding.facts.push_back({FactName::host_is_in, 0, host.name});
    finding.events.push_back(host.longest);
    return "%1, mostly in %2"_text(longer, shortened(terminal_safe(host.name), kWidthOfName));
}

} // namespace

Message reason_words(const FindingContext& c, OwnCause cause, const RankReason& own, Finding& finding) {
    const RankExcess& excess = own.excess;
    const auto all_nodes =
        static_cast<double>(std::accumulate(excess.nodes.begin(), excess.nodes.end(), std::int64_t{0}));
    double per_step = static_cast<double>(excess.total) / static_cast<double>(c.steps);
    finding.facts.push_back({FactName::excess_us_per_step, per_step / 1000, {}});
    const std::size_t steps = own.only_in.empty() ? c.steps : own.only_in.size();
    double nodes = all_nodes / static_cast<double>(steps); // of a step
    if (!own.only_in.empty()) {
        const auto of_steps = [&](const auto& values) {
            double sum = 0;
            for (const auto& [number, value] : by_step_number(c, values))
                sum += own.only_in.contains(number) ? value : 0;
            return sum / static_cast<double>(steps);
        };
        per_step = of_steps(excess.by_step);
        nodes = of_steps(excess.nodes);
        finding.facts.push_back({FactName::excess_us_per_affected_step, per_step / 1000, {}});
    }
    const Message time = excess_words(c, per_step, own);
    switch (cause) {
    case OwnCause::slower_kernels: return kernels_reason(own.kernels, finding);
    case OwnCause::slower_copies:
        finding.facts.push_back({FactName::copies, all_nodes, {}});
        return copies_reason(c, own, time, finding);
    case OwnCause::more_kernels: return more_kernels_reason(c, own, per_step, nodes, finding);
    case OwnCause::host_bound:
        finding.facts.push_back({FactName::launches_per_step, nodes, {}});
        return host_reason(c, own, time, finding);
    case OwnCause::data_loading: return "it waits %1 longer for data than its peers"_text(time);
    case OwnCause::garbage_collection:
        finding.facts.push_back({FactName::collections, all_nodes, {}});
        return "Python's garbage collection stops it for %1"_text(time);
    case OwnCause::synchronisation:
        finding.facts.push_back({FactName::calls, all_nodes, {}});
        return "its host waits for the GPU %1 where its peers do not"_text(times_words(c, nodes, own.only_in));
    case OwnCause::allocation:
        finding.facts.push_back({FactName::calls, all_nodes, {}});
        return "it allocates GPU memory for %1"_text(time);
    case OwnCause::late_start:
        finding.facts.push_back({FactName::begins_later_us, static_cast<double>(excess.total) / 1000, {}});
        return "its first step starts %1 after its peers', for a reason from before the recording"_text(
            time_words(static_cast<double>(excess.total)));
    }
    return {};
}

} // namespace rankscope
