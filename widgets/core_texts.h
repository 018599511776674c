// SPDX-License-Identifier: GPL-3.0-or-later
// What coreText() is asked for: words of core's enumerations, metrics, kinds of notices.
#pragma once
#include <string>
#include <vector>

namespace rankscope {

/// Every one once, in a fixed order. scripts/translations hands them to translators.
std::vector<std::string> coreTexts();

} // namespace rankscope
