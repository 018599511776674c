// SPDX-License-Identifier: GPL-3.0-or-later
// The column left of the lanes.
#include "widgets/timeline/lane_headers.h"

#include <algorithm>

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include "widgets/number_text.h"
#include "widgets/painted_accessible.h"
#include "widgets/palette.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {
namespace {

constexpr int kArrow = 12; // room for the folding triangle
constexpr int kMargin = 6;
constexpr int kSharesHeight = 5;
const QString kMark = QStringLiteral("\u25c7 "); // a hollow diamond

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

QString groupText(LaneGroup group, int lanes) {
    switch (group) {
    case LaneGroup::streams:
        return lanes == 1 ? LaneHeaders::tr("1 GPU stream")
                          : LaneHeaders::tr("%1 GPU streams", nullptr, lanes).arg(lanes);
    case LaneGroup::counters:
        // The closed group draws the first of them.
        return lanes == 1 ? LaneHeaders::tr("GPU busy") : LaneHeaders::tr("GPU busy, %1 more").arg(lanes - 1);
    case LaneGroup::annotations: return LaneHeaders::tr("GPU annotations");
    case LaneGroup::threads:
        return lanes == 1 ? LaneHeaders::tr("1 CPU thread")
                          : LaneHeaders::tr("%1 CPU threads", nullptr, lanes).arg(lanes);
    }
    return {};
}

LaneId idOf(int rank, const LaneHeader& header) {
    return header.lane < 0 ? LaneId::ofGroup(rank, header.group) : LaneId::ofLane(rank, header.group, header.lane);
}

} // namespace

std::vector<HeaderItem> headerItems(const Run& run, const LaneLayout& layout) {
    std::vector<HeaderItem> items;
    for (const RankBlock& block : layout.ranks) {
        const int rank = run.ranks[static_cast<std::size_t>(block.rankIndex)]->rank;
        if (block.whole)
            items.push_back({LaneId::ofRank(rank), block.top, block.height, true, block.open});
        if (block.open)
            for (const LaneHeader& header : layout.headersBetween(block.top, block.top + block.height))
                items.push_back({idOf(rank, header), header.top, header.height, header.foldable, header.open});
    }
    return items;
}

