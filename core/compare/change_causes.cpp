// SPDX-License-Identifier: GPL-3.0-or-later
// What the traces tell of why a part of an iteration changed.
#include "core/compare/change_causes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/compare/kernel_comparison.h"

namespace rankscope {
namespace {

constexpr std::size_t kNameWidth = 60;
constexpr double kMoreThanOthers = 1.5; ///< times the median rank's change: worth naming
constexpr double kNoChange = 0.05;      ///< of a factor, logarithm: less is no cause

std::string shown_name(std::string_view name) { return shortened(terminal_safe(name), kNameWidth); }

/// "0 and 1", "0, 1, 2 and 3".
std::string listed(const std::vector<int>& ranks) {
    std::string text;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == ranks.size() ? " and " : ", ", ranks[i]);
    return text;
}

std::string ratio_text(double before, double after) { return fmt::format("{:.2f} times", after / before); }

/// Six digits are enough for any count.
std::string count_text(double count) { return fmt::format("{:.6g}", std::round(count * 100) / 100); }

/// The kernel that accounts for most of the change.
std::string leading_kernel(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                           const StepAccount& after) {
    const bool more = after.mean.compute > before.mean.compute;
    for (const OperatorChange& change :
         compare_operators(compute_totals_per_step(baseline), compute_totals_per_step(test)))
        if ((change.test.time_us > change.baseline.time_us) == more)
            return fmt::format("most in {} ({} -> {})", shown_name(change.name), ms_text(change.baseline.time_us),
                               ms_text(change.test.time_us));
    return {};
}

CallSum sum_of(const std::map<CallKind, CallSum>& calls) {
    CallSum sum;
    for (const auto& [kind, own] : calls)
        sum.add(own);
    return sum;
}

/// The calls that account for most of the change of time in the open.
std::string leading_call(const std::map<CallKind, CallSum>& before, const std::map<CallKind, CallSum>& after) {
    std::map<CallKind, std::pair<CallSum, CallSum>> pairs;
    for (const auto& [kind, sum] : before)
        pairs[kind].first = sum;
    for (const auto& [kind, sum] : after)
        pairs[kind].second = sum;
    const bool more = sum_of(after).exposed > sum_of(before).exposed;
    const auto gain = [&](const auto& entry) {
        return (entry.second.second.exposed - entry.second.first.exposed) * (more ? 1 : -1);
    };
    const auto most = std::ranges::max_element(pairs, std::less<>(), gain);
    if (most == pairs.end() || gain(*most) <= 0)
        return {};
    const auto& [kind, sums] = *most;
    const auto each = [](const CallSum& sum) {
        return sum.calls > 0 ? fmt::format("{:.1f} µs", sum.time / sum.calls / 1000) : std::string("none");
    };
    return fmt::format("most in {}{}{} ({} -> {} a call)", shown_name(kind.collective),
                       kind.elements == kUnknown ? "" : fmt::format(" of {}", kind.elements),
                       kind.dtype.empty() ? "" : " " + shown_name(kind.dtype), each(sums.first), each(sums.second));
}

/// Otherwise bytes and time are not of the same calls.
bool all_sized(const std::map<CallKind, CallSum>& calls) {
    return std::ranges::all_of(
        calls, [](const auto& entry) { return entry.second.bus_bytes > 0; });
}

double hidden_percent(const CallSum& sum) {
    return sum.time > 0 ? 100 * (1 - std::min(1.0, sum.exposed / sum.time)) : 0;
}

std::string joined(std::string text, const std::string& more) {
    return more.empty() ? text : std::move(text) + ", " + more;
}

std::string degree_change(const StepAccount& before, const StepAccount& after, ParallelDimension dimension) {
    const int from = before.group_size[static_cast<std::size_t>(dimension)];
    const int to = after.group_size[static_cast<std::size_t>(dimension)];
    return from != to && from > 0 && to > 0 ? fmt::format("{} {} -> {}", parallel_dimension_word(dimension), from, to)
                                            : std::string();
}

bool another_gpu(const StepAccount& before, const StepAccount& after) {
    return !before.gpu.empty() && !after.gpu.empty() && before.gpu != after.gpu;
}

std::string speed_text(const CallSum& before, const CallSum& after) {
    return fmt::format("it runs at {:.3g} instead of {:.3g} GB/s on the bus", after.bus_bytes / after.time,
                       before.bus_bytes / before.time);
}

/// Where one group, or the smaller part of them, accounts for a change of speed: those, and their speed. A mean over
/// all would be one that no link has. "" where all changed alike, or sizes are unknown.
std::string slower_groups(const StepAccount& before, const StepAccount& after, std::size_t dimension) {
    struct Group {
        const std::vector<int>* members = nullptr;
        double growth = 0; ///< logarithm of what a byte takes after to before
        CallSum before, after;
    };
    std::vector<Group> groups;
    for (const auto& [members, sum] : after.groups[dimension]) {
        const auto same = before.groups[dimension].find(members);
        if (same == before.groups[dimension].end() || sum.bus_bytes <= 0 || same->second.bus_bytes <= 0 ||
            sum.time <= 0 || same->second.time <= 0)
            return {};
        groups.push_back({&members,
                          std::log(sum.time / sum.bus_bytes) - std::log(same->second.time / same->second.bus_bytes),
                          same->second, sum});
    }
    std::ranges::sort(groups, std::greater<>(), [](const Group& g) { return std::abs(g.growth); });
    if (groups.size() < 2)
        return {};
    const double most = std::abs(groups.front().growth);
    const auto others = std::ranges::find_if(groups, [&](const Group& g) { return std::abs(g.growth) < most / 2; });
    const auto changed = static_cast<std::size_t>(others - groups.begin());
    const bool apart = others != groups.end() && std::abs(others->growth) < most / 4;
    if (!apart || 2 * changed > groups.size())
        return {};
    const std::string speed = speed_text(groups.front().before, groups.front().after);
    if (changed == 1)
        return fmt::format("between ranks {} {}; elsewhere as before", listed(*groups.front().members), speed);
    return fmt::format("in {} of {} groups only; between ranks {}, most of all, {}", changed, groups.size(),
                       listed(*groups.front().members), speed);
}

double median_own(const StepAccount& account) {
    std::vector<double> own;
    for (const RankSteps& rank : account.ranks)
        own.push_back(rank.mean.own());
    return own.empty() ? 0 : lower_median(std::move(own));
}

const RankSteps* find_rank(const StepAccount& account, int rank) {
    const auto found = std::ranges::find(account.ranks, rank, &RankSteps::rank);
    return found == account.ranks.end() ? nullptr : &*found;
}

/// How much more each rank's own work grew than that of the median rank, ns. Only where both runs have the same ranks.
std::vector<std::pair<double, int>> growths(const StepAccount& before, const StepAccount& after) {
    std::vector<std::pair<double, int>> result;
    for (const RankSteps& rank : after.ranks)
        if (const RankSteps* same = find_rank(before, rank.rank))
            result.emplace_back(rank.mean.own() - same->mean.own(), rank.rank);
    if (result.size() != before.ranks.size() || result.size() != after.ranks.size() || result.size() < 2)
        return {};
    std::ranges::sort(result);
    const double median = result[(result.size() - 1) / 2].first;
    for (auto& [growth, rank] : result)
        growth -= median;
    return result;
}

std::vector<int> ranks_of_stage(const StepAccount& account, int stage) {
    std::vector<int> ranks;
    for (const RankSteps& rank : account.ranks)
        if (rank.stage == stage)
            ranks.push_back(rank.rank);
    return ranks;
}

/// The rank's stage, where nobody else does its work to compare it with, or those who do moved as it did: at least half
/// of it.
std::string stage_cause(const StepAccount& before, const StepAccount& after, const RankSteps& rank, double growth,
                        const std::vector<std::pair<double, int>>& growths) {
    if (rank.stage < 0)
        return {};
    const std::vector<int> peers = ranks_of_stage(after, rank.stage);
    if (peers.size() == after.ranks.size())
        return {};
    double was = 0;
    double is = 0;
    for (const int peer : peers) {
        const auto own = std::ranges::find(growths, peer, &std::pair<double, int>::second);
        if (own->first / growth < 0.5)
            return {};
        was += find_rank(before, peer)->mean.own() / static_cast<double>(peers.size());
        is += find_rank(after, peer)->mean.own() / static_cast<double>(peers.size());
    }
    return fmt::format("stage {} of the pipeline (rank{} {}) takes {} for its own work: {} -> {} an iteration (median "
                       "of all ranks {} -> {}), and the other stages wait for it",
                       rank.stage, peers.size() > 1 ? "s" : "", listed(peers), is > was ? "longer" : "less",
                       ms_text(was / 1000), ms_text(is / 1000), ms_text(median_own(before) / 1000),
                       ms_text(median_own(after) / 1000));
}

} // namespace

