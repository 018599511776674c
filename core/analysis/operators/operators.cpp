// SPDX-License-Identifier: GPL-3.0-or-later
// Operators of a rank with the GPU time they launched.
#include "core/analysis/operators/operators.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "core/analysis/basics/busy_below.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

constexpr std::uint32_t kNoOperatorCall = kNoParent;
constexpr std::uint32_t kUnasked = kNoOperatorCall - 1;

/// Union of ranges that come in order of start.
struct RunningUnion {
    TimeNs end = std::numeric_limits<TimeNs>::min();
    TimeNs total = 0;
    void add(TimeRange range) {
        const TimeNs from = std::max(range.begin, end);
        total += std::max<TimeNs>(0, range.end - from);
        end = std::max(end, range.end);
    }
};

/// One call of an operator around GPU work.
struct Call {
    EventIndex event = kNoEvent;
    std::uint32_t parent = kNoOperatorCall; ///< the operator around it
    EventIndex first_work = kNoEvent;       ///< it launched itself
    std::uint32_t gpu_events = 0;
    bool communicates = false;
    bool tf32 = false;
    RunningUnion direct;
    TimeNs subtree = 0;
};

class RankCalls {
public:
    explicit RankCalls(const RankTrace& rank) : rank_(rank), place_(rank.events.size(), kUnasked) {}

    /// The call of that operator and, when it is new, of all operators around it, however many. No event is walked over
    /// twice.
    std::uint32_t of(EventIndex op) {
        std::uint32_t inner = kNoOperatorCall;
        EventIndex at = op;
        for (; at != kNoEvent && place_[at] == kUnasked; at = rank_.parent_of(at)) {
            if (rank_.events.kind[at] != EventKind::cpu_op) {
                passed_.push_back(at);
                continue;
            }
            const auto call = static_cast<std::uint32_t>(calls.size());
            calls.push_back({});
            calls.back().event = at;
            place_[at] = call;
            put_inside(inner, call);
            inner = call;
        }
        put_inside(inner, at == kNoEvent ? kNoOperatorCall : place_[at]);
        return place_[op];
    }

    std::vector<Call> calls;

private:
    void put_inside(std::uint32_t inner, std::uint32_t outer) {
        if (inner != kNoOperatorCall)
            calls[inner].parent = outer;
        for (const EventIndex event : passed_)
            place_[event] = outer;
        passed_.clear();
    }

    const RankTrace& rank_;
    std::vector<std::uint32_t> place_; ///< by event: of a call, or of the call around what is none
    std::vector<EventIndex> passed_;   ///< since the innermost call
};

/// The time of everything that the calls, and those inside them, launched.
void fill_subtrees(std::vector<Call>& calls, std::span<const NodeWork> work) {
    std::vector<std::uint32_t> parents;
    parents.reserve(calls.size());
    for (const Call& call : calls)
        parents.push_back(call.parent);
    const std::vector<TimeNs> busy = busy_below(parents, work);
    for (std::size_t i = 0; i < calls.size(); ++i)
        calls[i].subtree = busy[i];
}

void add_call(OperatorRow& row, const RankTrace& rank, const Call& call, const std::optional<OperatorInputs>& inputs) {
    const TimeNs direct = call.direct.total;
    row.direct_min = row.calls == 0 ? direct : std::min(row.direct_min, direct);
    row.direct_max = std::max(row.direct_max, direct);
    ++row.calls;
    row.gpu_events += call.gpu_events;
    row.direct += direct;
    row.subtree += call.subtree;
    row.cpu += rank.events.duration[call.event];
    if (direct > 0) {
        row.inverse_sum += 1.0 / static_cast<double>(direct);
        ++row.timed_calls;
    }
    row.tf32_calls += call.tf32 ? 1 : 0;
    if (inputs && inputs->flops != kUnknown) {
        row.recorded_flops += static_cast<double>(inputs->flops);
        ++row.calls_with_flops;
    }
}

/// What makes two calls equal.
using RowKey = std::array<std::uint32_t, 6>;
RowKey key_of(const OperatorRow& row) {
    return {row.name,    row.dims,     row.types,
            row.strides, row.concrete, row.category == OperatorCategory::communication ? 1U : 0U};
}

struct KeyHash {
    std::size_t operator()(const RowKey& key) const {
        std::size_t hash = 0;
        for (const std::uint32_t part : key) {
            hash = (hash ^ part) * 0x9E3779B97F4A7C15ull;
            hash ^= hash >> 29;
        }
        return hash;
    }
};

