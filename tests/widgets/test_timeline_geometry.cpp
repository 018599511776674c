// SPDX-License-Identifier: GPL-3.0-or-later
// Which columns slices cover: one lane at a time, without a widget.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/test_program.h"
#include "widgets/timeline/slice_activity.h"
#include "widgets/timeline/slice_label.h"

namespace rankscope::timeline_geometry_test {

namespace {

constexpr TimeNs kEpoch = 1'700'000'000'000'000'000;
constexpr SliceClass C = SliceClass::compute;
constexpr SliceClass X = SliceClass::communication;

/// One row of events, times counted from kEpoch.
struct TestRow {
    std::vector<TimeNs> start;
    std::vector<TimeNs> duration;
    std::vector<SliceClass> classes;
    RowSummary summary;

    void add(TimeNs begin, TimeNs length, SliceClass c) {
        start.push_back(kEpoch + begin);
        duration.push_back(length);
        classes.push_back(c);
    }
    [[nodiscard]] RowSlices plain() const { return {start, duration, classes, 0, nullptr}; }
    [[nodiscard]] RowSlices summarised() {
        summary = summarise(plain());
        return {start, duration, classes, 0, &summary};
    }
};

std::vector<SliceRect> rectsOf(const RowSlices& row, TimeRange visible, int width) {
    RowPicture picture;
    sliceRects(row, {{kEpoch + visible.begin, kEpoch + visible.end}, static_cast<double>(width)}, picture);
    return picture.rects;
}

/// Busy time per class, event by event.
ClassTimes slowlyBusyIn(const TestRow& row, TimeRange range) {
    ClassTimes times{};
    for (std::size_t i = 0; i < row.start.size(); ++i)
        times[static_cast<std::size_t>(row.classes[i])] +=
            TimeRange{row.start[i], row.start[i] + row.duration[i]}.clipped_to(range).length();
    return times;
}

float shareOf(const RowPicture& picture, const SliceRect& rect, SliceClass c) {
    return picture.shares[static_cast<std::size_t>(rect.shares)][static_cast<std::size_t>(c)];
}

TestRow randomRow(unsigned seed, std::size_t count, TimeNs longest, TimeNs longestGap) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<TimeNs> durations(0, longest);
    std::uniform_int_distribution<TimeNs> gaps(0, longestGap);
    TestRow row;
    TimeNs now = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const TimeNs length = durations(random);
        row.add(now, length, random() % 4 == 0 ? X : C);
        now += length + gaps(random) + (random() % 97 == 0 ? 50 * longestGap : 0);
    }
    return row;
}

} // namespace

