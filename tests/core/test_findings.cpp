// SPDX-License-Identifier: GPL-3.0-or-later
// Findings of simulated runs with known faults. rankscope_bench_demo_findings does the same for 300 runs and prints
// precision and recall.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <fmt/format.h>

#include "core/analysis/delays/rank_spread.h"
#include "core/base/words.h"
#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "core/report/findings_report.h"
#include "core/report/markup.h"
#include "core/run/run_analysis.h"
#include "tests/support/fault_runs.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::findings_test {

namespace {

/// Eight ranks with little that is not a fault.
SimulatorOptions healthy(int pp, int dp, int tp) {
    SimulatorOptions o;
    o.pp = pp;
    o.dp = dp;
    o.tp = tp;
    o.steps = 4;
    o.data_loading_time = 20'000;
    o.intra_node_gb_s = 5000;
    o.inter_node_gb_s = 5000;
    o.collective_latency = 1'000;
    o.memory_instants = false;
    return o;
}

QByteArray text_of(const Findings& findings) {
    std::string text = english(findings.summary);
    for (const Finding& finding : findings.list)
        text += "\n  " + std::string(code_word(finding.code)) + ": " + english(finding.title);
    return QByteArray::fromStdString(text);
}

double fact(const Finding& finding, FactName name) {
    const auto found = std::ranges::find(finding.facts, name, &FindingFact::name);
    return found == finding.facts.end() ? -1 : found->number;
}

} // namespace

