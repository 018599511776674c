// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the visible lanes into an image, strips side by side on all cores: slices, shares, counters and the labels of
// wide slices.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include <QImage>

#include "widgets/timeline/slice_label.h"
#include "widgets/timeline/timeline_scene.h"

class QPainter;

namespace rankscope {

class SlicePainter {
public:
    void render(const TimelineScene& scene, double devicePixelRatio);
    [[nodiscard]] QImage& image() { return image_; }
    /// The last image has this size, in logical pixels.
    [[nodiscard]] bool isFor(QSize size, double devicePixelRatio) const;
    /// False when labels were left to the next frame.
    [[nodiscard]] bool isComplete() const { return labels_.isComplete(); }
    /// Rectangles drawn in the last frame, for the benchmark.
    [[nodiscard]] std::size_t rectCount() const;

private:
    friend void exportSlices(QPainter& painter, const TimelineScene& scene, QPointF topLeft);
    using Line = std::vector<QRgb>;
    /// Lines of the image, [top, bottom), and the first one that may be written: above is what is pinned.
    struct Lines {
        int top = 0;
        int bottom = 0;
        int first = 0;
    };

    struct PlacedLabel {
        const SliceLabel* label = nullptr;
        int x = 0;
        std::size_t paint = 0;
    };
    struct Picture {
        const TimeNs* slices = nullptr; ///< what it shows
        bool known = false;             ///< from the frame before
        RowPicture row;
        std::vector<std::uint32_t> wide; ///< rects that may have a label
        std::vector<PlacedLabel> labels;
    };

    bool prepare(const TimelineScene& scene, double devicePixelRatio); ///< false: there is nothing to draw
    void takePictures(const TimelineScene& scene);
    void fillLanes(const TimelineScene& scene);
    void placeLabels(const TimelineScene& scene);
    void copyLabels(const TimelineScene& scene, std::size_t number);
    [[nodiscard]] bool hasLabels(const LaneStrip& strip) const;
    void chooseColours(const QPalette& palette);
    [[nodiscard]] Line backgroundOf(const TimelineScene& scene, int rankIndex) const;
    [[nodiscard]] Lines linesOf(const TimelineScene& scene, int top, int height) const;
    void fillBlock(const TimelineScene& scene, const RankBlock& block, const Line& background);
    void fillStrip(const TimelineScene& scene, const LaneStrip& strip, const Line& background, Picture& picture);
    void fillShares(const RowPicture& picture, const Lines& lines);
    /// In SlicePaints, of a rectangle that is one slice.
    [[nodiscard]] static std::size_t paintOf(const TimelineScene& scene, const LaneStrip& strip, const SliceRect& rect);
    void fillCounter(const TimelineScene& scene, const LaneStrip& strip, const Lines& lines);
    void fillLines(const Lines& lines, const Line& line);
    void drawScales(QPainter& painter, const TimelineScene& scene, QPointF topLeft) const;

    QImage image_;
    double ratio_ = 1;
    TimeAxis axis_; ///< in device pixels
    std::vector<TimeNs> gridTimes_;
    std::vector<const LaneStrip*> strips_;
    std::vector<Picture> pictures_; ///< one per visible strip
    TimeAxis pictured_;             ///< the axis of the pictures
    int moved_ = 0;                 ///< columns that the view is later than that of the frame before
    std::vector<std::shared_ptr<const SliceIndex>> indexes_; ///< what they were made from: it lives as long as they
    SliceLabels labels_;

    QRgb base_ = 0;
    QRgb band_ = 0;
    QRgb stepLine_ = 0;
    QRgb gridLine_ = 0;
    QRgb rankLine_ = 0;
    QRgb counter_ = 0;
    QRgb counterPeak_ = 0;
    SlicePaints paints_;
};

/// Slices as a picture of twice the resolution, labels as text.
void exportSlices(QPainter& painter, const TimelineScene& scene, QPointF topLeft);

} // namespace rankscope
