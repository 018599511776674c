// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/hardware/kernel_log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <set>
#include <utility>

#include "core/base/text_match.h"
#include "core/input/find/bounded_config.h"
#include "core/input/hardware/log_parts.h"

namespace rankscope {
namespace {

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

std::size_t hex_digits(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::find_if_not(text, is_hex) - text.begin());
}

/// The word that the text begins with; takes it and the blanks behind it off the text.
std::string_view take_word(std::string_view& text) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text = without_blanks(text.substr(end));
    return word;
}

/// 1 to 12; 0: no month.
int month_of(std::string_view word) {
    static constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto found = std::ranges::find(kMonths, word);
    return found == kMonths.end() ? 0 : static_cast<int>(found - kMonths.begin()) + 1;
}

/// year 0: none is told.
std::optional<KernelTime> on_day(int year, int month, std::string_view day, std::string_view of_day) {
    constexpr int kLeapYear = 1972;
    const std::string date =
        std::to_string(year == 0 ? kLeapYear : year) + '-' + std::to_string(month) + '-' + std::string(day);
    const auto time = date_and_time(date + ' ' + std::string(of_day));
    return time ? std::optional(KernelTime{*time, {}, year != 0}) : std::nullopt;
}

/// "Nov 27 15:31:37"; takes it off the text.
std::optional<KernelTime> take_month_first(std::string_view& text, bool year_behind) {
    std::string_view rest = text;
    const int month = month_of(take_word(rest));
    if (month == 0)
        return {};
    const std::string_view day = take_word(rest);
    const std::string_view of_day = take_word(rest);
    const int year = year_behind ? static_cast<int>(std::max<std::int64_t>(0, whole_number_in(take_word(rest)))) : 0;
    const auto time = on_day(year, month, day, of_day);
    if (time)
        text = rest;
    return time;
}

/// "2026-11-27T15:31:37,049123+01:00": nothing where it is no such time.
std::optional<KernelTime> iso_time(std::string_view word) {
    constexpr std::size_t kSeconds = 19; // to the end of the seconds
    if (word.size() < kSeconds || word[10] != 'T')
        return {};
    const std::size_t zone = std::min(word.find_first_of("Z+-", kSeconds), word.size());
    std::string clock(word.substr(0, zone));
    std::ranges::replace(clock, ',', '.');
    const auto time = date_and_time(clock);
    if (!time)
        return {};
    LogMark mark; // its zones are written alike
    take_mark("# rankscope utc_offset=" + std::string(word.substr(zone)), mark);
    return KernelTime{*time, mark.utc_offset, true};
}

bool is_seconds(std::string_view text) {
    return !text.empty() && contains(text, ".") &&
           std::ranges::all_of(
               text, [](char c) { return is_digit(c) || c == '.'; });
}

/// What stands before the text of a message.
struct Stamp {
    bool is_one = false;
    std::optional<KernelTime> time;
};

/// "[12345.678901]", "[  +0.000844]", "[Fri Nov 27 15:31:37 2026]"
Stamp take_bracket(std::string_view& line) {
    const std::size_t end = line.find(']');
    if (end == std::string_view::npos)
        return {};
    std::string_view inside = without_blanks(line.substr(1, end - 1));
    Stamp stamp;
    if (is_seconds(inside) || (inside.starts_with('+') && is_seconds(inside.substr(1)))) {
        stamp.is_one = true;
    } else {
        take_word(inside); // the day of the week
        stamp.time = take_month_first(inside, true);
        stamp.is_one = stamp.time.has_value();
    }
    if (stamp.is_one)
        line = without_blanks(line.substr(end + 1));
    return stamp;
}

/// "Fri 2026-11-27 15:31:37 UTC": the names of other zones mean several.
Stamp take_long_form(std::string_view& line) {
    std::string_view rest = line;
    take_word(rest);
    const std::string date(take_word(rest));
    auto time = date_and_time(date + ' ' + std::string(take_word(rest)));
    if (!time)
        return {};
    const std::string_view zone = take_word(rest);
    line = rest;
    return {true, KernelTime{*time, zone == "UTC" || zone == "GMT" ? std::optional<TimeNs>(0) : std::nullopt, true}};
}

