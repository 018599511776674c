// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of workers, their labels and the legend. A single row of many workers is folded.
//   1 024 ranks in no known mesh: 32 rows of 32 cells, titled 0, 32, 64 ..., and +0 to +31.
#include "widgets/screens/worker_map_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/palette.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double kLargestCell = 72;
constexpr int kLegendHeight = 12;
constexpr int kLegendWidth = 180;
constexpr double kMargin = 6;
constexpr int kLongestRow = 40; ///< cells that can be told apart beside the table

/// From where nothing is lost, and at least as wide as what can be told from noise: workers that are alike look alike.
std::pair<double, double> scaleOf(const WorkerMap& map) {
    constexpr double kLeastSlowdown = 0.05;
    constexpr double kLeastLag = 100'000; // ns
    constexpr double kLeastShare = 0.1;
    switch (map.value) {
    case WorkerValue::slowdown: return {1, std::max(map.most, 1 + kLeastSlowdown)};
    case WorkerValue::lag: return {0, std::max(map.most, kLeastLag)};
    case WorkerValue::idle:
    case WorkerValue::exposed: return {0, std::max(map.most, kLeastShare)};
    }
    return {0, map.most};
}

double shareOf(const WorkerMap& map, double value) {
    const auto [from, to] = scaleOf(map);
    return std::clamp((value - from) / (to - from), 0.0, 1.0);
}

} // namespace

QColor workerColour(double share) {
    static constexpr std::array<QRgb, 10> kStops{0xFF00224E, 0xFF123570, 0xFF3B496C, 0xFF575D6D, 0xFF707173,
                                                 0xFF8A8678, 0xFFA59C74, 0xFFC3B369, 0xFFE1CC55, 0xFFFEE838};
    const double place = std::clamp(share, 0.0, 1.0) * (kStops.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), kStops.size() - 2);
    const double part = place - static_cast<double>(below);
    const QColor from(kStops[below]);
    const QColor to(kStops[below + 1]);
    const auto mixed = [&](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * part)); };
    return {mixed(from.red(), to.red()), mixed(from.green(), to.green()), mixed(from.blue(), to.blue())};
}

QString workerValueTitle(WorkerValue value) {
    switch (value) {
    case WorkerValue::slowdown: return WorkerMapView::tr("Slowdown");
    case WorkerValue::lag: return WorkerMapView::tr("Mean lag at collectives");
    case WorkerValue::idle: return WorkerMapView::tr("Idle GPU");
    case WorkerValue::exposed: return WorkerMapView::tr("Communication and waiting");
    }
    return {};
}

QString workerValueText(WorkerValue value, double number) {
    switch (value) {
    case WorkerValue::slowdown: return decimal(QString::number(number, 'f', 3)) + u" ×"_s;
    case WorkerValue::lag: return timeTextOfNs(number);
    case WorkerValue::idle:
    case WorkerValue::exposed: return decimal(QString::number(100 * number, 'f', 1)) + u" %"_s;
    }
    return {};
}

QString dimensionTitle(ParallelDimension dimension) {
    switch (dimension) {
    case ParallelDimension::pp: return WorkerMapView::tr("stage");
    case ParallelDimension::dp:
    case ParallelDimension::dp_replicate: return WorkerMapView::tr("data-parallel rank");
    case ParallelDimension::dp_shard: return WorkerMapView::tr("shard");
    case ParallelDimension::cp: return WorkerMapView::tr("context-parallel rank");
    case ParallelDimension::tp: return WorkerMapView::tr("tensor-parallel rank");
    case ParallelDimension::ep: return WorkerMapView::tr("expert-parallel rank");
    case ParallelDimension::unknown: break;
    }
    return WorkerMapView::tr("rank");
}

WorkerMapView::WorkerMapView(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Heat map of workers"));
    setFocusPolicy(Qt::StrongFocus);
}

void WorkerMapView::setMap(std::shared_ptr<const RunAnalysis> analysis, std::shared_ptr<const WorkerMap> map) {
    analysis_ = std::move(analysis);
    map_ = std::move(map);
    setAccessibleDescription(legendText());
    update();
}

void WorkerMapView::setCurrentRank(std::optional<std::uint32_t> rank) {
    rank_ = rank;
    if (const auto cell = currentCell())
        setAccessibleDescription(describe(cell->row, cell->column));
    update();
}

/// One row stands for no dimension: it may go on in the next line.
bool WorkerMapView::isFolded() const { return map_->rows.size == 1 && map_->columns.size > kLongestRow; }

int WorkerMapView::shownColumns() const {
    if (!isFolded())
        return map_->columns.size;
    constexpr int kGpusOfMachine = 8; // ranks of a machine stay together
    const int square = static_cast<int>(std::ceil(std::sqrt(map_->columns.size)));
    return (square + kGpusOfMachine - 1) / kGpusOfMachine * kGpusOfMachine;
}

int WorkerMapView::shownRows() const {
    return isFolded() ? (map_->columns.size + shownColumns() - 1) / shownColumns() : map_->rows.size;
}

