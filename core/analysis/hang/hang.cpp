// SPDX-License-Identifier: GPL-3.0-or-later
// Who holds up whom. Calls and ranks are the nodes of a graph: a call waits for members that did not come, and for the
// open calls that a member made before it; a rank that did not come waits in its own open calls. What waits for nothing
// is at fault, or is a circle.
#include "core/analysis/hang/hang.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "core/analysis/hang/hang_waits.h"
#include "core/base/text_match.h"
#include "core/base/words.h"
#include "core/trace/dump_name.h"
#include "core/trace/run.h"

namespace rankscope {
namespace {

using State = HangPart::State;

constexpr std::int64_t kMostElements = std::int64_t{1} << 53;
constexpr std::string_view kTotals = "totals";

struct WaitEdge {
    std::uint32_t to = 0;
    int rank = 0; ///< whose doing it is
    bool proved = true;
};

/// Nodes are the open calls, then the ranks.
struct WaitGraph {
    std::vector<std::vector<WaitEdge>> edges;
    std::vector<int> ranks;                          ///< of the nodes behind the calls; ascending
    std::vector<std::uint32_t> component;            ///< of each node
    std::vector<std::vector<std::uint32_t>> members; ///< of each component
    std::vector<char> leaves;                        ///< components from which an edge leads elsewhere
};

/// Tarjan's algorithm with a stack of its own: chains are as long as the buffers of all ranks.
void find_components(WaitGraph& graph) {
    constexpr std::uint32_t kUnseen = UINT32_MAX;
    const std::size_t count = graph.edges.size();
    std::vector<std::uint32_t> order(count, kUnseen), low(count);
    std::vector<char> on_stack(count);
    std::vector<std::uint32_t> stack;
    struct Frame {
        std::uint32_t node;
        std::size_t edge;
    };
    std::vector<Frame> frames;
    graph.component.assign(count, kUnseen);
    std::uint32_t next = 0;
    const auto enter = [&](std::uint32_t node) {
        order[node] = low[node] = next++;
        stack.push_back(node);
        on_stack[node] = 1;
        frames.push_back({node, 0});
    };
    for (std::uint32_t root = 0; root < count; ++root) {
        if (order[root] != kUnseen)
            continue;
        enter(root);
        while (!frames.empty()) {
            const std::uint32_t node = frames.back().node;
            if (frames.back().edge < graph.edges[node].size()) {
                const std::uint32_t to = graph.edges[node][frames.back().edge++].to;
                if (order[to] == kUnseen)
                    enter(to);
                else if (on_stack[to] != 0)
                    low[node] = std::min(low[node], order[to]);
                continue;
            }
            frames.pop_back();
            if (!frames.empty())
                low[frames.back().node] = std::min(low[frames.back().node], low[node]);
            if (low[node] != order[node])
                continue;
            const auto number = static_cast<std::uint32_t>(graph.members.size());
            auto& members = graph.members.emplace_back();
            for (bool more = true; more;) {
                const std::uint32_t member = stack.back();
                stack.pop_back();
                on_stack[member] = 0;
                graph.component[member] = number;
                members.push_back(member);
                more = member != node;
            }
        }
    }
    graph.leaves.assign(graph.members.size(), 0);
    for (std::uint32_t node = 0; node < count; ++node)
        for (const WaitEdge& edge : graph.edges[node])
            if (graph.component[edge.to] != graph.component[node])
                graph.leaves[graph.component[node]] = 1;
}

std::string sizes_text(const std::vector<std::vector<std::int64_t>>& sizes) {
    constexpr std::size_t kShown = 4;
    std::string text = "[";
    for (std::size_t i = 0; i < std::min(sizes.size(), kShown); ++i)
        text += fmt::format("{}[{}]", i == 0 ? "" : ", ", fmt::join(sizes[i], ", "));
    return text + (sizes.size() > kShown ? fmt::format(" and {} more]", sizes.size() - kShown) : "]");
}

std::string types_text(const std::vector<std::string>& types) {
    std::set<std::string> different(types.begin(), types.end());
    return fmt::format("{}", fmt::join(different, ", "));
}

/// Of all tensors together; -1: more than anybody has, or not known.
std::int64_t element_count(const std::vector<std::vector<std::int64_t>>& tensors) {
    std::int64_t elements = 0;
    for (const auto& sizes : tensors) {
        std::int64_t product = 1;
        for (const std::int64_t size : sizes)
            product = product < 0 || size < 0 || (size > 0 && product > kMostElements / size) ? -1 : product * size;
        elements = product < 0 || elements < 0 || product > kMostElements - elements ? -1 : elements + product;
    }
    return elements;
}

bool is_all_to_all(std::string_view lower) { return contains(lower, "all_to_all") || contains(lower, "alltoall"); }

/// What members of one call must have in common, as text.
struct CommonParts {
    std::string kind;
    std::string sizes;
    std::string types;
};

CommonParts common_parts(const FlightRecorderDump& dump, const FlightRecorderCall& call) {
    const std::string& kind = dump.kinds[call.kind];
    const FlightRecorderTensors& tensors = dump.tensors[call.tensors];
    CommonParts parts;
    if (call.is_message()) {
        // What is sent is what is received, in whatever shape.
        const bool sends = kind == "send";
        parts.kind = "message";
        parts.sizes = std::to_string(element_count(sends ? tensors.inputs : tensors.outputs));
        parts.types = types_text(sends ? tensors.input_types : tensors.output_types);
        return parts;
    }
    parts.kind = kind;
    const std::string lower = lower_case(kind);
    const bool uneven = is_all_to_all(lower) || lower.ends_with("_v") || contains(lower, "_v_") ||
                        contains(lower, "barrier") || lower == "split" || lower == "new_window" ||
                        contains(lower, "coalesced");
    const bool from_one = contains(lower, "scatter") && !contains(lower, "reduce_scatter");
    const bool to_one =
        lower == "gather" || (contains(lower, "reduce") && !contains(lower, "all") && !contains(lower, "scatter"));
    if (uneven)
        return parts;
    parts.sizes = (from_one ? std::string() : sizes_text(tensors.inputs)) + " -> " +
                  (to_one ? std::string() : sizes_text(tensors.outputs));
    // Tensors without elements have a type that nobody looks at.
    const auto has_any = [](const std::vector<std::vector<std::int64_t>>& all) {
        return std::ranges::any_of(all, [](const auto& sizes) { return std::ranges::find(sizes, 0) == sizes.end(); });
    };
    if (!from_one && lower != "broadcast" && has_any(tensors.inputs))
        parts.types = types_text(tensors.input_types);
    else if (!to_one && has_any(tensors.outputs))
        parts.types = types_text(tensors.output_types);
    return parts;
}

Message called_text(const FlightRecorderDump& dump, const FlightRecorderCall& call) {
    const FlightRecorderTensors& tensors = dump.tensors[call.tensors];
    const bool receives = dump.kinds[call.kind] == "recv";
    const std::string sizes = sizes_text(receives ? tensors.outputs : tensors.inputs);
    Message text = !receives && !call.is_message() && tensors.outputs != tensors.inputs && !tensors.outputs.empty()
                       ? "%1 %2 to %3"_text(dump.kinds[call.kind], sizes, sizes_text(tensors.outputs))
                       : Message(dump.kinds[call.kind] + ' ' + sizes);
    const std::string types = types_text(receives ? tensors.output_types : tensors.input_types);
    return types.empty() ? text : text += ' ' + types;
}

/// A dump that ends longer before the oldest open call than any job waits: it is of another launch.
constexpr TimeNs kLongestWait = TimeNs{6} * 3600 * 1'000'000'000;

/// Those of the dumps that are of one launch, the newest. A dump without times stays.
std::vector<RankDump> of_last_launch(std::span<const RankDump> dumps) {
    std::vector<RankDump> newest_first(dumps.begin(), dumps.end());
    std::ranges::stable_sort(newest_first, std::greater{}, [](const RankDump& dump) { return dump.dump->last_time; });
    std::vector<RankDump> kept;
    TimeNs oldest_open = 0; // of those kept; 0: none
    for (const RankDump& dump : newest_first) {
        const TimeNs end = dump.dump->last_time;
        if (end != 0 && oldest_open != 0 && oldest_open - end > kLongestWait)
            continue;
        kept.push_back(dump);
        for (const FlightRecorderCall& call : dump.dump->calls)
            if (call.state != CallState::completed && call.created != 0 &&
                (oldest_open == 0 || call.created < oldest_open))
                oldest_open = call.created;
    }
    std::ranges::sort(kept, {}, &RankDump::rank);
    return kept;
}

class HangFinder {
public:
    HangFinder(std::span<const RankDump> dumps, const HangEvidence& evidence)
        : evidence_(evidence), waits_(match_open_calls(of_last_launch(dumps), evidence)) {
        for (const RankDump& dump : dumps)
            if (waits_.dump_of(dump.rank) == waits_.dumps.size())
                old_.insert(dump.rank);
        for (const int rank : evidence.unreadable)
            if (waits_.dump_of(rank) == waits_.dumps.size() && !old_.contains(rank))
                unreadable_.insert(rank);
    }

