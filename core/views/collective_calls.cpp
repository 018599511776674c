// SPDX-License-Identifier: GPL-3.0-or-later
// The matched collective calls of a run as a table.
#include "core/views/collective_calls.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "core/analysis/basics/tolerance.h"
#include "core/base/text_match.h"

namespace rankscope {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
/// Names in the order of the alphabet as numbers, so that sorting compares numbers.
template <typename Text>
std::vector<double> alphabetical(std::size_t count, Text text) {
    std::map<std::string, double> places;
    for (std::size_t i = 0; i < count; ++i)
        places[lower_case(text(i))] = 0;
    double place = 0;
    for (auto& [name, at] : places)
        at = place++;
    std::vector<double> result;
    for (std::size_t i = 0; i < count; ++i)
        result.push_back(places[lower_case(text(i))]);
    return result;
}

double known(std::int64_t value) { return value == kUnknown ? kNothing : static_cast<double>(value); }

/// The number a column is sorted by; NaN: unknown.
std::vector<double> sort_keys(const CollectiveCalls& calls, std::span<const std::uint32_t> order, CallColumn column) {
    const auto keys = [&](auto key) {
        std::vector<double> result;
        result.reserve(order.size());
        for (const std::uint32_t call : order)
            result.push_back(key(call));
        return result;
    };
    const auto of_timing = [&](auto key) { return keys([&](std::uint32_t call) { return key(calls.timing(call)); }); };
    const Run& run = calls.analysis->run();
    switch (column) {
    case CallColumn::number: return keys([](std::uint32_t call) { return static_cast<double>(call); });
    case CallColumn::start:
        return of_timing([&](const CollectiveTiming& t) { return static_cast<double>(t.start - run.span.begin); });
    case CallColumn::word: return keys([&](std::uint32_t call) { return static_cast<double>(calls.calls[call].word); });
    case CallColumn::kind: {
        const auto places = alphabetical(
            kCollectiveKindCount, [](std::size_t i) { return collective_kind_word(static_cast<CollectiveKind>(i)); });
        return of_timing([&](const CollectiveTiming& t) { return places[static_cast<std::size_t>(t.kind)]; });
    }
    case CallColumn::group: {
        const auto& groups = calls.analysis->collectives().groups;
        const auto places = alphabetical(
            groups.size(), [&](std::size_t i) { return group_title(groups[i]); });
        return of_timing([&](const CollectiveTiming& t) { return places[t.group]; });
    }
    case CallColumn::dimension:
        return keys([&](std::uint32_t call) { return static_cast<double>(calls.calls[call].dimension); });
    case CallColumn::dtype:
        return alphabetical(order.size(), [&](std::size_t i) { return run.names->view(calls.calls[order[i]].dtype); });
    case CallColumn::bytes: return of_timing([](const CollectiveTiming& t) { return known(t.bytes); });
    case CallColumn::busbw: return of_timing([](const CollectiveTiming& t) { return t.busbw; });
    case CallColumn::duration:
        return of_timing([](const CollectiveTiming& t) { return static_cast<double>(t.latency); });
    case CallColumn::lag:
        return of_timing(
            [](const CollectiveTiming& t) { return t.alone ? kNothing : static_cast<double>(t.start_skew); });
    case CallColumn::last_rank:
        return of_timing([](const CollectiveTiming& t) {
            return is_last_rank_known(t) ? static_cast<double>(t.last_rank) : kNothing;
        });
    case CallColumn::origin:
        return keys([&](std::uint32_t call) {
            const WaitOrigin* origin = origin_of_waits(calls, call);
            return origin == nullptr ? kNothing : static_cast<double>(run.ranks[origin->rank]->rank);
        });
    case CallColumn::ranks:
        return of_timing([](const CollectiveTiming& t) { return static_cast<double>(t.members.size()); });
    }
    return {};
}

} // namespace

std::string group_title(const CommGroup& group) { return group.label(); }

bool is_unknown_call(const CollectiveTiming& timing) {
    return timing.kind == CollectiveKind::other && timing.members.size() == 1;
}

bool is_last_rank_known(const CollectiveTiming& timing) { return !timing.alone && timing.start_skew > 0; }

