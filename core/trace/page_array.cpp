// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/page_array.h"

#include <cstdint>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

#include "core/base/memory_guard.h"

namespace rankscope {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

std::size_t page_size() {
    static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return size;
}

std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

/// Where large pages can lie: a mapping starts at any small one, so this asks for more and lets go of what is too much.
std::byte* aligned_mapping(std::size_t bytes, std::size_t alignment) {
    const std::size_t wanted = rounded_up(bytes, page_size());
    const std::size_t asked = wanted + alignment - page_size();
    void* const found =
        asked < bytes ? MAP_FAILED : ::mmap(nullptr, asked, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED)
        throw std::bad_alloc();
    auto* const first = static_cast<std::byte*>(found);
    const auto address = reinterpret_cast<std::uintptr_t>(found);
    const std::size_t before = rounded_up(address, alignment) - address;
    if (before > 0)
        ::munmap(first, before);
    if (const std::size_t behind = asked - before - wanted; behind > 0)
        ::munmap(first + before + wanted, behind);
    return first + before;
}

} // namespace

// A page costs up to 15 us when it is first written (a virtual machine whose host keeps the page tables), 2 MB at once
// hardly more: of a trace of 280 MB it was a third of the time to read it. What does not fill a large page has small
// ones, so that no more memory is used than is written.
Pages::Pages(std::size_t bytes) : bytes_(bytes) {
    if (bytes == 0)
        return;
    check_memory(bytes);
    if (bytes < kLargePage) {
        begin_ = aligned_mapping(bytes, page_size());
        return;
    }
    begin_ = aligned_mapping(bytes, kLargePage);
    ::madvise(begin_, bytes / kLargePage * kLargePage, MADV_HUGEPAGE); // refused where the system has none
}

Pages::~Pages() {
    if (begin_ != nullptr)
        ::munmap(begin_, bytes_);
}

void Pages::give_back(std::size_t begin, std::size_t end) const {
    const std::size_t first = rounded_up(begin, page_size());
    const std::size_t last = end == bytes_ ? rounded_up(end, page_size()) : end / page_size() * page_size();
    if (first < last)
        ::madvise(begin_ + first, last - first, MADV_DONTNEED);
}

} // namespace rankscope
