// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/hardware/hardware_log.h"

#include <algorithm>
#include <limits>

#include "core/base/text_match.h"
#include "core/input/find/bounded_config.h"
#include "core/input/hardware/log_parts.h"

namespace rankscope {
namespace {

bool is_column(std::string_view cell, std::span<const std::string_view> names) {
    const std::string name = lower_case(cell.substr(0, cell.find(" [")));
    return std::ranges::find(names, name) != names.end() || name.starts_with("clocks_event_reasons.") ||
           name.starts_with("clocks_throttle_reasons.");
}

/// A header of nvidia-smi or of AMD's tools: it has a column that only they have.
bool is_smi_header(std::string_view line) {
    using namespace std::string_view_literals;
    static constexpr std::array kTelling{"clocks.current.sm"sv,
                                         "clocks.current.graphics"sv,
                                         "power.draw"sv,
                                         "power.draw.instant"sv,
                                         "utilization.gpu"sv,
                                         "temperature.gpu"sv,
                                         "gfx_clk"sv,
                                         "gfx_0_clk"sv,
                                         "gfx_activity"sv,
                                         "power_usage"sv,
                                         "socket_power"sv,
                                         "hotspot_temperature"sv,
                                         "gpu use (%)"sv,
                                         "average graphics package power (w)"sv,
                                         "current socket graphics package power (w)"sv};
    const std::vector<std::string_view> cells = cells_of(line);
    return std::ranges::any_of(cells, [](std::string_view cell) { return is_column(cell, kTelling); });
}

bool is_dmon_header(std::string_view line) {
    const std::vector<std::string_view> words = blank_separated(line.substr(std::min<std::size_t>(1, line.size())));
    const auto has = [&](std::string_view name) { return std::ranges::find(words, name) != words.end(); };
    return line.starts_with('#') && has("gpu") &&
           (has("pwr") || has("sm") || has("pclk") || has("pviol") || has("rxpci"));
}

} // namespace

std::string_view hardware_format_word(HardwareFormat format) {
    switch (format) {
    case HardwareFormat::nvidia_smi: return "nvidia-smi";
    case HardwareFormat::dmon: return "nvidia-smi dmon";
    case HardwareFormat::amd_smi: return "amd-smi or rocm-smi";
    case HardwareFormat::prometheus: return "DCGM";
    }
    return {};
}

HardwareRow empty_hardware_row() {
    HardwareRow row;
    row.values.fill(std::numeric_limits<double>::quiet_NaN());
    return row;
}

TimeRange HardwareLog::span() const {
    TimeRange all{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
    for (const HardwareGpu& gpu : gpus)
        if (!gpu.rows.empty()) {
            all.begin = std::min(all.begin, gpu.rows.front().time);
            all.end = std::max(all.end, gpu.rows.back().time + 1);
        }
    return all.begin < all.end ? all : TimeRange{};
}

std::optional<HardwareFormat> hardware_format(std::string_view beginning) {
    constexpr int kMostLines = 60; // messages of the program, or of a terminal, may come first
    for (int i = 0; i < kMostLines && !beginning.empty(); ++i) {
        const std::string_view line = without_blanks(next_line(beginning));
        if (line.starts_with("DCGM_FI_") || line.starts_with("# HELP DCGM_FI_"))
            return HardwareFormat::prometheus;
        if (is_dmon_header(line))
            return HardwareFormat::dmon;
        if (contains(line, ",") && is_smi_header(line))
            return HardwareFormat::nvidia_smi;
    }
    return {};
}

bool is_smi_without_header(std::string_view beginning) {
    constexpr std::string_view kTime = "####/##/## ##:##:##.###, ";
    return beginning.size() >= kTime.size() &&
           std::equal(kTime.begin(), kTime.end(), beginning.begin(),
                      [](char form, char c) { return form == '#' ? is_digit(c) : form == c; });
}

Result<HardwareLog> parse_hardware_log(std::string_view text) {
    const auto format = hardware_format(text);
    if (!format && is_smi_without_header(text))
        return input_error(
            "it has no header, so that nothing tells what its columns are: record with --format=csv"_text());
    if (!format)
        return input_error("it is no log of nvidia-smi, amd-smi, rocm-smi or DCGM"_text());
    switch (*format) {
    case HardwareFormat::dmon: return parse_dmon(text);
    case HardwareFormat::prometheus: return parse_prometheus(text);
    case HardwareFormat::nvidia_smi:
    case HardwareFormat::amd_smi: break;
    }
    return parse_smi_table(text);
}

Result<HardwareLog> read_hardware_log(const std::filesystem::path& path) {
    constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;
    const auto text = read_bounded_file(path, kMostBytes);
    if (!text)
        return tl::unexpected(text.error());
    auto log = parse_hardware_log(*text);
    if (log)
        log->path = path;
    return log;
}

} // namespace rankscope
