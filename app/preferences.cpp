// SPDX-License-Identifier: GPL-3.0-or-later
// What the user chose in Settings: kept, applied, carried elsewhere.
#include "app/preferences.h"

#include <optional>

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QFont>
#include <QSettings>
#include <QTemporaryDir>
#include <QWidget>

#include "app/settings.h"
#include "core/base/whole_file.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr auto kMark = "rankscope/settings_version"_L1; ///< only exported files have it
constexpr auto kTheme = "window/theme"_L1;
constexpr auto kHues = "appearance/colours"_L1;
constexpr auto kFamily = "appearance/font"_L1;
constexpr auto kFontSize = "appearance/font_size"_L1;
constexpr auto kScale = "appearance/scale_percent"_L1;
constexpr auto kThreads = "performance/threads"_L1;
constexpr auto kMemory = "performance/memory_gib"_L1;
constexpr auto kClasses = "kernel_classes"_L1;
constexpr auto kPeaks = "peaks"_L1;
constexpr auto kShortcuts = "shortcuts"_L1;

int numberIn(const QSettings& settings, QAnyStringView key, int least, int most, int otherwise) {
    bool isNumber = false;
    const int value = settings.value(key.toString()).toInt(&isNumber);
    return isNumber && value >= least && value <= most ? value : otherwise;
}

std::optional<KernelClass> classFromWord(const QString& word) {
    for (const KernelClass c :
         {KernelClass::compute, KernelClass::communication, KernelClass::memory_copy, KernelClass::memory_set})
        if (word.toStdString() == kernel_class_word(c))
            return c;
    return {};
}

double positive(const QVariant& value) {
    const double number = value.toDouble();
    return number > 0 && number < 1e9 ? number : 0; // not NaN either
}

void copyShortcuts(const QSettings& from, QSettings& to) {
    to.remove(kShortcuts);
    for (const QString& key : from.allKeys())
        if (key.startsWith(kShortcuts + "/"_L1))
            to.setValue(key, from.value(key));
}

} // namespace

Preferences loadPreferences(const QSettings& settings) {
    Preferences p;
    p.theme = themeFromWord(settings.value(kTheme).toString());
    p.hues = hueSetFromWord(settings.value(kHues).toString());
    p.fontFamily = settings.value(kFamily).toString();
    p.fontSize = numberIn(settings, kFontSize, Preferences::kSmallestFont, Preferences::kLargestFont, 0);
    p.scale = numberIn(settings, kScale, Preferences::kSmallestScale, Preferences::kLargestScale, 100);
    p.threads = numberIn(settings, kThreads, 1, Preferences::kMostThreads, 0);
    p.memory = numberIn(settings, kMemory, 1, Preferences::kMostMemory, 0);
    const auto entry = [&](QLatin1StringView list, int i, const char* field) {
        return settings.value(u"%1/%2/%3"_s.arg(list).arg(i).arg(QLatin1StringView(field)));
    };
    const auto count = [&](QLatin1StringView list) {
        return numberIn(settings, QString(list + "/size"_L1), 0, 1000, 0);
    };
    for (int i = 1; i <= count(kClasses); ++i)
        if (const auto kind = classFromWord(entry(kClasses, i, "class").toString()))
            p.kernelClasses.push_back({entry(kClasses, i, "pattern").toString().toStdString(), *kind});
    for (int i = 1; i <= count(kPeaks); ++i)
        p.peaks.push_back({entry(kPeaks, i, "device").toString().toStdString(),
                           positive(entry(kPeaks, i, "fp8_tflops")), positive(entry(kPeaks, i, "fp16_tflops")),
                           positive(entry(kPeaks, i, "fp32_tflops")), positive(entry(kPeaks, i, "memory_tb_s"))});
    return p;
}

Preferences loadPreferences() { return loadPreferences(*openSettings()); }

void storePreferences(const Preferences& p, QSettings& settings) {
    settings.setValue(kTheme, themeWord(p.theme));
    settings.setValue(kHues, hueSetWord(p.hues));
    settings.setValue(kFamily, p.fontFamily);
    settings.setValue(kFontSize, p.fontSize);
    settings.setValue(kScale, p.scale);
    settings.setValue(kThreads, p.threads);
    settings.setValue(kMemory, p.memory);
    settings.remove(kClasses);
    settings.beginWriteArray(kClasses, static_cast<int>(p.kernelClasses.size()));
    for (int i = 0; const KernelClassRule& rule : p.kernelClasses) {
        settings.setArrayIndex(i++);
        settings.setValue("pattern"_L1, QString::fromStdString(rule.pattern));
        settings.setValue("class"_L1, QString::fromStdString(std::string(kernel_class_word(rule.kernel_class))));
    }
    settings.endArray();
    settings.remove(kPeaks);
    settings.beginWriteArray(kPeaks, static_cast<int>(p.peaks.size()));
    for (int i = 0; const DevicePeak& peak : p.peaks) {
        settings.setArrayIndex(i++);
        settings.setValue("device"_L1, QString::fromStdString(peak.device));
        settings.setValue("fp8_tflops"_L1, peak.fp8_tflops);
        settings.setValue("fp16_tflops"_L1, peak.fp16_tflops);
        settings.setValue("fp32_tflops"_L1, peak.fp32_tflops);
        settings.setValue("memory_tb_s"_L1, peak.memory_tb_s);
    }
    settings.endArray();
}

Result<void> applyAnalysisPreferences(const Preferences& preferences) {
    if (auto set = set_kernel_class_rules(preferences.kernelClasses); !set)
        return set;
    set_own_peaks(preferences.peaks);
    return {};
}

void applyAppearance(const Preferences& preferences) {
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
    if (const QFileInfo info(file); !info.isFile() || info.size() > kLargestSettings)
        return QObject::tr("%1 holds no settings of Rankscope; choose a file that Export wrote").arg(file);
    const QSettings read(file, QSettings::IniFormat);
    if (read.status() != QSettings::NoError || read.value(kMark).toInt() != 1)
        return QObject::tr("%1 holds no settings of Rankscope; choose a file that Export wrote").arg(file);
    const Preferences preferences = loadPreferences(read);
    if (const auto applied = applyAnalysisPreferences(preferences); !applied)
        return QString::fromStdString(applied.error().message);
    const auto settings = openSettings();
    storePreferences(preferences, *settings);
    copyShortcuts(read, *settings);
    return {};
}

} // namespace rankscope
