// SPDX-License-Identifier: GPL-3.0-or-later
// Dumps of PyTorch's Flight Recorder as a kind of capture: each rank's last calls, a lane a process group.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/text_match.h"
#include "core/input/bytes/byte_source.h"
#include "core/input/bytes/text_buffer.h"
#include "core/input/flight_recorder/dump.h"
#include "core/input/flight_recorder/plain_data.h"
#include "core/input/format/trace_format.h"
#include "core/trace/dump_name.h"
#include "core/trace/plausible.h"
#include "core/trace/rank_builder.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

/// Dumps have names of the user's choice that end in a number. A name with a dot before the number is more often that
/// of a library or of a log.
bool is_dump_name(std::string_view name) {
    if (!rank_in_dump_name(name))
        return false;
    if (is_usual_dump_name(name))
        return true;
    const std::size_t dot = name.find('.');
    return dot == std::string_view::npos || name.substr(dot) == ".json" || name.substr(dot) == ".pickle" ||
           name.substr(dot) == ".pkl";
}

/// At most so many bytes of the file's text.
Result<std::string_view> bytes_of(const FileStart& file, std::size_t most, TextBuffer& bytes,
                                  const ReadOptions* options = nullptr) {
    auto source = file.open();
    if (!source)
        return tl::unexpected(source.error());
    bytes.cut(0);
    std::uint64_t reported = 0;
    while (bytes.size() < most) {
        if (options != nullptr && options->cancel.stop_requested())
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
        // A plain file in one piece, and a byte more, which shows its end.
        constexpr std::uint64_t kLeast = std::uint64_t{64} << 10, kMost = std::uint64_t{4} << 20;
        const std::size_t step =
            std::min<std::size_t>(std::clamp((*source)->file_bytes() + 1, kLeast, kMost), most - bytes.size());
        const std::size_t known = bytes.size();
        const std::size_t got = (*source)->read(bytes.grow(step));
        bytes.cut(known + got);
        if (options != nullptr && options->on_bytes) {
            options->on_bytes((*source)->consumed() - reported);
            reported = (*source)->consumed();
        }
        if (got < step)
            break;
    }
    return bytes.view();
}

Result<std::optional<FilePeek>> peek_dump(const FileStart& file) {
    constexpr std::size_t kBeginning = 4096;
    TextBuffer bytes;
    const auto beginning = bytes_of(file, kBeginning, bytes);
    if (!beginning)
        return tl::unexpected(beginning.error());
    const std::string name = file.path().filename().string();
    // A pickle with the name of a dump that is none, or an empty file, must not pass unseen: reading it says what is
    // wrong.
    const bool named_like_one =
        is_usual_dump_name(lower_case(name)) && (beginning->starts_with('\x80') || beginning->empty());
    if (!begins_as_dump(*beginning) && !named_like_one)
        return std::nullopt;
    FilePeek peek;
    peek.rank = rank_in_dump_name(name);
    return peek;
}

std::string lane_name(const FlightRecorderGroup& group) {
    return group.description.empty() || group.description == "undefined"
               ? fmt::format("group {}", group.name)
               : fmt::format("group {} {}", group.name, group.description);
}

/// Appends what the call is called on the timeline.
void append_name(const FlightRecorderDump& dump, const FlightRecorderCall& call, bool finished, std::string& text) {
    fmt::format_to(std::back_inserter(text), "{} {}", dump.kinds[call.kind], call.seq());
    if (call.is_message()) {
        const std::vector<int>& ranks = dump.groups[call.group].ranks;
        const bool sends = dump.kinds[call.kind] == "send";
        const auto other = static_cast<std::size_t>(sends ? call.destination : call.source);
        fmt::format_to(std::back_inserter(text), " {} rank {}", sends ? "to" : "from",
                       other < ranks.size() ? ranks[other] : static_cast<int>(other));
    }
    if (!finished)
        text += ": not finished";
}

TimeNs beginning_of(const FlightRecorderCall& call) {
    return call.created != 0 ? call.created : call.started != 0 ? call.started : call.completed;
}

/// The name of each call that has a time, in order.
std::vector<NameId> names_of_calls(const FlightRecorderDump& dump, StringTable& table) {
    std::string text;
    std::vector<std::size_t> ends{0};
    for (const FlightRecorderCall& call : dump.calls)
        if (beginning_of(call) != 0) {
            append_name(dump, call, call.state == CallState::completed, text);
            ends.push_back(text.size());
        }
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
        names.push_back(std::string_view(text).substr(ends[i], ends[i + 1] - ends[i]));
    return table.intern_all(names);
}

/// A call as long as it took; one that is not finished lasts until the end of the dump, and says so.
/// Returns, for each event, whether it is the first of its call.
std::vector<bool> add_calls(const FlightRecorderDump& dump, RankBuilder& builder) {
    std::vector<bool> first_of_call;
    std::vector<std::optional<TrackId>> tracks(dump.groups.size());
    const std::vector<NameId> names = names_of_calls(dump, builder.names());
    const NameId on_gpu = builder.names().intern("on the GPU");
    const NameId on_gpu_still = builder.names().intern("on the GPU: not finished");
    std::uint32_t ordinal = 0;
    const auto add = [&](TimeNs start, TimeNs end, NameId name, TrackId track) {
        RawEvent event;
        event.start = start;
        event.duration = std::max<TimeNs>(0, end - start);
        event.kind = EventKind::other;
        event.name = name;
        event.track = track;
        event.ordinal = ordinal++;
        builder.add(event);
    };
    auto name = names.begin();
    for (const FlightRecorderCall& call : dump.calls) {
        const TimeNs begin = beginning_of(call);
        if (begin == 0)
            continue;
        auto& track = tracks[call.group];
        if (!track)
            track = builder.track("process groups", lane_name(dump.groups[call.group]), kUnknown, kUnknown);
        const bool finished = call.state == CallState::completed;
        const TimeNs end = finished ? std::max(begin, call.completed) : std::max(dump.last_time, begin);
        first_of_call.push_back(true);
        add(begin, end, *name++, *track);
        if (call.started > begin) {
            first_of_call.push_back(false);
            add(call.started, end, finished ? on_gpu : on_gpu_still, *track);
        }
    }
    return first_of_call;
}

