// SPDX-License-Identifier: GPL-3.0-or-later
// How many threads the system grants, and that oneTBB starts all of its threads at once.
#include <filesystem>
#include <fstream>

#include <QtTest>

#include <sys/resource.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <unistd.h>

#include "core/base/cpu_quota.h"
#include "core/base/worker_threads.h"
#include "tests/support/sanitized.h"
#include "tests/support/test_program.h"

namespace rankscope::worker_threads_test {

using rankscope::test::kSanitized;

namespace {

std::size_t threads_of_this_program() {
    const auto tasks = std::filesystem::directory_iterator("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

/// Of address space, as long as it lives: what the program has, and so much more.
class Room {
public:
    explicit Room(std::size_t bytes) {
        ::getrlimit(RLIMIT_AS, &before_);
        std::ifstream pages("/proc/self/statm");
        std::size_t used = 0;
        pages >> used;
        const rlimit tight{used * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_AS, &tight);
    }
    ~Room() { ::setrlimit(RLIMIT_AS, &before_); }
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;

private:
    rlimit before_{};
};

} // namespace

class TestWorkerThreads : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// First, while there are no others.
    void withoutRoomNoThreadIsToBeHad() {
        if (kSanitized)
            QSKIP("skipped: a sanitizer needs the address space itself");
        const Room room(std::size_t{2} << 20);
        QCOMPARE(threads_to_be_had(4), 0);
    }

    void withRoomForTwoTwoAreToBeHad() {
        if (kSanitized)
            QSKIP("skipped: a sanitizer needs the address space itself");
        const std::size_t stack = tbb::global_control::active_value(tbb::global_control::thread_stack_size);
        const std::size_t each = stack + kMemoryOfAThread;
        const Room room(2 * each + each / 2); // too little for the C library's 64 MB a thread, which it does without
        const int had = threads_to_be_had(8);
        QVERIFY2(had == 1 || had == 2, qPrintable(QString::number(had)));
    }

    void manyAreToBeHadAndGoAgain() {
        const std::size_t before = threads_of_this_program();
        QCOMPARE(threads_to_be_had(0), 0);
        QCOMPARE(threads_to_be_had(5), 5);
        QTRY_COMPARE(threads_of_this_program(), before);
    }

    void allThreadsAreThereFromTheBeginning() {
        const int threads = start_worker_threads();
        QCOMPARE(threads, threads_of_use(0, tbb::info::default_concurrency(), cpu_quota()));
        QVERIFY(threads_of_this_program() >= static_cast<std::size_t>(threads));
        QCOMPARE(start_worker_threads(threads + 1), threads); // the first call decides
        QCOMPARE(worker_threads(1), 1);
        QCOMPARE(worker_threads(threads + 1), threads);
    }
};

RANKSCOPE_TEST(TestWorkerThreads)

} // namespace rankscope::worker_threads_test

#include "test_worker_threads.moc"
