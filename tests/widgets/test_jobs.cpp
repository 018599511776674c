// SPDX-License-Identifier: GPL-3.0-or-later
// Work in the background, without a window: what is taken, what is not, and what happens to a job that fails.
#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include <QSignalSpy>
#include <QTest>

#include "tests/support/test_program.h"
#include "widgets/job_pool.h"
#include "widgets/jobs.h"

namespace rankscope::jobs_test {
using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

namespace {

/// Work that waits until it is let go, or stopped.
struct Gate {
    std::atomic<bool> open = false;
    std::atomic<int> started = 0;
    std::atomic<int> stopped = 0;

    void pass(const std::stop_token& stop) {
        ++started;
        while (!open && !stop.stop_requested())
            std::this_thread::sleep_for(1ms);
        if (stop.stop_requested())
            ++stopped;
    }
};

} // namespace

class TestJobs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { QVERIFY(JobPool::instance().waitUntilIdle(10s)); }

    void aResultIsTakenInTheThreadOfTheObject() {
        Jobs jobs;
        std::thread::id worked;
        std::optional<int> taken;
        std::thread::id tookIn;
        jobs.run(
            {}, [&worked](const std::stop_token&) { return worked = std::this_thread::get_id(), 42; },
            [&](int value) {
                taken = value;
                tookIn = std::this_thread::get_id();
            });
        QVERIFY(jobs.isBusy());
        QTRY_VERIFY(taken.has_value());
        QCOMPARE(*taken, 42);
        QVERIFY(worked != tookIn);
        QVERIFY(tookIn == std::this_thread::get_id());
        QVERIFY(!jobs.isBusy());
    }

    void aResultThatCannotBeCopiedIsMoved() {
        Jobs jobs;
        std::unique_ptr<int> taken;
        jobs.run(
            {}, [](const std::stop_token&) { return std::make_unique<int>(7); },
            [&](std::unique_ptr<int> value) { taken = std::move(value); });
        QTRY_VERIFY(taken != nullptr);
        QCOMPARE(*taken, 7);
    }

    void theNewestOfASlotWins() {
        Jobs jobs;
        Gate gate;
        std::vector<int> taken;
        const auto ask = [&](int number) {
            jobs.run(
                {1}, [&gate, number](const std::stop_token& stop) { return gate.pass(stop), number; },
                [&](int value) { taken.push_back(value); });
        };
        ask(1);
        QTRY_COMPARE(gate.started.load(), 1);
        ask(2); // waits, and is replaced before it starts
        ask(3);
        gate.open = true;
        QTRY_VERIFY(!jobs.isBusy());
        QCOMPARE(taken, std::vector<int>{3});
        QCOMPARE(gate.stopped.load(), 1); // the first one heard of it
        QCOMPARE(gate.started.load(), 2); // the second one never ran
    }

    void slotsDoNotReplaceEachOther() {
        Jobs jobs;
        std::vector<int> taken;
        int a = 0;
        int b = 0;
        for (const void* of : {&a, &b})
            jobs.run(
                {1, of}, [of, &a](const std::stop_token&) { return of == &a ? 1 : 2; },
                [&](int value) { taken.push_back(value); });
        jobs.run(
            {2}, [](const std::stop_token&) { return 3; }, [&](int value) { taken.push_back(value); });
        QTRY_VERIFY(!jobs.isBusy());
        QCOMPARE(taken, (std::vector<int>{1, 2, 3})); // in the order they were asked for
    }

    /// The thread that computed was done before the newer job was asked for, and its result on its way.
    void aResultOnItsWayIsDroppedToo() {
        Jobs jobs;
        std::vector<int> taken;
        const auto ask = [&](int number) {
            jobs.run(
                {}, [number](const std::stop_token&) { return number; }, [&](int value) { taken.push_back(value); });
        };
        ask(1);
        QVERIFY(JobPool::instance().waitUntilIdle(10s));
        ask(2);
        QTRY_VERIFY(!jobs.isBusy());
        QCOMPARE(taken, std::vector<int>{2});
    }

    void stoppedMeansNotTaken() {
        Jobs jobs;
        Gate gate;
        bool taken = false;
        jobs.run(
            {}, [&gate](const std::stop_token& stop) { gate.pass(stop); }, [&] { taken = true; });
        QTRY_COMPARE(gate.started.load(), 1);
        jobs.stop();
        QVERIFY(!jobs.isBusy());
        QTRY_COMPARE(gate.stopped.load(), 1);
        QTest::qWait(20);
        QVERIFY(!taken);
    }

