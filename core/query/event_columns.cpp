// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/event_columns.h"

#include "core/query/event_words.h"

namespace rankscope {
namespace {

using enum ColumnType;

struct Described {
    EventColumn which;
    QueryColumn column;
};

const std::vector<Described> kOfEvents{
    {EventColumn::run, {"run", integer, "", "number of the run, in the order given, from 0"}},
    {EventColumn::rank, {"rank", integer, "", "rank"}},
    {EventColumn::lane, {"lane", integer, "", "stream or thread: lane.lane of the same run and rank"}},
    {EventColumn::start, {"start_ns", integer, "ns", "start since the first event of the run, on the aligned clock"}},
    {EventColumn::duration, {"dur_ns", integer, "ns", "duration"}},
    {EventColumn::name, {"name", text, "", "name as recorded"}},
    {EventColumn::kind,
     {"kind", text, "",
      "kernel, memcpy, memset, gpu_annotation, gpu_sync, cpu_op, annotation, runtime, driver, python, overhead, span "
      "or other; derived: graph_launch, and captured_op and captured_scope of a graph's capture"}},
    {EventColumn::event_class,
     {"class", text, "", "of GPU work: compute, communication, memcpy or memset; NULL for other events"}},
    {EventColumn::depth, {"depth", integer, "", "row of the lane, 0 outermost"}},
    {EventColumn::step,
     {"step", integer, "", "number of the profiler step it belongs to; of GPU work that of its launch; NULL: none"}},
    {EventColumn::id, {"id", integer, "", "number of the event among all events of all runs"}},
    {EventColumn::launch, {"launch_id", integer, "", "id of the call that launched it; NULL: not recorded"}},
    {EventColumn::parent, {"parent_id", integer, "", "id of the event around it on its lane; NULL: none"}},
    {EventColumn::end, {"end_ns", integer, "ns", "start_ns + dur_ns"}},
    {EventColumn::lane_name, {"lane_name", text, "", "stream 7, thread 1234 (pt_autograd_0): lane.name"}}};

const std::vector<Described> kOfAllKinds{
    {EventColumn::stream, {"stream", integer, "", "stream of GPU work; NULL on the CPU"}}};

const std::vector<Described> kOfKernels{
    {EventColumn::compute_kind,
     {"compute_kind", text, "",
      "of computation: fused (with communication), gemm, attention, convolution, normalisation, elementwise, "
      "reduction, embedding, optimiser, "
      "triton "
      "or other; NULL for communication"}},
    {EventColumn::device, {"device", integer, "", "GPU"}},
    {EventColumn::stream, {"stream", integer, "", "stream of that GPU"}},
    {EventColumn::operator_id, {"operator_id", integer, "", "id of the operator that launched it; NULL: not known"}},
    {EventColumn::launch_delay,
     {"launch_delay_ns", integer, "ns", "start of the kernel less start of its launch; NULL: launch not recorded"}},
    {EventColumn::blocks_per_sm, {"blocks_per_sm", real, "", "as recorded; NULL: not recorded"}},
    {EventColumn::occupancy,
     {"occupancy_percent", real, "%", "estimated achieved occupancy as recorded; NULL: not recorded"}}};

const std::vector<Described> kOfOperators{
    {EventColumn::dims, {"dims", text, "", "shapes of the inputs as recorded (JSON); NULL: not recorded"}},
    {EventColumn::types, {"types", text, "", "types of the inputs as recorded (JSON); NULL: not recorded"}},
    {EventColumn::flops, {"flops", integer, "FLOP", "as recorded; NULL: not recorded"}}};

EventTableColumns table_of(std::string_view name, std::string_view help, std::uint32_t kinds,
                           const std::vector<Described>& more) {
    EventTableColumns table;
    table.table.name = name;
    table.table.help = help;
    table.kinds = kinds;
    for (const auto* list : {&kOfEvents, &more})
        for (const Described& described : *list) {
            table.columns.push_back(described.which);
            table.table.columns.push_back(described.column);
        }
    return table;
}

} // namespace

const std::vector<EventTableColumns>& event_tables() {
    static const std::vector<EventTableColumns> tables{
        table_of("event", "every event of every rank", kAllKinds, kOfAllKinds),
        table_of("kernel", "every GPU kernel; copies and sets are in event",
                 1U << static_cast<unsigned>(EventKind::kernel), kOfKernels),
        table_of("operator",
                 "every call of a framework operator (kind cpu_op), and those that a replayed graph stands for "
                 "(captured_op)",
                 1U << static_cast<unsigned>(EventKind::cpu_op) | 1U << static_cast<unsigned>(EventKind::captured_op),
                 kOfOperators)};
    return tables;
}

IntegerRange* range_of(EventFilter& filter, EventColumn column) {
    switch (column) {
    case EventColumn::run: return &filter.run;
    case EventColumn::rank: return &filter.rank;
    case EventColumn::lane: return &filter.lane;
    case EventColumn::depth: return &filter.depth;
    case EventColumn::id: return &filter.id;
    case EventColumn::start: return &filter.start;
    case EventColumn::end: return &filter.end;
    case EventColumn::duration: return &filter.duration;
    default: return nullptr;
    }
}

bool keep_text(EventFilter& filter, EventColumn column, const std::string& text) {
    const auto bits = [&](std::size_t count, auto&& word) {
        std::uint32_t equal = 0;
        for (std::size_t i = 0; i < count; ++i)
            equal |= text == word(i) ? 1U << i : 0;
        return equal;
    };
    switch (column) {
    case EventColumn::name:
        filter.names.emplace_back([text](std::string_view name) { return name == text; });
        return true;
    case EventColumn::kind:
        filter.kinds &= bits(kEventKindCount, [](auto i) { return event_kind_word(static_cast<EventKind>(i)); });
        return true;
    case EventColumn::event_class:
        filter.classes &=
            bits(kKernelClassCount, [](auto i) { return kernel_class_word(static_cast<KernelClass>(i)); });
        return true;
    default: return false;
    }
}

} // namespace rankscope
