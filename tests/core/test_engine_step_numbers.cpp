// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of an engine have no numbers of their own: those that ran at the same time get the same.
#include <QtTest>

#include "core/input/load/engine_step_numbers.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_builder.h"

namespace rankscope::engine_step_numbers_test {
namespace {

using Ranks = std::vector<std::shared_ptr<const RankTrace>>;

/// Steps of 1 ms each, from the first-th on, with the clock so far ahead.
std::shared_ptr<const RankTrace> rank(int number, int first, int last, double ahead_us = 0) {
    TraceBuilder builder(number);
    for (int step = first; step <= last; ++step) {
        const double start = 1'000.0 * step + 10 * number + ahead_us;
        builder.annotation("execute_context_0(0)_generation_8(8)", start, 300)
            .launch(start + 10, 5)
            .kernel("gemm", 7, start + 20, 700);
    }
    return builder.build();
}

std::vector<std::int64_t> numbers(const RankTrace& trace) {
    std::vector<std::int64_t> result;
    for (const ProfilerStep& step : trace.steps)
        result.push_back(step.number);
    return result;
}

} // namespace

class TestEngineStepNumbers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aCaptureThatStartsLaterLacksTheFirstSteps() {
        Ranks ranks{rank(0, 1, 6), rank(1, 2, 6), rank(2, 4, 6)};
        number_engine_steps_together(ranks);
        QCOMPARE(numbers(*ranks[0]), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
        QCOMPARE(numbers(*ranks[1]), (std::vector<std::int64_t>{2, 3, 4, 5, 6}));
        QCOMPARE(numbers(*ranks[2]), (std::vector<std::int64_t>{4, 5, 6}));
    }

    void oneThatEndsEarlierLacksTheLast() {
        Ranks ranks{rank(0, 1, 6), rank(1, 1, 4)};
        number_engine_steps_together(ranks);
        QCOMPARE(numbers(*ranks[1]), (std::vector<std::int64_t>{1, 2, 3, 4}));
    }

    /// Clocks of two machines, or steps between those of the other rank.
    void clocksThatAreApartTellNothing() {
        Ranks ranks{rank(0, 1, 6), rank(1, 1, 6, 3'000), rank(2, 2, 6, 500)};
        number_engine_steps_together(ranks);
        QCOMPARE(numbers(*ranks[1]), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
        QCOMPARE(numbers(*ranks[2]), (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
    }
};

RANKSCOPE_TEST(TestEngineStepNumbers)

} // namespace rankscope::engine_step_numbers_test

#include "test_engine_step_numbers.moc"
