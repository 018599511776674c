// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings/finding_hardware.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/facts/hardware_facts.h"
#include "core/base/statistics.h"
#include "core/trace/held_values.h"

namespace rankscope {
namespace {

using Q = HardwareQuantity;

HeldValues held(const RankTrace& rank, Q quantity) { return HeldValues(hardware_samples(rank, quantity)); }

/// Median of what the rank's peers run at; 0 where no log tells.
double clock_of_peers(const FindingContext& c, std::uint32_t rank, std::span<const std::uint32_t> others) {
    std::vector<double> clocks;
    for (std::uint32_t r = 0; r < c.inputs.run.ranks.size(); ++r)
        if (r != rank && c.peers.peer_class[r] == c.peers.peer_class[rank] &&
            std::ranges::find(others, r) == others.end())
            if (const auto clock = held(*c.inputs.run.ranks[r], Q::sm_clock).mean(c.inputs.run.ranks[r]->gpu_span))
                clocks.push_back(*clock);
    return clocks.empty() ? 0 : middle_median(std::move(clocks));
}

/// What the log has of the time in which these kernels ran.
struct AtKernels {
    double known = 0;     ///< share of the kernels' expected time of which the clock is known
    double explained = 1; ///< times the expected time, if all of it depends on the clock
    double clock = 0;     ///< mean, MHz
};

AtKernels clocks_at(const FindingContext& c, std::uint32_t rank, std::span<const std::uint32_t> kernels,
                    double of_peers) {
    const RankTrace& trace = *c.inputs.run.ranks[rank];
    const HeldValues clocks = held(trace, Q::sm_clock);
    double all = 0, known = 0, explained = 0, weighted = 0;
    for (const std::uint32_t n : kernels) {
        const auto expected = static_cast<double>(c.peers.expected[n]);
        const EventIndex event = c.graph.event[n];
        all += expected;
        const auto clock = clocks.at(trace.events.start[event] + trace.events.duration[event] / 2);
        if (!clock || *clock <= 0)
            continue;
        known += expected;
        explained += expected * of_peers / *clock;
        weighted += expected * *clock;
    }
    return known > 0 ? AtKernels{known / all, explained / known, weighted / known} : AtKernels{};
}

/// By what the clock is held back while these kernels run; empty where the log does not tell.
Message held_back_by(const RankTrace& trace, std::span<const std::uint32_t> kernels, const StepGraph& graph) {
    const auto share = [&](Q quantity) {
        const HeldValues values = held(trace, quantity);
        double sum = 0;
        std::size_t known = 0;
        for (const std::uint32_t n : kernels)
            if (const auto value = values.at(trace.events.start[graph.event[n]])) {
                sum += *value;
                ++known;
            }
        return known > 0 ? sum / static_cast<double>(known) : 0;
    };
    if (share(Q::limited_by_heat) >= kHeldBack)
        return " (temperature limit)"_text();
    if (share(Q::limited_by_power) >= kHeldBack)
        return " (power limit)"_text();
    if (share(Q::slowed_down) >= kHeldBack)
        return " (slowed down by the hardware)"_text();
    return share(Q::limited_by_setting) >= kHeldBack ? " (clocks that were set)"_text() : Message();
}

} // namespace

Message clock_reason(const FindingContext& context, std::uint32_t rank, std::span<const std::uint32_t> kernels,
                     double ratio, std::span<const std::uint32_t> others, Finding& finding) {
    constexpr double kSameClock = 1.01; // times: no more than clocks vary by themselves
    constexpr double kMostKnown = 0.5;  // of the kernels' time
    constexpr double kAllOfIt = 1.02;   // times
    const double of_peers = clock_of_peers(context, rank, others);
    if (of_peers <= 0)
        return {};
    const AtKernels at = clocks_at(context, rank, kernels, of_peers);
    if (at.known < kMostKnown)
        return {};
    finding.facts.push_back({FactName::sm_clock_mhz, at.clock, {}});
    finding.facts.push_back({FactName::sm_clock_of_peers_mhz, of_peers, {}});
    const std::string own = fmt::format("{:.0f}", at.clock);
    const std::string theirs = fmt::format("{:.0f}", of_peers);
    if (at.explained < kSameClock)
        return "; its GPU's clock is not the reason: %1 MHz, %2 on its peers"_text(own, theirs);
    finding.facts.push_back({FactName::explained_by_clock_ratio, at.explained, {}});
    const Message limit = held_back_by(*context.inputs.run.ranks[rank], kernels, context.graph);
    const std::string explained = fmt::format("{:.2f}", at.explained);
    if (at.explained > ratio * kAllOfIt)
        return "; its GPU runs at %1 instead of %2 MHz%3, which explains all of it: work that only depends on the "
               "clock "
               "would take %4×"_text(own, theirs, limit, explained);
    return "; its GPU runs at %1 instead of %2 MHz%3: that explains %4 of the %5"_text(own, theirs, limit, explained,
                                                                                       fmt::format("{:.2f}", ratio));
}

} // namespace rankscope
