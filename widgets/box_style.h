// SPDX-License-Identifier: GPL-3.0-or-later
// Fusion, with boxes to tick that can be seen while they are empty.
#pragma once
#include <QProxyStyle>

namespace rankscope {

/// Fusion draws the outline of an empty box a little darker than the window: on a dark window nobody sees it.
class BoxStyle : public QProxyStyle {
public:
    BoxStyle();
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
};

} // namespace rankscope
