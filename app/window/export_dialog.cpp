// SPDX-License-Identifier: GPL-3.0-or-later
// Asks what of the window to export, and as what.
#include "app/window/export_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankscope {

ExportDialog::ExportDialog(std::vector<Exportable> items, const QString& metrics, QWidget* parent)
    : QDialog(parent), items_(std::move(items)), withMetrics_(!metrics.isEmpty()), list_(new QListWidget),
      format_(new QComboBox) {
    setWindowTitle(tr("Export"));
    auto* what = new QLabel(tr("&What is on screen:"));
    what->setBuddy(list_);
    list_->setAccessibleName(tr("What to export"));
    if (withMetrics_)
        list_->addItem(metrics);
    for (const Exportable& item : items_)
        list_->addItem(item.kind == Exportable::Kind::table ? tr("Table: %1").arg(item.title)
                                                            : tr("Plot: %1").arg(item.title));
    auto* as = new QLabel(tr("&Format:"));
    as->setBuddy(format_);
    format_->setAccessibleName(tr("Format"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Save)->setText(tr("&Save…"));
    buttons->button(QDialogButtonBox::Save)->setEnabled(list_->count() > 0);
    auto* row = new QHBoxLayout;
    row->addWidget(as);
    row->addWidget(format_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(what);
    layout->addWidget(list_, 1);
    layout->addLayout(row);
    layout->addWidget(buttons);
    resize(420, 320);
    connect(list_, &QListWidget::currentRowChanged, this, &ExportDialog::showFormats);
    connect(list_, &QListWidget::itemActivated, this, &ExportDialog::submit);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::submit);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    list_->setCurrentRow(0);
    list_->setFocus();
}

const Exportable* ExportDialog::current() const {
    const int row = list_->currentRow() - (withMetrics_ ? 1 : 0);
    return row < 0 ? nullptr : &items_[static_cast<std::size_t>(row)];
}

void ExportDialog::showFormats() {
    format_->clear();
    format_->addItems(current() == nullptr ? QStringList{tr("CSV (*.csv)")} : exportFilters(current()->kind));
}

void ExportDialog::submit() {
    if (list_->currentRow() < 0)
        return;
    accept();
    if (current() == nullptr)
        Q_EMIT metricsWanted();
    else
        Q_EMIT wanted(*current(), format_->currentText());
}

} // namespace rankscope
