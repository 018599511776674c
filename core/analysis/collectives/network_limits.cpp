// SPDX-License-Identifier: GPL-3.0-or-later
// What the network can carry.
#include "core/analysis/collectives/network_limits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "core/analysis/basics/gpu_names.h"
#include "core/trace/run_settings.h"

namespace rankscope {
namespace {

constexpr double kBitsPerByte = 8;

std::optional<double> gigabytes(std::string_view gigabits) {
    while (!gigabits.empty() && gigabits.front() == ' ')
        gigabits.remove_prefix(1);
    while (!gigabits.empty() && gigabits.back() == ' ')
        gigabits.remove_suffix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(gigabits.data(), gigabits.data() + gigabits.size(), value);
    if (error != std::errc{} || end != gigabits.data() + gigabits.size() || !std::isfinite(value) || value <= 0)
        return {};
    return value / kBitsPerByte;
}

/// Of GPUs on a board of their vendor (SXM, OAM).
constexpr std::array<UsualNetwork, 6> kUsualNetworks{
    {{"B200", 50}, {"H200", 50}, {"H100", 50}, {"A100", 25}, {"V100", 6.25}, {"MI300X", 50}}};

/// Anybody may build machines with these, with any network.
bool is_a_card(std::string_view device) { return names_gpu(device, "PCIe") || names_gpu(device, "NVL"); }

} // namespace

NetworkLimits network_limits(const RunConfig& config) {
    const std::string list = find_text(config, {"workload.hardware.network_topo.bandwidth_gbps"});
    std::string_view text = list;
    if (text.size() < 2 || text.front() != '[' || text.back() != ']')
        return {};
    text = text.substr(1, text.size() - 2);
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos)
        return {gigabytes(text), {}};
    return {gigabytes(text.substr(0, comma)), gigabytes(text.substr(comma + 1))};
}

std::optional<UsualNetwork> usual_network(const Run& run) {
    const std::string device = find_text(run.config, {"trace.device.name", "trace.device"});
    const auto known = std::ranges::find_if(
        kUsualNetworks, [&](const UsualNetwork& network) { return names_gpu(device, network.machine); });
    std::optional<UsualNetwork> result;
    if (known != kUsualNetworks.end() && !is_a_card(device))
        result = *known;
    if (const auto given = network_limits(run.config).scale_out)
        result = {result ? result->machine : std::string_view("these"), *given};
    return result;
}

} // namespace rankscope
