// SPDX-License-Identifier: GPL-3.0-or-later
// Dumps of PyTorch's Flight Recorder as a kind of capture: each rank's last calls, a lane a process group.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/text_match.h"
#include "core/input/bytes/byte_source.h"
#include "core/input/flight_recorder/dump.h"
#include "core/input/flight_recorder/plain_data.h"
#include "core/input/format/trace_format.h"
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

Result<std::string> bytes_of(const fs::path& path, std::size_t most, const ReadOptions* options = nullptr) {
    auto source = open_byte_source(path);
    if (!source)
        return tl::unexpected(source.error());
    std::string bytes;
    constexpr std::size_t kStep = std::size_t{1} << 20;
    std::uint64_t reported = 0;
    while (bytes.size() < most) {
        if (options != nullptr && options->cancel.stop_requested())
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"});
        const std::size_t known = bytes.size(), step = std::min(kStep, most - known);
        bytes.resize(known + step);
        bytes.resize(known + (*source)->read({bytes.data() + known, step}));
        if (options != nullptr && options->on_bytes) {
            options->on_bytes((*source)->consumed() - reported);
            reported = (*source)->consumed();
        }
        if (bytes.size() < known + step)
            break;
    }
    return bytes;
}

Result<std::optional<FilePeek>> peek_dump(const fs::path& path) {
    constexpr std::size_t kBeginning = 4096;
    const auto beginning = bytes_of(path, kBeginning);
    if (!beginning)
        return tl::unexpected(beginning.error());
    const std::string name = path.filename().string();
    // A pickle with the name of a dump that is none must not pass unseen: reading it says what is wrong.
    const bool named_like_one = is_usual_dump_name(lower_case(name)) && beginning->starts_with('\x80');
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

std::string call_name(const FlightRecorderDump& dump, const FlightRecorderCall& call) {
    std::string name = fmt::format("{} {}", dump.kinds[call.kind], call.seq());
    if (call.is_message()) {
        const std::vector<int>& ranks = dump.groups[call.group].ranks;
        const bool sends = dump.kinds[call.kind] == "send";
        const auto other = static_cast<std::size_t>(sends ? call.destination : call.source);
        name += fmt::format(" {} rank {}", sends ? "to" : "from",
                            other < ranks.size() ? ranks[other] : static_cast<int>(other));
    }
    return name;
}

/// A call as long as it took; one that is not finished lasts until the end of the dump, and says so.
/// Returns, for each event, whether it is the first of its call.
std::vector<bool> add_calls(const FlightRecorderDump& dump, RankBuilder& builder) {
    std::vector<bool> first_of_call;
    std::uint32_t ordinal = 0;
    const auto add = [&](TimeNs start, TimeNs end, const std::string& name, std::uint32_t group) {
        RawEvent event;
        event.start = start;
        event.duration = std::max<TimeNs>(0, end - start);
        event.kind = EventKind::other;
        event.name = builder.names().intern(name);
        event.track = builder.track("process groups", lane_name(dump.groups[group]), kUnknown, kUnknown);
        event.ordinal = ordinal++;
        builder.add(event);
    };
    for (const FlightRecorderCall& call : dump.calls) {
        const TimeNs begin = call.created != 0 ? call.created : call.started != 0 ? call.started : call.completed;
        if (begin == 0)
            continue;
        first_of_call.push_back(true);
        const std::string name = call_name(dump, call);
        const bool finished = call.state == CallState::completed;
        const TimeNs end = finished ? std::max(begin, call.completed) : std::max(dump.last_time, begin);
        add(begin, end, finished ? name : name + ": not finished", call.group);
        if (call.started > begin) {
            first_of_call.push_back(false);
            add(call.started, end, finished ? "on the GPU" : "on the GPU: not finished", call.group);
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

Result<RankTraces> read_dump(const fs::path& path, const std::shared_ptr<StringTable>& names,
                             const ReadOptions& options) {
    const auto bytes = bytes_of(path, PlainLimits().bytes + 1, &options);
    if (!bytes)
        return tl::unexpected(bytes.error());
    auto read = read_flight_recorder(*bytes);
    if (!read)
        return input_error(
            fmt::format("{} cannot be read as a dump of the Flight Recorder: {}", path.string(), read.error().message));
    RankBuilder builder(names);
    const std::vector<bool> first_of_call = add_calls(read->dump, builder);
    const std::uint64_t timed = shown_calls(builder, first_of_call);
    const std::uint64_t calls = read->dump.calls.size();
    RankTrace& trace = builder.trace();
    trace.rank = read->rank.value_or(-1);
    if (const auto named = rank_in_dump_name(path.filename().string()))
        trace.rank = *named;
    trace.file = path;
    trace.source = TraceSource::flight_recorder;
    std::error_code error;
    trace.file_bytes = fs::file_size(path, error);
    trace.text_bytes = bytes->size();
    int highest = trace.rank;
    for (const FlightRecorderGroup& group : read->dump.groups)
        for (const int rank : group.ranks)
            highest = std::max(highest, rank);
    trace.world_size = highest < kMostRanks ? highest + 1 : 0;
    trace.header["flight_recorder.version"] = read->dump.version;
    if (!read->dump.nccl_version.empty())
        trace.header["flight_recorder.nccl_version"] = read->dump.nccl_version;
    if (read->left_out > 0)
        add_notice(trace.notices, {"malformed_events", "calls of the dump that could not be read were left out",
                                   path.string(), read->left_out});
    if (read->rank && trace.rank != *read->rank)
        add_notice(trace.notices, {"rank_by_name",
                                   fmt::format("the name says rank {}, the groups in the dump say rank {}: taken as {}",
                                               trace.rank, *read->rank, trace.rank),
                                   path.string(), 1});
    trace.flight_recorder = std::make_shared<const FlightRecorderDump>(std::move(read->dump));
    builder.drop_strays();
    trace.accounting.events_in_file = calls + static_cast<std::uint64_t>(read->left_out);
    trace.accounting.on_timeline = shown_calls(builder, first_of_call);
    trace.accounting.add(NotShown::stray, timed - trace.accounting.on_timeline);
    // Calls without any time have no place on the timeline.
    trace.accounting.add(NotShown::malformed, calls - timed + static_cast<std::uint64_t>(read->left_out));
    auto rank = builder.finish(options.cancel);
    if (!rank)
        return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"});
    return RankTraces{std::move(rank)};
}

} // namespace

TraceFormat flight_recorder_format();
TraceFormat flight_recorder_format() {
    return {TraceSource::flight_recorder, "dumps of the Flight Recorder", is_dump_name, peek_dump, read_dump};
}

} // namespace rankscope
