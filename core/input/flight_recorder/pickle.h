// SPDX-License-Identifier: GPL-3.0-or-later
// Pickles of plain data, protocols 2 to 5. Nothing is ever executed: what would import or call something is refused.
#pragma once
#include <string_view>

#include "core/input/flight_recorder/pickle_interpreter.h"

namespace rankscope {

/// Whether a text starts as a pickle of these protocols does.
bool begins_as_pickle(std::string_view text);

/// Reads one pickle after the other, with the same memory: fresh pages cost more than what is done in them.
class PickleReader {
public:
    /// As parse_pickle(); valid until the next one is read.
    Result<const PlainData*> read(std::string_view bytes, const PlainLimits& limits = {});
    /// What was read last.
    PlainData take() { return std::move(data_); }
    [[nodiscard]] std::size_t memory_bytes() const;

private:
    PlainData data_;
    PickleMemory memory_;
};

/// Tuples and sets become lists. The texts of what is returned lie in `bytes`. What follows the end of the pickle is
/// not looked at. Error: one line that says which byte is at fault.
Result<PlainData> parse_pickle(std::string_view bytes, const PlainLimits& limits = {});

} // namespace rankscope
