// SPDX-License-Identifier: GPL-3.0-or-later
// Times of GPU work that cannot be right: lengths that ran over, clocks of host and GPU that differ, overlap in a
// stream.
#include <QtTest>

#include <algorithm>

#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::rank_builder_times_test {

namespace {

const Notice* notice_of(const RankTrace& rank, std::string_view code) {
    const auto found = std::ranges::find(rank.notices, code, [](const Notice& n) { return n.code.word(); });
    return found == rank.notices.end() ? nullptr : &*found;
}

std::int64_t noticed(const RankTrace& rank, std::string_view code) {
    const Notice* notice = notice_of(rank, code);
    return notice == nullptr ? 0 : notice->count;
}

std::string message(const RankTrace& rank, std::string_view code) {
    const Notice* notice = notice_of(rank, code);
    return notice == nullptr ? std::string() : english(notice->message);
}

/// Of GPU work of one name, in order of time, us.
std::vector<double> times(const RankTrace& rank, std::string_view name, const Column<TimeNs>& column) {
    std::vector<double> found;
    for (EventIndex i = 0; i < rank.events.gpu_count; ++i)
        if (rank.event_name(i) == name)
            found.push_back(static_cast<double>(column[i]) / 1000);
    return found;
}
std::vector<double> lengths(const RankTrace& rank, std::string_view name) {
    return times(rank, name, rank.events.duration);
}
std::vector<double> starts(const RankTrace& rank, std::string_view name) {
    return times(rank, name, rank.events.start);
}

/// Four steps of 2 ms: a GEMM of 1 ms in stream 7, then an all-reduce of 0.5 ms in stream 20. The host launches both at
/// once and waits until the step's work has ended.
struct Steps {
    std::string wait = "cudaStreamSynchronize"; ///< "": none
    double last_gemm_us = 1000, second_all_reduce_us = 500;
    double gpu_clock_us = 0; ///< later than the host's
    bool final_wait = false; ///< for the device, after the last step
    [[nodiscard]] std::shared_ptr<const RankTrace> build() const {
        TraceBuilder trace(0);
        for (int i = 0; i < 4; ++i) {
            const double at = 2000 * i, gpu = at + gpu_clock_us;
            trace.launch(at + 10, 5).kernel("gemm", 7, gpu + 50, i == 3 ? last_gemm_us : 1000);
            trace.launch(at + 20, 5).kernel("all-reduce", 20, gpu + 1050, i == 1 ? second_all_reduce_us : 500);
            trace.gpu_annotation("step", 7, gpu + 50, 1000);
            if (!wait.empty())
                trace.runtime(wait, at + 30, 1525); // until at + 1555
        }
        trace.runtime("cudaFree", 8000, 5);
        if (final_wait)
            trace.runtime("cudaDeviceSynchronize", 7560, 30);
        return trace.build();
    }
};

} // namespace

