// SPDX-License-Identifier: GPL-3.0-or-later
// The selected event's connections as curves.
#include "widgets/timeline/flow_overlay.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "widgets/palette.h"

namespace rankscope {
namespace {

constexpr double kOutside = 400; // pixels beyond the view that a curve may reach

struct End {
    QPointF point;
    bool folded = false;
};

std::optional<End> endAt(const TimelineScene& scene, EventPlace place, TimeNs time) {
    const LaneStrip* strip = scene.stripFor(place.rank, place.event);
    if (strip == nullptr)
        return {};
    const RankTrace& trace = *scene.run->ranks[place.rank];
    const bool own = !strip->isSummary() && strip->rows.front() == trace.row_of(place.event);
    const TimeAxis axis = scene.axis();
    return End{{std::clamp(axis.pixelOf(time), -kOutside, axis.width + kOutside),
                scene.viewY(strip->top) + strip->height / 2.0},
               !own};
}

QPen penOf(FlowKind kind, const TimelineScene& scene) {
    const bool dark = isDark(scene.palette);
    QPen pen(scene.palette.color(QPalette::Text), 1.4);
    switch (kind) {
    case FlowKind::op: pen.setStyle(Qt::DotLine); break;
    case FlowKind::launch: break;
    case FlowKind::backward: pen.setStyle(Qt::DashLine); break;
    case FlowKind::message: pen = QPen(hue(Hue::marker, dark), 2, Qt::DashDotLine); break;
    case FlowKind::collective: pen = QPen(hue(Hue::marker, dark), 2); break;
    }
    return pen;
}

} // namespace

QPainterPath FlowLine::path() const {
    // Level ends leave and arrive horizontally; ends nearly above each other vertically.
    const QPointF way = to - from;
    QPainterPath curve(from);
    if (std::abs(way.x()) > 40)
        curve.cubicTo(from + QPointF(way.x() / 2, 0), to - QPointF(way.x() / 2, 0), to);
    else
        curve.cubicTo(from + QPointF(0, way.y() / 2), to - QPointF(0, way.y() / 2), to);
    return curve;
}

std::vector<FlowLine> flowLines(const TimelineScene& scene) {
    std::vector<FlowLine> lines;
    if (!scene.run)
        return lines;
    for (const FlowLink& link : scene.flows.links) {
        const auto start = [&](EventPlace place) { return scene.run->ranks[place.rank]->events.start[place.event]; };
        // A call starts inside its operator: the line goes straight down.
        const auto from = endAt(scene, link.from, link.kind == FlowKind::op ? start(link.to) : start(link.from));
        const auto to = endAt(scene, link.to, start(link.to));
        if (from && to)
            lines.push_back({link.kind, from->point, to->point, from->folded, to->folded});
    }
    return lines;
}

FlowOverlay::FlowOverlay(QCustomPlot* plot, const TimelineScene& scene) : SceneLayer(plot, scene, Above::pointer) {}

void FlowOverlay::applyDefaultAntialiasingHint(QCPPainter* painter) const { painter->setAntialiasing(true); }

void FlowOverlay::draw(QCPPainter* painter) {
    const QColor base = scene().palette.color(QPalette::Base);
    painter->setRenderHint(QPainter::Antialiasing, true);
    for (const FlowLine& line : flowLines(scene())) {
        const QPen pen = penOf(line.kind, scene());
        const QPainterPath path = line.path();
        painter->setBrush(Qt::NoBrush);
        QColor halo = base;
        halo.setAlphaF(0.7F);
        painter->setPen(QPen(halo, pen.widthF() + 2.5));
        painter->drawPath(path);
        painter->setPen(pen);
        painter->drawPath(path);
        painter->setPen(QPen(pen.color(), 1.4));
        // Folded away: an open ring stands for what is not shown.
        painter->setBrush(base);
        if (line.fromFolded)
            painter->drawEllipse(line.from, 3.5, 3.5);
        if (line.toFolded)
            painter->drawEllipse(line.to, 3.5, 3.5);
        if (line.kind == FlowKind::collective) {
            painter->setBrush(pen.color());
            painter->drawEllipse(line.from, 2.5, 2.5);
            painter->drawEllipse(line.to, 2.5, 2.5);
        } else if (!line.toFolded) {
            const double angle = qDegreesToRadians(-path.angleAtPercent(0.97));
            const auto wing = [&](double turn) {
                return line.to - 8 * QPointF(std::cos(angle + turn), std::sin(angle + turn));
            };
            painter->setBrush(pen.color());
            painter->drawPolygon(QPolygonF({line.to, wing(0.45), wing(-0.45)}));
        }
    }
    painter->setRenderHint(QPainter::Antialiasing, false);
}

} // namespace rankscope
