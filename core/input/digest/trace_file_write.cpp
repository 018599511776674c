// SPDX-License-Identifier: GPL-3.0-or-later
// From a rank's model to a file of sections. What is small goes into texts, what is long into columns.
#include "core/input/bytes/blob.h"

#include "core/input/digest/trace_file.h"
#include "core/input/digest/trace_file_sections.h"
#include "core/trace/digest_facts.h"
#include "core/trace/side_tables.h"
#include <filesystem>
#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>

namespace rankscope {
namespace {

/// Numbers the names that a trace uses, in the order in which it does: the same trace gives the same file.
class LocalNames {
public:
    explicit LocalNames(const StringTable& names) : names_(names), local_(names.size(), kNone) { of(0); }

    NameId of(NameId name) {
        if (local_[name] == kNone) {
            const std::string_view text = names_.view(name);
            local_[name] = static_cast<NameId>(sizes_.size());
            sizes_.push_back(static_cast<std::uint32_t>(text.size()));
            texts_ += text;
        }
        return local_[name];
    }
    void write(SectionWriter& writer) {
        writer.text(section::names, std::move(texts_));
        writer.column(section::name_sizes, std::span<const std::uint32_t>(sizes_));
    }

private:
    static constexpr NameId kNone = 0xFFFFFFFF;
    const StringTable& names_;
    std::vector<NameId> local_;
    std::vector<std::uint32_t> sizes_;
    std::string texts_;
};

std::string head_of(const RankTrace& trace, const std::string& key) {
    BlobWriter head;
    head.text(key).number(trace.rank).number(trace.world_size).text(trace.file.string());
    head.number(static_cast<std::int64_t>(trace.file_bytes)).number(static_cast<std::int64_t>(trace.text_bytes));
    head.number(static_cast<std::int64_t>(trace.source)).number(trace.clock_base);
    head.number(trace.span.begin).number(trace.span.end).number(trace.gpu_span.begin).number(trace.gpu_span.end);
    head.number(trace.events.size()).number(trace.events.gpu_count);
    return head.take();
}

void write_places(BlobWriter& out, const RankTrace& trace) {
    out.number(static_cast<std::int64_t>(trace.lanes.size()));
    for (const Lane& lane : trace.lanes)
        out.number(static_cast<std::int64_t>(lane.kind))
            .text(lane.process)
            .text(lane.thread)
            .text(lane.name)
            .number(lane.device)
            .number(lane.stream)
            .number(lane.end)
            .number(lane.row_count);
    for (const Row& row : trace.rows)
        out.number(row.end);
    out.number(static_cast<std::int64_t>(trace.steps.size()));
    for (const ProfilerStep& step : trace.steps)
        out.number(step.number).number(step.event);
}

void write_groups(BlobWriter& out, const RankTrace& trace) {
    out.number(static_cast<std::int64_t>(trace.process_groups.size()));
    for (const ProcessGroup& group : trace.process_groups) {
        out.text(group.name)
            .text(group.description)
            .number(group.size)
            .number(static_cast<std::int64_t>(group.ranks.size()));
        for (const int rank : group.ranks)
            out.number(rank);
    }
}

template <typename Value>
void write_value(BlobWriter& out, const Value& value) {
    if constexpr (std::is_same_v<Value, std::string>)
        out.text(value);
    else if constexpr (std::ranges::range<Value>)
        for (const auto& part : value)
            out.number(part);
    else
        out.number(SectionWriter::bits(value));
}

void write_small_tables(BlobWriter& out, const RankTrace& trace, LocalNames& names) {
    for_each_small_table(
        trace,
        [&](const auto& table, const auto&... fields) {
            out.number(std::ssize(table));
            const auto write = [&](const auto& entry, const auto& field) {
                if constexpr (kind_of<decltype(field)> == FieldKind::name)
                    out.number(names.of(entry.*field.member));
                else
                    write_value(out, entry.*field.member);
            };
            for (const auto& entry : table)
                (write(entry, fields), ...);
        });
}

void write_texts(BlobWriter& out, const std::map<std::string, std::string>& texts) {
    out.number(static_cast<std::int64_t>(texts.size()));
    for (const auto& [key, value] : texts)
        out.text(key).text(value);
}

std::string structure_of(const RankTrace& trace, LocalNames& names) {
    BlobWriter out;
    write_places(out, trace);
    write_groups(out, trace);
    write_small_tables(out, trace, names);
    write_texts(out, trace.header);
    out.number(static_cast<std::int64_t>(trace.notices.size()));
    for (const Notice& notice : trace.notices)
        out.text(notice.code.word()).text(english(notice.message)).text(notice.file).number(notice.count);
    return out.take();
}

std::string notice_texts_of(const RankTrace& trace) {
    BlobWriter out;
    for (const Notice& notice : trace.notices) {
        const std::vector<std::string> arguments = notice.message.arguments();
        out.text(notice.message.text()).number(std::ssize(arguments));
        for (const std::string& argument : arguments)
            out.text(argument);
    }
    return out.take();
}

std::string accounting_of(const RankTrace& trace) {
    BlobWriter out;
    out.number(static_cast<std::int64_t>(trace.accounting.events_in_file))
        .number(static_cast<std::int64_t>(trace.accounting.on_timeline))
        .number(static_cast<std::int64_t>(kNotShownCount));
    for (const std::uint64_t events : trace.accounting.not_shown)
        out.number(static_cast<std::int64_t>(events));
    out.number(static_cast<std::int64_t>(trace.accounting.rows_by_table.size()));
    for (const auto& [table, rows] : trace.accounting.rows_by_table)
        out.text(table).number(static_cast<std::int64_t>(rows));
    return out.take();
}

void write_optional(BlobWriter& out, const std::optional<double>& value) {
    out.number(value ? 1 : 0).real(value.value_or(0));
}

std::string facts_of(const DigestFacts& facts) {
    BlobWriter out;
    out.text(facts.source.path.string())
        .number(static_cast<std::int64_t>(facts.source.bytes))
        .number(facts.source.modified_ns);
    out.number(static_cast<std::int64_t>(facts.recorded_events)).number(facts.fractional_times ? 1 : 0);
    const CclBenchCounts& counts = facts.ccl_bench_counts;
    out.number(counts.calls);
    for (const std::int64_t calls : counts.calls_by_type)
        out.number(calls);
    out.number(counts.comm_events)
        .number(counts.comp_events)
        .number(counts.comm_time)
        .number(counts.comp_time)
        .number(counts.overlap_time);
    out.number(static_cast<std::int64_t>(counts.call_starts.size()));
    for (const TimeNs start : counts.call_starts)
        out.number(start);
    out.number(facts.ccl_bench_bubble.bubble)
        .number(facts.ccl_bench_bubble.total)
        .number(facts.ccl_bench_traffic.calls);
    for (const TimeNs time : facts.ccl_bench_traffic.time)
        out.number(time);
    write_texts(out, facts.config);
    write_optional(out, facts.serving.ttft_ms);
    write_optional(out, facts.serving.tpot_ms);
    write_optional(out, facts.serving.average_latency_s);
    out.text(facts.serving.file).number(static_cast<std::int64_t>(facts.expert_loads.size()));
    for (const ExpertLoads& loads : facts.expert_loads) {
        out.text(loads.file).number(static_cast<std::int64_t>(loads.per_step.size()));
        for (const auto& step : loads.per_step) {
            out.number(static_cast<std::int64_t>(step.size()));
            for (const double load : step)
                out.real(load);
        }
    }
    if (facts.serving.itl_ms) // last: older versions read what is before it
        out.real(*facts.serving.itl_ms);
    return out.take();
}

void write_requests(SectionWriter& out, const ServingResults& serving) {
    if (serving.requests.empty())
        return;
    std::vector<std::int64_t> gaps;
    std::vector<double> gap;
    for (const ServedRequest& request : serving.requests) {
        gaps.push_back(std::ssize(request.token_gaps_ms));
        gap.insert(gap.end(), request.token_gaps_ms.begin(), request.token_gaps_ms.end());
    }
    out.text(section::served, serving.requests_file);
    out.field(section::served_ttft, serving.requests, &ServedRequest::ttft_ms);
    out.field(section::served_latency, serving.requests, &ServedRequest::latency_ms);
    out.field(section::served_prompt, serving.requests, &ServedRequest::prompt_tokens);
    out.field(section::served_output, serving.requests, &ServedRequest::output_tokens);
    out.column(section::served_gaps, std::span<const std::int64_t>(gaps));
    out.column(section::served_gap, std::span<const double>(gap));
}

void write_collectives(SectionWriter& out, const RankTrace& trace, LocalNames& names) {
    std::vector<CollectiveArgs> calls;
    calls.reserve(trace.collectives.size());
    for (const CollectiveEntry& entry : trace.collectives)
        calls.push_back(trace.collective_args[entry.args]);
    for (CollectiveArgs& call : calls)
        for (NameId CollectiveArgs::*text : {&CollectiveArgs::collective, &CollectiveArgs::dtype,
                                             &CollectiveArgs::in_split, &CollectiveArgs::out_split})
            call.*text = names.of(call.*text);
    using Args = CollectiveArgs;
    out.field(section::collective_event, trace.collectives, &CollectiveEntry::event);
    out.field(section::collective_name, calls, &Args::collective);
    out.field(section::collective_dtype, calls, &Args::dtype);
    out.field(section::collective_in, calls, &Args::in_elements);
    out.field(section::collective_out, calls, &Args::out_elements);
    out.field(section::collective_size, calls, &Args::group_size);
    out.field(section::collective_sequence, trace.collectives, &CollectiveEntry::sequence);
    out.field(section::collective_source, calls, &Args::source_rank);
    out.field(section::collective_destination, calls, &Args::destination_rank);
    out.field(section::collective_group, calls, &Args::group);
    out.field(section::collective_in_split, calls, &Args::in_split);
    out.field(section::collective_out_split, calls, &Args::out_split);
}

void write_side_tables(SectionWriter& out, const RankTrace& trace, LocalNames& names) {
    write_collectives(out, trace, names);
    for_each_side_table(trace, [&](const auto& table, const auto&... fields) {
        const auto write = [&](const auto& field) {
            if constexpr (kind_of<decltype(field)> == FieldKind::name) {
                auto local = table;
                for (auto& entry : local)
                    entry.*field.member = names.of(entry.*field.member);
                out.field(field.section, local, field.member);
            } else {
                out.field(field.section, table, field.member);
            }
        };
        (write(fields), ...);
    });
}

} // namespace

Result<void> write_trace_file(const std::filesystem::path& path, const RankTrace& trace, TraceFileKind kind,
                              const std::string& key) {
    SectionWriter out(static_cast<std::uint32_t>(kind), kind == TraceFileKind::digest ? Packing::packed : Packing::raw);
    LocalNames names(*trace.names);
    const EventTable& events = trace.events;
    out.text(section::head, head_of(trace, key));
    std::vector<NameId> event_names;
    event_names.reserve(events.size());
    for (const NameId name : events.name)
        event_names.push_back(names.of(name));
    const auto column = [&out](std::uint32_t id, const auto& values) {
        out.column(id, std::span(values.data(), values.size()));
    };
    column(section::start, events.start);
    column(section::duration, events.duration);
    column(section::name, event_names);
    column(section::kind, events.kind);
    column(section::ordinal, events.ordinal);
    column(section::link, events.link);
    column(section::operator_event, trace.gpu.operator_event);
    column(section::occupancy, trace.gpu.occupancy);
    column(section::launch_shape, trace.gpu.launch_shape);
    column(section::correlation, trace.gpu.correlation);
    write_side_tables(out, trace, names);
    out.text(section::structure, structure_of(trace, names));
    if (trace.digest) {
        out.text(section::facts, facts_of(*trace.digest));
        write_requests(out, trace.digest->serving);
    }
    out.text(section::accounting, accounting_of(trace));
    if (!trace.notices.empty())
        out.text(section::notice_texts, notice_texts_of(trace));
    names.write(out);
    return out.write(path);
}

} // namespace rankscope