class TestFindings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Rank 5 runs on another GPU, as its file says, and its kernels take 1.3 times as long.
    void anotherGpuThanThePeersIsNamed() {
        SimulatorOptions options = healthy(1, 4, 2);
        Fault fault;
        fault.cause = FaultCause::slower_kernels;
        fault.rank = 5;
        fault.factor = 1.3;
        options.faults = {fault};
        options.gpu_name = "NVIDIA H100";
        QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        QVERIFY(write_run(options, path).has_value());
        const auto first = [](const RunAnalysis& analysis) {
            return analysis.findings().list.empty() ? Finding{} : analysis.findings().list.front();
        };
        const Finding alike = first(RunAnalysis(load_run(path).value(), {}));
        QVERIFY2(alike.code == FindingCode::straggler && english(alike.title).find("runs on") == std::string::npos,
                 english(alike.title).c_str());
        QFile file(QString::fromStdString((path / "rank5.json").string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll().replace("NVIDIA H100", "NVIDIA A100");
        file.close();
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(text) == text.size());
        file.close();
        const Finding other = first(RunAnalysis(load_run(path).value(), {}));
        QVERIFY2(other.code == FindingCode::straggler && other.ranks == std::vector<int>{5} &&
                     english(other.title).find(" (it runs on NVIDIA A100, they on NVIDIA H100)") != std::string::npos,
                 english(other.title).c_str());
    }

    void theFirstFindingNamesTheFault_data() {
        QTest::addColumn<int>("cause");
        QTest::addColumn<int>("rank");
        QTest::addColumn<double>("factor");
        QTest::addColumn<int>("time");
        const auto row = [](const char* name, FaultCause cause, int rank, double factor, int time) {
            QTest::newRow(name) << static_cast<int>(cause) << rank << factor << time;
        };
        row("slower kernels", FaultCause::slower_kernels, 5, 1.3, 0);
        row("more kernels", FaultCause::more_kernels, 2, 1, 300'000);
        row("host-bound rank", FaultCause::host_bound, 3, 20, 0);
        row("late data", FaultCause::late_data, 6, 1, 2'000'000);
        row("late data on all", FaultCause::late_data, Fault::kAllRanks, 1, 2'000'000);
        row("garbage collection", FaultCause::garbage_collection, 1, 1, 6'000'000);
        row("garbage collection on all", FaultCause::garbage_collection, Fault::kAllRanks, 1, 6'000'000);
        row("allocation", FaultCause::allocation, 7, 1, 6'000'000);
        row("allocation on all", FaultCause::allocation, Fault::kAllRanks, 1, 6'000'000);
        row("synchronisation", FaultCause::synchronisation, 4, 1, 0);
        row("slow link", FaultCause::slow_link, 2, 40, 0);
        row("first iteration", FaultCause::first_iteration, Fault::kAllRanks, 1, 20'000'000);
        row("uneven experts", FaultCause::expert_imbalance, 4, 2, 0);
        row("late start", FaultCause::late_start, 3, 1, 8'000'000);
    }
    void theFirstFindingNamesTheFault() {
        QFETCH(int, cause);
        QFETCH(int, rank);
        QFETCH(double, factor);
        QFETCH(int, time);
        SimulatorOptions options = healthy(1, 2, 4);
        Fault fault;
        fault.cause = static_cast<FaultCause>(cause);
        fault.rank = rank;
        fault.factor = factor;
        fault.time = time;
        if (fault.cause == FaultCause::slow_link) { // of four groups
            options.dp = 4;
            options.tp = 2;
            fault.dimension = Dimension::tensor;
        }
        if (fault.cause == FaultCause::synchronisation) { // costs what the host then launches too late
            options.host = {90'000, 50'000, 20'000};
            options.microbatches = 8;
        }
        options.experts = fault.cause == FaultCause::expert_imbalance;
        options.faults = {fault};
        const FaultRunResult result = examine(options);
        QVERIFY2(result.error.empty(), result.error.c_str());
        const QByteArray text = text_of(result.findings);
        const double least = fault.cause == FaultCause::synchronisation ? 0.005 : 0.01;
        QVERIFY2(result.faults[0].true_share >= least,
                 qPrintable(QStringLiteral("costs only %1").arg(result.faults[0].true_share)));
        // Below 1 % of the step what all ranks share is told, but as part of the program.
        QVERIFY2(result.faults[0].true_share < 0.01 ? result.faults[0].found : result.faults[0].first, text);
        QVERIFY2(std::abs(result.faults[0].found_cost / result.faults[0].true_cost - 1) < 0.05, text);
        QVERIFY2(result.wrong.empty(), text);
        QCOMPARE(result.findings.healthy, result.faults[0].true_share < 0.01 || fault.cause == FaultCause::late_start);
        const Finding& finding = *std::ranges::find_if(
            result.findings.list, [&](const Finding& f) { return f.cost == result.faults[0].found_cost; });
        QVERIFY(!finding.events.empty() && !finding.facts.empty());
        QVERIFY(finding.confidence > 0.5 && finding.confidence < 1);
    }

    void healthyRunsAreSaidToBeHealthy_data() {
        QTest::addColumn<int>("pp");
        QTest::addColumn<int>("dp");
        QTest::addColumn<int>("tp");
        QTest::addColumn<bool>("links");
        QTest::newRow("dp 8") << 1 << 8 << 1 << false; // one group inside a machine: nothing to compare with
        QTest::newRow("tp 4, dp 2") << 1 << 2 << 4 << true;
        QTest::newRow("pp 2, dp 2, tp 2") << 2 << 2 << 2 << true;
    }
    void healthyRunsAreSaidToBeHealthy() {
        QFETCH(bool, links);
        QFETCH(int, pp);
        QFETCH(int, dp);
        QFETCH(int, tp);
        SimulatorOptions options = healthy(pp, dp, tp);
        options.jitter = 0.01;
        const FaultRunResult result = examine(options);
        QVERIFY2(result.error.empty(), result.error.c_str());
        const QByteArray text = text_of(result.findings);
        QVERIFY2(result.findings.healthy, text);
        for (const Finding& finding : result.findings.list)
            QVERIFY2(finding.share < 0.01 || pp > 1, text); // messages of a pipeline are exposed by their latency
        const char* const said =
            links ? "No fault of ranks, links or the host costs 1 %" : "No fault of ranks or the host costs 1 %";
        QVERIFY2(english(result.findings.summary).find(said) != std::string::npos, text);
        QCOMPARE(result.findings.judged.links, links);
        QVERIFY2(result.findings.judged.ranks && result.findings.judged.host, text);
    }

    /// No fault, but a network of a tenth of the usual bandwidth, the same for all: whoever looks for the reason of a
    /// slow run must not read that it is well.
    void aRunThatIsSlowByItselfIsNotJustCalledHealthy() {
        SimulatorOptions options = healthy(1, 8, 1);
        options.inter_node_gb_s = 4.5;
        const FaultRunResult result = examine(options);
        QVERIFY2(result.error.empty(), result.error.c_str());
        const QByteArray text = text_of(result.findings);
        QVERIFY2(result.findings.healthy, text);
        const Finding& exposed = result.findings.list.front();
        QCOMPARE(exposed.code, FindingCode::exposed_communication);
        QVERIFY2(exposed.inherent && exposed.share > 0.1, text);
        QVERIFY2(english(result.findings.summary).starts_with(english(exposed.title)) &&
                     english(result.findings.summary)
                         .ends_with("No fault of ranks or the host costs 1 % of a " +
                                    time_words(result.findings.step_time) + " step. Not judged: links."),
                 english(result.findings.summary).c_str());
    }

    void fortyRandomRuns() {
        int injected = 0;
        int first = 0;
        for (int number = 0; number < 40; ++number) {
            const SimulatorOptions options = fault_run(number);
            const FaultRunResult result = examine(options);
            const QByteArray what =
                QByteArray::fromStdString("run " + std::to_string(number) + ": " + described(options) + "\n") +
                text_of(result.findings);
            QVERIFY2(result.error.empty(), what + QByteArray::fromStdString(result.error));
            QVERIFY2(result.wrong.empty(), what);
            for (const FaultOutcome& outcome : result.faults) {
                if (outcome.true_share < 0.01)
                    continue; // others hide it
                ++injected;
                first += outcome.first ? 1 : 0;
                QVERIFY2(outcome.found, what);
                QVERIFY2(std::abs(outcome.found_cost / outcome.true_cost - 1) <= 0.05, what);
            }
        }
        qInfo("%d faults of 1 %% of the step or more, all found; the first finding names %d of them", injected, first);
        QVERIFY(injected >= 20);
    }

    /// A fault that another one hides stands after it.
    void theFirstOfTwoFaultsIsTrue() {
        const SimulatorOptions options = fault_run(1);
        QCOMPARE(options.faults.size(), std::size_t{2});
        const FaultRunResult result = examine(options);
        const QByteArray what = QByteArray::fromStdString(described(options) + "\n") + text_of(result.findings);
        const auto is_first = [&](const FaultOutcome& outcome) {
            return outcome.first && std::abs(outcome.found_cost / outcome.true_cost - 1) <= 0.01;
        };
        QVERIFY2(std::ranges::any_of(result.faults, is_first), what);
        QVERIFY2(std::ranges::is_sorted(result.findings.list, std::greater<>(),
                                        [](const Finding& f) { return std::pair(!f.hidden, f.cost); }),
                 what);
        QVERIFY(std::ranges::any_of(result.findings.list, &Finding::hidden));
    }

    /// The tensor group of ranks 2 and 3 is slow, so both come late to the data-parallel calls with ranks 0 and 1.
    void aSlowPreviousCollectiveIsWhyARankIsLate() {
        SimulatorOptions options = healthy(1, 2, 2);
        options.layers = 6;
        options.intra_node_gb_s = 100;
        options.jitter = 0.002;
        options.faults = {Fault{FaultCause::slow_link, 2, 3, 0, Dimension::tensor}};
        const QTemporaryDir folder;
        QVERIFY(write_run(options, folder.path().toStdString()).has_value());
        const auto run = load_run(folder.path().toStdString());
        QVERIFY(run.has_value());
        const RunAnalysis analysis(*run, {});
        const Findings& findings = analysis.findings();
        QVERIFY(!findings.list.empty());
        const Finding& first = findings.list.front();
        QVERIFY2(first.code == FindingCode::slow_link && first.cause == FindingCause::slow_previous_collective,
                 text_of(findings));
        QCOMPARE(first.ranks, (std::vector<int>{2, 3}));
        const auto late = analysis.late_rank();
        QVERIFY(!late || why_late(findings, late->rank) == &first);
    }

    /// What the Overview's headline says (late_rank) and what the findings say are one thing.
    void theLateRankIsAlwaysTold() {
        int late_ranks = 0;
        for (const int number : {2, 3, 4, 7, 8, 9, 12, 13}) {
            SimulatorOptions options = fault_run(number);
            options.faults = {Fault{FaultCause::slower_kernels, options.world_size() - 1, 1.4, 0, Dimension::data}};
            const QTemporaryDir folder;
            QVERIFY(write_run(options, folder.path().toStdString()).has_value());
            const auto run = load_run(folder.path().toStdString());
            QVERIFY(run.has_value());
            const RunAnalysis analysis(*run, {});
            if (const auto late = analysis.late_rank()) {
                ++late_ranks;
                const Finding* why = why_late(analysis.findings(), late->rank);
                QVERIFY2(why != nullptr, text_of(analysis.findings()));
                QCOMPARE(fact(*why, FactName::wait_caused_us_per_other_rank), static_cast<double>(late->cost) / 1000);
                QCOMPARE(fact(*why, FactName::arrives_last_at), static_cast<double>(late->times_last));
            }
        }
        QVERIFY(late_ranks >= 4);
    }

    /// Recorded: rank 7 starts its step 7.5 ms after rank 1 and comes last to 5 of 8 calls; the median rank starts 4.5
    /// ms before it. Ranks 4 and 5 come last to the other three, by 0.9 ms at most. No clock differs: the ends of each
    /// call agree to 5 us.
    void rank7OfDlrmIsLateInHeadlineMetricAndFindings() {
        const std::filesystem::path folder = std::filesystem::path(RANKSCOPE_SHARED_DIR) / "traces" / "dlrm_v100_8rank";
        if (!std::filesystem::exists(folder))
            QSKIP("skipped: no shared traces");
        const auto run = load_run(folder);
        QVERIFY(run.has_value());
        const RunAnalysis analysis(*run, {});
        const Findings& findings = analysis.findings();
        const auto late = analysis.late_rank();
        QVERIFY(late.has_value());
        QCOMPARE(late->rank, 7);
        QCOMPARE(find_metric("straggler_lag")->compute(analysis).details["late_rank"].get<int>(), 7);
        const Finding* why = why_late(findings, 7);
        QVERIFY2(why != nullptr, text_of(findings));
        QCOMPARE(why->cause, FindingCause::late_start);
        QVERIFY2(std::abs(fact(*why, FactName::begins_later_us) - 4523) < 1, text_of(findings)); // 428718 - 424195
        for (const Finding& finding : findings.list) {
            const bool names7 = std::ranges::find(finding.ranks, 7) != finding.ranks.end();
            QVERIFY2(finding.code != FindingCode::straggler || names7 ||
                         english(finding.title).find("late") == std::string::npos,
                     text_of(findings));
        }
    }

    void reportsCarryFindingsWithTheirEvidence() {
        SimulatorOptions options = healthy(1, 4, 1);
        options.faults = {Fault{FaultCause::slower_kernels, 2, 1.5, 0, Dimension::data}};
        const QTemporaryDir folder;
        QVERIFY(write_run(options, folder.path().toStdString()).has_value());
        const auto run = load_run(folder.path().toStdString());
        QVERIFY(run.has_value());
        const auto analysis = std::make_shared<const RunAnalysis>(*run, Selection{});
        const AnalysedRun analysed[] = {{"run", "label", analysis, {}, {}}};
        const Finding& first = analysis->findings().list.front();
        const FindingEvent& event = first.events.front();
        const std::string name((*run)->ranks[event.rank]->event_name(event.event));

        const Sheet findings = findings_sheet(analysed);
        QCOMPARE(findings.rows.size(), analysis->findings().list.size());
        QCOMPARE(std::get<std::string>(findings.rows[0][4]), std::string("2"));
        QCOMPARE(std::get<double>(findings.rows[0][6]), first.cost / 1000);
        const Sheet evidence = evidence_sheet(analysed);
        QCOMPARE(std::get<double>(evidence.rows[0][2]), 2.0);
        QCOMPARE(std::get<std::string>(evidence.rows[0][3]), name);
        QCOMPARE(std::get<double>(evidence.rows[0][4]),
                 static_cast<double>(event.range.begin - (*run)->span.begin) / 1000);
        for (const Sheet& sheet : {findings, evidence})
            for (const auto& row : sheet.rows)
                QCOMPARE(row.size(), sheet.columns.size());
        const std::string html = findings_section(analysed[0]);
        QVERIFY(html.find("Rank 2 arrives last") != std::string::npos);
        QVERIFY(html.find(escaped_markup(name).substr(0, 40)) != std::string::npos);
    }

    void clocksThatDoNotFitAreSaid() {
        const auto rank = [](int number, double shift) {
            const CollectiveCall call{.collective = "allreduce",
                                      .in_elements = 64,
                                      .out_elements = 64,
                                      .group = {"0", "mesh_dp", {0, 1}, 2},
                                      .sequence = 1};
            return TraceBuilder(number).world_size(2).collective("ncclDevKernel_AllReduce", 20, 10 + shift, 100, call);
        };
        const RunAnalysis analysis(make_run({rank(0, 0), rank(1, 5000)}), {}, Align::none);
        const Findings findings = analysis.findings();
        const auto found = std::ranges::find(findings.list, FindingCode::clock_misfit, &Finding::code);
        QVERIFY2(found != findings.list.end(), text_of(findings));
        QCOMPARE(found->facts[0].number, 4900.0); // rank 0 ends at 110 us, rank 1 starts at 5010
        QCOMPARE(found->ranks, (std::vector<int>{0, 1}));
        QCOMPARE(found->events.size(), 2U);
        QVERIFY(!findings.healthy);
    }

    void realTracesHaveFindingsWithEvidence_data() {
        QTest::addColumn<QByteArray>("trace");
        for (const char* trace : {"dlrm_v100_8rank", "rccl_demo/56cu_256threads", "trace_diff_control", "nccl_a100",
                                  "resnet_v100_ns", "sglang_decode"})
            QTest::newRow(trace) << QByteArray(trace);
    }
    void realTracesHaveFindingsWithEvidence() {
        QFETCH(QByteArray, trace);
        const std::filesystem::path folder =
            std::filesystem::path(RANKSCOPE_SHARED_DIR) / "traces" / trace.toStdString();
        if (!std::filesystem::exists(folder))
            QSKIP("skipped: no shared traces");
        const auto run = load_run(folder);
        QVERIFY2(run.has_value(), run ? "" : english(run.error().message).c_str());
        const RunAnalysis analysis(*run, {});
        const Findings& findings = analysis.findings();
        qInfo("%s", text_of(findings).constData());
        for (const Finding& finding : findings.list) {
            QVERIFY2(finding.cost <= findings.step_time, text_of(findings));
            QVERIFY2(!finding.events.empty(), text_of(findings)); // docs/findings.md has them checked by hand
            for (const FindingEvent& event : finding.events) {
                QVERIFY(event.rank < (*run)->ranks.size());
                QVERIFY(event.range.begin >= (*run)->ranks[event.rank]->span.begin - 1'000'000'000 &&
                        event.range.end <= (*run)->ranks[event.rank]->span.end);
            }
        }
    }

    void aRunWithoutGpuWorkHasNoFindings() {
        const Findings findings = RunAnalysis(make_run({TraceBuilder(0).cpu_op("aten::mm", 0, 5)}), {}).findings();
        QVERIFY(findings.list.empty());
        QVERIFY(!english(findings.summary).empty());
    }
};

RANKSCOPE_TEST(TestFindings)

} // namespace rankscope::findings_test

#include "test_findings.moc"
