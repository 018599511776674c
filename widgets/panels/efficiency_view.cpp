// SPDX-License-Identifier: GPL-3.0-or-later
// The tree of efficiency factors.
#include "widgets/panels/efficiency_view.h"

#include <QEvent>
#include <QHeaderView>
#include <QStandardItemModel>

#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/palette.h"
#include "widgets/panels/link_delegate.h"
#include "widgets/table_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

EfficiencyView::EfficiencyView(QWidget* parent) : QTreeView(parent), model_(new QStandardItemModel(this)) {
    model_->setColumnCount(columnEnd);
    inBothLanguages([this] { setHeadings(*model_, Qt::Horizontal, {tr("Factor"), tr("Value"), tr("Look at")}); });
    model_->horizontalHeaderItem(valueColumn)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setModel(model_);
    setAccessibleName(tr("Parallel efficiency"));
    setSelectionBehavior(SelectRows);
    setUniformRowHeights(true);
    connect(new LinkDelegate(this), &LinkDelegate::followed, this, &EfficiencyView::followed);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    header()->setSectionResizeMode(nameColumn, QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(valueColumn, QHeaderView::ResizeToContents);
    header()->setStretchLastSection(true);
}

void EfficiencyView::setRows(const std::vector<EfficiencyRow>& rows, const QStringList& places) {
    rows_ = rows;
    model_->removeRows(0, model_->rowCount());
    std::vector<QStandardItem*> last; // by depth
    for (const EfficiencyRow& row : rows) {
        QList<QStandardItem*> items{
            new QStandardItem(messageText(row.name)),
            numberItem((row.low() ? u"▼ "_s : QString()) + decimal(QString::number(row.value, 'f', 3))),
            new QStandardItem(messageText(row.look_at))};
        items[nameColumn]->setData(nameText(english(row.name)), kWholeTextRole);
        items[adviceColumn]->setData(nameText(english(row.look_at)), kWholeTextRole);
        items[valueColumn]->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        for (QStandardItem* item : items)
            item->setEditable(false);
        if (const QString place = places.value(&row - rows.data()); !place.isEmpty()) {
            items[nameColumn]->setData(place, kLinkRole);
            items[nameColumn]->setToolTip(tr("Click: show the evidence"));
        }
        const auto depth = static_cast<std::size_t>(row.depth);
        last.resize(depth + 1);
        last[depth] = items.front();
        if (depth == 0)
            model_->appendRow(items);
        else
            last[depth - 1]->appendRow(items);
    }
    expandAll();
    markLow();
    const int height = rows.empty() ? 0 : rowHeight(model_->index(0, 0));
    setFixedHeight(header()->sizeHint().height() + static_cast<int>(rows.size()) * height + 2 * frameWidth());
}

void EfficiencyView::markLow() {
    const QColor bad = hue(Hue::bad, isDark(palette()));
    std::size_t at = 0;
    const auto mark = [&](const auto& self, QStandardItem* parent) -> void {
        for (int row = 0; row < parent->rowCount() && at < rows_.size(); ++row) {
            if (rows_[at].low())
                parent->child(row, valueColumn)->setForeground(bad);
            else
                parent->child(row, valueColumn)->setForeground(palette().color(QPalette::Text));
            ++at;
            self(self, parent->child(row, nameColumn));
        }
    };
    mark(mark, model_->invisibleRootItem());
}

void EfficiencyView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        markLow();
    QTreeView::changeEvent(event);
}

} // namespace rankscope
