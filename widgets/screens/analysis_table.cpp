// SPDX-License-Identifier: GPL-3.0-or-later
// How tables of the analysis screens look and are copied.
#include "widgets/screens/analysis_table.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QTableView>

#include "widgets/row_height.h"
#include "widgets/table_text.h"

namespace rankscope {

void prepareTable(QTableView& table, const QString& name) {
    table.setAccessibleName(name);
    table.setFrameShape(QFrame::NoFrame);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.setAlternatingRowColors(true);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::ExtendedSelection);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setTextElideMode(Qt::ElideMiddle);
    table.verticalHeader()->setVisible(false);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed); // a million rows are not measured
    table.verticalHeader()->setDefaultSectionSize(rowHeightOf(table.fontMetrics()));
    table.horizontalHeader()->setHighlightSections(false);
    auto* copy = new QAction(QApplication::translate("AnalysisTable", "Copy"), &table);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    table.addAction(copy);
    table.setContextMenuPolicy(Qt::ActionsContextMenu);
    QObject::connect(copy, &QAction::triggered, &table, [&table] {
        QApplication::clipboard()->setText(rowsAsTsv(*table.model(), table.selectionModel()->selectedRows()));
    });
}

} // namespace rankscope
