// SPDX-License-Identifier: GPL-3.0-or-later
// What the workload card says the network can carry.
#include "core/analysis/collectives/network_limits.h"

#include <charconv>
#include <cmath>
#include <string_view>

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

} // namespace rankscope
