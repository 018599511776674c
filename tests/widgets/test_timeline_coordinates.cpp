// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of the time axis and the ruler.
#include <cmath>

#include <QtTest>

#include "tests/support/test_program.h"
#include "widgets/time_text.h"
#include "widgets/timeline/coordinates.h"
#include "widgets/timeline/hover_label.h"
#include "widgets/timeline/ruler.h"

namespace rankscope::timeline_coordinates_test {

namespace {
constexpr TimeNs kEpoch = 1'700'000'000'000'000'000; // a double cannot tell it from its neighbours
constexpr TimeRange kFull{kEpoch, kEpoch + 1'000'000};
QString narrow(QString text) { return text.replace(QLatin1Char(' '), QChar(0x202F)); }
} // namespace

class TestTimelineCoordinates : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aTimeFarFromZeroKeepsItsPixel() {
        const TimeAxis axis{{kEpoch, kEpoch + 1'000}, 1'000};
        QCOMPARE(axis.pixelOf(kEpoch + 1), 1.0);
        QCOMPARE(axis.pixelOf(kEpoch + 999), 999.0);
        QCOMPARE(axis.timeAt(250.7), kEpoch + 250);
    }
    void columnsAndTimesAgree() {
        const TimeAxis axis{{kEpoch, kEpoch + 10'007}, 331};
        for (int column = 0; column < 331; ++column) {
            QCOMPARE(axis.columnOf(axis.columnBegin(column)), static_cast<double>(column));
            QVERIFY(axis.columnOf(axis.columnBegin(column + 1) - 1) <= column);
        }
    }
    void zoomingKeepsTheTimeUnderTheCursor_data() {
        QTest::addColumn<double>("factor");
        QTest::addColumn<int>("pixel");
        QTest::newRow("in, left") << 0.8 << 10;
        QTest::newRow("in, middle") << 0.5 << 500;
        QTest::newRow("in, right") << 0.1 << 990;
        QTest::newRow("out, middle") << 1.25 << 500;
    }
    void zoomingKeepsTheTimeUnderTheCursor() {
        QFETCH(double, factor);
        QFETCH(int, pixel);
        const TimeAxis before{{kEpoch + 400'000, kEpoch + 600'000}, 1'000};
        const TimeNs anchor = before.timeAt(pixel);
        const TimeAxis after{zoomedAbout(before.visible, anchor, factor, kFull), 1'000};
        QVERIFY(std::abs(after.pixelOf(anchor) - before.pixelOf(anchor)) < 0.01);
        QCOMPARE(after.visible.length(), static_cast<TimeNs>(std::llround(200'000 * factor)));
    }
    void zoomingStopsAtTheWholeRunAndAtTheShortestRange() {
        QCOMPARE(zoomedAbout(kFull, kEpoch + 5, 10.0, kFull), kFull);
        QCOMPARE(zoomedAbout(kFull, kEpoch + 500'000, 1e-9, kFull).length(), kShortestVisible);
    }
    void panningStopsAtTheEdgesWithoutZooming() {
        const TimeRange visible{kEpoch + 900'000, kEpoch + 1'000'000};
        QCOMPARE(pannedBy(visible, 0.5, kFull), visible);
        QCOMPARE(pannedBy(visible, -0.5, kFull), (TimeRange{kEpoch + 850'000, kEpoch + 950'000}));
        QCOMPARE(pannedBy(visible, -100, kFull), (TimeRange{kEpoch, kEpoch + 100'000}));
    }
    void aRangeTooShortGrowsAroundItsMiddle() {
        QCOMPARE(clampedTo({kEpoch + 500, kEpoch + 500}, kFull), (TimeRange{kEpoch + 450, kEpoch + 550}));
    }

    void ticksAreRoundAndFarEnoughApart_data() {
        QTest::addColumn<qint64>("length");
        QTest::addColumn<qint64>("step");
        QTest::addColumn<QString>("second");
        QTest::newRow("20 ms") << qint64{20'000'000} << qint64{2'000'000} << QStringLiteral("2 ms");
        QTest::newRow("3 s") << qint64{3'000'000'000} << qint64{500'000'000} << QStringLiteral("0.5 s");
        QTest::newRow("7 us") << qint64{7'000} << qint64{1'000} << QStringLiteral("1 µs");
        QTest::newRow("1 us") << qint64{1'000} << qint64{100} << QStringLiteral("0.1 µs");
        QTest::newRow("400 us") << qint64{400'000} << qint64{50'000} << QStringLiteral("50 µs");
    }
    void ticksAreRoundAndFarEnoughApart() {
        QFETCH(qint64, length);
        QFETCH(qint64, step);
        QFETCH(QString, second);
        const RulerScale scale = rulerScale({kEpoch, kEpoch + length}, kEpoch, 1'000, 90);
        QCOMPARE(scale.step, step);
        QCOMPARE(tickLabel(kEpoch + step, kEpoch, scale), second);
        QVERIFY(scale.minor < scale.step && scale.step % scale.minor == 0);
    }
    void ticksCountFromTheRunsBegin() {
        const auto times = ticks({kEpoch + 15, kEpoch + 41}, kEpoch, 10);
        QCOMPARE(times, (std::vector<TimeNs>{kEpoch + 20, kEpoch + 30, kEpoch + 40}));
        QCOMPARE(ticks({kEpoch - 15, kEpoch + 1}, kEpoch, 10), (std::vector<TimeNs>{kEpoch - 10, kEpoch}));
    }

    void timesAreWrittenWithoutLosingDigits() {
        QCOMPARE(exactMicroseconds(12'345'678), narrow(QStringLiteral("12 345.678")) + QStringLiteral(" µs"));
        QCOMPARE(exactMicroseconds(-1'005), QStringLiteral("-1.005 µs"));
        QCOMPARE(exactMicroseconds(7'000), QStringLiteral("7 µs"));
        QCOMPARE(durationText(532), QStringLiteral("532 ns"));
        QCOMPARE(durationText(1'234'567), QStringLiteral("1.235 ms"));
        QCOMPARE(durationText(12'345), QStringLiteral("12.35 µs"));
        QCOMPARE(durationText(99'996), QStringLiteral("100.0 µs"));
        QCOMPARE(durationText(999'960), QStringLiteral("1.000 ms"));
        QCOMPARE(durationText(-293'512'000), QStringLiteral("-293.5 ms"));
        // A point in time is not rounded as the recording becomes longer.
        QCOMPARE(timePointText(12'345), QStringLiteral("12.345 µs"));
        QCOMPARE(timePointText(63'620'499), QStringLiteral("63.620 ms"));
        QCOMPARE(timePointText(3'457'123'456'789), narrow(QStringLiteral("3 457.123457")) + QStringLiteral(" s"));
        QCOMPARE(timeRangeText({6'306'000, 10'510'400}), QStringLiteral("6.306 – 10.510 ms"));
        QCOMPARE(durationText(1'234'567'000'000), narrow(QStringLiteral("1 235")) + QStringLiteral(" s"));
        QCOMPARE(groupedNumber(-1'234'567), QStringLiteral("-") + narrow(QStringLiteral("1 234 567")));
    }
    void theHoverLabelStaysInsideTheView() {
        const QSize view(300, 200);
        const QSize label(120, 80);
        for (int x = 0; x < 300; x += 7)
            for (int y = 0; y < 200; y += 7) {
                const QRect rect = hoverRect({x, y}, label, view);
                QVERIFY(QRect(QPoint(), view).contains(rect));
                QVERIFY(!rect.contains(x, y));
            }
    }
};

RANKSCOPE_TEST(TestTimelineCoordinates)

} // namespace rankscope::timeline_coordinates_test

#include "test_timeline_coordinates.moc"
