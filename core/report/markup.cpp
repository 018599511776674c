// SPDX-License-Identifier: GPL-3.0-or-later
// Escapes text for XML and HTML.
#include "core/report/markup.h"

#include "core/base/text.h"

namespace rankscope {

std::string xml_characters(std::string_view text) { return terminal_safe(text); }

std::string escaped_markup(std::string_view text) {
    std::string out;
    for (const char c : xml_characters(text)) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default: out += c;
        }
    }
    return out;
}

} // namespace rankscope
