// SPDX-License-Identifier: GPL-3.0-or-later
// From the baseline's step to the test's, part by part: each bar starts where the one before it ends.
#pragma once
#include <QWidget>

#include "core/compare/change_explanation.h"

namespace rankscope {

class ChangeWaterfall : public QWidget {
    Q_OBJECT
public:
    explicit ChangeWaterfall(QWidget* parent = nullptr);
    /// Hidden where there is nothing to compare.
    void setChange(const QString& baseline, const QString& test, const ChangeExplanation& change);
    void clear();
    /// A row of the chart: its name, the bar's two ends in µs, and its number in words.
    struct Row {
        QString name;
        double from_us = 0;
        double to_us = 0;
        QString value;
        bool total = false; ///< a whole step: from 0
        friend bool operator==(const Row&, const Row&) = default;
    };
    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] int nameWidth() const;
    [[nodiscard]] QRectF barOf(std::size_t row) const;

    std::vector<Row> rows_;
    double least_us_ = 0; ///< where the axis begins
    double most_us_ = 0;
};

} // namespace rankscope
