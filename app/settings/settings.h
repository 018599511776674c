// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window keeps what it remembers. Tests redirect it with QSettings::setPath.
#pragma once
#include <memory>

#include <QtGlobal>

class QSettings;
class QString;

namespace rankscope {

inline constexpr qint64 kLargestSettings = 4 << 20;

/// Whether QSettings may read the file, if it is there: no FIFO or device, at most kLargestSettings, and without
/// objects of Qt (@Variant). Those may be nested so deeply that reading them uses up the stack; Rankscope writes none.
bool areSafeSettings(const QString& file);
/// Where the file is none that can be read: settings that last as long as the program, which says so.
std::unique_ptr<QSettings> openSettings();

/// Where the user last chose a file or folder to open: file dialogs start there.
QString lastFolder();
void keepLastFolder(const QString& chosen);

} // namespace rankscope
