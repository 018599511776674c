// SPDX-License-Identifier: GPL-3.0-or-later
// Traces of any size in the shapes that make an analysis slow: each kind of event nested, overlapping, side by side,
// all with one id, and each with its own.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace rankscope::test {

enum class Arrangement { nested, overlapping, side_by_side, same_id, many_ids };

struct GrowthShape {
    std::string_view kind; ///< of growth_kinds()
    Arrangement arrangement = Arrangement::side_by_side;
};

/// Operators, operators with shapes, modules, frames, annotations, steps, calls, kernels, collectives ...
const std::vector<std::string_view>& growth_kinds();
std::string_view arrangement_word(Arrangement arrangement);
inline constexpr Arrangement kArrangements[] = {Arrangement::nested, Arrangement::overlapping,
                                                Arrangement::side_by_side, Arrangement::same_id, Arrangement::many_ids};

/// A trace of rank 0 or 1 of two as PyTorch writes it, with `count` events of the kind, and as many launches and
/// kernels so that all analyses have work.
std::string growth_trace(const GrowthShape& shape, int count, int rank);

} // namespace rankscope::test
