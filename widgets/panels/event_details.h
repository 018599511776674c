// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of one event, as rows of text: first what the model holds, then what its file says.
#pragma once
#include <vector>

#include <QString>

#include "core/analysis/selection/kernel_class_rules.h"
#include "core/trace/run.h"

namespace rankscope {

/// A heading has no value.
struct DetailRow {
    QString key;
    QString value;
    bool heading = false;
    friend bool operator==(const DetailRow&, const DetailRow&) = default;
};

/// Class, rank, lane, times, launch, operator, collective arguments. Times are relative to the run's start.
std::vector<DetailRow> factsOf(const Run& run, const RankTrace& trace, EventIndex event,
                               const KernelClassRules& classes);

/// Every argument in the event's JSON text, values as written (nested ones as JSON). What the facts say already
/// (name, times) is left out. Text that is not a JSON object is shown as it is.
std::vector<DetailRow> argumentsOf(const std::string& eventText);

} // namespace rankscope
