// SPDX-License-Identifier: GPL-3.0-or-later
// Outlines of boxes to tick.
#include "widgets/box_style.h"

#include <QPainter>
#include <QStyleOption>

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr float kOutline = 0.6F; ///< of the text's colour: a contrast of 3 to 1 and more, in both palettes

} // namespace

BoxStyle::BoxStyle() : QProxyStyle(u"Fusion"_s) {}

void BoxStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element != PE_IndicatorCheckBox && element != PE_IndicatorItemViewItemCheck)
        return;
    if (option->state.testFlag(State_HasFocus) && option->state.testFlag(State_KeyboardFocusChange))
        return; // Fusion's frame of the focus
    painter->save();
    QColor outline = option->palette.color(QPalette::Text);
    outline.setAlphaF(kOutline * outline.alphaF());
    painter->setPen(outline);
    painter->setBrush(Qt::NoBrush);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->drawRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5));
    painter->restore();
}

} // namespace rankscope
