// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window keeps what it remembers.
#include "app/settings.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QStringList>
#include <QTemporaryDir>

#include "app/process.h"
#include "core/base/text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Where QSettings keeps its files. It tells that only of settings it has read, so it reads some that nobody has.
QString settingsFolder() {
    const QSettings none(QSettings::IniFormat, QSettings::UserScope, u"rankscope-has-none"_s, u"none"_s);
    return QDir::cleanPath(QFileInfo(none.fileName()).absolutePath() + u"/.."_s);
}

} // namespace

bool areSafeSettings(const QString& file) {
    const QFileInfo info(file);
    if (!info.exists())
        return true;
    QFile content(file);
    if (!info.isFile() || info.size() > kLargestSettings || !content.open(QIODevice::ReadOnly))
        return false;
    const QByteArray text = content.read(kLargestSettings);
    return !text.contains("@Variant(") && !text.contains("@DataStream(");
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
            tell("rankscope: {} is no regular file of at most {} MB, or holds values that no setting has: settings are "
                 "not read and not kept\n",
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