/// Rows of equal calls; with_inputs: also told apart by what they were given.
std::vector<OperatorRow> rows_of(const RankTrace& rank, const std::vector<const Call*>& calls, bool with_inputs) {
    std::vector<OperatorRow> rows;
    std::unordered_map<RowKey, std::size_t, KeyHash> place;
    for (const Call* call : calls) {
        const auto inputs = with_inputs ? rank.inputs_of(call->event) : std::nullopt;
        OperatorRow row;
        row.name = rank.events.name[call->event];
        if (inputs) {
            row.dims = inputs->dims;
            row.types = inputs->types;
            row.strides = inputs->strides;
            row.concrete = inputs->concrete;
        }
        row.category = call->communicates ? OperatorCategory::communication : OperatorCategory::other;
        const auto [at, added] = place.try_emplace(key_of(row), rows.size());
        if (added) {
            if (!call->communicates && call->first_work != kNoEvent)
                row.category = operator_category(rank.event_name(call->event), rank.event_name(call->first_work));
            rows.push_back(row);
        }
        add_call(rows[at->second], rank, *call, inputs);
    }
    return rows;
}

template <typename Time>
void sort_rows(const StringTable& names, std::vector<OperatorRow>& rows, Time&& time) {
    const auto text = [&](NameId id) { return names.view(id); };
    std::sort(rows.begin(), rows.end(), [&](const OperatorRow& a, const OperatorRow& b) {
        return std::tuple(-time(a), text(a.name), text(a.dims), text(a.types), text(a.strides), text(a.concrete)) <
               std::tuple(-time(b), text(b.name), text(b.dims), text(b.types), text(b.strides), text(b.concrete));
    });
}

} // namespace

std::vector<OperatorRow> pooled_leaves(const Run& run, std::span<const OperatorAnalysis> ranks) {
    count_work("pooled_leaves");
    std::map<RowKey, OperatorRow> pooled;
    for (const OperatorAnalysis& rank : ranks) {
        for (const OperatorRow& row : rank.leaves) {
            const auto [place, added] = pooled.try_emplace(key_of(row), row);
            if (added)
                continue;
            OperatorRow& sum = place->second;
            sum.calls += row.calls;
            sum.gpu_events += row.gpu_events;
            sum.direct += row.direct;
            sum.subtree += row.subtree;
            sum.direct_min = std::min(sum.direct_min, row.direct_min);
            sum.direct_max = std::max(sum.direct_max, row.direct_max);
            sum.inverse_sum += row.inverse_sum;
            sum.timed_calls += row.timed_calls;
            sum.cpu += row.cpu;
            sum.recorded_flops += row.recorded_flops;
            sum.calls_with_flops += row.calls_with_flops;
            sum.tf32_calls += row.tf32_calls;
        }
    }
    std::vector<OperatorRow> rows;
    for (const auto& [key, row] : pooled)
        rows.push_back(row);
    sort_rows(*run.names, rows, [](const OperatorRow& row) { return row.direct; });
    return rows;
}

OperatorAnalysis analyse_operators(const RankTrace& rank, std::span<const GpuSlice> work) {
    OperatorAnalysis result;
    RankCalls all(rank);
    std::unordered_map<NameId, bool> tf32;
    const auto is_tf32 = [&](NameId name) {
        const auto [at, added] = tf32.try_emplace(name);
        if (added)
            at->second = is_tf32_kernel(rank.names->view(name));
        return at->second;
    };
    std::vector<NodeWork> of_calls;
    of_calls.reserve(work.size());
    for (const GpuSlice& slice : work) {
        const EventIndex op = rank.gpu.operator_event[slice.event];
        const std::uint32_t place = op == kNoEvent ? kNoOperatorCall : all.of(op);
        if (place == kNoOperatorCall) {
            result.unattributed += slice.range.length();
            continue;
        }
        result.attributed += slice.range.length();
        of_calls.push_back({slice.range, place});
        Call& call = all.calls[place];
        call.first_work = call.first_work == kNoEvent ? slice.event : call.first_work;
        call.communicates |= slice.kernel_class == KernelClass::communication;
        call.tf32 = call.tf32 || is_tf32(rank.events.name[slice.event]);
        ++call.gpu_events;
        call.direct.add(slice.range);
    }
    fill_subtrees(all.calls, of_calls);
    std::vector<const Call*> leaves;
    std::vector<const Call*> top_level;
    for (const Call& call : all.calls) {
        if (call.gpu_events > 0)
            leaves.push_back(&call);
        if (call.parent == kNoOperatorCall)
            top_level.push_back(&call);
    }
    result.leaves = rows_of(rank, leaves, true);
    result.top_level = rows_of(rank, top_level, false);
    sort_rows(
        *rank.names, result.leaves, [](const OperatorRow& row) { return row.direct; });
    sort_rows(*rank.names, result.top_level, [](const OperatorRow& row) { return row.subtree; });
    return result;
}

} // namespace rankscope
