// SPDX-License-Identifier: GPL-3.0-or-later
// All shortcuts.
#include "app/shortcuts_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "widgets/command_table.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

QTreeWidgetItem* section(QTreeWidget* list, const QString& title) {
    auto* item = new QTreeWidgetItem(list, {title});
    QFont font = item->font(0);
    font.setBold(true);
    item->setFont(0, font);
    item->setFirstColumnSpanned(true);
    return item;
}

} // namespace

ShortcutsDialog::ShortcutsDialog(const CommandTable& commands, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Shortcuts"));
    resize(560, 620);
    auto* list = new QTreeWidget;
    list->setHeaderHidden(true);
    list->setColumnCount(2);
    list->setRootIsDecorated(false);
    list->setSelectionMode(QAbstractItemView::NoSelection);
    list->setFrameShape(QFrame::NoFrame);
    list->setAccessibleName(tr("Shortcuts"));
    std::vector<CommandPlace> places = commands.places();
    places.insert(places.begin(), CommandPlace{{}, tr("Everywhere"), nullptr});
    for (const CommandPlace& place : places) {
        auto* top = section(list, place.title);
        for (const Command& command : commands.commands())
            if (const auto keys = commands.shortcuts(command.id); command.place == place.id && !keys.isEmpty())
                new QTreeWidgetItem(top, {CommandTable::keysText(keys), command.help});
        for (const Gesture& gesture : commands.gestures())
            if (gesture.place == place.id)
                new QTreeWidgetItem(top, {gesture.keys, gesture.help});
    }
    list->expandAll();
    list->setItemsExpandable(false);
    list->header()->resizeSection(0, 180);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(list);
    layout->addWidget(buttons);
}

} // namespace rankscope
