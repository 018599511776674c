// SPDX-License-Identifier: GPL-3.0-or-later
// Slices coloured by name, by operator, or by how long they take beside others of their name.
#include <QtTest>

#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"
#include "widgets/timeline/slice_colours.h"

namespace rankscope::slice_colours_test {

class TestSliceColours : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aDeviationIsTheStepItsRatioFallsInto() {
        QCOMPARE(deviationStep(10, 10), kDeviationCount / 2);
        QCOMPARE(deviationStep(10.4, 10), kDeviationCount / 2);
        QCOMPARE(deviationStep(10.6, 10), kDeviationCount / 2 + 1);
        QCOMPARE(deviationStep(9.4, 10), kDeviationCount / 2 - 1);
        QCOMPARE(deviationStep(0, 10), std::size_t{0});
        QCOMPARE(deviationStep(1'000, 10), kDeviationCount - 1);
        QVERIFY(deviationLabel(0) != deviationLabel(kDeviationCount - 1));
    }

    /// The run's names are numbered in the order they arrive; colours are not.
    void aNameHasTheSameColourInEveryRun() {
        const auto one = make_run({TraceBuilder(0).kernel("gemm", 7, 0, 10).kernel("relu", 7, 20, 10)});
        const auto two = make_run({TraceBuilder(0).kernel("relu", 7, 0, 10).kernel("gemm", 7, 20, 10)});
        const auto hueOfKernel = [](const Run& run, std::string_view name) {
            const RankTrace& trace = *run.ranks[0];
            const auto hues = nameHues(*run.names);
            for (EventIndex event = 0; event < trace.events.gpu_count; ++event)
                if (trace.event_name(event) == name)
                    return int{hues[trace.events.name[event]]};
            return -1;
        };
        QCOMPARE(hueOfKernel(*one, "gemm"), hueOfKernel(*two, "gemm"));
        QCOMPARE(hueOfKernel(*one, "relu"), hueOfKernel(*two, "relu"));
    }

    void whatHasNoKeyKeepsItsClass() {
        const auto run = make_run({TraceBuilder(0)
                                       .kernel("gemm", 7, 0, 10)
                                       .kernel("gemm", 7, 20, 10)
                                       .kernel("gemm", 7, 40, 40)
                                       .kernel("rare", 7, 90, 1)
                                       .cpu_op("aten::mm", 0, 5)});
        const RankTrace& trace = *run->ranks[0];
        const auto event = [&](std::string_view name, TimeNs duration) {
            EventIndex found = 0;
            while (trace.event_name(found) != name || trace.events.duration[found] != duration)
                ++found;
            return found;
        };
        const ColourKey deviation = colourKey(*run, ColourBy::deviation, {});
        const std::size_t compute = SlicePaints::ofClass(SliceClass::compute);
        QCOMPARE(deviation.paintOf(trace, event("gemm", 10'000), SliceClass::compute),
                 SlicePaints::ofDeviation(kDeviationCount / 2));
        QCOMPARE(deviation.paintOf(trace, event("gemm", 40'000), SliceClass::compute),
                 SlicePaints::ofDeviation(kDeviationCount - 1));
        QCOMPARE(deviation.paintOf(trace, event("rare", 1'000), SliceClass::compute), compute);
        QCOMPARE(ColourKey().paintOf(trace, event("gemm", 10'000), SliceClass::compute), compute);
        const ColourKey op = colourKey(*run, ColourBy::op, {});
        QCOMPARE(op.paintOf(trace, event("gemm", 10'000), SliceClass::compute),
                 compute); // nobody knows who launched it
        QVERIFY(op.paintOf(trace, event("aten::mm", 5'000), SliceClass::compute) != compute);
    }
};

RANKSCOPE_GUI_TEST(TestSliceColours)

} // namespace rankscope::slice_colours_test

#include "test_slice_colours.moc"