std::optional<std::size_t> leading_factor(std::span<const Factor> factors, double change) {
    std::optional<std::size_t> leading;
    double most = 0;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (!(factors[i].baseline > 0) || !(factors[i].test > 0))
            continue;
        const double contribution = std::log(factors[i].test / factors[i].baseline) * (change > 0 ? 1 : -1);
        if (contribution > most) {
            most = contribution;
            leading = i;
        }
    }
    return leading;
}

std::string ms_text(double us) { return fmt::format("{:.3f} ms", us / 1000); }

std::string compute_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                          const StepAccount& after) {
    if (before.compute_kernels == 0 || after.compute_kernels == 0)
        return before.compute_kernels == after.compute_kernels ? "" : "only one run computes on the GPU";
    const std::array<Factor, 2> factors{
        {{before.compute_kernels, after.compute_kernels},
         {before.mean.compute / before.compute_kernels, after.mean.compute / after.compute_kernels}}};
    const auto leading = leading_factor(factors, after.mean.compute - before.mean.compute);
    if (!leading)
        return {};
    if (*leading == 0)
        return fmt::format("{} as many kernels ({} -> {} an iteration)",
                           ratio_text(factors[0].baseline, factors[0].test), count_text(factors[0].baseline),
                           count_text(factors[0].test));
    const std::string longer =
        fmt::format("kernels take {} as long on average", ratio_text(factors[1].baseline, factors[1].test));
    // Another GPU changes all kernels: one of them is no cause.
    return another_gpu(before, after) ? longer + " on the other GPU"
                                      : joined(longer, leading_kernel(baseline, test, before, after));
}

