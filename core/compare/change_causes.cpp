// SPDX-License-Identifier: GPL-3.0-or-later
// What the traces tell of why a part of an iteration changed.
#include "core/compare/change_causes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/collectives/parallel_dimension.h"
#include "core/analysis/facts/fact_words.h"
#include "core/analysis/selection/kernel_class.h"
#include "core/base/digits.h"
#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/base/text_match.h"
#include "core/base/words.h"
#include "core/compare/config_influence.h"
#include "core/compare/engine_name.h"
#include "core/compare/kernel_comparison.h"
#include "core/compare/launch_pace.h"
#include "core/compare/new_work.h"
#include "core/trace/run_settings.h"

namespace rankscope {
namespace {

constexpr std::size_t kNameWidth = 60;
constexpr double kMoreThanOthers = 1.5; ///< times the median rank's change: worth naming
constexpr double kAlikeMost = 0.75;     ///< of the largest change of a rank: named with it
constexpr double kNamedShare = 0.5;     ///< of the change: ranks that are less of it do not explain it
constexpr double kSameRatio = 0.005;    ///< is printed as 1.00 times
constexpr double kByMovedRanks = 0.8;   ///< of a change: it is theirs
constexpr double kNoChange = 0.05;      ///< of a factor, logarithm: less is no cause

std::string shown_name(std::string_view name) { return shortened(terminal_safe(name), kNameWidth); }

std::string ratio_text(double before, double after) { return fmt::format("{:.2f}", after / before); }

/// Six digits are enough for any count.
std::string count_text(double count) { return fmt::format("{:.6g}", std::round(count * 100) / 100); }

/// Names of the largest, what they take together.
struct KernelsOfOneRun {
    std::vector<std::string> names;
    double us = 0;
    /// other: a name that may start alike.
    [[nodiscard]] Message text(const std::string& other) const {
        constexpr std::size_t kNamed = 2;
        std::vector<Message> named;
        for (std::size_t i = 0; i < std::min(kNamed, names.size()); ++i)
            named.emplace_back(name_apart(names[i], i == 0 ? other : names.front()));
        return "%1 (%2)"_text(names.size() > kNamed ? "%1 and %2 more"_text(enumerated(named), names.size() - kNamed)
                                                    : listed(named, "%1 and %2"_text),
                              ms_text(us));
    }
};

/// Kernels of one run only, by the time they take.
struct ReplacedKernels {
    KernelsOfOneRun added, gone;
    [[nodiscard]] double net_us() const { return added.us - gone.us; }
    /// They take similar times: the ones may do what the others did.
    [[nodiscard]] bool both() const {
        constexpr double kSimilarTimes = 0.2;
        return std::min(added.us, gone.us) > kSimilarTimes * std::max(added.us, gone.us);
    }
    [[nodiscard]] Message text() const {
        return "%1 in place of %2"_text(added.text(gone.names.front()), gone.text(added.names.front()));
    }
};

ReplacedKernels replaced_of(const std::vector<OperatorChange>& changes) {
    ReplacedKernels replaced;
    for (const OperatorChange& change : changes) { // largest first
        if (change.status == OperatorStatus::added) {
            replaced.added.names.push_back(change.test_name);
            replaced.added.us += change.test.time_us;
        } else if (change.status == OperatorStatus::removed) {
            replaced.gone.names.push_back(change.name);
            replaced.gone.us += change.baseline.time_us;
        }
    }
    return replaced;
}

std::vector<OperatorChange> kernel_changes(const RunAnalysis& baseline, const RunAnalysis& test,
                                           const StepAccount& before, const StepAccount& after) {
    return compare_operators(compute_totals_per_step(baseline, before), compute_totals_per_step(test, after));
}

/// Kernels of one kind, us an iteration.
struct KindTimes {
    double baseline = 0;
    double test = 0;
    bool renamed = false; ///< some names are of one run only
};

/// The kind whose kernels account for most of a change, where some of them have a name of one run only: names of both
/// runs do not tell of that kind.
Message leading_kind(const std::vector<OperatorChange>& changes, double sign, double least) {
    std::map<ComputeKind, KindTimes> kinds;
    for (const OperatorChange& change : changes) {
        const bool in_test = change.test.count > 0;
        KindTimes& kind = kinds[compute_kind(in_test ? change.test_name : change.name)];
        kind.baseline += change.baseline.time_us;
        kind.test += change.test.time_us;
        kind.renamed = kind.renamed || !in_test || change.baseline.count == 0;
    }
    const auto gain = [&](const auto& entry) { return sign * (entry.second.test - entry.second.baseline); };
    const auto most = std::ranges::max_element(kinds, {}, gain);
    if (most == kinds.end() || !most->second.renamed || gain(*most) <= least)
        return {};
    const auto& [kind, times] = *most;
    return "most in %1 kernels (%2 -> %3), some of which only one run has"_text(
        kernel_kind_words(compute_kind_word(kind)), ms_text(times.baseline), ms_text(times.test));
}

} // namespace

Message leading_kernel(const std::vector<OperatorChange>& changes, bool more, bool of_both) {
    const double sign = more ? 1 : -1;
    const ReplacedKernels replaced = replaced_of(changes);
    const auto gain = [&](const OperatorChange& change) {
        const bool one_run = change.baseline.count == 0 || change.test.count == 0;
        return (of_both || replaced.both()) && one_run ? 0 : sign * (change.test.time_us - change.baseline.time_us);
    };
    const auto most = std::ranges::max_element(changes, std::less<>(), gain);
    const double largest = most == changes.end() ? 0 : gain(*most);
    if (replaced.both() && sign * replaced.net_us() > largest)
        return "most by %1"_text(replaced.text());
    if (of_both)
        if (Message kind = leading_kind(changes, sign, std::max(0.0, largest)); !kind.empty())
            return kind;
    if (largest <= 0)
        return {};
    const auto each = [](const NameTotal& total) {
        return total.count > 0 ? Message(ms_text(total.time_us)) : "none"_text();
    };
    return "most in %1 (%2 -> %3)"_text(shown_name(most->test.count > 0 ? most->test_name : most->name),
                                        each(most->baseline), each(most->test));
}

namespace {

CallSum sum_of(const std::map<CallKind, CallSum>& calls) {
    CallSum sum;
    for (const auto& [kind, own] : calls)
        sum.add(own);
    return sum;
}

/// Without calls of which a member is not recorded, where there are others of that kind: as many of those, so that
/// numbers of calls stay what they are.
std::map<CallKind, CallSum> seen_calls(const std::map<CallKind, CallSum>& calls) {
    std::map<CallKind, CallSum> seen;
    for (const auto& [kind, all] : calls) {
        CallSum& sum = seen[kind] = all;
        const double count = all.calls - all.unseen_calls;
        if (all.unseen_calls == 0 || count <= 0)
            continue;
        const double as_many = all.calls / count;
        sum.time = (all.time - all.unseen_time) * as_many;
        sum.exposed = (all.exposed - all.unseen_exposed) * as_many;
        sum.hidden = (all.hidden - all.unseen_hidden) * as_many;
        sum.bus_bytes = all.bus_bytes * as_many;
        sum.unseen_calls = sum.unseen_time = sum.unseen_exposed = sum.unseen_hidden = 0;
    }
    return seen;
}

/// Where calls with a member that is not recorded account for the change of time in the open: that they do. Their times
/// may hold waits, and tell nothing of a link.
Message unseen_cause(const StepAccount& before, const StepAccount& after, std::size_t dimension) {
    const CallSum a = sum_of(before.calls[dimension]);
    const CallSum b = sum_of(after.calls[dimension]);
    const auto none_seen = [](const CallSum& sum) { return sum.unseen_calls >= sum.calls; };
    const double change = b.exposed - a.exposed;
    if (a.unseen_calls + b.unseen_calls == 0 || (none_seen(a) && none_seen(b)) || change == 0)
        return {};
    const double of_seen =
        sum_of(seen_calls(after.calls[dimension])).exposed - sum_of(seen_calls(before.calls[dimension])).exposed;
    constexpr double kOfTheChange = 0.5;
    if (!none_seen(a) && !none_seen(b) && of_seen / change >= kOfTheChange)
        return {};
    const bool of_test = b.unseen_calls * a.calls > a.unseen_calls * b.calls;
    const std::string unseen = count_text(of_test ? b.unseen_calls : a.unseen_calls);
    const std::string all = count_text(of_test ? b.calls : a.calls);
    return of_test
               ? "in the test nothing tells of %1 of its %2 calls an iteration when the last rank came: they may hold "
                 "waits for it"_text(unseen, all)
               : "in the baseline nothing tells of %1 of its %2 calls an iteration when the last rank came: they may "
                 "hold waits for it"_text(unseen, all);
}

/// The calls that account for most of the change of time in the open.
Message leading_call(const std::map<CallKind, CallSum>& before, const std::map<CallKind, CallSum>& after) {
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
    const std::string dtype = kind.dtype.empty() ? "" : " " + shown_name(kind.dtype);
    const Message call = kind.elements == kUnknown
                             ? Message(shown_name(kind.collective) + dtype)
                             : "%1 of %2"_text(shown_name(kind.collective), fmt::format("{}{}", kind.elements, dtype));
    if (sums.first.calls == 0)
        return "most in %1, which only the test has"_text(call);
    if (sums.second.calls == 0)
        return "most in %1, which only the baseline has"_text(call);
    const auto each = [](const CallSum& sum) { return time_words(sum.time / sum.calls, 3); };
    return "most in %1 (%2 -> %3 a call)"_text(call, each(sums.first), each(sums.second));
}

/// "allreduce in the baseline only, send and recv in the test only" where no kind of call is in both.
Message other_kinds_cause(const std::map<CallKind, CallSum>& before, const std::map<CallKind, CallSum>& after) {
    const auto kinds = [](const std::map<CallKind, CallSum>& calls) {
        std::set<std::string> names;
        for (const auto& [kind, sum] : calls)
            if (sum.calls > 0)
                names.insert(kind.collective);
        return names;
    };
    const std::set<std::string> of_baseline = kinds(before);
    const std::set<std::string> of_test = kinds(after);
    if (std::ranges::any_of(of_test, [&](const std::string& name) { return of_baseline.contains(name); }))
        return {};
    const auto shown = [](const std::set<std::string>& names) {
        std::vector<Message> words;
        for (const std::string& name : names)
            words.emplace_back(shown_name(name));
        return enumerated(words);
    };
    return "%1 in the baseline only, %2 in the test only"_text(shown(of_baseline), shown(of_test));
}

/// Otherwise bytes and time are not of the same calls.
bool all_sized(const std::map<CallKind, CallSum>& calls) {
    return std::ranges::all_of(
        calls, [](const auto& entry) { return entry.second.bus_bytes > 0; });
}

double hidden_percent(const CallSum& sum) { return sum.time > 0 ? 100 * std::min(1.0, sum.hidden / sum.time) : 0; }

/// Of its time without computation beside it: what is put down to calls that end later.
double beside_percent(const CallSum& sum) {
    return sum.time > 0 ? std::max(0.0, 100 - hidden_percent(sum) - 100 * sum.exposed / sum.time) : 0;
}

Message joined(Message text, const Message& more) {
    if (!more.empty())
        text += ", ";
    return text += more;
}

Message degree_change(const StepAccount& before, const StepAccount& after, ParallelDimension dimension) {
    const int from = before.group_size[static_cast<std::size_t>(dimension)];
    const int to = after.group_size[static_cast<std::size_t>(dimension)];
    return from != to && from > 0 && to > 0 && dimension != ParallelDimension::unknown
               ? Message(fmt::format("{} {} -> {}", parallel_dimension_word(dimension), from, to))
               : Message();
}

bool another_gpu(const StepAccount& before, const StepAccount& after) {
    return !before.gpu.empty() && !after.gpu.empty() && before.gpu != after.gpu;
}

bool inputs_recorded(const RunAnalysis& analysis) {
    return std::ranges::any_of(
        analysis.run().ranks, [](const auto& rank) { return !rank->operator_inputs.empty(); });
}

Message speed_text(const CallSum& before, const CallSum& after) {
    return "it runs at %1 instead of %2 GB/s on the bus"_text(fmt::format("{:.3g}", after.bus_bytes / after.time),
                                                              fmt::format("{:.3g}", before.bus_bytes / before.time));
}

/// Where one group, or the smaller part of them, accounts for a change of speed: those, and their speed. A mean over
/// all would be one that no link has. "" where all changed alike, or sizes are unknown.
Message slower_groups(const StepAccount& before, const StepAccount& after, std::size_t dimension) {
    struct Group {
        const std::vector<int>* members = nullptr;
        double growth = 0; ///< logarithm of what a byte takes after to before
        CallSum before, after;
    };
    std::vector<Group> groups;
    for (const auto& [members, sum] : after.groups[dimension]) {
        const auto same = before.groups[dimension].find(members);
        if (same == before.groups[dimension].end() || sum.bus_bytes <= 0 || same->second.bus_bytes <= 0)
            return {};
        Group group{&members, 0, same->second, sum};
        for (CallSum* own : {&group.before, &group.after})
            own->time -= own->unseen_time;
        if (group.before.time <= 0 || group.after.time <= 0)
            return {};
        group.growth =
            std::log(group.after.time / group.after.bus_bytes) - std::log(group.before.time / group.before.bus_bytes);
        groups.push_back(std::move(group));
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
    const Message speed = speed_text(groups.front().before, groups.front().after);
    const Message members = rank_runs(*groups.front().members);
    if (changed == 1)
        return "between ranks %1 %2; elsewhere as before"_text(members, speed);
    return "in %1 of %2 groups only; between ranks %3, most of all, %4"_text(changed, groups.size(), members, speed);
}

/// Why less, or more, of the same communication is waited for.
Message overlap_text(const CallSum& before, const CallSum& after, bool members_known) {
    const bool more_exposed = after.exposed > before.exposed;
    const double hidden = hidden_percent(before) - hidden_percent(after);
    const double beside = beside_percent(before) - beside_percent(after);
    constexpr double kSamePercent = 0.5;
    if (std::max(std::abs(beside), std::abs(hidden)) < kSamePercent)
        return {};
    if (more_exposed ? beside > hidden : beside < hidden) {
        const std::string was = fmt::format("{:.0f}", beside_percent(before));
        const std::string is = fmt::format("{:.0f}", beside_percent(after));
        return more_exposed
                   ? "less of it runs beside calls that end later, and is counted with those (%1 -> %2 %)"_text(was, is)
                   : "more of it runs beside calls that end later, and is counted with those (%1 -> %2 %)"_text(was,
                                                                                                                is);
    }
    const std::string was = fmt::format("{:.0f}", hidden_percent(before));
    const std::string is = fmt::format("{:.0f}", hidden_percent(after));
    if (!members_known) // when the last member came is not recorded
        return (more_exposed ? "less of it is hidden behind computation (%1 -> %2 % of its time)"_text
                             : "more of it is hidden behind computation (%1 -> %2 % of its time)"_text)(was, is);
    return (more_exposed ? "less of it is hidden behind computation (%1 -> %2 % of its time once the last member has "
                           "come)"_text
                         : "more of it is hidden behind computation (%1 -> %2 % of its time once the last member has "
                           "come)"_text)(was, is);
}

/// The same bytes in fewer and larger calls, or in more and smaller ones, as with other buckets of gradients. volume:
/// the factor of calls and sizes together.
Message regrouped_text(const CallSum& before, const CallSum& after, const Factor& volume) {
    constexpr double kOtherNumber = 0.1;
    constexpr double kSameVolume = 0.05;
    if (std::abs(std::log(after.calls / before.calls)) < kOtherNumber ||
        std::abs(std::log(volume.test / volume.baseline)) > kSameVolume)
        return {};
    return "with %1 instead of %2 calls an iteration"_text(count_text(after.calls), count_text(before.calls));
}

const RankSteps* find_rank(const StepAccount& account, int rank) {
    const auto found = std::ranges::find(account.ranks, rank, &RankSteps::rank);
    return found == account.ranks.end() ? nullptr : &*found;
}

/// The ranks by which a sum over ranks changed most, those that did so alike, and by how much; empty where nearly all
/// ranks changed alike, where none did the way the sum did, or where they are not half of it. change: of the sum, ns;
/// value: of a rank, ns.
struct ChangedRanks {
    std::vector<int> ranks; ///< ascending; empty: none
    double gain = 0;        ///< of one of them, ns, the way the sum went
    Message text;           ///< "rank 1 (2.1 ms -> 3.4 ms)"
};
template <typename Value>
ChangedRanks ranks_changed_most(const StepAccount& before, const StepAccount& after, double change,
                                const Value& value) {
    std::vector<std::pair<double, const RankSteps*>> gains;
    std::vector<double> sizes;
    for (const RankSteps& rank : after.ranks)
        if (const RankSteps* same = find_rank(before, rank.rank)) {
            gains.emplace_back((value(rank) - value(*same)) * (change > 0 ? 1 : -1), &rank);
            sizes.push_back(std::max(0.0, gains.back().first));
        }
    if (gains.size() != after.ranks.size() || gains.size() < 2)
        return {};
    const auto most = std::ranges::max_element(gains, std::less<>(), [](const auto& gain) { return gain.first; });
    if (most->first <= 0 || most->first < kMoreThanOthers * lower_median(std::move(sizes)))
        return {};
    std::vector<int> alike;
    double was = 0;
    double is = 0;
    double named = 0;
    for (const auto& [gain, rank] : gains)
        if (gain >= kAlikeMost * most->first) {
            named += gain;
            alike.push_back(rank->rank);
            was += value(*find_rank(before, rank->rank));
            is += value(*rank);
        }
    if (named < kNamedShare * std::abs(change))
        return {};
    std::ranges::sort(alike);
    const auto count = static_cast<double>(alike.size());
    Message text = plural(alike.size(), "rank %1 (%2 -> %3)"_one, "ranks %1 (%2 -> %3 each)"_many)(
        rank_runs(alike), ms_text(was / count / 1000), ms_text(is / count / 1000));
    return {std::move(alike), named / count, std::move(text)};
}

/// ", whose host keeps the GPU waiting 1.2 ms -> 3.9 ms": which part of their own work changed the way the waiting for
/// them did, beyond what it did on the median rank, and by a third of that at least; else empty.
Message own_part_text(const StepAccount& before, const StepAccount& after, const ChangedRanks& changed, bool more) {
    struct Part {
        Text<2> text;
        double (*value)(const StepTimes&);
    };
    const std::array<Part, 4> parts{
        {{", whose host keeps the GPU waiting %1 -> %2"_text, [](const StepTimes& t) { return t.host; }},
         {", whose launched work starts after gaps of %1 -> %2"_text, [](const StepTimes& t) { return t.launch; }},
         {", whose kernels take %1 -> %2"_text, [](const StepTimes& t) { return t.compute; }},
         {", whose copies take %1 -> %2"_text, [](const StepTimes& t) { return t.copies; }}}};
    constexpr double kOfTheWaiting = 0.33;
    const double sign = more ? 1 : -1;
    double most = kOfTheWaiting * changed.gain;
    Message text;
    for (const Part& part : parts) {
        double was = 0;
        double is = 0;
        std::vector<double> others;
        for (const RankSteps& rank : after.ranks) {
            const RankSteps* same = find_rank(before, rank.rank);
            if (same == nullptr)
                return {};
            if (std::ranges::binary_search(changed.ranks, rank.rank)) {
                was += part.value(same->mean) / static_cast<double>(changed.ranks.size());
                is += part.value(rank.mean) / static_cast<double>(changed.ranks.size());
            } else {
                others.push_back(part.value(rank.mean) - part.value(same->mean));
            }
        }
        const double usual = others.empty() ? 0 : lower_median(std::move(others));
        // What became shorter makes nobody wait longer, though it did so less than others.
        if (const double gain = (is - was - usual) * sign; gain > most && (is - was) * sign > 0) {
            most = gain;
            text = part.text(ms_text(was / 1000), ms_text(is / 1000));
        }
    }
    return text;
}

/// "rank 2 (16.9 ms -> 19.5 ms), ranks 4 and 5 (...)": those with the same times together.
Message times_of_ranks(std::vector<MovedRanks> moved) {
    std::vector<Message> texts;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        for (std::size_t k = moved.size(); --k > i;)
            if (moved[k].was == moved[i].was && moved[k].is == moved[i].is) {
                moved[i].ranks.insert(moved[i].ranks.end(), moved[k].ranks.begin(), moved[k].ranks.end());
                moved.erase(moved.begin() + static_cast<std::ptrdiff_t>(k));
            }
        std::ranges::sort(moved[i].ranks);
        texts.push_back("%1 (%2 -> %3)"_text(ranks_text(moved[i].ranks), ms_text(moved[i].was / 1000),
                                             ms_text(moved[i].is / 1000)));
    }
    return enumerated(texts);
}

/// Where a change is that of ranks which moved: "only on rank 2 (16.9 ms -> 19.5 ms)". Where they changed by more than
/// all together, others went the other way, and are told. sum: of the change over all ranks, ns.
Message by_moved_ranks(std::span<const MovedRanks> moved, MovedRanks::Part part, double sum) {
    double theirs = 0;
    std::vector<MovedRanks> by;
    std::vector<MovedRanks> against;
    for (const MovedRanks& ranks : moved) {
        const double own = ranks.is - ranks.was;
        if (ranks.part != part)
            continue;
        if ((own > 0) != (sum > 0)) {
            against.push_back(ranks);
            continue;
        }
        constexpr double kStill = 0.1;
        if (std::abs(ranks.others_is - ranks.others_was) > kStill * std::abs(own))
            return {};
        theirs += own * static_cast<double>(ranks.ranks.size());
        by.push_back(ranks);
    }
    if (sum == 0 || by.empty() || theirs / sum < kByMovedRanks)
        return {};
    constexpr double kAllOfIt = 0.02; // what is left of it is noise
    if (theirs / sum <= 2 - kByMovedRanks)
        return (std::abs(theirs / sum - 1) <= kAllOfIt ? "only on %1"_text
                                                       : "mostly on %1"_text)(times_of_ranks(std::move(by)));
    return against.empty()
               ? "on %1; the others changed the other way"_text(times_of_ranks(std::move(by)))
               : "on %1, the other way on %2"_text(times_of_ranks(std::move(by)), times_of_ranks(std::move(against)));
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

std::string ms_text(double us) { return fmt::format("{:.{}f} ms", us / 1000, shown_decimals(us / 1000, 3)); }
std::string signed_ms_text(double us) { return fmt::format("{:+.{}f} ms", us / 1000, shown_decimals(us / 1000, 3)); }

Message compute_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                      const StepAccount& after, std::span<const MovedRanks> moved) {
    if (before.compute_kernels == 0 || after.compute_kernels == 0)
        return before.compute_kernels == after.compute_kernels ? Message() : "only one run computes on the GPU"_text();
    const std::array<Factor, 2> factors{
        {{before.compute_kernels, after.compute_kernels},
         {before.mean.compute / before.compute_kernels, after.mean.compute / after.compute_kernels}}};
    const double change = after.mean.compute - before.mean.compute;
    const std::vector<OperatorChange> kernels = kernel_changes(baseline, test, before, after);
    if (Message fresh = another_gpu(before, after) ? Message() : new_work_cause(baseline, test, kernels, change / 1000);
        !fresh.empty())
        return fresh;
    const auto leading = leading_factor(factors, change);
    if (!leading)
        return {};
    if (*leading == 0)
        return "%1 times as many kernels (%2 -> %3 an iteration)"_text(ratio_text(factors[0].baseline, factors[0].test),
                                                                       count_text(factors[0].baseline),
                                                                       count_text(factors[0].test));
    if (Message own =
            by_moved_ranks(moved, MovedRanks::Part::kernels, change * static_cast<double>(after.ranks.size()));
        !own.empty())
        return own;
    if (std::abs(factors[1].test / factors[1].baseline - 1) < kSameRatio)
        return {};
    const std::string ratio = ratio_text(factors[1].baseline, factors[1].test);
    // Another GPU changes all kernels: one of them is no cause.
    return another_gpu(before, after)
               ? inputs_recorded(baseline) && inputs_recorded(test)
                     ? "kernels take %1 times as long on average on the other GPU"_text(ratio)
                     : "kernels take %1 times as long on average on the other GPU, or with other inputs: the sizes of "
                       "inputs are not recorded in both runs"_text(ratio)
               : joined("kernels take %1 times as long on average"_text(ratio),
                        leading_kernel(kernels, change > 0, true));
}

Message communication_cause(const StepAccount& before, const StepAccount& after, ParallelDimension dimension) {
    const auto d = static_cast<std::size_t>(dimension);
    CallSum a = sum_of(before.calls[d]);
    CallSum b = sum_of(after.calls[d]);
    if (a.calls == 0 && b.calls == 0)
        return {};
    const std::string word(parallel_dimension_word(dimension));
    if (a.calls == 0 && dimension == ParallelDimension::unknown)
        return "in the test only: %1 calls an iteration"_text(count_text(b.calls));
    if (b.calls == 0 && dimension == ParallelDimension::unknown)
        return "in the baseline only: %1 calls an iteration"_text(count_text(a.calls));
    if (a.calls == 0)
        return "%1 in the test only: %2 calls an iteration"_text(word, count_text(b.calls));
    if (b.calls == 0)
        return "%1 in the baseline only: %2 calls an iteration"_text(word, count_text(a.calls));
    if (Message other = other_kinds_cause(before.calls[d], after.calls[d]); !other.empty())
        return other;
    if (before.untraced[d] != after.untraced[d])
        return before.untraced[d]
                   ? "not all of its members are traced in the baseline: it holds waits for the others"_text()
                   : "not all of its members are traced in the test: it holds waits for the others"_text();
    if (Message unseen = unseen_cause(before, after, d); !unseen.empty())
        return unseen;
    const bool all_unseen = a.unseen_calls >= a.calls && b.unseen_calls >= b.calls;
    const std::map<CallKind, CallSum> seen_before = seen_calls(before.calls[d]);
    const std::map<CallKind, CallSum> seen_after = seen_calls(after.calls[d]);
    a = sum_of(seen_before);
    b = sum_of(seen_after);
    const bool sized = all_sized(seen_before) && all_sized(seen_after);
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
    // Larger groups that take as long move more and are faster on the bus: what cancels out is no cause.
    const auto grown = [&](std::size_t factor) { return std::log(factors[factor].test / factors[factor].baseline); };
    if (grown(ring) * grown(speed) < 0) {
        const bool by_ring = std::abs(grown(ring)) > std::abs(grown(speed));
        merged[by_ring ? ring : speed] = {1, std::exp(grown(ring) + grown(speed))};
        merged[by_ring ? speed : ring] = {1, 1};
    }
    // More is in the open where there is more of it: that less is hidden is a cause only where nothing else changed, or
    // where the part in the open changed by far more than the whole did.
    constexpr double kFarMore = 2;
    std::array<Factor, 5> own = merged;
    if (std::abs(b.exposed - a.exposed) <= kFarMore * std::abs(b.time - a.time))
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
        return larger ? "messages %1 times as large"_text(ratio_text(factors[size].baseline, factors[size].test))
                      : "%1 times as many calls (%2 -> %3 an iteration)"_text(ratio_text(a.calls, b.calls),
                                                                              count_text(a.calls), count_text(b.calls));
    }
    case ring: return joined("larger groups move more for each byte"_text(), degree_change(before, after, dimension));
    case speed:
        if (Message groups = slower_groups(before, after, d); !groups.empty())
            return groups;
        if (Message text = joined(
                sized ? speed_text(a, b)
                      : "a call takes %1 times as long"_text(ratio_text(factors[speed].baseline, factors[speed].test)),
                leading_call(seen_before, seen_after));
            all_unseen)
            return "%1; not all of its members are traced: it may hold waits for the others"_text(text);
        else
            return text;
    default: {
        Message hidden = overlap_text(a, b, !all_unseen && !before.untraced[d]);
        const Message regrouped = regrouped_text(a, b, merged[calls]);
        return hidden.empty() ? regrouped : joined(std::move(hidden), regrouped);
    }
    }
}

