// SPDX-License-Identifier: GPL-3.0-or-later
// From a file of sections to a rank's model. A file may come from anybody: every index and every order that the
// analyses rely on is checked here.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <tuple>
#include <type_traits>

#include "core/input/bytes/blob.h"
#include "core/input/digest/trace_file.h"
#include "core/input/digest/trace_file_sections.h"
#include "core/trace/collective_args_numbers.h"
#include "core/trace/digest_facts.h"
#include "core/trace/plausible.h"
#include "core/trace/side_tables.h"
#include "core/trace/step_ends.h"

namespace rankscope {
namespace {

class TraceFileReader {
public:
    TraceFileReader(SectionReader& file, const std::shared_ptr<StringTable>& names)
        : file_(file), trace_(std::make_shared<RankTrace>()), names_(names) {
        trace_->names = names;
    }

    /// The result is only to be used when the file reports no damage.
    TraceFile read() {
        TraceFile result;
        result.key = read_head();
        read_names();
        read_structure();
        read_events();
        read_gpu_columns();
        read_collectives();
        read_side_tables();
        if (file_.damage().empty()) {
            check_events();
            check_side_tables();
        }
        if (file_.count(section::facts) > 0)
            read_facts();
        read_accounting();
        read_notice_texts();
        result.trace = trace_;
        return result;
    }

private:
    void check(bool good, Text<0> what) {
        if (!good)
            file_.fail(what);
    }

    std::string read_head() {
        const std::string text = file_.text(section::head);
        BlobReader in(text);
        std::string key = in.text();
        trace_->rank = static_cast<int>(std::clamp<std::int64_t>(in.number(), -1, kMostRanks));
        trace_->world_size = static_cast<int>(std::clamp<std::int64_t>(in.number(), 0, kMostRanks));
        trace_->file = in.text();
        trace_->file_bytes = static_cast<std::uint64_t>(in.number());
        trace_->text_bytes = static_cast<std::uint64_t>(in.number());
        const std::int64_t source = in.number();
        trace_->source = static_cast<TraceSource>(source);
        trace_->clock_base = in.number();
        trace_->span.begin = in.number();
        trace_->span.end = in.number();
        trace_->gpu_span.begin = in.number();
        trace_->gpu_span.end = in.number();
        const std::int64_t events = in.number();
        const std::int64_t gpu = in.number();
        check(in.good() && in.at_end() && source >= 0 && source <= static_cast<std::int64_t>(TraceSource::inspector) &&
                  trace_->source != TraceSource::digest && trace_->source != TraceSource::flight_recorder,
              "its head cannot be read"_text);
        check(events >= 0 && events < kNoEvent && gpu >= 0 && gpu <= events, "its counts cannot be"_text);
        check(std::ranges::all_of(std::array{trace_->clock_base, trace_->span.begin, trace_->span.end,
                                             trace_->gpu_span.begin, trace_->gpu_span.end},
                                  is_plausible_time) &&
                  trace_->span.length() <= kLongestRecording && trace_->gpu_span.length() <= kLongestRecording,
              "its times cannot be"_text);
        if (file_.damage().empty()) {
            count_ = static_cast<std::size_t>(events);
            trace_->events.gpu_count = static_cast<EventIndex>(gpu);
        }
        return key;
    }

    void read_names() {
        const std::size_t count = file_.count(section::name_sizes);
        const std::string texts = file_.text(section::names);
        const Column<std::uint32_t> sizes = file_.column<std::uint32_t>(section::name_sizes, count);
        std::vector<std::string_view> views;
        std::size_t at = 0;
        for (const std::uint32_t size : sizes) {
            if (size > texts.size() - at)
                return file_.fail("its names are cut off"_text);
            views.push_back(std::string_view(texts).substr(at, size));
            at += size;
        }
        check(at == texts.size() && !views.empty(), "its names do not fit"_text);
        if (file_.damage().empty())
            ids_ = names_->intern_all(views);
    }

