// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of text in file order -> parsed on any number of threads -> appended in file order.
#include "core/input/kineto/kineto_reader.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include <tbb/concurrent_queue.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include "core/input/bytes/inflate_points.h"
#include "core/input/bytes/load_shape.h"
#include "core/input/bytes/parallel_source.h"
#include "core/input/format/memory_limit.h"
#include "core/input/kineto/event_block.h"
#include "core/input/kineto/first_events.h"
#include "core/input/kineto/json_text.h"
#include "core/input/kineto/kineto_document.h"
#include "core/input/kineto/kineto_header.h"
#include "core/trace/plausible.h"

namespace rankscope {
namespace {

/// Collects the blocks of one file into a RankBuilder.
class Collector {
public:
    /// memory_bytes: 0 for no limit.
    Collector(RankBuilder& builder, std::uint64_t memory_bytes) : builder_(builder), memory_bytes_(memory_bytes) {}

    /// What is left to be done for a block: its events' numbers are those of the block, and there is room for them.
    struct Unplaced {
        std::vector<NameId> names;
        std::vector<TrackId> tracks;
        std::uint32_t base = 0;
        std::vector<RawEvents::Room> room;
    };
    /// In file order. place() must follow, on any thread. elements: what the block holds by its brackets.
    Unplaced append(const EventBlock& block, std::uint64_t offset, std::uint32_t elements) {
        count(block, elements);
        names_ = builder_.names().intern_all(block.names);
        tracks_.clear();
        for (const EventBlock::LocalTrack& t : block.tracks)
            tracks_.push_back(builder_.track(t.process, t.thread, t.device, t.stream));
        groups_.clear();
        for (const ProcessGroup& group : block.groups)
            groups_.push_back(builder_.process_group(group));

        Unplaced unplaced{names_, tracks_, base_, builder_.add_room(block.events.size())};
        for (const EventBlock::LocalCollective& collective : block.collectives)
            add_collective(collective);
        for (const EventBlock::Transfer& t : block.transfers)
            builder_.add_transfer(base_ + t.ordinal, t.bytes, t.bandwidth_gb_s);
        for (EventBlock::LocalInputs local : block.operator_inputs) {
            for (NameId OperatorInputs::*text :
                 {&OperatorInputs::dims, &OperatorInputs::types, &OperatorInputs::concrete, &OperatorInputs::strides})
                local.inputs.*text = names_[local.inputs.*text];
            builder_.add_inputs(base_ + local.ordinal, local.inputs);
        }
        for (const auto& [ordinal, name] : block.launched_kernels)
            launched_kernels_.emplace_back(base_ + ordinal, names_[name]);
        for (KernelOccupancy occupancy : block.occupancy) {
            occupancy.ordinal += base_;
            builder_.add_occupancy(occupancy);
        }
        for (FlowPoint point : block.flow_points) {
            point.track = tracks_[point.track];
            builder_.add_flow(point);
        }
        append_untracked(block, offset);
        if (block.element_count > std::numeric_limits<std::uint32_t>::max() - base_)
            too_large_ = true;
        base_ += block.element_count;
        const std::uint64_t needed = builder_.memory_bytes() + builder_.names().memory_bytes();
        too_large_ = too_large_ || (memory_bytes_ > 0 && needed > memory_bytes_);
        return unplaced;
    }
    static void place(const EventBlock& block, const Unplaced& unplaced) {
        auto from = block.events.begin();
        for (const RawEvents::Room& room : unplaced.room)
            for (std::size_t i = 0; i < room.size(); ++i)
                room.set(i, placed(*from++, unplaced.names, unplaced.tracks, unplaced.base));
    }
    /// What was read does not fit into the memory there is for it; nothing more is taken.
    [[nodiscard]] bool too_large() const { return too_large_; }

    /// Joins the halves of B/E and b/e events. Halves without their other are counted.
    void join_edges(RankTrace& trace) {
        std::ranges::stable_sort(edges_, {}, [](const Edge& e) { return e.event.start; });
        std::map<std::pair<TrackId, std::string>, std::vector<RawEvent>> open; // by lane: an end may lack arguments
        std::int64_t lonely = 0;
        std::uint64_t pairs = 0;
        for (const Edge& edge : edges_) {
            auto& stack = open[{edge.thread, edge.match}];
            if (edge.begins) {
                stack.push_back(edge.event);
            } else if (const auto start = start_of(stack, edge.event); start == stack.end()) {
                ++lonely;
            } else {
                RawEvent event = *start;
                stack.erase(start);
                event.duration = edge.event.start - event.start;
                builder_.add(event);
                ++pairs;
            }
        }
        for (const auto& [key, stack] : open)
            lonely += static_cast<std::int64_t>(stack.size());
        if (lonely > 0)
            add_notice(
                trace.notices,
                {"unpaired_events", "begin or end events without their counterpart were left out"_text, {}, lonely});
        edges_ = {};
        accounting_.add(NotShown::pair_ends, pairs);
        accounting_.add(NotShown::unpaired, static_cast<std::uint64_t>(lonely));
    }

