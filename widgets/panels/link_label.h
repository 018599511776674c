// SPDX-License-Identifier: GPL-3.0-or-later
// A sentence that may lead to its evidence: underlined under the mouse and with the focus, followed by a click or
// Enter.
#pragma once
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>

namespace rankscope {

class LinkLabel : public QLabel {
    Q_OBJECT
public:
    using QLabel::QLabel;
    void setLink(bool link) {
        link_ = link;
        setFocusPolicy(link ? Qt::StrongFocus : Qt::ClickFocus); // words that are selected are copied by keys
        setCursor(link ? Qt::PointingHandCursor : Qt::IBeamCursor);
        setToolTip(link ? tr("Click: show the evidence") : QString());
        underline();
    }
    [[nodiscard]] bool isLink() const { return link_; }

Q_SIGNALS:
    void activated();

protected:
    bool event(QEvent* event) override {
        const bool handled = QLabel::event(event);
        switch (event->type()) {
        case QEvent::Enter:
        case QEvent::Leave:
        case QEvent::FocusIn:
        case QEvent::FocusOut: underline(); break;
        default: break;
        }
        return handled;
    }
    void mouseReleaseEvent(QMouseEvent* event) override {
        QLabel::mouseReleaseEvent(event);
        // Dragging selects words to be copied.
        if (link_ && event->button() == Qt::LeftButton && !hasSelectedText() && rect().contains(event->pos()))
            Q_EMIT activated();
    }
    void keyPressEvent(QKeyEvent* event) override {
        if (link_ && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space))
            Q_EMIT activated();
        else
            QLabel::keyPressEvent(event);
    }

private:
    void underline() {
        QFont shown = font();
        shown.setUnderline(link_ && (underMouse() || hasFocus()));
        setFont(shown);
    }
    bool link_ = false;
};

} // namespace rankscope
