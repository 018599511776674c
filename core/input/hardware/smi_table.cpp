// SPDX-License-Identifier: GPL-3.0-or-later
// Tables with a header, one row a GPU and time: nvidia-smi --query-gpu --format=csv (with or without units), amd-smi
// monitor and metric --csv -w, rocm-smi --csv with a line before each table that
// tells the time.
// Names of columns: nvidia-smi --help-query-gpu of drivers 418 to 580; amd-smi of ROCm 6 and 7.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/base/text_match.h"
#include "core/input/hardware/log_parts.h"

namespace rankscope {
namespace {

using Q = HardwareQuantity;

struct NamedColumn {
    std::string_view name;
    Q quantity;
};

/// Of several columns for one quantity the first of this list that is there counts.
constexpr auto kNvidiaColumns = std::to_array<NamedColumn>({
    {"clocks.current.sm", Q::sm_clock},
    {"clocks.sm", Q::sm_clock},
    {"clocks.current.graphics", Q::sm_clock},
    {"clocks.gr", Q::sm_clock},
    {"clocks.current.memory", Q::memory_clock},
    {"clocks.mem", Q::memory_clock},
    {"clocks.max.sm", Q::max_sm_clock},
    {"clocks.max.graphics", Q::max_sm_clock},
    {"power.draw", Q::power},
    {"power.draw.instant", Q::power},
    {"power.draw.average", Q::power},
    {"enforced.power.limit", Q::power_limit},
    {"power.limit", Q::power_limit},
    {"temperature.gpu", Q::temperature},
    {"temperature.memory", Q::memory_temperature},
    {"utilization.gpu", Q::utilization},
    {"utilization.memory", Q::memory_utilization},
    {"memory.used", Q::memory_used},
    {"pcie.link.gen.current", Q::pcie_generation},
    {"pcie.link.gen.gpucurrent", Q::pcie_generation},
    {"pcie.link.width.current", Q::pcie_width},
    {"ecc.errors.corrected.volatile.total", Q::ecc_corrected},
    {"ecc.errors.uncorrected.volatile.total", Q::ecc_uncorrected},
});

constexpr auto kAmdColumns = std::to_array<NamedColumn>({
    {"gfx_clk", Q::sm_clock},
    {"gfx_clock", Q::sm_clock},
    {"gfx_0_clk", Q::sm_clock}, // and gfx_1_clk …: of the dies of one GPU, which run alike unless held back
    {"sclk clock speed:", Q::sm_clock},
    {"gfx_0_max_clk", Q::max_sm_clock},
    {"mem_clock", Q::memory_clock},
    {"mem_0_clk", Q::memory_clock},
    {"mclk clock speed:", Q::memory_clock},
    {"power_usage", Q::power},
    {"socket_power", Q::power},
    {"current socket graphics package power (w)", Q::power},
    {"average graphics package power (w)", Q::power},
    {"max_power", Q::power_limit},
    {"max graphics package power (w)", Q::power_limit},
    {"hotspot_temperature", Q::temperature},
    {"hotspot", Q::temperature},
    {"temperature (sensor junction) (c)", Q::temperature},
    {"edge", Q::temperature},
    {"temperature (sensor edge) (c)", Q::temperature},
    {"memory_temperature", Q::memory_temperature},
    {"temperature (sensor memory) (c)", Q::memory_temperature},
    {"gfx_activity", Q::utilization},
    {"gfx_util", Q::utilization},
    {"gfx", Q::utilization},
    {"gpu use (%)", Q::utilization},
    {"umc_activity", Q::memory_utilization},
    {"mem_util", Q::memory_utilization},
    {"gpu memory read/write activity (%)", Q::memory_utilization},
    {"vram_used", Q::memory_used},
    {"total_correctable_count", Q::ecc_corrected},
    {"single_bit_ecc", Q::ecc_corrected},
    {"total_uncorrectable_count", Q::ecc_uncorrected},
    {"double_bit_ecc", Q::ecc_uncorrected},
});

/// Columns that are each one bit of clocks_event_reasons.active: "Active" or "Not Active".
struct ReasonColumn {
    std::string_view ending;
    std::uint64_t bit;
};
constexpr auto kReasonColumns = std::to_array<ReasonColumn>({
    {".applications_clocks_setting", 0x2},
    {".sw_power_cap", 0x4},
    {".hw_slowdown", 0x8},
    {".sw_thermal_slowdown", 0x20},
    {".hw_thermal_slowdown", 0x40},
    {".hw_power_brake_slowdown", 0x80},
});

/// "power.draw [W]" -> "power.draw"
std::string column_name(std::string_view cell) {
    const std::size_t unit = cell.find(" [");
    return lower_case(without_blanks(cell.substr(0, unit)));
}

/// What the columns of a header mean.
struct Header {
    bool amd = false;
    std::size_t columns = 0;
    std::optional<std::size_t> time;
    std::optional<std::size_t> index;
    std::optional<std::size_t> uuid;
    std::optional<std::size_t> bus;      ///< of PCI
    std::optional<std::size_t> reasons;  ///< NVML's bits
    std::optional<std::size_t> throttle; ///< of AMD: THROTTLED or not
    std::vector<std::pair<std::size_t, std::uint64_t>> reason_columns;
    std::vector<std::pair<std::size_t, Q>> values;
    std::vector<std::size_t> clocks_of_dies; ///< of AMD: their mean is the clock
};

template <typename Columns>
void find_values(const std::vector<std::string>& names, const Columns& columns, Header& header) {
    std::array<bool, kHardwareQuantities> known{};
    for (const NamedColumn& column : columns) {
        const auto at = std::ranges::find(names, column.name);
        if (at == names.end() || std::exchange(known[static_cast<std::size_t>(column.quantity)], true))
            continue;
        header.values.emplace_back(static_cast<std::size_t>(at - names.begin()), column.quantity);
    }
}

std::optional<std::size_t> place_of(const std::vector<std::string>& names,
                                    std::initializer_list<std::string_view> any_of) {
    for (const std::string_view name : any_of)
        if (const auto at = std::ranges::find(names, name); at != names.end())
            return static_cast<std::size_t>(at - names.begin());
    return {};
}

/// In `metric` the column "mem" is a temperature, in `monitor` the memory's activity in percent.
void find_memory_of_amd(const std::vector<std::string>& names, Header& header) {
    if (const auto memory = place_of(names, {"mem"}))
        header.values.emplace_back(*memory,
                                   place_of(names, {"power_usage"}) ? Q::memory_utilization : Q::memory_temperature);
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i].starts_with("gfx_") && names[i].ends_with("_clk") && !contains(names[i], "min") &&
            !contains(names[i], "max") && names[i].size() > std::string_view("gfx_clk").size())
            header.clocks_of_dies.push_back(i);
    header.throttle = place_of(names, {"throttle_status"});
}