    /// What became of the elements of traceEvents. The events on the timeline are not among it: they are counted where
    /// they end up.
    [[nodiscard]] Accounting& accounting() { return accounting_; }

    void note_defects(RankTrace& trace) const {
        if (const std::uint64_t malformed = accounting_.of(NotShown::malformed); malformed > 0)
            add_notice(trace.notices, {"malformed_events",
                                       "events that could not be read were left out"_text,
                                       {},
                                       static_cast<std::int64_t>(malformed)});
        for (const auto& [category, events] : unknown_categories_)
            add_notice(trace.notices, {"unknown_category",
                                       "events of the category \"%1\" ran on a stream of a device; they are shown, but "
                                       "count neither as computation nor as communication"_text(category),
                                       {},
                                       events});
        if (negative_durations_ > 0)
            add_notice(trace.notices, {"negative_durations",
                                       "events with a negative duration count as instants"_text,
                                       {},
                                       negative_durations_});
        if (repaired_ > 0)
            add_notice(trace.notices, {"repaired_text",
                                       "parts of the file are not valid JSON and were repaired while reading"_text,
                                       {},
                                       repaired_});
    }
    [[nodiscard]] std::uint64_t element_count() const { return base_; }
    /// Of a capture: the ordinals of launch calls, ascending, and the kernels that they name.
    [[nodiscard]] const std::vector<std::pair<std::uint32_t, NameId>>& launched_kernels() const {
        return launched_kernels_;
    }

private:
    struct Edge {
        RawEvent event;
        TrackId thread = 0;
        std::string match;
        bool begins = false;
    };

    /// Of the starts that are open, in the order of time, the one that an end belongs to: the innermost, and of its
    /// name if it has one. Two that touch may be sorted so that the second is open already; the first then stands right
    /// before the end in the file.
    [[nodiscard]] std::vector<RawEvent>::iterator start_of(std::vector<RawEvent>& open, const RawEvent& end) const {
        constexpr std::ptrdiff_t kDeepest = 64; // beyond, nothing is looked for: a broken file would take for ever
        const bool named = !builder_.names().view(end.name).empty();
        auto found = open.end();
        for (auto at = open.end(); at != open.begin() && open.end() - at < kDeepest;) {
            --at;
            if (named && at->name != end.name)
                continue;
            if (at->ordinal + 1 == end.ordinal)
                return at;
            if (found == open.end())
                found = at;
        }
        return found;
    }

    void count(const EventBlock& block, std::uint32_t elements) {
        // Brackets that do not match may be read otherwise than they were counted.
        accounting_.events_in_file += std::max(elements, block.element_count) + block.scalars;
        accounting_.add(NotShown::not_understood, std::max(elements, block.element_count) - block.element_count);
        accounting_.add(NotShown::malformed, block.scalars);
        for (std::size_t reason = 0; reason < kNotShownCount; ++reason)
            accounting_.not_shown[reason] += block.not_shown[reason];
    }

    static RawEvent placed(RawEvent event, const std::vector<NameId>& names, const std::vector<TrackId>& tracks,
                           std::uint32_t base) {
        event.name = names[event.name];
        event.track = tracks[event.track];
        event.ordinal += base;
        return event;
    }

    void add_collective(const EventBlock::LocalCollective& local) {
        CollectiveArgs args = local.args;
        for (NameId CollectiveArgs::*field : {&CollectiveArgs::collective, &CollectiveArgs::dtype,
                                              &CollectiveArgs::in_split, &CollectiveArgs::out_split})
            args.*field = names_[args.*field];
        if (args.group >= 0)
            args.group = groups_[static_cast<std::size_t>(args.group)];
        builder_.add_collective(base_ + local.ordinal, args, local.sequence);
    }

