// SPDX-License-Identifier: GPL-3.0-or-later
// Values over time: which counters a rank has, and their exact extent in any range.
#include <QtTest>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>

#include "core/analysis/gpu/gpu_timeline.h"
#include "core/analysis/selection/kernel_class_rules.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/timeline/slice_index.h"

namespace rankscope::timeline_counters_test {

namespace {

MemorySample memory(std::int64_t allocated, std::int64_t reserved, std::int32_t type = 1, std::int32_t device = 0) {
    MemorySample sample;
    sample.allocated = allocated;
    sample.reserved = reserved;
    sample.device_type = type;
    sample.device = device;
    return sample;
}

std::shared_ptr<const Run> run() {
    return make_run({TraceBuilder(0)
                         .launch(0, 1)
                         .kernel("a", 7, 10, 5)
                         .launch(2, 1)
                         .kernel("b", 7, 15, 5)
                         .kernel("c", 20, 0, 3) // launched by nobody
                         .memory_sample(1, memory(1'000, 4'000))
                         .memory_sample(6, memory(3'000, 4'000))
                         .memory_sample(7, memory(kUnknown, 10, 0, -1))
                         .counter("power: W", 2, 50)
                         .counter("power: W", 12, 90)});
}

CounterTrack track(const Run& run, std::string_view name) {
    for (const CounterSource& source : countersOf(*run.ranks[0]))
        if (source.name == name)
            return counterTrack(run, *run.ranks[0], source);
    return {};
}

} // namespace

class TestTimelineCounters : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRankHasTheCountersItsTraceHasDataFor() {
        std::vector<std::string> names;
        for (const CounterSource& source : countersOf(*run()->ranks[0]))
            names.push_back(source.name);
        QCOMPARE(names, (std::vector<std::string>{"busy", "memory allocated, GPU 0", "memory reserved, GPU 0",
                                                  "memory reserved, CPU", "queue of stream 7", "power: W"}));
        QVERIFY(countersOf(*make_run({TraceBuilder(0).cpu_op("aten::mm", 0, 5)})->ranks[0]).empty());
    }
    void valuesHoldUntilTheNext_data() {
        QTest::addColumn<QString>("counter");
        QTest::addColumn<int>("from"); // us
        QTest::addColumn<int>("to");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<double>("last");
        QTest::newRow("allocated, before the change") << "memory allocated, GPU 0" << 2 << 5 << 1e3 << 1e3 << 1e3;
        QTest::newRow("allocated, across the change") << "memory allocated, GPU 0" << 2 << 8 << 1e3 << 3e3 << 3e3;
        QTest::newRow("allocated, to the end") << "memory allocated, GPU 0" << 15 << 19 << 3e3 << 3e3 << 3e3;
        QTest::newRow("queue: one waits") << "queue of stream 7" << 1 << 2 << 1.0 << 1.0 << 1.0;
        QTest::newRow("queue: the second comes") << "queue of stream 7" << 1 << 4 << 1.0 << 2.0 << 2.0;
        QTest::newRow("queue: both have started") << "queue of stream 7" << 9 << 16 << 0.0 << 2.0 << 0.0;
        QTest::newRow("recorded") << "power: W" << 3 << 13 << 50.0 << 90.0 << 90.0;
    }
    void valuesHoldUntilTheNext() {
        QFETCH(QString, counter);
        QFETCH(int, from);
        QFETCH(int, to);
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(double, last);
        const auto extent = track(*run(), counter.toStdString()).over({from * 1'000, to * 1'000});
        QVERIFY(extent.has_value());
        QCOMPARE(extent->low, low);
        QCOMPARE(extent->high, high);
        QCOMPARE(extent->last, last);
    }
    void nothingIsKnownBeforeTheFirstSampleAndAfterTheEnd() {
        const CounterTrack power = track(*run(), "power: W");
        QVERIFY(!power.over({0, 2'000}));
        QVERIFY(power.over({0, 2'001}));
        QVERIFY(!power.over({20'000, 30'000})); // the trace ends at 20 us
        QVERIFY(!power.over({5'000, 5'000}));
    }
    void extentsOfLongTracksAreThoseOfLookingAtEachValue() {
        std::mt19937 random(5);
        CounterTrack track;
        TimeNs now = 0;
        for (int i = 0; i < 5'000; ++i) {
            now += static_cast<TimeNs>(random() % 4); // several at one time, too
            track.add(now, static_cast<double>(random() % 100'000) - 50'000);
        }
        track.finish(now + 10);
        for (int round = 0; round < 2'000; ++round) {
            const auto begin = static_cast<TimeNs>(random() % static_cast<unsigned>(now));
            const TimeRange range{begin, begin + 1 + static_cast<TimeNs>(random() % (round % 2 == 0 ? 20 : 4'000))};
            std::optional<CounterTrack::Extent> expected;
            for (std::size_t i = 0; i < track.time.size(); ++i) {
                const bool over =
                    i + 1 < track.time.size() && track.time[i + 1] <= range.begin && track.time[i] < range.begin;
                if (over || track.time[i] >= range.end)
                    continue;
                if (!expected)
                    expected = CounterTrack::Extent{track.value[i], track.value[i], 0};
                expected->low = std::min(expected->low, track.value[i]);
                expected->high = std::max(expected->high, track.value[i]);
                expected->last = track.value[i];
            }
            const auto extent = track.over(range);
            QCOMPARE(extent.has_value(), expected.has_value());
            if (expected) {
                QCOMPARE(extent->low, expected->low);
                QCOMPARE(extent->high, expected->high);
                QCOMPARE(extent->last, expected->last);
            }
        }
    }
    void theActivityOfTheStreamsHasTheTimesOfTheMetrics() {
        const auto run = make_run({TraceBuilder(0)
                                       .kernel("gemm", 7, 0, 40)
                                       .kernel("gemm", 7, 50, 10)
                                       .kernel("ncclDevKernel_AllReduce", 20, 30, 40)
                                       .memory_copy("Memcpy HtoD", 8, 65, 20)
                                       .memory_set("Memset", 8, 90, 5)});
        const auto index = buildSliceIndex(run->ranks[0]);
        const ClassTimes busy = busyIn(index->group(LaneGroup::streams), run->span);
        const GpuTimeline expected =
            gpu_timeline(select_gpu_work(*run, *run->ranks[0], {}, KernelClassRules().classes_of(*run->ranks[0])));
        const auto time = [&](SliceClass c) { return busy[static_cast<std::size_t>(c)]; };
        QCOMPARE(time(SliceClass::compute) + time(SliceClass::memory_set), expected.computation);
        QCOMPARE(time(SliceClass::communication), expected.exposed_comm);
        QCOMPARE(time(SliceClass::memory_copy), expected.exposed_memcpy);
        QCOMPARE(expected.exposed_comm, TimeNs{20'000}); // 40 to 50 and 60 to 70 us
    }
};

RANKSCOPE_TEST(TestTimelineCounters)

} // namespace rankscope::timeline_counters_test

#include "test_timeline_counters.moc"