/// Nothing: the line is no header.
std::optional<Header> header_of(std::string_view line) {
    std::vector<std::string> names;
    for (const std::string_view cell : cells_of(line))
        names.push_back(column_name(cell));
    Header header;
    header.columns = names.size();
    header.time = place_of(names, {"timestamp"});
    header.index = place_of(names, {"index", "gpu", "device"});
    header.uuid = place_of(names, {"uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id"});
    header.bus = place_of(names, {"pci.bus_id", "gpu_bus_id"});
    find_values(names, kNvidiaColumns, header);
    header.reasons = place_of(names, {"clocks_event_reasons.active", "clocks_throttle_reasons.active"});
    for (const ReasonColumn& reason : kReasonColumns)
        for (std::size_t i = 0; i < names.size(); ++i)
            if (names[i].starts_with("clocks_") && names[i].ends_with(reason.ending))
                header.reason_columns.emplace_back(i, reason.bit);
    if (!header.values.empty() || header.reasons || !header.reason_columns.empty())
        return header;
    find_values(names, kAmdColumns, header);
    if (header.values.empty() || !header.index)
        return {};
    header.amd = true;
    find_memory_of_amd(names, header);
    return header;
}

/// Bits of all columns that tell reasons; nothing where none of them has a value.
std::optional<std::uint64_t> reasons_of(const Header& header, const std::vector<std::string_view>& cells) {
    std::optional<std::uint64_t> bits;
    if (header.reasons)
        if (const double mask = number_in(cells[*header.reasons]); mask >= 0 && mask < 1e18)
            bits = static_cast<std::uint64_t>(mask);
    for (const auto& [column, bit] : header.reason_columns)
        if (cells[column] == "Active" || cells[column] == "Not Active")
            bits = bits.value_or(0) | (cells[column] == "Active" ? bit : 0);
    return bits;
}

