// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the visible lanes: slices as scanlines into an image, in parallel, then the labels of wide ones.
#pragma once
#include <array>
#include <vector>

#include <QImage>

#include "widgets/timeline/slice_label.h"
#include "widgets/timeline/timeline_scene.h"

class QPainter;

namespace rankscope {

class SlicePainter {
public:
    /// topLeft: of the lanes' area on the painter.
    void paint(QPainter& painter, const TimelineScene& scene, QPointF topLeft, double devicePixelRatio);
    /// False when labels were left to the next frame.
    [[nodiscard]] bool isComplete() const { return labels_.isComplete(); }
    /// Rectangles drawn in the last frame, for the benchmark.
    [[nodiscard]] std::size_t rectCount() const;

private:
    static constexpr int kShades = 16;
    using Line = std::vector<QRgb>;

    void chooseColours(const QPalette& palette);
    [[nodiscard]] Line backgroundOf(const TimelineScene& scene, int rankIndex) const;
    void fillRank(const TimelineScene& scene, const RankBlock& block);
    void fillStrip(const TimelineScene& scene, const LaneStrip& strip, const Line& background, std::vector<SliceRect>& rects);
    void fillRows(int top, int bottom, const Line& line);
    void drawLabels(QPainter& painter, const TimelineScene& scene, std::span<const LaneStrip> strips, QPointF topLeft);

    QImage image_;
    double ratio_ = 1;
    TimeAxis axis_; ///< in device pixels
    std::vector<TimeNs> gridTimes_;
    std::vector<std::vector<SliceRect>> rects_; ///< one per visible strip, kept for its capacity
    std::size_t strips_ = 0;
    SliceLabels labels_;

    QRgb base_ = 0;
    QRgb band_ = 0;
    QRgb stepLine_ = 0;
    QRgb gridLine_ = 0;
    QRgb rankLine_ = 0;
    std::array<std::array<QRgb, kShades + 1>, kSliceClassCount> shades_{};
    std::array<QRgb, kSliceClassCount> edges_{};
    std::array<QColor, kSliceClassCount> texts_;
};

} // namespace rankscope
