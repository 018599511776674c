// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs on one time axis, worked out by hand.
#include <optional>

#include <QtTest>

#include "core/compare/counterpart.h"
#include "core/compare/step_profile.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::step_alignment_test {

namespace {

constexpr TimeNs kMicrosecond = 1000;
TimeRange us(TimeNs begin, TimeNs end) { return {begin * kMicrosecond, end * kMicrosecond}; }
RunStep step(std::int64_t number, TimeNs begin, TimeNs end) { return {number, us(begin, end)}; }
RunAnalysis analysis_of(const std::vector<TraceBuilder>& ranks) { return {make_run(ranks), {}}; }

} // namespace

class TestStepAlignment : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRunStepGoesFromTheFirstRankToTheNextStep() {
        // Rank 1 starts step 4 at 98, before rank 0's step 3 ends; the last step ends with its last rank.
        const auto steps = run_steps(analysis_of(
            {TraceBuilder(0).step(3, 0, 100).step(4, 100, 90), TraceBuilder(1).step(3, 2, 96).step(4, 98, 104)}));
        QCOMPARE(steps.size(), std::size_t{2});
        QCOMPARE(steps[0].number, std::int64_t{3});
        QCOMPARE(steps[0].range, us(0, 98));
        QCOMPARE(steps[1].range, us(98, 202));
    }

    void stepsPairByNumberAndElseByTheirOrder() {
        const std::vector<RunStep> a{step(1, 0, 10), step(2, 10, 20), step(3, 20, 30)};
        const std::vector<RunStep> sharing{step(2, 100, 120), step(3, 120, 140), step(4, 140, 160)};
        const auto by_number = pair_steps(a, sharing);
        QCOMPARE(by_number.size(), std::size_t{2});
        QCOMPARE(by_number[0].baseline.number, std::int64_t{2});
        QCOMPARE(by_number[0].test.range, us(100, 120));

        const std::vector<RunStep> others{step(7, 100, 120), step(8, 120, 140)};
        const auto by_order = pair_steps(a, others);
        QCOMPARE(by_order.size(), std::size_t{2});
        QCOMPARE(by_order[1].baseline.number, std::int64_t{2});
        QCOMPARE(by_order[1].test.number, std::int64_t{8});
    }

    void timesAreCarriedOverByShareOfTheStep() {
        // Steps of 10 and 20 us; the test has a step between them that the baseline lacks.
        const StepAlignment alignment({{step(1, 0, 10), step(1, 100, 120)}, {step(2, 10, 20), step(2, 200, 220)}},
                                      us(0, 25), us(95, 230));
        QCOMPARE(alignment.to_test(5 * kMicrosecond), 110 * kMicrosecond);
        QCOMPARE(alignment.to_test(10 * kMicrosecond), 200 * kMicrosecond);
        QCOMPARE(alignment.to_test(15 * kMicrosecond), 210 * kMicrosecond);
        QCOMPARE(alignment.to_test(-3 * kMicrosecond), 97 * kMicrosecond);  // before: the same distance
        QCOMPARE(alignment.to_test(24 * kMicrosecond), 224 * kMicrosecond); // after: likewise
        QCOMPARE(alignment.to_baseline(110 * kMicrosecond), 5 * kMicrosecond);
        QCOMPARE(alignment.to_baseline(130 * kMicrosecond),
                 10 * kMicrosecond); // in the step only the test has: the border
    }

    void anAbsoluteViewKeepsItsLengthAndAStretchedOneItsSteps() {
        const StepAlignment alignment({{step(1, 0, 10), step(1, 100, 120)}, {step(2, 10, 20), step(2, 120, 150)}},
                                      us(0, 20), us(100, 150));
        // The middle, 16 us, lies in step 2: that starts at 10 and 120.
        QCOMPARE(alignment.to_test(us(12, 20), StepLayout::absolute), us(122, 130));
        QCOMPARE(alignment.to_baseline(us(122, 130), StepLayout::absolute), us(12, 20));
        // 12 is 2/10 into it: 2/10 of 30 us are 6.
        QCOMPARE(alignment.to_test(us(12, 20), StepLayout::stretched), us(126, 150));
        QCOMPARE(alignment.to_baseline(us(126, 150), StepLayout::stretched), us(12, 20));
    }

    void withoutStepsTheRunsLieOnEachOtherWhole() {
        const StepAlignment alignment({}, us(10, 20), us(100, 140));
        QVERIFY(alignment.pairs().empty());
        QCOMPARE(alignment.to_test(us(10, 20), StepLayout::stretched), us(100, 140));
        QCOMPARE(alignment.to_test(us(12, 15), StepLayout::absolute), us(102, 105));
    }

    void aProfileIsTheMeanOverStepsAndRanks() {
        // Two steps of 100 us in two parts. Rank 0: computes 0-50 and 100-125, sends 40-100. Rank 1: computes 50-100.
        // First parts: computation (50 + 25 + 0 + 0) / (4 * 50) = 0.375, exposed communication 0.
        // Second parts: computation 50 / 200 = 0.25; communication 50-100 of rank 0 in step 1: 50 / 200 = 0.25.
        const RunAnalysis analysis =
            analysis_of({TraceBuilder(0)
                             .step(1, 0, 100)
                             .step(2, 100, 100)
                             .kernel("gemm", 7, 0, 50)
                             .kernel("gemm", 7, 100, 25)
                             .kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 9, 40, 60),
                         TraceBuilder(1).step(1, 0, 100).step(2, 100, 100).kernel("gemm", 7, 50, 50)});
        const StepProfile profile = step_profile(analysis, run_steps(analysis), 2);
        QCOMPARE(profile.steps, std::size_t{2});
        QCOMPARE(profile.step_ns, 100'000.0);
        QCOMPARE(profile.phases.size(), std::size_t{2});
        QCOMPARE(profile.phases[0].computation, 0.375);
        QCOMPARE(profile.phases[0].exposed_communication, 0.0);
        QCOMPARE(profile.phases[0].idle, 0.625);
        QCOMPARE(profile.phases[1].computation, 0.25);
        QCOMPARE(profile.phases[1].exposed_communication, 0.25);
        QCOMPARE(profile.phases[1].idle, 0.5);
    }

    void aCounterpartIsTheSameOccurrenceBelowTheSameOperators() {
        // Below "forward" mm runs twice, below "backward" once; the test's own forward runs another mm first in step 1.
        const auto rank = [](double shift, const std::string& kernel) {
            return TraceBuilder(0)
                .step(1, shift, 100)
                .cpu_op("forward", shift + 1, 40)
                .cpu_op("aten::mm", shift + 2, 10)
                .launch(shift + 3, 1)
                .kernel(kernel, 7, shift + 20, 5)
                .cpu_op("aten::mm", shift + 22, 10)
                .launch(shift + 23, 1)
                .kernel(kernel, 7, shift + 30, 5)
                .cpu_op("backward", shift + 50, 40)
                .cpu_op("aten::mm", shift + 52, 10)
                .launch(shift + 53, 1)
                .kernel(kernel, 7, shift + 60, 5);
        };
        const RunAnalysis a = analysis_of({rank(0, "void gemm<float, 128>(float*)")});
        const RunAnalysis b = analysis_of({rank(1000, "void gemm<float, 256>(float*)")});
        const StepAlignment alignment(pair_steps(run_steps(a), run_steps(b)), a.run().span, b.run().span);
        const RankTrace& own = *a.run().ranks[0];
        const RankTrace& other = *b.run().ranks[0];
        for (EventIndex i = 0; i < own.events.size(); ++i) {
            const auto found = find_counterpart(own, i, other, alignment, true);
            QVERIFY(found.has_value());
            QCOMPARE(other.events.start[found->event], own.events.start[i] + 1'000'000);
            QVERIFY(found->by == CounterpartBy::path);
            const auto back = find_counterpart(other, found->event, own, alignment, false);
            QVERIFY(back.has_value());
            QCOMPARE(back->event, i);
        }
        QCOMPARE(QString::fromStdString(operator_path(own, 1)),
                 QStringLiteral("ProfilerStep\nforward\naten::mm\ngemm"));
    }

    void anotherPathIsTakenOnlyWhereTheSameIsMissing() {
        const RunAnalysis a =
            analysis_of({TraceBuilder(0).step(1, 0, 100).cpu_op("old", 1, 20).cpu_op("aten::mm", 2, 10)});
        const RunAnalysis b =
            analysis_of({TraceBuilder(0).step(1, 0, 100).cpu_op("new", 1, 20).cpu_op("aten::mm", 4, 10)});
        const StepAlignment alignment(pair_steps(run_steps(a), run_steps(b)), a.run().span, b.run().span);
        const RankTrace& own = *a.run().ranks[0];
        std::optional<EventIndex> mm;
        std::optional<EventIndex> old;
        for (EventIndex i = 0; i < own.events.size(); ++i)
            if (own.event_name(i) == "aten::mm")
                mm = i;
            else if (own.event_name(i) == "old")
                old = i;
        QVERIFY(mm && old);
        const auto found = find_counterpart(own, *mm, *b.run().ranks[0], alignment, true);
        QVERIFY(found.has_value());
        QVERIFY(found->by == CounterpartBy::name);
        QVERIFY(!find_counterpart(own, *old, *b.run().ranks[0], alignment, true).has_value());
    }
};

RANKSCOPE_TEST(TestStepAlignment)

} // namespace rankscope::step_alignment_test

#include "test_step_alignment.moc"
