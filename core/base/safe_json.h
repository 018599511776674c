// SPDX-License-Identifier: GPL-3.0-or-later
// JSON that cannot steer a terminal.
#pragma once
#include <string>
#include <string_view>

namespace rankscope {

/// The document with \u escapes for what terminal_safe() replaces: it stands for the same values.
std::string terminal_safe_json(std::string_view document);

} // namespace rankscope
