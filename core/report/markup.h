// SPDX-License-Identifier: GPL-3.0-or-later
// Text from traces inside XML and HTML.
#pragma once
#include <string>
#include <string_view>

namespace rankscope {

/// Valid UTF-8 without control characters, in which no character is markup: for contents and for attributes in quotes.
std::string escaped_markup(std::string_view text);

} // namespace rankscope
