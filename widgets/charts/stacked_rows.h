// SPDX-License-Identifier: GPL-3.0-or-later
// One QCustomPlot plottable that draws all stacked bars: a row per rank, a segment per part. A QCPBars each would be
// ten times slower (architecture.md).
#pragma once
#include <span>
#include <vector>

#include "widgets/charts/rank_parts.h"
#include "widgets/custom_plot.h"

namespace rankscope {

/// A segment of a row: [begin, end) on the value axis.
struct RowSegment {
    int row = 0;
    RankPart part = RankPart::compute;
    double begin = 0;
    double end = 0;
};

/// Text beside a row, right of the axes.
struct RowNote {
    int row = 0;
    QString text;
    bool strong = false;
};

/// Segments of all rows in drawing order; zero-length ones are left out. Values in unit, or per cent of the row's
/// total.
std::vector<RowSegment> stackSegments(std::span<const RankShare> shares, std::span<const std::size_t> order,
                                      bool percent, double nanosecondsPerUnit);

/// Key axis: rows (vertical, row 0 on top); value axis: time or per cent. Owned by the plot, as QCustomPlot wants it.
class StackedRows : public QCPAbstractPlottable {
    Q_OBJECT
public:
    StackedRows(QCPAxis* keyAxis, QCPAxis* valueAxis);
    void setContent(std::vector<RowSegment> segments, std::vector<RowNote> notes, int decimals);
    void setDark(bool dark) { dark_ = dark; }
    /// Pixels of a segment's rectangle.
    [[nodiscard]] QRectF segmentRect(const RowSegment& segment) const;
    [[nodiscard]] const std::vector<RowSegment>& segments() const { return segments_; }
    [[nodiscard]] const std::vector<RowNote>& notes() const { return notes_; }

    double selectTest(const QPointF& position, bool onlySelectable, QVariant* details = nullptr) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain = QCP::sdBoth) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain = QCP::sdBoth,
                           const QCPRange& keys = QCPRange()) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;
    [[nodiscard]] QRect clipRect() const override; ///< notes stand outside the axes

private:
    void drawSegment(QCPPainter* painter, const RowSegment& segment, const QRectF& rect) const;
    void drawNote(QCPPainter* painter, const RowNote& note) const;

    std::vector<RowSegment> segments_;
    std::vector<RowNote> notes_;
    int decimals_ = 1;
    bool dark_ = false;
};

} // namespace rankscope
