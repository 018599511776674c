// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind of document that the public test suites for JSON parsers hold: as the value of an argument between sound
// events, as a time, as a name, and as the whole file. Events before the damage are always there.
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "core/input/kineto/kineto_reader.h"
#include "tests/support/test_program.h"

namespace rankscope::json_documents_test {

namespace fs = std::filesystem;

namespace {

std::string sound_event(const char* name, const std::string& more = {}) {
    return fmt::format(R"({{"ph":"X","cat":"cpu_op","name":"{}","pid":1,"tid":1,"ts":1,"dur":1{}}})", name, more);
}

std::string repeated(std::string_view text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i)
        all += text;
    return all;
}

/// What becomes of an event with such an argument.
enum class Fate {
    kept,  ///< the event is read
    lost,  ///< the event alone is counted as malformed
    ending ///< the text after it cannot be told apart: what stands before is there, what comes after may be lost
};

struct Fragment {
    const char* name;
    std::string text;
    Fate fate;
};

std::vector<Fragment> fragments() {
    using enum Fate;
    return {
        // Values
        {"empty array", "[]", kept},
        {"array with blanks", "[ \t\r\n]", kept},
        {"array of everything", R"([null, 1, "1", {}, true, false, [[]]])", kept},
        {"empty object", "{}", kept},
        {"empty key", R"({"":0})", kept},
        {"duplicated key", R"({"a":"b","a":"c"})", kept},
        {"NUL in a key, escaped", R"({"foo\u0000bar": 42})", kept},
        {"long strings", R"({"x":[{"id":")" + repeated("x", 5000) + R"("}]})", kept},
        {"true", "true", kept},
        {"null", "null", kept},
        // Numbers
        {"minus zero", "-0", kept},
        {"large exponent", "123e65", kept},
        {"zero exponent", "0e+1", kept},
        {"close to zero", "-0.000000000000000000000000000000000000000000000000000000000000000000000000000001", kept},
        {"huge exponent",
         "0.4e00669999999999999999999999999999999999999999999999999999999999999999999999999999969999999006", kept},
        {"very large integer", "100000000000000000000", kept},
        {"overflowing real", "-1e+9999", kept},
        {"many digits", repeated("9", 4000), kept},
        // Strings
        {"escapes", R"("\"\\\/\b\f\n\r\t\u0060\u012a")", kept},
        {"surrogate pair", R"("\uD801\udc37")", kept},
        {"lone high surrogate", R"("\uDADA")", kept},
        {"lone low surrogate", R"("\uDd1e\uD834")", kept},
        {"non-character", R"("\uFFFF")", kept},
        {"DEL", "\"\x7f\"", kept},
        {"line separator", "\"\xE2\x80\xA8\"", kept},
        // What parsers must refuse, told apart by brackets and strings alone: the value is not needed
        {"invalid UTF-8", "\"\xFF\xC0\xAF\xED\xA0\x80\xF4\xBF\xBF\xBF\"", kept},
        {"raw control characters", "\"a\x01\x1F\n\tb\"", kept},
        {"raw NUL", std::string("\"a\0b\"", 5), kept},
        {"comma at the end", "[1,]", kept},
        {"two commas", "[1,,2]", kept},
        {"only a comma", "[,]", kept},
        {"colon instead of comma", R"(["": 1])", kept},
        {"number with a leading zero", "-012", kept},
        {"number and nothing", "2.", kept},
        {"number with two exponents", "1e1e2", kept},
        {"hexadecimal", "0x42", kept},
        {"plus", "+1", kept},
        {"Infinity", "-Infinity", kept},
        {"NaN", "NaN", kept},
        {"full-width digit", "\xEF\xBC\x91", kept},
        {"capital True", "True", kept},
        {"half a word", "nul", kept},
        {"unknown escape", R"("\x00\a\🌀")", kept},
        {"half an escape", R"("\u00A")", kept},
        {"single quotes", "'a'", kept},
        {"comment", "/* c */ 1", lost},
        {"unquoted key", "{a: 1}", kept},
        {"number as key", "{1: 1}", kept},
        {"no colon", R"({"a" 1})", kept},
        {"no value", "", lost},
        {"two values", "1 2", lost},
        {"deep", repeated("[", 100'000) + repeated("]", 100'000), kept},
        {"deep objects", repeated(R"({"":)", 50'000) + "1" + repeated("}", 50'000), kept},
        {"array closed by a brace", "[1}", kept},
        // Brackets and strings that do not fit: from there on nothing is certain
        {"array not closed", "[1", ending},
        {"object not closed", R"({"a":)", ending},
        {"string not closed", R"("abc)", ending},
        {"escaped closing quote", R"("\")", ending},
        {"bracket too many", "]", ending},
        {"brace too many", "}", ending},
        {"very deep and not closed", repeated("[", 100'000), ending},
    };
}

struct Document {
    const char* name;
    std::string text;
    int events; ///< -1: refused
};

std::vector<Document> documents() {
    const std::string sound = sound_event("a");
    return {
        {"nothing", "", -1},
        {"blank", " ", -1},
        {"byte order mark alone", "\xEF\xBB\xBF", -1},
        {"NUL", std::string(1, '\0'), -1},
        {"scalar", "42", -1},
        {"string", "\"traceEvents\"", -1},
        {"null", "null", -1},
        {"an object without events", "{}", -1},
        {"events are no array", R"({"traceEvents": 7})", -1},
        {"UTF-16", std::string("\xFF\xFE{\0}\0", 6), -1},
        {"binary",
         "\x7F"
         "ELF\x02\x01\x01",
         -1},
        {"open brackets", repeated("[", 100'000), 0}, // an array that holds no event

        {"open objects", repeated("{\"\":", 100'000), -1},
        {"byte order mark", "\xEF\xBB\xBF{\"traceEvents\":[" + sound + "]}", 1},
        {"array alone", "[" + sound + "," + sound + "]", 2},
        {"array not closed", "[" + sound + "," + sound, 2},
        {"text after the end", "{\"traceEvents\":[" + sound + "]} and more ]]}}", 1},
        {"two documents", "{\"traceEvents\":[" + sound + "]}{\"traceEvents\":[" + sound + "]}", 1},
        {"escaped key", R"({"trace\u0045vents":[)" + sound + "]}", -1}, // keys are compared as written
        {"events first", "{\"traceEvents\":[" + sound + "],\"deviceProperties\":[{]}}", 1},
        {"header deep", "{\"x\":" + repeated("[", 2000) + repeated("]", 2000) + ",\"traceEvents\":[" + sound + "]}", 1},
    };
}

} // namespace

} // namespace rankscope::json_documents_test

// moc miscounts the braces of the raw strings above.
namespace rankscope::json_documents_test {

class TestJsonDocuments : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    std::shared_ptr<const RankTrace> read(const std::string& text) {
        const fs::path path = fs::path(folder_.path().toStdString()) / "trace.json";
        std::ofstream(path, std::ios::binary) << text;
        const auto rank = read_kineto(path, std::make_shared<StringTable>(), {});
        return rank ? *rank : nullptr;
    }

    static bool has_notice(const RankTrace& rank, std::string_view code) {
        return std::ranges::any_of(
            rank.notices, [&](const Notice& notice) { return notice.code == code; });
    }

private Q_SLOTS:
    void anArgumentCostsAtMostItsEvent_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<int>("fate");
        for (const Fragment& fragment : fragments())
            QTest::newRow(fragment.name) << fragment.text << static_cast<int>(fragment.fate);
    }
    void anArgumentCostsAtMostItsEvent() {
        QFETCH(std::string, text);
        QFETCH(int, fate);
        const auto rank =
            read("{\"traceEvents\":[" + sound_event("before") + "," +
                 sound_event("odd", ",\"args\":{\"x\":" + text + "}") + "," + sound_event("after") + "]}");
        QVERIFY(rank);
        QCOMPARE(rank->event_name(0), std::string_view("before"));
        if (fate == static_cast<int>(Fate::ending))
            QVERIFY(!rank->notices.empty());
        else
            QCOMPARE(rank->events.size(), fate == static_cast<int>(Fate::kept) ? 3u : 2u);
        if (fate == static_cast<int>(Fate::lost))
            QVERIFY(has_notice(*rank, "malformed_events"));
    }

    /// Where the value matters, a value that is none costs the event, and the event alone.
    void aTimeThatIsNoneCostsItsEvent_data() {
        QTest::addColumn<std::string>("text");
        for (const char* text :
             {"null", "true", "[]", "{}", "\"\"", "-", "1e", "0x10", "1e400", "NaN", "1 2", "\"1;2\"", "'1'"})
            QTest::newRow(text) << std::string(text);
    }
    void aTimeThatIsNoneCostsItsEvent() {
        QFETCH(std::string, text);
        const auto rank = read("{\"traceEvents\":[" + sound_event("before") +
                               R"(,{"ph":"X","cat":"cpu_op","name":"odd","pid":1,"tid":1,"ts":)" + text +
                               R"(,"dur":1},)" + sound_event("after") + "]}");
        QVERIFY(rank);
        QCOMPARE(rank->events.size(), 2u);
        QVERIFY(has_notice(*rank, "malformed_events"));
    }

    void aWholeDocumentIsReadOrRefused_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<int>("events");
        for (const Document& document : documents())
            QTest::newRow(document.name) << document.text << document.events;
    }
    void aWholeDocumentIsReadOrRefused() {
        QFETCH(std::string, text);
        QFETCH(int, events);
        const auto rank = read(text);
        QCOMPARE(rank ? static_cast<int>(rank->events.size()) : -1, events);
    }
};

RANKSCOPE_TEST(TestJsonDocuments)

} // namespace rankscope::json_documents_test

#include "test_json_documents.moc"
