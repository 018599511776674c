// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of GPUs and of kernels: what their readers take, and how they are joined to a rank whose GPU works now and then.
// The first byte chooses when the trace counts from, and whether its device is the one of the log.
#include <cmath>
#include <cstdlib>
#include <memory>

#include "core/input/hardware/hardware_join.h"
#include "core/input/hardware/kernel_log_join.h"
#include "core/trace/rank_builder.h"
#include "tests/fuzz/fuzz_folder.h"

using namespace rankscope;

namespace {

std::shared_ptr<const RankTrace> rank_from(TimeNs start, std::int64_t device,
                                           const std::shared_ptr<StringTable>& names) {
    RankBuilder builder(names);
    builder.trace().rank = 0;
    builder.trace().file = "/run/node7/rank0.json";
    builder.trace().header["nsys.gpu_bus"] = "0000:3b:00.0";
    for (int i = 0; i < 40; ++i) {
        RawEvent event;
        event.start = start + TimeNs{i} * 100'000'000;
        event.duration = (i * 7 % 10) * 10'000'000;
        event.kind = EventKind::kernel;
        event.name = names->intern("gemm");
        event.track = builder.track("GPU", "stream 7", device, 7);
        event.ordinal = static_cast<std::uint32_t>(i);
        builder.add(event);
    }
    return builder.finish({});
}

void read_as_kernel_log(std::string_view text, std::span<const HardwareJoin> hardware,
                        std::span<const std::shared_ptr<const RankTrace>> ranks) {
    (void)is_kernel_log(text);
    const std::vector<KernelLog> logs{parse_kernel_log(text)};
    std::int64_t told = 0;
    for (const KernelLogJoin& join : join_kernel_logs(logs, hardware, ranks).joins) {
        told += join.count;
        if (join.bus.empty() || (join.first && join.ranks.empty()))
            std::abort();
        (void)english(kernel_log_join_words(join));
    }
    if (told > static_cast<std::int64_t>(logs.front().messages.size()))
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    constexpr TimeNs kRecorded = 1'795'793'497'000'000'000; // 2026-11-27 15:31:37 UTC
    auto names = std::make_shared<StringTable>();
    std::vector<std::shared_ptr<const RankTrace>> ranks{
        rank_from((*data & 1) != 0 ? kRecorded : 1000, (*data & 2) != 0 ? 0 : 3, names)};
    if (!ranks[0])
        std::abort();
    const std::string_view text = fuzz_text(data + 1, size - 1);
    const auto log = parse_hardware_log(text);
    if (!log) {
        read_as_kernel_log(text, {}, ranks);
        return 0;
    }
    std::uint64_t rows = 0;
    for (const HardwareGpu& gpu : log->gpus)
        for (std::size_t i = 0; i < gpu.rows.size(); ++i, ++rows)
            if (i > 0 && gpu.rows[i - 1].time >= gpu.rows[i].time)
                std::abort();
    if (rows > log->rows)
        std::abort();
    const std::vector<HardwareJoin> joins = join_hardware_logs({&*log, 1}, ranks, *names);
    for (const HardwareJoin& join : joins) {
        if (join.why_not.empty() != (join.gpus > 0) || std::isnan(join.residual_points))
            std::abort();
        (void)english(hardware_join_words(join));
    }
    read_as_kernel_log(text, joins, ranks);
    return 0;
}
