// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as tab-separated text for the clipboard.
#pragma once
#include <QAbstractItemModel>

namespace rankscope {

/// One cell: tabs, line breaks and other control characters become spaces; text that a spreadsheet would take for a
/// formula gets a leading apostrophe. Numbers are left alone.
QString tsvCell(const QVariant& value);

/// Header and these rows (any column of them; in the order of the model), as displayed; all rows when empty.
QString rowsAsTsv(const QAbstractItemModel& model, const QModelIndexList& rows = {});

} // namespace rankscope
