// SPDX-License-Identifier: GPL-3.0-or-later
// Memory snapshots without traces beside them, as a kind of capture: what the allocator held, and on the timeline the
// annotations that it noted and where memory ran out.
#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "core/input/memory_snapshot/snapshot_reader.h"
#include "core/trace/rank_builder.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

Result<std::optional<FilePeek>> peek_snapshot(const FileStart& file) {
    if (auto source = file.open(); !source)
        return tl::unexpected(source.error());
    return is_memory_snapshot(file) ? std::optional(FilePeek()) : std::nullopt;
}

class SnapshotTimeline {
public:
    SnapshotTimeline(const MemorySnapshot& snapshot, RankBuilder& builder) : snapshot_(snapshot), builder_(builder) {}

    void add() {
        const auto span = snapshot_.span();
        if (span)
            add_event(*span, builder_.names().intern("recorded allocations"), "allocations");
        add_annotations();
        const NameId oom = builder_.names().intern("out of memory");
        for (const auto& [device, events] : snapshot_.traces)
            for (const SnapshotEvent& event : events)
                if (event.action == MemoryAction::out_of_memory)
                    add_event({event.time, event.time}, oom, "out of memory");
    }
    [[nodiscard]] std::uint32_t added() const { return ordinal_; }

private:
    void add_event(TimeRange range, NameId name, std::string_view lane) {
        RawEvent event;
        event.start = range.begin;
        event.duration = range.length();
        event.kind = EventKind::other;
        event.name = name;
        event.track = builder_.track("allocator", lane, kUnknown, kUnknown);
        event.ordinal = ordinal_++;
        builder_.add(event);
    }
    /// An end belongs to the last start of its name.
    void add_annotations() {
        std::vector<const SnapshotAnnotation*> open;
        for (const SnapshotAnnotation& mark : snapshot_.annotations) {
            if (mark.is_start) {
                constexpr std::size_t kDeepest = 1000;
                if (open.size() < kDeepest)
                    open.push_back(&mark);
                continue;
            }
            const auto start = std::find_if(open.rbegin(), open.rend(), [&](const SnapshotAnnotation* other) {
                return other->name == mark.name && other->time <= mark.time;
            });
            if (start == open.rend())
                continue;
            add_event({(*start)->time, mark.time}, mark.name, "annotations");
            open.erase(std::next(start).base());
        }
    }

    const MemorySnapshot& snapshot_;
    RankBuilder& builder_;
    std::uint32_t ordinal_ = 0;
};

Result<RankTraces> read_snapshot(const fs::path& path, const std::shared_ptr<StringTable>& names,
                                 const ReadOptions& options) {
    std::uint64_t text_bytes = 0;
    auto snapshot = read_memory_snapshot(path, *names, options, &text_bytes);
    if (!snapshot)
        return tl::unexpected(snapshot.error());
    RankBuilder builder(names);
    SnapshotTimeline timeline(*snapshot, builder);
    timeline.add();
    RankTrace& trace = builder.trace();
    trace.rank = -1;
    trace.file = path;
    trace.source = TraceSource::memory_snapshot;
    std::error_code error;
    trace.file_bytes = fs::file_size(path, error);
    trace.text_bytes = text_bytes;
    if (snapshot->malformed > 0)
        add_notice(trace.notices,
                   {"memory_snapshot_broken", "entries of the snapshot that could not be read were left out"_text,
                    path.string(), snapshot->malformed});
    trace.memory_snapshot = std::make_shared<const MemorySnapshot>(std::move(*snapshot));
    builder.drop_strays();
    trace.accounting.events_in_file = timeline.added();
    trace.accounting.on_timeline = builder.events().size();
    trace.accounting.add(NotShown::stray, timeline.added() - builder.events().size());
    auto rank = builder.finish(options.cancel);
    if (!rank)
        return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
    return RankTraces{std::move(rank)};
}

} // namespace

TraceFormat memory_snapshot_format();
TraceFormat memory_snapshot_format() {
    return {TraceSource::memory_snapshot, "memory snapshots", is_snapshot_name, peek_snapshot, read_snapshot};
}

} // namespace rankscope
