// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and names as text for files and terminals: exact, locale-free, and safe whatever a trace has in its names.
#pragma once
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace rankscope {

/// Microseconds with three decimals, exactly: 1234567 ns -> "1234.567".
std::string microseconds_text(TimeNs ns);
/// Shortest text that reads back as the same double: 9.9 -> "9.9", 120.0 -> "120".
std::string number_text(double value);

/// The text with every invalid UTF-8 sequence replaced by U+FFFD.
std::string valid_utf8(std::string_view text);
/// valid_utf8, and control characters (escape sequences among them), marks that turn the order of writing and what is
/// no character (U+FFFE, U+FFFF) replaced, so that a name cannot steer a terminal. XML has all characters that are
/// left.
std::string terminal_safe(std::string_view text);
/// terminal_safe, but with tabs and line ends.
std::string table_safe(std::string_view text);
/// Characters of valid UTF-8 text, counted as code points: the width of a table's cell.
std::size_t text_width(std::string_view text);
/// The text cut to at most `width` code points, ending in "…" when it was cut.
std::string shortened(std::string_view text, std::size_t width);
/// Order of texts, numbers inside of them as numbers: run2 before run10.
bool by_numbers_inside(std::string_view a, std::string_view b);

} // namespace rankscope
