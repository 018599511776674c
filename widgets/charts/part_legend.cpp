// SPDX-License-Identifier: GPL-3.0-or-later
// Legend of the rank parts.
#include "widgets/charts/part_legend.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/number_text.h"

namespace rankscope {

namespace {
constexpr int kSwatch = 12;
constexpr int kSwatchGap = 6;
constexpr int kEntryGap = 18;
constexpr int kRowHeight = 22;
} // namespace

PartLegend::PartLegend(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Legend"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void PartLegend::setShares(std::optional<std::array<double, kRankPartCount>> percent) {
    percent_ = percent;
    QStringList labels;
    for (const RankPart part : kRankParts)
        if (isShown(part))
            labels << labelOf(part);
    setAccessibleDescription(labels.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QString PartLegend::labelOf(RankPart part) const {
    const QString label = rankPartLabel(part);
    return percent_ ? label + u' ' + percentText((*percent_)[static_cast<std::size_t>(part)]) : label;
}

bool PartLegend::isShown(RankPart part) const { return !percent_ || (*percent_)[static_cast<std::size_t>(part)] != 0; }

std::array<QRect, kRankPartCount> PartLegend::entryRects(int width) const {
    std::array<QRect, kRankPartCount> rects;
    int x = 0;
    int y = 0;
    for (const RankPart part : kRankParts) {
        if (!isShown(part)) {
            rects[static_cast<std::size_t>(part)] = QRect(x, y, 0, kRowHeight);
            continue;
        }
        const int length = kSwatch + kSwatchGap + fontMetrics().horizontalAdvance(labelOf(part)) + 2;
        if (x > 0 && x + length > width) {
            x = 0;
            y += kRowHeight;
        }
        rects[static_cast<std::size_t>(part)] = QRect(x, y, length, kRowHeight);
        x += length + kEntryGap;
    }
    return rects;
}

int PartLegend::heightForWidth(int width) const { return entryRects(width).back().bottom() + 1; }

QSize PartLegend::sizeHint() const {
    const QRect last = entryRects(100'000).back();
    return {last.right() + 1, heightForWidth(width())};
}

QSize PartLegend::minimumSizeHint() const { return {160, kRowHeight}; }

void PartLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const bool dark = isDark(palette());
    const auto rects = entryRects(width());
    for (const RankPart part : kRankParts) {
        if (!isShown(part))
            continue;
        const QRect rect = rects[static_cast<std::size_t>(part)];
        const QRect swatch(rect.left(), rect.center().y() - kSwatch / 2 + 1, kSwatch, kSwatch);
        const QColor colour = hue(rankPartHue(part), dark);
        painter.fillRect(swatch, colour);
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(rect.adjusted(kSwatch + kSwatchGap, 0, 2, 0), Qt::AlignLeft | Qt::AlignVCenter, labelOf(part));
    }
}

std::optional<RankPart> PartLegend::partAt(const QPoint& position) const {
    const auto rects = entryRects(width());
    for (const RankPart part : kRankParts)
        if (rects[static_cast<std::size_t>(part)].contains(position))
            return part;
    return std::nullopt;
}

void PartLegend::mousePressEvent(QMouseEvent* event) {
    if (const auto part = partAt(event->position().toPoint()))
        Q_EMIT partClicked(*part);
}

bool PartLegend::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto part = partAt(help->pos());
        QToolTip::showText(
            help->globalPos(),
            part ? rankPartDefinition(*part) + QStringLiteral(" ") + tr("Click to sort by it.") : QString(), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace rankscope
