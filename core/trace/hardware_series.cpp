// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/hardware_series.h"

#include <algorithm>

namespace rankscope {
namespace {

/// By HardwareQuantity.
constexpr std::array<std::string_view, kHardwareQuantities> kSeries{
    "GPU SM clock (MHz)",
    "GPU memory clock (MHz)",
    "GPU highest SM clock (MHz)",
    "GPU power (W)",
    "GPU power limit (W)",
    "GPU temperature (°C)",
    "GPU memory temperature (°C)",
    "GPU utilization (%)",
    "GPU memory utilization (%)",
    "GPU memory used (MiB)",
    "GPU PCIe generation",
    "GPU PCIe width (lanes)",
    "GPU PCIe received (MB/s)",
    "GPU PCIe sent (MB/s)",
    "GPU NVLink received (MB/s)",
    "GPU NVLink sent (MB/s)",
    "GPU corrected ECC errors",
    "GPU uncorrected ECC errors",
    "GPU limited by power (share of time)",
    "GPU limited by temperature (share of time)",
    "GPU limited by power brake (share of time)",
    "GPU slowed down (share of time)",
    "GPU limited by set clocks (share of time)",
};

} // namespace

std::string_view hardware_series(HardwareQuantity quantity) { return kSeries[static_cast<std::size_t>(quantity)]; }

std::optional<HardwareQuantity> hardware_quantity(std::string_view series) {
    const auto found = std::ranges::find(kSeries, series);
    return found == kSeries.end() ? std::nullopt
                                  : std::optional(static_cast<HardwareQuantity>(found - kSeries.begin()));
}

std::vector<CounterSample> hardware_samples(const RankTrace& rank, HardwareQuantity quantity) {
    const std::string_view name = hardware_series(quantity);
    std::vector<CounterSample> samples;
    std::optional<NameId> series;
    for (const CounterSample& sample : rank.counters) {
        if (!series && rank.names->view(sample.series) == name)
            series = sample.series;
        if (series && sample.series == *series)
            samples.push_back(sample);
    }
    std::ranges::stable_sort(samples, {}, &CounterSample::time);
    return samples;
}

} // namespace rankscope
