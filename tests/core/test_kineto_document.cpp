// SPDX-License-Identifier: GPL-3.0-or-later
// Cutting the text of a trace: every event whole and in its place, whatever the borders of pieces, and the keys around
// them.
#include <memory>
#include <optional>
#include <span>

#include <QtTest>

#include <fmt/format.h>

#include "core/input/kineto/event_block.h"
#include "core/input/kineto/kineto_document.h"
#include "tests/support/test_program.h"

namespace rankscope::kineto_document_test {

namespace {

/// A text, as if it were a compressed file of a tenth of its size.
class TextSource final : public ByteSource {
public:
    explicit TextSource(std::string text, std::string damage = {}) : text_(std::move(text)), said_(std::move(damage)) {}

    std::size_t read(std::span<char> buffer) override {
        const std::size_t size = text_.copy(buffer.data(), buffer.size(), read_);
        read_ += size;
        if (size < buffer.size())
            damage_ = said_;
        return size;
    }
    [[nodiscard]] std::uint64_t consumed() const override { return read_ / 10; }

private:
    std::string text_;
    std::string said_;
    std::size_t read_ = 0;
};

KinetoDocument document_of(const std::string& text, const std::string& damage = {}) {
    return KinetoDocument(std::make_unique<TextSource>(text, damage));
}

/// Brackets and escaped quotes stand in the filling: only a reader that knows strings gets past them.
std::string element_of(int number, std::size_t filling) {
    std::string name;
    while (name.size() < filling)
        name += R"(]}\"[{ \\)";
    return fmt::format(R"({{"ph": "X", "ts": {}, "name": "{}", "args": {{"list": [{{}}, []]}}}})", number, name);
}

struct Cut {
    std::vector<std::string> events;
    std::vector<std::uint64_t> offsets; ///< of each block
    std::vector<std::string> blocks;
};

void add(Cut& cut, const std::optional<KinetoDocument::Block>& block) {
    if (!block)
        return;
    for (const std::string_view element : array_elements(block->bracketed.view()))
        cut.events.emplace_back(element);
    cut.offsets.push_back(block->offset);
    cut.blocks.emplace_back(block->bracketed.view());
}

Cut cut_piece_by_piece(KinetoDocument& document) {
    Cut cut;
    while (auto piece = document.next_piece())
        add(cut, document.cut(std::move(*piece)));
    return cut;
}

} // namespace

class TestKinetoDocument : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eventsComeWholeAndInTheirPlace_data() {
        QTest::addColumn<int>("filling");
        for (const int filling :
             {0, 300, 5'000, 400'000, 3'000'000}) // around the room in front of a piece, and above a piece
            QTest::addRow("%d characters", filling) << filling;
    }
    void eventsComeWholeAndInTheirPlace() {
        QFETCH(int, filling);
        const int count = filling > 100'000 ? 7 : 3'000'000 / (filling + 100);
        std::string text = R"({"before": 1, "traceEvents": [)";
        std::vector<std::string> events;
        for (int i = 0; i < count; ++i) {
            events.push_back(element_of(i, static_cast<std::size_t>(filling)));
            text += (i > 0 ? "\n , " : "\n") + events.back();
        }
        text += R"(], "behind": "x"})";
        KinetoDocument document = document_of(text);
        QCOMPARE(document.start(), KinetoDocument::Start::events);
        const Cut cut = cut_piece_by_piece(document);
        document.finish();
        QVERIFY(cut.events == events);
        for (std::size_t i = 0; i < cut.blocks.size(); ++i) {
            const std::size_t first = cut.blocks[i].find('{'),
                              size = cut.blocks[i].size() - 1 - first; // but for the last bracket
            QVERIFY(text.substr(cut.offsets[i] + first, size) == cut.blocks[i].substr(first, size));
        }
        QCOMPARE(english(document.damage()), std::string());
        QCOMPARE(document.header().at("before"), std::string("1"));
        QCOMPARE(document.header().at("behind"), std::string("\"x\""));
        QCOMPARE(document.text_bytes(), std::uint64_t{text.size()});
    }

