// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of sentences: times, numbers of ranks, lists.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/message.h"

namespace rankscope {

/// "1.13 ms", "293.5 ms", "840 µs", "2.10 s": at most four significant digits.
std::string time_words(double ns, int most_decimals = 2);
/// "a, b, c".
Message enumerated(std::span<const Message> items, std::string_view separator = ", ");
/// "a, b and c" with "%1 and %2"_text.
Message listed(std::span<const Message> items, Text<2> last);
/// "3", "3 and 5", "8 to 15", "1, 3, 5, 7, 9, 11 and 4 more"; ranks ascend.
Message rank_numbers(const std::vector<int>& ranks);
/// "3", "0, 3 and 6", "8 to 15, 17 and 19": all of them.
Message rank_runs(std::span<const int> ranks);
/// "rank 3", "ranks 3 and 5".
Message rank_words(const std::vector<int>& ranks);
/// What a sentence calls a group: its name, or "group 7" where the name is only a number.
Message group_words(std::string_view name);

} // namespace rankscope
