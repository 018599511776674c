// SPDX-License-Identifier: GPL-3.0-or-later
// What the user chose in Settings: kept, applied, carried elsewhere.
#include "app/settings/preferences.h"

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QFont>
#include <QSettings>
#include <QTemporaryDir>
#include <QWidget>

#include "app/settings/setting_entries.h"
#include "app/settings/settings.h"
#include "core/base/whole_file.h"
#include "widgets/language.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr auto kMark = "rankscope/settings_version"_L1; ///< only exported files have it
constexpr auto kShortcuts = "shortcuts"_L1;

void copyShortcuts(const QSettings& from, QSettings& to) {
    to.remove(kShortcuts);
    for (const QString& key : from.allKeys())
        if (key.startsWith(kShortcuts + "/"_L1))
            to.setValue(key, from.value(key));
}

} // namespace

Preferences loadPreferences(const QSettings& settings) {
    Preferences preferences;
    for (const SettingEntry& entry : settingEntries())
        entry.load(settings, preferences);
    return preferences;
}

Preferences loadPreferences() { return loadPreferences(*openSettings()); }

void storePreferences(const Preferences& preferences, QSettings& settings) {
    for (const SettingEntry& entry : settingEntries())
        entry.store(preferences, settings);
}

Result<AnalysisRules> analysisRules(const Preferences& preferences,
                                    std::vector<std::shared_ptr<const Metric>> metrics) {
    auto classes = KernelClassRules::of(preferences.kernelClasses);
    if (!classes)
        return tl::unexpected(classes.error());
    return AnalysisRules{*classes, preferences.peaks, std::move(metrics), preferences.gpusPerMachine};
}

void applyAppearance(const Preferences& preferences) {
    setGliding(preferences.gliding);
    static const QFont desktops = QApplication::font();
    QFont font = desktops;
    if (!preferences.fontFamily.isEmpty())
        font.setFamily(preferences.fontFamily);
    if (preferences.fontSize > 0)
        font.setPointSize(preferences.fontSize);
    if (font != QApplication::font())
        QApplication::setFont(font);
    if (preferences.hues == hueSet())
        return;
    setHueSet(preferences.hues);
    // What is painted from these colours is painted again when the theme changes; this is the same to it.
    for (QWidget* widget : QApplication::allWidgets()) {
        QEvent changed(QEvent::PaletteChange);
        QApplication::sendEvent(widget, &changed);
        widget->update();
    }
}

QString exportSettings(const QString& file) {
    const QTemporaryDir folder; // QSettings would remove a link or a FIFO that is in its way
    QSettings written(folder.filePath(u"settings.ini"_s), QSettings::IniFormat);
    const auto settings = openSettings();
    written.setValue(kMark, 1);
    storePreferences(loadPreferences(*settings), written);
    copyShortcuts(*settings, written);
    written.sync();
    QFile content(written.fileName());
    const QByteArray text = content.open(QIODevice::ReadOnly) ? content.readAll() : QByteArray();
    const bool done = written.status() == QSettings::NoError && !text.isEmpty() &&
                      write_whole_file(file.toStdString(), {text.constData(), static_cast<std::size_t>(text.size())});
    return done ? QString() : QObject::tr("%1 cannot be written; choose another place").arg(file);
}

QString importSettings(const QString& file) {
    if (!QFileInfo(file).isFile() || !areSafeSettings(file))
        return QObject::tr("%1 holds no settings of Rankscope; choose a file that Export wrote").arg(file);
    const QSettings read(file, QSettings::IniFormat);
    if (read.status() != QSettings::NoError || read.value(kMark).toInt() != 1)
        return QObject::tr("%1 holds no settings of Rankscope; choose a file that Export wrote").arg(file);
    const Preferences preferences = loadPreferences(read);
    if (const auto rules = analysisRules(preferences); !rules)
        return messageText(rules.error().message);
    const auto settings = openSettings();
    storePreferences(preferences, *settings);
    copyShortcuts(read, *settings);
    return {};
}

} // namespace rankscope
