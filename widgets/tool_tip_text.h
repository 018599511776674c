// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of traces in tooltips.
#pragma once
#include <algorithm>

#include <QString>
#include <QStringList>

namespace rankscope {

/// As a tooltip no wider than the screen: long lines are broken, after a blank or comma where there is one. Tooltips
/// are plain text (plain_texts.h).
inline QString toolTipText(const QString& text) {
    constexpr qsizetype kWidest = 140;
    QString broken;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        QStringView rest(line);
        while (rest.size() > kWidest) {
            const qsizetype blank = std::max(rest.first(kWidest).lastIndexOf(QLatin1Char(' ')),
                                             rest.first(kWidest).lastIndexOf(QLatin1Char(',')));
            qsizetype end = blank > kWidest / 2 ? blank + 1 : kWidest;
            if (rest[end - 1].isHighSurrogate())
                --end;
            broken.append(rest.first(end)).append(QLatin1Char('\n'));
            rest = rest.sliced(end);
        }
        broken.append(rest).append(QLatin1Char('\n'));
    }
    broken.chop(1);
    return broken;
}

} // namespace rankscope
