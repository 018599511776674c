// SPDX-License-Identifier: GPL-3.0-or-later
// Which rows lie where, open and folded.
#include <algorithm>
#include <memory>

#include <QtTest>

#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/timeline/lane_layout.h"

namespace rankscope::timeline_layout_test {

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

constexpr LaneMetrics kMetrics{16, 15, 12, 5, 24, 40};

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
        LaneArrangement folding;
        folding.folded.insert(LaneId::ofGroup(3, LaneGroup::annotations));
        const LaneLayout layout = layoutLanes(*run, folding, kMetrics);
        verifyIsTidy(layout);
        QCOMPARE(layout.ranks[3].height, layout.ranks[2].height + 2 * 15);
    }
    void aFoldedRankIsOneSummaryOfItsStreams() {
        const auto run = runOf(8);
        LaneArrangement folding;
        folding.folded.insert(LaneId::ofRank(0));
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
        const auto thread = std::find_if(lanes.begin(), lanes.end(), [](const Lane& l) {
            return l.kind == LaneKind::cpu_thread && l.row_count == 2;
        });
        QVERIFY(thread != lanes.end());
        LaneArrangement folding;
        folding.folded.insert(LaneId::ofLane(0, LaneGroup::threads, static_cast<int>(thread - lanes.begin())));
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
    void countersAreAGroupBelowTheStreamsClosedAtFirst() {
        const auto run = runOf(3);
        const std::vector<CounterNames> counters{{"busy", "queue of stream 7"}, {"busy"}};
        LaneArrangement arrangement;
        const LaneLayout closed = layoutLanes(*run, arrangement, kMetrics, counters);
        verifyIsTidy(closed);
        QCOMPARE(closed.ranks[0].height, 2 * 16 + 3 * 12 + 5);
        QCOMPARE(closed.ranks[2].height, 2 * 16 + 2 * 12 + 5); // nothing known of rank 2 yet
        QVERIFY(closed.strips[2].isSummary());
        QCOMPARE(closed.headers[2].lanes, 2);
        arrangement.toggleFold(LaneId::ofGroup(0, LaneGroup::counters));
        const LaneLayout open = layoutLanes(*run, arrangement, kMetrics, counters);
        verifyIsTidy(open);
        QCOMPARE(open.ranks[0].height, closed.ranks[0].height + 2 * 40);
        QVERIFY(open.strips[3].isCounter() && open.strips[4].isCounter());
        QVERIFY(open.strips[4].rows.empty());
    }
    void whatIsPinnedComesFirstAndNowhereElse() {
        const auto run = runOf(4);
        LaneArrangement arrangement;
        arrangement.togglePin(LaneId::ofLane(2, LaneGroup::streams, 1));
        arrangement.togglePin(LaneId::ofLane(2, LaneGroup::streams, 0));
        arrangement.togglePin(LaneId::ofRank(1));
        const LaneLayout layout = layoutLanes(*run, arrangement, kMetrics);
        verifyIsTidy(layout);
        // Two streams that share rank 2's label, then all of rank 1, then ranks 0, 2 (without its streams) and 3.
        QCOMPARE(layout.pinnedHeight, (2 * 16 + 5) + (2 * 16 + 2 * 12 + 5));
        QCOMPARE(layout.ranks.size(), std::size_t{5});
        QCOMPARE(layout.ranks[0].rankIndex, 2);
        QVERIFY(!layout.ranks[0].whole);
        QCOMPARE(layout.strips[0].lane, 1); // in the order of pinning
        QCOMPARE(layout.strips[1].lane, 0);
        QCOMPARE(layout.ranks[1].rankIndex, 1);
        QCOMPARE(layout.ranks[2].rankIndex, 0);
        QCOMPARE(layout.ranks[2].top, layout.pinnedHeight);
        QCOMPARE(layout.ranks[3].height, 24 + 5); // rank 2 has its two summaries left
        const auto row = run->ranks[2]->lanes[1].first_row;
        QCOMPARE(layout.stripOf(2, row), layout.strips.data());
        arrangement.togglePin(LaneId::ofRank(2)); // takes the pins of its lanes along
        QCOMPARE(arrangement.pinned.size(), std::size_t{2});
        arrangement.togglePin(LaneId::ofRank(2));
        arrangement.togglePin(LaneId::ofRank(1));
        QVERIFY(arrangement == LaneArrangement());
    }
    void whatIsHiddenTakesNoRoom() {
        const auto run = runOf(4);
        LaneArrangement arrangement;
        arrangement.hidden = {LaneId::ofRank(0), LaneId::ofGroup(1, LaneGroup::threads),
                              LaneId::ofLane(2, LaneGroup::streams, 0)};
        const LaneLayout layout = layoutLanes(*run, arrangement, kMetrics);
        verifyIsTidy(layout);
        QCOMPARE(layout.ranks.size(), std::size_t{3});
        QCOMPARE(layout.ranks[0].rankIndex, 1);
        QCOMPARE(layout.ranks[0].height, 2 * 16 + 12 + 5);
        QCOMPARE(layout.ranks[1].height, 16 + 2 * 12 + 5);
        QVERIFY(layout.stripOf(2, run->ranks[2]->lanes[0].first_row) == nullptr);
        QVERIFY(layout.stripOf(0, run->ranks[0]->lanes[0].first_row) == nullptr);
    }
    void theFilterKeepsRanksAndLanesByName_data() {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("lanes"); // in all ranks; -1: all
        QTest::newRow("a rank") << "rank 3" << 1 << -1;
        QTest::newRow("ranks that begin alike") << "RANK 1" << 3 << -1;    // 1, 10, 11
        QTest::newRow("a stream of every rank") << "Stream 7" << 12 << 24; // with its annotation lane
        QTest::newRow("a stream of one rank") << "rank 3 stream 20" << 1 << 1;
        QTest::newRow("nothing") << "nowhere" << 0 << 0;
    }
    void theFilterKeepsRanksAndLanesByName() {
        QFETCH(QString, filter);
        QFETCH(int, ranks);
        QFETCH(int, lanes);
        LaneArrangement arrangement;
        arrangement.filter = filter.toStdString();
        const LaneLayout layout = layoutLanes(*runOf(12), arrangement, kMetrics);
        verifyIsTidy(layout);
        QCOMPARE(static_cast<int>(layout.ranks.size()), ranks);
        if (lanes >= 0)
            QCOMPARE(static_cast<int>(layout.headers.size()), lanes);
        else
            QCOMPARE(layout.headers.size(), layout.ranks.size() * 4); // as without a filter
    }
    void ranksComeInTheOrderTheyWereMovedTo() {
        const auto run = runOf(5);
        LaneArrangement arrangement;
        moveRank(arrangement, rankOrder(*run, arrangement), 3, -2);
        QCOMPARE(rankOrder(*run, arrangement), (std::vector<int>{0, 3, 1, 2, 4}));
        moveRank(arrangement, rankOrder(*run, arrangement), 0, 99);
        QCOMPARE(rankOrder(*run, arrangement), (std::vector<int>{3, 1, 2, 4, 0}));
        moveRank(arrangement, rankOrder(*run, arrangement), 77, 1); // no such rank
        QCOMPARE(rankOrder(*run, arrangement), (std::vector<int>{3, 1, 2, 4, 0}));
        const LaneLayout layout = layoutLanes(*run, arrangement, kMetrics);
        verifyIsTidy(layout);
        QCOMPARE(layout.ranks[0].rankIndex, 3);
        const auto row = run->ranks[0]->lanes[0].first_row;
        QCOMPARE(layout.stripOf(0, row)->top, layout.ranks[4].top);
        arrangement.order = {4}; // the others follow by number
        QCOMPARE(rankOrder(*run, arrangement), (std::vector<int>{4, 0, 1, 2, 3}));
    }
    void anArrangementSurvivesBeingSaved() {
        LaneArrangement arrangement;
        arrangement.folded = {LaneId::ofRank(3), LaneId::ofGroup(0, LaneGroup::counters)};
        arrangement.togglePin(LaneId::ofLane(7, LaneGroup::threads, 5));
        arrangement.togglePin(LaneId::ofRank(2));
        arrangement.hidden = {LaneId::ofGroup(1, LaneGroup::annotations)};
        arrangement.order = {2, 0, 1};
        arrangement.filter = "stream 7";
        arrangement.names = {"gemm", {"memset", "ncclDevKernel_AllReduce(ncclDevKernelArgsStorage<4096ul>)"}};
        arrangement.height = LaneHeight::tall;
        arrangement.colour = ColourBy::deviation;
        const QByteArray text = QJsonDocument(toJson(arrangement)).toJson();
        QCOMPARE(laneArrangementFrom(QJsonDocument::fromJson(text).object()), arrangement);
        QCOMPARE(laneArrangementFrom({}), LaneArrangement());
    }
    void aSpoiltArrangementLosesOnlyWhatIsSpoilt() {
        const QByteArray text =
            R"({"folded": [{"rank": 1}, {"rank": -4}, {"rank": "x"}, 7, {"rank": 2, "group": "pigs"}],
            "pinned": [{"rank": 0, "group": "streams", "lane": -2}, {"rank": 0}, {"rank": 0}], "order": [3, 3, "a", 1], "height": 4})";
        LaneArrangement expected;
        expected.folded = {LaneId::ofRank(1)};
        expected.pinned = {LaneId::ofRank(0)};
        expected.order = {3, 1};
        QCOMPARE(laneArrangementFrom(QJsonDocument::fromJson(text).object()), expected);
    }
    void rowsAreAsHighAsTheViewAllows() {
        const auto run = runOf(8);
        for (const int height : {500, 700, 1200}) {
            const LaneMetrics metrics = metricsFitting(*run, height, 11);
            QVERIFY(layoutLanes(*run, {}, metrics).height <= height);
        }
        const auto rowAt = [&](int height) { return metricsFitting(*run, height, 11).streamRow; };
        QVERIFY(rowAt(1200) > rowAt(500));
        QVERIFY(rowAt(300) <= rowAt(500)); // most are still in view
        QCOMPARE(rowAt(50), LaneMetrics().streamRow);
    }
    void noRowOfNamesIsLowerThanTheNames() {
        const auto run = runOf(8);
        for (const int readable : {11, 13, 26, 40})
            for (const LaneHeight wanted : {LaneHeight::fit, LaneHeight::compact, LaneHeight::normal, LaneHeight::tall})
                for (const int height : {50, 300, 500, 1200}) {
                    const LaneMetrics metrics = metricsFor(*run, wanted, height, readable);
                    QVERIFY(metrics.streamRow >= readable);
                    QVERIFY(metrics.threadRow >= readable);
                }
    }
};

RANKSCOPE_TEST(TestTimelineLayout)

} // namespace rankscope::timeline_layout_test

#include "test_timeline_layout.moc"
