// SPDX-License-Identifier: GPL-3.0-or-later
// "Open with Rankscope" in the context menus of file managers, for this user.
#include "app/settings/folder_openers.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include "core/base/whole_file.h"
#include "core/report/markup.h"
#include "widgets/language.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr auto kThunarId = "<unique-id>org.rankscope.Rankscope-folders</unique-id>";
constexpr auto kNoActions = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<actions>\n</actions>\n";

QString dataFolder() { return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation); }
QString configFolder() { return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation); }

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString shellQuoted(const QString& text) { return u'\'' + QString(text).replace(u'\'', u"'\\''"_s) + u'\''; }

/// The Desktop Entry Specification's quoting of an argument of Exec; % is a field code there.
QString execQuoted(QString text) {
    text.replace(u'\\', u"\\\\\\\\"_s)
        .replace(u'"', u"\\\\\""_s)
        .replace(u'`', u"\\\\`"_s)
        .replace(u'$', u"\\\\$"_s)
        .replace(u'%', u"%%"_s);
    return u'"' + text + u'"';
}

QByteArray entryText(FileManager manager, const QString& program) {
    const auto made = [](const char* file, const QString& started) {
        return contentOf(u":/rankscope/service-menus/"_s + QLatin1StringView(file))
            .replace("@PROGRAM@", started.toUtf8());
    };
    switch (manager) {
    case FileManager::nautilus: return made("nautilus.sh", shellQuoted(program));
    case FileManager::dolphin: return made("dolphin.desktop", execQuoted(program));
    case FileManager::thunar:
        return made("thunar.xml", QString::fromStdString(escaped_markup(
                                      QString(shellQuoted(program)).replace(u'%', u"%%"_s).toStdString())));
    case FileManager::pcmanfm: return made("file-manager-action.desktop", execQuoted(program));
    }
    return {};
}

/// Whole or not at all: Thunar's file holds the user's other actions too.
QString write(const QString& path, const QByteArray& text, bool executable) {
    QDir().mkpath(QFileInfo(path).path());
    const auto done = write_whole_file(path.toStdString(), {text.constData(), static_cast<std::size_t>(text.size())});
    if (!done)
        return messageText(done.error().message);
    if (executable)
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadGroup |
                                        QFile::ReadOther);
    return {};
}

/// Thunar reads the user's file instead of the system's, so the first one starts as a copy of that.
QByteArray thunarActions() {
    for (const QString& path : QStandardPaths::locateAll(QStandardPaths::GenericConfigLocation, u"Thunar/uca.xml"_s))
        if (const QByteArray text = contentOf(path); text.contains("</actions>"))
            return text;
    return kNoActions;
}

QByteArray withoutOpener(QByteArray actions) {
    const qsizetype at = actions.indexOf(kThunarId);
    const qsizetype begin = at < 0 ? -1 : actions.lastIndexOf("<action>", at);
    const qsizetype end = at < 0 ? -1 : actions.indexOf("</action>", at);
    if (begin < 0 || end < 0)
        return actions;
    qsizetype after = end + static_cast<qsizetype>(qstrlen("</action>"));
    if (after < actions.size() && actions[after] == '\n')
        ++after;
    return actions.remove(begin, after - begin);
}

} // namespace

QString fileManagerTitle(FileManager manager) {
    switch (manager) {
    case FileManager::nautilus: return u"Files (Nautilus)"_s;
    case FileManager::dolphin: return u"Dolphin"_s;
    case FileManager::thunar: return u"Thunar"_s;
    case FileManager::pcmanfm: return u"PCManFM"_s;
    }
    return {};
}

bool isPresent(FileManager manager) {
    const char* names[] = {"nautilus", "dolphin", "thunar", "pcmanfm"};
    return !QStandardPaths::findExecutable(QString::fromLatin1(names[static_cast<std::size_t>(manager)])).isEmpty();
}

QString openerFile(FileManager manager) {
    switch (manager) {
    case FileManager::nautilus: return dataFolder() + u"/nautilus/scripts/Open with Rankscope"_s;
    case FileManager::dolphin: return dataFolder() + u"/kio/servicemenus/rankscope.desktop"_s;
    case FileManager::thunar: return configFolder() + u"/Thunar/uca.xml"_s;
    case FileManager::pcmanfm: return dataFolder() + u"/file-manager/actions/rankscope.desktop"_s;
    }
    return {};
}

bool hasOpener(FileManager manager) {
    return manager == FileManager::thunar ? contentOf(openerFile(manager)).contains(kThunarId)
                                          : QFileInfo::exists(openerFile(manager));
}

QString setOpener(FileManager manager, bool wanted, const QString& program) {
    const QString path = openerFile(manager);
    if (manager == FileManager::thunar) {
        if (!wanted && !hasOpener(manager))
            return {};
        QByteArray actions = withoutOpener(thunarActions());
        if (wanted)
            actions.insert(actions.lastIndexOf("</actions>"), entryText(manager, program));
        return write(path, actions, false);
    }
    if (wanted) // Dolphin starts nothing from a file that is not executable
        return write(path, entryText(manager, program), true);
    return !QFileInfo::exists(path) || QFile::remove(path) ? QString() : QObject::tr("%1 cannot be removed").arg(path);
}

QString programToOpenWith() {
    // What an AppImage, or the launcher of the tarball, was started as: the running file is inside.
    for (const char* outer : {"APPIMAGE", "RANKSCOPE_LAUNCHER"})
        if (const QString path = qEnvironmentVariable(outer); !path.isEmpty())
            return path;
    return QCoreApplication::applicationFilePath();
}

} // namespace rankscope
