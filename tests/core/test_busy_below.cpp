// SPDX-License-Identifier: GPL-3.0-or-later
// Unions of work per subtree: by hand, against adding every piece to every node around it, and in depths where that
// would take hours.
#include <QtTest>
#include <algorithm>
#include <limits>
#include <random>

#include "core/analysis/basics/busy_below.h"
#include "tests/support/test_program.h"

namespace rankscope::busy_below_test {

namespace {

using Parents = std::vector<std::uint32_t>;
using Work = std::vector<NodeWork>;

/// What busy_below() says, straightforwardly.
std::vector<TimeNs> piece_by_piece(const Parents& parents, const Work& work) {
    std::vector<TimeNs> busy(parents.size());
    std::vector<TimeNs> end(parents.size(), std::numeric_limits<TimeNs>::min());
    for (const NodeWork& piece : work) {
        for (std::uint32_t node = piece.node; node != kNoParent; node = parents[node]) {
            busy[node] += std::max<TimeNs>(0, piece.range.end - std::max(piece.range.begin, end[node]));
            end[node] = std::max(end[node], piece.range.end);
        }
    }
    return busy;
}

} // namespace

class TestBusyBelow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void timeUnderANodeIsCountedOnce() {
        // 0 around 1 and 2; 2 around 3; 4 alone.
        const Parents parents{kNoParent, 0, 0, 2, kNoParent};
        const Work work{{{0, 10}, 1}, {{5, 20}, 3}, {{6, 9}, 2}, {{8, 30}, 4}, {{25, 27}, 3}, {{25, 27}, 3}};
        QCOMPARE(busy_below(parents, work), (std::vector<TimeNs>{22, 10, 17, 17, 22})); // 0: 0..20 and 25..27
    }

    void whatNothingRunsInIsIdle() {
        QCOMPARE(busy_below({}, {}), std::vector<TimeNs>{});
        QCOMPARE(busy_below(Parents{kNoParent, 0}, Work{{{7, 7}, 1}}), (std::vector<TimeNs>{0, 0}));
    }

    void parentsMayComeBehindTheirChildren() {
        QCOMPARE(busy_below(Parents{2, kNoParent, 1}, Work{{{0, 4}, 0}, {{2, 6}, 1}}), (std::vector<TimeNs>{4, 6, 4}));
    }

    void anyForestIsCountedAsPieceByPiece() {
        std::mt19937 random(11);
        const auto below = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
        for (int round = 0; round < 400; ++round) {
            const std::uint32_t nodes = 1 + below(40);
            const std::uint32_t reach = 1 + below(8); // 1: chains
            Parents parents(nodes);
            for (std::uint32_t node = 0; node < nodes; ++node)
                parents[node] = node == 0 || below(12) == 0 ? kNoParent : node - 1 - below(std::min(node, reach));
            Work work(below(80));
            for (NodeWork& piece : work) {
                const TimeNs begin = below(100);
                piece = {{begin, begin + below(20)}, below(nodes)};
            }
            std::ranges::sort(work, {}, [](const NodeWork& piece) { return piece.range.begin; });
            QCOMPARE(busy_below(parents, work), piece_by_piece(parents, work));
        }
    }

    /// A million nodes, each inside the one before and with work of its own: that of all runs at once, then of one
    /// after the other.
    void depthCostsNothing() {
        constexpr std::uint32_t kDepth = 1'000'000;
        Parents parents(kDepth);
        Work together(kDepth);
        Work in_turn(kDepth);
        for (std::uint32_t node = 0; node < kDepth; ++node) {
            parents[node] = node == 0 ? kNoParent : node - 1;
            together[node] = {{node, 2 * TimeNs{kDepth}}, node};
            in_turn[node] = {{10 * TimeNs{node}, 10 * TimeNs{node} + 3}, node};
        }
        const std::vector<TimeNs> one = busy_below(parents, together);
        const std::vector<TimeNs> two = busy_below(parents, in_turn);
        for (std::uint32_t node = 0; node < kDepth; ++node) {
            QCOMPARE(one[node], 2 * TimeNs{kDepth} - node);
            QCOMPARE(two[node], 3 * TimeNs{kDepth - node});
        }
    }
};

RANKSCOPE_TEST(TestBusyBelow)

} // namespace rankscope::busy_below_test

#include "test_busy_below.moc"
