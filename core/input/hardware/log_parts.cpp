// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/hardware/log_parts.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/base/text_match.h"
#include "core/input/hardware/kernel_log.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

constexpr TimeNs kSecond = 1'000'000'000;
constexpr double kNotRecorded = std::numeric_limits<double>::quiet_NaN();

/// Takes a number of so many digits off the text.
std::optional<int> take_digits(std::string_view& text, std::size_t least, std::size_t most) {
    std::size_t digits = 0;
    int value = 0;
    while (digits < most && digits < text.size() && is_digit(text[digits]))
        value = 10 * value + (text[digits++] - '0');
    if (digits < least)
        return {};
    text.remove_prefix(digits);
    return value;
}

bool take(std::string_view& text, std::string_view any_of) {
    if (text.empty() || !contains(any_of, text.substr(0, 1)))
        return false;
    text.remove_prefix(1);
    return true;
}

std::optional<TimeNs> day_of(int year, int month, int day) {
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    constexpr int kFirst = 1971, kLast = 2042; // kLatestTime
    if (!date.ok() || year < kFirst || year > kLast)
        return {};
    return std::chrono::nanoseconds(std::chrono::sys_days(date).time_since_epoch()).count();
}

/// ".049" -> 49 ms; nothing but digits counts.
TimeNs take_fraction(std::string_view& text) {
    TimeNs fraction = 0;
    if (text.size() < 2 || text.front() != '.' || !is_digit(text[1]))
        return 0;
    text.remove_prefix(1);
    for (TimeNs unit = kSecond / 10; !text.empty() && is_digit(text.front()); unit /= 10) {
        fraction += unit * (text.front() - '0');
        text.remove_prefix(1);
    }
    return fraction;
}

std::optional<TimeNs> take_time_of_day(std::string_view& text) {
    const auto hour = take_digits(text, 1, 2);
    if (!hour || !take(text, ":"))
        return {};
    const auto minute = take_digits(text, 2, 2);
    if (!minute || !take(text, ":"))
        return {};
    const auto second = take_digits(text, 2, 2);
    if (!second || *hour > 23 || *minute > 59 || *second > 60)
        return {};
    return (TimeNs{*hour} * 3600 + *minute * 60 + *second) * kSecond + take_fraction(text);
}

/// "+0100", "+01:00", "-0330", "Z"
std::optional<TimeNs> zone_of(std::string_view text) {
    if (text == "Z" || text == "UTC")
        return 0;
    const bool west = text.starts_with('-');
    if (!take(text, "+-"))
        return {};
    const auto hours = take_digits(text, 2, 2);
    take(text, ":");
    const auto minutes = take_digits(text, 2, 2);
    if (!hours || !minutes || !text.empty() || *hours > 14 || *minutes > 59)
        return {};
    const TimeNs offset = (TimeNs{*hours} * 3600 + *minutes * 60) * kSecond;
    return west ? -offset : offset;
}

/// What the row lacks is that of the other one.
void complete(HardwareRow& row, const HardwareRow& other) {
    for (std::size_t i = 0; i < kHardwareQuantities; ++i)
        if (std::isnan(row.values[i]))
            row.values[i] = other.values[i];
}

} // namespace

std::string_view next_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    constexpr std::size_t kLongestLine = 64 * 1024;
    return line.size() > kLongestLine ? std::string_view("…") : line;
}

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    std::size_t start = 0;
    bool quoted = false;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        if (i < line.size() && line[i] == '"')
            quoted = !quoted;
        if (i < line.size() && (quoted || line[i] != ','))
            continue;
        std::string_view cell = without_blanks(line.substr(start, i - start));
        if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"')
            cell = without_blanks(cell.substr(1, cell.size() - 2));
        cells.push_back(cell);
        start = i + 1;
    }
    return cells;
}

std::vector<std::string_view> blank_separated(std::string_view line) {
    std::vector<std::string_view> words;
    for (line = without_blanks(line); !line.empty(); line = without_blanks(line)) {
        const std::size_t end = std::min(line.find_first_of(" \t,"), line.size());
        if (end > 0)
            words.push_back(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return words;
}

double number_in(std::string_view cell) {
    cell = without_blanks(cell);
    while (cell.starts_with('('))
        cell.remove_prefix(1);
    if (cell.starts_with("0x") || cell.starts_with("0X")) {
        std::uint64_t bits = 0;
        const auto [end, error] = std::from_chars(cell.data() + 2, cell.data() + cell.size(), bits, 16);
        return error == std::errc{} ? static_cast<double>(bits) : kNotRecorded;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return error == std::errc{} && std::isfinite(value) ? value : kNotRecorded;
}

std::int64_t whole_number_in(std::string_view cell) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    constexpr std::int64_t kMost = 1 << 20;
    return error == std::errc{} && end == cell.data() + cell.size() && value >= 0 && value < kMost ? value : -1;
}

std::optional<TimeNs> date_and_time(std::string_view cell) {
    const auto year = take_digits(cell, 4, 4);
    if (!year || !take(cell, "/-"))
        return {};
    const auto month = take_digits(cell, 1, 2);
    if (!month || !take(cell, "/-"))
        return {};
    const auto day = take_digits(cell, 1, 2);
    if (!day || !take(cell, " T"))
        return {};
    const auto date = day_of(*year, *month, *day);
    const auto time = take_time_of_day(cell);
    return date && time && cell.empty() ? std::optional(*date + *time) : std::nullopt;
}

std::optional<TimeNs> compact_date(std::string_view cell) {
    const auto year = take_digits(cell, 4, 4);
    const auto month = take_digits(cell, 2, 2);
    const auto day = take_digits(cell, 2, 2);
    return year && month && day && cell.empty() ? day_of(*year, *month, *day) : std::nullopt;
}

std::optional<TimeNs> time_of_day(std::string_view cell) {
    const auto time = take_time_of_day(cell);
    return time && cell.empty() ? time : std::nullopt;
}

std::optional<TimeNs> unix_time(std::string_view cell) {
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), seconds);
    if (error != std::errc{} || seconds < 0)
        return {};
    cell.remove_prefix(static_cast<std::size_t>(end - cell.data()));
    const TimeNs fraction = take_fraction(cell);
    constexpr std::int64_t kLeastMilliseconds = 100'000'000'000; // as seconds, the year 5138
    const bool milliseconds = seconds >= kLeastMilliseconds;
    const TimeNs unit = milliseconds ? kSecond / 1000 : kSecond;
    if (!cell.empty() || seconds > kLatestTime / unit)
        return {};
    return seconds * unit + (milliseconds ? 0 : fraction);
}

