// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of GPUs over the lanes.
#include "widgets/timeline/error_marks.h"

#include <algorithm>
#include <cmath>

#include "widgets/language.h"
#include "widgets/palette.h"
#include "widgets/time_text.h"
#include "widgets/timeline/strips_painted.h"

namespace rankscope {
namespace {

constexpr int kErrorFlag = 10; // columns that a flag takes; lines that are closer are ticks only
constexpr int kErrorTick = 3;  // its height
constexpr int kReach = 4;      // of the pointer, columns

bool isOfGpu(const LaneStrip& strip) { return strip.group == LaneGroup::streams || strip.group == LaneGroup::counters; }

} // namespace

std::vector<ErrorMark> errorMarks(const TimelineScene& scene, std::size_t rankIndex) {
    std::vector<ErrorMark> marks;
    if (!scene.run || rankIndex >= scene.gpuErrors.size())
        return marks;
    const std::vector<std::uint32_t>& errors = scene.gpuErrors[rankIndex];
    const TimeAxis axis = scene.axis();
    const auto timeOf = [&](std::uint32_t error) { return scene.run->gpu_errors[error].time; };
    const auto isBefore = [&](TimeNs time) { return [&timeOf, time](std::uint32_t e) { return timeOf(e) < time; }; };
    auto at = std::partition_point(errors.begin(), errors.end(), isBefore(axis.visible.begin));
    while (at != errors.end() && timeOf(*at) < axis.visible.end) {
        const double column = axis.columnOf(timeOf(*at));
        const auto next = std::partition_point(at + 1, errors.end(), isBefore(axis.columnBegin(column + 1)));
        marks.push_back({static_cast<int>(column), *at, static_cast<std::size_t>(next - at)});
        at = next;
    }
    return marks;
}

const LaneStrip* stripOfErrors(const TimelineScene& scene, std::size_t rankIndex) {
    if (rankIndex < scene.layout.stripsOfRank.size())
        for (const std::uint32_t place : scene.layout.stripsOfRank[rankIndex])
            if (isOfGpu(scene.layout.strips[place]))
                return &scene.layout.strips[place];
    return nullptr;
}

QRect errorRect(const TimelineScene& scene, std::size_t rankIndex, std::uint32_t error) {
    const LaneStrip* strip = stripOfErrors(scene, rankIndex);
    const double column = scene.axis().columnOf(scene.run->gpu_errors[error].time);
    return strip == nullptr ? QRect() : QRect(static_cast<int>(column), scene.viewY(strip->top), 2, strip->height);
}

QStringList errorLines(const TimelineScene& scene, std::size_t rankIndex, std::uint32_t error, std::size_t more) {
    const GpuError& found = scene.run->gpu_errors[error];
    QStringList lines{ErrorMarks::tr("GPU error: %1").arg(messageText(gpu_error_words(found.kind, found.xid)))};
    if (more > 0)
        lines << ErrorMarks::tr("%1 more at this place", nullptr, plural(static_cast<std::int64_t>(more)))
                     .arg(groupedNumber(static_cast<std::int64_t>(more)));
    return lines << ErrorMarks::tr("rank %1 · kernel log · at %2")
                        .arg(scene.run->ranks[rankIndex]->rank)
                        .arg(timePointText(found.time - scene.run->span.begin));
}

QStringList errorLinesAt(const TimelineScene& scene, QPointF point) {
    if (!scene.run || !QRectF(QPointF(), QSizeF(scene.size)).contains(point))
        return {};
    const LaneStrip* strip = scene.layout.stripAt(scene.layoutY(static_cast<int>(point.y())));
    if (strip == nullptr || !isOfGpu(*strip))
        return {};
    const auto rank = static_cast<std::size_t>(strip->rankIndex);
    const auto away = [&](const ErrorMark& mark) { return std::abs(mark.column - static_cast<int>(point.x())); };
    std::size_t near = 0;
    const ErrorMark* nearest = nullptr;
    const std::vector<ErrorMark> marks = errorMarks(scene, rank);
    for (const ErrorMark& mark : marks)
        if (away(mark) <= kReach) {
            near += mark.errors;
            if (nearest == nullptr || away(mark) < away(*nearest))
                nearest = &mark;
        }
    return nearest == nullptr ? QStringList() : errorLines(scene, rank, nearest->error, near - 1);
}

ErrorMarks::ErrorMarks(QCustomPlot* plot, const TimelineScene& scene) : SceneLayer(plot, scene, Above::slices) {}

void ErrorMarks::draw(QCPPainter* painter) {
    if (scene().run && !scene().run->gpu_errors.empty() && !scene().size.isEmpty())
        paintStripsInView(
            *painter, scene(), [&](const LaneStrip& strip) { drawStrip(*painter, strip); });
}

void ErrorMarks::drawStrip(QCPPainter& painter, const LaneStrip& strip) const {
    if (!isOfGpu(strip))
        return;
    const auto rank = static_cast<std::size_t>(strip.rankIndex);
    const bool flags = stripOfErrors(scene(), rank) == &strip;
    const QColor colour = hue(Hue::marker, isDark(scene().palette));
    const int top = scene().viewY(strip.top);
    int flagged = -kErrorFlag;
    for (const ErrorMark& mark : errorMarks(scene(), rank)) {
        const int x = mark.column;
        if (x < flagged + kErrorFlag) { // a storm of corrected errors leaves the slices in view
            if (flags)
                painter.fillRect(QRect(x, top, 1, kErrorTick), colour);
            continue;
        }
        flagged = x;
        painter.fillRect(QRect(x, top, 2, strip.height), colour);
        if (!flags)
            continue;
        painter.setPen(scene().palette.color(QPalette::Base));
        painter.setBrush(colour);
        painter.drawPolygon(
            QPolygon({QPoint(x - 5, top), QPoint(x + 6, top), QPoint(x + 1, top + 8), QPoint(x, top + 8)}));
    }
}

} // namespace rankscope
