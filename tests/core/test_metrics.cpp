// SPDX-License-Identifier: GPL-3.0-or-later
// The catalogue and the first metrics, on runs small enough to work out by hand.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "core/analysis/facts/fact_words.h"
#include "core/metrics/catalogue.h"
#include "core/metrics/numbers.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::metrics_test {

namespace {

MetricResult compute(const std::shared_ptr<const Run>& run, const std::string& id, const Selection& selection = {}) {
    const std::vector<std::string> ids{id};
    return compute_metrics(RunAnalysis(run, selection), ids).entries.at(0).result;
}

/// Two ranks, two steps each of 100 us; computation 0..60 and an all-reduce 40..80 in every step, rank 1 10 us slower.
TraceBuilder training_rank(int number) {
    TraceBuilder rank(number);
    rank.base(1'000'000'000);
    const double slower = 10.0 * number;
    for (int step = 0; step < 2; ++step) {
        const double begin = 100.0 * step;
        rank.step(step + 1, begin, 100 + slower * step);
        rank.launch(begin + 1, 1).kernel("gemm", 7, begin, 60 + slower);
        rank.annotation("nccl:all_reduce", begin + 3, 2).cpu_op("c10d::allreduce_", begin + 3, 1);
        rank.launch(begin + 4, 1).kernel("ncclDevKernel_AllReduce_Sum_f32", 9, begin + 40, 40);
    }
    return rank;
}

std::shared_ptr<const Run> training() { return make_run({training_rank(0), training_rank(1)}); }

bool all_numbers_finite(const Json& json) {
    if (json.is_structured())
        return std::all_of(json.begin(), json.end(), all_numbers_finite);
    return !json.is_null() && (!json.is_number_float() || std::isfinite(json.get<double>()));
}

} // namespace

class TestMetrics : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyMetricIsFullyDescribedAndIdsAreUnique() {
        std::set<std::string> ids;
        for (const MetricPointer& metric : metric_catalogue()) {
            QVERIFY2(ids.insert(metric->id).second, metric->id.c_str());
            QVERIFY2(!metric->title.empty() && !metric->unit.empty() && !metric->topic.empty(), metric->id.c_str());
            QVERIFY2(metric->definition.ends_with('.') && metric->compute != nullptr, metric->id.c_str());
            QCOMPARE(find_metric(metric->id), metric);
        }
        QVERIFY(find_metric("no_such_metric") == nullptr);
    }

