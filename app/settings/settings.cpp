// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window keeps what it remembers.
#include "app/settings/settings.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QStringList>
#include <QTemporaryDir>

#include "app/command/process.h"
#include "core/base/text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Where QSettings keeps its files. It tells that only of settings it has read, so it reads some that nobody has.
QString settingsFolder() {
    const QSettings none(QSettings::IniFormat, QSettings::UserScope, u"rankscope-has-none"_s, u"none"_s);
    return QDir::cleanPath(QFileInfo(none.fileName()).absolutePath() + u"/.."_s);
}

/// The characters that QSettings takes out of the text, without quotes, broken lines and other escapes.
QByteArray unescaped(const QByteArray& text) {
    QByteArray result;
    const auto number = [&](qsizetype& at, int base) {
        uint value = 0;
        for (; at < text.size(); ++at) {
            const char c = text[at];
            const int digit = c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                     : base;
            if (digit >= base)
                break;
            value = value * static_cast<uint>(base) + static_cast<uint>(digit);
        }
        return static_cast<char>((value & 0xFFFFU) < 0x80U ? value & 0x7FU : '?');
    };
    for (qsizetype at = 0; at < text.size();) {
        const char c = text[at++];
        if (c == '"')
            continue;
        if (c != '\\' || at == text.size()) {
            result += c;
        } else if (text[at] == 'x') {
            result += number(++at, 16);
        } else if (text[at] >= '0' && text[at] <= '7') {
            result += number(at, 8);
        } else {
            const char escaped = text[at++];
            if (escaped == '\r' && at < text.size() && text[at] == '\n')
                ++at;
            if (escaped != '\n' && escaped != '\r')
                result += '?';
        }
    }
    return result;
}

/// Values are separated by = and commas. A text that starts like an object has a second @ before it.
bool holdsObjects(const QByteArray& text) {
    for (const QByteArrayView object : {QByteArrayView("@Variant("), QByteArrayView("@DataStream(")})
        for (qsizetype at = text.indexOf(object); at >= 0; at = text.indexOf(object, at + 1)) {
            qsizetype before = at - 1;
            while (before >= 0 && static_cast<uchar>(text[before]) <= ' ')
                --before;
            if (before < 0 || text[before] == '=' || text[before] == ',')
                return true;
        }
    return false;
}

} // namespace

bool areSafeSettings(const QString& file) {
    const QFileInfo info(file);
    if (!info.exists())
        return true;
    if (!info.isFile() || info.size() > kLargestSettings)
        return false;
    QFile content(file);
    return !content.open(QIODevice::ReadOnly) || !holdsObjects(unescaped(content.read(kLargestSettings)));
}

std::unique_ptr<QSettings> openSettings() {
    const QString folder = settingsFolder();
    // QSettings would wait for a FIFO and read a file of any size; it reads the second file, too.
    for (const QString& file : QStringList{folder + u"/rankscope/rankscope.ini"_s, folder + u"/rankscope.ini"_s}) {
        if (areSafeSettings(file))
            continue;
        static const QTemporaryDir ownFolder;
        static bool told = false;
        if (!std::exchange(told, true))
            tell("rankscope: {} is no regular file of at most {} MB, or holds objects of Qt: settings are not read and "
                 "not kept\n",
                 terminal_safe(file.toStdString()), kLargestSettings >> 20);
        return std::make_unique<QSettings>(ownFolder.filePath(u"rankscope/rankscope.ini"_s), QSettings::IniFormat);
    }
    return std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope, u"rankscope"_s, u"rankscope"_s);
}

QString lastFolder() { return openSettings()->value("open/folder"_L1).toString(); }

void keepLastFolder(const QString& chosen) {
    openSettings()->setValue("open/folder"_L1, QFileInfo(chosen).absolutePath());
}

} // namespace rankscope