    Hang find() {
        for (const RankDump& dump : waits_.dumps)
            hang_.last_time = std::max(hang_.last_time, dump.dump->last_time);
        std::ranges::copy_if(waits_.no_dump, std::back_inserter(hang_.no_dump),
                             [&](int rank) { return !unreadable_.contains(rank) && !old_.contains(rank); });
        look_for_starts();
        build_graph();
        find_components(graph_);
        for (std::uint32_t component = 0; component < graph_.members.size(); ++component)
            if (graph_.leaves[component] == 0)
                judge(component);
        if (!hang_.first_stuck)
            judge_statuses();
        judge_the_rest();
        describe_ranks();
        find_mismatches();
        find_links();
        write_notes();
        return std::move(hang_);
    }

private:
    [[nodiscard]] std::uint32_t node_of(int rank) const {
        return static_cast<std::uint32_t>(
            waits_.calls.size() +
            static_cast<std::size_t>(std::ranges::lower_bound(graph_.ranks, rank) - graph_.ranks.begin()));
    }
    [[nodiscard]] bool is_call(std::uint32_t node) const { return node < waits_.calls.size(); }
    [[nodiscard]] int rank_of(std::uint32_t node) const { return graph_.ranks[node - waits_.calls.size()]; }

    void build_graph() {
        for (const RankDump& dump : waits_.dumps)
            graph_.ranks.push_back(dump.rank);
        graph_.ranks.insert(graph_.ranks.end(), waits_.no_dump.begin(), waits_.no_dump.end());
        for (const std::set<int>* unusable : {&unreadable_, &old_})
            graph_.ranks.insert(graph_.ranks.end(), unusable->begin(), unusable->end());
        for (const OpenCall& open : waits_.calls)
            for (const HangPart& part : open.parts)
                if (part.state == State::no_dump) // also of a group whose members are not told
                    graph_.ranks.push_back(part.rank);
        std::ranges::sort(graph_.ranks);
        const auto repeated = std::ranges::unique(graph_.ranks);
        graph_.ranks.erase(repeated.begin(), repeated.end());
        graph_.edges.resize(waits_.calls.size() + graph_.ranks.size());
        std::set<std::uint32_t> awaited;
        for (std::uint32_t c = 0; c < waits_.calls.size(); ++c)
            for (const HangPart& part : waits_.calls[c].parts) {
                if (part.state != State::absent && part.state != State::no_dump)
                    continue;
                graph_.edges[c].push_back({node_of(part.rank), part.rank, part.proved});
                awaited.insert(node_of(part.rank));
            }
        for (std::size_t i = 0; i < waits_.queues.size(); ++i) {
            const auto& queue = waits_.queues[i];
            const int rank = waits_.dumps[i].rank;
            std::size_t before = 0, before_end = 0; // of the place before this one
            for (std::size_t k = 0; k < queue.size(); ++k) {
                if (k > 0 && queue[k].place != queue[k - 1].place) {
                    before = before_end;
                    before_end = k;
                }
                // The GPU is in this one already: what was called before does not hold it up.
                if (waits_.dumps[i].dump->calls[queue[k].entry].state == CallState::started)
                    continue;
                for (std::size_t b = before; b < before_end; ++b)
                    if (queue[b].call != queue[k].call)
                        graph_.edges[queue[k].call].push_back({queue[b].call, rank, true});
            }
            if (const std::uint32_t node = node_of(rank); awaited.contains(node))
                for (const auto& queued : queue)
                    graph_.edges[node].push_back({queued.call, rank, true});
        }
    }

