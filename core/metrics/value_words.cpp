// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/value_words.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/base/digits.h"
#include "core/base/words.h"

namespace rankscope {

std::string value_words(double value, std::string_view unit) {
    using namespace std::string_view_literals;
    constexpr std::array kNanoseconds{std::pair("us"sv, 1e3), std::pair("ms"sv, 1e6), std::pair("s"sv, 1e9)};
    for (const auto& [name, ns] : kNanoseconds)
        if (unit == name)
            return time_words(value * ns);
    constexpr std::array kBytes{"B"sv, "kB"sv, "MB"sv, "GB"sv, "TB"sv};
    std::size_t thousands = 0;
    for (; unit == "bytes" && std::abs(value) >= 999.5 && thousands + 1 < kBytes.size(); ++thousands)
        value /= 1000;
    const std::string_view shown = unit == "bytes" ? kBytes[thousands] : unit == "percent" ? "%"sv : unit;
    const std::string number = fmt::format("{:.{}f}", value, value == std::floor(value) ? 0 : shown_decimals(value, 3));
    return shown.empty() ? number : fmt::format("{} {}", number, shown);
}

std::string change_words(double percent) { return fmt::format("{:+.1f} %", percent); }

} // namespace rankscope
