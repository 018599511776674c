// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as text.
#include "widgets/table_text.h"

#include <map>
#include <vector>

#include <QStandardItemModel>

#include "core/report/csv.h"
#include "widgets/language.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

QString tsvCell(const QVariant& value) {
    QString text = value.toString();
    constexpr QChar kBetweenDigits(0x202f); // groupedNumber()
    const QString number = QString(text).remove(kBetweenDigits);
    bool isNumber = false;
    number.toDouble(&isNumber);
    if (isNumber)
        return number;
    const bool formula = looks_like_formula(text.toStdString());
    for (QChar& c : text)
        if (c.category() == QChar::Other_Control || c == QChar::LineSeparator || c == QChar::ParagraphSeparator)
            c = QLatin1Char(' ');
    return QString::fromStdString(spreadsheet_text((formula ? "'" : "") + text.toStdString()));
}

namespace {

QString line(const QStringList& cells, TableFormat format) {
    if (format == TableFormat::tsv)
        return cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    QStringList quoted;
    for (const QString& cell : cells) {
        const bool plain = !cell.contains(QLatin1Char(',')) && !cell.contains(QLatin1Char('"'));
        quoted << (plain ? cell
                         : QString(QLatin1Char('"') + QString(cell).replace(QLatin1Char('"'), QStringLiteral("\"\"")) +
                                   QLatin1Char('"')));
    }
    return quoted.join(QLatin1Char(',')) + QStringLiteral("\r\n");
}

/// Rows without names, or only numbered, say nothing.
bool namesRows(const QAbstractItemModel& model) {
    const QString first = model.rowCount() > 0 ? model.headerData(0, Qt::Vertical).toString() : QString();
    return !first.isEmpty() && first != QStringLiteral("1");
}

/// A heading may be broken into lines.
QString headingCell(const QAbstractItemModel& model, int section, Qt::Orientation orientation = Qt::Horizontal) {
    const QVariant whole = model.headerData(section, orientation, kWholeTextRole);
    return tsvCell((whole.isValid() ? whole : model.headerData(section, orientation)).toString().simplified());
}

QVariant wholeCell(const QModelIndex& index) {
    const QVariant whole = index.data(kWholeTextRole);
    return whole.isValid() ? whole : index.data();
}

void appendRows(QString& text, const QAbstractItemModel& model, const QModelIndex& parent, const QString& path,
                TableFormat format) {
    const bool named = !parent.isValid() && namesRows(model);
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex first = model.index(row, 0, parent);
        const QString place = path + wholeCell(first).toString();
        QStringList cells;
        if (named)
            cells << headingCell(model, row, Qt::Vertical);
        cells << tsvCell(place);
        for (int column = 1; column < model.columnCount(parent); ++column)
            cells << tsvCell(wholeCell(model.index(row, column, parent)));
        text += line(cells, format);
        appendRows(text, model, first, place + QStringLiteral(" / "), format);
    }
}

} // namespace

QString wholeTable(const QAbstractItemModel& model, TableFormat format) {
    const SourceLanguage source;
    QStringList header;
    if (namesRows(model))
        header << QString();
    for (int column = 0; column < model.columnCount(); ++column)
        header << headingCell(model, column);
    QString text = line(header, format);
    appendRows(text, model, {}, {}, format);
    return text;
}

QString rowsAsTsv(const QAbstractItemModel& model, const QModelIndexList& rows) {
    const SourceLanguage source;
    const auto place = [](QModelIndex index) {
        std::vector<int> numbers;
        for (; index.isValid(); index = index.parent())
            numbers.insert(numbers.begin(), index.row());
        return numbers;
    };
    std::map<std::vector<int>, QModelIndex> ordered;
    for (const QModelIndex& index : rows)
        ordered.emplace(place(index), index);
    if (rows.isEmpty())
        for (int row = 0; row < model.rowCount(); ++row)
            ordered.emplace(std::vector{row}, model.index(row, 0));
    const int columns = model.columnCount();
    QString text;
    for (int column = 0; column < columns; ++column)
        text += headingCell(model, column) + (column + 1 < columns ? u'\t' : u'\n');
    for (const auto& [numbers, row] : ordered)
        for (int column = 0; column < columns; ++column)
            text += tsvCell(wholeCell(row.siblingAtColumn(column))) + (column + 1 < columns ? u'\t' : u'\n');
    return text;
}

QStandardItem* numberItem(const QString& text) {
    auto* item = new QStandardItem(text);
    if (const QString sign = numberLocale().decimalPoint(); sign != "."_L1)
        item->setData(QString(text).replace(sign, u"."_s), kWholeTextRole);
    return item;
}

void setHeadings(QStandardItemModel& model, Qt::Orientation orientation, const QStringList& headings) {
    const bool across = orientation == Qt::Horizontal;
    const char* const kept = across ? "headingsInFiles" : "rowHeadingsInFiles";
    if (inSourceLanguage() || !speaksTranslation())
        model.setProperty(kept, headings);
    const QStringList inFiles = model.property(kept).toStringList();
    for (int i = 0; i < headings.size(); ++i) {
        auto* item = new QStandardItem(headings[i]);
        item->setData(inFiles.value(i), kWholeTextRole);
        if (across)
            model.setHorizontalHeaderItem(i, item);
        else
            model.setVerticalHeaderItem(i, item);
    }
}

} // namespace rankscope
