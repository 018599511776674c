// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/notice.h"

namespace rankscope {

namespace {

/// Different files or messages of one code. More are counted together: a folder may hold any number of bad files.
constexpr std::size_t kMostOfACode = 1000;
constexpr auto kMore = "more like it, not listed one by one"_text;

} // namespace

void add_notice(Notices& notices, Notice notice) {
    std::size_t of_this_code = 0;
    const Message more = kMore;
    // From the end: what is counted together stands behind all of its code, so that a full list is not searched.
    for (auto known = notices.rbegin(); known != notices.rend(); ++known) {
        if (known->code != notice.code)
            continue;
        const bool counted_together = known->message == more && known->file.empty();
        if (counted_together || (known->file == notice.file && known->message == notice.message)) {
            known->count += notice.count;
            return;
        }
        ++of_this_code;
    }
    if (of_this_code >= kMostOfACode)
        notice = {notice.code, more, {}, notice.count};
    notices.push_back(std::move(notice));
}

} // namespace rankscope