    [[nodiscard]] HangCall call_of(std::uint32_t c) const {
        const OpenCall& open = waits_.calls[c];
        const HangGroup& group = waits_.groups[open.group];
        HangCall call{group.name,
                      group.description,
                      "",
                      open.seq,
                      open.source,
                      open.destination,
                      static_cast<int>(group.members.size())};
        for (const HangPart& part : open.parts)
            if (part.has_call && call.kind.empty())
                call.kind = kind_of(part);
        return call;
    }
    [[nodiscard]] const FlightRecorderDump& dump_of(int rank) const { return *waits_.dumps[waits_.dump_of(rank)].dump; }
    [[nodiscard]] const std::string& kind_of(const HangPart& part) const {
        return dump_of(part.rank).kinds[waits_.entry(part).kind];
    }
    [[nodiscard]] std::vector<int> ranks_in(std::uint32_t c, std::initializer_list<State> states) const {
        std::vector<int> ranks;
        for (const HangPart& part : waits_.calls[c].parts)
            if (std::ranges::find(states, part.state) != states.end())
                ranks.push_back(part.rank);
        std::ranges::sort(ranks);
        return ranks;
    }
    [[nodiscard]] std::vector<int> waiting_in(std::uint32_t c) const {
        return ranks_in(c, {State::waiting, State::started});
    }

    void say(int rank, HangVerdict verdict, const Message& why) {
        const auto known = verdicts_.find(rank);
        if (known == verdicts_.end() || verdict < known->second.first)
            verdicts_[rank] = {verdict, why};
    }
    /// Collectives first: messages are often posted long before anybody waits for them. Then the oldest.
    [[nodiscard]] bool comes_first(std::uint32_t c, std::uint32_t other) const {
        const auto key = [&](std::uint32_t call) {
            const OpenCall& open = waits_.calls[call];
            return std::tuple(open.message, open.since == 0, open.since, call);
        };
        return key(c) < key(other);
    }
    /// A call that stands at the root of it: the first of these is told first.
    void blame_call(std::uint32_t c, HangProblem problem) {
        const TimeNs since = waits_.calls[c].since;
        // Of one call, a rank that proves not to have come says more than one that left nothing to read.
        const bool proves_more = first_stuck_ == c && hang_.problem == HangProblem::no_dump;
        if (first_stuck_ && !comes_first(c, *first_stuck_) && !proves_more)
            return;
        first_stuck_ = c;
        hang_.first_stuck = call_of(c);
        hang_.problem = problem;
        hang_.waiting = waiting_in(c);
        hang_.absent = ranks_in(c, {State::absent, State::no_dump});
        hang_.perhaps_absent = ranks_in(c, {State::no_dump});
        hang_.since = since;
    }

    void judge(std::uint32_t component) {
        const std::vector<std::uint32_t>& nodes = graph_.members[component];
        if (nodes.size() > 1) {
            judge_circle(nodes);
        } else if (is_call(nodes.front())) {
            judge_call(nodes.front());
        } else {
            if (awaited_in_.empty())
                find_awaited();
            judge_rank(nodes.front());
        }
    }

    void find_awaited() {
        awaited_in_.resize(graph_.edges.size());
        for (std::uint32_t c = 0; c < waits_.calls.size(); ++c)
            for (const WaitEdge& edge : graph_.edges[c])
                if (!is_call(edge.to))
                    awaited_in_[edge.to].push_back({c, edge.proved});
    }

    /// A rank for which calls wait and that waits for nothing.
    void judge_rank(std::uint32_t node) {
        if (awaited_in_[node].empty())
            return;
        const int rank = rank_of(node);
        const bool has_dump = waits_.dump_of(rank) < waits_.dumps.size();
        // The call that proves it, the oldest of several.
        std::uint32_t call = awaited_in_[node].front().call;
        bool proved = false;
        for (const auto& [c, proves] : awaited_in_[node]) {
            if ((proves && !proved) || (proves == proved && comes_first(c, call)))
                call = c;
            proved |= proves;
        }
        blame_call(call, has_dump ? HangProblem::missing : HangProblem::no_dump);
        const auto& [name, waiters] = words_of(call);
        if (!has_dump) {
            say(rank, HangVerdict::possible,
                "%1 Whether it made %2 is not known; %3."_text(why_no_dump(rank), name, waiters));
            for (const Awaited& awaited : awaited_in_[node])
                if (suspected_.insert(awaited.call).second)
                    suspect_waiting(awaited.call);
        } else if (!proved)
            say(rank, HangVerdict::possible,
                "No entry of its dump shows %1, and none proves that it did not make it; %2. None of its own calls is "
                "open."_text(name, waiters));
        else if (evidence_.unread_calls.contains(rank))
            say(rank, HangVerdict::possible,
                "It never made %1; %2. But calls of its dump could not be read, one of which may be open and wait for "
                "another rank."_text(name, waiters));
        else if (waits_.lost_open_call[waits_.dump_of(rank)] != 0)
            say(rank, HangVerdict::possible,
                "It never made %1; %2. It has an open call that its buffer no longer holds, which may wait for another "
                "rank."_text(name, waiters));
        else
            say(rank, HangVerdict::culprit,
                "It never made %1; %2. It waits for no other rank: none of its own calls is open."_text(name, waiters));
    }

    /// Of a call: its name, and "ranks 0 to 2 wait for it there". Thousands of ranks may be missing in one.
    const std::pair<Message, Message>& words_of(std::uint32_t c) {
        const auto [known, added] = words_.try_emplace(c);
        if (added) {
            const std::vector<int> waiting = waiting_in(c);
            known->second = {hang_call_text(call_of(c)), plural(waiting.size(), "rank %1 waits for it there"_one,
                                                                "ranks %1 wait for it there"_many)(rank_runs(waiting))};
        }
        return known->second;
    }

    /// A call that lacks only ranks without a dump: if they came, it stands still on a rank that waits in it. Of few
    /// waiting ranks each may be that one; of more than are missing it is less likely, and nothing clears them either.
    /// Messages are posted long before anybody waits for them.
    void suspect_waiting(std::uint32_t c) {
        if (waits_.calls[c].message)
            return;
        const std::vector<WaitEdge>& edges = graph_.edges[c];
        const bool only_missing = std::ranges::all_of(edges, [&](const WaitEdge& edge) {
            return !is_call(edge.to) && waits_.dump_of(edge.rank) >= waits_.dumps.size();
        });
        if (!only_missing)
            return;
        const std::vector<int> waiting = waiting_in(c), missing = ranks_in(c, {State::no_dump});
        for (const int rank : waiting) {
            const auto& queue = waits_.queues[waits_.dump_of(rank)];
            if (queue.empty() || queue.front().call != c)
                continue; // it waits elsewhere before
            const Message name = hang_call_text(call_of(c));
            if (waiting.size() <= missing.size())
                say(rank, HangVerdict::possible,
                    plural(missing.size(),
                           "It waits in %1 for rank %2: %3. If that rank came, its own GPU stands still there, or the "
                           "way to it."_one,
                           "It waits in %1 for ranks %2: %3. If those ranks came, its own GPU stands still there, or "
                           "the way to it."_many)(name, rank_runs(missing), missing_dumps_text(missing)));
            else
                say(rank, HangVerdict::victim,
                    plural(missing.size(),
                           "It waits in %1 for rank %2: %3. That it is not at fault itself is not proved."_one,
                           "It waits in %1 for ranks %2: %3. That it is not at fault itself is not proved."_many)(
                        name, rank_runs(missing), missing_dumps_text(missing)));
        }
    }

