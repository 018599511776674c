// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of traces in tooltips.
#pragma once
#include <QString>

namespace rankscope {

/// As a tooltip that shows the text as it is: never read as HTML. Escaping alone would not do, because Qt shows "-&gt;"
/// as it stands where no tag makes the text rich.
inline QString toolTipText(const QString& text) {
    QString escaped = text.toHtmlEscaped();
    return escaped == text ? text
                           : QStringLiteral("<qt>") + escaped.replace(QLatin1Char('\n'), QLatin1String("<br>")) +
                                 QStringLiteral("</qt>");
}

} // namespace rankscope
