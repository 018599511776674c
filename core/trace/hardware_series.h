// SPDX-License-Identifier: GPL-3.0-or-later
// What logs of GPUs tell beside a trace (nvidia-smi, DCGM ...), as series of RankTrace::counters. A row "1980 MHz,
// 352.58 W" of such a log is a sample of "GPU SM clock (MHz)" and one of "GPU power (W)" in the ranks that run on it.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

enum class HardwareQuantity : std::uint8_t {
    sm_clock,
    memory_clock,
    max_sm_clock,
    power,
    power_limit,
    temperature,
    memory_temperature,
    utilization,
    memory_utilization,
    memory_used,
    pcie_generation,
    pcie_width,
    pcie_received,
    pcie_sent,
    nvlink_received,
    nvlink_sent,
    ecc_corrected,
    ecc_uncorrected,
    limited_by_power, ///< share of the time, 0 to 1: the clock is held back by the power limit
    limited_by_heat,  ///< likewise by the temperature
    limited_by_brake, ///< likewise by a signal from outside of the GPU, as of the power supply
    slowed_down,      ///< likewise by the hardware, for a reason that the log does not tell
    limited_by_setting,
};
inline constexpr std::size_t kHardwareQuantities = static_cast<std::size_t>(HardwareQuantity::limited_by_setting) + 1;

/// The series' name: "GPU SM clock (MHz)". English; in RankTrace::counters, files and SQL.
std::string_view hardware_series(HardwareQuantity quantity);
std::optional<HardwareQuantity> hardware_quantity(std::string_view series);

/// The samples of a rank's GPU, ascending by time on the rank's clock; empty where no log tells.
std::vector<CounterSample> hardware_samples(const RankTrace& rank, HardwareQuantity quantity);

} // namespace rankscope
