// SPDX-License-Identifier: GPL-3.0-or-later
// The settings. A new one is a field of Preferences and a line here.
#include "app/settings/setting_entries.h"

#include <optional>

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QFontComboBox>
#include <QSettings>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QThread>

#include "core/analysis/collectives/machines.h"
#include "core/input/format/memory_limit.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

struct SettingTexts {
    Q_DECLARE_TR_FUNCTIONS(SettingTexts)
};

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

/// One of a few values, in the order of its enumeration.
template <typename Choice>
SettingEntry choiceOf(SettingPage page, const QString& key, Choice Preferences::*field,
                      Choice (*fromWord)(const QString&), QString (*word)(Choice), const QString& label,
                      const QStringList& titles, const QString& help) {
    SettingEntry entry{page, key, help};
    entry.load = [=](const QSettings& settings, Preferences& p) {
        p.*field = fromWord(settings.value(key).toString());
    };
    entry.store = [=](const Preferences& p, QSettings& settings) { settings.setValue(key, word(p.*field)); };
    entry.control = [=](const ChangePreferences& change) {
        auto* box = new QComboBox;
        box->addItems(titles);
        box->setToolTip(help);
        QObject::connect(box, &QComboBox::activated, box, [change, field](int i) {
            change([i, field](Preferences& p) { p.*field = static_cast<Choice>(i); });
        });
        return SettingControl{{{label, box}},
                              [=](const Preferences& p) { box->setCurrentIndex(static_cast<int>(p.*field)); }};
    };
    return entry;
}

struct NumberSetting {
    int least, most;
    int standard;    ///< holds when nothing is stored; 0, below `least`: a value of its own
    QString unit;    ///< " pt"
    QString atLeast; ///< in place of `standard` where that is 0
    int step = 1;
};

SettingEntry numberOf(SettingPage page, const QString& key, int Preferences::*field, const NumberSetting& number,
                      const QString& label, const QString& help) {
    SettingEntry entry{page, key, help};
    entry.load = [=](const QSettings& settings, Preferences& p) {
        p.*field = numberIn(settings, key, number.least, number.most, number.standard);
    };
    entry.store = [=](const Preferences& p, QSettings& settings) { settings.setValue(key, p.*field); };
    entry.control = [=](const ChangePreferences& change) {
        const int none = number.standard < number.least ? number.least - 1 : number.least; // stands for 0
        auto* box = new QSpinBox;
        box->setRange(none, number.most);
        box->setSuffix(number.unit);
        box->setSpecialValueText(number.atLeast);
        box->setSingleStep(number.step);
        box->setToolTip(help);
        QObject::connect(box, &QSpinBox::valueChanged, box, [=](int value) {
            change([=](Preferences& p) { p.*field = value < number.least ? number.standard : value; });
        });
        return SettingControl{{{label, box}}, [=](const Preferences& p) {
                                  const QSignalBlocker quiet(box);
                                  box->setValue(p.*field < number.least ? none : p.*field);
                              }};
    };
    return entry;
}

SettingEntry fontFamily(const QString& key, const QString& help) {
    SettingEntry entry{SettingPage::appearance, key, help};
    entry.load = [=](const QSettings& settings, Preferences& p) { p.fontFamily = settings.value(key).toString(); };
    entry.store = [=](const Preferences& p, QSettings& settings) { settings.setValue(key, p.fontFamily); };
    entry.control = [=](const ChangePreferences& change) {
        auto* own = new QCheckBox(SettingTexts::tr("Own font"));
        auto* family = new QFontComboBox;
        own->setToolTip(help);
        family->setToolTip(help);
        const auto choose = [=] {
            change(
                [=](Preferences& p) { p.fontFamily = own->isChecked() ? family->currentFont().family() : QString(); });
        };
        QObject::connect(own, &QCheckBox::toggled, family, &QWidget::setEnabled);
        QObject::connect(own, &QCheckBox::clicked, own, choose);
        QObject::connect(family, &QFontComboBox::activated, family, choose);
        return SettingControl{{{{}, own}, {SettingTexts::tr("&Font"), family}}, [=](const Preferences& p) {
                                  own->setChecked(!p.fontFamily.isEmpty());
                                  family->setEnabled(own->isChecked());
                                  if (own->isChecked())
                                      family->setCurrentFont(QFont(p.fontFamily));
                              }};
    };
    return entry;
}

QVariant fieldIn(const QSettings& settings, const QString& list, int i, const char* field) {
    return settings.value(u"%1/%2/%3"_s.arg(list).arg(i).arg(QLatin1StringView(field)));
}

int countIn(const QSettings& settings, const QString& list) {
    return numberIn(settings, list + u"/size"_s, 0, 1000, 0);
}

/// Rows of a table, each stored by store(row) between beginWriteArray() and endArray().
template <typename Row, typename Store>
void storeRows(QSettings& settings, const QString& list, const std::vector<Row>& rows, Store store) {
    settings.remove(list);
    settings.beginWriteArray(list, static_cast<int>(rows.size()));
    for (int i = 0; const Row& row : rows) {
        settings.setArrayIndex(i++);
        store(row);
    }
    settings.endArray();
}

