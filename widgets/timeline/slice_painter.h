// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the visible lanes: slices, shares and counters straight into an image, in parallel, then the labels of wide slices.
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
    using Line = std::vector<QRgb>;
    /// Lines of the image, [top, bottom), and the first one that may be written: above is what is pinned.
    struct Lines {
        int top = 0;
        int bottom = 0;
        int first = 0;
    };

    void chooseColours(const QPalette& palette);
    [[nodiscard]] Line backgroundOf(const TimelineScene& scene, int rankIndex) const;
    [[nodiscard]] Lines linesOf(const TimelineScene& scene, int top, int height) const;
    void fillBlock(const TimelineScene& scene, const RankBlock& block, const Line& background);
    void fillStrip(const TimelineScene& scene, const LaneStrip& strip, const Line& background, RowPicture& picture);
    void fillShares(const RowPicture& picture, const Lines& lines);
    void fillCounter(const TimelineScene& scene, const LaneStrip& strip, const Lines& lines);
    void fillLines(const Lines& lines, const Line& line);
    void drawLabels(QPainter& painter, const TimelineScene& scene, QPointF topLeft);
    void drawStripLabels(QPainter& painter, const TimelineScene& scene, std::size_t number, QPointF topLeft);

    QImage image_;
    double ratio_ = 1;
    TimeAxis axis_; ///< in device pixels
    std::vector<TimeNs> gridTimes_;
    std::vector<const LaneStrip*> strips_;
    std::vector<RowPicture> pictures_; ///< one per visible strip, kept for its capacity
    SliceLabels labels_;

    QRgb base_ = 0;
    QRgb band_ = 0;
    QRgb stepLine_ = 0;
    QRgb gridLine_ = 0;
    QRgb rankLine_ = 0;
    QRgb counter_ = 0;
    QRgb counterPeak_ = 0;
    std::array<QRgb, kSliceClassCount> colours_{};
    std::array<QRgb, kSliceClassCount> edges_{};
    std::array<QColor, kSliceClassCount> texts_;
};

} // namespace rankscope
