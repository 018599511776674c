// SPDX-License-Identifier: GPL-3.0-or-later
// How a piece of GPU work was launched, as Nsight Systems records it. Few differ, so each is kept once.
#pragma once
#include <array>
#include <cstdint>

namespace rankscope {

/// 0 where not recorded, -1 for contexts. Memory kinds as CUDA numbers them: 0 pageable, 1 pinned, 2 device, 3 array,
/// 4 managed, 5 device static, 6 managed static; -1 not recorded.
struct LaunchShape {
    std::array<std::uint32_t, 3> grid{};
    std::array<std::uint32_t, 3> block{};
    std::uint32_t registers = 0;      ///< per thread
    std::uint32_t static_shared = 0;  ///< bytes
    std::uint32_t dynamic_shared = 0; ///< bytes
    std::int32_t context = -1;
    std::int32_t green_context = -1;
    std::int8_t source_memory = -1;
    std::int8_t target_memory = -1;
    friend auto operator<=>(const LaunchShape&, const LaunchShape&) = default;
};

} // namespace rankscope