SettingEntry kernelClassRules(const QString& key, const QString& help) {
    SettingEntry entry{SettingPage::analysis, key, help};
    entry.load = [=](const QSettings& settings, Preferences& p) {
        for (int i = 1; i <= countIn(settings, key); ++i)
            if (const auto kind = classFromWord(fieldIn(settings, key, i, "class").toString()))
                p.kernelClasses.push_back({fieldIn(settings, key, i, "pattern").toString().toStdString(), *kind});
    };
    entry.store = [=](const Preferences& p, QSettings& settings) {
        storeRows(settings, key, p.kernelClasses, [&](const KernelClassRule& rule) {
            settings.setValue("pattern"_L1, QString::fromStdString(rule.pattern));
            settings.setValue("class"_L1, QString::fromStdString(std::string(kernel_class_word(rule.kernel_class))));
        });
    };
    return entry;
}

SettingEntry devicePeaks(const QString& key, const QString& help) {
    SettingEntry entry{SettingPage::analysis, key, help};
    entry.load = [=](const QSettings& settings, Preferences& p) {
        const auto number = [&](int i, const char* field) { return positive(fieldIn(settings, key, i, field)); };
        for (int i = 1; i <= countIn(settings, key); ++i)
            p.peaks.push_back({fieldIn(settings, key, i, "device").toString().toStdString(), number(i, "fp8_tflops"),
                               number(i, "fp16_tflops"), number(i, "fp32_tflops"), number(i, "memory_tb_s")});
    };
    entry.store = [=](const Preferences& p, QSettings& settings) {
        storeRows(settings, key, p.peaks, [&](const DevicePeak& peak) {
            settings.setValue("device"_L1, QString::fromStdString(peak.device));
            settings.setValue("fp8_tflops"_L1, peak.fp8_tflops);
            settings.setValue("fp16_tflops"_L1, peak.fp16_tflops);
            settings.setValue("fp32_tflops"_L1, peak.fp32_tflops);
            settings.setValue("memory_tb_s"_L1, peak.memory_tb_s);
        });
    };
    return entry;
}

} // namespace

std::vector<SettingEntry> settingEntries() {
    using enum SettingPage;
    using P = Preferences;
    return {
        choiceOf(appearance, u"window/theme"_s, &P::theme, &themeFromWord, &themeWord, SettingTexts::tr("&Theme"),
                 {SettingTexts::tr("As the system"), SettingTexts::tr("Light"), SettingTexts::tr("Dark")},
                 SettingTexts::tr("Light or dark, always or as the desktop is")),
        choiceOf(appearance, u"window/language"_s, &P::language, &languageFromWord, &languageWord,
                 SettingTexts::tr("&Language"), {SettingTexts::tr("As the system"), u"English"_s, u"Deutsch"_s},
                 SettingTexts::tr("Of the window; from the next start")),
        choiceOf(appearance, u"appearance/colours"_s, &P::hues, &hueSetFromWord, &hueSetWord,
                 SettingTexts::tr("&Colours"),
                 {SettingTexts::tr("Okabe–Ito"), SettingTexts::tr("Bright (Tol)"),
                  SettingTexts::tr("Medium contrast (Tol)")},
                 SettingTexts::tr("All are colour-blind-safe; medium contrast can be told apart in grey too")),
        choiceOf(appearance, u"appearance/motion"_s, &P::gliding, &glidingFromWord, &glidingWord,
                 SettingTexts::tr("&Zooming by held keys"), {SettingTexts::tr("Smooth"), SettingTexts::tr("In steps")},
                 SettingTexts::tr("In steps: the timeline zooms and moves without animation")),
        fontFamily(u"appearance/font"_s, SettingTexts::tr("A font in place of the desktop's")),
        numberOf(appearance, u"appearance/font_size"_s, &P::fontSize,
                 {P::kSmallestFont, P::kLargestFont, 0, SettingTexts::tr(" pt"), SettingTexts::tr("As the system")},
                 SettingTexts::tr("Font &size"), SettingTexts::tr("Of the text in the window")),
        numberOf(appearance, u"appearance/scale_percent"_s, &P::scale,
                 {P::kSmallestScale, P::kLargestScale, 100, SettingTexts::tr(" %"), {}, 25},
                 SettingTexts::tr("S&cale of everything"),
                 SettingTexts::tr("Text, lines and distances; from the next start")),
        numberOf(performance, u"performance/threads"_s, &P::threads,
                 {1, P::kMostThreads, 0, {}, SettingTexts::tr("All cores (%1)").arg(QThread::idealThreadCount())},
                 SettingTexts::tr("&Threads while reading"),
                 SettingTexts::tr("How many threads read files; from the next run that is read")),
        numberOf(performance, u"performance/memory_gib"_s, &P::memory,
                 {1, P::kMostMemory, 0, SettingTexts::tr(" GB"),
                  SettingTexts::tr("70 % of the machine's (%1)")
                      .arg(QString::fromStdString(memory_text(default_memory_budget())))},
                 SettingTexts::tr("&Memory for a run"),
                 SettingTexts::tr("Ranks beyond it stay on disk; from the next run that is read")),
        numberOf(analysis, u"analysis/gpus_per_machine"_s, &P::gpusPerMachine,
                 {1, kMostGpusPerMachine, 0, {}, SettingTexts::tr("Not known")}, SettingTexts::tr("&GPUs per machine"),
                 SettingTexts::tr("How many ranks in a row share a machine, of runs that do not tell")),
        kernelClassRules(u"kernel_classes"_s, SettingTexts::tr("Which names of kernels are of which class")),
        devicePeaks(u"peaks"_s, SettingTexts::tr("What a device can do at most")),
    };
}

} // namespace rankscope
