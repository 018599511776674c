// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as tab-separated text.
#include "widgets/table_text.h"

#include <algorithm>
#include <vector>

namespace rankscope {

QString tsvCell(const QVariant& value) {
    QString text = value.toString();
    bool isNumber = false;
    text.toDouble(&isNumber);
    if (!isNumber && !text.isEmpty() && QStringLiteral("=+-@\t\r").contains(text.front()))
        text.prepend(QLatin1Char('\''));
    for (QChar& c : text)
        if (c.category() == QChar::Other_Control || c == QChar::LineSeparator || c == QChar::ParagraphSeparator)
            c = QLatin1Char(' ');
    return text;
}

QString rowsAsTsv(const QAbstractItemModel& model, const QModelIndexList& rows) {
    std::vector<int> numbers;
    for (const QModelIndex& index : rows)
        numbers.push_back(index.row());
    if (rows.isEmpty())
        for (int row = 0; row < model.rowCount(); ++row)
            numbers.push_back(row);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    const int columns = model.columnCount();
    QString text;
    for (int column = 0; column < columns; ++column)
        text += tsvCell(model.headerData(column, Qt::Horizontal)) + (column + 1 < columns ? u'\t' : u'\n');
    for (const int row : numbers)
        for (int column = 0; column < columns; ++column)
            text += tsvCell(model.index(row, column).data()) + (column + 1 < columns ? u'\t' : u'\n');
    return text;
}

} // namespace rankscope
