// SPDX-License-Identifier: GPL-3.0-or-later
// Which ranks are slower than their peers by more than scatter, and what for: candidates of find_faults().
//   By slower kernels ranks 0 to 3 take 0.1, 0.2, 9 and 8 ms a step longer than their peers: ranks 2 and 3 are one
//   candidate, because 8 ms is at least half of 9 ms. Three of the four would be no candidate: that is scatter.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/analysis/basics/robust_deviation.h"
#include "core/analysis/basics/tolerance.h"
#include "core/analysis/collectives/message_partners.h"
#include "core/analysis/findings/finding_parts.h"
#include "core/analysis/findings/kernel_ratio.h"
#include "core/analysis/findings/rank_excess.h"
#include "core/analysis/findings/straggler_words.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr double kCandidate = 0.002;      ///< excess per step, as a share of it, worth a replay
constexpr double kSlowerKernels = 1.02;   ///< times the peers', its slowest kind of kernel: less is as fast
constexpr double kSlowerLateRank = 1.005; ///< likewise, of the rank that the others wait for
constexpr double kBeyondOthers = 3;       ///< times what ranks usually take longer

/// The median of what ranks take longer or shorter. Of two or three peers the others take as much less as one takes
/// more, or half of it: that counts once. So do the two halves where half of the ranks stand out, as those of one of
/// two machines.
TimeNs usual_excess(const FindingContext& c, const std::vector<RankExcess>& by_rank, const std::vector<bool>& chosen) {
    const bool half = 2 * std::ranges::count(chosen, true) == std::ssize(chosen);
    std::vector<TimeNs> apart;
    for (std::size_t r = 0; r < by_rank.size(); ++r) {
        const bool of_few = c.peers.class_size[c.peers.peer_class[r]] <= 3 || (half && !chosen[r]);
        apart.push_back(of_few ? std::max<TimeNs>(by_rank[r].total, 0) : std::abs(by_rank[r].total));
    }
    return lower_median(apart);
}

/// What ranks take longer for is no more than what steps differ by: a host's time is noise from launch to launch, which
/// some rank has most of. All ranks together take a little longer than the median, because that noise has a long tail.
bool is_noise_of_steps(const FindingContext& c, const std::vector<RankExcess>& by_rank, TimeNs most) {
    const std::size_t count = c.numbers().size();
    if (count < 3)
        return false;
    std::vector<double> deviations; // of one step, by rank; a pause in one of them is no noise
    std::vector<TimeNs> totals;
    for (const RankExcess& own : by_rank) {
        deviations.push_back(robust_deviation({own.by_step.begin(), own.by_step.end()}));
        totals.push_back(own.total);
    }
    const double noise = nth_value(deviations, (deviations.size() - 1) / 2) * std::sqrt(static_cast<double>(count));
    return static_cast<double>(most - std::max<TimeNs>(0, lower_median(totals))) < kClearErrors * noise;
}

bool of_the_host(OwnCause cause) {
    return cause == OwnCause::host_bound || cause == OwnCause::data_loading || cause == OwnCause::garbage_collection ||
           cause == OwnCause::allocation;
}

/// The host of any other rank waits for its GPU inside the first recorded step.
bool others_wait_in_first_step(const FindingContext& c, const std::vector<bool>& ranks) {
    for (std::uint32_t n = 0; n < c.graph.first_node.back(); ++n)
        if (c.graph.kind[n] == NodeKind::wait_end && !ranks[c.graph.rank[n]] && c.graph.step[n] == 0)
            return true;
    return false;
}

/// Which of these ranks were already slow for this cause before the recording: they are in its first step, and start it
/// late by no more than a step adds; of hosts that wait for no GPU, which fall behind from step to step, by any time.
/// That lateness is part of the cause's cost.
std::vector<bool> late_by(const FindingContext& c, const std::vector<bool>& ranks, const Excesses& excesses,
                          std::size_t cause) {
    std::vector<bool> late(ranks.size());
    const bool falls_behind =
        c.graph.profiler_steps && of_the_host(static_cast<OwnCause>(cause)) && !others_wait_in_first_step(c, ranks);
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        const RankExcess& own = excesses[cause][r];
        const double per_step = static_cast<double>(own.total) / static_cast<double>(c.steps);
        const auto start = static_cast<double>(excesses[static_cast<std::size_t>(OwnCause::late_start)][r].total);
        late[r] = ranks[r] && start > 0 && (falls_behind || start <= kLateByAStep * per_step) &&
                  static_cast<double>(own.by_step.front()) > per_step / 2;
    }
    return late;
}

/// What the candidates for one cause after the other share.
struct Stragglers {
    const FindingContext& c;
    std::vector<float> shares; ///< BesideCommunication::shares()
    std::shared_ptr<const Excesses> excesses;
    std::vector<bool> explained; ///< per rank: why its first step starts late
    RankSets pipelines;
    std::vector<Candidate> candidates{};

    /// Adds the ranks that take longest for the cause, of those that are not taken yet. False: none takes clearly
    /// longer.
    bool add(std::size_t i, std::vector<bool>& taken);

