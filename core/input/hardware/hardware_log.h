// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of GPUs that run beside a job: nvidia-smi --query-gpu (CSV), nvidia-smi dmon, amd-smi and rocm-smi (CSV), DCGM's
// exporter (Prometheus text). One reader each; what a column means is told by its name, never by its place.
// "2026/11/27 15:31:37.049, 0, 1980 MHz" below "timestamp, index, clocks.current.sm [MHz]" -> GPU 0, time 15:31:37.049
// of a clock without zone, sm_clock 1980.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/message.h"
#include "core/base/notice.h"
#include "core/base/time.h"
#include "core/trace/hardware_series.h"

namespace rankscope {

enum class HardwareFormat : std::uint8_t { nvidia_smi, dmon, amd_smi, prometheus };
/// "nvidia-smi", "nvidia-smi dmon", "amd-smi or rocm-smi", "DCGM"
std::string_view hardware_format_word(HardwareFormat format);

/// What was read of one GPU at one time; NaN where it was not recorded.
struct HardwareRow {
    TimeNs time = 0;
    std::array<double, kHardwareQuantities> values{};
    [[nodiscard]] double operator[](HardwareQuantity quantity) const {
        return values[static_cast<std::size_t>(quantity)];
    }
};
HardwareRow empty_hardware_row();

struct HardwareGpu {
    std::int64_t index = -1;       ///< as nvidia-smi numbers them; -1: not told
    std::string uuid;              ///< "GPU-90706cfe-…"; empty: not told
    std::string host;              ///< empty: not told
    std::string bus;               ///< of PCI, as in kernel_log.h; empty: not told
    std::vector<HardwareRow> rows; ///< ascending by time
};

/// What the times of a log count from.
enum class HardwareClock : std::uint8_t {
    unix_time, ///< UTC
    local,     ///< date and time of day of an unknown zone
    of_day,    ///< time of day alone, of an unknown zone; counted from the first day of the log
    none,      ///< no times: nothing can be joined
};

struct HardwareLog {
    std::filesystem::path path;
    HardwareFormat format = HardwareFormat::nvidia_smi;
    HardwareClock clock = HardwareClock::none;
    TimeNs resolution = 1'000'000; ///< of its times
    std::vector<HardwareGpu> gpus;
    std::uint64_t rows = 0;
    std::uint64_t malformed = 0; ///< lines that fit no header

    [[nodiscard]] TimeRange span() const; ///< of all rows; empty without any
};

/// What a file is that begins so; nothing: no log of GPUs.
std::optional<HardwareFormat> hardware_format(std::string_view beginning);
/// Whether it begins as nvidia-smi writes rows with --format=csv,noheader: nothing tells what they mean.
bool is_smi_without_header(std::string_view beginning);

/// Of one log: eight GPUs for six days, a row a second.
inline constexpr std::uint64_t kMostHardwareRows = std::uint64_t{1} << 22;
inline constexpr std::size_t kMostHardwareGpus = 16'384;

/// Error: cannot be read, larger than 256 MB, of no such format, or of more rows or GPUs than these.
Result<HardwareLog> read_hardware_log(const std::filesystem::path& path);
/// The same of a text.
Result<HardwareLog> parse_hardware_log(std::string_view text);

} // namespace rankscope
