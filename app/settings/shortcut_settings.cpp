// SPDX-License-Identifier: GPL-3.0-or-later
// The user's shortcuts, kept between sessions.
#include "app/settings/shortcut_settings.h"

#include <QSettings>

#include "app/settings/settings.h"
#include "widgets/command_table.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

QString keyOf(const QString& id) { return u"shortcuts/"_s + id; }

void store(const CommandTable& commands, const QString& id) {
    const auto settings = openSettings();
    if (!commands.isChanged(id))
        return settings->remove(keyOf(id));
    QStringList keys;
    for (const QKeySequence& key : commands.shortcuts(id))
        keys << key.toString(QKeySequence::PortableText);
    settings->setValue(keyOf(id), keys);
}

} // namespace

void loadShortcuts(CommandTable& commands) {
    const auto settings = openSettings();
    for (const Command& command : commands.commands()) {
        if (!settings->contains(keyOf(command.id))) {
            if (commands.isChanged(command.id))
                commands.resetShortcuts(command.id);
            continue;
        }
        QList<QKeySequence> keys;
        for (const QString& text : settings->value(keyOf(command.id)).toStringList())
            if (const auto key = QKeySequence::fromString(text, QKeySequence::PortableText);
                !key.isEmpty() && key[0].key() != Qt::Key_unknown)
                keys << key;
        commands.setShortcuts(command.id, keys);
    }
}

void keepShortcuts(CommandTable& commands) {
    loadShortcuts(commands);
    QObject::connect(&commands, &CommandTable::shortcutsChanged, &commands,
                     [&commands](const QString& id) { store(commands, id); });
}

} // namespace rankscope
