// SPDX-License-Identifier: GPL-3.0-or-later
// Values computed once, on first use: what fails beside them leaves no half of them.
#include <QtTest>

#include <atomic>
#include <chrono>
#include <new>
#include <numeric>
#include <stop_token>
#include <thread>
#include <vector>

#undef emit // a function of TBB is called so, too
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

#include "core/base/lazy.h"
#include "core/base/stopping.h"
#include "tests/support/test_program.h"

namespace rankscope::lazy_test {

namespace {

/// 1 + 2 + ... + 1000, as a parallel loop finds it.
int sum_found() {
    std::vector<int> values(1001);
    tbb::parallel_for(0, 1001, [&](int i) { values[static_cast<std::size_t>(i)] = i; });
    return std::accumulate(values.begin(), values.end(), 0);
}

} // namespace

class TestLazy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isComputedOnce() {
        const Lazy<int> value;
        int computed = 0;
        const auto compute = [&] { return ++computed; };
        QCOMPARE(value.get(compute), 1);
        QCOMPARE(value.get(compute), 1);
    }

    void isTriedAgainAfterAFailure() {
        const Lazy<int> value;
        QVERIFY_EXCEPTION_THROWN(value.get([]() -> int { throw std::bad_alloc(); }), std::bad_alloc);
        QCOMPARE(value.get([] { return 7; }), 7);
    }

    void isNotComputedOnceTheWorkIsStopped() {
        const Lazy<int> first;
        const Lazy<int> second;
        std::stop_source stop;
        int computed = 0;
        const auto work = [&] {
            first.get([&] {
                stop.request_stop();
                return ++computed;
            });
            second.get([&] { return ++computed; });
        };
        QVERIFY_EXCEPTION_THROWN(run_stoppable(stop.get_token(), work), Stopped);
        QCOMPARE(computed, 1);
        QCOMPARE(second.get([&] { return ++computed; }), 2); // other work goes on
    }

    void isNotComputedByAnyThreadOnceTheWorkIsStopped() {
        constexpr std::size_t kValues = 1000;
        std::vector<Lazy<int>> values(kValues);
        std::stop_source stop;
        std::atomic<std::size_t> computed = 0;
        const auto work = [&] {
            tbb::parallel_for(std::size_t{0}, kValues, [&](std::size_t i) {
                values[i].get([&] {
                    if (++computed == 10)
                        stop.request_stop();
                    return 1;
                });
            });
        };
        QVERIFY_EXCEPTION_THROWN(run_stoppable(stop.get_token(), work), Stopped);
        QVERIFY2(computed < kValues / 2, qPrintable(QString::number(computed.load())));
    }

    /// TBB tells the branches of a loop of which one has failed to stop, and loops inside those branches return
    /// unfinished.
    void isWholeWhateverFailsBesideIt() {
        const Lazy<int> value;
        std::atomic<bool> failed = false;
        std::atomic<bool> begun = false;
        int found = 0;
        const auto beside = [&] {
            tbb::parallel_invoke(
                [&] {
                    while (!begun) // else the value might never be asked for
                        std::this_thread::yield();
                    failed = true;
                    throw std::bad_alloc();
                },
                [&] {
                    begun = true;
                    while (!failed)
                        std::this_thread::yield();
                    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // until the failure has been told
                    found = value.get(sum_found);
                });
        };
        if (tbb::this_task_arena::max_concurrency() < 2)
            QSKIP("skipped: needs two threads");
        QVERIFY_EXCEPTION_THROWN(beside(), std::bad_alloc);
        QCOMPARE(found, 500500);
    }
};

RANKSCOPE_TEST(TestLazy)

} // namespace rankscope::lazy_test

#include "test_lazy.moc"
