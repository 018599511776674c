// SPDX-License-Identifier: GPL-3.0-or-later
// The whole run above the lanes.
#include "widgets/timeline/minimap.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QPainter>

#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/palette.h"
#include "widgets/timeline/time_ruler.h"

namespace rankscope {
namespace {

constexpr int kHeight = 30;
constexpr double kGrasp = 5;     // pixels beside an edge that still take hold of it
constexpr double kNarrowest = 6; // of the window, pixels
constexpr int kMarkHeight = 5;

std::size_t columnOf(TimeNs time, TimeRange range) {
    const TimeAxis columns{range, static_cast<double>(kMinimapColumns)};
    return static_cast<std::size_t>(std::clamp(columns.columnOf(time), 0.0, kMinimapColumns - 1.0));
}

} // namespace

Minimap::Minimap(const TimelineScene& scene, ViewState* state, QWidget* parent)
    : QWidget(parent), scene_(scene), state_(state) {
    setAccessibleName(tr("Minimap"));
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    describe();
}

Minimap::~Minimap() = default;

QSize Minimap::sizeHint() const { return {100, kHeight}; }

void Minimap::takeIndexes() {
    if (!scene_.run) {
        jobs_.stop({sharesJob});
        shares_ = {};
        return drawShares();
    }
    jobs_.run(
        {sharesJob},
        [indexes = scene_.indexes, range = scene_.run->span](const std::stop_token& stop) {
            return minimapShares(indexes, range, stop);
        },
        [this](MinimapShares shares) {
            shares_ = std::move(shares);
            drawShares();
        });
}

void Minimap::setMarks(const std::vector<TimeNs>& times) {
    hits_.reset();
    marks_.clear();
    if (scene_.run && !times.empty()) {
        markedRange_ = scene_.run->span;
        marks_.resize(kMinimapColumns);
        for (const TimeNs time : times)
            marks_[columnOf(time, markedRange_)] = true;
    }
    update();
}

void Minimap::markHits(std::shared_ptr<const SearchHits> hits) {
    setMarks({});
    if (!scene_.run || !hits || hits->count == 0 || hits->ranks.size() != scene_.run->ranks.size())
        return;
    hits_ = hits;
    jobs_.run(
        {hitsJob},
        [hits = std::move(hits), run = scene_.run](const std::stop_token&) {
            std::vector<bool> marks(kMinimapColumns);
            for (std::size_t rank = 0; rank < hits->ranks.size(); ++rank)
                for (const EventIndex event : hits->ranks[rank])
                    marks[columnOf(run->ranks[rank]->events.start[event], run->span)] = true;
            return marks;
        },
        [this, range = scene_.run->span](std::vector<bool> marks) {
            marks_ = std::move(marks);
            markedRange_ = range;
            update();
        });
}

std::vector<int> Minimap::markedColumns() const {
    std::vector<int> columns;
    const TimeAxis marked{markedRange_, static_cast<double>(kMinimapColumns)};
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        if (!marks_[i])
            continue;
        const int x = static_cast<int>(axis().columnOf(marked.columnBegin(static_cast<double>(i))));
        if (columns.empty() || columns.back() != x)
            columns.push_back(x);
    }
    return columns;
}

std::vector<int> Minimap::stepColumns() const {
    constexpr int kLeastApart = 4;
    const RankTrace* trace = rankOfRulerSteps(scene_);
    std::vector<int> columns;
    if (trace == nullptr)
        return columns;
    for (const ProfilerStep& step : trace->steps) {
        const int x = static_cast<int>(axis().columnOf(step.range.begin));
        if (!columns.empty() && x - columns.back() < kLeastApart)
            return {};
        columns.push_back(x);
    }
    return columns;
}

TimeAxis Minimap::axis() const { return {state_->fullRange(), static_cast<double>(std::max(1, width()))}; }

QRectF Minimap::window() const {
    const TimeRange visible = state_->visibleRange();
    const double left = axis().pixelOf(visible.begin);
    const double right = axis().pixelOf(visible.end);
    const double more = std::max(0.0, kNarrowest - (right - left)) / 2;
    return {left - more, 0, right - left + 2 * more, static_cast<double>(height())};
}

void Minimap::drawShares() {
    renderShares();
    describe();
    update();
}

void Minimap::renderShares() {
    const double ratio = devicePixelRatioF();
    const QSize size(qCeil(width() * ratio), qCeil((height() - 1) * ratio));
    image_ = size.isEmpty() ? QImage() : QImage(size, QImage::Format_RGB32);
    if (!image_.isNull()) {
        image_.setDevicePixelRatio(ratio);
        image_.fill(palette().color(QPalette::Base));
        const bool dark = isDark(palette());
        for (int x = 0; x < size.width() && !shares_.columns.empty(); ++x) {
            const ClassShares shares = shares_.over(x, size.width());
            const auto most = std::max_element(shares.begin(), shares.end());
            if (*most <= 0)
                continue;
            const ClassHeights heights =
                stackedHeights(shares, static_cast<SliceClass>(most - shares.begin()), size.height());
            int y = size.height();
            for (std::size_t c = 0; c < kSliceClassCount; ++c)
                for (int i = 0; i < heights[c]; ++i)
                    image_.setPixelColor(x, --y, hueOf(static_cast<SliceClass>(c), dark));
        }
    }
}

