// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of dumps that could not be read, or not all of it.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/analysis/hang/hang.h"

namespace rankscope {

struct HangEvidence {
    std::vector<int> unreadable;                ///< ranks whose dump is there and cannot be read; not in Hang::no_dump
    std::map<int, std::int64_t> unread_calls{}; ///< by rank: calls of its dump that could not be read; above 0
};

/// Where nothing is open in what was read, and that does not prove that nothing is open, Hang::notes say why, the first
/// as a headline; without any notes no call is open.
Hang find_hang(std::span<const RankDump> dumps, const HangEvidence& evidence);

} // namespace rankscope
