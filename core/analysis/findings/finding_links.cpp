// SPDX-License-Identifier: GPL-3.0-or-later
// Links that are slow: in all steps or in some, of one group, of one network card, or of all members of the only group.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <ranges>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/basics/change_points.h"
#include "core/analysis/basics/robust_deviation.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/collectives/collective_timing.h"
#include "core/analysis/collectives/machines.h"
#include "core/analysis/collectives/network_limits.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/base/statistics.h"
#include "core/base/words.h"
#include "core/trace/recorded.h"

namespace rankscope {
namespace {

constexpr double kSlowLink = 1.15;         ///< times what the same calls take elsewhere
constexpr double kLeastDeviation = 0.02;   ///< of a call's time: no run repeats itself better
constexpr double kOfNetwork = 0.5;         ///< below this share of what the network carries a group is slow
constexpr double kNearNetwork = 0.8;       ///< from this share on its network is as it should be
constexpr double kRoundedBytes = 4;        ///< sizes of all-to-all calls that count as equal, of each doubling
constexpr double kSpreadsBelow = 3;        ///< times its own spread, the better steps lie below the others
constexpr std::int64_t kLarge = 4'000'000; ///< bytes: smaller messages do not reach the network's bandwidth

struct LinkCall {
    std::uint32_t node = 0;
    std::int64_t step = 0; ///< number of the profiler step; 0 without any
    double time = 0;       ///< ns, as if experts were even
};
using CallsByGroup = std::map<std::uint32_t, std::vector<LinkCall>>;

/// Groups that lie alike in the run: of one dimension, or, where none is known, of ranks as far apart.
struct Layout {
    ParallelDimension dimension = ParallelDimension::unknown;
    std::vector<int> apart; ///< of a group's members from its first one; empty where the dimension is known
    auto operator<=>(const Layout&) const = default;
};

Layout layout_of(ParallelDimension dimension, const CommGroup& group) {
    Layout layout{dimension, {}};
    if (dimension == ParallelDimension::unknown)
        for (const int rank : group.ranks)
            layout.apart.push_back(rank - group.ranks.front());
    return layout;
}

/// What is slow: calls of one group, or of several that have one thing in common.
struct SlowLink {
    std::set<std::uint32_t> groups;
    std::size_t measured = 0;  ///< of a dimension: how many of the groups make calls that no others run beside
    std::size_t of_groups = 0; ///< of a dimension: how many groups it has
    enum class Against : std::uint8_t { other_groups, own_steps, hardware } against = Against::other_groups;
    std::optional<int> card;                    ///< the rank that all the groups have in common, and nothing else
    std::optional<ParallelDimension> dimension; ///< all its groups; unknown: all groups that lie alike
    bool beside_another = false;                ///< usual_busbw is what another dimension reaches, not the hardware's
    std::vector<int> within; ///< members of a group between whose ranks all messages are slow; empty: other groups
    double ratio = 1;        ///< of the kind of call that is slowest
    std::int64_t calls = 0;
    double time = 0;  ///< ns that it takes more than it should, over all steps
    double busbw = 0; ///< GB/s of the calls at that ratio; 0 when unknown
    double usual_busbw = 0;
    std::set<std::int64_t> steps;                          ///< numbers of those it is slow in
    std::optional<double> chance;                          ///< Onset::chance
    std::vector<std::pair<TimeNs, std::uint32_t>> longest; ///< transfer, node
    std::map<std::uint32_t, double> factor;                ///< node -> what brings it to what is usual
};

/// Bytes of an all-to-all: what a member sends on the mean. They differ from call to call with the tokens, so that
/// equal sizes are those that round to the same, and 0 bytes are never compared.
std::int64_t rounded_bytes(const FindingContext& c, const CommunicationNode& node, double& mean) {
    const CollectiveMatching& matching = c.inputs.collectives;
    const MatchedCall& call = matching.matched[c.graph.matched[node.node - c.graph.first_node.back()]];
    mean = 0;
    for (const auto& member : call.members)
        mean += static_cast<double>(message_bytes(c.inputs.run, matching.call(member))) /
                static_cast<double>(call.members.size());
    return mean > 0 ? std::llround(std::exp2(std::round(kRoundedBytes * std::log2(mean)) / kRoundedBytes)) : 0;
}

std::map<SameCalls, CallsByGroup> comparable_calls(const FindingContext& c) {
    std::map<SameCalls, CallsByGroup> calls;
    for (const CommunicationNode& node : c.communication) {
        const std::int64_t step = node.lone ? -1 : step_number(c.graph, node.node);
        // Calls of unknown size are not the same call.
        if (step < 0 || node.bytes == kUnknown || c.graph.times.duration[node.node] <= 0)
            continue;
        const double alike = c.experts.even.empty() ? 1 : c.experts.even[node.node]; // uneven experts are told apart
        SameCalls same = node.same();
        double of_size = 1;
        if (node.kind == CollectiveKind::all_to_all && c.graph.kind[node.node] == NodeKind::transfer) {
            double mean = 0;
            same.bytes = rounded_bytes(c, node, mean);
            of_size = mean > 0 ? static_cast<double>(same.bytes) / mean : 1;
        }
        calls[same][node.group].push_back(
            {node.node, step, static_cast<double>(c.graph.times.duration[node.node]) * alike * of_size});
    }
    return calls;
}

/// Its speed is that of the network. An all-to-all sends many messages, each a part of its size.
bool fills_the_network(const SameCalls& key) { return key.bytes >= kLarge && key.kind != CollectiveKind::all_to_all; }

LinkComparison comparison_of(const FindingContext& c, const std::map<SameCalls, CallsByGroup>& calls) {
    LinkComparison result;
    const Machines machines(c.inputs.run);
    std::set<std::uint32_t> several_ways;
    for (const auto& [key, groups] : calls) {
        if (key.way == Way::between && groups.size() > 1) {
            std::set<std::set<std::int64_t>> ways;
            for (const auto& [group, own] : groups)
                ways.insert(machines.of(c.inputs.collectives.groups[group].ranks));
            for (const auto& [group, own] : groups)
                (ways.size() > 1 ? several_ways : result.one_way).insert(group);
        }
        for (const auto& [group, own] : groups) {
            result.groups.insert(group);
            if (groups.size() > 1)
                result.compared.insert(group);
            if (fills_the_network(key))
                result.large.insert(group);
            if (key.way == Way::between)
                result.between_machines.insert(group);
        }
    }
    for (const std::uint32_t group : several_ways)
        result.one_way.erase(group);
    return result;
}

double median_time(const std::vector<LinkCall>& calls) {
    std::vector<double> times;
    std::ranges::transform(calls, std::back_inserter(times), &LinkCall::time);
    return middle_median(std::move(times));
}

/// How far calls lie from their group's median, as a share of it.
double deviation_of(const std::vector<LinkCall>& calls, double median) {
    std::vector<double> times;
    std::ranges::transform(calls, std::back_inserter(times), &LinkCall::time);
    return robust_deviation(std::move(times)) / median;
}

double gigabytes_a_second(const SameCalls& key, double time) {
    const double wire = static_cast<double>(key.bytes) * bus_factor(key.kind, static_cast<std::int64_t>(key.members));
    return key.bytes > 0 ? wire / time : 0;
}

struct Usual {
    double time = 0;      ///< ns; 0: nothing to compare with
    double deviation = 0; ///< of one call, share
    SlowLink::Against against = SlowLink::Against::other_groups;
    std::vector<double> of_place{}; ///< ns, of each call of a step in order; empty where the steps' calls differ
};

/// Of the times of steps, ascending: the lower quartile. Where two steps or more lie well below the others and close
/// together, their mean: they may be fewer than a quarter.
double time_of_better_steps(const std::vector<double>& times) {
    const std::size_t quarter = times.size() / 4;
    for (std::size_t lower = 2; lower <= quarter; ++lower) {
        const double spread = std::max(times[lower - 1] - times[0], kLeastDeviation * times[0]);
        if (times[lower] >= kSlowLink * times[lower - 1] && times[lower] - times[lower - 1] >= kSpreadsBelow * spread)
            return std::accumulate(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(lower), 0.0) /
                   static_cast<double>(lower);
    }
    return times[quarter];
}

using CallsByStep = std::map<std::int64_t, std::vector<LinkCall>>;

CallsByStep by_step(const std::vector<LinkCall>& calls) {
    CallsByStep steps;
    for (const LinkCall& call : calls)
        steps[call.step].push_back(call);
    return steps;
}

/// What each call of a step takes in the steps that are not slow, in order: some run beside others, and some do not.
std::vector<double> usual_of_places(const CallsByStep& steps, double time) {
    std::vector<double> sums(steps.begin()->second.size(), 0);
    double good = 0;
    for (const auto& [step, calls] : steps) {
        if (calls.size() != sums.size())
            return {};
        if (median_time(calls) >= kSlowLink * time)
            continue;
        ++good;
        for (std::size_t i = 0; i < calls.size(); ++i)
            sums[i] += calls[i].time;
    }
    if (good < 2)
        return {};
    for (double& sum : sums)
        sum /= good;
    return sums;
}

/// What the calls take in the better steps of their own group.
Usual usual_of_steps(const CallsByStep& steps) {
    if (steps.size() < kStepsOfScatter)
        return {};
    std::vector<double> medians;
    std::vector<double> deviations;
    for (const auto& [step, calls] : steps) {
        medians.push_back(median_time(calls));
        deviations.push_back(deviation_of(calls, medians.back()));
    }
    std::ranges::sort(medians);
    const double time = time_of_better_steps(medians);
    return {time, std::max(kLeastDeviation, middle_median(std::move(deviations))), SlowLink::Against::own_steps,
            usual_of_places(steps, time)};
}

/// What the same calls take in each of the groups, in order; of the deviations likewise.
struct TimesOfGroups {
    explicit TimesOfGroups(const CallsByGroup& groups) {
        for (const auto& [group, calls] : groups) {
            median[group] = median_time(calls);
            deviation[group] = deviation_of(calls, median[group]);
            medians.push_back(median[group]);
            deviations.push_back(deviation[group]);
        }
        std::ranges::sort(medians);
        std::ranges::sort(deviations);
    }
    std::map<std::uint32_t, double> median;
    std::map<std::uint32_t, double> deviation;
    std::vector<double> medians;
    std::vector<double> deviations;
};

/// The median of the others; between two clear levels the lower one, because no link is as fast as their mean.
double usual_of_others(std::vector<double> sorted, double own) {
    sorted.erase(std::ranges::lower_bound(sorted, own));
    const double lower = sorted[(sorted.size() - 1) / 2];
    const double upper = sorted[sorted.size() / 2];
    return upper >= kSlowLink * lower ? lower : (lower + upper) / 2;
}

/// What the same calls take in the other groups; where there are none, in the better steps of the group itself.
Usual usual_time(const TimesOfGroups& times, std::uint32_t group, const CallsByStep& steps) {
    if (times.medians.size() < 2)
        return usual_of_steps(steps);
    return {usual_of_others(times.medians, times.median.at(group)),
            std::max(kLeastDeviation, middle_median_of_others(times.deviations, times.deviation.at(group))),
            SlowLink::Against::other_groups};
}

void join(SlowLink& into, SlowLink&& link) {
    into.groups.merge(link.groups);
    if (link.ratio > into.ratio) {
        into.against = link.against;
        into.ratio = link.ratio;
        into.busbw = link.busbw;
        into.usual_busbw = link.usual_busbw;
    }
    into.calls += link.calls;
    into.time += link.time;
    into.chance = into.steps.empty() || into.steps == link.steps ? link.chance : std::nullopt;
    into.steps.merge(link.steps);
    into.factor.merge(link.factor);
    into.longest.insert(into.longest.end(), link.longest.begin(), link.longest.end());
}

/// Steps that are a little slow beside far slower ones are so for another reason, as for what runs beside their calls.
/// Returns from which median on a step counts, ns; 0: from any on. Far slower steps tell if they are two or more, and a
/// quarter of all. medians: of the steps' calls.
double least_of_slowest(const std::vector<double>& medians, double usual) {
    constexpr double kFar = 4; ///< times as much longer than usual
    const double least = usual + (std::ranges::max(medians) - usual) / kFar;
    const auto count =
        static_cast<std::size_t>(std::ranges::count_if(medians, [&](double own) { return own >= least; }));
    return count >= 2 && 4 * count >= medians.size() ? least : 0;
}

/// In which steps the group's calls take longer than usual. only: no others than these.
std::optional<SlowLink> slow_steps(const FindingContext& c, const SameCalls& key, const CallsByStep& steps,
                                   const Usual& usual, const std::set<std::int64_t>* only = nullptr) {
    if (usual.time <= 0)
        return {};
    SlowLink found;
    double slowest = 0;
    std::vector<double> medians;
    for (const auto& [step, calls] : steps)
        medians.push_back(median_time(calls));
    // Where its level changes inside the run, no single step that noise moves across the limit blurs since when.
    const auto level = raised_level(medians);
    const bool changes =
        level && !level->gradual && level->usual < kSlowLink * usual.time && level->raised >= kSlowLink * usual.time;
    if (changes)
        found.chance = level->chance;
    const double least = least_of_slowest(medians, usual.time);
    std::size_t next = 0;
    for (const auto& [step, calls] : steps) {
        const std::size_t place = next++;
        const double own = medians[place];
        const double noise = kClearErrors * usual.deviation / std::sqrt(static_cast<double>(calls.size()));
        const bool is_slow = only != nullptr ? only->contains(step) && own > usual.time
                             : changes       ? place >= level->first && place <= level->last && own > usual.time
                                             : own >= std::max(least, usual.time * std::max(kSlowLink, 1 + noise));
        if (!is_slow)
            continue;
        found.steps.insert(step);
        slowest = std::max(slowest, own);
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const LinkCall& call = calls[i];
            const bool by_place = !usual.of_place.empty() && call.time > 0;
            found.time += call.time - (by_place ? usual.of_place[i] : usual.time);
            found.longest.emplace_back(c.graph.times.duration[call.node], call.node);
            found.factor[call.node] = by_place ? usual.of_place[i] / call.time : usual.time / own;
            ++found.calls;
        }
    }
    // A first step that is slow alone is warm-up, which is told as such.
    const bool warm_up = steps.size() > 1 && found.steps.size() == 1 && *found.steps.begin() == steps.begin()->first;
    if (found.steps.empty() || warm_up)
        return {};
    found.against = usual.against;
    found.ratio = slowest / usual.time;
    found.busbw = gigabytes_a_second(key, slowest);
    found.usual_busbw = gigabytes_a_second(key, usual.time);
    return found;
}

/// Slow for one reason: noise may move a step across the limit for one group and not for another.
bool are_same_steps(const std::set<std::int64_t>& a, const std::set<std::int64_t>& b) {
    std::vector<std::int64_t> both;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    return 2 * both.size() >= a.size() + b.size() - both.size();
}

/// Several groups are of one dimension, or of one layout where none is known.
bool lie_alike(const FindingContext& c, const SameCalls& key, const CallsByGroup& groups) {
    const auto layout = [&](const auto& entry) {
        return layout_of(key.dimension, c.inputs.collectives.groups[entry.first]);
    };
    return groups.size() > 1 && std::ranges::all_of(groups, [&](const auto& entry) {
               return layout(entry) == layout(*groups.begin()) &&
                      (key.dimension != ParallelDimension::unknown ||
                       !c.inputs.collectives.groups[entry.first].point_to_point);
           });
}

/// All groups are slow in the same steps, so that none stands out: each beside its own other steps; the steps are those
/// of most groups. Empty otherwise.
std::map<std::uint32_t, SlowLink> slow_together(const FindingContext& c, const SameCalls& key,
                                                const CallsByGroup& groups) {
    std::map<std::uint32_t, SlowLink> slow;
    for (const auto& [group, calls] : groups) {
        const CallsByStep steps = by_step(calls);
        auto own = lie_alike(c, key, groups) ? slow_steps(c, key, steps, usual_of_steps(steps)) : std::nullopt;
        const bool alike = own && own->steps.size() < steps.size() &&
                           (slow.empty() || are_same_steps(slow.begin()->second.steps, own->steps));
        if (!alike)
            return {};
        slow[group] = std::move(*own);
    }
    std::map<std::int64_t, std::size_t> groups_of_step;
    for (const auto& [group, link] : slow)
        for (const std::int64_t step : link.steps)
            ++groups_of_step[step];
    std::set<std::int64_t> common;
    for (const auto& [step, count] : groups_of_step)
        if (2 * count > slow.size())
            common.insert(step);
    for (auto& [group, link] : slow) {
        if (link.steps == common)
            continue;
        const CallsByStep steps = by_step(groups.at(group));
        auto own = slow_steps(c, key, steps, usual_of_steps(steps), &common);
        if (!own)
            return {};
        link = std::move(*own);
        link.chance.reset();
    }
    return slow;
}

/// Calls of one group that are slow, of those that should take equally long.
struct SlowCalls {
    const SameCalls& key;
    CallsByStep steps;
    Usual usual;
    SlowLink link;
};
using SlowCallsByGroup = std::map<std::uint32_t, std::vector<SlowCalls>>;

void add_slow_steps(const FindingContext& c, const SameCalls& key, const CallsByGroup& groups, SlowCallsByGroup& slow,
                    std::map<Layout, SlowLink>& dimensions) {
    if (auto together = slow_together(c, key, groups); !together.empty()) {
        const CommGroup& first = c.inputs.collectives.groups[groups.begin()->first];
        SlowLink& dimension = dimensions[layout_of(key.dimension, first)];
        dimension.dimension = key.dimension;
        for (auto& [group, link] : together) {
            link.groups = {group};
            join(dimension, std::move(link));
        }
        return;
    }
    const TimesOfGroups times(groups);
    for (const auto& [group, calls] : groups) {
        CallsByStep steps = by_step(calls);
        Usual usual = usual_time(times, group, steps);
        if (auto link = slow_steps(c, key, steps, usual))
            slow[group].push_back({key, std::move(steps), std::move(usual), std::move(*link)});
    }
}

/// The calls of each group together. Those that are slow in mostly the same steps as the calls that lose most are slow
/// in just these steps: it is one link.
std::map<std::uint32_t, SlowLink> join_calls(const FindingContext& c, SlowCallsByGroup slow) {
    std::map<std::uint32_t, SlowLink> joined;
    for (auto& [group, calls] : slow) {
        const auto most = std::ranges::max_element(calls, {}, [](const SlowCalls& each) { return each.link.time; });
        for (SlowCalls& each : calls) {
            if (each.link.steps == most->link.steps || !are_same_steps(each.link.steps, most->link.steps))
                continue;
            if (auto again = slow_steps(c, each.key, each.steps, each.usual, &most->link.steps)) {
                each.link = std::move(*again);
                each.link.chance = most->link.chance;
            }
        }
        for (SlowCalls& each : calls) {
            each.link.groups = {group};
            join(joined[group], std::move(each.link));
        }
    }
    return joined;
}

/// Where all messages between members of a group are slow, as in a pipeline, and those of another group of its
/// dimension are not, it is the group that is slow. dimension: of the groups that are compared. cards: also where one
/// rank has part in all of them.
void join_within_groups(const std::vector<CommGroup>& groups,
                        const std::map<std::uint32_t, ParallelDimension>& dimension, bool cards,
                        std::map<std::uint32_t, SlowLink>& slow, std::vector<SlowLink>& result) {
    std::map<std::vector<int>, std::vector<std::uint32_t>> members; // of groups of three and more: messages in them
    for (const auto& [group, of_group] : dimension)
        if (groups[group].within.size() > 2)
            members[groups[group].within].push_back(group);
    const auto is_slow = [&](std::uint32_t group) { return slow.contains(group); };
    std::vector<const std::vector<std::uint32_t>*> joined;
    for (const auto& [within, messages] : members) {
        const bool another_is_well = std::ranges::any_of(
            dimension,
            [&](const auto& other) {
                return other.second == dimension.at(messages.front()) && groups[other.first].within != within &&
                       !is_slow(other.first);
            });
        const bool one_card = std::ranges::any_of(within, [&](int rank) {
            return std::ranges::all_of(messages, [&](std::uint32_t message) {
                return std::ranges::find(groups[message].ranks, rank) != groups[message].ranks.end();
            });
        });
        if (another_is_well && (cards || !one_card) && std::ranges::all_of(messages, is_slow))
            joined.push_back(&messages);
    }
    for (const auto* messages : joined) {
        SlowLink link;
        link.within = groups[messages->front()].within;
        for (const std::uint32_t group : *messages)
            join(link, std::move(slow.extract(group).mapped()));
        result.push_back(std::move(link));
    }
}

/// One cause is one finding. A rank whose groups are all slow while its partners' other groups are not has a slow card;
/// the two directions between two ranks are one link.
std::vector<SlowLink> join_by_cause(const FindingContext& c, std::map<std::uint32_t, SlowLink> slow,
                                    const std::map<SameCalls, CallsByGroup>& calls) {
    const auto& groups = c.inputs.collectives.groups;
    std::map<std::uint32_t, ParallelDimension> dimension; // of the groups that are compared
    std::map<std::uint32_t, Way> way;
    std::map<std::uint32_t, double> all_calls; // of each group
    for (const auto& [key, by_group] : calls) {
        for (const auto& [group, own] : by_group) {
            all_calls[group] += static_cast<double>(own.size());
            way[group] = key.way;
            if (by_group.size() > 1)
                dimension[group] = key.dimension;
        }
    }
    const auto dimension_of = [&](std::uint32_t group) {
        const auto known = dimension.find(group);
        return known == dimension.end() ? ParallelDimension::unknown : known->second;
    };
    std::vector<SlowLink> result;
    join_within_groups(groups, dimension, false, slow, result);
    while (true) {
        std::map<int, std::vector<std::uint32_t>> slow_groups; // by rank
        // Only what is slow alike has one cause: beside a slow link others of its dimension are a little slower too,
        // and any group has a call now and then that takes long.
        std::map<std::pair<int, ParallelDimension>, double> slowest;
        std::map<int, double> most_calls; // by rank, of the shares of a group's calls that are slow
        const auto slow_share = [&](std::uint32_t group, const SlowLink& link) {
            return static_cast<double>(link.calls) / all_calls[group];
        };
        for (const auto& [group, link] : slow)
            for (const int rank : groups[group].ranks) {
                double& most = slowest[{rank, dimension_of(group)}];
                most = std::max(most, link.ratio);
                most_calls[rank] = std::max(most_calls[rank], slow_share(group, link));
            }
        for (const auto& [group, link] : slow)
            for (const int rank : groups[group].ranks)
                if (link.ratio - 1 >= (slowest[{rank, dimension_of(group)}] - 1) / 2 &&
                    slow_share(group, link) >= most_calls[rank] / 2)
                    slow_groups[rank].push_back(group);
        const auto is_card = [&](const auto& entry) {
            const auto& [rank, its] = entry;
            std::set<int> partners;
            for (const std::uint32_t group : its)
                partners.insert(groups[group].ranks.begin(), groups[group].ranks.end());
            // Other dimensions may take other ways, and so may calls inside the machine: through NVLink, say.
            const bool any_fast = std::ranges::any_of(dimension, [&](const auto& one) {
                const auto& [group, of_group] = one;
                return !slow.contains(group) &&
                       std::ranges::find(groups[group].ranks, rank) != groups[group].ranks.end() &&
                       std::ranges::any_of(its, [&](std::uint32_t g) {
                           return dimension_of(g) == of_group && way.at(g) == way.at(group);
                       });
            });
            return its.size() > 1 && partners.size() > 2 && !any_fast;
        };
        const std::pair<const int, std::vector<std::uint32_t>>* best = nullptr; // the rank with most of them
        for (const auto& entry : slow_groups)
            if (is_card(entry) && (best == nullptr || entry.second.size() > best->second.size()))
                best = &entry;
        // The card of one rank explains it only where no other rank explains as much.
        const bool alone = best != nullptr && std::ranges::count_if(slow_groups, [&](const auto& entry) {
                                                  return is_card(entry) && entry.second.size() == best->second.size();
                                              }) == 1;
        if (!alone)
            break;
        SlowLink card;
        card.card = best->first;
        for (const std::uint32_t group : best->second)
            join(card, std::move(slow.extract(group).mapped()));
        result.push_back(std::move(card));
    }
    join_within_groups(groups, dimension, true, slow, result);
    std::map<std::set<int>, SlowLink> by_members;
    for (auto& [group, link] : slow)
        join(by_members[{groups[group].ranks.begin(), groups[group].ranks.end()}], std::move(link));
    for (auto& [members, link] : by_members)
        result.push_back(std::move(link));
    return result;
}

/// Where a link may be shared: a rank's number, and whether the transfer leaves it or reaches it.
using Port = std::pair<int, bool>;

/// A message leaves its sender and reaches its receiver; other transfers leave and reach all their members.
std::vector<Port> ports_of(const CommGroup& group) {
    if (group.point_to_point && group.ranks.size() == 2)
        return {{group.ranks.front(), true}, {group.ranks.back(), false}};
    std::vector<Port> ports;
    for (const int rank : group.ranks)
        for (const bool leaves : {false, true})
            ports.emplace_back(rank, leaves);
    return ports;
}

/// How much of a transfer's time others run beside it that leave or reach one of its ranks as well, all of them added
/// up: they may share its links.
class SharedTime {
public:
    explicit SharedTime(const FindingContext& c) : beside_(c.graph.size()) {
        std::map<Port, std::vector<std::uint32_t>> ports;
        for (const CommunicationNode& node : c.communication) {
            if (node.lone)
                continue;
            for (const Port& port : ports_of(c.inputs.collectives.groups[node.group]))
                ports[port].push_back(node.node);
        }
        for (auto& [port, nodes] : ports) {
            std::ranges::sort(nodes, {}, [&](std::uint32_t n) { return c.graph.start[n]; });
            std::vector<std::uint32_t> running;
            for (const std::uint32_t node : nodes) {
                std::erase_if(running, [&](std::uint32_t n) { return c.graph.end(n) <= c.graph.start[node]; });
                for (const std::uint32_t other : running) {
                    const TimeNs both = std::min(c.graph.end(other), c.graph.end(node)) - c.graph.start[node];
                    beside_[node] += std::max<TimeNs>(0, both);
                    beside_[other] += std::max<TimeNs>(0, both);
                }
                running.push_back(node);
            }
        }
    }
    [[nodiscard]] bool is_alone(const FindingContext& c, std::uint32_t node) const {
        constexpr double kMostBeside = 0.1;
        return static_cast<double>(beside_[node]) <= kMostBeside * static_cast<double>(c.graph.times.duration[node]);
    }

private:
    std::vector<TimeNs> beside_; ///< by node
};

/// A group's calls, and what it reaches at its large messages.
struct Reached {
    double busbw = 0;   ///< GB/s, of the best size, of calls that no others run beside; 0 without large ones
    bool large = false; ///< some messages are
    ParallelDimension dimension = ParallelDimension::unknown;
    Way way = Way::unknown;
    std::vector<LinkCall> calls;
};

/// Calls that take that many times as long as they should.
void add_calls(const FindingContext& c, const Reached& own, double ratio, SlowLink& link) {
    for (const LinkCall& call : own.calls) {
        ++link.calls;
        link.time += call.time * (1 - 1 / ratio);
        link.steps.insert(call.step);
        link.factor[call.node] = 1 / ratio;
        link.longest.emplace_back(c.graph.times.duration[call.node], call.node);
    }
}

void add_calls_below(const FindingContext& c, const Reached& own, double usual, SlowLink& link) {
    const double ratio = usual / own.busbw;
    if (ratio > link.ratio) {
        link.ratio = ratio;
        link.busbw = own.busbw;
    }
    link.against = SlowLink::Against::hardware;
    link.usual_busbw = usual;
    add_calls(c, own, ratio, link);
}

/// All groups of a dimension between machines are below what the network carries: each has others to compare with, and
/// they are as slow. What another dimension reaches between machines is what the network carries here. Groups whose
/// calls always run beside others, as in both directions of a pipeline, take the same way as the rest.
void add_slow_dimensions(const FindingContext& c, const std::map<std::uint32_t, Reached>& reached,
                         const std::set<std::uint32_t>& compared, double network, std::vector<SlowLink>& links) {
    std::map<Layout, std::vector<std::uint32_t>> dimensions;
    std::map<Layout, std::vector<std::uint32_t>> not_measured;
    for (const auto& [group, own] : reached)
        if (own.way == Way::between && own.large &&
            (own.dimension != ParallelDimension::unknown || !c.inputs.collectives.groups[group].point_to_point))
            (own.busbw > 0 ? dimensions : not_measured)[layout_of(own.dimension, c.inputs.collectives.groups[group])]
                .push_back(group);
    for (const auto& [layout, groups] : dimensions) {
        const bool alone = groups.size() < 2 || !compared.contains(groups.front());
        const bool below = std::ranges::all_of(
            groups, [&](std::uint32_t group) { return reached.at(group).busbw < kOfNetwork * network; });
        const bool told = std::ranges::any_of(links, [&](const SlowLink& link) {
            return std::ranges::any_of(groups, [&](std::uint32_t group) { return link.groups.contains(group); });
        });
        if (alone || !below || told)
            continue;
        double usual = 0; // of another dimension
        for (const auto& [group, other] : reached)
            if (other.way == Way::between && other.busbw <= network &&
                layout_of(other.dimension, c.inputs.collectives.groups[group]) != layout)
                usual = std::max(usual, other.busbw);
        SlowLink link;
        link.dimension = layout.dimension;
        link.beside_another = usual >= kOfNetwork * network;
        link.groups.insert(groups.begin(), groups.end());
        link.measured = groups.size();
        std::vector<double> measured;
        for (const std::uint32_t group : groups) {
            add_calls_below(c, reached.at(group), link.beside_another ? usual : network, link);
            measured.push_back(reached.at(group).busbw);
        }
        const double busbw = middle_median(std::move(measured));
        for (const std::uint32_t group : not_measured[layout]) {
            Reached as_the_rest = reached.at(group);
            as_the_rest.busbw = busbw;
            link.groups.insert(group);
            add_calls_below(c, as_the_rest, link.beside_another ? usual : network, link);
        }
        links.push_back(std::move(link));
    }
}

std::map<std::uint32_t, Reached> reached_by_group(const FindingContext& c,
                                                  const std::map<SameCalls, CallsByGroup>& calls) {
    std::map<std::uint32_t, Reached> reached;
    const SharedTime shared(c);
    for (const auto& [key, groups] : calls) {
        for (const auto& [group, own] : groups) {
            Reached& of_group = reached[group];
            of_group.dimension = key.dimension;
            of_group.way = key.way;
            of_group.calls.insert(of_group.calls.end(), own.begin(), own.end());
            if (!fills_the_network(key))
                continue;
            of_group.large = true;
            std::vector<LinkCall> alone;
            std::ranges::copy_if(own, std::back_inserter(alone),
                                 [&](const LinkCall& call) { return shared.is_alone(c, call.node); });
            if (!alone.empty())
                of_group.busbw = std::max(of_group.busbw, gigabytes_a_second(key, median_time(alone)));
        }
    }
    return reached;
}

/// A group between machines that nothing can be compared with is measured by what the network carries, at its largest
/// messages.
void add_below_hardware(const FindingContext& c, const std::map<SameCalls, CallsByGroup>& calls,
                        const std::set<std::uint32_t>& compared, std::vector<SlowLink>& links) {
    const auto network = usual_network(c.inputs.run);
    if (!network)
        return;
    const std::map<std::uint32_t, Reached> reached = reached_by_group(c, calls);
    add_slow_dimensions(c, reached, compared, network->between_machines, links);
    for (const auto& [group, own] : reached) {
        const bool told = std::ranges::any_of(links, [&](const SlowLink& link) { return link.groups.contains(group); });
        if (own.way != Way::between || compared.contains(group) || told || own.busbw <= 0 ||
            own.busbw >= kOfNetwork * network->between_machines)
            continue;
        SlowLink link;
        link.groups = {group};
        add_calls_below(c, own, network->between_machines, link);
        links.push_back(std::move(link));
    }
}

void speed_up(const SlowLink& link, GraphTimes& times) {
    for (const auto& [node, factor] : link.factor)
        times.duration[node] = std::llround(static_cast<double>(times.duration[node]) * factor);
}

/// Which ranks start the first recorded step late because the link was slow before it: members of its groups, where it
/// is slow in that step, by no more than a step adds.
std::vector<std::uint32_t> late_for_link(const FindingContext& c, const SlowLink& link, double per_step) {
    std::vector<std::uint32_t> late;
    if (!c.graph.profiler_steps || c.numbers().empty() || !link.steps.contains(c.numbers().front()))
        return late;
    std::set<int> members;
    for (const std::uint32_t group : link.groups)
        members.insert(c.inputs.collectives.groups[group].ranks.begin(),
                       c.inputs.collectives.groups[group].ranks.end());
    for (const GraphStep& step : c.graph.steps) {
        const std::uint32_t begin = step.begin;
        if (begin == kNoNode || step.number != c.numbers().front() || !members.contains(c.rank_number(step.rank)))
            continue;
        const OwnExcess own = own_excess(c.graph, c.peers, begin);
        if (own.cause == OwnCause::late_start && own.time > 0 &&
            static_cast<double>(own.time) <= kLateByAStep * per_step)
            late.push_back(step.rank);
    }
    return late;
}

std::string members_words(const std::vector<int>& ranks) {
    constexpr std::size_t kNamed = 8;
    return fmt::format("{}{}", fmt::join(std::span(ranks).first(std::min(ranks.size(), kNamed)), ", "),
                       ranks.size() > kNamed ? ", ..." : "");
}

/// The slow calls are previous ones to the calls of other groups: their ranks come late to those, and others wait
/// there.
void add_late_elsewhere(const FindingContext& c, const SlowLink& slow, Finding& finding) {
    if (slow.groups.size() != 1 || !rankscope::recorded(c.inputs.run).times)
        return; // of several links, who came late for which is not told
    const std::uint32_t group = *slow.groups.begin();
    GraphTimes times = c.graph.times;
    speed_up(slow, times);
    const auto recorded = waits_caused(c, c.graph.start, group);
    const auto repaired = waits_caused(c, replay(c.graph, times), group);
    std::vector<std::pair<double, int>> waited; // for a member, by each of those that it meets elsewhere, a step
    for (std::uint32_t r = 0; r < recorded.size(); ++r) {
        if (std::ranges::find(finding.ranks, c.rank_number(r)) == finding.ranks.end())
            continue;
        std::set<int> others;
        for (std::uint32_t g = 0; g < c.inputs.collectives.groups.size(); ++g) {
            const CommGroup& met = c.inputs.collectives.groups[g];
            if (g != group && !met.point_to_point && std::ranges::find(met.ranks, c.rank_number(r)) != met.ranks.end())
                others.insert(met.ranks.begin(), met.ranks.end());
        }
        if (others.size() > 1)
            waited.emplace_back((recorded[r] - repaired[r]) / static_cast<double>(c.steps * (others.size() - 1)),
                                c.rank_number(r));
    }
    std::ranges::stable_sort(waited, std::ranges::greater(), [](const auto& one) { return one.first; });
    const double more = waited.empty() ? 0 : waited.front().first;
    if (c.share(more) >= kLeastFault) {
        std::vector<int> late;
        for (const auto& [time, rank] : waited)
            if (time >= kTogether * more)
                late.push_back(rank);
        std::ranges::sort(late);
        finding.cause = FindingCause::slow_previous_collective;
        finding.title +=
            plural(late.size(),
                   "; after them its ranks come late to other groups' calls, where each of the others waits %1 a step "
                   "for rank %2"_one,
                   "; after them its ranks come late to other groups' calls, where each of the others waits up to %1 a "
                   "step for ranks %2"_many)(time_words(more), rank_numbers(late));
        finding.facts.push_back({FactName::late_after_it_rank, static_cast<double>(waited.front().second), {}});
        finding.facts.push_back({FactName::waits_elsewhere_us_per_rank_and_step, more / 1000, {}});
    }
}

/// Of a rank whose groups are all slow.
Message title_of_card(const FindingContext& c, const SlowLink& slow, const Message& when, const Message& speeds) {
    std::set<int> partners;
    for (const std::uint32_t group : slow.groups)
        for (const int rank : c.inputs.collectives.groups[group].ranks)
            if (rank != *slow.card)
                partners.insert(rank);
    const Machines machines(c.inputs.run);
    const bool between = std::ranges::all_of(slow.groups, [&](std::uint32_t group) {
        return machines.way(c.inputs.collectives.groups[group].ranks) == Way::between;
    });
    return plural(partners.size(),
                  "Communication of rank %1 takes up to %2× as long as the same calls of other ranks%3%4. All calls of "
                  "this kind that rank %1 makes are slow, with rank %5: %6 is likely"_one,
                  "Communication of rank %1 takes up to %2× as long as the same calls of other ranks%3%4. All calls of "
                  "this kind that rank %1 makes are slow, with ranks %5: %6 is likely"_many)(
        *slow.card, fmt::format("{:.2f}", slow.ratio), when, speeds, rank_numbers({partners.begin(), partners.end()}),
        between ? "its network card or cable"_text() : "its own link"_text());
}

/// Of a dimension its word; of groups that lie alike how many and an example.
Message layout_words(const FindingContext& c, const SlowLink& slow) {
    if (*slow.dimension != ParallelDimension::unknown)
        return Message(std::string(parallel_dimension_word(*slow.dimension)));
    const CommGroup& first = c.inputs.collectives.groups[*slow.groups.begin()];
    return "%1 groups of %2 ranks each (ranks %3 and so on)"_text(slow.groups.size(), first.ranks.size(),
                                                                  members_words(first.ranks));
}

/// In how many of the groups of its dimension.
Message in_groups_words(const SlowLink& slow) {
    if (*slow.dimension == ParallelDimension::unknown)
        return {};
    const std::size_t groups = slow.groups.size();
    if (slow.against == SlowLink::Against::hardware && slow.measured < groups)
        return ", in %1 of its %2 groups (the calls of the others always run beside calls of the same ranks)"_text(
            slow.measured, groups);
    return groups < slow.of_groups ? ", in %1 of its %2 groups"_text(groups, slow.of_groups)
                                   : ", in all its groups (%1)"_text(groups);
}

/// Of a dimension whose groups are all slow.
Message title_of_dimension(const FindingContext& c, const SlowLink& slow, const Message& when, const Message& speeds) {
    const Message dimension = layout_words(c, slow);
    const Message groups = in_groups_words(slow);
    if (slow.against == SlowLink::Against::own_steps)
        return "Communication of %1 takes up to %2× as long%3 as in the other steps%4%5"_text(
            dimension, fmt::format("{:.2f}", slow.ratio), when, groups, speeds);
    const std::string busbw = fmt::format("{:.3g}", slow.busbw);
    const std::string usual = fmt::format("{:.3g}", slow.usual_busbw);
    return slow.beside_another
               ? "Communication of %1 reaches %2 GB/s between machines at its largest messages%3; another dimension "
                 "reaches %4"_text(dimension, busbw, groups, usual)
               : "Communication of %1 reaches %2 GB/s between machines at its largest messages%3; the network of %4 "
                 "machines usually carries %5"_text(dimension, busbw, groups,
                                                    std::string(usual_network(c.inputs.run)->machine), usual);
}

Message title_of(const FindingContext& c, const SlowLink& slow, const Finding& finding) {
    const auto& groups = c.inputs.collectives.groups;
    const CommGroup& first = groups[*slow.groups.begin()];
    const Message name = group_words(first.label());
    const std::string busbw = fmt::format("{:.3g}", slow.busbw);
    const std::string usual = fmt::format("{:.3g}", slow.usual_busbw);
    const Message speeds = slow.busbw <= 0 ? Message() : ": %1 instead of %2 GB/s"_text(busbw, usual);
    const Message when = onset_words(c, slow.steps);
    if (slow.card)
        return title_of_card(c, slow, when, speeds);
    if (slow.dimension)
        return title_of_dimension(c, slow, when, speeds);
    const std::string members = members_words(finding.ranks);
    const std::string ratio = fmt::format("{:.2f}", slow.ratio);
    switch (slow.against) {
    case SlowLink::Against::other_groups:
        return "Communication of %1 (ranks %2) takes up to %3× as long as the same calls of the other groups%4%5"_text(
            name, members, ratio, when, speeds);
    case SlowLink::Against::own_steps:
        return "Communication of %1 (ranks %2) takes up to %3× as long%4 as in the other steps%5"_text(
            name, members, ratio, when, speeds);
    case SlowLink::Against::hardware: break;
    }
    return "Communication of %1 (ranks %2) reaches %3 GB/s at its largest messages; the network of %4 machines usually "
           "carries %5. No other group of this run tells whether that is usual here"_text(
               name, members, busbw, std::string(usual_network(c.inputs.run)->machine), usual);
}

Finding describe(const FindingContext& c, SlowLink& slow) {
    const auto& groups = c.inputs.collectives.groups;
    const CommGroup& first = groups[*slow.groups.begin()];
    Finding finding;
    finding.code = FindingCode::slow_link;
    finding.ranks = slow.card ? std::vector<int>{*slow.card} : slow.within.empty() ? first.ranks : slow.within;
    if (slow.dimension) {
        std::set<int> ranks;
        for (const std::uint32_t group : slow.groups)
            ranks.insert(groups[group].ranks.begin(), groups[group].ranks.end());
        finding.ranks.assign(ranks.begin(), ranks.end());
        if (std::cmp_equal(ranks.size(), c.inputs.run.ranks.size()))
            finding.ranks.clear(); // all
    }
    if (slow.card)
        finding.cause = FindingCause::slow_card;
    else if (slow.against == SlowLink::Against::hardware)
        finding.cause = FindingCause::below_hardware;
    const bool layout = slow.dimension == ParallelDimension::unknown; // which has no name
    finding.group = layout           ? ""
                    : slow.dimension ? std::string(parallel_dimension_word(*slow.dimension))
                                     : first.label();
    finding.title = title_of(c, slow, finding);
    if (slow.busbw > 0) {
        finding.facts.push_back({FactName::busbw_gb_s, slow.busbw, {}});
        finding.facts.push_back(
            {slow.against == SlowLink::Against::hardware ? FactName::network_gb_s : FactName::peer_busbw_gb_s,
             slow.usual_busbw,
             {}});
    }
    finding.facts.push_back({FactName::ratio, slow.ratio, {}});
    finding.facts.push_back({FactName::calls, static_cast<double>(slow.calls), {}});
    set_onset(c, {slow.steps, slow.chance}, finding);
    std::sort(slow.longest.begin(), slow.longest.end(), std::greater<>());
    for (std::size_t i = 0; i < std::min(kEventsShown, slow.longest.size()); ++i)
        finding.events.push_back(c.event(slow.longest[i].second));
    finding.confidence =
        slow.against == SlowLink::Against::hardware
            ? 0.5
            : confidence_of(static_cast<std::size_t>(slow.calls), static_cast<std::size_t>(slow.calls));
    add_late_elsewhere(c, slow, finding);
    return finding;
}

} // namespace

