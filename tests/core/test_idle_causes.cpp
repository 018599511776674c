// SPDX-License-Identifier: GPL-3.0-or-later
// Idle causes on streams small enough to work out by hand, ours and HTA's.
#include <QtTest>

#include "core/analysis/gpu/idle_causes.h"
#include "core/metrics/catalogue.h"
#include "core/run/run_analysis.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::idle_causes_test {

namespace {

std::vector<StreamIdle> causes(const TraceBuilder& rank) { return RunAnalysis(make_run({rank}), {}).idle_causes()[0]; }

const IdleTime& of(const StreamIdle& stream, IdleCause cause) { return stream.causes[static_cast<std::size_t>(cause)]; }

} // namespace

class TestIdleCauses : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachMomentOfAGapHasOneCause() {
        // Stream 7: a 10..20; b 50..60 launched at 30, after a ended at 20: host_wait 10, kernel_wait 20.
        // c 75..80 launched at 31, before b ended at 60, gap 15 < 30: kernel_wait 15.
        // d 110..115 launched at 32, gap 30, not under the limit: other 30. e 116..120 without a launch: other 1.
        const auto streams = causes(TraceBuilder(0)
                                        .launch(0, 1)
                                        .kernel("a", 7, 10, 10)
                                        .launch(30, 1)
                                        .kernel("b", 7, 50, 10)
                                        .launch(31, 1)
                                        .kernel("c", 7, 75, 5)
                                        .launch(32, 1)
                                        .kernel("d", 7, 110, 5)
                                        .kernel("e", 7, 116, 4));
        QCOMPARE(streams.size(), std::size_t{1});
        QCOMPARE(of(streams[0], IdleCause::host_wait).time, TimeNs{10'000});
        QCOMPARE(of(streams[0], IdleCause::kernel_wait).time, TimeNs{35'000});
        QCOMPARE(of(streams[0], IdleCause::other).time, TimeNs{31'000});
        QCOMPARE(of(streams[0], IdleCause::other).gaps, std::int64_t{2});
        QCOMPARE(of(streams[0], IdleCause::other).longest, TimeNs{30'000});
        QCOMPARE(streams[0].total(), TimeNs{76'000});
    }

    void aLongLaunchCallIsTheHostsWait() {
        // The usual call takes 2 us. That of b, from 20 to 90, loads code first: b is on its way from 88 on.
        const auto streams = causes(TraceBuilder(0)
                                        .launch(0, 2)
                                        .kernel("a", 7, 10, 10)
                                        .launch(20, 70)
                                        .kernel("b", 7, 92, 8)
                                        .launch(95, 2)
                                        .kernel("a", 7, 100, 10));
        QCOMPARE(of(streams[0], IdleCause::host_wait).time, TimeNs{68'000});
        QCOMPARE(of(streams[0], IdleCause::kernel_wait).time, TimeNs{4'000});
        QCOMPARE(of(streams[0], IdleCause::other).time, TimeNs{0});
    }

    void streamsAreJudgedApart() {
        // Stream 9 runs 20..50, where stream 7 is idle from 20 to 50.
        const auto streams = causes(TraceBuilder(0)
                                        .launch(0, 1)
                                        .kernel("a", 7, 10, 10)
                                        .launch(2, 1)
                                        .kernel("n", 9, 20, 30)
                                        .launch(25, 1)
                                        .kernel("b", 7, 50, 10));
        QCOMPARE(streams.size(), std::size_t{2});
        QCOMPARE(of(streams[0], IdleCause::host_wait).time, TimeNs{5'000}); // launched at 25
        QCOMPARE(of(streams[0], IdleCause::other).time, TimeNs{0});
        QCOMPARE(of(streams[0], IdleCause::kernel_wait).time, TimeNs{25'000});
        QCOMPARE(streams[1].total(), TimeNs{0});
    }

    void aKernelInsideALongerOneLeavesNoGap() {
        // a 0..100 holds b 10..20; c starts at 90: no idle time for us. HTA counts from the row before: 90 - 20 = 70,
        // and b's 10 - 100 = -90; both launched early: b's gap is under 30 (kernel_wait), c's is not (other).
        const TraceBuilder rank = TraceBuilder(0)
                                      .launch(0, 1)
                                      .kernel("a", 7, 0, 100)
                                      .launch(1, 1)
                                      .kernel("b", 7, 10, 10)
                                      .launch(2, 1)
                                      .kernel("c", 7, 90, 20);
        QCOMPARE(causes(rank)[0].total(), TimeNs{0});
        const HtaHost hta = RunAnalysis(make_run({rank}), {}).hta().host[0];
        QCOMPARE(hta.idle.size(), std::size_t{2});
        QCOMPARE(hta.idle[0].time_us, -90.0);
        QCOMPARE(hta.idle[1].time_us, 70.0);
        QCOMPARE(hta.idle[0].ratio, 4.5); // -90 / (70 - 90)
    }

    void theHeadlineIsTheHostsShareOfAllIdleTime() {
        // Without a gap it is 0, without GPU work there is none.
        const std::vector<std::string> ids{"idle_causes"};
        const auto value = [&](const TraceBuilder& rank) {
            return compute_metrics(RunAnalysis(make_run({rank}), {}), ids).entries.at(0).result;
        };
        QCOMPARE(value(TraceBuilder(0)
                           .launch(0, 1)
                           .kernel("a", 7, 10, 10)
                           .launch(30, 1)
                           .kernel("b", 7, 50, 10)
                           .launch(31, 1)
                           .kernel("c", 7, 70, 5))
                     .value,
                 25.0); // 10 of 40: from 20 until the launch at 30
        // Another stream works from 15 to 45: of its own 30 us the GPU is idle for 5, in which b was launched.
        const MetricResult beside = value(TraceBuilder(0)
                                              .launch(0, 1)
                                              .kernel("a", 7, 10, 10)
                                              .launch(2, 1)
                                              .kernel("n", 9, 15, 30)
                                              .launch(40, 1)
                                              .kernel("b", 7, 50, 10));
        QCOMPARE(beside.value, 0.0);
        QCOMPARE(beside.details["kernel_wait_us"].get<double>(), 5.0);
        QCOMPARE(beside.details["per_stream"][0]["host_wait_us"].get<double>(), 20.0);
        QCOMPARE(beside.details["compat_hta_default"][0]["idle_time_us"].get<double>(), 30.0); // the whole gap
        QCOMPARE(value(TraceBuilder(0).kernel("a", 7, 10, 10)).value, 0.0);
        QVERIFY(!value(TraceBuilder(0).cpu_op("aten::mm", 0, 5)).available);
    }
};

RANKSCOPE_TEST(TestIdleCauses)

} // namespace rankscope::idle_causes_test

#include "test_idle_causes.moc"
