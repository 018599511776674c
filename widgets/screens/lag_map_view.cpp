// SPDX-License-Identifier: GPL-3.0-or-later
// The heat map ranks × collective calls.
#include "widgets/screens/lag_map_view.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <QApplication>
#include <QLabel>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include "widgets/charts/chart_gestures.h"
#include "widgets/charts/plot_theme.h"
#include "widgets/custom_plot.h"
#include "widgets/name_text.h"
#include "widgets/number_text.h"
#include "widgets/palette.h"
#include "widgets/plot_export.h"
#include "widgets/screens/lag_cells.h"
#include "widgets/time_text.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double kLeastColumns = 4; // in view
constexpr double kThinnestMark = 3; // pixels

QString columnTitle(const LagMap& map, std::size_t column) {
    std::optional<std::uint32_t> first;
    for (std::size_t rank = 0; rank < map.ranks; ++rank)
        if (const auto call = map.call_at(rank, column); call && (!first || *call < *first))
            first = call;
    return first ? QString::number(*first + 1) : QString();
}

/// Names a column after the first of its calls, by the number that the table has for it.
class CallTicker : public QCPAxisTickerFixed {
public:
    explicit CallTicker(const std::shared_ptr<const LagMap>& map) : map_(map) {
        setScaleStrategy(ssMultiples); // there are no half calls
        setTickOrigin(0.5);            // the middle of a column
    }

protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return tick < 0 || !map_ ? QString() : columnTitle(*map_, static_cast<std::size_t>(tick));
    }

private:
    const std::shared_ptr<const LagMap>& map_; ///< the view's, which changes
};

} // namespace

LagMapView::LagMapView(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot), legend_(new LagLegend) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Lag of each rank at each collective call"));
    markAsPlot(*this, tr("Lag of ranks at collectives"));
    cells_ = new LagCells(plot_->xAxis, plot_->yAxis);
    mark_ = new QCPItemRect(plot_);
    mark_->setVisible(false);
    plot_->setFocusPolicy(Qt::NoFocus);
    plot_->installEventFilter(this);
    plot_->setMouseTracking(true);
    plot_->axisRect()->setMinimumMargins(QMargins(0, 5, 4, 0)); // the first label is higher than its row
    plot_->xAxis->setLabel(tr("call, as numbered in the table (calls without a rank in common share a column)"));
    plot_->xAxis->grid()->setVisible(false);
    plot_->yAxis->grid()->setVisible(false);
    plot_->yAxis->setRangeReversed(true);
    plot_->yAxis->setTickLength(0);
    plot_->yAxis->setSubTicks(false);
    plot_->xAxis->setSubTicks(false);
    plot_->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new CallTicker(map_)));
    // Which labels fit is known once the plot has its size.
    connect(plot_, &QCustomPlot::afterLayout, this, [this] {
        if (labelEvery() == labelled_)
            return;
        updateTicks();
        plot_->replot(QCustomPlot::rpQueuedReplot);
    });
    auto* title = new QLabel(tr("Who is late at which call"));
    QFont bold = title->font();
    bold.setWeight(QFont::DemiBold);
    title->setFont(bold);
    auto* head = new QHBoxLayout;
    head->addWidget(title);
    head->addStretch();
    head->addWidget(legend_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(head);
    layout->addWidget(plot_, 1);
    applyColours();
}

LagMapView::~LagMapView() = default;

QString LagMapView::titleOf(std::size_t column) const { return map_ ? columnTitle(*map_, column) : QString(); }

void LagMapView::setMap(std::shared_ptr<const LagMap> map) {
    if (!map || !map_ || map->calls != map_->calls)
        call_.reset(); // a number among other calls
    map_ = std::move(map);
    cells_->setMap(map_);
    legend_->setMap(map_);
    plot_->yAxis->setRange(0, map_ && map_->ranks > 0 ? static_cast<double>(map_->ranks) : 1);
    rank_ = 0;
    updateTicks();
    showColumns(0, map_ ? static_cast<double>(map_->columns) : 1);
    setCurrentCall(call_);
}

std::size_t LagMapView::labelEvery() const {
    const double ranks = map_ ? static_cast<double>(std::max<std::size_t>(1, map_->ranks)) : 1;
    const double row = std::max(1, plot_->axisRect()->height()) / ranks;
    return static_cast<std::size_t>(std::max(1.0, std::ceil(plot_->fontMetrics().height() / row)));
}

void LagMapView::updateTicks() {
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    labelled_ = labelEvery();
    if (map_ && map_->calls)
        for (std::size_t rank = 0; rank < map_->ranks; rank += labelled_)
            ticker->addTick(static_cast<double>(rank) + 0.5,
                            tr("rank %1").arg(map_->calls->analysis->run().ranks[rank]->rank));
    plot_->yAxis->setTicker(ticker);
}

