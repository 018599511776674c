// SPDX-License-Identifier: GPL-3.0-or-later
// Findings for other programs.
#include "core/report/findings_csv.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/findings/findings.h"
#include "core/base/text.h"
#include "core/metrics/numbers.h"
#include "core/report/csv.h"
#include "core/views/collective_calls.h"

namespace rankscope {
namespace {

std::string_view kind_word(const Finding& finding) { return finding.inherent ? "inherent" : "fault"; }

std::string event_name(const Run& run, const FindingEvent& event) {
    return event.event == kNoEvent ? std::string() : std::string(run.ranks[event.rank]->event_name(event.event));
}

Json evidence_json(const RunAnalysis& analysis, const Finding& finding) {
    const Run& run = analysis.run();
    Json evidence = Json::object();
    for (const FindingFact& fact : finding.facts)
        evidence[fact.word()] = fact.text.empty() ? Json(rounded(fact.number)) : Json(fact.text);
    Json& events = evidence["events"] = Json::array();
    for (const FindingEvent& event : finding.events)
        events.push_back({{"rank", run.ranks[event.rank]->rank},
                          {"name", event_name(run, event)},
                          {"start_us", as_us(analysis.since_start(event.rank, event.range.begin))},
                          {"duration_us", as_us(event.range.length())}});
    return evidence;
}

Json longest_waits_json(const RunAnalysis& analysis) {
    constexpr std::size_t kShown = 20;
    const Run& run = analysis.run();
    const StepGraph& graph = analysis.step_graph();
    const Waiting& waiting = analysis.waiting();
    std::vector<std::size_t> order(waiting.origins.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, order.size()));
    std::ranges::partial_sort(order, end, std::greater<>(), [&](std::size_t t) { return waiting.origins[t].waited; });
    Json calls = Json::array();
    for (auto at = order.begin(); at != end && waiting.origins[*at].waited > 0; ++at) {
        const WaitOrigin& origin = waiting.origins[*at];
        const MatchedCall& call = analysis.collectives().matched[graph.matched[*at]];
        const auto node = static_cast<std::uint32_t>(graph.first_node.back() + *at);
        Json through = Json::array();
        for (const std::uint32_t rank : waiting.victims(graph, *at))
            through.push_back(run.ranks[rank]->rank);
        Json& entry = calls.emplace_back(
            Json{{"group", group_title(analysis.collectives().groups[call.group])},
                 {"kind", collective_kind_word(call.kind)},
                 {"start_us",
                  as_us(analysis.since_start(origin.last, graph.clock.recorded(origin.last, graph.start[node])))},
                 {"last_rank", run.ranks[origin.last]->rank},
                 {"waited_us", as_us(origin.waited)},
                 {"through", std::move(through)}});
        if (origin.rank != kNoNode) {
            entry["origin_rank"] = run.ranks[origin.rank]->rank;
            entry["origin_cause"] = wait_cause_word(origin.cause);
        }
    }
    return calls;
}

} // namespace

Json findings_json(std::span<const AnalysedRun> runs) {
    Json out = Json::array();
    for (const AnalysedRun& run : runs)
        for (const Finding& finding : run.analysis->findings().list) {
            Json& entry = out.emplace_back(Json{{"code", code_word(finding.code)},
                                                {"kind", kind_word(finding)},
                                                {"hidden", finding.hidden},
                                                {"title", english(finding.title)},
                                                {"cost_us_per_step", rounded_us(finding.cost)},
                                                {"share_of_step", rounded(finding.share)},
                                                {"confidence", rounded(finding.confidence)},
                                                {"ranks", finding.ranks},
                                                {"run", run.label},
                                                {"evidence", evidence_json(*run.analysis, finding)}});
            if (finding.cause != FindingCause::none)
                entry["cause"] = cause_word(finding.cause);
            if (finding.first_iteration) {
                entry["first_iteration"] = *finding.first_iteration;
                entry["last_iteration"] = *finding.last_iteration;
                entry["iterations_affected"] = finding.iterations.size();
                entry["cost_us_per_affected_iteration"] = rounded_us(finding.cost_of_affected);
            }
            if (finding.at_most || finding.at_least)
                entry["cost_bound"] = finding.at_most ? "at_most" : "at_least";
            if (!finding.group.empty())
                entry["group"] = finding.group;
            if (!finding.victims.empty())
                entry["victims"] = finding.victims;
        }
    return out;
}