Message late_ranks_cause(const StepAccount& before, const StepAccount& after, double change) {
    const ChangedRanks most =
        ranks_changed_most(before, after, change, [](const RankSteps& rank) { return rank.caused_wait; });
    if (most.ranks.empty())
        return {};
    Message text = "most for %1"_text(most.text);
    return text += own_part_text(before, after, most, change > 0);
}

Message copies_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                     const StepAccount& after, double change) {
    const std::vector<OperatorChange> copies =
        compare_operators(copy_totals_per_step(baseline, before), copy_totals_per_step(test, after));
    const auto gain = [&](const OperatorChange& copy) {
        return (copy.test.time_us - copy.baseline.time_us) * (change > 0 ? 1 : -1);
    };
    const auto most = std::ranges::max_element(copies, {}, gain);
    if (most == copies.end() || gain(*most) <= 0)
        return {};
    return "%1: %2 -> %3 an iteration (%4 -> %5 in all)"_text(
        shown_name(most->name), count_text(most->baseline.count), count_text(most->test.count),
        ms_text(most->baseline.time_us), ms_text(most->test.time_us));
}

Message bubble_cause(const StepAccount& before, const StepAccount& after) {
    if (Message unseen = unseen_cause(before, after, static_cast<std::size_t>(ParallelDimension::pp)); !unseen.empty())
        return unseen;
    Message cause;
    if (before.microbatches && after.microbatches && *before.microbatches != *after.microbatches)
        cause = "microbatches %1 -> %2"_text(count_text(*before.microbatches), count_text(*after.microbatches));
    const Message degree = degree_change(before, after, ParallelDimension::pp);
    if (cause.empty())
        return degree;
    return joined(cause, degree);
}