    /// Whether all members called the very same, as they mostly do.
    [[nodiscard]] bool all_alike(std::uint32_t c) const {
        const HangPart* first = nullptr;
        for (const HangPart& part : waits_.calls[c].parts) {
            if (!part.has_call)
                continue;
            if (first == nullptr) {
                first = &part;
                continue;
            }
            const FlightRecorderDump &a = dump_of(first->rank), &b = dump_of(part.rank);
            if (kind_of(*first) != kind_of(part) ||
                a.tensors[waits_.entry(*first).tensors] != b.tensors[waits_.entry(part).tensors])
                return false;
        }
        return true;
    }

    /// Of all-to-alls sizes may differ, yet what all members send together is what all receive.
    [[nodiscard]] std::optional<HangMismatch> unequal_totals_in(std::uint32_t c) const {
        std::int64_t sent = 0, received = 0;
        std::map<std::string, HangVariant> variants;
        for (const HangPart& part : waits_.calls[c].parts) {
            if (!part.has_call)
                return std::nullopt;
            const FlightRecorderDump& dump = dump_of(part.rank);
            const FlightRecorderTensors& tensors = dump.tensors[waits_.entry(part).tensors];
            const std::int64_t in = element_count(tensors.inputs), out = element_count(tensors.outputs);
            if (!is_all_to_all(lower_case(kind_of(part))) || tensors.inputs.empty() || tensors.outputs.empty() ||
                in < 0 || out < 0 || in > kMostElements - sent || out > kMostElements - received)
                return std::nullopt;
            sent += in;
            received += out;
            Message called = called_text(dump, waits_.entry(part));
            HangVariant& variant = variants[english(called)];
            variant.called = std::move(called);
            variant.ranks.push_back(part.rank);
        }
        if (sent == received || !waits_.groups[waits_.calls[c].group].members_told)
            return std::nullopt;
        HangMismatch mismatch{call_of(c), std::string(kTotals), {}};
        for (auto& [text, variant] : variants)
            mismatch.variants.push_back(std::move(variant));
        return mismatch;
    }

    [[nodiscard]] std::optional<HangMismatch> mismatch_in(std::uint32_t c) const {
        if (auto totals = unequal_totals_in(c))
            return totals;
        if (all_alike(c))
            return std::nullopt;
        std::vector<std::pair<CommonParts, const HangPart*>> made;
        for (const HangPart& part : waits_.calls[c].parts)
            if (part.has_call)
                made.emplace_back(common_parts(dump_of(part.rank), waits_.entry(part)), &part);
        for (const auto& [what, field] :
             {std::pair("kind", &CommonParts::kind), std::pair("sizes", &CommonParts::sizes),
              std::pair("types", &CommonParts::types)}) {
            std::map<std::string, HangVariant> variants;
            for (const auto& [parts, part] : made) {
                // Kinds without sizes in common, and tensors without elements, say nothing.
                if (parts.*field == "" || (field == &CommonParts::sizes && parts.sizes == "-1"))
                    continue;
                HangVariant& variant = variants[parts.*field];
                Message called = called_text(dump_of(part->rank), waits_.entry(*part));
                if (variant.ranks.empty())
                    variant.called = std::move(called);
                else if (variant.called != called)
                    variant.called = "%1 with sizes that differ by rank"_text(kind_of(*part));
                variant.ranks.push_back(part->rank);
            }
            if (variants.size() < 2)
                continue;
            HangMismatch mismatch{call_of(c), what, {}};
            for (auto& [text, variant] : variants)
                mismatch.variants.push_back(std::move(variant));
            std::ranges::stable_sort(mismatch.variants, std::ranges::greater(),
                                     [](const HangVariant& variant) { return variant.ranks.size(); });
            return mismatch;
        }
        return std::nullopt;
    }

    void judge_mismatch(std::uint32_t c, const HangMismatch& mismatch) {
        blame_call(c, HangProblem::mismatch);
        if (mismatch.what == kTotals) {
            for (const HangVariant& variant : mismatch.variants)
                for (const int rank : variant.ranks)
                    say(rank, HangVerdict::possible,
                        "As %1 it called %2. All members together do not receive as many elements as they send; the "
                        "dumps do not say who is wrong."_text(hang_call_text(call_of(c)), variant.called));
            return;
        }
        const HangVariant& most = mismatch.variants.front();
        std::size_t all = 0;
        for (const HangVariant& variant : mismatch.variants)
            all += variant.ranks.size();
        // Two out of three call what the job calls here; a half does not.
        const bool clear = most.ranks.size() >= 2 && 3 * most.ranks.size() >= 2 * all;
        for (std::size_t v = clear ? 1 : 0; v < mismatch.variants.size(); ++v)
            for (const int rank : mismatch.variants[v].ranks) {
                const HangVariant& other = mismatch.variants[v == 0 ? 1 : 0];
                say(rank, clear ? HangVerdict::culprit : HangVerdict::possible,
                    (clear ? "As %1 it called %2, where %3 called %4."_text
                           : "As %1 it called %2, where %3 called %4. The dumps do not say which of them is "
                             "right."_text)(hang_call_text(call_of(c)), mismatch.variants[v].called,
                                            rank_list_text(other.ranks), other.called));
            }
    }

