// SPDX-License-Identifier: GPL-3.0-or-later
// Every text of the window is plain text, so that no name in a trace is read as HTML, opens a file or draws a heading.
#pragma once

namespace rankscope {

/// For the whole program, before its first window: labels, message boxes and tooltips, whose texts Qt would look at for
/// tags, take theirs as it is. Only a label that was made Qt::RichText is not; what it shows must be marked up by us.
/// Texts of "What's this?", which Qt looks at as well, are not shown.
void showTextsAsTheyAre();

} // namespace rankscope
