// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into the program by tests/app/test_faults.cpp: of all calls of malloc since the program started, the
// RANKSCOPE_TEST_REFUSE-th and the 20 behind it fail.
#include <atomic>
#include <cerrno>
#include <cstdlib>

extern "C" void* __libc_malloc(std::size_t size); // glibc's own, by the name it keeps for that

namespace {
long refused_from() {
    static const char* const text = std::getenv("RANKSCOPE_TEST_REFUSE");
    static const long from = text != nullptr ? std::atol(text) : -1;
    return from;
}
std::atomic<long> calls = 0;
} // namespace

extern "C" void* malloc(std::size_t size) {
    const long from = refused_from();
    const long call = calls++;
    if (from < 0 || call < from || call > from + 20)
        return __libc_malloc(size);
    errno = ENOMEM;
    return nullptr;
}
