// SPDX-License-Identifier: GPL-3.0-or-later
// The usual duration of a kernel's name is its median over all ranks.
#include <QtTest>

#include "core/views/name_medians.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::name_medians_test {

class TestNameMedians : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void mediansAreOverAllRanks() {
        auto rank0 = TraceBuilder(0).kernel("gemm", 7, 0, 10).kernel("gemm", 7, 20, 30).kernel("rare", 7, 60, 5);
        auto rank1 = TraceBuilder(1).kernel("gemm", 7, 0, 12).kernel("gemm", 7, 20, 14).cpu_op("aten::mm", 0, 3);
        const auto run = make_run({rank0, rank1});
        const std::vector<float> medians = name_medians(*run);
        const RankTrace& trace = *run->ranks[0];
        for (EventIndex event = 0; event < trace.events.gpu_count; ++event)
            QCOMPARE(medians[trace.events.name[event]],
                     trace.event_name(event) == "gemm" ? 12'000.0F : 0.0F); // the lower of 12 and 14; one of "rare"
    }
    void stoppedThereAreNone() {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(name_medians(*make_run({TraceBuilder(0).kernel("gemm", 7, 0, 10)}), stop.get_token()).empty());
    }
};

RANKSCOPE_TEST(TestNameMedians)

} // namespace rankscope::name_medians_test

#include "test_name_medians.moc"