LinkComparison compare_links(const FindingContext& c) {
    const auto calls = comparable_calls(c);
    LinkComparison result = comparison_of(c, calls);
    const Machines machines(c.inputs.run);
    if (const auto network = usual_network(c.inputs.run))
        for (const auto& [group, own] : reached_by_group(c, calls)) {
            // Each rank of a machine has a card.
            const std::vector<int>& ranks = c.inputs.collectives.groups[group].ranks;
            const double count = std::max(1.0, static_cast<double>(machines.of(ranks).size()));
            const double cards = static_cast<double>(ranks.size()) / count;
            if (own.way == Way::between && own.busbw >= kNearNetwork * cards * network->between_machines)
                result.near_network.insert(group);
        }
    return result;
}

/// In the steps in which the calls are slow, all their ranks compute longer as well, by half as much or more: their
/// GPUs are slow then, as when they are throttled, and with them what the kernels of communication move.
bool gpus_are_slow_too(const FindingContext& c, const SlowLink& link) {
    if (link.against != SlowLink::Against::own_steps)
        return false;
    std::set<int> members;
    for (const std::uint32_t group : link.groups)
        members.insert(c.inputs.collectives.groups[group].ranks.begin(),
                       c.inputs.collectives.groups[group].ranks.end());
    std::vector<std::vector<double>> slow(c.inputs.run.ranks.size()); // computation of a step, ns
    std::vector<std::vector<double>> others(slow.size());
    std::vector<std::size_t> place(slow.size());
    for (const GraphStep& step : c.graph.steps)
        (link.steps.contains(step.number) ? slow : others)[step.rank].push_back(
            c.inputs.computation_by_step[step.rank][place[step.rank]++]);
    const double least = 1 + (link.ratio - 1) / 2;
    for (std::uint32_t r = 0; r < slow.size(); ++r)
        if (members.contains(c.rank_number(r)) &&
            (slow[r].empty() || others[r].empty() || middle_median(slow[r]) < least * middle_median(others[r])))
            return false;
    return !members.empty();
}

