// SPDX-License-Identifier: GPL-3.0-or-later
// When a changed run would start its first step, worked out by hand.
#include <QTest>

#include "core/analysis/replay/step_starts.h"
#include "tests/support/test_program.h"

namespace rankscope::step_starts_test {

class TestStepStarts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Rank 1 starts its steps 40 after the other, and without its fault 10 after it; the replay holds the first.
    void aFirstStartIsShiftedAsTheLaterOnesAre() {
        const std::vector<StepStarts> recorded{{-20, {-20, -20, -20}}, {20, {20, 20, 20}}};
        const std::vector<StepStarts> replayed{{-20, {-5, -5, -5}}, {20, {5, 5, 5}}};
        QCOMPARE(shifts_of_first_starts(recorded, replayed, 1000), (std::vector<double>{15, -15}));
    }

    void startsThatDifferByLittleAreNoOtherOnes() {
        const std::vector<StepStarts> recorded{{-20, {-20, -20, -20}}, {20, {20, 20, 20}}};
        const std::vector<StepStarts> replayed{{-20, {-11, -11, -11}}, {20, {11, 11, 11}}};
        QVERIFY(shifts_of_first_starts(recorded, replayed, 1000).empty());
    }

    /// The job begins with the recording.
    void ranksThatStartTogetherKeepTheirStarts() {
        const std::vector<StepStarts> recorded{{0, {-20, -20, -20}}, {0, {20, 20, 20}}};
        const std::vector<StepStarts> replayed{{0, {-5, -5, -5}}, {0, {5, 5, 5}}};
        QVERIFY(shifts_of_first_starts(recorded, replayed, 1000).empty());
    }

    void aFirstStepThatStartsUnlikeAnyOtherKeepsItsStart() {
        const std::vector<StepStarts> recorded{{-90, {-20, -20, -20}}, {90, {20, 20, 20}}};
        const std::vector<StepStarts> replayed{{-90, {-5, -5, -5}}, {90, {5, 5, 5}}};
        QVERIFY(shifts_of_first_starts(recorded, replayed, 1000).empty());
    }

    /// Nobody waits for rank 1 any more.
    void ranksThatComeApartHoldNoStart() {
        const std::vector<StepStarts> recorded{{-20, {-20, -20, -20, -20}}, {20, {20, 20, 20, 20}}};
        const std::vector<StepStarts> replayed{{-20, {-40, -60, -80, -100}}, {20, {40, 60, 80, 100}}};
        QVERIFY(shifts_of_first_starts(recorded, replayed, 1000).empty());
    }

    /// The fault is in the last four of seven steps: the first one starts as those without it.
    void stepsThatStartAsTheFirstOneTell() {
        const std::vector<StepStarts> recorded{{-30, {-31, -29, -80, -81, -79, -80}}, {30, {31, 29, 80, 81, 79, 80}}};
        const std::vector<StepStarts> replayed{{-30, {-31, -29, -30, -31, -29, -30}}, {30, {31, 29, 30, 31, 29, 30}}};
        QVERIFY(shifts_of_first_starts(recorded, replayed, 1000).empty());
    }
};

RANKSCOPE_TEST(TestStepStarts)

} // namespace rankscope::step_starts_test

#include "test_step_starts.moc"
