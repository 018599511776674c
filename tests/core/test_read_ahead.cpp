// SPDX-License-Identifier: GPL-3.0-or-later
// Reading ahead: the same bytes, in whatever way they are asked for, and everything the source says of them.
#include <QtTest>

#include <new>

#include "core/input/read_ahead.h"
#include "tests/support/letter_source.h"

using namespace rankscope;

namespace {

constexpr std::size_t kCount = 5'000'123; ///< several pieces and a bit

constexpr std::size_t kPiece = 1 << 20;

std::unique_ptr<ByteSource> letters(std::size_t count = kCount) { return read_ahead(std::make_unique<LetterSource>(count)); }

/// Without the blanks in front of it.
std::string_view without_blanks(std::string_view text) { return text.substr(std::min(text.find_first_not_of(' '), text.size())); }

} // namespace

class TestReadAhead : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void allBytesComeInOrder_data() {
        QTest::addColumn<int>("bytes");
        for (const int bytes : {1, 1000, 65'536, 1 << 20, 3'000'000, 6'000'000})
            QTest::addRow("%d at once", bytes) << bytes;
    }
    void allBytesComeInOrder() {
        QFETCH(int, bytes);
        const std::size_t count = bytes == 1 ? 10'000 : kCount;
        const auto source = letters(count);
        std::string all;
        std::string part(static_cast<std::size_t>(bytes), ' ');
        all.append(part, 0, source->read(part)); // before it reads ahead
        TextBuffer text;
        source->append_to(text, 2000);
        all += without_blanks(text.view());
        while (const std::size_t got = source->read(part))
            all.append(part, 0, got);
        QVERIFY(all == LetterSource::text(count));
        QCOMPARE(source->read(part), std::size_t{0});
    }

    /// Behind what the text held, whether that fits into the blanks before a piece or not.
    void whatIsAppendedStandsBehindTheText_data() {
        QTest::addColumn<int>("held");
        for (const int held : {0, 1, 4095, 4096, 4097, 100'000})
            QTest::addRow("%d characters", held) << held;
    }
    void whatIsAppendedStandsBehindTheText() {
        QFETCH(int, held);
        const auto source = letters();
        std::string all;
        for (;;) {
            const std::string before(static_cast<std::size_t>(held), '[');
            TextBuffer text;
            text.append(before);
            const std::size_t got = source->append_to(text, kPiece);
            if (got == 0)
                break;
            QVERIFY(got <= kPiece);
            const std::string_view whole = without_blanks(text.view());
            QVERIFY(whole.starts_with(before));
            QCOMPARE(whole.size(), before.size() + got);
            all += whole.substr(before.size());
        }
        QVERIFY(all == LetterSource::text(kCount));
    }

    void bothWaysInTurn() {
        const auto source = letters();
        std::string all;
        std::string part(10, ' ');
        for (std::size_t got = source->read(part); got > 0; got = source->read(part)) {
            all.append(part, 0, got);
            TextBuffer text;
            source->append_to(text, 300'000); // less than a piece
            all += without_blanks(text.view());
        }
        QVERIFY(all == LetterSource::text(kCount));
    }

    void passingOverBytes() {
        const auto source = letters();
        source->skip(2'600'000);
        char next = 0;
        QCOMPARE(source->read({&next, 1}), std::size_t{1});
        QCOMPARE(next, LetterSource::letter(2'600'000));
    }

    void whatTheSourceSays() {
        const auto source = letters();
        QVERIFY(source->is_compressed());
        QCOMPARE(source->file_bytes(), std::uint64_t{kCount / 10});
        TextBuffer text;
        QCOMPARE(source->append_to(text, kPiece), kPiece);
        QCOMPARE(source->consumed(), std::uint64_t{kPiece / 10}); // not what was read ahead
        QVERIFY(source->damage().empty());
        while (source->append_to(text, kPiece) > 0) {
        }
        QCOMPARE(source->consumed(), std::uint64_t{kCount / 10});
        QCOMPARE(source->damage(), std::string("no more letters"));
    }

    void whatReadingThrowsComesInItsPlace() {
        const auto source = read_ahead(std::make_unique<LetterSource>(kCount, 3u << 20));
        TextBuffer text;
        for (int i = 0; i < 3; ++i)
            QCOMPARE(source->append_to(text, kPiece), kPiece);
        QVERIFY_EXCEPTION_THROWN(source->append_to(text, kPiece), std::bad_alloc);
    }

    void itMayGoAtAnyMoment() {
        for (int pieces = 0; pieces < 6; ++pieces) {
            const auto source = letters();
            TextBuffer text;
            for (int i = 0; i < pieces; ++i)
                QVERIFY(source->append_to(text, kPiece) > 0);
        }
    }
};

QTEST_GUILESS_MAIN(TestReadAhead)
#include "test_read_ahead.moc"
