// SPDX-License-Identifier: GPL-3.0-or-later
// Text from traces inside XML and HTML. The one place where text becomes XML.
#pragma once
#include <string>
#include <string_view>

namespace rankscope {

/// The text in characters that XML has, U+FFFD for the others: for libraries that write the markup themselves.
std::string xml_characters(std::string_view text);
/// xml_characters without markup: for contents and for attributes in quotes.
std::string escaped_markup(std::string_view text);

} // namespace rankscope
