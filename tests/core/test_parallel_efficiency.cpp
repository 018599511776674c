// SPDX-License-Identifier: GPL-3.0-or-later
// Parallel efficiency: worked out by hand, products, dimensions of the mesh, operation timelines.
#include <QtTest>

#include <fstream>

#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "core/trace/operation_timeline.h"
#include "tests/support/operation_jobs.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::parallel_efficiency_test {

namespace {

/// Two ranks compute 60 and 40 us and then reduce together until 80 us; the transfer takes 20 us.
std::shared_ptr<const Run> two_ranks() {
    std::vector<TraceBuilder> ranks;
    for (const int rank : {0, 1}) {
        const double compute = rank == 0 ? 60 : 40;
        CollectiveCall call{.collective = "allreduce", .group = {"0", "mesh_dp", {0, 1}, 2}};
        ranks.push_back(TraceBuilder(rank));
        ranks.back()
            .step(1, 0, 80.002)
            .launch(0, 0.001)
            .kernel("gemm", 7, 0.001, compute)
            .launch(0.001, 0.001)
            .collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 7, compute + 0.001, 80 - compute, std::move(call))
            .runtime("cudaDeviceSynchronize", 1, 79.001);
    }
    return make_run(ranks);
}

bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

void check_products(const Json& factors, double parallel) {
    const double balance = factors["load_balance"];
    const double communication = factors["communication_efficiency"];
    const double serialisation = factors["serialisation_efficiency"];
    const double transfer = factors["transfer_efficiency"];
    QVERIFY(near(communication, serialisation * transfer, 1e-9));
    QVERIFY(near(parallel, balance * communication, 1e-9));
    for (const double factor : {balance, communication, serialisation, transfer, parallel})
        QVERIFY(factor > 0 && factor <= 1 + 1e-9);
}

} // namespace

class TestParallelEfficiency : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void handWorked() {
        const RunAnalysis analysis(two_ranks(), {});
        const ParallelEfficiency& efficiency = analysis.parallel_efficiency();
        QCOMPARE(english(efficiency.unavailable), std::string());
        QCOMPARE(efficiency.steps.size(), std::size_t{1});
        const EfficiencyTimes& times = efficiency.steps.front().times;
        QCOMPARE(times.mean_useful, 50'000.0);
        QCOMPARE(times.max_useful, 60'000.0);
        QVERIFY2(near(times.length, 80'001, 2), QByteArray::number(times.length));
        QVERIFY2(near(times.ideal, 60'001, 2), QByteArray::number(times.ideal)); // without 20 us of transfer
        QVERIFY(near(times.load_balance(), 50.0 / 60, 1e-9));
        QVERIFY(near(times.transfer(), 60.0 / 80, 1e-3));
        QVERIFY(near(times.parallel(), 50.0 / 80, 1e-3));
        QCOMPARE(efficiency.busiest, 0u);
    }

    void productsHold() {
        const RunAnalysis analysis(two_ranks(), {});
        const MetricResult metric = find_metric("parallel_efficiency")->compute(analysis);
        QVERIFY(metric.available);
        check_products(metric.details, metric.value);
        for (const auto& step : metric.details["per_step"])
            check_products(step, step["parallel_efficiency"]);
    }

    void aRankAloneHasNone() {
        const RunAnalysis analysis(make_run({TraceBuilder(0).step(1, 0, 20).launch(0, 1).kernel("gemm", 7, 2, 10)}),
                                   {});
        QVERIFY(!find_metric("parallel_efficiency")->compute(analysis).available);
    }

    void theDimensionsOfTheMeshMultiplyUp() {
        OperationJob job;
        job.dp = 3;
        job.factor = [](bool, int dp, int stage, int, int) { return (dp == 2 ? 1.3 : 1.0) * (stage == 1 ? 1.5 : 1.0); };
        QTemporaryDir folder;
        const std::string path = folder.filePath("timeline.json").toStdString();
        std::ofstream(path, std::ios::binary) << operation_timeline(job);
        const auto run = load_run(path);
        QVERIFY(run);
        const RunAnalysis analysis(*run, {});
        const ParallelEfficiency& efficiency = analysis.parallel_efficiency();
        QCOMPARE(english(efficiency.unavailable), std::string());
        QCOMPARE(efficiency.steps.size(), std::size_t{3});
        QCOMPARE(efficiency.dimensions.size(), std::size_t{2});
        double product = 1;
        for (const DimensionBalance& dimension : efficiency.dimensions)
            product *= dimension.load_balance;
        const auto& busiest = *(*run)->ranks[efficiency.busiest]->operations;
        QVERIFY(busiest.dp == 2 && busiest.stage == 1);
        QVERIFY2(near(product, efficiency.mean.load_balance(), 1e-9), QByteArray::number(product));
        QCOMPARE(efficiency.dimensions[0].dimension, ParallelDimension::pp);
        QCOMPARE(efficiency.dimensions[0].busiest, 1);
        QCOMPARE(efficiency.dimensions[1].busiest, 2);
        const MetricResult metric = find_metric("parallel_efficiency")->compute(analysis);
        check_products(metric.details, metric.value);
    }
};

RANKSCOPE_TEST(TestParallelEfficiency)

} // namespace rankscope::parallel_efficiency_test

#include "test_parallel_efficiency.moc"
