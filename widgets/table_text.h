// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as text: tab-separated for the clipboard, CSV or TSV for files.
#pragma once
#include <QAbstractItemModel>

class QStandardItem;
class QStandardItemModel;

namespace rankscope {

/// One cell: tabs, line breaks and other control characters become spaces; text that a spreadsheet would take for a
/// formula gets a leading apostrophe. Numbers lose only the spaces between their digits.
QString tsvCell(const QVariant& value);

/// What a cell shows shortened, whole; of a heading, what files call it. Invalid: what it shows.
inline constexpr int kWholeTextRole = Qt::UserRole + 0x100;

/// Of a name, the place that tells it from the others: see placesOfDifference() (widgets/name_text.h).
inline constexpr int kDifferenceRole = Qt::UserRole + 0x101;

/// The whole model as displayed, but nothing shortened, and in the language of the sources: programs read it. A
/// vertical header with words becomes the first column. Trees row by row, a child's first cell behind its parents'
/// ("GPU time / idle").
enum class TableFormat { csv, tsv }; ///< csv: RFC 4180, UTF-8; both with a header row
QString wholeTable(const QAbstractItemModel& model, TableFormat format);

/// Header and these rows (any column of them; in the order of the model), as wholeTable() does it; all rows when empty.
QString rowsAsTsv(const QAbstractItemModel& model, const QModelIndexList& rows = {});

/// A cell with a number as the window writes it; files get it with a point.
QStandardItem* numberItem(const QString& text);
/// Headings of a model that keeps them. Call it within inBothLanguages(), so that files get those of the sources.
void setHeadings(QStandardItemModel& model, Qt::Orientation orientation, const QStringList& headings);

} // namespace rankscope
