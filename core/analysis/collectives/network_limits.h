// SPDX-License-Identifier: GPL-3.0-or-later
// What the workload card says the network can carry.
#pragma once
#include <optional>

#include "core/trace/run.h"

namespace rankscope {

/// GB/s (10^9 bytes a second) of one GPU, from workload.hardware.network_topo.bandwidth_gbps: [scale-out, scale-up], in
/// Gbit/s.
struct NetworkLimits {
    std::optional<double> scale_out; ///< between machines
    std::optional<double> scale_up;  ///< inside a machine
};
/// Empty where the card gives no positive number.
NetworkLimits network_limits(const RunConfig& config);

} // namespace rankscope