    /// A call that all members made, with nothing open before it.
    void judge_call(std::uint32_t c) {
        if (waiting_in(c).empty())
            return;
        if (const auto mismatch = mismatch_in(c)) {
            judge_mismatch(c, *mismatch);
            return;
        }
        blame_call(c, HangProblem::stuck_inside);
        const OpenCall& open = waits_.calls[c];
        const Message name = hang_call_text(call_of(c));
        const std::vector<int> waiting = waiting_in(c);
        const std::vector<int> finished = ranks_in(c, {State::finished});
        if (!finished.empty()) {
            const bool proved = std::ranges::all_of(open.parts, &HangPart::proved);
            if (waiting.size() == 1 && proved && !open.message && !others_went_on(c, waiting.front()))
                say(waiting.front(), HangVerdict::culprit,
                    "It made %1 and never finished it, though all other members did (%2). Nothing it called before is "
                    "open: its GPU, or the way to it, stands still."_text(name, rank_list_text(finished)));
            else
                for (const int rank : waiting)
                    say(rank, HangVerdict::possible,
                        (waiting.size() > 1 ? "It made %1 and has not finished it, though %2 did. The dumps do not say "
                                              "which of those that are left holds up the others."_text
                         : open.message     ? "It made %1 and has not finished it, though %2 did. The message may also "
                                              "have been lost on its way."_text
                                            : "It made %1 and has not finished it, though %2 did. The others may have "
                                              "finished it after this rank gave up."_text)(name, rank_list_text(finished)));
            return;
        }
        // Where the start of calls is recorded, a member that never started is held up by its own GPU.
        std::vector<int> begun = ranks_in(c, {State::started}), not_begun;
        for (const HangPart& part : open.parts)
            if (part.state == State::waiting && records_starts(part.rank))
                not_begun.push_back(part.rank);
        if (!begun.empty() && !not_begun.empty() && begun.size() + not_begun.size() == waiting.size()) {
            for (const int rank : not_begun)
                say(rank, HangVerdict::culprit,
                    plural(begun.size(),
                           "Its host called %1, yet its GPU never began it, though that of rank %2 did. Nothing it "
                           "called before is open: its GPU is stuck in other work."_one,
                           "Its host called %1, yet its GPU never began it, though that of ranks %2 did. Nothing it "
                           "called before is open: its GPU is stuck in other work."_many)(name, rank_runs(begun)));
            return;
        }
        for (const int rank : waiting)
            say(rank, HangVerdict::possible,
                "All %1 members made %2 and none finished it: the network between them, or the GPU of one of them, "
                "stands still. The dumps do not say which."_text(waiting.size(), name));
    }

    [[nodiscard]] bool records_starts(int rank) const { return records_starts_[waits_.dump_of(rank)] != 0; }
    void look_for_starts() {
        records_starts_.resize(waits_.dumps.size());
        tbb::parallel_for(std::size_t{0}, waits_.dumps.size(), [&](std::size_t i) {
            const FlightRecorderDump& dump = *waits_.dumps[i].dump;
            records_starts_[i] =
                std::ranges::any_of(dump.statuses, [](const auto& status) { return status.started >= 0; }) ||
                std::ranges::any_of(dump.calls, [](const FlightRecorderCall& call) {
                    return call.started != 0 || call.state == CallState::started;
                });
        });
    }

    /// Whether some rank called or finished anything after this one's call ran out of time: then the others may have
    /// finished it only after this one gave up.
    [[nodiscard]] bool others_went_on(std::uint32_t c, int rank) const {
        const auto part = std::ranges::find(waits_.calls[c].parts, rank, &HangPart::rank);
        const FlightRecorderCall& call = waits_.entry(*part);
        constexpr std::int64_t kMillisecond = 1'000'000;
        constexpr std::int64_t kMonth = std::int64_t{30} * 24 * 3600 * 1000;
        if (call.created == 0 || call.timeout_ms <= 0 || call.timeout_ms > kMonth)
            return false;
        const TimeNs end = call.created + call.timeout_ms * kMillisecond;
        return std::ranges::any_of(waits_.dumps, [&](const RankDump& dump) { return dump.dump->last_time > end; });
    }

    /// Calls and ranks that wait for each other, and for nothing else.
    void judge_circle(const std::vector<std::uint32_t>& nodes) {
        std::vector<std::uint32_t> calls;
        std::ranges::copy_if(nodes, std::back_inserter(calls), [&](std::uint32_t node) { return is_call(node); });
        if (calls.empty())
            return;
        bool mismatched = false;
        for (const std::uint32_t c : calls)
            if (const auto mismatch = mismatch_in(c)) {
                judge_mismatch(c, *mismatch);
                mismatched = true;
            }
        if (mismatched)
            return;
        const std::uint32_t first =
            *std::ranges::min_element(calls, [&](std::uint32_t a, std::uint32_t b) { return comes_first(a, b); });
        const std::vector<HangLink> circle = shortest_circle(first);
        if (hang_.deadlock.empty() || circle.size() < hang_.deadlock.size())
            hang_.deadlock = circle;
        for (const std::uint32_t c : calls)
            blame_call(c, HangProblem::deadlock);
        for (std::size_t i = 0; i < circle.size(); ++i)
            say(circle[i].waiter, HangVerdict::deadlock,
                "It waits in %1 for rank %2, which waits in %3."_text(
                    hang_call_text(circle[i].call), circle[i].awaited,
                    hang_call_text(circle[(i + 1) % circle.size()].call)));
        // One that is away where most of the others are is the odd one out, though the dumps do not prove it.
        for (const std::uint32_t c : calls) {
            const std::vector<int> away = ranks_in(c, {State::absent}), waiting = waiting_in(c);
            if (waiting.size() >= 2 && away.size() * 2 <= waiting.size())
                for (const int rank : away)
                    say(rank, HangVerdict::possible,
                        "%1 of %2 members wait for it in %3, while it waits elsewhere for one of them: it may have "
                        "left "
                        "out a call or made it out of turn."_text(waiting.size(), waits_.calls[c].parts.size(),
                                                                  hang_call_text(call_of(c))));
        }
    }

    [[nodiscard]] std::vector<HangLink> shortest_circle(std::uint32_t from) const {
        std::map<std::uint32_t, std::pair<std::uint32_t, int>> came; ///< node -> node before it, and through whom
        std::vector<std::uint32_t> queue{from};
        bool closed = false;
        for (std::size_t at = 0; at < queue.size() && !closed; ++at)
            for (const WaitEdge& edge : graph_.edges[queue[at]]) {
                if (graph_.component[edge.to] != graph_.component[from] || came.contains(edge.to))
                    continue;
                came[edge.to] = {queue[at], edge.rank};
                closed |= edge.to == from;
                queue.push_back(edge.to);
            }
        std::vector<std::pair<std::uint32_t, int>> steps; ///< calls from the last to the first, with who holds each up
        if (!closed)
            return {};
        for (std::uint32_t node = from; steps.empty() || node != from;) {
            const auto [before, rank] = came.at(node);
            if (is_call(before))
                steps.emplace_back(before, rank);
            node = before;
        }
        std::ranges::reverse(steps);
        std::vector<HangLink> circle;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const int waiter = steps[(i + steps.size() - 1) % steps.size()].second;
            if (waiter != steps[i].second)
                circle.push_back({waiter, steps[i].second, call_of(steps[i].first)});
        }
        return circle;
    }