Stamp take_stamp(std::string_view& line) {
    if (line.starts_with('['))
        return take_bracket(line);
    if (auto time = take_month_first(line, false))
        return {true, time};
    std::string_view rest = line;
    const std::string_view word = take_word(rest);
    std::optional<KernelTime> time = iso_time(word);
    constexpr std::size_t kLeastDigits = 10; // of seconds since 1970
    if (!time && word.find('.') != std::string_view::npos && word.find('.') >= kLeastDigits)
        if (const auto seconds = unix_time(word))
            time = KernelTime{*seconds, 0, true};
    if (!time)
        return take_long_form(line);
    line = rest;
    return {true, time};
}

/// The text of a message, who wrote it when.
struct KernelLine {
    std::string_view text;
    std::string_view host;
    std::optional<KernelTime> time;
    bool of_kernel = false; ///< the line says that the kernel wrote it
};

KernelLine parts_of(std::string_view line) {
    // `dmesg -x` puts facility and level before the time.
    if (const std::size_t bracket = line.find('['); line.starts_with("kern ") && bracket != std::string_view::npos)
        line = line.substr(bracket);
    const bool bracket = line.starts_with('[');
    const Stamp stamp = take_stamp(line);
    KernelLine parts{line, {}, stamp.time, bracket && stamp.is_one};
    constexpr std::string_view kKernel = " kernel: ";
    const std::size_t kernel = line.find(kKernel);
    if (!stamp.is_one || kernel == std::string_view::npos || line.find(' ') != kernel)
        return parts; // one word, the host, stands before "kernel:"
    parts.host = line.substr(0, kernel);
    parts.text = without_blanks(line.substr(kernel + kKernel.size()));
    parts.of_kernel = true;
    if (parts.text.starts_with('['))
        take_bracket(parts.text); // syslog writes the seconds since the start behind its own time
    return parts;
}

constexpr std::string_view kXid = "NVRM: Xid (";
constexpr std::string_view kBusError = "PCIe Bus Error: severity=";

/// "NVRM: Xid (PCI:0000:3b:00): 79, pid=…"
std::optional<KernelMessage> xid_message(std::string_view text) {
    const std::size_t at = text.find(kXid);
    if (at == std::string_view::npos)
        return {};
    text.remove_prefix(at + kXid.size());
    const std::size_t close = text.find(')');
    if (close == std::string_view::npos)
        return {};
    KernelMessage message;
    message.bus = pci_bus_in(text.substr(0, close));
    std::string_view rest = text.substr(close + 1);
    while (!rest.empty() && (rest.front() == ':' || rest.front() == ' '))
        rest.remove_prefix(1);
    constexpr int kMostXid = 100'000;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), message.xid);
    if (message.bus.empty() || error != std::errc{} || message.xid <= 0 || message.xid > kMostXid)
        return {};
    return message;
}

std::optional<GpuErrorKind> severity_of(std::string_view text) {
    if (text.starts_with("Correct"))
        return GpuErrorKind::pcie_corrected;
    if (!text.starts_with("Uncorrect"))
        return {};
    return contains(text, "(Fatal)") ? GpuErrorKind::pcie_fatal : GpuErrorKind::pcie_not_fatal;
}

struct PcieMessage {
    KernelMessage message;
    bool of_port = false; ///< it received the error; the device may tell of it on the next line
};

/// "nvidia 0000:3b:00.0: PCIe Bus Error: severity=Corrected, …", "pcieport …: AER: Corrected error received: …"
std::optional<PcieMessage> pcie_message(std::string_view text) {
    PcieMessage found;
    std::string_view severity;
    if (const std::size_t at = text.find(kBusError); at != std::string_view::npos) {
        severity = text.substr(at + kBusError.size());
        severity = severity.substr(0, severity.find(','));
        found.message.bus = pci_bus_in(text.substr(0, at));
        found.message.is_gpu = text.starts_with("nvidia ") || text.starts_with("amdgpu ");
    } else {
        constexpr std::string_view kAer = "AER: ", kReceived = " received";
        const std::size_t aer = text.find(kAer);
        const std::size_t received = text.find(kReceived);
        if (aer == std::string_view::npos || received == std::string_view::npos || received < aer)
            return {};
        severity = text.substr(aer + kAer.size(), received - aer - kAer.size());
        if (severity.starts_with("Multiple "))
            severity.remove_prefix(std::string_view("Multiple ").size());
        found.message.bus = pci_bus_in(text.substr(received));
        found.message.is_gpu = false;
        found.of_port = true;
    }
    const auto kind = severity_of(severity);
    if (!kind || found.message.bus.empty())
        return {};
    found.message.kind = *kind;
    return found;
}

