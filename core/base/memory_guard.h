// SPDX-License-Identifier: GPL-3.0-or-later
// A limit on the memory of the whole program: what would go beyond it fails as if the machine had no more, with
// std::bad_alloc, which costs the run that is read or analysed and nothing else.
#pragma once
#include <cstddef>
#include <cstdint>

namespace rankscope {

/// From now on check_memory() refuses what would make the program hold so many bytes more than it holds now. 0: no
/// limit. Holds for what is allocated by operator new (app/command/guarded_new.cpp) and for PageArray.
void limit_memory(std::uint64_t bytes);
/// The limit when it has refused something since it was set, else 0.
std::uint64_t met_memory_limit();
/// The calling thread is never refused anything: that of a window, whose toolkit does not expect it.
void exempt_this_thread();

/// Throws std::bad_alloc where the limit does not allow so many bytes more, except while an exception is on its way.
/// Files that are mapped do not count.
void check_memory(std::size_t bytes);

} // namespace rankscope
