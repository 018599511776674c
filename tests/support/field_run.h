// SPDX-License-Identifier: GPL-3.0-or-later
// Writes small training runs as Kineto files, so that a test can change them in the ways in which files of the field
// are changed. All their numbers follow from FieldRun by hand.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace rankscope {

/// In each step, every rank launches its GEMMs and an all-reduce, which ends all_reduce_us after the last rank arrived.
/// The host waits for it, and the next step starts idle_us after the GPU was done.
struct FieldRun {
    using Json = nlohmann::ordered_json;

    int ranks = 4;
    int steps = 4;
    int first_step = 3;
    int gemms = 3;
    std::int64_t gemm_us = 1200;
    int late_rank = 1; ///< its GEMMs last late_gemm_us; -1: none
    std::int64_t late_gemm_us = 1500;
    std::int64_t all_reduce_us = 2000;
    std::int64_t idle_us = 1500;
    std::int64_t elements = 1 << 22; ///< of the all-reduce, of 4 bytes each
    std::string gpu = "NVIDIA H100 80GB HBM3";
    bool has_header = true;         ///< distributedInfo
    bool every_device_is_0 = false; ///< as each process sees it
    int gpus_per_machine = 8;
    int first_process = 4000;
    std::int64_t start_us = 1'700'000'000'000'000;
    std::vector<std::vector<int>> groups{}; ///< of the all-reduce; empty: one of all ranks

    [[nodiscard]] std::int64_t step_us() const;
    /// The whole file of a rank: header, then traceEvents.
    [[nodiscard]] Json file_of(int rank) const;
    /// rankN_trace.json of every rank.
    void write(const std::filesystem::path& folder) const;
};

/// As Kineto lays its files out: the brackets of an event on lines of their own, each key on one.
std::string in_kineto_layout(const FieldRun::Json& file);

/// One file of several, as SGLang's ProfileMerger makes it: the header of the first, and the rank in front of each
/// process.
FieldRun::Json merged_as_sglang_does(const std::vector<FieldRun::Json>& files);

/// One file of several, as TraceLens's TraceFusion makes it: ids moved apart, the rank in the arguments of each event.
FieldRun::Json merged_as_tracefusion_does(const std::vector<FieldRun::Json>& files);

} // namespace rankscope
