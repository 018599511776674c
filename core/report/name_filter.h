// SPDX-License-Identifier: GPL-3.0-or-later
// Which names a regular expression of the user finds.
#pragma once
#include <string>

#include "core/base/notice.h"
#include "core/report/rank_csv.h"

namespace rankscope {

/// True for names in which the expression is found anywhere. RE2 takes time in proportion to the name, whatever the
/// expression is; it has no look-around and no back references. Error (usage): why it is no expression.
Result<NameFilter> name_filter(const std::string& expression);

} // namespace rankscope