/// The place on the mesh; where no mesh is known the number of the rank.
QString WorkerMapView::rankTitle(int column) const {
    const bool ranks = map_->columns.dimension == ParallelDimension::unknown;
    return QString::number(ranks ? analysis_->run().ranks[static_cast<std::size_t>(column)]->rank : column);
}

QString WorkerMapView::columnTitle(int shown) const { return isFolded() ? u"+%1"_s.arg(shown) : rankTitle(shown); }

QString WorkerMapView::rowTitle(int shown) const {
    return isFolded() ? rankTitle(shown * shownColumns()) : QString::number(shown);
}

QRectF WorkerMapView::area() const {
    if (!map_ || map_->cells.empty())
        return {};
    const int line = fontMetrics().height();
    const double left =
        hasRowTitles() ? fontMetrics().horizontalAdvance(rowTitle(shownRows() - 1)) + line + 3 * kMargin : 0;
    const double top = 2.0 * line + 2 * kMargin;
    const double bottom = 2 * line + kLegendHeight + 3 * kMargin; // the words may need two lines
    const double width = (this->width() - left - kMargin) / shownColumns();
    const double height = (this->height() - top - bottom) / shownRows();
    return {left, top, std::clamp(width, 0.01, 2 * kLargestCell) * shownColumns(),
            std::clamp(height, 0.01, kLargestCell) * shownRows()};
}

QRectF WorkerMapView::rectOf(Cell cell) const {
    const QRectF all = area();
    const double width = all.width() / shownColumns();
    const double height = all.height() / shownRows();
    const int row = isFolded() ? cell.column / shownColumns() : cell.row;
    const int column = isFolded() ? cell.column % shownColumns() : cell.column;
    return {all.left() + width * column, all.top() + height * row, width, height};
}

QPoint WorkerMapView::cellCentre(int row, int column) const { return rectOf({row, column}).center().toPoint(); }

std::optional<WorkerMapView::Cell> WorkerMapView::cellAt(QPointF position) const {
    const QRectF all = area();
    if (!all.contains(position))
        return std::nullopt;
    const auto place = [](double at, double length, int count) {
        return std::clamp(static_cast<int>(at / length * count), 0, count - 1);
    };
    const Cell shown{place(position.y() - all.top(), all.height(), shownRows()),
                     place(position.x() - all.left(), all.width(), shownColumns())};
    if (!isFolded())
        return shown;
    const int column = shown.row * shownColumns() + shown.column;
    return column < map_->columns.size ? std::optional(Cell{0, column}) : std::nullopt;
}

std::optional<WorkerMapView::Cell> WorkerMapView::currentCell() const {
    if (!map_ || !rank_)
        return std::nullopt;
    for (int row = 0; row < map_->rows.size; ++row)
        for (int column = 0; column < map_->columns.size; ++column)
            if (const WorkerCell& cell = map_->cell(row, column); cell.value && cell.rank == *rank_)
                return Cell{row, column};
    return std::nullopt;
}

QString WorkerMapView::describe(int row, int column) const {
    if (!map_ || map_->cells.empty() || row >= map_->rows.size || column >= map_->columns.size)
        return {};
    const WorkerCell& cell = map_->cell(row, column);
    if (!cell.value)
        return {};
    const QString rank = QString::number(analysis_->run().ranks[cell.rank]->rank);
    const auto at = [](const WorkerDimension& dimension, int place) {
        return tr("%1 %2").arg(dimensionTitle(dimension.dimension)).arg(place);
    };
    QStringList lines{map_->columns.dimension == ParallelDimension::unknown ? tr("Rank %1").arg(rank)
                      : map_->rows.size > 1
                          ? tr("Rank %1: %2, %3").arg(rank, at(map_->columns, column), at(map_->rows, row))
                          : tr("Rank %1: %2").arg(rank, at(map_->columns, column))};
    if (cell.ranks > 1)
        lines << tr("The worst of %1 ranks there", nullptr, plural(static_cast<std::int64_t>(cell.ranks)))
                     .arg(cell.ranks);
    for (std::size_t v = 0; v < kWorkerValueCount; ++v) {
        const auto value = static_cast<WorkerValue>(v);
        if (const auto number = worker_value(*analysis_, value, cell.rank))
            lines << workerValueTitle(value) + u": "_s + workerValueText(value, *number);
    }
    return lines.join(u'\n');
}

QString WorkerMapView::legendText() const {
    if (!map_ || map_->cells.empty())
        return {};
    const auto [from, to] = scaleOf(*map_);
    return tr("%1: colours from %2 to %3")
        .arg(workerValueTitle(map_->value), workerValueText(map_->value, from), workerValueText(map_->value, to));
}