/// Each error once: those that a port received count only where their device tells of none of this severity.
void drop_repeated_errors(std::vector<PcieMessage>& messages) {
    const auto key = [](const KernelMessage& message) {
        return std::pair(message.host + '\n' + message.bus, message.kind);
    };
    std::set<std::pair<std::string, GpuErrorKind>> told;
    for (const PcieMessage& each : messages)
        if (!each.of_port)
            told.insert(key(each.message));
    std::erase_if(messages, [&](const PcieMessage& each) { return each.of_port && told.contains(key(each.message)); });
}

} // namespace

std::string pci_bus_in(std::string_view text) {
    constexpr std::size_t kLeastDomain = 4, kMostDomain = 8;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t domain = hex_digits(text.substr(at));
        const std::string_view behind = text.substr(at + domain); // ":3b:00"
        if (domain >= kLeastDomain && domain <= kMostDomain && behind.size() >= 6 && behind[0] == ':' &&
            behind[3] == ':' && hex_digits(behind.substr(1)) == 2 && hex_digits(behind.substr(4)) == 2) {
            const std::size_t zeros = std::min(text.substr(at, domain).find_first_not_of('0'), domain);
            const std::size_t cut = std::min(zeros, domain - kLeastDomain);
            return lower_case(text.substr(at + cut, domain - cut + 6));
        }
        at += domain + 1;
    }
    return {};
}

TimeNs in_year_of(TimeNs time, TimeNs of) {
    using namespace std::chrono;
    const sys_time<nanoseconds> point{nanoseconds(time)}, other{nanoseconds(of)};
    const sys_days day = floor<days>(point);
    const year_month_day date(day);
    const year_month_day moved(year_month_day(floor<days>(other)).year(), date.month(), date.day());
    // 29 February of a year without one is the day before.
    const sys_days to = moved.ok() ? sys_days(moved) : sys_days(moved.year() / moved.month() / last);
    return (to.time_since_epoch() + (point - day)).count();
}

bool is_kernel_log(std::string_view beginning) {
    constexpr int kMostLines = 60;
    for (int i = 0; i < kMostLines && !beginning.empty(); ++i) {
        const std::string_view line = without_blanks(next_line(beginning));
        if (parts_of(line).of_kernel || contains(line, kXid) || contains(line, kBusError))
            return true;
    }
    return false;
}

KernelLog parse_kernel_log(std::string_view text) {
    KernelLog log;
    LogMark mark;
    std::vector<PcieMessage> messages;
    while (!text.empty()) {
        const std::string_view line = without_blanks(next_line(text));
        if (take_mark(line, mark) || !(contains(line, kXid) || contains(line, kBusError) || contains(line, "AER: ")))
            continue;
        const KernelLine parts = parts_of(line);
        std::optional<PcieMessage> found;
        if (auto xid = xid_message(parts.text))
            found = PcieMessage{std::move(*xid), false};
        else
            found = pcie_message(parts.text);
        if (!found)
            continue;
        if (messages.size() >= kMostKernelMessages) {
            ++log.left_out;
            continue;
        }
        found->message.host = parts.host.empty() ? mark.host : std::string(parts.host);
        found->message.time = parts.time;
        if (found->message.time && !found->message.time->utc_offset)
            found->message.time->utc_offset = mark.utc_offset;
        messages.push_back(std::move(*found));
    }
    drop_repeated_errors(messages);
    for (PcieMessage& each : messages)
        log.messages.push_back(std::move(each.message));
    return log;
}

Result<KernelLog> read_kernel_log(const std::filesystem::path& path) {
    constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;
    const auto text = read_bounded_file(path, kMostBytes);
    if (!text)
        return tl::unexpected(text.error());
    KernelLog log = parse_kernel_log(*text);
    log.path = path;
    return log;
}

} // namespace rankscope
