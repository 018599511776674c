// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where overlays are switched and explained.
#include "widgets/timeline/overlay_legend.h"

#include <algorithm>

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/palette.h"
#include "widgets/panels/elided_label.h"
#include "widgets/timeline/marks_overlay.h"
#include "widgets/toggle_button.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

namespace {

constexpr std::array kOverlays{Overlay::stragglerLag, Overlay::bubbles, Overlay::idleCauses, Overlay::criticalPath};

struct Swatch {
    QBrush brush;
    QString label;
};

/// Patterns with their words, one after the other.
class Swatches : public QWidget {
public:
    Swatches(Overlay overlay, QWidget* parent) : QWidget(parent), overlay_(overlay) {
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }
    [[nodiscard]] QSize sizeHint() const override {
        int width = 0;
        for (const Swatch& swatch : swatches())
            width += kBox + 6 + fontMetrics().horizontalAdvance(swatch.label) + 12;
        return {width, fontMetrics().height() + 4};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        int x = 0;
        for (const Swatch& swatch : swatches()) {
            const QRect box(x, 2, kBox, height() - 4);
            painter.fillRect(box, palette().color(QPalette::Base));
            painter.fillRect(box, swatch.brush);
            painter.setPen(palette().color(QPalette::Mid));
            painter.drawRect(box.adjusted(0, 0, -1, -1));
            painter.setPen(palette().color(QPalette::WindowText));
            painter.drawText(QRect(x + kBox + 6, 0, width(), height()), Qt::AlignVCenter | Qt::AlignLeft, swatch.label);
            x += kBox + 6 + fontMetrics().horizontalAdvance(swatch.label) + 12;
        }
    }

private:
    static constexpr int kBox = 26;
    [[nodiscard]] std::vector<Swatch> swatches() const {
        const QPalette colours = palette();
        switch (overlay_) {
        case Overlay::stragglerLag:
            return {{waitBrush(colours), OverlayLegend::tr("waits")},
                    {hue(Hue::marker, isDark(colours)), OverlayLegend::tr("arrives last, or began the delay")}};
        case Overlay::bubbles: {
            std::vector<Swatch> all;
            for (const BubbleKind kind : {BubbleKind::warmup, BubbleKind::steady, BubbleKind::cooldown})
                all.push_back({bubbleBrush(kind, colours), bubbleLabel(kind)});
            return all;
        }
        case Overlay::idleCauses: {
            std::vector<Swatch> all;
            for (const IdleCause cause : {IdleCause::host_wait, IdleCause::kernel_wait, IdleCause::other})
                all.push_back({idleBrush(cause, colours), idleLabel(cause)});
            return all;
        }
        case Overlay::criticalPath: return {{pathColour(colours), OverlayLegend::tr("on the path")}};
        }
        return {};
    }
    Overlay overlay_;
};

} // namespace

QString overlayTitle(Overlay overlay) {
    switch (overlay) {
    case Overlay::stragglerLag: return OverlayLegend::tr("Straggler lag");
    case Overlay::bubbles: return OverlayLegend::tr("Pipeline bubbles");
    case Overlay::idleCauses: return OverlayLegend::tr("Idle causes");
    case Overlay::criticalPath: return OverlayLegend::tr("Critical path");
    }
    return {};
}

OverlayLegend::OverlayLegend(ViewState* state, QWidget* parent) : QWidget(parent), state_(state) {
    setAccessibleName(tr("Overlays"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 8, 3);
    column->setSpacing(1);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    auto* title = new QLabel(tr("Overlays"));
    title->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(title);
    for (const Overlay overlay : kOverlays) {
        auto* button = new ToggleButton(overlayTitle(overlay));
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(tr("Overlay: %1").arg(overlayTitle(overlay)));
        connect(button, &QToolButton::clicked, this, [this, overlay](bool on) { state_->setShows(overlay, on); });
        row->addWidget(button);
        buttons_[static_cast<std::size_t>(overlay)] = button;
    }
    row->addStretch(1);
    for (const Overlay overlay : kOverlays) {
        auto* line = new QWidget;
        auto* across = new QHBoxLayout(line);
        across->setContentsMargins({});
        across->addWidget(new Swatches(overlay, line));
        auto* text = new ElidedLabel;
        text->setTextFormat(Qt::PlainText);
        text->setForegroundRole(QPalette::PlaceholderText);
        across->addWidget(text, 1);
        column->addWidget(line);
        lines_[static_cast<std::size_t>(overlay)] = line;
        texts_[static_cast<std::size_t>(overlay)] = text;
    }
    column->addLayout(row); // the last one: at the foot of the timeline the buttons stay where they are
    connect(state_, &ViewState::overlaysChanged, this, &OverlayLegend::refresh);
    refresh();
}

void OverlayLegend::setMarks(const std::shared_ptr<const MarkedSpans>& marks, bool pathsReady) {
    marks_ = marks;
    pathsReady_ = pathsReady;
    refresh();
}

QString OverlayLegend::obstacle(Overlay overlay) const {
    if (!marks_)
        return tr("There is nothing to show until the run is analysed.");
    const auto none = [&](auto member) {
        return std::ranges::all_of(marks_->ranks, [&](const RankMarks& rank) { return (rank.*member).empty(); });
    };
    switch (overlay) {
    case Overlay::stragglerLag:
        return none(&RankMarks::waits) ? tr("No collective call was found on several ranks.") : QString();
    case Overlay::bubbles:
        if (!marks_->no_bubbles.empty())
            return QString::fromStdString(marks_->no_bubbles);
        return none(&RankMarks::bubbles) ? tr("No bubble was found.") : QString();
    case Overlay::idleCauses: return none(&RankMarks::idle) ? tr("No GPU stream is ever idle.") : QString();
    case Overlay::criticalPath: return {};
    }
    return {};
}

QString OverlayLegend::explain(Overlay overlay) const {
    switch (overlay) {
    case Overlay::stragglerLag:
        return tr("The hatched rank is in the collective and waits for the last one, which has the flag. The bracket "
                  "is what the waiting began with. Point at either: who waits for whom, how long.");
    case Overlay::bubbles:
        return tr("No compute, waiting for a neighbour: before the first backward pass, between, after the last "
                  "forward pass.");
    case Overlay::idleCauses:
        return tr("Idle streams: launched only after they ran dry; launched in time, slow to start; anything else.");
    case Overlay::criticalPath:
        return pathsReady_ ? tr("What, made shorter, would make the step shorter; it goes from rank to rank.")
                           : tr("Looking for the longest path through all ranks…");
    }
    return {};
}

void OverlayLegend::refresh() {
    for (const Overlay overlay : kOverlays) {
        const auto i = static_cast<std::size_t>(overlay);
        const QString reason = obstacle(overlay);
        const bool shown = state_->shows(overlay);
        buttons_[i]->setChecked(shown);
        buttons_[i]->setEnabled(reason.isEmpty() || shown);
        buttons_[i]->setToolTip(toolTipText(reason.isEmpty() ? explain(overlay) : reason));
        lines_[i]->setVisible(shown);
        texts_[i]->setText(reason.isEmpty() ? explain(overlay) : reason);
        texts_[i]->setToolTip(texts_[i]->text());
    }
}

QString OverlayLegend::explanation() const {
    QStringList all;
    for (const Overlay overlay : kOverlays)
        if (state_->shows(overlay))
            all << texts_[static_cast<std::size_t>(overlay)]->text();
    return all.join(u'\n');
}

void OverlayLegend::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
}

} // namespace rankscope
