// SPDX-License-Identifier: GPL-3.0-or-later
// Reading on behind an event whose quotes or brackets do not match. Kineto starts each event on a line of its own, so
// that the next one can be told whatever stands before it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/input/kineto/json_scan.h"

namespace rankscope {

/// Whether a scanner that went through the text, which starts inside an array and directly before an element, has it
/// otherwise than one that starts at the last event: quotes or brackets of an event do not match. closed_at: of the
/// bracket that the scanner took for the end of the array. Looks at the last event alone, if one starts in the last so
/// many characters.
bool is_torn(std::string_view text, std::size_t last_characters, const ArrayScanner& scanner,
             std::optional<std::size_t> closed_at);

/// What is left of such a text.
struct Salvaged {
    std::uint32_t elements = 0;           ///< that are whole
    std::uint32_t lost = 0;               ///< events whose text was made blank
    std::size_t end = 0;                  ///< just past the last whole element; 0: none
    std::size_t rest = 0;                 ///< what stands before has ended
    std::optional<std::size_t> closed_at; ///< of the bracket that ends the array
    ArrayScanner scanner;                 ///< behind the text; of no use where the array ended
};
/// Nothing where no event starts on a line of its own.
std::optional<Salvaged> salvage(std::span<char> text);

/// The bracket that ends the array behind an event that never ends.
std::optional<std::size_t> closing_line(std::string_view text);

} // namespace rankscope