    NameId global(std::int64_t local) {
        if (local < 0 || static_cast<std::uint64_t>(local) >= ids_.size()) {
            file_.fail("a name is not in its list"_text);
            return 0;
        }
        return ids_[static_cast<std::size_t>(local)];
    }

    template <typename T>
    T number_below(BlobReader& in, std::int64_t limit) {
        const std::int64_t value = in.number();
        check(value >= 0 && value < limit, "a number is out of range"_text);
        return static_cast<T>(value);
    }

    void read_structure() {
        const std::string text = file_.text(section::structure);
        BlobReader in(text);
        read_places(in);
        read_groups(in);
        read_small_tables(in);
        trace_->header = read_texts(in);
        for (std::size_t n = in.count(); n > 0 && in.good(); --n) {
            Notice notice;
            notice.code = NoticeCode::of(in.text()).value_or(NoticeCode("of_newer_version"));
            notice.message = in.text();
            notice.file = in.text();
            notice.count = in.number();
            trace_->notices.push_back(std::move(notice));
        }
        check(in.good() && in.at_end(), "its structure cannot be read"_text);
    }

    void read_places(BlobReader& in) {
        const std::size_t lanes = in.count(8 * 8);
        EventIndex begin = 0;
        std::uint64_t rows = 0;
        for (std::size_t i = 0; i < lanes; ++i) {
            Lane lane;
            lane.kind = number_below<LaneKind>(in, static_cast<std::int64_t>(LaneKind::other) + 1);
            lane.process = in.text();
            lane.thread = in.text();
            lane.name = in.text();
            lane.device = in.number();
            lane.stream = in.number();
            lane.begin = begin;
            const std::int64_t end = in.number();
            lane.first_row = static_cast<std::uint32_t>(rows);
            lane.row_count = number_below<std::uint32_t>(in, kNoEvent);
            rows += lane.row_count;
            if (!in.good() || end < begin || static_cast<std::uint64_t>(end) > count_)
                return file_.fail("its lanes do not follow each other"_text);
            lane.end = begin = static_cast<EventIndex>(end);
            check(trace_->lanes.empty() || trace_->lanes.back().kind <= lane.kind, "its lanes are not in order"_text);
            if (lane.kind == LaneKind::gpu_stream)
                gpu_end_ = lane.end;
            trace_->lanes.push_back(std::move(lane));
        }
        check(begin == count_ && gpu_end_ == trace_->events.gpu_count, "its lanes do not hold its events"_text);
        read_rows(in);
        const std::size_t steps = in.count(16);
        for (std::size_t i = 0; i < steps; ++i) {
            ProfilerStep step;
            step.number = in.number();
            step.event = number_below<EventIndex>(in, static_cast<std::int64_t>(count_));
            trace_->steps.push_back(step);
        }
    }

    void read_rows(BlobReader& in) {
        for (const Lane& lane : trace_->lanes) {
            EventIndex begin = lane.begin;
            for (std::uint32_t r = 0; r < lane.row_count && in.good(); ++r) {
                const std::int64_t end = in.number();
                if (end < begin || end > lane.end)
                    return file_.fail("its rows do not follow each other"_text);
                trace_->rows.push_back({begin, static_cast<EventIndex>(end)});
                begin = static_cast<EventIndex>(end);
            }
            check(begin == lane.end, "its rows do not hold its events"_text);
        }
    }

    void read_groups(BlobReader& in) {
        const std::size_t groups = in.count(4 * 8);
        for (std::size_t i = 0; i < groups && in.good(); ++i) {
            ProcessGroup group;
            group.name = in.text();
            group.description = in.text();
            group.size = number_below<int>(in, kMostRanks);
            for (std::size_t n = in.count(); n > 0; --n)
                group.ranks.push_back(number_below<int>(in, kMostRanks));
            trace_->process_groups.push_back(std::move(group));
        }
    }

