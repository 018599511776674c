// SPDX-License-Identifier: GPL-3.0-or-later
// The stacked bars as geometry: segments, order, keyboard, mouse.
#include <algorithm>
#include <optional>

#include <QSignalSpy>
#include <QTest>

#include "tests/support/test_program.h"
#include "widgets/charts/part_legend.h"
#include "widgets/charts/rank_bars.h"
#include "widgets/charts/stacked_rows.h"
#include "widgets/palette.h"

namespace rankscope::rank_bars_test {
using namespace Qt::Literals::StringLiterals;

namespace {
constexpr TimeNs kMs = 1'000'000;

/// compute, overlap, communication, copy, idle in ms.
RankShare share(int rank, TimeNs compute, TimeNs overlap, TimeNs communication, TimeNs copy, TimeNs idle) {
    return {rank,
            {compute * kMs, overlap * kMs, communication * kMs, copy * kMs, idle * kMs},
            (compute + overlap + communication + copy + idle) * kMs};
}

const std::vector<RankShare> kShares = {share(0, 4, 1, 2, 0, 3), share(1, 6, 0, 1, 1, 2), share(2, 4, 2, 8, 0, 6)};
} // namespace

class TestRankBars : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theLegendLeavesOutPartsOfNoTime() {
        PartLegend legend;
        const int all = legend.sizeHint().width();
        QVERIFY(legend.accessibleDescription().isEmpty());
        legend.setShares(std::array<double, kRankPartCount>{60, 10, 20, 0, 10});
        const QString parts = legend.accessibleDescription();
        QVERIFY2(!parts.contains(rankPartLabel(RankPart::memoryCopy)), qPrintable(parts));
        QVERIFY2(parts.contains(rankPartLabel(RankPart::idle)), qPrintable(parts));
        legend.setShares(std::array<double, kRankPartCount>{60, 10, 20, 5, 5});
        QVERIFY(legend.accessibleDescription().contains(rankPartLabel(RankPart::memoryCopy)));
        QVERIFY(legend.sizeHint().width() > all);
    }

    void segmentsOfARowFollowEachOtherWithoutGaps() {
        const std::vector<std::size_t> order = {0, 1};
        const auto segments = stackSegments(kShares, order, false, 1e6);
        QCOMPARE(segments.size(), std::size_t{8}); // each rank has one part of zero length
        QCOMPARE(segments[0].end, 4.0);
        QCOMPARE(segments[1].begin, 4.0);
        QCOMPARE(segments[1].end, 5.0);
        QVERIFY(segments[2].part == RankPart::communication);
        QCOMPARE(segments[2].end, 7.0);
        QVERIFY(segments[3].part == RankPart::idle);
        QCOMPARE(segments[3].end, 10.0);
        QCOMPARE(segments[4].row, 1);
        QCOMPARE(segments[4].begin, 0.0);
    }

