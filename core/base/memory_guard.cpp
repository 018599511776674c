// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory_guard.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <exception>
#include <new>
#include <string_view>

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

namespace rankscope {
namespace {

std::atomic<std::uint64_t> most_held = 0; // bytes of the program in all; 0: no limit
std::atomic<std::uint64_t> limit_set = 0; // as it was set
std::atomic<bool> limit_met = false;
thread_local bool thread_exempt = false;
thread_local std::size_t unchecked = 0; // bytes asked for since the last look

/// Memory of the program's own, as the system counts it; 0 where it does not say. Allocates nothing.
std::uint64_t held_bytes() {
    static const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    static const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    std::array<char, 128> text{};
    const ssize_t got = file < 0 ? -1 : ::pread(file, text.data(), text.size(), 0);
    if (got <= 0)
        return 0;
    const char* const end = text.data() + got;
    std::array<std::uint64_t, 3> pages{}; // of its address space, in memory, of files
    const char* at = text.data();
    for (std::uint64_t& number : pages) {
        const auto [behind, error] = std::from_chars(at, end, number);
        if (error != std::errc{} || behind == end)
            return 0;
        at = behind + 1;
    }
    return (pages[1] - std::min(pages[1], pages[2])) * page;
}

} // namespace

void limit_memory(std::uint64_t bytes) {
    limit_met = false;
    limit_set = bytes;
    const std::uint64_t held = held_bytes();
    most_held = bytes > 0 && held > 0 ? held + bytes : 0;
}

std::uint64_t met_memory_limit() { return limit_met ? limit_set.load() : 0; }

void exempt_this_thread() { thread_exempt = true; }

void check_memory(std::size_t bytes) {
    // Small ones never fail: functions of libraries that may not throw need a little.
    constexpr std::size_t kLeast = 2048;
    constexpr std::size_t kBetweenLooks = std::size_t{1} << 20;
    if (bytes < kLeast || thread_exempt)
        return;
    unchecked += bytes;
    const std::uint64_t most = most_held.load(std::memory_order_relaxed);
    if (unchecked < kBetweenLooks || most == 0)
        return;
    unchecked = 0;
    if (std::uncaught_exceptions() > 0) // what is taken apart may not fail: nlohmann's JSON allocates for that
        return;
    if (bytes <= most && held_bytes() <= most - bytes)
        return;
    ::malloc_trim(0); // what was freed may still be held
    if (bytes <= most && held_bytes() <= most - bytes)
        return;
    limit_met = true;
    throw std::bad_alloc();
}

} // namespace rankscope
