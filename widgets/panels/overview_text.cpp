// SPDX-License-Identifier: GPL-3.0-or-later
// The overview in words.
#include "widgets/panels/overview_text.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <QCoreApplication>
#include <QRegularExpression>

#include "core/analysis/facts/fact_words.h"
#include "core/analysis/findings/finding_brief.h"
#include "core/analysis/findings/finding_summary.h"
#include "core/analysis/findings/findings.h"
#include "core/analysis/graph/step_ranges.h"
#include "core/base/words.h"
#include "core/metrics/value_words.h"
#include "core/views/all_facts.h"
#include "widgets/language.h"
#include "widgets/number_text.h"
#include "widgets/time_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

struct OverviewText {
    Q_DECLARE_TR_FUNCTIONS(OverviewText)
};

QString timeTextOfMs(double milliseconds) { return timeTextOfUs(1000 * milliseconds); }

/// text: number and unit.
void setTime(TileContent& tile, const QString& text) {
    tile.value = text.section(u' ', 0, 0);
    tile.unit = text.section(u' ', 1);
}

TileContent metricTile(const AnalysedRun& run, const std::string& id, const QString& fallbackLabel) {
    TileContent tile{fallbackLabel, {}, {}, {}, {}, false};
    const MetricPointer metric = find_metric(id);
    if (!metric)
        return tile;
    tile.label = coreText(metric->title);
    tile.definition = coreText(metric->definition);
    tile.unit = unitText(metric->unit);
    tile.metric = QString::fromStdString(id);
    const MetricResult* result = run.metrics.find(id);
    if (result == nullptr)
        tile.note = OverviewText::tr("not computed");
    else if (!result->available)
        tile.note = messageText(result->reason);
    else if (metric->unit == "us")
        setTime(tile, timeTextOfUs(result->value));
    else if (metric->unit == "ms")
        setTime(tile, timeTextOfMs(result->value));
    else
        tile.value = metric->unit == "percent" && std::abs(result->value) < 0.05 ? u"0.0"_s // and not "0.0131 %"
                                                                                 : shortNumber(result->value);
    if (!tile.value.isEmpty())
        tile.value.prepend(QString::fromUtf8(bound_sign(result->bound)));
    return tile;
}

/// A step belongs to the range it starts in, however far it reaches beyond.
bool isLonger(const MetricResult* step, TimeRange range) {
    return step != nullptr && step->available && step->value * 1e6 > static_cast<double>(range.length());
}

QString stepNote(const AnalysedRun& run) {
    const MetricResult* result = run.metrics.find("step_time");
    if (result == nullptr || !result->available)
        return {};
    const auto number = [&](const char* key) {
        return result->details.contains(key) ? result->details[key].get<double>() : 0.0;
    };
    const auto count = static_cast<int>(number("num_iterations"));
    if (count == 1)
        return OverviewText::tr("one step");
    if (run.analysis->ranks().size() > 1) // the headline has the means of the ranks, which differ less
        return OverviewText::tr("%1 steps, %2 to %3 on single ranks", nullptr, count)
            .arg(count)
            .arg(timeTextOfMs(number("min_ms")), timeTextOfMs(number("max_ms")));
    return OverviewText::tr("%1 steps, %2 to %3", nullptr, count)
        .arg(count)
        .arg(timeTextOfMs(number("min_ms")), timeTextOfMs(number("max_ms")));
}

QString lagNote(const AnalysedRun& run) {
    const Json& details = run.metrics.find("straggler_lag")->details;
    const int calls = details.value("num_collectives", 0);
    return calls == 1 ? OverviewText::tr("of one collective call")
                      : OverviewText::tr("mean over %1 collective calls", nullptr, calls).arg(calls);
}

/// "409.9 ms a step (66 %)", "49.83 ms in step 4 (5 %)"
QString headlineCost(const Finding& finding, const Findings& findings) {
    const QString time = (finding.at_most    ? u"≤ "_s
                          : finding.at_least ? u"≥ "_s
                                             : QString()) +
                         timeTextOfNs(finding.cost_of_affected);
    const QString share = percentText(findings.step_time > 0 ? 100 * finding.cost_of_affected / findings.step_time : 0);
    const QString when = finding.is_of_some_steps() ? messageText(finding.when) : QString(); // " in step 4"
    const bool ofOne = !when.isEmpty() && finding.iterations.size() == 1;
    const QString cost = !findings.of_steps || ofOne ? OverviewText::tr("%1%2 (%3)").arg(time, when, share)
                                                     : OverviewText::tr("%1 a step%2 (%3)").arg(time, when, share);
    return finding.hidden || finding.once_mended ? OverviewText::tr("%1 once the others are dealt with").arg(cost)
                                                 : cost;
}

