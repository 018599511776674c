// SPDX-License-Identifier: GPL-3.0-or-later
// The parts a rank's time is divided into, in the order they are stacked; together they are the whole.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <vector>

#include <QString>

#include "core/run/run_analysis.h"
#include "widgets/palette.h"

namespace rankscope {

enum class RankPart : std::uint8_t { compute, overlap, communication, memoryCopy, idle };
inline constexpr std::size_t kRankPartCount = 5;
inline constexpr std::array<RankPart, kRankPartCount> kRankParts = {
    RankPart::compute, RankPart::overlap, RankPart::communication, RankPart::memoryCopy, RankPart::idle};

QString rankPartLabel(RankPart part);      ///< "Compute only", "Overlapped" ...
QString rankPartDefinition(RankPart part); ///< one sentence for tooltips
Hue rankPartHue(RankPart part);

/// One rank's bar.
struct RankShare {
    int rank = 0;
    std::array<TimeNs, kRankPartCount> parts{};
    TimeNs total = 0;

    [[nodiscard]] TimeNs part(RankPart which) const { return parts[static_cast<std::size_t>(which)]; }
    [[nodiscard]] double percent(RankPart which) const;
};

RankShare rankShare(const RankAnalysis& rank);
std::vector<RankShare> rankShares(const RunAnalysis& analysis);

/// What bars and table are sorted by; no part: the rank's number.
struct RankOrder {
    std::optional<RankPart> part;
    bool descending = false;
    friend bool operator==(const RankOrder&, const RankOrder&) = default;
};
/// Positions of the shares in that order; ties by rank. In per cent when percent is set.
std::vector<std::size_t> rankOrder(std::span<const RankShare> shares, const RankOrder& order, bool percent);

} // namespace rankscope
