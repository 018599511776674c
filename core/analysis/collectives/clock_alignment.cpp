// SPDX-License-Identifier: GPL-3.0-or-later
// Offsets of clocks by least squares over the median end differences of pairs of ranks, and drifts over their slopes.
#include "core/analysis/collectives/clock_alignment.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <limits>
#include <map>

#include "core/analysis/basics/robust_deviation.h"
#include "core/analysis/collectives/rank_sets.h"
#include "core/base/statistics.h"
#include "core/base/work_count.h"

namespace rankscope {
namespace {

constexpr TimeNs kSmallestDifference = 50'000;
constexpr int kMostSweeps = 2000;
constexpr std::size_t kCallsThatTell = 6;  ///< of two ranks: their line is no accident
constexpr std::size_t kMostPoints = 32;    ///< of a line
constexpr std::size_t kContradicting = 10; ///< one call in so many
constexpr TimeNs kTimesScatter = 20;       ///< a difference of clocks; ends over sockets lie up to 5.5 times apart
constexpr TimeNs kTimesScatterIfContradicted = 5;
constexpr double kStraight = 0.5; ///< of the residual is left by lines: the clocks drift

/// Clock of b minus clock of a, seen in count calls: ns; or what b's gains on a's, ns a second.
struct Edge {
    std::size_t a = 0;
    std::size_t b = 0;
    double difference = 0;
    double weight = 0;
};

/// Its members end together, as far as clocks agree.
bool ends_together(const CollectiveMatching& matching, const MatchedCall& call) {
    return synchronises(call.kind) && !matching.groups[call.group].point_to_point;
}

/// Calls visit(first member's rank, other's rank, difference of their ends, end of the first).
template <typename Visit>
void for_each_end_difference(const CollectiveMatching& matching, Visit&& visit) {
    for (const MatchedCall& call : matching.matched) {
        if (!ends_together(matching, call))
            continue;
        const TimeNs end = matching.call(call.members.front()).range.end;
        for (std::size_t m = 1; m < call.members.size(); ++m)
            visit(call.members.front().first, call.members[m].first, matching.call(call.members[m]).range.end - end,
                  end);
    }
}

/// clock: what it knows of the drift is taken off.
std::vector<Edge> measure_edges(const CollectiveMatching& matching, const ClockAlignment& clock) {
    std::map<std::pair<std::size_t, std::size_t>, std::vector<TimeNs>> differences;
    const auto gained = [&](std::size_t rank, TimeNs time) {
        return time - clock.aligned(rank, time) - clock.offset[rank];
    };
    for_each_end_difference(matching, [&](std::size_t a, std::size_t b, TimeNs d, TimeNs end) {
        differences[{a, b}].push_back(d - gained(b, end + d) + gained(a, end));
    });
    std::vector<Edge> edges;
    for (auto& [pair, values] : differences) {
        const auto count = static_cast<double>(values.size());
        edges.push_back({pair.first, pair.second, static_cast<double>(middle_median(std::move(values))), count});
    }
    return edges;
}

struct TimedDifference {
    TimeNs time = 0;
    TimeNs difference = 0;
};

/// Slope of the line through the differences, ns a second: the median over the slopes between medians of calls that
/// follow each other, so that single calls that do not end together say nothing.
double slope_of(std::vector<TimedDifference> ends) {
    std::ranges::stable_sort(ends, {}, &TimedDifference::time);
    const std::size_t count = std::min(kMostPoints, ends.size());
    std::vector<TimedDifference> points;
    for (std::size_t p = 0; p < count; ++p) {
        std::vector<TimeNs> times;
        std::vector<TimeNs> differences;
        for (std::size_t i = p * ends.size() / count; i < (p + 1) * ends.size() / count; ++i) {
            times.push_back(ends[i].time);
            differences.push_back(ends[i].difference);
        }
        points.push_back({middle_median(std::move(times)), middle_median(std::move(differences))});
    }
    std::vector<double> slopes;
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = i + 1; j < points.size(); ++j)
            if (points[j].time > points[i].time)
                slopes.push_back(1e9 * static_cast<double>(points[j].difference - points[i].difference) /
                                 static_cast<double>(points[j].time - points[i].time));
    return slopes.empty() ? 0 : middle_median(std::move(slopes));
}

std::vector<Edge> measure_slopes(const CollectiveMatching& matching) {
    std::map<std::pair<std::size_t, std::size_t>, std::vector<TimedDifference>> differences;
    for_each_end_difference(matching, [&](std::size_t a, std::size_t b, TimeNs d, TimeNs end) {
        differences[{a, b}].push_back({end, d});
    });
    std::vector<Edge> edges;
    for (auto& [pair, values] : differences) {
        const auto weight = static_cast<double>(values.size());
        if (values.size() >= kCallsThatTell)
            edges.push_back({pair.first, pair.second, slope_of(std::move(values)), weight});
    }
    return edges;
}

/// Median |difference of ends| that the alignment leaves.
TimeNs residual_of(const CollectiveMatching& matching, const ClockAlignment& clock) {
    std::vector<TimeNs> left;
    for_each_end_difference(matching, [&](std::size_t a, std::size_t b, TimeNs d, TimeNs end) {
        left.push_back(std::abs(clock.aligned(b, end + d) - clock.aligned(a, end)));
    });
    return middle_median(std::move(left));
}

/// ClockAlignment::contradiction.
TimeNs contradiction_of(const CollectiveMatching& matching, const ClockAlignment& clock) {
    std::vector<TimeNs> gaps; // by call: from the first end to the last start
    for (const MatchedCall& call : matching.matched) {
        if (!ends_together(matching, call) || call.members.size() < 2)
            continue;
        TimeRange common{std::numeric_limits<TimeNs>::min(), std::numeric_limits<TimeNs>::max()};
        for (const auto& member : call.members) {
            const TimeRange range = clock.aligned(member.first, matching.call(member).range);
            common = {std::max(common.begin, range.begin), std::min(common.end, range.end)};
        }
        gaps.push_back(std::max<TimeNs>(0, common.begin - common.end));
    }
    return gaps.empty() ? 0 : nth_value(gaps, gaps.size() - 1 - gaps.size() / kContradicting);
}

/// Offsets along a spanning tree of each connected set, its lowest rank at 0; roots marks those.
std::vector<double> along_tree(const std::vector<std::vector<Edge>>& around, std::vector<bool>& roots) {
    std::vector<double> offset(around.size(), 0.0);
    std::vector<bool> seen(around.size());
    roots.assign(around.size(), false);
    for (std::size_t root = 0; root < around.size(); ++root) {
        if (seen[root])
            continue;
        roots[root] = seen[root] = true;
        std::deque<std::size_t> open{root};
        while (!open.empty()) {
            const std::size_t at = open.front();
            open.pop_front();
            for (const Edge& edge : around[at]) {
                if (!seen[edge.b]) {
                    seen[edge.b] = true;
                    offset[edge.b] = offset[at] + edge.difference;
                    open.push_back(edge.b);
                }
            }
        }
    }
    return offset;
}

std::vector<double> least_squares(const std::vector<Edge>& edges, std::size_t ranks) {
    std::vector<std::vector<Edge>> around(ranks); // each edge from both of its ends
    for (const Edge& edge : edges) {
        around[edge.a].push_back(edge);
        around[edge.b].push_back({edge.b, edge.a, -edge.difference, edge.weight});
    }
    std::vector<bool> roots;
    std::vector<double> offset = along_tree(around, roots);
    double change = 1;
    for (int sweep = 0; sweep < kMostSweeps && change > 0.01;
         ++sweep) { // Gauss-Seidel, from a start that is nearly right
        change = 0;
        for (std::size_t r = 0; r < ranks; ++r) {
            if (roots[r])
                continue;
            double sum = 0;
            double weight = 0;
            for (const Edge& edge : around[r]) {
                sum += edge.weight * (offset[edge.b] - edge.difference);
                weight += edge.weight;
            }
            change = std::max(change, std::abs(sum / weight - offset[r]));
            offset[r] = sum / weight;
        }
    }
    return offset;
}

void set_offsets(const std::vector<Edge>& edges, ClockAlignment& clock) {
    const std::vector<double> offsets = least_squares(edges, clock.offset.size());
    std::ranges::transform(offsets, clock.offset.begin(),
                           [](double offset) { return static_cast<TimeNs>(std::llround(offset)); });
}

/// clock with the drifts that halve its residual, where there are any: clocks that run evenly, but not equally fast.
ClockAlignment with_drift(const CollectiveMatching& matching, const ClockAlignment& clock) {
    ClockAlignment drifting = clock;
    drifting.drift.assign(clock.offset.size(), 0.0);
    TimeRange calls{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
    for_each_end_difference(matching, [&](std::size_t a, std::size_t, TimeNs, TimeNs end) {
        const TimeNs time = clock.aligned(a, end);
        calls = {std::min(calls.begin, time), std::max(calls.end, time)};
    });
    drifting.origin = calls.begin + calls.length() / 2;
    const std::vector<double> slopes = least_squares(measure_slopes(matching), clock.offset.size());
    std::ranges::transform(slopes, drifting.drift.begin(), [](double slope) { return slope / 1e9; });
    set_offsets(measure_edges(matching, drifting), drifting);
    drifting.residual = residual_of(matching, drifting);
    return static_cast<double>(drifting.residual) <= kStraight * static_cast<double>(clock.residual) ? drifting : clock;
}

} // namespace

TimeNs ClockAlignment::aligned(std::size_t rank, TimeNs recorded) const {
    if (offset.empty())
        return recorded;
    const TimeNs time = recorded - offset[rank];
    return drift.empty() ? time : time - std::llround(drift[rank] * static_cast<double>(time - origin));
}

TimeNs ClockAlignment::recorded(std::size_t rank, TimeNs aligned) const {
    if (offset.empty())
        return aligned;
    const TimeNs time =
        drift.empty() ? aligned : origin + std::llround(static_cast<double>(aligned - origin) / (1 - drift[rank]));
    return time + offset[rank];
}

ClockAlignment align_clocks(const CollectiveMatching& matching, std::size_t ranks, Align align) {
    count_work("align_clocks");
    ClockAlignment as_recorded;
    as_recorded.offset.assign(ranks, 0);
    const std::vector<Edge> edges = measure_edges(matching, as_recorded);
    if (edges.empty())
        return as_recorded;
    for (const Edge& edge : edges)
        as_recorded.largest_difference =
            std::max(as_recorded.largest_difference, static_cast<TimeNs>(std::llround(std::abs(edge.difference))));
    as_recorded.residual = residual_of(matching, as_recorded);
    as_recorded.contradiction = contradiction_of(matching, as_recorded);
    ClockAlignment result = as_recorded;
    set_offsets(edges, result);
    result.residual = residual_of(matching, result);
    result = with_drift(matching, result);
    const TimeNs times = as_recorded.contradiction > 0 ? kTimesScatterIfContradicted : kTimesScatter;
    result.applied =
        align == Align::collectives || (align == Align::automatic && result.largest_difference > kSmallestDifference &&
                                        result.largest_difference >= times * result.residual);
    result.contradiction = contradiction_of(matching, result);
    return result.applied ? result : as_recorded;
}

namespace {

constexpr TimeNs kNoBound = TimeNs{1} << 62;

/// That share of the values lies below; without values the limit.
TimeNs bound_of(std::vector<TimeNs> values, double share, TimeNs limit) {
    if (values.empty())
        return limit;
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
}

/// A message between two ranks, a below b; ends as recorded.
struct Message {
    TimeNs end_of_a = 0;
    TimeNs end_of_b = 0;
    CollectiveKind kind_of_b = CollectiveKind::other;
    TimeNs send = 0; ///< how long its sender took
    TimeNs longest = 0;
};

struct MessagesOfRun {
    RankSets sets; ///< of ranks that collectives connect
    std::map<std::pair<std::size_t, std::size_t>, std::vector<Message>> between;
};

MessagesOfRun messages_of(const CollectiveMatching& matching, std::size_t ranks) {
    MessagesOfRun result{RankSets(ranks), {}};
    for (const MatchedCall& call : matching.matched) {
        const auto first = call.members.front();
        for (const auto& member : call.members) {
            if (!matching.groups[call.group].point_to_point && synchronises(call.kind)) {
                result.sets.join(first.first, member.first);
            } else if (call.members.size() == 2 && member.first != first.first) {
                const auto& [a, b] = std::minmax(first, member);
                const CommCall& of_a = matching.call(a);
                const CommCall& of_b = matching.call(b);
                const TimeNs send = (of_b.kind == CollectiveKind::send ? of_b : of_a).range.length();
                result.between[{a.first, b.first}].push_back({of_a.range.end, of_b.range.end, of_b.kind, send,
                                                              std::max(of_a.range.length(), of_b.range.length())});
            }
        }
    }
    return result;
}

/// Adds the drift between sets of ranks that only messages connect, where a line through their ends shows it. Messages
/// of which one side clearly waited for the other one tell: they end together.
void add_drift_of_messages(const MessagesOfRun& messages, ClockAlignment& clock) {
    RankSets sets = messages.sets;
    for (const auto& [ranks, between] : messages.between) {
        const auto [a, b] = ranks;
        if (sets.joined(a, b))
            continue;
        const TimeNs send = std::ranges::min_element(between, {}, &Message::send)->send;
        std::vector<TimedDifference> ends;
        for (const Message& message : between)
            if (message.longest > 2 * send + kSmallestDifference)
                ends.push_back({clock.aligned(a, message.end_of_a),
                                clock.aligned(b, message.end_of_b) - clock.aligned(a, message.end_of_a)});
        const auto left = [&](double slope) { // how far they scatter about a line
            std::vector<double> differences;
            for (const TimedDifference& end : ends)
                differences.push_back(static_cast<double>(end.difference) -
                                      slope * static_cast<double>(end.time - ends.front().time));
            return robust_deviation(std::move(differences));
        };
        const double slope = ends.size() < kCallsThatTell ? 0 : slope_of(ends) / 1e9;
        const double gained =
            std::abs(slope) * static_cast<double>(ends.empty() ? 0 : ends.back().time - ends.front().time);
        if (gained > static_cast<double>(kSmallestDifference) && left(slope) <= kStraight * left(0)) {
            if (clock.drift.empty()) {
                clock.drift.assign(clock.offset.size(), 0.0);
                clock.origin = ends[ends.size() / 2].time;
            }
            for (std::size_t r = 0; r < clock.drift.size(); ++r)
                clock.drift[r] += sets.joined(r, b) ? slope : 0;
        }
        sets.join(a, b);
    }
}

std::vector<TimeNs> offsets_of_messages(MessagesOfRun messages, const ClockAlignment& clock) {
    std::vector<TimeNs> offset = clock.offset;
    for (const auto& [ranks, between] : messages.between) {
        const auto [a, b] = ranks;
        if (messages.sets.joined(a, b))
            continue;
        std::vector<TimeNs> all;     // clock of b minus clock of a
        std::vector<TimeNs> no_more; // a receive on b ends no earlier than its send
        std::vector<TimeNs> no_less; // the same of a receive on a
        for (const Message& message : between) {
            all.push_back(clock.aligned(b, message.end_of_b) - clock.aligned(a, message.end_of_a));
            if (message.kind_of_b == CollectiveKind::recv)
                no_more.push_back(all.back());
            else if (message.kind_of_b == CollectiveKind::send)
                no_less.push_back(all.back());
        }
        // Earlier pairs may have moved either set since the differences were taken.
        const TimeNs moved = (offset[b] - clock.offset[b]) - (offset[a] - clock.offset[a]);
        const bool both_ways = !no_more.empty() && !no_less.empty();
        const TimeNs most = bound_of(std::move(no_more), 0.1, kNoBound);
        const TimeNs least = bound_of(std::move(no_less), 0.9, -kNoBound);
        const TimeNs middle = middle_median(std::move(all));
        TimeNs difference = (least <= most ? std::clamp(middle, least, most) : middle) - moved;
        // Receives that are late end late. Where the ends differ for that reason, and no message contradicts the
        // clocks, these are taken to be right.
        const bool alike = !both_ways && std::abs(middle - difference - moved) <= kSmallestDifference;
        if (!alike && least - moved <= kSmallestDifference && most - moved >= -kSmallestDifference)
            difference = 0;
        for (std::size_t r = 0; std::abs(difference) > kSmallestDifference && r < offset.size(); ++r)
            offset[r] += messages.sets.joined(r, b) ? difference : 0;
        messages.sets.join(a, b);
    }
    return offset;
}

} // namespace

std::vector<TimeNs> offsets_by_messages(const CollectiveMatching& matching, const ClockAlignment& clock) {
    return offsets_of_messages(messages_of(matching, clock.offset.size()), clock);
}

ClockAlignment joined_by_messages(const CollectiveMatching& matching, ClockAlignment clock) {
    MessagesOfRun messages = messages_of(matching, clock.offset.size());
    const ClockAlignment as_collectives = clock;
    add_drift_of_messages(messages, clock);
    std::vector<TimeNs> joined = offsets_of_messages(std::move(messages), clock);
    clock.applied = clock.applied || joined != as_collectives.offset || clock.drift != as_collectives.drift;
    clock.offset = std::move(joined);
    return clock;
}

} // namespace rankscope
