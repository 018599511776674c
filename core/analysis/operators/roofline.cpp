// SPDX-License-Identifier: GPL-3.0-or-later
// Rates of operators against the device's peaks.
#include "core/analysis/operators/roofline.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/analysis/operators/operator_models.h"
#include "core/analysis/operators/peak_flops.h"

namespace rankscope {
namespace {

std::optional<OperatorShapes> shapes_of(const StringTable& names, const OperatorRow& row) {
    return OperatorShapes::parse(names.view(row.dims), names.view(row.types), names.view(row.concrete));
}

/// Of one call; of attention over a cache the mean over the calls.
std::optional<OperatorWork> work_of(const StringTable& names, const OperatorRow& row, const OperatorShapes& shapes) {
    if (const auto work = operator_work(names.view(row.name), shapes))
        return work;
    if (row.calls_with_attended == 0 || row.calls_with_attended != row.calls)
        return {};
    AttendedTokens mean = row.attended;
    for (double AttendedTokens::*field :
         {&AttendedTokens::context_q, &AttendedTokens::context_k, &AttendedTokens::context_qq,
          &AttendedTokens::context_qk, &AttendedTokens::generation_q, &AttendedTokens::generation_k,
          &AttendedTokens::generation_qk})
        mean.*field /= static_cast<double>(row.calls);
    return paged_attention_work(names.view(row.name), shapes, mean);
}

} // namespace

std::string_view bound_word(Bound bound) {
    constexpr std::array<std::string_view, 3> kWords{"unknown", "compute", "memory"};
    return kWords[static_cast<std::size_t>(bound)];
}

DevicePeaks device_peaks(std::string_view device_name, std::string_view type, bool matrix, bool tf32,
                         std::span<const DevicePeak> own) {
    // The table has no peaks for integers, 4 bits or double precision on matrix units.
    const bool known =
        !matrix || type == "float" || type == "c10::BFloat16" || type == "c10::Half" || type.starts_with("c10::Float8");
    return {known ? peak_tflops(device_name, matrix ? matrix_precision(type, tf32) : Precision::fp32, own)
                  : std::nullopt,
            peak_memory_tb_s(device_name, own)};
}

std::vector<RooflineRow> roofline(const StringTable& names, std::span<const OperatorRow> rows,
                                  std::string_view device_name, std::span<const DevicePeak> own) {
    std::vector<RooflineRow> result;
    for (const OperatorRow& row : rows) {
        // The links limit communication, not the memory.
        const bool computes = row.direct > 0 && row.category != OperatorCategory::communication;
        const auto shapes = computes ? shapes_of(names, row) : std::nullopt;
        const auto work = shapes ? work_of(names, row, *shapes) : std::nullopt;
        if (!work || work->bytes <= 0 || work->flops <= 0)
            continue;
        RooflineRow line{row, *work, 0, 0, 0, 0, 0, 0, {}, Bound::unknown};
        // FLOPs (bytes) a nanosecond are G/s; a thousandth of that is T/s.
        const double calls_per_ns = static_cast<double>(row.calls) / static_cast<double>(row.direct);
        line.tflops_s = work->flops * calls_per_ns / 1000.0;
        line.tb_s = work->bytes * calls_per_ns / 1000.0;
        const double mean_inverse = row.inverse_sum / static_cast<double>(row.timed_calls);
        line.mean_tflops_s = work->flops * mean_inverse / 1000.0;
        line.mean_tb_s = work->bytes * mean_inverse / 1000.0;
        line.flops_per_byte = work->flops / work->bytes;
        const std::string_view type = main_type(names.view(row.name), *shapes);
        const bool matrix = is_matrix_work(row.category);
        line.tf32_share =
            matrix && type == "float" ? static_cast<double>(row.tf32_calls) / static_cast<double>(row.calls) : 0;
        const DevicePeaks peaks = device_peaks(device_name, type, matrix, false, own);
        const DevicePeaks in_tf32 = device_peaks(device_name, type, matrix, line.tf32_share > 0, own);
        const bool in_memory = 2 * row.over_links <= row.direct; // what goes over a link has neither peak
        if (in_memory && peaks.tflops && in_tf32.tflops && peaks.tb_s) {
            const double compute_us =
                work->flops * ((1 - line.tf32_share) / *peaks.tflops + line.tf32_share / *in_tf32.tflops) / 1e6;
            const double memory_us = work->bytes / *peaks.tb_s / 1e6;
            line.roofline_us = std::max(compute_us, memory_us);
            line.bound = compute_us > memory_us ? Bound::compute : Bound::memory;
        }
        result.push_back(line);
    }
    return result;
}

double modelled_share(std::span<const OperatorRow> leaves, std::span<const RooflineRow> lines) {
    TimeNs all = 0;
    TimeNs modelled = 0;
    for (const OperatorRow& row : leaves)
        all += row.category == OperatorCategory::communication ? 0 : row.direct;
    for (const RooflineRow& line : lines)
        modelled += line.row.direct;
    return all > 0 ? static_cast<double>(modelled) / static_cast<double>(all) : 0;
}

MatrixFlops matrix_flops(const StringTable& names, std::span<const OperatorRow> rows) {
    MatrixFlops total;
    double most = 0;
    for (const OperatorRow& row : rows) {
        // vLLM's experts are one operator, which has no category of TraceLens's.
        if (!is_matrix_work(row.category) && !names.view(row.name).starts_with("vllm::moe_forward"))
            continue;
        const auto shapes = shapes_of(names, row);
        const auto work = shapes ? work_of(names, row, *shapes) : std::nullopt;
        const std::int64_t calls = row.calls - row.calls_with_flops;
        const double by_shape = work ? work->flops * static_cast<double>(calls) : 0;
        total.recorded += row.recorded_flops;
        total.by_shape += by_shape;
        total.calls_without += work ? 0 : calls;
        // What an operator around others launches beside them, such as a bias, is no matrix work.
        const double time = !work && row.subtree > row.direct ? 0 : static_cast<double>(row.direct);
        total.time += time;
        total.time_with += work ? time
                                : time * static_cast<double>(row.calls_with_flops) /
                                      static_cast<double>(std::max<std::int64_t>(row.calls, 1));
        if (row.recorded_flops + by_shape > most && shapes && !shapes->types.empty()) {
            most = row.recorded_flops + by_shape;
            total.main_type = main_type(names.view(row.name), *shapes);
            total.main_in_tf32 = total.main_type == "float" && 2 * row.tf32_calls > row.calls;
        }
    }
    return total;
}

} // namespace rankscope
