// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/hardware_series.h"

#include <algorithm>

namespace rankscope {
namespace {

struct Series {
    std::string_view name;
    std::string_view unit;
};

/// By HardwareQuantity.
constexpr std::array<Series, kHardwareQuantities> kSeries{{
    {"GPU SM clock (MHz)", "MHz"},
    {"GPU memory clock (MHz)", "MHz"},
    {"GPU highest SM clock (MHz)", "MHz"},
    {"GPU power (W)", "W"},
    {"GPU power limit (W)", "W"},
    {"GPU temperature (°C)", "°C"},
    {"GPU memory temperature (°C)", "°C"},
    {"GPU utilization (%)", "%"},
    {"GPU memory utilization (%)", "%"},
    {"GPU memory used (MiB)", "MiB"},
    {"GPU PCIe generation", ""},
    {"GPU PCIe width (lanes)", "lanes"},
    {"GPU PCIe received (MB/s)", "MB/s"},
    {"GPU PCIe sent (MB/s)", "MB/s"},
    {"GPU NVLink received (MB/s)", "MB/s"},
    {"GPU NVLink sent (MB/s)", "MB/s"},
    {"GPU corrected ECC errors", ""},
    {"GPU uncorrected ECC errors", ""},
    {"GPU limited by power (share of time)", ""},
    {"GPU limited by temperature (share of time)", ""},
    {"GPU limited by power brake (share of time)", ""},
    {"GPU slowed down (share of time)", ""},
    {"GPU limited by set clocks (share of time)", ""},
}};

} // namespace

std::string_view hardware_series(HardwareQuantity quantity) { return kSeries[static_cast<std::size_t>(quantity)].name; }
std::string_view hardware_unit(HardwareQuantity quantity) { return kSeries[static_cast<std::size_t>(quantity)].unit; }

std::optional<HardwareQuantity> hardware_quantity(std::string_view series) {
    const auto found = std::ranges::find(kSeries, series, &Series::name);
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