    void aMistypedIdFindsItsNeighbours_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("nearest");
        QTest::newRow("swap") << QStringLiteral("itre_time") << QStringLiteral("iter_time");
        QTest::newRow("letter") << QStringLiteral("gpu_timelin") << QStringLiteral("gpu_timeline");
        QTest::newRow("part") << QStringLiteral("overlap") << QStringLiteral("comm_comp_overlap");
    }
    void aMistypedIdFindsItsNeighbours() {
        QFETCH(QString, typed);
        QFETCH(QString, nearest);
        const std::vector<std::string> found = nearest_metric_ids(typed.toStdString());
        QVERIFY(found.size() <= 3);
        QCOMPARE(QString::fromStdString(found.at(0)), nearest);
    }

    void aReportHoldsTheMetricsAskedForInCatalogueOrder() {
        const RunAnalysis analysis(training(), {});
        const std::vector<std::string> ids{"kernel_breakdown", "iter_time", "unknown"};
        const MetricReport report = compute_metrics(analysis, ids);
        QCOMPARE(report.entries.size(), std::size_t{2});
        QCOMPARE(report.entries[0].metric->id, std::string("iter_time"));
        QVERIFY(report.find("kernel_breakdown")->available);
        QVERIFY(report.find("gpu_timeline") == nullptr);
        QCOMPARE(compute_metrics(analysis).entries.size(), metric_catalogue().size());
    }

    void noMetricEverHoldsANumberThatIsNotFinite() {
        for (const auto& run :
             {training(), make_run({TraceBuilder(0).cpu_op("aten::mm", 0, 1)}),
              make_run({TraceBuilder(0).kernel("k", 7, 0, 0)}),
              make_run({TraceBuilder(0).kernel("nccl", 7, 5, 0), TraceBuilder(1).cpu_op("aten::mm", 0, 1)})}) {
            for (const MetricReport::Entry& entry : compute_metrics(RunAnalysis(run, {})).entries) {
                QVERIFY2(std::isfinite(entry.result.value), entry.metric->id.c_str());
                QVERIFY2(all_numbers_finite(entry.result.details), entry.metric->id.c_str());
                QVERIFY2(entry.result.available != !entry.result.reason.empty(), entry.metric->id.c_str());
            }
        }
    }

    /// Two steps of 100 us: computation to 40 or 50, then an all-reduce to 80. Of a third rank nothing is recorded.
    void waitsForRanksWithoutATraceAreNotSeen() {
        const auto run = [](int world_size, int traced = 2) {
            std::vector<TraceBuilder> ranks;
            for (int r = 0; r < traced; ++r) {
                TraceBuilder rank(r);
                rank.world_size(world_size);
                for (int step = 0; step < 2; ++step) {
                    const double begin = 100.0 * step;
                    const double computed = 40.0 + 10 * r;
                    rank.step(step + 1, begin, 100);
                    rank.launch(begin + 1, 1).kernel("gemm", 7, begin + 2, computed - 2);
                    rank.launch(begin + 4, 1)
                        .collective(
                            "ncclDevKernel_AllReduce_Sum_f32", 9, begin + computed, 80 - computed,
                            {.collective = "allreduce", .in_elements = 1000, .out_elements = 1000, .group = {}});
                }
                ranks.push_back(std::move(rank));
            }
            return make_run(std::move(ranks));
        };
        const std::vector<std::pair<std::string, ValueBound>> bounds{{"wait_for_ranks", ValueBound::at_least},
                                                                     {"exposed_comm", ValueBound::at_most},
                                                                     {"straggler_lag", ValueBound::at_least},
                                                                     {"comm_bandwidth", ValueBound::at_least},
                                                                     {"step_time", ValueBound::none}};
        for (const auto& [id, bound] : bounds) {
            const MetricResult all = compute(run(2), id);
            const MetricResult some = compute(run(3), id);
            QVERIFY2(all.available && some.available, id.c_str());
            QVERIFY2(all.bound == ValueBound::none && some.bound == bound, id.c_str());
            QCOMPARE(some.bound_reason.empty(), bound == ValueBound::none);
        }
        QCOMPARE(compute(run(3), "wait_for_ranks").value, 0.005); // 10 and 0 us
        QCOMPARE(compute(run(3), "exposed_comm").value, 0.03);
        QVERIFY(!compute(run(2, 1), "wait_for_ranks").available);
        const auto facts = [](const std::shared_ptr<const Run>& of) {
            return english(fact_sentences(RunAnalysis(of, {}).facts()));
        };
        const std::string untraced =
            "Exposed communication may be waiting, because not all ranks of its calls have a trace.";
        QVERIFY(std::ranges::count(facts(run(3)), untraced) == 1);
        QVERIFY(std::ranges::count(facts(run(2)), untraced) == 0);
    }

    void gpuTimelineIsTheMeanIdleShareOfTheRanks() {
        // Rank 0: busy 0..80 and 100..180: 20 idle of 180. Rank 1: gemm 0..70, comm to 80, so the same: 20 of 180.
        const MetricResult result = compute(training(), "gpu_timeline");
        QCOMPARE(result.value, 100.0 * 20 / 180);
        const Json& rank1 = result.details["per_rank"][1];
        QCOMPARE(rank1["rank"].get<int>(), 1);
        QCOMPARE(rank1["computation_us"].get<double>(), 140.0);
        QCOMPARE(rank1["exposed_comm_us"].get<double>(), 20.0);          // 70..80 twice
        QCOMPARE(rank1["overlap_us"].get<double>(), 60.0);               // 40..70 twice
        QCOMPARE(result.details["computation_us"].get<double>(), 130.0); // mean of 120 and 140
        QCOMPARE(result.details["compat_linked_only"]["idle_us"].get<double>(), 20.0);
    }

    void overlapIsTheHiddenShareOfCommunication() {
        // Rank 0: 40..60 of 40..80: 50 %; rank 1: 40..70: 75 %.
        const MetricResult result = compute(training(), "comm_comp_overlap");
        QCOMPARE(result.value, 62.5);
        QCOMPARE(result.details["ratio_of_compute"].get<double>(), rounded((40.0 / 120 + 60.0 / 140) / 2));
        // CCL-Bench takes rank 0 alone and counts the annotation and the operator as communication: per step 40 + 2 + 1
        // us, of which 40..60 and 3..5 run beside the gemm: 22 us.
        const Json& compat = result.details["compat_ccl_bench"];
        QCOMPARE(compat["num_comm_kernels"].get<int>(), 6);
        QCOMPARE(compat["num_comp_kernels"].get<int>(), 2);
        QCOMPARE(compat["comm_time_ms"].get<double>(), 0.086);
        QCOMPARE(compat["overlap_time_ms"].get<double>(), 0.044);
    }

    void temporalBreakdownIsTheMeanComputeShare() {
        const MetricResult result = compute(training(), "temporal_breakdown");
        QCOMPARE(result.value, (100.0 * 120 / 180 + 100.0 * 140 / 180) / 2);
        // HTA drops the second step: rank 0 then spans 0..80 with 60 of computation.
        const Json& hta = result.details["compat_hta_default"]["per_rank"][0];
        QCOMPARE(hta["kernel_time_us"].get<int>(), 80);
        QCOMPARE(hta["compute_percent"].get<double>(), 75.0);
        QCOMPARE(result.details["compat_hta_include_last_step"]["per_rank"][0]["kernel_time_us"].get<int>(), 180);
    }

    void iterationTimeIsTheMeanOverRanksAndSteps() {
        // Rank 0: 100, 100; rank 1: 100, 110. Mean 102.5; squares 6.25 * 3 + 56.25 = 75, / 3 = 25: deviation 5.
        const MetricResult result = compute(training(), "iter_time");
        QCOMPARE(result.value, 0.1025);
        QCOMPARE(result.details["std_ms"].get<double>(), 0.005);
        QCOMPARE(result.details["min_ms"].get<double>(), 0.1);
        QCOMPARE(result.details["max_ms"].get<double>(), 0.11);
        QCOMPARE(result.details["p50_ms"].get<double>(), 0.1);
        QCOMPARE(result.details["num_iterations"].get<int>(), 2);
        QCOMPARE(result.details["rank_spread_ms"].get<double>(), 0.005);
        QCOMPARE(result.details["method"].get<std::string>(), std::string("profiler_steps"));
        QCOMPARE(result.details["per_rank"][1]["avg_ms"].get<double>(), 0.105);
    }

    void iterationsCanBeChosen() {
        Selection selection;
        selection.iterations = {{2, 2}};
        QCOMPARE(compute(training(), "iter_time", selection).value, 0.105);
        selection.iterations = {{9, 9}};
        const MetricResult none = compute(training(), "iter_time", selection);
        QVERIFY(!none.available && !none.reason.empty());
    }

    void withoutStepsIterationsComeFromTheRepetitionOfCollectives() {
        // all-reduce, all-gather, every 50 us, four times: three whole periods.
        TraceBuilder rank(0);
        for (int i = 0; i < 4; ++i) {
            rank.kernel("ncclDevKernel_AllReduce", 9, 50.0 * i, 10)
                .kernel("ncclDevKernel_AllGather", 9, 50.0 * i + 20, 10);
        }
        const MetricResult result = compute(make_run({rank}), "iter_time");
        QCOMPARE(result.value, 0.05);
        QCOMPARE(result.details["method"].get<std::string>(), std::string("inferred"));
        QCOMPARE(result.details["inferred_from"].get<std::string>(), std::string("collectives"));
        QCOMPARE(result.details["events_per_iteration"].get<int>(), 2);
        QCOMPARE(result.details["num_iterations"].get<int>(), 3);
    }

    /// Four layers of tensor parallelism repeat inside each step of 200 us. On rank 0 their stream is the busiest one.
    void ranksAgreeOnWhatRepeats() {
        std::vector<TraceBuilder> ranks;
        for (int r = 0; r < 3; ++r) {
            TraceBuilder& rank = ranks.emplace_back(r);
            for (int step = 0; step < 4; ++step) {
                const double begin = 200.0 * step;
                for (int layer = 0; layer < 4; ++layer)
                    rank.kernel("ncclDevKernel_AllGather", 9, begin + 40 * layer, 12)
                        .kernel("ncclDevKernel_ReduceScatter", 9, begin + 40 * layer + 20, 12);
                const double time = r == 0 ? 10 : 80;
                rank.kernel("ncclDevKernel_AllReduce", 10, begin + 10, time)
                    .kernel("ncclDevKernel_Broadcast", 10, begin + 100, time);
            }
        }
        const MetricResult result = compute(make_run(ranks), "iter_time");
        QCOMPARE(result.value, 0.2);
        for (const int rank : {0, 1, 2})
            QCOMPARE(result.details["per_rank"][static_cast<std::size_t>(rank)]["num_iterations"].get<int>(), 3);
    }

    void withoutCollectivesIterationsComeFromTheRepetitionOfKernels() {
        TraceBuilder rank(0);
        for (int i = 0; i < 3; ++i) // "a" runs twice in an iteration, so its distance is not the period
            rank.kernel("a", 7, 70.0 * i, 5).kernel("a", 7, 70.0 * i + 10, 5).kernel("b", 7, 70.0 * i + 20, 5);
        const MetricResult result = compute(make_run({rank}), "iter_time");
        QCOMPARE(result.value, 0.07);
        QCOMPARE(result.details["inferred_from"].get<std::string>(), std::string("kernels"));
        QCOMPARE(result.details["events_per_iteration"].get<int>(), 3);
    }

    void findingsSpeakOfTheSameIteration() {
        TraceBuilder working(0);
        for (int i = 0; i < 4; ++i) // the pause after the last one is not recorded
            working.kernel("a", 7, 70.0 * i, 5).kernel("b", 7, 70.0 * i + 20, 5);
        QCOMPARE(RunAnalysis(make_run({working}), {}).findings().step_time, 70'000.0);
        TraceBuilder copying(1);
        for (int i = 0; i < 7; ++i)
            copying.memory_copy("Memcpy DtoD", 9, 41.0 * i + i * i, 2);
        const RunAnalysis analysis(make_run({working, copying}), {});
        QCOMPARE(find_metric("iter_time")->compute(analysis).value, 0.07);
        QCOMPARE(analysis.findings().step_time, 70'000.0);
    }

    void oneCallRepeatedIsNoIteration() {
        TraceBuilder rank(0);
        for (int i = 0; i < 9; ++i)
            rank.kernel("ncclDevKernel_SendRecv", 9, 50.0 * i, 10);
        const MetricResult result = compute(make_run({rank}), "iter_time");
        QVERIFY(!result.available);
        QVERIFY(english(result.reason).find("ProfilerStep") != std::string::npos);
    }

    void collectiveCallsAreCountedOnceAndAsCclBenchCountsThem() {
        const MetricResult result = compute(training(), "coll_call_num");
        QCOMPARE(result.value, 4.0);
        QCOMPARE(result.details["calls_by_type"]["AllReduce"].get<int>(), 4);
        QCOMPARE(result.details["calls_per_rank"][1]["calls"].get<int>(), 2);
        QCOMPARE(result.details["calls_per_iteration"].get<double>(), 1.0);
        // Annotation, operator and kernel: three for each call.
        QCOMPARE(result.details["compat_ccl_bench"]["total_calls"].get<int>(), 12);
        QCOMPARE(result.details["compat_ccl_bench"]["calls_by_type"]["AllReduce"].get<int>(), 12);
    }

    void callsInAChosenIterationAreThoseItLaunched() {
        Selection selection;
        selection.iterations = {{1, 1}};
        const MetricResult result = compute(training(), "coll_call_num", selection);
        QCOMPARE(result.value, 2.0);
        QCOMPARE(result.details["calls_per_iteration"].get<double>(), 1.0);
    }

    void noCommunicationIsZeroCallsButNoOverlap() {
        const auto run = make_run({TraceBuilder(0).kernel("gemm", 7, 0, 10)});
        QCOMPARE(compute(run, "coll_call_num").value, 0.0);
        QVERIFY(compute(run, "coll_call_num").available);
        QVERIFY(!compute(run, "comm_comp_overlap").available);
    }

    void kernelBreakdownPoolsTheRanks() {
        // Work per rank: 2 * 60 + 2 * 40 = 200 us and 2 * 70 + 2 * 40 = 220 us: mean 210.
        const MetricResult result = compute(training(), "kernel_breakdown");
        QCOMPARE(result.value, 0.21);
        const Json& gemm = result.details["kernels"][0];
        QCOMPARE(gemm["name"].get<std::string>(), std::string("gemm"));
        QCOMPARE(gemm["count"].get<int>(), 4);
        QCOMPARE(gemm["total_us"].get<double>(), 260.0);
        QCOMPARE(gemm["mean_us"].get<double>(), 65.0);
        QCOMPARE(gemm["std_us"].get<double>(), 5.774); // 60, 60, 70, 70: sqrt(100 / 3)
        QCOMPARE(result.details["by_class"][1]["class"].get<std::string>(), std::string("communication"));
        QCOMPARE(result.details["by_class"][1]["total_us"].get<double>(), 160.0);
        QCOMPARE(result.details["by_compute_kind"][0]["class"].get<std::string>(), std::string("gemm"));
        // Exactly computation: 40 per step on both ranks: 160; communication alone 40 and 20; both 40 and 60.
        QCOMPARE(result.details["overlap"][0]["time_us"].get<double>(), 160.0);
        QCOMPARE(result.details["overlap"][1]["time_us"].get<double>(), 60.0);
        QCOMPARE(result.details["overlap"][2]["classes"].get<std::string>(),
                 std::string("compute overlapping communication"));
        QCOMPARE(result.details["overlap"][2]["time_us"].get<double>(), 100.0);
    }

    void nearestRankTakesAnExistingValue() {
        QCOMPARE(nearest_rank({4, 1, 3, 2}, 50), 2.0);
        QCOMPARE(nearest_rank({4, 1, 3, 2}, 95), 4.0);
        QCOMPARE(nearest_rank({5}, 1), 5.0);
        QVERIFY(std::isnan(nearest_rank({}, 50)));
    }
};

RANKSCOPE_TEST(TestMetrics)

} // namespace rankscope::metrics_test

#include "test_metrics.moc"
