// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers inside a metric's details.
#include "core/metrics/detail_numbers.h"

#include <array>
#include <cmath>
#include <utility>

namespace rankscope {
namespace {

void collect(const Json& node, const std::string& field, std::vector<DetailNumber>& out) {
    if (node.is_number()) {
        if (const double value = node.get<double>(); std::isfinite(value))
            out.push_back({field, value});
        return;
    }
    if (!node.is_structured())
        return;
    for (const auto& [key, child] : node.items())
        collect(child, field.empty() ? key : field + '.' + key, out);
}

} // namespace

std::vector<DetailNumber> detail_numbers(const Json& details) {
    std::vector<DetailNumber> numbers;
    collect(details, {}, numbers);
    return numbers;
}

std::string_view unit_of_field(std::string_view field) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kEndings{{{"_ns", "ns"},
                                                                                     {"_us", "us"},
                                                                                     {"_ms", "ms"},
                                                                                     {"_s", "s"},
                                                                                     {"_percent", "%"},
                                                                                     {"_pctg", "%"},
                                                                                     {"_bytes", "B"},
                                                                                     {"_gb_s", "GB/s"}}};
    // The longest ending that fits: "_gb_s" also ends in "_s".
    std::string_view unit;
    std::size_t longest = 0;
    // A per-rank list carries its unit in the list's name: "mean_ms.3".
    for (std::string_view rest = field; !rest.empty();
         rest = rest.substr(0, rest.rfind('.') == std::string_view::npos ? 0 : rest.rfind('.'))) {
        for (const auto& [ending, word] : kEndings)
            if (rest.ends_with(ending) && ending.size() > longest) {
                unit = word;
                longest = ending.size();
            }
        if (longest > 0)
            break;
    }
    return unit;
}

} // namespace rankscope