    template <typename Value>
    static constexpr std::size_t numbers_in() {
        if constexpr (std::ranges::range<Value> && !std::is_same_v<Value, std::string>)
            return std::tuple_size_v<Value>;
        else
            return 1;
    }

    template <typename Value>
    void read_value(BlobReader& in, Value& value) {
        if constexpr (std::is_same_v<Value, std::string>)
            value = in.text();
        else if constexpr (std::is_same_v<Value, EventKind>)
            value = number_below<EventKind>(in, static_cast<std::int64_t>(kEventKindCount));
        else if constexpr (std::ranges::range<Value>)
            for (auto& part : value)
                read_value(in, part);
        else
            value = SectionReader::from_bits<Value>(in.number());
    }

    void read_small_tables(BlobReader& in) {
        for_each_small_table(
            *trace_,
            [&](auto& table, const auto&... fields) {
                const auto read = [&](auto& entry, const auto& field) {
                    if constexpr (kind_of<decltype(field)> == FieldKind::name)
                        entry.*field.member = global(in.number());
                    else
                        read_value(in, entry.*field.member);
                };
                const std::size_t least =
                    8 * (numbers_in<std::decay_t<decltype(table.front().*fields.member)>>() + ...);
                for (std::size_t n = in.count(least); n > 0; --n) {
                    auto& entry = table.emplace_back();
                    (read(entry, fields), ...);
                }
            });
    }

    static std::map<std::string, std::string> read_texts(BlobReader& in) {
        std::map<std::string, std::string> texts;
        for (std::size_t n = in.count(16); n > 0; --n) {
            std::string key = in.text();
            texts[std::move(key)] = in.text();
        }
        return texts;
    }

    void read_events() {
        EventTable& events = trace_->events;
        events.start = file_.column<TimeNs>(section::start, count_);
        events.duration = file_.column<TimeNs>(section::duration, count_);
        events.kind = file_.column<EventKind>(section::kind, count_);
        events.ordinal = file_.column<std::uint32_t>(section::ordinal, count_);
        events.link = file_.column<EventIndex>(section::link, count_);
        std::vector<NameId> names = file_.values<NameId>(section::name, count_);
        for (NameId& name : names)
            name = global(name);
        events.name = std::move(names);
    }

    void read_gpu_columns() {
        GpuColumns& gpu = trace_->gpu;
        const std::size_t count = trace_->events.gpu_count;
        const auto optional_column = [&](std::uint32_t id) { return file_.count(id) == 0 ? std::size_t{0} : count; };
        gpu.operator_event =
            file_.values<EventIndex>(section::operator_event, optional_column(section::operator_event));
        gpu.occupancy = file_.values<std::uint32_t>(section::occupancy, optional_column(section::occupancy));
        gpu.launch_shape = file_.values<std::uint32_t>(section::launch_shape, optional_column(section::launch_shape));
        gpu.correlation = file_.values<std::int64_t>(section::correlation, optional_column(section::correlation));
        check(gpu.operator_event.size() == count, "its operators are missing"_text);
        const auto below = [](const auto& values, std::size_t limit) {
            return std::ranges::all_of(values, [=](std::uint32_t v) { return v < limit; });
        };
        check(below(gpu.occupancy, gpu.occupancies.size()) && below(gpu.launch_shape, trace_->launch_shapes.size()),
              "a kernel's shape is not in its list"_text);
        check(gpu.correlation.empty() == gpu.launch_shape.empty(), "its launches do not fit"_text);
        check(std::ranges::all_of(gpu.operator_event,
                                  [&](EventIndex op) { return op == kNoEvent || (op >= count && op < count_); }),
              "an operator is not there"_text);
    }

