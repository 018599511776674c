// SPDX-License-Identifier: GPL-3.0-or-later
// One event of an operation timeline in Chrome JSON.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/input/operations/recorded_operations.h"

namespace rankscope {

/// "PP rank 3, TP rank 0, compute"; nothing for other names.
std::optional<OperationTrack> track_of_thread_name(std::string_view name);
/// "DP rank [1]"; nothing for other names.
std::optional<int> rank_of_process_name(std::string_view name);

/// Collects events in file order. Threads may be named behind the events that they ran.
class OperationEvents {
public:
    OperationEvents();
    ~OperationEvents();

    /// bracketed: "[event, event ...]"; memory for simdjson's padding lies behind it. elements: how many events there
    /// are. What cannot be read is counted.
    void add(std::string_view bracketed, std::uint32_t elements);
    [[nodiscard]] std::uint64_t memory_bytes() const;
    [[nodiscard]] Accounting& accounting();
    /// Joins operations with the names of their threads.
    RecordedOperations finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace rankscope