namespace {

/// What data loaders take in these iterations, mean of those of the ranks, ns; none without profiler steps. ranks:
/// empty: all.
std::optional<double> loading_time(const RunAnalysis& analysis, const StepAccount& account,
                                   const std::vector<int>& ranks) {
    const StepGraph& graph = analysis.step_graph();
    if (!graph.profiler_steps)
        return {};
    std::vector<std::vector<bool>> counts(analysis.run().ranks.size()); // by rank, then place of the step
    double steps = 0;
    for (const GraphStep& step : graph.steps) {
        const bool counted =
            std::ranges::binary_search(account.numbers[step.rank], step.number) &&
            (ranks.empty() || std::ranges::binary_search(ranks, analysis.run().ranks[step.rank]->rank));
        counts[step.rank].push_back(counted);
        steps += counted ? 1 : 0;
    }
    if (steps == 0)
        return {};
    double sum = 0;
    for (std::size_t r = 0; r < counts.size(); ++r)
        for (std::uint32_t n = graph.first_node[r]; n < graph.first_node[r + 1]; ++n)
            if (graph.kind[n] == NodeKind::data_loading && graph.step[n] < counts[r].size() && counts[r][graph.step[n]])
                sum += static_cast<double>(graph.times.duration[n]);
    return sum / steps;
}

} // namespace