void LagMapView::showColumns(double first, double last) {
    const double all = map_ ? static_cast<double>(std::max<std::size_t>(1, map_->columns)) : 1;
    const double length = std::clamp(last - first, std::min(kLeastColumns, all), all);
    first_ = std::clamp(first, 0.0, all - length);
    last_ = first_ + length;
    plot_->xAxis->setRange(first_, last_);
    placeMark();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void LagMapView::setCurrentCall(std::optional<std::uint32_t> call) {
    call_ = call;
    const std::optional<std::size_t> column = currentColumn();
    setAccessibleDescription({});
    if (column) {
        const auto& timing = map_->calls->timing(*call);
        if (map_->call_at(rank_, *column) != call)
            rank_ = timing.last_rank;
        setAccessibleDescription(describe(rank_, *column).replace(u'\n', u' '));
        const auto place = static_cast<double>(column.value_or(0));
        if (place < first_ || place + 1 > last_)
            showColumns(place - (last_ - first_) / 2, place + (last_ - first_) / 2);
    }
    placeMark();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

std::optional<std::size_t> LagMapView::currentColumn() const {
    if (!call_ || !map_ || map_->columns == 0)
        return {};
    return map_->column_of(*call_);
}

void LagMapView::placeMark() {
    const std::optional<std::size_t> column = currentColumn();
    mark_->setVisible(column.has_value());
    if (!column)
        return;
    const double perPixel = (last_ - first_) / std::max(1, plot_->axisRect()->width());
    const double wider = std::max(0.0, kThinnestMark * perPixel - 1) / 2;
    mark_->topLeft->setCoords(static_cast<double>(*column) - wider, 0);
    mark_->bottomRight->setCoords(static_cast<double>(*column) + 1 + wider, static_cast<double>(map_->ranks));
}

QString LagMapView::describe(std::size_t rank, std::size_t column) const {
    const auto call = map_ ? map_->call_at(rank, column) : std::nullopt;
    if (!call)
        return {};
    const CollectiveCalls& calls = *map_->calls;
    const Run& run = calls.analysis->run();
    const CollectiveTiming& timing = calls.timing(*call);
    const TimeNs lag = lag_at(calls, *call, rank).value_or(0);
    const QString own = lag == 0                   ? tr("arrives first")
                        : rank == timing.last_rank ? tr("arrives last, %1 after the first").arg(durationText(lag))
                                                   : tr("arrives %1 after the first").arg(durationText(lag));
    return tr("Rank %1 %2\nCall %3: %4, %5\nLast of %6: rank %7, %8 late")
        .arg(run.ranks[rank]->rank)
        .arg(own)
        .arg(*call + 1)
        .arg(nameText(calls.words[calls.calls[*call].word]), nameText(group_title(calls.group(*call))))
        .arg(timing.members.size())
        .arg(run.ranks[timing.last_rank]->rank)
        .arg(durationText(timing.start_skew));
}

std::optional<LagMapView::Cell> LagMapView::cellAt(const QPoint& plotPosition) const {
    if (!map_ || !plot_->axisRect()->rect().contains(plotPosition))
        return {};
    const double column = plot_->xAxis->pixelToCoord(plotPosition.x());
    const double rank = plot_->yAxis->pixelToCoord(plotPosition.y());
    if (column < 0 || column >= static_cast<double>(map_->columns) || rank < 0 ||
        rank >= static_cast<double>(map_->ranks))
        return {};
    Cell cell{static_cast<std::size_t>(rank), static_cast<std::size_t>(column)};
    // Several columns lie below a pixel: the one it shows is meant, that with the longest lag.
    const auto end =
        std::min(map_->columns, static_cast<std::size_t>(std::ceil(plot_->xAxis->pixelToCoord(plotPosition.x() + 1))));
    TimeNs longest = -1;
    for (std::size_t at = cell.column; at < end; ++at)
        if (const auto call = map_->call_at(cell.rank, at);
            call && lag_at(*map_->calls, *call, cell.rank).value_or(0) > longest) {
            longest = lag_at(*map_->calls, *call, cell.rank).value_or(0);
            cell.column = at;
        }
    return longest < 0 ? std::nullopt : std::optional(cell);
}

QPoint LagMapView::cellCentre(std::size_t rank, std::size_t column) const {
    return plot_->mapTo(this, QPoint(static_cast<int>(plot_->xAxis->coordToPixel(static_cast<double>(column) + 0.5)),
                                     static_cast<int>(plot_->yAxis->coordToPixel(static_cast<double>(rank) + 0.5))));
}

bool LagMapView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != plot_)
        return QWidget::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::MouseButtonPress: press(*static_cast<QMouseEvent*>(event)); return false;
    case QEvent::MouseMove: move(*static_cast<QMouseEvent*>(event)); return false;
    case QEvent::MouseButtonRelease: release(*static_cast<QMouseEvent*>(event)); return false;
    case QEvent::Wheel: wheel(*static_cast<QWheelEvent*>(event)); return true;
    case QEvent::Resize:
        updateTicks();
        placeMark();
        return false;
    default: return false;
    }
}