void WorkerMapView::paintEvent(QPaintEvent*) {
    if (!map_ || map_->cells.empty())
        return;
    QPainter painter(this);
    const QColor text = palette().color(QPalette::WindowText);
    const QColor dim = palette().color(QPalette::PlaceholderText);
    const int line = fontMetrics().height();
    const QRectF all = area();
    painter.setPen(dim);
    painter.drawText(QRectF(all.left(), 0, width() - all.left(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     dimensionTitle(map_->columns.dimension));
    if (map_->rows.size > 1) {
        painter.save();
        painter.translate(0, all.center().y());
        painter.rotate(-90);
        painter.drawText(QRectF(-all.height() / 2 - 60, 0, all.height() + 120, line), Qt::AlignCenter,
                         dimensionTitle(map_->rows.dimension));
        painter.restore();
    }
    painter.setPen(text);
    const QSizeF cellSize = rectOf({0, 0}).size();
    const int everyColumn =
        std::max(1, static_cast<int>(std::ceil((fontMetrics().horizontalAdvance(columnTitle(shownColumns() - 1)) + 8) /
                                               cellSize.width())));
    for (int column = 0; column < shownColumns(); column += everyColumn) {
        const double centre = all.left() + (column + 0.5) * cellSize.width();
        painter.drawText(QRectF(centre - 30, line + kMargin / 2, 60, line), Qt::AlignCenter, columnTitle(column));
    }
    const int everyRow = std::max(1, static_cast<int>(std::ceil(line / cellSize.height())));
    for (int row = 0; row < shownRows() && hasRowTitles(); row += everyRow)
        painter.drawText(
            QRectF(line, all.top() + (row + 0.5) * cellSize.height() - line / 2.0, all.left() - line - kMargin, line),
            Qt::AlignRight | Qt::AlignVCenter, rowTitle(row));
    const double gap = std::min(cellSize.width(), cellSize.height()) > 12 ? 1.5 : 0;
    std::vector<Cell> cells;
    for (int row = 0; row < map_->rows.size; ++row)
        for (int column = 0; column < map_->columns.size; ++column)
            cells.push_back({row, column});
    // Where a cell is narrower than a pixel, the worst is drawn last.
    std::ranges::stable_sort(cells, {}, [&](Cell at) { return map_->cell(at.row, at.column).value.value_or(-1); });
    for (const Cell place : cells) {
        const WorkerCell& cell = map_->cell(place.row, place.column);
        QRectF at = rectOf(place).adjusted(gap, gap, -gap, -gap);
        at.setSize(at.size().expandedTo({1, 1}));
        if (!cell.value) {
            painter.fillRect(at, QBrush(dim, Qt::BDiagPattern));
            continue;
        }
        const QColor colour = workerColour(shareOf(*map_, *cell.value));
        painter.fillRect(at, colour);
        const QString number = workerValueText(map_->value, *cell.value);
        if (fontMetrics().horizontalAdvance(number) + 4 < at.width() && line < at.height()) {
            painter.setPen(textOn(colour));
            painter.drawText(at, Qt::AlignCenter, number);
        }
    }
    if (const auto current = currentCell()) {
        painter.setPen(QPen(text, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rectOf(*current));
    }
    const double y = all.bottom() + kMargin;
    const QRectF bar(all.left(), y, std::min<double>(kLegendWidth, width() - all.left() - kMargin), kLegendHeight);
    for (int x = 0; x < static_cast<int>(bar.width()); ++x)
        painter.fillRect(QRectF(bar.left() + x, bar.top(), 1, bar.height()), workerColour(x / (bar.width() - 1)));
    painter.setPen(dim);
    painter.drawText(legendRect(), Qt::AlignLeft | Qt::TextWordWrap, legendText());
}

QRectF WorkerMapView::legendRect() const {
    const QRectF all = area();
    const double top = all.bottom() + kMargin + kLegendHeight + 2;
    return {all.left(), top, std::max(1.0, width() - all.left()), 2.0 * fontMetrics().height()};
}

void WorkerMapView::choose(Cell cell) {
    const WorkerCell& chosen = map_->cell(cell.row, cell.column);
    if (!chosen.value)
        return;
    setCurrentRank(chosen.rank);
    Q_EMIT rankChosen(chosen.rank);
}

void WorkerMapView::mousePressEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    if (event->button() != Qt::LeftButton || !cell)
        return QWidget::mousePressEvent(event);
    choose(*cell);
}

void WorkerMapView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto cell = cellAt(event->position()); cell && map_->cell(cell->row, cell->column).value)
        Q_EMIT rankActivated(map_->cell(cell->row, cell->column).rank);
}

void WorkerMapView::keyPressEvent(QKeyEvent* event) {
    if (!map_ || map_->cells.empty())
        return QWidget::keyPressEvent(event);
    Cell cell = currentCell().value_or(Cell{});
    int& down = isFolded() ? cell.column : cell.row;
    const int line = isFolded() ? shownColumns() : 1;
    switch (event->key()) {
    case Qt::Key_Left: --cell.column; break;
    case Qt::Key_Right: ++cell.column; break;
    case Qt::Key_Up: down -= line; break;
    case Qt::Key_Down: down += line; break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (rank_)
            Q_EMIT rankActivated(*rank_);
        return;
    default: return QWidget::keyPressEvent(event);
    }
    choose({std::clamp(cell.row, 0, map_->rows.size - 1), std::clamp(cell.column, 0, map_->columns.size - 1)});
}

bool WorkerMapView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto cell = cellAt(help->pos());
        const QString words = cell ? describe(cell->row, cell->column) : QString();
        if (words.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), words, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace rankscope
