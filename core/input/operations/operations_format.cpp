// SPDX-License-Identifier: GPL-3.0-or-later
// Operation timelines among the formats: a rank for each place in the mesh, a lane for each kind of operation, and what
// the type of an operation says about its communication.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "core/input/kineto/kineto_reader.h"
#include "core/input/operations/operation_groups.h"
#include "core/input/operations/recorded_operations.h"
#include "core/trace/rank_builder.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostOperationRanks = 1 << 14;

bool is_operations_name(std::string_view name) {
    return is_json_name(name) || name.ends_with(".csv") || name.ends_with(".csv.gz") || name.ends_with(".csv.zst");
}

Result<std::optional<FilePeek>> peek_operations(const FileStart& file) {
    const auto peeked = peek_kineto(file);
    if (!peeked)
        return tl::unexpected(peeked.error());
    if (peeked->kind == KinetoPeek::Kind::operations)
        return FilePeek{};
    if (peeked->kind != KinetoPeek::Kind::other)
        return std::nullopt;
    const auto table = is_operation_table(file);
    if (!table)
        return tl::unexpected(table.error());
    return *table ? std::optional(FilePeek{}) : std::nullopt;
}

struct CommunicationType {
    std::string_view type;
    std::string_view collective;
    OperationGroup group;
    int to = 0;   ///< of a send: to the stage so many further
    int from = 0; ///< of a recv: from the stage so many further
};
constexpr auto kCommunicationTypes = std::to_array<CommunicationType>({
    {"forward-send", "send", OperationGroup::pp, 1, 0},
    {"forward-recv", "recv", OperationGroup::pp, 0, -1},
    {"backward-send", "send", OperationGroup::pp, -1, 0},
    {"backward-recv", "recv", OperationGroup::pp, 0, 1},
    {"params-all-gather", "all_gather", OperationGroup::dp, 0, 0},
    {"params-all-gather-nonoverlapping", "all_gather", OperationGroup::dp, 0, 0},
    {"grads-reduce-scatter", "reduce_scatter", OperationGroup::dp, 0, 0},
    {"grads-reduce-scatter-nonoverlapping", "reduce_scatter", OperationGroup::dp, 0, 0},
    {"separate-grads-all-reduce", "all_reduce", OperationGroup::dp, 0, 0},
    {"layernorm-grads-all-reduce", "all_reduce", OperationGroup::tp, 0, 0},
    {"tp-reducescatter", "reduce_scatter", OperationGroup::tp, 0, 0},
    {"tp-allgather", "all_gather", OperationGroup::tp, 0, 0},
    {"tp-allreduce", "all_reduce", OperationGroup::tp, 0, 0},
    {"embedding-grads-all-reduce", "all_reduce", OperationGroup::embedding, 0, 0},
    {"optimizer-clip-main-grad", "all_reduce", OperationGroup::world, 0, 0},
});

/// Operations of other types that run on a lane of communication; nullptr: computation.
const CommunicationType* communication_of(std::string_view type, std::string_view lane) {
    static constexpr CommunicationType kOfPipeline{"", "sendrecv", OperationGroup::pp, 0, 0};
    static constexpr CommunicationType kOfTensor{"", "other", OperationGroup::tp, 0, 0};
    static constexpr CommunicationType kOfData{"", "other", OperationGroup::dp, 0, 0};
    const auto known = std::ranges::find(kCommunicationTypes, type, &CommunicationType::type);
    if (known != kCommunicationTypes.end())
        return &*known;
    return lane == "pp-comm" ? &kOfPipeline : lane == "tp-comm" ? &kOfTensor : lane == "dp-comm" ? &kOfData : nullptr;
}

/// From the first operation of a step to the last, over all ranks of the file.
std::map<std::int64_t, TimeRange> step_ranges(const RecordedOperations& read) {
    std::map<std::int64_t, TimeRange> steps;
    for (const RecordedOperation& operation : read.operations) {
        const TimeRange range{operation.start, operation.start + operation.duration};
        const auto [at, added] = steps.try_emplace(operation.operation.step, range);
        at->second = {std::min(at->second.begin, range.begin), std::max(at->second.end, range.end)};
    }
    return steps;
}

/// One rank's builder while the operations of the file are dealt out.
class RankOfOperations {
public:
    RankOfOperations(const std::shared_ptr<StringTable>& names, const fs::path& path, const OperationTrack& place)
        : builder_(names) {
        timeline_->dp = place.dp;
        timeline_->stage = place.stage;
        timeline_->tp = place.tp;
        RankTrace& trace = builder_.trace();
        trace.rank = -1;
        trace.file = path;
        trace.source = TraceSource::operations;
        for (std::size_t g = 0; g < kOperationGroupCount; ++g) // members are known when all files are read
            builder_.process_group({std::string(operation_group_word(static_cast<OperationGroup>(g))), {}, {}, 0});
    }

