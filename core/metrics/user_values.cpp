// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/user_values.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/metrics/catalogue.h"
#include "core/metrics/detail_numbers.h"
#include "core/metrics/numbers.h"
#include "core/metrics/user_set_sums.h"
#include "core/trace/rank_ranges.h"
#include "core/trace/recorded.h"

namespace rankscope {
namespace {

std::string range_words(const std::pair<std::int64_t, std::int64_t>& range) {
    return range.first == range.second ? fmt::to_string(range.first) : fmt::format("{}-{}", range.first, range.second);
}

/// Digests hold all work and annotations of the GPU and of the CPU, but not all operators, calls and frames.
bool whole_in(const RunAnalysis& analysis, const EventSet& set) {
    const bool left_out =
        set.kind && (*set.kind == EventKind::cpu_op || is_launch_call(*set.kind) || *set.kind == EventKind::python ||
                     *set.kind == EventKind::overhead || *set.kind == EventKind::other);
    return !left_out ||
           std::ranges::none_of(analysis.run().ranks, [](const auto& rank) { return rank->digest != nullptr; });
}

template <typename OfKind>
bool any_event(const RunAnalysis& analysis, const OfKind& of_kind) {
    return std::ranges::any_of(
        analysis.ranks(),
        [&](const RankAnalysis& rank) { return std::ranges::any_of(rank.trace->events.kind, of_kind); });
}

/// Why the recording does not tell what events of these kinds there were; empty where it does.
Message kind_not_recorded(const RunAnalysis& analysis, const SetValue& value) {
    const EventSet& set = value.set;
    const Recorded held = recorded(analysis.run());
    if (!held.times && value.aggregate == Aggregate::merged)
        return "the recording does not say when calls start"_text;
    if (!is_of_gpu_work(set)) {
        if (!whole_in(analysis, set))
            return "the run is read from digests, which leave such events out"_text;
        // Every program has operators and launches: without any, they were not recorded.
        const bool always = *set.kind == EventKind::cpu_op || *set.kind == EventKind::python;
        if ((always && !any_event(analysis, [&](EventKind kind) { return kind == *set.kind; })) ||
            (is_launch_call(*set.kind) && !any_event(analysis, is_launch_call)))
            return "the run records no events of this kind"_text;
        return {};
    }
    const bool of_calls = !set.group.empty() || (!set.classes.empty() && std::ranges::all_of(set.classes, [](auto c) {
        return c == KernelClass::communication;
    }));
    if (!held.gpu_work && !of_calls)
        return "only collectives are recorded, not what else the GPUs do"_text;
    if (std::ranges::none_of(analysis.ranks(), [](const auto& rank) { return rank.trace->events.gpu_count > 0; }))
        return "needs GPU events: kernels, copies or sets"_text;
    return {};
}

/// Why its ranks, steps or group are not those of the run; empty where they are.
Message not_in_run(const RunAnalysis& analysis, const EventSet& set) {
    for (const auto& range : set.ranks) {
        if (std::ranges::any_of(analysis.ranks(), [&](const auto& rank) {
                return range.first <= rank.trace->rank && rank.trace->rank <= range.second;
            }))
            continue;
        return range.second < 0 || range.first >= analysis.run().world_size
                   ? "the run has no rank %1"_text(range_words(range))
                   : "rank %1 has no trace"_text(range_words(range));
    }
    for (const auto& range : set.steps)
        if (std::ranges::none_of(analysis.ranks(), [&](const RankAnalysis& rank) {
                return in_ranges(set.ranks, rank.trace->rank) &&
                       std::ranges::any_of(rank.steps, [&](const ProfilerStep& step) {
                           return range.first <= step.number && step.number <= range.second;
                       });
            }))
            return "step %1 is not recorded whole, or not selected"_text(range_words(range));
    if (!set.group.empty() && std::ranges::none_of(analysis.ranks(), [&](const RankAnalysis& rank) {
            return std::ranges::any_of(rank.trace->process_groups, [&](const ProcessGroup& group) {
                return group.name == set.group || group.description == set.group;
            });
        }))
        return "no process group %1 is recorded"_text(set.group);
    return {};
}

/// How many ranks of the set are of the job, but have no trace.
std::int64_t untraced_ranks_of(const Run& run, const EventSet& set) {
    if (set.ranks.empty())
        return 0;
    auto ranges = set.ranks;
    std::ranges::sort(ranges);
    std::int64_t count = 0;
    for (const RankRange& missing : missing_ranges(run)) {
        // Ranges may overlap, and a job may have a thousand million ranks: walk over the parts, not the ranks.
        std::int64_t counted_to = missing.first;
        for (const auto& range : ranges) {
            const std::int64_t first = std::max<std::int64_t>(range.first, counted_to);
            const std::int64_t last = std::min<std::int64_t>(range.second, missing.last);
            count += std::max<std::int64_t>(0, last - first + 1);
            counted_to = std::max(counted_to, last + 1);
        }
    }
    return count;
}

/// What is known of events adds up to no more than what all of them have.
void put_bound(UserValue& result, const RunAnalysis& analysis, const SetValue& value, const SetSums& sums) {
    if (sums.unsized.events > 0)
        add_reason(result.bound_reason,
                   "the size of %1 of %2 events is not recorded (%3)"_text(
                       sums.unsized.events, sums.unsized.events + sums.sized, sums.unsized.words()));
    if (sums.ungrouped.events > 0)
        add_reason(result.bound_reason,
                   plural(sums.ungrouped.events, "the process group of %1 call is not recorded (%2)"_one,
                          "the process groups of %1 calls are not recorded (%2)"_many)(sums.ungrouped.events,
                                                                                       sums.ungrouped.words()));
    if (const std::int64_t untraced = untraced_ranks_of(analysis.run(), value.set); untraced > 0)
        add_reason(result.bound_reason, plural(untraced, "%1 of its ranks has no trace"_one,
                                               "%1 of its ranks have no trace"_many)(untraced));
    if (!result.bound_reason.empty())
        result.bound = ValueBound::at_least;
}

UserValue without_number(Message reason) {
    UserValue value;
    value.reason = std::move(reason);
    return value;
}

} // namespace

UserValue value_of_set(const RunAnalysis& analysis, const SetValue& value) {
    for (Message reason : {not_in_run(analysis, value.set), kind_not_recorded(analysis, value)})
        if (!reason.empty())
            return without_number(std::move(reason));
    std::vector<SetIterations> iterations;
    iterations.reserve(analysis.ranks().size());
    std::set<std::int64_t> distinct; // of all ranks, as iter_time counts them
    for (std::size_t r = 0; r < analysis.ranks().size(); ++r) {
        iterations.emplace_back(analysis, r, value.set);
        distinct.insert(iterations[r].numbers().begin(), iterations[r].numbers().end());
    }
    const SetSums sums = sums_of_set(analysis, value, iterations);
    std::int64_t members = 0;
    bool has_iterations = false;
    double all = 0;
    double per_iteration = 0;
    std::map<std::int64_t, double> by_iteration;
    std::set<std::int64_t> not_of_all;
    double of_iterations = 0; // a rank with fewer of them counts as if it had all
    for (std::size_t r = 0; r < sums.ranks.size(); ++r) {
        members += sums.ranks[r].all.count;
        all += sums.ranks[r].all.value(value.aggregate);
        const std::size_t own = iterations[r].numbers().size();
        if (own == 0 || !in_ranges(value.set.ranks, analysis.ranks()[r].trace->rank))
            continue;
        has_iterations = true;
        double sum = 0;
        for (const std::int64_t number : iterations[r].numbers()) {
            const auto found = sums.ranks[r].of_iterations.find(number);
            const double in_one = found == sums.ranks[r].of_iterations.end() ? 0 : found->second.value(value.aggregate);
            sum += in_one;
            by_iteration[number] += in_one;
        }
        for (const std::int64_t number : distinct)
            if (!iterations[r].numbers().contains(number))
                not_of_all.insert(number);
        per_iteration += sum / static_cast<double>(own);
        of_iterations +=
            own == distinct.size() ? sum : sum * static_cast<double>(distinct.size()) / static_cast<double>(own);
    }
    if (members == 0 && sums.ungrouped.events > 0)
        return without_number("no call says of which process group it is (%1)"_text(sums.ungrouped.words()));
    if (sums.sized == 0 && sums.unsized.events > 0)
        return without_number(
            plural(sums.unsized.events, "its event has no recorded size (%1)"_one,
                   "none of its %2 events has a recorded size (%1)"_many)(sums.unsized.words(), sums.unsized.events));
    if (value.aggregate == Aggregate::bytes && sums.sized == 0 && members > 0)
        return without_number("only copies, sets and collectives have sizes"_text);
    UserValue result;
    const bool is_time = value.aggregate == Aggregate::sum || value.aggregate == Aggregate::merged;
    const double unit = is_time ? 1000 : 1; // ns in a us
    put_bound(result, analysis, value, sums);
    result.growth = has_iterations ? Growth::with_iterations : Growth::unknown;
    if (has_iterations)
        result.per_iteration = per_iteration / unit;
    for (const auto& [number, sum] : by_iteration)
        if (!not_of_all.contains(number))
            result.by_iteration[number] = sum / unit;
    result.number = has_iterations && analysis.selection().time ? of_iterations / unit : all / unit;
    return result;
}

UserValue value_of_metric(const RunAnalysis& analysis, const std::string& name) {
    const std::string id = name.substr(0, name.find('.'));
    const MetricPointer metric = find_metric(id, analysis.rules().metrics);
    if (metric == nullptr)
        return without_number("there is no metric %1"_text(id));
    const MetricResult& result = metric_result(metric, analysis);
    if (!result.available)
        return without_number("%1 is not available: %2"_text(id, result.reason));
    UserValue value;
    if (id == name) {
        value.number = result.value;
        value.bound = result.bound;
        value.bound_reason = result.bound_reason;
        value.per_iteration = result.per_iteration;
        if (result.per_iteration && metric->by_iteration)
            for (const auto& [number, of_ranks] : metric->by_iteration(analysis))
                if (!of_ranks.empty())
                    value.by_iteration[number] = mean_of(of_ranks);
        // What the user's own are made of is not known here.
        value.growth = result.per_iteration  ? Growth::with_iterations
                       : metric->levels == 0 ? Growth::none
                                             : Growth::unknown;
        return value;
    }
    for (const DetailNumber& detail : detail_numbers(result.details))
        if (detail.field == name.substr(id.size() + 1)) {
            // Its details may lie on either side of what they are of all ranks.
            if (result.bound != ValueBound::none)
                return without_number(only_a_bound(id, result.bound));
            value.number = detail.value;
            value.growth = Growth::unknown; // "avg_ms" does not grow, "num_iterations" does
            return value;
        }
    return without_number("%1 has no detail %2"_text(id, name.substr(id.size() + 1)));
}

void add_reason(Message& reasons, Message reason) {
    if (!reasons.empty() && !reason.empty())
        reasons += "; ";
    reasons += std::move(reason);
}

Message only_a_bound(const std::string& name, ValueBound bound) {
    return bound == ValueBound::at_least ? "%1 is only a bound (at least), so this is not known"_text(name)
                                         : "%1 is only a bound (at most), so this is not known"_text(name);
}

} // namespace rankscope
