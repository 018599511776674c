// SPDX-License-Identifier: GPL-3.0-or-later
// The one palette of the program: colour-blind-safe (Okabe-Ito), for light and dark windows.
#pragma once
#include <QColor>
#include <QPalette>

#include "core/analysis/selection/kernel_class.h"
#include "core/trace/event_table.h"

namespace rankscope {

/// What a colour stands for. Colour is never the only sign: every use has a label, a legend or a pattern too.
enum class Hue {
    compute,
    overlap,       ///< communication hidden behind compute
    communication, ///< exposed communication
    memory,        ///< copies
    idle,
    operatorCall,
    annotation,
    runtimeCall,
    pythonFrame,
    other,
    selection,
    marker, ///< late ranks, errors
    good,
    bad
};

/// True when the palette's window is darker than its text.
bool isDark(const QPalette& palette);
QColor hue(Hue what, bool dark);
QColor hueOf(KernelClass kernelClass, bool dark);
QColor hueOf(EventKind kind, bool dark);
/// Black or white, whichever reads better on the background.
QColor textOn(const QColor& background);
/// Palettes of the program's own light and dark theme.
QPalette lightPalette();
QPalette darkPalette();

} // namespace rankscope
