// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the visible lanes: slices as scanlines into an image, in parallel, then the labels of wide ones.
#include "widgets/timeline/slice_painter.h"

#include <algorithm>
#include <cstring>
#include <map>

#include <QPainter>
#include <tbb/parallel_for.h>

#include "widgets/palette.h"
#include "widgets/timeline/ruler.h"

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
    const double palest = dark ? 0.6 : 0.45;
    for (std::size_t c = 0; c < kSliceClassCount; ++c) {
        const QColor colour = hueOf(static_cast<SliceClass>(c), dark);
        // Even a column that is hardly busy has to be seen.
        for (int shade = 0; shade <= kShades; ++shade)
            shades_[c][static_cast<std::size_t>(shade)] = mixed(colour, base, palest + (1 - palest) * shade / kShades);
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
    strips_ = 0;
    if (!scene.run) {
        image_.fill(base_);
        painter.drawImage(topLeft, image_);
        return;
    }
    const RulerScale scale = rulerScale(scene.visible, scene.run->span.begin, scene.size.width(), 90);
    gridTimes_ = ticks(scene.visible, scene.run->span.begin, scale.step);
    image_.bits(); // detach once, before the threads write

    const int bottom = scene.scroll + scene.size.height();
    const auto& ranks = scene.layout.ranks;
    const auto first = std::partition_point(ranks.begin(), ranks.end(), [&](const RankBlock& r) { return r.top + r.height <= scene.scroll; });
    const auto last = std::partition_point(first, ranks.end(), [&](const RankBlock& r) { return r.top < bottom; });
    const std::span<const LaneStrip> strips = scene.layout.stripsBetween(scene.scroll, bottom);
    strips_ = strips.size();
    if (rects_.size() < strips_)
        rects_.resize(strips_);
    std::map<int, Line> backgrounds;
    for (auto block = first; block != last; ++block)
        backgrounds.emplace(block->rankIndex, backgroundOf(scene, block->rankIndex));
    tbb::parallel_for(std::ptrdiff_t{0}, last - first, [&](std::ptrdiff_t i) {
        const RankBlock& block = first[i];
        const int end = qRound((block.top + block.height - scene.scroll) * ratio_);
        fillRows(qRound((block.top - scene.scroll) * ratio_), end, backgrounds.at(block.rankIndex));
        fillRows(end - 3 * qRound(ratio_), end - 2 * qRound(ratio_), Line(static_cast<std::size_t>(device.width()), rankLine_));
    });
    tbb::parallel_for(std::size_t{0}, strips_, [&](std::size_t i) {
        fillStrip(scene, strips[i], backgrounds.at(strips[i].rankIndex), rects_[i]);
    });
    const int used = qRound((scene.layout.height - scene.scroll) * ratio_);
    fillRows(used, device.height(), Line(static_cast<std::size_t>(device.width()), base_));
    painter.drawImage(topLeft, image_);
    drawLabels(painter, scene, strips, topLeft);
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

void SlicePainter::fillRows(int top, int bottom, const Line& line) {
    const qsizetype stride = image_.bytesPerLine();
    // scanLine() would look at the reference count in every thread.
    uchar* bits = const_cast<uchar*>(image_.constBits());
    for (int y = std::max(0, top); y < std::min(image_.height(), bottom); ++y)
        std::memcpy(bits + y * stride, line.data(), line.size() * sizeof(QRgb));
}

void SlicePainter::fillStrip(const TimelineScene& scene, const LaneStrip& strip, const Line& background, std::vector<SliceRect>& rects) {
    rects.clear();
    const auto& index = scene.indexes[static_cast<std::size_t>(strip.rankIndex)];
    if (!index)
        return;
    if (strip.isSummary()) {
        std::vector<RowSlices> rows;
        for (const std::uint32_t row : strip.rows)
            rows.push_back(index->row(row));
        summaryRects(rows, axis_, rects);
    } else {
        sliceRects(index->row(strip.rows.front()), axis_, rects);
    }
    if (rects.empty())
        return;
    Line line = background;
    for (const SliceRect& rect : rects) {
        const auto c = static_cast<std::size_t>(rect.sliceClass);
        const auto shade = static_cast<std::size_t>(std::lround(rect.share * kShades));
        std::fill(line.begin() + rect.left, line.begin() + rect.right, shades_[c][shade]);
        // The last column of a slice is paler, so that neighbours of one colour stay apart.
        if (rect.count == 1 && rect.right - rect.left >= 3)
            line[static_cast<std::size_t>(rect.right - 1)] = edges_[c];
    }
    fillRows(qRound((strip.top - scene.scroll) * ratio_), qRound((strip.bottom() - 1 - scene.scroll) * ratio_), line);
}

void SlicePainter::drawLabels(QPainter& painter, const TimelineScene& scene, std::span<const LaneStrip> strips, QPointF topLeft) {
    labels_.use(scene.font, scene.run->names);
    painter.setFont(scene.font);
    for (std::size_t i = 0; i < strips.size(); ++i) {
        const LaneStrip& strip = strips[i];
        if (strip.isSummary() || strip.height < labels_.height() - 2)
            continue;
        const RankTrace& trace = *scene.run->ranks[static_cast<std::size_t>(strip.rankIndex)];
        const double y = topLeft.y() + strip.top - scene.scroll + (strip.height - 1 - labels_.height()) / 2;
        for (const SliceRect& rect : rects_[i]) {
            const double room = (rect.right - rect.left) / ratio_;
            if (rect.count != 1 || room < kLabelled)
                continue;
            if (const QStaticText* text = labels_.label(trace.events.name[rect.event], room - 2 * kLabelMargin)) {
                painter.setPen(texts_[static_cast<std::size_t>(rect.sliceClass)]);
                painter.drawStaticText(QPointF(topLeft.x() + rect.left / ratio_ + kLabelMargin, y), *text);
            }
        }
    }
}

std::size_t SlicePainter::rectCount() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < strips_; ++i)
        count += rects_[i].size();
    return count;
}

} // namespace rankscope
