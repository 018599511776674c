// SPDX-License-Identifier: GPL-3.0-or-later
// What the notices bar says of notices: those of one kind that are about files share a line.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <QString>

#include "core/base/notice.h"

namespace rankscope {

/// The ranks that a notice is about, by its code and file.
using NoticeRanks = std::map<std::pair<std::string_view, std::string>, std::vector<int>>;

/// Notices of one kind; more than one are about a file each.
struct NoticeGroup {
    std::vector<Notice> notices; ///< at least one
    std::vector<int> ranks;      ///< of all of them, in order; empty: about no rank
};
/// In the order of the first of each group. ofSeveralRuns: their messages start with the run, and each run has its own.
std::vector<NoticeGroup> noticeGroups(std::span<const Notice> notices, const NoticeRanks& ranks, bool ofSeveralRuns);

/// One sentence; of several different ones, what all have in common.
QString noticeWords(const NoticeGroup& group);
QString noticeWords(const Notice& notice);
/// Empty where there is nothing to do, and where the message names a button of the window for it (RunDisplay).
QString noticeAdvice(const Notice& notice);
/// "ranks 1, 4 · 2 files · 11 times", without what the words say; empty: about no file and no rank.
QString noticePlace(const NoticeGroup& group);
/// "rank 4 · trace.json.gz"
QString noticeFile(const Notice& notice, const NoticeRanks& ranks);
/// "Ranks 6 and 7 are missing. Open the whole folder."
QString noticeLine(const NoticeGroup& group);

} // namespace rankscope
