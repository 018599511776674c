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
#include "core/base/seeded_hash.h"
#include "core/base/work_count.h"
#include "core/trace/engine_steps.h"
#include "core/trace/transfer_kind.h"

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
    TimeNs over_links = 0; ///< as OperatorRow::over_links
    TimeNs subtree = 0;
};

/// A copy that the memory of the GPU does not limit.
bool is_over_links(const RankTrace& rank, EventIndex event) {
    const EventKind kind = rank.events.kind[event];
    if (kind != EventKind::memcpy)
        return false;
    const TransferKind transfer = transfer_kind(kind, rank.event_name(event));
    return transfer == TransferKind::host_to_device || transfer == TransferKind::device_to_host ||
           transfer == TransferKind::peer_to_peer;
}

class RankCalls {
public:
    explicit RankCalls(const RankTrace& rank) : rank_(rank), place_(rank.events.size(), kUnasked) {}

    /// The call of that operator and, when it is new, of all operators around it, however many. No event is walked over
    /// twice.
    std::uint32_t of(EventIndex op) {
        std::uint32_t inner = kNoOperatorCall;
        EventIndex at = op;
        for (; at != kNoEvent && place_[at] == kUnasked; at = rank_.parent_of(at)) {
            if (!is_operator(rank_.events.kind[at])) {
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
    row.over_links += std::min(direct, call.over_links);
    row.subtree += call.subtree;
    row.cpu += rank.events.kind[call.event] == EventKind::cpu_op ? rank.events.duration[call.event] : 0;
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
        return std::apply([](auto... parts) { return seeded_hash(parts...); }, key);
    }
};

void add_attended(OperatorRow& row, const AttendedTokens& tokens) {
    for (double AttendedTokens::*field :
         {&AttendedTokens::context_q, &AttendedTokens::context_k, &AttendedTokens::context_qq,
          &AttendedTokens::context_qk, &AttendedTokens::generation_q, &AttendedTokens::generation_k,
          &AttendedTokens::generation_qk})
        row.attended.*field += tokens.*field;
    ++row.calls_with_attended;
}

/// Rows of equal calls. steps: nullptr where they are not told apart by what they were given.
template <typename Steps>
std::vector<OperatorRow> rows_of(const RankTrace& rank, const std::vector<const Call*>& calls, const Steps* steps) {
    std::vector<OperatorRow> rows;
    std::unordered_map<RowKey, std::size_t, KeyHash> place;
    for (const Call* call : calls) {
        const auto inputs = steps != nullptr ? rank.inputs_of(call->event) : std::nullopt;
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
        if (steps != nullptr && rows[at->second].category == OperatorCategory::inference_attention)
            if (const auto tokens = steps->of(*call))
                add_attended(rows[at->second], *tokens);
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

std::vector<OperatorRow> pooled_rows(const Run& run, std::span<const OperatorAnalysis> ranks,
                                     std::vector<OperatorRow> OperatorAnalysis::*of_rank) {
    count_work(of_rank == &OperatorAnalysis::leaves ? "pooled_leaves" : "pooled_models");
    std::map<RowKey, OperatorRow> pooled;
    for (const OperatorAnalysis& rank : ranks) {
        for (const OperatorRow& row : rank.*of_rank) {
            const auto [place, added] = pooled.try_emplace(key_of(row), row);
            if (added)
                continue;
            OperatorRow& sum = place->second;
            sum.calls += row.calls;
            sum.gpu_events += row.gpu_events;
            sum.direct += row.direct;
            sum.over_links += row.over_links;
            sum.subtree += row.subtree;
            sum.direct_min = std::min(sum.direct_min, row.direct_min);
            sum.direct_max = std::max(sum.direct_max, row.direct_max);
            sum.inverse_sum += row.inverse_sum;
            sum.timed_calls += row.timed_calls;
            sum.cpu += row.cpu;
            sum.recorded_flops += row.recorded_flops;
            sum.calls_with_flops += row.calls_with_flops;
            sum.tf32_calls += row.tf32_calls;
            add_attended(sum, row.attended);
            sum.calls_with_attended += row.calls_with_attended - 1;
        }
    }
    std::vector<OperatorRow> rows;
    for (const auto& [key, row] : pooled)
        rows.push_back(row);
    sort_rows(*run.names, rows, [](const OperatorRow& row) { return row.direct; });
    return rows;
}

namespace {

/// The calls around GPU work, with what each launched.
struct FilledCalls {
    RankCalls all;
    std::vector<NodeWork> of_calls;
    TimeNs attributed = 0;
    TimeNs unattributed = 0;
};

/// taken(place, slice): called for each piece of work with the place of its call.
template <typename Taken>
FilledCalls fill_calls(const RankTrace& rank, std::span<const GpuSlice> work, Taken&& taken) {
    FilledCalls filled{RankCalls(rank), {}, 0, 0};
    PlaceMap<NameId, bool> tf32;
    const auto is_tf32 = [&](NameId name) {
        const auto [at, added] = tf32.try_emplace(name);
        if (added)
            at->second = is_tf32_kernel(rank.names->view(name));
        return at->second;
    };
    filled.of_calls.reserve(work.size());
    for (const GpuSlice& slice : work) {
        const EventIndex op = rank.gpu.operator_event[slice.event];
        const std::uint32_t place = op == kNoEvent ? kNoOperatorCall : filled.all.of(op);
        if (place == kNoOperatorCall) {
            filled.unattributed += slice.range.length();
            continue;
        }
        filled.attributed += slice.range.length();
        filled.of_calls.push_back({slice.range, place});
        Call& call = filled.all.calls[place];
        call.first_work = call.first_work == kNoEvent ? slice.event : call.first_work;
        call.communicates |= slice.kernel_class == KernelClass::communication;
        call.tf32 = call.tf32 || is_tf32(rank.events.name[slice.event]);
        ++call.gpu_events;
        call.direct.add(slice.range);
        call.over_links += is_over_links(rank, slice.event) ? slice.range.length() : 0;
        taken(place, slice);
    }
    fill_subtrees(filled.all.calls, filled.of_calls);
    return filled;
}

/// By call: the outermost call with a performance model of it and those around it, or kNoOperatorCall. with_inputs:
/// only of those whose inputs were recorded.
std::vector<std::uint32_t> outermost_models(const RankTrace& rank, const std::vector<Call>& calls, bool with_inputs) {
    enum class Model : std::uint8_t { none, its_own, of_what_it_calls };
    PlaceMap<NameId, Model> known;
    const auto is_modelled = [&](std::uint32_t place) {
        const auto [at, added] = known.try_emplace(rank.events.name[calls[place].event]);
        if (added) {
            const std::string_view name = rank.names->view(at->first);
            at->second = !has_performance_model(name) ? Model::none
                         : calls_its_model(name)      ? Model::of_what_it_calls
                                                      : Model::its_own;
        }
        const bool has =
            at->second == Model::its_own || (at->second == Model::of_what_it_calls && calls[place].gpu_events > 0);
        return has && (!with_inputs || rank.inputs_of(calls[place].event));
    };
    std::vector<std::uint32_t> outermost(calls.size(), kUnasked);
    std::vector<std::uint32_t> path;
    for (std::uint32_t call = 0; call < calls.size(); ++call) {
        path.clear();
        std::uint32_t place = call;
        for (; place != kNoOperatorCall && outermost[place] == kUnasked; place = calls[place].parent)
            path.push_back(place);
        std::uint32_t found = place == kNoOperatorCall ? kNoOperatorCall : outermost[place];
        for (auto at = path.rbegin(); at != path.rend(); ++at) {
            if (found == kNoOperatorCall && is_modelled(*at))
                found = *at;
            outermost[*at] = found;
        }
    }
    return outermost;
}

/// The outermost calls with a performance model around GPU work, with all work inside them as their own.
std::vector<Call> modelled_calls(const RankTrace& rank, const std::vector<Call>& calls) {
    const std::vector<std::uint32_t> outermost = outermost_models(rank, calls, true);
    std::map<std::uint32_t, Call> modelled;
    for (std::uint32_t place = 0; place < calls.size(); ++place) {
        const std::uint32_t outer = outermost[place];
        if (calls[place].gpu_events == 0 || outer == kNoOperatorCall)
            continue;
        const auto [at, added] = modelled.try_emplace(outer);
        Call& call = at->second;
        if (added) {
            call.event = calls[outer].event;
            call.subtree = call.direct.total = calls[outer].subtree;
        }
        const EventIndex first = calls[place].first_work;
        if (call.first_work == kNoEvent || rank.events.start[first] < rank.events.start[call.first_work])
            call.first_work = first;
        call.gpu_events += calls[place].gpu_events;
        call.over_links += calls[place].over_links;
        call.communicates |= calls[place].communicates;
        call.tf32 = call.tf32 || calls[place].tf32;
    }
    std::vector<Call> result;
    for (const auto& [place, call] : modelled)
        result.push_back(call);
    return result;
}

/// What the engine's step around an operator attends to. Captured operators belong to the step of the launch.
class StepTokens {
public:
    explicit StepTokens(const RankTrace& rank) : rank_(rank) {
        for (const EngineStep& step : engine_steps(rank))
            if (step.context.qk != kUnknown || step.generation.qk != kUnknown)
                steps_.push_back(step);
    }
    [[nodiscard]] std::optional<AttendedTokens> of(const Call& call) const {
        if (steps_.empty() || call.first_work == kNoEvent)
            return {};
        const EventIndex launch = rank_.events.link[call.first_work];
        const TimeNs at = rank_.events.start[launch == kNoEvent ? call.event : launch];
        const auto after = std::ranges::upper_bound(steps_, at, {}, [](const EngineStep& s) { return s.range.begin; });
        if (after == steps_.begin() || !std::prev(after)->range.contains(at))
            return {};
        const auto known = [](std::int64_t n) { return n == kUnknown ? 0.0 : static_cast<double>(n); };
        const EngineBatch& c = std::prev(after)->context;
        const EngineBatch& g = std::prev(after)->generation;
        return AttendedTokens{known(c.q), known(c.k), known(c.qq), known(c.qk), known(g.q), known(g.k), known(g.qk)};
    }

private:
    const RankTrace& rank_;
    std::vector<EngineStep> steps_;
};

} // namespace

std::vector<OperatorCall> operator_calls(const RankTrace& rank, std::span<const GpuSlice> work) {
    std::vector<std::vector<EventIndex>> of_place;
    const FilledCalls filled = fill_calls(rank, work, [&](std::uint32_t place, const GpuSlice& slice) {
        of_place.resize(std::max(of_place.size(), std::size_t{place} + 1));
        of_place[place].push_back(slice.event);
    });
    const StepTokens steps(rank);
    std::vector<OperatorCall> calls(filled.all.calls.size());
    of_place.resize(calls.size());
    const auto index = [](std::uint32_t place) {
        return place == kNoOperatorCall ? OperatorCall::kNoCall : std::size_t{place};
    };
    const std::vector<std::uint32_t> models = outermost_models(rank, filled.all.calls, false);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const Call& call = filled.all.calls[i];
        calls[i] = {call.event,
                    index(call.parent),
                    index(models[i]),
                    call.direct.total,
                    call.subtree,
                    call.communicates
                        ? OperatorCategory::communication
                        : operator_category(rank.event_name(call.event), call.first_work == kNoEvent
                                                                             ? std::string_view{}
                                                                             : rank.event_name(call.first_work)),
                    std::move(of_place[i]),
                    {}};
        if (calls[i].category == OperatorCategory::inference_attention)
            calls[i].attended = steps.of(call);
    }
    return calls;
}

OperatorAnalysis analyse_operators(const RankTrace& rank, std::span<const GpuSlice> work) {
    OperatorAnalysis result;
    FilledCalls filled = fill_calls(rank, work, [](std::uint32_t, const GpuSlice&) {});
    result.attributed = filled.attributed;
    result.unattributed = filled.unattributed;
    std::vector<const Call*> leaves;
    std::vector<const Call*> top_level;
    for (const Call& call : filled.all.calls) {
        if (call.gpu_events > 0)
            leaves.push_back(&call);
        if (call.parent == kNoOperatorCall)
            top_level.push_back(&call);
    }
    const StepTokens steps(rank);
    result.leaves = rows_of(rank, leaves, &steps);
    const std::vector<Call> modelled = modelled_calls(rank, filled.all.calls);
    std::vector<const Call*> outermost;
    for (const Call& call : modelled)
        outermost.push_back(&call);
    result.modelled = rows_of(rank, outermost, &steps);
    sort_rows(*rank.names, result.modelled, [](const OperatorRow& row) { return row.direct; });
    result.top_level = rows_of<StepTokens>(rank, top_level, nullptr);
    sort_rows(
        *rank.names, result.leaves, [](const OperatorRow& row) { return row.direct; });
    sort_rows(*rank.names, result.top_level, [](const OperatorRow& row) { return row.subtree; });
    return result;
}

} // namespace rankscope
