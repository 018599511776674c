// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of the Inspector opened alone: a run of nothing but collectives.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/input/bytes/byte_source.h"
#include "core/input/inspector/inspector_log.h"
#include "core/input/inspector/inspector_times.h"
#include "core/trace/plausible.h"
#include "core/trace/rank_builder.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

bool is_inspector_name(std::string_view name) {
    static constexpr std::array<std::string_view, 6> endings{".log",    ".jsonl",    ".ndjson",
                                                             ".log.gz", ".jsonl.gz", ".json"};
    return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

/// The communicators of the most ranks are that of all: their ranks are those of the run.
int world_of(const InspectorLog& log) {
    int world = 0;
    for (const InspectorCommunicator& communicator : log.communicators)
        world = std::max(world, communicator.ranks);
    return world;
}

Result<std::optional<FilePeek>> peek_inspector(const FileStart& file) {
    constexpr std::size_t kBeginning = 64 * 1024;
    auto source = file.open();
    if (!source)
        return tl::unexpected(source.error());
    std::string beginning(
        (*source)->is_compressed() ? kBeginning : std::min<std::size_t>(kBeginning, (*source)->file_bytes()), ' ');
    beginning.resize((*source)->read(beginning));
    if (!begins_as_inspector_log(beginning))
        return std::nullopt;
    FilePeek peek;
    peek.by_order = true; // which communicator is that of all ranks is known when the whole log is read
    return std::optional<FilePeek>(peek);
}

/// A rank of the log: a process, or one of those that share one.
struct Member {
    int rank = -1;
    std::unique_ptr<RankBuilder> builder;
    std::map<std::uint32_t, TimeNs> ends; ///< by communicator: where calls without times go on
    std::uint32_t next = 0;
};

class InspectorRanks {
public:
    InspectorRanks(InspectorLog log, const fs::path& path, std::shared_ptr<StringTable> names)
        : log_(std::move(log)), path_(path), names_(std::move(names)), world_(world_of(log_)) {}

    RankTraces read(const ReadOptions& options) {
        bool any_times = false;
        for (const InspectorCall& call : log_.calls)
            any_times |= call.start > 0;
        for (const InspectorCall& call : log_.calls)
            add(call, any_times);
        number_the_others();
        std::ranges::sort(members_, {}, [](const auto& member) { return member->rank; });
        RankTraces traces;
        for (std::size_t i = 0; i < members_.size(); ++i) {
            RankTrace& trace = members_[i]->builder->trace();
            trace.rank = members_[i]->rank;
            trace.world_size = world_;
            trace.file = path_;
            trace.source = TraceSource::inspector;
            trace.file_bytes = i == 0 ? log_.file_bytes : 0;
            trace.text_bytes = i == 0 ? log_.text_bytes : 0;
            trace.header["inspector.format"] = log_.version;
            const std::uint64_t read = members_[i]->builder->event_count();
            members_[i]->builder->drop_strays();
            trace.accounting.on_timeline = members_[i]->builder->event_count();
            trace.accounting.events_in_file = read;
            trace.accounting.add(NotShown::stray, read - trace.accounting.on_timeline);
            if (i == 0) {
                trace.accounting.events_in_file += log_.malformed + log_.others;
                trace.accounting.add(NotShown::malformed, log_.malformed);
                trace.accounting.add(NotShown::metadata, log_.others);
                note(trace, any_times);
            }
            if (options.complete)
                options.complete(*members_[i]->builder);
            traces.push_back(members_[i]->builder->finish(options.cancel));
            if (traces.back() == nullptr)
                return {};
            attach(traces.back(), i);
        }
        return traces;
    }

private:
    /// Those of whom no call of all ranks is in the log take the numbers that are free.
    void number_the_others() {
        std::set<int> taken;
        for (const auto& member : members_)
            taken.insert(member->rank);
        int next = 0;
        for (const auto& member : members_) {
            if (member->rank >= 0)
                continue;
            while (taken.contains(next))
                ++next;
            taken.insert(member->rank = next);
        }
    }

    /// Communicators of all ranks tell who is who; others belong to the process's first.
    Member& member_of(const InspectorCommunicator& communicator) {
        const auto process = std::pair(communicator.host, communicator.pid);
        const bool of_all = communicator.ranks == world_;
        for (const auto& member : members_)
            if (processes_[member.get()] == process &&
                (!of_all || member->rank == communicator.rank || member->rank < 0)) {
                if (of_all)
                    member->rank = communicator.rank;
                return *member;
            }
        auto added = std::make_unique<Member>();
        added->rank = of_all ? communicator.rank : -1;
        added->builder = std::make_unique<RankBuilder>(names_);
        processes_[added.get()] = process;
        members_.push_back(std::move(added));
        return *members_.back();
    }

    void add(const InspectorCall& call, bool any_times) {
        const InspectorCommunicator& communicator = log_.communicators[call.communicator];
        Member& member = member_of(communicator);
        RawEvent event;
        event.duration = call.execution;
        if (call.start > 0) {
            event.start = call.start;
        } else {
            // One behind the other: where the log has times at all, behind the call before.
            TimeNs& end = member.ends.try_emplace(call.communicator, any_times ? 0 : call.dumped).first->second;
            event.start = end;
        }
        member.ends[call.communicator] = event.start + event.duration;
        std::string name = call.call;
        for (const std::string& part : {call.algorithm, call.protocol})
            name += part.empty() ? "" : " " + part;
        event.name = names_->intern(name);
        event.kind = EventKind::kernel;
        event.track = member.builder->track("NCCL", fmt::format("communicator {}", communicator.id), 0,
                                            static_cast<std::int64_t>(call.communicator));
        event.ordinal = member.next;
        member.builder->add(event);
        CollectiveArgs args;
        args.collective = names_->intern(call.call);
        args.dtype = names_->intern("Byte");
        args.group_size = communicator.ranks > 0 ? communicator.ranks : kUnknown;
        args.in_elements = args.out_elements = call.bytes;
        if (call.bytes >= 0 && communicator.ranks > 0) {
            const std::int64_t all =
                call.bytes > kMostCounted / communicator.ranks ? kUnknown : call.bytes * communicator.ranks;
            if (call.call == "AllGather")
                args.out_elements = all;
            if (call.call == "ReduceScatter")
                args.in_elements = all;
        }
        if (call.peer >= 0)
            (call.call == "Send" ? args.destination_rank : args.source_rank) = call.peer;
        ProcessGroup group{communicator.id, communicator.name, {}, communicator.ranks};
        constexpr int kMostListed = 65536;
        if (communicator.ranks == world_ && world_ <= kMostListed)
            for (int rank = 0; rank < world_; ++rank)
                group.ranks.push_back(rank);
        args.group = member.builder->process_group(std::move(group));
        member.builder->add_collective(member.next, args, call.sequence);
        calls_[&member].push_back(&call);
        ++member.next;
    }

    void note(RankTrace& trace, bool any_times) const {
        const std::string file = path_.string();
        if (!any_times)
            add_notice(trace.notices,
                       {"no_times",
                        "the log has no times of calls, which NCCL_INSPECTOR_DUMP_VERBOSE=1 adds: calls of "
                        "a communicator are shown one behind the other, as long as they took"_text,
                        file, 1});
        if (log_.lost > 0)
            add_notice(trace.notices,
                       {"inspector_records_lost",
                        "the Inspector overwrote records of calls before they were written"_text, file, log_.lost});
        if (log_.malformed > 0)
            add_notice(trace.notices, {"malformed_events", "lines that are no record of a call were left out"_text,
                                       file, static_cast<std::int64_t>(log_.malformed)});
        if (!log_.damage.empty())
            add_notice(trace.notices, {"truncated_file", "%1: what follows is missing"_text(log_.damage), file, 1});
    }

    /// What was measured, beside the events, which are sorted by now.
    void attach(std::shared_ptr<const RankTrace>& trace, std::size_t member) {
        auto copy = std::make_shared<RankTrace>(*trace);
        const std::vector<const InspectorCall*>& calls = calls_[members_[member].get()];
        for (EventIndex i = 0; i < copy->events.gpu_count; ++i)
            if (copy->events.ordinal[i] < calls.size())
                copy->collective_transfers.push_back(collective_transfer(*calls[copy->events.ordinal[i]], i, *names_));
        trace = std::move(copy);
    }

    InspectorLog log_;
    const fs::path& path_;
    std::shared_ptr<StringTable> names_;
    int world_;
    std::vector<std::unique_ptr<Member>> members_;
    std::map<const Member*, std::pair<std::string, std::int64_t>> processes_;
    std::map<const Member*, std::vector<const InspectorCall*>> calls_; ///< by ordinal
};

Result<RankTraces> read_inspector(const fs::path& path, const std::shared_ptr<StringTable>& names,
                                  const ReadOptions& options) {
    auto log = read_inspector_log(path, options);
    if (!log)
        return tl::unexpected(log.error());
    if (log->calls.empty())
        return input_error("%1 holds no calls: nothing to show"_text(path.string()));
    RankTraces ranks = InspectorRanks(std::move(*log), path, names).read(options);
    if (ranks.empty())
        return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
    return ranks;
}

// Times for calls whose log has none.

/// Kind and number of a call within its communicator.
using CallId = std::pair<NameId, std::int64_t>;

/// The calls of one rank in a communicator, in their order.
struct RankCalls {
    std::size_t rank = 0;
    std::vector<EventIndex> events;
    std::vector<CallId> ids;
    std::size_t next = 0; ///< the first that has no time yet
    [[nodiscard]] bool done() const { return next == events.size(); }
};

std::map<std::string, std::vector<RankCalls>>
calls_by_communicator(std::span<const std::shared_ptr<const RankTrace>> ranks) {
    std::map<std::string, std::vector<RankCalls>> communicators;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        const RankTrace& rank = *ranks[r];
        std::map<std::pair<std::string_view, NameId>, std::int64_t> counts;
        for (EventIndex i = 0; i < rank.events.gpu_count; ++i) {
            const CollectiveArgs* const args = rank.collective_of(i);
            if (args == nullptr || args->group < 0)
                continue;
            const std::string& name = rank.process_groups[static_cast<std::size_t>(args->group)].name;
            std::vector<RankCalls>& members = communicators[name];
            if (members.empty() || members.back().rank != r)
                members.push_back({r, {}, {}, 0});
            // Where no number was recorded, its own count; below those that were.
            const std::int64_t count = ++counts[{name, args->collective}];
            const std::int64_t number = rank.collective_sequence_of(i);
            members.back().events.push_back(i);
            members.back().ids.emplace_back(args->collective, number >= 0 ? number : -1 - count);
        }
    }
    return communicators;
}

