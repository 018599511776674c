// SPDX-License-Identifier: GPL-3.0-or-later
// gzip and zstd framing: the same bytes come out, however large the pieces are that are asked for.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/input/bytes/byte_source.h"
#include "tests/fuzz/fuzz_folder.h"

using namespace rankscope;

namespace {

constexpr std::size_t kEnough = 4 << 20; // of a bomb

std::string read_in_pieces(const std::filesystem::path& path, std::size_t piece, std::string& damage) {
    std::string text;
    const auto source = open_byte_source(path);
    if (!source)
        return text;
    std::string buffer(piece, '\0');
    while (text.size() < kEnough) {
        const std::size_t got = (*source)->read(buffer);
        if (got == 0)
            break;
        if (got > buffer.size())
            std::abort();
        text.append(buffer, 0, got);
    }
    damage = english((*source)->damage());
    text.resize(std::min(text.size(), kEnough));
    return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const FuzzFolder folder;
    const auto path = folder.write("trace.json.gz", fuzz_text(data, size));
    std::string damage_at_once, damage_in_pieces;
    const std::string at_once = read_in_pieces(path, 1 << 20, damage_at_once);
    const std::string in_pieces = read_in_pieces(path, 997, damage_in_pieces);
    // How much of a damaged block comes out depends on the room it is given, but never what comes out.
    const std::size_t common = std::min(at_once.size(), in_pieces.size());
    const bool damaged = !damage_at_once.empty() && !damage_in_pieces.empty();
    if (at_once.compare(0, common, in_pieces, 0, common) != 0 || (at_once.size() != in_pieces.size() && !damaged))
        std::abort();
    return 0;
}