LaneHeaders::LaneHeaders(const TimelineScene& scene, QWidget* parent) : QWidget(parent), scene_(scene) {
    setMouseTracking(true);
    setAccessibleName(tr("Ranks and lanes"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
}

void LaneHeaders::takeScene() {
    QFont large = font();
    large.setBold(true);
    const int highest = scene_.run && !scene_.run->ranks.empty() ? scene_.run->ranks.back()->rank : 0;
    rankColumn_ =
        kArrow + QFontMetrics(large).horizontalAdvance(tr("rank %1").arg(std::max(highest, 10))) + 2 * kMargin;
    updateGeometry();
}

QSize LaneHeaders::sizeHint() const {
    return {rankColumn() + kArrow +
                QFontMetrics(scene_.font).horizontalAdvance(QStringLiteral("thread 1234567 (pt_auto")),
            100};
}

const RankTrace& LaneHeaders::trace(int rankIndex) const {
    return *scene_.run->ranks[static_cast<std::size_t>(rankIndex)];
}

QString LaneHeaders::textOf(const LaneHeader& header) const {
    if (header.lane < 0)
        return groupText(header.group, header.lanes);
    const auto number = static_cast<std::size_t>(header.lane);
    const auto rank = static_cast<std::size_t>(header.rankIndex);
    if (header.group == LaneGroup::counters)
        return QString::fromStdString(scene_.counterNames[rank][number]);
    const QString name = QString::fromStdString(trace(header.rankIndex).lanes[number].name);
    const SliceIndex* index = rank < scene_.indexes.size() ? scene_.indexes[rank].get() : nullptr;
    const QString role = index == nullptr ? QString() : index->roles[number];
    const QString stream = QStringLiteral("stream ");
    if (role.isEmpty() || !name.startsWith(stream)) // other names say themselves what the lane is for
        return name;
    return role + QStringLiteral(" · ") + name.mid(stream.size());
}

QString LaneHeaders::nameOf(const LaneId& id) const {
    const QString rank = tr("rank %1").arg(id.rank);
    for (const LaneHeader& header : scene_.layout.headers)
        if (id.level != LaneLevel::rank && idOf(trace(header.rankIndex).rank, header) == id)
            return rank + QStringLiteral(", ") + textOf(header);
    return rank;
}

void LaneHeaders::setMarked(std::map<LaneId, QString> lanes) {
    if (lanes == marked_)
        return;
    marked_ = std::move(lanes);
    update();
}

const RankBlock* LaneHeaders::rankAt(int y) const {
    const int line = scene_.layoutY(y);
    const auto found = scene_.layout.ranksBetween(line, line + 1);
    return found.empty() ? nullptr : &found.front();
}

const LaneHeader* LaneHeaders::headerAt(QPoint point) const {
    const int line = scene_.layoutY(point.y());
    const auto found = scene_.layout.headersBetween(line, line + 1);
    return point.x() < rankColumn() || found.empty() ? nullptr : &found.front();
}

std::optional<LaneId> LaneHeaders::idAt(QPoint point) const {
    const RankBlock* block = scene_.run ? rankAt(point.y()) : nullptr;
    if (block == nullptr)
        return {};
    const int rank = trace(block->rankIndex).rank;
    const LaneHeader* header = headerAt(point);
    return header != nullptr && block->open ? idOf(rank, *header) : LaneId::ofRank(rank);
}

void LaneHeaders::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Window));
    if (scene_.run) {
        const auto [pinned, rest] = scene_.linesInView();
        painter.save();
        painter.setClipRect(0, scene_.pinnedHeight, width(), height());
        drawLines(painter, rest.first, rest.second);
        painter.restore();
        if (scene_.pinnedHeight > 0) {
            drawLines(painter, pinned.first, pinned.second);
            painter.fillRect(0, scene_.pinnedHeight - 2, width() - 1, 2, palette().color(QPalette::Mid));
        }
        if (scene_.layout.ranks.empty()) {
            painter.setPen(palette().color(QPalette::PlaceholderText));
            painter.drawText(rect().adjusted(kMargin, kMargin, -kMargin, 0), Qt::AlignTop | Qt::TextWordWrap,
                             scene_.arrangement.filter.empty() ? tr("All ranks are hidden")
                                                               : tr("No rank or lane has this in its name"));
        }
    }
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(width() - 1, 0, width() - 1, height());
}

void LaneHeaders::drawLines(QPainter& painter, int top, int bottom) const {
    for (const RankBlock& block : scene_.layout.ranksBetween(top, bottom))
        drawRank(painter, block);
    for (const LaneHeader& header : scene_.layout.headersBetween(top, bottom))
        drawHeader(painter, header);
    drawCurrent(painter);
    if (drag_ && drag_->moved)
        painter.fillRect(0, scene_.viewY(drag_->line) - 2, width() - 1, 3, palette().color(QPalette::Highlight));
}

void LaneHeaders::drawCurrent(QPainter& painter) const {
    if (!current_ || !hasFocus())
        return;
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    for (const HeaderItem& item : items())
        if (item.id == *current_)
            painter.drawRect(rectOf(item));
}

QRect LaneHeaders::rectOf(const HeaderItem& item) const {
    const int top = scene_.viewY(item.top) + 1;
    if (item.id.level != LaneLevel::rank)
        return {rankColumn(), top, width() - rankColumn() - 2, std::max(8, item.height - 2)};
    const int line = std::max(scene_.metrics.streamRow, QFontMetrics(font()).height());
    return {1, top, rankColumn() - 2, std::min(item.height - scene_.metrics.rankGap, line) - 2};
}

std::vector<HeaderItem> LaneHeaders::items() const {
    return scene_.run ? headerItems(*scene_.run, scene_.layout) : std::vector<HeaderItem>();
}

int LaneHeaders::currentIndex() const {
    const std::vector<HeaderItem> all = items();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const HeaderItem& item) { return current_ && item.id == *current_; });
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