double mean_of(const std::vector<std::size_t>& columns, const std::vector<std::string_view>& cells) {
    double sum = 0;
    int count = 0;
    for (const std::size_t column : columns)
        if (const double value = number_in(cells[column]); !std::isnan(value)) {
            sum += value;
            ++count;
        }
    return sum / count; // NaN without any
}

/// "0", "card0", "GPU 0"
std::int64_t index_in(std::string_view cell) {
    const std::size_t digit = cell.find_first_of("0123456789");
    return digit == std::string_view::npos ? -1 : whole_number_in(cell.substr(digit));
}

HardwareRow values_of(const Header& header, const std::vector<std::string_view>& cells) {
    HardwareRow row = empty_hardware_row();
    for (const auto& [column, quantity] : header.values)
        if (double& value = row.values[static_cast<std::size_t>(quantity)]; std::isnan(value))
            value = number_in(cells[column]);
    if (header.clocks_of_dies.size() > 1)
        row.values[static_cast<std::size_t>(Q::sm_clock)] = mean_of(header.clocks_of_dies, cells);
    if (const auto bits = reasons_of(header, cells))
        set_reasons(row, *bits);
    if (header.throttle && (cells[*header.throttle] == "THROTTLED" || cells[*header.throttle] == "UNTHROTTLED"))
        row.values[static_cast<std::size_t>(Q::slowed_down)] = cells[*header.throttle] == "THROTTLED" ? 1 : 0;
    return row;
}

} // namespace

Result<HardwareLog> parse_smi_table(std::string_view text) {
    HardwareLog log;
    HardwareRows rows;
    std::optional<Header> header;
    LogMark mark;
    bool in_unix_time = false;
    bool has_times = false;
    while (!text.empty() && !rows.is_full()) {
        const std::string_view line = without_blanks(next_line(text));
        if (line.empty())
            continue;
        if (take_mark(line, mark))
            continue;
        // Again where a log was appended to. No column's name starts with a digit, as most rows do.
        if (auto found = is_digit(line.front()) ? std::nullopt : header_of(line)) {
            header = std::move(found);
            continue;
        }
        const std::vector<std::string_view> cells = cells_of(line);
        if (!header || line.starts_with('#'))
            continue; // what a program says before it starts
        if (cells.size() != header->columns) {
            ++log.malformed;
            continue;
        }
        HardwareRow row = values_of(*header, cells);
        if (header->time) {
            std::optional<TimeNs> time = date_and_time(cells[*header->time]);
            if (time && mark.utc_offset)
                time = *time - *mark.utc_offset;
            in_unix_time |= time && mark.utc_offset;
            if (!time) {
                time = unix_time(cells[*header->time]);
                in_unix_time |= time.has_value();
            }
            if (!time) {
                ++log.malformed;
                continue;
            }
            row.time = *time;
            has_times = true;
        } else if (mark.time) { // written before each table
            row.time = *mark.time;
            has_times = in_unix_time = true;
        }
        rows.add(mark.host, header->index ? index_in(cells[*header->index]) : -1,
                 header->uuid && cells[*header->uuid].find_first_of("-:") != std::string_view::npos
                     ? cells[*header->uuid]
                     : std::string_view(),
                 header->bus ? cells[*header->bus] : std::string_view(), row);
    }
    if (!header)
        return input_error("no line names the columns"_text());
    log.format = header->amd ? HardwareFormat::amd_smi : HardwareFormat::nvidia_smi;
    log.clock = !has_times ? HardwareClock::none : in_unix_time ? HardwareClock::unix_time : HardwareClock::local;
    return with_rows(std::move(log), std::move(rows));
}

} // namespace rankscope
