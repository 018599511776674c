// SPDX-License-Identifier: GPL-3.0-or-later
// What the host of a rank does: which calls wait, whose launches count, and what a host that takes no time can save.
#include <QtTest>

#include <cmath>
#include <map>
#include <vector>

#include "core/analysis/findings/findings.h"
#include "core/analysis/gpu/host_points.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::host_points_test {

namespace {

CollectiveCall all_reduce(std::int64_t sequence) {
    return {.collective = "allreduce",
            .in_elements = 1024,
            .out_elements = 1024,
            .group = {"0", "default_pg", {0, 1, 2}, 3},
            .sequence = sequence};
}

} // namespace

class TestHostPoints : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void callsThatWait_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("work"); ///< -1: it does not wait
        const auto row = [](EventKind kind, const char* name, int work) {
            QTest::newRow(name) << static_cast<int>(kind) << QString::fromLatin1(name) << work;
        };
        const auto device = static_cast<int>(HostWork::wait_device);
        const auto some = static_cast<int>(HostWork::wait_stream);
        row(EventKind::runtime, "cudaDeviceSynchronize", device);
        row(EventKind::driver, "cuCtxSynchronize", device);
        row(EventKind::runtime, "aclrtSynchronizeDevice", device);
        row(EventKind::runtime, "urQueueFinish", device);
        row(EventKind::runtime, "hipStreamSynchronize", some);
        row(EventKind::runtime, "aclrtSynchronizeStream", some);
        row(EventKind::runtime, "urEventWait", some);
        row(EventKind::runtime, "event_wait", some); // MTIA
        row(EventKind::runtime, "hipMemcpyWithStream", some);
        row(EventKind::python, "$array.py:1 block_until_ready", some);
        row(EventKind::other, "PjRtBuffer::Await", some);
        row(EventKind::runtime, "cudaStreamWaitEvent", -1);
        row(EventKind::runtime, "cudaEventQuery", -1);
        row(EventKind::runtime, "cudaMemcpyAsync", -1);
    }
    void callsThatWait() {
        QFETCH(int, kind);
        QFETCH(QString, name);
        QFETCH(int, work);
        const HostRole role = host_role(static_cast<EventKind>(kind), name.toStdString());
        QCOMPARE(role.counts, work >= 0);
        if (work >= 0)
            QCOMPARE(static_cast<int>(role.work), work);
    }

    /// One process, two GPUs, a thread for each: what the other thread does is not this GPU's host.
    void threadsOfOtherGpusDoNotCount() {
        const auto rank = TraceBuilder(0)
                              .step(1, 0, 100)
                              .launch(2, 2)
                              .kernel("gemm", 7, 6, 20)
                              .runtime("cudaDeviceSynchronize", 10, 20)
                              .runtime("cudaLaunchKernel", 3, 2, "other")
                              .runtime("cudaDeviceSynchronize", 11, 60, "other");
        const auto run = make_run({rank});
        const std::vector<HostPoint> points = host_points(*run->ranks[0], {}, {0, 1'000'000});
        QCOMPARE(points.size(), std::size_t{2});
        QCOMPARE(points[0].work, HostWork::launch);
        QCOMPARE(points[1].start, TimeNs{10'000});
    }

    /// The host polls, which no call says, and launches the second half of each step when the first has ended. The GPU
    /// does nothing for 7 of 100 us: a host that takes no time saves no more, though both halves could then overlap.
    void aHostSavesNoMoreThanTheGpuIsIdle() {
        TraceBuilder builder(0);
        for (int s = 0; s < 6; ++s) {
            const double start = 100.0 * s;
            builder.step(s + 1, start, 100)
                .launch(start + 1, 1)
                .kernel("first", 7, start + 5, 46)
                .launch(start + 52, 1)
                .kernel("second", 8, start + 53, 47);
        }
        const RunAnalysis analysis(make_run({builder}), {});
        for (const Finding& finding : analysis.findings().list)
            if (finding.code == FindingCode::host_bound)
                QVERIFY2(finding.cost <= 8'000, english(finding.title).c_str());
    }

    /// The host runs ahead, and each step starts when the all-reduce at the end of the step before has ended. Per step
    /// of 95 us the all-reduce takes 20, and rank 1 is 12 us late to it.
    void theNextStepMayWaitForTheLastCollective() {
        std::vector<TraceBuilder> ranks;
        for (int rank = 0; rank < 3; ++rank) {
            TraceBuilder builder(rank);
            builder.world_size(3);
            const double gemm = rank == 1 ? 72 : 60;
            for (int s = 0; s < 8; ++s) {
                const double start = 200 + 95.0 * s;
                builder.step(s + 1, 10.0 * s, 10)
                    .launch(10.0 * s + 1, 1)
                    .kernel("gemm", 7, start, gemm)
                    .launch(10.0 * s + 4, 1)
                    .collective("ncclDevKernel_AllReduce_Sum_bf16", 20, start + gemm + 1, 92 - gemm, all_reduce(s + 1));
            }
            ranks.push_back(builder);
        }
        const RunAnalysis analysis(make_run(ranks), {});
        std::map<std::string, double> costs;
        for (const Finding& finding : analysis.findings().list)
            costs[std::string(code_word(finding.code))] = finding.cost;
        QVERIFY2(std::abs(costs["exposed_communication"] - 20'000) < 2'000,
                 std::to_string(costs["exposed_communication"]).c_str());
        QVERIFY2(std::abs(costs["straggler"] - 12'000) < 1'500, std::to_string(costs["straggler"]).c_str());
    }
};

RANKSCOPE_TEST(TestHostPoints)

} // namespace rankscope::host_points_test

#include "test_host_points.moc"
