// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences on a screen, and fonts of headlines.
#include "widgets/words_label.h"

#include <QLabel>

namespace rankscope {

QFont strongFont(QFont font, double factor) {
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setWeight(QFont::DemiBold);
    return font;
}

QLabel* wordsLabel() {
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel* headlineLabel(double factor) {
    QLabel* label = wordsLabel();
    label->setFont(strongFont(label->font(), factor));
    return label;
}

} // namespace rankscope
