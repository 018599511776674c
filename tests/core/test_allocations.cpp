// SPDX-License-Identifier: GPL-3.0-or-later
// Memory while a run is read and analysed: whichever allocation fails, it costs that run and nothing else; and all is
// given back. This program has an operator new of its own, which counts and fails as told.
#include <QtTest>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/analysis/findings/findings.h"
#include "core/demo/run_simulator.h"
#include "core/input/load/load_run.h"
#include "core/metrics/catalogue.h"
#include "tests/support/sanitized.h"
#include "tests/support/test_program.h"

namespace rankscope::allocations_test {

namespace {

/// Smaller ones do not fail: where memory is short, large ones do, and functions of libraries that may not throw (the
/// step to the next file of a folder, the destructor of a JSON value) need a little.
constexpr std::size_t kLeast = 2048;

std::atomic<bool> counting = false;
std::atomic<long> seen = 0;                            // allocations of at least that size while counting
std::atomic<long> first_failing = 0, last_failing = 0; // numbers of those that fail; 0: none
std::atomic<long> living = 0;                          // blocks
std::atomic<long> mapped = 0;                          // pages from the system while counting, that did not fail

void* allocated(std::size_t size, std::size_t alignment) {
    if (counting && size >= kLeast) {
        const long number = ++seen;
        if (number >= first_failing && number <= last_failing)
            throw std::bad_alloc();
    }
    void* const block = alignment > 0 ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                                      : std::malloc(size > 0 ? size : 1);
    if (block == nullptr)
        throw std::bad_alloc();
    ++living;
    return block;
}

void given_back(void* block) {
    living -= block != nullptr;
    std::free(block);
}

} // namespace

} // namespace rankscope::allocations_test

using namespace rankscope::allocations_test;

void* operator new(std::size_t size) { return allocated(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocated(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return allocated(size, 0);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void operator delete(void* block) noexcept { given_back(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { given_back(block); }
void operator delete(void* block, std::size_t) noexcept { given_back(block); }
void operator delete(void* block, std::align_val_t) noexcept { given_back(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { given_back(block); }

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// Pages from the system count and fail as well (core/trace/page_array.h); those of the allocator itself do not come
/// through here.
extern "C" void* mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset) noexcept {
    if (counting && (flags & MAP_ANONYMOUS) != 0) {
        const long number = ++seen;
        if (number >= first_failing && number <= last_failing) {
            errno = ENOMEM;
            return MAP_FAILED;
        }
        ++mapped;
    }
    return reinterpret_cast<void*>(
        ::syscall(SYS_mmap, address, size, protection, flags, file, offset)); // NOLINT: what mmap is
}
#endif

using namespace rankscope;

namespace rankscope::allocations_test {

class TestAllocations : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::string run_;

    /// Everything that opening a run in the window computes. false: not enough memory.
    static bool read_and_analysed(const std::string& path) {
        try {
            const auto run = load_run(path);
            if (!run)
                return false;
            const RunAnalysis analysis(*run, {});
            (void)compute_metrics(analysis);
            (void)analysis.findings();
            return true;
        } catch (const std::bad_alloc&) { // the window and the program catch it here as well
            return false;
        }
    }
    /// The same where the allocations with these numbers fail.
    static bool survives(const std::string& path, long first, long last) {
        seen = 0;
        first_failing = first;
        last_failing = last;
        counting = true;
        const bool whole = read_and_analysed(path);
        counting = false;
        first_failing = last_failing = 0;
        return whole;
    }

private Q_SLOTS:
    void initTestCase() {
        SimulatorOptions options;
        options.dp = 2;
        options.steps = 2;
        options.layers = 1;
        run_ = (folder_.path() + QStringLiteral("/run")).toStdString();
        QVERIFY(write_run(options, run_));
    }

    void whicheverAllocationFailsCostsTheRunAlone_data() {
        QTest::addColumn<long>("in_a_row");
        QTest::newRow("one") << 1L;
        QTest::newRow("twenty in a row") << 20L;
        QTest::newRow("all from there on") << 1'000'000'000L;
    }
    void whicheverAllocationFailsCostsTheRunAlone() {
        QFETCH(long, in_a_row);
        const auto other = load_run(run_);
        QVERIFY(other);
        QVERIFY(survives(run_, 0, 0)); // and fills what is made once in a program
        QVERIFY(survives(run_, 0, 0));
        const long all = seen;
        QVERIFY(test::kSanitized || mapped > 0);
        int refused = 0;
        constexpr int kPlaces = 300;
        QVERIFY2(all > kPlaces, qPrintable(QString::number(all)));
        for (int i = 0; i < kPlaces; ++i) {
            const long at = 1 + all * i / kPlaces;
            refused += !survives(run_, at, at + in_a_row - 1);
        }
        // A missing extra (a read-ahead, a hint) may be done without; nearly everything else is needed.
        QVERIFY2(refused > kPlaces / 2, qPrintable(QString::number(refused)));
        QVERIFY(read_and_analysed(run_));
        QVERIFY((*other)->event_count() > 0);
    }

    /// After the first loads, which make what a program makes once, a hundred leave no block behind.
    void aHundredLoadsLeaveNothing() {
        for (int i = 0; i < 5; ++i)
            QVERIFY(read_and_analysed(run_));
        const long before = living;
        for (int i = 0; i < 100; ++i)
            QVERIFY(read_and_analysed(run_));
        const long grown = living - before;
        // Threads keep a few blocks each; a load makes tens of thousands.
        QVERIFY2(grown < 100, qPrintable(QString::number(grown)));
    }
};

RANKSCOPE_TEST(TestAllocations)

} // namespace rankscope::allocations_test

#include "test_allocations.moc"