/// Calls of which the builder has the event.
std::uint64_t shown_calls(const RankBuilder& builder, const std::vector<bool>& first_of_call) {
    std::uint64_t shown = 0;
    for (std::size_t i = 0; i < builder.events().size(); ++i)
        shown += first_of_call[builder.events().ordinal(i)];
    return shown;
}

/// What reading a dump needs of memory, used again for the next one: a page costs more than what is done in it.
struct DumpMemory {
    TextBuffer bytes;
    FlightRecorderReader reader;
};

/// What one dump may take: its text, and its values twice.
PlainLimits limits_for(std::uint64_t memory_bytes) {
    PlainLimits limits;
    if (memory_bytes > 0) {
        limits.bytes = std::min<std::uint64_t>(limits.bytes, memory_bytes / 4);
        limits.values = std::min<std::uint64_t>(limits.values, memory_bytes / (4 * sizeof(PlainValue)));
    }
    return limits;
}

Result<ReadFlightRecorder> read_file(const fs::path& path, const ReadOptions& options, std::size_t& text_bytes) {
    thread_local std::unique_ptr<DumpMemory> kept;
    std::unique_ptr<DumpMemory> memory = kept ? std::move(kept) : std::make_unique<DumpMemory>();
    const PlainLimits limits = limits_for(options.memory_bytes);
    const auto bytes = bytes_of(path, limits.bytes + 1, memory->bytes, &options);
    if (!bytes)
        return tl::unexpected(bytes.error());
    text_bytes = bytes->size();
    auto read = memory->reader.read(*bytes, limits);
    if (!read)
        return input_error(
            "%1 cannot be read as a dump of the Flight Recorder: %2"_text(path.string(), read.error().message));
    constexpr std::size_t kMostKept = std::size_t{16} << 20;
    if (bytes->size() + memory->reader.memory_bytes() <= kMostKept)
        kept = std::move(memory);
    return read;
}

Result<RankTraces> read_dump(const fs::path& path, const std::shared_ptr<StringTable>& names,
                             const ReadOptions& options) {
    std::size_t text_bytes = 0;
    auto read = read_file(path, options, text_bytes);
    if (!read)
        return tl::unexpected(read.error());
    RankBuilder builder(names);
    const std::vector<bool> first_of_call = add_calls(read->dump, builder);
    const std::uint64_t timed = shown_calls(builder, first_of_call);
    const std::uint64_t calls = read->dump.calls.size();
    const auto left_out = static_cast<std::uint64_t>(read->left_out);
    RankTrace& trace = builder.trace();
    trace.rank = read->rank.value_or(-1);
    if (const auto named = rank_in_dump_name(path.filename().string()))
        trace.rank = *named;
    trace.file = path;
    trace.source = TraceSource::flight_recorder;
    std::error_code error;
    trace.file_bytes = fs::file_size(path, error);
    trace.text_bytes = text_bytes;
    int highest = trace.rank;
    for (const FlightRecorderGroup& group : read->dump.groups)
        for (const int rank : group.ranks)
            highest = std::max(highest, rank);
    trace.world_size = highest < kMostRanks ? highest + 1 : 0;
    trace.header["flight_recorder.version"] = read->dump.version;
    if (!read->dump.nccl_version.empty())
        trace.header["flight_recorder.nccl_version"] = read->dump.nccl_version;
    if (read->left_out > 0)
        add_notice(trace.notices, {"malformed_events", "calls of the dump that could not be read were left out"_text,
                                   path.string(), read->left_out});
    if (read->rank && trace.rank != *read->rank)
        add_notice(trace.notices, {"rank_by_name",
                                   "the name says rank %1, the groups in the dump say rank %2: taken as %3"_text(
                                       trace.rank, *read->rank, trace.rank),
                                   path.string(), 1});
    trace.flight_recorder = std::make_shared<const FlightRecorderDump>(std::move(read->dump));
    builder.drop_strays();
    trace.accounting.events_in_file = calls + left_out;
    trace.accounting.on_timeline = shown_calls(builder, first_of_call);
    trace.accounting.add(NotShown::stray, timed - trace.accounting.on_timeline);
    // Calls without any time have no place on the timeline.
    trace.accounting.add(NotShown::malformed, calls - timed + left_out);
    auto rank = builder.finish(options.cancel);
    if (!rank)
        return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
    return RankTraces{std::move(rank)};
}

} // namespace

TraceFormat flight_recorder_format();
TraceFormat flight_recorder_format() {
    return {TraceSource::flight_recorder, "dumps of the Flight Recorder", is_dump_name, peek_dump, read_dump};
}

} // namespace rankscope