void LaneHeaders::drawRank(QPainter& painter, const RankBlock& block) const {
    const int begin = scene_.viewY(block.top);
    const int end = begin + block.height;
    painter.fillRect(0, end - 3, width() - 1, 1, palette().color(QPalette::Mid));
    QFont large = font();
    large.setBold(true);
    const QFontMetrics metrics(large);
    // The label of a rank that is scrolled half out stays in sight.
    const int first = block.top < scene_.pinnedHeight ? 0 : scene_.pinnedHeight;
    const int top = std::min(std::max(begin, first), end - scene_.metrics.rankGap - metrics.height());
    const int middle = top + std::max(scene_.metrics.streamRow, metrics.height()) / 2;
    if (block.whole)
        drawArrow(painter, QPointF(kMargin + 4, middle), block.open, palette().color(QPalette::PlaceholderText));
    painter.setFont(large);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRect(kMargin + kArrow, middle - metrics.height() / 2, rankColumn(), metrics.height()),
                     Qt::AlignVCenter | Qt::AlignLeft,
                     (isMarked(LaneId::ofRank(trace(block.rankIndex).rank)) ? kMark : QString()) +
                         tr("rank %1").arg(trace(block.rankIndex).rank));
    drawShares(painter, block, middle + metrics.height() / 2);
}

GpuShares LaneHeaders::sharesOf(int rankIndex) const {
    const auto rank = static_cast<std::size_t>(rankIndex);
    const bool known = rank < scene_.indexes.size() && scene_.indexes[rank];
    return known ? gpuShares(*scene_.indexes[rank], scene_.visible) : GpuShares();
}

void LaneHeaders::drawShares(QPainter& painter, const RankBlock& block, int top) const {
    const GpuShares shares = sharesOf(block.rankIndex);
    const QRect bar(kMargin + kArrow, top, rankColumn() - 2 * kMargin - kArrow, kSharesHeight);
    if (shares.total <= 0 || bar.bottom() > scene_.viewY(block.top) + block.height - 3)
        return;
    painter.fillRect(bar, palette().color(QPalette::Mid));
    double x = bar.left();
    for (const GpuShares::Part& part : shares.parts(isDark(palette()))) {
        const double width = bar.width() * static_cast<double>(part.time) / static_cast<double>(shares.total);
        if (part.colour.isValid())
            painter.fillRect(QRectF(x, bar.top(), width, bar.height()), part.colour);
        x += width;
    }
}

QString LaneHeaders::sharesText(int rank) const {
    const int index = scene_.indexOfRank(rank);
    const GpuShares shares = index < 0 ? GpuShares() : sharesOf(index);
    if (shares.total <= 0)
        return {};
    QStringList lines{tr("Shown: %1 of its GPU's time").arg(timeText(shares.total))};
    for (const GpuShares::Part& part : shares.parts(false))
        lines << tr("%1 %2 (%3)")
                     .arg(part.label, timeText(part.time),
                          percentText(100.0 * static_cast<double>(part.time) / static_cast<double>(shares.total)));
    return lines.join(QLatin1Char('\n'));
}

void LaneHeaders::drawHeader(QPainter& painter, const LaneHeader& header) const {
    const int left = rankColumn();
    const bool firstRowOnly = header.lane >= 0 && header.group != LaneGroup::counters;
    const int row = firstRowOnly
                        ? (header.group == LaneGroup::streams ? scene_.metrics.streamRow : scene_.metrics.threadRow)
                        : header.height;
    const QRect first(left + kArrow, scene_.viewY(header.top), width() - left - kArrow - kMargin,
                      std::min(row, header.height) - 1);
    if (header.foldable)
        drawArrow(painter, QPointF(left + 5, first.center().y() + 0.5), header.open,
                  palette().color(QPalette::PlaceholderText));
    painter.setFont(scene_.font);
    painter.setPen(palette().color(header.lane < 0 ? QPalette::PlaceholderText : QPalette::WindowText));
    const QFontMetrics metrics(scene_.font);
    // Text may be a little higher than its row: centred, it still reads.
    painter.drawText(
        first.adjusted(0, -3, 0, 3), Qt::AlignVCenter | Qt::AlignLeft,
        metrics.elidedText((isMarked(idOf(trace(header.rankIndex).rank, header)) ? kMark : QString()) + textOf(header),
                           Qt::ElideMiddle, first.width()));
}

