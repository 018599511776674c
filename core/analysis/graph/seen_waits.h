// SPDX-License-Identifier: GPL-3.0-or-later
// Which work is seen to wait for work of another stream: it starts just when that ends, and nothing else held it up.
//   A kernel is launched at 10 µs, its stream is idle, and it starts at 901 µs; an all-reduce of another stream ended
//   at 900 µs: the kernel waited for the all-reduce.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/graph/passages.h"

namespace rankscope {

inline constexpr TimeNs kRounding = 250; ///< of times: a double has microseconds since 1970 in steps of a quarter

/// What position waited for, as positions in the passage; (position << 32 | waited for).
using PackedPairs = std::vector<std::uint64_t>;
constexpr std::uint64_t pair_of(std::uint32_t position, std::uint32_t on) { return std::uint64_t{position} << 32 | on; }
constexpr std::uint32_t waiting_position(std::uint64_t pair) { return static_cast<std::uint32_t>(pair >> 32); }
constexpr std::uint32_t awaited_position(std::uint64_t pair) { return static_cast<std::uint32_t>(pair & 0xffffffff); }

/// Whether receives follow the compute work launched before them, as collectives do. A host that waits for its GPU
/// launches them after it anyway; others tell.
bool receives_follow(std::span<const RankGraph> ranks, std::span<const std::size_t> main);

/// What work of a passage waited for: there, and in the passage before, as a position in that one.
struct SeenWaits {
    PackedPairs inside;
    PackedPairs before;
    PackedPairs long_inside; ///< of these, held up for long: that holds there, whatever other passages show
    PackedPairs long_before;
};

/// Of each passage of a rank. main: main_stream(). receives: receives_follow(). position: of each work, its place in
/// RankGraph::launched.
std::vector<SeenWaits> waits_seen(const RankGraph& graph, std::span<const ProgramPassage> passages, std::size_t main,
                                  bool receives, const std::vector<std::uint32_t>& position);

} // namespace rankscope
