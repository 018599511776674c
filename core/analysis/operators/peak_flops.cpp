// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operators/peak_flops.h"

#include <algorithm>
#include <array>

#include "core/analysis/basics/gpu_names.h"

namespace rankscope {
namespace {

std::string upper(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return result;
}

struct Peak {
    std::string_view model; ///< words of the device's name
    double multiprocessors; ///< compute units of AMD's; of a card with two dies those of both, as its rates are;
                            ///< 0: not in its data sheet
    double fp8;             ///< TFLOP/s; 0: the device cannot do it
    double fp16;
    double fp32;          ///< without tensor-core TF32
    double memory;        ///< TB/s
    bool has_tf32 = true; ///< at half the rate of fp16
};

// More specific names first: "H100 PCIe" before "H100".
constexpr std::array kPeaks{
    Peak{"GB200", 148, 5000, 2500, 80, 8},
    Peak{"B200", 148, 4500, 2250, 80, 8},
    Peak{"B100", 0, 3500, 1750, 60, 8},
    Peak{"GH200", 132, 1979, 989, 67, 4},
    Peak{"H200 NVL", 132, 1671, 835, 60, 4.8},
    Peak{"H200", 132, 1979, 989, 67, 4.8},
    Peak{"H100 PCIe", 114, 1513, 756, 51, 2},
    Peak{"H100 NVL", 132, 1671, 835, 60, 3.9},
    Peak{"H100", 132, 1979, 989, 67, 3.35},
    Peak{"H800", 132, 1979, 989, 67, 3.35},
    Peak{"H20", 78, 296, 148, 44, 4},
    Peak{"A100-SXM4-40GB", 108, 0, 312, 19.5, 1.555},
    Peak{"A100-PCIE-40GB", 108, 0, 312, 19.5, 1.555},
    Peak{"A100 80GB PCIe", 108, 0, 312, 19.5, 1.935},
    Peak{"A100", 108, 0, 312, 19.5, 2.039},
    Peak{"A800", 108, 0, 312, 19.5, 2.039},
    Peak{"L40S", 142, 733, 362, 91.6, 0.864},
    Peak{"V100-PCIE", 80, 0, 112, 14, 0.9, false},
    Peak{"V100", 80, 0, 125, 15.7, 0.9, false},
    Peak{"MI355X", 256, 5000, 2500, 157, 8, false},
    Peak{"MI350X", 256, 4600, 2300, 144, 8, false},
    Peak{"MI325X", 304, 2615, 1307, 163.4, 6},
    Peak{"MI300A", 228, 1961, 981, 122.6, 5.3},
    Peak{"MI300X", 304, 2615, 1307, 163.4, 5.3},
    Peak{"MI250X", 220, 0, 383, 47.9, 3.277, false},
    Peak{"MI250", 208, 0, 362, 45.3, 3.277, false},
    Peak{"MI210", 104, 0, 181, 22.6, 1.638, false},
};

/// The first figure above 0 that the user gives for the device.
std::optional<double> own_peak(std::span<const DevicePeak> own, std::string_view device_name,
                               double DevicePeak::*figure) {
    for (const DevicePeak& peak : own)
        if (may_name_gpu(device_name, peak.device) && peak.*figure > 0)
            return peak.*figure;
    return {};
}

/// kPeaks.end() for a device that is not in the table.
auto known_peak(std::string_view device_name) {
    return std::ranges::find_if(
        kPeaks, [&](const Peak& peak) { return names_gpu(device_name, peak.model); });
}

} // namespace

Precision precision_of(std::string_view text) {
    const std::string word = upper(text);
    const auto has = [&](const char* part) { return word.find(part) != std::string::npos; };
    if (has("FP8") || has("FLOAT8"))
        return Precision::fp8;
    if (has("FP32") || has("FLOAT32"))
        return Precision::fp32;
    return Precision::fp16;
}

Precision matrix_precision(std::string_view tensor_type, bool tf32) {
    if (tensor_type.starts_with("c10::Float8"))
        return Precision::fp8;
    if (tensor_type == "c10::BFloat16" || tensor_type == "c10::Half")
        return Precision::fp16;
    return tf32 && tensor_type == "float" ? Precision::tf32 : Precision::fp32;
}

std::string_view precision_word(Precision precision) {
    switch (precision) {
    case Precision::fp8: return "fp8";
    case Precision::fp16: return "bf16/fp16";
    case Precision::tf32: return "tf32";
    case Precision::fp32: return "fp32";
    }
    return {};
}

std::optional<double> peak_tflops(std::string_view device_name, Precision precision, std::span<const DevicePeak> own) {
    const bool tf32 = precision == Precision::tf32;
    const auto known = known_peak(device_name);
    if (tf32 && known != kPeaks.end() && !known->has_tf32)
        return {};
    const auto given = own_peak(own, device_name,
                                precision == Precision::fp8    ? &DevicePeak::fp8_tflops
                                : precision == Precision::fp32 ? &DevicePeak::fp32_tflops
                                                               : &DevicePeak::fp16_tflops);
    if (!given && known == kPeaks.end())
        return {};
    const double value = given                          ? *given
                         : precision == Precision::fp8  ? known->fp8
                         : precision == Precision::fp32 ? known->fp32
                                                        : known->fp16;
    return value > 0 ? std::optional(tf32 ? value / 2 : value) : std::nullopt;
}

double multiprocessor_share(const Run& run) {
    double sum = 0;
    double ranks = 0;
    for (const auto& rank : run.ranks) {
        const auto device = std::ranges::find(rank->devices, rank->device(), &Device::id);
        if (device == rank->devices.end() || device->multiprocessors <= 0)
            continue;
        if (const auto known = known_peak(device->name); known != kPeaks.end() && known->multiprocessors > 0) {
            sum += std::min(1.0, static_cast<double>(device->multiprocessors) / known->multiprocessors);
            ++ranks;
        }
    }
    return ranks > 0 ? sum / ranks : 1;
}

std::vector<DevicePeak> peaks_of(const Run& run, std::span<const DevicePeak> own) {
    std::vector<DevicePeak> peaks(own.begin(), own.end());
    const double share = multiprocessor_share(run);
    if (share >= 1)
        return peaks;
    // Below 1, a rank lists a device; the first one need not.
    const auto rank = std::ranges::find_if(run.ranks, [](const auto& each) { return !each->devices.empty(); });
    const std::string& name = (*rank)->devices.front().name;
    if (const auto known = known_peak(name); known != kPeaks.end())
        peaks.push_back({name, share * known->fp8, share * known->fp16, share * known->fp32, 0});
    return peaks;
}

std::optional<double> peak_memory_tb_s(std::string_view device_name, std::span<const DevicePeak> own) {
    if (const auto given = own_peak(own, device_name, &DevicePeak::memory_tb_s))
        return given;
    const auto found = known_peak(device_name);
    return found == kPeaks.end() ? std::nullopt : std::optional(found->memory);
}

} // namespace rankscope
