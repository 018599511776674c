// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the visible lanes.
#include "widgets/timeline/slice_painter.h"

#include <algorithm>
#include <cstring>
#include <map>

#include <QPainter>
#include <tbb/parallel_for.h>

#include "widgets/palette.h"
#include "widgets/timeline/time_ruler.h"

namespace rankscope {
namespace {

/// Narrower slices have no label, logical pixels.
constexpr double kLabelled = 36;
constexpr double kLabelMargin = 4;

QRgb mixed(const QColor& over, const QColor& under, double share) {
    const auto channel = [&](int a, int b) { return static_cast<int>(std::lround(a * share + b * (1 - share))); };
    return qRgb(channel(over.red(), under.red()), channel(over.green(), under.green()), channel(over.blue(), under.blue()));
}

} // namespace

void SlicePainter::chooseColours(const QPalette& palette) {
    const bool dark = isDark(palette);
    const QColor base = palette.color(QPalette::Base);
    const QColor text = palette.color(QPalette::Text);
    base_ = base.rgb();
    band_ = mixed(text, base, dark ? 0.06 : 0.035);
    gridLine_ = mixed(text, base, dark ? 0.10 : 0.08);
    stepLine_ = mixed(text, base, 0.35);
    rankLine_ = mixed(text, base, 0.22);
    counter_ = mixed(hue(Hue::annotation, dark), base, dark ? 0.55 : 0.45);
    counterPeak_ = mixed(hue(Hue::annotation, dark), base, 1);
    for (std::size_t c = 0; c < kSliceClassCount; ++c) {
        const QColor colour = hueOf(static_cast<SliceClass>(c), dark);
        colours_[c] = colour.rgb();
        edges_[c] = mixed(colour, base, 0.45);
        texts_[c] = textOn(colour);
    }
}

void SlicePainter::paint(QPainter& painter, const TimelineScene& scene, QPointF topLeft, double devicePixelRatio) {
    ratio_ = devicePixelRatio;
    const QSize device(qCeil(scene.size.width() * ratio_), qCeil(scene.size.height() * ratio_));
    if (device.isEmpty())
        return;
    if (image_.size() != device)
        image_ = QImage(device, QImage::Format_RGB32);
    image_.setDevicePixelRatio(ratio_);
    chooseColours(scene.palette);
    axis_ = {scene.visible, static_cast<double>(device.width())};
    strips_.clear();
    if (!scene.run) {
        image_.fill(base_);
        painter.drawImage(topLeft, image_);
        return;
    }
    gridTimes_.clear();
    for (const RulerStretch& stretch : rulerStretches(scene))
        for (const TimeNs time : ticks(stretch.range, stretch.origin, rulerScaleOf(scene, stretch).step))
            gridTimes_.push_back(time);
    image_.bits(); // detach once, before the threads write

    strips_ = scene.stripsInView();
    if (pictures_.size() < strips_.size())
        pictures_.resize(strips_.size());
    std::vector<const RankBlock*> blocks;
    for (const auto& [top, bottom] : scene.linesInView())
        for (const RankBlock& block : scene.layout.ranksBetween(top, bottom))
            blocks.push_back(&block);
    std::map<int, Line> backgrounds;
    for (const RankBlock* block : blocks)
        if (!backgrounds.contains(block->rankIndex))
            backgrounds.emplace(block->rankIndex, backgroundOf(scene, block->rankIndex));
    tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t i) { fillBlock(scene, *blocks[i], backgrounds.at(blocks[i]->rankIndex)); });
    tbb::parallel_for(std::size_t{0}, strips_.size(), [&](std::size_t i) {
        fillStrip(scene, *strips_[i], backgrounds.at(strips_[i]->rankIndex), pictures_[i]);
    });
    const Lines below{qRound(scene.viewY(std::max(scene.layout.height, scene.pinnedHeight)) * ratio_), device.height(), 0};
    fillLines(below, Line(static_cast<std::size_t>(device.width()), base_));
    if (scene.pinnedHeight > 0) {
        const int end = qRound(scene.pinnedHeight * ratio_);
        fillLines({end - 2 * qRound(ratio_), end, 0}, Line(static_cast<std::size_t>(device.width()), stepLine_));
    }
    painter.drawImage(topLeft, image_);
    drawLabels(painter, scene, topLeft);
}

