// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what PyTorch's Flight Recorder dumps: a pickle of plain data, or JSON of the same shape.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "core/base/notice.h"
#include "core/input/flight_recorder/pickle.h"
#include "core/trace/dump_name.h"
#include "core/trace/flight_recorder.h"

namespace rankscope {

struct ReadFlightRecorder {
    FlightRecorderDump dump;
    std::optional<int> rank;   ///< where the groups leave only one, or the dump says it
    std::int64_t left_out = 0; ///< calls that could not be read
};

/// Reads one dump after the other, with the same memory.
class FlightRecorderReader {
public:
    /// Error: neither of the two, refused, or no dump. Nothing of the bytes is executed.
    Result<ReadFlightRecorder> read(std::string_view bytes, const PlainLimits& limits = {});
    [[nodiscard]] std::size_t memory_bytes() const { return pickles_.memory_bytes(); }

private:
    PickleReader pickles_;
};

/// The same for one dump.
Result<ReadFlightRecorder> read_flight_recorder(std::string_view bytes);

/// Whether the start of a file looks like a dump's.
bool begins_as_dump(std::string_view beginning);

} // namespace rankscope