void LagMapView::press(const QMouseEvent& event) {
    setFocus(Qt::MouseFocusReason);
    if (event.button() == Qt::LeftButton)
        drag_ = Drag{event.position().toPoint(), first_};
}

void LagMapView::move(const QMouseEvent& event) {
    const QPoint at = event.position().toPoint();
    if (drag_ && (drag_->moved || (at - drag_->from).manhattanLength() >= QApplication::startDragDistance())) {
        drag_->moved = true;
        const double perPixel = (last_ - first_) / std::max(1, plot_->axisRect()->width());
        const double first = drag_->first - (at.x() - drag_->from.x()) * perPixel;
        return showColumns(first, first + last_ - first_);
    }
    const auto cell = cellAt(at);
    plot_->setCursor(cell ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (cell)
        QToolTip::showText(event.globalPosition().toPoint(), toolTipText(describe(cell->rank, cell->column)), plot_);
    else
        QToolTip::hideText();
}

void LagMapView::release(const QMouseEvent& event) {
    const bool click = drag_ && !drag_->moved && event.button() == Qt::LeftButton;
    drag_.reset();
    const auto cell = click ? cellAt(event.position().toPoint()) : std::nullopt;
    if (cell)
        activate(*cell);
}

void LagMapView::activate(const Cell& cell) {
    const auto call = map_->call_at(cell.rank, cell.column);
    if (!call)
        return;
    rank_ = cell.rank;
    setCurrentCall(call);
    Q_EMIT callMarked(*call);
    Q_EMIT callActivated(*call, map_->calls->analysis->run().ranks[cell.rank]->rank);
}

void LagMapView::wheel(const QWheelEvent& event) {
    const QPoint turned = event.angleDelta();
    const double notches = static_cast<double>(turned.y() != 0 ? turned.y() : turned.x()) / kWheelNotch;
    if (event.modifiers().testFlag(Qt::ControlModifier))
        zoom(std::pow(kZoomStep, -notches), plot_->xAxis->pixelToCoord(event.position().x()));
    else
        pan(-notches * kKeyPan * (last_ - first_));
}

void LagMapView::zoom(double factor, double anchor) {
    const double length = (last_ - first_) * factor;
    const double share = (anchor - first_) / (last_ - first_);
    showColumns(anchor - share * length, anchor + (1 - share) * length);
}

void LagMapView::moveCell(int calls, int ranks) {
    if (!map_ || map_->columns == 0)
        return;
    const std::optional<std::size_t> now = currentColumn();
    if (now && ranks != 0)
        rank_ = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(rank_) + ranks, 0,
                                                                    static_cast<std::ptrdiff_t>(map_->ranks) - 1));
    const auto& entries = map_->of_rank[rank_];
    if (entries.empty())
        return;
    auto at = std::ranges::lower_bound(entries, now.value_or(static_cast<std::size_t>(first_)), {},
                                       [](const LagMap::Entry& e) { return std::size_t{e.column}; });
    std::ptrdiff_t place = std::min<std::ptrdiff_t>(at - entries.begin(), std::ssize(entries) - 1);
    if (now)
        place = std::clamp<std::ptrdiff_t>(place + calls, 0, std::ssize(entries) - 1);
    setCurrentCall(entries[static_cast<std::size_t>(place)].call);
    Q_EMIT callMarked(*call_);
}

void LagMapView::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier))
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left: return moveCell(-1, 0);
    case Qt::Key_Right: return moveCell(+1, 0);
    case Qt::Key_Up: return moveCell(0, -1);
    case Qt::Key_Down: return moveCell(0, +1);
    case Qt::Key_W: return zoom(1 / kZoomStep, (first_ + last_) / 2);
    case Qt::Key_S: return zoom(kZoomStep, (first_ + last_) / 2);
    case Qt::Key_A: return pan(-kKeyPan * (last_ - first_));
    case Qt::Key_D: return pan(kKeyPan * (last_ - first_));
    case Qt::Key_0: return showColumns(0, map_ ? static_cast<double>(map_->columns) : 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const std::optional<std::size_t> column = currentColumn())
            activate({rank_, *column});
        return;
    default: QWidget::keyPressEvent(event);
    }
}

void LagMapView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyColours();
}

void LagMapView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    updateTicks();
    placeMark();
}

void LagMapView::applyColours() {
    cells_->setDark(isDark(palette()));
    mark_->setPen(QPen(hue(Hue::selection, isDark(palette())), 1.5)); // a frame: a veil would change the colours
    themePlot(*plot_, palette());
}

} // namespace rankscope
