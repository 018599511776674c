// SPDX-License-Identifier: GPL-3.0-or-later
// Answers of the tools of --serve-stdio: short enough for an assistant to read, the rest by page.
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/metrics/metric.h"

namespace rankscope {

/// Bytes of an answer as JSON: about 2 000 tokens.
inline constexpr std::size_t kMostOfAnAnswer = 8'000;

/// What a tool cannot do, in one line: an answer of the tool, so that an assistant reads it and tries again.
struct ToolProblem : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Of the list answer[key] the entries of this page, counted from 0, as many as fit beside the rest; where there are
/// several, also "page" and "pages". Throws ToolProblem: there is no such page.
Json paged(Json answer, const char* key, std::size_t page);
/// The longest lists and texts are cut until the answer is short enough. "cut" says how long each list was, by its
/// path.
Json capped(Json answer);
/// A sentence of the program without its command line: options are arguments of tools here.
std::string in_words_of_tools(std::string sentence);

} // namespace rankscope
