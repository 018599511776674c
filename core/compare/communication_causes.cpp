// SPDX-License-Identifier: GPL-3.0-or-later
// Why more, or less, communication of a dimension is in the open, and why bubbles are longer.
//   The same 20 all-reduces move 8 MB instead of 4 at the same speed: "messages are 2.00 times as large".
#include "core/compare/change_causes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/words.h"
#include "core/compare/cause_words.h"

namespace rankscope {

using namespace cause_words;

namespace {

constexpr double kNoChange = 0.05; ///< of a factor, logarithm: less is no cause

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
    const auto with_arguments = [](const std::map<CallKind, CallSum>& calls) {
        return std::ranges::any_of(calls, [](const auto& call) { return call.first.elements != kUnknown; });
    };
    if (with_arguments(before) != with_arguments(after))
        return {}; // one run has the names of operators, the other those of kernels
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

/// How much of the calls' time is neither hidden by computation nor waited for, in percent: other calls of the rank end
/// later.
double beside_percent(const CallSum& sum) {
    return sum.time > 0 ? std::max(0.0, 100 - hidden_percent(sum) - 100 * sum.exposed / sum.time) : 0;
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
        groups.push_back(group);
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

} // namespace

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

} // namespace rankscope
