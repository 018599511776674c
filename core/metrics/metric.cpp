// SPDX-License-Identifier: GPL-3.0-or-later
// Construction of metric results.
#include "core/metrics/metric.h"

#include <cmath>

namespace rankscope {

std::string_view better_word(Better better) {
    switch (better) {
    case Better::lower: return "lower";
    case Better::higher: return "higher";
    case Better::none: break;
    }
    return "none";
}

MetricResult MetricResult::of(double value, Json details) {
    if (!std::isfinite(value))
        return unavailable("its value is not a finite number for this trace"_text, std::move(details));
    return {true, value, std::move(details), {}};
}

MetricResult MetricResult::unavailable(Message reason, Json details) {
    return {false, 0, std::move(details), std::move(reason)};
}

} // namespace rankscope