SlicePainter::Line SlicePainter::backgroundOf(const TimelineScene& scene, int rankIndex) const {
    Line line(static_cast<std::size_t>(image_.width()), base_);
    const double width = axis_.width;
    const auto column = [&](TimeNs time) { return static_cast<std::size_t>(std::clamp(axis_.columnOf(time), 0.0, width)); };
    const auto put = [&](TimeNs time, QRgb colour) {
        if (scene.visible.contains(time) && column(time) < line.size())
            line[column(time)] = colour;
    };
    const auto& steps = scene.run->ranks[static_cast<std::size_t>(rankIndex)]->steps;
    for (std::size_t i = 0; i < steps.size(); i += 2)
        std::fill(line.begin() + static_cast<std::ptrdiff_t>(column(steps[i].range.begin)),
                  line.begin() + static_cast<std::ptrdiff_t>(std::max(column(steps[i].range.begin), column(steps[i].range.end))), band_);
    for (const TimeNs time : gridTimes_)
        put(time, gridLine_);
    for (const ProfilerStep& step : steps)
        put(step.range.begin, stepLine_);
    return line;
}

SlicePainter::Lines SlicePainter::linesOf(const TimelineScene& scene, int top, int height) const {
    const bool pinned = top < scene.pinnedHeight;
    return {qRound(scene.viewY(top) * ratio_), qRound((scene.viewY(top) + height) * ratio_), pinned ? 0 : qRound(scene.pinnedHeight * ratio_)};
}

void SlicePainter::fillLines(const Lines& lines, const Line& line) {
    const qsizetype stride = image_.bytesPerLine();
    // scanLine() would look at the reference count in every thread.
    uchar* bits = const_cast<uchar*>(image_.constBits());
    for (int y = std::max(lines.first, lines.top); y < std::min(image_.height(), lines.bottom); ++y)
        std::memcpy(bits + y * stride, line.data(), line.size() * sizeof(QRgb));
}

void SlicePainter::fillBlock(const TimelineScene& scene, const RankBlock& block, const Line& background) {
    const Lines all = linesOf(scene, block.top, block.height);
    fillLines(all, background);
    const int pixel = qRound(ratio_);
    fillLines({all.bottom - 3 * pixel, all.bottom - 2 * pixel, all.first}, Line(static_cast<std::size_t>(image_.width()), rankLine_));
}

void SlicePainter::fillStrip(const TimelineScene& scene, const LaneStrip& strip, const Line& background, RowPicture& picture) {
    picture.clear();
    const Lines lines = linesOf(scene, strip.top, strip.height - 1);
    if (strip.isCounter() && scene.counters.contains({strip.rankIndex, strip.lane}))
        return fillCounter(scene, strip, lines);
    sliceRects(scene.slicesOf(strip), axis_, picture);
    if (picture.rects.size() > picture.shares.size()) {
        Line line = background;
        for (const SliceRect& rect : picture.rects) {
            if (rect.shares >= 0)
                continue;
            const auto c = static_cast<std::size_t>(rect.sliceClass);
            std::fill(line.begin() + rect.left, line.begin() + rect.right, colours_[c]);
            // The last column of a slice is paler, so that neighbours of one colour stay apart.
            if (rect.right - rect.left >= 3)
                line[static_cast<std::size_t>(rect.right - 1)] = edges_[c];
        }
        fillLines(lines, line);
    }
    fillShares(picture, lines);
}

/// Classes stacked from the bottom, idle time left empty above them.
void SlicePainter::fillShares(const RowPicture& picture, const Lines& lines) {
    const qsizetype stride = image_.bytesPerLine();
    uchar* bits = const_cast<uchar*>(image_.constBits());
    const int height = lines.bottom - lines.top;
    const int first = std::max(lines.first, lines.top);
    const int end = std::min(image_.height(), lines.bottom);
    for (const SliceRect& rect : picture.rects) {
        if (rect.shares < 0)
            continue;
        const ClassHeights heights = stackedHeights(picture.shares[static_cast<std::size_t>(rect.shares)], rect.sliceClass, height);
        int y = lines.bottom;
        for (std::size_t c = 0; c < kSliceClassCount; ++c) {
            const int top = y - heights[c];
            for (int row = std::max(first, top); row < std::min(end, y); ++row)
                reinterpret_cast<QRgb*>(bits + row * stride)[rect.left] = colours_[c];
            y = top;
        }
    }
}

