// SPDX-License-Identifier: GPL-3.0-or-later
// The user's shortcuts, kept between sessions.
#pragma once

namespace rankscope {

class CommandTable;

/// Gives the commands the keys that are stored, and those without any the keys they came with.
void loadShortcuts(CommandTable& commands);
/// Gives the commands the keys that were stored, and stores every change from then on. After all commands are added.
void keepShortcuts(CommandTable& commands);

} // namespace rankscope
