// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences on a screen, and fonts of headlines.
#pragma once
#include <QFont>

class QLabel;

namespace rankscope {

QFont strongFont(QFont font, double factor); ///< demi-bold, so many times as large

/// Plain text that wraps and can be selected, with the given factor as a headline.
QLabel* wordsLabel();
QLabel* headlineLabel(double factor);

} // namespace rankscope
