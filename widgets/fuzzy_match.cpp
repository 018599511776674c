// SPDX-License-Identifier: GPL-3.0-or-later
// How well a text matches what somebody typed in a hurry.
#include "widgets/fuzzy_match.h"

#include <algorithm>

#include <QList>

namespace rankscope {
namespace {

constexpr int kWhole = 1000; // a word that stands there as it is
constexpr int kWordStart = 200;
constexpr int kLetter = 10;
constexpr int kTogether = 30;

bool startsWord(QStringView text, qsizetype at) {
    if (at == 0)
        return true;
    const QChar before = text[at - 1];
    return !before.isLetterOrNumber() || (before.isLower() && text[at].isUpper());
}

std::optional<int> whole(QStringView word, QStringView text) {
    std::optional<int> best;
    for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
         at = text.indexOf(word, at + 1, Qt::CaseInsensitive)) {
        const int score =
            kWhole + (startsWord(text, at) ? kWordStart : 0) - static_cast<int>(std::min<qsizetype>(at, 100));
        best = std::max(best.value_or(score), score);
    }
    return best;
}

/// Letters in order, each where a word starts if there is such a place, else at the next occurrence.
std::optional<int> scattered(QStringView word, QStringView text, bool preferWordStarts) {
    int score = 0;
    qsizetype from = 0;
    qsizetype last = -2;
    for (const QChar letter : word) {
        qsizetype at = text.indexOf(letter, from, Qt::CaseInsensitive);
        if (preferWordStarts && at != last + 1) {
            qsizetype start = at;
            while (start >= 0 && !startsWord(text, start))
                start = text.indexOf(letter, start + 1, Qt::CaseInsensitive);
            at = start >= 0 ? start : at;
        }
        if (at < 0)
            return {};
        score += kLetter + (at == last + 1 || startsWord(text, at) ? kTogether : 0);
        last = at;
        from = at + 1;
    }
    return std::min(score, kWhole - 1);
}

} // namespace

std::optional<int> fuzzyScore(QStringView wanted, QStringView text) {
    int sum = 0;
    for (const QStringView word : wanted.split(u' ', Qt::SkipEmptyParts)) {
        std::optional<int> score = whole(word, text);
        if (!score)
            score = std::max(scattered(word, text, true), scattered(word, text, false));
        if (!score)
            return {};
        sum += *score;
    }
    return wanted.trimmed().isEmpty() ? 0 : sum - static_cast<int>(std::min<qsizetype>(text.size() / 4, 50));
}

} // namespace rankscope
