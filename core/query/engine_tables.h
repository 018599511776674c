// SPDX-License-Identifier: GPL-3.0-or-later
// Tables on the steps of serving engines: the steps, what work they are made of, and their layers.
#pragma once
#include <vector>

#include "core/query/row_tables.h"

namespace rankscope {

std::vector<RowTable> engine_tables();

} // namespace rankscope
