// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the borders of events in a stream of JSON text at several GB/s, aware of strings and escapes, so that the
// array of events can be cut into blocks that are parsed independently.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace rankscope {

/// Scans the inside of an array. Feed the text in consecutive pieces; the state carries over.
class ArrayScanner {
public:
    struct Found {
        std::size_t elements_end =
            0; ///< offset in this piece just past the last object or array that closed at array level; 0: none
        std::uint32_t elements = 0; ///< objects and arrays that closed at array level in this piece
        bool array_closed = false;  ///< the array itself ended in this piece ...
        std::size_t closed_at = 0;  ///< ... with the bracket at this offset; what follows was not scanned
    };
    struct State {
        bool in_string = false;
        bool escaped = false;   ///< the next character is escaped
        std::int64_t depth = 0; ///< 0: directly inside the array
        friend bool operator==(const State&, const State&) = default;
    };
    Found scan(std::span<const char> text);
    Found scan_portably(std::span<const char> text); ///< the same, as on any processor
    /// Behind what was scanned, if the array goes on there.
    [[nodiscard]] const State& state() const { return state_; }

private:
    State state_;
};

} // namespace rankscope