std::string communication_cause(const StepAccount& before, const StepAccount& after, ParallelDimension dimension) {
    const auto d = static_cast<std::size_t>(dimension);
    const CallSum a = sum_of(before.calls[d]);
    const CallSum b = sum_of(after.calls[d]);
    if (a.calls == 0 || b.calls == 0)
        return a.calls == b.calls
                   ? ""
                   : fmt::format("{} in the {} only: {} calls an iteration", parallel_dimension_word(dimension),
                                 a.calls == 0 ? "test" : "baseline", count_text(a.calls + b.calls));
    if (before.untraced[d] != after.untraced[d])
        return fmt::format("not all of its members are traced in the {}: it holds waits for the others",
                           before.untraced[d] ? "baseline" : "test");
    const bool sized = all_sized(before.calls[d]) && all_sized(after.calls[d]);
    // Nothing in the open in one run: then a sliver, so that what became visible is told.
    const auto open = [](const CallSum& sum) { return sum.time > 0 ? std::max(sum.exposed / sum.time, 1e-6) : 0; };
    enum { calls, size, ring, speed, overlap };
    const std::array<Factor, 5> factors{
        {{a.calls, b.calls},
         {sized ? a.bytes / a.calls : 1, sized ? b.bytes / b.calls : 1},
         {sized ? a.bus_bytes / a.bytes : 1, sized ? b.bus_bytes / b.bytes : 1},
         {sized ? a.time / a.bus_bytes : a.time / a.calls, sized ? b.time / b.bus_bytes : b.time / b.calls},
         {open(a), open(b)}}};
    // The same bytes in fewer and larger messages are no other volume: calls and size are one factor.
    std::array<Factor, 5> merged = factors;
    merged[calls] = {factors[calls].baseline * factors[size].baseline, factors[calls].test * factors[size].test};
    merged[size] = {1, 1};
    // More is in the open where there is more of it: that less is hidden is a cause only where nothing else changed.
    std::array<Factor, 5> own = merged;
    own[overlap] = {1, 1};
    for (Factor& factor : own)
        if (std::abs(std::log(factor.test / factor.baseline)) < kNoChange)
            factor = {1, 1};
    auto leading = leading_factor(own, b.exposed - a.exposed);
    if (!leading)
        leading = leading_factor(merged, b.exposed - a.exposed);
    if (!leading)
        return {};
    switch (*leading) {
    case calls: {
        const bool larger =
            std::abs(std::log(factors[size].test / factors[size].baseline)) > std::abs(std::log(b.calls / a.calls));
        return larger ? fmt::format("messages {} as large", ratio_text(factors[size].baseline, factors[size].test))
                      : fmt::format("{} as many calls ({} -> {} an iteration)", ratio_text(a.calls, b.calls),
                                    count_text(a.calls), count_text(b.calls));
    }
    case ring: return joined("larger groups move more for each byte", degree_change(before, after, dimension));
    case speed:
        if (std::string groups = slower_groups(before, after, d); !groups.empty())
            return groups;
        return joined(
            sized ? speed_text(a, b)
                  : fmt::format("a call takes {} as long", ratio_text(factors[speed].baseline, factors[speed].test)),
            leading_call(before.calls[d], after.calls[d]));
    default:
        return fmt::format("{} of it is hidden behind computation ({:.0f} -> {:.0f} %)",
                           b.exposed > a.exposed ? "less" : "more", hidden_percent(a), hidden_percent(b));
    }
}

