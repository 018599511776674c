// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window keeps what it remembers.
#include "app/settings.h"

#include <QDir>
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

bool isSane(const QString& file) {
    const QFileInfo info(file);
    return !info.exists() || (info.isFile() && info.size() <= kLargestSettings);
}

} // namespace

std::unique_ptr<QSettings> openSettings() {
    const QString folder = settingsFolder();
    // QSettings would wait for a FIFO and read a file of any size; it reads the second file, too.
    for (const QString& file : QStringList{folder + u"/rankscope/rankscope.ini"_s, folder + u"/rankscope.ini"_s}) {
        if (isSane(file))
            continue;
        static const QTemporaryDir ownFolder;
        static bool told = false;
        if (!std::exchange(told, true))
            tell("rankscope: {} is no regular file of at most {} MB: settings are not read and not kept\n",
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
