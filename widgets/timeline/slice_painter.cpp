// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the visible lanes.
#include "widgets/timeline/slice_painter.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <unordered_map>

#include <QPainter>
#include <tbb/parallel_for.h>

#include "widgets/palette.h"
#include "widgets/timeline/time_ruler.h"

namespace rankscope {
namespace {

/// Narrower slices have no label, logical pixels.
constexpr double kLabelled = 36;
constexpr double kLabelMargin = 4;

QRgb blended(QRgb under, QRgb over, unsigned coverage) {
    const unsigned rest = 255 - coverage;
    const unsigned outer = (over & 0xFF00FFU) * coverage + (under & 0xFF00FFU) * rest + 0x800080U;
    const unsigned inner = ((over >> 8U) & 0xFFU) * coverage + ((under >> 8U) & 0xFFU) * rest + 0x80U;
    return 0xFF000000U | (((outer + ((outer >> 8U) & 0xFF00FFU)) >> 8U) & 0xFF00FFU) |
           ((inner + (inner >> 8U)) & 0xFF00U);
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
    paints_.use(palette);
}

std::size_t SlicePainter::paintOf(const TimelineScene& scene, const LaneStrip& strip, const SliceRect& rect) {
    if (!scene.colours || strip.isSummary() || strip.isCounter())
        return SlicePaints::ofClass(rect.sliceClass);
    const RankTrace& trace = *scene.indexes[static_cast<std::size_t>(strip.rankIndex)]->trace;
    return scene.colours->paintOf(trace, rect.event, rect.sliceClass);
}

bool SlicePainter::isFor(QSize size, double devicePixelRatio) const {
    return image_.size() == QSize(qCeil(size.width() * devicePixelRatio), qCeil(size.height() * devicePixelRatio));
}

bool SlicePainter::prepare(const TimelineScene& scene, double devicePixelRatio) {
    ratio_ = devicePixelRatio;
    const QSize device(qCeil(scene.size.width() * ratio_), qCeil(scene.size.height() * ratio_));
    if (image_.size() != device)
        image_ = QImage(device, QImage::Format_RGB32);
    image_.setDevicePixelRatio(ratio_);
    strips_.clear();
    if (device.isEmpty())
        return false;
    chooseColours(scene.palette);
    axis_ = {scene.visible, static_cast<double>(device.width())};
    if (scene.run)
        return true;
    image_.fill(base_);
    return false;
}

void SlicePainter::render(const TimelineScene& scene, double devicePixelRatio) {
    if (!prepare(scene, devicePixelRatio))
        return;
    fillLanes(scene);
    labels_.use(scene.font, ratio_, scene.run->names);
    placeLabels(scene);
    tbb::parallel_for(std::size_t{0}, strips_.size(), [&](std::size_t i) { copyLabels(scene, i); });
    QPainter painter(&image_);
    drawScales(painter, scene, {});
}

/// A row looks as before where index and columns are as before: scrolling and panning lay out only what comes into
/// view.
void SlicePainter::takePictures(const TimelineScene& scene) {
    const std::optional<int> moved = axis_.continueGrid(pictured_);
    const bool same =
        indexes_ == scene.indexes && (moved || (pictured_.visible == axis_.visible && pictured_.width == axis_.width));
    moved_ = moved.value_or(0);
    pictured_ = axis_;
    indexes_ = scene.indexes;
    std::vector<Picture> before = std::move(pictures_);
    pictures_.clear();
    pictures_.resize(strips_.size());
    std::unordered_map<const TimeNs*, std::size_t> known;
    for (std::size_t i = 0; same && i < before.size(); ++i)
        if (before[i].slices != nullptr)
            known.emplace(before[i].slices, i);
    for (std::size_t i = 0; i < strips_.size(); ++i) {
        const TimeNs* slices = scene.slicesOf(*strips_[i]).start.data();
        if (const auto found = known.find(slices); found != known.end()) {
            std::swap(pictures_[i], before[found->second]);
            pictures_[i].known = true;
            known.erase(found);
        } else {
            pictures_[i].slices = slices;
        }
    }
    // What is left over lends its memory.
    auto spare = before.begin();
    for (Picture& picture : pictures_) {
        if (picture.known)
            continue;
        while (spare != before.end() && spare->row.rects.capacity() == 0)
            ++spare;
        if (spare != before.end())
            std::swap(picture.row, (spare++)->row);
    }
}

void SlicePainter::fillLanes(const TimelineScene& scene) {
    gridTimes_.clear();
    for (const RulerStretch& stretch : rulerStretches(scene))
        for (const TimeNs time : ticks(stretch.range, stretch.origin, rulerScaleOf(scene, stretch).step))
            gridTimes_.push_back(time);
    image_.bits(); // detach once, before the threads write

    strips_ = scene.stripsInView();
    takePictures(scene);
    std::vector<const RankBlock*> blocks;
    for (const auto& [top, bottom] : scene.linesInView())
        for (const RankBlock& block : scene.layout.ranksBetween(top, bottom))
            blocks.push_back(&block);
    std::map<int, Line> backgrounds;
    for (const RankBlock* block : blocks)
        if (!backgrounds.contains(block->rankIndex))
            backgrounds.emplace(block->rankIndex, backgroundOf(scene, block->rankIndex));
    tbb::parallel_for(
        std::size_t{0}, blocks.size(),
        [&](std::size_t i) { fillBlock(scene, *blocks[i], backgrounds.at(blocks[i]->rankIndex)); });
    tbb::parallel_for(std::size_t{0}, strips_.size(), [&](std::size_t i) {
        fillStrip(scene, *strips_[i], backgrounds.at(strips_[i]->rankIndex), pictures_[i]);
    });
    const Lines below{qRound(scene.viewY(std::max(scene.layout.height, scene.pinnedHeight)) * ratio_), image_.height(),
                      0};
    fillLines(below, Line(static_cast<std::size_t>(image_.width()), base_));
    if (scene.pinnedHeight > 0) {
        const int end = qRound(scene.pinnedHeight * ratio_);
        fillLines({end - 2 * qRound(ratio_), end, 0}, Line(static_cast<std::size_t>(image_.width()), stepLine_));
    }
}

SlicePainter::Line SlicePainter::backgroundOf(const TimelineScene& scene, int rankIndex) const {
    Line line(static_cast<std::size_t>(image_.width()), base_);
    const double width = axis_.width;
    const auto column = [&](TimeNs time) {
        return static_cast<std::size_t>(std::clamp(axis_.columnOf(time), 0.0, width));
    };
    const auto put = [&](TimeNs time, QRgb colour) {
        if (scene.visible.contains(time) && column(time) < line.size())
            line[column(time)] = colour;
    };
    const auto& steps = scene.run->ranks[static_cast<std::size_t>(rankIndex)]->steps;
    for (std::size_t i = 0; i < steps.size(); i += 2)
        std::fill(line.begin() + static_cast<std::ptrdiff_t>(column(steps[i].range.begin)),
                  line.begin() +
                      static_cast<std::ptrdiff_t>(std::max(column(steps[i].range.begin), column(steps[i].range.end))),
                  band_);
    for (const TimeNs time : gridTimes_)
        put(time, gridLine_);
    for (const ProfilerStep& step : steps)
        put(step.range.begin, stepLine_);
    return line;
}

SlicePainter::Lines SlicePainter::linesOf(const TimelineScene& scene, int top, int height) const {
    const bool pinned = top < scene.pinnedHeight;
    return {qRound(scene.viewY(top) * ratio_), qRound((scene.viewY(top) + height) * ratio_),
            pinned ? 0 : qRound(scene.pinnedHeight * ratio_)};
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
    fillLines({all.bottom - 3 * pixel, all.bottom - 2 * pixel, all.first},
              Line(static_cast<std::size_t>(image_.width()), rankLine_));
}

void SlicePainter::fillStrip(const TimelineScene& scene, const LaneStrip& strip, const Line& background,
                             Picture& picture) {
    const Lines lines = linesOf(scene, strip.top, strip.height - 1);
    if (strip.isCounter() && scene.counters.contains({strip.rankIndex, strip.lane})) {
        picture.row.clear();
        return fillCounter(scene, strip, lines);
    }
    RowPicture& row = picture.row;
    if (!picture.known || moved_ != 0) {
        if (picture.known)
            moveSliceRects(scene.slicesOf(strip), axis_, moved_, row);
        else
            sliceRects(scene.slicesOf(strip), axis_, row);
        picture.wide.clear();
        for (std::size_t i = 0; i < row.rects.size(); ++i)
            if (row.rects[i].shares < 0 && row.rects[i].right - row.rects[i].left >= kLabelled * ratio_)
                picture.wide.push_back(static_cast<std::uint32_t>(i));
    }
    if (row.rects.size() > row.shares.size()) {
        Line line = background;
        for (const SliceRect& rect : row.rects) {
            if (rect.shares >= 0)
                continue;
            const SlicePaint& paint = paints_.at(paintOf(scene, strip, rect));
            std::fill(line.begin() + rect.left, line.begin() + rect.right, paint.fill);
            // The last column of a slice is paler, so that neighbours of one colour stay apart.
            if (rect.right - rect.left >= 3)
                line[static_cast<std::size_t>(rect.right - 1)] = paint.edge;
        }
        fillLines(lines, line);
    }
    fillShares(row, lines);
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
        const ClassHeights heights =
            stackedHeights(picture.shares[static_cast<std::size_t>(rect.shares)], rect.sliceClass, height);
        int y = lines.bottom;
        for (std::size_t c = 0; c < kSliceClassCount; ++c) {
            const int top = y - heights[c];
            for (int row = std::max(first, top); row < std::min(end, y); ++row)
                reinterpret_cast<QRgb*>(bits + row * stride)[rect.left] = paints_.at(c).fill;
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
    const auto lineOf = [&](double value) {
        return lines.bottom - 1 -
               static_cast<int>(std::lround((value - counter.low) / (counter.high - counter.low) * room));
    };
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

bool SlicePainter::hasLabels(const LaneStrip& strip) const {
    return !strip.isCounter() && !strip.isSummary() && strip.height >= labels_.row();
}

/// In the window's thread: labels that are new are drawn here.
void SlicePainter::placeLabels(const TimelineScene& scene) {
    for (std::size_t i = 0; i < strips_.size(); ++i) {
        Picture& picture = pictures_[i];
        picture.labels.clear();
        if (!hasLabels(*strips_[i]))
            continue;
        const RankTrace& trace = *scene.run->ranks[static_cast<std::size_t>(strips_[i]->rankIndex)];
        for (const std::uint32_t wide : picture.wide) {
            const SliceRect& rect = picture.row.rects[wide];
            const double room = (rect.right - rect.left) / ratio_ - 2 * kLabelMargin;
            if (const SliceLabel* label = labels_.label(labelOf(trace, rect.event), room))
                picture.labels.push_back(
                    {label, rect.left + qRound(kLabelMargin * ratio_), paintOf(scene, *strips_[i], rect)});
        }
    }
}

void SlicePainter::copyLabels(const TimelineScene& scene, std::size_t number) {
    const Lines lines = linesOf(scene, strips_[number]->top, strips_[number]->height - 1);
    const qsizetype stride = image_.bytesPerLine();
    uchar* bits = const_cast<uchar*>(image_.constBits());
    const LabelInk ink = labels_.ink();
    const int top = lines.top + (lines.bottom - lines.top - ink.height) / 2 - ink.top;
    for (const PlacedLabel& placed : pictures_[number].labels) {
        const QImage& coverage = placed.label->coverage;
        const QRgb colour = paints_.at(placed.paint).text.rgb();
        const int width = std::min(coverage.width(), image_.width() - placed.x);
        for (int y = std::max({0, lines.first - top}); y < std::min(coverage.height(), image_.height() - top); ++y) {
            const uchar* alpha = coverage.constScanLine(y);
            QRgb* pixels = reinterpret_cast<QRgb*>(bits + (top + y) * stride) + placed.x;
            for (int x = 0; x < width; ++x)
                if (alpha[x] != 0)
                    pixels[x] = blended(pixels[x], colour, alpha[x]);
        }
    }
}

/// The top of each counter's scale.
void SlicePainter::drawScales(QPainter& painter, const TimelineScene& scene, QPointF topLeft) const {
    painter.setFont(scene.font);
    painter.setPen(scene.palette.color(QPalette::Text));
    const double ascent = QFontMetricsF(scene.font).ascent();
    for (const LaneStrip* strip : strips_) {
        if (!strip->isCounter())
            continue;
        const CounterSource* source = scene.counterOf(*strip);
        const auto track = scene.counters.find({strip->rankIndex, strip->lane});
        QString scale = source != nullptr && source->kind == CounterKind::busy ? QStringLiteral("100 %") : QString();
        if (source != nullptr && track != scene.counters.end() && track->second)
            scale = counterText(source->kind, track->second->high);
        const int first = strip->top < scene.pinnedHeight ? 0 : scene.pinnedHeight;
        painter.setClipRect(QRectF(topLeft + QPointF(0, first), QSizeF(scene.size) - QSizeF(0, first)));
        painter.drawText(topLeft + QPointF(kLabelMargin, scene.viewY(strip->top) + ascent), scale);
    }
}

void exportSlices(QPainter& painter, const TimelineScene& scene, QPointF topLeft) {
    constexpr double kRatio = 2;
    SlicePainter slices;
    if (!slices.prepare(scene, kRatio))
        return;
    slices.fillLanes(scene);
    painter.save();
    painter.drawImage(topLeft, slices.image_);
    slices.drawScales(painter, scene, topLeft);
    slices.labels_.use(scene.font, kRatio, scene.run->names);
    const LabelInk ink = slices.labels_.ink();
    const double inkMiddle = (ink.top + ink.height / 2.0) / kRatio;
    const double ascent = QFontMetricsF(scene.font).ascent();
    for (std::size_t i = 0; i < slices.strips_.size(); ++i) {
        const LaneStrip& strip = *slices.strips_[i];
        if (!slices.hasLabels(strip))
            continue;
        const int first = strip.top < scene.pinnedHeight ? 0 : scene.pinnedHeight;
        painter.setClipRect(QRectF(topLeft + QPointF(0, first), QSizeF(scene.size) - QSizeF(0, first)));
        const double baseline = topLeft.y() + scene.viewY(strip.top) + (strip.height - 1) / 2.0 - inkMiddle + ascent;
        const RankTrace& trace = *scene.run->ranks[static_cast<std::size_t>(strip.rankIndex)];
        for (const std::uint32_t wide : slices.pictures_[i].wide) {
            const SliceRect& rect = slices.pictures_[i].row.rects[wide];
            painter.setPen(slices.paints_.at(SlicePainter::paintOf(scene, strip, rect)).text);
            painter.drawText(
                QPointF(topLeft.x() + rect.left / kRatio + kLabelMargin, baseline),
                slices.labels_.text(labelOf(trace, rect.event), (rect.right - rect.left) / kRatio - 2 * kLabelMargin));
        }
    }
    painter.restore();
}

std::size_t SlicePainter::rectCount() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < strips_.size(); ++i)
        count += pictures_[i].row.rects.size();
    return count;
}

} // namespace rankscope