std::vector<Candidate> slow_link_candidates(const FindingContext& c) {
    if (c.jump)
        return {};
    const auto calls = comparable_calls(c);
    const LinkComparison comparison = comparison_of(c, calls);
    SlowCallsByGroup slow;
    std::map<Layout, SlowLink> dimensions;
    for (const auto& [key, groups] : calls)
        add_slow_steps(c, key, groups, slow, dimensions);
    std::vector<SlowLink> links = join_by_cause(c, join_calls(c, std::move(slow)), calls);
    for (auto& [layout, link] : dimensions) {
        std::set<std::uint32_t> all;
        for (const auto& [key, groups] : calls)
            for (const auto& [group, own] : groups)
                if (layout_of(key.dimension, c.inputs.collectives.groups[group]) == layout)
                    all.insert(group);
        link.of_groups = all.size();
        links.push_back(std::move(link));
    }
    add_below_hardware(c, calls, comparison.compared, links);
    std::vector<Candidate> candidates;
    for (SlowLink& link : links) {
        const double size = link.time / static_cast<double>(c.steps);
        if (c.share(size) < kLeastFault || gpus_are_slow_too(c, link))
            continue;
        const auto shared = std::make_shared<SlowLink>(std::move(link));
        const std::vector<std::uint32_t> late_ranks = late_for_link(c, *shared, size);
        std::vector<bool> late(c.inputs.run.ranks.size());
        for (const std::uint32_t rank : late_ranks)
            late[rank] = true;
        candidates.push_back({size,
                              [&c, shared, late](GraphTimes& times) {
                                  speed_up(*shared, times);
                                  remove_excess(c.graph, c.peers, OwnCause::late_start, late, times);
                              },
                              [&c, shared] { return describe(c, *shared); }, late_ranks});
    }
    return candidates;
}

} // namespace rankscope
