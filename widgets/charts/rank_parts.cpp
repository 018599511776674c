// SPDX-License-Identifier: GPL-3.0-or-later
// The parts a rank's time is divided into.
#include "widgets/charts/rank_parts.h"

#include <algorithm>
#include <numeric>

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

QString rankPartLabel(RankPart part) {
    switch (part) {
    case RankPart::compute:
        return u"Compute only"_s;
    case RankPart::overlap:
        return u"Overlapped"_s;
    case RankPart::communication:
        return u"Exposed communication"_s;
    case RankPart::memoryCopy:
        return u"Memory copy"_s;
    case RankPart::idle:
        return u"Idle"_s;
    }
    return {};
}

QString rankPartDefinition(RankPart part) {
    switch (part) {
    case RankPart::compute:
        return u"A computing kernel or a memory set runs, and no communication."_s;
    case RankPart::overlap:
        return u"Communication runs hidden behind computing kernels."_s;
    case RankPart::communication:
        return u"Communication runs and nothing computes: the GPU waits for the network or for other ranks."_s;
    case RankPart::memoryCopy:
        return u"A memory copy runs, and neither compute nor communication."_s;
    case RankPart::idle:
        return u"Nothing runs on the GPU between its first and its last event."_s;
    }
    return {};
}

Hue rankPartHue(RankPart part) {
    switch (part) {
    case RankPart::compute:
        return Hue::compute;
    case RankPart::overlap:
        return Hue::overlap;
    case RankPart::communication:
        return Hue::communication;
    case RankPart::memoryCopy:
        return Hue::memory;
    case RankPart::idle:
        return Hue::idle;
    }
    return Hue::other;
}

double RankShare::percent(RankPart which) const {
    return total > 0 ? 100.0 * static_cast<double>(part(which)) / static_cast<double>(total) : 0.0;
}

RankShare rankShare(const RankAnalysis& rank) {
    const GpuTimeline& t = rank.timeline;
    return {
        rank.trace->rank, {t.computation - t.overlap, t.overlap, t.exposed_comm, t.exposed_memcpy, t.idle}, t.total};
}

std::vector<RankShare> rankShares(const RunAnalysis& analysis) {
    std::vector<RankShare> shares;
    for (const RankAnalysis& rank : analysis.ranks())
        shares.push_back(rankShare(rank));
    return shares;
}

std::vector<std::size_t> rankOrder(std::span<const RankShare> shares, const RankOrder& order, bool percent) {
    std::vector<std::size_t> positions(shares.size());
    std::iota(positions.begin(), positions.end(), std::size_t{0});
    const auto key = [&](std::size_t i) {
        if (!order.part)
            return static_cast<double>(shares[i].rank);
        return percent ? shares[i].percent(*order.part) : static_cast<double>(shares[i].part(*order.part));
    };
    std::ranges::stable_sort(
        positions, [&](std::size_t a, std::size_t b) { return order.descending ? key(a) > key(b) : key(a) < key(b); });
    return positions;
}

} // namespace rankscope
