// SPDX-License-Identifier: GPL-3.0-or-later
// A histogram of durations with a mark where one of them stands.
#pragma once
#include <optional>

#include <QWidget>

#include "core/analysis/search/name_statistics.h"

namespace rankscope {

class DurationHistogramView : public QWidget {
    Q_OBJECT
public:
    explicit DurationHistogramView(QWidget* parent = nullptr);
    void setStatistics(std::optional<NameStatistics> statistics); ///< nothing: blank

    /// Geometry, in this widget's coordinates.
    [[nodiscard]] std::vector<QRectF> bars() const;
    [[nodiscard]] std::optional<double> markX() const;
    /// What the picture says, in words: "Longer than 87 % of 240".
    [[nodiscard]] QString summary() const;

    [[nodiscard]] QSize sizeHint() const override { return {260, 110}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {130, 80}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QRectF plotRect() const;
    std::optional<NameStatistics> statistics_;
};

} // namespace rankscope
