// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a full trace: for read_full_trace() and read_event_text() (load_run.h), and for those who have the trace
// elsewhere.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/input/format/trace_format.h"

namespace rankscope {

/// As read_full_trace(), from a copy of the full trace; that it is one is up to the caller.
Result<std::shared_ptr<const RankTrace>> read_full_trace_of(const RankTrace& digest, const std::filesystem::path& path,
                                                            const std::shared_ptr<StringTable>& names,
                                                            const ReadOptions& options = {});

/// Where an event of a Kineto trace lies: a place in the decompressed text, and how many events there come before it.
struct PlaceInTrace {
    std::uint64_t offset = 0;
    std::uint64_t elements_before = 0;
};
/// Nothing: it is of another format, or was not in the file.
std::optional<PlaceInTrace> place_of_event(const RankTrace& trace, EventIndex event);
/// Its JSON text. points: states of the decoder saved before; nullptr: none.
Result<std::string> read_trace_element(const std::filesystem::path& path, const PlaceInTrace& place,
                                       const std::shared_ptr<const InflatePoints>& points = nullptr);

} // namespace rankscope
