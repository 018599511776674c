// SPDX-License-Identifier: GPL-3.0-or-later
// How much of a column lies in memory.
#pragma once
#include "core/trace/column.h"
#include "core/trace/event_table.h"

namespace rankscope {

/// Of the pages that lie wholly in the values from there on, those that are in this program's memory. Ends the program when they are fewer than 64.
double resident_share(const Column<TimeNs>& column, EventIndex from);

} // namespace rankscope
