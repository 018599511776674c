// SPDX-License-Identifier: GPL-3.0-or-later
//   Calls of rank a end at 10, 20 and 35 ms, those of rank b at 13, 23 and 38: b's clock is 3 ms ahead, and the ends
//   scatter by 0.
#include "core/analysis/collectives/call_clock_fit.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "core/base/statistics.h"
#include "core/trace/one_launch.h"

namespace rankscope {
namespace {

constexpr std::int64_t kMostShift = 64;        ///< calls by which one capture may have started later
constexpr std::int64_t kMostSampled = 2000;    ///< calls looked at for each shift
constexpr std::int64_t kMostWork = 50'000'000; ///< shifts times calls up to which every shift is tried
constexpr double kSameSupport = 0.5;           ///< differences explain the calls equally well within this many calls
constexpr double kMostDrift = 3e-4;            ///< of two clocks against each other; usual ones keep within 1e-4

/// The middle of a sequence, where differences are compared.
TimeNs origin_of(std::span<const CallKey> a) {
    return a.front().range.end + (a.back().range.end - a.front().range.end) / 2;
}

/// Of two calls that may be one: when it ends on a's clock, and how much later on b's.
struct EndDifference {
    TimeNs end = 0;
    TimeNs difference = 0;
};

/// The median slope over half of the sequence (Theil and Sen), in order of time; 0 with few calls, and where it is
/// steeper than clocks drift: then calls are lost in between.
double drift_of(const std::vector<EndDifference>& ends) {
    constexpr std::size_t kFewest = 6;
    std::vector<double> slopes;
    for (std::size_t i = 0, j = ends.size() / 2; ends.size() >= kFewest && j < ends.size(); ++i, ++j)
        if (ends[j].end > ends[i].end)
            slopes.push_back(static_cast<double>(ends[j].difference - ends[i].difference) /
                             static_cast<double>(ends[j].end - ends[i].end));
    const double slope = slopes.empty() ? 0 : middle_median(std::move(slopes));
    return std::abs(slope) <= kMostDrift ? slope : 0;
}

/// The densest two fifths of the differences, without what clocks drift: calls lost in the middle of a sequence spoil
/// at most the rest. ends: not empty.
ClockFit densest_part(const std::vector<EndDifference>& ends, TimeNs origin, double drift) {
    std::vector<TimeNs> differences;
    for (const EndDifference& one : ends)
        differences.push_back(one.difference - std::llround(drift * static_cast<double>(one.end - origin)));
    std::sort(differences.begin(), differences.end());
    const std::size_t needed = std::min(differences.size(), std::max<std::size_t>(2, (differences.size() * 2 + 4) / 5));
    ClockFit best{differences.front(), differences.back() - differences.front() + 1, 0, false, drift, origin};
    for (std::size_t i = 0; i + needed <= differences.size(); ++i) {
        const TimeNs scatter = differences[i + needed - 1] - differences[i];
        if (scatter < best.scatter) {
            best.scatter = scatter;
            best.difference = differences[i + needed / 2];
        }
    }
    return best;
}

/// How many calls of a end together with one of b, each the less the farther apart, under a clock difference.
double support_of(std::span<const CallKey> a, std::span<const CallKey> b, const ClockFit& fit) {
    constexpr double kScale = 20'000;
    double support = 0;
    constexpr std::size_t kMostCompared = 256; // on each side
    std::size_t first = 0;                     // of b that is not used yet and not too early
    std::size_t near = 0;                      // the first of b that ends no earlier
    for (std::size_t i = 0; i < a.size(); ++i) {
        const CallKey& left = a[i];
        const TimeNs end = left.range.end + fit.at(left.range.end);
        while (first < b.size() && b[first].range.end < end - kSynchronousSlack)
            ++first;
        while (near < b.size() && b[near].range.end < end)
            ++near;
        double best = 0;
        std::size_t used = first;
        const std::size_t last = std::min(b.size(), near + kMostCompared);
        for (std::size_t j = std::max(first, near - std::min(near, kMostCompared));
             j < last && b[j].range.end <= end + kSynchronousSlack; ++j) {
            const TimeNs apart = std::abs(b[j].range.end - end);
            const double closeness = kScale / (kScale + static_cast<double>(apart));
            const bool nearer_to_next =
                i + 1 < a.size() && a[i + 1].token == left.token &&
                std::abs(b[j].range.end - a[i + 1].range.end - fit.at(a[i + 1].range.end)) < apart;
            if (b[j].token == left.token && closeness > best && !nearer_to_next) {
                best = closeness;
                used = j + 1;
            }
        }
        support += best;
        first = used;
    }
    return support;
}

/// With the drift that the differences show, where more calls end together under it than under none: calls that are
/// lost look like a drift as well.
ClockFit best_fit(std::span<const CallKey> a, std::span<const CallKey> b, const std::vector<EndDifference>& ends) {
    constexpr double kTells = 20'000; ///< ns over the whole sequence
    const auto fit_with = [&](double drift) {
        ClockFit fit = densest_part(ends, origin_of(a), drift);
        fit.support = support_of(a, b, fit);
        return fit;
    };
    const ClockFit constant = fit_with(0);
    const double drift = drift_of(ends);
    if (std::abs(drift) * static_cast<double>(ends.back().end - ends.front().end) < kTells)
        return constant;
    const ClockFit drifting = fit_with(drift);
    return drifting.support > constant.support + kSameSupport ? drifting : constant;
}

/// Calls of the shorter sequence in the time that both cover: what support would be if each had its counterpart.
double expected_support(std::span<const CallKey> a, std::span<const CallKey> b, const ClockFit& fit) {
    const auto end_of = [&](const CallKey& call) { return call.range.end + fit.at(call.range.end); };
    const TimeRange common{std::max(end_of(a.front()), b.front().range.end) - kClockAgreement,
                           std::min(end_of(a.back()), b.back().range.end) + kClockAgreement};
    const auto of_a = std::count_if(
        a.begin(), a.end(), [&](const CallKey& call) { return common.contains(end_of(call)); });
    const auto of_b =
        std::count_if(b.begin(), b.end(), [&](const CallKey& call) { return common.contains(call.range.end); });
    return static_cast<double>(std::min(of_a, of_b));
}

/// End differences of the calls that stand this many places apart, by a regular sample.
std::vector<EndDifference> differences_at(std::span<const CallKey> a, std::span<const CallKey> b, std::int64_t shift) {
    const auto size_a = static_cast<std::int64_t>(a.size());
    const auto size_b = static_cast<std::int64_t>(b.size());
    const std::int64_t stride = 1 + size_a / kMostSampled;
    std::vector<EndDifference> differences;
    for (std::int64_t i = std::max<std::int64_t>(0, -shift); i < std::min(size_a, size_b - shift); i += stride) {
        const CallKey& left = a[static_cast<std::size_t>(i)];
        const CallKey& right = b[static_cast<std::size_t>(i + shift)];
        if (left.token == right.token)
            differences.push_back({left.range.end, right.range.end - left.range.end});
    }
    return differences;
}

/// Differences under which a regular sample of a's calls finds most calls of b that end then, most first: where trying
/// every shift would take too long.
std::vector<TimeNs> voted_differences(std::span<const CallKey> a, std::span<const CallKey> b) {
    constexpr std::size_t kSampled = 256;
    constexpr std::size_t kMostVoted = 64;
    std::map<std::uint64_t, std::vector<TimeNs>> ends; // of b, by token
    for (const CallKey& call : b)
        ends[call.token].push_back(call.range.end);
    std::vector<TimeNs> differences;
    for (std::size_t i = 0; i < a.size(); i += 1 + a.size() / kSampled)
        if (const auto found = ends.find(a[i].token); found != ends.end())
            for (const TimeNs end : found->second)
                differences.push_back(end - a[i].range.end);
    std::ranges::sort(differences);
    std::vector<std::pair<std::size_t, TimeNs>> votes; // of the differences that lie together, and their median
    for (std::size_t first = 0, last = 0; first < differences.size(); first = last) {
        while (last < differences.size() && differences[last] - differences[first] <= kClockAgreement)
            ++last;
        votes.emplace_back(last - first, differences[first + (last - first) / 2]);
    }
    std::ranges::stable_sort(votes, std::greater<>(), &std::pair<std::size_t, TimeNs>::first);
    votes.resize(std::min(votes.size(), kMostVoted));
    std::vector<TimeNs> voted;
    for (const auto& [count, difference] : votes)
        voted.push_back(difference);
    return voted;
}

/// Numbers that stand once in a sequence, with the call that has them.
std::map<std::int64_t, std::size_t> numbered(std::span<const CallKey> calls) {
    std::map<std::int64_t, std::size_t> result;
    std::set<std::int64_t> repeated;
    for (std::size_t i = 0; i < calls.size(); ++i)
        if (calls[i].sequence >= 0 && !result.emplace(calls[i].sequence, i).second)
            repeated.insert(calls[i].sequence);
    for (const std::int64_t number : repeated)
        result.erase(number);
    return result;
}

std::optional<ClockFit> fit_by_sequence(std::span<const CallKey> a, std::span<const CallKey> b) {
    if (a.front().sequence < 0 || b.front().sequence < 0)
        return std::nullopt;
    const auto of_b = numbered(b);
    std::vector<EndDifference> differences;
    for (const auto& [number, i] : numbered(a)) {
        const auto found = of_b.find(number);
        if (found != of_b.end() && b[found->second].token == a[i].token)
            differences.push_back({a[i].range.end, b[found->second].range.end - a[i].range.end});
    }
    if (differences.empty())
        return std::nullopt;
    ClockFit fit = best_fit(a, b, differences);
    fit.by_sequence = true;
    return fit;
}

bool overlap(const CallKey& left, const CallKey& right) {
    return left.token == right.token && left.range.begin < right.range.end && right.range.begin < left.range.end;
}

/// By how many places the sequences are shifted if, as recorded, each call runs at the same time as its counterpart.
/// Ends tell less: over sockets the members of one call end apart by a tenth of the transfer. In marked steps a call or
/// two may have no counterpart: a time range that cuts a call leaves one rank without it.
std::optional<std::int64_t> shift_as_recorded(std::span<const CallKey> a, std::span<const CallKey> b) {
    constexpr std::int64_t kMostLeftOver = 2; // calls of the longer sequence
    const auto size_a = static_cast<std::int64_t>(a.size());
    const auto size_b = static_cast<std::int64_t>(b.size());
    for (const std::int64_t shift : {0, -1, 1, -2, 2}) {
        const std::int64_t first = std::max<std::int64_t>(0, -shift);
        const std::int64_t last = std::min(size_a, size_b - shift);
        if (last - first < std::max<std::int64_t>(1, std::max(size_a, size_b) - kMostLeftOver) ||
            (last - first < std::max(size_a, size_b) && (!a.front().synchronises || a.front().step < 0)))
            continue;
        const auto shifted = b.subspan(static_cast<std::size_t>(first + shift), static_cast<std::size_t>(last - first));
        if (std::ranges::equal(a.subspan(static_cast<std::size_t>(first), shifted.size()), shifted, overlap))
            return shift;
    }
    return {};
}

/// The same calls in the same marked steps of one launch.
bool are_in_the_same_steps(std::span<const CallKey> a, std::span<const CallKey> b) {
    return a.size() == b.size() && std::abs(a.front().range.begin - b.front().range.begin) <= kOfOneLaunch &&
           std::ranges::equal(
               a, b,
               [](const CallKey& left, const CallKey& right) {
                   return left.token == right.token && left.step >= 0 && left.step == right.step;
               });
}

} // namespace

std::optional<ClockFit> fit_clock(std::span<const CallKey> a, std::span<const CallKey> b) {
    std::vector<ClockFit> fits;
    const auto size_a = static_cast<std::int64_t>(a.size());
    const auto size_b = static_cast<std::int64_t>(b.size());
    const auto add_fit = [&](std::int64_t shift) {
        const std::vector<EndDifference> differences = differences_at(a, b, shift);
        if (!differences.empty())
            fits.push_back(best_fit(a, b, differences));
    };
    const std::optional<ClockFit> numbered_fit = fit_by_sequence(a, b);
    add_fit(0);
    const auto most = static_cast<double>(std::min(a.size(), b.size()));
    const auto is_plain = [&](const ClockFit& fit) {
        return std::abs(fit.difference) <= kClockAgreement && fit.support > 0.9 * most;
    };
    if (numbered_fit && numbered_fit->support > 0.9 * most)
        return numbered_fit;
    if (a.size() == b.size() && !fits.empty() && (is_plain(fits.front()) || are_in_the_same_steps(a, b)))
        return fits.front();
    if (const auto shift = shift_as_recorded(a, b))
        return best_fit(a, b, differences_at(a, b, *shift));
    const std::int64_t reach = kMostShift + std::abs(size_b - size_a);
    if (reach * (size_a + size_b) <= kMostWork) {
        for (std::int64_t shift = -std::min(reach, size_a - 1); shift <= std::min(reach, size_b - 1); ++shift)
            if (shift != 0)
                add_fit(shift);
    } else {
        for (const TimeNs difference : voted_differences(a, b)) {
            fits.push_back({difference, kClockAgreement});
            fits.back().support = support_of(a, b, fits.back());
        }
    }
    if (fits.empty())
        return ClockFit{};
    const double best = std::max_element(fits.begin(), fits.end(), [](const ClockFit& x, const ClockFit& y) {
                            return x.support < y.support;
                        })->support;
    if (numbered_fit && numbered_fit->support >= 0.9 * best)
        return numbered_fit;
    const auto missing = [&](const ClockFit& fit) { return expected_support(a, b, fit) - fit.support; };
    const ClockFit* chosen = nullptr;
    bool unique = true;
    double least_missing = std::numeric_limits<double>::max();
    for (const ClockFit& fit : fits)
        if (fit.support >= best - kSameSupport)
            least_missing = std::min(least_missing, missing(fit));
    for (const ClockFit& fit : fits) {
        // Clocks that agree may have fewer calls in common, if only the borders of the captures cost them.
        const bool agrees = std::abs(fit.difference) <= kClockAgreement && fit.support >= 0.74 * best &&
                            missing(fit) <= least_missing + 0.25;
        if (fit.support < best - kSameSupport && !agrees)
            continue;
        unique = unique && (chosen == nullptr || std::abs(fit.difference - chosen->difference) <= kClockAgreement);
        if (chosen == nullptr || std::abs(fit.difference) < std::abs(chosen->difference))
            chosen = &fit;
    }
    if (!unique && std::abs(chosen->difference) > kClockAgreement)
        return std::nullopt;
    return *chosen;
}

} // namespace rankscope
