// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/told_tables.h"

#include <string>

#include "core/query/row_table_parts.h"
#include "core/views/all_facts.h"
#include "core/views/marked_spans.h"

namespace rankscope {
namespace {

using namespace query_rows;

struct ToldFact {
    std::uint32_t run = 0;
    std::size_t number = 0;
    std::string sentence;
};

std::vector<ToldFact> told_facts(const QueryModel& model) {
    std::vector<ToldFact> rows;
    for (std::uint32_t run = 0; run < model.runs().size(); ++run) {
        std::size_t number = 0;
        for (const Message& sentence : all_fact_sentences(*model.runs()[run].analysis))
            rows.push_back({run, number++, english(sentence)});
    }
    return rows;
}

struct WaitRow {
    std::uint32_t run = 0;
    std::uint32_t rank = 0; ///< index in Run::ranks
    CollectiveWait wait;
    [[nodiscard]] std::size_t place(const QueryModel& model) const { return model.rank_at(run, rank); }
};

std::vector<WaitRow> wait_rows(const QueryModel& model) {
    std::vector<WaitRow> rows;
    for (std::uint32_t run = 0; run < model.runs().size(); ++run) {
        const MarkedSpans marks = mark_spans(model.runs()[run].analysis);
        for (std::uint32_t rank = 0; rank < marks.ranks.size(); ++rank)
            for (const CollectiveWait& wait : marks.ranks[rank].waits)
                rows.push_back({run, rank, wait});
    }
    return rows;
}

/// A piece of the path of a step.
struct PathPiece {
    std::uint32_t run = 0;
    std::int64_t step = 0;
    const PathSpan* span = nullptr;
    [[nodiscard]] std::size_t place(const QueryModel& model) const { return model.rank_at(run, span->rank); }
};

std::vector<PathPiece> path_pieces(const QueryModel& model) {
    std::vector<PathPiece> rows;
    for (std::uint32_t run = 0; run < model.runs().size(); ++run)
        for (const CriticalPath& path : model.runs()[run].analysis->critical_paths())
            for (const PathSpan& span : path.spans)
                rows.push_back({run, path.step, &span});
    return rows;
}

std::vector<const QueryChange*> change_rows(const QueryModel& model) {
    std::vector<const QueryChange*> rows;
    for (const QueryChange& change : model.changes())
        rows.push_back(&change);
    return rows;
}

QueryValue rank_number(const QueryModel& model, std::uint32_t run, std::uint32_t rank) {
    return rank == kNoNode ? QueryValue() : whole(model.run(run).ranks[rank]->rank);
}

} // namespace

RowTable fact_table() {
    using M = QueryModel;
    using R = ToldFact;
    return row_table_of<R>(
        "fact", "what was read off the recording, in words; its numbers are in fact_rank, fact_step, fact_host", 2,
        {{kRun, [](const M&, const R& r) { return whole(r.run); }},
         {{"number", integer, "", "place in the list of facts, from 0"},
          [](const M&, const R& r) { return whole(r.number); }},
         {{"sentence", text, "", "the fact"},
          [](const M&, const R& r) { return QueryValue(std::string_view(r.sentence)); }}},
        told_facts);
}

RowTable waiting_table() {
    using M = QueryModel;
    using R = WaitRow;
    return row_table_of<R>(
        "waiting", "every wait of a rank for another one, in a collective call whose members were all seen", 2,
        {{kRun, [](const M&, const R& r) { return whole(r.run); }},
         {{"rank", integer, "", "rank that waits"},
          [](const M& m, const R& r) { return rank_number(m, r.run, r.rank); }},
         {{"step", integer, "", "number of the profiler step it belongs to; NULL: none"},
          [](const M& m, const R& r) {
              const ProfilerStep* const step = m.step_of(r.place(m), r.wait.event);
              return step == nullptr ? QueryValue() : whole(step->number);
          }},
         {{"start_ns", integer, "ns", "own arrival, on the aligned clock"},
          [](const M& m, const R& r) { return whole(r.wait.range.begin + m.shift(r.place(m))); }},
         {{"wait_ns", integer, "ns", "own arrival to the last arrival"},
          [](const M&, const R& r) { return whole(r.wait.range.length()); }},
         {{"for_rank", integer, "", "rank that arrives last"},
          [](const M& m, const R& r) { return rank_number(m, r.run, r.wait.last_rank); }},
         {{"origin_rank", integer, "", "rank where the delay started; NULL: not known"},
          [](const M& m, const R& r) { return rank_number(m, r.run, r.wait.origin); }},
         {{"cause", text, "",
           "what that rank did for longest meanwhile; other causes may have a part in the wait; NULL: not known"},
          [](const M&, const R& r) {
              return r.wait.origin == kNoNode ? QueryValue() : QueryValue(wait_cause_word(r.wait.cause));
          }},
         {{"event_id", integer, "", "id of its communication kernel"},
          [](const M& m, const R& r) { return whole(m.ranks()[r.place(m)].first_id + r.wait.event); }}},
        wait_rows);
}

RowTable critical_path_table() {
    using M = QueryModel;
    using R = PathPiece;
    return row_table_of<R>(
        "critical_path", "every piece of the longest path of each step, in order of time; they fill the step", 2,
        {{kRun, [](const M&, const R& r) { return whole(r.run); }},
         {{"step", integer, "", "number of the step"}, [](const M&, const R& r) { return whole(r.step); }},
         {kRank, [](const M& m, const R& r) { return rank_number(m, r.run, r.span->rank); }},
         {{"start_ns", integer, "ns", "start since the first event of the run, on the aligned clock"},
          [](const M& m, const R& r) {
              const StepGraph& graph = m.runs()[r.run].analysis->step_graph();
              return whole(graph.clock.recorded(r.span->rank, r.span->range).begin + m.shift(r.place(m)));
          }},
         {{"dur_ns", integer, "ns", "duration of the piece"},
          [](const M&, const R& r) { return whole(r.span->range.length()); }},
         {{"class", text, "", "host_operator, launch, compute, communication ..., as in critical_path.csv"},
          [](const M&, const R& r) { return QueryValue(path_class_word(r.span->path_class)); }},
         {{"name", text, "", "of the event that ran then; NULL: between events"},
          [](const M& m, const R& r) {
              return r.span->event == kNoEvent ? QueryValue()
                                               : QueryValue(m.ranks()[r.place(m)].trace->event_name(r.span->event));
          }},
         {{"event_id", integer, "", "id of that event; NULL: between events"},
          [](const M& m, const R& r) {
              return r.span->event == kNoEvent ? QueryValue() : whole(m.ranks()[r.place(m)].first_id + r.span->event);
          }}},
        path_pieces);
}

RowTable change_table() {
    using M = QueryModel;
    using R = const QueryChange*;
    const auto ns = [](double QueryChange::*value) {
        return [value](const M&, const R& r) { return finite(r->*value); };
    };
    return row_table_of<R>(
        "change", "of each run after the first what changed against it, part by part, as in changes.csv", 1,
        {{kRun, [](const M&, const R& r) { return whole(r->run); }},
         {{"part", text, "", "total, then exposed_comm.tp, computation ..., largest change first; residual"},
          [](const M&, const R& r) { return QueryValue(std::string_view(r->part)); }},
         {{"title", text, "", "the part in words"},
          [](const M&, const R& r) { return QueryValue(std::string_view(r->title)); }},
         {{"baseline_ns", real, "ns", "in a step of run 0, mean of its steps and ranks"},
          ns(&QueryChange::baseline_ns)},
         {{"test_ns", real, "ns", "the same of this run"}, ns(&QueryChange::test_ns)},
         {{"difference_ns", real, "ns", "test_ns - baseline_ns"}, ns(&QueryChange::difference_ns)},
         {{"cause", text, "", "what the traces tell of why; NULL: nothing"},
          [](const M&, const R& r) { return filled(r->cause); }}},
        change_rows);
}

} // namespace rankscope
