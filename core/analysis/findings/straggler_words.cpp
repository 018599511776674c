// SPDX-License-Identifier: GPL-3.0-or-later
// What a finding says of ranks that are slower than their peers.
#include "core/analysis/findings/straggler_words.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/facts/fact_words.h"
#include "core/analysis/findings/finding_hardware.h"
#include "core/analysis/findings/kernel_ratio.h"
#include "core/analysis/findings/rank_lateness.h"
#include "core/analysis/findings/rank_reason.h"
#include "core/analysis/findings/unlike_peers.h"

namespace rankscope {
namespace {

constexpr double kShownByCalls = 0.1; ///< of what a rank takes longer, by how much it arrives late at calls

/// Of several ranks that are not slow in the same steps: in which each is; empty where they are.
Message steps_of_each(const FindingContext& c, const std::vector<std::uint32_t>& ranks,
                      const std::vector<Onset>& onsets) {
    constexpr std::size_t kNamed = 4;
    if (std::ranges::all_of(onsets, [&](const Onset& onset) { return onset.steps == onsets.front().steps; }))
        return {};
    if (ranks.size() > kNamed)
        return ", not all in the same steps"_text();
    Message words;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const Message some = onset_words(c, onsets[i].steps);
        const Message when = some.empty() ? " in all steps"_text() : some;
        const int rank = c.rank_number(ranks[i]);
        words += i + 1 == ranks.size() ? " and rank %1%2"_text(rank, when) : ", rank %1%2"_text(rank, when);
    }
    return words;
}

/// In which steps each of the ranks is slow.
std::vector<Onset> onsets_of(const FindingContext& c, const std::vector<std::uint32_t>& ranks,
                             const std::vector<RankExcess>& excesses) {
    std::vector<Onset> of_rank;
    for (const std::uint32_t rank : ranks)
        of_rank.push_back(onset_of(c, by_step_number(c, excesses[rank].by_step)));
    return of_rank;
}

/// The steps in which any of the ranks is slow.
Onset steps_of_any(const std::vector<Onset>& of_rank) {
    Onset any;
    for (const Onset& onset : of_rank)
        any.steps.insert(onset.steps.begin(), onset.steps.end());
    return any;
}

/// What takes the ranks longer: sentences about several ranks begin with it, so that no two of them read alike.
Message longer_for(OwnCause cause) {
    switch (cause) {
    case OwnCause::slower_kernels: return "for their kernels"_text();
    case OwnCause::slower_copies: return "for their copies"_text();
    case OwnCause::more_kernels: return "for work that their peers do not have"_text();
    case OwnCause::host_bound: return "between launches"_text();
    case OwnCause::data_loading: return "to load data"_text();
    case OwnCause::garbage_collection: return "for garbage collections"_text();
    case OwnCause::synchronisation: return "for waits of the host"_text();
    case OwnCause::allocation: return "to allocate GPU memory"_text();
    case OwnCause::late_start: break;
    }
    return {};
}

/// Who is slow, and of the worst of them why. arrives: lateness at calls that what it takes longer shows in; nullptr:
/// none. some: in which steps, if not in all.
Message slow_ranks_words(const FindingContext& c, OwnCause cause, const Finding& finding, std::uint32_t worst,
                         const Lateness* arrives, const Message& some, const Message& why) {
    const Message numbers = rank_numbers(finding.ranks);
    const bool starts_late = cause == OwnCause::late_start;
    if (finding.ranks.size() > 1)
        return starts_late ? "Ranks %1 start late; of rank %2: %3"_text(numbers, c.rank_number(worst), why)
                           : "Ranks %1 take longer than their peers %2%3; of rank %4: %5"_text(
                                 numbers, longer_for(cause), some, c.rank_number(worst), why);
    if (!some.empty())
        return "Rank %1 takes longer than its peers%2: %3"_text(numbers, some, why);
    if (arrives != nullptr) {
        const double share = static_cast<double>(arrives->last) / static_cast<double>(arrives->calls);
        return "Rank %1 arrives last at %2 % of the calls of %3, %4 late on median; %5"_text(
            numbers, fmt::format("{:.0f}", 100 * share), group_words(arrives->group), time_words(arrives->median_lag),
            why);
    }
    return starts_late ? "Rank %1 starts late: %2"_text(numbers, why)
                       : "Rank %1 is slower than its peers: %2"_text(numbers, why);
}

/// How many of the steps show what a rank takes longer: at least half of the mean.
std::size_t steps_that_show(const FindingContext& c, const RankExcess& excess) {
    const double mean = static_cast<double>(excess.total) / static_cast<double>(c.steps);
    const auto seen =
        std::ranges::count_if(excess.by_step, [&](TimeNs time) { return static_cast<double>(time) > mean / 2; });
    return std::min(static_cast<std::size_t>(seen), c.steps);
}

/// The ranks that start late are no further from the others than those are from each other.
bool starts_are_spread(const std::vector<std::uint32_t>& late, const std::vector<RankExcess>& excesses) {
    std::vector<TimeNs> others;
    TimeNs least = std::numeric_limits<TimeNs>::max();
    for (std::uint32_t r = 0; r < excesses.size(); ++r)
        if (std::ranges::find(late, r) == late.end())
            others.push_back(excesses[r].total);
        else
            least = std::min(least, excesses[r].total);
    if (others.size() < 2)
        return false;
    const auto [first, last] = std::ranges::minmax(others);
    return least - last < last - first;
}

/// The first step starts as its own profiler does: when the rank would have started it is not recorded.
bool starts_with_recording(const FindingContext& c, std::uint32_t rank) {
    constexpr TimeNs kProfilerStarts = 2'000'000;
    const RankTrace& trace = *c.inputs.run.ranks[rank];
    const auto step = std::ranges::lower_bound(c.graph.steps, rank, {}, &GraphStep::rank);
    if (step == c.graph.steps.end() || step->rank != rank)
        return false;
    TimeNs first = step->range.begin;
    for (EventIndex e = 0; e < trace.events.size(); ++e)
        if (trace.events.kind[e] != EventKind::span)
            first = std::min(first, c.graph.clock.aligned(rank, trace.events.start[e]));
    return step->range.begin - first <= kProfilerStarts;
}

/// It happens once: as sure as the clocks are. worst: the rank that starts latest.
void describe_late_start(const FindingContext& c, const std::vector<std::uint32_t>& ranks,
                         const std::vector<RankExcess>& excesses, std::uint32_t worst, Finding& finding) {
    const std::string time = time_words(static_cast<double>(excesses[worst].total));
    if (std::ranges::all_of(ranks, [&](std::uint32_t rank) { return starts_with_recording(c, rank); })) {
        finding.inherent = true;
        finding.title = "The recordings of the ranks start at different times, and their first steps with them: that "
                        "of rank %1 starts %2 after its peers'"_text(c.rank_number(worst), time);
    } else if (starts_are_spread(ranks, excesses)) {
        finding.inherent = true;
        finding.title = "The ranks start their first step at different times, for a reason from before the recording: "
                        "rank %1 starts %2 after its peers"_text(c.rank_number(worst), time);
    }
    finding.confidence = 10 * c.inputs.clock.residual < excesses[worst].total ? 0.9 : 0.5;
}

} // namespace

