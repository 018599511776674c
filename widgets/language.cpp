// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the window.
#include "widgets/language.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QRegularExpression>
#include <QTranslator>

static void initTranslations() { Q_INIT_RESOURCE(translations); } // outside of any namespace, as Qt wants it

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

thread_local int sourceLanguages = 0;
std::atomic<bool> translated = false;
std::atomic<QLocale::Language> numbers = QLocale::C; ///< whose decimal sign

class WindowTranslator : public QTranslator {
public:
    using QTranslator::QTranslator;
    QString translate(const char* context, const char* text, const char* comment, int n) const override {
        return sourceLanguages > 0 ? QString() : QTranslator::translate(context, text, comment, n);
    }
};

} // namespace

QString languageWord(Language language) {
    switch (language) {
    case Language::system: return u"system"_s;
    case Language::english: return u"en"_s;
    case Language::german: return u"de"_s;
    }
    return {};
}

Language languageFromWord(const QString& word) {
    if (word == "en"_L1)
        return Language::english;
    return word == "de"_L1 ? Language::german : Language::system;
}

Language spokenLanguage(Language chosen, const QStringList& desktop) {
    if (chosen != Language::system)
        return chosen;
    for (const QString& wanted : desktop) {
        const QLocale::Language language = QLocale(wanted).language();
        if (language == QLocale::German)
            return Language::german;
        if (language == QLocale::English || language == QLocale::C)
            return Language::english;
    }
    return Language::english;
}

void installLanguage(Language chosen) {
    static std::vector<std::unique_ptr<QTranslator>> installed;
    for (const auto& translator : installed)
        QCoreApplication::removeTranslator(translator.get());
    installed.clear();
    translated = false;
    numbers = QLocale::C;
    const Language spoken = spokenLanguage(chosen, QLocale::system().uiLanguages());
    if (spoken == Language::english)
        return;
    initTranslations();
    const auto install = [spoken](const QString& file, const QString& folder) {
        auto translator = std::make_unique<WindowTranslator>();
        if (translator->load(file + u'_' + languageWord(spoken), folder) &&
            QCoreApplication::installTranslator(translator.get()))
            installed.push_back(std::move(translator));
    };
    install(u"qtbase"_s, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(u"rankscope"_s, u":/rankscope/translations"_s);
    translated = !installed.empty();
    if (translated)
        numbers = QLocale::German; // the only one so far
}

SourceLanguage::SourceLanguage() { ++sourceLanguages; }
SourceLanguage::~SourceLanguage() { --sourceLanguages; }

bool inSourceLanguage() { return sourceLanguages > 0; }
bool speaksTranslation() { return translated; }

QLocale numberLocale() {
    QLocale locale(inSourceLanguage() ? QLocale::C : numbers.load());
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    return locale;
}

QString decimal(QString number) {
    return inSourceLanguage() || numbers == QLocale::C ? number : number.replace(u'.', u',');
}

QString coreText(std::string_view english) {
    return english.empty() ? QString() : QCoreApplication::translate("Core", std::string(english).c_str());
}

/// What core has put into a sentence as the window writes numbers: "1.13 ms", "4.5 % to 7 %", with a minus sign. Names
/// are other text, and stay.
static std::string withShownNumbers(const std::string& given) {
    static const QRegularExpression numbersWithUnits = [] {
        const QString number = u"[-+−~±]?\\d[\\d \u202f]*(\\.\\d+)?"_s;
        const QString unit = u"( ?(ns|us|µs|ms|s|%|x|×|B|kB|MB|GB|TB|GB/s|TB/s|MHz|W|TFLOP/s))?"_s;
        return QRegularExpression(u"^[ (]*"_s + number + unit + u"((, | to | and | -> |/| \\()"_s + number + unit +
                                  u"\\)?)*$"_s);
    }();
    static const QRegularExpression minus(u"(?<![^ (])-(?=\\d)"_s);
    const QString text = QString::fromStdString(given);
    return numbersWithUnits.match(text).hasMatch() ? decimal(text).replace(minus, u"−"_s).toStdString() : given;
}

/// Core writes "->", as terminals show it everywhere; the window has an arrow. Names of a trace stay as they are:
/// "Memcpy DtoH (Device -> Pageable)".
QString messageText(const Message& message) {
    const bool forFiles = inSourceLanguage();
    const auto translated = [forFiles](const std::string& english, std::optional<std::int64_t> count) {
        QString text = QCoreApplication::translate("Core", english.c_str(), nullptr, count ? plural(*count) : -1);
        if (count == 1 && text == QString::fromStdString(english))
            return std::string(); // the message has its own form for one
        return (forFiles ? text : text.replace(" -> "_L1, u" → "_s)).toStdString();
    };
    QString text = QString::fromStdString((forFiles ? message : message.with_given(withShownNumbers)).in(translated));
    static const QRegularExpression beforeNumber(u" -> (?=\\d)"_s); // numbers that core has joined
    return forFiles ? text : text.replace(beforeNumber, u" → "_s);
}

} // namespace rankscope
