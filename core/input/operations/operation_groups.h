// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of ranks that the operations of a timeline communicate in.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rankscope {

/// Index in RankTrace::process_groups. embedding: the first and the last stage of a pipeline.
enum class OperationGroup : std::uint8_t { pp, dp, tp, embedding, world };
inline constexpr std::size_t kOperationGroupCount = static_cast<std::size_t>(OperationGroup::world) + 1;
std::string_view operation_group_word(OperationGroup group); ///< "pp" ...

} // namespace rankscope