    /// No dump holds an open call; pg_status may yet tell of one. A rank that did not make a call and has one open
    /// elsewhere waits there: what a rank without any open call did not make is told first.
    void judge_statuses() {
        std::set<int> waits;
        for (const HangStatus& status : waits_.open_by_status)
            if (status.is_open())
                waits.insert(status.rank);
        const auto missed_by = [&](const HangStatus& open, const HangStatus& other) {
            return other.name == open.name && other.description == open.description && other.called < open.called;
        };
        const HangStatus* most = nullptr;
        int clearest = -1; // 2: a rank that waits nowhere did not make it; 1: some rank did not
        for (const HangStatus& open : waits_.open_by_status) {
            if (!open.is_open())
                continue;
            int clear = 0;
            for (const HangStatus& other : waits_.open_by_status)
                if (missed_by(open, other))
                    clear = std::max(clear, waits.contains(other.rank) ? 1 : 2);
            if (clear > clearest) {
                clearest = clear;
                most = &open;
            }
        }
        if (most == nullptr)
            return;
        HangCall call{most->name, most->description, "", most->called, -1, -1, 0};
        for (const HangStatus& status : waits_.open_by_status) {
            if (status.name != most->name || status.description != most->description)
                continue;
            ++call.size;
            call.may_be_message |= !status.counts_calls;
            if (missed_by(*most, status))
                hang_.absent.push_back(status.rank);
            else if (status.is_open())
                hang_.waiting.push_back(status.rank);
        }
        hang_.first_stuck = call;
        hang_.problem = clearest > 0 ? HangProblem::missing : HangProblem::stuck_inside;
        const Message name = hang_call_text(call);
        for (const int rank : hang_.absent)
            if (clearest < 2 || !waits.contains(rank))
                say(rank, HangVerdict::possible,
                    plural(hang_.waiting.size(),
                           "As its pg_status says, it has not made %1, in which rank %2 waits. Its dump does not hold "
                           "what else it called."_one,
                           "As its pg_status says, it has not made %1, in which ranks %2 wait. Its dump does not hold "
                           "what else it called."_many)(name, rank_runs(hang_.waiting)));
        if (clearest == 0)
            for (const int rank : hang_.waiting)
                say(rank, HangVerdict::possible,
                    "As its pg_status says, it has made %1 and not finished it."_text(name));
        for (const int rank : waits)
            say(rank, HangVerdict::victim, {});
        Message note = "What is said of the call is what pg_status says: the dumps do not hold the call."_text();
        if (call.may_be_message)
            note += " If it counts messages, each rank may wait in another one."_text();
        hang_.notes.push_back(std::move(note));
    }

    void judge_the_rest() {
        for (const int rank : waits_.no_dump)
            say(rank, HangVerdict::no_dump, why_no_dump(rank));
        for (const std::set<int>* unusable : {&unreadable_, &old_})
            for (const int rank : *unusable)
                say(rank, HangVerdict::no_dump, why_no_dump(rank));
        for (std::size_t i = 0; i < waits_.dumps.size(); ++i)
            say(waits_.dumps[i].rank, waits_.queues[i].empty() ? HangVerdict::unconcerned : HangVerdict::victim, {});
    }

    /// Who holds up a rank in a call: those that did not come; else those that have something open before it.
    std::vector<int> holders(std::uint32_t c, int waiter) {
        holders_.resize(waits_.calls.size());
        if (!holders_[c]) {
            std::vector<int> ranks = ranks_in(c, {State::absent, State::no_dump});
            if (ranks.empty())
                for (const WaitEdge& edge : graph_.edges[c])
                    ranks.push_back(edge.rank);
            std::ranges::sort(ranks);
            const auto repeated = std::ranges::unique(ranks);
            ranks.erase(repeated.begin(), repeated.end());
            holders_[c] = std::move(ranks);
        }
        std::vector<int> others = *holders_[c];
        std::erase(others, waiter);
        return others;
    }

    [[nodiscard]] HangCall own_call(std::size_t i, const FlightRecorderCall& call) const {
        const FlightRecorderDump& dump = *waits_.dumps[i].dump;
        const FlightRecorderGroup& group = dump.groups[call.group];
        HangCall found{group.name,
                       group.description,
                       dump.kinds[call.kind],
                       call.seq(),
                       -1,
                       -1,
                       static_cast<int>(group.ranks.size())};
        const auto place = [&](int in_group) {
            return static_cast<std::size_t>(in_group) < group.ranks.size()
                       ? group.ranks[static_cast<std::size_t>(in_group)]
                       : in_group;
        };
        if (call.is_message()) {
            found.source = place(call.source);
            found.destination = place(call.destination);
        }
        return found;
    }

    void describe_ranks() {
        for (const auto& [rank, verdict] : verdicts_) {
            HangRank described;
            described.rank = rank;
            described.verdict = verdict.first;
            described.why = verdict.second;
            if (const std::size_t i = waits_.dump_of(rank); i < waits_.dumps.size())
                describe_calls(i, described);
            hang_.ranks.push_back(std::move(described));
        }
        std::ranges::stable_sort(hang_.ranks, {}, &HangRank::verdict);
    }

    void describe_calls(std::size_t i, HangRank& described) {
        const FlightRecorderDump& dump = *waits_.dumps[i].dump;
        const FlightRecorderCall* completed = nullptr;
        for (const FlightRecorderCall& call : dump.calls)
            if (call.state == CallState::completed && (completed == nullptr || call.completed >= completed->completed))
                completed = &call;
        if (completed != nullptr) {
            described.last_completed = own_call(i, *completed);
            described.last_completed_at = completed->completed;
        } else {
            described.last_completed = completed_by_status(i);
        }
        if (!dump.calls.empty()) {
            described.last_called = own_call(i, dump.calls.back());
            described.last_called_at = dump.calls.back().created;
            described.frames = dump.stacks[dump.calls.back().frames];
        }
        described.open_calls = waits_.queues[i].size();
        for (const auto& queued : waits_.queues[i]) {
            if (described.waits.size() == kListedWaits)
                break;
            const FlightRecorderCall& entry = dump.calls[queued.entry];
            described.waits.push_back(
                {own_call(i, entry), entry.created, holders(queued.call, waits_.dumps[i].rank), entry.frames});
        }
    }

