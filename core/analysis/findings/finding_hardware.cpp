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

/// The clocks of a rank's peers that a log tells.
class PeerClocks {
public:
    PeerClocks(const FindingContext& c, std::uint32_t rank, std::span<const std::uint32_t> others)
        : clock_(c.graph.clock) {
        for (std::uint32_t r = 0; r < c.inputs.run.ranks.size(); ++r)
            if (r != rank && c.peers.peer_class[r] == c.peers.peer_class[rank] &&
                std::ranges::find(others, r) == others.end())
                if (HeldValues clocks = held(*c.inputs.run.ranks[r], Q::sm_clock);
                    clocks.mean(c.inputs.run.ranks[r]->gpu_span))
                    clocks_.emplace_back(r, std::move(clocks));
    }
    /// Their median at one moment, MHz.
    [[nodiscard]] std::optional<double> at(TimeNs aligned) const {
        std::vector<double> known;
        for (const auto& [rank, clocks] : clocks_)
            if (const auto clock = clocks.at(clock_.recorded(rank, aligned)); clock && *clock > 0)
                known.push_back(*clock);
        return known.empty() ? std::nullopt : std::optional(middle_median(std::move(known)));
    }

private:
    const ClockAlignment& clock_;
    std::vector<std::pair<std::uint32_t, HeldValues>> clocks_;
};

/// What the logs have of the time in which these kernels ran.
struct AtKernels {
    double known = 0;     ///< share of the kernels' expected time of which the clocks are known
    double explained = 1; ///< times the expected time, if all of it depends on the clock
    double clock = 0;     ///< mean, MHz
    double of_peers = 0;  ///< likewise, of their median at the same moments
};

AtKernels clocks_at(const FindingContext& c, std::uint32_t rank, std::span<const std::uint32_t> kernels,
                    const PeerClocks& peers) {
    const RankTrace& trace = *c.inputs.run.ranks[rank];
    const HeldValues clocks = held(trace, Q::sm_clock);
    if (!clocks.mean(trace.gpu_span))
        return {};
    AtKernels sum{0, 0, 0, 0};
    double all = 0;
    for (const std::uint32_t n : kernels) {
        const auto expected = static_cast<double>(c.peers.expected[n]);
        const EventIndex event = c.graph.event[n];
        all += expected;
        const TimeNs middle = trace.events.start[event] + trace.events.duration[event] / 2;
        const auto clock = clocks.at(middle);
        const auto of_peers = peers.at(c.graph.clock.aligned(rank, middle));
        if (!clock || *clock <= 0 || !of_peers)
            continue;
        sum.known += expected;
        sum.explained += expected * *of_peers / *clock;
        sum.clock += expected * *clock;
        sum.of_peers += expected * *of_peers;
    }
    if (sum.known <= 0)
        return {};
    return {sum.known / all, sum.explained / sum.known, sum.clock / sum.known, sum.of_peers / sum.known};
}

/// By what the clock is held back while these kernels run; empty where the log does not tell.
Message held_back_by(const RankTrace& trace, std::span<const std::uint32_t> kernels, const StepGraph& graph) {
    const auto share = [&](Q quantity) {
        const HeldValues values = held(trace, quantity);
        if (!values.mean(trace.gpu_span))
            return 0.0;
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
    if (share(Q::limited_by_brake) >= kHeldBack)
        return " (power brake)"_text();
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
    const AtKernels at = clocks_at(context, rank, kernels, PeerClocks(context, rank, others));
    if (at.known < kMostKnown)
        return {};
    finding.facts.push_back({FactName::sm_clock_mhz, at.clock, {}});
    finding.facts.push_back({FactName::sm_clock_of_peers_mhz, at.of_peers, {}});
    const std::string own = fmt::format("{:.0f}", at.clock);
    const std::string theirs = fmt::format("{:.0f}", at.of_peers);
    if (at.explained < 1 / kSameClock) // its peers should be the slower ones
        return "; by the log its GPU's clock is not the reason, %1 MHz and %2 on its peers, unless "
               "the log counts GPUs in another order"_text(own, theirs);
    if (at.explained < kSameClock)
        return "; its GPU's clock is not the reason: %1 MHz, %2 on its peers"_text(own, theirs);
    finding.facts.push_back({FactName::explained_by_clock_ratio, at.explained, {}});
    const Message limit = held_back_by(*context.inputs.run.ranks[rank], kernels, context.graph);
    const std::string explained = fmt::format("{:.2f}", at.explained);
    if (at.explained > ratio * kAllOfIt)
        return "; its GPU runs at %1 instead of %2 MHz%3, which explains all of it: work that only depends on the "
               "clock would take %4×"_text(own, theirs, limit, explained);
    return "; its GPU runs at %1 instead of %2 MHz%3: that explains %4 of the %5"_text(own, theirs, limit, explained,
                                                                                       fmt::format("{:.2f}", ratio));
}

} // namespace rankscope
