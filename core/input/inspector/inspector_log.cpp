// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/inspector/inspector_log.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <nlohmann/json.hpp>

#include "core/base/shallow_json.h"
#include "core/input/bytes/byte_source.h"
#include "core/input/format/memory_limit.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostLine = std::size_t{4} << 20;
constexpr std::int64_t kMostUs = kLatestTime / 1000;

std::string json_text(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>().substr(0, 256) : std::string();
}

std::int64_t json_number(const Json& object, const char* key, std::int64_t otherwise) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number_integer())
        return otherwise;
    return found->is_number_unsigned() && found->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)
               ? otherwise
               : found->get<std::int64_t>();
}

double json_real(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? std::max(0.0, found->get<double>()) : 0;
}

/// Microseconds as ns; 0 where there is none.
TimeNs json_time(const Json& object, const char* key) {
    const std::int64_t us = json_number(object, key, 0);
    return us > 0 && us < kMostUs ? us * 1000 : 0;
}

std::string known_text(std::string text) { return text == "unknown" ? std::string() : text; }

class LogReader {
public:
    explicit LogReader(InspectorLog& log) : log_(log) {}

    void line(std::string_view text) {
        const std::size_t begin = text.find_first_not_of(" \t\r");
        if (begin == std::string_view::npos)
            return;
        const Json document = text.size() > kMostLine ? Json() : parse_shallow_json<Json>(text.substr(begin));
        if (!document.is_object()) {
            ++log_.malformed;
            return;
        }
        // Since 4.3 what follows a marker has no header of its own.
        if (const auto header = document.find("header"); header != document.end() && header->is_object())
            read_header(*header, document);
        if (const auto stats = document.find("dump_stats"); stats != document.end() && stats->is_object())
            for (const char* key : {"coll_dropped_since_last_dump", "p2p_dropped_since_last_dump"})
                log_.lost += std::clamp<std::int64_t>(json_number(*stats, key, 0), 0, kMostCounted);
        const auto collective = document.find("coll_perf");
        const auto message = document.find("p2p_perf");
        if (collective != document.end() && collective->is_object())
            add(*collective, "coll");
        else if (message != document.end() && message->is_object())
            add(*message, "p2p");
        else
            ++log_.others;
    }

    /// What the calls and communicators hold, with their texts.
    [[nodiscard]] std::size_t memory_bytes() const { return memory_bytes_; }

private:
    void read_header(const Json& header, const Json& line) {
        InspectorCommunicator communicator;
        communicator.id = json_text(header, "id");
        communicator.name = known_text(json_text(header, "comm_name"));
        communicator.rank = static_cast<int>(std::clamp<std::int64_t>(json_number(header, "rank", -1), -1, kMostRanks));
        communicator.ranks =
            static_cast<int>(std::clamp<std::int64_t>(json_number(header, "n_ranks", 0), 0, kMostRanks));
        if (const auto metadata = line.find("metadata"); metadata != line.end() && metadata->is_object()) {
            communicator.host = json_text(*metadata, "hostname");
            communicator.pid = json_number(*metadata, "pid", 0);
            dumped_ = json_time(*metadata, "dump_timestamp_us");
            if (log_.version.empty())
                log_.version = json_text(*metadata, "inspector_output_format_version");
        }
        const auto key = std::tuple(communicator.id, communicator.rank, communicator.host, communicator.pid);
        const auto [known, added] = numbers_.try_emplace(key, static_cast<std::uint32_t>(log_.communicators.size()));
        if (added) { // its texts are in the key, too
            memory_bytes_ += 2 * (sizeof(communicator) + communicator.id.size() + communicator.host.size()) +
                             communicator.name.size();
            log_.communicators.push_back(std::move(communicator));
        }
        current_ = known->second;
        has_header_ = true;
    }

