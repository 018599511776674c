// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of sentences: times, numbers of ranks, lists.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/base/message.h"

namespace rankscope {

/// "1.13 ms", "840 µs", "2.1 s".
std::string time_words(double ns);
/// "a, b and c" with "%1 and %2"_text.
Message listed(std::span<const Message> items, Text<2> last);
/// "3", "3 and 5", "8 to 15", "1, 3, 5, 7, 9, 11 and 4 more"; ranks ascend.
Message rank_numbers(const std::vector<int>& ranks);
/// "rank 3", "ranks 3 and 5".
Message rank_words(const std::vector<int>& ranks);

} // namespace rankscope
