// SPDX-License-Identifier: GPL-3.0-or-later
// collectives.csv: what the ranks ran together.
#include "core/report/collectives_csv.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/report/csv.h"
#include "core/trace/recorded.h"

namespace rankscope {
namespace {

void add_known(CsvTable& table, std::int64_t value) {
    if (value == kUnknown)
        table.empty();
    else
        table.integer(value);
}

void add_arguments(CsvTable& table, const RunAnalysis& analysis, const CommCall& call) {
    if (call.args == nullptr) {
        table.empty().empty().empty();
        return;
    }
    table.text(analysis.run().names->view(call.args->dtype));
    add_known(table, call.args->in_elements);
    add_known(table, call.args->out_elements);
}

void add_lag(CsvTable& table, const RunAnalysis& analysis, const CallLag* lag) {
    if (lag == nullptr)
        table.empty().empty().empty();
    else if (!recorded(analysis.run()).times)
        table.empty().microseconds(lag->transfer).empty();
    else
        table.microseconds(lag->lag).microseconds(lag->transfer).integer(analysis.run().ranks[lag->last_rank]->rank);
}

void add_speed(CsvTable& table, const CollectiveTiming& timing) {
    if (!timing.whole()) {
        table.empty().empty().empty().empty();
        return;
    }
    add_known(table, timing.bytes);
    table.microseconds(timing.latency).number(timing.algbw).number(timing.busbw);
}

/// Of the Inspector, beside the traces: of the rank that took the least time, which waited least.
void add_measured(CsvTable& table, const RunAnalysis& analysis, const MatchedCall& matched) {
    const CollectiveTransfer* least = nullptr;
    for (const auto& member : matched.members) {
        const auto& transfers = analysis.run().ranks[member.first]->collective_transfers;
        const EventIndex event = analysis.collectives().call(member).event;
        const auto found = std::ranges::lower_bound(transfers, event, {}, &CollectiveTransfer::event);
        if (found != transfers.end() && found->event == event &&
            (least == nullptr || found->execution < least->execution))
            least = &*found;
    }
    if (least == nullptr) {
        table.empty().empty().empty().empty();
        return;
    }
    table.text(analysis.run().names->view(least->algorithm)).text(analysis.run().names->view(least->protocol));
    if (least->channels > 0)
        table.integer(least->channels);
    else
        table.empty();
    table.microseconds(least->execution);
}

void add_run(CsvTable& table, const AnalysedRun& run) {
    const RunAnalysis& analysis = *run.analysis;
    const CollectiveMatching& matching = analysis.collectives();
    std::vector<const CallLag*> lags(matching.matched.size(), nullptr);
    for (const CallLag& lag : analysis.stragglers().calls)
        lags[lag.call] = &lag;
    for (std::size_t i = 0; i < matching.matched.size(); ++i) {
        const MatchedCall& matched = matching.matched[i];
        const CollectiveTiming& timing = analysis.call_table().all[i];
        const CommGroup& group = matching.groups[matched.group];
        std::vector<int> ranks;
        for (const TimedMember& member : timing.members)
            ranks.push_back(analysis.run().ranks[member.rank]->rank);
        table.integer(static_cast<std::int64_t>(i))
            .text(collective_kind_word(matched.kind))
            .text(group.name)
            .text(group.description)
            .text(fmt::format("{}", fmt::join(ranks, " ")))
            .text(matched.complete ? "complete" : "partial");
        add_arguments(table, analysis, matching.call(matched.members.front()));
        if (recorded(analysis.run()).times)
            table.microseconds(timing.start - analysis.first_event());
        else
            table.empty();
        add_lag(table, analysis, lags[i]);
        add_speed(table, timing);
        table.text(run.label);
        add_measured(table, analysis, matched);
        table.end_row();
    }
}

} // namespace

std::string arrivals_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"call", "rank", "start_us", "duration_us", "lag_us", "wait_us", "run"};
    for (const AnalysedRun& run : runs) {
        const RunAnalysis& analysis = *run.analysis;
        if (!recorded(analysis.run()).times)
            continue;
        for (std::size_t call = 0; call < analysis.collectives().matched.size(); ++call) {
            const CollectiveTiming& timing = analysis.call_table().all[call];
            for (const TimedMember& member : timing.members)
                table.integer(static_cast<std::int64_t>(call))
                    .integer(analysis.run().ranks[member.rank]->rank)
                    .microseconds(member.range.begin - analysis.first_event())
                    .microseconds(member.range.length())
                    .microseconds(member.range.begin - timing.start)
                    .microseconds(std::min(timing.last_arrival() - member.range.begin, member.range.length()))
                    .text(run.label)
                    .end_row();
        }
    }
    return table.content();
}

std::string collectives_csv(std::span<const AnalysedRun> runs) {
    CsvTable table{"call",      "collective",  "group",        "group_description", "ranks",      "completeness",
                   "dtype",     "in_elements", "out_elements", "start_us",          "lag_us",     "transfer_us",
                   "last_rank", "bytes",       "latency_us",   "algbw_gb_s",        "busbw_gb_s", "run",
                   "algorithm", "protocol",    "channels",     "inspector_us"};
    for (const AnalysedRun& run : runs)
        add_run(table, run);
    return table.content();
}

} // namespace rankscope