void Minimap::describe() {
    ClassShares whole{};
    for (const ClassShares& column : shares_.columns)
        for (std::size_t c = 0; c < kSliceClassCount; ++c)
            whole[c] += 100 * column[c] / static_cast<float>(shares_.columns.size());
    QStringList parts;
    float idle = 100;
    for (std::size_t c = 0; c < kSliceClassCount; ++c) {
        idle -= whole[c];
        if (whole[c] > 0)
            parts << sliceClassLabel(static_cast<SliceClass>(c)) + QLatin1Char(' ') +
                         percentText(static_cast<double>(whole[c]));
    }
    parts << tr("idle %1").arg(percentText(static_cast<double>(std::max(0.0F, idle))));
    const QString text = shares_.columns.empty() ? tr("The whole run")
                                                 : tr("The whole run, mean of %1 ranks: %2", nullptr,
                                                      plural(static_cast<std::int64_t>(shares_.ranks)))
                                                       .arg(shares_.ranks)
                                                       .arg(parts.join(QStringLiteral(", ")));
    setAccessibleDescription(text);
    setToolTip(text + QLatin1Char('\n') +
               tr("Drag the window or its edges; click to go there; double-click to see all"));
}

void Minimap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (image_.devicePixelRatio() != devicePixelRatioF()) // the window is on another screen
        renderShares();
    if (scene_.run && !image_.isNull()) {
        painter.drawImage(QPointF(), image_);
        painter.setPen(QPen(palette().color(QPalette::Text), 1, Qt::DotLine));
        for (const int x : stepColumns())
            painter.drawLine(x, 0, x, height() - 2);
        const QRectF seen = window();
        QColor veil = palette().color(QPalette::Window);
        veil.setAlphaF(0.62F);
        painter.fillRect(QRectF(0, 0, seen.left(), height()), veil);
        painter.fillRect(QRectF(seen.right(), 0, width() - seen.right(), height()), veil);
        painter.setPen(QPen(palette().color(QPalette::Text), 1));
        painter.drawRect(QRectF(std::floor(seen.left()), 0, std::ceil(seen.width()) - 1, height() - 2));
        const QColor mark = hue(Hue::marker, isDark(palette()));
        for (const int x : markedColumns()) {
            painter.fillRect(QRect(x, 0, 2, kMarkHeight), mark);
            painter.fillRect(QRect(x, kMarkHeight, 1, height() - kMarkHeight - 1), mark);
        }
    }
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

Minimap::Grip Minimap::gripAt(double x) const {
    const QRectF seen = window();
    // Inside a narrow window most is for moving it.
    const double inside = std::min(kGrasp, seen.width() / 4);
    if (x >= seen.left() - kGrasp && x <= seen.left() + inside)
        return Grip::begin;
    if (x >= seen.right() - inside && x <= seen.right() + kGrasp)
        return Grip::end;
    return x > seen.left() && x < seen.right() ? Grip::whole : Grip::none;
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !scene_.run)
        return event->ignore();
    const double x = event->position().x();
    Grip grip = gripAt(x);
    if (grip == Grip::none) {
        const TimeNs length = state_->visibleRange().length();
        const TimeNs begin = axis().timeAt(x) - length / 2;
        state_->jumpTo(clampedTo({begin, begin + length}, state_->fullRange()));
        grip = Grip::whole;
    }
    drag_ = Drag{grip, x, state_->visibleRange()};
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    if (!drag_) {
        const Grip grip = scene_.run ? gripAt(x) : Grip::none;
        setCursor(grip == Grip::begin || grip == Grip::end ? Qt::SizeHorCursor
                  : grip == Grip::whole                    ? Qt::OpenHandCursor
                                                           : Qt::ArrowCursor);
        return;
    }
    const TimeNs way = axis().timeAt(x) - axis().timeAt(drag_->from);
    const TimeRange full = state_->fullRange();
    TimeRange range = drag_->visible;
    if (drag_->grip == Grip::whole)
        range = {range.begin + way, range.end + way};
    else if (drag_->grip == Grip::begin)
        range.begin = std::clamp(range.begin + way, full.begin, std::max(full.begin, range.end - kShortestVisible));
    else
        range.end = std::clamp(range.end + way, std::min(full.end, range.begin + kShortestVisible), full.end);
    state_->setVisibleRange(clampedTo(range, full));
}

void Minimap::mouseReleaseEvent(QMouseEvent*) { drag_.reset(); }

void Minimap::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && scene_.run)
        state_->jumpTo(state_->fullRange());
}

void Minimap::resizeEvent(QResizeEvent*) { drawShares(); }

void Minimap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        drawShares();
}

} // namespace rankscope
