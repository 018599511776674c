// SPDX-License-Identifier: GPL-3.0-or-later
// Tables on links: latency and bandwidth of communicators, what each call consists of, and what nccl-tests measured.
#pragma once
#include <vector>

#include "core/query/row_tables.h"

namespace rankscope {

std::vector<RowTable> link_tables();

} // namespace rankscope
