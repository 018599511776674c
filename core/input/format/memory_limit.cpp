// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/format/memory_limit.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

namespace rankscope {

std::uint64_t machine_memory() {
    std::uint64_t bytes = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_PHYS_PAGES))) *
                          static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    std::uint64_t limit = 0;
    if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit && limit > 0)
        bytes = std::min(bytes, limit);
    return bytes;
}

std::uint64_t default_memory_budget() { return machine_memory() / 10 * 7; }

std::string memory_text(std::uint64_t bytes) {
    const double gigabytes = static_cast<double>(bytes) / static_cast<double>(1u << 30);
    return gigabytes >= 1 ? fmt::format("{:.1f} GB", gigabytes) : fmt::format("{:.0f} MB", gigabytes * 1024);
}

tl::unexpected<Error> beyond_memory(const std::filesystem::path& path, std::uint64_t limit, const Message& until_then) {
    return input_error("reading %1 takes more than the memory budget of %2 (--memory); %3 were read until then"_text(
        path.string(), memory_text(limit), until_then));
}

} // namespace rankscope