class TestRankBuilderTimes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theLastLengthOfAStreamRanOver_data() {
        QTest::addColumn<QString>("wait");
        QTest::newRow("waits for the stream") << "cudaStreamSynchronize";
        QTest::newRow("waits for an event") << "hipEventSynchronize";
        QTest::newRow("waits for the device") << "cudaDeviceSynchronize";
        QTest::newRow("nothing waits: it goes on alone") << "";
    }
    void theLastLengthOfAStreamRanOver() {
        QFETCH(QString, wait);
        const auto rank = Steps{.wait = wait.toStdString(), .last_gemm_us = 1'600'000}.build();
        QCOMPARE(lengths(*rank, "gemm"), (std::vector<double>{1000, 1000, 1000, 1000}));
        QCOMPARE(noticed(*rank, "overlong_work"), 1);
        QCOMPARE(rank->gpu_span.end, TimeNs{7'550'000});
        QVERIFY(Steps{.wait = wait.toStdString()}.build()->notices.empty());
    }

    void theLastTwoLengthsOfAStreamRanOver() {
        for (const char* wait : {"cudaStreamSynchronize", "cudaMalloc"}) {
            TraceBuilder trace(0);
            for (int i = 0; i < 8; ++i) {
                trace.launch(2000 * i, 5).kernel("gemm", 7, 2000 * i + 50, i < 6 ? 1000 : 1'600'000);
                trace.runtime(wait, 2000 * i + 10, 1045);
            }
            const auto rank = trace.build();
            QCOMPARE(lengths(*rank, "gemm"), std::vector<double>(8, 1000));
            QCOMPARE(noticed(*rank, "overlong_work"), 2);
        }
    }

    /// Nine times as long as others of its name, or the first of its kind.
    void aLastLengthThatMayBeRightStays() {
        const auto longer = Steps{.wait = "", .last_gemm_us = 9000}.build();
        QCOMPARE(lengths(*longer, "gemm").back(), 9000.0);
        QVERIFY(longer->notices.empty());
        TraceBuilder other(0);
        for (int i = 0; i < 4; ++i)
            other.launch(100 * i, 5).kernel(i == 3 ? "other" : "gemm", 7, 100 * i + 20, i == 3 ? 1'600'000 : 50);
        QCOMPARE(lengths(*other.build(), "other"), std::vector<double>{1'600'000});
    }

    /// A copy outlasts a call that waits for another stream, which also returned before copies had ended.
    void aCallThatWaitsForAnotherStreamTellsNoLength() {
        TraceBuilder trace(0);
        for (int i = 0; i < 5; ++i)
            trace.launch(2000 * i, 5)
                .kernel("gemm", 7, 2000 * i + 10, 400)
                .launch(2000 * i + 10, 5)
                .memory_copy("copy", 8, 2000 * i + 200, i == 4 ? 7000 : 600)
                .runtime("cudaStreamSynchronize", 2000 * i + 20, 395);
        const auto rank = trace.runtime("cudaFree", 15'000, 500).build();
        QCOMPARE(lengths(*rank, "copy").back(), 7000.0);
        QVERIFY(rank->notices.empty());
    }

    /// The next all-reduce starts 2 ms later, but the host saw this one end after 0.5 ms.
    void aLengthThatRanOverEndsBeforeTheCallThatWaitsForIt() {
        const auto rank = Steps{.wait = "cudaDeviceSynchronize", .second_all_reduce_us = 1'600'000}.build();
        QCOMPARE(lengths(*rank, "all-reduce"), (std::vector<double>{500, 500, 500, 500}));
        QCOMPARE(noticed(*rank, "overlong_work"), 1);
    }

    /// It takes no longer than up to the next start, though all others do, or have no length.
    void aLengthThatRanOverFits() {
        TraceBuilder none(0);
        for (int i = 0; i < 10; ++i)
            none.kernel("gemm", 7, 1100 * i, i == 3 ? 1'600'000 : 0);
        QCOMPARE(lengths(*none.build(), "gemm")[3], 1100.0);
        TraceBuilder trace(0);
        for (int i = 0; i < 10; ++i)
            trace.kernel("gemm", 7, 1100 * i + (i == 3 ? 700 : 0), i == 3 ? 1'600'000 : 1000);
        const auto rank = trace.build();
        QCOMPARE(lengths(*rank, "gemm")[3], 400.0);
        QCOMPARE(noticed(*rank, "overlong_work"), 1);
    }

    void aClockOfTheGpuThatIsAhead_data() {
        QTest::addColumn<double>("ahead_us");
        QTest::addColumn<QString>("wait");
        QTest::addColumn<double>("first_us"); ///< starts the first GEMM, rightly at 50 us
        QTest::addColumn<int>("early");
        // The all-reduce then ends as the call returns.
        QTest::newRow("3 ms") << 3000.0 << "cudaDeviceSynchronize" << 55.0 << 8;
        QTest::newRow("2 s") << 2e6 << "cudaStreamSynchronize" << 55.0 << 8;
        QTest::newRow("half a GEMM") << 500.0 << "hipEventSynchronize" << 55.0 << 4;
        QTest::newRow("an hour, and nothing waits: to the launch") << 3.6e9 << "" << 10.0 << 8;
    }
    void aClockOfTheGpuThatIsAhead() {
        QFETCH(double, ahead_us);
        QFETCH(QString, wait);
        QFETCH(double, first_us);
        QFETCH(int, early);
        const auto rank = Steps{.wait = wait.toStdString(), .gpu_clock_us = -ahead_us}.build();
        QCOMPARE(starts(*rank, "gemm"),
                 (std::vector<double>{first_us, first_us + 2000, first_us + 4000, first_us + 6000}));
        QCOMPARE(static_cast<double>(rank->events.start[rank->lanes[2].begin]), first_us * 1000); // the annotation
        QCOMPARE(noticed(*rank, "gpu_clock_ahead"), early);
        QVERIFY(message(*rank, "gpu_clock_ahead").find("moved forward") != std::string::npos);
    }

    /// Nothing is moved where places differ, where calls that wait contradict, or where it is little.
    void clocksThatDifferWithoutARuleAreTold() {
        TraceBuilder differ(0);
        for (int i = 0; i < 8; ++i)
            differ.launch(3200 * i + 1000, 5).kernel("gemm", 7, 200 * i, 100);
        const auto drifting = differ.build();
        QCOMPARE(starts(*drifting, "gemm")[1], 200.0);
        QCOMPARE(noticed(*drifting, "gpu_clock_ahead"), 8);
        TraceBuilder contradict(0);
        for (int i = 0; i < 4; ++i)
            contradict.launch(1000 * i + 500, 5)
                .kernel("gemm", 7, 1000 * i, 800)
                .runtime("cudaDeviceSynchronize", 1000 * i + 510, 300);
        const auto held = contradict.build();
        QCOMPARE(starts(*held, "gemm")[1], 1000.0);
        QCOMPARE(noticed(*held, "gpu_clock_ahead"), 4);
        QVERIFY(message(*held, "gpu_clock_ahead").find("disagree") != std::string::npos);
        TraceBuilder devices(0); // one of two clocks is ahead
        for (int i = 0; i < 8; ++i)
            devices.device(i % 2).launch(1000 * i + 500, 5).kernel("gemm", 7, 1000 * i + (i % 2 == 0 ? 0 : 600), 100);
        const auto two = devices.build();
        QCOMPARE(starts(*two, "gemm")[0], 0.0);
        QCOMPARE(noticed(*two, "gpu_clock_ahead"), 4);
        const auto some = Steps{.gpu_clock_us = -90}.build();
        QCOMPARE(starts(*some, "gemm")[0], -40.0);
        QCOMPARE(noticed(*some, "gpu_clock_ahead"), 4);
    }

    /// Calls that wait for one stream return before the work of any has ended: the clock is late by 10 ms.
    void aClockOfTheGpuThatIsLateWhereCallsWaitForStreams() {
        const auto rank = Steps{.gpu_clock_us = 10'000}.build();
        // The all-reduce ends 5 us before the call returns; now it ends with it.
        QCOMPARE(starts(*rank, "gemm"), (std::vector<double>{55, 2055, 4055, 6055}));
        QCOMPARE(rank->events.start[rank->lanes[2].begin], TimeNs{55'000}); // the annotation
        QCOMPARE(noticed(*rank, "gpu_clock_late"), 4);
        QVERIFY(message(*rank, "gpu_clock_late").find("moved back") != std::string::npos);
    }

    /// A call returns 260 us before the work that it waits for ends; calls that wait for streams tell by how much.
    void aClockOfTheGpuThatIsLateWhereOneCallTellsSo() {
        const auto rank = Steps{.gpu_clock_us = 300, .final_wait = true}.build();
        QCOMPARE(starts(*rank, "gemm"), (std::vector<double>{55, 2055, 4055, 6055}));
        QCOMPARE(noticed(*rank, "gpu_clock_late"), 5);
    }

    /// One call is not enough to move times; nor are calls that return while the work of no stream ends.
    void aClockOfTheGpuThatMayBeLateIsTold() {
        const auto one = Steps{.wait = "", .gpu_clock_us = 300, .final_wait = true}.build();
        QCOMPARE(starts(*one, "gemm")[0], 350.0);
        QCOMPARE(noticed(*one, "gpu_clock_late"), 1);
        QVERIFY(message(*one, "gpu_clock_late").find("260") != std::string::npos);
        QVERIFY(message(*one, "gpu_clock_late").find("as recorded") != std::string::npos);
        const auto streams = Steps{.gpu_clock_us = 300}.build();
        QCOMPARE(starts(*streams, "gemm")[0], 350.0);
        QCOMPARE(noticed(*streams, "gpu_clock_late"), 4);
        QVERIFY(message(*streams, "gpu_clock_late").find("295") != std::string::npos);
    }

    /// The host is always 3 ms ahead, and waits for another stream, also for copies whose launches were not recorded.
    void aHostThatRunsAheadHasNoLateClock() {
        for (const double delay : {50.0, 3100.0}) {
            TraceBuilder trace(0);
            for (int i = 0; i < 6; ++i)
                trace.launch(2000 * i, 5)
                    .memory_copy("copy", 8, 2000 * i + delay, 100)
                    .launch(2000 * i + 10, 5)
                    .kernel("gemm", 7, 2000 * i + 3300, 1900)
                    .runtime("cudaStreamSynchronize", 2000 * i + 20, delay + 85, TraceBuilder::kAutogradThread);
            QVERIFY(trace.runtime("cudaFree", 20'000, 5).build()->notices.empty());
        }
        TraceBuilder trace(0);
        for (int i = 0; i < 6; ++i)
            trace.launch(2000 * i + 10, 5)
                .kernel("gemm", 7, 2000 * i + 3300, 1900)
                .memory_copy("copy", 8, 2000 * i + 2895, 100)
                .runtime("cudaStreamSynchronize", 2000 * i + 20, 2980, TraceBuilder::kAutogradThread);
        const auto rank = trace.runtime("cudaFree", 20'000, 5).build();
        QCOMPARE(starts(*rank, "gemm")[0], 3300.0);
        QVERIFY(rank->notices.empty());
    }

    void workInsideTheWorkBeforeIt_data() {
        QTest::addColumn<QString>("launch");
        QTest::addColumn<double>("overlap_us");
        QTest::addColumn<double>("second_us");
        QTest::addColumn<int>("noticed");
        QTest::newRow("120 us, which that launch cannot ask for") << "cudaLaunchKernel" << 120.0 << 1000.0 << 5;
        QTest::newRow("clocks are read no better") << "cudaLaunchKernel" << 15.0 << 1000.0 << 0;
        QTest::newRow("a dependent launch") << "cudaLaunchKernelExC" << 120.0 << 1000.0 << 0;
        QTest::newRow("most of the work before it") << "cudaLaunchKernelExC" << 700.0 << 1700.0 << 5;
        QTest::newRow("branches of a graph") << "cudaGraphLaunch" << 700.0 << 1700.0 << 0;
    }
    void workInsideTheWorkBeforeIt() {
        QFETCH(QString, launch);
        QFETCH(double, overlap_us);
        QFETCH(double, second_us);
        QFETCH(int, noticed);
        TraceBuilder trace(0);
        for (int i = 0; i < 5; ++i)
            trace.launch(3000 * i, 5, "cudaLaunchKernel")
                .kernel("gemm", 7, 3000 * i + 100, 1000)
                .launch(3000 * i + 10, 5, launch.toStdString())
                .kernel("next", 7, 3000 * i + 1100 - overlap_us, second_us);
        QCOMPARE(rank_builder_times_test::noticed(*trace.build(), "overlapping_work"), noticed);
    }
};

RANKSCOPE_TEST(TestRankBuilderTimes)

} // namespace rankscope::rank_builder_times_test

#include "test_rank_builder_times.moc"
