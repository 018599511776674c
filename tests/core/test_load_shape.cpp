// SPDX-License-Identifier: GPL-3.0-or-later
// In how large pieces, and on how many threads, files of several sizes are read.
#include <QtTest>

#include "core/input/bytes/load_shape.h"
#include "tests/support/test_program.h"

namespace rankscope::load_shape_test {

class TestLoadShape : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void compressedTextGrows() {
        QCOMPARE(likely_text_bytes("a/rank0.json", 1000), std::uint64_t{1000});
        QCOMPARE(likely_text_bytes("a/rank0.json.gz", 1000), std::uint64_t{12'000});
        QCOMPARE(likely_text_bytes("rank0.json.zst", 1000), std::uint64_t{12'000});
    }
    void aFileHasTensOfPiecesThatFitIntoTheCache() {
        QCOMPARE(piece_bytes(0), std::size_t{64} << 10);
        QCOMPARE(piece_bytes(1u << 20), std::size_t{64} << 10);
        QCOMPARE(piece_bytes(8u << 20), std::size_t{256} << 10);
        QCOMPARE(piece_bytes(1u << 30), std::size_t{512} << 10);
    }
    void smallFilesTakeFewThreads() {
        QCOMPARE(threads_for_text(0, 8), 1);
        QCOMPARE(threads_for_text(200'000, 8), 1);
        QCOMPARE(threads_for_text(300'000, 8), 2);
        QCOMPARE(threads_for_text(50'000'000, 8), 8);
        QCOMPARE(threads_for_text(50'000'000, 1), 1);
        QCOMPARE(threads_for_text(50'000'000, 0), 1);
    }
};

RANKSCOPE_TEST(TestLoadShape)

} // namespace rankscope::load_shape_test

#include "test_load_shape.moc"
