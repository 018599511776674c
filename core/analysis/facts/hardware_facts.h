// SPDX-License-Identifier: GPL-3.0-or-later
// What logs of the GPUs and kernels tell of the time in which the ranks computed: clocks, limits, errors. "The power
// limit holds back all GPUs for 93 % of the time (698 of 700 W), at 1410 MHz on mean."
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/message.h"
#include "core/trace/hardware_series.h"
#include "core/trace/run.h"

namespace rankscope {

inline constexpr std::array kHoldBack = {HardwareQuantity::limited_by_power, HardwareQuantity::limited_by_heat,
                                         HardwareQuantity::limited_by_brake, HardwareQuantity::slowed_down,
                                         HardwareQuantity::limited_by_setting};

/// Means from its first to its last GPU work; nothing where the log does not tell.
struct RankHardware {
    int rank = 0;
    std::array<std::optional<double>, kHardwareQuantities> mean;
    double new_uncorrected_errors = 0; ///< since the sample before the trace
    /// Means while something holds it back, by what that is (kHoldBack).
    struct WhileHeld {
        std::optional<double> clock, power, limit;
    };
    std::array<WhileHeld, kHoldBack.size()> while_held;

    [[nodiscard]] std::optional<double> operator[](HardwareQuantity quantity) const {
        return mean[static_cast<std::size_t>(quantity)];
    }
};

/// Errors of one kind on one GPU inside the recording, of a kernel's log.
struct GpuErrors {
    GpuError first;
    TimeNs since_start = 0; ///< of the first one, in the recording
    std::size_t count = 0;
};

struct HardwareFacts {
    std::vector<RankHardware> ranks; ///< those with a log, ascending
    std::vector<GpuErrors> errors;   ///< by the time of the first one
    std::size_t all_ranks = 0;       ///< of the run
};

/// nullptr: no rank has a log, and no error is known.
std::shared_ptr<const HardwareFacts> read_hardware(const Run& run);

/// A GPU is called held back from this share of the time on.
inline constexpr double kHeldBack = 0.3;
/// What broke, in whole sentences: memory errors that were not corrected, what the kernel's log reports.
std::vector<Message> gpu_error_sentences(const HardwareFacts& facts);
/// The rest, in whole sentences; none where nothing is told of clocks or limits.
std::vector<Message> hardware_fact_sentences(const HardwareFacts& facts);

} // namespace rankscope
