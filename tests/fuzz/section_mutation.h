// SPDX-License-Identifier: GPL-3.0-or-later
// Changes files of sections (core/input/bytes/section_file.h) where it hurts: inside a section, decompressed, with
// sizes and checksums put right again. The layout is written down a second time here, on purpose: what a file may hold
// is not what our writer writes.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rankscope {

struct FuzzSection {
    std::uint32_t id = 0;
    std::uint8_t packing = 0; ///< 0: raw
    std::uint8_t width = 1;
    std::uint64_t count = 0;
    std::string plain;

    /// After a change of plain: puts the count right, or makes plain hold the same count again.
    void settle(bool keep_count);
};

/// Nothing where the bytes are no such file.
std::optional<std::vector<FuzzSection>> sections_in(std::string_view file);
/// A file of the same purpose that holds the sections.
std::string file_of(std::string_view like, std::span<const FuzzSection> sections);
/// Puts magic, size and checksums right, where there is room for them.
void renew_checksums(std::string& file);
/// As the header says; 0 without one.
std::uint32_t purpose_of(std::string_view file);

} // namespace rankscope
