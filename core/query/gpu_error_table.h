// SPDX-License-Identifier: GPL-3.0-or-later
// The table of errors of GPUs that logs of kernels tell.
#pragma once
#include "core/query/row_tables.h"

namespace rankscope {

RowTable gpu_error_table();

} // namespace rankscope
