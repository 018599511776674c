// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the window: English in the sources, others in resources/translations.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>

#include <QLocale>
#include <QString>
#include <QStringList>

#include "core/base/message.h"

namespace rankscope {

enum class Language { system, english, german };

QString languageWord(Language language); ///< "system", "en", "de"
Language languageFromWord(const QString& word);

/// What the window speaks then. system: the first of the desktop's languages ("de-AT") that the program has; English if
/// none.
Language spokenLanguage(Language chosen, const QStringList& desktop);

/// Translates everything that is made from now on, Qt's own dialogs too; so it comes before the first widget. A second
/// call replaces the first.
void installLanguage(Language chosen);

/// While one lives, tr() returns the English of the sources in this thread: for files that programs read.
class SourceLanguage {
public:
    SourceLanguage();
    ~SourceLanguage();
    SourceLanguage(const SourceLanguage&) = delete;
    SourceLanguage& operator=(const SourceLanguage&) = delete;
};

bool inSourceLanguage();  ///< whether one lives in this thread
bool speaksTranslation(); ///< whether the window speaks another language than the sources

/// The number with the decimal sign of the window's language: "1,5" in German.
QString decimal(QString number);
/// For what formats numbers itself, as the axes of plots do: digits are not grouped.
QLocale numberLocale();

/// Calls fill once; in a translated window before that in the language of the sources too, so that a table that keeps
/// its headings can note what files call them.
template <typename Fill>
void inBothLanguages(Fill&& fill) {
    if (speaksTranslation()) {
        const SourceLanguage source;
        fill();
    }
    fill();
}

/// A count for tr()'s plural forms, which take an int.
constexpr int plural(std::int64_t count) { return static_cast<int>(std::min<std::int64_t>(count, 1'000'000)); }

/// A word or sentence of core in the language of the window, if resources/translations has it; else as it is.
QString coreText(std::string_view english);
/// A sentence of core, likewise.
QString messageText(const Message& message);

} // namespace rankscope