    /// Without finished calls in the dump: how far it got in a group in which others wait.
    [[nodiscard]] std::optional<HangCall> completed_by_status(std::size_t i) const {
        const OpenCall* oldest = nullptr;
        std::int64_t seq = kNoCall;
        for (const OpenCall& open : waits_.calls) {
            if (open.message || (oldest != nullptr && open.since >= oldest->since))
                continue;
            const auto part = std::ranges::find(open.parts, waits_.dumps[i].rank, &HangPart::rank);
            const auto status =
                std::ranges::find(waits_.completed[i], open.group, [](const auto& pair) { return pair.first; });
            if (part == open.parts.end() || part->state == State::finished || status == waits_.completed[i].end() ||
                status->second >= open.seq)
                continue;
            oldest = &open;
            seq = status->second;
        }
        if (oldest == nullptr)
            return std::nullopt;
        const HangGroup& group = waits_.groups[oldest->group];
        return HangCall{group.name, group.description, "", seq, -1, -1, static_cast<int>(group.members.size())};
    }

    void find_mismatches() {
        constexpr std::size_t kListed = 64;
        for (std::uint32_t c = 0; c < waits_.calls.size() && hang_.mismatches.size() < kListed; ++c)
            if (auto mismatch = mismatch_in(c))
                hang_.mismatches.push_back(std::move(*mismatch));
    }

    /// By the oldest open call of each rank: what it called behind that one has not begun.
    void find_links() {
        constexpr std::size_t kMost = 200'000;
        for (const HangRank& rank : hang_.ranks)
            for (const int awaited : rank.waits.empty() ? std::vector<int>() : rank.waits.front().ranks)
                if (hang_.links.size() < kMost && awaited != rank.rank)
                    hang_.links.push_back({rank.rank, awaited, rank.waits.front().call});
    }

    [[nodiscard]] Message why_no_dump(int rank) const {
        return old_.contains(rank) ? "Its dump is of an earlier launch."_text()
               : unreadable_.contains(rank)
                   ? "Its dump is there and cannot be read."_text()
                   : "It left no dump: it crashed, was killed, or could not be reached."_text();
    }
    /// Of ranks without a dump of this launch: "rank 1 left no dump, and the dump of rank 5 cannot be read".
    [[nodiscard]] Message missing_dumps_text(const std::vector<int>& ranks) const {
        std::vector<int> none, unreadable, old;
        for (const int rank : ranks)
            (old_.contains(rank) ? old : unreadable_.contains(rank) ? unreadable : none).push_back(rank);
        std::vector<Message> parts;
        if (!none.empty())
            parts.push_back(
                plural(none.size(), "rank %1 left no dump"_one, "ranks %1 left no dump"_many)(rank_runs(none)));
        if (!unreadable.empty())
            parts.push_back(plural(unreadable.size(), "the dump of rank %1 cannot be read"_one,
                                   "the dumps of ranks %1 cannot be read"_many)(rank_runs(unreadable)));
        if (!old.empty())
            parts.push_back(plural(old.size(), "the dump of rank %1 is of an earlier launch"_one,
                                   "the dumps of ranks %1 are of an earlier launch"_many)(rank_runs(old)));
        Message all;
        for (const Message& part : parts)
            all = all.empty() ? part : "%1, and %2"_text(all, part);
        return all;
    }
    [[nodiscard]] Message unread_calls_text() const {
        std::vector<int> ranks;
        std::int64_t calls = 0;
        for (const auto& [rank, count] : evidence_.unread_calls) {
            ranks.push_back(rank);
            calls += count;
        }
        const Message of =
            plural(ranks.size(), "the dump of rank %1"_one, "the dumps of ranks %1"_many)(rank_runs(ranks));
        return plural(calls, "%1 call in %2 could not be read"_one, "%1 calls in %2 could not be read"_many)(calls, of);
    }

    /// Why nothing that is open does not mean that nothing hangs.
    [[nodiscard]] std::vector<Message> doubts() const {
        std::vector<Message> doubts;
        std::vector<int> missing = hang_.no_dump, says_nothing;
        for (const std::set<int>* unusable : {&unreadable_, &old_})
            missing.insert(missing.end(), unusable->begin(), unusable->end());
        std::ranges::sort(missing);
        if (!missing.empty())
            doubts.push_back(missing_dumps_text(missing));
        if (!evidence_.unread_calls.empty())
            doubts.push_back(unread_calls_text());
        for (const RankDump& dump : waits_.dumps)
            if (dump.dump->calls.empty() && dump.dump->statuses.empty() && !evidence_.unread_calls.contains(dump.rank))
                says_nothing.push_back(dump.rank);
        if (!says_nothing.empty())
            doubts.push_back(
                plural(says_nothing.size(), "the dump of rank %1 holds neither calls nor a pg_status"_one,
                       "the dumps of ranks %1 hold neither calls nor a pg_status"_many)(rank_runs(says_nothing)));
        if (!waits_.unmatched.empty())
            doubts.push_back(plural(waits_.unmatched.size(),
                                    "open calls of rank %1 could not be matched with those of other ranks"_one,
                                    "open calls of ranks %1 could not be matched with those of other ranks"_many)(
                rank_runs(waits_.unmatched)));
        return doubts;
    }

    void write_notes() {
        if (!hang_.first_stuck) {
            if (const auto reasons = doubts(); !reasons.empty())
                hang_.notes.push_back("Whether the job hangs is not known: %1."_text(enumerated(reasons, "; ")));
            return;
        }
        const auto tell = [&](const std::set<int>& ranks, CountedText<1> text) {
            if (!ranks.empty())
                hang_.notes.push_back(text(rank_runs(std::vector<int>(ranks.begin(), ranks.end()))));
        };
        tell(unreadable_,
             plural(unreadable_.size(), "The dump of rank %1 is there and cannot be read: cut short, or no dump."_one,
                    "The dumps of ranks %1 are there and cannot be read: cut short, or no dump."_many));
        tell(old_,
             plural(old_.size(), "The dump of rank %1 ends hours before the oldest open call: it is left out."_one,
                    "The dumps of ranks %1 end hours before the oldest open call: they are left out."_many));
        if (!evidence_.unread_calls.empty()) {
            hang_.notes.push_back(unread_calls_text());
            hang_.notes.back() += '.';
        }
        std::size_t unknown_members = 0;
        for (const HangGroup& group : waits_.groups)
            unknown_members += group.members_told ? 0 : 1;
        if (unknown_members > 0)
            hang_.notes.push_back(
                "The dumps do not list the members of %1 of %2 groups: who is missing there is not known."_text(
                    unknown_members, waits_.groups.size()));
        std::size_t starts = 0;
        for (const RankDump& dump : waits_.dumps)
            starts += records_starts(dump.rank) ? 1 : 0;
        if (hang_.first_stuck && starts == 0)
            hang_.notes.push_back("When calls began on the GPU was not recorded (TORCH_NCCL_ENABLE_TIMING=1): whether "
                                  "a GPU has reached a "
                                  "call is not known."_text());
    }

