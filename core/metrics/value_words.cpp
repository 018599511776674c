// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/value_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

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

std::string_view bound_words(ValueBound bound) {
    return bound == ValueBound::at_least ? "at least " : bound == ValueBound::at_most ? "at most " : "";
}

std::string value_words(const MetricResult& result, std::string_view unit) {
    return fmt::format("{}{}", bound_words(result.bound), value_words(result.value, unit));
}

std::string_view bound_sign(ValueBound bound) {
    return bound == ValueBound::at_least ? "≥ " : bound == ValueBound::at_most ? "≤ " : "";
}

std::string plain_digits(double value, int significant) {
    if (!std::isfinite(value))
        return fmt::format("{}", value);
    if (value == std::floor(value) && std::abs(value) < std::pow(10.0, significant)) // a count
        return fmt::format("{:.0f}", value);
    // What is rounded to is told by the rounded number: 9.9996 is "10.00".
    const std::string scientific = fmt::format("{:.{}e}", value, significant - 1);
    const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
    const double unit = std::pow(10.0, std::max(0, exponent + 1 - significant));
    return fmt::format("{:.{}f}", unit > 1 ? std::round(value / unit) * unit : value,
                       std::clamp(significant - 1 - exponent, 0, 9));
}

std::string digits_with_spread(double value, double spread) {
    return fmt::format("{} ± {}", plain_digits(value), plain_digits(spread, 2));
}

std::string change_words(double percent) {
    constexpr double kNothing = 0.05; // not "-0.0 %"
    return fmt::format("{:+.1f} %", std::abs(percent) < kNothing ? 0 : percent);
}

} // namespace rankscope
