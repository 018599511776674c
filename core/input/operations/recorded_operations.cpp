// SPDX-License-Identifier: GPL-3.0-or-later
// Operation timelines from files: events of Chrome JSON block by block, rows of tables line by line.
#include "core/input/operations/recorded_operations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "core/base/text_match.h"
#include "core/input/format/memory_limit.h"
#include "core/input/kineto/event_block.h"
#include "core/input/kineto/json_text.h"
#include "core/input/kineto/kineto_document.h"
#include "core/input/operations/operation_json.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostColumns = 1000;
constexpr std::size_t kLongestLine = 64 * 1024;

enum class OperationColumn : std::uint8_t {
    dp,
    stage,
    tp,
    step,
    type,
    start,
    end,
    duration,
    sequence,
    chunk,
    microbatch,
    start_us,
    end_us,
    duration_us
};
constexpr std::size_t kColumnCount = static_cast<std::size_t>(OperationColumn::duration_us) + 1;

std::optional<OperationColumn> operation_column_of(std::string_view name) {
    using Entry = std::pair<std::string_view, OperationColumn>;
    static constexpr auto kColumns = std::to_array<Entry>({{"dp_rank", OperationColumn::dp},
                                                           {"dp", OperationColumn::dp},
                                                           {"stage", OperationColumn::stage},
                                                           {"pp_rank", OperationColumn::stage},
                                                           {"tp_rank", OperationColumn::tp},
                                                           {"step", OperationColumn::step},
                                                           {"optype", OperationColumn::type},
                                                           {"op_type", OperationColumn::type},
                                                           {"start_ts", OperationColumn::start},
                                                           {"end_ts", OperationColumn::end},
                                                           {"duration", OperationColumn::duration},
                                                           {"seq_id", OperationColumn::sequence},
                                                           {"mc", OperationColumn::chunk},
                                                           {"model_chunk", OperationColumn::chunk},
                                                           {"mb_id", OperationColumn::microbatch},
                                                           {"start_us", OperationColumn::start_us},
                                                           {"end_us", OperationColumn::end_us},
                                                           {"duration_us", OperationColumn::duration_us}});
    const auto found = std::ranges::find(kColumns, name, &Entry::first);
    return found == kColumns.end() ? std::nullopt : std::optional(found->second);
}

/// Cells of a row. None of the values needs quotes; cells that have them lose them. A row with more than any table has
/// columns is cut.
std::vector<std::string_view> cells_of(std::string_view line, char separator) {
    std::vector<std::string_view> cells;
    while (cells.size() < kMostColumns) {
        const std::size_t at = line.find(separator);
        cells.push_back(unquoted(line.substr(0, at)));
        if (at == std::string_view::npos)
            break;
        line.remove_prefix(at + 1);
    }
    return cells;
}

/// The columns of a table of operations: index in a row, by OperationColumn.
struct TableHeader {
    char separator = ',';
    std::array<std::optional<std::size_t>, kColumnCount> at{};
    std::size_t cells = 0;

    [[nodiscard]] bool has(OperationColumn column) const { return at[static_cast<std::size_t>(column)].has_value(); }
    /// "" where the row has no such cell.
    [[nodiscard]] std::string_view cell(const std::vector<std::string_view>& row, OperationColumn column) const {
        const auto index = at[static_cast<std::size_t>(column)];
        return index && *index < row.size() ? row[*index] : std::string_view();
    }
};

std::optional<TableHeader> table_header_of(std::string_view line) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (line.starts_with(kMark))
        line.remove_prefix(kMark.size());
    for (const char separator : {',', '\t', ';'}) {
        TableHeader header;
        header.separator = separator;
        const std::vector<std::string_view> names = cells_of(line, separator);
        header.cells = names.size();
        for (std::size_t i = 0; i < names.size(); ++i)
            if (const auto column = operation_column_of(lower_case(names[i])); column && !header.has(*column))
                header.at[static_cast<std::size_t>(*column)] = i;
        const bool times = (header.has(OperationColumn::start) &&
                            (header.has(OperationColumn::duration) || header.has(OperationColumn::end))) ||
                           (header.has(OperationColumn::start_us) &&
                            (header.has(OperationColumn::duration_us) || header.has(OperationColumn::end_us)));
        if (times && header.has(OperationColumn::dp) && header.has(OperationColumn::stage) &&
            header.has(OperationColumn::step) && header.has(OperationColumn::type))
            return header;
    }
    return std::nullopt;
}

