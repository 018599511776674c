// SPDX-License-Identifier: GPL-3.0-or-later
// How many threads are of use: not more than there are cores, or than a container is given time for.
#pragma once
#include <filesystem>
#include <optional>

namespace rankscope {

/// The cores' worth of time that the control groups around the program leave it (cpu.max, or cpu.cfs_quota_us of
/// version 1), the smallest of them; nothing without a limit. root: where proc and sys are.
std::optional<double> cpu_quota(const std::filesystem::path& root = "/");

/// wanted: 0 for as many as are of use. A quota counts to the nearest whole core. At least 1.
int threads_of_use(int wanted, int cores, std::optional<double> quota);

} // namespace rankscope
