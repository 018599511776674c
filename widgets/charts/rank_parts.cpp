// SPDX-License-Identifier: GPL-3.0-or-later
// The parts a rank's time is divided into.
#include "widgets/charts/rank_parts.h"

#include <algorithm>
#include <numeric>
#include <span>

#include <QCoreApplication>

namespace rankscope {
namespace {

struct PartTexts {
    Q_DECLARE_TR_FUNCTIONS(PartTexts)
};

struct PartText {
    const char* label;
    const char* definition;
    Hue hue = Hue::other;
};

/// By RankPart.
constexpr std::array<PartText, kRankPartCount> kParts = {{
    {QT_TRANSLATE_NOOP("PartTexts", "Compute only"),
     QT_TRANSLATE_NOOP("PartTexts", "A computing kernel or a memory set runs, and no communication."), Hue::compute},
    {QT_TRANSLATE_NOOP("PartTexts", "Overlapped"),
     QT_TRANSLATE_NOOP("PartTexts", "Communication runs hidden behind computing kernels."), Hue::overlap},
    {QT_TRANSLATE_NOOP("PartTexts", "Communication and waiting"),
     QT_TRANSLATE_NOOP("PartTexts",
                       "Communication runs and nothing computes: the GPU waits for the network or for other ranks."),
     Hue::communication},
    {QT_TRANSLATE_NOOP("PartTexts", "Memory copy"),
     QT_TRANSLATE_NOOP("PartTexts", "A memory copy runs, and neither compute nor communication."), Hue::memory},
    {QT_TRANSLATE_NOOP("PartTexts", "Idle"),
     QT_TRANSLATE_NOOP("PartTexts", "Nothing runs on the GPU between its first and its last event."), Hue::idle},
}};

const PartText& textOf(RankPart part) { return kParts[static_cast<std::size_t>(part)]; }

} // namespace

QString rankPartLabel(RankPart part) { return PartTexts::tr(textOf(part).label); }
QString rankPartDefinition(RankPart part) { return PartTexts::tr(textOf(part).definition); }
Hue rankPartHue(RankPart part) { return textOf(part).hue; }

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