    void append_untracked(const EventBlock& block, std::uint64_t offset) {
        RankTrace& trace = builder_.trace();
        for (const auto& [sample, track] : block.memory_samples)
            builder_.add_memory_sample(sample, tracks_[track]);
        for (const Instant& instant : block.instants)
            trace.instants.push_back({instant.time, names_[instant.name]});
        for (const CounterSample& sample : block.counters)
            trace.counters.push_back({names_[sample.series], sample.time, sample.value});
        for (const EventLocator::Mark& mark : block.marks)
            trace.locator.marks.push_back({base_ + mark.ordinal, offset + mark.offset});
        for (const EventBlock::Edge& edge : block.edges)
            edges_.push_back({placed(edge.event, names_, tracks_, base_), tracks_[edge.thread], std::string(edge.match),
                              edge.begins});
        for (const EventBlock::ThreadName& t : block.thread_names)
            builder_.set_thread_name(t.process, t.thread, t.name);
        negative_durations_ += block.negative_durations;
        repaired_ += block.repaired;
        constexpr std::size_t kMostCategories = 16;
        for (const auto& [category, events] : block.unknown_categories) {
            const auto known = unknown_categories_.find(category);
            if (known != unknown_categories_.end())
                known->second += events;
            else if (unknown_categories_.size() < kMostCategories)
                unknown_categories_.emplace(unescaped(category), events);
        }
    }

