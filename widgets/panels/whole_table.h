// SPDX-License-Identifier: GPL-3.0-or-later
// Tables side by side that show all of their rows: the area around them scrolls, not each of them.
#pragma once

class QScrollArea;
class QTableView;

namespace rankscope {

/// The table has no scroll bar; the area shows the row that keys or a click make the current one.
void leaveScrollingTo(QScrollArea& area, QTableView& table);
/// Pixels that all of its rows need, with the header.
int wholeHeight(const QTableView& table);

} // namespace rankscope
