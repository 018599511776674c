// SPDX-License-Identifier: GPL-3.0-or-later
// operator new that keeps to the limit of core/base/memory_guard.h. A sanitizer has its own.
#include "app/command/guarded_new.h"

#include <cstdlib>
#include <new>

#include "core/base/memory_guard.h"

namespace {
thread_local bool has_failed = false;
}

bool rankscope::allocation_has_failed() { return has_failed || met_memory_limit() > 0; }

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__linux__)

void* operator new(std::size_t size) {
    rankscope::check_memory(size);
    if (void* const block = std::malloc(size > 0 ? size : 1); block != nullptr)
        return block;
    has_failed = true;
    throw std::bad_alloc();
}

void* operator new(std::size_t size, std::align_val_t alignment) {
    rankscope::check_memory(size);
    const auto to = static_cast<std::size_t>(alignment);
    if (void* const block = std::aligned_alloc(to, (size + to - 1) / to * to); block != nullptr)
        return block;
    has_failed = true;
    throw std::bad_alloc();
}

void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

#endif
