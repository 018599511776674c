// SPDX-License-Identifier: GPL-3.0-or-later
// Which files beside a run are looked at: by read_run_config() (run_config.h) and by readers of other files.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace rankscope {

/// Those that are wanted, of the run's folder, two levels deep, and, when that folder only sorts ranks, of those above
/// it; by path. Of a single file: of its folder, and of the folders in it that sort one run (sorts_one_run()).
std::vector<std::filesystem::path> files_beside(const std::filesystem::path& path,
                                                bool (*wanted)(const std::filesystem::path&));

/// At most so many bytes from its start; "" of a file that cannot be read.
std::string beginning_of_file(const std::filesystem::path& path, std::size_t most);

/// By their names: of the run's folder, two levels deep, and, when that folder only sorts ranks, of those above it.
std::vector<std::filesystem::path> config_files(const std::filesystem::path& path);

} // namespace rankscope