const WaitOrigin* origin_of_waits(const CollectiveCalls& calls, std::uint32_t call) {
    const std::uint32_t transfer = calls.calls[call].transfer;
    if (transfer == kNoNode)
        return nullptr;
    const WaitOrigin& origin = calls.analysis->waiting().origins[transfer];
    return origin.rank == kNoNode || origin.waited < kShortestWait ? nullptr : &origin;
}

CollectiveCalls list_collective_calls(std::shared_ptr<const RunAnalysis> analysis, const std::stop_token& stop) {
    CollectiveCalls result{std::move(analysis), {}, {}};
    const RunAnalysis& all = *result.analysis;
    const CollectiveMatching& matching = all.collectives();
    const auto timings = all.call_table().whole_calls();
    const Parallelism parallelism = parallelism_of(all.run().config);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> transfers; // by first member
    for (std::uint32_t t = 0; t < all.step_graph().matched.size(); ++t)
        transfers[matching.matched[all.step_graph().matched[t]].members.front()] = t;
    std::map<std::string, std::uint32_t> places;
    std::vector<const std::uint32_t*> word_of; // into the map, whose nodes stay where they are
    result.calls.reserve(timings.size());
    word_of.reserve(timings.size());
    for (const CollectiveTiming& timing : timings) {
        if (result.calls.size() % kCallsBetweenStops == 0 && stop.stop_requested()) {
            result.calls.clear();
            return result;
        }
        const TimedMember& first = timing.members.front();
        const CommCall& call = matching.call(first);
        word_of.push_back(&places[collective_word(all.run(), call)]);
        result.calls.push_back({0, call.args == nullptr ? NameId{0} : call.args->dtype,
                                dimension_of_call(all.traffic().groups[timing.group], call, parallelism)});
        if (const auto transfer = transfers.find({first.rank, first.call}); transfer != transfers.end())
            result.calls.back().transfer = transfer->second;
    }
    for (auto& [word, place] : places) {
        place = static_cast<std::uint32_t>(result.words.size());
        result.words.push_back(word);
    }
    for (std::size_t i = 0; i < result.calls.size(); ++i)
        result.calls[i].word = *word_of[i];
    return result;
}

std::vector<std::uint32_t> filter_calls(const CollectiveCalls& calls, const CallFilter& filter,
                                        const std::stop_token& stop) {
    const std::string text = lower_case(filter.text);
    const auto has_text = [&](std::string_view name) { return contains(lower_case(name), text); };
    std::vector<bool> words;
    for (const std::string& word : calls.words)
        words.push_back(has_text(word));
    std::vector<bool> groups;
    for (const CommGroup& group : calls.analysis->collectives().groups)
        groups.push_back(has_text(group.name) || has_text(group.description));
    std::map<NameId, bool> dtypes;
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = 0; i < calls.size(); ++i) {
        if (i % kCallsBetweenStops == 0 && stop.stop_requested())
            return {};
        const ListedCall& call = calls.calls[i];
        const CollectiveTiming& timing = calls.timing(i);
        if ((!filter.messages && calls.group(i).point_to_point) || (!filter.unknown && is_unknown_call(timing)) ||
            (filter.kind && timing.kind != *filter.kind) || (filter.dimension && call.dimension != *filter.dimension) ||
            (filter.group && timing.group != *filter.group))
            continue;
        if (!text.empty() && !words[call.word] && !groups[timing.group]) {
            const auto [dtype, added] = dtypes.try_emplace(call.dtype);
            if (added)
                dtype->second = has_text(calls.analysis->run().names->view(call.dtype));
            if (!dtype->second)
                continue;
        }
        result.push_back(i);
    }
    return result;
}

void sort_calls(const CollectiveCalls& calls, std::vector<std::uint32_t>& order, CallColumn column, bool descending) {
    const std::vector<double> keys = sort_keys(calls, order, column);
    std::vector<std::uint32_t> places(order.size());
    for (std::uint32_t i = 0; i < places.size(); ++i)
        places[i] = i;
    std::ranges::stable_sort(places, [&](std::uint32_t a, std::uint32_t b) {
        if (std::isnan(keys[a]) || std::isnan(keys[b]))
            return !std::isnan(keys[a]) && std::isnan(keys[b]);
        return descending ? keys[a] > keys[b] : keys[a] < keys[b];
    });
    for (std::uint32_t& place : places)
        place = order[place];
    order = std::move(places);
}

} // namespace rankscope
