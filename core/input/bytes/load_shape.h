// SPDX-License-Identifier: GPL-3.0-or-later
// How a file is read, by its size: in how large pieces, and on how many threads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace rankscope {

/// Of a file of that size: text grows out of compressed ones, told by their names.
std::uint64_t likely_text_bytes(const std::filesystem::path& path, std::uint64_t file_bytes);

/// Some tens of pieces of a file, so that all threads have some until its end; at most so large that a piece, and what
/// is made of it, stays in the cache of the core that works at it. Not by the number of threads, since the model
/// remembers where pieces started and must be the same on any.
std::size_t piece_bytes(std::uint64_t text_bytes);

/// Waking a thread takes as long as reading some 10 KB: one more for each 128 KB of text.
int threads_for_text(std::uint64_t text_bytes, int threads);

} // namespace rankscope
