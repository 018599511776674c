// SPDX-License-Identifier: GPL-3.0-or-later
// Pages from the system: zero at first, in memory once written, and gone from it when given back.
#include <QtTest>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>

#include "core/trace/page_array.h"
#include "tests/support/resident_share.h"
#include "tests/support/sanitized.h"
#include "tests/support/test_program.h"

namespace rankscope::page_array_test {

namespace {

/// As the system says of the mapping around the address.
bool asks_for_large_pages(const void* at) {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    std::ifstream mappings("/proc/self/smaps");
    bool inside = false;
    for (std::string line; std::getline(mappings, line);) {
        std::uintptr_t begin = 0, end = 0;
        if (std::sscanf(line.c_str(), "%zx-%zx ", &begin, &end) == 2)
            inside = begin <= address && address < end;
        else if (inside && line.starts_with("VmFlags:"))
            return line.find(" hg") != std::string::npos;
    }
    return false;
}

} // namespace

class TestPageArray : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void memoryIsTakenWhenWrittenAndGivenBackInPieces() {
        constexpr std::size_t kCount = std::size_t{8} << 20; // 64 MB
        PageArray<std::uint64_t> array(kCount);
        const void* const begin = array.begin();
        const void* const end = array.end();
        QCOMPARE(resident_share(begin, end), 0.0);
        QVERIFY(std::ranges::all_of(array, [](std::uint64_t value) { return value == 0; }));
        std::ranges::fill(array, 7);
        QCOMPARE(resident_share(begin, end), 1.0);
        array.give_back(1, kCount / 2);             // from within a page to the border of one
        array.give_back(kCount / 2, kCount - 1);    // and to within one
        QVERIFY(resident_share(begin, end) < 0.01); // the first page and the last
        QCOMPARE(array[0], std::uint64_t{7});       // the pages of these are not wholly in it
        QCOMPARE(array[kCount - 1], std::uint64_t{7});
        QCOMPARE(array[kCount / 2], std::uint64_t{0});
        std::ranges::fill(array, 8);
        QCOMPARE(resident_share(begin, end), 1.0);
        array = PageArray<std::uint64_t>(1);
        if constexpr (!test::kSanitized) // a sanitizer may have taken the place for itself
            QCOMPARE(resident_share(begin, end), 0.0);
    }
    void sizesThatAreNoPagesAreExact() {
        for (const std::size_t size : {std::size_t{1}, std::size_t{4095}, std::size_t{4097}, std::size_t{1'000'000}}) {
            const PageArray<char> array(size);
            QCOMPARE(array.size(), size);
            std::ranges::fill(array, 'x');
            array.give_back(0, size); // the last page, too, though the array does not fill it
            QCOMPARE(array[size - 1], '\0');
            QCOMPARE(array[0], '\0');
        }
        QVERIFY(PageArray<int>(0).empty());
    }
    void largeArraysHaveLargePagesWhereTheyFillThem() {
        if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage"))
            QSKIP("skipped: this system has no large pages");
        constexpr std::size_t kLarge = std::size_t{2} << 20;
        const PageArray<char> array(2 * kLarge + kLarge / 2);
        QCOMPARE(reinterpret_cast<std::uintptr_t>(array.begin()) % kLarge, std::uintptr_t{0});
        QVERIFY(asks_for_large_pages(array.begin()));
        QVERIFY(asks_for_large_pages(array.begin() + 2 * kLarge - 1));
        QVERIFY(!asks_for_large_pages(array.end() - 1));
        const PageArray<char> small(kLarge - 1);
        QVERIFY(!asks_for_large_pages(small.begin()));
    }
    void moreThanThereIsIsRefused() { QVERIFY_EXCEPTION_THROWN(PageArray<char>(std::size_t{1} << 60), std::bad_alloc); }
};

RANKSCOPE_TEST(TestPageArray)

} // namespace rankscope::page_array_test

#include "test_page_array.moc"