Json judged_json(const Judged& judged) {
    return {{"ranks", judged.ranks},
            {"links", judged.links},
            {"host", judged.host},
            {"not_judged", english(judged.not_judged)}};
}

Json waiting_json(const RunAnalysis& analysis) {
    const Run& run = analysis.run();
    const Waiting& waiting = analysis.waiting();
    Json charged = Json::array();
    for (std::size_t r = 0; r < waiting.ranks.size(); ++r) {
        for (std::size_t cause = 0; cause < kWaitCauseCount; ++cause) {
            const TimeNs direct = waiting.ranks[r].direct[cause];
            const TimeNs passed_on = waiting.ranks[r].passed_on[cause];
            if (direct != 0 || passed_on != 0)
                charged.push_back({{"rank", run.ranks[r]->rank},
                                   {"cause", wait_cause_word(static_cast<WaitCause>(cause))},
                                   {"direct_us", as_us(direct)},
                                   {"passed_on_us", as_us(passed_on)}});
        }
    }
    const bool known = analysis.step_graph().size() > 0;
    Json json{{"total_us", known ? Json(as_us(waiting.total)) : Json()},
              {"charged", std::move(charged)},
              {"unexplained_us", known ? Json(as_us(waiting.unexplained)) : Json()},
              {"longest", longest_waits_json(analysis)}};
    if (!known)
        json["why_not"] = "what is selected holds no whole step with GPU work: who caused waits is not known";
    return json;
}

Json predictions_json(std::span<const AnalysedRun> runs) {
    Json out = Json::array();
    for (const AnalysedRun& run : runs)
        for (const Prediction& prediction : run.predictions) {
            Json& entry = out.emplace_back(Json{{"run", run.label},
                                                {"changes", prediction.changes},
                                                {"notes", english(prediction.notes)},
                                                {"assumes", english(prediction.assumes)}});
            if (!prediction.unavailable.empty()) {
                entry["unavailable"] = english(prediction.unavailable);
                continue;
            }
            entry["measured_us"] = rounded_us(prediction.measured);
            entry["predicted_us"] = rounded_us(prediction.predicted);
            put(entry, "percent_change",
                rounded(percent_of(prediction.predicted - prediction.measured, prediction.measured)));
            entry["throughput_percent_change"] = rounded(prediction.throughput_percent_change());
        }
    return out;
}

std::string findings_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"kind",
                   "code",
                   "cause",
                   "ranks",
                   "group",
                   "cost_us_per_step",
                   "share_percent",
                   "confidence",
                   "evidence_rank",
                   "evidence_event",
                   "evidence_start_us",
                   "evidence_duration_us",
                   "title",
                   "run"};
    for (const AnalysedRun& run : runs)
        for (const Finding& finding : run.analysis->findings().list) {
            table.text(kind_word(finding))
                .text(code_word(finding.code))
                .text(cause_word(finding.cause))
                .text(fmt::format("{}", fmt::join(finding.ranks, " ")))
                .text(finding.group)
                .number(rounded_us(finding.cost))
                .number(rounded(100 * finding.share))
                .number(rounded(finding.confidence));
            if (finding.events.empty()) {
                table.empty().empty().empty().empty();
            } else {
                const FindingEvent& event = finding.events.front();
                table.integer(run.run().ranks[event.rank]->rank)
                    .text(event_name(run.run(), event))
                    .microseconds(run.analysis->since_start(event.rank, event.range.begin))
                    .microseconds(event.range.length());
            }
            table.text(english(finding.title)).text(run.label).end_row();
        }
    return table.content();
}

} // namespace rankscope
