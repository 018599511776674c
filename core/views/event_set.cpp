// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/event_set.h"

#include <algorithm>

#include <re2/re2.h>

#include "core/analysis/basics/intervals.h"
#include "core/analysis/collectives/collectives.h"
#include "core/analysis/selection/selected_time.h"
#include "core/trace/collective_kind.h"

namespace rankscope {
namespace {

using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

bool in_ranges(const Ranges& ranges, std::int64_t number) {
    return ranges.empty() || std::ranges::any_of(
                                 ranges, [&](const auto& r) { return r.first <= number && number <= r.second; });
}

/// Looks at each distinct name once.
class NameFilter {
public:
    explicit NameFilter(const RE2* pattern) : pattern_(pattern) {}
    bool matches(const RankTrace& rank, EventIndex event) {
        if (pattern_ == nullptr)
            return true;
        const NameId name = rank.events.name[event];
        if (name >= known_.size())
            known_.resize(rank.names->size(), -1);
        if (known_[name] < 0) {
            const std::string_view text = rank.names->view(name);
            known_[name] = RE2::PartialMatch({text.data(), text.size()}, *pattern_) ? 1 : 0;
        }
        return known_[name] == 1;
    }

private:
    const RE2* pattern_;
    std::vector<signed char> known_; ///< -1: not looked at yet
};

bool in_group(const RankTrace& rank, EventIndex event, const std::string& group) {
    if (group.empty())
        return true;
    const CollectiveArgs* args = rank.collective_of(event);
    if (args == nullptr || args->group < 0)
        return false;
    const ProcessGroup& g = rank.process_groups[static_cast<std::size_t>(args->group)];
    return g.name == group || g.description == group;
}

bool in_steps(const RankTrace& rank, EventIndex event, const Ranges& steps) {
    if (steps.empty())
        return true;
    // GPU work belongs to the step of its launch, as everywhere.
    const EventIndex launch = event < rank.events.gpu_count ? rank.events.link[event] : kNoEvent;
    const TimeNs at = rank.events.start[launch == kNoEvent ? event : launch];
    return std::ranges::any_of(
        rank.steps, [&](const ProfilerStep& s) { return s.range.contains(at) && in_ranges(steps, s.number); });
}

double bytes_of(const RankTrace& rank, EventIndex event) {
    if (const CollectiveArgs* args = rank.collective_of(event)) {
        const bool gathers = collective_kind(rank.names->view(args->collective)) == CollectiveKind::all_gather;
        const std::int64_t elements = gathers ? args->out_elements : args->in_elements;
        return elements < 0
                   ? 0
                   : static_cast<double>(elements) * static_cast<double>(dtype_bytes(rank.names->view(args->dtype)));
    }
    const auto at = std::ranges::lower_bound(rank.memory_transfers, event, {}, &MemoryTransfer::event);
    const bool known = at != rank.memory_transfers.end() && at->event == event && at->bytes > 0;
    return known ? static_cast<double>(at->bytes) : 0;
}

/// Calls visit(event, range) for each member among the rank's GPU work and, when the set is not of GPU work, all else.
template <typename Visit>
void for_each_member(const RunAnalysis& analysis, const RankAnalysis& rank, const EventSet& set, NameFilter& names,
                     Visit visit) {
    const RankTrace& trace = *rank.trace;
    const auto meets = [&](EventIndex event) {
        return (!set.kind || trace.events.kind[event] == *set.kind) && names.matches(trace, event) &&
               in_group(trace, event, set.group) && in_steps(trace, event, set.steps);
    };
    for (const GpuSlice& slice : rank.gpu_work)
        if ((set.classes.empty() || std::ranges::find(set.classes, slice.kernel_class) != set.classes.end()) &&
            meets(slice.event))
            visit(slice.event, slice.range);
    const bool gpu_only = !set.classes.empty() || !set.kind || is_gpu_work(*set.kind);
    if (gpu_only)
        return;
    for (EventIndex i = trace.events.gpu_count; i < trace.events.size(); ++i)
        if (meets(i) && is_selected(analysis.run(), trace, analysis.selection(), trace.events.start[i]))
            visit(i, trace.events.range(i));
}

} // namespace

double aggregate(const RunAnalysis& analysis, const EventSet& set, Aggregate what) {
    NameFilter names(set.name.get());
    std::int64_t count = 0;
    TimeNs sum = 0;
    TimeNs merged = 0;
    double bytes = 0;
    for (const RankAnalysis& rank : analysis.ranks()) {
        if (!in_ranges(set.ranks, rank.trace->rank))
            continue;
        std::vector<TimeRange> ranges;
        for_each_member(analysis, rank, set, names, [&](EventIndex event, TimeRange range) {
            ++count;
            sum += range.length();
            if (what == Aggregate::merged)
                ranges.push_back(range);
            if (what == Aggregate::bytes)
                bytes += bytes_of(*rank.trace, event);
        });
        merged += measure(merge(std::move(ranges)));
    }
    switch (what) {
    case Aggregate::count: return static_cast<double>(count);
    case Aggregate::sum: return static_cast<double>(sum) / 1e3;
    case Aggregate::merged: return static_cast<double>(merged) / 1e3;
    case Aggregate::bytes: return bytes;
    }
    return 0;
}

} // namespace rankscope
