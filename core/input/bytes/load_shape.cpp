// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/bytes/load_shape.h"

#include <algorithm>

namespace rankscope {

std::uint64_t likely_text_bytes(const std::filesystem::path& path, std::uint64_t file_bytes) {
    constexpr std::uint64_t kExpansion = 12;
    const auto ending = path.extension();
    const bool is_compressed = ending == ".gz" || ending == ".zst" || ending == ".zstd";
    return is_compressed ? file_bytes * kExpansion : file_bytes;
}

std::size_t piece_bytes(std::uint64_t text_bytes) {
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(text_bytes / 32, 64 * 1024, 512 * 1024));
}

int threads_for_text(std::uint64_t text_bytes, int threads) {
    constexpr std::uint64_t kOfOneThread = 128 * 1024;
    return static_cast<int>(
        std::clamp<std::uint64_t>(text_bytes / kOfOneThread, 1, static_cast<std::uint64_t>(std::max(1, threads))));
}

} // namespace rankscope
