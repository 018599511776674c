// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/event_set.h"

#include <algorithm>
#include <limits>

#include <re2/re2.h>

#include "core/analysis/selection/selected_time.h"
#include "core/trace/collective_kind.h"

namespace rankscope {
namespace {

using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

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

/// nullopt: it is not recorded. is_call: also without recorded arguments.
std::optional<bool> in_group(const RankTrace& rank, EventIndex event, const std::string& group, bool is_call) {
    if (group.empty())
        return true;
    const CollectiveArgs* args = rank.collective_of(event);
    if (args == nullptr && !is_call)
        return false;
    if (args == nullptr || args->group < 0)
        return std::nullopt;
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

/// Calls visit for each member of one rank.
template <typename Visit>
void for_each_of_rank(const RunAnalysis& analysis, std::size_t r, const EventSet& set, NameFilter& names,
                      const Visit& visit) {
    const RankAnalysis& rank = analysis.ranks()[r];
    const RankTrace& trace = *rank.trace;
    const auto look_at = [&](EventIndex event, TimeRange range, const GpuSlice* work) {
        if ((set.kind && trace.events.kind[event] != *set.kind) || !names.matches(trace, event) ||
            !in_steps(trace, event, set.steps))
            return;
        const bool is_call = work != nullptr && work->kernel_class == KernelClass::communication;
        const std::optional<bool> named = in_group(trace, event, set.group, is_call);
        if (named.value_or(true))
            visit(SetMember{r, event, range, work, named.has_value()});
    };
    for (const GpuSlice& slice : rank.gpu_work)
        if (set.classes.empty() || std::ranges::find(set.classes, slice.kernel_class) != set.classes.end())
            look_at(slice.event, slice.range, &slice);
    if (is_of_gpu_work(set))
        return;
    for (EventIndex i = trace.events.gpu_count; i < trace.events.size(); ++i)
        if (trace.events.kind[i] == *set.kind &&
            is_selected(analysis.run(), trace, analysis.selection(), trace.events.start[i]))
            look_at(i, trace.events.range(i), nullptr);
}

} // namespace

bool in_ranges(const std::vector<std::pair<std::int64_t, std::int64_t>>& ranges, std::int64_t number) {
    return ranges.empty() || std::ranges::any_of(
                                 ranges, [&](const auto& r) { return r.first <= number && number <= r.second; });
}

bool is_of_gpu_work(const EventSet& set) { return !set.classes.empty() || !set.kind || is_gpu_work(*set.kind); }

void for_each_member(const RunAnalysis& analysis, const EventSet& set,
                     const std::function<void(const SetMember&)>& visit) {
    NameFilter names(set.name.get());
    for (std::size_t r = 0; r < analysis.ranks().size(); ++r)
        if (in_ranges(set.ranks, analysis.ranks()[r].trace->rank))
            for_each_of_rank(analysis, r, set, names, visit);
}

std::optional<double> member_bytes(const SetMember& member, const RankTrace& rank) {
    constexpr double kNotRecorded = std::numeric_limits<double>::quiet_NaN();
    if (const CollectiveArgs* args = rank.collective_of(member.event)) {
        const bool gathers = collective_kind(rank.names->view(args->collective)) == CollectiveKind::all_gather;
        const std::int64_t elements = gathers ? args->out_elements : args->in_elements;
        const int size = dtype_bytes(rank.names->view(args->dtype));
        return elements < 0 || (size == 0 && elements > 0) ? kNotRecorded
                                                           : static_cast<double>(elements) * static_cast<double>(size);
    }
    if (member.work == nullptr || member.work->kernel_class == KernelClass::compute)
        return std::nullopt;
    const auto at = std::ranges::lower_bound(rank.memory_transfers, member.event, {}, &MemoryTransfer::event);
    const bool known = at != rank.memory_transfers.end() && at->event == member.event && at->bytes >= 0;
    return known ? static_cast<double>(at->bytes) : kNotRecorded;
}

} // namespace rankscope
