// SPDX-License-Identifier: GPL-3.0-or-later
// Which files beside a run read_run_config() (run_config.h) looks at.
#pragma once
#include <filesystem>
#include <vector>

namespace rankscope {

/// By their names: of the run's folder, two levels deep, and, when that folder only sorts ranks, of those above it.
std::vector<std::filesystem::path> config_files(const std::filesystem::path& path);

} // namespace rankscope
