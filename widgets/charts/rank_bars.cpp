// SPDX-License-Identifier: GPL-3.0-or-later
// Stacked bars of where each rank's time went.
#include "widgets/charts/rank_bars.h"

#include <algorithm>
#include <cmath>

#include <QAbstractScrollArea>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QScrollBar>
#include <QToolTip>

#include "widgets/charts/stacked_rows.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr double kTallestRow = 26;
constexpr double kFlattestRow = 5;
constexpr int kTallestArea = 420;
constexpr int kAxisHeight = 42; ///< tick labels and the axis title
constexpr int kBesideNote = 28; ///< its arrow, and what is left empty around it
} // namespace

RankBars::RankBars(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot(this)), scroll_(new QScrollBar(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(plot_);
    layout->addWidget(scroll_);
    plot_->setMinimumSize(1, 1); // QCustomPlot complains when it is to paint on nothing
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Time per rank, stacked bars"));
    setToolTipDuration(60'000);

    rows_ = new StackedRows(plot_->yAxis, plot_->xAxis);
    plot_->yAxis->setRangeReversed(true);
    plot_->yAxis->grid()->setVisible(false);
    plot_->yAxis->setTickLength(0);
    plot_->yAxis->setBasePen(Qt::NoPen);
    plot_->yAxis->setTickPen(Qt::NoPen);
    plot_->yAxis->setSubTicks(false);
    plot_->axisRect()->setMinimumMargins(QMargins(0, 0, 0, 0));
    plot_->xAxis->setTickLength(0, 4);
    plot_->xAxis->setSubTicks(false);
    plot_->xAxis->grid()->setZeroLinePen(Qt::NoPen);
    plot_->setFocusPolicy(Qt::NoFocus);
    plot_->setMouseTracking(true);
    plot_->installEventFilter(this);
    mark_ = new QCPItemRect(plot_);
    plot_->addLayer(u"mark"_s, plot_->layer(u"main"_s), QCustomPlot::limBelow);
    mark_->setLayer(u"mark"_s);
    mark_->setPen(Qt::NoPen);
    mark_->setClipToAxisRect(false);
    mark_->setVisible(false);
    connect(scroll_, &QScrollBar::valueChanged, this, &RankBars::scrollTo);
    applyColours();
}

RankBars::~RankBars() = default;

TimeUnit RankBars::unit() const {
    TimeNs longest = 0;
    for (const RankShare& share : shares_)
        longest = std::max(longest, share.total);
    return timeUnitFor(longest);
}

void RankBars::setShares(std::vector<RankShare> shares, std::map<int, Note> notes) {
    shares_ = std::move(shares);
    notes_ = std::move(notes);
    if (current_ && shareOf(*current_) == nullptr)
        current_.reset();
    updateHeight();
    rebuild();
}

void RankBars::setOrder(RankOrder order) {
    if (order == order_)
        return;
    order_ = order;
    rebuild();
}

void RankBars::setPercent(bool percent) {
    if (percent == percent_)
        return;
    percent_ = percent;
    rebuild();
}

void RankBars::setCurrentRank(std::optional<int> rank) {
    if (rank == current_)
        return;
    current_ = rank;
    setAccessibleDescription(rank ? describe(*rank).remove(QRegularExpression(u"<[^>]*>"_s)) : QString());
    showMark();
    plot_->replot(QCustomPlot::rpQueuedReplot);
    if (rank)
        Q_EMIT currentRankChanged(*rank);
}

std::vector<int> RankBars::shownRanks() const {
    std::vector<int> ranks;
    for (const std::size_t position : positions_)
        ranks.push_back(shares_[position].rank);
    return ranks;
}

const RankShare* RankBars::shareOf(int rank) const {
    const auto found = std::ranges::find(shares_, rank, &RankShare::rank);
    return found == shares_.end() ? nullptr : &*found;
}

int RankBars::rowOf(int rank) const {
    const auto found = std::ranges::find_if(positions_, [&](std::size_t i) { return shares_[i].rank == rank; });
    return found == positions_.end() ? -1 : static_cast<int>(found - positions_.begin());
}

double RankBars::rowHeight() const {
    const auto count = static_cast<double>(std::max<std::size_t>(1, shares_.size()));
    return std::clamp(kTallestArea / count, kFlattestRow, kTallestRow);
}

int RankBars::rowsThatFit() const {
    const int rows = static_cast<int>(std::floor(kTallestArea / rowHeight()));
    return std::min(rows, static_cast<int>(std::max<std::size_t>(1, shares_.size())));
}

void RankBars::updateHeight() {
    setFixedHeight(static_cast<int>(std::lround(rowsThatFit() * rowHeight())) + kAxisHeight);
    const int hidden = static_cast<int>(shares_.size()) - rowsThatFit();
    scroll_->setRange(0, std::max(0, hidden));
    scroll_->setPageStep(rowsThatFit());
    scroll_->setVisible(hidden > 0);
}

void RankBars::rebuild() {
    positions_ = rankOrder(shares_, order_, percent_);
    const double perUnit = percent_ ? 1.0 : 1.0 / inUnit(1, unit());
    std::vector<RowNote> notes;
    for (const auto& [rank, note] : notes_)
        if (const int row = rowOf(rank); row >= 0)
            notes.push_back({row, note.text, note.strong});
    auto segments = stackSegments(shares_, positions_, percent_, perUnit);
    double most = 0;
    for (const RowSegment& segment : segments)
        most = std::max(most, segment.end);
    rows_->setContent(std::move(segments), std::move(notes), percent_ || most >= 1000 ? 0 : most >= 100 ? 1 : 2);

    plot_->axisRect()->setAutoMargins(QCP::msLeft | QCP::msTop | QCP::msBottom);
    plot_->axisRect()->setMargins(QMargins(0, 0, notes_.empty() ? 12 : noteWidth(), 0));
    plot_->xAxis->setRange(0, percent_ ? 100.0 : std::max(most, 1e-9));
    plot_->xAxis->setLabel(percent_ ? tr("% of the rank's GPU time") : timeUnitLabel(unit()));
    updateTicks();
    scrollTo(scroll_->value());
}

/// The bars leave the notes what they need, and keep most of the width.
int RankBars::noteWidth() const {
    QFont strong = plot_->font();
    strong.setBold(true);
    int widest = 0;
    for (const auto& [rank, note] : notes_)
        widest = std::max(widest, QFontMetrics(note.strong ? strong : plot_->font()).horizontalAdvance(note.text));
    return std::min(widest + kBesideNote, width() / 2);
}

void RankBars::updateTicks() {
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    const double labelHeight = plot_->fontMetrics().height();
    const int every = static_cast<int>(std::ceil(labelHeight / rowHeight()));
    for (std::size_t row = 0; row < positions_.size(); row += static_cast<std::size_t>(every))
        ticker->addTick(static_cast<double>(row), tr("rank %1").arg(shares_[positions_[row]].rank));
    plot_->yAxis->setTicker(ticker);
}

void RankBars::scrollTo(int firstRow) {
    plot_->yAxis->setRange(firstRow - 0.5, firstRow + rowsThatFit() - 0.5);
    showMark();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void RankBars::showMark() {
    const int row = current_ ? rowOf(*current_) : -1;
    mark_->setVisible(row >= 0);
    if (row < 0)
        return;
    mark_->topLeft->setTypeX(QCPItemPosition::ptViewportRatio);
    mark_->bottomRight->setTypeX(QCPItemPosition::ptViewportRatio);
    mark_->topLeft->setCoords(0, row - 0.5);
    mark_->bottomRight->setCoords(1, row + 0.5);
}

void RankBars::applyColours() {
    const QColor text = palette().color(QPalette::WindowText);
    QColor grid = text;
    grid.setAlpha(28);
    plot_->setBackground(palette().color(QPalette::Window));
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
        axis->setTickLabelColor(text);
        axis->setLabelColor(palette().color(QPalette::PlaceholderText));
        axis->setTickLabelFont(font());
        axis->setLabelFont(font());
        axis->grid()->setPen(QPen(grid, 0));
    }
    plot_->setFont(font());
    plot_->xAxis->setBasePen(QPen(grid, 0));
    plot_->xAxis->setTickPen(QPen(grid, 0));
    rows_->setDark(isDark(palette()));
    QColor mark = palette().color(QPalette::Highlight);
    mark.setAlpha(50);
    mark_->setBrush(mark);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

std::optional<int> RankBars::rankAt(const QPoint& plotPosition) const {
    const QRect area = plot_->axisRect()->rect();
    if (plotPosition.y() < area.top() || plotPosition.y() > area.bottom())
        return std::nullopt;
    const auto row = static_cast<std::ptrdiff_t>(std::lround(plot_->yAxis->pixelToCoord(plotPosition.y())));
    if (row < 0 || row >= std::ssize(positions_))
        return std::nullopt;
    return shares_[positions_[static_cast<std::size_t>(row)]].rank;
}

QPoint RankBars::rowCentre(int rank) const {
    const int row = rowOf(rank);
    const QRect area = plot_->axisRect()->rect();
    return plot_->mapTo(this, QPoint(area.center().x(), static_cast<int>(plot_->yAxis->coordToPixel(row))));
}

QString RankBars::describe(int rank) const {
    const RankShare* share = shareOf(rank);
    if (share == nullptr)
        return {};
    QString text = tr("Rank %1").arg(rank) + u": "_s + timeText(share->total);
    for (const RankPart part : kRankParts)
        text += u'\n' + rankPartLabel(part) + u": "_s + timeText(share->part(part)) + u", "_s +
                percentText(share->percent(part));
    if (const auto note = notes_.find(rank); note != notes_.end()) // it may be cut beside the bar
        text += u'\n' + note->second.text;
    return text;
}

bool RankBars::eventFilter(QObject* watched, QEvent* event) {
    if (watched != plot_)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonPress ||
        event->type() == QEvent::MouseButtonDblClick) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const auto rank = rankAt(mouse->position().toPoint());
        if (event->type() == QEvent::MouseMove) {
            if (rank)
                QToolTip::showText(mouse->globalPosition().toPoint(), describe(*rank), plot_);
            else
                QToolTip::hideText();
        } else if (rank) {
            setFocus(Qt::MouseFocusReason);
            setCurrentRank(rank);
            if (event->type() == QEvent::MouseButtonDblClick)
                Q_EMIT rankActivated(*rank);
        }
    } else if (event->type() == QEvent::Wheel) {
        turnWheel(event);
        return true;
    }
    return false;
}

void RankBars::turnWheel(QEvent* event) {
    event->ignore();
    if (!scroll_->isHidden())
        QCoreApplication::sendEvent(scroll_, event);
    // An unused wheel goes on to the page around the chart.
    for (QWidget* around = parentWidget(); around != nullptr && !event->isAccepted(); around = around->parentWidget())
        if (auto* const area = qobject_cast<QAbstractScrollArea*>(around))
            QCoreApplication::sendEvent(area->verticalScrollBar(), event);
}

void RankBars::moveCurrent(int rows) {
    if (positions_.empty())
        return;
    const int last = static_cast<int>(positions_.size()) - 1;
    const int from = current_ ? rowOf(*current_) : (rows > 0 ? -1 : last + 1);
    const int row = std::clamp(from + rows, 0, last);
    setCurrentRank(shares_[positions_[static_cast<std::size_t>(row)]].rank);
    if (row < scroll_->value())
        scroll_->setValue(row);
    if (row >= scroll_->value() + rowsThatFit())
        scroll_->setValue(row - rowsThatFit() + 1);
}

void RankBars::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up: moveCurrent(-1); break;
    case Qt::Key_Down: moveCurrent(1); break;
    case Qt::Key_PageUp: moveCurrent(-rowsThatFit()); break;
    case Qt::Key_PageDown: moveCurrent(rowsThatFit()); break;
    case Qt::Key_Home: moveCurrent(-static_cast<int>(positions_.size())); break;
    case Qt::Key_End: moveCurrent(static_cast<int>(positions_.size())); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (current_)
            Q_EMIT rankActivated(*current_);
        break;
    default: QWidget::keyPressEvent(event);
    }
}

void RankBars::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (!current_ && event->reason() != Qt::MouseFocusReason)
        moveCurrent(1);
}

void RankBars::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyColours();
}

void RankBars::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    rebuild();
}

} // namespace rankscope
