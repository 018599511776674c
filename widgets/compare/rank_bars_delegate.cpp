// SPDX-License-Identifier: GPL-3.0-or-later
// Small multiples in a table.
#include "widgets/compare/rank_bars_delegate.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

#include "widgets/compare/metric_change_model.h"
#include "widgets/palette.h"

namespace rankscope {

namespace {
constexpr int kWidth = 132;
constexpr int kMostGroups = 32;
} // namespace

QSize RankBarsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return {kWidth, QStyledItemDelegate::sizeHint(option, index).height()};
}

void RankBarsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const QVariant value = index.data(MetricChangeModel::ranksRole);
    if (!value.isValid())
        return;
    const auto bars = value.value<RankBarValues>();
    double most = 0;
    for (const auto& runs : bars.values)
        for (const double one : runs)
            most = std::isnan(one) ? most : std::max(most, std::abs(one));
    if (most <= 0)
        return;
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool dark = isDark(option.palette);
    const QRectF area = QRectF(option.rect).adjusted(4, 2, -4, -2);
    const auto ranks = static_cast<int>(bars.values.size());
    const int groups = std::min(ranks, kMostGroups);
    const auto runs = static_cast<int>(bars.values.front().size());
    const double group = std::min(area.width() / groups, 6.0 * runs + 4);
    const double width = group * 0.8 / runs;
    for (int g = 0; g < groups; ++g)
        for (int run = 0; run < runs; ++run) {
            double height = 0;
            for (int rank = g * ranks / groups; rank < (g + 1) * ranks / groups; ++rank)
                if (const double one = bars.values[static_cast<std::size_t>(rank)][static_cast<std::size_t>(run)];
                    !std::isnan(one))
                    height = std::max(height, std::abs(one));
            const QRectF bar(area.left() + g * group + run * width, area.bottom() - area.height() * height / most,
                             std::max(1.0, width - 0.4), area.height() * height / most);
            QColor color =
                run == 0 ? hue(Hue::other, dark) : hue(run % 2 == 1 ? Hue::compute : Hue::communication, dark);
            if (selected)
                color = run == 0 ? option.palette.color(QPalette::HighlightedText).darker(140)
                                 : option.palette.color(QPalette::HighlightedText);
            painter->fillRect(bar, color);
        }
}

} // namespace rankscope
