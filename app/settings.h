// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window keeps what it remembers. Tests redirect it with QSettings::setPath.
#pragma once
#include <memory>

#include <QtGlobal>

class QSettings;
class QString;

namespace rankscope {

inline constexpr qint64 kLargestSettings = 4 << 20;

/// A regular file of at most kLargestSettings without values that Qt would deserialise: no setting is one, and their
/// depth is the stack's. True of a file that is not there.
bool areSafeSettings(const QString& file);

/// Where the file is none that can be read (areSafeSettings()): settings that last as long as the program, which says
/// so.
std::unique_ptr<QSettings> openSettings();

/// Where the user last chose a file or folder to open: file dialogs start there.
QString lastFolder();
void keepLastFolder(const QString& chosen);

} // namespace rankscope
