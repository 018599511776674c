// SPDX-License-Identifier: GPL-3.0-or-later
// Legend of the rank parts: a swatch, a name and, when known, the mean share. Clicking one sorts by it.
#pragma once
#include <array>
#include <optional>

#include <QWidget>

#include "widgets/charts/rank_parts.h"

namespace rankscope {

class PartLegend : public QWidget {
    Q_OBJECT
public:
    explicit PartLegend(QWidget* parent = nullptr);
    /// Mean per cent of each part; none: names only. A part of 0 is left out.
    void setShares(std::optional<std::array<double, kRankPartCount>> percent);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

Q_SIGNALS:
    void partClicked(rankscope::RankPart part);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] bool isShown(RankPart part) const;
    [[nodiscard]] QString labelOf(RankPart part) const;
    [[nodiscard]] std::array<QRect, kRankPartCount> entryRects(int width) const;
    [[nodiscard]] std::optional<RankPart> partAt(const QPoint& position) const;

    std::optional<std::array<double, kRankPartCount>> percent_;
};

} // namespace rankscope
