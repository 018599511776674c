// SPDX-License-Identifier: GPL-3.0-or-later
// What PyTorch's Flight Recorder left of one rank: its last calls of collectives and messages, oldest first.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

inline constexpr std::int64_t kNoCall = -1; ///< in place of a sequence number: there was none, or it is not known

/// How far a rank got in one group, as the dump sums it up. Numbers of collectives or of messages, whichever came last.
struct FlightRecorderStatus {
    std::string uid; ///< the group's number within its process: FlightRecorderGroup::uid
    std::int64_t enqueued = kNoCall;
    std::int64_t started = kNoCall;
    std::int64_t completed = kNoCall;
};

/// A process group the rank belongs to.
struct FlightRecorderGroup {
    std::string name;
    std::string description; ///< "TENSOR_MODEL_PARALLEL_GROUP"
    std::vector<int> ranks;  ///< ascending: a rank within the group is a place in here; empty: not told
    std::string uid;         ///< as its calls say; empty where the dump holds none
};

struct FlightRecorderFrame {
    std::string name;
    std::string file;
    std::int64_t line = 0;
};

/// Sizes and types of a call's tensors; many calls share them.
struct FlightRecorderTensors {
    std::vector<std::vector<std::int64_t>> inputs;
    std::vector<std::vector<std::int64_t>> outputs;
    std::vector<std::string> input_types;
    std::vector<std::string> output_types;
    friend bool operator==(const FlightRecorderTensors&, const FlightRecorderTensors&) = default;
};

enum class CallState : std::uint8_t { scheduled, started, completed };

/// One call. Times are 0 where they were not recorded.
struct FlightRecorderCall {
    std::int64_t record = 0; ///< ascending in the order in which the rank's host called
    std::int64_t collective_seq = 0;
    std::int64_t p2p_seq = 0;
    TimeNs created = 0;
    TimeNs started = 0;
    TimeNs completed = 0;
    std::int64_t timeout_ms = 0;
    std::uint32_t group = 0;   ///< index in FlightRecorderDump::groups
    std::uint32_t kind = 0;    ///< index in kinds
    std::uint32_t tensors = 0; ///< index in tensors
    std::uint32_t frames = 0;  ///< index in stacks
    int source = -1;           ///< of a message: ranks within the group
    int destination = -1;
    CallState state = CallState::scheduled;
    bool is_p2p = false;

    [[nodiscard]] bool is_message() const { return source >= 0; }
    [[nodiscard]] std::int64_t seq() const { return is_p2p ? p2p_seq : collective_seq; }
};

struct FlightRecorderDump {
    std::string version;      ///< of the format: "2.9"
    std::string nccl_version; ///< "2.27.3"
    std::vector<FlightRecorderGroup> groups;
    std::vector<FlightRecorderStatus> statuses;
    std::vector<FlightRecorderCall> calls;
    std::vector<std::string> kinds; ///< "all_reduce", "send"; without the library's name and the ranks
    std::vector<FlightRecorderTensors> tensors;
    std::vector<std::vector<FlightRecorderFrame>> stacks; ///< innermost frame first; [0] is the empty one
    TimeNs last_time = 0;                                 ///< the latest that any call tells
};

} // namespace rankscope