void LaneHeaders::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !scene_.run)
        return event->ignore();
    const QPoint point = event->position().toPoint();
    const std::optional<LaneId> id = idAt(point);
    if (!id)
        return;
    current_ = id;
    const LaneHeader* header = headerAt(point);
    if (id->level == LaneLevel::rank && rankAt(point.y())->whole)
        drag_ = RankDrag{id->rank, point, false, 0, 0}; // folds when released where it was pressed
    else if (header != nullptr && header->foldable)
        Q_EMIT foldAsked(*id);
    update();
}

void LaneHeaders::mouseMoveEvent(QMouseEvent* event) {
    const QPoint point = event->position().toPoint();
    if (drag_)
        return dragTo(point);
    const LaneHeader* header = scene_.run ? headerAt(point) : nullptr;
    const RankBlock* block = scene_.run ? rankAt(point.y()) : nullptr;
    const bool folds =
        (header != nullptr && header->foldable) || (point.x() < rankColumn() && block != nullptr && block->whole);
    setCursor(folds ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void LaneHeaders::dragTo(QPoint point) {
    if (!drag_->moved && (point - drag_->from).manhattanLength() < QApplication::startDragDistance())
        return;
    drag_->moved = true;
    setCursor(Qt::ClosedHandCursor);
    // Places count among the ranks that scroll; it goes before the block whose upper half is pointed at.
    const int y =
        scene_.layoutY(std::clamp(point.y(), scene_.pinnedHeight, std::max(scene_.pinnedHeight, height() - 1)));
    int from = -1;
    int before = 0;
    int number = 0;
    drag_->line = scene_.layout.height;
    bool placed = false;
    for (const RankBlock& block : scene_.layout.ranks) {
        if (block.top < scene_.layout.pinnedHeight)
            continue;
        if (trace(block.rankIndex).rank == drag_->rank)
            from = number;
        if (!placed && y < block.top + block.height / 2) {
            before = number;
            drag_->line = block.top;
            placed = true;
        }
        ++number;
    }
    if (!placed)
        before = number;
    drag_->places = from < 0 ? 0 : (before > from ? before - from - 1 : before - from);
    update();
}

void LaneHeaders::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !drag_)
        return event->ignore();
    const RankDrag drag = *drag_;
    drag_.reset();
    unsetCursor();
    if (!drag.moved)
        Q_EMIT foldAsked(LaneId::ofRank(drag.rank));
    else if (drag.places != 0)
        Q_EMIT moveAsked(drag.rank, drag.places);
    update();
}

void LaneHeaders::contextMenuEvent(QContextMenuEvent* event) {
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const std::optional<LaneId> id = byKey ? current_ : idAt(event->pos());
    if (!id)
        return event->ignore();
    QPoint at = event->globalPos();
    if (byKey) {
        for (const HeaderItem& item : headerItems(*scene_.run, scene_.layout))
            if (item.id == *id)
                at = mapToGlobal(QPoint(rankColumn(), scene_.viewY(item.top) + 8));
    }
    current_ = id;
    Q_EMIT menuAsked(*id, at);
}

void LaneHeaders::setCurrent(const LaneId& id) {
    current_ = id;
    const QString shares = id.level == LaneLevel::rank ? sharesText(id.rank) : QString();
    setAccessibleDescription(shares.isEmpty() ? nameOf(id) : nameOf(id) + QLatin1Char('\n') + shares);
    Q_EMIT currentChanged(id);
    if (hasFocus())
        tellAccessible(this, QAccessible::Focus, currentIndex());
    update();
}

void LaneHeaders::needCurrent() {
    if (scene_.run && !current_)
        walk(0);
}