QString withoutStop(QString sentence) {
    if (sentence.endsWith(u'.'))
        sentence.chop(1);
    return sentence;
}

/// Of several sentences, where it ends.
qsizetype endOfFirstSentence(const QString& text) {
    static const QRegularExpression kEnd(u"\\.\\s+(?=\\p{Lu})"_s);
    const qsizetype stop = text.indexOf(kEnd);
    return stop < 0 ? text.size() : stop + 1;
}

} // namespace

std::vector<TileContent> headlineTiles(const AnalysedRun& run) {
    const RunAnalysis& analysis = *run.analysis;
    std::vector<TileContent> tiles;
    tiles.push_back(metricTile(run, "step_time", OverviewText::tr("Step time"))); // as the sentence above the tiles
    const auto& range = analysis.selection().time;
    if (range && (tiles.back().value.isEmpty() || isLonger(run.metrics.find("step_time"), *range))) {
        tiles.back().value.clear();
        tiles.back().unit.clear();
        tiles.back().note = OverviewText::tr("no whole step in this range");
    } else if (!tiles.back().value.isEmpty()) {
        tiles.back().note = stepNote(run);
        const MetricResult* const host = run.metrics.find("iter_time");
        const bool marked = analysis.steps().unit == StepAccount::Unit::profiler_steps;
        if (marked && host != nullptr && host->available &&
            timeTextOfMs(host->value) != timeTextOfNs(analysis.steps().mean.wall))
            tiles.back().note += OverviewText::tr("; %1 on the host").arg(timeTextOfMs(host->value));
    }
    tiles.push_back(metricTile(run, "comm_comp_overlap", {}));
    tiles.back().label = OverviewText::tr("Overlap");
    if (!tiles.back().value.isEmpty())
        tiles.back().note = OverviewText::tr("of communication is hidden");
    tiles.push_back(metricTile(run, "straggler_lag", OverviewText::tr("Straggler lag")));
    if (!tiles.back().value.isEmpty())
        tiles.back().note = lagNote(run);
    for (const char* id : {"throughput_tokens", "mfu"}) // few say what it takes to measure these
        if (const MetricResult* result = run.metrics.find(id); result != nullptr && result->available)
            tiles.push_back(metricTile(run, id, {}));
    return tiles;
}

const Finding* findingOfHeadline(const RunAnalysis& analysis) {
    const Findings& findings = analysis.findings();
    return findings.head ? &findings.list[*findings.head] : nullptr;
}

QString headlineText(const Run& run, const Findings& findings) {
    if (!findings.head) {
        const QString all = messageText(findings.headline);
        return all.left(endOfFirstSentence(all));
    }
    const Finding& finding = findings.list[*findings.head];
    if (finding.cost_of_affected <= 0) // of a log of calls, which has no steps
        return messageText(short_words(run, finding, false));
    const QString cost = headlineCost(finding, findings);
    if (finding.ranks.empty() || finding.ranks.size() == run.ranks.size())
        return OverviewText::tr("%1: cost %2.").arg(withoutStop(messageText(what_words(finding).as_sentence())), cost);
    return OverviewText::tr("%1: %2; %3.")
        .arg(withoutStop(messageText(who_words(run, finding).as_sentence())), cost, messageText(what_words(finding)));
}

QString besideHeadline(const Findings& findings) {
    if (findings.head)
        return messageText(findings.beside_head).simplified();
    const QString all = messageText(findings.headline);
    return all.mid(endOfFirstSentence(all)).trimmed();
}

QString factsText(const RunAnalysis& analysis, const QString& said) {
    QStringList sentences;
    for (const Message& fact : facts_beside_bar(analysis))
        if (const QString sentence = messageText(fact); !said.contains(sentence))
            sentences << sentence;
    return sentences.join(u' ');
}

QString notJudgedText(const Findings& findings, const QString& said) {
    QStringList sentences;
    for (const Message& reason : findings.judged.not_judged)
        if (const QString sentence = messageText(reason); !said.contains(sentence))
            sentences << sentence;
    return sentences.join(u' ');
}