    void read_collectives() {
        using Args = CollectiveArgs;
        std::vector<CollectiveEntry>& entries = trace_->collectives;
        entries.resize(file_.count(section::collective_event));
        file_.field(section::collective_event, entries, &CollectiveEntry::event);
        file_.field(section::collective_sequence, entries, &CollectiveEntry::sequence);
        std::vector<Args> calls(entries.size());
        file_.field(section::collective_name, calls, &Args::collective);
        file_.field(section::collective_dtype, calls, &Args::dtype);
        file_.field(section::collective_in, calls, &Args::in_elements);
        file_.field(section::collective_out, calls, &Args::out_elements);
        file_.field(section::collective_size, calls, &Args::group_size);
        file_.field(section::collective_source, calls, &Args::source_rank);
        file_.field(section::collective_destination, calls, &Args::destination_rank);
        file_.field(section::collective_group, calls, &Args::group);
        file_.field(section::collective_in_split, calls, &Args::in_split);
        file_.field(section::collective_out_split, calls, &Args::out_split);
        const auto groups = static_cast<std::int64_t>(trace_->process_groups.size());
        CollectiveArgsNumbers numbers;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            Args& call = calls[i];
            for (NameId Args::*text : {&Args::collective, &Args::dtype, &Args::in_split, &Args::out_split})
                call.*text = global(call.*text);
            check(call.group >= -1 && call.group < groups, "a process group is not there"_text);
            check(is_plausible(call.in_elements) && is_plausible(call.out_elements) && is_plausible(call.group_size),
                  "a message cannot be that large"_text);
            entries[i].args = numbers.number(call, trace_->collective_args);
        }
        trace_->collective_args.shrink_to_fit();
    }

    void read_side_tables() {
        for_each_side_table(
            *trace_,
            [&](auto& table, const auto& first, const auto&... others) {
                table.resize(file_.count(first.section));
                const auto read = [&](const auto& field) {
                    file_.field(field.section, table, field.member);
                    if constexpr (kind_of<decltype(field)> == FieldKind::name)
                        for (auto& entry : table)
                            entry.*field.member = global(entry.*field.member);
                };
                read(first);
                (read(others), ...);
            });
    }

    /// Kinds fit their lanes, links lead from GPU work to calls and back, rows ascend.
    void check_events() {
        const EventTable& events = trace_->events;
        for (EventIndex i = 0; i < count_; ++i) {
            const bool gpu = i < events.gpu_count;
            if (static_cast<std::size_t>(events.kind[i]) >= kEventKindCount || is_gpu_work(events.kind[i]) != gpu ||
                !is_plausible_time(events.start[i]) || events.duration[i] < 0 ||
                events.duration[i] > kLongestRecording || events.start[i] < trace_->span.begin ||
                events.end(i) > trace_->span.end)
                return file_.fail("an event cannot be"_text);
            const EventIndex link = events.link[i];
            if (link == kNoEvent)
                continue;
            const bool links = gpu || events.kind[i] == EventKind::gpu_sync;
            if (link >= count_ || events.link[link] == kNoEvent ||
                static_cast<std::size_t>(events.kind[link]) >= kEventKindCount)
                return file_.fail("a link leads nowhere"_text);
            const bool linked_work = is_gpu_work(events.kind[link]) || events.kind[link] == EventKind::gpu_sync;
            if (links ? !is_launch_call(events.kind[link]) : !is_launch_call(events.kind[i]) || !linked_work)
                return file_.fail("a link leads to what cannot be linked"_text);
        }
        for (const Row& row : trace_->rows)
            for (EventIndex i = row.begin; i + 1 < row.end; ++i)
                if (events.end(i) > events.start[i + 1] || events.start[i] > events.start[i + 1])
                    return file_.fail("events of a row overlap"_text);
        for (ProfilerStep& step : trace_->steps)
            step.range = events.range(step.event);
        check(std::ranges::is_sorted(trace_->steps, {}, [](const ProfilerStep& s) { return s.range.begin; }),
              "its steps are not in order"_text);
        close_gaps_of_steps(*trace_, trace_->steps);
    }