std::optional<TimeNs> plausible_time(std::optional<TimeNs> time) {
    return time && is_plausible_time(*time) ? time : std::nullopt;
}

/// Of seconds, or of microseconds.
std::optional<TimeNs> time_in(std::string_view seconds, std::string_view microseconds) {
    if (!microseconds.empty())
        return plausible_time(parse_microseconds(microseconds));
    const auto number = parse_number(seconds);
    constexpr double kMost = static_cast<double>(kLatestTime) / 1e9;
    if (!number || !(std::abs(*number) < kMost))
        return std::nullopt;
    return plausible_time(std::llround(*number * 1e9));
}

/// A number that may be missing, as tables of data frames write it: "", "nan", "<NA>".
std::int32_t number_or_none(std::string_view cell) {
    const auto number = parse_integer(cell);
    return number && *number >= 0 && *number <= kMostRanks ? static_cast<std::int32_t>(*number) : -1;
}

class OperationRows {
public:
    explicit OperationRows(const TableHeader& header) : header_(header) {}

    void add(std::string_view line) {
        const std::uint32_t ordinal = next_++;
        ++read_.accounting.events_in_file;
        const std::vector<std::string_view> row = cells_of(line, header_.separator);
        const auto cell = [&](OperationColumn column) { return header_.cell(row, column); };
        const auto start = time_in(cell(OperationColumn::start), cell(OperationColumn::start_us));
        auto duration = time_in(cell(OperationColumn::duration), cell(OperationColumn::duration_us));
        if (!duration && start)
            if (const auto end = time_in(cell(OperationColumn::end), cell(OperationColumn::end_us)))
                duration = *end - *start;
        const std::int32_t dp = number_or_none(cell(OperationColumn::dp));
        const std::int32_t stage = number_or_none(cell(OperationColumn::stage));
        const std::int32_t tp = header_.has(OperationColumn::tp) ? number_or_none(cell(OperationColumn::tp)) : 0;
        const std::int32_t step = number_or_none(cell(OperationColumn::step));
        const std::string_view type = cell(OperationColumn::type);
        if (row.size() != header_.cells || !start || !duration || !is_plausible_time(*start + *duration) || dp < 0 ||
            stage < 0 || tp < 0 || step < 0 || type.empty()) {
            read_.accounting.add(NotShown::malformed, 1);
            return;
        }
        negative_ += *duration < 0;
        RecordedOperation operation;
        operation.start = *start;
        operation.duration = std::max<TimeNs>(0, *duration);
        operation.type = number_in(types_, std::string(type), read_.types);
        operation.track = number_in(tracks_, OperationTrack{dp, stage, tp, std::string(lane_of(type))}, read_.tracks);
        operation.operation = {ordinal, step, number_or_none(cell(OperationColumn::chunk)),
                               number_or_none(cell(OperationColumn::microbatch)),
                               number_or_none(cell(OperationColumn::sequence))};
        read_.operations.push_back(operation);
    }

    /// A line that is too long to be a row.
    void add_malformed() {
        ++next_;
        ++read_.accounting.events_in_file;
        read_.accounting.add(NotShown::malformed, 1);
    }

    [[nodiscard]] std::uint64_t memory_bytes() const {
        constexpr std::uint64_t kPerName = 256;
        return read_.operations.capacity() * sizeof(RecordedOperation) + (types_.size() + tracks_.size()) * kPerName;
    }

    RecordedOperations finish() {
        if (negative_ > 0)
            add_notice(
                read_.notices,
                {"negative_durations", "operations that end before they start count as instants"_text, {}, negative_});
        return std::move(read_);
    }

private:
    template <typename Key>
    static std::uint32_t number_in(std::map<Key, std::uint32_t>& numbers, const Key& key, std::vector<Key>& list) {
        const auto [known, added] = numbers.try_emplace(key, static_cast<std::uint32_t>(list.size()));
        if (added)
            list.push_back(key);
        return known->second;
    }
    /// Tables do not name lanes: as timelines of the same operations do.
    static std::string_view lane_of(std::string_view type) {
        if (type.ends_with("-send") || type.ends_with("-recv"))
            return "pp-comm";
        if (type.starts_with("tp-"))
            return "tp-comm";
        const bool compute = type.ends_with("compute") || type == "gc" || type == "optimizer" || type == "data-load" ||
                             type == "data-sync" || type == "forward-backward";
        return compute ? "compute" : "dp-comm";
    }

