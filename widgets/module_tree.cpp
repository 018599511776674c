// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/module_tree.h"

#include <algorithm>

#include <QHeaderView>

#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/row_height.h"
#include "widgets/table_text.h"

namespace rankscope {

namespace {

constexpr std::size_t kShownWhole = 60; // a larger tree is opened two levels deep

/// Whether the module or one inside it stays.
bool keepMatching(QTreeWidgetItem* item, const QString& part, bool inside) {
    const bool own = inside || item->text(0).contains(part, Qt::CaseInsensitive);
    bool any = own;
    for (int i = 0; i < item->childCount(); ++i)
        any = keepMatching(item->child(i), part, own) || any;
    item->setHidden(!any);
    return any;
}

} // namespace

ModuleTree::ModuleTree(const QString& name, QWidget* parent) : QTreeWidget(parent) {
    setAccessibleName(name);
    setAlternatingRowColors(true);
    setUniformRowHeights(true);
    setItemDelegate(new RowDelegate(this));
    setTextElideMode(Qt::ElideMiddle);
    setSelectionMode(QAbstractItemView::SingleSelection);
    connect(this, &QTreeWidget::itemActivated, this,
            [this](const QTreeWidgetItem* item) { Q_EMIT moduleActivated(item->data(0, Qt::UserRole).toString()); });
}

void ModuleTree::setRows(const QStringList& titles, const QStringList& tips, const std::vector<ModuleTreeRow>& rows) {
    clear();
    setColumnCount(static_cast<int>(titles.size()));
    setHeaderLabels(titles);
    for (int column = 0; column < titles.size(); ++column) {
        headerItem()->setToolTip(column, tips.value(column));
        if (inSourceLanguage() || !speaksTranslation())
            headerItem()->setData(column, kWholeTextRole, titles[column]);
        headerItem()->setTextAlignment(column, column == 0 ? Qt::AlignLeft | Qt::AlignVCenter
                                                           : Qt::AlignRight | Qt::AlignVCenter);
    }
    QList<QTreeWidgetItem*> outermost;
    std::vector<QTreeWidgetItem*> around; // by depth
    for (const ModuleTreeRow& row : rows) {
        around.resize(std::min(around.size(), row.depth - 1));
        auto* item = new QTreeWidgetItem;
        item->setText(0, nameText(row.name));
        item->setData(0, Qt::UserRole, QString::fromUtf8(row.name));
        for (int column = 1; column < titles.size(); ++column) {
            item->setText(column, row.cells.value(column - 1));
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        }
        if (around.empty())
            outermost << item;
        else
            around.back()->addChild(item);
        around.push_back(item);
    }
    addTopLevelItems(outermost);
    if (rows.size() <= kShownWhole)
        expandAll();
    else
        expandToDepth(1);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(0, QHeaderView::Stretch);
    setFilter(filter_);
}

void ModuleTree::setFilter(const QString& part) {
    filter_ = part;
    for (int i = 0; i < topLevelItemCount(); ++i)
        keepMatching(topLevelItem(i), part, part.isEmpty());
    if (!part.isEmpty())
        expandAll();
}

} // namespace rankscope
