// SPDX-License-Identifier: GPL-3.0-or-later
// What the readers of logs of GPUs share: lines, cells, numbers with units, times, and the GPUs that rows belong to.
// cells_of("0, \"[1, 2]\", 352.58 W") -> 0 | [1, 2] | 352.58 W; number_in("352.58 W") -> 352.58.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/input/hardware/hardware_log.h"

namespace rankscope {

/// The next line without its end; takes it off the text. Of lines longer than 64 KB, which no tool writes, nothing is
/// left but "…".
std::string_view next_line(std::string_view& text);
std::string_view without_blanks(std::string_view text);
/// Between commas, without blanks and quotes around them.
std::vector<std::string_view> cells_of(std::string_view line);
std::vector<std::string_view> blank_separated(std::string_view line);
/// The number that a cell begins with, whatever its unit: "1980 MHz"; hexadecimal: "0x4". NaN: "[N/A]", "-".
double number_in(std::string_view cell);
std::int64_t whole_number_in(std::string_view cell); ///< -1: none

/// "2026/11/27 15:31:37.049", "2026-11-27T15:31:37": as if its zone were UTC.
std::optional<TimeNs> date_and_time(std::string_view cell);
std::optional<TimeNs> compact_date(std::string_view cell); ///< "20261127"
std::optional<TimeNs> time_of_day(std::string_view cell);  ///< "15:31:37"
/// Seconds since 1970, with or without a fraction; milliseconds where they are that many.
std::optional<TimeNs> unix_time(std::string_view cell);

/// Lines that packaging/recording/gpu_log.sh writes: "# rankscope host=node7 utc_offset=+0100 time=1764257497.0".
struct LogMark {
    std::string host;
    std::optional<TimeNs> utc_offset;
    std::optional<TimeNs> time;
};
/// False: the line is none. What the line tells replaces what is known; the rest stays.
bool take_mark(std::string_view line, LogMark& mark);

/// Sets the shares of time for which clocks are held back: NVML's bits of clocks_event_reasons.active.
void set_reasons(HardwareRow& row, std::uint64_t bits);

/// Sorts rows to their GPUs. Two rows of one GPU and time are one: what the first lacks is taken from the second.
class HardwareRows {
public:
    /// Those beyond kMostHardwareRows and kMostHardwareGpus are not taken: is_full().
    void add(std::string_view host, std::int64_t index, std::string_view uuid, std::string_view bus,
             const HardwareRow& row);
    /// Rows by time, GPUs by host and index.
    std::vector<HardwareGpu> take();
    [[nodiscard]] std::uint64_t size() const { return rows_; }
    [[nodiscard]] bool is_full() const { return full_; }

private:
    std::map<std::string, HardwareGpu, std::less<>> gpus_;
    std::uint64_t rows_ = 0; ///< that were added
    std::uint64_t kept_ = 0; ///< without those that are one with the row before
    bool full_ = false;
};

/// The log with its rows. Error: they are too many.
Result<HardwareLog> with_rows(HardwareLog log, HardwareRows rows);

Result<HardwareLog> parse_smi_table(std::string_view text); ///< of NVIDIA and AMD
Result<HardwareLog> parse_dmon(std::string_view text);
Result<HardwareLog> parse_prometheus(std::string_view text);

} // namespace rankscope
