// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory reading may take, and what a reader says that needs more.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/notice.h"

namespace rankscope {

/// What the machine, or the control group around the program, has.
std::uint64_t machine_memory();
/// 70 % of it.
std::uint64_t default_memory_budget();

/// "8.0 GB"
std::string memory_text(std::uint64_t bytes);

/// That reading a file was given up because it takes more than the limit.
tl::unexpected<Error> beyond_memory(const std::filesystem::path& path, std::uint64_t limit, const Message& until_then);

} // namespace rankscope
