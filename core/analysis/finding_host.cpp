// SPDX-License-Identifier: GPL-3.0-or-later
// What the host costs on all ranks: data loading, collections, waits, allocations, launches; and a slow first step.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/finding_parts.h"

namespace rankscope {
namespace {

/// Nodes of one kind inside steps, and the largest of them.
struct Host {
    std::vector<bool> chosen;
    std::int64_t count = 0;
    TimeNs time = 0;
    std::size_t steps = 0; ///< distinct, over all ranks the most
    std::vector<std::pair<TimeNs, std::uint32_t>> largest;
};

template <typename Choose>
Host choose(const FindingContext& c, Choose&& time_of) {
    Host host{std::vector<bool>(c.graph.size()), 0, 0, 0, {}};
    std::map<std::uint32_t, std::size_t> seen;
    std::uint32_t last_step = kNoNode;
    std::uint32_t last_rank = kNoNode;
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n) {
        if (!is_host_node(c.graph.kind[n]) || (c.graph.profiler_steps && c.graph.step[n] == kNoNode)) {
            continue;
        }
        const TimeNs time = time_of(n);
        if (time <= 0) {
            continue;
        }
        host.chosen[n] = true;
        ++host.count;
        host.time += time;
        host.largest.emplace_back(time, n);
        if (c.graph.rank[n] != last_rank || c.graph.step[n] != last_step) {
            last_rank = c.graph.rank[n];
            last_step = c.graph.step[n];
            host.steps = std::max(host.steps, ++seen[last_rank]);
        }
    }
    const auto shown = static_cast<std::ptrdiff_t>(std::min<std::size_t>(5, host.largest.size()));
    std::partial_sort(host.largest.begin(), host.largest.begin() + shown, host.largest.end(), std::greater<>());
    host.largest.resize(static_cast<std::size_t>(shown));
    return host;
}

/// What remove() saves in the recording, or, where stragglers hide it, once they are repaired; nothing below the least. A fault that
/// is found is repaired for what follows where repairs is set.
void add(FindingContext& c, const Host& host, const std::function<void(GraphTimes&)>& remove, const char* code,
         const std::function<std::string(double per_step, double calls)>& title, bool repairs, std::vector<Finding>& found) {
    GraphTimes times = c.graph.times;
    remove(times);
    double cost = c.step_time - predicted_step_time(c.graph, times);
    times = c.repaired;
    remove(times);
    const double without = predicted_step_time(c.graph, times);
    if (c.share(cost) < kLeastFault) {
        cost = c.repaired_time - without;
    }
    if (c.share(cost) < kLeastFault) {
        return;
    }
    if (repairs) {
        c.repaired = std::move(times);
        c.repaired_time = without;
    }
    const auto rank_steps = static_cast<double>(c.steps * c.analysis.run().ranks.size());
    const double per_step = static_cast<double>(host.time) / rank_steps;
    const double calls = static_cast<double>(host.count) / rank_steps;
    Finding finding;
    finding.code = code;
    finding.title = title(per_step, calls);
    finding.facts = {{"events", static_cast<double>(host.count), {}}, {"mean_us_per_rank_and_step", per_step / 1000, {}}};
    for (const auto& [time, node] : host.largest) {
        finding.events.push_back(c.event(node));
    }
    finding.cost = cost;
    finding.confidence = confidence_of(std::min(host.steps, c.steps), c.steps);
    found.push_back(std::move(finding));
}

/// Waits of a step but the last, which ends the step.
std::vector<bool> inner_waits(const FindingContext& c) {
    std::vector<bool> inner(c.graph.size());
    std::uint32_t last = kNoNode;
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n) {
        if (c.graph.kind[n] != NodeKind::wait_end) {
            continue;
        }
        if (last != kNoNode && c.graph.rank[last] == c.graph.rank[n] && c.graph.step[last] == c.graph.step[n]) {
            inner[last] = true;
        }
        last = n;
    }
    return inner;
}

} // namespace

void find_host_faults(FindingContext& c, std::vector<Finding>& found) {
    const auto duration_of = [&](NodeKind kind, bool but_first_step) {
        return choose(c, [&c, kind, but_first_step](std::uint32_t n) {
            const bool counts = c.graph.kind[n] == kind && c.repaired.duration[n] > 0 && !(but_first_step && c.steps > 1 && c.graph.step[n] == 0);
            return counts ? c.graph.times.duration[n] : 0;
        });
    };
    // What stragglers take more than their peers is told already: only what is left of a node goes.
    const auto without = [&c](const Host& host) {
        return [&c, &host](GraphTimes& times) {
            for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n) {
                times.duration[n] -= host.chosen[n] ? std::min(c.repaired.duration[n], times.duration[n]) : 0;
            }
        };
    };
    if (const Host loading = duration_of(NodeKind::data_loading, false); loading.count > 0) {
        add(c, loading, without(loading), "data_loading", [](double per_step, double) {
            return fmt::format("Every step waits for its data: loading takes {} while the GPU has nothing to do", time_words(per_step));
        }, true, found);
    }
    if (const Host garbage = duration_of(NodeKind::garbage_collection, false); garbage.count > 0) {
        add(c, garbage, without(garbage), "garbage_collection", [](double per_step, double) {
            return fmt::format("Python's garbage collection stops the host for {} a step", time_words(per_step));
        }, true, found);
    }
    // Allocations of the first step alone are warm-up.
    if (const Host allocation = duration_of(NodeKind::allocation, duration_of(NodeKind::allocation, true).steps * 2 < c.steps); allocation.count > 0) {
        add(c, allocation, without(allocation), "allocation_churn", [](double per_step, double calls) {
            return fmt::format("GPU memory is allocated and freed inside the steps: {:.0f} calls a step, {}; the caching allocator should keep it", std::max(1.0, calls), time_words(per_step));
        }, true, found);
    }
    const std::vector<bool> inner = inner_waits(c);
    const Host waits = choose(c, [&](std::uint32_t n) -> TimeNs {
        const std::uint32_t edge = inner[n] && !c.peers.surplus[n] ? host_edge(c.graph, n) : kNoNode;
        return edge == kNoNode ? 0 : c.graph.start[n] - c.graph.start[c.graph.edges[edge].from];
    });
    if (waits.count > 0) {
        const auto remove = [&](GraphTimes& times) { drop_waits(c.graph, [&](std::uint32_t n) { return waits.chosen[n]; }, times); };
        add(c, waits, remove, "synchronisation", [](double per_step, double calls) {
            return fmt::format("The host waits for the GPU in the middle of the step, {:.0f} times and {} a step, and then launches too late", std::max(1.0, calls), time_words(per_step));
        }, false, found); // what a host that does not wait would do instead is guessed too boldly to build on
    }
}

