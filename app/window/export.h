// SPDX-License-Identifier: GPL-3.0-or-later
// What a window shows that can be kept in a file: its tables and plots.
#pragma once
#include <vector>

#include <QPointer>
#include <QString>
#include <QStringList>
#include <QWidget>

namespace rankscope {

struct Exportable {
    enum class Kind { table, plot };
    Kind kind = Kind::table;
    QString title;            ///< "Ranks"
    QPointer<QWidget> widget; ///< a QTableView or QTreeView; a plot
};

/// The tables and plots on screen below `top`, in the order of the widgets. Lists to pick from (runs) are none: they
/// carry the property "notExported".
std::vector<Exportable> exportables(QWidget& top);
/// The one that the widget lies in; its widget is null when there is none.
Exportable exportableAt(QWidget* widget);

/// "CSV (*.csv)", ...: what the kind can be written as, best first.
QStringList exportFilters(Exportable::Kind kind);
/// Writes it as the file's ending says: csv, tsv; png, svg, pdf. Whole or not at all. Empty: written, else why not.
QString exportTo(const Exportable& what, const QString& file);

} // namespace rankscope
