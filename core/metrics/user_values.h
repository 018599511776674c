// SPDX-License-Identifier: GPL-3.0-or-later
// What a name in an expression of the user's own metric stands for: a number over a set of events, or another metric.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/metrics/metric.h"
#include "core/metrics/user_expression.h"
#include "core/views/event_set.h"

namespace rankscope {

/// count: events. sum: their durations, us. merged: time with at least one of them, us, added up over ranks.
/// bytes: member_bytes().
enum class Aggregate : std::uint8_t { count, sum, merged, bytes };

struct SetValue {
    Aggregate aggregate = Aggregate::count;
    EventSet set;
};

struct UserValue {
    std::optional<double> number;
    Message reason; ///< why there is none
    ValueBound bound = ValueBound::none;
    Message bound_reason; ///< as it goes on after "because"
    Growth growth = Growth::none;
    std::optional<double> per_iteration;         ///< where it grows with the iterations
    std::map<std::int64_t, double> by_iteration; ///< by number, of those that all its ranks have
};

/// Over all ranks, inside the analysis's selection. With a time range in which whole iterations lie it is of these
/// alone, so that it can be divided by their number; a rank with fewer of them counts as if it had all.
UserValue value_of_set(const RunAnalysis& analysis, const SetValue& value);

/// name: "iter_time" or "iter_time.avg_ms".
UserValue value_of_metric(const RunAnalysis& analysis, const std::string& name);

void add_reason(Message& reasons, Message reason); ///< "one; two"
Message only_a_bound(const std::string& name, ValueBound bound);

} // namespace rankscope
