// SPDX-License-Identifier: GPL-3.0-or-later
// The column left of the lanes.
#include "widgets/timeline/lane_headers.h"

#include <algorithm>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include "widgets/palette.h"

namespace rankscope {
namespace {

constexpr int kArrow = 12; // room for the folding triangle
constexpr int kMargin = 6;

void drawArrow(QPainter& painter, QPointF centre, bool open, const QColor& colour) {
    QPainterPath path;
    if (open)
        path.addPolygon(QPolygonF({centre + QPointF(-3.5, -2), centre + QPointF(3.5, -2), centre + QPointF(0, 2.5)}));
    else
        path.addPolygon(QPolygonF({centre + QPointF(-2, -3.5), centre + QPointF(-2, 3.5), centre + QPointF(2.5, 0)}));
    path.closeSubpath();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.fillPath(path, colour);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace

LaneHeaders::LaneHeaders(const TimelineScene& scene, QWidget* parent) : QWidget(parent), scene_(scene) {
    setMouseTracking(true);
    setAccessibleName(tr("Ranks and lanes"));
    setAccessibleDescription(tr("Click a rank or a group of lanes to fold or unfold it"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
}

void LaneHeaders::takeScene() {
    QFont large = font();
    large.setBold(true);
    const int highest = scene_.run && !scene_.run->ranks.empty() ? scene_.run->ranks.back()->rank : 0;
    rankColumn_ = kArrow + QFontMetrics(large).horizontalAdvance(QStringLiteral("rank %1").arg(std::max(highest, 10))) + 2 * kMargin;
    updateGeometry();
}

QSize LaneHeaders::sizeHint() const {
    return {rankColumn() + kArrow + QFontMetrics(scene_.font).horizontalAdvance(QStringLiteral("thread 1234567 (pt_auto")), 100};
}

const RankTrace& LaneHeaders::trace(int rankIndex) const { return *scene_.run->ranks[static_cast<std::size_t>(rankIndex)]; }

QString LaneHeaders::textOf(const LaneHeader& header) const {
    if (header.lane >= 0) {
        const Lane& lane = trace(header.rankIndex).lanes[static_cast<std::size_t>(header.lane)];
        return QString::fromStdString(lane.name);
    }
    switch (header.group) {
    case LaneGroup::streams: return header.lanes == 1 ? tr("1 GPU stream") : tr("%1 GPU streams").arg(header.lanes);
    case LaneGroup::annotations: return tr("GPU annotations");
    case LaneGroup::threads: return header.lanes == 1 ? tr("1 CPU thread") : tr("%1 CPU threads").arg(header.lanes);
    }
    return {};
}

const RankBlock* LaneHeaders::rankAt(int y) const {
    const auto& ranks = scene_.layout.ranks;
    const auto found = std::partition_point(ranks.begin(), ranks.end(), [&](const RankBlock& r) { return r.top + r.height <= y + scene_.scroll; });
    return found == ranks.end() || found->top > y + scene_.scroll ? nullptr : &*found;
}

const LaneHeader* LaneHeaders::headerAt(QPoint point) const {
    const int y = point.y() + scene_.scroll;
    const auto& headers = scene_.layout.headers;
    const auto found = std::partition_point(headers.begin(), headers.end(), [&](const LaneHeader& h) { return h.top + h.height <= y; });
    return point.x() < rankColumn() || found == headers.end() || found->top > y ? nullptr : &*found;
}

void LaneHeaders::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Window));
    if (scene_.run) {
        const int bottom = scene_.scroll + height();
        for (const RankBlock& block : scene_.layout.ranks)
            if (block.top + block.height > scene_.scroll && block.top < bottom)
                drawRank(painter, block);
        for (const LaneHeader& header : scene_.layout.headers)
            if (header.top + header.height > scene_.scroll && header.top < bottom)
                drawHeader(painter, header);
    }
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(width() - 1, 0, width() - 1, height());
}

void LaneHeaders::drawRank(QPainter& painter, const RankBlock& block) const {
    const int end = block.top + block.height - scene_.scroll;
    painter.fillRect(0, end - 3, width() - 1, 1, palette().color(QPalette::Mid));
    QFont large = font();
    large.setBold(true);
    const QFontMetrics metrics(large);
    // The label of a rank that is scrolled half out stays in sight.
    const int top = std::min(std::max(block.top - scene_.scroll, 0), end - scene_.metrics.rankGap - metrics.height());
    const int middle = top + std::max(scene_.metrics.streamRow, metrics.height()) / 2;
    drawArrow(painter, QPointF(kMargin + 4, middle), block.open, palette().color(QPalette::PlaceholderText));
    painter.setFont(large);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRect(kMargin + kArrow, middle - metrics.height() / 2, rankColumn(), metrics.height()), Qt::AlignVCenter | Qt::AlignLeft,
                     tr("rank %1").arg(trace(block.rankIndex).rank));
}

void LaneHeaders::drawHeader(QPainter& painter, const LaneHeader& header) const {
    const int left = rankColumn();
    const int row = header.lane < 0 ? header.height
                                    : (header.group == LaneGroup::streams ? scene_.metrics.streamRow : scene_.metrics.threadRow);
    const QRect first(left + kArrow, header.top - scene_.scroll, width() - left - kArrow - kMargin, std::min(row, header.height) - 1);
    if (header.foldable)
        drawArrow(painter, QPointF(left + 5, first.center().y() + 0.5), header.open, palette().color(QPalette::PlaceholderText));
    painter.setFont(scene_.font);
    painter.setPen(palette().color(header.lane < 0 ? QPalette::PlaceholderText : QPalette::WindowText));
    const QFontMetrics metrics(scene_.font);
    // Text may be a little higher than its row: centred, it still reads.
    painter.drawText(first.adjusted(0, -3, 0, 3), Qt::AlignVCenter | Qt::AlignLeft, metrics.elidedText(textOf(header), Qt::ElideMiddle, first.width()));
}

void LaneHeaders::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !scene_.run)
        return event->ignore();
    const QPoint point = event->position().toPoint();
    const LaneHeader* header = headerAt(point);
    if (header != nullptr && header->foldable) {
        const int rank = trace(header->rankIndex).rank;
        if (header->lane < 0)
            Q_EMIT groupClicked(rank, header->group);
        else
            Q_EMIT laneClicked(rank, header->lane);
    } else if (const RankBlock* block = rankAt(point.y()); block != nullptr && point.x() < rankColumn()) {
        Q_EMIT rankClicked(trace(block->rankIndex).rank);
    }
}

void LaneHeaders::mouseMoveEvent(QMouseEvent* event) {
    const QPoint point = event->position().toPoint();
    const LaneHeader* header = scene_.run ? headerAt(point) : nullptr;
    const bool folds = scene_.run && ((header != nullptr && header->foldable) || (point.x() < rankColumn() && rankAt(point.y()) != nullptr));
    setCursor(folds ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

bool LaneHeaders::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !scene_.run)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const LaneHeader* header = headerAt(help->pos());
    // Lane names come from the trace: never read them as HTML.
    if (header != nullptr)
        QToolTip::showText(help->globalPos(), textOf(*header).toHtmlEscaped(), this);
    else
        QToolTip::hideText();
    return true;
}

} // namespace rankscope
