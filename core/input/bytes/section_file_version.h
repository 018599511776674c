// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>

namespace rankscope {

/// Of the format of section files (section_file.h). Of another version nothing is read.
inline constexpr std::uint32_t kSectionFileVersion = 1;

} // namespace rankscope
