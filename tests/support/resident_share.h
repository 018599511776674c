// SPDX-License-Identifier: GPL-3.0-or-later
// How much of an array lies in memory.
#pragma once
#include "core/trace/column.h"
#include "core/trace/event_table.h"

namespace rankscope {

/// Of the pages that lie wholly between the two, those that are in this program's memory. Ends the program when they
/// are fewer than 64.
double resident_share(const void* begin, const void* end);
/// Of the values from there on.
inline double resident_share(const Column<TimeNs>& column, EventIndex from) {
    return resident_share(column.data() + from, column.end());
}

} // namespace rankscope