    /// Hatched is what waits (the bar of a step, the overlays). Exposed communication also transfers.
    void exposedCommunicationIsNotHatched() {
        RankBars bars;
        bars.setShares({share(0, 1, 0, 9, 0, 0)}, {});
        bars.resize(600, 120);
        bars.show();
        QVERIFY(QTest::qWaitForWindowExposed(&bars));
        const QImage picture = bars.grab().toImage();
        const QColor colour = hue(rankPartHue(RankPart::communication), isDark(bars.palette()));
        int longest = 0; // of one colour from left to right
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0, length = 0; x < picture.width(); ++x) {
                length = picture.pixelColor(x, y) == colour ? length + 1 : 0;
                longest = std::max(longest, length);
            }
        QVERIFY2(longest > 200, qPrintable(QString::number(longest)));
    }

    void percentFillsEveryRow() {
        const std::vector<std::size_t> order = {2};
        const auto segments = stackSegments(kShares, order, true, 1.0);
        QCOMPARE(segments.front().end, 20.0); // 4 of 20 ms
        QCOMPARE(segments.back().end, 100.0);
    }

    void ordersByAnyPart_data() {
        QTest::addColumn<int>("part"); // -1: rank
        QTest::addColumn<bool>("percent");
        QTest::addColumn<QList<int>>("ranks");
        QTest::newRow("rank") << -1 << false << QList<int>{0, 1, 2};
        QTest::newRow("most compute") << static_cast<int>(RankPart::compute) << false
                                      << QList<int>{1, 0, 2}; // 6 4 4: ties by rank
        QTest::newRow("most compute, %") << static_cast<int>(RankPart::compute) << true
                                         << QList<int>{1, 0, 2};                                          // 60 40 20
        QTest::newRow("most idle") << static_cast<int>(RankPart::idle) << false << QList<int>{2, 0, 1};   // 6 3 2
        QTest::newRow("most idle, %") << static_cast<int>(RankPart::idle) << true << QList<int>{0, 2, 1}; // 30 30 20
    }
    void ordersByAnyPart() {
        QFETCH(int, part);
        QFETCH(bool, percent);
        QFETCH(QList<int>, ranks);
        RankBars bars;
        bars.setShares(kShares, {});
        bars.setPercent(percent);
        bars.setOrder({part < 0 ? std::nullopt : std::optional(static_cast<RankPart>(part)), part >= 0});
        const auto shown = bars.shownRanks();
        QCOMPARE(QList<int>(shown.begin(), shown.end()), ranks);
    }

    void aNoteStaysBesideItsRankInAnyOrder() {
        RankBars bars;
        bars.setShares(kShares, {{2, {u"late"_s, true}}});
        QCOMPARE(bars.rows().notes().at(0).row, 2);
        bars.setOrder({RankPart::idle, true});
        QCOMPARE(bars.rows().notes().at(0).row, 0);
    }

    void keysMoveAndActivate() {
        RankBars bars;
        bars.setShares(kShares, {});
        bars.resize(800, bars.height());
        bars.show();
        QVERIFY(QTest::qWaitForWindowExposed(&bars));
        QSignalSpy activated(&bars, &RankBars::rankActivated);
        QTest::keyClick(&bars, Qt::Key_End);
        QCOMPARE(bars.currentRank(), std::optional(2));
        QTest::keyClick(&bars, Qt::Key_Up);
        QCOMPARE(bars.currentRank(), std::optional(1));
        QTest::keyClick(&bars, Qt::Key_Return);
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated[0][0].toInt(), 1);
        QVERIFY(bars.accessibleDescription().contains(u"Rank 1"_s));
    }

    void doubleClickActivatesTheRankUnderThePointer() {
        RankBars bars;
        bars.setShares(kShares, {});
        bars.resize(800, bars.height());
        bars.show();
        QVERIFY(QTest::qWaitForWindowExposed(&bars));
        QSignalSpy activated(&bars, &RankBars::rankActivated);
        const QPoint point = bars.rowCentre(2);
        QTest::mouseDClick(bars.childAt(point), Qt::LeftButton, {}, bars.childAt(point)->mapFrom(&bars, point));
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated[0][0].toInt(), 2);
    }

    void aThousandRanksKeepTheChartsHeight() {
        std::vector<RankShare> many;
        for (int rank = 0; rank < 1024; ++rank)
            many.push_back(share(rank, 4, 1, 2, 0, 3));
        RankBars bars;
        bars.setShares(std::move(many), {});
        QVERIFY(bars.height() < 500);
        bars.resize(800, bars.height());
        bars.show();
        QTest::keyClick(&bars, Qt::Key_End);
        QCOMPARE(bars.currentRank(), std::optional(1023));
        QVERIFY(bars.rect().contains(bars.rowCentre(1023))); // scrolled into view
    }

    void numbersOfARankAreSpelledOut() {
        RankBars bars;
        bars.setShares(kShares, {});
        const QString text = bars.describe(1);
        QVERIFY(text.contains(u"Rank 1"_s));
        QVERIFY(text.contains(u"6.00 ms"_s));
        QVERIFY(text.contains(u"60 %"_s));
    }
};

RANKSCOPE_GUI_TEST(TestRankBars)

} // namespace rankscope::rank_bars_test

#include "test_rank_bars.moc"
