// SPDX-License-Identifier: GPL-3.0-or-later
// How far a misspelt name is from one that is known.
#pragma once
#include <cstddef>
#include <string_view>

namespace rankscope {

/// Levenshtein's: the fewest bytes to insert, remove or replace. Takes |a| times |b| steps.
std::size_t edit_distance(std::string_view a, std::string_view b);

} // namespace rankscope