std::map<int, RankBars::Note> rankNotes(const RunAnalysis& analysis) {
    std::map<int, RankBars::Note> notes;
    const auto add = [&](int rank, const QString& text, bool strong) {
        RankBars::Note& note = notes[rank];
        note.text = note.text.isEmpty() ? text : QString(note.text % u", "_s % text);
        note.strong = note.strong || strong;
    };
    if (mean_timeline(analysis.ranks()).ranks < 2)
        return notes;
    std::set<int> told; // by the sentences of facts
    for (const RankThatStandsOut& rank : ranks_that_stand_out(analysis.facts())) {
        told.insert(rank.facts->rank);
        if (rank.is_waited_for)
            add(rank.facts->rank, messageText(others_wait_words(*rank.facts, analysis.facts().unit)), true);
        if (rank.computes_otherwise && rank.facts->computation_ratio_to_peers)
            add(rank.facts->rank,
                OverviewText::tr("computes %1× as long as its peers")
                    .arg(decimal(QString::number(*rank.facts->computation_ratio_to_peers, 'f', 2))),
                false);
    }
    for (const UnjudgedRanks& some : analysis.unjudged_ranks())
        for (const std::size_t rank : some.ranks)
            add(analysis.run().ranks[rank]->rank, OverviewText::tr("not judged"), false);
    const std::vector<RankAnalysis>& judged = analysis.of_judged_ranks().ranks();
    const auto name_most = [&](TimeNs GpuTimeline::*field, const QString& text) {
        const auto spread = rank_spread(judged, field);
        // A rank is only named where it differs visibly from the middle one.
        if (!spread || told.contains(spread->most_rank))
            return; // what matters of that one is said
        if (spread->most - spread->median > mean_timeline(judged).mean.total / 100)
            add(spread->most_rank, text, false);
    };
    name_most(&GpuTimeline::exposed_comm, OverviewText::tr("waits most"));
    name_most(&GpuTimeline::idle, OverviewText::tr("idles most"));
    return notes;
}

QString accountingText(const Run& run) {
    constexpr std::size_t kMostFiles = 16;
    const auto line = [](const QString& of, const Accounting& accounting) {
        const QString missing = messageText(not_shown_text(accounting));
        return OverviewText::tr("%1: %2 events, %3 on the timeline%4")
            .arg(of, groupedNumber(static_cast<std::int64_t>(accounting.events_in_file)),
                 groupedNumber(static_cast<std::int64_t>(accounting.on_timeline)),
                 missing.isEmpty() ? QString() : OverviewText::tr("; not there: %1").arg(missing));
    };
    const std::vector<FileAccounting> files = accounting_by_file(run);
    QStringList lines{line(OverviewText::tr("All files"), accounting_of(run))};
    for (std::size_t i = 0; files.size() > 1 && i < std::min(files.size(), kMostFiles); ++i)
        lines << line(QString::fromStdString(files[i].file.filename().string()), files[i].accounting);
    if (files.size() > kMostFiles)
        lines << OverviewText::tr("and %1 more files", nullptr,
                                  plural(std::ssize(files) - static_cast<std::int64_t>(kMostFiles)))
                     .arg(files.size() - kMostFiles);
    return lines.join(u'\n');
}

QString runSummary(const Run& run) {
    QStringList parts;
    const int traced = static_cast<int>(run.ranks.size());
    parts << (run.world_size > 1
                  ? OverviewText::tr("%1 of %2 ranks", nullptr, run.world_size).arg(traced).arg(run.world_size)
              : traced == 1 ? OverviewText::tr("1 rank")
                            : OverviewText::tr("%1 ranks", nullptr, traced).arg(traced));
    std::set<std::string> devices;
    for (const auto& rank : run.ranks)
        for (const Device& device : rank->devices)
            if (!device.name.empty())
                devices.insert(device.name);
    if (!devices.empty())
        parts << (devices.size() > 1 ? OverviewText::tr("%1 and others").arg(QString::fromStdString(*devices.begin()))
                                     : QString::fromStdString(*devices.begin()));
    parts << QString::fromUtf8(trace_source_word(run.source).data(),
                               static_cast<qsizetype>(trace_source_word(run.source).size()));
    std::set<std::int64_t> steps;
    for (const auto& rank : run.ranks)
        for (const ProfilerStep& step : rank->steps)
            steps.insert(step.number);
    if (!steps.empty())
        parts << (steps.size() == 1
                      ? OverviewText::tr("1 step")
                      : OverviewText::tr("%1 steps", nullptr, plural(std::ssize(steps))).arg(steps.size()));
    const auto number = [](std::uint64_t events) { return groupedNumber(static_cast<std::int64_t>(events)); };
    const Accounting accounting = accounting_of(run);
    parts << (accounting.all_not_shown() == 0
                  ? OverviewText::tr("%1 events", nullptr, plural(static_cast<std::int64_t>(run.event_count())))
                        .arg(number(run.event_count()))
                  : OverviewText::tr("%1 of %2 events", nullptr,
                                     plural(static_cast<std::int64_t>(accounting.events_in_file)))
                        .arg(number(accounting.on_timeline), number(accounting.events_in_file)));
    parts << byteText(run.file_bytes());
    return parts.join(u" · "_s);
}

} // namespace rankscope