bool take_mark(std::string_view line, LogMark& mark) {
    constexpr std::string_view kStart = "# rankscope ";
    if (!line.starts_with(kStart))
        return false;
    for (const std::string_view word : blank_separated(line.substr(kStart.size()))) {
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string_view value = word.substr(std::min(equals + 1, word.size()));
        if (word.substr(0, equals) == "host")
            mark.host = value;
        else if (word.substr(0, equals) == "utc_offset")
            mark.utc_offset = zone_of(value);
        else if (word.substr(0, equals) == "time")
            mark.time = unix_time(value);
    }
    return true;
}

void set_reasons(HardwareRow& row, std::uint64_t bits) {
    // NVML: nvmlClocksEventReason…; bits that tell of no limit (idle, sync boost, display) are left out.
    constexpr std::uint64_t kSetClocks = 0x2, kPowerCap = 0x4, kSlowdown = 0x8, kHeatBySoftware = 0x20,
                            kHeatByHardware = 0x40, kPowerBrake = 0x80;
    const auto set = [&](HardwareQuantity quantity, bool is) {
        row.values[static_cast<std::size_t>(quantity)] = is ? 1 : 0;
    };
    const bool heat = (bits & (kHeatBySoftware | kHeatByHardware)) != 0;
    set(HardwareQuantity::limited_by_power, (bits & kPowerCap) != 0);
    set(HardwareQuantity::limited_by_heat, heat);
    set(HardwareQuantity::limited_by_brake, (bits & kPowerBrake) != 0);
    // The hardware's slowdown comes with the bit of its reason where it has one.
    set(HardwareQuantity::slowed_down, (bits & kSlowdown) != 0 && (bits & (kPowerBrake | kHeatByHardware)) == 0);
    set(HardwareQuantity::limited_by_setting, (bits & kSetClocks) != 0);
}

void HardwareRows::add(std::string_view host, std::int64_t index, std::string_view uuid, std::string_view bus,
                       const HardwareRow& row) {
    full_ = full_ || kept_ >= kMostHardwareRows;
    if (full_)
        return;
    ++rows_;
    std::string key(host);
    key += '\n';
    key += uuid.empty() ? std::to_string(index) : std::string(uuid);
    const auto [gpu, added] = gpus_.try_emplace(std::move(key));
    if (added) {
        full_ = gpus_.size() > kMostHardwareGpus;
        gpu->second.host = host;
        gpu->second.index = index;
        gpu->second.uuid = uuid;
        gpu->second.bus = pci_bus_in(bus);
    }
    std::vector<HardwareRow>& rows = gpu->second.rows;
    if (!rows.empty() && rows.back().time == row.time) {
        complete(rows.back(), row);
        return;
    }
    rows.push_back(row);
    ++kept_;
}

std::vector<HardwareGpu> HardwareRows::take() {
    std::vector<HardwareGpu> gpus;
    for (auto& [key, gpu] : gpus_) {
        if (!std::ranges::is_sorted(gpu.rows, {}, &HardwareRow::time)) {
            std::ranges::stable_sort(gpu.rows, {}, &HardwareRow::time);
            std::size_t kept = 0;
            for (const HardwareRow& row : gpu.rows)
                if (kept > 0 && gpu.rows[kept - 1].time == row.time)
                    complete(gpu.rows[kept - 1], row);
                else
                    gpu.rows[kept++] = row;
            gpu.rows.resize(kept);
        }
        gpus.push_back(std::move(gpu));
    }
    std::ranges::stable_sort(gpus, [](const HardwareGpu& a, const HardwareGpu& b) {
        return a.host != b.host ? a.host < b.host : a.index < b.index;
    });
    gpus_.clear();
    return gpus;
}

Result<HardwareLog> with_rows(HardwareLog log, HardwareRows rows) {
    if (rows.is_full())
        return input_error("it has more than %1 rows, or more than %2 GPUs"_text(kMostHardwareRows, kMostHardwareGpus));
    log.rows = rows.size();
    log.gpus = rows.take();
    return log;
}

} // namespace rankscope
