// SPDX-License-Identifier: GPL-3.0-or-later
// A byte source read to its end.
#pragma once
#include <memory>
#include <string>

#include "core/input/bytes/byte_source.h"

namespace rankscope {

struct WholeSource {
    std::string text;
    std::string damage; ///< or why it could not be opened
    friend bool operator==(const WholeSource&, const WholeSource&) = default;
};

/// Asks for `piece` bytes at a time.
inline WholeSource read_whole(const Result<std::unique_ptr<ByteSource>>& source, std::size_t piece) {
    if (!source)
        return {{}, english(source.error().message)};
    WholeSource all;
    std::string buffer(piece, '\0');
    for (std::size_t got = buffer.size(); got == buffer.size();) {
        got = (*source)->read(buffer);
        all.text.append(buffer, 0, got);
    }
    all.damage = english((*source)->damage());
    return all;
}

} // namespace rankscope
