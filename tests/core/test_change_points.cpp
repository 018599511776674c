// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of level in series: those put there are found, none is invented.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/analysis/basics/change_points.h"
#include "tests/support/test_program.h"

namespace rankscope::change_points_test {

namespace {

std::vector<double> noisy(std::size_t count, double level, double noise, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal(0, noise);
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(level * (1 + normal(random)));
    return values;
}

} // namespace

class TestChangePoints : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void studentsTailIsThatOfTheTables() {
        // 12.706 at 1, 2.776 at 4, 2.228 at 10 degrees of freedom: 5 % on both sides; 3.646 at 30: 0.1 %
        QVERIFY(std::abs(student_tail(12.706, 1) - 0.05) < 1e-5);
        QVERIFY(std::abs(student_tail(2.776, 4) - 0.05) < 1e-4);
        QVERIFY(std::abs(student_tail(2.228, 10) - 0.05) < 1e-4);
        QVERIFY(std::abs(student_tail(3.646, 30) - 0.001) < 1e-6);
        QCOMPARE(student_tail(0, 7), 1.0);
    }

    void aShiftOfOnePercentInNoiseOfAThirdIsFound_data() {
        QTest::addColumn<int>("runs");
        QTest::addColumn<int>("at");
        QTest::addColumn<double>("shift");
        QTest::newRow("middle of 30") << 30 << 15 << 1.01;
        QTest::newRow("faster") << 30 << 20 << 0.99;
        QTest::newRow("early") << 40 << 6 << 1.01;
        QTest::newRow("late") << 40 << 35 << 1.01;
        QTest::newRow("of 200") << 200 << 150 << 1.01;
    }
    void aShiftOfOnePercentInNoiseOfAThirdIsFound() {
        QFETCH(int, runs);
        QFETCH(int, at);
        QFETCH(double, shift);
        int right = 0; // one, at most two runs off: near the ends of a series noise hides some
        for (unsigned seed = 0; seed < 50; ++seed) {
            auto values = noisy(static_cast<std::size_t>(runs), 120, 0.003, seed);
            for (int i = at; i < runs; ++i)
                values[static_cast<std::size_t>(i)] *= shift;
            const auto found = change_points(values);
            right += found.size() == 1 && std::abs(static_cast<int>(found[0].first) - at) <= 2 &&
                             std::abs(found[0].after / found[0].before - shift) < 0.005 &&
                             found[0].chance <= kChangeChance
                         ? 1
                         : 0;
        }
        QVERIFY2(right >= 45, qPrintable(QString::number(right)));
    }

    void nothingIsInventedInQuietSeries() {
        std::size_t invented = 0;
        for (unsigned seed = 1000; seed < 1200; ++seed)
            for (const std::size_t length : {8U, 30U, 100U})
                invented += change_points(noisy(length, 120, 0.003, seed)).size();
        QCOMPARE(invented, std::size_t{0});
    }

    void anOutlierIsNoChange() {
        for (unsigned seed = 0; seed < 200; ++seed) {
            auto values = noisy(30, 120, 0.003, seed);
            values[10 + seed % 20] *= 1.1; // anywhere in the last two thirds
            for (const ChangePoint& change : change_points(values))
                QVERIFY2(false, qPrintable(QString::number(change.first)));
        }
    }

    void twoChangesAreTwo() {
        auto values = noisy(60, 120, 0.003, 5);
        for (std::size_t i = 20; i < 40; ++i)
            values[i] *= 1.02;
        const auto found = change_points(values);
        QCOMPARE(found.size(), std::size_t{2});
        QVERIFY(found[0].first >= 19 && found[0].first <= 21);
        QVERIFY(found[1].first >= 39 && found[1].first <= 41);
        QVERIFY(found[0].after > found[0].before && found[1].after < found[1].before);
    }