    /// Sorted by event; entries without one, of events that were never paired, are at the end and go.
    template <typename Entry>
    void check_owners(std::vector<Entry>& table, EventIndex Entry::*event) {
        std::erase_if(table, [event](const Entry& entry) { return entry.*event == kNoEvent; });
        check(std::ranges::is_sorted(table, {}, event) && (table.empty() || table.back().*event < count_),
              "a table is not in order"_text);
    }

    template <typename Entry, typename Field>
    void check_field(std::vector<Entry>& table, const Field& field) {
        const auto each = [&](auto sound) {
            return std::ranges::all_of(table, [&](const Entry& entry) { return sound(entry.*field.member); });
        };
        if constexpr (Field::kind == FieldKind::owner)
            check_owners(table, field.member);
        else if constexpr (Field::kind == FieldKind::event)
            check(each([&](EventIndex event) { return event == kNoEvent || event < count_; }),
                  "an event of a table is not there"_text);
        else if constexpr (Field::kind == FieldKind::time)
            check(each(is_plausible_time), "a time cannot be"_text);
        else if constexpr (Field::kind == FieldKind::amount)
            check(each([](std::int64_t bytes) { return is_plausible(bytes); }), "an amount of memory cannot be"_text);
    }

    void check_side_tables() {
        RankTrace& trace = *trace_;
        check_owners(trace.collectives, &CollectiveEntry::event);
        for_each_side_table(
            trace, [&](auto& table, const auto&... fields) { (check_field(table, fields), ...); });
        check(std::ranges::all_of(
                  trace.operator_inputs, [&](const InputsEntry& e) { return e.shapes < trace.input_shapes.size(); }),
              "an operator's inputs are not there"_text);
        check(std::ranges::all_of(
                  trace.kernel_sums,
                  [](const KernelSum& s) {
                      return is_plausible(s.count) && s.count > 0 && s.total >= 0 && s.total <= kLongestRecording;
                  }),
              "a sum cannot be"_text);
        check(std::ranges::all_of(
                  trace.collective_transfers,
                  [](const CollectiveTransfer& t) {
                      return std::isfinite(t.algorithm_gb_s) && std::isfinite(t.bus_gb_s) &&
                             is_plausible_time(t.execution);
                  }),
              "a transfer cannot be"_text);
        check(std::ranges::all_of(
                  trace.flows, [&](const Flow& flow) { return flow.from < count_ && flow.to < count_; }),
              "an arrow leads nowhere"_text);
        const auto by_time = [](const auto& table) {
            return std::ranges::is_sorted(table, {}, [](const auto& entry) { return entry.time; });
        };
        check(by_time(trace.memory_samples) && by_time(trace.instants), "its samples are not in order"_text);
        check(std::ranges::is_sorted(trace.locator.marks, {}, &EventLocator::Mark::ordinal),
              "its marks are not in order"_text);
        // Counters are sorted by the ids of their series, which differ from table to table.
        std::ranges::stable_sort(trace.counters, {},
                                 [](const CounterSample& s) { return std::pair(s.series, s.time); });
    }

    /// Digests of older versions say only how many events the timeline had.
    void account_by_facts() {
        Accounting& accounting = trace_->accounting;
        accounting.on_timeline = count_;
        accounting.events_in_file =
            std::max<std::uint64_t>(trace_->digest ? trace_->digest->recorded_events : 0, count_);
        accounting.add(NotShown::digest, accounting.events_in_file - accounting.on_timeline);
    }

    /// A text is taken only where the English of the notice comes out of it.
    void read_notice_texts() {
        if (file_.count(section::notice_texts) == 0)
            return;
        constexpr std::size_t kMostArguments = 9;  // %1 to %9
        constexpr std::ptrdiff_t kMostPlaces = 12; // of an argument that stands in a text again and again
        const std::string all = file_.text(section::notice_texts);
        BlobReader in(all);
        for (Notice& notice : trace_->notices) {
            std::string text = in.text();
            std::size_t count = in.count();
            if (count > kMostArguments)
                return file_.fail("its notices cannot be read"_text);
            std::vector<Message> arguments;
            for (; count > 0; --count)
                arguments.emplace_back(in.text());
            if (std::ranges::count(text, '%') > kMostPlaces)
                continue;
            Message message(std::move(text), std::move(arguments));
            if (english(message) == english(notice.message))
                notice.message = std::move(message);
        }
        check(in.good() && in.at_end(), "its notices cannot be read"_text);
    }

