// SPDX-License-Identifier: GPL-3.0-or-later
// The bars of a pipeline's step in its plot, and their legend.
#include "widgets/screens/pipeline_bars.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

#include "widgets/palette.h"

namespace rankscope {
namespace {

constexpr double kRowAir = 0.08;      // of a row, above and below
constexpr double kMessageShare = 0.2; // of a row, at its lower edge
constexpr int kSwatch = 14;
constexpr int kSpace = 14;

QString lookWord(PipelineBar::Look look) {
    switch (look) {
    case PipelineBar::Look::forward: return PipelineLegend::tr("F forward");
    case PipelineBar::Look::backward: return PipelineLegend::tr("B backward");
    case PipelineBar::Look::weightGradient: return PipelineLegend::tr("W weight gradient");
    case PipelineBar::Look::compute: return PipelineLegend::tr("other compute");
    case PipelineBar::Look::message: return PipelineLegend::tr("message (below)");
    case PipelineBar::Look::bubble: return PipelineLegend::tr("bubble (hatched)");
    }
    return {};
}

/// paper: how much of the ground shines through, 0 to 1.
QColor barColour(PipelineBar::Look look, bool dark, double paper) {
    const QColor colour = pipelineColour(look, dark);
    const QColor ground = (dark ? darkPalette() : lightPalette()).color(QPalette::Base);
    const auto mixed = [&](int own, int under) { return static_cast<int>(own + paper * (under - own)); };
    return {mixed(colour.red(), ground.red()), mixed(colour.green(), ground.green()),
            mixed(colour.blue(), ground.blue())};
}

void fillBar(QPainter& painter, const QRectF& rect, PipelineBar::Look look, bool dark, double paper = 0) {
    const QColor colour = barColour(look, dark, paper);
    if (look != PipelineBar::Look::bubble)
        return painter.fillRect(rect, colour);
    QColor wash = colour;
    wash.setAlpha(40);
    painter.fillRect(rect, wash);
    painter.fillRect(rect, QBrush(colour, Qt::BDiagPattern));
}

} // namespace

QColor pipelineColour(PipelineBar::Look look, bool dark) {
    switch (look) {
    case PipelineBar::Look::forward: return hue(Hue::compute, dark);
    case PipelineBar::Look::backward: return hue(Hue::memory, dark);
    case PipelineBar::Look::weightGradient: return hue(Hue::annotation, dark);
    case PipelineBar::Look::compute: return hue(Hue::other, dark);
    case PipelineBar::Look::message: return hue(Hue::communication, dark);
    case PipelineBar::Look::bubble: return hue(Hue::marker, dark);
    }
    return {};
}

PipelineBars::PipelineBars(QCPAxis* keyAxis, QCPAxis* valueAxis) : QCPAbstractPlottable(keyAxis, valueAxis) {}

void PipelineBars::setBars(std::vector<PipelineBar> bars) {
    bars_ = std::move(bars);
    current_.reset();
}

QRectF PipelineBars::rect(const PipelineBar& bar) const {
    const double left = mKeyAxis->coordToPixel(static_cast<double>(bar.range.begin));
    const double right = mKeyAxis->coordToPixel(static_cast<double>(bar.range.end));
    const bool message = bar.look == PipelineBar::Look::message;
    const double top = mValueAxis->coordToPixel(bar.row + (message ? 1 - kRowAir - kMessageShare : kRowAir));
    const double bottom = mValueAxis->coordToPixel(bar.row + 1 - kRowAir - (message || bar.ideal ? 0 : kMessageShare));
    return {QPointF(left, top), QPointF(right, bottom)};
}

const PipelineBar* PipelineBars::at(QPointF position) const {
    for (auto bar = bars_.rbegin(); bar != bars_.rend(); ++bar)
        if (rect(*bar).adjusted(-1, 0, 1, 0).contains(position))
            return &*bar;
    return nullptr;
}

void PipelineBars::draw(QCPPainter* painter) {
    painter->setAntialiasing(false);
    const QRectF area = mKeyAxis->axisRect()->rect();
    QRectF last;
    for (std::size_t i = 0; i < bars_.size(); ++i) {
        QRectF bar = rect(bars_[i]);
        if (bar.right() < area.left() || bar.left() > area.right())
            continue;
        bar = bar.intersected(area);
        bar.setWidth(std::max(1.0, bar.width()));
        // Cost grows with pixels: what lies wholly in a pixel that is drawn already adds nothing.
        if (bar.top() == last.top() && bar.right() <= last.right() && bar.width() <= 1)
            continue;
        last = bar;
        drawBar(painter, bars_[i], bar);
        if (current_ == i) {
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(hue(Hue::selection, dark_), 2));
            painter->drawRect(bar.adjusted(1, 1, -1, -1));
        }
    }
}

