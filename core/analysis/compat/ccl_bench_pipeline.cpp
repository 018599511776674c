// SPDX-License-Identifier: GPL-3.0-or-later
// CCL-Bench's rules for pipeline bubble and traffic, from rules-ccl-bench.md.
#include "core/analysis/compat/ccl_bench_pipeline.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/basics/per_rank.h"
#include "core/analysis/compat/ccl_bench_names.h"
#include "core/base/text_match.h"
#include "core/trace/digest_facts.h"

namespace rankscope {
namespace {

using namespace std::string_view_literals;

constexpr std::array kCommWords{"nccl"sv,      "allreduce"sv, "allgather"sv, "reducescatter"sv,
                                "broadcast"sv, "reduce"sv,    "sendrecv"sv,  "alltoall"sv,
                                "p2p"sv,       "send"sv,      "recv"sv};
constexpr std::array kRangeWords{
    "dp"sv,     "tp"sv,   "pp"sv,  "ep"sv,  "data_parallel"sv, "tensor_parallel"sv, "pipeline"sv,
    "expert"sv, "fsdp"sv, "ddp"sv, "moe"sv, "gradient_sync"sv, "all_reduce_grad"sv};
constexpr TimeNs kCclBenchLongGap = 1'000'000;

bool counts(const EventTable& events, EventIndex i) { return events.start[i] > 0 && events.duration[i] > 0; }

/// Gaps beyond 1 ms; the end is that of the interval that starts last, as in the tool.
CclBenchBubble long_gaps(std::vector<TimeRange> ranges) {
    if (ranges.empty())
        return {};
    const auto last =
        std::max_element(ranges.begin(), ranges.end(), [](TimeRange a, TimeRange b) { return a.begin < b.begin; });
    const TimeNs end = last->end;
    const IntervalSet merged = merge(std::move(ranges));
    CclBenchBubble result{0, end - merged.front().begin};
    for (std::size_t i = 1; i < merged.size(); ++i) {
        const TimeNs gap = merged[i].begin - merged[i - 1].end;
        result.bubble += gap > kCclBenchLongGap ? gap : 0;
    }
    return result;
}

std::size_t slot_of_name(const std::string& name) {
    using Slot = CclBenchTraffic::Slot;
    constexpr std::array kMessages{"c10d::send"sv, "c10d::recv"sv, "nccl:send"sv, "nccl:recv"sv, "sendrecv"sv};
    if (contains_any(name, kMessages) || name.ends_with("_send") || name.ends_with("_recv"))
        return Slot::pp;
    if (contains(name, "alltoall") || contains(name, "all_to_all"))
        return Slot::ep;
    return contains(name, "reduce_scatter") ? Slot::dp : Slot::unknown;
}

/// What a name means to these tools; told once for each name.
struct PipelineNameRules {
    bool known = false;
    bool operator_call = false;
    bool step = false;
    bool comm = false;
    std::size_t slot = CclBenchTraffic::Slot::unknown;
};

class RulesOfNames {
public:
    explicit RulesOfNames(const RankTrace& rank) : rank_(rank), rules_(rank.names->size()) {}
    const PipelineNameRules& of(EventIndex event) {
        PipelineNameRules& rules = rules_[rank_.events.name[event]];
        if (!rules.known) {
            const std::string_view name = rank_.event_name(event);
            const std::string lower = lower_case(name);
            rules = {true, starts_with_any(name, kCclBenchOperatorStarts), name.starts_with("ProfilerStep#"),
                     starts_with_any(lower, kCclBenchOperatorStarts) || contains_any(lower, kCommWords),
                     slot_of_name(lower)};
        }
        return rules;
    }

private:
    const RankTrace& rank_;
    std::vector<PipelineNameRules> rules_;
};

CclBenchBubble recorded_bubble(const RankTrace& rank) {
    const EventTable& events = rank.events;
    RulesOfNames names(rank);
    std::vector<TimeRange> busy;
    EventIndex last_step = kNoEvent; // in the order of the file
    for (EventIndex i = 0; i < events.size(); ++i) {
        if (!counts(events, i))
            continue;
        const EventKind kind = events.kind[i];
        const bool call = kind == EventKind::annotation && names.of(i).operator_call;
        if (kind == EventKind::kernel || kind == EventKind::cpu_op || call)
            busy.push_back(events.range(i));
        const bool step = (kind == EventKind::annotation || kind == EventKind::gpu_annotation) && names.of(i).step;
        if (step && (last_step == kNoEvent || events.ordinal[i] > events.ordinal[last_step]))
            last_step = i;
    }
    if (last_step == kNoEvent)
        return long_gaps(std::move(busy));
    const TimeNs total = events.duration[last_step];
    return {std::max<TimeNs>(0, total - measure(merge(std::move(busy)))), total};
}

bool has_word(const std::string& name, std::string_view word) {
    for (std::size_t at = name.find(word); at != std::string::npos; at = name.find(word, at + 1)) {
        const auto border = [&](std::size_t i) {
            return i >= name.size() || name[i] == '_' || name[i] == ':' || name[i] == ' ';
        };
        if ((at == 0 || border(at - 1)) && border(at + word.size()))
            return true;
    }
    return false;
}

std::size_t slot_of_range(const std::string& name) {
    using Slot = CclBenchTraffic::Slot;
    const auto any = [&](std::initializer_list<std::string_view> words) {
        return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return has_word(name, word); });
    };
    return any({"dp", "data_parallel", "gradient"}) ? Slot::dp
           : any({"tp", "tensor_parallel"})         ? Slot::tp
           : any({"pp", "pipeline"})                ? Slot::pp
           : any({"ep", "expert", "moe"})           ? Slot::ep
                                                    : Slot::unknown;
}