Message loading_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                      const StepAccount& after, const std::vector<int>& ranks, double difference) {
    const std::optional<double> was = loading_time(baseline, before, ranks);
    const std::optional<double> is = loading_time(test, after, ranks);
    if (!was || !is || difference == 0 || (*is - *was) / difference < 0.5)
        return {};
    return ranks.size() > 1 ? "loading data takes the hosts %1 -> %2"_text(ms_text(*was / 1000), ms_text(*is / 1000))
                            : "loading data takes the host %1 -> %2"_text(ms_text(*was / 1000), ms_text(*is / 1000));
}

Message host_cause(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                   const StepAccount& after, std::span<const MovedRanks> moved) {
    const double change = after.mean.host - before.mean.host;
    Message own = by_moved_ranks(moved, MovedRanks::Part::host, change * static_cast<double>(after.ranks.size()));
    if (own.empty())
        if (const ChangedRanks most =
                ranks_changed_most(before, after, change * static_cast<double>(after.ranks.size()),
                                   [](const RankSteps& rank) { return rank.mean.host; });
            !most.ranks.empty())
            own = "most on %1"_text(most.text);
    Message why = loading_cause(baseline, test, before, after, {}, change);
    if (why.empty() && own.empty()) // of all ranks: it does not explain what happened to some
        why = launch_pace_cause(baseline, test, before, after, change);
    return why.empty() ? own : joined(why, own);
}

