// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics of NVIDIA's DCGM exporter as Prometheus fetches them, one fetch after the other in a file:
// DCGM_FI_DEV_SM_CLOCK{gpu="0",UUID="GPU-604ac76c-…",Hostname="node7"} 1980. Times are those behind the values
// (milliseconds), or of the line "# rankscope time=…" before each fetch; the exporter itself writes none.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text_match.h"
#include "core/input/hardware/log_parts.h"

namespace rankscope {
namespace {

using Q = HardwareQuantity;

struct Field {
    std::string_view name; ///< behind "DCGM_FI_"
    Q quantity;
    double scale = 1;
};
constexpr double kMegabyte = 1e-6;
constexpr double kPercentOf = 100;
constexpr auto kFields = std::to_array<Field>({
    {"DEV_SM_CLOCK", Q::sm_clock},
    {"DEV_MAX_SM_CLOCK", Q::max_sm_clock},
    {"DEV_MEM_CLOCK", Q::memory_clock},
    {"DEV_POWER_USAGE", Q::power},
    {"DEV_POWER_MGMT_LIMIT", Q::power_limit},
    {"DEV_ENFORCED_POWER_LIMIT", Q::power_limit},
    {"DEV_GPU_TEMP", Q::temperature},
    {"DEV_MEMORY_TEMP", Q::memory_temperature},
    {"DEV_GPU_UTIL", Q::utilization},
    {"PROF_GR_ENGINE_ACTIVE", Q::utilization, kPercentOf},
    {"DEV_MEM_COPY_UTIL", Q::memory_utilization},
    {"DEV_FB_USED", Q::memory_used},
    {"DEV_PCIE_LINK_GEN", Q::pcie_generation},
    {"DEV_PCIE_LINK_WIDTH", Q::pcie_width},
    {"PROF_PCIE_RX_BYTES", Q::pcie_received, kMegabyte}, // bytes a second
    {"PROF_PCIE_TX_BYTES", Q::pcie_sent, kMegabyte},
    {"PROF_NVLINK_RX_BYTES", Q::nvlink_received, kMegabyte},
    {"PROF_NVLINK_TX_BYTES", Q::nvlink_sent, kMegabyte},
    {"DEV_ECC_SBE_VOL_TOTAL", Q::ecc_corrected},
    {"DEV_ECC_DBE_VOL_TOTAL", Q::ecc_uncorrected},
});

/// The value of a label, without escapes: hosts and UUIDs have none. labels: between the braces.
std::string_view label(std::string_view labels, std::string_view name) {
    for (std::size_t at = labels.find(name); at != std::string_view::npos; at = labels.find(name, at + 1)) {
        const std::string_view behind = labels.substr(at + name.size());
        const bool whole = at == 0 || labels[at - 1] == ',' || labels[at - 1] == ' ';
        if (whole && behind.starts_with("=\""))
            return behind.substr(2, behind.find('"', 2) - 2);
    }
    return {};
}

bool set_field(std::string_view name, double value, HardwareRow& row) {
    if (name == "DEV_CLOCK_THROTTLE_REASONS" || name == "DEV_CLOCKS_EVENT_REASONS") {
        if (value >= 0 && value < 1e18)
            set_reasons(row, static_cast<std::uint64_t>(value));
        return true;
    }
    const auto field = std::ranges::find(kFields, name, &Field::name);
    if (field == kFields.end())
        return false;
    row.values[static_cast<std::size_t>(field->quantity)] = value * field->scale;
    return true;
}

} // namespace

Result<HardwareLog> parse_prometheus(std::string_view text) {
    constexpr std::string_view kStart = "DCGM_FI_";
    HardwareLog log;
    log.format = HardwareFormat::prometheus;
    HardwareRows rows;
    LogMark mark;
    bool timed = true;
    while (!text.empty() && !rows.is_full()) {
        const std::string_view line = without_blanks(next_line(text));
        if (take_mark(line, mark) || !line.starts_with(kStart))
            continue;
        const std::size_t open = line.find('{');
        const std::size_t close = line.rfind('}');
        if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
            ++log.malformed;
            continue;
        }
        const std::string_view labels = line.substr(open + 1, close - open - 1);
        const std::vector<std::string_view> words = blank_separated(line.substr(close + 1));
        HardwareRow row = empty_hardware_row();
        // A part of a GPU (MIG) repeats what the GPU has.
        if (words.empty() || !set_field(line.substr(kStart.size(), open - kStart.size()), number_in(words[0]), row))
            continue;
        const auto time = words.size() > 1 ? unix_time(words[1]) : mark.time;
        timed = timed && time.has_value();
        row.time = time.value_or(0);
        const std::string_view host = label(labels, "Hostname");
        rows.add(host.empty() ? std::string_view(mark.host) : host, whole_number_in(label(labels, "gpu")),
                 label(labels, "UUID"), label(labels, "pci_bus_id"), row);
    }
    log.clock = timed ? HardwareClock::unix_time : HardwareClock::none;
    auto result = with_rows(std::move(log), std::move(rows));
    if (result) { // a line has one value of a row
        result->rows = 0;
        for (const HardwareGpu& gpu : result->gpus)
            result->rows += gpu.rows.size();
    }
    return result;
}

} // namespace rankscope