void place_calls(std::vector<RankCalls>& members, std::span<const std::shared_ptr<const RankTrace>> ranks,
                 std::vector<std::vector<TimeNs>>& starts) {
    std::map<CallId, std::size_t> left; // members that have yet to make it
    for (const RankCalls& member : members)
        for (const CallId& id : member.ids)
            ++left[id];
    TimeNs time = 0;
    for (;;) {
        std::map<CallId, std::size_t> ready;
        for (const RankCalls& member : members)
            if (!member.done())
                ++ready[member.ids[member.next]];
        if (ready.empty())
            return;
        // One that all who have it have come to; where records were lost there may be none, and the first rank's comes.
        const CallId* chosen = nullptr;
        for (const RankCalls& member : members) {
            if (member.done())
                continue;
            const CallId& id = member.ids[member.next];
            if (chosen == nullptr)
                chosen = &id;
            if (ready[id] == left[id]) {
                chosen = &id;
                break;
            }
        }
        const CallId id = *chosen;
        TimeNs longest = 0;
        for (RankCalls& member : members) {
            if (member.done() || member.ids[member.next] != id)
                continue;
            const EventIndex event = member.events[member.next++];
            starts[member.rank][event] = time;
            longest = std::max(longest, ranks[member.rank]->events.duration[event]);
            --left[id];
        }
        time += longest;
    }
}

} // namespace

