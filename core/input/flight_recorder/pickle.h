// SPDX-License-Identifier: GPL-3.0-or-later
// Pickles of plain data, protocols 2 to 5. Nothing is ever executed: what would import or call something is refused.
#pragma once
#include <string_view>

#include "core/input/flight_recorder/plain_data.h"

namespace rankscope {

/// Whether a text begins as a pickle of these protocols does.
bool begins_as_pickle(std::string_view text);

/// Tuples and sets become lists. The texts of what is returned lie in `bytes`. What follows the end of the pickle is
/// not looked at. Error: one line that says which byte is at fault.
Result<PlainData> parse_pickle(std::string_view bytes, const PlainLimits& limits = {});

} // namespace rankscope