    void add(const RecordedOperation& recorded, std::string_view type, const std::string& lane) {
        const std::int64_t stream = lanes_.try_emplace(lane, std::ssize(lanes_)).first->second;
        RawEvent event;
        event.start = recorded.start;
        event.duration = recorded.duration;
        event.kind = EventKind::kernel;
        event.name = builder_.names().intern(type);
        event.track = builder_.track(fmt::format("DP {} PP {} TP {}", timeline_->dp, timeline_->stage, timeline_->tp),
                                     lane, 0, stream);
        event.ordinal = recorded.operation.ordinal;
        builder_.add(event);
        timeline_->operations.push_back(recorded.operation);
        if (const CommunicationType* communication = communication_of(type, lane)) {
            CollectiveArgs args;
            args.collective = builder_.names().intern(communication->collective);
            args.dtype = builder_.names().intern("");
            args.in_split = args.out_split = args.dtype;
            args.group = static_cast<std::int32_t>(communication->group);
            // Stages, from 1; place_operation_ranks() makes ranks of them.
            if (communication->to != 0)
                args.destination_rank = timeline_->stage + communication->to + 1;
            if (communication->from != 0)
                args.source_rank = timeline_->stage + communication->from + 1;
            builder_.add_collective(event.ordinal, args);
        }
    }

    void add_step(std::int64_t number, TimeRange range, std::uint32_t ordinal) {
        RawEvent event;
        event.start = range.begin;
        event.duration = range.length();
        event.kind = EventKind::annotation;
        event.name = builder_.names().intern(fmt::format("ProfilerStep#{}", number));
        event.track = builder_.track("steps", "steps", kUnknown, kUnknown);
        event.ordinal = ordinal;
        builder_.add(event);
    }

    /// Operations on the timeline.
    std::uint64_t drop_strays(std::uint32_t first_step_ordinal) {
        builder_.drop_strays();
        std::uint64_t shown = 0;
        for (std::size_t i = 0; i < builder_.events().size(); ++i)
            shown += builder_.events().ordinal(i) < first_step_ordinal;
        return shown;
    }

    std::shared_ptr<const RankTrace> finish(const std::stop_token& cancel) {
        std::ranges::stable_sort(timeline_->operations, {}, &Operation::ordinal);
        builder_.set_thread_name("steps", "steps", "steps");
        builder_.trace().operations = timeline_;
        return builder_.finish(cancel);
    }
    RankTrace& trace() { return builder_.trace(); }
    [[nodiscard]] const std::vector<Operation>& operations() const { return timeline_->operations; }

private:
    RankBuilder builder_;
    std::shared_ptr<OperationTimeline> timeline_ = std::make_shared<OperationTimeline>();
    std::map<std::string, std::int64_t, std::less<>> lanes_; ///< to their stream
};

Result<RankTraces> read_operations_file(const fs::path& path, const std::shared_ptr<StringTable>& names,
                                        const ReadOptions& options) {
    auto read = read_operations(path, options);
    if (!read)
        return tl::unexpected(read.error());
    std::map<OperationTrack, RankOfOperations> ranks; // of a rank any lane
    std::vector<RankOfOperations*> rank_of_track;
    std::vector<bool> used(read->tracks.size());
    for (const RecordedOperation& operation : read->operations)
        used[operation.track] = true;
    for (std::size_t t = 0; t < read->tracks.size(); ++t) {
        OperationTrack place = read->tracks[t];
        place.lane.clear();
        rank_of_track.push_back(used[t] ? &ranks.try_emplace(place, names, path, place).first->second : nullptr);
        if (ranks.size() > kMostOperationRanks)
            return input_error("%1 has operations of more than %2 ranks"_text(path.string(), kMostOperationRanks));
    }
    std::uint32_t last_ordinal = 0;
    for (const RecordedOperation& operation : read->operations) {
        rank_of_track[operation.track]->add(operation, read->types[operation.type], read->tracks[operation.track].lane);
        last_ordinal = std::max(last_ordinal, operation.operation.ordinal);
    }
    const auto steps = step_ranges(*read);
    RankTraces result;
    for (auto& [place, rank] : ranks) {
        if (options.cancel.stop_requested())
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
        std::vector<std::int64_t> own;
        for (const Operation& operation : rank.operations())
            own.push_back(operation.step);
        std::ranges::sort(own);
        own.erase(std::unique(own.begin(), own.end()), own.end());
        for (const std::int64_t step : own)
            rank.add_step(step, steps.at(step), last_ordinal + 1);
        const std::uint64_t recorded = rank.operations().size();
        const std::uint64_t shown = rank.drop_strays(last_ordinal + 1);
        RankTrace& trace = rank.trace();
        trace.accounting.events_in_file = trace.accounting.on_timeline = shown;
        trace.accounting.events_in_file += recorded - shown;
        trace.accounting.add(NotShown::stray, recorded - shown);
        if (result.empty()) { // what is of no rank counts for the first
            const std::uint64_t dealt = read->operations.size();
            trace.accounting.events_in_file += read->accounting.events_in_file - dealt;
            for (std::size_t reason = 0; reason < kNotShownCount; ++reason)
                trace.accounting.not_shown[reason] += read->accounting.not_shown[reason];
            trace.notices.insert(trace.notices.end(), read->notices.begin(), read->notices.end());
        }
        trace.file_bytes = read->file_bytes;
        trace.text_bytes = read->text_bytes;
        auto built = rank.finish(options.cancel);
        if (!built)
            return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text});
        result.push_back(std::move(built));
    }
    return result;
}

} // namespace

std::string_view operation_group_word(OperationGroup group) {
    static constexpr std::array<std::string_view, kOperationGroupCount> kWords{"pp", "dp", "tp", "embedding", "world"};
    return kWords[static_cast<std::size_t>(group)];
}

TraceFormat operations_format();
TraceFormat operations_format() {
    return {TraceSource::operations, "operation timelines", is_operations_name, peek_operations, read_operations_file};
}

} // namespace rankscope
