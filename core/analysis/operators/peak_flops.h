// SPDX-License-Identifier: GPL-3.0-or-later
// Peak dense throughput of known devices, from the vendors' data sheets: what MFU is a share of.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/run.h"

namespace rankscope {

enum class Precision {
    fp8,
    fp16,
    tf32,
    fp32
}; ///< fp16 stands for bf16 as well; tf32: fp32 numbers in matrix units that round them

/// "bf16", "FP8 mixed", "float32" ...; without a word for it bf16 is assumed, as training uses it by default.
Precision precision_of(std::string_view text);
/// What matrix units compute in on tensors of this type ("c10::BFloat16", "c10::Half", "c10::Float8_e4m3fn", "float";
/// others as fp32). tf32: whether the kernels round "float".
Precision matrix_precision(std::string_view tensor_type, bool tf32);
std::string_view precision_word(Precision precision); ///< "fp8", "bf16/fp16", "tf32", "fp32"

/// What a device can do at best, dense; 0: not known, or it cannot.
struct DevicePeak {
    std::string device; ///< words of its name, upper or lower case; the last may be a part of one
    double fp8_tflops = 0;
    double fp16_tflops = 0;
    double fp32_tflops = 0;
    double memory_tb_s = 0;

    bool operator==(const DevicePeak&) const = default;
};

/// TFLOP/s of one device without sparsity; empty for devices or precisions that nobody knows. own: the user's figures,
/// asked before the table, in their order; one that has 0 for what is asked leaves it to the next, at last to the
/// table. TF32 runs at half the rate of fp16 on every device of the table that has it.
std::optional<double> peak_tflops(std::string_view device_name, Precision precision,
                                  std::span<const DevicePeak> own = {});
/// own, and after them what a slice of the run's GPU can do, where its traces tell fewer multiprocessors than the data
/// sheet does: MIG, MPS, or one of two dies. Compute units only: a slice by MPS has all of the memory's rate.
std::vector<DevicePeak> peaks_of(const Run& run, std::span<const DevicePeak> own);
/// Of the multiprocessors that the data sheet of the run's GPU counts, how many its ranks have, mean; 1 where nothing
/// tells.
double multiprocessor_share(const Run& run);
/// TB/s (10^12 bytes) of one device's memory, likewise.
std::optional<double> peak_memory_tb_s(std::string_view device_name, std::span<const DevicePeak> own = {});

} // namespace rankscope