void lay_out_calls(std::span<std::shared_ptr<const RankTrace>> ranks) {
    std::vector<std::vector<TimeNs>> starts;
    for (const auto& rank : ranks)
        starts.emplace_back(rank->events.start.begin(), rank->events.start.end());
    for (auto& [name, members] : calls_by_communicator(ranks))
        place_calls(members, ranks, starts);
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        auto copy = std::make_shared<RankTrace>(*ranks[r]);
        copy->events.start = std::move(starts[r]);
        if (copy->events.size() > 0) {
            copy->span = copy->events.range(0);
            for (EventIndex i = 1; i < copy->events.size(); ++i)
                copy->span = {std::min(copy->span.begin, copy->events.start[i]),
                              std::max(copy->span.end, copy->events.end(i))};
            copy->gpu_span = copy->span;
        }
        ranks[r] = std::move(copy);
    }
}

CollectiveTransfer collective_transfer(const InspectorCall& call, EventIndex event, StringTable& names) {
    CollectiveTransfer transfer;
    transfer.event = event;
    transfer.algorithm = names.intern(call.algorithm);
    transfer.protocol = names.intern(call.protocol);
    transfer.timing = names.intern(call.timing);
    transfer.channels = call.channels;
    transfer.bytes = call.bytes;
    transfer.execution = call.execution;
    transfer.algorithm_gb_s = call.algorithm_gb_s;
    transfer.bus_gb_s = call.bus_gb_s;
    return transfer;
}

nlohmann::ordered_json inspector_json(const CollectiveTransfer& transfer, const StringTable& names) {
    nlohmann::ordered_json told = nlohmann::ordered_json::object();
    const auto text = [&](const char* key, NameId name) {
        if (!names.view(name).empty())
            told[key] = names.view(name);
    };
    text("algorithm", transfer.algorithm);
    text("protocol", transfer.protocol);
    if (transfer.channels > 0)
        told["channels"] = transfer.channels;
    if (transfer.bytes >= 0)
        told["bytes"] = transfer.bytes;
    if (transfer.execution >= 0)
        told["execution_us"] = static_cast<double>(transfer.execution) / 1000;
    text("timing", transfer.timing);
    if (transfer.algorithm_gb_s > 0)
        told["algbw_gb_s"] = transfer.algorithm_gb_s;
    if (transfer.bus_gb_s > 0)
        told["busbw_gb_s"] = transfer.bus_gb_s;
    return told;
}

TraceFormat inspector_format();
TraceFormat inspector_format() {
    return {TraceSource::inspector, "logs of the Inspector of NCCL", is_inspector_name, peek_inspector, read_inspector};
}

} // namespace rankscope