    void add(const Json& from, const std::string& prefix) {
        const auto key = [&](const char* name) { return prefix + "_" + name; };
        InspectorCall call;
        call.communicator = current_;
        call.call = json_text(from, prefix.c_str());
        // Whole microseconds by the Inspector; plugins that write its format have fractions.
        const auto time = from.find(key("exec_time_us"));
        const double us = time != from.end() && time->is_number() ? time->get<double>() : -1;
        if (!has_header_ || call.call.empty() || !(us >= 0 && us <= static_cast<double>(kLongestRecording) / 1000)) {
            ++log_.malformed;
            return;
        }
        call.execution = static_cast<TimeNs>(std::llround(us * 1000));
        call.channels =
            static_cast<int>(std::clamp<std::int64_t>(json_number(from, key("n_channels").c_str(), 0), 0, 1024));
        call.algorithm = known_text(json_text(from, key("algo").c_str()));
        call.protocol = known_text(json_text(from, key("proto").c_str()));
        call.timing = json_text(from, key("timing_source").c_str());
        call.sequence = json_number(from, key("sn").c_str(), kUnknown);
        call.bytes = plausible(json_number(from, key("msg_size_bytes").c_str(), kUnknown));
        call.peer =
            static_cast<int>(std::clamp<std::int64_t>(json_number(from, key("peer").c_str(), -1), -1, kMostRanks));
        call.algorithm_gb_s = json_real(from, key("algobw_gbs").c_str());
        call.bus_gb_s = json_real(from, key("busbw_gbs").c_str());
        call.dumped = dumped_;
        if (const auto times = from.find("event_trace_ts"); times != from.end() && times->is_object()) {
            const auto channels = times->find("kernel_events");
            if (channels != times->end() && channels->is_array()) {
                if (call.channels == 0)
                    call.channels = static_cast<int>(std::min<std::size_t>(channels->size(), 1024));
                for (const Json& channel : *channels) {
                    if (!channel.is_object())
                        continue;
                    const TimeNs start = json_time(channel, "kernel_start_ts"),
                                 end = json_time(channel, "kernel_stop_ts");
                    call.start = call.start == 0 || (start > 0 && start < call.start) ? start : call.start;
                    call.end = std::max(call.end, end);
                }
            }
            if (call.start == 0)
                call.start = json_time(*times, key("start_ts").c_str());
        }
        memory_bytes_ +=
            sizeof(call) + call.call.size() + call.algorithm.size() + call.protocol.size() + call.timing.size();
        log_.calls.push_back(std::move(call));
    }

    InspectorLog& log_;
    std::map<std::tuple<std::string, int, std::string, std::int64_t>, std::uint32_t> numbers_;
    std::uint32_t current_ = 0;
    std::size_t memory_bytes_ = 0;
    bool has_header_ = false;
    TimeNs dumped_ = 0;
};

} // namespace

bool begins_as_inspector_log(std::string_view beginning) {
    const std::size_t brace = beginning.find_first_not_of(" \t\r\n");
    if (brace == std::string_view::npos || beginning[brace] != '{')
        return false;
    const bool has_calls = beginning.find("\"coll_perf\"") != std::string_view::npos ||
                           beginning.find("\"p2p_perf\"") != std::string_view::npos ||
                           beginning.find("\"dump_stats\"") != std::string_view::npos;
    return has_calls && beginning.find("\"header\"") != std::string_view::npos;
}

Result<InspectorLog> read_inspector_log(const std::filesystem::path& path, const ReadOptions& options) {
    auto source = open_byte_source(path);
    if (!source)
        return tl::unexpected(source.error());
    InspectorLog log;
    LogReader reader(log);
    std::string text;
    constexpr std::size_t kStep = std::size_t{1} << 20;
    std::uint64_t reported = 0;
    for (bool at_end = false; !at_end;) {
        if (options.cancel.stop_requested())
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
        const std::size_t known = text.size();
        text.resize(known + kStep);
        text.resize(known + (*source)->read({text.data() + known, kStep}));
        log.text_bytes += text.size() - known;
        at_end = text.size() < known + kStep;
        if (options.on_bytes) {
            options.on_bytes((*source)->consumed() - reported);
            reported = (*source)->consumed();
        }
        std::size_t begin = 0;
        for (std::size_t end = text.find('\n', known); end != std::string::npos; end = text.find('\n', begin)) {
            reader.line(std::string_view(text).substr(begin, end - begin));
            begin = end + 1;
        }
        text.erase(0, begin);
        if (text.size() > kMostLine) { // no line is so long
            ++log.malformed;
            text.clear();
        }
        if (options.memory_bytes > 0 && reader.memory_bytes() > options.memory_bytes)
            return beyond_memory(path, options.memory_bytes, "%1 calls"_text(log.calls.size()));
    }
    reader.line(text);
    log.damage = (*source)->damage();
    log.file_bytes = (*source)->file_bytes();
    return log;
}

} // namespace rankscope
