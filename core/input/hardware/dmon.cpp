// SPDX-License-Identifier: GPL-3.0-or-later
// What `nvidia-smi dmon` prints: "#Date Time gpu pwr gtemp … mclk pclk", a line of units, and a row a GPU and second.
// -o D adds the date, -o T the time of day; without T there are no times. Names of columns: drivers 450 to 580.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/text_match.h"
#include "core/input/hardware/log_parts.h"

namespace rankscope {
namespace {

using Q = HardwareQuantity;

struct DmonColumn {
    std::string_view name;
    Q quantity;
    double scale = 1;
};
constexpr double kPercent = 0.01;
constexpr auto kDmonColumns = std::to_array<DmonColumn>({
    {"pwr", Q::power},
    {"gtemp", Q::temperature},
    {"temp", Q::temperature},
    {"mtemp", Q::memory_temperature},
    {"sm", Q::utilization},
    {"mem", Q::memory_utilization},
    {"mclk", Q::memory_clock},
    {"pclk", Q::sm_clock},
    {"pviol", Q::limited_by_power, kPercent}, // percent of the time
    {"tviol", Q::limited_by_heat},            // 0 or 1
    {"fb", Q::memory_used},
    {"sbecc", Q::ecc_corrected},
    {"dbecc", Q::ecc_uncorrected},
    {"rxpci", Q::pcie_received},
    {"txpci", Q::pcie_sent},
});

struct DmonHeader {
    std::vector<std::string> names; ///< in lower case
    [[nodiscard]] std::optional<std::size_t> place(std::string_view name) const {
        const auto at = std::ranges::find(names, name);
        return at == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - names.begin()));
    }
};

/// Nothing: a line of units, or another comment.
std::optional<DmonHeader> dmon_header(std::string_view line) {
    line.remove_prefix(1);
    DmonHeader header;
    for (const std::string_view word : blank_separated(line))
        header.names.push_back(lower_case(word));
    const bool known = std::ranges::any_of(
        kDmonColumns, [&](const DmonColumn& column) { return header.place(column.name).has_value(); });
    return known && header.place("gpu") ? std::optional(std::move(header)) : std::nullopt;
}

/// Times of day start again at midnight.
class DaysOfLog {
public:
    TimeNs time(TimeNs of_day) {
        constexpr TimeNs kDay = TimeNs{86'400} * 1'000'000'000;
        if (last_ && *last_ - of_day > kDay / 2)
            ++days_;
        last_ = of_day;
        return days_ * kDay + of_day;
    }

private:
    std::optional<TimeNs> last_;
    TimeNs days_ = 0;
};

HardwareRow dmon_values(const DmonHeader& header, const std::vector<std::string_view>& words) {
    HardwareRow row = empty_hardware_row();
    for (const DmonColumn& column : kDmonColumns)
        if (const auto at = header.place(column.name))
            if (double& value = row.values[static_cast<std::size_t>(column.quantity)]; std::isnan(value))
                value = number_in(words[*at]) * column.scale;
    double& share = row.values[static_cast<std::size_t>(Q::limited_by_power)];
    if (share > 1)
        share = std::numeric_limits<double>::quiet_NaN(); // of the time there is no more than all
    return row;
}

} // namespace

Result<HardwareLog> parse_dmon(std::string_view text) {
    HardwareLog log;
    log.format = HardwareFormat::dmon;
    log.resolution = 1'000'000'000;
    HardwareRows rows;
    std::optional<DmonHeader> header;
    LogMark mark;
    DaysOfLog days;
    while (!text.empty() && !rows.is_full()) {
        const std::string_view line = without_blanks(next_line(text));
        if (line.empty() || take_mark(line, mark))
            continue;
        if (line.starts_with('#')) { // the header comes again after some rows
            if (auto found = dmon_header(line))
                header = std::move(found);
            continue;
        }
        const std::vector<std::string_view> words = blank_separated(line);
        if (!header)
            continue;
        if (words.size() != header->names.size()) {
            ++log.malformed;
            continue;
        }
        HardwareRow row = dmon_values(*header, words);
        const auto time_at = header->place("time");
        const auto date_at = header->place("date");
        const bool timed = time_at.has_value();
        const TimeNs of_day = timed ? time_of_day(words[*time_at]).value_or(-1) : 0;
        const auto date = date_at ? compact_date(words[*date_at]) : std::nullopt;
        if (of_day < 0 || (date_at && !date)) {
            ++log.malformed;
            continue;
        }
        if (timed)
            row.time = date ? *date + of_day : days.time(of_day);
        const bool zone = timed && date && mark.utc_offset;
        if (zone)
            row.time -= *mark.utc_offset;
        log.clock = !timed ? HardwareClock::none
                    : zone ? HardwareClock::unix_time
                    : date ? HardwareClock::local
                           : HardwareClock::of_day;
        rows.add(mark.host, whole_number_in(words[*header->place("gpu")]), {}, {}, row);
    }
    if (!header)
        return input_error("no line names the columns"_text());
    return with_rows(std::move(log), std::move(rows));
}

} // namespace rankscope
