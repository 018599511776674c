// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of what the analyses tell: facts in words, waits, the critical path, what changed between runs.
#pragma once
#include "core/query/row_tables.h"

namespace rankscope {

RowTable fact_table();
RowTable waiting_table();
RowTable critical_path_table();
RowTable change_table();

} // namespace rankscope