Message replaced_kernels(const RunAnalysis& baseline, const RunAnalysis& test, const StepAccount& before,
                         const StepAccount& after, double least) {
    const ReplacedKernels replaced = replaced_of(kernel_changes(baseline, test, before, after));
    return replaced.both() && std::min(replaced.added.us, replaced.gone.us) * 1000 >= least ? replaced.text()
                                                                                            : Message();
}

namespace {

std::string short_value(std::string_view value) {
    constexpr std::size_t kValueWidth = 24;
    return shortened(terminal_safe(value), kValueWidth);
}

/// The account of the iterations tells these: the GPU, degrees of parallelism and groups.
bool is_told_by_the_trace(const ConfigEntry& entry) {
    if (entry.key == "run.folder") // run_7 is no setting, 56cu_256threads is
        return !folder_names_settings(*entry.baseline, *entry.test);
    if (entry.key.starts_with("trace.device"))
        return true;
    const auto kind = setting_kind(entry.key);
    const bool of_parallelism = kind == SettingKind::parallelism || kind == SettingKind::pipeline;
    const auto number = [](const std::string& text) {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() && end == text.data() + text.size();
    };
    return of_parallelism && (entry.key.starts_with("trace.") || (number(*entry.baseline) && number(*entry.test)));
}

/// Settings of both runs that may change what an iteration takes and that are no number the account tells already.
/// engine: of the test; its version is told with its name.
std::vector<Message> changed_settings(std::span<const ConfigEntry> config, const std::string& engine) {
    constexpr std::size_t kTold = 4;
    std::vector<Message> told;
    std::size_t more = 0;
    for (const ConfigEntry& entry : config) {
        if (entry.equal() || !entry.baseline || !entry.test || is_told_by_the_trace(entry) ||
            !setting_kind(entry.key) || (entry.key.ends_with("_version") && engine.ends_with(' ' + *entry.test)))
            continue;
        if (told.size() == kTold) {
            ++more;
            continue;
        }
        const std::size_t part = entry.key.rfind('.');
        told.emplace_back(
            "%1 %2 -> %3"_text(shown_name(std::string_view(entry.key).substr(part == std::string::npos ? 0 : part + 1)),
                               short_value(*entry.baseline), short_value(*entry.test)));
    }
    if (more > 0)
        told.push_back("%1 more settings"_text(more));
    return told;
}

} // namespace

