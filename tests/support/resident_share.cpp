// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/resident_share.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace rankscope {

double resident_share(const void* begin, const void* end) {
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const std::uint64_t first = (reinterpret_cast<std::uint64_t>(begin) + page - 1) / page;
    const std::uint64_t last = reinterpret_cast<std::uint64_t>(end) / page;
    std::vector<std::uint64_t> entries(last - first); // bit 63: present
    const int map = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    const ssize_t wanted = static_cast<ssize_t>(entries.size() * sizeof(std::uint64_t));
    const ssize_t got = ::pread(map, entries.data(), static_cast<std::size_t>(wanted),
                                static_cast<off_t>(first * sizeof(std::uint64_t)));
    ::close(map);
    if (got != wanted || entries.size() < 64) {
        std::fprintf(stderr, "%zu pages to look at\n", entries.size());
        std::abort();
    }
    return static_cast<double>(std::ranges::count_if(entries, [](std::uint64_t entry) { return (entry >> 63) != 0; })) /
           static_cast<double>(entries.size());
}

} // namespace rankscope
