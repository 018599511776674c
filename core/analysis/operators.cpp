// SPDX-License-Identifier: GPL-3.0-or-later
// Operators of a rank with the GPU time they launched.
#include "core/analysis/operators.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

namespace rankscope {
namespace {

constexpr std::uint32_t kNoCall = ~std::uint32_t{0};

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
    std::uint32_t parent = kNoCall; ///< the operator around it
    EventIndex first_work = kNoEvent; ///< it launched itself
    std::uint32_t gpu_events = 0;
    bool communicates = false;
    bool tf32 = false;
    RunningUnion direct;
    RunningUnion subtree;
};

class Calls {
public:
    explicit Calls(const RankTrace& rank) : rank_(rank), place_(rank.events.size(), kNoCall) {}

    /// The call of that event and, when it is new, of all operators around it, however many.
    std::uint32_t of(EventIndex event) {
        std::uint32_t inner = kNoCall;
        for (EventIndex at = event; at != kNoEvent; at = operator_around(at)) {
            const bool is_new = place_[at] == kNoCall;
            if (is_new) {
                place_[at] = static_cast<std::uint32_t>(calls.size());
                calls.push_back({});
                calls.back().event = at;
            }
            if (inner != kNoCall) {
                calls[inner].parent = place_[at];
            }
            if (!is_new) {
                break;
            }
            inner = place_[at];
        }
        return place_[event];
    }

    std::vector<Call> calls;

private:
    [[nodiscard]] EventIndex operator_around(EventIndex event) const {
        do {
            event = rank_.parent_of(event);
        } while (event != kNoEvent && rank_.events.kind[event] != EventKind::cpu_op);
        return event;
    }

    const RankTrace& rank_;
    std::vector<std::uint32_t> place_; ///< by event
};

void add_call(OperatorRow& row, const RankTrace& rank, const Call& call, const std::optional<OperatorInputs>& inputs) {
    const TimeNs direct = call.direct.total;
    row.direct_min = row.calls == 0 ? direct : std::min(row.direct_min, direct);
    row.direct_max = std::max(row.direct_max, direct);
    ++row.calls;
    row.gpu_events += call.gpu_events;
    row.direct += direct;
    row.subtree += call.subtree.total;
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
    return {row.name, row.dims, row.types, row.strides, row.concrete, row.category == OperatorCategory::communication ? 1U : 0U};
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
            if (!call->communicates && call->first_work != kNoEvent) {
                row.category = operator_category(rank.event_name(call->event), rank.event_name(call->first_work));
            }
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
    std::map<RowKey, OperatorRow> pooled;
    for (const OperatorAnalysis& rank : ranks) {
        for (const OperatorRow& row : rank.leaves) {
            const auto [place, added] = pooled.try_emplace(key_of(row), row);
            if (added) {
                continue;
            }
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
    for (const auto& [key, row] : pooled) {
        rows.push_back(row);
    }
    sort_rows(*run.names, rows, [](const OperatorRow& row) { return row.direct; });
    return rows;
}

OperatorAnalysis analyse_operators(const RankTrace& rank, std::span<const GpuSlice> work) {
    OperatorAnalysis result;
    Calls all(rank);
    std::unordered_map<NameId, bool> tf32;
    const auto is_tf32 = [&](NameId name) {
        const auto [at, added] = tf32.try_emplace(name);
        if (added) {
            at->second = is_tf32_kernel(rank.names->view(name));
        }
        return at->second;
    };
    for (const GpuSlice& slice : work) {
        const EventIndex op = rank.gpu.operator_event[slice.event];
        if (op == kNoEvent) {
            result.unattributed += slice.range.length();
            continue;
        }
        result.attributed += slice.range.length();
        const std::uint32_t place = all.of(op);
        Call& call = all.calls[place];
        call.first_work = call.first_work == kNoEvent ? slice.event : call.first_work;
        call.communicates |= slice.kernel_class == KernelClass::communication;
        call.tf32 = call.tf32 || is_tf32(rank.events.name[slice.event]);
        ++call.gpu_events;
        call.direct.add(slice.range);
        for (std::uint32_t at = place; at != kNoCall; at = all.calls[at].parent) {
            all.calls[at].subtree.add(slice.range);
        }
    }
    std::vector<const Call*> leaves;
    std::vector<const Call*> top_level;
    for (const Call& call : all.calls) {
        if (call.gpu_events > 0) {
            leaves.push_back(&call);
        }
        if (call.parent == kNoCall) {
            top_level.push_back(&call);
        }
    }
    result.leaves = rows_of(rank, leaves, true);
    result.top_level = rows_of(rank, top_level, false);
    sort_rows(*rank.names, result.leaves, [](const OperatorRow& row) { return row.direct; });
    sort_rows(*rank.names, result.top_level, [](const OperatorRow& row) { return row.subtree; });
    return result;
}

} // namespace rankscope
