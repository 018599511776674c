// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a rank beside its events, described once. What memory they take, that they are trimmed and shifted,
// which entries a digest keeps, and how a copy in a file holds them follows from this. A new field of an entry is a
// member of its struct, a line here, and what a reader says of it.
#pragma once
#include <cstdint>
#include <type_traits>

#include "core/trace/rank_trace.h"

namespace rankscope {

enum class FieldKind : std::uint8_t {
    value,  ///< anything that a copy keeps as it is
    owner,  ///< the event that the entry is of: the table is sorted by it, and an entry goes with its event
    event,  ///< another event, or kNoEvent
    name,   ///< in the run's string table
    time,   ///< on the rank's clock, ns
    amount, ///< of bytes, or kUnknown
};

/// section: where a file holds the values of all entries; never used again for something else. Small tables have none:
/// they lie in the section of what is small, entry after entry.
template <FieldKind K, typename Entry, typename Value>
struct TableField {
    static constexpr FieldKind kind = K;
    std::uint32_t section = 0;
    Value Entry::*member = nullptr;
};

/// Of a field that a function got by reference: kind_of<decltype(field)>.
template <typename Field>
inline constexpr FieldKind kind_of = std::remove_cvref_t<Field>::kind;

template <FieldKind K = FieldKind::value, typename Entry, typename Value>
constexpr TableField<K, Entry, Value> field(std::uint32_t section, Value Entry::*member) {
    return {section, member};
}
template <FieldKind K = FieldKind::value, typename Entry, typename Value>
constexpr TableField<K, Entry, Value> field(Value Entry::*member) {
    return {0, member};
}

/// visit(table, fields...) for each table that is long. Collectives are not among them: their arguments are kept once.
template <typename Trace, typename Visit>
void for_each_side_table(Trace& trace, Visit visit) {
    using enum FieldKind;
    using Transfer = CollectiveTransfer;
    using Mark = EventLocator::Mark;
    visit(trace.memory_transfers, field<owner>(50, &MemoryTransfer::event), field<amount>(51, &MemoryTransfer::bytes),
          field(52, &MemoryTransfer::bandwidth_gb_s));
    visit(trace.operator_inputs, field<owner>(53, &InputsEntry::event), field(54, &InputsEntry::shapes),
          field(55, &InputsEntry::sequence));
    visit(trace.memory_samples, field<time>(60, &MemorySample::time), field<amount>(61, &MemorySample::bytes),
          field<amount>(62, &MemorySample::allocated), field<amount>(63, &MemorySample::reserved),
          field(64, &MemorySample::address), field(65, &MemorySample::device_type), field(66, &MemorySample::device),
          field<event>(76, &MemorySample::operator_event));
    visit(trace.instants, field<time>(67, &Instant::time), field<name>(68, &Instant::name));
    visit(trace.counters, field<name>(69, &CounterSample::series), field<time>(70, &CounterSample::time),
          field(71, &CounterSample::value));
    visit(trace.flows, field<event>(72, &Flow::from), field<event>(73, &Flow::to));
    visit(trace.locator.marks, field(74, &Mark::ordinal), field(75, &Mark::offset));
    visit(trace.collective_transfers, field<owner>(90, &Transfer::event), field<name>(91, &Transfer::algorithm),
          field<name>(92, &Transfer::protocol), field<name>(93, &Transfer::timing), field(94, &Transfer::channels),
          field<amount>(95, &Transfer::bytes), field(96, &Transfer::execution), field(97, &Transfer::algorithm_gb_s),
          field(98, &Transfer::bus_gb_s));
}

/// Likewise for each table that is small. The order and the fields are those of a file: what is new needs another
/// version of it.
template <typename Trace, typename Visit>
void for_each_small_table(Trace& trace, Visit visit) {
    using enum FieldKind;
    using Sum = KernelSum;
    using Shape = LaunchShape;
    visit(trace.kernel_sums, field<name>(&Sum::name), field(&Sum::kind), field(&Sum::count), field(&Sum::total),
          field(&Sum::min), field(&Sum::max), field(&Sum::mean), field(&Sum::median), field(&Sum::standard_deviation));
    visit(trace.launch_shapes, field(&Shape::grid), field(&Shape::block), field(&Shape::registers),
          field(&Shape::static_shared), field(&Shape::dynamic_shared), field(&Shape::context),
          field(&Shape::green_context), field(&Shape::source_memory), field(&Shape::target_memory));
    visit(trace.gpu.occupancies, field(&Occupancy::blocks_per_sm), field(&Occupancy::percent));
    visit(trace.input_shapes, field<name>(&InputShapes::dims), field<name>(&InputShapes::types),
          field<name>(&InputShapes::concrete), field<name>(&InputShapes::strides), field(&InputShapes::flops));
    visit(trace.devices, field(&Device::id), field(&Device::name), field(&Device::multiprocessors),
          field(&Device::memory_bytes));
}

} // namespace rankscope
