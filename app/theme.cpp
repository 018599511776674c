// SPDX-License-Identifier: GPL-3.0-or-later
// Light, dark, or as the system is.
#include "app/theme.h"

#include <QApplication>
#include <QStyle>
#include <QToolTip>

#include "widgets/palette.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

QString themeWord(Theme theme) {
    switch (theme) {
    case Theme::system: return u"system"_s;
    case Theme::light: return u"light"_s;
    case Theme::dark: return u"dark"_s;
    }
    return {};
}

Theme themeFromWord(const QString& word) {
    if (word == "light"_L1)
        return Theme::light;
    return word == "dark"_L1 ? Theme::dark : Theme::system;
}

void applyTheme(Theme theme) {
    static const bool systemIsDark = isDark(QApplication::palette());
    const bool dark = theme == Theme::dark || (theme == Theme::system && systemIsDark);
    if (QApplication::style()->name() != "fusion"_L1)
        QApplication::setStyle(u"Fusion"_s);
    const QPalette palette = dark ? darkPalette() : lightPalette();
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

} // namespace rankscope
