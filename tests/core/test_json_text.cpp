// SPDX-License-Identifier: GPL-3.0-or-later
// Times, integers and strings read from the text of JSON tokens.
#include <QtTest>

#include "core/input/kineto/json_text.h"
#include "tests/support/test_program.h"

namespace rankscope::json_text_test {

class TestJsonText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void microsecondsBecomeExactNanoseconds_data() {
        QTest::addColumn<QString>("token");
        QTest::addColumn<bool>("valid");
        QTest::addColumn<qlonglong>("ns");
        const auto row = [](const char* token, bool valid, qlonglong ns) {
            QTest::newRow(token) << QString::fromUtf8(token) << valid << ns;
        };
        row("0", true, 0);
        row("12", true, 12000);
        row("12.5", true, 12500);
        row("12.005", true, 12005);
        // A double of this size is a multiple of 0.25: it would lose the .655.
        row("4458676522690.655", true, 4458676522690655);
        row("1712195495519689.127", true, 1712195495519689127);
        row("  7.25\n", true, 7250);
        row("\"42.001\"", true, 42001);
        row("-3.5", true, -3500);
        row("0.0004", true, 0); // beyond the nanosecond: rounded to nearest
        row("0.0005", true, 1);
        row("0.99951", true, 1000);
        row("1.5e3", true, 1500000);
        row("1E-3", true, 1);
        row("nodes200", false, 0);         // for what begins like "nan" libstdc++ looks for the end of the text
        row("9223372036854775", false, 0); // 9.2e18 ns and one more microsecond would overflow
        row("99999999999999999999", false, 0);
        row("1e300", false, 0);
        row("", false, 0);
        row("\"\"", false, 0);
        row("NaN", false, 0);
        row("-Infinity", false, 0);
        row("null", false, 0);
        row("12abc", false, 0);
        row(".5", false, 0);
        row("-", false, 0);
    }
    void microsecondsBecomeExactNanoseconds() {
        QFETCH(QString, token);
        QFETCH(bool, valid);
        QFETCH(qlonglong, ns);
        const QByteArray text = token.toUtf8();
        const std::vector<char> alone(text.begin(),
                                      text.end()); // without a NUL behind it: the address sanitizer sees who reads on
        const auto parsed = parse_microseconds({alone.data(), alone.size()});
        QCOMPARE(parsed.has_value(), valid);
        if (valid)
            QCOMPARE(qlonglong(*parsed), ns);
    }

    void timesOfAnyLengthAreRead() {
        const std::string all = "987654321012345";
        for (std::size_t digits = 1; digits <= all.size(); ++digits) {
            const std::string whole = all.substr(0, digits);
            QCOMPARE(parse_microseconds(whole).value(), std::stoll(whole) * 1000);
            QCOMPARE(parse_microseconds('-' + whole + ".125").value(), -(std::stoll(whole) * 1000 + 125));
            for (std::size_t at = 0; at < digits; ++at)
                for (const char wrong : {'/', ':', '-', ' ', '\0', 'p', '\xB5'}) { // those beside the digits among them
                    std::string text = whole;
                    text[at] = wrong;
                    const bool allowed =
                        (at == 0 && (wrong == '-' || wrong == ' ')) || (at + 1 == digits && wrong == ' ');
                    QVERIFY2(allowed || !parse_microseconds(text), qPrintable(QString::fromStdString(text)));
                }
        }
    }

    void integersAreReadWithOrWithoutQuotes() {
        QCOMPARE(parse_integer("7").value(), 7);
        QCOMPARE(parse_integer(" \"-12\" ").value(), -12);
        QCOMPARE(parse_integer("3.000").value(), 3);
        QVERIFY(!parse_integer("3.5"));
        QVERIFY(!parse_integer("0x10"));
        QVERIFY(!parse_integer("99999999999999999999"));
    }

    void escapesAreResolved() {
        QCOMPARE(unescaped(R"(a\"b\\c\/d\n\t)"), std::string("a\"b\\c/d\n\t"));
        QCOMPARE(unescaped(R"(\u00e9\u20AC)"), std::string("\xC3\xA9\xE2\x82\xAC"));
        QCOMPARE(unescaped(R"(\ud83d\ude00)"), std::string("\xF0\x9F\x98\x80"));
        // A lone surrogate has no meaning; the text around it keeps its own.
        QCOMPARE(unescaped(R"(x\ud83dy)"), std::string("x\xEF\xBF\xBDy"));
        QCOMPARE(unescaped(R"(\u12)"), std::string("\xEF\xBF\xBD"
                                                   "12"));
    }

    void whatStrictParsersRefuseIsRepaired() {
        QCOMPARE(repaired_json("{\"a\":1,}"), std::string("{\"a\":1 }"));
        QCOMPARE(repaired_json("[1, 2 ,\n]"), std::string("[1, 2   ]"));
        QCOMPARE(repaired_json("{\"a\":\",}\"}"), std::string("{\"a\":\",}\"}")); // inside a string nothing changes
        QCOMPARE(repaired_json("{\"a\\\"\":\"x\ny\"}"), std::string("{\"a\\\"\":\"x y\"}"));
        QCOMPARE(repaired_json("\"\xFF\xC3\xA9\xE2\x82\""),
                 std::string("\"\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD\""));
        QCOMPARE(repaired_json("\"\xED\xA0\x80\""),
                 std::string("\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"")); // a surrogate in UTF-8
    }
};

RANKSCOPE_TEST(TestJsonText)

} // namespace rankscope::json_text_test

#include "test_json_text.moc"
