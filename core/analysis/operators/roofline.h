// SPDX-License-Identifier: GPL-3.0-or-later
// How near operators come to what the device can do (metrics.md, "roofline").
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/operators/operators.h"
#include "core/analysis/operators/peak_flops.h"

namespace rankscope {

enum class Bound : std::uint8_t { unknown, compute, memory };
std::string_view bound_word(Bound bound); ///< "unknown", "compute", "memory"

/// Peak rates of one device; empty where they are not known.
struct DevicePeaks {
    std::optional<double> tflops;
    std::optional<double> tb_s;
};
/// matrix: of the matrix units; otherwise of the vector units. type: of the first input, "c10::BFloat16". tf32: whether
/// "float" is computed in TF32.
/// own: the user's figures (peak_tflops()).
DevicePeaks device_peaks(std::string_view device_name, std::string_view type, bool matrix, bool tf32 = false,
                         std::span<const DevicePeak> own = {});

/// A leaf operator with a performance model.
struct RooflineRow {
    OperatorRow row;
    OperatorWork work;   ///< of one call
    double tflops_s = 0; ///< all calls' FLOPs over their direct time
    double tb_s = 0;
    double mean_tflops_s = 0; ///< mean of the calls' own rates, as TraceLens prints it
    double mean_tb_s = 0;
    double flops_per_byte = 0;
    double tf32_share = 0; ///< of the calls: "float" matrix work that its kernels do in TF32
    /// Least time of one call: the longer of FLOPs / peak and bytes / bandwidth. None without peaks, and of copies that
    /// cross a link, which neither peak limits.
    std::optional<double> roofline_us;
    Bound bound = Bound::unknown;

    /// It took less time than the device needs for what its shapes say: the model counts more than was done. Of Bound::
    /// memory, bytes that were still in a cache; of Bound::compute, work that a mask or a window left out.
    [[nodiscard]] bool is_above_peak() const {
        return roofline_us && *roofline_us * 1000 * static_cast<double>(row.calls) > static_cast<double>(row.direct);
    }
};

/// Rows of rows whose operator and shapes have a model and that took GPU time, in their order.
std::vector<RooflineRow> roofline(const StringTable& names, std::span<const OperatorRow> rows,
                                  std::string_view device_name, std::span<const DevicePeak> own = {});

/// Of the GPU time of leaves but communication, the share that the operators of the roofline take, 0 to 1; 0 without
/// any. leaves: all leaf operators of the same ranks.
double modelled_share(std::span<const OperatorRow> leaves, std::span<const RooflineRow> lines);

/// FLOPs of matrix work: recorded ones where the profile has them, else by shape.
struct MatrixFlops {
    double recorded = 0;
    double by_shape = 0;
    std::string main_type;     ///< type of the first input of the row with the most FLOPs; "" when none is recorded
    bool main_in_tf32 = false; ///< most calls of that row
    std::int64_t calls_without = 0; ///< matrix operators that neither tell their FLOPs nor have a model
    double time = 0;                ///< of the kernels of all matrix operators, ns
    double time_with = 0;           ///< of those whose FLOPs are known
};
MatrixFlops matrix_flops(const StringTable& names, std::span<const OperatorRow> rows);

} // namespace rankscope
