// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/safe_json.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text.h"

namespace rankscope {

std::string terminal_safe_json(std::string_view document) {
    const auto special = [](char c) { return static_cast<unsigned char>(c) >= 0x7F; };
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    std::string out;
    out.reserve(document.size());
    while (!document.empty()) {
        // ASCII in one piece: C0 controls stand only between values.
        const auto plain = static_cast<std::size_t>(std::ranges::find_if(document, special) - document.begin());
        out += document.substr(0, plain);
        document.remove_prefix(plain);
        if (document.empty())
            break;
        const auto end = std::ranges::find_if_not(document.substr(1), continues);
        const std::string_view character = document.substr(0, static_cast<std::size_t>(end - document.begin()));
        document.remove_prefix(character.size());
        // What is replaced has at most three bytes.
        if (character.size() > 3 || terminal_safe(character) == valid_utf8(character)) {
            out += character;
            continue;
        }
        constexpr unsigned kBitsOfFirst[] = {0x7F, 0x1F, 0x0F};
        unsigned code = static_cast<unsigned char>(character[0]) & kBitsOfFirst[character.size() - 1];
        for (const char c : character.substr(1))
            code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
        out += fmt::format("\\u{:04x}", code);
    }
    return out;
}

} // namespace rankscope
