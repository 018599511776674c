// SPDX-License-Identifier: GPL-3.0-or-later
// A tool button that stays down, and looks it in light and dark windows.
#pragma once
#include <QPainter>
#include <QStyleOptionToolButton>
#include <QToolButton>

namespace rankscope {

/// Styles hardly tell a pressed button in a dark window: this one is filled with the highlight while it is down.
class ToggleButton : public QToolButton {
    Q_OBJECT
public:
    explicit ToggleButton(const QString& text, QWidget* parent = nullptr) : QToolButton(parent) {
        setText(text);
        setCheckable(true);
    }
    [[nodiscard]] QSize sizeHint() const override {
        return {fontMetrics().horizontalAdvance(text()) + 18, fontMetrics().height() + 6};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
        const bool down = isChecked();
        QColor ground = palette().color(down ? QPalette::Highlight : QPalette::Base);
        if (!isEnabled())
            ground = palette().color(QPalette::Window);
        painter.setBrush(ground);
        const bool marked = hasFocus() || underMouse();
        painter.setPen(
            QPen(palette().color(marked && isEnabled() ? QPalette::Highlight : QPalette::Mid), hasFocus() ? 2 : 1));
        painter.drawRoundedRect(frame, 3, 3);
        painter.setPen(palette().color(!isEnabled() ? QPalette::PlaceholderText
                                       : down       ? QPalette::HighlightedText
                                                    : QPalette::WindowText));
        painter.drawText(rect(), Qt::AlignCenter, text());
    }
};

} // namespace rankscope
