// SPDX-License-Identifier: GPL-3.0-or-later
// Which rows lie where, open and folded.
#include <QtTest>

#include "tests/support/trace_builder.h"
#include "widgets/timeline/lane_layout.h"

using namespace rankscope;

namespace {

/// Two streams, an annotation lane of two rows, a thread of two rows and one of one.
TraceBuilder busyRank(int rank) {
    return TraceBuilder(rank)
        .kernel("gemm", 7, 0, 10)
        .kernel("nccl", 20, 5, 10)
        .gpu_annotation("step", 7, 0, 20)
        .gpu_annotation("forward", 7, 1, 5)
        .cpu_op("aten::linear", 0, 10)
        .cpu_op("aten::addmm", 1, 5)
        .cpu_op("backward", 12, 5, TraceBuilder::kAutogradThread);
}

std::shared_ptr<const Run> runOf(int ranks) {
    std::vector<TraceBuilder> all;
    for (int rank = 0; rank < ranks; ++rank)
        all.push_back(busyRank(rank));
    return make_run(all);
}

constexpr LaneMetrics kMetrics{16, 15, 12, 5, 24};

void verifyIsTidy(const LaneLayout& layout) {
    int free = 0;
    for (const LaneStrip& strip : layout.strips) {
        QVERIFY(strip.top >= free);
        QVERIFY(strip.height > 0);
        free = strip.bottom();
    }
    QVERIFY(layout.height >= free);
    int end = 0;
    for (const RankBlock& block : layout.ranks) {
        QCOMPARE(block.top, end);
        end = block.top + block.height;
    }
    QCOMPARE(end, layout.height);
}

} // namespace

class TestTimelineLayout : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void manyRanksShowStreamsAndOneSummaryEachForAnnotationsAndThreads() {
        const LaneLayout layout = layoutLanes(*runOf(8), {}, kMetrics);
        verifyIsTidy(layout);
        QCOMPARE(layout.ranks.size(), std::size_t{8});
        QCOMPARE(layout.ranks[0].height, 2 * 16 + 2 * 12 + 5);
        QCOMPARE(layout.strips.size(), std::size_t{8 * 4});
        QVERIFY(!layout.strips[0].isSummary());
        QVERIFY(layout.strips[2].isSummary());
        QCOMPARE(layout.strips[3].group, LaneGroup::threads);
        QCOMPARE(layout.strips[3].rows.size(), std::size_t{3}); // both threads, two rows and one
        QCOMPARE(layout.headers[3].lanes, 2);
    }
    void fewRanksShowTheirThreads() {
        const LaneLayout layout = layoutLanes(*runOf(1), {}, kMetrics);
        verifyIsTidy(layout);
        QCOMPARE(layout.ranks[0].height, 2 * 16 + 2 * 12 + 3 * 15 + 5);
    }
    void unfoldingAGroupShowsItsLanesBelowTheSummary() {
        const auto run = runOf(8);
        LaneFolding folding;
        folding.groups.insert({3, LaneGroup::annotations});
        const LaneLayout layout = layoutLanes(*run, folding, kMetrics);
        verifyIsTidy(layout);
        QCOMPARE(layout.ranks[3].height, layout.ranks[2].height + 2 * 15);
    }
    void aFoldedRankIsOneSummaryOfItsStreams() {
        const auto run = runOf(8);
        LaneFolding folding;
        folding.ranks.insert(0);
        const LaneLayout layout = layoutLanes(*run, folding, kMetrics);
        verifyIsTidy(layout);
        QCOMPARE(layout.ranks[0].height, 24 + 5); // not lower than its label
        QVERIFY(!layout.ranks[0].open);
        QVERIFY(layout.strips[0].isSummary());
        QCOMPARE(layout.strips[0].rows.size(), std::size_t{2});
        QCOMPARE(layout.strips[1].rankIndex, 1);
    }
    void aFoldedLaneKeepsItsOutermostRow() {
        const auto run = runOf(1);
        const auto& lanes = run->ranks[0]->lanes;
        const auto thread = std::find_if(lanes.begin(), lanes.end(), [](const Lane& l) { return l.kind == LaneKind::cpu_thread && l.row_count == 2; });
        QVERIFY(thread != lanes.end());
        LaneFolding folding;
        folding.lanes.insert({0, static_cast<int>(thread - lanes.begin())});
        const LaneLayout open = layoutLanes(*run, {}, kMetrics);
        const LaneLayout folded = layoutLanes(*run, folding, kMetrics);
        QCOMPARE(folded.height, open.height - 15);
        QVERIFY(folded.stripOf(0, thread->first_row) != nullptr);
        QVERIFY(folded.stripOf(0, thread->first_row + 1) == nullptr);
    }
    void aRankWithoutGpuShowsItsThreads() {
        std::vector<TraceBuilder> ranks;
        for (int rank = 0; rank < 4; ++rank)
            ranks.push_back(TraceBuilder(rank).cpu_op("a", 0, 10).cpu_op("b", 1, 2));
        const LaneLayout layout = layoutLanes(*make_run(ranks), {}, kMetrics);
        QCOMPARE(layout.ranks[0].height, 12 + 2 * 15 + 5);
    }
    void stripsAreFoundByHeight() {
        const LaneLayout layout = layoutLanes(*runOf(8), {}, kMetrics);
        QCOMPARE(layout.stripAt(0), layout.strips.data());
        QCOMPARE(layout.stripAt(16), &layout.strips[1]);
        QVERIFY(layout.stripAt(layout.height + 1) == nullptr);
        QVERIFY(layout.stripAt(2 * 16 + 2 * 12 + 1) == nullptr); // the gap below a rank
        const auto some = layout.stripsBetween(17, 33);
        QCOMPARE(some.size(), std::size_t{2});
        QCOMPARE(some.front().top, 16);
    }
    void rowsAreAsHighAsTheViewAllows() {
        const auto run = runOf(8);
        for (const int height : {500, 700, 1200}) {
            const LaneMetrics metrics = metricsFitting(*run, height);
            QVERIFY(layoutLanes(*run, {}, metrics).height <= height);
        }
        QVERIFY(metricsFitting(*run, 1200).streamRow > metricsFitting(*run, 500).streamRow);
        QCOMPARE(metricsFitting(*run, 50).streamRow, LaneMetrics().streamRow);
    }
};

QTEST_GUILESS_MAIN(TestTimelineLayout)
#include "test_timeline_layout.moc"
