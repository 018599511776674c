// SPDX-License-Identifier: GPL-3.0-or-later
// GPUs that wait longer for their hosts: whether the pace of the launches is why.
#include <QtTest>

#include "core/compare/change_explanation.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::launch_pace_test {

class TestLaunchPace : public QObject {
    Q_OBJECT

    /// Four steps of ten launches, each `gap` us after the one before and followed by a kernel of 5 us; the host starts
    /// with them `first` us into the step. A step takes first + 10 gap.
    static RunAnalysis analysed(double gap, double first) {
        TraceBuilder rank(0);
        const double step = first + 10 * gap;
        for (int s = 0; s < 4; ++s) {
            rank.step(s, s * step, step);
            for (int i = 0; i < 10; ++i) {
                const double at = s * step + first + i * gap;
                rank.launch(at, 1).kernel("gemm", 7, at + 2, 5);
            }
        }
        return RunAnalysis(make_run({rank}), {});
    }
    static std::string first_sentence(double gap, double first) {
        return english(explain_change(analysed(20, 10), analysed(gap, first)).sentences.front());
    }

private Q_SLOTS:
    void hostsThatTakeLongerBetweenLaunchesAreTheCause() {
        const std::string said = first_sentence(40, 10); // 210 -> 410 us a step
        QVERIFY2(said.find("the host takes 20 µs -> 40 µs from one launch to the next (10 launches an "
                           "iteration)") != std::string::npos,
                 said.c_str());
    }
    void anotherCauseIsNotKnown() {
        const std::string said = first_sentence(20, 210);
        QVERIFY2(said.find("why is not known") != std::string::npos, said.c_str());
    }
};

RANKSCOPE_TEST(TestLaunchPace)

} // namespace rankscope::launch_pace_test

#include "test_launch_pace.moc"
