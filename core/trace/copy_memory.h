// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of memory that a copy has at either end, numbered as LaunchShape keeps them and named as Nsight Systems
// does.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace rankscope {

inline constexpr std::array<std::string_view, 7> kCopyMemories{"Pageable", "Pinned",        "Device",        "Array",
                                                               "Managed",  "Device Static", "Managed Static"};

/// Empty where the kind is not known.
constexpr std::string_view copy_memory_word(std::int8_t kind) {
    const auto place = static_cast<std::uint8_t>(kind); // one below zero is beyond the last
    return place < kCopyMemories.size() ? kCopyMemories[place] : std::string_view{};
}

} // namespace rankscope