std::string late_ranks_cause(const StepAccount& before, const StepAccount& after) {
    const StepAccount& more = after.mean.wall > before.mean.wall ? after : before;
    const auto worst = std::ranges::max_element(more.ranks, std::less<>(), &RankSteps::caused_wait);
    if (worst == more.ranks.end() || worst->caused_wait <= 0)
        return {};
    const RankSteps* same = find_rank(&more == &after ? before : after, worst->rank);
    const double other = same == nullptr ? 0 : same->caused_wait / 1000;
    return fmt::format("most for rank {} ({} -> {})", worst->rank,
                       ms_text(&more == &after ? other : worst->caused_wait / 1000),
                       ms_text(&more == &after ? worst->caused_wait / 1000 : other));
}

std::string bubble_cause(const StepAccount& before, const StepAccount& after) {
    std::string cause;
    if (before.microbatches && after.microbatches && *before.microbatches != *after.microbatches)
        cause = fmt::format("microbatches {} -> {}", count_text(*before.microbatches), count_text(*after.microbatches));
    const std::string degree = degree_change(before, after, ParallelDimension::pp);
    if (cause.empty())
        return degree;
    return joined(cause, degree);
}

namespace {

/// What data loaders take in a profiler step of a rank, mean, ns; none without profiler steps.
std::optional<double> loading_time(const RunAnalysis& analysis) {
    const StepGraph& graph = analysis.step_graph();
    if (!graph.profiler_steps || graph.steps.empty())
        return {};
    double sum = 0;
    for (std::uint32_t n = 0; n < graph.first_node.back(); ++n)
        if (graph.kind[n] == NodeKind::data_loading && graph.step[n] != kNoNode)
            sum += static_cast<double>(graph.times.duration[n]);
    return sum / static_cast<double>(graph.steps.size());
}

/// difference: of what it may explain, ns an iteration.
std::string loading_cause(const RunAnalysis& before, const RunAnalysis& after, double difference) {
    const std::optional<double> was = loading_time(before);
    const std::optional<double> is = loading_time(after);
    if (!was || !is || difference == 0 || (*is - *was) / difference < 0.5)
        return {};
    return fmt::format("loading data takes the host {} -> {}", ms_text(*was / 1000), ms_text(*is / 1000));
}

} // namespace

