// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of a plot stand: its title and its legend hide nothing of it.
#pragma once
#include "widgets/custom_plot.h"

class QLabel;

namespace rankscope {

/// The legend above the plot, its entries in a line.
void putLegendAbove(QCustomPlot& plot);

/// A bold title, words at the end of its line, and the plot below them fill the widget. Returns the title.
QLabel* layOutTitledPlot(QWidget& widget, const QString& title, QLabel& words, QCustomPlot& plot);

} // namespace rankscope