void find_host_bound(const FindingContext& c, std::vector<Finding>& found) {
    GraphTimes times = c.repaired;
    scale_host(c.graph, 0, false, times);
    const double cost = c.repaired_time - predicted_step_time(c.graph, times);
    if (c.share(cost) < kLeastInherent) {
        return;
    }
    TimeNs waited = 0;
    std::pair<TimeNs, std::uint32_t> longest{0, 0};
    const auto& idle = c.analysis.idle_causes();
    for (std::uint32_t r = 0; r < idle.size(); ++r) {
        for (const StreamIdle& stream : idle[r]) {
            waited += stream.causes[static_cast<std::size_t>(IdleCause::host_wait)].time;
        }
    }
    Finding finding;
    finding.code = "host_bound";
    finding.inherent = true;
    std::vector<std::pair<TimeNs, std::uint32_t>> gaps; // launches with the most host time before them
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n) {
        if (c.graph.kind[n] == NodeKind::launch && (!c.graph.profiler_steps || c.graph.step[n] != kNoNode)) {
            const TimeNs time = host_time(c.graph, n);
            if (time > longest.first) {
                longest = {time, n};
            }
        }
    }
    finding.title = fmt::format("The GPU waits for the host: {:.0f} % of the step would be saved if launching cost no time", 100 * c.share(cost));
    finding.facts = {{"host_wait_us_all_streams", static_cast<double>(waited) / 1000, {}}, {"longest_before_a_launch_us", static_cast<double>(longest.first) / 1000, {}}};
    if (longest.first > 0) {
        finding.events.push_back(c.event(longest.second));
    }
    finding.cost = cost;
    finding.confidence = 0.8;
    found.push_back(std::move(finding));
}

namespace {

/// Recorded: length of the first step less the median of the later ones, the most of any rank (stages of a pipeline begin together in the
/// first step only, so that the mean tells nothing), ns.
double longer_first_step(const FindingContext& c) {
    std::map<std::uint32_t, std::vector<TimeNs>> lengths; // by rank
    for (const GraphStep& step : c.graph.steps) {
        lengths[step.rank].push_back(step.range.length());
    }
    TimeNs most = 0;
    for (auto& [rank, of_rank] : lengths) {
        if (of_rank.size() > 1) {
            const auto middle = of_rank.begin() + 1 + static_cast<std::ptrdiff_t>((of_rank.size() - 1) / 2);
            std::nth_element(of_rank.begin() + 1, middle, of_rank.end());
            most = std::max(most, of_rank.front() - *middle);
        }
    }
    return static_cast<double>(most);
}

} // namespace

void find_first_iteration(const FindingContext& c, std::vector<Finding>& found) {
    if (!c.graph.profiler_steps || c.steps < 3) {
        return;
    }
    // The first step of each rank, its work as long as in the later steps.
    const std::vector<TimeNs> usual = times_of_later_steps(c.analysis.run(), c.graph);
    GraphTimes times = c.repaired;
    std::vector<std::pair<TimeNs, std::uint32_t>> largest;
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n) {
        if (usual[n] < 0 || c.repaired.duration[n] != c.graph.times.duration[n]) {
            continue; // what is put down to a straggler already
        }
        const bool is_host = c.graph.kind[n] == NodeKind::launch || c.graph.kind[n] == NodeKind::wait_begin;
        const TimeNs recorded = is_host ? host_time(c.graph, n) : c.graph.times.duration[n];
        set_time(c.graph, n, usual[n], times);
        largest.emplace_back(recorded - usual[n], n);
    }
    const double cost = c.repaired_time - predicted_step_time(c.graph, times);
    // Work that takes longer in a step that does not is no warm-up.
    if (c.share(cost) < kLeastFault || largest.empty() || longer_first_step(c) < cost * static_cast<double>(c.steps) / 2) {
        return;
    }
    const auto shown = static_cast<std::ptrdiff_t>(std::min<std::size_t>(5, largest.size()));
    std::partial_sort(largest.begin(), largest.begin() + shown, largest.end(), std::greater<>());
    const double extra = cost * static_cast<double>(c.steps);
    Finding finding;
    finding.code = "first_iteration";
    finding.title = fmt::format("The first recorded step takes {} longer than the later ones: warm-up, not the steady state; leave it out with --iterations", time_words(extra));
    finding.facts = {{"extra_us", extra / 1000, {}}, {"steps", static_cast<double>(c.steps), {}}};
    for (const auto& [time, node] : std::span(largest).first(static_cast<std::size_t>(shown))) {
        finding.events.push_back(c.event(node));
    }
    finding.cost = cost;
    finding.confidence = confidence_of(c.steps - 1, c.steps - 1);
    found.push_back(std::move(finding));
}

} // namespace rankscope
