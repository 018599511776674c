// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/notice.h"

#include <algorithm>

namespace rankscope {

void add_notice(Notices& notices, Notice notice) {
    const auto same = std::ranges::find_if(notices, [&](const Notice& n) {
        return n.code == notice.code && n.file == notice.file && n.message == notice.message;
    });
    if (same != notices.end())
        same->count += notice.count;
    else
        notices.push_back(std::move(notice));
}

} // namespace rankscope
