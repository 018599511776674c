// SPDX-License-Identifier: GPL-3.0-or-later
// All commands with their keys, and the place to change them.
#include "app/settings/shortcuts_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "widgets/command_table.h"
#include "widgets/fuzzy_match.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

enum ShortcutColumn { commandColumn, keysColumn, helpColumn };
constexpr int kIdRole = Qt::UserRole;
constexpr int kRowAir = 6;

} // namespace

ShortcutsDialog::ShortcutsDialog(CommandTable& commands, QWidget* parent)
    : QDialog(parent), commands_(commands), filter_(new QLineEdit), list_(new QTreeWidget), key_(new QKeySequenceEdit),
      verdict_(new QLabel), assign_(new QPushButton(tr("&Assign"))), add_(new QPushButton(tr("A&dd"))),
      remove_(new QPushButton(tr("&Remove"))), reset_(new QPushButton(tr("Rese&t"))) {
    setWindowTitle(tr("Shortcuts"));
    resize(1040, 680);
    filter_->setPlaceholderText(tr("Filter by command, key or description"));
    filter_->setAccessibleName(tr("Filter shortcuts"));
    filter_->setClearButtonEnabled(true);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(filter_);
    layout->addWidget(list_, 1);
    buildList();
    buildEditor(layout);
    connect(filter_, &QLineEdit::textChanged, this, &ShortcutsDialog::applyFilter);
    connect(list_, &QTreeWidget::currentItemChanged, this, [this] {
        key_->clear();
        judge();
    });
    connect(&commands_, &CommandTable::shortcutsChanged, this, &ShortcutsDialog::showKeys);
    judge();
    filter_->setFocus();
}

void ShortcutsDialog::buildList() {
    list_->setAccessibleName(tr("Shortcuts"));
    list_->setHeaderLabels({tr("Command"), tr("Keys"), tr("What it does")});
    list_->setRootIsDecorated(false);
    list_->setItemsExpandable(false);
    list_->setAllColumnsShowFocus(true);
    addSection(tr("Everywhere"), {});
    for (const CommandPlace& place : commands_.places())
        addSection(place.title, place.id);
    list_->expandAll();
    list_->header()->setSectionResizeMode(commandColumn, QHeaderView::ResizeToContents);
    list_->header()->setSectionResizeMode(keysColumn, QHeaderView::ResizeToContents);
}

void ShortcutsDialog::addSection(const QString& title, const QString& place) {
    auto* top = new QTreeWidgetItem(list_, {title});
    QFont bold = top->font(0);
    bold.setBold(true);
    top->setFont(0, bold);
    top->setFlags(Qt::ItemIsEnabled);
    for (const Command& command : commands_.commands()) {
        if (command.place != place)
            continue;
        auto* item = new QTreeWidgetItem(top, {CommandTable::plainTitle(command), {}, command.help});
        item->setData(0, kIdRole, command.id);
        item->setSizeHint(helpColumn, QSize(0, fontMetrics().height() + kRowAir));
        items_[command.id] = item;
        showKeys(command.id);
    }
    for (const Gesture& gesture : commands_.gestures())
        if (gesture.place == place)
            (new QTreeWidgetItem(top, {tr("Gesture"), gesture.keys, gesture.help}))
                ->setSizeHint(helpColumn, QSize(0, fontMetrics().height() + kRowAir));
    top->setHidden(top->childCount() == 0);
}