void LaneHeaders::focusInEvent(QFocusEvent* event) {
    if (event->reason() != Qt::MouseFocusReason)
        needCurrent();
    QWidget::focusInEvent(event);
    update();
}

void LaneHeaders::walk(int steps) {
    const std::vector<HeaderItem> items = headerItems(*scene_.run, scene_.layout);
    if (items.empty())
        return;
    const auto found = std::find_if(items.begin(), items.end(),
                                    [&](const HeaderItem& item) { return current_ && item.id == *current_; });
    std::ptrdiff_t next = found - items.begin() + steps;
    if (found == items.end()) { // folded away, or nothing was current: the first in view
        next =
            std::find_if(
                items.begin(), items.end(),
                [&](const HeaderItem& item) { return item.top + item.height > scene_.layoutY(scene_.pinnedHeight); }) -
            items.begin();
    }
    setCurrent(items[static_cast<std::size_t>(
                         std::clamp<std::ptrdiff_t>(next, 0, static_cast<std::ptrdiff_t>(items.size()) - 1))]
                   .id);
}

void LaneHeaders::openOrClose(const HeaderItem& item, bool open) {
    if (item.foldable && item.open != open)
        return Q_EMIT foldAsked(item.id);
    if (open)
        return walk(+1);
    // From what cannot be closed any further to what it belongs to.
    const bool inGroup = item.id.level == LaneLevel::lane && item.id.group != LaneGroup::streams;
    const LaneId group = LaneId::ofGroup(item.id.rank, item.id.group);
    for (const HeaderItem& other : headerItems(*scene_.run, scene_.layout))
        if (inGroup && other.id == group)
            return setCurrent(group);
    if (item.id.level != LaneLevel::rank)
        setCurrent(LaneId::ofRank(item.id.rank));
}

void LaneHeaders::keyPressEvent(QKeyEvent* event) {
    if (!scene_.run || (event->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return QWidget::keyPressEvent(event);
    const std::vector<HeaderItem> items = headerItems(*scene_.run, scene_.layout);
    const auto item =
        std::find_if(items.begin(), items.end(), [&](const HeaderItem& i) { return current_ && i.id == *current_; });
    if (item == items.end() && event->key() != Qt::Key_Up && event->key() != Qt::Key_Down)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Up: return walk(-1);
    case Qt::Key_Down: return walk(+1);
    case Qt::Key_Left: return openOrClose(*item, false);
    case Qt::Key_Right: return openOrClose(*item, true);
    case Qt::Key_Home: return setCurrent(items.front().id);
    case Qt::Key_End: return setCurrent(items.back().id);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: return foldCurrent();
    default: return QWidget::keyPressEvent(event);
    }
}

void LaneHeaders::foldCurrent() {
    for (const HeaderItem& item : headerItems(*scene_.run, scene_.layout))
        if (current_ && item.id == *current_ && item.foldable)
            return Q_EMIT foldAsked(item.id);
}

void LaneHeaders::hideCurrent() {
    const std::vector<HeaderItem> items = headerItems(*scene_.run, scene_.layout);
    const auto item =
        std::find_if(items.begin(), items.end(), [&](const HeaderItem& i) { return current_ && i.id == *current_; });
    if (item == items.end())
        return;
    // The next line takes its place under the hand.
    const LaneId hidden = item->id;
    walk(item + 1 == items.end() ? -1 : +1);
    Q_EMIT hideAsked(hidden);
}

QString LaneHeaders::hoverText(QPoint point) const {
    const LaneHeader* header = scene_.run ? headerAt(point) : nullptr;
    const std::optional<LaneId> id = idAt(point);
    QStringList lines;
    if (header != nullptr)
        lines << textOf(*header);
    else if (id)
        lines << nameOf(*id) << sharesText(id->rank);
    if (id && isMarked(*id))
        lines << marked_.at(*id);
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

bool LaneHeaders::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !scene_.run)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    // Lane names come from the trace: never read them as HTML.
    if (const QString text = hoverText(help->pos()); text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), toolTipText(text), this);
    return true;
}

} // namespace rankscope