class TestTimelineGeometry : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wideSlicesHaveRectanglesOfTheirOwn() {
        TestRow row;
        row.add(10, 20, C);
        row.add(30, 40, X);
        row.add(90, 100, C); // reaches out of view
        const std::vector<SliceRect> expected{{10, 30, 0, C, 1, 1}, {30, 70, 1, X, 1, 1}, {90, 100, 2, C, 1, 1}};
        QCOMPARE(rectsOf(row.plain(), {0, 100}, 100), expected);
    }
    void aSliceThatBeganBeforeTheViewStartsAtItsEdge() {
        TestRow row;
        row.add(0, 50, C);
        row.add(60, 10, X);
        const std::vector<SliceRect> expected{{0, 10, 0, C, 1, 1}, {20, 30, 1, X, 1, 1}};
        QCOMPARE(rectsOf(row.plain(), {40, 140}, 100), expected);
    }
    void aShortSliceKeepsOneColumn() {
        TestRow row;
        row.add(5'500, 1, X);
        row.add(7'500, 0, C); // without any duration
        const auto rects = rectsOf(row.plain(), {0, 10'000}, 10);
        QCOMPARE(rects.size(), std::size_t{2});
        QCOMPARE(rects[0].left, 5);
        QCOMPARE(rects[0].right, 6);
        QCOMPARE(rects[0].sliceClass, X);
        QCOMPARE(rects[1].left, 7);
        QCOMPARE(rects[1].sliceClass, C);
    }
    void theClassWithMostTimeTakesASharedColumn() {
        TestRow row;
        row.add(100, 100, C);
        row.add(300, 250, X);
        row.add(600, 100, C);
        const auto rects = rectsOf(row.plain(), {0, 10'000}, 10);
        QCOMPARE(rects.size(), std::size_t{1});
        QCOMPARE(rects[0].sliceClass, X);
        QCOMPARE(rects[0].count, 3U);
        QCOMPARE(rects[0].share, 0.45F);
    }
    void aLongSliceSharesTheColumnItStartsInWithShortOnesBeforeIt() {
        TestRow row;
        row.add(100, 50, X);
        row.add(200, 5'000, C); // 800 of the first 1000
        row.add(6'000, 900, X);
        row.add(6'950, 3'000, C); // 50 of the seventh 1000
        RowPicture picture;
        sliceRects(row.plain(), {{kEpoch, kEpoch + 10'000}, 10}, picture);
        const std::vector<SliceRect>& rects = picture.rects;
        QCOMPARE(rects.size(), std::size_t{4});
        QCOMPARE(rects[0], (SliceRect{0, 1, 0, C, 0.85F, 2, 0}));
        QCOMPARE(shareOf(picture, rects[0], X), 0.05F);
        QCOMPARE(shareOf(picture, rects[0], C), 0.8F);
        QCOMPARE(rects[1], (SliceRect{1, 5, 1, C, 1, 1}));
        QCOMPARE(rects[2], (SliceRect{6, 7, 2, X, 0.95F, 2, 1}));
        QCOMPARE(rects[3], (SliceRect{7, 9, 3, C, 1, 1}));
    }
    void aShortSliceAcrossABorderHasItsShareOnBothSides() {
        TestRow row;
        row.add(1'900, 400, C);
        RowPicture picture;
        sliceRects(row.plain(), {{kEpoch, kEpoch + 10'000}, 10}, picture);
        QCOMPARE(picture.rects.size(), std::size_t{2});
        QCOMPARE(shareOf(picture, picture.rects[0], C), 0.1F);
        QCOMPARE(shareOf(picture, picture.rects[1], C), 0.3F);
        QCOMPARE(picture.rects[1].left, 2);
    }
    void everyColumnHasTheExactShareOfEachClass_data() {
        QTest::addColumn<TimeNs>("longest");
        QTest::addColumn<TimeNs>("longestGap");
        QTest::newRow("crowded") << TimeNs{20} << TimeNs{5};
        QTest::newRow("instants and gaps") << TimeNs{1} << TimeNs{30};
        QTest::newRow("some longer than a column") << TimeNs{3'000} << TimeNs{50};
    }
    void everyColumnHasTheExactShareOfEachClass() {
        QFETCH(TimeNs, longest);
        QFETCH(TimeNs, longestGap);
        TestRow test = randomRow(11, 30'000, longest, longestGap);
        for (const RowSlices& row : {test.plain(), test.summarised()}) {
            const TimeNs end = row.end(row.size() - 1) - kEpoch;
            for (const TimeRange visible : {TimeRange{0, end + 1}, {end / 3, end / 2}, {end / 2, end / 2 + 9'001}}) {
                const TimeAxis axis{{kEpoch + visible.begin, kEpoch + visible.end}, 200};
                RowPicture picture;
                sliceRects(row, axis, picture);
                for (const SliceRect& rect : picture.rects) {
                    if (rect.shares < 0)
                        continue;
                    const TimeRange column{axis.columnBegin(rect.left), axis.columnBegin(rect.left + 1)};
                    const ClassTimes expected = slowlyBusyIn(test, column);
                    for (const SliceClass c : {C, X})
                        QVERIFY(std::abs(shareOf(picture, rect, c) -
                                         static_cast<float>(expected[static_cast<std::size_t>(c)]) /
                                             static_cast<float>(column.length())) < 2e-6F);
                    QCOMPARE(busyIn(row, column), expected);
                }
            }
        }
    }
    void sharesBecomePixelsOfAColumn_data() {
        QTest::addColumn<float>("compute");
        QTest::addColumn<float>("communication");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("computePixels");
        QTest::addColumn<int>("communicationPixels");
        QTest::newRow("in proportion") << 0.5F << 0.25F << 16 << 8 << 4;
        QTest::newRow("full") << 0.6F << 0.4F << 10 << 6 << 4;
        QTest::newRow("a trace of one class takes a pixel of idle time") << 0.5F << 0.001F << 16 << 8 << 1;
        QTest::newRow("or of the other class") << 0.999F << 0.001F << 16 << 15 << 1;
        QTest::newRow("hardly anything is a pixel") << 1e-6F << 0.0F << 16 << 1 << 0;
        QTest::newRow("the dominating class has the only pixel") << 0.4F << 0.3F << 1 << 1 << 0;
        QTest::newRow("no more than there is") << 0.9F << 0.9F << 10 << 5 << 5;
    }
    void sharesBecomePixelsOfAColumn() {
        QFETCH(float, compute);
        QFETCH(float, communication);
        QFETCH(int, height);
        QFETCH(int, computePixels);
        QFETCH(int, communicationPixels);
        ClassShares shares{};
        shares[static_cast<std::size_t>(C)] = compute;
        shares[static_cast<std::size_t>(X)] = communication;
        const ClassHeights heights = stackedHeights(shares, C, height);
        QCOMPARE(heights[static_cast<std::size_t>(C)], computePixels);
        QCOMPARE(heights[static_cast<std::size_t>(X)], communicationPixels);
    }
    void anInstantIsSeenAmongOtherClasses() {
        TestRow row;
        for (int i = 0; i < 200; ++i)
            row.add(i * 10, 9, C);
        row.add(2'000, 0, X);
        row.add(2'001, 5, C);
        for (const RowSlices& slices : {row.plain(), row.summarised()}) {
            RowPicture picture;
            sliceRects(slices, {{kEpoch, kEpoch + 10'000}, 2}, picture);
            QCOMPARE(picture.rects.size(), std::size_t{1});
            QVERIFY(shareOf(picture, picture.rects[0], X) > 0);
        }
    }
    void rectanglesNeverOverlapAndEveryEventHasItsColumn_data() {
        QTest::addColumn<TimeNs>("longest");
        QTest::addColumn<TimeNs>("longestGap");
        QTest::newRow("dense") << TimeNs{100} << TimeNs{10};
        QTest::newRow("sparse") << TimeNs{3} << TimeNs{400};
        QTest::newRow("mixed") << TimeNs{2'000} << TimeNs{2'000};
    }
    void rectanglesNeverOverlapAndEveryEventHasItsColumn() {
        QFETCH(TimeNs, longest);
        QFETCH(TimeNs, longestGap);
        for (unsigned seed = 0; seed < 5; ++seed) {
            TestRow test = randomRow(seed, 20'000, longest, longestGap);
            const RowSlices row = test.summarised();
            const TimeNs end = row.end(row.size() - 1) - kEpoch;
            for (const TimeRange visible : {TimeRange{0, end + 1}, {end / 3, end / 2}, {end / 2, end / 2 + 5'000}}) {
                const TimeAxis axis{{kEpoch + visible.begin, kEpoch + visible.end}, 300};
                RowPicture picture;
                sliceRects(row, axis, picture);
                const std::vector<SliceRect>& rects = picture.rects;
                std::vector<bool> covered(302, false);
                int free = 0;
                for (const SliceRect& rect : rects) {
                    QVERIFY(rect.left >= free && rect.left < rect.right && rect.right <= 300);
                    QVERIFY(rect.share >= 0 && rect.share <= 1);
                    free = rect.right;
                    for (int x = rect.left; x < rect.right; ++x)
                        covered[static_cast<std::size_t>(x) + 1] = true;
                }
                for (EventIndex i = 0; i < row.size(); ++i) {
                    if (row.start[i] < axis.visible.begin || row.start[i] >= axis.visible.end)
                        continue;
                    const auto x = static_cast<std::size_t>(axis.columnOf(row.start[i])) + 1;
                    QVERIFY2(covered[x], qPrintable(QString::number(i)));
                }
            }
        }
    }
    void aPictureThatIsMovedIsThePictureLaidOutAnew_data() {
        rectanglesNeverOverlapAndEveryEventHasItsColumn_data();
        QTest::newRow("instants") << TimeNs{1} << TimeNs{30};
        QTest::newRow("wider than the view") << TimeNs{900'000} << TimeNs{40};
    }
    void aPictureThatIsMovedIsThePictureLaidOutAnew() {
        QFETCH(TimeNs, longest);
        QFETCH(TimeNs, longestGap);
        constexpr int kWidth = 300;
        std::mt19937 random(5);
        std::uniform_int_distribution<int> pixels(-kWidth / 2, kWidth / 2);
        for (unsigned seed = 0; seed < 3; ++seed) {
            TestRow test = randomRow(seed, 5'000, longest, longestGap);
            const RowSlices row = test.summarised();
            const TimeRange full{kEpoch, row.end(row.size() - 1) + 1};
            for (const TimeNs length : {full.length() / 2, full.length() / 40 + 4'801, TimeNs{4'801}}) {
                const TimeNs begin = full.begin + full.length() / 4;
                TimeAxis axis{{begin, begin + length}, kWidth};
                RowPicture moved;
                sliceRects(row, axis, moved);
                int reused = 0;
                for (int step = 0; step < 60; ++step) {
                    const TimeAxis before = axis;
                    axis = {pannedByPixels(before.visible, step % 4 == 0 ? pixels(random) : pixels(random) / 20, kWidth,
                                           full),
                            kWidth};
                    RowPicture anew;
                    if (const auto columns = axis.continueGrid(before)) {
                        moveSliceRects(row, axis, *columns, moved);
                        ++reused;
                        sliceRects(row, axis, anew);
                        QVERIFY(moved.rects == anew.rects);
                        QVERIFY(moved.shares == anew.shares);
                    } else
                        sliceRects(row, axis, moved); // at an end of the run
                    QVERIFY(std::abs(axis.columnBegin(0) - axis.visible.begin) <= 1);
                }
                QVERIFY(reused > 20);
            }
        }
    }
    void theSharesAddUpToTheBusyTimeHoweverCrowded() {
        TestRow test = randomRow(7, 200'000, 100, 20);
        const RowSlices row = test.summarised();
        TimeNs busy = 0;
        for (const TimeNs d : test.duration)
            busy += d;
        const TimeNs end = row.end(row.size() - 1) - kEpoch;
        const auto rects = rectsOf(row, {0, end}, 500); // 400 events a column: only summaries are looked at
        double shown = 0;
        for (const SliceRect& rect : rects)
            shown += static_cast<double>(rect.share) * (rect.right - rect.left) * static_cast<double>(end) / 500;
        QVERIFY(std::abs(shown / static_cast<double>(busy) - 1) < 0.02);
    }
    void summariesFindTheSameEventsAsLookingAtEach() {
        TestRow test = randomRow(3, 5'000, 100, 100);
        const RowSlices plain = test.plain();
        const RowSlices fast = test.summarised();
        std::mt19937 random(1);
        const auto span = static_cast<std::uint32_t>(plain.end(plain.size() - 1) - kEpoch);
        for (int round = 0; round < 3'000; ++round) {
            const TimeNs time = kEpoch + random() % (span + 200) - 100;
            const auto from = static_cast<EventIndex>(random() % 5001);
            const auto expected =
                std::lower_bound(plain.start.begin() + from, plain.start.end(), time) - plain.start.begin();
            QCOMPARE(fast.firstStartingAt(time, from), static_cast<EventIndex>(expected));
        }
    }
    void pointingFindsTheSliceThatIsDrawn() {
        TestRow row;
        row.add(10, 20, C);
        row.add(30, 40, X);
        const TimeAxis axis{{kEpoch, kEpoch + 100}, 100};
        QVERIFY(!sliceAt(row.plain(), axis, 9.5));
        QCOMPARE(sliceAt(row.plain(), axis, 10.5)->event, 0U);
        QCOMPARE(sliceAt(row.plain(), axis, 29.5)->event, 0U);
        QCOMPARE(sliceAt(row.plain(), axis, 30.5)->event, 1U);
        QVERIFY(!sliceAt(row.plain(), axis, 70.5));
    }
    void pointingAtASharedColumnFindsTheLongestAndCountsTheRest() {
        TestRow row;
        row.add(100, 100, C);
        row.add(300, 250, X);
        row.add(600, 100, C);
        const auto hit = sliceAt(row.plain(), {{kEpoch, kEpoch + 10'000}, 10}, 0.5);
        QCOMPARE(hit->event, 1U);
        QCOMPARE(hit->count, 3U);
    }
    void pointingWorksBelowANanosecondPerPixel() {
        TestRow row;
        row.add(3, 2, C);
        const TimeAxis axis{{kEpoch, kEpoch + 10}, 1'000};
        QVERIFY(!sliceAt(row.plain(), axis, 299.5));
        QCOMPARE(sliceAt(row.plain(), axis, 345.5)->event, 0U);
        QCOMPARE(sliceAt(row.plain(), axis, 499.5)->event, 0U);
        QVERIFY(!sliceAt(row.plain(), axis, 500.5));
    }
    void theActivityOfSeveralRowsHasOneClassAtATime() {
        TestRow calls;
        calls.add(0, 40, C);
        calls.add(60, 10, X);
        TestRow others;
        others.add(30, 40, X); // exposed from 40 to 70, hidden before
        others.add(80, 0, C);
        TestRow step;
        step.add(0, 100, SliceClass::annotation);
        const std::vector<RowSlices> rows{step.plain(), calls.plain(), others.plain()};
        const SliceActivity activity = activityOf(rows);
        QCOMPARE(activity.start, (std::vector<TimeNs>{kEpoch, kEpoch + 40, kEpoch + 80}));
        QCOMPARE(activity.duration, (std::vector<TimeNs>{40, 30, 0}));
        QCOMPARE(activity.classes, (std::vector<SliceClass>{C, X, C}));
        const SliceActivity alone = activityOf(std::span(rows).first(1));
        QCOMPARE(alone.classes, (std::vector<SliceClass>{SliceClass::annotation})); // nothing else there: it shows
    }
};

RANKSCOPE_TEST(TestTimelineGeometry)

} // namespace rankscope::timeline_geometry_test

#include "test_timeline_geometry.moc"