void PipelineBars::drawBar(QCPPainter* painter, const PipelineBar& bar, const QRectF& rect) const {
    // A hair between neighbours, so that two microbatches are two.
    const QRectF inner = rect.width() > 4 ? rect.adjusted(0, 0, -1, 0) : rect;
    // Parts of the model after the first are nearer to the paper.
    const double paper = 0.4 * (bar.part % 2) + (bar.part > 1 ? 0.15 : 0);
    const auto half = [&](double top) {
        return QRectF(inner.left(), inner.top() + top * inner.height() / 2, inner.width(), inner.height() / 2);
    };
    fillBar(*painter, bar.lower ? half(0) : inner, bar.look, dark_, paper);
    if (bar.lower)
        fillBar(*painter, half(1), *bar.lower, dark_, 0);
    const QFontMetricsF metrics(painter->font());
    const QString& text = metrics.horizontalAdvance(bar.label) + 4 <= inner.width() ? bar.label : bar.shortLabel;
    if (text.isEmpty() || metrics.horizontalAdvance(text) + 2 > inner.width() || metrics.height() - 3 > inner.height())
        return;
    if (bar.look == PipelineBar::Look::bubble) {
        const double width = metrics.horizontalAdvance(text) + 4;
        const QRectF plate(inner.center().x() - width / 2, inner.center().y() - metrics.height() / 2, width,
                           metrics.height());
        painter->fillRect(plate, (dark_ ? darkPalette() : lightPalette()).color(QPalette::Window));
        painter->setPen((dark_ ? darkPalette() : lightPalette()).color(QPalette::WindowText));
    } else {
        painter->setPen(textOn(barColour(bar.look, dark_, paper)));
    }
    painter->drawText(inner, Qt::AlignCenter, text);
}

void PipelineBars::drawLegendIcon(QCPPainter*, const QRectF&) const {}
double PipelineBars::selectTest(const QPointF&, bool, QVariant*) const { return -1; }

QCPRange PipelineBars::getKeyRange(bool& found, QCP::SignDomain) const {
    found = !bars_.empty();
    double end = 0;
    for (const PipelineBar& bar : bars_)
        end = std::max(end, static_cast<double>(bar.range.end));
    return {0, end};
}

QCPRange PipelineBars::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
    found = !bars_.empty();
    int rows = 0;
    for (const PipelineBar& bar : bars_)
        rows = std::max(rows, bar.row + 1);
    return {0, static_cast<double>(rows)};
}

PipelineLegend::PipelineLegend(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Legend of the pipeline"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void PipelineLegend::setLooks(std::vector<PipelineBar::Look> looks) {
    looks_ = std::move(looks);
    QStringList words;
    for (const PipelineBar::Look look : looks_)
        words << lookWord(look);
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize PipelineLegend::sizeHint() const {
    int width = 0;
    for (const PipelineBar::Look look : looks_)
        width += kSwatch + 5 + fontMetrics().horizontalAdvance(lookWord(look)) + kSpace;
    return {width, fontMetrics().height() + 4};
}

void PipelineLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    int x = kSpace;
    for (const PipelineBar::Look look : looks_) {
        fillBar(painter, QRectF(x, (height() - 10) / 2.0, kSwatch, 10), look, isDark(palette()));
        x += kSwatch + 5;
        painter.setPen(palette().color(QPalette::WindowText));
        const int wide = fontMetrics().horizontalAdvance(lookWord(look));
        painter.drawText(QRect(x, 0, wide + 2, height()), Qt::AlignVCenter, lookWord(look));
        x += wide + kSpace;
    }
}

} // namespace rankscope
