// SPDX-License-Identifier: GPL-3.0-or-later
// What can be drawn over the lanes, once: drawing, legend, commands and sessions read this table.
#pragma once
#include <functional>
#include <vector>

#include <QBrush>
#include <QCoreApplication>
#include <QString>

#include "widgets/timeline/lanes_plot.h"

namespace rankscope {

/// Ids that others name.
inline constexpr QLatin1StringView kLagOverlay{"straggler_lag"};
inline constexpr QLatin1StringView kBubblesOverlay{"bubbles"};
inline constexpr QLatin1StringView kIdleOverlay{"idle_causes"};
inline constexpr QLatin1StringView kPathOverlay{"critical_path"};

/// A pattern, and its word in the legend.
struct OverlaySwatch {
    QBrush brush;
    QString label;
};

struct OverlayEntry {
    QString id;      ///< "idle_causes": in sessions
    QString title;   ///< "Idle causes"
    QString command; ///< "overlay-idle"
    Qt::Key key;
    int level; ///< drawn over those of lower levels
    std::function<std::vector<OverlaySwatch>(const QPalette&)> swatches = {};
    /// Why there is nothing to see in these marks; empty: there is.
    std::function<QString(const MarkedSpans&)> obstacle = {};
    /// What it shows; paths: whether the critical path is known.
    std::function<QString(bool paths)> explanation = {};
    /// Over a strip of lanes; area: the strip in the view. Marks and paths are there only when they are computed.
    std::function<void(QPainter&, const TimelineScene&, const LaneStrip&, const QRect& area)> draw = {};
    /// Over all strips, after them.
    std::function<void(QPainter&, const TimelineScene&)> drawAcross = {};
    bool needsPaths = false; ///< the critical path is looked for when it is shown
};

/// The overlays' words.
struct OverlayTexts {
    Q_DECLARE_TR_FUNCTIONS(OverlayTexts)
};

/// In the order of the legend's buttons.
const std::vector<OverlayEntry>& overlayEntries();
/// nullptr: no such overlay.
const OverlayEntry* overlayEntry(const QString& id);

} // namespace rankscope