struct NamedRange {
    TimeRange range;
    std::size_t slot = CclBenchTraffic::Slot::unknown;
};

/// What the operators inside a coalesced call are.
std::size_t slot_of_coalesced(const RankTrace& rank, TimeRange call) {
    using Slot = CclBenchTraffic::Slot;
    bool message = false;
    bool reduces = false;
    bool exchanges = false;
    bool scatters = false;
    for (EventIndex i = rank.events.gpu_count; i < rank.events.size(); ++i) {
        const bool inside = rank.events.start[i] >= call.begin && rank.events.start[i] <= call.end;
        if (!inside || rank.events.kind[i] != EventKind::cpu_op || !rank.event_name(i).starts_with("c10d::"))
            continue;
        const std::string name = lower_case(rank.event_name(i));
        message = message || contains(name, "send") || contains(name, "recv");
        reduces = reduces || contains(name, "allreduce") || contains(name, "allgather");
        exchanges = exchanges || contains(name, "alltoall");
        scatters = scatters || contains(name, "reduce_scatter");
    }
    return message && !reduces ? Slot::pp : exchanges ? Slot::ep : scatters ? Slot::dp : Slot::unknown;
}

CclBenchTraffic recorded_traffic(const RankTrace& rank) {
    const EventTable& events = rank.events;
    std::vector<NamedRange> ranges;
    for (EventIndex i = events.gpu_count; i < events.size(); ++i) {
        if (events.kind[i] == EventKind::annotation) {
            const std::string name = lower_case(rank.event_name(i));
            const std::size_t slot =
                contains_any(name, kRangeWords) ? slot_of_range(name) : CclBenchTraffic::Slot::unknown;
            if (slot != CclBenchTraffic::Slot::unknown)
                ranges.push_back({events.range(i), slot});
        }
    }
    CclBenchTraffic result;
    RulesOfNames names(rank);
    for (EventIndex i = 0; i < events.size(); ++i) {
        const EventKind kind = events.kind[i];
        if (!counts(events, i) ||
            (kind != EventKind::kernel && kind != EventKind::cpu_op && kind != EventKind::annotation))
            continue;
        const PipelineNameRules& rules = names.of(i);
        if (!rules.comm)
            continue;
        std::size_t slot = CclBenchTraffic::Slot::unknown;
        const auto around = std::find_if(ranges.begin(), ranges.end(), [&](const NamedRange& r) {
            return events.start[i] >= r.range.begin && events.start[i] <= r.range.end;
        });
        if (kind == EventKind::annotation && rank.event_name(i).starts_with("nccl:coalesced"))
            slot = slot_of_coalesced(rank, events.range(i));
        else
            slot = around != ranges.end() ? around->slot : rules.slot;
        ++result.calls;
        result.time[slot] += events.duration[i];
    }
    return result;
}

} // namespace

CclBenchBubble ccl_bench_bubble(const RankTrace& rank) {
    return rank.digest ? rank.digest->ccl_bench_bubble : recorded_bubble(rank);
}

CclBenchTraffic ccl_bench_traffic(const RankTrace& rank) {
    return rank.digest ? rank.digest->ccl_bench_traffic : recorded_traffic(rank);
}

CclBenchBubble ccl_bench_bubble(const Run& run) {
    CclBenchBubble sum;
    for (const CclBenchBubble& rank :
         per_rank<CclBenchBubble>(run, [](const RankTrace&r, std::size_t) { return ccl_bench_bubble(r); })) {
        sum.bubble += rank.bubble;
        sum.total += rank.total;
    }
    return sum;
}

CclBenchTraffic ccl_bench_traffic(const Run& run) {
    CclBenchTraffic sum;
    for (const CclBenchTraffic& rank :
         per_rank<CclBenchTraffic>(run, [](const RankTrace&r, std::size_t) { return ccl_bench_traffic(r); })) {
        sum.calls += rank.calls;
        for (std::size_t slot = 0; slot < sum.time.size(); ++slot)
            sum.time[slot] += rank.time[slot];
    }
    return sum;
}

} // namespace rankscope
