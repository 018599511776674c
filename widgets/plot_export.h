// SPDX-License-Identifier: GPL-3.0-or-later
// A plot as a picture: PNG at twice its size, SVG or PDF with lines and text where the plot draws such.
#pragma once
#include <QByteArray>
#include <QString>

class QWidget;

namespace rankscope {

enum class PictureFormat { png, svg, pdf };

/// Says that the widget is a plot one may want to keep, with its frame, legend and axes; `title` names it. A
/// QCustomPlot outside of any such widget is a plot by itself.
void markAsPlot(QWidget& widget, const QString& title);
QString plotTitle(const QWidget& widget); ///< empty: not marked

/// The widget with its visible children as it is now. QCustomPlots are drawn anew into the format, not copied from the
/// screen.
QByteArray plotPicture(QWidget& widget, PictureFormat format);

} // namespace rankscope
