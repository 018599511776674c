// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes of two runs, paired by their parts.
#include <QtTest>

#include "core/compare/lane_pairing.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::lane_pairing_test {

namespace {

constexpr const char* kAllReduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";

/// "stream 7 > stream 13", lanes of own in their order; "-" for none.
QStringList paired(TraceBuilder own, TraceBuilder other) {
    const auto a = make_run({std::move(own)});
    const auto b = make_run({std::move(other)});
    const auto& lanes = a->ranks[0]->lanes;
    const std::vector<int> pairs = pair_lanes(*a->ranks[0], *b->ranks[0]);
    QStringList result;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const QString twin = pairs[i] < 0
                                 ? QStringLiteral("-")
                                 : QString::fromStdString(b->ranks[0]->lanes[static_cast<std::size_t>(pairs[i])].name);
        result << QString::fromStdString(lanes[i].name) + QStringLiteral(" > ") + twin;
    }
    return result;
}

} // namespace

class TestLanePairing : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void streamsPairByNumberAndRole() {
        QCOMPARE(paired(TraceBuilder(0).kernel("gemm", 7, 0, 9).kernel(kAllReduce, 20, 0, 9),
                        TraceBuilder(0).kernel("gemm", 7, 0, 9).kernel("gemm", 8, 0, 9).kernel(kAllReduce, 20, 0, 9)),
                 (QStringList{"stream 7 > stream 7", "stream 20 > stream 20"}));
    }

    void aStreamOfAnotherNumberPairsByWhatItDoes() {
        // The test sends on stream 7, where the baseline computes: the numbers say nothing then.
        QCOMPARE(paired(TraceBuilder(0).kernel("gemm", 7, 0, 9).kernel(kAllReduce, 20, 0, 9),
                        TraceBuilder(0).kernel(kAllReduce, 7, 0, 9).kernel("gemm", 30, 0, 9)),
                 (QStringList{"stream 7 > stream 30", "stream 20 > stream 7"}));
    }

    void whatTheOtherRunLacksStaysAlone() {
        QCOMPARE(paired(TraceBuilder(0).kernel("gemm", 7, 0, 9).memory_copy("Memcpy HtoD", 9, 0, 5),
                        TraceBuilder(0).kernel("gemm", 7, 0, 9)),
                 (QStringList{"stream 7 > stream 7", "stream 9 > -"}));
    }

    void threadsPairByOrderWhereTheyHaveNoNames() {
        const QStringList pairs = paired(TraceBuilder(0).cpu_op("aten::mm", 0, 9, "11").cpu_op("aten::mm", 0, 9, "12"),
                                         TraceBuilder(0).cpu_op("aten::mm", 0, 9, "91").cpu_op("aten::mm", 0, 9, "92"));
        QCOMPARE(pairs.size(), 2);
        QVERIFY(pairs[0].contains(u"11") && pairs[0].contains(u"91"));
        QVERIFY(pairs[1].contains(u"12") && pairs[1].contains(u"92"));
    }
};

RANKSCOPE_TEST(TestLanePairing)

} // namespace rankscope::lane_pairing_test

#include "test_lane_pairing.moc"
