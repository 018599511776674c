// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of one event, as rows of text.
#include "widgets/panels/event_details.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include <QCoreApplication>

#include <nlohmann/json.hpp>

#include "core/analysis/selection/kernel_class.h"
#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/time_text.h"
#include "widgets/timeline/slice_class.h"

namespace rankscope {
namespace {

struct EventTexts {
    Q_DECLARE_TR_FUNCTIONS(EventTexts)
};

using Rows = std::vector<DetailRow>;

void add(Rows& rows, const QString& key, const QString& value) {
    if (!value.isEmpty())
        rows.push_back({key, value, false});
}

void addCount(Rows& rows, const QString& key, std::int64_t count) {
    if (count != kUnknown)
        add(rows, key, groupedNumber(count));
}

QString kindText(const RankTrace& trace, EventIndex event, const KernelClassRules& classes) {
    const EventKind kind = trace.events.kind[event];
    const QString label = coreText(event_kind_label(kind));
    if (kind != EventKind::kernel)
        return label;
    const KernelClass kernelClass = trace.collective_of(event) != nullptr
                                        ? KernelClass::communication
                                        : classes.class_of(kind, trace.event_name(event));
    if (kernelClass != KernelClass::compute)
        return label + QStringLiteral(" · ") + sliceClassLabel(sliceClassOf(kernelClass));
    return EventTexts::tr("%1 · compute, %2")
        .arg(label, coreText(compute_kind_word(compute_kind(trace.event_name(event)))));
}

void addLaunch(Rows& rows, const Run& run, const RankTrace& trace, EventIndex event) {
    const EventIndex link = trace.events.link[event];
    const EventKind kind = trace.events.kind[event];
    if (link == kNoEvent) {
        if (is_gpu_work(kind))
            add(rows, EventTexts::tr("Launched by"), EventTexts::tr("no call in the trace"));
        return;
    }
    const auto start = [&](EventIndex i) { return exactMicroseconds(trace.events.start[i] - run.span.begin); };
    const bool launches = is_launch_call(kind);
    const EventIndex call = launches ? event : link;
    const EventIndex work = launches ? link : event;
    add(rows, launches ? EventTexts::tr("Launches") : EventTexts::tr("Launched by"),
        EventTexts::tr("%1 at %2").arg(QString::fromUtf8(trace.event_name(link)), start(link)));
    add(rows, EventTexts::tr("Launch to start"), durationText(trace.events.start[work] - trace.events.start[call]));
}

void addCollective(Rows& rows, const RankTrace& trace, EventIndex event) {
    const CollectiveArgs* args = trace.collective_of(event);
    if (args == nullptr)
        return;
    rows.push_back({EventTexts::tr("Collective"), {}, true});
    add(rows, EventTexts::tr("Operation"), QString::fromUtf8(trace.names->view(args->collective)));
    add(rows, EventTexts::tr("Data type"), QString::fromUtf8(trace.names->view(args->dtype)));
    addCount(rows, EventTexts::tr("Elements in"), args->in_elements);
    addCount(rows, EventTexts::tr("Elements out"), args->out_elements);
    addCount(rows, EventTexts::tr("Group size"), args->group_size);
    addCount(rows, EventTexts::tr("Sequence number"), trace.collective_sequence_of(event));
    if (args->group >= 0) {
        const ProcessGroup& group = trace.process_groups[static_cast<std::size_t>(args->group)];
        add(rows, EventTexts::tr("Group"), QString::fromStdString(group.name));
        add(rows, EventTexts::tr("Group description"), QString::fromStdString(group.description));
        QStringList ranks;
        for (const int rank : group.ranks)
            ranks << QString::number(rank);
        add(rows, EventTexts::tr("Group ranks"), ranks.join(QStringLiteral(", ")));
    }
    if (args->source_rank >= 0)
        add(rows, EventTexts::tr("Source rank"), QString::number(args->source_rank));
    if (args->destination_rank >= 0)
        add(rows, EventTexts::tr("Destination rank"), QString::number(args->destination_rank));
    add(rows, EventTexts::tr("Split in"), QString::fromUtf8(trace.names->view(args->in_split)));
    add(rows, EventTexts::tr("Split out"), QString::fromUtf8(trace.names->view(args->out_split)));
}

void addTransfer(Rows& rows, const RankTrace& trace, EventIndex event) {
    const auto& transfers = trace.memory_transfers;
    const auto found = std::lower_bound(transfers.begin(), transfers.end(), event,
                                        [](const MemoryTransfer& t, EventIndex e) { return t.event < e; });
    if (found == transfers.end() || found->event != event)
        return;
    if (found->bytes != kUnknown)
        add(rows, EventTexts::tr("Bytes"),
            groupedNumber(found->bytes) + QStringLiteral(" (%1)").arg(byteText(static_cast<quint64>(found->bytes))));
    if (found->bandwidth_gb_s > 0)
        add(rows, EventTexts::tr("Bandwidth"), shortNumber(found->bandwidth_gb_s) + QStringLiteral(" GB/s"));
}

/// The CPU side that an event comes from, innermost first: a kernel's operator, or its launch call; else what it lies
/// in.
EventIndex callerOf(const RankTrace& trace, EventIndex event) {
    if (event < trace.gpu.operator_event.size() && trace.gpu.operator_event[event] != kNoEvent)
        return trace.gpu.operator_event[event];
    if (event < trace.events.gpu_count)
        return trace.events.link[event];
    return trace.parent_of(event);
}

void addOperatorStack(Rows& rows, const Run& run, const RankTrace& trace, EventIndex event) {
    constexpr int kDeepest = 60;
    EventIndex caller = callerOf(trace, event);
    if (caller == kNoEvent)
        return;
    rows.push_back({EventTexts::tr("Called from"), {}, true});
    for (int depth = 0; caller != kNoEvent && depth < kDeepest; caller = trace.parent_of(caller), ++depth)
        add(rows, exactMicroseconds(trace.events.start[caller] - run.span.begin),
            QString::fromUtf8(trace.event_name(caller)));
}

void addInputs(Rows& rows, const RankTrace& trace, EventIndex event) {
    const bool onGpu = event < trace.events.gpu_count;
    const EventIndex caller = onGpu ? callerOf(trace, event) : event;
    const auto inputs = caller == kNoEvent ? std::nullopt : trace.inputs_of(caller);
    if (!inputs)
        return;
    rows.push_back({onGpu ? EventTexts::tr("Inputs of the operator") : EventTexts::tr("Inputs"), {}, true});
    add(rows, EventTexts::tr("Shapes"), QString::fromUtf8(trace.names->view(inputs->dims)));
    add(rows, EventTexts::tr("Types"), QString::fromUtf8(trace.names->view(inputs->types)));
    add(rows, EventTexts::tr("Values"), QString::fromUtf8(trace.names->view(inputs->concrete)));
    add(rows, EventTexts::tr("Strides"), QString::fromUtf8(trace.names->view(inputs->strides)));
    addCount(rows, EventTexts::tr("FLOP"), inputs->flops);
    if (rows.back().heading)
        rows.pop_back();
}

QString valueText(const nlohmann::ordered_json& value) {
    if (value.is_string())
        return QString::fromStdString(value.get<std::string>());
    return QString::fromStdString(value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

} // namespace

Rows factsOf(const Run& run, const RankTrace& trace, EventIndex event, const KernelClassRules& classes) {
    Rows rows;
    add(rows, EventTexts::tr("Kind"), kindText(trace, event, classes));
    add(rows, EventTexts::tr("Rank"), QString::number(trace.rank));
    add(rows, EventTexts::tr("Lane"), QString::fromStdString(trace.lane_of(event).name));
    add(rows, EventTexts::tr("Start"), exactMicroseconds(trace.events.start[event] - run.span.begin));
    add(rows, EventTexts::tr("Duration"), exactMicroseconds(trace.events.duration[event]));
    addLaunch(rows, run, trace, event);
    if (event < trace.gpu.operator_event.size() && trace.gpu.operator_event[event] != kNoEvent)
        add(rows, EventTexts::tr("Operator"), QString::fromUtf8(trace.event_name(trace.gpu.operator_event[event])));
    if (const EventIndex parent = trace.parent_of(event); parent != kNoEvent)
        add(rows, EventTexts::tr("Inside"), QString::fromUtf8(trace.event_name(parent)));
    addTransfer(rows, trace, event);
    addCollective(rows, trace, event);
    addInputs(rows, trace, event);
    addOperatorStack(rows, run, trace, event);
    return rows;
}

Rows argumentsOf(const std::string& eventText) {
    constexpr std::array<std::string_view, 7> said{"name", "ph", "ts", "dur", "args", "tts", "tdur"};
    Rows rows;
    const auto json = nlohmann::ordered_json::parse(eventText, nullptr, false);
    if (!json.is_object())
        return {{EventTexts::tr("As recorded"), {}, true},
                {EventTexts::tr("Text"), QString::fromStdString(eventText), false}};
    if (const auto args = json.find("args"); args != json.end() && args->is_object() && !args->empty()) {
        rows.push_back({EventTexts::tr("Arguments"), {}, true});
        for (const auto& [key, value] : args->items())
            rows.push_back({QString::fromStdString(key), valueText(value), false});
    }
    rows.push_back({EventTexts::tr("As recorded"), {}, true});
    for (const auto& [key, value] : json.items())
        if (std::find(said.begin(), said.end(), key) == said.end())
            rows.push_back({QString::fromStdString(key), valueText(value), false});
    if (rows.back().heading)
        rows.pop_back();
    return rows;
}

} // namespace rankscope
