// SPDX-License-Identifier: GPL-3.0-or-later
// Makes ranks of the devices of a host: each with its own work, and the threads that serve it.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/input/format/trace_format.h"
#include "core/input/xplane/hlo_module.h"
#include "core/input/xplane/xplane_device.h"
#include "core/input/xplane/xplane_host.h"

namespace rankscope {

/// Programs by their number and, where that is not known, by their name.
struct XPrograms {
    std::map<std::int64_t, HloModule> by_id;
    std::map<std::string, std::int64_t, std::less<>> id_of_name; ///< "jit_step"
    [[nodiscard]] const HloInstruction* find(std::int64_t program, std::string_view module,
                                             std::string_view name) const;
};

/// More than any host has. Each shows a copy of the threads that serve all.
constexpr std::size_t kMostXDevices = 256;

struct XHost {
    std::vector<XDevice> devices; ///< all of the host, by ordinal; those without events are no ranks
    std::vector<XHostLine> lines;
    XPrograms programs;
    XClock clock;
    std::map<std::string, std::string> header;
    Accounting accounting; ///< of what belongs to no device
    Notices notices;
};

/// By ordinal of the device, which RankTrace::rank is; world_size is the number of devices. One rank -1 of the host
/// alone where no device did anything. None when cancelled.
RankTraces ranks_of_host(XHost host, const std::filesystem::path& path, std::uint64_t file_bytes,
                         std::uint64_t text_bytes, const std::shared_ptr<StringTable>& names,
                         const ReadOptions& options);

} // namespace rankscope
