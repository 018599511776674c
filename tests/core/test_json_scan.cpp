// SPDX-License-Identifier: GPL-3.0-or-later
// The border scanner against a scanner that looks at one character at a time, whatever the pieces.
#include <QtTest>

#include <random>
#include <span>
#include <utility>

#include "core/input/kineto/json_scan.h"
#include "tests/support/test_program.h"

namespace rankscope::json_scan_test {

namespace {

/// Offsets just past every object closed at array level, and that of the closing bracket (or npos).
struct Borders {
    std::vector<std::size_t> ends;
    std::size_t closed_at = std::string::npos;
};

Borders slow_borders(const std::string& text) {
    Borders borders;
    int depth = 0;
    bool in_string = false;
    bool escaped = false; // outside strings, where no backslash may be, it also takes a quote's meaning away
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool was_escaped = std::exchange(escaped, false);
        if (c == '\\') {
            escaped = !was_escaped;
        } else if (c == '"') {
            in_string ^= !was_escaped;
        } else if (in_string) {
            continue;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            if (--depth == 0)
                borders.ends.push_back(i + 1);
            if (depth < 0) {
                borders.closed_at = i;
                break;
            }
        }
    }
    return borders;
}

std::string random_text(std::mt19937& random) {
    // Brackets, quotes and backslashes far more often than a trace has them.
    static const std::string alphabet = "{}[]\"\"\\\\abc, :{\"x\":1}";
    std::string text;
    const std::size_t length = random() % 400;
    for (std::size_t i = 0; i < length; ++i)
        text.push_back(alphabet[random() % alphabet.size()]);
    return text;
}

} // namespace

class TestJsonScan : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bordersDoNotDependOnThePieces_data() {
        QTest::addColumn<bool>("portably");
        QTest::newRow("as this processor can") << false;
        QTest::newRow("as any processor can") << true;
    }
    void bordersDoNotDependOnThePieces() {
        QFETCH(bool, portably);
        std::mt19937 random(7);
        for (int round = 0; round < 20000; ++round) {
            const std::string text = random_text(random);
            const Borders expected = slow_borders(text);
            ArrayScanner scanner;
            std::size_t begin = 0;
            std::size_t last_end = 0;
            std::size_t elements = 0;
            std::size_t closed_at = std::string::npos;
            while (begin < text.size() && closed_at == std::string::npos) {
                const std::size_t size = std::min<std::size_t>(text.size() - begin, 1 + random() % 200);
                const std::span<const char> piece(text.data() + begin, size);
                const auto found = portably ? scanner.scan_portably(piece) : scanner.scan(piece);
                elements += found.elements;
                if (found.elements_end > 0)
                    last_end = begin + found.elements_end;
                if (found.array_closed)
                    closed_at = begin + found.closed_at;
                begin += size;
            }
            QCOMPARE(closed_at, expected.closed_at);
            QCOMPARE(elements, expected.ends.size());
            QCOMPARE(last_end, expected.ends.empty() ? 0 : expected.ends.back());
        }
    }
};

RANKSCOPE_TEST(TestJsonScan)

} // namespace rankscope::json_scan_test

#include "test_json_scan.moc"
