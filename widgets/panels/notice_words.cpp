// SPDX-License-Identifier: GPL-3.0-or-later
// What the notices bar says of notices.
#include "widgets/panels/notice_words.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>

#include <QCoreApplication>
#include <QStringList>

#include "widgets/language.h"
#include "widgets/time_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

struct NoticeText {
    Q_DECLARE_TR_FUNCTIONS(NoticeText)
};

constexpr std::size_t kMostNamed = 8; ///< more are counted

QString fileOf(const Notice& notice) { return QString::fromStdString(notice.file).section(u'/', -1); }

std::vector<int> ranksOf(const Notice& notice, const NoticeRanks& ranks) {
    const auto found = ranks.find({notice.code.word(), notice.file});
    return found == ranks.end() ? std::vector<int>() : found->second;
}

QString namedRanks(const std::vector<int>& ranks) {
    if (ranks.size() == 1)
        return NoticeText::tr("rank %1").arg(ranks.front());
    if (ranks.size() > kMostNamed)
        return NoticeText::tr("%1 ranks", nullptr, plural(std::ssize(ranks))).arg(ranks.size());
    QStringList numbers;
    for (const int rank : ranks)
        numbers << QString::number(rank);
    return NoticeText::tr("ranks %1").arg(numbers.join(u", "_s));
}

std::int64_t timesOf(const NoticeGroup& group) {
    return std::accumulate(
        group.notices.begin(), group.notices.end(), std::int64_t{0},
        [](std::int64_t sum, const Notice& notice) { return sum + notice.count; });
}

} // namespace

std::vector<NoticeGroup> noticeGroups(std::span<const Notice> notices, const NoticeRanks& ranks, bool ofSeveralRuns) {
    const auto runOf = [&](const Notice& notice) {
        const std::vector<std::string> given = ofSeveralRuns ? notice.message.arguments() : std::vector<std::string>();
        return given.empty() ? std::string() : given.front();
    };
    std::vector<NoticeGroup> groups;
    for (const Notice& notice : notices) {
        const auto same = std::ranges::find_if(groups, [&](const NoticeGroup& group) {
            const Notice& first = group.notices.front();
            return !notice.file.empty() && !first.file.empty() && first.code == notice.code &&
                   runOf(first) == runOf(notice);
        });
        NoticeGroup& group = same == groups.end() ? groups.emplace_back() : *same;
        group.notices.push_back(notice);
        for (const int rank : ranksOf(notice, ranks))
            group.ranks.push_back(rank);
    }
    for (NoticeGroup& group : groups) {
        std::ranges::sort(group.ranks);
        group.ranks.erase(std::unique(group.ranks.begin(), group.ranks.end()), group.ranks.end());
    }
    return groups;
}

/// What starts with a name, as of a file, keeps the name's letters.
QString noticeWords(const Notice& notice) {
    const Message first = notice.message.first_clause();
    return messageText(first.text().empty() || first.text().front() == '%' ? notice.message
                                                                           : notice.message.as_sentence());
}

QString noticeWords(const NoticeGroup& group) {
    const Notice& first = group.notices.front();
    const bool alike =
        std::ranges::all_of(group.notices, [&](const Notice& notice) { return notice.message == first.message; });
    return alike ? noticeWords(first) : coreText(first.code.kind().meaning);
}

QString noticeAdvice(const Notice& notice) {
    const std::string_view advice = notice.code.kind().what_to_do;
    return advice == "Nothing." || notice.code == "several_sources" ? QString() : coreText(advice);
}

QString noticePlace(const NoticeGroup& group) {
    const QString words = noticeWords(group);
    QStringList parts;
    if (!group.ranks.empty() &&
        (group.ranks.size() > 1 || !words.contains(namedRanks(group.ranks), Qt::CaseInsensitive)))
        parts << namedRanks(group.ranks);
    const QString file = fileOf(group.notices.front());
    if (group.notices.size() > 1)
        parts << NoticeText::tr("%1 files", nullptr, plural(std::ssize(group.notices))).arg(group.notices.size());
    else if (!file.isEmpty() && !words.contains(file))
        parts << file;
    const std::int64_t times = timesOf(group);
    if (!file.isEmpty() && times > std::ssize(group.notices))
        parts << NoticeText::tr("%1 times", nullptr, plural(times)).arg(groupedNumber(times));
    return parts.join(u" · "_s);
}

QString noticeFile(const Notice& notice, const NoticeRanks& ranks) {
    QStringList parts;
    if (const std::vector<int> own = ranksOf(notice, ranks); !own.empty())
        parts << namedRanks(own);
    if (!notice.file.empty())
        parts << fileOf(notice);
    return parts.join(u" · "_s);
}

/// Where nothing need be done, the list says why.
QString noticeLine(const NoticeGroup& group) {
    const Notice& first = group.notices.front();
    QString words = noticeWords(group);
    if (const QString place = noticePlace(group); !place.isEmpty()) {
        if (words.endsWith(u'.'))
            words.chop(1);
        words = NoticeText::tr("%1 (%2).").arg(words, place);
    }
    const QString advice = first.code.kind().what_to_do.starts_with("Nothing") ? QString() : noticeAdvice(first);
    return advice.isEmpty() ? words : QString(words % (words.endsWith(u'.') ? u" "_s : u". "_s) % advice);
}

} // namespace rankscope
