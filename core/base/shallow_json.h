// SPDX-License-Identifier: GPL-3.0-or-later
// JSON of others, whose depth is bounded before it is parsed.
#pragma once
#include <string_view>

namespace rankscope {

/// Whether brackets nest deeper. Those in texts do not count.
inline bool nests_deeper(std::string_view json, int levels) {
    int depth = 0;
    bool in_text = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (c == '"')
            in_text = !in_text;
        else if (in_text)
            i += c == '\\' ? 1 : 0;
        else if (c == '[' || c == '{')
            ++depth;
        else if (c == ']' || c == '}')
            --depth;
        if (depth > levels)
            return true;
    }
    return false;
}

/// The value; discarded where the text is no JSON, or nests deeper than 64 levels: copies, comparisons and texts of a
/// value go down its levels on the stack. Json: of nlohmann.
template <typename Json>
Json parse_shallow_json(std::string_view text) {
    constexpr int kDeepest = 64;
    return nests_deeper(text, kDeepest) ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

} // namespace rankscope
