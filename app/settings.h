// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window keeps what it remembers. Tests redirect it with QSettings::setPath.
#pragma once
#include <memory>

class QSettings;

namespace rankscope {

std::unique_ptr<QSettings> openSettings();

} // namespace rankscope
