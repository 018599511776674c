// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that show all of their rows.
#include "widgets/panels/whole_table.h"

#include <QHeaderView>
#include <QScrollArea>
#include <QTableView>

namespace rankscope {

void leaveScrollingTo(QScrollArea& area, QTableView& table) {
    table.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QObject::connect(table.selectionModel(), &QItemSelectionModel::currentChanged, &area,
                     [&area, &table](const QModelIndex& current) {
                         if (!table.hasFocus() || !current.isValid())
                             return;
                         const QRect row = table.visualRect(current);
                         const QPoint middle = table.viewport()->mapTo(area.widget(), row.center());
                         area.ensureVisible(0, middle.y(), 0, row.height());
                     });
}

int wholeHeight(const QTableView& table) {
    const QHeaderView* header = table.horizontalHeader();
    return table.verticalHeader()->length() + (header->isHidden() ? 0 : header->sizeHint().height()) +
           2 * table.frameWidth();
}

} // namespace rankscope