    void read_accounting() {
        if (file_.count(section::accounting) == 0)
            return account_by_facts();
        const std::string text = file_.text(section::accounting);
        BlobReader in(text);
        const auto events = [&] {
            const std::int64_t value = in.number();
            check(is_plausible(value) && value >= 0, "its accounting cannot be"_text);
            return file_.damage().empty() ? static_cast<std::uint64_t>(value) : 0;
        };
        Accounting& accounting = trace_->accounting;
        accounting.events_in_file = events();
        accounting.on_timeline = events();
        const std::size_t reasons = in.count();
        for (std::size_t i = 0; i < reasons; ++i) // this version does not know those of a newer one
            accounting.add(i < kNotShownCount ? static_cast<NotShown>(i) : NotShown::not_understood, events());
        for (std::size_t n = in.count(16); n > 0; --n) {
            const std::string table = in.text();
            accounting.rows_by_table[table] += events();
        }
        check(in.good() && in.at_end() &&
                  accounting.events_in_file == accounting.on_timeline + accounting.all_not_shown(),
              "its accounting does not add up"_text);
    }

    void read_facts() {
        const std::string text = file_.text(section::facts);
        BlobReader in(text);
        auto facts = std::make_shared<DigestFacts>();
        facts->source.path = in.text();
        facts->source.bytes = static_cast<std::uint64_t>(in.number());
        facts->source.modified_ns = in.number();
        facts->recorded_events = static_cast<std::uint64_t>(std::max<std::int64_t>(in.number(), 0));
        facts->fractional_times = in.number() != 0;
        CclBenchCounts& counts = facts->ccl_bench_counts;
        counts.calls = in.number();
        for (std::int64_t& calls : counts.calls_by_type)
            calls = in.number();
        for (std::int64_t* number :
             {&counts.comm_events, &counts.comp_events, &counts.comm_time, &counts.comp_time, &counts.overlap_time})
            *number = in.number();
        for (std::size_t n = in.count(); n > 0; --n)
            counts.call_starts.push_back(in.number());
        facts->ccl_bench_bubble.bubble = in.number();
        facts->ccl_bench_bubble.total = in.number();
        facts->ccl_bench_traffic.calls = in.number();
        for (TimeNs& time : facts->ccl_bench_traffic.time)
            time = in.number();
        facts->config = read_texts(in);
        for (std::optional<double>* value :
             {&facts->serving.ttft_ms, &facts->serving.tpot_ms, &facts->serving.average_latency_s}) {
            const bool known = in.number() != 0;
            const double number = in.real();
            *value = known ? std::optional(number) : std::nullopt;
        }
        facts->serving.file = in.text();
        for (std::size_t n = in.count(16); n > 0; --n) {
            ExpertLoads loads;
            loads.file = in.text();
            for (std::size_t steps = in.count(); steps > 0; --steps) {
                std::vector<double>& step = loads.per_step.emplace_back();
                for (std::size_t experts = in.count(); experts > 0; --experts)
                    step.push_back(in.real());
            }
            facts->expert_loads.push_back(std::move(loads));
        }
        if (!in.at_end()) // written where it is known
            facts->serving.itl_ms = in.real();
        check(in.good() && in.at_end() && std::ranges::is_sorted(counts.call_starts),
              "what it knows of the trace cannot be read"_text);
        const CclBenchBubble& bubble = facts->ccl_bench_bubble;
        check(std::ranges::all_of(counts.call_starts, is_plausible_time) &&
                  std::ranges::all_of(facts->ccl_bench_traffic.time, is_plausible_time) &&
                  std::ranges::all_of(
                      std::array{counts.comm_time, counts.comp_time, counts.overlap_time, bubble.bubble, bubble.total},
                      is_plausible_time),
              "its times cannot be"_text);
        const auto is_count = [](std::int64_t count) { return count >= 0 && is_plausible(count); };
        check(std::ranges::all_of(counts.calls_by_type, is_count) &&
                  std::ranges::all_of(
                      std::array{counts.calls, counts.comm_events, counts.comp_events, facts->ccl_bench_traffic.calls},
                      is_count),
              "its counts cannot be"_text);
        read_requests(facts->serving);
        trace_->digest = std::move(facts);
    }

