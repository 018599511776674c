// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of who sends how much to whom: ranks, and machines.
#pragma once
#include <vector>

#include "core/query/row_tables.h"

namespace rankscope {

std::vector<RowTable> traffic_tables();

} // namespace rankscope