namespace {

using Degrees = std::array<std::optional<int>, kParallelDimensionCount>;

/// What groups were recorded of, else what the configuration names; where these fill the world, the others are 1.
Degrees degrees_of(const RunAnalysis& analysis) {
    const StepAccount& account = analysis.steps();
    const Parallelism parallelism = parallelism_of(analysis.run().config);
    Degrees degrees;
    const auto of = [&degrees](ParallelDimension d) -> std::optional<int>& {
        return degrees[static_cast<std::size_t>(d)];
    };
    for (std::size_t d = 0; d < kParallelDimensionCount; ++d)
        if (account.group_size[d] > 0)
            degrees[d] = account.group_size[d];
    const bool whole_dp = of(ParallelDimension::dp).has_value();
    for (const auto& [dimension, size] : mesh_of(parallelism, account.world_size)) {
        const bool part = dimension == ParallelDimension::dp_replicate || dimension == ParallelDimension::dp_shard;
        if (!of(dimension) && !(part && whole_dp))
            of(dimension) = size;
    }
    if (!of(ParallelDimension::ep) && parallelism.ep && parallelism.ep->value >= 1)
        of(ParallelDimension::ep) = static_cast<int>(std::min(parallelism.ep->value, 1e9));
    // Groups of experts lie across the mesh; dp is both its parts.
    std::vector<ParallelDimension> mesh{ParallelDimension::pp, ParallelDimension::cp, ParallelDimension::tp};
    if (!whole_dp && (of(ParallelDimension::dp_replicate) || of(ParallelDimension::dp_shard)))
        mesh.insert(mesh.end(), {ParallelDimension::dp_replicate, ParallelDimension::dp_shard});
    else
        mesh.push_back(ParallelDimension::dp);
    double ranks = 1;
    for (const ParallelDimension dimension : mesh)
        ranks *= of(dimension).value_or(1);
    if (ranks == account.world_size)
        for (const ParallelDimension dimension : mesh)
            if (!of(dimension))
                of(dimension) = 1;
    return degrees;
}

} // namespace

