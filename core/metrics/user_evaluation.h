// SPDX-License-Identifier: GPL-3.0-or-later
// A metric of the user's own as its file defines it, and what a run has of it.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "core/metrics/catalogue.h"
#include "core/metrics/user_values.h"

namespace mu {
class Parser;
}

namespace rankscope {

/// One metric as defined; shared by the copies of its compute function.
struct UserMetric {
    std::string id;
    std::string expression;
    std::map<std::string, SetValue> values;
    std::set<std::string> names; ///< all names the expression uses
};

/// numbers: of the names; must outlive the parser.
std::unique_ptr<mu::Parser> parser_for(const UserMetric& definition, std::map<std::string, double>& numbers);

MetricResult evaluate(const UserMetric& definition, const RunAnalysis& analysis);

/// Of a sum of the recording: its value in each iteration that all of its parts have.
StepValues values_by_iteration(const UserMetric& definition, const RunAnalysis& analysis);

/// As far as it is known without a run. own: the metrics that it may be built on.
bool sums_the_recording(const UserMetric& definition, const MetricList& own);

} // namespace rankscope
