// SPDX-License-Identifier: GPL-3.0-or-later
// Tells which ranks' GPUs the messages of kernel logs are of, and when they were written.
// Whose: the GPU whose PCI bus id the trace tells (Nsight Systems), or a log of GPUs that was joined and is of the same
// machine: of the same host, or in the same folder where one of them tells none. When: dates with a zone; without one,
// as in the log of GPUs of these ranks, if that has no zone either. What is not clear is not joined.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/input/hardware/hardware_join.h"
#include "core/input/hardware/kernel_log.h"

namespace rankscope {

/// Messages of one kind on one GPU in one log.
struct KernelLogJoin {
    std::filesystem::path log;
    std::string host; ///< empty: not told
    std::string bus;
    GpuErrorKind kind = GpuErrorKind::xid;
    int xid = 0;
    std::int64_t count = 0;
    std::vector<int> ranks;      ///< whose GPU it is; empty: not joined
    std::optional<TimeNs> first; ///< of those whose time is known, since the start of the run's first trace
    std::optional<TimeNs> after; ///< the same, if even the first is after the end of all traces: since that
};

struct KernelLogJoins {
    std::vector<KernelLogJoin> joins;
    std::vector<GpuError> errors; ///< ascending by time
};

/// hardware: what join_hardware_logs() told of these ranks.
KernelLogJoins join_kernel_logs(std::span<const KernelLog> logs, std::span<const HardwareJoin> hardware,
                                std::span<const std::shared_ptr<const RankTrace>> ranks);

/// "GPU of rank 5 (PCI 0000:3b:00): Xid 79 (…); times: 1; the first 12.30 s into the recording"
Message kernel_log_join_words(const KernelLogJoin& join);

} // namespace rankscope
