// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of memory snapshots: totals, segments, blocks, events, and what was live at the peak.
#pragma once
#include <vector>

#include "core/query/row_tables.h"

namespace rankscope {

std::vector<RowTable> memory_tables();

} // namespace rankscope
