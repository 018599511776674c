// SPDX-License-Identifier: GPL-3.0-or-later
// All shortcuts.
#include "app/shortcuts_dialog.h"

#include <array>

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/command_table.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Gesture {
    const char* keys;
    const char* help;
};

/// Keys and gestures that widgets handle themselves.
constexpr std::array kTimelineGestures = {
    Gesture{"Wheel", "Scroll the lanes"},
    Gesture{"Ctrl+wheel", "Zoom at the pointer"},
    Gesture{"Shift+wheel, drag", "Move in time"},
    Gesture{"W / S", "Zoom in and out, as long as held"},
    Gesture{"A / D", "Move left and right, as long as held"},
    Gesture{"Double-click", "Zoom to the slice"},
    Gesture{"F", "Fit the selection; again: everything"},
    Gesture{"0", "Show everything"},
    Gesture{", / .", "Select the previous or next slice of the lane"},
    Gesture{"R", "Fold or unfold the rank"},
    Gesture{"Backspace", "Take back the last jump"},
    Gesture{"Escape", "Clear the selection; while reading: cancel"},
};
constexpr std::array kOverviewGestures = {
    Gesture{"Up / Down", "Go through the ranks' bars"},
    Gesture{"Enter, double-click", "Show the rank in the timeline"},
    Gesture{"Ctrl+C", "Copy the table's selected rows, tab-separated"},
};

QTreeWidgetItem* section(QTreeWidget* list, const QString& title) {
    auto* item = new QTreeWidgetItem(list, {title});
    QFont font = item->font(0);
    font.setBold(true);
    item->setFont(0, font);
    item->setFirstColumnSpanned(true);
    return item;
}

template <typename Gestures>
void addGestures(QTreeWidget* list, const QString& title, const Gestures& gestures) {
    auto* top = section(list, title);
    for (const Gesture& gesture : gestures)
        new QTreeWidgetItem(top, {ShortcutsDialog::tr(gesture.keys), ShortcutsDialog::tr(gesture.help)});
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
    auto* window = section(list, tr("Everywhere"));
    for (const Command& command : commands.commands()) {
        if (command.shortcuts.isEmpty())
            continue;
        QStringList keys;
        for (const QKeySequence& key : command.shortcuts)
            keys << key.toString(QKeySequence::NativeText);
        new QTreeWidgetItem(window, {keys.join(u", "_s), command.help});
    }
    addGestures(list, tr("Overview"), kOverviewGestures);
    addGestures(list, tr("Timeline"), kTimelineGestures);
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
