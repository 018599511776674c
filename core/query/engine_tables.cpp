// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/engine_tables.h"

#include <utility>

#include "core/query/row_table_parts.h"

namespace rankscope {
namespace {

using namespace query_rows;

struct EngineStepRow {
    std::size_t rank = 0; ///< index in QueryModel::ranks()
    std::size_t place = 0;
    const ServedStep* step = nullptr;
};

std::vector<EngineStepRow> engine_step_rows(const QueryModel& model) {
    std::vector<EngineStepRow> rows;
    for (std::size_t r = 0; r < model.ranks().size(); ++r) {
        const std::vector<ServedStep>& steps = analysis_of(model, r).served_steps()[model.ranks()[r].index];
        for (std::size_t s = 0; s < steps.size(); ++s)
            if (steps[s].selected)
                rows.push_back({r, s, &steps[s]});
    }
    return rows;
}

RowColumn<EngineStepRow> engine_count(std::string_view name, std::string_view unit, std::string_view help,
                                      std::int64_t (*count)(const ServedStep&)) {
    return {{name, integer, unit, help},
            [count](const QueryModel&, const EngineStepRow& r) { return known(count(*r.step)); }};
}

RowColumn<EngineStepRow> engine_time(std::string_view name, std::string_view help, TimeNs (*time)(const ServedStep&)) {
    return {{name, integer, "ns", help},
            [time](const QueryModel&, const EngineStepRow& r) {
                return r.step->gpu_events > 0 ? whole(time(*r.step)) : QueryValue();
            }};
}

RowTable engine_step_table() {
    using M = QueryModel;
    using R = EngineStepRow;
    using S = ServedStep;
    return row_table_of<R>(
        "engine_step", "every step of a serving engine on every rank, by the engine's own name of it", 2,
        {{kRun, [](const M& m, const R& r) { return whole(m.ranks()[r.rank].run); }},
         {kRank, [](const M& m, const R& r) { return whole(trace_of(m, r.rank).rank); }},
         {{"number", integer, "", "place in the order of the rank's engine steps, from 1"},
          [](const M&, const R& r) { return whole(r.place + 1); }},
         {{"kind", text, "", "prefill, decode, mixed, draft, verify, diffusion or unknown"},
          [](const M&, const R& r) { return QueryValue(engine_phase_word(r.step->step.phase)); }},
         engine_count("requests", "requests", "requests of the step", [](const S& s) { return s.requests(); }),
         engine_count("prompts", "requests", "of these, whose prompts it computes",
                      [](const S& s) { return s.step.context.requests; }),
         engine_count("decoding", "requests", "of these, that decode",
                      [](const S& s) { return s.step.generation.requests; }),
         engine_count("tokens", "tokens", "computed, drafts that are verified among them",
                      [](const S& s) { return s.tokens(); }),
         engine_count("prompt_tokens", "tokens", "computed of prompts", [](const S& s) { return s.prompt_tokens(); }),
         {{"generated_tokens", real, "tokens",
           "received by requests that decode; where drafts are verified by the mean acceptance length, NULL without "
           "one"},
          [](const M&, const R& r) { return finite(r.step->generated()); }},
         {{"start_ns", integer, "ns", "start on the host since the first event of the run, on the aligned clock"},
          [](const M& m, const R& r) { return whole(r.step->step.range.begin + m.shift(r.rank)); }},
         engine_time("dur_ns", "end of the GPU work of the step before to the end of its own; NULL without GPU work",
                     [](const S& s) { return s.cycle.length(); }),
         engine_time("between_ns", "of this, before its own first work", [](const S& s) { return s.between; }),
         engine_time("computation_ns", "of this, computation", [](const S& s) { return s.part(StepPart::kernels); }),
         engine_time("exposed_comm_with_waits_ns", "of this, communication that nothing hides, waits among it",
                     [](const S& s) { return s.part(StepPart::communication); }),
         engine_time("exposed_memcpy_ns", "of this, copies that nothing hides",
                     [](const S& s) { return s.part(StepPart::copies); }),
         engine_time("host_ns", "of this, no GPU work, and the next is not launched",
                     [](const S& s) { return s.part(StepPart::host); }),
         engine_time("gaps_ns", "of this, no GPU work, though the next is launched",
                     [](const S& s) { return s.part(StepPart::gaps); }),
         old_name("exposed_comm_ns", engine_time("", "", [](const S& s) { return s.part(StepPart::communication); }))},
        engine_step_rows);
}

/// The columns that say which step the row is of; Row has it as its step.
template <typename Row>
std::vector<RowColumn<Row>> step_columns() {
    return {{kRun, [](const QueryModel& m, const Row& r) { return whole(m.ranks()[r.step.rank].run); }},
            {kRank, [](const QueryModel& m, const Row& r) { return whole(trace_of(m, r.step.rank).rank); }},
            {{"number", integer, "", "engine_step.number of the same run and rank"},
             [](const QueryModel&, const Row& r) { return whole(r.step.place + 1); }}};
}

// engine_step_work

struct EngineWorkRow {
    EngineStepRow step;
    const WorkShare* share = nullptr;
};

template <typename Row>
RowColumn<Row> share_column(std::string_view name, ColumnType type, std::string_view unit, std::string_view help,
                            QueryValue (*value)(const WorkShare&)) {
    return {{name, type, unit, help}, [value](const QueryModel&, const Row& r) { return value(*r.share); }};
}

template <typename Row>
std::vector<RowColumn<Row>> with_share_columns(std::vector<RowColumn<Row>> columns) {
    columns.push_back(share_column<Row>(
        "work", text, "", "attention, gemm, experts, all-reduce, copies ...",
        [](const WorkShare& s) { return QueryValue(step_work_word(s.work)); }));
    columns.push_back(share_column<Row>(
        "dur_ns", integer, "ns",
        "each instant counts once: computation before communication before copies, "
        "and of these what started first",
        [](const WorkShare& s) { return whole(s.time); }));
    columns.push_back(share_column<Row>("kernels", integer, "", "kernels, copies and sets",
                                        [](const WorkShare& s) { return whole(s.kernels); }));
    return columns;
}

RowTable engine_step_work_table() {
    using R = EngineWorkRow;
    return row_table_of<R>("engine_step_work", "what work every step of a serving engine is made of", 2,
                           with_share_columns<R>(step_columns<R>()), [](const QueryModel& model) {
                               std::vector<R> rows;
                               for (const EngineStepRow& step : engine_step_rows(model))
                                   for (const WorkShare& share : step.step->work)
                                       rows.push_back({step, &share});
                               return rows;
                           });
}

// engine_step_wait

struct EngineWaitRow {
    EngineStepRow step;
    const HostWait* wait = nullptr;
};

RowTable engine_step_wait_table() {
    using M = QueryModel;
    using R = EngineWaitRow;
    std::vector<RowColumn<R>> columns = step_columns<R>();
    columns.push_back(
        {{"range", text, "", "that the engine recorded on the host, the innermost; NULL: in none of its ranges"},
         [](const M&, const R& r) { return r.wait->name.empty() ? QueryValue() : QueryValue(r.wait->name); }});
    columns.push_back({{"wait_ns", integer, "ns", "the sum of a step is its engine_step.host_ns"},
                       [](const M&, const R& r) { return whole(r.wait->time); }});
    return row_table_of<R>(
        "engine_step_wait",
        "what the host did while the GPU had no work and the next was not launched, in every step of a serving engine",
        2, std::move(columns), [](const M& model) {
            std::vector<R> rows;
            for (const EngineStepRow& step : engine_step_rows(model))
                for (const HostWait& wait : step.step->host_waits)
                    rows.push_back({step, &wait});
            return rows;
        });
}

// engine_layer

struct EngineLayerRow {
    std::size_t rank = 0; ///< index in QueryModel::ranks()
    const StepLayers* layers = nullptr;
    std::size_t layer = 0;
    const WorkShare* share = nullptr;
};

RowTable engine_layer_table() {
    using M = QueryModel;
    using R = EngineLayerRow;
    const auto range = [](const R& r) { return r.layers->layers[r.layer].range; };
    return row_table_of<R>(
        "engine_layer",
        "what work the layers of an engine's step are made of: of each kind of step the one with the median time, "
        "where "
        "it repeats a sequence of kernels",
        2,
        with_share_columns<R>(
            {{kRun, [](const M& m, const R& r) { return whole(m.ranks()[r.rank].run); }},
             {kRank, [](const M& m, const R& r) { return whole(trace_of(m, r.rank).rank); }},
             {{"number", integer, "", "engine_step.number of the same run and rank"},
              [](const M&, const R& r) { return whole(r.layers->step + 1); }},
             {{"layer", integer, "", "place of the repeated sequence in the step, from 1"},
              [](const M&, const R& r) { return whole(r.layer + 1); }},
             {{"layer_start_ns", integer, "ns", "since the first event of the run, on the aligned clock"},
              [range](const M& m, const R& r) { return whole(range(r).begin + m.shift(r.rank)); }},
             {{"layer_dur_ns", integer, "ns", "to the start of the next layer; of the last, to the end of its work"},
              [range](const M&, const R& r) { return whole(range(r).length()); }}}),
        [](const M& model) {
            std::vector<R> rows;
            for (std::size_t r = 0; r < model.ranks().size(); ++r)
                for (const StepLayers& layers : analysis_of(model, r).step_layers()[model.ranks()[r].index])
                    for (std::size_t k = 0; k < layers.layers.size(); ++k)
                        for (const WorkShare& share : layers.layers[k].work)
                            rows.push_back({r, &layers, k, &share});
            return rows;
        });
}

} // namespace

std::vector<RowTable> engine_tables() {
    return {engine_step_table(), engine_step_work_table(), engine_step_wait_table(), engine_layer_table()};
}

} // namespace rankscope
