// SPDX-License-Identifier: GPL-3.0-or-later
// Allocator curves and what was live, worked out by hand.
#include <QtTest>

#include "core/views/memory_history.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::memory_history_test {

namespace {

MemorySample sample(std::int64_t bytes, std::int64_t allocated, std::uint64_t address, std::int32_t type = 1) {
    return {0, bytes, allocated, allocated + 1000, address, type, 0};
}

/// 500 bytes were there before. linear makes A (100) through addmm and its empty; relu makes B and C (200 each); A is
/// freed.
TraceBuilder allocating() {
    return TraceBuilder(0)
        .cpu_op("aten::linear", 0, 20)
        .cpu_op("aten::addmm", 1, 10)
        .cpu_op("aten::empty", 2, 2)
        .memory_sample(3, sample(100, 600, 0xA))
        .cpu_op("aten::relu", 30, 20)
        .memory_sample(31, sample(200, 800, 0xB))
        .memory_sample(32, sample(200, 1000, 0xC))
        .memory_sample(60, sample(-100, 900, 0xA))
        .memory_sample(61, sample(50, 950, 0xD))
        .memory_sample(62, sample(5000, 5000, 0xE, 0));
}

} // namespace

class TestMemoryHistory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aCurvePerRankAndDeviceWithItsPeak() {
        const RunAnalysis analysis(make_run({allocating(), TraceBuilder(1).kernel("k", 7, 0, 1)}), {});
        const auto curves = memory_curves(analysis);
        QCOMPARE(curves.size(), std::size_t{2}); // the GPU's, then the CPU's; rank 1 recorded none
        QCOMPARE(curves[0].device_type, 1);
        QCOMPARE(curves[0].points.size(), std::size_t{5});
        QCOMPARE(curves[0].peak, std::size_t{2});
        QCOMPARE(curves[0].points[2].allocated, std::int64_t{1000});
        QCOMPARE(curves[0].points[2].reserved, std::int64_t{2000});
        QCOMPARE(curves[0].points[2].time, TimeNs{32'000});
        QCOMPARE(curves[1].device_type, 0);
    }

    void onlySamplesOfTheSelectionStandInACurve() {
        const RunAnalysis analysis(make_run({allocating()}), {TimeRange{31'500, 61'000}, {}});
        QCOMPARE(memory_curves(analysis).at(0).points.size(), std::size_t{2});
    }

    void whatWasLiveByTheOperatorThatMadeIt() {
        const auto run = make_run({allocating()});
        const RankTrace& rank = *run->ranks[0];
        const LiveMemory live = live_memory(rank, 1, 0, 32'000);
        QVERIFY(live.addresses);
        QCOMPARE(live.allocated, std::int64_t{1000});
        QCOMPARE(live.traced, std::int64_t{500});
        QCOMPARE(live.from_before(), std::int64_t{500});
        QCOMPARE(live.blocks.size(), std::size_t{2});
        QCOMPARE(run->names->view(live.blocks[0].maker), std::string_view("aten::relu"));
        QCOMPARE(live.blocks[0].count, std::int64_t{2});
        QCOMPARE(live.blocks[0].bytes, std::int64_t{400});
        QCOMPARE(live.blocks[0].largest, std::int64_t{200});
        QCOMPARE(rank.event_name(live.blocks[0].largest_call), std::string_view("aten::relu"));
        QCOMPARE(run->names->view(live.blocks[1].maker), std::string_view("aten::addmm")); // not its aten::empty
        QCOMPARE(run->names->view(live.blocks[1].inside), std::string_view("aten::linear"));
    }

    void laterBlocksWithoutAnOperatorAndFreedOnes() {
        const auto run = make_run({allocating()});
        const LiveMemory live = live_memory(*run->ranks[0], 1, 0, 70'000);
        QCOMPARE(live.traced, std::int64_t{450}); // B, C, D
        QCOMPARE(live.from_before(), std::int64_t{500});
        QCOMPARE(live.blocks.size(), std::size_t{2});
        QCOMPARE(live.blocks[1].bytes, std::int64_t{50});
        QCOMPARE(run->names->view(live.blocks[1].maker), std::string_view(""));
        QVERIFY(live.blocks[1].largest_call == kNoEvent);
    }

    /// Each of 400 000 operators inside each other makes a block. Walking out from every block would take hours.
    void operatorsDeepInsideEachOther() {
        constexpr int kDepth = 400'000;
        TraceBuilder deep(0);
        for (int i = 0; i < kDepth; ++i)
            deep.cpu_op(i == 0       ? "outermost"
                        : i % 2 == 0 ? "aten::relu"
                                     : "aten::empty",
                        i, 4 * kDepth - 2 * i)
                .memory_sample(2 * kDepth + i, {0, 8, kUnknown, kUnknown, static_cast<std::uint64_t>(i) + 1, 1, 0});
        const auto run = make_run({deep});
        const LiveMemory live = live_memory(*run->ranks[0], 1, 0, TimeNs{4'000} * kDepth);
        QCOMPARE(live.traced, std::int64_t{8} * kDepth);
        QCOMPARE(live.blocks.size(), std::size_t{1}); // all lie inside the last operator that does more than allocate
        QCOMPARE(run->names->view(live.blocks[0].maker), std::string_view("aten::relu"));
        QCOMPARE(run->names->view(live.blocks[0].inside), std::string_view("outermost"));
        QCOMPARE(live.blocks[0].count, std::int64_t{kDepth});
    }

    void withoutAddressesNothingIsListed() {
        const auto run = make_run({TraceBuilder(0).cpu_op("op", 0, 9).memory_sample(1, sample(100, 600, 0))});
        const LiveMemory live = live_memory(*run->ranks[0], 1, 0, 5'000);
        QVERIFY(!live.addresses);
        QVERIFY(live.blocks.empty());
        QCOMPARE(live.allocated, std::int64_t{600});
    }
};

RANKSCOPE_TEST(TestMemoryHistory)

} // namespace rankscope::memory_history_test

#include "test_memory_history.moc"