void ShortcutsDialog::buildEditor(QVBoxLayout* layout) {
    auto* label = new QLabel(tr("&New key:"));
    label->setBuddy(key_);
    key_->setAccessibleName(tr("New key for the command"));
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(key_, 1);
    for (QPushButton* button : {assign_, add_, remove_, reset_}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    assign_->setToolTip(tr("Use this key instead of the command's keys"));
    add_->setToolTip(tr("Use this key beside the command's keys"));
    remove_->setToolTip(tr("Take all keys from the command"));
    reset_->setToolTip(tr("Give the command the keys it came with"));
    verdict_->setWordWrap(true);
    verdict_->setTextFormat(Qt::PlainText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* all = buttons->addButton(tr("Reset a&ll"), QDialogButtonBox::ResetRole);
    all->setAutoDefault(false);
    layout->addLayout(row);
    layout->addWidget(verdict_);
    layout->addWidget(buttons);
    connect(key_, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutsDialog::judge);
    connect(assign_, &QPushButton::clicked, this, &ShortcutsDialog::assign);
    connect(add_, &QPushButton::clicked, this, &ShortcutsDialog::addKey);
    connect(remove_, &QPushButton::clicked, this, &ShortcutsDialog::removeKeys);
    connect(reset_, &QPushButton::clicked, this, &ShortcutsDialog::reset);
    connect(all, &QPushButton::clicked, this, &ShortcutsDialog::resetAll);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void ShortcutsDialog::showKeys(const QString& id) {
    QTreeWidgetItem* item = items_.at(id);
    item->setText(keysColumn, CommandTable::keysText(commands_.shortcuts(id)));
    QFont font = list_->font();
    font.setBold(commands_.isChanged(id));
    item->setFont(keysColumn, font);
    item->setToolTip(keysColumn,
                     commands_.isChanged(id)
                         ? tr("Changed; it came with: %1").arg(CommandTable::keysText(commands_.command(id)->shortcuts))
                         : QString());
}

void ShortcutsDialog::applyFilter(const QString& wanted) {
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* top = list_->topLevelItem(i);
        bool any = false;
        for (int j = 0; j < top->childCount(); ++j) {
            QTreeWidgetItem* item = top->child(j);
            const QString text =
                item->text(commandColumn) + u' ' + item->text(keysColumn) + u' ' + item->text(helpColumn);
            const bool matches =
                text.contains(wanted, Qt::CaseInsensitive) || fuzzyScore(wanted, item->text(commandColumn)).has_value();
            item->setHidden(!matches);
            any |= matches;
        }
        top->setHidden(!any);
    }
}

void ShortcutsDialog::select(const QString& commandId) {
    if (const auto found = items_.find(commandId); found != items_.end())
        list_->setCurrentItem(found->second);
}

QString ShortcutsDialog::selected() const {
    const QTreeWidgetItem* item = list_->currentItem();
    return item == nullptr ? QString() : item->data(0, kIdRole).toString();
}

QString ShortcutsDialog::verdict() const { return verdict_->text(); }

// One key, not a sequence of them: a command reacts at once.
QKeySequence ShortcutsDialog::typedKey() const {
    return key_->keySequence().isEmpty() ? QKeySequence() : QKeySequence(key_->keySequence()[0]);
}

void ShortcutsDialog::judge() {
    const QString id = selected();
    const QKeySequence key = typedKey();
    if (key_->keySequence().count() > 1)
        key_->setKeySequence(key); // comes back here
    const bool ready = !id.isEmpty() && !key.isEmpty();
    assign_->setEnabled(ready);
    add_->setEnabled(ready && !commands_.shortcuts(id).contains(key));
    remove_->setEnabled(!id.isEmpty() && !commands_.shortcuts(id).isEmpty());
    reset_->setEnabled(!id.isEmpty() && commands_.isChanged(id));
    key_->setEnabled(!id.isEmpty());
    if (id.isEmpty())
        return verdict_->setText(tr("Select a command to change its keys."));
    if (key.isEmpty())
        return verdict_->setText(tr("Press the new key in the field."));
    QStringList others;
    for (const Command* other : commands_.conflicts(id, key))
        others << CommandTable::plainTitle(*other);
    verdict_->setText(others.isEmpty()
                          ? tr("Nothing else uses this key.")
                          : tr("Used by: %1. Assigning it takes it from there.").arg(others.join(u", "_s)));
}

void ShortcutsDialog::give(const QString& id, const QList<QKeySequence>& keys) {
    for (const QKeySequence& key : keys)
        for (const Command* loser : commands_.conflicts(id, key)) {
            QList<QKeySequence> left = commands_.shortcuts(loser->id);
            left.removeAll(key);
            commands_.setShortcuts(loser->id, left);
        }
    commands_.setShortcuts(id, keys);
    key_->clear();
    judge();
}

void ShortcutsDialog::assign() {
    if (const QString id = selected(); !id.isEmpty() && !typedKey().isEmpty())
        give(id, {typedKey()});
}

void ShortcutsDialog::addKey() {
    if (const QString id = selected();
        !id.isEmpty() && !typedKey().isEmpty() && !commands_.shortcuts(id).contains(typedKey()))
        give(id, commands_.shortcuts(id) << typedKey());
}

void ShortcutsDialog::removeKeys() {
    if (const QString id = selected(); !id.isEmpty())
        commands_.setShortcuts(id, {});
    judge();
}

void ShortcutsDialog::reset() {
    if (const QString id = selected(); !id.isEmpty())
        give(id, commands_.command(id)->shortcuts);
}

void ShortcutsDialog::resetAll() {
    for (const auto& [id, item] : items_)
        commands_.resetShortcuts(id);
    judge();
}

} // namespace rankscope
