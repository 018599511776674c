// SPDX-License-Identifier: GPL-3.0-or-later
// "Open with Rankscope" in the context menus of file managers, for this user, when the user asks for it. Folders stay
// the file manager's: nothing here makes Rankscope their default program.
#pragma once
#include <array>

#include <QString>

namespace rankscope {

enum class FileManager { nautilus, dolphin, thunar, pcmanfm };
inline constexpr std::array kFileManagers{FileManager::nautilus, FileManager::dolphin, FileManager::thunar,
                                          FileManager::pcmanfm};

QString fileManagerTitle(FileManager manager);         ///< "Files (Nautilus)"
[[nodiscard]] bool isPresent(FileManager manager);     ///< its program is on PATH
[[nodiscard]] QString openerFile(FileManager manager); ///< the file that holds the entry
[[nodiscard]] bool hasOpener(FileManager manager);
/// Writes or removes the entry. program: absolute path of this one. Returns why not; empty: done.
QString setOpener(FileManager manager, bool wanted, const QString& program);
/// What a menu entry has to start: this program, or the AppImage it came in.
QString programToOpenWith();

} // namespace rankscope