    [[nodiscard]] std::vector<bool> possible(OwnCause cause, const std::vector<bool>& taken) const;
    [[nodiscard]] bool is_scatter(OwnCause cause, const std::vector<bool>& chosen, TimeNs most) const;
    [[nodiscard]] bool are_as_fast(const std::vector<std::uint32_t>& ranks) const;
    [[nodiscard]] bool take_turns(const std::vector<std::uint32_t>& ranks, const std::vector<bool>& chosen) const;
};

/// Each of the ranks with all others of its pipeline, one at least: their microbatches may be longer.
bool are_whole_pipelines(const RankSets& pipelines, const std::vector<bool>& ranks) {
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        std::size_t members = 0;
        for (std::size_t other = 0; other < ranks.size(); ++other)
            if (pipelines.joined(r, other)) {
                ++members;
                if (ranks[r] != ranks[other])
                    return false;
            }
        if (ranks[r] && members < 2)
            return false;
    }
    return true;
}

/// Of the ranks whose hosts take longer, those without which less would be saved than with all: a host that stays ahead
/// of its GPU delays nothing.
std::vector<bool> hosts_that_cost(const FindingContext& c, const std::vector<RankExcess>& by_rank) {
    constexpr std::size_t kMostReplays = 16;
    std::vector<bool> slow(by_rank.size());
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t r = 0; r < by_rank.size(); ++r)
        if (static_cast<double>(by_rank[r].total) >= kCandidate * c.step_time * static_cast<double>(c.steps)) {
            slow[r] = true;
            ranks.push_back(r);
        }
    std::vector<bool> costly(by_rank.size(), true);
    if (ranks.size() < 2 || ranks.size() > kMostReplays)
        return costly;
    const auto without = [&c](std::vector<bool> of) {
        return [&c, of = std::move(of)](GraphTimes& times) {
            remove_excess(c.graph, c.peers, OwnCause::host_bound, of, times);
        };
    };
    std::vector<TimesChange> changes{without(slow)};
    for (const std::uint32_t rank : ranks) {
        std::vector<bool> others = slow;
        others[rank] = false;
        changes.emplace_back(without(std::move(others)));
    }
    const std::vector<double> times = c.replays.step_times(c.graph.times, changes);
    const double most = std::ranges::max(times) - times.front();
    for (std::size_t i = 0; i < ranks.size() && most >= kCandidate * c.step_time; ++i)
        costly[ranks[i]] = times[i + 1] - times.front() >= kTogether * most;
    return costly;
}

/// Most ranks cannot be slower than most ranks: that is scatter. So is what is little longer than what other ranks
/// take longer too: times of hosts, of copies and of kernels on a shared GPU have a long tail, so that their sum is
/// above a sum of medians.
bool Stragglers::is_scatter(OwnCause cause, const std::vector<bool>& chosen, TimeNs most) const {
    const std::vector<RankExcess>& by_rank = (*excesses)[static_cast<std::size_t>(cause)];
    const bool of_two_speeds = cause == OwnCause::slower_kernels && c.peers.two_speeds;
    const bool has_tail = cause == OwnCause::host_bound || cause == OwnCause::slower_copies ||
                          (cause == OwnCause::slower_kernels && !of_two_speeds);
    return (by_rank.size() > 2 && 2 * std::ranges::count(chosen, true) > std::ssize(by_rank) && !of_two_speeds) ||
           (has_tail &&
            static_cast<double>(most) < kBeyondOthers * static_cast<double>(usual_excess(c, by_rank, chosen))) ||
           ((cause == OwnCause::host_bound || cause == OwnCause::slower_copies) && is_noise_of_steps(c, by_rank, most));
}

/// None of the ranks has a kind of kernels that is clearly slower than its peers'.
bool Stragglers::are_as_fast(const std::vector<std::uint32_t>& ranks) const {
    return std::ranges::all_of(
        ranks,
        [&](std::uint32_t r) {
            const auto& late = c.inputs.late_rank; // others wait for it: a little is a reason
            return slowest_kernels(c, r, shares).ratio <
                   (late && late->rank == c.rank_number(r) ? kSlowerLateRank : kSlowerKernels);
        });
}

/// Their kernels are slower in some steps and those of their peers in others.
bool Stragglers::take_turns(const std::vector<std::uint32_t>& ranks, const std::vector<bool>& chosen) const {
    const bool whole = are_whole_pipelines(pipelines, chosen);
    return std::ranges::all_of(ranks, [&](std::uint32_t r) {
        // Other stages do not tell whether a rank is slow in all steps, unless there is a step in which it is not.
        const auto& own = (*excesses)[static_cast<std::size_t>(OwnCause::slower_kernels)][r].by_step;
        const bool tells = !c.peers.across_stages || std::ranges::min(own) <= 0;
        return tells && (whole || another_has_a_turn(c.inputs.computation_by_step, c.peers, r)) &&
               takes_turns(longer_than_peers(c.inputs.computation_by_step, c.peers, r, chosen), whole);
    });
}

