// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what `nsys stats` printed: cuda_gpu_trace as a timeline, one rank for each device; cuda_gpu_sum and
// cuda_gpu_kern_sum as a kernel table without times.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/input/bytes/byte_source.h"
#include "core/input/format/trace_format.h"
#include "core/input/nsys/stats_text.h"
#include "core/trace/copy_memory.h"
#include "core/trace/plausible.h"
#include "core/trace/rank_builder.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 9> kNames{"gpu_trace", "gputrace",   "gpu_sum",  "gpusum",    "kern_sum",
                                                 "kernsum",   "nsys_trace", "nsys_sum", "_trace.txt"};

bool is_stats_name(std::string_view name) {
    const bool text = name.ends_with(".csv") || name.ends_with(".txt") || name.ends_with(".log") ||
                      name.ends_with(".out") || name.ends_with(".column") || name.ends_with(".gz") ||
                      name.ends_with(".zst");
    return text && std::ranges::any_of(
                       kNames, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

/// As much of the decompressed text as there is, at most `most` bytes.
Result<std::string> text_of(const FileStart& file, std::size_t most, const ReadOptions* options = nullptr) {
    auto source = file.open();
    if (!source)
        return tl::unexpected(source.error());
    std::string text;
    constexpr std::size_t kStep = 1 << 20;
    std::uint64_t reported = 0;
    while (text.size() < most) {
        if (options != nullptr && options->cancel.stop_requested())
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
        const std::size_t known = text.size();
        const std::size_t step = std::min(kStep, most - known);
        text.resize(known + step);
        text.resize(known + (*source)->read({text.data() + known, step}));
        if (options != nullptr && options->on_bytes) {
            options->on_bytes((*source)->consumed() - reported);
            reported = (*source)->consumed();
        }
        if (text.size() < known + step)
            break;
    }
    return text;
}

Result<std::optional<FilePeek>> peek_stats_file(const FileStart& file) {
    constexpr std::size_t kBeginning = 64 * 1024; // preambles are short
    const auto text = text_of(file, kBeginning);
    if (!text)
        return tl::unexpected(text.error());
    std::string_view rest = *text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (stats_header_kind(rest.substr(0, end)))
            return FilePeek{};
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return std::nullopt;
}

/// "NVIDIA A100-SXM4-80GB (1)" -> 1.
std::optional<std::int64_t> device_number(std::string_view cell) {
    const std::size_t open = cell.rfind('(');
    std::int64_t number = 0;
    if (open == std::string_view::npos || !cell.ends_with(')'))
        return {};
    const auto [end, error] = std::from_chars(cell.data() + open + 1, cell.data() + cell.size(), number);
    return error == std::errc{} && *end == ')' && number >= 0 ? std::optional(number) : std::nullopt;
}

constexpr std::size_t kMostDevicesOfText = 64; // as of an export

struct Work {
    EventKind kind = EventKind::kernel;
    std::string name;
};

std::int8_t memory_kind(std::string_view word) {
    const auto found = std::ranges::find(kCopyMemories, word);
    return found == kCopyMemories.end() ? std::int8_t{-1} : static_cast<std::int8_t>(found - kCopyMemories.begin());
}

/// Copies and sets under the names that other sources give them.
Work work_of(std::string_view name, std::string_view from, std::string_view to) {
    if (name.starts_with("[CUDA memset"))
        return {EventKind::memset, "Memset (Device)"};
    if (!name.starts_with("[CUDA memcpy"))
        return {EventKind::kernel, std::string(name)};
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> directions{
        {{"Host-to-Device", "HtoD"},
         {"Device-to-Host", "DtoH"},
         {"Device-to-Device", "DtoD"},
         {"Host-to-Host", "HtoH"},
         {"Peer-to-Peer", "PtoP"}}};
    std::string_view direction = "Unknown";
    for (const auto& [words, letters] : directions)
        if (name.find(words) != std::string_view::npos || name.find(letters) != std::string_view::npos)
            direction = letters;
    const auto known = [](std::string_view kind) { return kind.empty() ? std::string_view("Unknown") : kind; };
    return {EventKind::memcpy, fmt::format("Memcpy {} ({} -> {})", direction, known(from), known(to))};
}

/// The cells of a row by the meaning of their columns.
class TraceRows {
public:
    explicit TraceRows(const StatsTable& table) : table_(table) {
        start_ = table.column({"Start"});
        duration_ = table.column({"Duration"});
        start_ns_ = scale(start_, unit_ns);
        duration_ns_ = scale(duration_, unit_ns);
        name_ = table.column({"Name"});
        device_ = table.column({"Device"});
        stream_ = table.column({"Strm", "Stream"});
        context_ = table.column({"Ctx", "Context"});
        green_ = table.column({"GreenCtx"});
        correlation_ = table.column({"CorrId", "CorrID"});
        bytes_ = table.column({"Bytes", "Size"});
        bytes_scale_ = scale(bytes_, unit_bytes);
        from_ = table.column({"SrcMemKd", "SrcMemType"});
        to_ = table.column({"DstMemKd", "DstMemType"});
    }
    /// What hinders reading; empty when nothing does.
    [[nodiscard]] Message problem() const {
        if (name_ < 0)
            return "the column Name is missing"_text;
        if (start_ns_ == 0 || duration_ns_ == 0)
            return "Start and Duration have no known unit"_text;
        return {};
    }
    [[nodiscard]] std::optional<CellNumber> start() const { return cell_number(cell(start_), start_ns_); }
    [[nodiscard]] std::optional<CellNumber> duration() const { return cell_number(cell(duration_), duration_ns_); }
    [[nodiscard]] std::string_view device() const { return cell(device_); }
    [[nodiscard]] std::int64_t stream() const { return whole(stream_, -1); }
    [[nodiscard]] std::int64_t context() const { return whole(context_, -1); }
    [[nodiscard]] std::int64_t correlation() const { return whole(correlation_, kUnknown); }
    [[nodiscard]] std::int64_t bytes() const { return scaled_integer(cell(bytes_), bytes_scale_).value_or(-1); }
    [[nodiscard]] Work work() const { return work_of(cell(name_), cell(from_), cell(to_)); }
    [[nodiscard]] LaunchShape shape() const {
        LaunchShape shape;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const char letter = static_cast<char>('X' + axis);
            shape.grid[axis] = count(table_.column({std::string("Grd") + letter}));
            shape.block[axis] = count(table_.column({std::string("Blk") + letter}));
        }
        shape.registers = count(table_.column({"Reg/Trd"}));
        const auto shared = [&](std::string_view column_name) {
            const int column = table_.column({column_name});
            return static_cast<std::uint32_t>(std::clamp<std::int64_t>(
                scaled_integer(cell(column), scale(column, unit_bytes)).value_or(0), 0, 1 << 30));
        };
        shape.static_shared = shared("StcSMem");
        shape.dynamic_shared = shared("DymSMem");
        shape.context = static_cast<std::int32_t>(context());
        shape.green_context = static_cast<std::int32_t>(whole(green_, -1));
        shape.source_memory = memory_kind(cell(from_));
        shape.target_memory = memory_kind(cell(to_));
        return shape;
    }
    void set_row(const std::vector<std::string_view>& row) { row_ = &row; }

private:
    [[nodiscard]] std::int64_t scale(int column, std::int64_t (*unit)(std::string_view)) const {
        return column < 0 ? 0 : unit(table_.header[static_cast<std::size_t>(column)].unit);
    }
    [[nodiscard]] std::string_view cell(int column) const {
        return column < 0 ? std::string_view{} : (*row_)[static_cast<std::size_t>(column)];
    }
    [[nodiscard]] std::int64_t whole(int column, std::int64_t otherwise) const {
        const auto value = scaled_integer(cell(column), 1).value_or(otherwise);
        return value > (std::int64_t{1} << 31) || value < 0 ? otherwise : value;
    }
    [[nodiscard]] std::uint32_t count(int column) const { return static_cast<std::uint32_t>(whole(column, 0)); }

    const StatsTable& table_;
    const std::vector<std::string_view>* row_ = nullptr;
    int start_, duration_, name_, device_, stream_, context_, green_, correlation_, bytes_, from_, to_;
    std::int64_t start_ns_, duration_ns_, bytes_scale_;
};

/// Rows whose times nsys cut to the width of their column.
struct CutTimes {
    std::int64_t rows = 0;
    TimeNs step = 0; ///< the coarsest
    void add(TimeNs of_row) {
        rows += of_row > 0;
        step = std::max(step, of_row);
    }
    void tell(Notices& notices, const fs::path& path) const {
        if (rows > 0)
            add_notice(notices,
                       {"cut_times",
                        "nsys cut the times of these rows to the width of their column: they are known to %1 us, and "
                        "are shown as if zeros followed; print the report as CSV for all digits"_text(
                            number_text(static_cast<double>(step) / 1e3)),
                        path.string(), rows});
    }
};

struct DevicePart {
    std::string name;
    std::unique_ptr<RankBuilder> builder;
    std::uint32_t events = 0;
};

Result<RankTraces> read_trace(const fs::path& path, const std::vector<StatsTable>& tables,
                              const std::shared_ptr<StringTable>& names, const ReadOptions& options) {
    std::map<std::int64_t, DevicePart> parts;
    std::int64_t unreadable = 0, cut_devices = 0, beyond_devices = 0;
    CutTimes cut;
    Accounting accounting; // of what no device has
    for (const StatsTable& table : tables) {
        if (table.kind != StatsTable::Kind::trace)
            continue;
        TraceRows rows(table);
        if (!rows.problem().empty())
            return input_error(
                "%1: %2; print it again with nsys stats --report cuda_gpu_trace"_text(path.string(), rows.problem()));
        unreadable += table.unreadable;
        accounting.events_in_file += table.rows.size() + static_cast<std::uint64_t>(table.unreadable);
        for (const auto& row : table.rows) {
            rows.set_row(row);
            const auto start = rows.start();
            const auto duration = rows.duration();
            if (!start || !duration || !is_plausible_time(start->value) ||
                duration->value >= kLatestTime - start->value) {
                ++unreadable;
                continue;
            }
            const auto number = device_number(rows.device());
            cut_devices += !number && !rows.device().empty();
            const std::int64_t device = number.value_or(0);
            if (!parts.contains(device) && parts.size() == kMostDevicesOfText) {
                ++beyond_devices;
                continue;
            }
            DevicePart& part = parts[device];
            if (!part.builder) {
                part.builder = std::make_unique<RankBuilder>(names);
                part.name = rows.device();
            }
            --accounting.events_in_file;
            cut.add(std::max(start->step, duration->step));
            const Work work = rows.work();
            RawEvent event;
            event.start = start->value;
            event.duration = std::max<TimeNs>(0, duration->value);
            event.correlation = rows.correlation();
            event.kind = work.kind;
            event.name = names->intern(work.name);
            event.track = part.builder->track("GPU", fmt::format("context {} stream {}", rows.context(), rows.stream()),
                                              device, rows.stream());
            event.ordinal = part.events++;
            part.builder->add(event);
            part.builder->add_launch_shape(event.ordinal, part.builder->launch_shape(rows.shape()));
            if (const std::int64_t bytes = rows.bytes();
                bytes >= 0 && is_gpu_work(work.kind) && work.kind != EventKind::kernel)
                part.builder->add_transfer(
                    event.ordinal, bytes,
                    event.duration > 0 ? static_cast<double>(bytes) / static_cast<double>(event.duration) : 0);
        }
    }
    accounting.add(NotShown::malformed, static_cast<std::uint64_t>(unreadable + beyond_devices));
    RankTraces ranks;
    std::error_code error;
    const std::uint64_t file_bytes = fs::file_size(path, error);
    for (auto& [device, part] : parts) {
        RankTrace& trace = part.builder->trace();
        trace.rank = -1;
        trace.file = path;
        trace.source = TraceSource::nsys_stats;
        trace.file_bytes = trace.text_bytes = ranks.empty() && !error ? file_bytes : 0;
        trace.devices.push_back({device, part.name.substr(0, part.name.rfind(" (")), 0, 0});
        if (ranks.empty()) {
            if (unreadable > 0)
                add_notice(trace.notices,
                           {"malformed_events", "rows that could not be read were left out"_text, {}, unreadable});
            cut.tell(trace.notices, path);
            if (cut_devices > 0)
                add_notice(trace.notices,
                           {"cut_device",
                            "the number of the device is cut off: such rows count for device 0; print the report "
                            "as CSV to keep devices apart"_text,
                            {},
                            cut_devices});
            if (beyond_devices > 0)
                add_notice(trace.notices,
                           {"too_many_devices",
                            "more than %1 devices: rows of the others were left out"_text(kMostDevicesOfText),
                            {},
                            beyond_devices});
            add_notice(trace.notices,
                       {"no_host_events",
                        "the report of nsys stats has no launches and no ranges: what the host did is not known"_text,
                        {},
                        1});
        }
        part.builder->drop_strays();
        trace.accounting.events_in_file = part.events;
        trace.accounting.on_timeline = part.builder->event_count();
        trace.accounting.add(NotShown::stray, part.events - part.builder->event_count());
        if (ranks.empty())
            trace.accounting += accounting;
        for (Notice& notice : trace.notices)
            notice.file = path.string();
        if (auto rank = part.builder->finish(options.cancel))
            ranks.push_back(std::move(rank));
        else
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
    }
    if (ranks.empty())
        return input_error(
            "%1 holds no row that could be read; where nsys cut times to the width of their column, print the "
            "report with --format csv"_text(path.string()));
    return ranks;
}

std::optional<double> decimal(std::string_view cell, std::int64_t scale) {
    // Statistics have one decimal of a nanosecond: kept by reading them a thousandfold.
    const auto number = cell_number(cell, scale * 1000);
    return number ? std::optional(static_cast<double>(number->value) / 1000) : std::nullopt;
}

Result<RankTraces> read_sum(const fs::path& path, const std::vector<StatsTable>& tables,
                            const std::shared_ptr<StringTable>& names) {
    auto trace = std::make_shared<RankTrace>();
    std::int64_t unreadable = 0;
    CutTimes cut;
    for (const StatsTable& table : tables) {
        const int name = table.column({"Operation", "Name"}), total = table.column({"Total Time"}),
                  count = table.column({"Instances"});
        const int average = table.column({"Avg", "Average"}), median = table.column({"Med", "Median"}),
                  least = table.column({"Min", "Minimum"});
        const int most = table.column({"Max", "Maximum"}), deviation = table.column({"StdDev"});
        if (table.kind != StatsTable::Kind::sum || name < 0)
            continue;
        unreadable += table.unreadable;
        trace->accounting.events_in_file += table.rows.size() + static_cast<std::uint64_t>(table.unreadable);
        const auto scale = [&](int column) {
            return column < 0 ? 0 : unit_ns(table.header[static_cast<std::size_t>(column)].unit);
        };
        for (const auto& row : table.rows) {
            const auto cell = [&](int column) {
                return column < 0 ? std::string_view{} : row[static_cast<std::size_t>(column)];
            };
            TimeNs step = 0;
            const auto sum = cell_number(cell(total), scale(total));
            const auto time = [&](int column) {
                const CellNumber number = cell_number(cell(column), scale(column)).value_or(CellNumber{});
                step = std::max(step, number.step);
                return number.value;
            };
            const auto instances = scaled_integer(cell(count), 1);
            if (!sum || !instances || sum->value < 0 || sum->value > kLongestRecording || *instances <= 0 ||
                !is_plausible(*instances)) {
                ++unreadable;
                continue;
            }
            const Work work = work_of(cell(name), {}, {});
            KernelSum entry;
            entry.name = names->intern(work.name);
            entry.kind = work.kind;
            entry.count = *instances;
            entry.total = sum->value;
            entry.min = time(least);
            entry.max = time(most);
            entry.mean = decimal(cell(average), scale(average))
                             .value_or(static_cast<double>(sum->value) / static_cast<double>(*instances));
            entry.median = decimal(cell(median), scale(median)).value_or(0);
            entry.standard_deviation = decimal(cell(deviation), scale(deviation)).value_or(0);
            cut.add(std::max(step, sum->step));
            trace->kernel_sums.push_back(entry);
        }
    }
    if (trace->kernel_sums.empty())
        return input_error(
            "%1 holds no row that could be read; where nsys cut times to the width of their column, print the "
            "report with --format csv"_text(path.string()));
    trace->accounting.add(NotShown::sums, trace->kernel_sums.size());
    trace->accounting.add(NotShown::malformed, static_cast<std::uint64_t>(unreadable));
    trace->rank = -1;
    trace->file = path;
    trace->source = TraceSource::nsys_stats;
    trace->names = names;
    std::error_code error;
    trace->file_bytes = trace->text_bytes = fs::file_size(path, error);
    add_notice(trace->notices,
               {"sums_only",
                "the report holds sums of kernels without their times: there is a kernel table and no timeline"_text,
                path.string(), 1});
    cut.tell(trace->notices, path);
    if (unreadable > 0)
        add_notice(trace->notices,
                   {"malformed_events", "rows that could not be read were left out"_text, path.string(), unreadable});
    return RankTraces{std::move(trace)};
}

Result<RankTraces> read_stats_file(const fs::path& path, const std::shared_ptr<StringTable>& names,
                                   const ReadOptions& options) {
    constexpr std::size_t kMost = std::size_t{16} << 30;
    const auto text = text_of(path, kMost, &options);
    if (!text)
        return tl::unexpected(text.error());
    const std::vector<StatsTable> tables = parse_stats_text(*text);
    const bool has_times = std::ranges::any_of(
        tables, [](const StatsTable& table) { return table.kind == StatsTable::Kind::trace && !table.rows.empty(); });
    return has_times ? read_trace(path, tables, names, options) : read_sum(path, tables, names);
}

} // namespace

TraceFormat nsys_stats_format();
TraceFormat nsys_stats_format() {
    return {TraceSource::nsys_stats, "tables of nsys stats", is_stats_name, peek_stats_file, read_stats_file};
}

} // namespace rankscope
