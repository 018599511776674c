// SPDX-License-Identifier: GPL-3.0-or-later
// What the network can carry: by the workload card, or as machines with such GPUs are usually built.
#pragma once
#include <optional>
#include <string_view>

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

/// What the network of such machines usually carries, GB/s of one GPU.
struct UsualNetwork {
    std::string_view machine; ///< "H100"
    double between_machines = 0;
};
/// The card's scale-out figure, else what the GPU's vendor builds machines of that GPU with; none for other GPUs, cards
/// for any machine (PCIe, NVL) among them. Sources: NVIDIA's DGX-1 (V100), DGX A100, DGX H100, DGX H200, DGX B200 user
/// guides (network cards per GPU: 50, 200, 400, 400 and 400 Gbit/s); AMD's Instinct MI300X platform (400 Gbit/s).
std::optional<UsualNetwork> usual_network(const Run& run);

} // namespace rankscope
