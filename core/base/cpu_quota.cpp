// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/cpu_quota.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

namespace rankscope {
namespace {

namespace fs = std::filesystem;

using Quota = std::optional<double>;

Quota smaller(Quota a, Quota b) { return a && b ? std::min(a, b) : a ? a : b; }

/// Version 2: "150000 100000", or "max 100000".
Quota quota_2(const fs::path& group) {
    double time = 0, period = 0;
    std::ifstream file(group / "cpu.max");
    return file >> time >> period && time > 0 && period > 0 ? Quota(time / period) : std::nullopt;
}

/// Version 1: -1 for no limit.
Quota quota_1(const fs::path& group) {
    double time = 0, period = 0;
    const bool known =
        std::ifstream(group / "cpu.cfs_quota_us") >> time && std::ifstream(group / "cpu.cfs_period_us") >> period;
    return known && time > 0 && period > 0 ? Quota(time / period) : std::nullopt;
}

/// Of the group and all around it. In a container the group's own path is often not to be seen, but the uppermost one
/// is its own.
Quota smallest(const fs::path& mount, fs::path group, Quota (*quota_of)(const fs::path&)) {
    Quota found = quota_of(mount);
    for (group = group.relative_path(); !group.empty(); group = group.parent_path())
        found = smaller(found, quota_of(mount / group));
    return found;
}

} // namespace

Quota cpu_quota(const fs::path& root) {
    Quota found;
    std::ifstream groups(root / "proc/self/cgroup"); // "4:cpu,cpuacct:/group" a line; version 2: "0::/group"
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const fs::path group = line.substr(second + 1);
        const fs::path mounts = root / "sys/fs/cgroup";
        if (controllers.empty())
            found = smaller(found, smallest(mounts, group, quota_2));
        else if ((',' + controllers + ',').find(",cpu,") != std::string::npos)
            found = smaller(found, smallest(mounts / controllers, group, quota_1));
    }
    return found;
}

int threads_of_use(int wanted, int cores, std::optional<double> quota) {
    if (quota)
        cores = static_cast<int>(std::min<double>(cores, std::round(*quota)));
    return std::max(1, wanted > 0 ? std::min(wanted, cores) : cores);
}

} // namespace rankscope
