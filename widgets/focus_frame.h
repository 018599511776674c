// SPDX-License-Identifier: GPL-3.0-or-later
// A frame around the widget that the keyboard works on, where the widget shows nothing of it itself.
#pragma once
#include <QPointer>
#include <QWidget>

namespace rankscope {

/// Follows the focus of the application: around charts, and around lists without a current line. A click says by itself
/// where the focus went.
class FocusFrame : public QObject {
    Q_OBJECT
public:
    explicit FocusFrame(QObject* parent);
    /// nullptr: there is none now.
    [[nodiscard]] QWidget* frame() const { return frame_; }

private:
    void follow(QWidget* focused);

    QPointer<QWidget> frame_; ///< a child of the widget with the focus
};

} // namespace rankscope