    /// Pieces are read while others wait to be cut: some lie behind the events by the time that this is known.
    void whatWasReadBehindTheEventsIsNotLost() {
        const std::string value(5'000'000, 'v');
        const std::string text =
            R"({"traceEvents": [)" + element_of(0, 100'000) + "], \"long\": \"" + value + "\", \"last\": 2}";
        KinetoDocument document = document_of(text);
        QCOMPARE(document.start(), KinetoDocument::Start::events);
        std::vector<KinetoDocument::Piece> pieces;
        for (int i = 0; i < 4; ++i)
            pieces.push_back(std::move(*document.next_piece()));
        Cut cut;
        for (KinetoDocument::Piece& piece : pieces)
            add(cut, document.cut(std::move(piece)));
        QVERIFY(!document.next_piece()); // the end of the events is known by now
        document.finish();
        QCOMPARE(cut.events.size(), std::size_t{1});
        QVERIFY(document.header().at("long") == '"' + value + '"');
        QCOMPARE(document.header().at("last"), std::string("2"));
        QCOMPARE(document.text_bytes(), std::uint64_t{text.size()});
    }

    void aPieceTellsHowMuchOfTheFileWasUsed() {
        KinetoDocument document = document_of('[' + std::string(3 << 20, ' ') + ']');
        QCOMPARE(document.start(), KinetoDocument::Start::events);
        std::uint64_t consumed = 0;
        while (const auto piece = document.next_piece()) {
            QVERIFY(piece->consumed >= consumed);
            consumed = piece->consumed;
        }
        QCOMPARE(consumed, std::uint64_t{((3 << 20) + 2) / 10});
    }

    void theEndOfATextThatStopsEarlyIsDamage_data() {
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("damage");
        QTest::addRow("of a file that says nothing") << ""
                                                     << "the file ends early";
        QTest::addRow("of one that does") << "compressed data are damaged"
                                          << "compressed data are damaged";
    }
    void theEndOfATextThatStopsEarlyIsDamage() {
        QFETCH(QString, said);
        QFETCH(QString, damage);
        const std::string whole = element_of(1, 100);
        KinetoDocument document = document_of('[' + whole + ',' + whole.substr(0, 50), said.toStdString());
        QCOMPARE(document.start(), KinetoDocument::Start::events);
        const Cut cut = cut_piece_by_piece(document);
        document.finish();
        QVERIFY(cut.events == std::vector{whole});
        QCOMPARE(english(document.damage()), damage.toStdString());
    }

    /// Each event on a line of its own; the quote of one is not escaped. In pieces of several sizes.
    void anEventWithAQuoteTooManyIsLostAlone() {
        constexpr int kEvents = 200;
        for (const int bad : {0, 1, 100, 198}) {
            std::string text = "{\"traceEvents\": [\n";
            std::vector<std::string> whole;
            for (int i = 0; i < kEvents; ++i) {
                const std::string event = fmt::format("{{\n    \"ph\": \"X\", \"name\": \"{}\",\n    \"args\": {{\n    "
                                                      "  \"list\": [[], {{}}]\n    }}\n  }}",
                                                      i == bad ? "\"\"\"Helpers" : "op " + std::to_string(i));
                if (i != bad)
                    whole.push_back(event);
                text += "  " + event + (i + 1 < kEvents ? ",\n" : "\n  ],\n  \"last\": 2\n}\n");
            }
            for (const std::size_t piece_bytes : {64, 300, 5'000, 1'000'000}) {
                KinetoDocument document(std::make_unique<TextSource>(text), piece_bytes);
                QCOMPARE(document.start(), KinetoDocument::Start::events);
                const Cut cut = cut_piece_by_piece(document);
                document.finish();
                QVERIFY(cut.events == whole);
                QCOMPARE(document.torn(), std::uint64_t{1});
                QCOMPARE(english(document.damage()), std::string());
                QVERIFY(document.header().contains("last"));
                QCOMPARE(document.text_bytes(), std::uint64_t{text.size()});
                for (std::size_t b = 0; b < cut.blocks.size(); ++b) { // each event is where it stands in the text
                    const std::size_t at = cut.blocks[b].rfind("{\n    \"ph\"");
                    QCOMPARE(text.substr(cut.offsets[b] + at, 30), cut.blocks[b].substr(at, 30));
                }
            }
        }
    }

    /// Half a minute, when each blank line looked for the end of all of them.
    void manyBlankLinesTakeTimeByTheirNumber() {
        const std::string start = R"({"traceEvents": [{"ph": "X", "name": "a"}, {"ph": "X", "args": {)";
        QElapsedTimer timer;
        timer.start();
        KinetoDocument document = document_of(start + std::string(500'000, '\n'));
        QCOMPARE(document.start(), KinetoDocument::Start::events);
        QCOMPARE(cut_piece_by_piece(document).events.size(), std::size_t{1});
        document.finish();
        QVERIFY2(timer.elapsed() < 10'000, std::to_string(timer.elapsed()).c_str());
    }

    void noEventsAreNoBlock() {
        for (const std::string text : {"[]", "[ \n ]", R"({"traceEvents": []})"}) {
            KinetoDocument document = document_of(text);
            QCOMPARE(document.start(), KinetoDocument::Start::events);
            QVERIFY(cut_piece_by_piece(document).blocks.empty());
            document.finish();
            QCOMPARE(english(document.damage()), std::string());
        }
    }
};

RANKSCOPE_TEST(TestKinetoDocument)

} // namespace rankscope::kineto_document_test

#include "test_kineto_document.moc"