std::string host_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                       const StepAccount& after) {
    const RankSteps* most = nullptr;
    double growth = 0;
    std::vector<double> growths;
    for (const RankSteps& rank : after.ranks)
        if (const RankSteps* same = find_rank(before, rank.rank)) {
            growths.push_back(std::abs(rank.mean.host - same->mean.host));
            if (growths.back() > growth) {
                growth = growths.back();
                most = &rank;
            }
        }
    // Where all ranks change alike none is to be named.
    const std::string rank =
        most == nullptr || growth < kMoreThanOthers * lower_median(std::move(growths))
            ? ""
            : fmt::format("most on rank {} ({} -> {})", most->rank,
                          ms_text(find_rank(before, most->rank)->mean.host / 1000), ms_text(most->mean.host / 1000));
    const std::string loading = loading_cause(baseline, test, after.mean.host - before.mean.host);
    return loading.empty() ? rank : joined(loading, rank);
}

std::string slow_rank_cause(const StepAccount& before, const StepAccount& after) {
    const double change = after.mean.wall - before.mean.wall;
    const auto ranks = growths(before, after);
    if (ranks.empty() || change == 0)
        return {};
    const auto& [growth, number] = change > 0 ? ranks.back() : ranks.front();
    if (growth / change < 0.5)
        return {};
    const RankSteps& was = *find_rank(before, number);
    const RankSteps& is = *find_rank(after, number);
    if (std::string stage = stage_cause(before, after, is, growth, ranks); !stage.empty())
        return stage;
    const double compute = is.mean.compute - was.mean.compute;
    const bool computes = std::abs(compute) >= 0.5 * std::abs(is.mean.own() - was.mean.own());
    return fmt::format("rank {} {}: {} {} -> {} an iteration (median of all ranks {} -> {} for all their own work){}",
                       number, change > 0 ? "became a straggler" : "is a straggler no more",
                       computes ? "its kernels take" : "its host keeps the GPU waiting",
                       ms_text((computes ? was.mean.compute : was.mean.host) / 1000),
                       ms_text((computes ? is.mean.compute : is.mean.host) / 1000), ms_text(median_own(before) / 1000),
                       ms_text(median_own(after) / 1000), change > 0 ? ", and the others wait for it" : "");
}

std::vector<std::string> setup_changes(const StepAccount& before, const StepAccount& after) {
    std::vector<std::string> changes;
    if (another_gpu(before, after))
        changes.push_back(fmt::format("GPU {} -> {}", before.gpu, after.gpu));
    for (std::size_t d = 0; d + 1 < kParallelDimensionCount; ++d) {
        const int from = std::max(1, before.group_size[d]);
        const int to = std::max(1, after.group_size[d]);
        if (from != to)
            changes.push_back(
                fmt::format("{} {} -> {}", parallel_dimension_word(static_cast<ParallelDimension>(d)), from, to));
    }
    if (before.microbatches && after.microbatches && *before.microbatches != *after.microbatches)
        changes.push_back(
            fmt::format("microbatches {} -> {}", count_text(*before.microbatches), count_text(*after.microbatches)));
    if (before.world_size != after.world_size && before.world_size > 0 && after.world_size > 0)
        changes.push_back(fmt::format("{} -> {} ranks", before.world_size, after.world_size));
    return changes;
}

} // namespace rankscope
