// SPDX-License-Identifier: GPL-3.0-or-later
// No file can choose keys that all fall into one place of a map.
#include <QtTest>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/base/seeded_hash.h"
#include "tests/support/test_program.h"

namespace rankscope::seeded_hash_test {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kKeys = 20'000;

template <typename Map>
std::size_t fullest_place(const Map& map) {
    std::size_t most = 0;
    for (std::size_t place = 0; place < map.bucket_count(); ++place)
        most = std::max(most, map.bucket_size(place));
    return most;
}

std::string text_of(const std::array<std::uint64_t, 2>& words) {
    std::string text(sizeof(words), '\0');
    std::memcpy(text.data(), words.data(), sizeof(words));
    return text;
}

} // namespace

class TestSeededHash : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void multiplesOfSizesOfTablesSpread() {
        // Numbers of places that tables of libstdc++ have while they grow.
        NumberMap<std::int64_t, int> map;
        for (std::size_t i = 1; i <= kKeys; ++i)
            map[static_cast<std::int64_t>(i) * 20753 * 42043] = 1;
        QCOMPARE(map.size(), kKeys);
        QVERIFY(fullest_place(map) < 20);
    }

    void textsThatCollideInAPlainHashSpread() {
        // The second word takes back what the first one changed, for one multiplication a word: all are equal there.
        TextMap<std::string, int> map;
        for (std::uint64_t i = 0; i < kKeys; ++i) {
            std::uint64_t hash = (16 ^ i) * 0x9E3779B97F4A7C15ull;
            hash ^= hash >> 32;
            map[text_of({i, hash})] = 1;
        }
        QCOMPARE(map.size(), kKeys);
        QVERIFY(fullest_place(map) < 20);
    }

    void textsThatCollideInMurmurSpread() {
        // Blocks of std::hash<std::string> in libstdc++ with one seed after both.
        constexpr std::uint64_t kMultiplier = 0xC6A4A7935BD1E995ull, kSeed = 0xC70F6907ull;
        const auto mixed = [](std::uint64_t word) {
            word *= kMultiplier;
            return (word ^ word >> 47) * kMultiplier;
        };
        std::uint64_t inverse = kMultiplier; // by Newton's method
        for (int i = 0; i < 6; ++i)
            inverse *= 2 - kMultiplier * inverse;
        const auto unmixed = [inverse](std::uint64_t word) {
            word *= inverse;
            return (word ^ word >> 47) * inverse;
        };
        TextMap<std::string, int> map;
        for (std::uint64_t i = 0; i < kKeys; ++i) {
            const std::uint64_t after_first = ((kSeed ^ 16 * kMultiplier) ^ mixed(i)) * kMultiplier;
            map[text_of({i, unmixed(after_first)})] = 1;
        }
        QCOMPARE(map.size(), kKeys);
        QVERIFY(fullest_place(map) < 20);
    }

    void textsOfAllLengthsAndAllTheirBytesCount() {
        TextMap<std::string, int> map;
        for (std::size_t size = 0; size < 100; ++size)
            for (std::size_t at = 0; at <= size; ++at) {
                std::string text(size, '\0');
                if (at < size)
                    text[at] = 1;
                map[text] = 1;
            }
        std::vector<std::uint64_t> hashes;
        for (const auto& [text, one] : map)
            hashes.push_back(seeded_text_hash(text));
        std::ranges::sort(hashes);
        QVERIFY(std::ranges::adjacent_find(hashes) == hashes.end());
    }

    void partsOfAKeyCountInTheirOrder() {
        QVERIFY(seeded_hash(1, 2) != seeded_hash(2, 1));
        QVERIFY(seeded_hash(0, 0) != seeded_hash(0));
        QCOMPARE(seeded_hash(7, 8), seeded_hash(7, 8));
    }

    void eachProcessDrawsItsOwnSeed() {
        const HashSeed one = draw_hash_seed(), other = draw_hash_seed();
        QVERIFY(one.first != other.first && one.second != other.second && one.third != other.third);
    }

    void allMapsOfCoreAreSeeded() {
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(RANKSCOPE_SOURCE_DIR) / "core")) {
            const std::string name = entry.path().filename().string();
            if (!entry.is_regular_file() || name == "seeded_hash.h" || name == "kept_values.h") // by addresses of ours
                continue;
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);)
                QVERIFY2(
                    (line.find("std::unordered_") == std::string::npos || line.find("Hash>") != std::string::npos) &&
                        line.find("std::hash<") == std::string::npos,
                    (entry.path().string() + ": " + line).c_str());
        }
    }
};

RANKSCOPE_TEST(TestSeededHash)

} // namespace rankscope::seeded_hash_test

#include "test_seeded_hash.moc"