Finding straggler_finding(const FindingContext& c, OwnCause cause, const std::vector<std::uint32_t>& ranks,
                          const std::vector<RankExcess>& excesses) {
    Finding finding;
    finding.code = FindingCode::straggler;
    finding.cause = straggler_cause(cause);
    for (const std::uint32_t rank : ranks)
        finding.ranks.push_back(c.rank_number(rank));
    const auto longest = std::ranges::max_element(ranks, {}, [&](std::uint32_t rank) { return excesses[rank].total; });
    const std::uint32_t worst = *longest;
    RankExcess excess = excesses[worst];
    const bool starts_late = cause == OwnCause::late_start; // once, and in no step
    const std::vector<Onset> onsets = onsets_of(c, ranks, excesses);
    const Onset& own_onset = onsets[static_cast<std::size_t>(longest - ranks.begin())];
    const bool some = !starts_late && in_some_steps(c, own_onset);
    if (auto inside = some ? largest_in(c, worst, cause, own_onset.steps) : decltype(excess.largest)(); !inside.empty())
        excess.largest = std::move(inside);
    RankReason own{worst, excess, some ? own_onset.steps : std::set<std::int64_t>{}};
    if (cause == OwnCause::slower_kernels)
        own.kernels = slowest_kernels(c, worst, c.inputs.beside.shares(c.graph), own.only_in);
    Message why = reason_words(c, cause, own, finding);
    if (cause == OwnCause::slower_kernels) {
        const Message inputs = other_inputs(c, worst, finding);
        why += inputs.empty() ? other_gpu(c, worst, ranks, finding) : inputs;
        why += clock_reason(c, worst, own.kernels.nodes, own.kernels.ratio, ranks, finding);
    }
    // What the sentence names is what it shows.
    for (const auto& [time, node] : cause == OwnCause::slower_kernels ? own.kernels.largest : excess.largest)
        finding.events.push_back(c.event(node));
    const Lateness late = lateness_of(c, worst);
    if (late.call != kNoNode)
        add_lateness(c, late, worst, finding);
    // Little of what the rank takes longer may show at calls: then its arrival says nothing of it.
    const bool arrives =
        late.call != kNoNode && !last_by_chance(late) &&
        static_cast<double>(late.last) * late.median_lag >= kShownByCalls * static_cast<double>(excess.total);
    const Message each = starts_late ? Message() : steps_of_each(c, ranks, onsets);
    const Message in_steps = each.empty() && some ? onset_words(c, own_onset.steps) : each;
    finding.title = slow_ranks_words(c, cause, finding, worst, arrives ? &late : nullptr, in_steps, why);
    if (starts_late) {
        describe_late_start(c, ranks, excesses, worst, finding);
        return finding;
    }
    set_onset(c, each.empty() ? own_onset : steps_of_any(onsets), finding);
    if (each.empty() && own_onset.grows)
        finding.title += "; more from step to step"_text();
    // Without marks of steps nobody knows for sure in how many it was seen.
    finding.confidence = !in_steps.empty() ? kHappened
                                           : std::max(c.graph.profiler_steps ? 0 : 0.5,
                                                      confidence_of(steps_that_show(c, excess), c.steps));
    return finding;
}

} // namespace rankscope