    void anExceptionIsToldAndTheNextJobRuns() {
        Jobs jobs;
        QSignalSpy told(&JobFailures::instance(), &JobFailures::failed);
        bool taken = false;
        jobs.run(
            {1}, [](const std::stop_token&) -> int { throw std::runtime_error("no such\nluck"); },
            [&](int) { taken = true; });
        QTRY_COMPARE(told.size(), 1);
        QVERIFY(told[0][0].toString().contains(u"no such luck"_s)); // one line
        QVERIFY(!taken);
        QVERIFY(!jobs.isBusy());
        QString reason;
        jobs.run(
            {1}, [](const std::stop_token&) -> int { throw std::bad_alloc(); }, [](int) {},
            [&](const QString& message) { reason = message; });
        QTRY_VERIFY(!reason.isEmpty());
        QVERIFY(reason.contains(u"not enough memory"_s));
        QCOMPARE(told.size(), 1); // whoever asked was told instead
        jobs.run(
            {1}, [](const std::stop_token&) -> int { throw 3; }, [](int) {});
        QTRY_COMPARE(told.size(), 2);
        jobs.run(
            {1}, [](const std::stop_token&) { return 1; }, [&](int) { taken = true; });
        QTRY_VERIFY(taken);
    }

    void whoeverGoesMeanwhileIsNotCalled() {
        Gate gate;
        auto value = std::make_shared<int>(1);
        bool taken = false;
        {
            Jobs jobs;
            jobs.run(
                {}, [&gate, value](const std::stop_token& stop) { gate.pass(stop); }, [&] { taken = true; });
            jobs.run(
                {2}, [value](const std::stop_token&) {}, [&] { taken = true; });
            QTRY_COMPARE(gate.started.load(), 1);
        } // does not wait
        QTRY_COMPARE(gate.stopped.load(), 1);
        QVERIFY(JobPool::instance().waitUntilIdle(10s));
        QCOMPARE(value.use_count(), 1L); // nothing is left of either
        QTest::qWait(20);
        QVERIFY(!taken);
    }

    void aTakeMayDestroyItsOwner() {
        auto jobs = std::make_unique<Jobs>();
        jobs->run(
            {}, [](const std::stop_token&) { return 1; }, [&](int) { jobs.reset(); });
        QTRY_VERIFY(jobs == nullptr);
    }

    void progressComesBeforeTheResultAndNotAfterAStop() {
        Jobs jobs;
        std::vector<int> told;
        bool done = false;
        jobs.run(
            {},
            [&told](const JobContext& context) {
                for (int i = 1; i <= 3; ++i)
                    context.tell([&told, i] { told.push_back(i); });
            },
            [&] { done = true; });
        QTRY_VERIFY(done);
        QCOMPARE(told, (std::vector<int>{1, 2, 3}));
        Gate gate;
        jobs.run(
            {},
            [&](const JobContext& context) {
                context.tell([&told] { told.push_back(4); });
                gate.pass(context.stop);
            },
            [] {});
        while (gate.started == 0)
            std::this_thread::sleep_for(1ms);
        jobs.stop();
        QVERIFY(JobPool::instance().waitUntilIdle(10s));
        QTest::qWait(20);
        QCOMPARE(told.size(), std::size_t{3});
    }

    void oneObjectDoesNotKeepAnotherWaiting() {
        Jobs slow;
        Jobs quick;
        Gate gate;
        for (int i = 0; i < 100; ++i)
            slow.run(
                {i}, [&gate](const std::stop_token& stop) { gate.pass(stop); }, [] {});
        bool taken = false;
        quick.run(
            {}, [](const std::stop_token&) {}, [&] { taken = true; });
        QTRY_VERIFY(taken);
        QCOMPARE(gate.started.load(), 1);
        slow.stop();
        QVERIFY(JobPool::instance().waitUntilIdle(10s));
    }

    void soManyOfAnObjectRunAtATime() {
        Jobs jobs(2);
        Gate gate;
        for (int i = 0; i < 5; ++i)
            jobs.run(
                {i}, [&gate](const std::stop_token& stop) { gate.pass(stop); }, [] {});
        QTRY_COMPARE(gate.started.load(), 2);
        QTest::qWait(20);
        QCOMPARE(gate.started.load(), 2);
        gate.open = true;
        QTRY_COMPARE(gate.started.load(), 5);
        QTRY_VERIFY(!jobs.isBusy());
    }

    void theThreadsAreFewAndEndWithoutWork() {
        {
            Gate gate;
            std::vector<std::unique_ptr<Jobs>> many;
            for (int i = 0; i < 3 * JobPool::kMostThreads; ++i) {
                many.push_back(std::make_unique<Jobs>());
                many.back()->run(
                    {}, [&gate](const std::stop_token& stop) { gate.pass(stop); }, [] {});
            }
            QTRY_COMPARE(gate.started.load(), JobPool::kMostThreads);
            QCOMPARE(JobPool::instance().threads(), JobPool::kMostThreads);
            QVERIFY(!JobPool::instance().waitUntilIdle(10ms));
            gate.open = true;
            QVERIFY(JobPool::instance().waitUntilIdle(10s));
        }
        QTRY_COMPARE_WITH_TIMEOUT(JobPool::instance().threads(), 0, 10'000);
        bool taken = false; // and come back
        Jobs jobs;
        jobs.run(
            {}, [](const std::stop_token&) {}, [&] { taken = true; });
        QTRY_VERIFY(taken);
    }
};

RANKSCOPE_TEST(TestJobs)

} // namespace rankscope::jobs_test

#include "test_jobs.moc"
