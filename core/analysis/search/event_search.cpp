// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the events of a run that meet a query.
#include "core/analysis/search/event_search.h"

#include <algorithm>
#include <array>

#include <re2/re2.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "core/analysis/collectives/collectives.h"
#include "core/base/text_match.h"
#include "core/trace/collective_kind.h"

namespace rankscope {
namespace {

/// Events scanned by one task.
constexpr EventIndex kChunk = 1 << 17;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// word is in lower case already.
bool contains_ignoring_case(std::string_view text, std::string_view word) {
    const auto same = [](char a, char b) { return lower(a) == b; };
    return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

bool equal_ignoring_case(std::string_view text, std::string_view word) {
    return text.size() == word.size() && contains_ignoring_case(text, word);
}

template <typename Term>
std::vector<std::pair<Term, bool>> terms_of(const EventQuery& query) {
    std::vector<std::pair<Term, bool>> found;
    for (const QueryTerm& term : query.terms)
        if (const Term* own = std::get_if<Term>(&term.what))
            found.emplace_back(*own, term.negated);
    return found;
}

/// One byte per name: whether it meets all terms about names; empty without such terms.
std::vector<std::uint8_t> matching_names(const StringTable& names, const EventQuery& query) {
    const auto words = terms_of<NameContains>(query);
    const auto patterns = terms_of<NameMatches>(query);
    if (words.empty() && patterns.empty())
        return {};
    std::vector<std::uint8_t> matches(names.size());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, matches.size(), 64), [&](const auto& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
            const std::string_view name = names.view(static_cast<NameId>(i));
            const auto has_word = [&](const auto& term) {
                return contains_ignoring_case(name, term.first.lower) != term.second;
            };
            const auto has_pattern = [&](const auto& term) {
                return RE2::PartialMatch({name.data(), name.size()}, *term.first.pattern) != term.second;
            };
            matches[i] = std::ranges::all_of(words, has_word) && std::ranges::all_of(patterns, has_pattern);
        }
    });
    return matches;
}

/// Whether each kind, class and lane can hold a hit.
struct Filters {
    std::array<bool, kEventKindCount> kinds{};
    std::array<bool, kKernelClassCount> classes{};
    bool asks_class = false;
    bool cpu = true; ///< events that have no class
};

Filters filters_of(const EventQuery& query) {
    Filters filters;
    filters.kinds.fill(true);
    filters.classes.fill(true);
    for (const auto& [term, negated] : terms_of<OfKind>(query))
        for (std::size_t k = 0; k < kEventKindCount; ++k) {
            const bool named = std::ranges::find(term.kinds, static_cast<EventKind>(k)) != term.kinds.end();
            filters.kinds[k] = filters.kinds[k] && named != negated;
        }
    for (const auto& [term, negated] : terms_of<OfClass>(query)) {
        filters.asks_class = true;
        filters.cpu = filters.cpu && negated;
        for (std::size_t c = 0; c < kKernelClassCount; ++c)
            filters.classes[c] = filters.classes[c] && (static_cast<KernelClass>(c) == term.kernel_class) != negated;
    }
    return filters;
}

bool rank_may_match(const EventQuery& query, int rank) {
    return std::ranges::all_of(
        terms_of<OfRank>(query),
        [&](const auto& term) {
            const bool named = std::ranges::any_of(
                term.first.ranges, [&](const auto& r) { return r.first <= rank && rank <= r.second; });
            return named != term.second;
        });
}

bool lane_may_match(const EventQuery& query, const Lane& lane) {
    return std::ranges::all_of(
               terms_of<OnStream>(query),
               [&](const auto& term) {
                   return (lane.kind != LaneKind::cpu_thread && lane.kind != LaneKind::other &&
                           lane.stream == term.first.stream) != term.second;
               }) &&
           std::ranges::all_of(
               terms_of<InLane>(query),
               [&](const auto& term) { return contains_ignoring_case(lane.name, term.first.lower) != term.second; });
}

std::int64_t bytes_of(const RankTrace& trace, const CollectiveArgs& args) {
    const bool gathers = collective_kind(trace.names->view(args.collective)) == CollectiveKind::all_gather;
    const std::int64_t elements = gathers ? args.out_elements : args.in_elements;
    const int size = dtype_bytes(trace.names->view(args.dtype));
    return elements < 0 || size == 0 ? kUnknown : elements * size;
}

/// An argument that was not recorded is no hit, whatever it is compared with; negated it is one.
bool has_arg(const RankTrace& trace, EventIndex event, const HasArg& arg) {
    const CollectiveArgs* args = trace.collective_of(event);
    if (arg.key == ArgKey::bytes && args == nullptr) {
        const auto at = std::ranges::lower_bound(trace.memory_transfers, event, {}, &MemoryTransfer::event);
        const bool known = at != trace.memory_transfers.end() && at->event == event && at->bytes >= 0;
        return known && compare(at->bytes, arg.how, arg.number);
    }
    if (args == nullptr)
        return false;
    const auto number = [&](std::int64_t value) { return value >= 0 && compare(value, arg.how, arg.number); };
    switch (arg.key) {
    case ArgKey::collective: return contains_ignoring_case(trace.names->view(args->collective), arg.lower);
    case ArgKey::dtype: return equal_ignoring_case(trace.names->view(args->dtype), arg.lower);
    case ArgKey::group: {
        if (args->group < 0)
            return false;
        const ProcessGroup& group = trace.process_groups[static_cast<std::size_t>(args->group)];
        return equal_ignoring_case(group.name, arg.lower) || equal_ignoring_case(group.description, arg.lower);
    }
    case ArgKey::bytes: return number(bytes_of(trace, *args));
    case ArgKey::elements: return number(args->in_elements);
    case ArgKey::ranks: return number(args->group_size);
    case ArgKey::seq: return number(trace.collective_sequence_of(event));
    case ArgKey::source: return number(args->source_rank);
    case ArgKey::destination: return number(args->destination_rank);
    }
    return false;
}

