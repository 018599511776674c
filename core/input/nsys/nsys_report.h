// SPDX-License-Identifier: GPL-3.0-or-later
// What an Nsight Systems export says about its capture, beside the events.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/input/bytes/sqlite_file.h"
#include "core/input/nsys/nsys_nccl.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// The table StringIds. Only what is asked for gets into the run's names.
class NsysStrings {
public:
    void read(SqliteFile& file, Notices& notices);
    /// The text of an id; empty for one that is not there.
    [[nodiscard]] std::string_view text(std::int64_t id) const;

private:
    struct Entry {
        std::int64_t id = 0;
        std::size_t begin = 0;
        std::size_t end = 0;
    };
    std::vector<Entry> entries_; ///< ascending by id
    std::string text_;
};

struct NsysReport {
    NsysStrings strings;
    std::optional<TimeNs> session_start;                                      ///< Unix epoch, ns; added to all times
    std::map<std::string, std::string> header;                                ///< "nsys.version" ...
    std::vector<Device> devices;                                              ///< by GPU id
    std::map<std::int64_t, std::string> buses;                                ///< of PCI, by GPU id: "0000:3b:00.0"
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> gpu_of;     ///< (process, CUDA device) -> GPU id
    std::map<std::int64_t, std::int64_t> thread_names;                        ///< globalTid -> StringIds.id
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> gpu_metrics; ///< (typeId, metricId) -> name
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> nic_metrics; ///< (metricsListId, metricsIdx) -> name
    std::map<std::int64_t, std::string> cards;                                ///< globalId of a network card -> name
    NvtxSchemas payload_schemas;
    Notices notices;
};

/// Never fails: what is missing or damaged is empty, with a notice where that changes what is shown.
NsysReport read_nsys_report(SqliteFile& file);

/// Unix epoch, ns: shortly before the report's first events. Nothing: not told, or not plausible.
std::optional<TimeNs> session_start_of(SqliteFile& file);

} // namespace rankscope