    void shortAndConstantSeries() {
        QVERIFY(change_points({}).empty());
        QVERIFY(change_points(std::vector<double>{1, 2, 3, 4, 5}).empty());
        QVERIFY(change_points(std::vector<double>(50, 3.25)).empty());
        QVERIFY(change_points(std::vector<double>(50, 0)).empty());
        std::vector<double> step(20, 1);
        std::fill(step.begin() + 12, step.end(), 2);
        const auto found = change_points(step);
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].first, std::size_t{12});
    }

    void aLevelIsFoundBesideASlowStartAndSlowValues() {
        for (unsigned seed = 0; seed < 100; ++seed) {
            auto values = noisy(40, 100, 0.005, seed);
            values[0] *= 3;
            values[1] *= 1.5;
            for (std::size_t i = 4; i < 40; i += 8)
                values[i] *= 1.6;
            for (std::size_t i = 25; i < 40; ++i)
                values[i] *= 1.1;
            const auto level = raised_level(values);
            QVERIFY(level && !level->gradual);
            QCOMPARE(level->first, std::size_t{25});
            QCOMPARE(level->last, std::size_t{39});
            QVERIFY(std::abs(level->raised / level->usual - 1.1) < 0.01);
            QVERIFY(level->chance <= kChangeChance);
        }
    }

    /// A GPU that throttles over eight steps: too few for levels.
    void aFewValuesGrowSteadily() {
        const std::vector<double> values{12, 98, 214, 297, 402, 489, 613, 700};
        QVERIFY(!raised_level(values));
        QVERIFY(grows_steadily(values));
        QVERIFY(!grows_steadily(std::vector<double>(values.rbegin(), values.rend())));
        QVERIFY(!grows_steadily(std::vector<double>{1, 2, 3, 4, 5}));                  // too few
        QVERIFY(!grows_steadily(std::vector<double>{2, 1, 3, 2, 402, 405, 398, 401})); // two levels
        QVERIFY(!grows_steadily(std::vector<double>{2, 1, 3, 2, 4, 1, 2, 401}));       // one value
        QVERIFY(!grows_steadily(std::vector<double>{7, 7, 7, 7, 7, 7, 7, 7}));         // none
        for (unsigned seed = 0; seed < 100; ++seed)
            QVERIFY(!grows_steadily(noisy(12, 100, 0.02, seed)));
    }

    void aLastValueALittleHigherIsOnTheLevel() {
        const std::vector<double> values{223, 219, 220, 221, 1140, 1174, 1164, 1160, 1202, 223, 224, 221};
        const auto level = raised_level(values);
        QVERIFY(level && !level->gradual);
        QCOMPARE(level->first, std::size_t{4});
        QCOMPARE(level->last, std::size_t{8});
    }

    void aLevelThatComesBackHasAnEnd() {
        auto values = noisy(40, 100, 0.005, 3);
        for (std::size_t i = 12; i < 20; ++i)
            values[i] *= 1.2;
        const auto level = raised_level(values);
        QVERIFY(level && !level->gradual);
        QCOMPARE(level->first, std::size_t{12});
        QCOMPARE(level->last, std::size_t{19});
    }

    void noLevelIsInventedInSlowStartsAndRhythms() {
        for (unsigned seed = 0; seed < 100; ++seed) {
            for (const std::size_t each : {2U, 3U, 4U, 5U, 10U}) {
                auto values = noisy(40, 100, 0.01, seed);
                for (std::size_t i = seed % each; i < 40; i += each)
                    values[i] *= 1.5;
                QVERIFY2(!raised_level(values), qPrintable(QStringLiteral("each %1 of seed %2").arg(each).arg(seed)));
            }
            auto start = noisy(40, 100, 0.01, seed);
            for (std::size_t i = 0; i < 1 + seed % 12; ++i)
                start[i] *= 2 - 0.08 * static_cast<double>(i);
            QVERIFY2(!raised_level(start), qPrintable(QString::number(seed)));
            QVERIFY(!raised_level(noisy(12, 100, 0.02, seed)));
        }
    }

    /// 100, 101 ... 139 with noise of 0.5 %.
    void aDriftIsGradual() {
        for (unsigned seed = 0; seed < 50; ++seed) {
            auto values = noisy(40, 100, 0.005, seed);
            for (std::size_t i = 0; i < 40; ++i)
                values[i] += static_cast<double>(i);
            const auto level = raised_level(values);
            QVERIFY(level && level->gradual);
            QVERIFY(std::abs(level->usual - 100) < 1 && std::abs(level->raised - 139) < 1);
            std::ranges::reverse(values);
            QVERIFY(!raised_level(values)); // it becomes faster
        }
    }

    void theLineThroughFourValues() {
        // Slope (-1.5 x 1 - 0.5 x 3 + 0.5 x 2 + 1.5 x 6) / 5 = 1.4, mean 3: 0.9 and 5.1
        const auto [first, last] = line_ends(std::vector<double>{1, 3, 2, 6});
        QVERIFY(std::abs(first - 0.9) < 1e-12 && std::abs(last - 5.1) < 1e-12);
    }
};

RANKSCOPE_TEST(TestChangePoints)

} // namespace rankscope::change_points_test

#include "test_change_points.moc"
