// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of every page the program writes: one file that loads nothing, light, dark and on paper.
#pragma once
#include <string>
#include <string_view>

namespace rankscope {

/// body: markup, its texts escaped. The network is forbidden to the page, and every script but timeline_script().
std::string html_page(std::string_view title, std::string_view body);

} // namespace rankscope
