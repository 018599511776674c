// SPDX-License-Identifier: GPL-3.0-or-later
// Pages that scroll where the window is too small for them, so that they do not force it to be larger than the screen.
#pragma once
#include <QStackedWidget>

class QScrollArea;

namespace rankscope {

/// Scroll bars appear only where the page has less room than it needs.
QScrollArea* scrolled(QWidget* page);

/// Asks for the room of the page on screen; QStackedWidget asks for that of the largest page.
class PageStack : public QStackedWidget {
    Q_OBJECT
public:
    explicit PageStack(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
};

} // namespace rankscope
