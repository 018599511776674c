// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where overlays are switched and explained.
#include "widgets/timeline/overlay_legend.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/flow_layout.h"
#include "widgets/panels/elided_label.h"
#include "widgets/toggle_button.h"
#include "widgets/tool_tip_text.h"

namespace rankscope {

namespace {

/// Patterns with their words, one after the other.
class Swatches : public QWidget {
public:
    Swatches(const OverlayEntry& overlay, QWidget* parent) : QWidget(parent), overlay_(overlay) {
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }
    [[nodiscard]] QSize sizeHint() const override {
        int width = 0;
        for (const OverlaySwatch& swatch : overlay_.swatches(palette()))
            width += kBox + 6 + fontMetrics().horizontalAdvance(swatch.label) + 12;
        return {width, fontMetrics().height() + 4};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        int x = 0;
        for (const OverlaySwatch& swatch : overlay_.swatches(palette())) {
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
    const OverlayEntry& overlay_;
};

} // namespace

OverlayLegend::OverlayLegend(ViewState* state, QWidget* parent) : QWidget(parent), state_(state) {
    setAccessibleName(tr("Overlays"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred); // its height follows its width
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 8, 3);
    column->setSpacing(1);
    auto* row = new FlowLayout;
    row->setSpacing(4);
    auto* title = new QLabel(tr("Overlays"));
    title->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(title);
    for (const OverlayEntry& overlay : overlayEntries()) {
        auto* button = new ToggleButton(overlay.title);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(tr("Overlay: %1").arg(overlay.title));
        connect(button, &QToolButton::clicked, this, [this, &overlay](bool on) { state_->setShows(overlay.id, on); });
        row->addWidget(button);
        parts_[overlay.id].button = button;
    }
    for (const OverlayEntry& overlay : overlayEntries()) {
        auto* line = new QWidget;
        auto* across = new QHBoxLayout(line);
        across->setContentsMargins({});
        across->addWidget(new Swatches(overlay, line));
        auto* text = new ElidedLabel;
        text->setTextFormat(Qt::PlainText);
        text->setForegroundRole(QPalette::PlaceholderText);
        across->addWidget(text, 1);
        column->addWidget(line);
        parts_[overlay.id].line = line;
        parts_[overlay.id].text = text;
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

QString OverlayLegend::obstacle(const OverlayEntry& overlay) const {
    return marks_ ? overlay.obstacle(*marks_) : tr("There is nothing to show until the run is analysed.");
}

void OverlayLegend::refresh() {
    for (const OverlayEntry& overlay : overlayEntries()) {
        const Part& part = parts_.at(overlay.id);
        const QString reason = obstacle(overlay);
        const QString words = reason.isEmpty() ? overlay.explanation(pathsReady_) : reason;
        const bool shown = state_->shows(overlay.id);
        part.button->setChecked(shown);
        part.button->setEnabled(reason.isEmpty() || shown);
        part.button->setToolTip(toolTipText(words));
        part.line->setVisible(shown);
        part.text->setText(words);
        part.text->setToolTip(part.text->text());
    }
}

QString OverlayLegend::explanation() const {
    QStringList all;
    for (const OverlayEntry& overlay : overlayEntries())
        if (state_->shows(overlay.id))
            all << parts_.at(overlay.id).text->text();
    return all.join(u'\n');
}

void OverlayLegend::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
}

} // namespace rankscope
