// SPDX-License-Identifier: GPL-3.0-or-later
// The table of collective calls, the map of lags and the charts of delay and bandwidth, worked out by hand.
#include <algorithm>
#include <memory>
#include <optional>

#include <QtTest>

#include "core/analysis/collectives/network_limits.h"
#include "core/views/collective_charts.h"
#include "core/views/lag_map.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::collective_calls_test {

namespace {

CollectiveCall call_of(std::string name, std::int64_t elements, std::vector<int> ranks, std::string group,
                       std::string description) {
    CollectiveCall call;
    call.collective = std::move(name);
    call.in_elements = call.out_elements = elements;
    const int size = static_cast<int>(ranks.size());
    call.group = {std::move(group), std::move(description), std::move(ranks), size};
    return call;
}

/// Four ranks: two tp pairs, {0, 1} and {2, 3}, two all-reduces each, then one all-gather of all. Starts in us; every
/// call of a group ends together. Lags: tp 0: 4 (rank 1), 0; tp 1: 10 (rank 2), 2 (rank 3); dp: 100 (rank 3).
std::shared_ptr<const Run> four_ranks() {
    const std::vector<std::vector<double>> starts{{0, 200, 400}, {4, 200, 450}, {20, 210, 410}, {10, 212, 500}};
    const std::vector<std::vector<double>> ends{{50, 250, 600}, {50, 250, 600}, {60, 260, 600}, {60, 260, 600}};
    std::vector<TraceBuilder> builders;
    for (int r = 0; r < 4; ++r) {
        const std::vector<int> pair = r < 2 ? std::vector{0, 1} : std::vector{2, 3};
        const auto index = static_cast<std::size_t>(r);
        TraceBuilder rank(r);
        rank.base(1'000'000'000).world_size(4);
        const auto add = [&](std::size_t n, CollectiveCall call, const char* kernel) {
            rank.collective(kernel, 3, starts[index][n], ends[index][n] - starts[index][n], std::move(call));
        };
        add(0, call_of("allreduce", 1000, pair, r < 2 ? "1" : "2", "mesh_tp"),
            "ncclDevKernel_AllReduce_Sum_bf16_RING_LL");
        add(1, call_of("allreduce", 1000, pair, r < 2 ? "1" : "2", "mesh_tp"),
            "ncclDevKernel_AllReduce_Sum_bf16_RING_LL");
        add(2, call_of("_allgather_base", 5000, {0, 1, 2, 3}, "0", "mesh_dp"), "ncclDevKernel_AllGather_RING_LL");
        builders.push_back(std::move(rank));
    }
    return make_run(builders);
}

std::shared_ptr<const CollectiveCalls> listed(const std::shared_ptr<const Run>& run) {
    return std::make_shared<const CollectiveCalls>(
        list_collective_calls(std::make_shared<RunAnalysis>(run, Selection{}, Align::none)));
}

using Order = std::vector<std::uint32_t>;

} // namespace

class TestCollectiveCalls : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void listsEveryCallInOrderOfArrival() {
        const auto calls = listed(four_ranks());
        QCOMPARE(calls->size(), std::size_t{5});
        QCOMPARE(calls->words, (std::vector<std::string>{"_allgather_base", "allreduce"}));
        std::vector<TimeNs> lags;
        for (std::size_t i = 0; i < calls->size(); ++i)
            lags.push_back(calls->timing(i).start_skew);
        QCOMPARE(lags, (std::vector<TimeNs>{4'000, 10'000, 0, 2'000, 100'000}));
        QCOMPARE(calls->calls[0].dimension, ParallelDimension::tp);
        QCOMPARE(calls->calls[4].dimension, ParallelDimension::dp);
        QCOMPARE(group_title(calls->group(4)), std::string("mesh_dp"));
    }
    void filters_data() {
        QTest::addColumn<CallFilter>("filter");
        QTest::addColumn<Order>("expected");
        QTest::newRow("all") << CallFilter{} << Order{0, 1, 2, 3, 4};
        QTest::newRow("kind") << CallFilter{CollectiveKind::all_gather, {}, {}, true, {}} << Order{4};
        QTest::newRow("dimension") << CallFilter{{}, ParallelDimension::tp, {}, true, {}} << Order{0, 1, 2, 3};
        QTest::newRow("kind and dimension")
            << CallFilter{CollectiveKind::all_gather, ParallelDimension::tp, {}, true, {}} << Order{};
        QTest::newRow("word") << CallFilter{{}, {}, {}, true, "ALLGATHER"} << Order{4};
        QTest::newRow("group") << CallFilter{{}, {}, {}, true, "mesh_d"} << Order{4};
        QTest::newRow("type") << CallFilter{{}, {}, {}, true, "bfloat"} << Order{0, 1, 2, 3, 4};
        QTest::newRow("nothing") << CallFilter{{}, {}, {}, true, "float16x"} << Order{};
    }
    void filters() {
        QFETCH(CallFilter, filter);
        QTEST(filter_calls(*listed(four_ranks()), filter), "expected");
    }
    void messagesAreNoCollectives() {
        std::vector<TraceBuilder> builders;
        for (int r = 0; r < 2; ++r) {
            TraceBuilder rank(r);
            rank.base(1'000'000'000).world_size(2);
            CollectiveCall message = call_of(r == 0 ? "send" : "recv", 100, {0, 1}, "3", "mesh_pp");
            message.source_rank = 0;
            message.destination_rank = 1;
            rank.collective("ncclDevKernel_SendRecv", 5, r, 30, message);
            rank.collective("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 3, 100 + r, 30,
                            call_of("allreduce", 100, {0, 1}, "4", "mesh_dp"));
            builders.push_back(std::move(rank));
        }
        const auto calls = listed(make_run(builders));
        QCOMPARE(calls->size(), std::size_t{2});
        QCOMPARE(filter_calls(*calls, {{}, {}, {}, false, {}}), Order{1});
    }
    void sortsByAnyColumnBothWaysAndKeepsWhatIsEqual_data() {
        QTest::addColumn<CallColumn>("column");
        QTest::addColumn<bool>("descending");
        QTest::addColumn<Order>("expected");
        QTest::newRow("lag") << CallColumn::lag << true << Order{4, 1, 0, 3, 2};
        QTest::newRow("word") << CallColumn::word << false << Order{4, 0, 1, 2, 3};
        QTest::newRow("word, descending") << CallColumn::word << true << Order{0, 1, 2, 3, 4};
        QTest::newRow("ranks") << CallColumn::ranks << true << Order{4, 0, 1, 2, 3};
        QTest::newRow("last rank") << CallColumn::last_rank << false << Order{0, 1, 3, 4, 2}; // 0, 2, 3, 3, none
        QTest::newRow("number") << CallColumn::number << true << Order{4, 3, 2, 1, 0};
    }
    void sortsByAnyColumnBothWaysAndKeepsWhatIsEqual() {
        QFETCH(CallColumn, column);
        QFETCH(bool, descending);
        Order order{0, 1, 2, 3, 4};
        sort_calls(*listed(four_ranks()), order, column, descending);
        QTEST(order, "expected");
    }

    void callsWithoutARankInCommonShareAColumn() {
        const auto calls = listed(four_ranks());
        const LagMap map = build_lag_map(calls, Order{0, 1, 2, 3, 4});
        QCOMPARE(map.columns, std::size_t{3});
        QCOMPARE(map.longest, TimeNs{100'000});
        QCOMPARE(map.call_at(0, 0), std::optional(0u));
        QCOMPARE(map.call_at(2, 0), std::optional(1u));
        QCOMPARE(map.call_at(3, 1), std::optional(3u));
        QCOMPARE(map.call_at(3, 2), std::optional(4u));
        QVERIFY(!map.call_at(3, 3) && !map.call_at(4, 0));
        QCOMPARE(map.column_of(3), std::optional<std::size_t>(1));
        QCOMPARE(lag_at(*calls, 1, 2), std::optional<TimeNs>(10'000));
        QCOMPARE(lag_at(*calls, 1, 3), std::optional<TimeNs>(0));
        QVERIFY(!lag_at(*calls, 1, 0));
    }
    void codesAreLogarithmicUpToTheLongestLag() {
        const LagMap map = build_lag_map(listed(four_ranks()), Order{0, 1, 2, 3, 4}); // 1 us to 100 us: two decades
        QCOMPARE(map.code(0), std::uint8_t{1});
        QCOMPARE(map.code(1'000), std::uint8_t{1});
        QCOMPARE(map.code(10'000), std::uint8_t{128});
        QCOMPARE(map.code(100'000), std::uint8_t{255});
        QCOMPARE(map.lag_of_code(128), TimeNs{10'000});
    }
    void aPixelShowsTheLargestLagBelowIt() {
        const LagMap map = build_lag_map(listed(four_ranks()), Order{0, 1, 2, 3, 4});
        const std::uint8_t four = map.code(4'000);
        const std::uint8_t ten = map.code(10'000);
        const std::uint8_t two = map.code(2'000);
        const std::uint8_t fifty = map.code(50'000);
        QCOMPARE(draw_lag_map(map, 0, 3, 3, 9),
                 (std::vector<std::uint8_t>{1, 1, 1, four, 1, fifty, ten, 1, ten, 1, two, 255}));
        // Two ranks a row, all columns in one pixel; beside the calls there is nothing.
        QCOMPARE(draw_lag_map(map, 0, 3, 1, 2), (std::vector<std::uint8_t>{fifty, 255}));
        QCOMPARE(draw_lag_map(map, -1, 5, 6, 1), (std::vector<std::uint8_t>{0, ten, two, 255, 0, 0}));
    }
    void coarsePicturesAgreeWithTheFinestOne() {
        std::vector<TraceBuilder> builders;
        for (int r = 0; r < 3; ++r) {
            TraceBuilder rank(r);
            rank.base(1'000'000'000).world_size(3);
            for (int n = 0; n < 333; ++n)
                rank.collective("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 3, n * 100.0 + (n * 7 + r * 13) % 31,
                                60.0 - (n * 7 + r * 13) % 31, call_of("allreduce", 64, {0, 1, 2}, "0", "mesh_dp"));
            builders.push_back(std::move(rank));
        }
        const auto calls = listed(make_run(builders));
        Order all(333);
        for (std::uint32_t i = 0; i < 333; ++i)
            all[i] = i;
        const LagMap map = build_lag_map(calls, all);
        QCOMPARE(map.columns, std::size_t{333});
        const auto fine = draw_lag_map(map, 0, 333, 333, 3);
        for (const std::size_t width : {1u, 7u, 20u, 100u, 250u}) {
            const auto coarse = draw_lag_map(map, 0, 333, width, 3);
            for (std::size_t rank = 0; rank < 3; ++rank)
                for (std::size_t x = 0; x < width; ++x) {
                    const std::size_t begin = 333 * x / width;
                    const std::size_t end = (333 * (x + 1) + width - 1) / width;
                    const auto most = *std::max_element(fine.begin() + static_cast<std::ptrdiff_t>(rank * 333 + begin),
                                                        fine.begin() + static_cast<std::ptrdiff_t>(rank * 333 + end));
                    QCOMPARE(coarse[rank * width + x], most);
                }
        }
    }

    void delaysAreThoseOfTheLongestKernelOverTheShortest() {
        // Durations: {50, 46}, {40, 50}, {50, 50}, {50, 48}, {200, 150, 190, 100} us.
        const auto calls = listed(four_ranks());
        const DelayChart all = chart_delays(*calls, Order{0, 1, 2, 3, 4});
        QCOMPARE(all.calls, std::int64_t{5});
        QCOMPARE(all.spread.mean, (4'000 + 10'000 + 0 + 2'000 + 100'000) / 5.0);
        QCOMPARE(all.spread.median, 4'000.0);
        QCOMPARE(all.spread.p95, 100'000.0);
        QCOMPARE(all.spread.ecdf.size(), std::size_t{5});
        QCOMPARE(all.spread.ecdf[1], (std::pair<TimeNs, double>{2'000, 0.4}));
        QCOMPARE(all.histogram.begin, DelayChart::kLeast);
        QCOMPARE(all.position(0), 0.0);
        QCOMPARE(all.position(100'000), 1.0);
        const DelayChart some = chart_delays(*calls, Order{0, 3});
        QCOMPARE(some.spread.mean, 3'000.0);
    }
    void bandwidthIsDrawnOfCallsOfKnownSize() {
        const auto points = chart_bandwidth(*listed(four_ranks()), Order{0, 1, 2, 3, 4});
        // 2000 bytes: 1 x 2000 / 46 us, / 40, / 50, / 48; all-gather: 3/4 x 10000 / 100 us.
        QCOMPARE(points.size(), std::size_t{5});
        QCOMPARE(points[0].kind, CollectiveKind::all_reduce);
        QCOMPARE(points[0].bytes, 2000.0);
        QCOMPARE(points[0].busbw, 2000.0 / 50'000);
        QCOMPARE(points[4].kind, CollectiveKind::all_gather);
        QCOMPARE(points[4].busbw, 0.75 * 10'000 / 100'000);
        QCOMPARE(points[4].call, 4u);
        QCOMPARE(points[4].count, std::int64_t{1});
    }
    void limitsComeFromTheCard_data() {
        QTest::addColumn<QString>("list");
        QTest::addColumn<double>("out");
        QTest::addColumn<double>("up");
        QTest::newRow("both") << "[360, 1920]" << 45.0 << 240.0;
        QTest::newRow("one") << "[100]" << 12.5 << 0.0;
        QTest::newRow("not said") << "" << 0.0 << 0.0;
        QTest::newRow("no number") << "[fast, 1920]" << 0.0 << 240.0;
        QTest::newRow("nonsense") << "[-1, nan]" << 0.0 << 0.0;
    }
    void limitsComeFromTheCard() {
        QFETCH(QString, list);
        RunConfig config;
        if (!list.isEmpty())
            config["workload.hardware.network_topo.bandwidth_gbps"] = list.toStdString();
        const NetworkLimits limits = network_limits(config);
        QTEST(limits.scale_out.value_or(0), "out");
        QTEST(limits.scale_up.value_or(0), "up");
    }
};

RANKSCOPE_TEST(TestCollectiveCalls)

} // namespace rankscope::collective_calls_test

#include "test_collective_calls.moc"
