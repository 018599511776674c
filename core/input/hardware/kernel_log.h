// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of GPUs in the text of a kernel's log, as dmesg, journalctl and syslog write it: Xids of NVIDIA's driver, and
// errors of PCIe devices (AER). Other lines are passed over.
// "[Fri Nov 27 15:31:37 2026] NVRM: Xid (PCI:0000:3b:00): 79, pid=7, GPU has fallen off the bus." -> bus "0000:3b:00",
// Xid 79, 15:31:37 of a clock without zone.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/notice.h"
#include "core/trace/gpu_error.h"

namespace rankscope {

/// When a line was written. Seconds since the start of the machine are no time.
struct KernelTime {
    TimeNs time = 0;                  ///< date and time of day, as if the zone were UTC
    std::optional<TimeNs> utc_offset; ///< of the zone; nothing: not told
    bool has_year = true;             ///< false: `time` is of 1972, a leap year
};

struct KernelMessage {
    GpuErrorKind kind = GpuErrorKind::xid;
    int xid = 0;
    std::string bus;    ///< "0000:3b:00": domain, bus and device in lower case, without the function
    std::string host;   ///< empty: not told
    bool is_gpu = true; ///< false: the line does not tell whether the device is a GPU
    std::optional<KernelTime> time;
};

struct KernelLog {
    std::filesystem::path path;
    std::vector<KernelMessage> messages; ///< in the order of the log
    std::uint64_t left_out = 0;          ///< beyond kMostKernelMessages
};

inline constexpr std::size_t kMostKernelMessages = 200'000;

/// Whether one of the first lines is one of a kernel.
bool is_kernel_log(std::string_view beginning);
KernelLog parse_kernel_log(std::string_view text);
/// Error: cannot be read, or larger than 256 MB.
Result<KernelLog> read_kernel_log(const std::filesystem::path& path);

/// "00000000:3B:00.0", "PCI:0000:3b:00", "0000:3b:00.0" -> "0000:3b:00"; empty: no such id in the text.
std::string pci_bus_in(std::string_view text);

/// The same date and time of day in another year, UTC.
TimeNs in_year_of(TimeNs time, TimeNs of);

} // namespace rankscope
