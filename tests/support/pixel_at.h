// SPDX-License-Identifier: GPL-3.0-or-later
// The colour at a widget's point in a picture of it, which has more pixels where the screen is scaled.
#pragma once
#include <QImage>

namespace rankscope {

inline QColor pixelAt(const QImage& picture, QPointF point) {
    return picture.pixelColor((point * picture.devicePixelRatio()).toPoint());
}

} // namespace rankscope