/// Which ranks may be slow for the cause: those that are not taken and take longer by more than scatter.
std::vector<bool> Stragglers::possible(OwnCause cause, const std::vector<bool>& taken) const {
    const std::vector<RankExcess>& by_rank = (*excesses)[static_cast<std::size_t>(cause)];
    std::vector<std::vector<TimeNs>> by_step;
    for (const RankExcess& own : by_rank)
        by_step.push_back(own.by_step);
    const std::vector<bool> stands_out = cause == OwnCause::late_start ? std::vector<bool>(by_rank.size(), true)
                                         : cause == OwnCause::slower_kernels
                                             ? beyond_scatter(c, by_step, c.inputs.computation_by_step)
                                             : beyond_scatter(c, by_step);
    const std::vector<bool> costly =
        cause == OwnCause::host_bound ? hosts_that_cost(c, by_rank) : std::vector<bool>(by_rank.size(), true);
    std::vector<bool> may_be(by_rank.size());
    for (std::size_t r = 0; r < by_rank.size(); ++r)
        may_be[r] = !taken[r] && stands_out[r] && costly[r] && (cause != OwnCause::late_start || !explained[r]);
    return may_be;
}

bool Stragglers::add(std::size_t i, std::vector<bool>& taken) {
    const auto cause = static_cast<OwnCause>(i);
    const std::vector<RankExcess>& by_rank = (*excesses)[i];
    const std::vector<bool> may_be = possible(cause, taken);
    TimeNs most = 0;
    for (std::size_t r = 0; r < by_rank.size(); ++r)
        most = may_be[r] ? std::max(most, by_rank[r].total) : most;
    if (static_cast<double>(most) < kCandidate * c.step_time * static_cast<double>(c.steps))
        return false;
    std::vector<bool> chosen(by_rank.size());
    std::vector<std::uint32_t> ranks;
    std::vector<int> numbers;
    for (std::uint32_t r = 0; r < by_rank.size(); ++r) {
        chosen[r] = static_cast<double>(by_rank[r].total) >= kTogether * static_cast<double>(most) && may_be[r];
        if (chosen[r]) {
            ranks.push_back(r);
            numbers.push_back(c.rank_number(r));
        }
    }
    const bool of_kernels = cause == OwnCause::slower_kernels;
    if (ranks.empty() || is_scatter(cause, chosen, most) || (of_kernels && are_as_fast(ranks)) ||
        (of_kernels && c.graph.profiler_steps && take_turns(ranks, chosen)))
        return false;
    const std::vector<bool> late =
        cause == OwnCause::late_start ? std::vector<bool>(by_rank.size()) : late_by(c, chosen, *excesses, i);
    for (std::uint32_t r = 0; r < late.size(); ++r) {
        explained[r] = explained[r] || late[r];
        taken[r] = taken[r] || chosen[r];
    }
    candidates.push_back(
        {static_cast<double>(most) / static_cast<double>(c.steps),
         [&c = c, cause, chosen, late](GraphTimes& times) {
             remove_excess(c.graph, c.peers, cause, chosen, times);
             remove_excess(c.graph, c.peers, OwnCause::late_start, late, times);
         },
         [&c = c, cause, ranks, excesses = excesses, i] { return straggler_finding(c, cause, ranks, (*excesses)[i]); },
         {},
         cause == OwnCause::late_start ? ranks : std::vector<std::uint32_t>{},
         std::move(numbers)});
    return true;
}

} // namespace

FindingCause straggler_cause(OwnCause cause) {
    switch (cause) {
    case OwnCause::slower_kernels: return FindingCause::slower_kernels;
    case OwnCause::slower_copies: return FindingCause::slower_copies;
    case OwnCause::more_kernels: return FindingCause::more_kernels;
    case OwnCause::host_bound: return FindingCause::host_bound;
    case OwnCause::data_loading: return FindingCause::data_loading;
    case OwnCause::garbage_collection: return FindingCause::garbage_collection;
    case OwnCause::synchronisation: return FindingCause::synchronisation;
    case OwnCause::allocation: return FindingCause::allocation;
    case OwnCause::late_start: return FindingCause::late_start;
    }
    return FindingCause::unexplained;
}

std::vector<Candidate> straggler_candidates(const FindingContext& c) {
    const std::size_t ranks = c.inputs.run.ranks.size();
    if (recorded_for_unlike_lengths(c))
        return {};
    std::vector<float> shares = c.inputs.beside.shares(c.graph);
    auto excesses = std::make_shared<const Excesses>(sum_excesses(c, shares));
    Stragglers stragglers{c, std::move(shares), std::move(excesses), std::vector<bool>(ranks),
                          pipelines_of(c.inputs.collectives, ranks)};
    for (std::size_t cause = 0; cause < kOwnCauseCount; ++cause) {
        std::vector<bool> taken(ranks);
        // Ranks that are slow, but clearly less so, are a fault of their own; of kernels only: times of hosts scatter.
        while (stragglers.add(cause, taken) && static_cast<OwnCause>(cause) == OwnCause::slower_kernels) {
        }
    }
    return std::move(stragglers.candidates);
}

} // namespace rankscope