    RankBuilder& builder_;
    std::uint64_t memory_bytes_;
    std::atomic<bool> too_large_ = false;
    std::uint32_t base_ = 0; ///< ordinal of the block's first element
    std::vector<NameId> names_;
    std::vector<TrackId> tracks_;
    std::vector<std::int32_t> groups_;
    std::vector<Edge> edges_;
    std::vector<std::pair<std::uint32_t, NameId>> launched_kernels_;
    Accounting accounting_;
    std::map<std::string, std::int64_t, std::less<>> unknown_categories_;
    std::int64_t negative_durations_ = 0;
    std::int64_t repaired_ = 0;
};

/// What is under way between two stages of the pipeline, which hands over pointers: what it holds itself it loses when
/// a stage throws. Used again for the next piece: fresh memory costs more than what is read into it.
struct InFlight {
    KinetoDocument::Piece piece;
    std::optional<KinetoDocument::Block> block;
    EventBlock events;
    Collector::Unplaced unplaced;
};

tl::unexpected<Error> cancelled() { return tl::unexpected<Error>(Error{Error::Code::cancelled, "cancelled"_text}); }

/// What the first events are. Any array is JSON; one of events starts with an object that has a phase. Operations of an
/// operation timeline say their step, their place in it and their microbatch; its threads are named by their place in
/// the mesh.
KinetoPeek::Kind kind_of_events(KinetoDocument& document, KinetoPeek& peek) {
    constexpr std::size_t kAsked = 64;
    std::optional<KinetoDocument::Block> block;
    while (!block) {
        auto piece = document.next_piece();
        if (!piece)
            return document.is_object() ? KinetoPeek::Kind::kineto : KinetoPeek::Kind::json_without_events;
        block = document.cut(std::move(*piece));
    }
    const std::vector<std::string_view> elements = array_elements(block->bracketed.view());
    look_at_first_events(elements, base_time(document.header()), peek);
    for (std::size_t i = 0; i < std::min(kAsked, elements.size()); ++i) {
        const auto has = [&](std::string_view key) { return elements[i].find(key) != std::string_view::npos; };
        if ((has("\"seq_id\"") && has("\"step\"") && (has("\"mb_id\"") || has("\"model_chunk\""))) ||
            (has("\"thread_name\"") && has("PP rank ") && has(", TP rank ")))
            return KinetoPeek::Kind::operations;
    }
    const bool events = !elements.empty() && elements.front().starts_with('{') &&
                        elements.front().find("\"ph\"") != std::string_view::npos;
    return events || document.is_object() ? KinetoPeek::Kind::kineto : KinetoPeek::Kind::json_without_events;
}

/// Empty: it is read.
Message why_unread(KinetoPeek::Unread writer, const std::filesystem::path& path) {
    switch (writer) {
    case KinetoPeek::Unread::none: break;
    case KinetoPeek::Unread::torch_npu:
        return "%1 is a trace of torch_npu (Ascend), whose layout is not "
               "read; open it in MindStudio Insight"_text(path.string());
    case KinetoPeek::Unread::autograd_profiler:
        return "%1 is a trace of torch.autograd.profiler before PyTorch 1.8, which holds how long operators take on "
               "the "
               "GPU, but no kernels; record with torch.profiler"_text(path.string());
    case KinetoPeek::Unread::rocprof:
        return "%1 is a Chrome trace of AMD's rocprof before rocprofv3, which is not read; record with rocprofv3 "
               "--output-format rocpd, and open the .db"_text(path.string());
    }
    return {};
}

/// Drives the document through the pipeline. False: cancelled.
bool read_events(KinetoDocument& document, Collector& collector, const ReadOptions& options) {
    constexpr std::size_t kWorthKeeping = 2u << 20; // one event of 500 MB is not to cost so much until the end
    std::deque<InFlight> in_flight;                 // of read() alone; as many as there are tokens
    tbb::concurrent_queue<InFlight*> unused;
    std::uint64_t reported = 0;
    const auto read = [&](tbb::flow_control& control) -> InFlight* {
        InFlight* one = nullptr;
        if (!unused.try_pop(one))
            one = &in_flight.emplace_back();
        std::optional<KinetoDocument::Piece> piece;
        if (!options.cancel.stop_requested() && !collector.too_large())
            piece = document.next_piece(std::move(one->events.text));
        if (!piece) {
            control.stop();
            return nullptr;
        }
        one->piece = std::move(*piece);
        return one;
    };
    const auto cut = [&](InFlight* one) {
        if (options.on_bytes) {
            options.on_bytes(one->piece.consumed - reported);
            reported = one->piece.consumed;
        }
        one->block = document.cut(std::move(one->piece));
        return one;
    };
    tbb::enumerable_thread_specific<EventParser> parsers(options.launched_kernels != nullptr);
    const auto parse = [&](InFlight* one) {
        if (one->block)
            one->events =
                parsers.local().parse(std::move(one->block->bracketed), std::move(one->events), one->block->salvaged);
        return one;
    };
    const auto append = [&](InFlight* one) {
        one->unplaced = {};
        if (one->block && !collector.too_large())
            one->unplaced = collector.append(one->events, one->block->offset, one->block->elements);
        return one;
    };
    const auto place = [&](InFlight* one) {
        Collector::place(one->events, one->unplaced);
        if (one->events.text.size() > kWorthKeeping)
            one->events = {};
        unused.push(one);
    };
    const auto tokens = static_cast<std::size_t>(std::max(1, tbb::this_task_arena::max_concurrency())) * 2;
    tbb::parallel_pipeline(tokens,
                           tbb::make_filter<void, InFlight*>(tbb::filter_mode::serial_in_order, read) &
                               tbb::make_filter<InFlight*, InFlight*>(tbb::filter_mode::serial_in_order, cut) &
                               tbb::make_filter<InFlight*, InFlight*>(tbb::filter_mode::parallel, parse) &
                               tbb::make_filter<InFlight*, InFlight*>(tbb::filter_mode::serial_in_order, append) &
                               tbb::make_filter<InFlight*, void>(tbb::filter_mode::parallel, place));
    return !options.cancel.stop_requested();
}

/// Recent traces count from baseTimeNanoseconds. Older ones hold the epoch in every ts; then there is nothing to add.
void apply_base_time(const KinetoDocument& document, RankBuilder& builder, TimeRange span) {
    constexpr TimeNs kEpochLike = 1'000'000'000'000'000'000; // September 2001
    const TimeNs base = base_time(document.header());
    if (base <= 0 || span.begin >= kEpochLike)
        return;
    if (is_plausible_time(base) && is_plausible_time(span.end + base))
        builder.shift_times(base);
    else
        add_notice(builder.trace().notices,
                   {"implausible_base_time",
                    "baseTimeNanoseconds is %1, which no clock shows: it was not added to the times"_text(base),
                    {},
                    1});
}

/// Elements that no block holds.
void count_outside_of_blocks(const KinetoDocument& document, Accounting& accounting) {
    // A key may occur twice; only the first list of events is read.
    std::uint64_t repeated = 0;
    if (const auto again = document.header().find("traceEvents"); again != document.header().end())
        repeated = array_elements(again->second).size();
    accounting.events_in_file += document.cut_off() + document.torn() + document.trailing_scalars() + repeated;
    accounting.add(NotShown::cut_off, document.cut_off());
    accounting.add(NotShown::malformed, document.torn() + document.trailing_scalars());
    accounting.add(NotShown::duplicate, repeated);
}

} // namespace

bool is_json_name(std::string_view name) {
    static constexpr std::array<std::string_view, 4> endings{".json", ".json.gz", ".json.zst", ".json.zstd"};
    return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

Result<KinetoPeek> peek_kineto(const FileStart& file) {
    auto source = file.open();
    if (!source)
        return tl::unexpected(source.error());
    KinetoDocument document(std::move(*source));
    constexpr std::uint64_t kEnough = 8u << 20;
    document.keep_to(4 * kEnough); // a first event of 500 MB says nothing of the kind
    KinetoPeek peek;
    const KinetoDocument::Start start = document.start(kEnough);
    const auto& header = document.header();
    if (start == KinetoDocument::Start::events)
        peek.kind = kind_of_events(document, peek);
    else if (start == KinetoDocument::Start::no_events && header.contains("nodes") && header.contains("schema"))
        peek.kind = KinetoPeek::Kind::execution_trace;
    else if (start != KinetoDocument::Start::not_json)
        peek.kind = KinetoPeek::Kind::json_without_events;
    // Ranks of a run for a viewer (core/report/trace_export.cpp), with slices that are no events of the run: read as a
    // rank, nothing of it would be true.
    if (merged_ranks(header) > 0)
        return input_error(
            "%1 was written by --export-trace for trace viewers; open the run that it was made from"_text(
                file.path().string()));
    if (peek.kind == KinetoPeek::Kind::kineto && file.path().parent_path().filename() == "ASCEND_PROFILER_OUTPUT")
        peek.unread = KinetoPeek::Unread::torch_npu;
    if (Message why = why_unread(peek.unread, file.path()); !why.empty())
        return input_error(std::move(why));
    if (peek.is_of_xla)
        peek.kind = KinetoPeek::Kind::trace_viewer;
    const DistributedInfo info = distributed_info(header);
    peek.rank = info.rank;
    peek.world_size = info.world_size;
    return peek;
}

Result<std::shared_ptr<const RankTrace>>
read_kineto(const std::filesystem::path& path, const std::shared_ptr<StringTable>& names, const ReadOptions& options) {
    const auto points = std::make_shared<const InflatePoints>();
    auto source = open_parallel_source(path, tbb::this_task_arena::max_concurrency(), points);
    if (!source)
        return tl::unexpected(source.error());
    const std::uint64_t file_bytes = (*source)->file_bytes();
    KinetoDocument document(std::move(*source), piece_bytes(likely_text_bytes(path, file_bytes)));
    document.keep_to(options.memory_bytes);
    const KinetoDocument::Start start = document.start();
    if (start != KinetoDocument::Start::events) {
        const Message why = !document.damage().empty()                                    ? document.damage()
                            : start == KinetoDocument::Start::not_json && file_bytes == 0 ? "the file is empty"_text()
                            : start == KinetoDocument::Start::not_json                    ? "it is not JSON"_text()
                                                                       : "it has no traceEvents"_text();
        return input_error("%1 is not a Kineto trace: %2"_text(path.string(), why));
    }

    RankBuilder builder(names);
    RankTrace& trace = builder.trace();
    Collector collector(builder, options.memory_bytes);
    if (!read_events(document, collector, options))
        return cancelled();
    if (collector.too_large())
        return beyond_memory(path, options.memory_bytes, "%1 events"_text(builder.event_count()));
    document.finish();
    collector.join_edges(trace);
    count_outside_of_blocks(document, collector.accounting());
    collector.note_defects(trace);
    if (!document.damage().empty())
        add_notice(trace.notices, {"truncated_file",
                                   "%1: %2 events before the damage are shown, what follows is missing"_text(
                                       document.damage(), builder.event_count()),
                                   {},
                                   1});
    if (document.is_followed_by_another())
        add_notice(trace.notices,
                   {"second_document",
                    "behind the trace another document begins, as if two recordings were written into one file; "
                    "the first is shown, the other is not"_text(),
                    {},
                    1});
    apply_header(document.header(), builder);
    const std::size_t before_strays = builder.event_count();
    apply_base_time(document, builder, builder.drop_strays());
    trace.accounting = std::move(collector.accounting());
    trace.accounting.add(NotShown::stray, before_strays - builder.event_count());
    trace.accounting.on_timeline = builder.event_count();
    trace.file = path;
    trace.locator.points = points;
    trace.file_bytes = file_bytes;
    trace.text_bytes = document.text_bytes();
    for (Notice& notice : trace.notices)
        notice.file = path.string();
    if (options.launched_kernels != nullptr) {
        *options.launched_kernels = collector.launched_kernels();
        builder.keep_all_inputs();
    }
    if (options.complete)
        options.complete(builder);
    auto result = builder.finish(options.cancel);
    if (!result)
        return cancelled();
    return result;
}

} // namespace rankscope