bool split_alike(const RunAnalysis& baseline, const RunAnalysis& test) {
    const Degrees before = degrees_of(baseline);
    const Degrees after = degrees_of(test);
    for (std::size_t d = 0; d < before.size(); ++d)
        if (before[d] && after[d] && *before[d] != *after[d])
            return false;
    return baseline.run().world_size == test.run().world_size;
}

std::vector<Message> setup_changes(const RunAnalysis& baseline, const RunAnalysis& test, const InputSizes& inputs,
                                   std::span<const ConfigEntry> config) {
    const StepAccount& before = baseline.steps();
    const StepAccount& after = test.steps();
    std::vector<Message> changes;
    const std::string engine_before = engine_name(baseline.run());
    const std::string engine_after = engine_name(test.run());
    if (!engine_before.empty() && !engine_after.empty() && engine_before != engine_after)
        changes.emplace_back("%1 -> %2"_text(terminal_safe(engine_before), terminal_safe(engine_after)));
    if (another_gpu(before, after))
        changes.emplace_back("GPU %1 -> %2"_text(before.gpu, after.gpu));
    const Degrees degrees_before = degrees_of(baseline);
    const Degrees degrees_after = degrees_of(test);
    for (std::size_t d = 0; d + 1 < kParallelDimensionCount; ++d) {
        const auto& from = degrees_before[d];
        const auto& to = degrees_after[d];
        if (from && to && *from != *to)
            changes.emplace_back(
                fmt::format("{} {} -> {}", parallel_dimension_word(static_cast<ParallelDimension>(d)), *from, *to));
    }
    if (before.microbatches && after.microbatches && *before.microbatches != *after.microbatches)
        changes.push_back(
            "microbatches %1 -> %2"_text(count_text(*before.microbatches), count_text(*after.microbatches)));
    if (before.world_size != after.world_size && before.world_size > 0 && after.world_size > 0)
        changes.push_back("%1 -> %2 ranks"_text(before.world_size, after.world_size));
    if (!inputs.differ.empty())
        changes.push_back("inputs of other sizes (%1)"_text(inputs.differ));
    for (Message& setting : changed_settings(config, engine_after))
        changes.push_back(std::move(setting));
    return changes;
}

} // namespace rankscope