/// Filled up to the column's smallest value, and stronger from there to its largest.
void SlicePainter::fillCounter(const TimelineScene& scene, const LaneStrip& strip, const Lines& lines) {
    const auto track = scene.counters.find({strip.rankIndex, strip.lane});
    if (track == scene.counters.end() || !track->second || track->second->high == track->second->low)
        return;
    const CounterTrack& counter = *track->second;
    const qsizetype stride = image_.bytesPerLine();
    uchar* bits = const_cast<uchar*>(image_.constBits());
    const int first = std::max(lines.first, lines.top);
    const int end = std::min(image_.height(), lines.bottom);
    const int room = lines.bottom - lines.top - 1;
    const auto lineOf = [&](double value) { return lines.bottom - 1 - static_cast<int>(std::lround((value - counter.low) / (counter.high - counter.low) * room)); };
    for (int x = 0; x < image_.width(); ++x) {
        const TimeNs begin = axis_.columnBegin(x);
        const auto extent = counter.over({begin, std::max(begin + 1, axis_.columnBegin(x + 1))});
        if (!extent)
            continue;
        const int high = lineOf(extent->high);
        const int low = lineOf(extent->low);
        for (int row = std::max(first, high); row < end; ++row)
            reinterpret_cast<QRgb*>(bits + row * stride)[x] = row <= low ? counterPeak_ : counter_;
    }
}

void SlicePainter::drawLabels(QPainter& painter, const TimelineScene& scene, QPointF topLeft) {
    labels_.use(scene.font, scene.run->names);
    painter.save();
    painter.setFont(scene.font);
    bool clipped = false;
    for (std::size_t i = 0; i < strips_.size(); ++i) {
        if (!clipped && scene.pinnedHeight > 0 && strips_[i]->top >= scene.pinnedHeight) {
            painter.setClipRect(QRectF(topLeft + QPointF(0, scene.pinnedHeight), QSizeF(scene.size) - QSizeF(0, scene.pinnedHeight)));
            clipped = true;
        }
        drawStripLabels(painter, scene, i, topLeft);
    }
    painter.restore();
}

void SlicePainter::drawStripLabels(QPainter& painter, const TimelineScene& scene, std::size_t number, QPointF topLeft) {
    const LaneStrip& strip = *strips_[number];
    const double top = topLeft.y() + scene.viewY(strip.top);
    if (strip.isCounter()) {
        const CounterSource* source = scene.counterOf(strip);
        const auto track = scene.counters.find({strip.rankIndex, strip.lane});
        QString scale = source != nullptr && source->kind == CounterKind::busy ? QStringLiteral("100 %") : QString();
        if (source != nullptr && track != scene.counters.end() && track->second)
            scale = counterText(source->kind, track->second->high);
        painter.setPen(scene.palette.color(QPalette::Text));
        painter.drawText(QPointF(topLeft.x() + kLabelMargin, top + QFontMetricsF(scene.font).ascent()), scale);
        return;
    }
    if (strip.isSummary() || strip.height < labels_.height() - 2)
        return;
    const RankTrace& trace = *scene.run->ranks[static_cast<std::size_t>(strip.rankIndex)];
    const double y = top + (strip.height - 1 - labels_.height()) / 2;
    for (const SliceRect& rect : pictures_[number].rects) {
        const double room = (rect.right - rect.left) / ratio_;
        if (rect.shares >= 0 || room < kLabelled)
            continue;
        if (const QStaticText* text = labels_.label(trace.events.name[rect.event], room - 2 * kLabelMargin)) {
            painter.setPen(texts_[static_cast<std::size_t>(rect.sliceClass)]);
            painter.drawStaticText(QPointF(topLeft.x() + rect.left / ratio_ + kLabelMargin, y), *text);
        }
    }
}

std::size_t SlicePainter::rectCount() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < strips_.size(); ++i)
        count += pictures_[i].rects.size();
    return count;
}

} // namespace rankscope