    const HangEvidence& evidence_;
    HangWaits waits_;
    std::set<int> unreadable_; ///< ranks whose dump is there
    std::set<int> old_;        ///< ranks whose dump is of an earlier launch
    WaitGraph graph_;
    Hang hang_;
    std::optional<std::uint32_t> first_stuck_;
    std::map<int, std::pair<HangVerdict, Message>> verdicts_;
    std::vector<std::optional<std::vector<int>>> holders_; ///< of each call, where they were asked for
    std::vector<char> records_starts_;                     ///< of each dump
    struct Awaited {
        std::uint32_t call = 0;
        bool proved = false;
    };
    std::vector<std::vector<Awaited>> awaited_in_; ///< of each rank's node: the calls that wait for it
    std::set<std::uint32_t> suspected_;            ///< calls that suspect_waiting() has looked at
    std::map<std::uint32_t, std::pair<Message, Message>> words_;
};

} // namespace

std::vector<const HangRank*> Hang::with(HangVerdict verdict) const {
    std::vector<const HangRank*> found;
    for (const HangRank& rank : ranks)
        if (rank.verdict == verdict)
            found.push_back(&rank);
    return found;
}

const HangRank* Hang::rank(int number) const {
    const auto found = std::ranges::find(ranks, number, &HangRank::rank);
    return found == ranks.end() ? nullptr : &*found;
}

Hang find_hang(std::span<const RankDump> dumps, const HangEvidence& evidence) {
    return HangFinder(dumps, evidence).find();
}
Hang find_hang(std::span<const RankDump> dumps) { return find_hang(dumps, {}); }

std::shared_ptr<const Hang> find_hang(const Run& run) {
    std::vector<RankDump> dumps;
    HangEvidence evidence;
    for (const auto& rank : run.ranks) {
        if (!rank->flight_recorder)
            continue;
        dumps.push_back({rank->rank, rank->flight_recorder.get()});
        for (const Notice& notice : rank->notices)
            if (notice.code == "malformed_events")
                evidence.unread_calls[rank->rank] += notice.count;
    }
    for (const Notice& notice : run.notices)
        if (const auto rank = rank_in_dump_name(std::filesystem::path(notice.file).filename().string());
            rank && notice.code == "unreadable_file")
            evidence.unreadable.push_back(*rank);
    return dumps.empty() ? nullptr : std::make_shared<const Hang>(find_hang(dumps, evidence));
}

Message hang_headline(const Hang& hang) {
    if (!hang.first_stuck && !hang.notes.empty())
        return hang.notes.front();
    if (!hang.first_stuck)
        return "No call is open in these dumps: the job did not hang in a collective or a message when they were "
               "made."_text;
    const auto numbers = [&](HangVerdict verdict) {
        std::vector<int> ranks;
        for (const HangRank* rank : hang.with(verdict))
            ranks.push_back(rank->rank);
        std::ranges::sort(ranks);
        return ranks;
    };
    const std::vector<int> culprits = numbers(HangVerdict::culprit), possible = numbers(HangVerdict::possible);
    const std::size_t victims = numbers(HangVerdict::victim).size();
    const Message waiters = victims == 0   ? Message()
                            : victims == 1 ? "; one other waits"_text()
                                           : "; %1 others wait"_text(victims);
    const Message call = hang_call_text(*hang.first_stuck);
    if (!culprits.empty()) {
        const Message too = possible.empty() ? Message()
                                             : plural(possible.size(), "; rank %1 may have to do with it"_one,
                                                      "; ranks %1 may have to do with it"_many)(rank_runs(possible));
        return plural(culprits.size(), "The job hangs because of rank %1%2%3."_one,
                      "The job hangs because of ranks %1%2%3."_many)(rank_runs(culprits), waiters, too);
    }
    if (!hang.deadlock.empty())
        return "The job hangs in a deadlock: %1 wait for each other%2."_text(
            rank_list_text(numbers(HangVerdict::deadlock)), waiters);
    if (hang.problem == HangProblem::no_dump)
        return hang.no_dump.empty()
                   ? "The job hangs in %1: no dump of %2 says anything of it%3."_text(call, rank_list_text(hang.absent),
                                                                                      waiters)
                   : plural(hang.no_dump.size(), "The job hangs in %1: rank %2 left no dump%3."_one,
                            "The job hangs in %1: ranks %2 left no dump%3."_many)(call, rank_runs(hang.no_dump),
                                                                                  waiters);
    if (possible.size() == 1)
        return "The job hangs in %1, perhaps because of rank %2%3."_text(call, possible.front(), waiters);
    return "The job hangs in %1; which of %2 it is, the dumps do not prove%3."_text(call, rank_list_text(possible),
                                                                                    waiters);
}

Message hang_call_text(const HangCall& call) {
    const Message group = call.description.empty() || call.description == "undefined"
                              ? "group %1"_text(call.group)
                              : "group %1 (%2)"_text(call.group, call.description);
    if (call.source >= 0) {
        // In a group of two every message counts at both ends; else each rank counts its own.
        if (call.size == 2 || (call.kind != "send" && call.kind != "recv"))
            return "message %1 from rank %2 to rank %3 in %4"_text(call.seq, call.source, call.destination, group);
        return "message %1 (as rank %2 counts) from rank %3 to rank %4 in %5"_text(
            call.seq, call.kind == "send" ? call.source : call.destination, call.source, call.destination, group);
    }
    if (call.may_be_message)
        return "call or message %1 of %2"_text(call.seq, group);
    return call.kind.empty() ? "call %1 of %2"_text(call.seq, group) : "%1 %2 of %3"_text(call.kind, call.seq, group);
}

Message rank_list_text(std::span<const int> ranks) {
    return ranks.empty() ? "no rank"_text() : plural(ranks.size(), "rank %1"_one, "ranks %1"_many)(rank_runs(ranks));
}

std::string_view hang_verdict_word(HangVerdict verdict) {
    switch (verdict) {
    case HangVerdict::culprit: return "culprit";
    case HangVerdict::possible: return "possible";
    case HangVerdict::deadlock: return "deadlock";
    case HangVerdict::no_dump: return "no dump read";
    case HangVerdict::victim: return "waits";
    case HangVerdict::unconcerned: return "not waiting";
    }
    return {};
}

std::string_view hang_problem_word(HangProblem problem) {
    switch (problem) {
    case HangProblem::missing: return "missing";
    case HangProblem::mismatch: return "mismatch";
    case HangProblem::stuck_inside: return "stuck inside";
    case HangProblem::deadlock: return "deadlock";
    case HangProblem::no_dump: return "no dump";
    }
    return {};
}

} // namespace rankscope