    void read_requests(ServingResults& serving) {
        const std::size_t count = file_.count(section::served_ttft);
        if (count == 0)
            return;
        serving.requests_file = file_.text(section::served);
        serving.requests.resize(count);
        file_.field(section::served_ttft, serving.requests, &ServedRequest::ttft_ms);
        file_.field(section::served_latency, serving.requests, &ServedRequest::latency_ms);
        file_.field(section::served_prompt, serving.requests, &ServedRequest::prompt_tokens);
        file_.field(section::served_output, serving.requests, &ServedRequest::output_tokens);
        const Column<std::int64_t> gaps = file_.column<std::int64_t>(section::served_gaps, count);
        const Column<double> gap = file_.column<double>(section::served_gap, file_.count(section::served_gap));
        std::size_t next = 0;
        bool sound = gaps.size() == count;
        for (std::size_t i = 0; sound && i < count; ++i) {
            ServedRequest& request = serving.requests[i];
            const auto is_number = [](std::int64_t tokens) { return tokens >= -1 && is_plausible(tokens); };
            const bool fits = gaps[i] >= 0 && static_cast<std::uint64_t>(gaps[i]) <= gap.size() - next;
            sound = fits && !std::isinf(request.ttft_ms) && !std::isinf(request.latency_ms) &&
                    is_number(request.prompt_tokens) && is_number(request.output_tokens);
            for (const std::size_t end = next + (fits ? static_cast<std::size_t>(gaps[i]) : 0); next < end; ++next) {
                sound = sound && std::isfinite(gap[next]) && gap[next] >= 0;
                request.token_gaps_ms.push_back(gap[next]);
            }
        }
        check(sound && next == gap.size(), "its requests cannot be"_text);
    }

    SectionReader& file_;
    std::shared_ptr<RankTrace> trace_;
    std::shared_ptr<StringTable> names_;
    std::vector<NameId> ids_;
    std::size_t count_ = 0;
    EventIndex gpu_end_ = 0;
};

} // namespace

Result<TraceFile> read_trace_file(const std::filesystem::path& path, TraceFileKind kind,
                                  const std::shared_ptr<StringTable>& names, SectionReader::Access access) {
    auto file = SectionReader::open(path, static_cast<std::uint32_t>(kind), access);
    if (!file)
        return tl::unexpected(file.error());
    TraceFile result = TraceFileReader(*file, names).read();
    if (file->damage().empty() && kind == TraceFileKind::digest && !result.trace->digest)
        file->fail("it does not say what it is a digest of"_text);
    if (!file->damage().empty())
        return input_error("%1 is damaged: %2"_text(path.string(), file->damage()));
    return result;
}

Result<TraceFilePeek> peek_trace_file(const std::filesystem::path& path, TraceFileKind kind) {
    const auto text = SectionReader::first_text(path, static_cast<std::uint32_t>(kind));
    if (!text)
        return tl::unexpected(text.error());
    BlobReader in(*text);
    in.text();
    TraceFilePeek peek;
    peek.rank = static_cast<int>(std::clamp<std::int64_t>(in.number(), -1, kMostRanks));
    peek.world_size = static_cast<int>(std::clamp<std::int64_t>(in.number(), 0, kMostRanks));
    return peek;
}

} // namespace rankscope
