// SPDX-License-Identifier: GPL-3.0-or-later
// What the Inspector of NCCL or RCCL writes: JSON lines, one for each call of a communicator that has ended.
// Format: NVIDIA/nccl, plugins/profiler/inspector/README.md and inspector_json.cc, versions 4.0 to 4.3.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/input/format/trace_format.h"

namespace rankscope {

/// A communicator as one of its ranks sees it.
struct InspectorCommunicator {
    std::string id;   ///< "0x7f8c496ae9f661", the same on all its ranks
    std::string name; ///< of the user; empty where there is none
    int rank = -1;    ///< in the communicator
    int ranks = 0;
    std::string host;
    std::int64_t pid = 0;
};

struct InspectorCall {
    std::uint32_t communicator = 0;   ///< index in InspectorLog::communicators
    std::string call;                 ///< "AllReduce", "Send"
    std::string algorithm;            ///< "RING"; empty where not recorded
    std::string protocol;             ///< "LL128"
    std::string timing;               ///< "kernel_gpu", "kernel_cpu", "collective_cpu"
    std::int64_t sequence = kUnknown; ///< in the communicator, of collectives and of sends and receives apart
    std::int64_t bytes = kUnknown;    ///< of the smaller side: what a rank gives to an all-gather
    int peer = -1;                    ///< of a send or receive, in the communicator
    int channels = 0;                 ///< of a verbose log, else 0
    TimeNs start = 0;                 ///< of the first kernel, of a verbose log: Unix time; else 0
    TimeNs end = 0;                   ///< of the last kernel, likewise
    TimeNs dumped = 0;                ///< when the record was written, which is after the call; 0 where not recorded
    TimeNs execution = kUnknown;
    double algorithm_gb_s = 0;
    double bus_gb_s = 0;
};

struct InspectorLog {
    std::vector<InspectorCommunicator> communicators;
    std::vector<InspectorCall> calls; ///< in the order of the file
    std::string version;              ///< "v4.2"
    std::int64_t lost = 0;            ///< records that the Inspector overwrote before it wrote them
    std::uint64_t malformed = 0;      ///< lines that are no JSON, or lack what a call needs
    std::uint64_t others = 0;         ///< steps of proxies, statistics
    Message damage;                   ///< of compressed data; empty without
    std::uint64_t file_bytes = 0;
    std::uint64_t text_bytes = 0;
};

/// Whether a file starts so.
bool begins_as_inspector_log(std::string_view beginning);

/// Error: cannot be opened, more than the memory limit, cancelled.
Result<InspectorLog> read_inspector_log(const std::filesystem::path& path, const ReadOptions& options);

/// What a call was measured to take, as the side table of a rank has it.
CollectiveTransfer collective_transfer(const InspectorCall& call, EventIndex event, StringTable& names);

/// {"algorithm": "RING", "protocol": "LL128", "channels": 8, "bytes": …, "execution_us": …, "timing": "kernel_gpu",
/// "algbw_gb_s": …, "busbw_gb_s": …}; only what was recorded.
nlohmann::ordered_json inspector_json(const CollectiveTransfer& transfer, const StringTable& names);

} // namespace rankscope
