// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what nccl-tests and rccl-tests print: a table of sizes, times and bandwidths. Launchers may put a prefix before
// each line ("[1,0]<stdout>:").
#pragma once
#include <string_view>
#include <vector>

#include "core/base/notice.h"
#include "core/trace/nccl_tests.h"

namespace rankscope {

/// Whether a text has the head of such a table. text: the beginning of a file.
bool begins_as_nccl_tests(std::string_view text);

/// One curve for each table. kind: by the name of the test in the text, else in file_name. A size that is measured
/// twice counts by the last row. Error: no row, or a test whose collective is not known.
Result<std::vector<NcclTestCurve>> parse_nccl_tests(std::string_view text, std::string_view file_name);

} // namespace rankscope
