// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers inside a metric's details, each with a dotted name: what metrics.csv lists and a gate can ask for.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/metrics/metric.h"

namespace rankscope {

/// field: "avg_ms", "calls_by_type.AllReduce", "per_rank.0": keys and positions joined by dots.
struct DetailNumber {
    std::string field;
    double value = 0;
};

/// Every finite number in the details, in their order. Text, truth values and nulls are left out.
std::vector<DetailNumber> detail_numbers(const Json& details);

/// Unit that a field's name ends in: "avg_ms" -> "ms", "share_percent" -> "%"; "" when it says none.
std::string_view unit_of_field(std::string_view field);

} // namespace rankscope
