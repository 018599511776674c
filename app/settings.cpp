// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window keeps what it remembers.
#include "app/settings.h"

#include <QSettings>

namespace rankscope {

std::unique_ptr<QSettings> openSettings() {
    return std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("rankscope"),
                                       QStringLiteral("rankscope"));
}

} // namespace rankscope
