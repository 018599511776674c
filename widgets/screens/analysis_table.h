// SPDX-License-Identifier: GPL-3.0-or-later
// How tables of the analysis screens look and are copied: all alike.
#pragma once
#include <QString>

class QTableView;

namespace rankscope {

/// Whole rows, no grid, names elided in the middle, Ctrl+C copies the selected rows (all when none is) with a header,
/// tab-separated. `name` is its accessible name, under which it is exported. The model may come later.
void prepareTable(QTableView& table, const QString& name);

} // namespace rankscope
