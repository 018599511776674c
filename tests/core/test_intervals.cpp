// SPDX-License-Identifier: GPL-3.0-or-later
// The interval algebra, checked by hand and against a naive point-by-point reference.
#include <QtTest>

#include <bitset>
#include <random>

#include "core/analysis/basics/intervals.h"
#include "tests/support/test_program.h"

namespace rankscope::intervals_test {

namespace {

constexpr std::size_t kPoints = 64;
using Points = std::bitset<kPoints>;

/// Which unit cells [i, i + 1) the ranges cover.
Points points_of(const std::vector<TimeRange>& ranges) {
    Points points;
    for (const TimeRange& range : ranges)
        for (TimeNs t = range.begin; t < range.end; ++t)
            points.set(static_cast<std::size_t>(t));
    return points;
}

bool well_formed(const IntervalSet& set) {
    for (std::size_t i = 0; i < set.size(); ++i)
        if (set[i].empty() || (i > 0 && set[i].begin <= set[i - 1].end))
            return false;
    return true;
}

} // namespace

class TestIntervals : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void mergeJoinsTouchingRangesAndDropsEmptyOnes() {
        const IntervalSet expected{{0, 20}, {30, 40}};
        QVERIFY(merge({{30, 40}, {10, 20}, {5, 5}, {0, 10}, {32, 35}, {50, 45}}) == expected);
        QVERIFY(merge({}).empty());
    }

    void subtractCutsHolesOutOfARange() {
        const IntervalSet expected{{0, 10}, {20, 30}, {45, 50}};
        QVERIFY(subtract({{0, 50}}, {{10, 20}, {30, 45}}) == expected);
        const IntervalSet both_ranges_cut_by_one_hole{{0, 5}, {25, 30}};
        QVERIFY(subtract({{0, 10}, {20, 30}}, {{5, 25}}) == both_ranges_cut_by_one_hole);
        QVERIFY(subtract({{0, 10}}, {{-5, 15}}).empty());
    }

    void gapsAreWhatOfTheWindowIsNotCovered() {
        const IntervalSet expected{{0, 5}, {10, 12}, {18, 20}};
        QVERIFY(gaps({{5, 10}, {12, 18}}, {0, 20}) == expected);
        const IntervalSet whole{{0, 20}};
        QVERIFY(gaps({}, {0, 20}) == whole);
        QVERIFY(gaps({{5, 10}}, {7, 7}).empty());
    }

    void measureAddsLengths() {
        QCOMPARE(measure({{0, 5}, {10, 12}}), TimeNs{7});
        QCOMPARE(measure({}), TimeNs{0});
    }

    void everyOperationEqualsThePointByPointReference() {
        std::mt19937 random(7); // fixed seed: the same 500 cases every time
        std::uniform_int_distribution<TimeNs> time(0, kPoints - 1);
        const auto ranges = [&] {
            std::vector<TimeRange> result(static_cast<std::size_t>(time(random) % 8));
            for (TimeRange& range : result) {
                range.begin = time(random);
                range.end = std::min<TimeNs>(range.begin + time(random) % 12, kPoints);
            }
            return result;
        };
        for (int round = 0; round < 500; ++round) {
            const std::vector<TimeRange> left = ranges();
            const std::vector<TimeRange> right = ranges();
            const IntervalSet a = merge(left);
            const IntervalSet b = merge(right);
            const Points pa = points_of(left);
            const Points pb = points_of(right);
            QVERIFY(well_formed(a) && points_of(a) == pa);
            QVERIFY(well_formed(unite(a, b)) && points_of(unite(a, b)) == (pa | pb));
            QVERIFY(well_formed(intersect(a, b)) && points_of(intersect(a, b)) == (pa & pb));
            QVERIFY(well_formed(subtract(a, b)) && points_of(subtract(a, b)) == (pa & ~pb));
            QCOMPARE(measure(a), static_cast<TimeNs>(pa.count()));
        }
    }
};

RANKSCOPE_TEST(TestIntervals)

} // namespace rankscope::intervals_test

#include "test_intervals.moc"
