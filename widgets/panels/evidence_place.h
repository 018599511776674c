// SPDX-License-Identifier: GPL-3.0-or-later
// Where the numbers of the overview lead to: the screen or the part of the timeline that shows where they come from.
#pragma once
#include <string_view>

#include <QString>

namespace rankscope {

// Places that are no screen of their own.
inline constexpr auto kStretchPlace = "stretch"; ///< evidence_of() the metric, in the timeline
inline constexpr auto kIdlePlace = "idle";       ///< the timeline, with what the GPU waits for
inline constexpr auto kFactorsPlace = "factors"; ///< the factors of parallel efficiency, further down
inline constexpr auto kRankPlace = "rank";       ///< "rank 3": its lanes in the timeline

/// Of a metric, or of a part of the GPU time ("exposed_communication", "idle", "computation"): one of the places above
/// or the id of a screen. Empty: nothing shows it.
QString placeOfMetric(std::string_view metric);

} // namespace rankscope