/// A stretch of one rank's events, all of one lane.
struct Chunk {
    std::uint32_t rank = 0;
    EventIndex begin = 0;
    EventIndex end = 0;
    std::vector<EventIndex> hits;
    TimeNs time = 0;
};

class Scan {
public:
    Scan(const RunClasses& classes, const EventQuery& query)
        : classes_(classes), names_(matching_names(*classes.run().names, query)), filters_(filters_of(query)),
          lasts_(terms_of<Lasts>(query)), args_(terms_of<HasArg>(query)),
          all_kinds_(std::ranges::all_of(filters_.kinds, [](bool on) { return on; })) {}

    void run(Chunk& chunk) const {
        const RankTrace& trace = *classes_.run().ranks[chunk.rank];
        const std::vector<KernelClass>* classes = filters_.asks_class ? &classes_.of_rank(chunk.rank) : nullptr;
        for (EventIndex e = chunk.begin; e < chunk.end; ++e)
            if (meets(trace, e, classes)) {
                chunk.hits.push_back(e);
                chunk.time += trace.events.duration[e];
            }
    }

private:
    bool meets(const RankTrace& trace, EventIndex e, const std::vector<KernelClass>* classes) const {
        const EventTable& events = trace.events;
        // Names interned since the list was made belong to ranks that are still being read.
        if (!names_.empty() && (events.name[e] >= names_.size() || names_[events.name[e]] == 0))
            return false;
        for (const auto& [term, negated] : lasts_)
            if (compare(events.duration[e], term.how, term.time) == negated)
                return false;
        if (!all_kinds_ && !filters_.kinds[static_cast<std::size_t>(events.kind[e])])
            return false;
        if (classes != nullptr &&
            !(e < classes->size() ? filters_.classes[static_cast<std::size_t>((*classes)[e])] : filters_.cpu))
            return false;
        return std::ranges::all_of(args_,
                                   [&](const auto& term) { return has_arg(trace, e, term.first) != term.second; });
    }

    const RunClasses& classes_;
    std::vector<std::uint8_t> names_;
    Filters filters_;
    std::vector<std::pair<Lasts, bool>> lasts_;
    std::vector<std::pair<HasArg, bool>> args_;
    bool all_kinds_;
};

std::vector<Chunk> chunks_of(const Run& run, const EventQuery& query) {
    std::vector<Chunk> chunks;
    for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
        if (!rank_may_match(query, run.ranks[r]->rank))
            continue;
        for (const Lane& lane : run.ranks[r]->lanes)
            if (lane_may_match(query, lane))
                for (EventIndex begin = lane.begin; begin < lane.end; begin += std::min(kChunk, lane.end - begin))
                    chunks.push_back({r, begin, begin + std::min(kChunk, lane.end - begin), {}, 0});
    }
    return chunks;
}

SearchHits gathered(const Run& run, const std::vector<Chunk>& chunks) {
    SearchHits hits;
    hits.ranks.resize(run.ranks.size());
    std::vector<std::size_t> sizes(run.ranks.size());
    for (const Chunk& chunk : chunks) {
        sizes[chunk.rank] += chunk.hits.size();
        hits.time += chunk.time;
    }
    hits.before.assign(1, 0);
    for (const std::size_t size : sizes)
        hits.before.push_back(hits.before.back() + size);
    hits.count = hits.before.back();
    tbb::parallel_for(std::size_t{0}, sizes.size(), [&](std::size_t r) {
        hits.ranks[r].reserve(sizes[r]);
        const auto own = std::ranges::equal_range(chunks, static_cast<std::uint32_t>(r), {}, &Chunk::rank);
        for (const Chunk& chunk : own)
            hits.ranks[r].insert(hits.ranks[r].end(), chunk.hits.begin(), chunk.hits.end());
    });
    return hits;
}

} // namespace

EventPlace SearchHits::at(std::size_t n) const {
    const auto after = std::ranges::upper_bound(before, n);
    const auto rank = static_cast<std::size_t>(after - before.begin()) - 1;
    return {static_cast<std::uint32_t>(rank), ranks[rank][n - before[rank]]};
}

std::size_t SearchHits::number_of(EventPlace place) const {
    const auto& own = ranks[place.rank];
    return before[place.rank] + static_cast<std::size_t>(std::ranges::lower_bound(own, place.event) - own.begin());
}

bool SearchHits::contains(EventPlace place) const {
    return place.rank < ranks.size() && std::ranges::binary_search(ranks[place.rank], place.event);
}

std::optional<SearchHits> search_events(const RunClasses& classes, const EventQuery& query,
                                        const std::stop_token& cancel) {
    const Run& run = classes.run();
    std::vector<Chunk> chunks = query.terms.empty() ? std::vector<Chunk>() : chunks_of(run, query);
    if (!chunks.empty()) {
        const Scan scan(classes, query);
        tbb::parallel_for(std::size_t{0}, chunks.size(), [&](std::size_t i) {
            if (!cancel.stop_requested())
                scan.run(chunks[i]);
        });
    }
    if (cancel.stop_requested())
        return std::nullopt;
    return gathered(run, chunks);
}

} // namespace rankscope