    const TableHeader& header_;
    RecordedOperations read_;
    std::map<std::string, std::uint32_t> types_;
    std::map<OperationTrack, std::uint32_t> tracks_;
    std::uint32_t next_ = 0;
    std::int64_t negative_ = 0;
};

/// TableLines of a file, each at most kLongestLine long.
class TableLines {
public:
    explicit TableLines(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

    /// Nothing behind the last one. The view holds until the next call.
    std::optional<std::string_view> next() {
        too_long_ = false;
        while (true) {
            const std::size_t end = buffer_.find('\n', at_);
            if (end != std::string::npos)
                return line(end, 1);
            if (at_end_)
                return at_ == buffer_.size() ? std::nullopt : std::optional(line(buffer_.size(), 0));
            if (buffer_.size() - at_ > kLongestLine) {
                too_long_ = true;
                at_ = buffer_.size();
            }
            fill();
        }
    }
    [[nodiscard]] bool too_long() const { return too_long_; }
    [[nodiscard]] std::uint64_t text_bytes() const { return text_bytes_; }
    [[nodiscard]] const ByteSource& source() const { return *source_; }

private:
    std::string_view line(std::size_t end, std::size_t behind) {
        std::string_view text(buffer_.data() + at_, end - at_);
        at_ = end + behind;
        if (text.ends_with('\r'))
            text.remove_suffix(1);
        return text;
    }
    void fill() {
        buffer_.erase(0, at_);
        at_ = 0;
        const std::size_t known = buffer_.size();
        buffer_.resize(known + kLongestLine);
        const std::size_t got = source_->read({buffer_.data() + known, kLongestLine});
        buffer_.resize(known + got);
        text_bytes_ += got;
        at_end_ = got < kLongestLine;
    }

    std::unique_ptr<ByteSource> source_;
    std::string buffer_;
    std::size_t at_ = 0;
    std::uint64_t text_bytes_ = 0;
    bool at_end_ = false;
    bool too_long_ = false;
};

tl::unexpected<Error> operations_cancelled() {
    return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
}

/// What both kinds of files report while they are read.
class ReadingProgress {
public:
    explicit ReadingProgress(const ReadOptions& options) : options_(options) {}
    /// False: stop.
    bool at(std::uint64_t consumed) {
        if (options_.on_bytes && consumed > reported_) {
            options_.on_bytes(consumed - reported_);
            reported_ = consumed;
        }
        return !options_.cancel.stop_requested();
    }

private:
    const ReadOptions& options_;
    std::uint64_t reported_ = 0;
};

void note_damage(RecordedOperations& read, const Message& damage) {
    if (!damage.empty())
        add_notice(read.notices, {"truncated_file",
                                  "%1: %2 operations before the damage are shown, what follows is missing"_text(
                                      damage, read.operations.size()),
                                  {},
                                  1});
}

void note_malformed(RecordedOperations& read) {
    if (const std::uint64_t malformed = read.accounting.of(NotShown::malformed); malformed > 0)
        add_notice(read.notices, {"malformed_events",
                                  "operations that could not be read, or have no step, were left out"_text,
                                  {},
                                  static_cast<std::int64_t>(malformed)});
}

Result<RecordedOperations> read_table(const fs::path& path, const TableHeader& header, TableLines& lines,
                                      const ReadOptions& options) {
    OperationRows rows(header);
    ReadingProgress progress(options);
    std::uint64_t number = 0;
    while (const auto line = lines.next()) {
        if (lines.too_long())
            rows.add_malformed();
        else if (!trimmed(*line).empty())
            rows.add(*line);
        if (++number % 1024 != 0)
            continue;
        if (!progress.at(lines.source().consumed()))
            return operations_cancelled();
        if (options.memory_bytes > 0 && rows.memory_bytes() > options.memory_bytes)
            return beyond_memory(path, options.memory_bytes, "%1 operations"_text(number));
    }
    progress.at(lines.source().consumed());
    RecordedOperations read = rows.finish();
    read.file_bytes = lines.source().file_bytes();
    read.text_bytes = lines.text_bytes();
    note_damage(read, lines.source().damage());
    return read;
}

Result<RecordedOperations> read_json(const fs::path& path, const ReadOptions& options) {
    auto source = open_byte_source(path);
    if (!source)
        return tl::unexpected(source.error());
    const std::uint64_t file_bytes = (*source)->file_bytes();
    KinetoDocument document(std::move(*source));
    document.keep_to(options.memory_bytes);
    if (document.start() != KinetoDocument::Start::events)
        return input_error("%1 is no operation timeline: it has no events"_text(path.string()));
    OperationEvents events;
    ReadingProgress progress(options);
    while (auto piece = document.next_piece()) {
        if (!progress.at(piece->consumed))
            return operations_cancelled();
        if (const auto block = document.cut(std::move(*piece)))
            events.add(block->bracketed.view(), block->elements);
        if (options.memory_bytes > 0 && events.memory_bytes() > options.memory_bytes)
            return beyond_memory(path, options.memory_bytes, "%1 events"_text(events.accounting().events_in_file));
    }
    document.finish();
    Accounting& accounting = events.accounting();
    // A key may occur twice; only the first list of events is read.
    std::uint64_t repeated = 0;
    if (const auto again = document.header().find("traceEvents"); again != document.header().end())
        repeated = array_elements(again->second).size();
    accounting.events_in_file += document.cut_off() + document.trailing_scalars() + repeated;
    accounting.add(NotShown::cut_off, document.cut_off());
    accounting.add(NotShown::malformed, document.trailing_scalars());
    accounting.add(NotShown::duplicate, repeated);
    RecordedOperations read = events.finish();
    read.file_bytes = file_bytes;
    read.text_bytes = document.text_bytes();
    note_damage(read, document.damage());
    return read;
}

/// Two tables that were joined may hold an operation twice: no rank does the same twice at one moment.
void drop_repeated(RecordedOperations& read) {
    const auto key = [&](std::size_t i) {
        const RecordedOperation& of = read.operations[i];
        return std::tuple(of.start, of.duration, of.type, of.track, of.operation.step, of.operation.chunk,
                          of.operation.microbatch, of.operation.sequence);
    };
    std::vector<std::size_t> order(read.operations.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, key);
    std::vector<bool> repeats(order.size());
    std::uint64_t repeated = 0;
    for (std::size_t i = 1; i < order.size(); ++i)
        if (key(order[i]) == key(order[i - 1])) {
            repeats[order[i]] = true;
            ++repeated;
        }
    if (repeated == 0)
        return;
    std::vector<RecordedOperation> kept;
    for (std::size_t i = 0; i < repeats.size(); ++i)
        if (!repeats[i])
            kept.push_back(read.operations[i]);
    read.operations = std::move(kept);
    read.accounting.add(NotShown::duplicate, repeated);
    add_notice(read.notices, {"repeated_events",
                              "operations stand in the file a second time; each counts once"_text,
                              {},
                              static_cast<std::int64_t>(repeated)});
}

} // namespace

Result<bool> is_operation_table(const FileStart& file) {
    auto source = file.open();
    if (!source)
        return tl::unexpected(source.error());
    TableLines lines(std::move(*source));
    const auto line = lines.next();
    return line && !lines.too_long() && table_header_of(*line).has_value();
}

Result<RecordedOperations> read_operations(const fs::path& path, const ReadOptions& options) {
    auto source = open_byte_source(path);
    if (!source)
        return tl::unexpected(source.error());
    TableLines lines(std::move(*source));
    const auto first = lines.next();
    const auto header = first && !lines.too_long() ? table_header_of(*first) : std::nullopt;
    auto read = header ? read_table(path, *header, lines, options) : read_json(path, options);
    if (!read)
        return read;
    drop_repeated(*read);
    note_malformed(*read);
    if (read->operations.empty())
        return input_error("%1 holds no operation that can be read"_text(path.string()));
    for (Notice& notice : read->notices)
        notice.file = path.string();
    return read;
}

} // namespace rankscope
