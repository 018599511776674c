// SPDX-License-Identifier: GPL-3.0-or-later
// Light, dark, or as the system is.
#include "app/settings/theme.h"

#include <utility>

#include <QApplication>
#include <QStyle>
#include <QStyleHints>
#include <QToolTip>

#include "widgets/box_style.h"
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

namespace {

// Qt 6.5 says it; before, the palette does that the application has without one of its own.
bool askSystem() {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    return QApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark;
#else
    const QPalette own = QApplication::palette();
    QApplication::setPalette(QPalette());
    const bool dark = isDark(QApplication::palette());
    QApplication::setPalette(own);
    return dark;
#endif
}

std::function<bool()> systemIsDark = askSystem;

} // namespace

void askForSystemTheme(std::function<bool()> isDarkNow) { systemIsDark = isDarkNow ? std::move(isDarkNow) : askSystem; }

void applyTheme(Theme theme) {
    const bool dark = theme == Theme::dark || (theme == Theme::system && systemIsDark());
    if (dynamic_cast<const BoxStyle*>(QApplication::style()) == nullptr)
        QApplication::setStyle(new BoxStyle);
    const QPalette palette = dark ? darkPalette() : lightPalette();
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

} // namespace rankscope
