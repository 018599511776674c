// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzy matching, and the list one picks from by typing.
#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest>

#include "tests/support/test_program.h"
#include "widgets/fuzzy_match.h"
#include "widgets/panels/quick_pick.h"

namespace rankscope::quick_pick_test {
using namespace Qt::Literals::StringLiterals;

class TestQuickPick : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void lettersInOrderMatchAndOthersDoNot_data() {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("matches");
        QTest::newRow("nothing wanted") << u""_s << u"Zoom in"_s << true;
        QTest::newRow("case") << u"ZOOM"_s << u"Zoom in"_s << true;
        QTest::newRow("letters apart") << u"exm"_s << u"Export metrics"_s << true;
        QTest::newRow("words in another order") << u"metrics export"_s << u"Export metrics"_s << true;
        QTest::newRow("a number") << u"r12 s7"_s << u"Rank 12 stream 7"_s << true;
        QTest::newRow("wrong order") << u"mooz"_s << u"Zoom in"_s << false;
        QTest::newRow("a letter too many") << u"zoomm"_s << u"Zoom in"_s << false;
        QTest::newRow("second word missing") << u"zoom out"_s << u"Zoom in"_s << false;
        QTest::newRow("the word start is a dead end") << u"abb"_s << u"axbb b"_s << true;
    }
    void lettersInOrderMatchAndOthersDoNot() {
        QFETCH(QString, wanted);
        QFETCH(QString, text);
        QTEST(fuzzyScore(wanted, text).has_value(), "matches");
    }
    void theBetterMatchScoresHigher_data() {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("better");
        QTest::addColumn<QString>("worse");
        QTest::newRow("word start") << u"fo"_s << u"Fold rank"_s << u"Information"_s;
        QTest::newRow("together") << u"zo"_s << u"Zoom"_s << u"Z and o"_s;
        QTest::newRow("initials") << u"em"_s << u"Export metrics"_s << u"Overview maxima"_s;
        QTest::newRow("shorter") << u"rank 1"_s << u"Rank 1"_s << u"Rank 1 stream 7"_s;
    }
    void theBetterMatchScoresHigher() {
        QFETCH(QString, wanted);
        QFETCH(QString, better);
        QFETCH(QString, worse);
        const auto good = fuzzyScore(wanted, better);
        QVERIFY(good.has_value());
        QVERIFY(good > fuzzyScore(wanted, worse)); // no match is less than any
    }

    void typingNarrowsTheListAndEnterPicksTheBest() {
        QuickPick pick(u"Commands"_s, u"Type"_s, items());
        const QAbstractItemModelTester tester(pick.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy picked(&pick, &QuickPick::picked);
        pick.show();
        QCOMPARE(pick.shown(), (std::vector<std::size_t>{0, 1, 2, 3}));
        QTest::keyClicks(&pick.field(), u"fold"_s);
        QCOMPARE(pick.shown(), (std::vector<std::size_t>{2}));
        QTest::keyClick(&pick.field(), Qt::Key_Return);
        QTRY_COMPARE(picked.size(), 1);
        QCOMPARE(picked[0][0].value<std::size_t>(), std::size_t{2});
        QVERIFY(!pick.isVisible());
    }
    void arrowsMoveAndEnterPicksWhatIsMarked() {
        QuickPick pick(u"Commands"_s, u"Type"_s, items());
        QSignalSpy picked(&pick, &QuickPick::picked);
        pick.show();
        QTest::keyClick(&pick.field(), Qt::Key_Down);
        QTest::keyClick(&pick.field(), Qt::Key_Return);
        QTRY_COMPARE(picked.size(), 1);
        QCOMPARE(picked[0][0].value<std::size_t>(), std::size_t{1});
    }
    void whatIsDisabledCannotBePicked() {
        QuickPick pick(u"Commands"_s, u"Type"_s, items());
        QSignalSpy picked(&pick, &QuickPick::picked);
        pick.show();
        QTest::keyClicks(&pick.field(), u"resting"_s);
        QCOMPARE(pick.shown(), (std::vector<std::size_t>{3}));
        QTest::keyClick(&pick.field(), Qt::Key_Return);
        QTest::qWait(10);
        QCOMPARE(picked.size(), 0);
        QVERIFY(pick.isVisible());
    }
    void escapePicksNothing() {
        QuickPick pick(u"Commands"_s, u"Type"_s, items());
        QSignalSpy picked(&pick, &QuickPick::picked);
        pick.show();
        QTest::keyClick(&pick.field(), Qt::Key_Escape);
        QVERIFY(!pick.isVisible());
        QTest::qWait(10);
        QCOMPARE(picked.size(), 0);
    }
    void thousandsOfItemsShowTheBestOnly() {
        std::vector<QuickPickItem> many;
        for (int i = 0; i < 20'000; ++i)
            many.push_back({u"Rank %1 stream 7"_s.arg(i), {}, {}});
        QuickPick pick(u"Lanes"_s, u"Type"_s, many);
        QTest::keyClicks(&pick.field(), u"rank 19999"_s);
        QCOMPARE(pick.shown().front(), std::size_t{19'999});
        pick.field().clear();
        QCOMPARE(pick.shown().size(), QuickPick::kMost);
    }

private:
    static std::vector<QuickPickItem> items() {
        return {{u"Zoom in"_s, u"Timeline"_s, u"W"_s},
                {u"Zoom out"_s, u"Timeline"_s, u"S"_s},
                {u"Fold rank"_s, u"Timeline"_s, u"R"_s},
                {u"Resting"_s, u"Timeline"_s, {}, false}};
    }
};

RANKSCOPE_GUI_TEST(TestQuickPick)

} // namespace rankscope::quick_pick_test

#include "test_quick_pick.moc"
